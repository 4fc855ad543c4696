// The Memory view: the tree that `nodes.ts` makes, kept up to date, with a filter, a badge and records to drag.

import * as vscode from "vscode";

import { activity } from "./activity";
import { messageOf, type Logs } from "./log";
import type { Memory } from "./memory";
import * as nodes from "./nodes";
import type { Hits, Offer, Overview, Records, Sessions, Status } from "./overview";
import type { Server } from "./server";
import { tick } from "./ticks";

const VIEW = "omoide.memory";
const QUIET_MS = 300;

/** A node with the folder whose memory it is of. */
export interface Item {
  readonly folder: vscode.WorkspaceFolder;
  readonly node: nodes.Node;
}

export class MemoryView
  implements vscode.TreeDataProvider<Item>, vscode.TreeDragAndDropController<Item>, vscode.Disposable
{
  readonly dragMimeTypes = ["text/plain"];
  readonly dropMimeTypes = [];
  private readonly changes = new vscode.EventEmitter<Item | undefined>();
  readonly onDidChangeTreeData = this.changes.event;
  private readonly tree: vscode.TreeView<Item>;
  private readonly overviews = new Map<string, Overview>();
  private readonly offered = new Map<string, readonly Offer[]>();
  private readonly shown = new Map<string, number>();
  private readonly subscriptions: vscode.Disposable[];
  private timer: NodeJS.Timeout | undefined;
  private filter = "";

  constructor(
    private readonly memory: Memory,
    private readonly server: Server,
    private readonly logs: Logs,
  ) {
    const options = {
      treeDataProvider: this,
      dragAndDropController: this,
      showCollapseAll: true,
      canSelectMany: false,
    };
    this.tree = vscode.window.createTreeView(VIEW, options);
    const files = vscode.workspace.createFileSystemWatcher("**/{.omoide,.yoi}/{memory,knowledge,workflow}/**");
    this.subscriptions = [
      this.tree,
      files,
      files.onDidCreate(() => this.refresh()),
      files.onDidChange(() => this.refresh()),
      files.onDidDelete(() => this.refresh()),
      memory.onDidChange(() => this.refresh()),
      server.onDidChangeStatus((statuses) => this.take(statuses)),
      vscode.workspace.onDidChangeWorkspaceFolders(() => this.refresh()),
    ];
  }

  dispose(): void {
    clearTimeout(this.timer);
    vscode.Disposable.from(...this.subscriptions).dispose();
  }

  /** Ask again, once it has been quiet for a moment. A view that nobody sees asks nothing. */
  refresh(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.changes.fire(undefined), QUIET_MS);
  }

  /** Show only records that hold some words; all of them again for none. */
  async setFilter(words: string): Promise<void> {
    this.filter = words.trim();
    this.tree.message = this.filter === "" ? "" : `Records with “${this.filter}”`;
    await vscode.commands.executeCommand("setContext", "omoide.filtered", this.filter !== "");
    this.changes.fire(undefined);
  }

  /** More of a list that shows only its beginning. */
  showMore(folder: vscode.WorkspaceFolder, kind: string, shown: number): void {
    this.shown.set(`${folder.uri.toString()}/${kind}`, shown);
    this.changes.fire(undefined);
  }

  getTreeItem({ folder, node }: Item): vscode.TreeItem {
    const { None, Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
    const state = node.opens === undefined ? None : node.opens === "open" ? Expanded : Collapsed;
    const item = new vscode.TreeItem(node.label, state);
    item.id = `${folder.uri.toString()}/${node.id}`;
    item.contextValue = node.context;
    item.accessibilityInformation = { label: `${node.label}, ${node.description ?? ""}` };
    if (node.description !== undefined) {
      item.description = node.description;
    }
    if (node.tooltip !== undefined) {
      item.tooltip = node.tooltip; // Plain text: what a log or a record says must not become Markdown here.
    }
    if (node.icon !== undefined) {
      const color = node.color === undefined ? undefined : new vscode.ThemeColor(node.color);
      item.iconPath = new vscode.ThemeIcon(node.icon, color);
    }
    const command = commandOf(node);
    if (command !== undefined) {
      item.command = { ...command, arguments: [{ folder, node }] };
    }
    return item;
  }

  async getChildren(item?: Item): Promise<Item[]> {
    if (item === undefined) {
      return this.roots();
    }
    const { folder, node } = item;
    const found = await this.childrenOf(folder, node);
    return found.map((child) => ({ folder, node: child }));
  }

  handleDrag(items: readonly Item[], data: vscode.DataTransfer): void {
    const names = items
      .map(({ node }) => node.subject)
      .filter((it) => it.is === "record")
      .map(({ row }) => nodes.reference(row.kind, row.slug));
    if (names.length > 0) {
      data.set("text/plain", new vscode.DataTransferItem(names.join(" ")));
    }
  }

  private take(statuses: readonly Status[]): void {
    this.tree.badge = nodes.badge(statuses);
    if (statuses.some(({ pending }) => (pending?.candidates ?? 0) > 0)) {
      tick("candidates");
    }
    this.refresh();
  }

  private async roots(): Promise<Item[]> {
    const folders = await this.memory.places();
    await vscode.commands.executeCommand("setContext", "omoide.hasMemory", folders.length > 0);
    if (folders.length === 0 || !(await this.server.start(false))) {
      return [];
    }
    const [only] = folders;
    if (folders.length === 1 && only !== undefined) {
      return (await this.top(only)).map((node) => ({ folder: only, node }));
    }
    return folders.map((folder) => ({
      folder,
      node: {
        id: "folder",
        label: folder.name,
        icon: "root-folder",
        context: "folder",
        opens: "open",
        subject: { is: "note" },
      },
    }));
  }

  private async childrenOf(folder: vscode.WorkspaceFolder, node: nodes.Node): Promise<nodes.Node[]> {
    const { subject } = node;
    try {
      switch (subject.is) {
        case "group":
          return await this.ofGroup(folder, subject.group);
        case "kind":
          return await this.ofKind(folder, subject.kind);
        case "candidate":
          return nodes.evidence(subject.candidate);
        default:
          return node.id === "folder" ? await this.top(folder) : [];
      }
    } catch (error) {
      return [this.failure(error)];
    }
  }

  private async top(folder: vscode.WorkspaceFolder): Promise<nodes.Node[]> {
    try {
      if (this.filter !== "") {
        const { hits } = await this.memory.peek<Hits>("omoide.search", { query: this.filter, limit: 100 }, folder);
        const found = nodes.records(hits, Date.now(), "hit");
        return found.length > 0 ? found : [nodes.note("nothing", "No record has these words", "info")];
      }
      const [overview, { offers }] = await Promise.all([
        this.memory.peek<Overview>("omoide.overview", {}, folder),
        this.memory.peek<{ offers: Offer[] }>("omoide.offers", {}, folder),
      ]);
      this.overviews.set(folder.uri.toString(), overview);
      this.offered.set(folder.uri.toString(), offers);
      if (overview.runs.length > 0) {
        tick("runs");
      }
      return nodes.groups(overview, offers);
    } catch (error) {
      return [this.failure(error)];
    }
  }

  private async ofGroup(folder: vscode.WorkspaceFolder, group: nodes.Group): Promise<nodes.Node[]> {
    const overview = this.overviews.get(folder.uri.toString());
    if (group === "sessions") {
      const found = await this.memory.peek<Sessions>("omoide.sessions", { limit: 50 }, folder);
      return nodes.sessions(found, Date.now(), overview?.failed);
    }
    if (overview === undefined) {
      return [];
    }
    switch (group) {
      case "records":
        return nodes.kinds(overview);
      case "candidates":
        return nodes.candidates(overview);
      case "held":
        return nodes.held(overview.held);
      case "offers":
        return nodes.offers(this.offered.get(folder.uri.toString()) ?? []);
      case "runs":
        return nodes.runs(overview.runs);
      case "activity":
        return activity(overview.activity, Date.now());
    }
  }

  private async ofKind(folder: vscode.WorkspaceFolder, kind: string): Promise<nodes.Node[]> {
    const wanted = (this.shown.get(`${folder.uri.toString()}/${kind}`) ?? 0) + 1;
    const rows: Records["records"][number][] = [];
    let total = wanted;
    while (rows.length < Math.min(wanted, total)) {
      const part = await this.memory.peek<Records>("omoide.records", { kind, offset: rows.length }, folder);
      total = part.records.length === 0 ? rows.length : part.total;
      rows.push(...part.records);
    }
    return [...nodes.records(rows, Date.now()), ...nodes.more(kind, rows.length, total)];
  }

  private failure(error: unknown): nodes.Node {
    this.logs.client.warn(`Memory view: ${messageOf(error)}`);
    return nodes.note("failure", messageOf(error), "warning", messageOf(error));
  }
}

/** What a click does. */
function commandOf(node: nodes.Node): { command: string; title: string } | undefined {
  switch (node.subject.is) {
    case "record":
      return { command: "omoide.view.openRecord", title: "Open Record" };
    case "evidence":
      return { command: "omoide.view.openEvidence", title: "Open the Transcript Here" };
    case "session":
      return { command: "omoide.view.openSession", title: "Open Transcript" };
    case "candidate":
      return node.subject.candidate.evidence.length === 0
        ? { command: "omoide.view.editCandidate", title: "Edit" }
        : { command: "omoide.view.openCandidate", title: "Open the Transcript Where It Was Said" };
    case "offer":
      return { command: "omoide.view.showOffer", title: "Show" };
    case "named":
      return { command: "omoide.view.openNamed", title: "Open Record" };
    case "held":
      return { command: "omoide.view.reviewRun", title: "Review" };
    case "more":
      return { command: "omoide.view.showMore", title: "Show More" };
    default:
      return undefined;
  }
}
