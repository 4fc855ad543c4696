// What people do to records by hand: new, promote, rename, undo a run. The server plans and writes; here it is asked for.

import * as vscode from "vscode";

import type { Memory } from "./memory";
import { reference } from "./nodes";
import { closeRecords, openAt } from "./opening";
import type { RecordRow, Records, Run } from "./overview";
import { tellInformation, tellWarning } from "./told";
import { counted, shortTime } from "./words";

type Named = Pick<RecordRow, "kind" | "slug">;
const SLUG = /^[a-z0-9]+(-[a-z0-9]+)*$/;
const KINDS = [
  { label: "knowledge", description: "what holds for longer: facts, rules, how things are done" },
  { label: "decision", description: "what was chosen, and why" },
  { label: "request", description: "what somebody asked for" },
  { label: "workflow", description: "steps that are repeated" },
];

/** The arguments of a command called from a keybinding, `{kind, slug, description}`, spare the questions. */
export async function newRecord(
  memory: Memory,
  given: Partial<Named> & { description?: string } = {},
): Promise<unknown> {
  const folder = await memory.folder();
  const kind =
    given.kind ??
    (folder && (await vscode.window.showQuickPick(KINDS, { title: "New record", placeHolder: "Kind" }))?.label);
  const slug = given.slug ?? (kind && (await askSlug("New record", "")));
  if (folder === undefined || kind === undefined || !slug) {
    return undefined;
  }
  const prompt = "One line that says what it is about and when to read it";
  const description = given.description ?? (await vscode.window.showInputBox({ title: reference(kind, slug), prompt }));
  if (description === undefined) {
    return undefined;
  }
  const told = description.trim() === "" ? {} : { description };
  const done = await memory.ask<{ uri: string }>("omoide.new", { kind, slug, ...told }, folder);
  if (done !== undefined) {
    await openAt(vscode.Uri.parse(done.uri));
    memory.changed();
  }
  return done;
}

/** The name that a caller gives spares the question for it. */
interface Wish {
  readonly new_slug?: string;
}

export async function promote(
  memory: Memory,
  folder: vscode.WorkspaceFolder,
  given?: Named,
  wish: Wish = {},
): Promise<unknown> {
  const record = given ?? (await pick(memory, folder, ["decision", "request"], "Promote to knowledge"));
  const slug = record && (wish.new_slug ?? (await askSlug(`Promote ${record.slug} to knowledge`, record.slug)));
  if (record === undefined || !slug) {
    return undefined;
  }
  const argument = { kind: record.kind, slug: record.slug, new_slug: slug };
  const done = await memory.ask<{ uri: string }>("omoide.promote", argument, folder);
  if (done !== undefined) {
    await openAt(vscode.Uri.parse(done.uri));
    memory.changed();
  }
  return done;
}

export async function rename(
  memory: Memory,
  folder: vscode.WorkspaceFolder,
  given?: Named,
  wish: Wish = {},
): Promise<unknown> {
  const kinds = ["knowledge", "workflow", "decision", "request"];
  const record = given ?? (await pick(memory, folder, kinds, "Rename a record"));
  const slug =
    record && (wish.new_slug ?? (await askSlug(`Rename ${reference(record.kind, record.slug)}`, record.slug)));
  if (record === undefined || !slug || slug === record.slug) {
    return undefined;
  }
  const argument = { kind: record.kind, slug: record.slug, new_slug: slug };
  const done = await memory.ask<{ changes: readonly unknown[] }>("omoide.rename", argument, folder);
  if (done !== undefined) {
    memory.changed();
    void tellInformation(
      `Omoide: renamed to ${reference(record.kind, slug)}, ${counted(done.changes.length, "file")} changed.`,
    );
  }
  return done;
}

/** Take a run back: the one given, else one that the person picks. */
export async function undo(
  memory: Memory,
  folder: vscode.WorkspaceFolder,
  given?: Run,
  { confirmed = false }: { readonly confirmed?: boolean } = {},
): Promise<unknown> {
  const run = given ?? (await pickRun(memory, folder));
  if (run === undefined) {
    return undefined;
  }
  const detail =
    "Records become what they were before it, and its candidates are staged again. What was changed since stays as it is.";
  const text = `Undo the run “${run.reason}” of ${shortTime(run.started_at)}?`;
  if (!confirmed && (await tellWarning(text, { modal: true, detail }, "Undo")) !== "Undo") {
    return undefined;
  }
  const done = await memory.ask<{ restored: string[]; removed: string[]; reopened: string[]; conflicts: string[] }>(
    "omoide.undo",
    { run_id: run.run_id },
    folder,
  );
  if (done !== undefined) {
    await closeRecords(folder, done.removed);
    memory.changed();
    const left =
      done.conflicts.length === 0 ? "" : ` ${counted(done.conflicts.length, "file")} left alone: changed since.`;
    const back = counted(done.restored.length + done.removed.length, "record");
    void tellInformation(
      `Omoide: ${back} as before, ${counted(done.reopened.length, "candidate")} staged again.${left}`,
    );
  }
  return done;
}

async function pickRun(memory: Memory, folder: vscode.WorkspaceFolder): Promise<Run | undefined> {
  const found = await memory.ask<{ runs: Run[] }>("omoide.undo", {}, folder);
  if (found?.runs.length === 0) {
    void tellInformation("Omoide: there is no run to undo.");
  }
  const picks = (found?.runs ?? []).map((run) => ({
    label: run.reason,
    description: `${shortTime(run.started_at)}, ${counted(run.files, "file")}`,
    run,
  }));
  return picks.length === 0 ? undefined : (await vscode.window.showQuickPick(picks, { title: "Undo a run" }))?.run;
}

async function pick(
  memory: Memory,
  folder: vscode.WorkspaceFolder,
  kinds: string[],
  title: string,
): Promise<Named | undefined> {
  const found: RecordRow[] = [];
  for (const kind of kinds) {
    found.push(...((await memory.ask<Records>("omoide.records", { kind }, folder))?.records ?? []));
  }
  const picks = found.map((row) => ({
    label: reference(row.kind, row.slug),
    description: row.kind,
    detail: row.description,
    row,
  }));
  return (await vscode.window.showQuickPick(picks, { title, matchOnDetail: true }))?.row;
}

async function askSlug(title: string, value: string): Promise<string | undefined> {
  const validateInput = (text: string) =>
    SLUG.test(text) ? undefined : "Lowercase words of letters and digits, joined by hyphens: deploy-steps";
  return vscode.window.showInputBox({ title, value, prompt: "Name of the record (slug)", validateInput });
}
