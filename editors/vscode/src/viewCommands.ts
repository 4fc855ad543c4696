// The menu commands of the Memory view. Each gets the node it was called on.

import * as vscode from "vscode";

import { type Candidates, openRecord } from "./candidates";
import type { Jobs } from "./commands";
import type { Memory } from "./memory";
import { reference, type Subject } from "./nodes";
import type { Offer } from "./overview";
import type { Preview } from "./preview";
import { promote, rename, undo } from "./records";
import { closeTabs, openAt, openTranscript } from "./opening";
import { tellWarning } from "./told";
import type { Item, MemoryView } from "./view";

type About<Is extends Subject["is"]> = Extract<Subject, { readonly is: Is }>;

/** A command of the menu of one sort of row: called without such a row, it does nothing. */
function on<Is extends Subject["is"]>(
  name: string,
  is: Is,
  run: (folder: vscode.WorkspaceFolder, subject: About<Is>, given?: object) => unknown,
): vscode.Disposable {
  return vscode.commands.registerCommand(`omoide.view.${name}`, (item?: Item, given?: object) =>
    item?.node.subject.is === is ? run(item.folder, item.node.subject as About<Is>, given) : undefined,
  );
}

export function registerViewCommands(
  view: MemoryView,
  memory: Memory,
  jobs: Jobs,
  preview: Preview,
  candidates: Candidates,
): vscode.Disposable {
  return vscode.Disposable.from(
    vscode.commands.registerCommand("omoide.view.refresh", () => view.refresh()),
    vscode.commands.registerCommand("omoide.view.filter", () => askFilter(view)),
    vscode.commands.registerCommand("omoide.view.clearFilter", () => view.setFilter("")),
    on("showMore", "more", (folder, { kind, shown }) => view.showMore(folder, kind, shown)),
    on("openRecord", "record", (_, { row }) => openAt(vscode.Uri.parse(row.uri), row.line)),
    on("copyReference", "record", (_, { row }) => vscode.env.clipboard.writeText(reference(row.kind, row.slug))),
    on("promote", "record", (folder, { row }, given) => promote(memory, folder, row, given)),
    on("rename", "record", (folder, { row }, given) => rename(memory, folder, row, given)),
    on("archive", "record", (folder, { row }, given) => archive(memory, folder, row, given)),
    on("openEvidence", "evidence", (folder, { session, agent, entry }) =>
      openTranscript(memory, folder, session, agent, entry),
    ),
    on("openSession", "session", (folder, { session }) =>
      openTranscript(memory, folder, session.session_id, session.agent, 0),
    ),
    on("extractSession", "session", (folder, { session }) => jobs.extract({ session: session.session_id }, folder)),
    on("openCandidate", "candidate", (folder, { candidate: { source, evidence } }) =>
      openTranscript(memory, folder, source.session_id, source.agent, evidence[0]?.entry_range[0] ?? 0),
    ),
    on("acceptCandidate", "candidate", (folder, { candidate }) => candidates.accept(folder, candidate)),
    on("previewCandidate", "candidate", (folder, { candidate }) => preview.make(folder, { candidate: candidate.id })),
    on("editCandidate", "candidate", (folder, { candidate }) => candidates.edit(folder, candidate)),
    on("discardCandidate", "candidate", (folder, { candidate }, given) => candidates.discard(folder, candidate, given)),
    on("showOffer", "offer", (_, { offer }) => showOffer(offer)),
    on("createOffer", "offer", (folder, { offer }) => answerOffer(memory, folder, offer, "create")),
    on("refuseOffer", "offer", (folder, { offer }) => answerOffer(memory, folder, offer, "never")),
    on("openNamed", "named", (folder, subject) => openRecord(memory, folder, subject)),
    on("reviewRun", "held", (folder, { run }) => preview.review(folder, run.run_id)),
    on("acceptRun", "held", (folder, { run }) => preview.accept(folder, run.run_id)),
    on("rejectRun", "held", (folder, { run }) => preview.reject(folder, run.run_id)),
    on("undoRun", "run", (folder, { run }, given) => undo(memory, folder, run, given)),
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

async function showOffer({ text }: Offer): Promise<vscode.TextEditor> {
  const document = await vscode.workspace.openTextDocument({ language: "markdown", content: text });
  return vscode.window.showTextDocument(document);
}

/** A workflow is written by a person's word only. */
async function answerOffer(
  memory: Memory,
  folder: vscode.WorkspaceFolder,
  { slug }: Offer,
  answer: "create" | "never",
): Promise<unknown> {
  const done = await memory.ask<{ uri?: string }>("omoide.offers", { [answer]: slug }, folder);
  memory.changed();
  if (done?.uri !== undefined) {
    await openAt(vscode.Uri.parse(done.uri));
  }
  return done;
}

/** `reason`, of a command called from a keybinding, spares the question. */
async function archive(
  memory: Memory,
  folder: vscode.WorkspaceFolder,
  { kind, slug, uri }: { kind: string; slug: string; uri: string },
  given: { reason?: string } = {},
): Promise<unknown> {
  const detail =
    "Its text stays in the archive, and the run can be undone. It is refused while other records refer to it.";
  const options = { modal: true, detail };
  const asked =
    given.reason ?? (await tellWarning(`Archive ${reference(kind, slug)}?`, options, "Archive"));
  if (asked === undefined) {
    return undefined;
  }
  const why = given.reason === undefined ? {} : { reason: given.reason };
  const done = await memory.ask("omoide.archive", { kind, slug, ...why }, folder);
  memory.changed();
  if (done !== undefined) {
    await closeTabs(vscode.Uri.parse(uri)); // A text without a file would stand in the way of an undo.
  }
  return done;
}
