// Work that the server reports and that can be cancelled, shown as a notification with a Cancel button.

import * as vscode from "vscode";
import {
  type BaseLanguageClient,
  type ProgressToken,
  type WorkDoneProgressBegin,
  WorkDoneProgressCancelNotification,
  type WorkDoneProgressEnd,
  type WorkDoneProgressReport,
} from "vscode-languageclient/node";

type Step = WorkDoneProgressBegin | WorkDoneProgressReport | WorkDoneProgressEnd;
type Report = vscode.Progress<{ message?: string; increment?: number }>;

interface Shown {
  report: Report | undefined;
  percentage: number;
  readonly end: () => void;
}

/** Middleware for the language client, whose own display is a line in the status bar without a visible Cancel. */
export class CancellableProgress {
  private readonly shown = new Map<ProgressToken, Shown>();

  constructor(private readonly client: () => BaseLanguageClient | undefined) {}

  readonly handle = (token: ProgressToken, step: Step, next: (token: ProgressToken, step: Step) => void): void => {
    if (step.kind === "begin" && step.cancellable === true) {
      this.begin(token, step);
      return;
    }
    const shown = this.shown.get(token);
    if (shown === undefined) {
      next(token, step);
    } else if (step.kind === "report") {
      report(shown, step);
    } else {
      this.shown.delete(token);
      shown.end();
      next(token, step); // The client forgets a token at its end.
    }
  };

  /** Take down what a server that is gone left behind. */
  clear(): void {
    for (const shown of this.shown.values()) {
      shown.end();
    }
    this.shown.clear();
  }

  private begin(token: ProgressToken, step: WorkDoneProgressBegin): void {
    const ended = new Promise<void>((end) => this.shown.set(token, { report: undefined, percentage: 0, end }));
    const options = { location: vscode.ProgressLocation.Notification, title: step.title, cancellable: true };
    void vscode.window.withProgress(options, async (progress, cancel) => {
      const shown = this.shown.get(token);
      if (shown !== undefined) {
        shown.report = progress;
        report(shown, step);
      }
      cancel.onCancellationRequested(() => {
        void this.client()?.sendNotification(WorkDoneProgressCancelNotification.type, { token });
      });
      await ended;
    });
  }
}

function report(shown: Shown, step: WorkDoneProgressBegin | WorkDoneProgressReport): void {
  const percentage = Math.max(step.percentage ?? shown.percentage, shown.percentage);
  shown.report?.report({
    ...(step.message === undefined ? {} : { message: step.message }),
    increment: percentage - shown.percentage,
  });
  shown.percentage = percentage;
}
