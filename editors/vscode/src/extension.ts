// Entry point: wires log, server, view and commands together, and restarts the server when a setting names another one.

import * as vscode from "vscode";

import { Jobs, registerCommands } from "./commands";
import { createLogs, messageOf } from "./log";
import { Memory } from "./memory";
import { Preview } from "./preview";
import { followPython } from "./python";
import { Search } from "./search";
import { Server } from "./server";
import { SECTION } from "./settings";
import { registerTools } from "./tools";
import { MemoryView } from "./view";
import { registerViewCommands } from "./viewCommands";

let server: Server | undefined;

export function activate(context: vscode.ExtensionContext): void {
  const logs = createLogs();
  const version = String((context.extension.packageJSON as { version?: unknown }).version);
  const started = new Server(logs, version);
  server = started;
  const memory = new Memory(started, logs);
  const preview = new Preview(memory);
  const jobs = new Jobs(memory, preview);
  const search = new Search(memory, started, logs);
  const view = new MemoryView(memory, started, logs);
  context.subscriptions.push(
    logs,
    started,
    preview,
    view,
    registerCommands({ server: started, logs, memory, jobs, preview, search, version }),
    registerViewCommands(view, memory, jobs, preview),
    registerTools(memory, started),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (["server.command", "interpreter"].some((name) => change.affectsConfiguration(`${SECTION}.${name}`))) {
        void started.restart();
      }
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(() => void started.restart()),
    followPython(() => {
      if (started.command === undefined || started.command.fromPython) {
        void started.restart(false);
      }
    }),
  );
  // Not awaited: commands must answer, and say what is wrong, also while the server cannot be started.
  void started.start(false).catch((error: unknown) => logs.client.error(messageOf(error)));
}

export async function deactivate(): Promise<void> {
  await server?.stop();
}
