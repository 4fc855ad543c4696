// Entry point: wires log, server and commands together, and restarts the server when a setting names another one.

import * as vscode from "vscode";

import { registerCommands } from "./commands";
import { createLogs, messageOf } from "./log";
import { Server } from "./server";
import { SECTION } from "./settings";

let server: Server | undefined;

export function activate(context: vscode.ExtensionContext): void {
  const logs = createLogs();
  const started = new Server(logs);
  server = started;
  context.subscriptions.push(
    logs,
    started,
    registerCommands(started, logs),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (["server.command", "interpreter"].some((name) => change.affectsConfiguration(`${SECTION}.${name}`))) {
        void started.restart();
      }
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(() => void started.restart()),
  );
  // Not awaited: commands must answer, and say what is wrong, also while the server cannot be started.
  void started.start(false).catch((error: unknown) => logs.client.error(messageOf(error)));
}

export async function deactivate(): Promise<void> {
  await server?.stop();
}
