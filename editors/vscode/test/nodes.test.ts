// What the view shows, as facts about plain values.

import assert from "node:assert/strict";
import { test } from "node:test";

import { activity } from "../src/activity";
import * as nodes from "../src/nodes";
import { drawnPlaces } from "../src/tokens";
import type { Candidate, Overview, RecordRow, Status } from "../src/overview";
import { age, counted, fileName, shortTime } from "../src/words";

const NOW = Date.parse("2026-11-30T12:00:00Z");

const ROW: RecordRow = {
  kind: "knowledge",
  slug: "deploy-steps",
  uri: "file:///r/knowledge/deploy-steps.md",
  description: "How to deploy.",
  updated_at: "2026-11-20T12:00:00Z",
  status: null,
  replaced_by: null,
  resident: true,
  broken: false,
  use_count: 3,
  last_used_at: null,
};
const CANDIDATE: Candidate = {
  id: "f/decisions/0",
  kind: "decision",
  headline: "Keep Postgres",
  source: { session_id: "s-1", agent: "claude" },
  evidence: [{ entry_range: [4, 5], speaker: "human", excerpt: "we keep\n Postgres" }],
};
const OVERVIEW: Overview = {
  workspace: "/r",
  records: { knowledge: 2, decision: 1 },
  candidates: [CANDIDATE],
  open: 3,
  invalid: [],
  held: [],
  runs: [],
  failed: [],
  activity: [],
};

test("a record is named as texts name it, with its use and what it is about", () => {
  const [node] = nodes.records([ROW], NOW);
  assert.equal(node?.label, "#deploy-steps");
  assert.equal(node.description, "3× · How to deploy.");
  assert.match(node.tooltip ?? "", /read 3 times · changed 10 days ago · resident/);
  assert.equal(nodes.reference("workflow", "release"), "/release");
  assert.equal(nodes.reference("decision", "use-toml"), "use-toml");
});

test("what is replaced or broken is said in the row, and what is old", () => {
  const states = [
    { ...ROW, use_count: 0, updated_at: "2026-01-01T00:00:00Z" },
    { ...ROW, status: "replaced", replaced_by: "new-steps" },
    { ...ROW, broken: true },
  ];
  const shown = nodes.records(states, NOW).map(({ description, icon, color }) => [description, icon, color]);
  assert.deepEqual(shown, [
    ["stale · How to deploy.", "lightbulb", "list.warningForeground"],
    ["replaced by #new-steps · 3× · How to deploy.", "arrow-swap", "disabledForeground"],
    ["broken · 3× · How to deploy.", "error", "list.errorForeground"],
  ]);
  assert.match(nodes.records(states, NOW)[0]?.tooltip ?? "", /may be stale, last changed 11 months ago/);
});

test("only kinds that have records are shown, and only groups with something waiting are open", () => {
  assert.deepEqual(
    nodes.kinds(OVERVIEW).map(({ label, description }) => [label, description]),
    [
      ["Knowledge", "2"],
      ["Decisions", "1"],
    ],
  );
  const groups = nodes.groups(OVERVIEW);
  assert.deepEqual(
    groups.map(({ id, opens }) => [id, opens]),
    [
      ["records", "open"],
      ["candidates", "open"],
      ["sessions", "closed"],
      ["runs", "closed"],
      ["activity", "closed"],
    ],
  );
  const held = { run_id: "r", created_at: "2026-11-30T10:00:00Z", reason: "asked for", files: 1 };
  assert.equal(nodes.groups({ ...OVERVIEW, open: 0, held: [held] })[2]?.id, "held");
  const offer = { slug: "release", reason: "done three times", text: "# Release\n" };
  assert.deepEqual(nodes.groups(OVERVIEW, [offer])[2]?.id, "offers");
  assert.equal(nodes.offers([offer])[0]?.label, "/release");
});

test("a candidate holds its evidence, each with the entry it opens; candidates that are not listed are counted", () => {
  const shown = nodes.candidates(OVERVIEW);
  assert.deepEqual(
    shown.map(({ label }) => label),
    ["Keep Postgres", "2 more are staged"],
  );
  const [evidence] = nodes.evidence(CANDIDATE);
  assert.equal(evidence?.label, "human: we keep Postgres");
  assert.deepEqual(evidence.subject, { is: "evidence", session: "s-1", agent: "claude", entry: 4 });
});

test("a session says how much of it waits", () => {
  const session = {
    session_id: "s-1",
    agent: "codex",
    entries: 9,
    updated_at: "2026-11-30T11:00:00Z",
    unextracted_tokens: 1200,
    title: "Fix the build",
  };
  const shown = nodes.sessions(
    { sessions: [session, { ...session, session_id: "s-2", unextracted_tokens: 0, title: null }], unreadable: ["x"] },
    NOW,
    [{ session_id: "s-1", range: [3, 8], reason: "the model said nothing" }],
  );
  assert.deepEqual(
    shown.map(({ label, description, context }) => [label, description, context]),
    [
      ["Fix the build", "1,200 tokens to extract · codex · 1 hour ago", "session.pending"],
      ["s-2", "extracted · codex · 1 hour ago", "session.done"],
      ["Entries 3 to 8 could not be extracted", undefined, "note"],
      ["x", undefined, "note"],
    ],
  );
});

