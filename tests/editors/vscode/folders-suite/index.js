// Facts about a window with several folders: each with its own memory, and one without.

const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");
const vscode = require("vscode");
const { servers, state, until } = require("../suite/facts.js");

const run = vscode.commands.executeCommand;
const [shop, site, plain] = JSON.parse(process.env.PLACES);
let view;

const labels = async (item) => (await view.getChildren(item)).map(({ node }) => node.label);

const facts = {
  async "one server serves all folders, and the view has a level for each memory"() {
    ({ view } = await vscode.extensions.getExtension("omoide.omoide").activate());
    await until("both memories", async () => (await labels()).length === 2);
    assert.deepEqual(await labels(), [path.basename(shop), path.basename(site)]);
    assert.equal(servers().length, 1);
  },

  async "a command is about the memory of the active file"() {
    await vscode.window.showTextDocument(vscode.Uri.file(path.join(site, "README.md")), { preview: false });
    const given = { kind: "knowledge", slug: "of-the-site", description: "Of the site. Read there." };
    await run("omoide.newRecord", given);
    assert(fs.existsSync(path.join(site, ".omoide/knowledge/of-the-site.md")));
    assert(!fs.existsSync(path.join(shop, ".omoide/knowledge/of-the-site.md")));
  },

  async "a row's command is about the memory of the row"() {
    const [, second] = await view.getChildren();
    const group = await until("the group", async () =>
      (await view.getChildren(second)).find(({ node }) => node.label === "Candidates"),
    );
    await vscode.window.showTextDocument(vscode.Uri.file(path.join(shop, "notes.md")), { preview: false });
    const answer = await run("omoide.consolidateCandidates", group);
    assert.equal(answer.status, "nothing", JSON.stringify(answer));
    const log = path.join(site, ".omoide/memory/_logs/audit.jsonl");
    assert(!fs.existsSync(path.join(shop, ".omoide/memory/_staging")) || fs.existsSync(path.dirname(log)));
  },

  async "a folder that gets a memory, or is taken away, is seen without a reload"() {
    fs.mkdirSync(path.join(plain, ".omoide/memory"), { recursive: true });
    await until("the third memory", async () => (await labels()).length === 3);
    vscode.workspace.updateWorkspaceFolders(1, 1);
    await until("its end", async () => (await labels()).length === 2);
    assert.deepEqual(await labels(), [path.basename(shop), path.basename(plain)]);
  },
};

exports.run = () => state(facts);
