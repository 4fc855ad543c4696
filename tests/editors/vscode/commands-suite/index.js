// Facts about commands as a person calls them: with the questions that they ask, answered by the script outside, which
// presses and types. Run in a VS Code that shows dialogs, by driven.mjs. Beside them what language features do to files.

const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");
const vscode = require("vscode");
const { drag, press, rename, see, state, type, until } = require("../suite/facts.js");

const folder = process.env.WORKSPACE;
const root = path.join(folder, ".omoide");
const run = vscode.commands.executeCommand;
const notes = vscode.Uri.file(path.join(folder, "notes.md"));
const record = vscode.Uri.file(path.join(root, "knowledge/deploy-window.md"));
let view;

const exists = (name) => fs.existsSync(path.join(root, name));
const read = (name) => fs.readFileSync(path.join(root, name), "utf8");
const named = (uri) => vscode.languages.getDiagnostics(uri).filter(({ source }) => source === "omoide");
const setting = (name, value) =>
  vscode.workspace.getConfiguration("omoide").update(name, value, vscode.ConfigurationTarget.Global);
const texts = (rows) => rows.map(({ node }) => node.label);
const activeFile = () => vscode.window.activeTextEditor?.document.fileName ?? "";

async function show(uri) {
  const document = await vscode.workspace.openTextDocument(uri);
  return vscode.window.showTextDocument(document, { preview: false });
}

/** The first row that fits, below rows with some beginnings of labels, as soon as it is there. */
async function row(fits, ...above) {
  return until(`a row ${fits} below ${above}`, async () => {
    let rows = await view.getChildren();
    for (const label of above) {
      const found = rows.find(({ node }) => node.label.startsWith(label));
      rows = found === undefined ? [] : await view.getChildren(found);
    }
    return rows.find(({ node }) => fits.test(node.label));
  });
}

function placeOf(document, words) {
  const at = document.getText().indexOf(words);
  assert(at >= 0, `${words} is not in ${document.fileName}`);
  return new vscode.Range(document.positionAt(at), document.positionAt(at + words.length));
}

/** The repairs that are offered for the one problem of a record. */
async function repairs(uri) {
  const [problem] = await until("the problem", () => named(uri).length === 1 && named(uri));
  return run("vscode.executeCodeActionProvider", uri, problem.range, vscode.CodeActionKind.QuickFix.value, 20);
}

