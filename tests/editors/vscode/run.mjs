// Runs suite.js inside the extension host of a real VS Code and exits with its verdict.
// Needs, beside what browser.mjs needs, EXTENSION: the folder of the unpacked extension under test. May be given SUITE,
// another suite's folder beside this file, and PROPOSED, not empty where installed extensions may use proposed APIs.

import { fileURLToPath } from "node:url";
import { required, withVSCode } from "./browser.mjs";
import { act } from "./hands.mjs";

const LIMIT_MS = 100_000;

const verdict = await withVSCode(async ({ page, port }) => {
  let finish;
  const finished = new Promise((done) => (finish = done));
  // VS Code's web workbench reports an extension test run through these two functions of the page.
  await page.exposeFunction("codeAutomationLog", (_type, args) => {
    const text = args.join(" ");
    void act(page, text, LIMIT_MS)?.then((failed) => failed && console.log(failed));
    if (text.startsWith("[omoide]") || process.env.VERBOSE) {
      console.log(text);
    }
  });
  await page.exposeFunction("codeAutomationExit", (code) => finish(code));
  const authority = `vscode-remote://127.0.0.1:${port}`;
  const payload = [
    ["extensionDevelopmentPath", authority + required("EXTENSION")],
    ["extensionTestsPath", authority + fileURLToPath(new URL(`./${process.env.SUITE ?? "suite"}/index.js`, import.meta.url))],
    ["skipWelcome", "true"],
  ];
  if (process.env.PROPOSED) {
    payload.push(["enableProposedApi", "true"]);
  }
  const of = process.env.FOLDERS ? { workspace: process.env.FOLDERS } : { folder: required("WORKSPACE") };
  const query = new URLSearchParams({ ...of, payload: JSON.stringify(payload) });
  await page.goto(`http://127.0.0.1:${port}/?${query}`);
  const late = new Promise((done) => setTimeout(done, LIMIT_MS, "late"));
  const code = await Promise.race([finished, late]);
  if (code === "late") {
    await page.screenshot({ path: `${required("STATE")}/late.png` });
    console.log(`no verdict after ${LIMIT_MS / 1000} s; see late.png in the state folder`);
  }
  return code;
});
process.exit(verdict === 0 ? 0 : 1);
