// The Python environment that is selected in the Python extension, where that extension is there.

import * as path from "node:path";
import * as vscode from "vscode";

const PYTHON = "ms-python.python";
/** How long a server waits for the Python extension to start; one that takes longer is listened to when it is there. */
const PATIENCE_MS = 5_000;

let tell: () => void = () => undefined;
let followed: vscode.Disposable | undefined;

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
 * environment itself. The Python extension is started for this: which of the two starts first is chance. */
export async function selectedPrograms(): Promise<string | undefined> {
  const environments = vscode.workspace.isTrusted ? (await api())?.environments : undefined;
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

/** Calls `changed` when another environment is selected, or the first one is known late. */
export function followPython(changed: () => void): vscode.Disposable {
  tell = changed;
  return new vscode.Disposable(() => {
    tell = () => undefined;
    followed?.dispose();
    followed = undefined;
  });
}

async function api(): Promise<PythonApi | undefined> {
  const extension = vscode.extensions.getExtension<Partial<PythonApi> | undefined>(PYTHON);
  if (extension === undefined) {
    return undefined;
  }
  const starting = started(extension);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<"late">((resolve) => (timer = setTimeout(resolve, PATIENCE_MS, "late")));
  const found = await Promise.race([starting, late]);
  clearTimeout(timer);
  if (found !== "late") {
    return found;
  }
  void starting.then((it) => it && tell());
  return undefined;
}

async function started(extension: vscode.Extension<Partial<PythonApi> | undefined>): Promise<PythonApi | undefined> {
  try {
    const exported = await extension.activate();
    if (exported?.environments === undefined) {
      return undefined;
    }
    followed ??= exported.environments.onDidChangeActiveEnvironmentPath(() => tell());
    return exported as PythonApi;
  } catch {
    return undefined; // It failed, as VS Code has told.
  }
}
