// What a job answers, and how its outcome is told: one message, with the next step as a button.

import * as vscode from "vscode";

import { tellError, tellInformation, tellWarning } from "./told";
import { counted } from "./words";

const CONSOLIDATE = "Consolidate";
const PREVIEW = "Preview";
const SHOW_LOG = "Show Log";

/** As `omoide extract --json` and `omoide consolidate --json` answer; only what is told here. */
export interface ExtractAnswer {
  readonly runs: readonly {
    readonly session_id: string;
    readonly status: "staged" | "nothing" | "failed" | "skipped";
    readonly reason: string;
    readonly counts: Readonly<Record<string, number>>;
    readonly dropped?: readonly { readonly array: string; readonly what: string; readonly reason: string }[];
  }[];
}
export interface ConsolidateAnswer {
  readonly run_id: string;
  readonly status: "committed" | "nothing" | "held" | "conflict" | "failed";
  readonly reason?: string;
  readonly changes: readonly { readonly op: string; readonly kind: string; readonly slug: string }[];
  readonly closed: readonly { readonly candidate: string; readonly action: string; readonly reason: string }[];
  readonly left: readonly unknown[];
  readonly conflicts: readonly unknown[];
}

export function tellExtract({ runs }: ExtractAnswer): void {
  const failed = runs.filter((run) => run.status === "failed");
  const skipped = runs.filter((run) => run.status === "skipped");
  const staged = runs.filter((run) => run.status === "staged");
  const candidates = staged.flatMap((run) => Object.values(run.counts)).reduce((sum, number) => sum + number, 0);
  const dropped = runs.flatMap((run) => run.dropped ?? []);
  const [first] = dropped;
  if (first !== undefined) {
    const more = dropped.length > 1 ? ` (and ${String(dropped.length - 1)} more; the log has them all)` : "";
    const what = `${first.array.replace(/s$/, "")} “${first.what}”: ${first.reason}`;
    void tellInformation(`Omoide: ${counted(dropped.length, "candidate")} set aside. ${what}${more}`);
  }
  if (failed.length > 0) {
    const text = `Omoide: ${counted(failed.length, "session")} could not be extracted: ${reasons(failed)}`;
    tellFailure(text);
  }
  if (skipped.length > 0) {
    const text = `Omoide: ${counted(skipped.length, "session")} left for later: ${reasons(skipped)}`;
    void tellWarning(text);
  }
  if (candidates > 0) {
    const sessions = counted(new Set(staged.map((run) => run.session_id)).size, "session");
    const text = `Omoide: ${counted(candidates, "candidate")} staged from ${sessions}.`;
    void tellInformation(text, CONSOLIDATE, PREVIEW).then((choice) => {
      if (choice === CONSOLIDATE) {
        void vscode.commands.executeCommand("omoide.consolidateCandidates");
      } else if (choice === PREVIEW) {
        void vscode.commands.executeCommand("omoide.previewConsolidation");
      }
    });
  } else if (failed.length + skipped.length === 0) {
    const text = runs.length === 0 ? "no agent session was found for this folder." : "nothing new to remember.";
    void tellInformation(`Omoide: ${text}`);
  }
}

export function tellConsolidate({ status, reason, changes, closed, left, conflicts }: ConsolidateAnswer): void {
  const why = reason ? ` ${reason}` : "";
  switch (status) {
    case "committed": {
      const written = changes.length === 0 ? "no record changed" : `${counted(changes.length, "record")} written`;
      const [, unsaved] = (reason ?? "").split("; ", 2); // Which records are to be saved before the rest is closed.
      const later = unsaved === undefined ? "left for later" : `left: ${unsaved}`;
      const rest = left.length === 0 ? "" : ` ${counted(left.length, "candidate")} ${later}.`;
      const text = `Omoide: ${written}, ${counted(closed.length, "candidate")} closed.${rest}`;
      void tellInformation(text);
      break;
    }
    case "nothing":
      void tellInformation(`Omoide: nothing to consolidate.${why}`);
      break;
    case "held":
      void tellWarning(`Omoide: the consolidation was held for review.${why}`);
      break;
    case "conflict":
      void tellWarning(
        `Omoide: ${counted(conflicts.length, "record")} changed meanwhile and kept; their candidates stay staged.${why}`,
      );
      break;
    case "failed":
      tellFailure(`Omoide: the consolidation failed.${why}`);
      break;
  }
}

/** An error in full: of a message without a button VS Code shows the first line, and takes it away after a while. */
export function tellFailure(text: string): void {
  void tellError(text, SHOW_LOG).then((choice) => {
    if (choice === SHOW_LOG) {
      void vscode.commands.executeCommand("omoide.showLog");
    }
  });
}

/** Why an answer, or a part of it, is one that failed: for the log. */
export function failuresOf(answer: unknown): string[] {
  if (typeof answer !== "object" || answer === null) {
    return [];
  }
  const { status, reason, runs } = answer as { status?: unknown; reason?: unknown; runs?: unknown };
  const parts: unknown[] = Array.isArray(runs) ? runs : [];
  return [...(status === "failed" ? [String(reason)] : []), ...parts.flatMap((run) => failuresOf(run))];
}

function reasons(runs: ExtractAnswer["runs"]): string {
  return [...new Set(runs.map((run) => run.reason))].join("; ");
}
