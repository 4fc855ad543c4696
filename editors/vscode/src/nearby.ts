// Whether there is a memory to serve. Where there is none, the server is not started before a person calls a command.

import * as path from "node:path";
import * as vscode from "vscode";

import { hasMemoryRoot } from "./settings";
import { tick } from "./ticks";

const ROOTS = "**/{.omoide,.yoi}/**";

/** Looks beside what is opened, once for each folder, until a memory is found. Reads no directory and no file. */
export class Nearby implements vscode.Disposable {
  private readonly looked = new Set<string>();
  private readonly subscriptions: vscode.Disposable[];
  private found = false;

  /** `meet` is called when there is a memory, and again when another one may have come. */
  constructor(private readonly meet: () => void) {
    const made = vscode.workspace.createFileSystemWatcher(ROOTS, false, true, true);
    this.subscriptions = [
      made,
      made.onDidCreate(() => this.lookAgain()),
      vscode.workspace.onDidChangeWorkspaceFolders(() => void this.look()),
      vscode.workspace.onDidOpenTextDocument((document) => void this.lookBeside(document)),
    ];
  }

  dispose(): void {
    vscode.Disposable.from(...this.subscriptions).dispose();
  }

  /** Whether the folders of the window, or a text that is open, lie in a project with a memory. */
  async look(): Promise<boolean> {
    for (const folder of vscode.workspace.workspaceFolders ?? []) {
      await this.lookIn(folder.uri.fsPath);
    }
    for (const document of vscode.workspace.textDocuments) {
      await this.lookBeside(document);
    }
    return this.found;
  }

  private lookAgain(): void {
    if (!this.found) {
      this.looked.clear();
      void this.look();
    }
  }

  private async lookBeside({ uri }: vscode.TextDocument): Promise<void> {
    if (uri.scheme === "file" && !this.found) {
      await this.lookIn(path.dirname(uri.fsPath));
    }
  }

  private async lookIn(folder: string): Promise<void> {
    if (this.looked.has(folder)) {
      return;
    }
    this.looked.add(folder);
    if (await hasMemoryRoot(folder)) {
      this.found = true;
      await vscode.commands.executeCommand("setContext", "omoide.hasMemory", true);
      tick("memory");
      this.meet();
    }
  }
}
