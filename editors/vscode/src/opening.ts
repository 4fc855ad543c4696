// Texts opened at a line: a record, or the transcript of a session.

import * as vscode from "vscode";

import type { Memory } from "./memory";
import { tellWarning } from "./told";

export async function openAt(uri: vscode.Uri, line = 0): Promise<void> {
  const document = await vscode.workspace.openTextDocument(uri);
  const selection = new vscode.Range(line, 0, line, 0);
  const editor = await vscode.window.showTextDocument(document, { selection });
  editor.revealRange(selection, vscode.TextEditorRevealType.AtTop);
}

/** Close the tabs of a text; one with unsaved edits is asked about by VS Code. */
export async function closeTabs(uri: vscode.Uri): Promise<void> {
  const tabs = vscode.window.tabGroups.all
    .flatMap((group) => group.tabs)
    .filter(({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === uri.toString());
  await vscode.window.tabGroups.close(tabs);
}

/** Close the tabs of records that are gone; they are named by their paths below the root. */
export async function closeRecords(folder: vscode.WorkspaceFolder, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    for (const root of [".omoide", ".yoi"]) {
      await closeTabs(vscode.Uri.joinPath(folder.uri, root, path));
    }
  }
}

/** Open a session as a text at one of its entries; answers what the server did. */
export async function openTranscript(
  memory: Memory,
  folder: vscode.WorkspaceFolder,
  session: string,
  agent: string | undefined,
  entry: number,
): Promise<unknown> {
  const argument = { session_id: session, entry, ...(agent === undefined ? {} : { agent }) };
  const found = await memory.ask<{ uri: string; line: number; note?: string }>(
    "omoide.openTranscript",
    argument,
    folder,
  );
  if (found !== undefined) {
    await openAt(vscode.Uri.parse(found.uri), found.line);
    if (found.note) {
      void tellWarning(`Omoide: ${found.note}`);
    }
  }
  return found;
}
