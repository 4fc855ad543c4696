// The view's tree as plain values: what is told of a record, a candidate, a run. Knows no editor, so that tests need none.

import type { Candidate, HeldRun, Offer, Overview, RecordRow, Run, Session, Sessions, Status } from "./overview";
import { age, counted, DAY_MS, shortTime } from "./words";

/** What a node is about; the commands of its menu take it from here. `context` in `Node` selects the menu. */
export type Subject =
  | { readonly is: "group"; readonly group: Group }
  | { readonly is: "kind"; readonly kind: string }
  | { readonly is: "more"; readonly kind: string; readonly shown: number }
  | { readonly is: "record"; readonly row: Pick<RecordRow, "kind" | "slug" | "uri" | "line"> }
  | { readonly is: "candidate"; readonly candidate: Candidate }
  | { readonly is: "evidence"; readonly session: string; readonly agent?: string | undefined; readonly entry: number }
  | { readonly is: "session"; readonly session: Session }
  | { readonly is: "held"; readonly run: HeldRun }
  | { readonly is: "offer"; readonly offer: Offer }
  | { readonly is: "named"; readonly kind: string; readonly slug: string }
  | { readonly is: "run"; readonly run: Run }
  | { readonly is: "note" };

export type Group = "records" | "candidates" | "held" | "offers" | "sessions" | "runs" | "activity";

export interface Node {
  readonly id: string;
  readonly label: string;
  readonly description?: string;
  readonly tooltip?: string;
  readonly icon?: string;
  /** The id of a color of the theme, for an icon that says more than what kind of thing it is. */
  readonly color?: string;
  readonly context: string;
  readonly subject: Subject;
  /** `open`: its children are shown at first; absent: it has none. */
  readonly opens?: "open" | "closed";
}

const KINDS: readonly (readonly [kind: string, plural: string, icon: string])[] = [
  ["summary", "Summary", "note"],
  ["knowledge", "Knowledge", "lightbulb"],
  ["workflow", "Workflows", "list-ordered"],
  ["decision", "Decisions", "law"],
  ["request", "Requests", "comment"],
];
const CANDIDATES: Readonly<Record<string, string>> = {
  decision: "law",
  request: "comment",
  attempt: "beaker",
  discussion: "comment-discussion",
};
/** A record nobody changed for so long may be stale; its row says so, nothing else follows from it. */
const STALE_DAYS = 180;
const SIGILS: Readonly<Record<string, string>> = { knowledge: "#", workflow: "/" };
/** How a record is named in a text: `#slug`, `/slug`; of the other kinds, which texts do not name, by its slug. */
export function reference(kind: string, slug: string): string {
  return `${SIGILS[kind] ?? ""}${slug}`;
}

export function groups(overview: Overview, offered: readonly Offer[] = []): Node[] {
  const total = Object.values(overview.records).reduce((sum, number) => sum + number, 0);
  const group = (of: Group, label: string, icon: string, description: string, opens: "open" | "closed"): Node => ({
    id: of,
    label,
    icon,
    description,
    opens,
    context: `group.${of}`,
    subject: { is: "group", group: of },
  });
  const found = [
    group("records", "Records", "book", `${total}`, "open"),
    group("candidates", "Candidates", "inbox", `${overview.open}`, overview.open > 0 ? "open" : "closed"),
  ];
  if (overview.held.length > 0) {
    found.push(group("held", "Waiting for Review", "git-pull-request", `${overview.held.length}`, "open"));
  }
  if (offered.length > 0) {
    found.push(group("offers", "Offered Workflows", "gift", `${offered.length}`, "open"));
  }
  return [
    ...found,
    group("sessions", "Sessions", "comment-discussion", "", "closed"),
    group("runs", "Runs", "history", `${overview.runs.length}`, "closed"),
    group("activity", "Recent Activity", "pulse", "", "closed"),
  ];
}

export function kinds(overview: Overview): Node[] {
  return KINDS.filter(([kind]) => (overview.records[kind] ?? 0) > 0).map(([kind, label, icon]) => ({
    id: `kind/${kind}`,
    label,
    icon,
    description: `${overview.records[kind]}`,
    context: "kind",
    opens: "closed",
    subject: { is: "kind", kind },
  }));
}

