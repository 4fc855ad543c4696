// Memory for VS Code's own agent mode: two tools, to find records and to read those that a text names. What is found, how it
// is written for a model and what counts as a use is the server's.

import * as vscode from "vscode";

import { messageOf } from "./log";
import type { Memory } from "./memory";
import type { Server } from "./server";
import { readInput, searchInput } from "./toolInput";

const SEARCH = "omoide_search";
const READ = "omoide_read";

type Parsed = object | string;
interface Found {
  readonly text: string;
  /** Of a read: how many of the records that were asked for are in the text. */
  readonly read?: number;
}

export function registerTools(memory: Memory, server: Server): vscode.Disposable {
  const tool = (title: string, command: string, parse: (input: unknown) => Parsed): vscode.LanguageModelTool<unknown> => ({
    prepareInvocation: () => ({ invocationMessage: title }),
    invoke: async ({ input, tokenizationOptions }, token) => {
      const given = parse(input);
      const budget = tokenizationOptions?.tokenBudget;
      const bounded = typeof given === "string" || !budget ? given : { ...given, tokens: Math.max(1, Math.floor(budget)) };
      const text = typeof bounded === "string" ? bounded : await answer(memory, server, command, bounded, token);
      return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);
    },
  });
  return vscode.Disposable.from(
    vscode.lm.registerTool(SEARCH, tool("Searching project memory", "omoide.agentSearch", searchInput)),
    vscode.lm.registerTool(READ, tool("Reading project memory", "omoide.agentRead", readInput)),
  );
}

/** A model is told what went wrong in words, so that it can go on without. Of several memories each is asked. */
async function answer(
  memory: Memory,
  server: Server,
  command: string,
  argument: object,
  token: vscode.CancellationToken,
): Promise<string> {
  const places = await memory.places();
  if (places.length === 0) {
    return "This workspace has no project memory.";
  }
  if (!(await server.start(false))) {
    return "Project memory cannot be read now: its server does not run.";
  }
  const texts: { name: string; text: string; read: number | undefined }[] = [];
  for (const folder of places) {
    if (token.isCancellationRequested) {
      throw new vscode.CancellationError();
    }
    const found = await memory
      .peek<Found>(command, argument, folder)
      .catch((error: unknown): Found => ({ text: `Project memory could not be read: ${messageOf(error)}` }));
    texts.push({ name: folder.name, text: found.text, read: found.read });
  }
  // A name that one of the memories knows is not missing because the others do not.
  const some = texts.filter(({ read }) => read !== undefined && read > 0);
  const told = some.length > 0 ? some : texts;
  return told.length === 1
    ? (told[0]?.text ?? "")
    : told.map(({ name, text }) => `Memory of ${name}:\n${text}`).join("\n\n");
}
