// Ways to get the server, for a person to choose. An install runs in a terminal that is seen: what is installed is no
// secret, and nothing is ever installed, or fetched to be run once, without a click.

import { type ChildProcess, spawn } from "node:child_process";
import * as vscode from "vscode";

import { onPath, SECTION } from "./settings";

export interface Installer {
  readonly title: string;
  readonly program: string;
  readonly args: readonly string[];
  /** It starts the server each time instead of installing it: what becomes `omoide.server.command`. */
  readonly runs?: true;
}

const KNOWN: readonly Installer[] = [
  { title: "Install with uv", program: "uv", args: ["tool", "install", "omoide"] },
  { title: "Install with pipx", program: "pipx", args: ["install", "omoide"] },
  { title: "Run with uvx", program: "uvx", args: ["--from", "omoide", "omoide", "lsp"], runs: true },
];

/** Those whose program is on PATH. */
export async function installers(): Promise<Installer[]> {
  const found = await Promise.all(KNOWN.map(async (way) => ({ ...way, program: await onPath(way.program) })));
  return found.flatMap(({ program, ...way }) => (program === undefined ? [] : [{ ...way, program }]));
}

/** Run one in a terminal, and call `done` when it has ended well; or name it in a person's own settings, which restarts. */
export async function runInstaller({ title, program, args, runs }: Installer, done: () => void): Promise<void> {
  if (runs === true) {
    const settings = vscode.workspace.getConfiguration(SECTION);
    await settings.update("server.command", [program, ...args], vscode.ConfigurationTarget.Global);
    return;
  }
  const terminal = vscode.window.createTerminal({ name: title, pty: new Shown(program, args, done) });
  terminal.show();
}

/** A program that runs as long as its terminal is open; closing that ends it. */
class Shown implements vscode.Pseudoterminal {
  private readonly writes = new vscode.EventEmitter<string>();
  readonly onDidWrite = this.writes.event;
  private child: ChildProcess | undefined;

  constructor(
    private readonly program: string,
    private readonly args: readonly string[],
    private readonly done: () => void,
  ) {}

  open(): void {
    this.say(`$ ${[this.program, ...this.args].join(" ")}\n`);
    const child = spawn(this.program, [...this.args], { stdio: ["ignore", "pipe", "pipe"] });
    this.child = child;
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => this.say(text));
    }
    child.on("error", (error) => this.say(`${error.message}\n`));
    child.on("close", (code) => {
      this.child = undefined;
      this.say(code === 0 ? "Done. You may close this terminal.\n" : "This did not work.\n");
      if (code === 0) {
        this.done();
      }
    });
  }

  close(): void {
    this.child?.kill();
  }

  private say(text: string): void {
    this.writes.fire(text.replace(/\r?\n/g, "\r\n"));
  }
}