export function records(rows: readonly RecordRow[], now: number, under = "record"): Node[] {
  return rows.map((row) => {
    const state = stateOf(row);
    const stale = isStale(row, now);
    const changed = age(row.updated_at, now);
    const updated = changed === "" ? "" : `${stale ? "may be stale, last changed" : "changed"} ${changed}`;
    const facts = [uses(row), updated, row.resident ? "resident" : ""].filter((it) => it !== "");
    const aged = state === "" && stale ? "stale" : "";
    const shown = [state, aged, row.use_count > 0 ? `${row.use_count}×` : "", row.description];
    return {
      id: `${under}/${row.kind}/${row.slug}`,
      label: row.kind === "summary" ? "summary" : reference(row.kind, row.slug),
      description: shown.filter((it) => it !== "").join(" · "),
      tooltip: [row.description, facts.join(" · "), state, row.excerpt ?? ""].filter((it) => it !== "").join("\n\n"),
      ...iconOf(row, state, stale),
      context: `record.${row.kind}`,
      subject: { is: "record", row },
    };
  });
}

/** The node behind a list that shows only its beginning. */
export function more(kind: string, shown: number, total: number): Node[] {
  return shown >= total
    ? []
    : [
        {
          id: `more/${kind}/${shown}`,
          label: `Show more (${total - shown} left)`,
          icon: "ellipsis",
          context: "more",
          subject: { is: "more", kind, shown },
        },
      ];
}

export function candidates({ candidates: found, open, invalid }: Overview): Node[] {
  const nodes: Node[] = found.map((candidate) => ({
    id: `candidate/${candidate.id}`,
    label: candidate.headline,
    description: candidate.kind,
    tooltip: [`${candidate.kind}: ${candidate.headline}`, candidate.rationale ?? ""]
      .filter((it) => it !== "")
      .join("\n\n"),
    icon: CANDIDATES[candidate.kind] ?? "circle-outline",
    context: "candidate",
    subject: { is: "candidate", candidate },
    ...(candidate.evidence.length > 0 ? { opens: "closed" as const } : {}),
  }));
  if (open > found.length) {
    nodes.push(note("candidates", `${open - found.length} more are staged`, "ellipsis"));
  }
  return [
    ...nodes,
    ...invalid.map(({ file, reason }) => note(`invalid/${file}`, `${file} cannot be read`, "warning", reason)),
  ];
}

export function evidence(candidate: Candidate): Node[] {
  return candidate.evidence.map(({ entry_range: [entry], speaker, excerpt, ts }, number) => ({
    id: `evidence/${candidate.id}/${number}`,
    label: `${speaker}: ${excerpt.replace(/\s+/g, " ")}`,
    description: `entry ${entry}`,
    tooltip: [excerpt, `${speaker}, entry ${entry} of session ${candidate.source.session_id}`, ts ?? ""]
      .filter((it) => it !== "")
      .join("\n\n"),
    icon: "quote",
    context: "evidence",
    subject: { is: "evidence", session: candidate.source.session_id, agent: candidate.source.agent, entry },
  }));
}

export function offers(found: readonly Offer[]): Node[] {
  return found.map((offer) => ({
    id: `offer/${offer.slug}`,
    label: reference("workflow", offer.slug),
    description: offer.reason,
    tooltip: `${offer.reason}\n\n${offer.text}`,
    icon: "list-ordered",
    context: "offer",
    subject: { is: "offer", offer },
  }));
}

export function held(runs: readonly HeldRun[]): Node[] {
  return runs.map((run) => ({
    id: `held/${run.run_id}`,
    label: `${counted(run.files, "record")}, ${shortTime(run.created_at)}`,
    description: run.reason,
    tooltip: run.reason,
    icon: "git-pull-request",
    context: "held",
    subject: { is: "held", run },
  }));
}