const facts = {
  async "a name that nearly fits is mended by a click, and one that fits nothing becomes a record"() {
    ({ view } = await vscode.extensions.getExtension("omoide.omoide").activate());
    const { document } = await show(record);
    await until("the problem", () => named(record).length === 1);
    const edit = new vscode.WorkspaceEdit();
    edit.replace(record, placeOf(document, "#no-such-slug"), "#oncall-rot");
    await vscode.workspace.applyEdit(edit);
    const near = await until("the repair", async () =>
      (await repairs(record)).find(({ title, isPreferred }) => title.includes("#oncall-rota") && isPreferred),
    );
    await vscode.workspace.applyEdit(near.edit);
    await until("no problem", () => named(record).length === 0);
    assert.match(document.getText(), /Then ask #oncall-rota about it/);
    await run("undo");
    await run("undo");
    assert.match(document.getText(), /#no-such-slug/);
    const made = await until("the offer of a record", async () =>
      (await repairs(record)).find(({ title }) => /create/i.test(title) && title.includes("no-such-slug")),
    );
    assert(await vscode.workspace.applyEdit(made.edit));
    if (made.command !== undefined) {
      await run(made.command.command, ...(made.command.arguments ?? []));
    }
    await vscode.workspace.saveAll(false);
    await until("the record", () => exists("knowledge/no-such-slug.md"));
    await until("no problem", () => named(record).length === 0);
  },

  async "a rename by the editor moves the file and changes every text that names it"() {
    const editor = await show(notes);
    const { document } = editor;
    const at = placeOf(document, "#deploy-steps").start.translate(0, 3);
    editor.selection = new vscode.Selection(at, at);
    rename("deploy-plan", "deploy-steps");
    await run("editor.action.rename");
    await until("the reference", () => /#deploy-plan を読む/.test(document.getText()));
    await vscode.workspace.saveAll(false);
    await until("the file", () => exists("knowledge/deploy-plan.md") && !exists("knowledge/deploy-steps.md"));
    assert.match(read("knowledge/deploy-window.md"), /#deploy-plan を読む/);
    await assert.rejects(async () => run("vscode.executeDocumentRenameProvider", notes, at, "Not A Slug"));
  },

  async "references have the color of what they lead to; the line above a record and the search for symbols know it"() {
    const { document } = await show(notes);
    const { start } = placeOf(document, "#deploy-plan");
    const legend = await run("vscode.provideDocumentSemanticTokensLegend", notes);
    await until("the color", async () => {
      const [line, column, length, type] = (await run("vscode.provideDocumentSemanticTokens", notes)).data;
      return line === start.line && column === start.character && length === 12 && legend.tokenTypes[type] === "variable";
    });
    const lenses = await run("vscode.executeCodeLensProvider", record, 5);
    assert(lenses.some(({ command }) => /named in|read/.test(command?.title ?? "")), JSON.stringify(lenses));
    const symbols = await run("vscode.executeWorkspaceSymbolProvider", "oncall");
    assert(symbols.some(({ location }) => location.uri.fsPath.endsWith("oncall-rota.md")));
    const links = await run("vscode.executeDocumentHighlights", notes, start.translate(0, 2));
    assert.equal(links.length, 1);
  },

  async "a row that is dragged into a text with Shift is its name there"() {
    await run("workbench.view.extension.omoide");
    const { document } = await show(notes);
    const before = document.getText().split("#oncall-rota").length;
    drag("#oncall-rota", "Release notes", ["Knowledge"]);
    await until("the name", () => document.getText().split("#oncall-rota").length === before + 1);
    assert.match(document.lineAt(0).text, /#oncall-rota/);
    await run("undo");
    await run("workbench.view.explorer");
  },

  async "settings of features count at once, without a reload"() {
    const { document } = await show(notes);
    const edit = new vscode.WorkspaceEdit();
    edit.insert(notes, document.lineAt(document.lineCount - 1).range.end, "Ask #dep");
    await vscode.workspace.applyEdit(edit);
    const end = document.lineAt(document.lineCount - 1).range.end;
    const on = placeOf(document, "#deploy-plan").start.translate(0, 2);
    const completed = async () =>
      (await run("vscode.executeCompletionItemProvider", notes, end, "#")).items.some(({ label }) =>
        String(label.label ?? label).startsWith("#deploy"),
      );
    const hovered = async () => (await run("vscode.executeHoverProvider", notes, on)).length > 0;
    const led = async () => (await run("vscode.executeDefinitionProvider", notes, on)).length > 0;
    for (const [name, asked] of [["completion", completed], ["hover", hovered], ["navigation", led]]) {
      await until(`${name}`, asked);
      await setting(name, false);
      await until(`no ${name}`, async () => !(await asked()));
      await setting(name, undefined);
      await until(`${name} again`, asked);
    }
    const wrong = path.join(root, "knowledge/wrong.md");
    fs.writeFileSync(wrong, read("knowledge/oncall-rota.md").replace("The rota", "See #not-there. The rota"));
    await setting("diagnostics", "workspace");
    await until("the problem of a file that is not open", () => named(vscode.Uri.file(wrong)).length === 1);
    await setting("diagnostics", "off");
    await until("no problems", () => named(vscode.Uri.file(wrong)).length === 0);
    await setting("diagnostics", undefined);
    fs.rmSync(wrong);
    await run("workbench.action.files.revert");
  },

  async "search lists what has the words and opens it there; a reference is put where the cursor is"() {
    press("#oncall-rota", "Search memory");
    await run("omoide.searchMemory", "当番");
    await until("the record", () => activeFile().endsWith("oncall-rota.md"));
    const editor = await show(notes);
    const { document } = editor;
    const end = document.lineAt(document.lineCount - 1).range.end;
    editor.selection = new vscode.Selection(end, end);
    const asked = run("omoide.insertReference");
    type("traffic", "Insert a reference", true);
    press("#deploy-plan", "Insert a reference");
    await asked;
    await until("the reference", () => document.getText().endsWith("#deploy-plan"));
    await document.save();
  },

  async "a session is chosen by its title, and opens as a text"() {
    press("Should the cart", "transcript");
    await run("omoide.showTranscript");
    const { document } = vscode.window.activeTextEditor;
    assert.match(document.getText(), /We decided to keep the cart in Postgres/);
    await run("workbench.action.closeActiveEditor");
  },

  async "a run is previewed from a candidate's row, waits in the view, and is accepted or rejected there"() {
    await run("omoide.extractSessions");
    const candidate = await row(/Keep|Postgres/, "Candidates");
    const one = await run("omoide.view.previewCandidate", candidate);
    assert.equal(one.status, "held", JSON.stringify(one));
    const first = await row(/record/, "Waiting for Review");
    await run("omoide.view.reviewRun", first);
    await until("the diff", () => /to be written/.test(vscode.window.tabGroups.activeTabGroup.activeTab?.label ?? ""));
    assert((await run("omoide.view.rejectRun", first)).left.length > 0);
    await until("the diff's end", () =>
      vscode.window.tabGroups.all.every(({ tabs }) => tabs.every(({ label }) => !/to be written/.test(label))),
    );
    const shown = await run("omoide.previewConsolidation");
    assert.equal(shown.status, "held");
    const done = await run("omoide.view.acceptRun", await row(/record/, "Waiting for Review"));
    assert.equal(done.status, "committed");
    assert(fs.readdirSync(path.join(root, "memory/decisions")).length > 0);
  },

  async "a record is promoted from the palette, and that run undone after a question, not without a yes"() {
    const [decision] = fs.readdirSync(path.join(root, "memory/decisions")).map((name) => path.basename(name, ".md"));
    const promote = async (slug) => {
      press(decision, "Promote to knowledge");
      type(slug, `Promote ${decision}`);
      await run("omoide.promoteRecord");
      assert(exists(`knowledge/${slug}.md`));
    };
    await promote("cart-state");
    press("promote", "Undo a run");
    press("Cancel", "Undo the run");
    assert.equal(await run("omoide.undoRun"), undefined);
    assert(exists("knowledge/cart-state.md"));
    press("promote", "Undo a run");
    press("Undo", "Undo the run");
    assert.deepEqual((await run("omoide.undoRun")).conflicts, []);
    assert(!exists("knowledge/cart-state.md"));
    // The tab of what is gone goes too.
    await until("the other tab", () => activeFile().endsWith("notes.md"));
    await promote("cart-store");
  },

  async "a record is renamed from the palette, with what names it"() {
    press("#no-such-slug", "Rename a record");
    type("such-a-slug", "Rename #no-such-slug");
    see("renamed to #such-a-slug");
    await run("omoide.renameRecord");
    assert(exists("knowledge/such-a-slug.md") && !exists("knowledge/no-such-slug.md"));
    // A text that the editor holds is changed there, and stays unsaved like any edit.
    const held = await vscode.workspace.openTextDocument(record);
    assert.match(held.getText(), /ask #such-a-slug about it/);
    await held.save();
  },

  async "a record's row opens it, gives its name, and archives it after a question"() {
    const found = await row(/^#cart-store$/, "Records", "Knowledge");
    await run("omoide.view.openRecord", found);
    assert(activeFile().endsWith("cart-store.md"));
    await run("omoide.view.copyReference", found);
    assert.equal(await vscode.env.clipboard.readText(), "#cart-store");
    press("Cancel", "Archive #cart-store");
    assert.equal(await run("omoide.view.archive", found), undefined);
    assert(exists("knowledge/cart-store.md"));
    press("Archive", "Archive #cart-store");
    await run("omoide.view.archive", found);
    assert(!exists("knowledge/cart-store.md"));
    const lately = await row(/^Renamed .*such-a-slug/, "Recent Activity");
    await run(view.getTreeItem(lately).command.command, lately);
    await until("the record", () => activeFile().endsWith("such-a-slug.md"));
    await run("omoide.view.openSession", await row(/Should the cart/, "Sessions"));
    assert.match(vscode.window.activeTextEditor.document.getText(), /instead of Redis/);
  },

  async "a workflow that is offered is shown, and made or refused by a person's word"() {
    await run("omoide.view.refresh");
    await run("omoide.view.showOffer", await row(/cut-a-release/, "Offered Workflows"));
    assert.match(vscode.window.activeTextEditor.document.getText(), /1\. Begin\./);
    await run("workbench.action.revertAndCloseActiveEditor");
    await run("omoide.view.createOffer", await row(/cut-a-release/, "Offered Workflows"));
    assert(exists("workflow/cut-a-release.md"));
    assert(activeFile().endsWith("cut-a-release.md"));
    await run("omoide.view.refuseOffer", await row(/rotate-keys/, "Offered Workflows"));
    assert(!exists("workflow/rotate-keys.md"));
    await until("no offers", async () => !texts(await view.getChildren()).includes("Offered Workflows"));
  },

  async "a long kind shows its beginning, and more when that is asked for"() {
    const text = read("knowledge/oncall-rota.md");
    for (let number = 0; number < 310; number += 1) {
      fs.writeFileSync(path.join(root, `knowledge/many-${String(number).padStart(3, "0")}.md`), text);
    }
    const more = await row(/^Show more \(\d+ left\)$/, "Records", "Knowledge");
    const before = await view.getChildren(await row(/^Knowledge$/, "Records"));
    await run("omoide.view.showMore", more);
    await until("all of them", async () => {
      const now = texts(await view.getChildren(await row(/^Knowledge$/, "Records")));
      return now.length > before.length - 1 && !now.some((label) => label.startsWith("Show more"));
    });
  },

  async "the filter asks for words"() {
    type("traffic", "Filter records");
    await run("omoide.view.filter");
    assert.deepEqual(texts(await view.getChildren()), ["#deploy-plan"]);
    await run("omoide.view.clearFilter");
  },

  async "provider settings of a project count after a yes, which is one line of the person's own settings"() {
    const own = path.join(process.env.XDG_CONFIG_HOME, "omoide/config.toml");
    await show(notes);
    press("Cancel", "Trust the provider settings");
    assert.equal(await run("omoide.trustProvider"), undefined);
    assert(!fs.existsSync(own));
    press("Trust", "Trust the provider settings");
    see("count from now on");
    await run("omoide.trustProvider");
    assert(fs.readFileSync(own, "utf8").includes(folder));
  },

  async "both logs open"() {
    const logs = () =>
      vscode.window.visibleTextEditors.map(({ document }) => document).filter(({ uri }) => uri.scheme === "output");
    const shown = [];
    for (const command of ["omoide.showLog", "omoide.showServerLog"]) {
      await run(command);
      shown.push((await until(command, () => logs().find(({ fileName }) => !shown.includes(fileName)))).fileName);
    }
    assert(shown.every((name) => /omoide/i.test(name)), shown.join());
  },

  async "without a program that installs, the way by hand is told"() {
    process.env.PATH = "/nowhere";
    see("Neither uv nor pipx was found");
    await run("omoide.installServer");
  },
};

exports.run = () => state(facts);
