// Runs a suite inside the extension host of a VS Code that takes no extension tests from its page: an extension of ours,
// installed beside the one under test, runs it and writes down what it says. Needs what run.mjs needs, and knows the same
// suites; MORE_EXTENSIONS may name further folders of extensions to install.

import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { required, withVSCode } from "./browser.mjs";
import { act } from "./hands.mjs";

const LIMIT_MS = 100_000;
const PATIENCE_MS = 30_000;
const PASSED = "[verdict] passed";
/** The chat box of a current VS Code takes the keyboard, and its side bar half of the window. */
const QUIET = { "chat.disableAIFeatures": true, "workbench.secondarySideBar.defaultVisibility": "hidden" };

const here = (name) => fileURLToPath(new URL(`./${name}`, import.meta.url));

async function install(folder, name) {
  const target = path.join(required("STATE"), "extensions", name);
  await mkdir(path.dirname(target), { recursive: true });
  await cp(folder, target, { recursive: true });
}

const log = path.join(required("STATE"), "driven.log");
process.env.DRIVEN_SUITE = here(`${process.env.SUITE ?? "suite"}/index.js`);
process.env.DRIVEN_LOG = log;
await install(required("EXTENSION"), "omoide.omoide-0.1.0");
await install(here("driver"), "omoide-tests.driver-0.0.1");
await writeFile(log, "");

const verdict = await withVSCode(
  async ({ page, port }) => {
    await page.goto(`http://127.0.0.1:${port}/?folder=${encodeURIComponent(required("WORKSPACE"))}`);
    const end = Date.now() + LIMIT_MS;
    const acts = [];
    const failed = [];
    for (let shown = 0; Date.now() < end; await sleep(100)) {
      const lines = (await readFile(log, "utf8")).split("\n").slice(0, -1);
      for (const line of lines.slice(shown)) {
        acts.push(act(page, line, PATIENCE_MS)?.then((why) => why && failed.push(why)));
        if (/^\[(omoide|version|verdict)\]/.test(line) || process.env.VERBOSE) {
          console.log(line);
        }
      }
      shown = lines.length;
      const found = lines.find((line) => line.startsWith("[verdict]"));
      if (found === PASSED) {
        await Promise.all(acts);
      }
      // What was asked for and did not come is a failure also where the suite would go on without it.
      if (found !== undefined || failed.length > 0) {
        const verdict = failed[0] ?? found;
        if (verdict !== PASSED) {
          await page.screenshot({ path: path.join(required("STATE"), "failed.png") });
        }
        return verdict;
      }
    }
    await page.screenshot({ path: path.join(required("STATE"), "late.png") });
    return `no verdict after ${LIMIT_MS / 1000} s; see late.png in the state folder`;
  },
  { settings: QUIET },
);
if (verdict !== PASSED) {
  console.log(verdict);
  process.exit(1);
}
