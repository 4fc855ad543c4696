// Work that the server reports and that can be cancelled, shown as a notification with a Cancel button.

import * as vscode from "vscode";
import type {
  BaseLanguageClient,
  ProgressToken,
  WorkDoneProgressBegin,
  WorkDoneProgressEnd,
  WorkDoneProgressReport,
} from "vscode-languageclient/node";

type Step = WorkDoneProgressBegin | WorkDoneProgressReport | WorkDoneProgressEnd;
interface Update {
  message?: string;
  increment: number;
}

/** VS Code keeps a notification for most of a second: work that is done sooner than this is not worth one. */
const PATIENCE_MS = 300;

interface Work {
  message: string | undefined;
  percentage: number;
  /** Percent that the notification has been told of. */
  told: number;
  progress: vscode.Progress<Update> | undefined;
  readonly end: () => void;
}

/** Middleware for the language client, whose own display is a line in the status bar without a visible Cancel. */
export class CancellableProgress {
  private readonly running = new Map<ProgressToken, Work>();

  constructor(private readonly client: () => BaseLanguageClient | undefined) {}

  readonly handle = (token: ProgressToken, step: Step, next: (token: ProgressToken, step: Step) => void): void => {
    if (step.kind === "begin" && step.cancellable === true) {
      void this.begin(token, step);
      return;
    }
    const work = this.running.get(token);
    if (work === undefined) {
      next(token, step);
    } else if (step.kind === "end") {
      this.running.delete(token);
      work.end();
      next(token, step); // The client forgets a token at its end.
    } else {
      take(work, step);
    }
  };

  /** Take down what a server that is gone left behind. */
  clear(): void {
    for (const work of this.running.values()) {
      work.end();
    }
    this.running.clear();
  }

  private async begin(token: ProgressToken, step: WorkDoneProgressBegin): Promise<void> {
    let end: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    const work: Work = { message: undefined, percentage: 0, told: 0, progress: undefined, end };
    this.running.set(token, work);
    take(work, step);
    await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))]);
    if (this.running.get(token) !== work) {
      return;
    }
    const options = { location: vscode.ProgressLocation.Notification, title: step.title, cancellable: true };
    await vscode.window.withProgress(options, async (progress: vscode.Progress<Update>, cancel) => {
      work.progress = progress;
      tell(work);
      cancel.onCancellationRequested(() => {
        void this.client()?.sendNotification("window/workDoneProgress/cancel", { token });
      });
      await ended;
    });
  }
}

function take(work: Work, step: WorkDoneProgressBegin | WorkDoneProgressReport): void {
  work.message = step.message ?? work.message;
  work.percentage = Math.max(work.percentage, step.percentage ?? 0);
  tell(work);
}

function tell(work: Work): void {
  const increment = work.percentage - work.told;
  if (work.progress !== undefined) {
    work.progress.report(work.message === undefined ? { increment } : { message: work.message, increment });
    work.told = work.percentage;
  }
}
