// What the walkthrough ticks off: steps that are done, however a person did them.

import * as vscode from "vscode";

export type Step = "memory" | "candidates" | "runs" | "use";

const DELAYS_MS = [0, 1_000, 3_000];
const done = new Set<Step>();

/** A step is done, for good. */
export function tick(step: Step): void {
  if (!done.has(step)) {
    done.add(step);
    void set(step, true);
  }
}

/** VS Code looks at a context only when it changes while the walkthrough is known to it, which may be long after the step
 * was done. So what is done is said again when a page of VS Code's own is opened. */
export function tickAgain(): vscode.Disposable {
  let timers: NodeJS.Timeout[] = [];
  const stop = () => timers.forEach((timer) => clearTimeout(timer));
  const opening = vscode.window.tabGroups.onDidChangeTabs(({ opened }) => {
    if (done.size > 0 && opened.some(({ input }) => input === undefined)) {
      stop();
      timers = DELAYS_MS.map((delay) => setTimeout(() => void repeat(), delay));
    }
  });
  return vscode.Disposable.from(opening, { dispose: stop });
}

async function repeat(): Promise<void> {
  for (const step of done) {
    await set(step, false);
    await set(step, true);
  }
}

function set(step: Step, value: boolean): Thenable<unknown> {
  return vscode.commands.executeCommand("setContext", `omoide.done.${step}`, value);
}
