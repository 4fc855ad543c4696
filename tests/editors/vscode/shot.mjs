// Uses the extension as a person would, by mouse and keys, and takes a picture of each step into SHOTS.
// What is seen is printed as JSON for test_vscode.py to judge. Needs, beside what browser.mjs needs, EXTENSION (the folder of
// the unpacked extension), PLAIN (a folder without memory that holds a README.md) and SHOTS (a folder for PNG files).

import { cp, mkdir, readFile } from "node:fs/promises";
import path from "node:path";
import { required, withVSCode } from "./browser.mjs";
import {
  command, hoverText, inlineAction, notification, offered, openFile, openFolder, PATIENCE, rows, runCommand, shooter,
} from "./person.mjs";

const seen = {};

async function install() {
  const target = path.join(required("STATE"), "extensions", "omoide.omoide-0.1.0");
  await mkdir(path.dirname(target), { recursive: true });
  await cp(required("EXTENSION"), target, { recursive: true });
}

async function asAPerson(page, shoot) {
  await openFile(page, "deploy-window.md");
  await page.waitForSelector(".squiggly-warning, .squiggly-error", { timeout: 60_000 });
  seen.problem = await hoverText(page, "#no-such-slug", "no-such-slug");
  await shoot("problem", "stays");

  seen.hover = await hoverText(page, "#deploy-steps", "How the service is deployed");
  await shoot("hover", "stays");

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
    [...document.querySelectorAll(".editor-instance .view-line")].some((it) =>
      /Ask.#deploy-window$/.test(it.textContent),
    ),
  );
  seen.completed = (await page.locator(".editor-instance .view-line", { hasText: "Ask" }).innerText()).replaceAll(
    "\u00a0",
    " ",
  );
  await page.keyboard.press("Control+S");

  await command(page, "Omoide:");
  await shoot("commands");
  seen.commands = await page.locator(".quick-input-list .monaco-list-row .label-name").allInnerTexts();
  await page.keyboard.press("Escape");

  await runCommand(page, "Omoide: Extract Sessions");
  seen.extract = await notification(page, /Omoide: .*(staged|nothing|could not|running)/);
  await shoot("extract");
  await inTheView(page, shoot);
  await decideInTheView(page, shoot);
  await shownTexts(page, shoot);
}

/** From a candidate to the words it rests on, to a diff of what would be written, to records, and back again. */
async function inTheView(page, shoot) {
  await page
    .locator('.activitybar a[aria-label^="Omoide"]')
    .first()
    .click({ ...PATIENCE, force: true }); // The badge lies over it.
  await rows(page, "Candidates").first().waitFor(PATIENCE);
  await rows(page, /^Keep|decision$/)
    .first()
    .waitFor(PATIENCE);
  await shoot("view");
  const candidate = rows(page, /decision$/).first();
  seen.candidate = await candidate.innerText();
  await candidate.locator(".monaco-tl-twistie").click(PATIENCE);
  const evidence = rows(page, /entry \d+$/).first();
  await evidence.click(PATIENCE);
  await page.waitForSelector(".tab.active[data-resource-name$='.md']", PATIENCE);
  await page.waitForFunction(
    () =>
      /We decided to keep/.test(
        document.querySelector(".editor-instance")?.textContent.replaceAll("\u00a0", " ") ?? "",
      ),
    null,
    PATIENCE,
  );
  await shoot("evidence");
  await inlineAction(page, rows(page, "Candidates").first(), "Preview Consolidation");
  await page.locator(".notification-list-item-message", { hasText: "as they are shown?" }).waitFor(PATIENCE);
  await page.waitForSelector(".multiDiffEntry .view-line", PATIENCE);
  await shoot("preview");
  await page.getByRole("button", { name: "Accept", exact: true }).click(PATIENCE);
  seen.consolidate = await notification(page, /Omoide: .*closed/);
  await page
    .locator(".multiDiffEntry")
    .first()
    .waitFor({ state: "detached", ...PATIENCE });
  await shoot("consolidate");
  await rows(page, "Decisions").first().click(PATIENCE);
  const decision = rows(page, /^keep-cart/).first();
  await decision.waitFor(PATIENCE);
  await rows(page, "Knowledge").first().click(PATIENCE);
  await rows(page, "#deploy-window").first().waitFor(PATIENCE);
  await rows(page, "Sessions").first().click(PATIENCE);
  await rows(page, /extracted/)
    .first()
    .waitFor(PATIENCE);
  await rows(page, "Recent Activity").first().click(PATIENCE);
  await rows(page, "#deploy-steps hovered").first().waitFor(PATIENCE);
  await shoot("records");
  seen.records = await page.locator(".pane-body .monaco-list-row").allInnerTexts();
  seen.badge = await page.locator('.activitybar a[aria-label^="Omoide"]').first().getAttribute("aria-label");
  await rows(page, "Records").first().click(PATIENCE); // Closed, so that the runs are on the screen.
  await rows(page, "Runs").first().click(PATIENCE);
  await inlineAction(page, rows(page, /accepted after review/).first(), "Undo Run...");
  await page.waitForSelector(".monaco-dialog-box", PATIENCE);
  await shoot("undo");
  await page.locator(".monaco-dialog-box").getByRole("button", { name: "Undo", exact: true }).click(PATIENCE);
  seen.undone = await notification(page, /as before/);
  await rows(page, "Records").first().click(PATIENCE);
}

