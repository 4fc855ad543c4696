// Facts about the provider `editor`, inside VS Code's own extension host and with models that VS Code itself offers.
// What a person would press is pressed by run.mjs.

const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");
const vscode = require("vscode");
const { press, state, until } = require("../suite/facts.js");

const folder = process.env.WORKSPACE;
const root = path.join(folder, ".omoide");
const Global = vscode.ConfigurationTarget.Global;

let scripted;

function lines(name) {
  const file = path.join(root, "memory", name);
  return fs.existsSync(file) ? fs.readFileSync(file, "utf8").trim().split("\n").map((line) => JSON.parse(line)) : [];
}

function staged() {
  const area = path.join(root, "memory/_staging");
  return fs.existsSync(area) ? fs.readdirSync(area).filter((name) => name.endsWith(".json")) : [];
}

const setting = (name, value) => vscode.workspace.getConfiguration("omoide").update(name, value, Global);
const extract = () => vscode.commands.executeCommand("omoide.extractSessions");
const consolidate = () => vscode.commands.executeCommand("omoide.consolidateCandidates");

/** Offer a model, and wait until VS Code knows: it tells extensions a moment later, of the end as of the beginning. */
async function offer(id, options) {
  const model = scripted.offer(id, options);
  const known = async () => (await vscode.lm.selectChatModels({ family: id })).length > 0;
  await until(`${id} to be offered`, known);
  return {
    async dispose() {
      model.dispose();
      await until(`${id} to be gone`, async () => !(await known()));
    },
  };
}

const facts = {
  async "without a model a person is asked, and without their word nothing is done"() {
    await until("activation", () => vscode.extensions.getExtension("omoide.omoide")?.isActive);
    scripted = await vscode.extensions.getExtension("omoide-tests.scripted-model").activate();
    await setting("provider", "editor");
    await setting("confirm", false);
    await vscode.window.showTextDocument(vscode.Uri.file(path.join(folder, "notes.md")), { preview: false });
    press("Cancel", "no language model");
    assert.equal(await extract(), undefined);
    assert.equal(staged().length, 0);
    assert.equal(scripted.seen.length, 0);
  },

  async "a model of the editor extracts, through tools, and the audit log names it"() {
    const one = await offer("one");
    scripted.answer = scripted.stages;
    const { runs } = await extract();
    assert.deepEqual(runs.map((run) => run.status), ["staged"]);
    assert.equal(staged().length, 1);
    const [turn] = scripted.seen;
    assert.equal(turn.from, "omoide.omoide");
    assert.deepEqual(turn.messages.map((message) => message.role), [vscode.LanguageModelChatMessageRole.User]);
    assert.deepEqual(
      turn.options.tools.map((tool) => tool.name).sort(),
      ["read_evidence", "resolve_source_anchor", "search_evidence", "write_extracted"],
    );
    assert.equal(turn.options.tools[0].inputSchema.type, "object");
    const entry = lines("_logs/audit.jsonl").find((it) => it.event === "extract");
    assert.deepEqual([entry.provider, entry.model, entry.usage.requests], ["editor", "scripted/one", 1]);
    assert(entry.usage.input_tokens > 300);
    await one.dispose();
  },

  async "what a model of the editor fails with is told in its words, and what was staged stays"() {
    const one = await offer("one");
    const failures = [
      [() => { throw vscode.LanguageModelError.Blocked("no premium requests are left"); }, /no premium requests are left.*try later/],
      [() => { throw vscode.LanguageModelError.NoPermissions("by policy"); }, /by policy.*allow it there/],
      [() => { throw new Error("prompt is too long"); }, /too long for the editor's model/],
      [() => { throw new Error("something odd"); }, /failed \(.*something odd/],
      [async (_, say) => say.text("Just words."), /without calling a tool/],
    ];
    for (const [answer, said] of failures) {
      scripted.answer = async (...turn) => answer(...turn);
      const run = await consolidate();
      assert.equal(run.status, "failed");
      assert.match(run.reason, said);
      assert.equal(staged().length, 1);
    }
    await one.dispose();
  },

  async "an input that does not fit the model is not sent"() {
    const small = await offer("small", { most: 10 });
    const before = scripted.seen.length;
    const run = await consolidate();
    assert.match(run.reason, /too long/);
    assert.equal(scripted.seen.length, before);
    await small.dispose();
  },

  async "Cancel on the notification ends the run at once, and what the model says later is dropped"() {
    const one = await offer("one");
    let finish;
    scripted.answer = async (_, say) => {
      await new Promise((done) => (finish = done));
      say.call("late", "CloseCandidate", { id: "x", action: "discarded", reason: "late", records: [] });
    };
    // VS Code 1.100 passes a cancellation on to a model only until it has taken the request: this one talks on.
    await vscode.commands.executeCommand("notifications.clearAll");
    const run = consolidate();
    await until("the turn", () => finish);
    press("Cancel", "Omoide: consolidate");
    // A toast that comes while many are cleared is not shown; the list is, unless the notification comes after it.
    const showing = setInterval(() => vscode.commands.executeCommand("notifications.showList"), 1000);
    try {
      assert.equal(await run, undefined);
    } finally {
      clearInterval(showing);
    }
    finish();
    await until("the run's thread to end", async () => {
      const { roots } = await vscode.commands.executeCommand("omoide.status");
      return roots.every(({ jobs }) => jobs.length === 0);
    });
    scripted.answer = async (_, say) => say.text("Nothing.");
    assert.equal((await consolidate()).status, "failed");
    assert.equal(staged().length, 1);
    await one.dispose();
  },

  async "of several models a person chooses once; the question before a call names the choice"() {
    const offered = [await offer("one"), await offer("two")];
    scripted.answer = async (_, say) => say.text("Nothing.");
    await setting("confirm", true);
    press("Scripted two", "Takes up to");
    press("Call the model", "(editor, scripted/two)");
    const run = await consolidate();
    assert.match(run.reason, /without calling a tool/);
    assert.equal(scripted.seen.at(-1).id, "two");
    assert.equal(vscode.workspace.getConfiguration("omoide").get("model"), "scripted/two");
    await setting("confirm", false);
    await setting("model", "scripted/one");
    await consolidate();
    assert.equal(scripted.seen.at(-1).id, "one");
    await setting("model", "scripted/none");
    press("Cancel", "omoide.model name scripted/none");
    assert.equal(await consolidate(), undefined);
    await Promise.all(offered.map((it) => it.dispose()));
    await setting("model", undefined);
  },

  async "a model that nobody allowed is not called"() {
    // VS Code shows no dialog in an extension test and counts that as a no.
    const guarded = await offer("guarded", { auth: true });
    const before = scripted.seen.length;
    assert.match((await consolidate()).reason, /may not be used by Omoide.*allow it there/);
    assert.equal(scripted.seen.length, before);
    await guarded.dispose();
  },

  async "for want of a model the rules do it, where the person says so"() {
    press("Use the Built-in Rules", "no language model");
    const run = await consolidate();
    assert.equal(run.status, "committed");
    assert.equal(staged().length, 0);
    await setting("provider", undefined);
    await setting("confirm", undefined);
  },
};

exports.run = () => state(facts);
