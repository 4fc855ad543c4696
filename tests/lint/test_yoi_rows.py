"""The older store's linter, row by row: its triggers and limits are kept, and what it did not check is.

Each test is one row of the study of it: the table of errors (2.2), what was checked nowhere, warnings (2.3), the matrix
that was measured (2.4), when it runs (2.5), its command (2.6), and its own tests, also those it lacked (10.1 to 10.4).
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from memory_core.changes import ChangeSet
from memory_core.diagnostic import Severity
from memory_core.layout import Layout, path_problem, record_at
from memory_core.lint.check import check, errors
from memory_core.records.near import NearSlugs
from memory_core.records.schema import Kind, RecordRef
from memory_core.records.slug import is_slug, slug_problem
from memory_core.refactor.archive import archive
from memory_core.refactor.new import new_record
from memory_core.refactor.referrers import Refusal
from memory_core.snapshot import Snapshot, snapshot_of
from memory_core.store.discovery import find_root
from tests.lint.lint_fixture import DATES, SOURCE, decision, knowledge, request, summary, workflow

D = "memory/decisions/here.md"
R = "memory/requests/here.md"
K = "knowledge/here.md"
W = "workflow/here.md"
S = "memory/summary.md"
TWO = "sources:\n" + SOURCE * 2  # enough evidence for any body
OF_KIND = {
    D: lambda body, sources="sources: []\n": decision(body=body, sources=sources),
    R: lambda body, sources="sources: []\n": request(body, sources=sources),
    K: lambda body, sources="sources: []\n": knowledge(body).replace("last_sources: []\n", f"last_{sources}"),
}


def codes(text: str, path: str = D, **others: str) -> list[str]:
    """The codes at one path; `others` are decisions by name."""
    around = {f"memory/decisions/{slug}.md": other for slug, other in others.items()}
    return [d.code for d in check(snapshot_of({path: text, **around}), path)]


def replaced(by: str) -> str:
    return decision(f"status: replaced\nreplaced_by: {by}\n")


# 2.1 Order of work


def test_2_1_nothing_hides_anything_else() -> None:
    """There, a missing field hid an oversized body, and one missing field the next."""
    text = "---\nupdated_at: 2026-01-02T00:00:00Z\nstatus: Open\n---\n" + "x" * 8_001
    assert sorted(codes(text)) == ["body-too-long", "invalid-status", "missing-field", "missing-field"]


def test_2_1_a_wrong_place_is_all_that_is_said_of_a_file() -> None:
    assert [d.code for d in check(snapshot_of({"memory/other/a.md": "no head"}), "memory/other/a.md")] == [
        "invalid-path"
    ]


# 2.2 Errors


@pytest.mark.parametrize("folder", ["attempts", "decision", "notes"])
def test_2_2_invalid_path(folder: str) -> None:
    assert (path_problem(f"memory/{folder}/a.md") or ("",))[0] == "invalid-path"


@pytest.mark.parametrize("path", ["memory/_staging/a.md", "memory/_usage/a.md", "memory/_logs/a.md"])
def test_2_2_machinery_is_no_record(path: str) -> None:
    assert record_at(path) is None


@pytest.mark.parametrize("stem", ["Foo", "a--b", "-a", "a_b", "a" * 65])
def test_2_2_invalid_slug(stem: str) -> None:
    assert "invalid-slug" in [
        d.code for d in check(snapshot_of({f"knowledge/{stem}.md": knowledge()}), f"knowledge/{stem}.md")
    ]


@pytest.mark.parametrize("text", ["", "Text.\n", "\n---\nstatus: open\n---\n", " ---\na: 1\n---\n"])
def test_2_2_missing_frontmatter(text: str) -> None:
    assert codes(text) == ["missing-frontmatter"]


def test_2_2_a_head_that_is_never_closed_is_none() -> None:
    """There, it was malformed; which lines would be head and which body is not known."""
    (found,) = check(snapshot_of({D: "---\nstatus: open\n"}), D)
    assert found.code == "missing-frontmatter"
    assert "that ends the frontmatter is missing" in found.message


def test_2_2_malformed_frontmatter() -> None:
    assert "malformed-frontmatter" in codes(decision("status: [\n"))


def test_2_2_a_wrong_type_or_date_is_said_of_its_value_and_the_rest_is_still_read() -> None:
    """There, the whole head was malformed."""
    assert codes(decision("status: [open]\n")) == ["invalid-field"]
    assert codes(decision().replace("2026-01-02T00:00:00Z", "2026-01-02")) == ["invalid-field"]


def test_2_2_a_key_given_twice() -> None:
    assert codes(decision("status: open\nstatus: resolved\n")) == ["duplicate-key"]


def test_2_2_replaced_by_that_is_no_slug() -> None:
    assert "invalid-field" in codes(replaced("Not A Slug"))


def test_2_2_a_source_without_a_part_of_it() -> None:
    assert codes(decision(sources="sources:\n  - session_id: s-1\n")) == ["invalid-field"]
    assert codes(decision(sources="sources:\n  - range: [1, 2]\n")) == ["invalid-field"]


@pytest.mark.parametrize(
    ("path", "missing"),
    [
        (D, ["created_at", "updated_at", "sources", "status"]),
        (R, ["created_at", "updated_at", "sources"]),
        (K, ["created_at", "updated_at", "kind", "description", "model_invokation", "user_invocable", "last_sources"]),
        (W, ["description"]),
        (S, ["updated_at"]),
    ],
)
def test_2_2_every_missing_field_at_once(path: str, missing: list[str]) -> None:
    found = check(snapshot_of({path: "---\n---\nText.\n"}), path)
    assert [d.code for d in found] == ["missing-field"] * len(missing)
    assert [
        d.message.split("`")[1] for d in sorted(found, key=lambda d: missing.index(d.message.split("`")[1]))
    ] == missing


@pytest.mark.parametrize("status", ["Open", "done", "REPLACED", "open "])
def test_2_2_invalid_status(status: str) -> None:
    assert codes(decision(f"status: '{status}'\n")) == ["invalid-status"]


def test_2_2_a_long_description_counts_only_where_it_is_resident() -> None:
    for length, flag, expected in (
        (1_025, "true", ["description-too-long"]),
        (1_024, "true", []),
        (9_000, "false", []),
    ):
        text = knowledge(description=f"description: {'語' * length}\n")
        assert codes(text.replace("vokation: false", f"vokation: {flag}"), K) == expected


@pytest.mark.parametrize("letter", ["x", "語", "😀"])
@pytest.mark.parametrize("path", [D, R, K])
def test_2_2_a_body_of_8000_characters_and_one_more(path: str, letter: str) -> None:
    assert codes(OF_KIND[path](letter * 8_000, TWO), path) == []
    assert codes(OF_KIND[path](letter * 8_001, TWO), path) == ["body-too-long"]


def test_2_2_a_summary_of_20000_characters_and_one_more() -> None:
    assert codes(summary("語" * 20_000), S) == []
    assert codes(summary("語" * 20_001), S) == ["body-too-long"]


def test_2_2_a_record_that_exists_is_not_made_again() -> None:
    """`SlugAlreadyExists`: there, only its library said so and a write replaced the record."""
    snapshot = snapshot_of({D: decision()})
    assert errors(check(snapshot, D)) == []  # the linter itself takes a file for what it is
    changes = new_record(RecordRef(Kind.DECISION, "here"), "2026-03-01T09:00:00Z")
    assert isinstance(changes, ChangeSet)
    from memory_core.refactor.referrers import place_refusal

    assert isinstance(place_refusal(snapshot, RecordRef(Kind.DECISION, "here")), Refusal)
    assert place_refusal(snapshot, RecordRef(Kind.REQUEST, "here")) is None  # a slug is unique in its kind


def test_2_2_replaced_by_a_decision_that_is_not_there() -> None:
    assert codes(replaced("gone")) == ["unknown-replacement"]
    snapshot = snapshot_of({D: replaced("other"), "memory/requests/other.md": request()})
    assert [d.code for d in check(snapshot, D)] == ["unknown-replacement"]


def test_2_2_replaced_by_itself_is_said_once() -> None:
    """There, an unknown reference or a circle came with it."""
    assert codes(replaced("here")) == ["self-replacement"]


def test_2_2_a_circle_is_said_on_each_and_on_what_leads_into_it() -> None:
    circle = {"a": replaced("b"), "b": replaced("c"), "c": replaced("a")}
    assert codes(replaced("a"), **circle) == ["replacement-cycle"]
    snapshot = snapshot_of({f"memory/decisions/{slug}.md": text for slug, text in circle.items()})
    for slug in circle:
        assert [d.code for d in check(snapshot, f"memory/decisions/{slug}.md")] == ["replacement-cycle"]


# 2.2 What was checked nowhere


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ("status: replaced\n", ["status-mismatch"]),
        ("status: open\nreplaced_by: other\n", ["status-mismatch"]),
        ("status: resolved\nreplaced_by: other\n", ["status-mismatch"]),
        ("status: replaced\nreplaced_by: other\n", []),
        ("status: replaced\nreplaced_by:\n", ["status-mismatch"]),
        ("status: open\nreplaced_by:\n", []),
        ("status: open\n", []),
        ("status: resolved\n", []),
    ],
)
def test_gap_status_and_replaced_by_are_tied_both_ways(more: str, expected: list[str]) -> None:
    assert codes(decision(more), other=decision(body="Another.\n")) == expected


@pytest.mark.parametrize("path", [D, R, K, S])
def test_gap_updated_before_created(path: str) -> None:
    made = {D: decision(), R: request(), K: knowledge(), S: summary(more="created_at: 2026-01-01T00:00:00Z\n")}[path]
    assert codes(made, path) == []
    assert codes(made.replace("updated_at: 2026-01-02", "updated_at: 2025-01-02"), path) == ["dates-order"]


def test_gap_the_order_of_dates_is_that_of_the_moments_and_not_of_the_text() -> None:
    text = decision().replace("updated_at: 2026-01-02T00:00:00Z", "updated_at: 2026-01-01T08:00:00+09:00")
    assert codes(text) == ["dates-order"]
    assert codes(text.replace("08:00:00+09:00", "09:00:00+09:00")) == []


@pytest.mark.parametrize(
    ("path", "text"),
    [
        (D, decision(sources="sources: [{session_id: s, range: [9, 1]}]\n")),
        (R, request(sources="sources:\n  - session_id: s\n    range:\n      - 9\n      - 1\n")),
        (K, knowledge().replace("last_sources: []", "last_sources: [{segment_id: s, range: [9, 1]}]")),
        (S, summary(more="last_rewritten_from_range: [9, 1]\n")),
    ],
)
def test_gap_the_order_of_a_range_in_every_kind(path: str, text: str) -> None:
    assert codes(text, path) == ["reversed-range"]


def test_gap_a_second_hop_that_dangles() -> None:
    assert codes(replaced("next"), next=replaced("gone")) == ["broken-chain"]
    assert codes(replaced("a"), a=replaced("b"), b=replaced("c"), c=replaced("gone")) == ["broken-chain"]
    assert codes(replaced("next"), next=decision(body="Another.\n")) == []


def test_gap_references_in_bodies_and_descriptions() -> None:
    assert codes(decision(body="See #gone.\n")) == ["unknown-reference"]
    assert codes(knowledge(description="description: Like (#gone).\n"), K) == ["unknown-reference"]
    snapshot = snapshot_of({D: decision(body="Run /delpoy.\n"), "workflow/deploy.md": workflow()})
    assert [d.code for d in check(snapshot, D)] == ["unknown-workflow"]
    assert codes(workflow("requires: [gone]\n"), W) == ["unknown-requires"]


@pytest.mark.parametrize("path", [D, R, K])
def test_gap_an_empty_body(path: str) -> None:
    assert codes(OF_KIND[path](" \n"), path) == ["empty-body"]


def test_gap_an_empty_kind_and_an_empty_description() -> None:
    assert codes(knowledge().replace("kind: fact", "kind: ''"), K) == ["invalid-field"]
    assert codes(knowledge().replace("kind: fact", "kind:"), K) == ["invalid-field"]
    assert codes(knowledge(description="description:\n"), K) == ["empty-description"]
    assert codes(knowledge(description="description: ' '\n"), K) == ["empty-description"]


@pytest.mark.parametrize(
    ("kind", "referrer", "text", "code"),
    [
        (Kind.DECISION, D, replaced("old"), "unknown-replacement"),
        (Kind.KNOWLEDGE, D, decision(body="See #old.\n"), "unknown-reference"),
        (Kind.KNOWLEDGE, W, workflow("requires: [old]\n"), "unknown-requires"),
    ],
)
def test_gap_deletion_is_refused_while_something_refers_and_seen_where_it_happened(
    kind: Kind, referrer: str, text: str, code: str
) -> None:
    texts = {Kind.DECISION: decision(body="Older.\n"), Kind.KNOWLEDGE: knowledge("Older.\n")}
    path = {Kind.DECISION: "memory/decisions/old.md", Kind.KNOWLEDGE: "knowledge/old.md"}[kind]
    snapshot = snapshot_of({referrer: text, path: texts[kind]})
    assert check(snapshot, referrer) == []
    refusal = archive(snapshot, RecordRef(kind, "old"))
    assert isinstance(refusal, Refusal)
    assert [link.path for link in refusal.links] == [referrer]
    without = snapshot.with_documents({path: None})
    assert [d.code for d in check(without, referrer)] == [code]


# 2.3 Warnings


@pytest.mark.parametrize("path", [D, R, K])
@pytest.mark.parametrize(
    ("length", "sources", "expected"),
    [
        (1_499, 0, []),
        (1_500, 0, ["thin-evidence"]),
        (1_500, 1, ["thin-evidence"]),
        (1_499, 1, []),
        (1_500, 2, []),
    ],
)
def test_2_3_much_text_on_one_source_or_none(path: str, length: int, sources: int, expected: list[str]) -> None:
    written = "sources:\n" + SOURCE * sources if sources else "sources: []\n"
    assert codes(OF_KIND[path]("語" * length, written), path) == expected


@pytest.mark.parametrize("path", [D, R, K])
def test_2_3_more_than_ten_sources(path: str) -> None:
    assert codes(OF_KIND[path]("Text.\n", "sources:\n" + SOURCE * 10), path) == []
    assert codes(OF_KIND[path]("Text.\n", "sources:\n" + SOURCE * 11), path) == ["too-many-sources"]


def test_2_3_alike_slugs() -> None:
    names = {"db-pol": decision(), "db-pools": decision()}
    texts = {f"memory/decisions/{slug}.md": text for slug, text in (*names.items(), ("db-pool", decision()))}
    (found,) = check(snapshot_of(texts), "memory/decisions/db-pool.md")
    assert (found.code, found.severity) == ("similar-slugs", Severity.WARNING)
    assert all(f"`{slug}`" in found.message for slug in ("db-pool", "db-pol", "db-pools"))
    assert codes(decision(), **{"use-postgres": decision(), "retry-with-jitter": decision()}) == []


def test_2_3_two_alike_slugs_and_such_of_another_kind_are_no_cluster() -> None:
    texts = {"memory/decisions/db-pool.md": decision(), "memory/decisions/db-pools.md": decision()}
    assert check(snapshot_of(texts | {"memory/requests/db-pol.md": request()}), "memory/decisions/db-pool.md") == []


def test_2_3_the_summary_has_no_warnings() -> None:
    assert codes(summary("x" * 19_999), S) == []


def test_2_3_short_slugs_are_no_cluster_by_arithmetic() -> None:
    """Measured there: `bar`, `bom`, `foo`."""
    texts = {f"memory/decisions/{slug}.md": decision() for slug in ("bar", "bom", "foo")}
    assert check(snapshot_of(texts), "memory/decisions/bar.md") == []


# 2.4 The measured matrix, where it says more than the tables above


@pytest.mark.parametrize("sources", ["abc", "[{session_id: s, range: [1, 2, 3]}]", "[{session_id: s, range: [-1, 2]}]"])
def test_2_4_sources_of_the_wrong_shape(sources: str) -> None:
    assert codes(decision(sources=f"sources: {sources}\n")) == ["invalid-field"]


def test_2_4_keys_nobody_knows_were_accepted_and_are_a_warning() -> None:
    found = check(snapshot_of({D: decision("status: open\nfoo: 1\nid: x\n")}), D)
    assert [(d.code, d.severity) for d in found] == [("unknown-key", Severity.WARNING)] * 2


@pytest.mark.parametrize("value", ["2026-01-02", "2026-01-02T00:00:00", "20260102", "", "1767312000"])
def test_2_4_an_instant_without_time_or_zone(value: str) -> None:
    assert codes(decision().replace("2026-01-02T00:00:00Z", value)) == ["invalid-field"]


@pytest.mark.parametrize(
    "value",
    ["2026-01-02 00:00:00Z", "2026-01-02T09:00:00+09:00", "2026-01-02T00:00:00.123456789Z", "'2026-01-02T00:00:00Z'"],
)
def test_2_4_an_instant_with_a_space_an_offset_fractions_or_quotes(value: str) -> None:
    assert codes(decision().replace("2026-01-02T00:00:00Z", value)) == []


def test_2_4_an_indented_head_and_a_rule_in_the_body() -> None:
    head = "".join(f"  {line}\n" for line in f"{DATES}sources: []\nstatus: open".splitlines())
    assert codes(f"---\n{head}---\n\nText.\n\n---\n\nMore.\n") == []


@pytest.mark.parametrize("value", ["yes", "Yes", "on", "1", "'true'"])
def test_2_4_a_flag_is_a_boolean(value: str) -> None:
    assert codes(knowledge().replace("vokation: false", f"vokation: {value}"), K) == ["invalid-field"]


def test_2_4_what_hung_on_the_version_of_a_yaml_library() -> None:
    assert codes(decision(sources="sources:\n")) == ["invalid-field"]
    assert codes("---\n---\nText.\n", W) == ["missing-field"]
    assert codes(knowledge().replace("kind: fact", "kind: 3"), K) == ["invalid-field"]


# 2.5 When it runs


def test_2_5_workflows_are_linted_too() -> None:
    """There, a linter for them was written and called by nothing."""
    assert codes(workflow(body="x" * 8_001), W) == ["body-too-long"]
    long = workflow("model_invokation: true\n").replace("Do it.", "x" * 1_025)
    assert codes(long, W) == ["description-too-long"]


# 10.1 to 10.3


def test_10_1_slugs() -> None:
    assert all(is_slug(text) for text in ("a", "ab", "abc-def", "x9", "a-b-c", "123", "a-1", "a" * 64))
    bad = ("", "-", "-foo", "foo-", "Foo", "foo_bar", "foo bar", "foo--bar", "foo.bar", "ä", "a" * 65)
    assert all(slug_problem(text) for text in bad)


@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("space", ["", " ", " \t"])
def test_10_2_marks_line_ends_and_spaces_behind_the_delimiter(mark: str, newline: str, space: str) -> None:
    """There: a mark was no frontmatter, a space behind the closing line swallowed the body; untested, all of it."""
    text = decision().replace("\n---\n", f"\n---{space}\n").replace("\n", newline)
    assert codes(mark + text) == []


def test_10_2_a_head_glued_to_its_delimiter_is_none() -> None:
    """There, `---created_at: …` was accepted; no editor shows that as frontmatter."""
    assert codes("---" + decision().removeprefix("---\n")) == ["missing-frontmatter"]


def test_10_2_an_empty_body_and_no_line_end_at_the_end() -> None:
    assert codes(decision(body="").rstrip("\n")) == ["empty-body"]


def test_10_3_places() -> None:
    assert record_at(S) == RecordRef(Kind.SUMMARY, "summary")
    assert record_at("memory/decisions/a.md") == RecordRef(Kind.DECISION, "a")
    assert record_at("knowledge/a.md") == RecordRef(Kind.KNOWLEDGE, "a")
    for path in ("memory/workflow/a.md", "memory/decisions/sub/a.md", "memory/new/a.md", "other/a.md", "memory/a.md"):
        assert record_at(path) is None


def test_10_3_the_nearest_ancestor_with_a_memory_wins(tmp_path: Path) -> None:
    for folder in (".yoi/memory", "child/.yoi/tickets", "child/deep/.yoi/workflow", "other/.omoide/memory"):
        (tmp_path / folder).mkdir(parents=True)
    for start, root in (("child/deep", ".yoi"), ("child", ".yoi"), ("other", "other/.omoide")):
        found = find_root(tmp_path / start)
        assert isinstance(found, Layout)
        assert found.root == tmp_path / root


# 10.4, what is not above


def test_10_4_distances() -> None:
    near = NearSlugs(["kitten-one", "abcdef"])
    assert near.alike("kitten-one") == []  # itself is not among its neighbors
    assert near.alike("kitten-two") == []  # three edits
    assert near.alike("acbdef") == ["abcdef"]  # two letters exchanged are two edits
    assert near.alike("zzzzzz") == []


def test_10_4_an_empty_snapshot_and_an_endless_chain_end() -> None:
    assert check(Snapshot(), D) == []
    long = {f"memory/decisions/d{n}.md": replaced(f"d{n + 1}") for n in range(3_000)}
    snapshot = snapshot_of(long | {"memory/decisions/d3000.md": replaced("d0")})
    assert [d.code for d in check(snapshot, "memory/decisions/d0.md")] == ["replacement-cycle"]


def test_2_6_messages_of_the_command_have_codes_and_places(tmp_path: Path) -> None:
    """There, `--json` held plain sentences, and one file that was no UTF-8 ended the whole run."""
    import subprocess
    import sys

    folder = tmp_path / ".omoide/memory/decisions"
    folder.mkdir(parents=True)
    (folder / "a.md").write_bytes(b"\xff")
    (folder / "b.md").write_text(decision(body="See #gone.\n"), encoding="utf-8")
    command = [sys.executable, "-m", "memory_core", "--json", "lint"]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, encoding="utf-8")
    assert run.returncode == 1
    first, second = json.loads(run.stdout)["files"]
    assert [d["code"] for d in first["diagnostics"]] == ["unreadable-file"]
    assert [d["range"]["start"] for d in second["diagnostics"]] == [{"line": 7, "character": 4}]
    outside = subprocess.run(command, cwd=tmp_path.parent, capture_output=True, check=False)
    assert outside.returncode == 2
