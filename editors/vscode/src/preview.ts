// Runs that wait for a person: shown as one diff of many files, with the words each change rests on; accepted or rejected.

import * as vscode from "vscode";

import type { Memory } from "./memory";
import { type ConsolidateAnswer, tellConsolidate } from "./outcomes";
import { tellInformation } from "./told";
import { counted } from "./words";

const SCHEME = "omoide-preview";
const ACCEPT = "Accept";
const REJECT = "Reject";
const EVIDENCE = "Show Evidence";

interface Shown {
  readonly status: string;
  readonly reason: string;
  readonly run_id: string;
  readonly files: readonly {
    readonly op: string;
    readonly path: string;
    readonly uri: string;
    readonly before: string | null;
    readonly after: string | null;
  }[];
}

export class Preview implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly texts = new Map<string, string>();
  private readonly titles = new Map<string, string>();
  private readonly registration = vscode.workspace.registerTextDocumentContentProvider(SCHEME, this);

  constructor(private readonly memory: Memory) {}

  dispose(): void {
    this.registration.dispose();
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.texts.get(uri.toString()) ?? "";
  }

  /** Make a run of what is staged, or of one candidate, keep it for review, and show it. */
  async make(of?: vscode.WorkspaceFolder, which: { candidate?: string } = {}): Promise<unknown> {
    if (!this.memory.mayRun()) {
      return undefined;
    }
    const folder = of ?? (await this.memory.folder());
    const shown = folder && (await this.memory.ask<Shown>("omoide.preview", which, folder));
    if (folder === undefined || shown === undefined) {
      return undefined;
    }
    this.memory.changed();
    if (shown.status !== "held") {
      void tellInformation(
        `Omoide: there is nothing to review (${shown.status}). ${shown.reason}`,
      );
      return shown;
    }
    await this.show(folder, shown);
    return shown;
  }

  async review(folder: vscode.WorkspaceFolder, run: string): Promise<unknown> {
    const shown = await this.memory.ask<Shown>("omoide.preview", { run_id: run }, folder);
    if (shown !== undefined) {
      await this.show(folder, shown);
    }
    return shown;
  }

  async accept(folder: vscode.WorkspaceFolder, run: string): Promise<unknown> {
    const done = await this.memory.ask<ConsolidateAnswer>("omoide.consolidate", { accept: run }, folder);
    this.memory.changed();
    if (done !== undefined) {
      tellConsolidate(done);
      await this.closeDiff(run);
    }
    return done;
  }

  async reject(folder: vscode.WorkspaceFolder, run: string): Promise<unknown> {
    const done = await this.memory.ask<{ left: readonly string[] }>("omoide.consolidate", { reject: run }, folder);
    this.memory.changed();
    if (done !== undefined) {
      await this.closeDiff(run);
      void tellInformation(
        `Omoide: rejected. ${counted(done.left.length, "candidate")} left for the next consolidation.`,
      );
    }
    return done;
  }

  private async show(folder: vscode.WorkspaceFolder, shown: Shown): Promise<void> {
    const title = `Omoide: ${counted(shown.files.length, "record")} to be written`;
    this.titles.set(shown.run_id, title);
    const resources = shown.files.map(({ path, uri, before, after }) => [
      vscode.Uri.parse(uri),
      before === null ? undefined : this.text(shown.run_id, "before", path, before),
      after === null ? undefined : this.text(shown.run_id, "after", path, after),
    ]);
    await vscode.commands.executeCommand("vscode.changes", title, resources);
    // Not awaited: the diff stays open for as long as the person likes.
    void this.decide(folder, shown);
  }

  private async decide(folder: vscode.WorkspaceFolder, shown: Shown): Promise<void> {
    const text = `Omoide: write these ${counted(shown.files.length, "record")} as they are shown?`;
    const choice = await tellInformation(text, ACCEPT, REJECT, EVIDENCE);
    if (choice === ACCEPT) {
      await this.accept(folder, shown.run_id);
    } else if (choice === REJECT) {
      await this.reject(folder, shown.run_id);
    } else if (choice === EVIDENCE) {
      const page = await this.memory.ask<{ uri: string }>("omoide.consolidate", { review: shown.run_id }, folder);
      if (page !== undefined) {
        await vscode.commands.executeCommand("markdown.showPreview", vscode.Uri.parse(page.uri));
      }
      await this.decide(folder, shown);
    }
  }

  /** Close the diff of a run that is decided: what it shows is history, or never was. */
  private async closeDiff(run: string): Promise<void> {
    const title = this.titles.get(run);
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
    // VS Code adds how many files there are to the title, and tells an extension no more about such a tab.
    await vscode.window.tabGroups.close(tabs.filter((tab) => title !== undefined && tab.label.startsWith(title)));
    this.titles.delete(run);
    for (const uri of [...this.texts.keys()].filter((it) => vscode.Uri.parse(it).query.startsWith(`${run}.`))) {
      this.texts.delete(uri);
    }
  }

  private text(run: string, side: string, path: string, content: string): vscode.Uri {
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${path}`, query: `${run}.${side}` });
    this.texts.set(uri.toString(), content);
    return uri;
  }
}
