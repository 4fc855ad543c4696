// The facts about the extension, stated inside VS Code's own extension host. VS Code calls `run()`; a throw is a failure.

const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");
const vscode = require("vscode");

const folder = process.env.WORKSPACE;
const root = path.join(folder, ".omoide");
const record = vscode.Uri.file(path.join(root, "knowledge/deploy-window.md"));
const notes = vscode.Uri.file(path.join(folder, "notes.md"));

/** Ask until the answer is truthy; what was waited for names the failure. */
async function until(what, ask, limit = 20_000) {
  const end = Date.now() + limit;
  for (;;) {
    const answer = await ask();
    if (answer) {
      return answer;
    }
    assert(Date.now() < end, `waited in vain for ${what}`);
    await new Promise((done) => setTimeout(done, 50));
  }
}

function problems(uri) {
  return vscode.languages.getDiagnostics(uri).filter((it) => it.source === "omoide");
}

/** The language servers that this extension host has started: process id and command (Linux). */
function servers() {
  return fs
    .readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const stat = fs.readFileSync(`/proc/${pid}/stat`, "utf8");
        const parent = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
        const command = fs.readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
        return parent === process.pid && command.includes("server") ? [{ pid, command }] : [];
      } catch {
        return []; // Gone while we looked.
      }
    });
}

function staged() {
  const area = path.join(root, "memory/_staging");
  return fs.existsSync(area) ? fs.readdirSync(area).filter((name) => name.endsWith(".json")) : [];
}

