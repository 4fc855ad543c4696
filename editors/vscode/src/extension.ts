// Entry point: wires log, server, view and commands together, and restarts the server when a setting names another one.

import * as vscode from "vscode";

import { Candidates } from "./candidates";
import { Jobs, registerCommands } from "./commands";
import { Example } from "./example";
import { createLogs, messageOf } from "./log";
import { Memory } from "./memory";
import { EditorModels } from "./model";
import { Nearby } from "./nearby";
import { Preview } from "./preview";
import { followPython } from "./python";
import { refreshSchema } from "./recommended";
import { Search } from "./search";
import { Server } from "./server";
import { SECTION } from "./settings";
import { tickAgain } from "./ticks";
import { registerTools } from "./tools";
import { MemoryView } from "./view";
import { registerViewCommands } from "./viewCommands";

let server: Server | undefined;

/** What the extension answers to others that ask for it: the view's rows, as the tests of the whole read them. */
interface Exports {
  readonly view: MemoryView;
}

export function activate(context: vscode.ExtensionContext): Exports {
  const logs = createLogs();
  const version = String((context.extension.packageJSON as { version?: unknown }).version);
  const models = new EditorModels(logs, context.languageModelAccessInformation);
  const started = new Server(logs, version, models);
  server = started;
  const memory = new Memory(started, logs);
  const preview = new Preview(memory);
  const jobs = new Jobs(memory, preview);
  const search = new Search(memory, started, logs);
  const view = new MemoryView(memory, started, logs);
  const candidates = new Candidates(memory, preview);
  const example = new Example(context, started, logs);
  const nearby = new Nearby(() => void started.start(false));
  context.subscriptions.push(
    logs,
    candidates,
    nearby,
    started,
    preview,
    view,
    registerCommands({ context, server: started, logs, memory, jobs, preview, search, candidates, example }),
    vscode.commands.registerCommand("omoide.chooseModel", () => models.choose()),
    registerViewCommands(view, memory, jobs, preview, candidates),
    registerTools(memory, started),
    tickAgain(),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (["server.command", "interpreter"].some((name) => change.affectsConfiguration(`${SECTION}.${name}`))) {
        void started.restartIfWanted();
      }
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(() => void started.restartIfWanted()),
    followPython(() => void started.restartIfOther()),
  );
  // Not awaited: commands must answer, and say what is wrong, also while the server cannot be started.
  void begin(nearby, example, context).catch((error: unknown) => logs.client.error(messageOf(error)));
  return { view };
}

async function begin(nearby: Nearby, example: Example, context: vscode.ExtensionContext): Promise<void> {
  if (await nearby.look()) {
    await example.goOn();
    await refreshSchema(context);
  }
}

export async function deactivate(): Promise<void> {
  await server?.stop();
}
