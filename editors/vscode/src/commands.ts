// The commands of the palette. What a command does is the server's business; here it is asked for and its answer told.

import { execFile } from "node:child_process";
import { promisify } from "node:util";
import * as vscode from "vscode";
import { LSPErrorCodes, ResponseError } from "vscode-languageclient/node";

import { type Logs, messageOf } from "./log";
import { registerReferences } from "./references";
import type { Server } from "./server";
import { activeFolder, hasMemoryRoot } from "./settings";

const CONSOLIDATE = "Consolidate";
const RUN_INIT = "Run omoide init";

/** As `omoide extract --json` and `omoide consolidate --json` answer; only what is told here. */
export interface ExtractAnswer {
  readonly runs: readonly {
    readonly session_id: string;
    readonly status: "staged" | "nothing" | "failed" | "skipped";
    readonly reason: string;
    readonly counts: Readonly<Record<string, number>>;
  }[];
}
export interface ConsolidateAnswer {
  readonly status: "committed" | "nothing" | "held" | "conflict" | "failed";
  readonly reason?: string;
  readonly changes: readonly { readonly op: string; readonly kind: string; readonly slug: string }[];
  readonly closed: readonly unknown[];
  readonly left: readonly unknown[];
  readonly conflicts: readonly unknown[];
}

export function registerCommands(server: Server, logs: Logs): vscode.Disposable {
  const extract = () => runJob(server, logs, "omoide.extract", { all: true, quiet: true }, tellExtract);
  const consolidate = () => runJob(server, logs, "omoide.consolidate", { quiet: true }, tellConsolidate);
  // The server's own command ids are registered by the language client once it runs, hence these two names.
  return vscode.Disposable.from(
    vscode.commands.registerCommand("omoide.extractSessions", extract),
    vscode.commands.registerCommand("omoide.consolidateCandidates", consolidate),
    vscode.commands.registerCommand("omoide.restart", () => server.restart()),
    vscode.commands.registerCommand("omoide.showLog", () => logs.client.show()),
    vscode.commands.registerCommand("omoide.showServerLog", () => logs.server.show()),
    registerReferences(),
  );
}

async function runJob<Answer>(
  server: Server,
  logs: Logs,
  command: string,
  options: Readonly<Record<string, unknown>>,
  tell: (answer: Answer) => void,
): Promise<Answer | undefined> {
  const folder = activeFolder();
  if (folder === undefined) {
    void vscode.window.showWarningMessage("Omoide needs an open folder: open your project first.");
    return undefined;
  }
  if (!(await server.start(true))) {
    return undefined;
  }
  try {
    // Quiet: the outcome is told here, with the next step as a button.
    const answer = await server.execute<Answer>(command, { ...options, uri: folder.uri.toString(), quiet: true });
    logs.client.info(`${command}: ${JSON.stringify(answer)}`);
    tell(answer);
    return answer;
  } catch (error) {
    if (error instanceof ResponseError && error.code === LSPErrorCodes.RequestCancelled) {
      logs.client.info(`${command}: cancelled`);
      return undefined;
    }
    logs.client.error(`${command}: ${messageOf(error)}`);
    if (await hasMemoryRoot(folder.uri.fsPath)) {
      void vscode.window.showErrorMessage(`Omoide: ${messageOf(error)}`);
    } else {
      void offerInit(server, logs, folder);
    }
    return undefined;
  }
}

async function offerInit(server: Server, logs: Logs, folder: vscode.WorkspaceFolder): Promise<void> {
  const text = `The folder ${folder.name} has no project memory yet. omoide init creates it in .omoide/.`;
  const [program, ...args] = server.command?.cli ?? [];
  if (program === undefined) {
    void vscode.window.showWarningMessage(text);
    return;
  }
  if ((await vscode.window.showWarningMessage(text, RUN_INIT)) !== RUN_INIT) {
    return;
  }
  try {
    const done = await promisify(execFile)(program, [...args, "--workspace", folder.uri.fsPath, "init"]);
    logs.client.info(`omoide init: ${done.stdout.trim()}`);
    await server.restart();
    void vscode.window.showInformationMessage(`Omoide: ${folder.name} now has a memory in .omoide/.`);
  } catch (error) {
    logs.client.error(`omoide init: ${messageOf(error)}`);
    void vscode.window.showErrorMessage(`omoide init failed: ${messageOf(error)}`);
  }
}

function tellExtract({ runs }: ExtractAnswer): void {
  const failed = runs.filter((run) => run.status === "failed");
  const skipped = runs.filter((run) => run.status === "skipped");
  const staged = runs.filter((run) => run.status === "staged");
  const candidates = staged.flatMap((run) => Object.values(run.counts)).reduce((sum, number) => sum + number, 0);
  if (failed.length > 0) {
    const text = `Omoide: ${count(failed.length, "session")} could not be extracted: ${reasons(failed)}`;
    void vscode.window.showErrorMessage(text);
  }
  if (skipped.length > 0) {
    const text = `Omoide: ${count(skipped.length, "session")} left for later: ${reasons(skipped)}`;
    void vscode.window.showWarningMessage(text);
  }
  if (candidates > 0) {
    const sessions = count(new Set(staged.map((run) => run.session_id)).size, "session");
    const text = `Omoide: ${count(candidates, "candidate")} staged from ${sessions}.`;
    void vscode.window.showInformationMessage(text, CONSOLIDATE).then((choice) => {
      if (choice === CONSOLIDATE) {
        void vscode.commands.executeCommand("omoide.consolidateCandidates");
      }
    });
  } else if (failed.length + skipped.length === 0) {
    const text = runs.length === 0 ? "no agent session was found for this folder." : "nothing new to remember.";
    void vscode.window.showInformationMessage(`Omoide: ${text}`);
  }
}

function tellConsolidate({ status, reason, changes, closed, left, conflicts }: ConsolidateAnswer): void {
  const why = reason ? ` ${reason}` : "";
  switch (status) {
    case "committed": {
      const written = changes.length === 0 ? "no record changed" : `${count(changes.length, "record")} written`;
      const rest = left.length === 0 ? "" : ` ${count(left.length, "candidate")} left for later.`;
      const text = `Omoide: ${written}, ${count(closed.length, "candidate")} closed.${rest}`;
      void vscode.window.showInformationMessage(text);
      break;
    }
    case "nothing":
      void vscode.window.showInformationMessage(`Omoide: nothing to consolidate.${why}`);
      break;
    case "held":
      void vscode.window.showWarningMessage(`Omoide: the consolidation was held for review.${why}`);
      break;
    case "conflict":
      void vscode.window.showWarningMessage(
        `Omoide: ${count(conflicts.length, "record")} changed meanwhile and kept; their candidates stay staged.${why}`,
      );
      break;
    case "failed":
      void vscode.window.showErrorMessage(`Omoide: the consolidation failed.${why}`);
      break;
  }
}

function reasons(runs: ExtractAnswer["runs"]): string {
  return [...new Set(runs.map((run) => run.reason))].join("; ");
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
