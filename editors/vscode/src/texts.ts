// Commands that make a text: references written out, resident context, a transcript, debug information.

import * as vscode from "vscode";

import type { Memory } from "./memory";
import { sessions as sessionNodes } from "./nodes";
import { openTranscript } from "./opening";
import type { Sessions } from "./overview";
import type { Server } from "./server";
import { SECTION } from "./settings";
import { tellInformation, tellWarning } from "./told";
import { counted } from "./words";

const SESSION_KINDS = ["chat", "code", "scheduled", "subagent"];

interface Expanded {
  readonly expanded: string;
  readonly records: readonly unknown[];
  readonly unresolved: readonly unknown[];
}

/** The selection, or the whole text, with the records it names behind it, on the clipboard. */
export async function copyExpanded(memory: Memory): Promise<unknown> {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined) {
    void tellWarning("Omoide: open a text with references first.");
    return undefined;
  }
  const text = editor.document.getText(editor.selection.isEmpty ? undefined : editor.selection);
  const done = text.trim() === "" ? undefined : await memory.ask<Expanded>("omoide.expand", { text });
  if (done !== undefined) {
    await vscode.env.clipboard.writeText(done.expanded);
    const missing =
      done.unresolved.length === 0 ? "" : ` ${counted(done.unresolved.length, "reference")} lead nowhere.`;
    void tellInformation(
      `Omoide: copied with ${counted(done.records.length, "record")}.${missing}`,
    );
  }
  return done;
}

/** What an agent's session is given at its start, in an editor beside. */
export async function showResident(memory: Memory, kind?: string): Promise<unknown> {
  const title = "What is a session given at its start?";
  const session_kind =
    kind ?? (await vscode.window.showQuickPick(SESSION_KINDS, { title, placeHolder: "Kind of session" }));
  if (session_kind === undefined) {
    return undefined;
  }
  const found = await memory.ask<{ text: string; reason: string | null; tokens: number; cut: string[] }>(
    "omoide.resident",
    { session_kind },
  );
  if (found !== undefined) {
    const cut = found.cut.length === 0 ? "" : ` ${counted(found.cut.length, "part")} found no room.`;
    const content = found.text === "" ? `${found.reason ?? "Nothing is given."}\n` : found.text;
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ language: "markdown", content }));
    void tellInformation(
      `Omoide: about ${counted(found.tokens, "token")} for a ${session_kind} session.${cut}`,
    );
  }
  return found;
}

export async function pickTranscript(memory: Memory): Promise<unknown> {
  const folder = await memory.folder();
  const found = folder && (await memory.ask<Sessions>("omoide.sessions", {}, folder));
  if (folder === undefined || found === undefined) {
    return undefined;
  }
  const picks = sessionNodes(found, Date.now()).flatMap(({ label, description, subject }) =>
    subject.is === "session" ? [{ label, description: description ?? "", session: subject.session }] : [],
  );
  if (picks.length === 0) {
    void tellInformation("Omoide: no agent session was found for this folder.");
    return undefined;
  }
  const picked = await vscode.window.showQuickPick(picks, { title: "Open transcript", matchOnDescription: true });
  return picked && openTranscript(memory, folder, picked.session.session_id, picked.session.agent, 0);
}

export async function lint(memory: Memory): Promise<unknown> {
  const done = await memory.ask<{ counts: Readonly<Record<string, number>> }>("omoide.lint", {});
  if (done !== undefined) {
    const found = ["error", "warning", "hint"]
      .filter((name) => (done.counts[`${name}s`] ?? 0) > 0)
      .map((name) => counted(done.counts[`${name}s`] ?? 0, name));
    const text = `Omoide: ${counted(done.counts.files ?? 0, "record")} checked: ${found.join(", ") || "nothing found"}.`;
    void tellInformation(text, ...(found.length > 0 ? ["Show Problems"] : [])).then((choice) => {
      if (choice !== undefined) {
        void vscode.commands.executeCommand("workbench.actions.view.problems");
      }
    });
  }
  return done;
}

/** Let the provider settings of a workspace count. They decide where what agents said is sent, hence the question. */
export async function trust(memory: Memory): Promise<unknown> {
  const folder = await memory.folder();
  if (folder === undefined) {
    return undefined;
  }
  const detail =
    "Its .omoide/config.toml may then name the server that session logs and records are sent to, and the environment variable whose value is sent there as a key.";
  const text = `Trust the provider settings of ${folder.name}?`;
  if ((await tellWarning(text, { modal: true, detail }, "Trust")) !== "Trust") {
    return undefined;
  }
  const done = await memory.ask<{ status: string; uri: string; line: string }>("omoide.trust", {}, folder);
  if (done?.status === "by-hand") {
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(vscode.Uri.parse(done.uri)));
    void tellWarning(
      `Omoide: your settings name trusted folders already; add this one under [trust]: ${done.line}`,
    );
  } else if (done !== undefined) {
    void tellInformation(`Omoide: the provider settings of ${folder.name} count from now on.`);
  }
  return done;
}

/** What a report of a problem should say, in an editor, so that a person sees it before it is sent anywhere. */
export async function debugInformation(server: Server, version: string): Promise<vscode.TextDocument> {
  const settings: Record<string, unknown> = {};
  for (const name of [
    "diagnostics",
    "completion",
    "hover",
    "navigation",
    "symbols",
    "lens",
    "actions",
    "tokens",
    "inlay_hints",
    "confirm",
  ]) {
    settings[name] = vscode.workspace.getConfiguration(SECTION).get(name);
  }
  const facts = {
    extension: version,
    editor: `${vscode.env.appName} ${vscode.version}`,
    system: `${process.platform} ${process.arch}`,
    trusted: vscode.workspace.isTrusted,
    folders: vscode.workspace.workspaceFolders?.length ?? 0,
    server: {
      ...server.facts(),
      statuses: server.statuses.map(({ workspace: _workspace, problem, ...rest }) => ({ ...rest, problem: problem !== null })),
    },
    settings,
  };
  const document = await vscode.workspace.openTextDocument({
    language: "json",
    content: `${JSON.stringify(facts, null, 2)}\n`,
  });
  await vscode.window.showTextDocument(document);
  return document;
}
