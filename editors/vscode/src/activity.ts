// What happened lately, as lines of the view: who read which record, and what the runs did. Knows no editor.

import { type Node, reference } from "./nodes";
import type { Activity } from "./overview";
import { age, counted } from "./words";

const HOW: Readonly<Record<string, string>> = {
  MemoryRead: "read",
  KnowledgeRef: "named in a turn",
  WorkflowInvoke: "invoked",
  EditorHover: "hovered",
  EditorOpen: "opened",
};
/** Events of the audit log with their outcome, in words; others are shown as they are. */
const DONE: Readonly<Record<string, string>> = {
  "extract staged": "Extracted",
  "extract nothing": "Extracted: nothing found",
  "extract failed": "Extract failed",
  "extract skipped": "Extract put off",
  "consolidate committed": "Consolidated",
  "consolidate nothing": "Consolidated: nothing to do",
  "consolidate held": "Made a run for your review",
  "consolidate conflict": "Consolidation met unsaved or newer text",
  "consolidate failed": "Consolidation failed",
  "accept committed": "Accepted a run after review",
  reject: "Rejected a run",
  undo: "Undid a run",
  rolled_back: "Took back a run that was cut off",
  edit_candidate: "Edited a candidate",
  agent_write: "An agent wrote",
  offer: "Answered an offered workflow",
  new: "Made",
  rename: "Renamed",
  promote: "Promoted",
  archive: "Archived",
};
const FAILED = /failed|conflict/;
const SHOWN = 2;

export function activity(found: readonly Activity[], now: number): Node[] {
  return found.map((item, number) => {
    const isUse = item.event === "use" || item.event === "resident_exposure";
    const label = isUse ? ofUse(item) : ofRun(item);
    const record = (item.records ?? []).find(({ op, kind }) => op !== "delete" && kind !== "summary");
    return {
      id: `activity/${number}/${item.at}`,
      label,
      description: [isUse ? (item.actor ?? "") : "", age(item.at, now)].filter((it) => it !== "").join(" · "),
      tooltip: [label, item.reason ?? "", item.at].filter((it) => it !== "").join("\n\n"),
      icon: isUse ? "eye" : FAILED.test(item.status ?? "") ? "warning" : "gear",
      context: "activity",
      subject: record === undefined ? { is: "note" } : { is: "named", kind: record.kind, slug: record.slug },
    };
  });
}

function ofUse(item: Activity): string {
  if (item.event === "resident_exposure") {
    return `${counted((item.records ?? []).length, "record")} given to a session`;
  }
  return `${names(item)} ${HOW[item.source ?? ""] ?? item.source ?? "used"}`;
}

function ofRun(item: Activity): string {
  const words = [item.event, item.status ?? ""].filter((it) => it !== "").join(" ");
  const done = DONE[words] ?? DONE[item.event] ?? words.replaceAll("_", " ");
  const told = words === "extract staged" && item.reason !== undefined ? `${done}: ${item.reason}` : done;
  return [told, names(item)].filter((it) => it !== "").join(" ");
}

function names({ records }: Activity): string {
  // What was moved is named as it is called now.
  const left = (records ?? []).filter(({ op }) => op !== "delete");
  const all = (left.length > 0 ? left : (records ?? [])).map(({ kind, slug }) => (kind === "summary" ? "the summary" : reference(kind, slug)));
  const rest = all.length - SHOWN;
  return [...all.slice(0, rest === 1 ? SHOWN + 1 : SHOWN), ...(rest > 1 ? [`${rest} more`] : [])].join(", ");
}
