// A person extracts with a language model of VS Code, which asks for their consent, and takes a picture of each step into
// SHOTS. What is seen is printed as JSON for test_vscode_models.py to judge. Needs, beside what browser.mjs needs, SHOTS;
// both extensions lie in the folder of installed ones, and SCRIPTED_MODELS is set.

import { mkdir } from "node:fs/promises";
import { required, withVSCode } from "./browser.mjs";
import { command, notification, openFile, PATIENCE, runCommand, shooter } from "./person.mjs";

const seen = {};

function button(page, place, label) {
  return page.locator(`${place} .monaco-button`, { hasText: label }).first();
}

async function choose(page, shoot) {
  await runCommand(page, "Omoide: Choose Model");
  const row = page.locator(".quick-input-list .monaco-list-row", { hasText: "scripted/small" });
  await row.waitFor(PATIENCE);
  seen.models = await page.locator(".quick-input-list .monaco-list-row").allInnerTexts();
  await shoot("choose-model");
  await row.click();
  seen.chosen = await notification(page, /wherever the provider/);
  await shoot("model-chosen");
  await button(page, ".notification-toast", "Use It from Now On").click(PATIENCE);
}

async function extract(page, shoot, consent) {
  await runCommand(page, "Omoide: Extract Sessions");
  seen.question = await notification(page, /which may cost money/);
  await shoot("question");
  await button(page, ".notification-toast", "Call the model").click(PATIENCE);
  const dialog = page.locator(".monaco-dialog-box");
  await dialog.waitFor(PATIENCE);
  seen.consent = await dialog.innerText();
  await shoot(`consent-${consent}`);
  await button(page, ".monaco-dialog-box", consent).click(PATIENCE);
}

await withVSCode(
  async ({ page, port }) => {
    await mkdir(required("SHOTS"), { recursive: true });
    const shoot = shooter(page);
    const payload = JSON.stringify([["enableProposedApi", "true"], ["skipWelcome", "true"]]);
    await page.goto(`http://127.0.0.1:${port}/?${new URLSearchParams({ folder: required("WORKSPACE"), payload })}`);
    await page.waitForSelector(".monaco-workbench .explorer-folders-view", { timeout: 60_000 });
    await openFile(page, "notes.md");
    await choose(page, shoot);
    await extract(page, shoot, "Cancel");
    seen.refused = await notification(page, /could not be extracted|failed/);
    await shoot("refused");
    await command(page, "Notifications: Clear All Notifications").then((row) => row.click());
    await extract(page, shoot, "Allow");
    seen.extracted = await notification(page, /staged/);
    await shoot("extracted");
  },
  { viewport: { width: 1280, height: 800 } },
);
console.log(JSON.stringify(seen));
