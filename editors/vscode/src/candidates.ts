// Candidates decided one by one: accepted, edited as a text, discarded with a reason. The server does each of them.

import * as vscode from "vscode";

import { messageOf } from "./log";
import type { Memory } from "./memory";
import { reference } from "./nodes";
import { closeRecords, openAt } from "./opening";
import { type ConsolidateAnswer, tellConsolidate } from "./outcomes";
import type { Candidate } from "./overview";
import type { Preview } from "./preview";
import { tellInformation, tellWarning } from "./told";
import { fileName } from "./words";

const SCHEME = "omoide-candidate";
const OPEN = "Open";
const UNDO = "Undo";
const DISCARD = {
  discarded: "Not worth keeping",
  already_covered: "A record says it already",
  duplicate: "The same is staged twice",
};

/** A candidate's text as it was read last. `said` stands for its words, which somebody else may edit; an older server
 * says none. */
interface Text {
  readonly text: string;
  readonly said?: string;
}

type Shown = Text & { readonly at: number };

type Named = Pick<Candidate, "id" | "headline">;

/** A staged candidate as a file that is edited and saved like any other; `uri` says which one. */
export class Candidates implements vscode.FileSystemProvider, vscode.Disposable {
  private readonly events = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly onDidChangeFile = this.events.event;
  private readonly texts = new Map<string, Shown>();
  private readonly registration: vscode.Disposable;

  constructor(
    private readonly memory: Memory,
    private readonly preview: Preview,
  ) {
    this.registration = vscode.workspace.registerFileSystemProvider(SCHEME, this, { isCaseSensitive: true });
  }

  dispose(): void {
    this.registration.dispose();
    this.events.dispose();
  }

  async edit(folder: vscode.WorkspaceFolder, candidate: Named): Promise<vscode.TextDocument> {
    const document = await vscode.workspace.openTextDocument(uriOf(folder, candidate));
    await vscode.window.showTextDocument(document, { preview: false });
    return document;
  }

  /** Make a record of this one alone. */
  async accept(folder: vscode.WorkspaceFolder, candidate: Named): Promise<ConsolidateAnswer | undefined> {
    if (!this.memory.mayRun()) {
      return undefined;
    }
    const uri = uriOf(folder, candidate).toString();
    const edited = vscode.workspace.textDocuments.find((it) => it.uri.toString() === uri && it.isDirty);
    if (edited !== undefined && !(await edited.save())) {
      return undefined; // Why is said by VS Code.
    }
    const answer = await this.memory.ask<ConsolidateAnswer>("omoide.consolidate", { candidate: candidate.id }, folder);
    this.memory.changed();
    if (answer?.status === "held") {
      void this.preview.review(folder, answer.run_id);
    } else if (answer !== undefined) {
      await this.told(folder, candidate, answer);
    }
    return answer;
  }

  /** The candidate that is open in an editor, for the buttons of its title. */
  async acceptOpen(uri: vscode.Uri | undefined): Promise<ConsolidateAnswer | undefined> {
    const open = await this.named(uri ?? vscode.window.activeTextEditor?.document.uri);
    return this.accept(open.folder, open.candidate);
  }

  async discard(
    folder: vscode.WorkspaceFolder,
    candidate: Named,
    given: { action?: string; reason?: string } = {},
  ): Promise<unknown> {
    const picks = Object.entries(DISCARD).map(([action, label]) => ({ action, label }));
    const title = `Discard “${candidate.headline}”`;
    const placeHolder = "Why is it not to become a record?";
    const picked =
      picks.find(({ action }) => action === given.action) ??
      (await vscode.window.showQuickPick(picks, { title, placeHolder }));
    if (picked === undefined) {
      return undefined;
    }
    const prompt = "The reason, which is kept";
    const reason = given.reason ?? (await vscode.window.showInputBox({ title, prompt, value: picked.label }));
    if (reason === undefined || reason.trim() === "") {
      return undefined;
    }
    const argument = { candidate: candidate.id, action: picked.action, reason };
    const done = await this.memory.ask("omoide.closeCandidate", argument, folder);
    this.memory.changed();
    if (done !== undefined) {
      await closeTab(uriOf(folder, candidate));
    }
    return done;
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const { text, at } = this.texts.get(uri.toString()) ?? (await this.load(uri));
    return { type: vscode.FileType.File, ctime: 0, mtime: at, size: Buffer.byteLength(text) };
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    return Buffer.from((await this.load(uri)).text);
  }

