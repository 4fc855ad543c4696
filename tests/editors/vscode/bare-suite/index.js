// Facts about a project without memory on a machine without the server: nothing happens unasked, and each way out works.
// PATH holds a `uv` of ours that installs the real server.

const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");
const vscode = require("vscode");
const { children, press, servers, state, until } = require("../suite/facts.js");

const folder = process.env.WORKSPACE;
const run = vscode.commands.executeCommand;

const facts = {
  async "in a project without memory the extension starts no process"() {
    await vscode.window.showTextDocument(vscode.Uri.file(path.join(folder, "README.md")), { preview: false });
    const extension = vscode.extensions.getExtension("omoide.omoide");
    await until("activation", () => extension.isActive);
    const { view } = extension.exports;
    assert.deepEqual(await view.getChildren(), []);
    await vscode.workspace.getConfiguration("omoide").update("interpreter", "", vscode.ConfigurationTarget.Global);
    await new Promise((done) => setTimeout(done, 1_000)); // Whatever were to be started would be there by now.
    assert.deepEqual(children().map(({ command }) => command.join(" ")).filter((it) => /uv|omoide|python/.test(it)), []);
    const facts = JSON.parse((await run("omoide.debugInformation")).getText());
    assert.equal(facts.server.command, undefined);
  },

  async "a command says that there is no server; a click installs it, and the server starts by itself"() {
    assert.equal(await run("omoide.extractSessions"), undefined);
    press("Install with uv", "was not found");
    await until("the installed server", () => servers().length === 1, 40_000);
  },

  async "then a memory is made, and the view shows it"() {
    assert.equal(await run("omoide.initialize"), true);
    assert(fs.existsSync(path.join(folder, ".omoide/memory")));
    const { view } = vscode.extensions.getExtension("omoide.omoide").exports;
    await until("the view", async () => (await view.getChildren()).some(({ node }) => node.label === "Records"));
    assert.equal(await run("omoide.initialize"), true); // Asked again, it changes nothing.
  },

  async "recommended settings are written where they were asked for, and only there"() {
    await run("omoide.useLanguageDefaults", "workspace");
    const written = JSON.parse(fs.readFileSync(path.join(folder, ".vscode/settings.json"), "utf8"));
    assert.equal(written["[markdown]"]["editor.wordBasedSuggestions"], "off");
  },

  async "the schema of the settings is at hand for other TOML editors"() {
    const uri = await run("omoide.useSettingsSchema");
    assert.equal(JSON.parse(fs.readFileSync(uri.fsPath, "utf8")).title, "Omoide: settings of a workspace");
    assert.match(await vscode.env.clipboard.readText(), /^#:schema file:/);
  },
};

exports.run = () => state(facts);
