// Ways to get the server, for a person to choose. Each runs in a terminal that is seen: what is installed is no secret, and
// nothing is ever installed, or fetched to be run once, without a click.

import * as vscode from "vscode";

import { onPath } from "./settings";

export interface Installer {
  readonly title: string;
  readonly program: string;
  readonly args: readonly string[];
}

const KNOWN: readonly Installer[] = [
  { title: "Install with uv", program: "uv", args: ["tool", "install", "omoide"] },
  { title: "Install with pipx", program: "pipx", args: ["install", "omoide"] },
];

/** Those whose program is on PATH. */
export async function installers(): Promise<Installer[]> {
  const found = await Promise.all(KNOWN.map(async (way) => ({ ...way, program: await onPath(way.program) })));
  return found.flatMap(({ program, ...way }) => (program === undefined ? [] : [{ ...way, program }]));
}

/** Run one as a task; `done` is called when it has ended well. */
export function runInstaller({ title, program, args }: Installer, done: () => void): void {
  const execution = new vscode.ProcessExecution(program, [...args]);
  const task = new vscode.Task({ type: "omoide" }, vscode.TaskScope.Workspace, title, "omoide", execution);
  task.presentationOptions = { reveal: vscode.TaskRevealKind.Always };
  const following = vscode.tasks.onDidEndTaskProcess((event) => {
    if (event.execution.task.name === title) {
      following.dispose();
      if (event.exitCode === 0) {
        done();
      }
    }
  });
  void vscode.tasks.executeTask(task);
}