test("a run is told by why it was made, and an undo by what it took back", () => {
  const run = { run_id: "r-1", started_at: "2026-11-30T10:00:00Z", reason: "consolidate with builtin", files: 2 };
  const undo = { ...run, run_id: "r-2", reason: "undo of r-1" };
  const shown = nodes.runs([undo, run, { ...undo, reason: "undo of r-0" }, { ...run, reason: "" }]);
  assert.deepEqual(
    shown.map(({ label }) => label),
    ["undo of “consolidate with builtin”", "consolidate with builtin", "undo of r-0", "run"],
  );
});

test("activity tells who read what, and what a run changed, and opens the record", () => {
  const records = [{ kind: "knowledge", slug: "a" }];
  const written = ["b", "c", "d", "e"].map((slug) => ({ op: "create", kind: "decision", slug }));
  const shown = activity(
    [
      { at: "2026-11-30T11:59:30Z", event: "use", actor: "agent", source: "MemoryRead", records },
      { at: "2026-11-28T12:00:00Z", event: "consolidate", status: "committed", records: written },
      { at: "2026-11-28T12:00:00Z", event: "consolidate", status: "held" },
      { at: "2026-11-28T12:00:00Z", event: "archive", records: [{ op: "delete", kind: "decision", slug: "b" }] },
      { at: "2026-11-28T12:00:00Z", event: "resident_exposure", actor: "agent", records: [...records, ...records] },
      { at: "2026-11-28T12:00:00Z", event: "something_new", status: "failed" },
    ],
    NOW,
  );
  assert.deepEqual(
    shown.map(({ label, description, icon }) => [label, description, icon]),
    [
      ["#a read", "agent · now", "eye"],
      ["Consolidated b, c, 2 more", "2 days ago", "gear"],
      ["Made a run for your review", "2 days ago", "gear"],
      ["Archived b", "2 days ago", "gear"],
      ["2 records given to a session", "agent · 2 days ago", "eye"],
      ["something new failed", "2 days ago", "warning"],
    ],
  );
  assert.deepEqual(shown[0]?.subject, { is: "named", kind: "knowledge", slug: "a" });
  assert.deepEqual(shown[3]?.subject, { is: "note" });
});

test("tokens are read back into places, told apart by what they lead to", () => {
  // Line 2, columns 4 and 20; line 5, column 1: resolved, replaced, unknown.
  const data = new Uint32Array([2, 4, 6, 0, 0, 0, 16, 3, 1, 1, 3, 1, 9, 2, 2]);
  assert.deepEqual(drawnPlaces(data), [
    { line: 2, start: 4, length: 6, state: "resolved" },
    { line: 2, start: 20, length: 3, state: "replaced" },
    { line: 5, start: 1, length: 9, state: "unknown" },
  ]);
  assert.deepEqual(drawnPlaces(new Uint32Array()), []);
});

test("a candidate's words become the name of a file that is short and holds no separator", () => {
  assert.equal(fileName("Use a/b: not c?\n"), "Use a b not c");
  assert.equal([...fileName("記憶".repeat(40))].length, 50);
  assert.equal(fileName("  "), "candidate");
});

test("the badge counts errors and warnings, and is gone without any", () => {
  const status: Status = {
    workspace: "/r",
    records: { knowledge: 2 },
    loading: false,
    problem: null,
    problems: { errors: 1, warnings: 2, hints: 9 },
    pending: { files: 1, candidates: 4 },
    jobs: ["extract"],
  };
  assert.deepEqual(nodes.badge([status, { ...status, problems: null }]), {
    value: 3,
    tooltip: "1 error, 2 warnings in records",
  });
  assert.equal(nodes.badge([{ ...status, problems: { errors: 0, warnings: 0, hints: 1 } }]), undefined);
  assert.equal(nodes.statusLine([status]), "2 records, 4 candidates staged, extract");
});

test("the rest of a long list is one node, and none where there is none", () => {
  assert.equal(nodes.more("knowledge", 300, 1000)[0]?.label, "Show more (700 left)");
  assert.deepEqual(nodes.more("knowledge", 3, 3), []);
});

test("numbers are told with their noun", () => {
  assert.deepEqual(
    [counted(1, "entry"), counted(2, "entry"), counted(1200, "token")],
    ["1 entry", "2 entries", "1,200 tokens"],
  );
  assert.deepEqual([age("2026-08-01T00:00:00Z", NOW), age("soon", NOW), age(null, NOW)], ["4 months ago", "", ""]);
});

test("a time is told by the clock of who reads it", () => {
  const zone = process.env.TZ;
  process.env.TZ = "Asia/Tokyo";
  assert.equal(shortTime("2026-11-30T23:30:59Z"), "2026-12-01 08:30");
  assert.equal(shortTime("not yet"), "not yet");
  if (zone === undefined) {
    delete process.env.TZ;
  } else {
    process.env.TZ = zone;
  }
});
