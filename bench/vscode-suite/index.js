// Measured inside VS Code's own extension host, printed for bench/vscode.py: how long the extension takes to become active,
// by VS Code's own clock, and how long the Memory view takes to have what it shows.

const { performance } = require("node:perf_hooks");
const vscode = require("vscode");
const { report, until } = require("../../tests/editors/vscode/suite/facts.js");

const ROUNDS = 30;

/** VS Code's own report of its start, which names what each extension's code and activation took. */
async function activation() {
  await vscode.commands.executeCommand("perfview.show");
  const row = await until("the start-up report", () => {
    const text = vscode.workspace.textDocuments.find(({ uri }) => uri.scheme === "perf")?.getText() ?? "";
    return text.split("\n").find((line) => line.includes("omoide.omoide"));
  });
  const table = vscode.workspace.textDocuments.find(({ uri }) => uri.scheme === "perf").getText().split("\n");
  const head = table.slice(0, table.indexOf(row)).reverse().find((line) => /Extension/.test(line) && line.includes("|"));
  const cells = (line) => line.split("|").map((it) => it.trim());
  return Object.fromEntries(cells(head).map((name, at) => [name, cells(row)[at]]).filter(([name]) => name));
}

async function timed(work) {
  const times = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const start = performance.now();
    await work();
    times.push(performance.now() - start);
  }
  times.sort((one, other) => one - other);
  return { first: undefined, median: times[Math.floor(ROUNDS / 2)], p95: times[Math.floor(ROUNDS * 0.95)] };
}

exports.run = async () => {
  const { view } = await vscode.extensions.getExtension("omoide.omoide").activate();
  const named = async (label, above) => (await view.getChildren(above)).find(({ node }) => node.label === label);
  await until("the records", async () => (await named("Records"))?.node.description === process.env.RECORDS, 60_000);
  /** What is on the screen when the view opens: the groups, and those that stand open. */
  const opened = async () => {
    const groups = await view.getChildren();
    await Promise.all(groups.filter(({ node }) => node.opens === "open").map((it) => view.getChildren(it)));
  };
  const start = performance.now();
  await opened();
  const first = performance.now() - start;
  const open = { ...(await timed(opened)), first };
  const kind = await named("Knowledge", await named("Records"));
  const rows = await timed(() => view.getChildren(kind));
  report(`FIGURES ${JSON.stringify({ activation: await activation(), open, rows })}`);
};
