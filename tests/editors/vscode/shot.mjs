// Uses the extension as a person would, by mouse and keys, and takes a picture of each step into SHOTS.
// What is seen is printed as JSON for test_vscode.py to judge. Needs, beside what browser.mjs needs, EXTENSION (the folder of
// the unpacked extension) and SHOTS (a folder for PNG files).

import { cp, mkdir } from "node:fs/promises";
import path from "node:path";
import { required, withVSCode } from "./browser.mjs";

const PATIENCE = { timeout: 30_000 };
const seen = {};

async function install() {
  const target = path.join(required("STATE"), "extensions", "omoide.omoide-0.1.0");
  await mkdir(path.dirname(target), { recursive: true });
  await cp(required("EXTENSION"), target, { recursive: true });
}

function shooter(page) {
  let number = 0;
  return async (name) => {
    number += 1;
    await page.screenshot({ path: path.join(required("SHOTS"), `${number}-${name}.png`) });
  };
}

async function openFile(page, name) {
  await page.keyboard.press("Control+P");
  await page.waitForSelector(".quick-input-widget input", PATIENCE);
  await page.keyboard.type(name);
  await page.locator(".quick-input-list .monaco-list-row", { hasText: name }).first().click(PATIENCE);
  await page.waitForSelector(`.tab.active[data-resource-name="${name}"]`, PATIENCE);
  await page.waitForSelector(".editor-instance .view-line", PATIENCE);
}

function reference(page, text) {
  return page.locator(".editor-instance .view-line span span", { hasText: text }).first();
}

async function offered(page) {
  await page.waitForSelector(".suggest-widget.visible .monaco-list-row", PATIENCE);
  return page.locator(".suggest-widget .monaco-list-row .label-name").allInnerTexts();
}

async function command(page, title) {
  await page.keyboard.press("F1");
  await page.waitForSelector(".quick-input-widget input", PATIENCE);
  await page.keyboard.type(title);
  const row = page.locator(".quick-input-list .monaco-list-row", { hasText: title }).first();
  await row.waitFor(PATIENCE);
  return row;
}

/** The text of the first notification that matches; toasts fade, so it is read in the wait that finds it. */
async function notification(page, pattern) {
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

async function asAPerson(page, shoot) {
  await page.waitForSelector(".monaco-workbench .explorer-folders-view", { timeout: 60_000 });

  await openFile(page, "deploy-window.md");
  await page.waitForSelector(".squiggly-warning, .squiggly-error", { timeout: 60_000 });
  await reference(page, "#no-such-slug").hover();
  await page.waitForSelector(".monaco-hover:not(.hidden) .marker", PATIENCE).catch(() => undefined);
  await page.waitForFunction(() => document.querySelector(".monaco-hover:not(.hidden)")?.textContent?.includes("no-such-slug"));
  seen.problem = await page.locator(".monaco-hover:not(.hidden)").first().innerText();
  await shoot("problem");

  await reference(page, "#deploy-steps").hover();
  await page.waitForFunction(
    () => document.querySelector(".monaco-hover:not(.hidden)")?.textContent?.includes("How the service is deployed"),
    null,
    PATIENCE,
  );
  seen.hover = await page.locator(".monaco-hover:not(.hidden)").first().innerText();
  await shoot("hover");

  await openFile(page, "notes.md");
  await page.keyboard.press("Control+End");
  await page.keyboard.type("Ask #");
  seen.offered = await offered(page);
  await shoot("completion");
  await page.keyboard.type("deploy-", { delay: 60 });
  await page.waitForFunction(
    () => document.querySelectorAll(".suggest-widget.visible .monaco-list-row .label-name").length === 2,
    null,
    PATIENCE,
  );
  seen.through_hyphen = await offered(page);
  await page.keyboard.type("w", { delay: 60 });
  await page.waitForFunction(
    () => document.querySelectorAll(".suggest-widget.visible .monaco-list-row .label-name").length === 1,
    null,
    PATIENCE,
  );
  await shoot("completion-narrowed");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() =>
    [...document.querySelectorAll(".editor-instance .view-line")].some((it) => /Ask.#deploy-window$/.test(it.textContent)),
  );
  seen.completed = (await page.locator(".editor-instance .view-line", { hasText: "Ask" }).innerText()).replaceAll("\u00a0", " ");
  await page.keyboard.press("Control+S");

  await command(page, "Omoide:");
  await page.waitForTimeout(300); // The list is still being filtered; only the picture needs it at rest.
  seen.commands = await page.locator(".quick-input-list .monaco-list-row .label-name").allInnerTexts();
  await shoot("commands");
  await page.keyboard.press("Escape");

  await (await command(page, "Omoide: Extract Sessions")).click();
  seen.extract = await notification(page, /Omoide: .*(staged|nothing|failed)/);
  await shoot("extract");
  await page.getByRole("button", { name: "Consolidate", exact: true }).click(PATIENCE);
  seen.consolidate = await notification(page, /Omoide: .*closed/);
  await shoot("consolidate");
}

await install();
await mkdir(required("SHOTS"), { recursive: true });
await withVSCode(
  async ({ page, port }) => {
    await page.goto(`http://127.0.0.1:${port}/?folder=${encodeURIComponent(required("WORKSPACE"))}`);
    const shoot = shooter(page);
    try {
      await asAPerson(page, shoot);
    } catch (error) {
      await shoot("failed");
      throw error;
    }
  },
  { viewport: { width: 1100, height: 720 } },
);
console.log(JSON.stringify(seen));
