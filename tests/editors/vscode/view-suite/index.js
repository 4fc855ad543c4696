// Facts about the Memory view, inside VS Code's own extension host: what its rows say, and what their menus do.

const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");
const vscode = require("vscode");
const { press, state, until } = require("../suite/facts.js");

const folder = process.env.WORKSPACE;
const root = path.join(folder, ".omoide");
const run = vscode.commands.executeCommand;
let view;

const texts = (rows) => rows.map(({ node }) => node.label);
const exists = (name) => fs.existsSync(path.join(root, name));

/** The rows below a row of the view, by the beginnings of labels. */
async function below(...labels) {
  let rows = await view.getChildren();
  for (const label of labels) {
    const row = rows.find(({ node }) => node.label.startsWith(label));
    assert(row, `no row ${label} in ${texts(rows)}`);
    rows = await view.getChildren(row);
  }
  return rows;
}

async function row(label, ...above) {
  const found = (await below(...above)).find(({ node }) => node.label.startsWith(label));
  assert(found, `no row ${label} in ${texts(await below(...above))}`);
  return found;
}

const facts = {
  async "records are listed by kind with what they are about, and what is old is called stale"() {
    const extension = vscode.extensions.getExtension("omoide.omoide");
    ({ view } = await extension.activate());
    await until("the view", async () => texts(await view.getChildren()).includes("Records"));
    assert.deepEqual(texts(await below("Records", "Knowledge")), ["#deploy-steps", "#deploy-window", "#oncall-rota"]);
    const { node } = await row("#deploy-steps", "Records", "Knowledge");
    assert.equal(node.description, "stale · How the service is deployed; read before a release.");
    const item = view.getTreeItem(await row("#deploy-steps", "Records", "Knowledge"));
    assert.equal(item.command.command, "omoide.view.openRecord");
    assert.equal(item.contextValue, "record.knowledge");
  },

  async "a session that waits says how much, and is extracted alone"() {
    const waiting = await row("Should the cart keep its state", "Sessions");
    assert.match(waiting.node.description, /^\d+ tokens to extract · claude-code · /);
    assert.equal(view.getTreeItem(waiting).contextValue, "session.pending");
    const { runs } = await run("omoide.view.extractSession", waiting);
    assert.deepEqual(runs.map(({ status }) => status), ["staged"]);
    assert.match((await row("Should the cart", "Sessions")).node.description, /^extracted/);
  },

  async "a candidate opens the transcript where it was said, and so do the words it rests on"() {
    const candidate = (await below("Candidates"))[0];
    for (const opened of [candidate, (await view.getChildren(candidate))[0]]) {
      const { command } = view.getTreeItem(opened).command;
      await run(command, opened);
      const { document, selection } = vscode.window.activeTextEditor;
      assert.match(document.lineAt(selection.active.line).text, /^## 2 · human/);
      await run("workbench.action.closeActiveEditor");
    }
  },

  async "a candidate is edited as a text; what cannot be kept is said, and the text stays unsaved"() {
    const candidate = (await below("Candidates")).find(({ node }) => node.description === "decision");
    const document = await run("omoide.view.editCandidate", candidate);
    const replace = async (old, now) => {
      const at = document.getText().indexOf(old);
      const edit = new vscode.WorkspaceEdit();
      edit.replace(document.uri, new vscode.Range(document.positionAt(at), document.positionAt(at + old.length)), now);
      await vscode.workspace.applyEdit(edit);
      return document.save();
    };
    const { chosen } = candidate.node.subject.candidate;
    assert.equal(await replace("## Chosen", "Chosen"), false);
    assert(document.isDirty);
    assert.equal(await replace("Chosen", "## Chosen"), true);
    assert.equal(await replace(chosen, "Keep the cart of a shop in Postgres"), true);
    await row("Keep the cart of a shop in Postgres", "Candidates");
  },

  async "accepting one candidate makes a record of it and leaves the others"() {
    const before = await below("Candidates");
    const candidate = await row("Keep the cart of a shop in Postgres", "Candidates");
    const answer = await run("omoide.view.acceptCandidate", candidate);
    assert.equal(answer.status, "committed");
    const written = answer.changes.find(({ kind }) => kind === "decision");
    assert(exists(`memory/decisions/${written.slug}.md`));
    assert.equal((await below("Candidates")).length, before.length - 1);
    await until("the edited text's end", () =>
      vscode.window.tabGroups.all.every(({ tabs }) => tabs.every(({ input }) => input?.uri?.scheme !== "omoide-candidate")),
    );
    // The message names it, and opens it.
    press("Open", "is written");
    await until("the record", () => vscode.window.activeTextEditor?.document.fileName.endsWith(`${written.slug}.md`));
  },

  async "a candidate is discarded with a reason, which is kept"() {
    const [candidate] = await below("Candidates");
    const given = { action: "discarded", reason: "a passing remark" };
    await run("omoide.view.discardCandidate", candidate, given);
    const log = fs.readFileSync(path.join(root, "memory/_resolutions.jsonl"), "utf8");
    assert.match(log, /a passing remark/);
    assert.equal((await row("Candidates")).node.description, "0");
  },

  async "a record is promoted, renamed and archived, and each of it is activity"() {
    const decision = (await below("Records", "Decisions"))[0];
    await run("omoide.view.promote", decision, { new_slug: "cart-store" });
    assert(exists("knowledge/cart-store.md"));
    const made = await until("the new row", async () =>
      (await below("Records", "Knowledge")).find(({ node }) => node.label === "#cart-store"),
    );
    await run("omoide.view.rename", made, { new_slug: "cart-storage" });
    assert(!exists("knowledge/cart-store.md") && exists("knowledge/cart-storage.md"));
    const renamed = await until("the renamed row", async () =>
      (await below("Records", "Knowledge")).find(({ node }) => node.label === "#cart-storage"),
    );
    await run("omoide.view.archive", renamed, { reason: "a test" });
    assert(!exists("knowledge/cart-storage.md"));
    const lately = texts(await below("Recent Activity"));
    for (const what of ["Archived #cart-storage", "Renamed #cart-storage", "Promoted #cart-store"]) {
      assert(lately.some((label) => label.startsWith(what)), `${what} is not in ${lately}`);
    }
  },

  async "a run is undone from its row"() {
    const runs = await below("Runs");
    const archived = runs.find(({ node }) => /archive/i.test(node.label));
    assert(archived, texts(runs).join());
    const done = await run("omoide.view.undoRun", archived, { confirmed: true }); // VS Code shows no dialogs to tests.
    assert.deepEqual(done?.conflicts, [], JSON.stringify(done));
    assert(exists("knowledge/cart-storage.md"));
  },

  async "a filter leaves the records with some words, and goes again"() {
    await view.setFilter("traffic");
    assert.deepEqual(texts(await view.getChildren()), ["#deploy-steps"]);
    await run("omoide.view.clearFilter");
    assert.equal(texts(await view.getChildren())[0], "Records");
  },

  async "a dragged record is its name"() {
    const data = new vscode.DataTransfer();
    view.handleDrag([await row("#deploy-steps", "Records", "Knowledge")], data);
    assert.equal(await data.get("text/plain").asString(), "#deploy-steps");
  },
};

exports.run = () => state(facts);
