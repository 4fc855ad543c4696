// The Python environment that is selected in the Python extension, where that extension is there and runs.

import * as path from "node:path";
import * as vscode from "vscode";

const PYTHON = "ms-python.python";

/** The part of the Python extension's interface that is used here. */
interface PythonApi {
  readonly environments: {
    getActiveEnvironmentPath(resource?: vscode.Uri): { readonly path: string };
    resolveEnvironment(environment: {
      readonly path: string;
    }): Promise<{ readonly executable: { readonly uri: vscode.Uri | undefined } } | undefined>;
    readonly onDidChangeActiveEnvironmentPath: vscode.Event<unknown>;
  };
}

/** The folder of the selected environment's programs. None in a folder that is not trusted, which may hold the
 * environment itself; none where the Python extension does not run yet, which is not started for this. */
export async function selectedPrograms(): Promise<string | undefined> {
  const environments = vscode.workspace.isTrusted ? api()?.environments : undefined;
  if (environments === undefined) {
    return undefined;
  }
  const resource = vscode.workspace.workspaceFolders?.[0]?.uri;
  const found = await environments
    .resolveEnvironment(environments.getActiveEnvironmentPath(resource))
    .catch(() => undefined);
  const executable = found?.executable.uri?.fsPath;
  return executable === undefined ? undefined : path.dirname(executable);
}

/** Calls `changed` when another environment is selected. */
export function followPython(changed: () => void): vscode.Disposable {
  return api()?.environments.onDidChangeActiveEnvironmentPath(changed) ?? vscode.Disposable.from();
}

function api(): PythonApi | undefined {
  const extension = vscode.extensions.getExtension<Partial<PythonApi>>(PYTHON);
  const exported = extension?.isActive === true ? extension.exports : undefined;
  return exported?.environments === undefined ? undefined : (exported as PythonApi);
}
