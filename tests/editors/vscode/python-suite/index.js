// Facts about the server of the Python environment that is selected in the Python extension.

const assert = require("node:assert/strict");
const path = require("node:path");
const vscode = require("vscode");
const { servers, state, until } = require("../suite/facts.js");

const run = vscode.commands.executeCommand;
const [first, second, empty] = JSON.parse(process.env.ENVIRONMENTS);

async function facts() {
  const document = await run("omoide.debugInformation");
  const { server } = JSON.parse(document.getText());
  await run("workbench.action.revertAndCloseActiveEditor");
  return server;
}

/** Until the one server that runs is that of a program. */
async function started(program) {
  return until(`the server of ${program}`, async () => {
    const server = await facts();
    return server.command === program && server.state === "running" && servers().length === 1 && server;
  });
}

exports.run = () =>
  state({
    async "the program of the selected environment goes before that on PATH"() {
      await vscode.extensions.getExtension("omoide.omoide").activate();
      const { origin } = await started(path.join(first, "bin/omoide"));
      assert.equal(origin, "the selected Python environment");
    },

    async "another selection is another server, without a reload; one without omoide leaves that on PATH"() {
      const python = await vscode.extensions.getExtension("ms-python.python").activate();
      const [before] = servers();
      python.select(second);
      await started(path.join(second, "bin/omoide"));
      assert.notEqual(servers()[0].pid, before.pid);
      python.select(empty);
      const { origin } = await until("the server of PATH", async () => {
        const server = await facts();
        return server.origin === "PATH" && server.state === "running" && server;
      });
      assert.equal(origin, "PATH");
      python.select(first);
      await started(path.join(first, "bin/omoide"));
    },

    async "a setting goes before the selection, which then changes nothing"() {
      const settings = vscode.workspace.getConfiguration("omoide");
      await settings.update("server.command", path.join(second, "bin/omoide"), vscode.ConfigurationTarget.Global);
      const { origin } = await started(path.join(second, "bin/omoide"));
      assert.equal(origin, "omoide.server.command");
      const [before] = servers();
      (await vscode.extensions.getExtension("ms-python.python").activate()).select(empty);
      await new Promise((done) => setTimeout(done, 500)); // Whatever were to be restarted would be so by now.
      assert.equal(servers()[0].pid, before.pid);
      await settings.update("server.command", undefined, vscode.ConfigurationTarget.Global);
    },
  });
