// Facts about a workspace that nobody trusts. Its settings name programs that would leave a file behind, were they started.

const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");
const vscode = require("vscode");
const { press, see, servers, state, until } = require("../suite/facts.js");

const folder = process.env.WORKSPACE;
const trap = path.join(folder, "sprung");

const facts = {
  async "the workspace is not trusted, and the extension works in it"() {
    assert.equal(vscode.workspace.isTrusted, false);
    const extension = vscode.extensions.getExtension("omoide.omoide");
    await until("activation", () => extension.isActive);
    await until("the server of the person's own PATH", () => servers().length === 1);
  },

  async "a setting of the folder that names a program, a provider or no question does not count"() {
    const settings = vscode.workspace.getConfiguration("omoide");
    for (const name of ["server.command", "interpreter", "provider", "confirm", "model"]) {
      assert.deepEqual(settings.get(name), settings.inspect(name).defaultValue, name);
    }
    assert.equal(settings.get("diagnostics"), "workspace"); // So the file is read: what harms nobody counts.
  },

  async "records are served"() {
    const notes = vscode.Uri.file(path.join(folder, "notes.md"));
    const document = await vscode.workspace.openTextDocument(notes);
    const at = new vscode.Position(2, document.lineAt(2).text.indexOf("#") + 3);
    const hovers = await until("a hover", async () => {
      const found = await vscode.commands.executeCommand("vscode.executeHoverProvider", notes, at);
      return found.length > 0 && found;
    });
    assert.match(hovers.flatMap(({ contents }) => contents).map(({ value }) => value).join(), /How the service/);
  },

  async "a restart starts the same server, and nothing of the folder's was ever run"() {
    await vscode.commands.executeCommand("omoide.restart");
    assert.equal(servers().length, 1);
    const facts = JSON.parse((await vscode.commands.executeCommand("omoide.debugInformation")).getText());
    assert.equal(facts.trusted, false);
    assert.equal(facts.server.origin, "PATH");
    assert(!fs.existsSync(trap), "a program of the folder was started");
  },

  async "nothing is extracted or consolidated, which is said"() {
    see("In Restricted Mode Omoide extracts and consolidates nothing");
    for (const command of ["extractSessions", "consolidateCandidates", "previewConsolidation"]) {
      assert.equal(await vscode.commands.executeCommand(`omoide.${command}`), undefined);
    }
    assert.deepEqual(fs.readdirSync(path.join(folder, ".omoide/memory")).filter((name) => /_staging|_logs/.test(name)), []);
  },

  async "with the person's trust the folder's settings count at once"() {
    const [before] = servers();
    await vscode.commands.executeCommand("workbench.trust.manage");
    press("Trust", "You trust the authors");
    await until("trust", () => vscode.workspace.isTrusted);
    await until("the folder's program", () => fs.existsSync(trap));
    await until("the end of the server before", () => servers().every(({ pid }) => pid !== before.pid));
    const settings = vscode.workspace.getConfiguration("omoide");
    assert.equal(settings.get("provider"), "openai");
    assert.equal(settings.get("confirm"), true); // The person's own word alone, whatever the folder says.
  },
};

exports.run = () => state(facts);
