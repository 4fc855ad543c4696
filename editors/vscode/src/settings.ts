// The extension's settings, and the command that starts the server as they and the machine say.

import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import * as os from "node:os";
import * as path from "node:path";
import * as vscode from "vscode";

import { selectedPrograms } from "./python";

export const SECTION = "omoide";
export const PATH = "PATH";

/** A program with its arguments, and what named it: a setting or PATH. `cli` is the `omoide` command line that belongs to it. */
export interface ServerCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly origin: string;
  readonly cli: readonly string[] | undefined;
}

/** Why no server can be started, for people. `setting` is the one to mend, where one is at fault. */
export interface NoServer {
  readonly problem: string;
  readonly setting?: string;
}

/** The server to start: `omoide.server.command`, else `omoide.interpreter`, else the `omoide` of the selected Python
 * environment, else `omoide` on PATH, else where `uv tool` and `pipx` put programs, which a desktop's PATH may lack. */
export async function findServer(): Promise<ServerCommand | NoServer> {
  const settings = vscode.workspace.getConfiguration(SECTION);
  const command = settings.get<string | string[]>("server.command", []);
  const words = (typeof command === "string" ? [command] : command).map(expand).filter((word) => word !== "");
  if (words.length > 0) {
    return fromCommand(words, typeof command === "string");
  }
  const interpreter = expand(settings.get<string>("interpreter", ""));
  if (interpreter !== "") {
    return fromInterpreter(interpreter);
  }
  const programs = await selectedPrograms();
  const selected = programs && (await runnable(path.join(programs, "omoide")));
  if (selected) {
    const origin = "the selected Python environment";
    return { command: selected, args: ["lsp"], origin, cli: [selected] };
  }
  const found = (await onPath("omoide")) ?? (await inFolders("omoide", toolFolders()));
  return found === undefined
    ? { problem: "The omoide program was not found." }
    : { command: found, args: ["lsp"], origin: PATH, cli: [found] };
}

async function fromCommand(words: readonly string[], isPath: boolean): Promise<ServerCommand | NoServer> {
  const setting = `${SECTION}.server.command`;
  const program = await findProgram(words[0] ?? "");
  if (program === undefined) {
    return { problem: `${setting} names ${words[0]}, which is not a program that can be run.`, setting };
  }
  // A path alone is an omoide executable; a list is taken as it is.
  const args = isPath ? ["lsp"] : words.slice(1);
  return { command: program, args, origin: setting, cli: cliOf(program, args) };
}

/** The command line that a list with `lsp` at its end belongs to: the list without it. */
function cliOf(program: string, args: readonly string[]): readonly string[] | undefined {
  return args.at(-1) === "lsp" ? [program, ...args.slice(0, -1)] : undefined;
}

async function fromInterpreter(interpreter: string): Promise<ServerCommand | NoServer> {
  const setting = `${SECTION}.interpreter`;
  const program = await findProgram(interpreter);
  if (program === undefined) {
    return { problem: `${setting} names ${interpreter}, which is not a program that can be run.`, setting };
  }
  // -I keeps a folder `server` or `memory_core` of the user's workspace from being run in place of ours.
  return {
    command: program,
    args: ["-I", "-m", "server"],
    origin: setting,
    cli: [program, "-I", "-m", "memory_core"],
  };
}

/** The settings as plain data: what the server is told at its start. It may also ask for the section at any time. */
export function plainSettings(): unknown {
  return JSON.parse(JSON.stringify(vscode.workspace.getConfiguration(SECTION)));
}

/** Whether a folder or one above it holds a memory root. Only for what to say; the server finds roots by itself. */
export async function hasMemoryRoot(folder: string): Promise<boolean> {
  for (let at = folder; ; at = path.dirname(at)) {
    if (await hasMemory(at)) {
      return true;
    }
    if (path.dirname(at) === at) {
      return false;
    }
  }
}

/** Whether a memory root lies directly in a folder. */
export async function hasMemory(folder: string): Promise<boolean> {
  const found = await Promise.all([".omoide", ".yoi"].map((name) => isFolder(path.join(folder, name, "memory"))));
  return found.includes(true);
}

async function isFolder(file: string): Promise<boolean> {
  return stat(file).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

function expand(value: string): string {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? "";
  const replaced = value.trim().replaceAll("${workspaceFolder}", folder);
  return replaced === "~" || replaced.startsWith("~/") ? path.join(os.homedir(), replaced.slice(1)) : replaced;
}

async function findProgram(name: string): Promise<string | undefined> {
  if (!name.includes("/") && !name.includes(path.sep)) {
    return onPath(name);
  }
  return path.isAbsolute(name) ? runnable(name) : undefined;
}

/** The absolute path of a program on PATH. Relative entries are skipped: they would search the user's workspace. */
export async function onPath(name: string): Promise<string | undefined> {
  return inFolders(name, (process.env.PATH ?? "").split(path.delimiter));
}

function toolFolders(): string[] {
  const named = ["UV_TOOL_BIN_DIR", "PIPX_BIN_DIR", "XDG_BIN_HOME"].map((name) => process.env[name] ?? "");
  return [...named, path.join(os.homedir(), ".local", "bin")];
}

async function inFolders(name: string, folders: readonly string[]): Promise<string | undefined> {
  for (const folder of folders.filter((folder) => path.isAbsolute(folder))) {
    const found = await runnable(path.join(folder, name));
    if (found !== undefined) {
      return found;
    }
  }
  return undefined;
}

async function runnable(file: string): Promise<string | undefined> {
  const endings = process.platform === "win32" ? ["", ".exe"] : [""];
  for (const candidate of endings.map((ending) => file + ending)) {
    const isFile = await stat(candidate).then(
      (found) => found.isFile(),
      () => false,
    );
    const mayRun = await access(candidate, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isFile && mayRun) {
      return candidate;
    }
  }
  return undefined;
}