/** A candidate that is not worth a record, and records with some words only. */
async function decideInTheView(page, shoot) {
  const candidate = rows(page, "From now on, always run").first();
  await candidate.waitFor(PATIENCE);
  await inlineAction(page, candidate, "Discard with a Reason...");
  await page.locator(".quick-input-list .monaco-list-row", { hasText: "Not worth keeping" }).click(PATIENCE);
  await page.waitForFunction(
    () => document.querySelector(".quick-input-widget input")?.value === "Not worth keeping",
    null,
    PATIENCE,
  );
  await shoot("discard");
  await page.keyboard.press("Enter");
  await candidate.waitFor({ state: "detached", ...PATIENCE });
  await page
    .locator(
      '.pane-header a.action-label[aria-label="Filter Records"], .title-actions a.action-label[aria-label="Filter Records"]',
    )
    .first()
    .click(PATIENCE);
  await page.waitForSelector(".quick-input-widget input", PATIENCE);
  await page.keyboard.type("traffic");
  await page.keyboard.press("Enter");
  await rows(page, "Recent Activity")
    .first()
    .waitFor({ state: "detached", ...PATIENCE });
  await rows(page, "#deploy-steps").first().waitFor(PATIENCE);
  seen.filtered = await page.locator(".pane-body .monaco-list-row").allInnerTexts();
  await shoot("filter");
  await page
    .locator(
      '.pane-header a.action-label[aria-label="Show All Records"], .title-actions a.action-label[aria-label="Show All Records"]',
    )
    .first()
    .click(PATIENCE);
  await rows(page, "Recent Activity").first().waitFor(PATIENCE);
}

/** The search, the report and the walkthrough. */
async function shownTexts(page, shoot) {
  await runCommand(page, "Omoide: Search Memory");
  await page.waitForSelector(".quick-input-widget input", PATIENCE);
  await page.keyboard.type("当番", { delay: 40 });
  await page.locator(".quick-input-list .monaco-list-row", { hasText: "#oncall-rota" }).waitFor(PATIENCE);
  await shoot("search");
  await page.keyboard.press("Enter");
  await page.waitForSelector('.tab.active[data-resource-name="oncall-rota.md"]', PATIENCE);
  await runCommand(page, "Omoide: Show Usage Report");
  const report = page.frameLocator("iframe.webview").frameLocator("iframe");
  seen.report = await report.locator("h1").innerText(PATIENCE);
  await shoot("report");
  await runCommand(page, "Welcome: Open Walkthrough");
  await page.locator(".quick-input-list .monaco-list-row", { hasText: "Start with Omoide" }).click(PATIENCE);
  await page.locator(".getting-started-step", { hasText: "Make a memory" }).first().waitFor(PATIENCE);
  seen.steps = await page.locator(".getting-started-step .step-title").allInnerTexts();
  await shoot("walkthrough");
}

/** A project without memory: nothing is said until a command is called, which then offers to make one. */
async function inAPlainFolder(page, shoot) {
  await openFile(page, "README.md");
  await command(page, "Omoide: Extract Sessions");
  await page.keyboard.press("Escape");
  seen.unasked = await page.locator(".notification-list-item-message").allInnerTexts();
  await runCommand(page, "Omoide: Extract Sessions");
  seen.no_memory = await notification(page, /no project memory/);
  await shoot("no-memory");
  await page.getByRole("button", { name: "Run omoide init", exact: true }).click(PATIENCE);
  seen.made = await notification(page, /now has a memory/);
}

/** What the jobs did: where a run goes wrong, this says why. */
async function audit() {
  const file = path.join(required("WORKSPACE"), ".omoide/memory/_logs/audit.jsonl");
  return readFile(file, "utf8").catch(() => "no job ran");
}

await install();
await mkdir(required("SHOTS"), { recursive: true });
await withVSCode(
  async ({ page, port }) => {
    const shoot = shooter(page);
    try {
      await openFolder(page, port, required("WORKSPACE"));
      await asAPerson(page, shoot);
      await openFolder(page, port, required("PLAIN"));
      await inAPlainFolder(page, shoot);
    } catch (error) {
      await shoot("failed");
      console.error(await audit());
      throw error;
    }
  },
  { viewport: { width: 1100, height: 720 } },
);
console.log(JSON.stringify(seen));
