// The commands of the palette. What a command does is the server's business; here it is asked for and its answer told.

import * as vscode from "vscode";

import type { Candidates } from "./candidates";
import type { Example } from "./example";
import type { Logs } from "./log";
import type { Memory } from "./memory";
import { type ConsolidateAnswer, type ExtractAnswer, tellConsolidate, tellExtract } from "./outcomes";
import type { Preview } from "./preview";
import { newRecord, promote, rename, undo } from "./records";
import { useLanguageDefaults, useSettingsSchema } from "./recommended";
import { registerReferences } from "./references";
import { showReport } from "./report";
import type { Search } from "./search";
import type { Server } from "./server";
import type { Item } from "./view";
import { copyExpanded, debugInformation, lint, pickTranscript, showResident, trust } from "./texts";

/** The two steps that make records from logs. */
export class Jobs {
  constructor(
    private readonly memory: Memory,
    private readonly preview: Preview,
  ) {}

  /** Of all sessions, or of one. */
  async extract(which: object = { all: true }, folder?: vscode.WorkspaceFolder): Promise<ExtractAnswer | undefined> {
    if (!this.memory.mayRun()) {
      return undefined;
    }
    const answer = await this.memory.ask<ExtractAnswer>("omoide.extract", which, folder);
    if (answer !== undefined) {
      tellExtract(answer);
    }
    this.memory.changed();
    return answer;
  }

  async consolidate(of?: vscode.WorkspaceFolder): Promise<ConsolidateAnswer | undefined> {
    if (!this.memory.mayRun()) {
      return undefined;
    }
    const folder = of ?? (await this.memory.folder());
    const answer = folder && (await this.memory.ask<ConsolidateAnswer>("omoide.consolidate", {}, folder));
    this.memory.changed();
    if (folder !== undefined && answer?.status === "held") {
      void this.preview.review(folder, answer.run_id);
    } else if (answer !== undefined) {
      tellConsolidate(answer);
    }
    return answer;
  }
}

export interface Parts {
  readonly server: Server;
  readonly logs: Logs;
  readonly memory: Memory;
  readonly jobs: Jobs;
  readonly preview: Preview;
  readonly search: Search;
  readonly candidates: Candidates;
  readonly example: Example;
  readonly context: vscode.ExtensionContext;
}

/** The memory that a row of the view belongs to; none where the command was called from elsewhere. */
function folderOf(item: unknown): vscode.WorkspaceFolder | undefined {
  return typeof item === "object" && item !== null && "folder" in item ? (item as Item).folder : undefined;
}

// The server's own command ids are registered by the language client once it runs, hence other names for these.
export function registerCommands(parts: Parts): vscode.Disposable {
  const { server, logs, memory, jobs, preview, search, context } = parts;
  const version = String((context.extension.packageJSON as { version?: unknown }).version);
  const inFolder = (run: (folder: vscode.WorkspaceFolder) => unknown) => async () => {
    const folder = await memory.folder();
    return folder && run(folder);
  };
  const commands: Readonly<Record<string, (...args: never[]) => unknown>> = {
    openExample: () => parts.example.open(),
    installServer: () => server.install(),
    acceptCandidate: (uri?: vscode.Uri) => parts.candidates.acceptOpen(uri),
    useLanguageDefaults: (target?: unknown) =>
      useLanguageDefaults(target === "workspace" || target === "user" ? target : undefined),
    useSettingsSchema: () => useSettingsSchema(context),
    initialize: inFolder((folder) => memory.init(folder)),
    extractSessions: (item?: unknown) => jobs.extract({ all: true }, folderOf(item)),
    consolidateCandidates: (item?: unknown) => jobs.consolidate(folderOf(item)),
    previewConsolidation: (item?: unknown) => preview.make(folderOf(item)),
    undoRun: inFolder((folder) => undo(memory, folder)),
    newRecord: (given?: object) => newRecord(memory, given),
    promoteRecord: inFolder((folder) => promote(memory, folder)),
    renameRecord: inFolder((folder) => rename(memory, folder)),
    searchMemory: (query?: string) => search.open(typeof query === "string" ? query : ""),
    insertReference: () => search.insert(),
    copyExpanded: () => copyExpanded(memory),
    showUsageReport: () => showReport(memory),
    showResidentContext: (kind?: string) => showResident(memory, typeof kind === "string" ? kind : undefined),
    showTranscript: () => pickTranscript(memory),
    lintWorkspace: () => lint(memory),
    trustProvider: () => trust(memory),
    restart: () => server.restart(),
    showLog: () => logs.client.show(),
    showServerLog: () => logs.server.show(),
    debugInformation: () => debugInformation(server, version),
  };
  const registered = Object.entries(commands).map(([name, run]) =>
    vscode.commands.registerCommand(`omoide.${name}`, run as (...args: unknown[]) => unknown),
  );
  return vscode.Disposable.from(...registered, registerReferences());
}
