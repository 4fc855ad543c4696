// What a suite inside the extension host asks the script outside to do in the page, as lines on the console that name an
// act and its facts as JSON: `[press]` a button or row, `[type]` into a question, `[rename]` what is under the
// cursor, `[drag]` a row, `[see]` a message.

const ACTS = { drag, press, rename, see, type };

/** Whether a line asks for something; then a promise of what came of it, empty where it worked. */
export function act(page, line, patience) {
  const [, name, facts] = /^\[(\w+)\] (\{.*\})$/.exec(line) ?? [];
  const does = ACTS[name];
  return does && does(page, JSON.parse(facts), patience).then(
    () => "",
    (error) => `no ${name} of ${facts}: ${error.message.split("\n")[0]}`,
  );
}

const PLACES = [
  ".monaco-dialog-box", ".notification-toast", ".notifications-center .notification-list-item", ".quick-input-widget",
  ".workspace-trust-editor",
].join();

/** Press a button, or a row of a list, that stands in a message, dialog, list or page of VS Code's with some words. */
async function press(page, { button, beside }, timeout) {
  const places = page.locator(PLACES).filter({ hasText: beside });
  const pressed = places.locator(".monaco-button, .quick-input-list .monaco-list-row").filter({ hasText: button }).first();
  await pressed.click({ timeout });
  // A message that was just drawn anew can lose a click. What was pressed goes away.
  for (let tries = 0; tries < 5; tries += 1) {
    if (await pressed.waitFor({ state: "hidden", timeout: 2_000 }).then(() => true, () => false)) {
      return;
    }
    await pressed.click({ timeout: 2_000 }).catch(() => undefined);
  }
}

/** Answer the question that stands beside some words with a text; `stay`: only write it there. */
async function type(page, { text, beside, stay }, timeout) {
  const question = page.locator(".quick-input-widget").filter({ hasText: beside });
  const input = question.locator("input[type=text]").first();
  await input.fill(text, { timeout });
  if (stay) {
    return;
  }
  await input.press("Enter", { timeout });
  await question.waitFor({ state: "hidden", timeout });
}

/** Put a new name into the box over a symbol, which holds the old one. */
async function rename(page, { text, old }, timeout) {
  const input = page.locator(".rename-box input");
  await input.waitFor({ timeout });
  const before = await input.inputValue();
  if (before !== old) {
    throw new Error(`the box holds ${before}`);
  }
  await input.fill(text, { timeout });
  await input.press("Enter", { timeout });
}

/** Drag a row of a view onto a text in the editor; VS Code puts it there while Shift is held. */
async function drag(page, { row, onto, open }, timeout) {
  const rows = page.locator(".pane-body .monaco-list-row");
  for (const label of open) {
    await rows.filter({ hasText: label }).first().click({ timeout });
  }
  const dragged = rows.filter({ hasText: row }).first();
  // Opened rows are drawn one after the other: what is to be taken hold of must stand still.
  for (let before; before !== (before = JSON.stringify(await dragged.boundingBox({ timeout }))); ) {
    await page.waitForTimeout(150);
  }
  await dragged.hover({ timeout });
  await page.mouse.down();
  const { x, y, width, height } = await page.locator(".view-line", { hasText: onto }).first().boundingBox({ timeout });
  for (const part of [0.4, 0.2, 0.1]) {
    await page.mouse.move(x + width * part, y + height / 2, { steps: 3 }); // A drag begins with one movement and goes on with others.
  }
  await page.keyboard.down("Shift");
  await page.mouse.move(x + 5, y + height / 2);
  await page.mouse.up();
  await page.keyboard.up("Shift");
}

/** Wait for a message with some words. Ours hold no links, so that words of others cannot be any. */
async function see(page, { text }, timeout) {
  const message = page.locator(".notification-list-item-message, .monaco-dialog-box").filter({ hasText: text }).first();
  await message.waitFor({ timeout });
  if (await message.locator("a").count()) {
    throw new Error("there is a link in it");
  }
}
