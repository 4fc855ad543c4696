// Questions to the server on behalf of a person: of which folder, and what to say when there is no answer.

import { execFile } from "node:child_process";
import * as path from "node:path";
import { promisify } from "node:util";
import * as vscode from "vscode";

import { type Logs, messageOf } from "./log";
import { failuresOf, tellFailure } from "./outcomes";
import type { Server } from "./server";
import { hasMemory, hasMemoryRoot } from "./settings";
import { tick } from "./ticks";
import { tellError, tellInformation, tellWarning } from "./told";

/** The protocol's number for a request that was given up. */
const CANCELLED = -32800;
const RUN_INIT = "Run omoide init";
const MANAGE_TRUST = "Manage Workspace Trust";

export class Memory {
  private readonly changes = new vscode.EventEmitter<void>();
  /** Something that a command did, or may have done, to a memory. */
  readonly onDidChange = this.changes.event;

  constructor(
    private readonly server: Server,
    private readonly logs: Logs,
  ) {}

  /** The memories of this window: those of its folders, and those below them that the server has met. */
  async places(): Promise<vscode.WorkspaceFolder[]> {
    const found = await foldersWithMemory();
    for (const { workspace } of this.server.statuses) {
      const uri = vscode.Uri.file(workspace);
      const within = vscode.workspace.getWorkspaceFolder(uri);
      const below = within === undefined ? "" : path.relative(within.uri.fsPath, uri.fsPath);
      if (within !== undefined && below !== "") {
        found.push({ uri, name: `${within.name}/${below}`, index: within.index });
      }
    }
    return found;
  }

  /** The folder a command is about: the active file's, else the only one. Of several the person is asked. */
  async folder(): Promise<vscode.WorkspaceFolder | undefined> {
    const places = await this.places();
    const active = vscode.window.activeTextEditor?.document.uri;
    const own = active && vscode.workspace.getWorkspaceFolder(active);
    if (active !== undefined && own !== undefined) {
      const around = places.filter(({ uri }) => active.fsPath.startsWith(uri.fsPath + path.sep));
      return around.sort((one, other) => other.uri.fsPath.length - one.uri.fsPath.length)[0] ?? own;
    }
    const folders = places.length > 0 ? places : (vscode.workspace.workspaceFolders ?? []);
    if (folders.length === 0) {
      void tellWarning("Omoide needs an open folder: open your project first.");
    }
    if (folders.length < 2) {
      return folders[0];
    }
    const picks = folders.map((folder) => ({ label: folder.name, description: folder.uri.fsPath, folder }));
    return (await vscode.window.showQuickPick(picks, { title: "Which memory?" }))?.folder;
  }

  /** Whether logs may be read and a model called for this window: not in a folder that nobody trusts, whose settings say
   * which model and whose records that model reads. The person is told. */
  mayRun(): boolean {
    if (vscode.workspace.isTrusted) {
      return true;
    }
    const text = "In Restricted Mode Omoide extracts and consolidates nothing. Records are shown and checked.";
    void tellWarning(text, MANAGE_TRUST).then((choice) => {
      if (choice === MANAGE_TRUST) {
        void vscode.commands.executeCommand("workbench.trust.manage");
      }
    });
    return false;
  }

  /** The answer to a command of the server, or undefined after the person was told why there is none. Quiet: the
   * outcome is told here, with the next step as a button. */
  async ask<Answer>(command: string, argument: object, folder?: vscode.WorkspaceFolder): Promise<Answer | undefined> {
    const of = folder ?? (await this.folder());
    if (of === undefined || !(await this.server.start(true))) {
      return undefined;
    }
    try {
      const answer = await this.server.execute<Answer>(command, { ...argument, uri: of.uri.toString(), quiet: true });
      this.logs.client.debug(`${command}: ${JSON.stringify(answer)}`);
      failuresOf(answer).forEach((why) => this.logs.client.error(`${command}: ${why}`));
      return answer;
    } catch (error) {
      await this.tell(command, error, of);
      return undefined;
    }
  }

  /** The same without a word to the person, for what they did not ask for; throws what the server answers. */
  async peek<Answer>(command: string, argument: object, folder: vscode.WorkspaceFolder): Promise<Answer> {
    return this.server.execute<Answer>(command, { ...argument, uri: folder.uri.toString(), quiet: true });
  }

  /** Say that a memory may look different now. */
  changed(): void {
    this.changes.fire();
  }

  /** Make a memory in a folder by the command line that belongs to the server. */
  async init(folder: vscode.WorkspaceFolder): Promise<boolean> {
    if (await hasMemory(folder.uri.fsPath)) {
      void tellInformation(`Omoide: ${folder.name} has a memory already.`);
      await vscode.commands.executeCommand("setContext", "omoide.hasMemory", true);
      tick("memory");
      return true;
    }
    const [program, ...args] = (await this.server.commandLine()) ?? [];
    if (program === undefined) {
      return false;
    }
    try {
      const done = await promisify(execFile)(program, [...args, "--workspace", folder.uri.fsPath, "init"]);
      this.logs.client.info(`omoide init: ${done.stdout.trim()}`);
      await this.server.restart();
      await vscode.commands.executeCommand("setContext", "omoide.hasMemory", true);
      tick("memory");
      this.changed();
      void tellInformation(`Omoide: ${folder.name} now has a memory in .omoide/.`);
      return true;
    } catch (error) {
      this.logs.client.error(`omoide init: ${messageOf(error)}`);
      void tellError(`omoide init failed: ${messageOf(error)}`);
      return false;
    }
  }

  private async tell(command: string, error: unknown, folder: vscode.WorkspaceFolder): Promise<void> {
    if (error instanceof Error && "code" in error && error.code === CANCELLED) {
      this.logs.client.info(`${command}: cancelled`);
      return;
    }
    this.logs.client.error(`${command}: ${messageOf(error)}`);
    if (await hasMemoryRoot(folder.uri.fsPath)) {
      tellFailure(`Omoide: ${messageOf(error)}`);
      return;
    }
    const text = `The folder ${folder.name} has no project memory yet. omoide init creates it in .omoide/.`;
    const actions = this.server.command?.cli === undefined ? [] : [RUN_INIT];
    // Not awaited: a command that failed is over, whatever becomes of the message.
    void tellWarning(text, ...actions).then((choice) => {
      if (choice === RUN_INIT) {
        void this.init(folder);
      }
    });
  }
}

async function foldersWithMemory(): Promise<vscode.WorkspaceFolder[]> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const has = await Promise.all(folders.map((folder) => hasMemoryRoot(folder.uri.fsPath)));
  return folders.filter((_, number) => has[number]);
}
