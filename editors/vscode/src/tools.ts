// Memory for VS Code's own agent mode: two tools, to find records and to read those that a text names.

import * as vscode from "vscode";

import { messageOf } from "./log";
import type { Memory } from "./memory";
import { reference } from "./nodes";
import type { Hits } from "./overview";
import type { Server } from "./server";

const SEARCH = "omoide_search";
const READ = "omoide_read";
const MOST = 20;

export function registerTools(memory: Memory, server: Server): vscode.Disposable {
  const tool = <Input>(title: string, run: (input: Input, folder: vscode.WorkspaceFolder) => Promise<string>) => ({
    prepareInvocation: () => ({ invocationMessage: title }),
    invoke: async ({ input }: vscode.LanguageModelToolInvocationOptions<Input>) => {
      const text = await answer(memory, server, (folder) => run(input, folder));
      return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);
    },
  });
  return vscode.Disposable.from(
    vscode.lm.registerTool<{ query: string }>(
      SEARCH,
      tool("Searching project memory", ({ query }, folder) => search(memory, query, folder)),
    ),
    vscode.lm.registerTool<{ names: string[] }>(
      READ,
      tool("Reading project memory", ({ names }, folder) => read(memory, names, folder)),
    ),
  );
}

/** A model is told what went wrong in words, so that it can go on without. */
async function answer(
  memory: Memory,
  server: Server,
  run: (folder: vscode.WorkspaceFolder) => Promise<string>,
): Promise<string> {
  const [folder] = await memory.places();
  if (folder === undefined) {
    return "This workspace has no project memory.";
  }
  if (!(await server.start(false))) {
    return "Project memory cannot be read now: its server does not run.";
  }
  return run(folder).catch((error: unknown) => `Project memory could not be read: ${messageOf(error)}`);
}

async function search(memory: Memory, query: string, folder: vscode.WorkspaceFolder): Promise<string> {
  const { hits, stored } = await memory.peek<Hits>("omoide.search", { query, limit: MOST }, folder);
  const lines = hits.map((hit) => {
    const updated = hit.updated_at === null ? "" : `, changed ${hit.updated_at.slice(0, 10)}`;
    return `${reference(hit.kind, hit.slug)} (${hit.kind}${updated}): ${hit.description}\n  ${hit.excerpt ?? ""}`;
  });
  return lines.length > 0 ? lines.join("\n") : `Nothing found in ${stored} records. Other words may help.`;
}

/** By the same way as a person's turn is expanded, so that what may be read and what counts as a use is the server's. */
async function read(memory: Memory, names: readonly string[], folder: vscode.WorkspaceFolder): Promise<string> {
  const text = names.map((name) => (/^[#/]/.test(name) ? name : `#${name}`)).join(" ");
  const { expanded } = await memory.peek<{ expanded: string }>("omoide.expand", { text, actor: "agent" }, folder);
  return expanded;
}
