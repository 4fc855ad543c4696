// Runs the suite that DRIVEN_SUITE names as soon as VS Code has started, and writes what it says, line by line, to the file
// DRIVEN_LOG; the last line is the verdict. For versions that take no extension tests from the page they are opened by.

const fs = require("node:fs");

exports.activate = () => {
  const { DRIVEN_SUITE: suite, DRIVEN_LOG: log } = process.env;
  if (!suite || !log) {
    return;
  }
  const say = (text) => fs.appendFileSync(log, `${text}\n`);
  // The console of an extension host cannot be replaced, and shows nobody what it is told.
  globalThis.toTheScriptOutside = say;
  say(`[version] ${require("vscode").version}`);
  // Not awaited: an activation that lasts as long as the suite would keep other extensions waiting.
  void Promise.resolve()
    .then(() => require(suite).run())
    .then(
      () => say("[verdict] passed"),
      (error) => say(`[verdict] failed: ${error?.stack ?? error}`),
    );
};
