// What the view shows, as facts about plain values.

import assert from "node:assert/strict";
import { test } from "node:test";

import * as nodes from "../src/nodes";
import type { Candidate, Overview, RecordRow, Status } from "../src/overview";
import { age, counted } from "../src/words";

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
  assert.equal(node?.description, "3× · How to deploy.");
  assert.match(node?.tooltip ?? "", /read 3 times · changed 10 days ago · resident/);
  assert.equal(nodes.reference("workflow", "release"), "/release");
  assert.equal(nodes.reference("decision", "use-toml"), "use-toml");
});

test("what is replaced or broken is said in the row, what is old by its icon and tooltip", () => {
  const states = [
    { ...ROW, use_count: 0, updated_at: "2026-01-01T00:00:00Z" },
    { ...ROW, status: "replaced", replaced_by: "new-steps" },
    { ...ROW, broken: true },
  ];
  const shown = nodes.records(states, NOW).map(({ description, icon }) => [description, icon]);
  assert.deepEqual(shown, [
    ["How to deploy.", "clock"],
    ["replaced by #new-steps · 3× · How to deploy.", "arrow-swap"],
    ["broken · 3× · How to deploy.", "error"],
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
});

test("a candidate holds its evidence, each with the entry it opens; candidates that are not listed are counted", () => {
  const shown = nodes.candidates(OVERVIEW);
  assert.deepEqual(
    shown.map(({ label }) => label),
    ["Keep Postgres", "2 more are staged"],
  );
  const [evidence] = nodes.evidence(CANDIDATE);
  assert.equal(evidence?.label, "human: we keep Postgres");
  assert.deepEqual(evidence?.subject, { is: "evidence", session: "s-1", agent: "claude", entry: 4 });
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
  );
  assert.deepEqual(
    shown.map(({ label, description, context }) => [label, description, context]),
    [
      ["Fix the build", "1,200 tokens to extract · codex · 1 hour ago", "session.pending"],
      ["s-2", "extracted · codex · 1 hour ago", "session.done"],
      ["x", undefined, "note"],
    ],
  );
});

test("activity tells who read what, and what a run changed", () => {
  const records = [{ kind: "knowledge", slug: "a" }];
  const shown = nodes.activity(
    [
      { at: "2026-11-30T11:59:30Z", event: "use", actor: "agent", source: "MemoryRead", records },
      {
        at: "2026-11-28T12:00:00Z",
        event: "consolidate",
        status: "committed",
        records: [{ op: "create", kind: "decision", slug: "b" }],
      },
    ],
    NOW,
  );
  assert.deepEqual(
    shown.map(({ label, description }) => [label, description]),
    [
      ["#a read", "agent · now"],
      ["consolidate: committed", "b · 2 days ago"],
    ],
  );
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
