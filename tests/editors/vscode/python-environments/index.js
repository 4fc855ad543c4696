// The selected Python environment, as the Python extension tells it to others; `select` changes it, as a person would.
// Nothing activates this extension but those who ask for it.

const path = require("node:path");
const vscode = require("vscode");

exports.activate = () => {
  const changes = new vscode.EventEmitter();
  let selected = process.env.SELECTED;
  return {
    select(environment) {
      selected = environment;
      changes.fire({ path: environment });
    },
    environments: {
      getActiveEnvironmentPath: () => ({ path: selected }),
      resolveEnvironment: async ({ path: environment }) => ({
        executable: { uri: vscode.Uri.file(path.join(environment, "bin/python")) },
      }),
      onDidChangeActiveEnvironmentPath: changes.event,
    },
  };
};
