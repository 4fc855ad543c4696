// A person who has never seen the extension: installs the vsix in a clean VS Code without a folder, follows the walkthrough
// with the bundled example, and gets from a log to a record that is used, by mouse and keys alone.
// Needs, beside what browser.mjs needs, VSIX (the packed extension) and SHOTS (a folder for PNG files). Prints what was seen.

import { execFile } from "node:child_process";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { required, withVSCode } from "./browser.mjs";
import { hoverText, inlineAction, notification, openFile, PATIENCE, rows, runCommand, shooter } from "./person.mjs";

const seen = {};

async function installPackage() {
  const state = required("STATE");
  const folders = ["--user-data-dir", path.join(state, "user"), "--extensions-dir", path.join(state, "extensions")];
  const { stdout } = await promisify(execFile)(
    required("CODE_SERVER"),
    ["--config", path.join(state, "config.yaml"), ...folders, "--install-extension", required("VSIX")],
    { env: { ...process.env, VSCODE_CLI: "1" } },
  );
  seen.installed = stdout.trim().split("\n").at(-1);
}

/** The steps of the walkthrough as they are shown, with a mark on those that are done. */
async function steps(page) {
  return page.$$eval(".getting-started-step", (found) =>
    found.map((it) => `${it.querySelector(".codicon.complete") ? "✓ " : ""}${it.querySelector(".step-title")?.textContent}`),
  );
}

async function step(page, title) {
  const found = page.locator(".getting-started-step", { hasText: title }).first();
  await found.waitFor(PATIENCE);
  if (!(await found.evaluate((it) => it.classList.contains("expanded")))) {
    await found.click(PATIENCE);
  }
  return found;
}

async function done(page, title) {
  await page.waitForFunction(
    (text) =>
      [...document.querySelectorAll(".getting-started-step")].some(
        (it) => it.textContent.includes(text) && it.querySelector(".codicon.complete"),
      ),
    title,
    PATIENCE,
  );
}

/** Click on a row until it has opened something: VS Code loses a click while it draws a tree anew. */
async function opens(page, row, selector) {
  for (let tries = 0; tries < 5; tries += 1) {
    await row.click(PATIENCE);
    const there = await page.waitForSelector(selector, { timeout: 6_000 }).catch(() => undefined);
    if (there !== undefined) {
      return;
    }
  }
  throw new Error(`${selector} was not opened`);
}

async function toWalkthrough(page) {
  await page.locator(".tab", { hasText: /^(Walkthrough|Welcome)/ }).first().click(PATIENCE);
}

async function openView(page) {
  await page
    .locator('.activitybar a[aria-label^="Omoide"]')
    .first()
    .click({ ...PATIENCE, force: true }); // A badge lies over it.
  await rows(page, "Candidates").first().waitFor(PATIENCE);
}

async function meetTheExample(page, shoot) {
  await runCommand(page, "Welcome: Open Walkthrough");
  await page.locator(".quick-input-list .monaco-list-row", { hasText: "Start with Omoide" }).click(PATIENCE);
  const first = await step(page, "Make a memory");
  seen.before = await steps(page);
  await shoot("walkthrough");
  await first.getByRole("button", { name: "Open the Example" }).click(PATIENCE);
  await page.locator(".explorer-folders-view .monaco-list-row", { hasText: "README.md" }).waitFor({ timeout: 60_000 });
  // The walkthrough is open again, with the first step done.
  await done(page, "Make a memory");
  await shoot("example");
}

async function extract(page, shoot) {
  const second = await step(page, "Look at what your agents did");
  await second.getByRole("button", { name: "Extract Sessions" }).click(PATIENCE);
  seen.extracted = await notification(page, /staged from \d+ session/);
  await done(page, "Look at what your agents did");
  await openView(page);
  const candidate = rows(page, "Never log request bodies").first();
  await candidate.waitFor(PATIENCE);
  await opens(page, candidate, ".tab.active[data-resource-name$='.md']");
  seen.transcript = await page.locator(".tab.active").first().getAttribute("aria-label");
  await shoot("evidence");
}

