// Messages to a person that may hold words of others: shown as text. VS Code makes a link of `[label](command:...)` in
// any message, progress or status, and that link runs any command with any arguments.

import * as vscode from "vscode";

import { unlinked } from "./words";

export const tellInformation = plain(() => vscode.window.showInformationMessage);
export const tellWarning = plain(() => vscode.window.showWarningMessage);
export const tellError = plain(() => vscode.window.showErrorMessage);

type Show = typeof vscode.window.showInformationMessage;

function plain(show: () => Show): Show {
  return ((message: string, ...rest: unknown[]) =>
    (show() as (message: string, ...rest: unknown[]) => unknown)(unlinked(message), ...rest)) as Show;
}