/** Newest first, and below them what went wrong: logs that cannot be read, parts that could not be extracted. */
export function sessions(
  { sessions: found, unreadable }: Sessions,
  now: number,
  failed: Overview["failed"] = [],
): Node[] {
  const nodes: Node[] = found.map((session) => ({
    id: `session/${session.agent}/${session.session_id}`,
    label: session.title ?? session.session_id,
    description: [
      session.unextracted_tokens > 0 ? `${counted(session.unextracted_tokens, "token")} to extract` : "extracted",
      session.agent,
      age(session.updated_at, now),
    ]
      .filter((it) => it !== "")
      .join(" · "),
    tooltip: `${session.session_id}\n\n${session.agent}, ${counted(session.entries, "entry")}`,
    icon: session.unextracted_tokens > 0 ? "comment-unresolved" : "comment",
    context: session.unextracted_tokens > 0 ? "session.pending" : "session.done",
    subject: { is: "session", session },
  }));
  return [
    ...nodes,
    ...failed.map(({ session_id, range: [from = 0, to = 0], reason }) =>
      note(`failed/${session_id}/${from}`, `Entries ${from} to ${to} could not be extracted`, "warning", reason),
    ),
    ...unreadable.map((reason, number) => note(`unreadable/${number}`, reason, "warning", reason)),
    ...(nodes.length + unreadable.length === 0 ? [note("sessions", "No agent session was found for this folder")] : []),
  ];
}

export function runs(found: readonly Run[]): Node[] {
  return found.map((run) => ({
    id: `run/${run.run_id}`,
    label: ofRun(run, found),
    description: `${counted(run.files, "file")} · ${shortTime(run.started_at)}`,
    tooltip: `${run.reason}\n\n${run.run_id}`,
    icon: "history",
    context: "run",
    subject: { is: "run", run },
  }));
}

/** The badge of the view and what it says: problems of the files looked at. Candidates are no fault of anybody. */
export function badge(statuses: readonly Status[]): { value: number; tooltip: string } | undefined {
  const found = statuses.map((status) => status.problems).filter((it) => it !== null);
  const errors = found.reduce((sum, it) => sum + it.errors, 0);
  const warnings = found.reduce((sum, it) => sum + it.warnings, 0);
  const parts = [errors > 0 ? counted(errors, "error") : "", warnings > 0 ? counted(warnings, "warning") : ""];
  return errors + warnings === 0
    ? undefined
    : { value: errors + warnings, tooltip: `${parts.filter((it) => it !== "").join(", ")} in records` };
}

/** One line for the language status. */
export function statusLine(statuses: readonly Status[]): string {
  const total = statuses.flatMap((it) => Object.values(it.records)).reduce((sum, number) => sum + number, 0);
  const staged = statuses.reduce((sum, it) => sum + (it.pending?.candidates ?? 0), 0);
  const jobs = [...new Set(statuses.flatMap((it) => it.jobs))];
  return [counted(total, "record"), staged > 0 ? `${counted(staged, "candidate")} staged` : "", ...jobs]
    .filter((it) => it !== "")
    .join(", ");
}

export function note(id: string, label: string, icon?: string, tooltip?: string): Node {
  return {
    id: `note/${id}`,
    label,
    context: "note",
    subject: { is: "note" },
    ...(icon === undefined ? {} : { icon }),
    ...(tooltip === undefined ? {} : { tooltip }),
  };
}

/** Why a run was made, in words; one that takes back another is told by what that one was. */
function ofRun({ reason }: Run, all: readonly Run[]): string {
  const undone = /^undo of (\S+)$/.exec(reason)?.[1];
  const other = undone === undefined ? undefined : all.find(({ run_id }) => run_id === undone);
  return other === undefined ? reason || "run" : `undo of “${other.reason}”`;
}

function uses(row: RecordRow): string {
  return row.use_count === 0 ? "never read" : `read ${counted(row.use_count, "time")}`;
}

/** What is wrong with a record, or has become of it; empty where it simply stands. */
function stateOf(row: RecordRow): string {
  if (row.broken) {
    return "broken";
  }
  if (row.replaced_by !== null) {
    return `replaced by ${reference(row.kind, row.replaced_by)}`;
  }
  return row.status === "replaced" ? "replaced" : "";
}

function isStale(row: RecordRow, now: number): boolean {
  return now - Date.parse(row.updated_at ?? "") > STALE_DAYS * DAY_MS;
}

function iconOf(row: RecordRow, state: string, stale: boolean): { icon: string; color?: string } {
  if (row.broken) {
    return { icon: "error", color: "list.errorForeground" };
  }
  const icon = KINDS.find(([kind]) => kind === row.kind)?.[2] ?? "file";
  if (state !== "") {
    return { icon: "arrow-swap", color: "disabledForeground" };
  }
  return stale ? { icon, color: "list.warningForeground" } : { icon };
}