/** One candidate is put into better words and accepted alone; the rest is seen as one diff first. */
async function decide(page, shoot) {
  const candidate = rows(page, /decision$/).first();
  await inlineAction(page, candidate, "Edit");
  await page.locator(".editor-instance .view-line", { hasText: "## Chosen" }).waitFor(PATIENCE);
  await page.locator(".editor-instance .view-line", { hasText: /^They.hold/ }).click(PATIENCE);
  await page.keyboard.press("End");
  await page.keyboard.type(" Not even while debugging.");
  await page.keyboard.press("Control+S");
  await page.locator(".tab.active:not(.dirty)").first().waitFor(PATIENCE);
  await shoot("edit");
  await page.locator('.editor-actions a.action-label[aria-label^="Accept This Candidate"]').click(PATIENCE);
  seen.accepted = await notification(page, /is written/);
  await page.getByRole("button", { name: "Open", exact: true }).click(PATIENCE);
  await page.waitForSelector(".tab.active[data-resource-name^='never-log']", PATIENCE);
  seen.record = await page.locator(".tab.active").first().getAttribute("data-resource-name");
  await shoot("record");

  await toWalkthrough(page);
  const third = await step(page, "Make records of it");
  await third.getByRole("button", { name: "Preview Consolidation" }).click(PATIENCE);
  await page.locator(".notification-list-item-message", { hasText: "as they are shown?" }).waitFor(PATIENCE);
  await page.waitForSelector(".multiDiffEntry .view-line", PATIENCE);
  await shoot("preview");
  await page.getByRole("button", { name: "Accept", exact: true }).click(PATIENCE);
  seen.consolidated = await notification(page, /written, .*closed/);
}

async function use(page, shoot) {
  await openFile(page, "README.md");
  await page.locator(".editor-instance .view-line", { hasText: /^Before/ }).click(PATIENCE);
  await page.keyboard.press("End");
  await page.keyboard.type(" #never", { delay: 60 });
  await page.locator(".suggest-widget.visible .monaco-list-row").first().waitFor(PATIENCE);
  await shoot("completion");
  await page.keyboard.press("Enter");
  await page.keyboard.type(".");
  await page.keyboard.press("Control+S");
  seen.line = (await page.locator(".editor-instance .view-line", { hasText: "Before" }).innerText()).replaceAll("\u00a0", " ");
  seen.hover = await hoverText(page, "#never", "Never log request bodies");
  await shoot("hover", "stays");
  await page.keyboard.press("Escape");
  await rows(page, "Knowledge").first().click(PATIENCE);
  await rows(page, "Sessions").first().click(PATIENCE);
  await rows(page, "Runs").first().click(PATIENCE);
  await rows(page, "Recent Activity").first().click(PATIENCE);
  await rows(page, "hovered").first().waitFor(PATIENCE);
  await shoot("view");
  seen.view = await page.locator(".pane-body .monaco-list-row").allInnerTexts();
  await toWalkthrough(page);
  for (const title of seen.before) {
    await done(page, title);
  }
  seen.after = await steps(page);
  await shoot("done");
}

await mkdir(required("SHOTS"), { recursive: true });
await installPackage();
await withVSCode(
  async ({ page, port }) => {
    const shoot = shooter(page);
    try {
      await page.goto(`http://127.0.0.1:${port}/?ew=true`);
      await page.waitForSelector(".monaco-workbench .activitybar", { timeout: 60_000 });
      await meetTheExample(page, shoot);
      await extract(page, shoot);
      await decide(page, shoot);
      await use(page, shoot);
    } catch (error) {
      await shoot("failed");
      throw error;
    }
  },
  { viewport: { width: 1200, height: 760 } },
);
console.log(JSON.stringify(seen, null, 1));
