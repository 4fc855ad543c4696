// The menu commands of the Memory view. Each gets the node it was called on.

import * as vscode from "vscode";

import type { Jobs } from "./commands";
import type { Memory } from "./memory";
import { reference } from "./nodes";
import type { Preview } from "./preview";
import { promote, rename, undo } from "./records";
import { openAt, openTranscript } from "./opening";
import type { Item, MemoryView } from "./view";

const DISCARD = {
  discarded: "Not worth keeping",
  already_covered: "A record says it already",
  duplicate: "The same is staged twice",
};

export function registerViewCommands(
  view: MemoryView,
  memory: Memory,
  jobs: Jobs,
  preview: Preview,
): vscode.Disposable {
  const command = (name: string, run: (item: Item) => unknown) =>
    vscode.commands.registerCommand(`omoide.view.${name}`, run);
  const record = (
    name: string,
    run: (item: Item, row: { kind: string; slug: string; uri: string; line?: number }) => unknown,
  ) => command(name, (item) => (item?.node.subject.is === "record" ? run(item, item.node.subject.row) : undefined));
  return vscode.Disposable.from(
    command("refresh", () => view.refresh()),
    command("filter", () => askFilter(view)),
    command("clearFilter", () => view.setFilter("")),
    command("showMore", (item) => view.showMore(item)),
    record("openRecord", (_, row) => openAt(vscode.Uri.parse(row.uri), row.line)),
    record("copyReference", (_, row) => vscode.env.clipboard.writeText(reference(row.kind, row.slug))),
    record("promote", ({ folder }, row) => promote(memory, folder, row)),
    record("rename", ({ folder }, row) => rename(memory, folder, row)),
    record("archive", (item, row) => archive(memory, item, row)),
    command("openEvidence", ({ folder, node: { subject } }) =>
      subject.is === "evidence"
        ? openTranscript(memory, folder, subject.session, subject.agent, subject.entry)
        : undefined,
    ),
    command("openSession", ({ folder, node: { subject } }) =>
      subject.is === "session"
        ? openTranscript(memory, folder, subject.session.session_id, subject.session.agent, 0)
        : undefined,
    ),
    command("extractSession", ({ folder, node: { subject } }) =>
      subject.is === "session" ? jobs.extract({ session: subject.session.session_id }, folder) : undefined,
    ),
    command("discardCandidate", (item) => discard(memory, item)),
    command("reviewRun", ({ folder, node: { subject } }) =>
      subject.is === "held" ? preview.review(folder, subject.run.run_id) : undefined,
    ),
    command("acceptRun", ({ folder, node: { subject } }) =>
      subject.is === "held" ? preview.accept(folder, subject.run.run_id) : undefined,
    ),
    command("rejectRun", ({ folder, node: { subject } }) =>
      subject.is === "held" ? preview.reject(folder, subject.run.run_id) : undefined,
    ),
    command("undoRun", ({ folder, node: { subject } }) =>
      subject.is === "run" ? undo(memory, folder, subject.run) : undefined,
    ),
  );
}

async function askFilter(view: MemoryView): Promise<void> {
  const words = await vscode.window.showInputBox({
    title: "Filter records",
    prompt: "Words that a record must have; in any language.",
  });
  if (words !== undefined) {
    await view.setFilter(words);
  }
}

async function discard(memory: Memory, { folder, node: { subject } }: Item): Promise<unknown> {
  if (subject.is !== "candidate") {
    return undefined;
  }
  const picks = Object.entries(DISCARD).map(([action, label]) => ({ action, label }));
  const title = `Discard “${subject.candidate.headline}”`;
  const picked = await vscode.window.showQuickPick(picks, { title, placeHolder: "Why is it not to become a record?" });
  if (picked === undefined) {
    return undefined;
  }
  const reason = await vscode.window.showInputBox({ title, prompt: "The reason, which is kept", value: picked.label });
  if (reason === undefined || reason.trim() === "") {
    return undefined;
  }
  const argument = { candidate: subject.candidate.id, action: picked.action, reason };
  const done = await memory.ask("omoide.closeCandidate", argument, folder);
  memory.changed();
  return done;
}

async function archive(
  memory: Memory,
  { folder }: Item,
  { kind, slug }: { kind: string; slug: string },
): Promise<unknown> {
  const detail =
    "Its text stays in the archive, and the run can be undone. It is refused while other records refer to it.";
  const options = { modal: true, detail };
  if ((await vscode.window.showWarningMessage(`Archive ${reference(kind, slug)}?`, options, "Archive")) !== "Archive") {
    return undefined;
  }
  const done = await memory.ask("omoide.archive", { kind, slug }, folder);
  memory.changed();
  return done;
}