  async writeFile(uri: vscode.Uri, content: Uint8Array): Promise<void> {
    const { folder, candidate } = await this.named(uri);
    try {
      const shown = this.texts.get(uri.toString())?.said;
      const said = shown === undefined ? {} : { said: shown };
      const argument = { candidate: candidate.id, text: Buffer.from(content).toString(), ...said };
      const now = await this.memory.peek<Text>("omoide.editCandidate", argument, folder);
      this.texts.set(uri.toString(), { ...now, at: Date.now() });
    } catch (error) {
      throw vscode.FileSystemError.Unavailable(messageOf(error)); // VS Code shows it, with the text still unsaved.
    }
    this.memory.changed();
  }

  watch(): vscode.Disposable {
    return vscode.Disposable.from();
  }

  readDirectory(): [string, vscode.FileType][] {
    return [];
  }

  createDirectory(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  delete(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  rename(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  private async load(uri: vscode.Uri): Promise<Shown> {
    const { folder, candidate } = await this.named(uri);
    try {
      const argument = { candidate: candidate.id };
      const read = await this.memory.peek<Text>("omoide.candidateText", argument, folder);
      const known = this.texts.get(uri.toString());
      const now = { ...read, at: known?.text === read.text ? known.at : Date.now() };
      this.texts.set(uri.toString(), now);
      return now;
    } catch (error) {
      this.texts.delete(uri.toString());
      throw vscode.FileSystemError.FileNotFound(messageOf(error));
    }
  }

  private async named(
    uri: vscode.Uri | undefined,
  ): Promise<{ folder: vscode.WorkspaceFolder; candidate: Named }> {
    const query = new URLSearchParams(uri?.scheme === SCHEME ? uri.query : "");
    const folder = (await this.memory.places()).find((it) => it.uri.toString() === query.get("folder"));
    const id = query.get("candidate");
    if (uri === undefined || folder === undefined || id === null) {
      throw vscode.FileSystemError.FileNotFound("This is no candidate of this window.");
    }
    return { folder, candidate: { id, headline: query.get("headline") ?? id } };
  }

  private async told(folder: vscode.WorkspaceFolder, candidate: Named, answer: ConsolidateAnswer): Promise<void> {
    const closed = answer.closed.find((it) => it.candidate === candidate.id);
    if (closed === undefined) {
      tellConsolidate(answer);
      return;
    }
    await closeTab(uriOf(folder, candidate));
    const records = answer.changes.filter(({ kind, op }) => kind !== "summary" && op !== "delete");
    const [first] = records;
    if (first === undefined) {
      void tellInformation(`Omoide: closed without a new record: ${closed.reason}`);
      return;
    }
    const names = records.map(({ kind, slug }) => reference(kind, slug)).join(", ");
    // Not awaited: the message may stay for as long as it likes.
    void tellInformation(`Omoide: ${names} is written.`, OPEN, UNDO).then(async (choice) => {
      if (choice === OPEN) {
        await openRecord(this.memory, folder, first);
      } else if (choice === UNDO) {
        const done = await this.memory.ask<{ removed: string[] }>("omoide.undo", { run_id: answer.run_id }, folder);
        await closeRecords(folder, done?.removed ?? []);
        this.memory.changed();
      }
    });
  }
}

/** A record by its name, as runs and logs give it. */
export async function openRecord(
  memory: Memory,
  folder: vscode.WorkspaceFolder,
  { kind, slug }: { readonly kind: string; readonly slug: string },
): Promise<void> {
  const found = await memory.ask<{ hits: { kind: string; slug: string; uri: string }[] }>(
    "omoide.search",
    { query: slug, kind, limit: 20 },
    folder,
  );
  const hit = found?.hits.find((it) => it.slug === slug);
  if (hit !== undefined) {
    await openAt(vscode.Uri.parse(hit.uri));
  } else if (found !== undefined) {
    void tellWarning(`Omoide: ${reference(kind, slug)} is no longer there.`);
  }
}

function uriOf(folder: vscode.WorkspaceFolder, { id, headline }: Named): vscode.Uri {
  const query = new URLSearchParams({ folder: folder.uri.toString(), candidate: id, headline });
  return vscode.Uri.from({ scheme: SCHEME, path: `/${fileName(headline)}.md`, query: query.toString() });
}

async function closeTab(uri: vscode.Uri): Promise<void> {
  const { candidate, folder } = Object.fromEntries(new URLSearchParams(uri.query));
  const tabs = vscode.window.tabGroups.all
    .flatMap((group) => group.tabs)
    .filter(({ input }) => {
      const open = input instanceof vscode.TabInputText && input.uri.scheme === SCHEME ? input.uri.query : "";
      const query = new URLSearchParams(open);
      return query.get("candidate") === candidate && query.get("folder") === folder;
    });
  await vscode.window.tabGroups.close(tabs);
}
