// The bundled example: a small project whose agents left logs, laid out by the command line and opened in this window.

import { execFile } from "node:child_process";
import { mkdir, stat } from "node:fs/promises";
import * as path from "node:path";
import { promisify } from "node:util";
import * as vscode from "vscode";

import { type Logs, messageOf } from "./log";
import type { Server } from "./server";
import { tellError, tellInformation } from "./told";

const NAME = "shortener";
const OPENED = "omoide.example";
const WALKTHROUGH = "omoide.omoide#start";
const AGAIN = "Start Over";
const OPEN = "Open";

export class Example {
  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly server: Server,
    private readonly logs: Logs,
  ) {}

  /** Lay the example out where the extension keeps its own files, and open it; the walkthrough goes on there. */
  async open(): Promise<string | undefined> {
    const cli = await this.server.commandLine();
    const home = this.context.globalStorageUri.fsPath;
    const folder = cli && (await this.folder(home));
    const [program, ...args] = cli ?? [];
    if (folder === undefined || program === undefined) {
      return undefined;
    }
    try {
      if (!(await isThere(folder))) {
        await mkdir(home, { recursive: true });
        await promisify(execFile)(program, [...args, "demo", "--example", folder]);
      }
    } catch (error) {
      this.logs.client.error(`omoide demo --example: ${messageOf(error)}`);
      void tellError(`Omoide: the example could not be laid out: ${messageOf(error)}`);
      return undefined;
    }
    await this.context.globalState.update(OPENED, folder);
    await vscode.commands.executeCommand("vscode.openFolder", vscode.Uri.file(folder), { forceReuseWindow: true });
    return folder;
  }

  /** In the window that the example was opened in: its text, and the walkthrough beside the steps that are left. */
  async goOn(): Promise<void> {
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
    if (folder === undefined || folder.fsPath !== this.context.globalState.get(OPENED)) {
      return;
    }
    await this.context.globalState.update(OPENED, undefined);
    await vscode.commands.executeCommand("workbench.action.openWalkthrough", WALKTHROUGH, false);
  }

  /** A folder of its own each time; one that was opened before is opened again if that is wanted. */
  private async folder(home: string): Promise<string | undefined> {
    let number = 1;
    let last: string | undefined;
    let next = path.join(home, NAME);
    while (await isThere(next)) {
      last = next;
      next = path.join(home, `${NAME}-${++number}`);
    }
    if (last === undefined) {
      return next;
    }
    const text = "You have opened the example before.";
    const choice = await tellInformation(text, { modal: true }, OPEN, AGAIN);
    return choice === undefined ? undefined : choice === OPEN ? last : next;
  }
}

async function isThere(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}
