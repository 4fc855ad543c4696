// What the suites share: asking until something is so, looking for the server's process, stating facts one by one.

const assert = require("node:assert/strict");
const fs = require("node:fs");

/** To the script outside: by the file of the extension `driver` where that runs the suite, else by the console, which VS
 * Code hands to a page that runs extension tests. */
const say = (text) => (globalThis.toTheScriptOutside ?? console.log)(text);

/** Ask until the answer is truthy; what was waited for names the failure. */
exports.until = async (what, ask, limit = 20_000) => {
  const end = Date.now() + limit;
  for (;;) {
    const answer = await ask();
    if (answer) {
      return answer;
    }
    assert(Date.now() < end, `waited in vain for ${what}`);
    await new Promise((done) => setTimeout(done, 50));
  }
};

/** The child processes of this extension host: process id and command (Linux). */
exports.children = () =>
  fs
    .readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const stat = fs.readFileSync(`/proc/${pid}/stat`, "utf8");
        const parent = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
        return parent === process.pid ? [{ pid, command: fs.readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0") }] : [];
      } catch {
        return []; // Gone while we looked.
      }
    });

/** Of them the language servers: the command line `omoide lsp`, or the module it becomes. */
exports.servers = () =>
  exports.children().filter(({ command }) => command.includes("server") || command.includes("lsp"));

/** Have run.mjs press a button or a row as soon as it stands beside some words. */
exports.press = (button, beside) => say(`[press] ${JSON.stringify({ button, beside })}`);

/** The same for a text that is typed into a question; `stay`: the list below it changes, and it is not accepted. */
exports.type = (text, beside, stay = false) => say(`[type] ${JSON.stringify({ text, beside, stay })}`);

/** The same for a new name in the box that VS Code opens over a symbol, beside the old one. */
exports.rename = (text, old) => say(`[rename] ${JSON.stringify({ text, old })}`);

/** The same for a row of a view that is dragged onto a text in the editor, with Shift held; rows to open before come first. */
exports.drag = (row, onto, open = []) => say(`[drag] ${JSON.stringify({ row, onto, open })}`);

/** The same for a message that is to be seen. */
exports.see = (text) => say(`[see] ${JSON.stringify({ text })}`);

/** A line that run.mjs prints; it leaves out what other extensions write. */
exports.report = (text) => say(`[omoide] ${text}`);

exports.state = async (facts) => {
  for (const [fact, check] of Object.entries(facts)) {
    const start = Date.now();
    try {
      await check();
    } catch (error) {
      exports.report(`FAILED ${fact}\n${error.stack}`);
      throw error;
    }
    exports.report(`ok ${fact} (${Date.now() - start} ms)`);
  }
};
