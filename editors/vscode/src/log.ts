// The two output channels: what the extension does, and what the server says.

import * as vscode from "vscode";

/** `client`: decisions of this extension. `server`: the server's own log, and the protocol trace when that is on. */
export interface Logs {
  readonly client: vscode.LogOutputChannel;
  readonly server: vscode.OutputChannel;
  dispose(): void;
}

export function createLogs(): Logs {
  const client = vscode.window.createOutputChannel("Omoide", { log: true });
  const server = vscode.window.createOutputChannel("Omoide Server");
  return {
    client,
    server,
    dispose: () => {
      client.dispose();
      server.dispose();
    },
  };
}

/** The one line of an error that people are shown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