const facts = {
  async "a folder with a memory activates the extension, before any file is open"() {
    assert.equal(vscode.window.visibleTextEditors.length, 0);
    const extension = vscode.extensions.getExtension("omoide.omoide");
    assert(extension, "the extension is not installed");
    await until("activation", () => extension.isActive);
  },

  async "an unknown reference in a record is marked, and only it"() {
    const document = await vscode.workspace.openTextDocument(record);
    // A tab of its own, kept: VS Code asks about problems only for what a tab shows.
    await vscode.window.showTextDocument(document, { preview: false });
    const found = await until("diagnostics", () => problems(record).length > 0 && problems(record));
    assert.deepEqual(
      found.map((it) => document.getText(it.range)),
      ["#no-such-slug"],
    );
    assert.match(found[0].message, /no-such-slug/);
  },

  async "the trigger lists the slugs, each replacing from the sigil on"() {
    const document = await vscode.workspace.openTextDocument(notes);
    const editor = await vscode.window.showTextDocument(document);
    const line = document.lineCount - 1;
    await editor.edit((edit) => edit.insert(new vscode.Position(line, 0), "記憶🙂 #dep"));
    const cursor = document.lineAt(line).range.end;
    const { items } = await vscode.commands.executeCommand("vscode.executeCompletionItemProvider", notes, cursor, "#");
    const ours = items.filter((it) => String(it.label.label ?? it.label).startsWith("#deploy"));
    const labels = ours.map((it) => it.label.label ?? it.label).sort();
    assert.deepEqual(labels, ["#deploy-steps", "#deploy-window"]);
    for (const item of ours) {
      const range = item.range.replacing ?? item.range;
      assert.equal(document.getText(range), "#dep");
      const filter = item.filterText ?? item.label.label ?? item.label;
      assert(filter.startsWith("#deploy"), "the editor filters by the text it replaces, sigil included");
    }
  },

  async "a hover tells what the record is"() {
    const at = new vscode.Position(2, (await vscode.workspace.openTextDocument(notes)).lineAt(2).text.indexOf("#") + 3);
    const hovers = await vscode.commands.executeCommand("vscode.executeHoverProvider", notes, at);
    const text = hovers
      .flatMap((it) => it.contents)
      .map((it) => it.value ?? it)
      .join("\n");
    assert.match(text, /How the service is deployed/);
  },

  async "a reference leads to its record, which counts as read by a person who stays there"() {
    const document = await vscode.workspace.openTextDocument(notes);
    const at = new vscode.Position(2, document.lineAt(2).text.indexOf("#") + 3);
    const found = await vscode.commands.executeCommand("vscode.executeDefinitionProvider", notes, at);
    const targets = found.map((it) => (it.targetUri ?? it.uri).fsPath);
    assert.deepEqual(targets, [path.join(root, "knowledge/deploy-steps.md")]);
    const editor = await vscode.window.showTextDocument(document);
    editor.selection = new vscode.Selection(at, at);
    await vscode.commands.executeCommand("editor.action.revealDefinition");
    await until("the record on the screen", () => vscode.window.activeTextEditor?.document.fileName === targets[0]);
    const log = path.join(root, "memory/_usage/events.jsonl");
    await until("the read in the log", () => fs.existsSync(log) && fs.readFileSync(log, "utf8").includes("EditorOpen"));
  },

  async "every command of the manifest is there"() {
    const registered = await vscode.commands.getCommands(true);
    const named = vscode.extensions
      .getExtension("omoide.omoide")
      .packageJSON.contributes.commands.map((it) => it.command);
    assert(named.length > 30);
    assert.deepEqual(
      named.filter((name) => !registered.includes(name)),
      [],
    );
  },

  async "extract stages what the session holds; a preview shows files side by side and writes none of them"() {
    const extracted = await vscode.commands.executeCommand("omoide.extractSessions");
    assert.deepEqual(
      extracted.runs.map((run) => run.status),
      ["staged"],
    );
    assert.equal(staged().length, 1);
    const shown = await vscode.commands.executeCommand("omoide.previewConsolidation");
    assert.equal(shown.status, "held");
    assert(shown.files.length > 0);
    assert(shown.files.every((file) => !fs.existsSync(vscode.Uri.parse(file.uri).fsPath)));
    await until("the diff", () => /to be written/.test(vscode.window.tabGroups.activeTabGroup.activeTab?.label ?? ""));
    const after = vscode.workspace.textDocuments
      .filter((it) => it.uri.scheme === "omoide-preview")
      .map((it) => it.getText());
    assert(shown.files.some((file) => after.includes(file.after)));
    const uri = vscode.Uri.file(folder).toString();
    await vscode.commands.executeCommand("omoide.consolidate", { reject: shown.run_id, uri, quiet: true });
    await vscode.commands.executeCommand("workbench.action.closeActiveEditor");
    assert.equal(staged().length, 1);
  },

  async "consolidate makes records of it"() {
    const consolidated = await vscode.commands.executeCommand("omoide.consolidateCandidates");
    assert.equal(consolidated.status, "committed");
    assert.equal(staged().length, 0);
    for (const change of consolidated.changes) {
      report(`  ${change.op} ${change.kind} ${change.slug}`);
    }
  },

  async "a new record is written and shown"() {
    const given = { kind: "knowledge", slug: "made-here", description: "Made by a test." };
    const done = await vscode.commands.executeCommand("omoide.newRecord", given);
    assert.equal(vscode.window.activeTextEditor.document.fileName, path.join(root, "knowledge/made-here.md"));
    assert.match(vscode.window.activeTextEditor.document.getText(), /Made by a test\./);
    assert.equal(done.kind, "knowledge");
  },

  async "a text is expanded, the resident context shown, the workspace linted, the report opened"() {
    await vscode.window.showTextDocument(notes, { preview: false });
    const expanded = await vscode.commands.executeCommand("omoide.copyExpanded");
    assert.match(expanded.expanded, /Build the image/);
    const resident = await vscode.commands.executeCommand("omoide.showResidentContext", "chat");
    assert.equal(vscode.window.activeTextEditor.document.getText(), resident.text || `${resident.reason}\n`);
    const { counts } = await vscode.commands.executeCommand("omoide.lintWorkspace");
    assert(counts.files >= 5);
    const page = await vscode.commands.executeCommand("omoide.showUsageReport");
    assert.match(page, /Content-Security-Policy/);
    assert.match(page, /deploy-steps/);
    await until(
      "the report",
      () => vscode.window.tabGroups.activeTabGroup.activeTab?.label === "Omoide: Use of Records",
    );
  },

  async "agent mode finds records and reads them by name"() {
    const invoke = async (name, input) => {
      const result = await vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined });
      return result.content.map((part) => part.value).join("");
    };
    const log = path.join(root, "memory/_usage/events.jsonl");
    const reads = () =>
      fs
        .readFileSync(log, "utf8")
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line))
        .filter((event) => event.source === "MemoryRead")
        .map((event) => [event.actor, event.records[0].slug]);
    assert.match(
      await invoke("omoide_search", { query: "traffic" }),
      /^<omoide-memory kind="search">\n#deploy-steps \(knowledge, changed 2026-03-02\): How the service/,
    );
    assert.match(await invoke("omoide_search", { query: "nonesuch" }), /Nothing found in \d+ records/);
    assert.deepEqual(reads(), []);
    const text = await invoke("omoide_read", { names: ["deploy-steps", "#no-such-slug"] });
    assert.match(text, /^<omoide-memory kind="knowledge" name="#deploy-steps"[^>]*>\nBuild the image/);
    assert.match(text, /`#no-such-slug` names no record/);
    assert.deepEqual(reads(), [["agent", "deploy-steps"]]);
    const [made] = fs.readdirSync(path.join(root, "memory/decisions"));
    const decision = `decision/${path.basename(made, ".md")}`;
    assert((await invoke("omoide_read", { names: [decision] })).includes(`name="${decision}"`));
    for (const [name, input] of [
      ["omoide_read", { names: [] }],
      ["omoide_read", { names: [7] }],
      ["omoide_read", { names: ["../../../etc/passwd"] }],
      ["omoide_search", { query: "" }],
      ["omoide_search", {}],
    ]) {
      const told = await invoke(name, input).catch(({ message }) => message); // VS Code may check the schema before us.
      assert.match(told, /must be a|is no name of a record|schema|valid/i);
    }
    assert.equal(reads().length, 2);
  },

  async "debug information names versions, and neither folders nor records"() {
    const text = (await vscode.commands.executeCommand("omoide.debugInformation")).getText();
    const facts = JSON.parse(text);
    assert.equal(facts.extension, vscode.extensions.getExtension("omoide.omoide").packageJSON.version);
    assert.equal(facts.server.state, "running");
    assert(!text.includes(path.basename(folder) + "/.omoide"));
  },

  async "a memory below the folder is used for what lies beside it"() {
    const part = path.join(folder, "part");
    fs.mkdirSync(path.join(part, ".omoide/memory"), { recursive: true });
    fs.writeFileSync(path.join(part, "README.md"), "# Part\n");
    await vscode.window.showTextDocument(vscode.Uri.file(path.join(part, "README.md")), { preview: false });
    const made = path.join(part, ".omoide/knowledge/of-the-part.md");
    await until("the server to meet it", async () => {
      const { roots } = await vscode.commands.executeCommand("omoide.status");
      return roots.some(({ workspace, state }) => workspace === part && state !== "loading");
    });
    await new Promise((done) => setTimeout(done, 500)); // It is told a moment after it was met.
    await vscode.commands.executeCommand("omoide.newRecord", {
      kind: "knowledge",
      slug: "of-the-part",
      description: "Of it.",
    });
    assert(fs.existsSync(made));
  },

  async "restart leaves exactly one server, a new one, which answers"() {
    await vscode.window.showTextDocument(record, { preview: false }); // VS Code asks for what a tab shows.
    const before = servers();
    assert.equal(before.length, 1);
    await vscode.commands.executeCommand("omoide.restart");
    const after = servers();
    assert.equal(after.length, 1);
    assert.notEqual(after[0].pid, before[0].pid);
    await until("diagnostics of the new server", () => problems(record).length === 1);
  },

  async "a server that crashes is started again"() {
    const [crashed] = servers();
    // Some of what is asked is written before its end is noticed: that must not be the last that is tried.
    const here = new vscode.Position(0, 0);
    const ask = () => vscode.commands.executeCommand("vscode.executeHoverProvider", record, here);
    const asked = Array.from({ length: 100 }, ask);
    await Promise.race(asked);
    process.kill(Number(crashed.pid), "SIGKILL");
    await Promise.allSettled(asked);
    await until("another server", () => servers().some(({ pid }) => pid !== crashed.pid));
    await until("its diagnostics", () => problems(record).length === 1);
  },

  async "a program that does not exist, or is no server, ends in no server; a setting that works is used at once"() {
    const settings = vscode.workspace.getConfiguration("omoide");
    const target = vscode.ConfigurationTarget.Workspace;
    await settings.update("server.command", "/no/such/omoide", target);
    await until("the server's end", () => servers().length === 0);
    assert.equal(await vscode.commands.executeCommand("omoide.extractSessions"), undefined);
    await settings.update("server.command", undefined, target);
    await settings.update("interpreter", process.execPath, target); // Node knows no `-I`.
    assert.equal(await vscode.commands.executeCommand("omoide.extractSessions"), undefined);
    await until("the end of what is no server", () => servers().length === 0);
    await settings.update("interpreter", process.env.INTERPRETER, target);
    await until("the server by interpreter", () => problems(record).length === 1);
    assert.equal(servers().length, 1);
    assert.deepEqual(servers()[0].command.slice(0, 4), [process.env.INTERPRETER, "-I", "-m", "server"]);
  },
};

/** A line for run.mjs, which leaves out what other extensions write. */
function report(text) {
  (globalThis.toTheScriptOutside ?? console.log)(`[omoide] ${text}`);
}

exports.run = async () => {
  for (const [fact, check] of Object.entries(facts)) {
    const start = Date.now();
    try {
      await check();
    } catch (error) {
      report(`FAILED ${fact}\n${error.stack}`);
      throw error;
    }
    report(`ok ${fact} (${Date.now() - start} ms)`);
  }
};
