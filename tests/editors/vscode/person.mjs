// What a person does in VS Code, by mouse and keys: opening, pointing, running a command, reading what is shown.

import path from "node:path";
import { required } from "./browser.mjs";

export const PATIENCE = { timeout: 30_000 };

/** Takes pictures, one after the other. The pointer is moved away first, whose tooltips lie over what is to be seen; where it
 * shows something that is meant to be seen it `stays`. */
export function shooter(page) {
  let number = 0;
  return async (name, pointer = "leaves") => {
    number += 1;
    if (pointer === "leaves") {
      await page.mouse.move(5, 5);
    }
    await page.waitForTimeout(500); // Popups fade in and out; nothing else depends on this.
    await page.screenshot({ path: path.join(required("SHOTS"), `${number}-${name}.png`) });
  };
}

export async function openFolder(page, port, folder) {
  await page.goto(`http://127.0.0.1:${port}/?folder=${encodeURIComponent(folder)}`);
  await page.waitForSelector(".monaco-workbench .explorer-folders-view", { timeout: 60_000 });
}

export async function openFile(page, name) {
  await page.keyboard.press("Control+P");
  await page.waitForSelector(".quick-input-widget input", PATIENCE);
  await page.keyboard.type(name);
  await page.locator(".quick-input-list .monaco-list-row", { hasText: name }).first().click(PATIENCE);
  await page.waitForSelector(`.tab.active[data-resource-name="${name}"]`, PATIENCE);
  await page.waitForSelector(".editor-instance .view-line", PATIENCE);
}

/** Put the pointer on a text in the editor. A line of prose is one element, so the text's own rectangle is asked for. */
export async function pointAt(page, text) {
  const box = await page.evaluate((wanted) => {
    for (const line of document.querySelectorAll(".editor-instance .view-line")) {
      const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const at = node.textContent.indexOf(wanted);
        if (at >= 0) {
          const range = document.createRange();
          range.setStart(node, at);
          range.setEnd(node, at + wanted.length);
          const { x, y, width, height } = range.getBoundingClientRect();
          return { x: x + width / 2, y: y + height / 2 };
        }
      }
    }
    throw new Error(`${wanted} is not on the screen`);
  }, text);
  await page.mouse.move(box.x - 2, box.y);
  await page.mouse.move(box.x, box.y); // A hover starts with a movement.
}

/** What is told of a text under the pointer. On a busy machine the first hover may come and go before it is asked for. */
export async function hoverText(page, at, wanted) {
  for (let tries = 0; ; tries += 1) {
    await pointAt(page, at);
    try {
      const found = await page.waitForFunction(
        (text) => {
          const shown = [...document.querySelectorAll(".monaco-hover:not(.hidden)")].map((it) => it.innerText);
          return shown.find((it) => it.includes(text));
        },
        wanted,
        { timeout: 6_000 },
      );
      return await found.jsonValue();
    } catch (error) {
      if (tries === 4) {
        throw error;
      }
      await page.mouse.move(5, 5);
    }
  }
}

export async function offered(page) {
  await page.waitForSelector(".suggest-widget.visible .monaco-list-row", PATIENCE);
  return page.locator(".suggest-widget .monaco-list-row .label-name").allInnerTexts();
}

export async function command(page, title) {
  await page.keyboard.press("F1");
  await page.waitForSelector(".quick-input-widget input", PATIENCE);
  await page.keyboard.type(title);
  const row = page.locator(".quick-input-list .monaco-list-row", { hasText: title }).first();
  await row.waitFor(PATIENCE);
  return row;
}

export async function runCommand(page, title) {
  await (await command(page, title)).click();
  await page.mouse.move(500, 400); // Away from tabs, whose tooltips cover what is under them.
}

/** The text of the first notification that matches; toasts fade, so it is read in the wait that finds it. */
export async function notification(page, pattern) {
  const found = await page.waitForFunction(
    (source) =>
      [...document.querySelectorAll(".notification-list-item-message")]
        .map((it) => it.textContent ?? "")
        .find((text) => new RegExp(source).test(text)),
    pattern.source,
    PATIENCE,
  );
  return found.jsonValue();
}

/** The rows of the Memory view as they are shown. */
export function rows(page, text) {
  return page.locator(".pane-body .monaco-list-row", { hasText: text });
}

export async function inlineAction(page, row, title) {
  await row.hover();
  await row.locator(`a.action-label[aria-label="${title}"]`).click(PATIENCE);
}
