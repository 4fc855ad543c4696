"""New, rename, archive, promote and search on the command line: what they answer, and that undo takes each back."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from memory_core.store.mentions import MOST_BYTES
from tests.cli.conftest import Outcome, Run

DATES = "created_at: 2026-01-01T00:00:00Z\nupdated_at: 2026-01-02T00:00:00Z\n"
RULE = (
    f"---\n{DATES}kind: rule\ndescription: How we log. Read before adding a log line.\nmodel_invokation: false\n"
    "user_invocable: true\nlast_sources: []\n---\n\nNever log request bodies.\n"
)
USER = RULE.replace("Never", "See #logging. Never").replace("\n", "\r\n")
CHOICE = (
    f"---\n{DATES}sources:\n  - session_id: s1\n    range: [3, 4]\nstatus: resolved\n"
    "description: Why we log as JSON. Read before changing the format.\n---\n\n# JSON logs\n\nThey can be searched.\n"
)


def put(workspace: Path, **records: str) -> None:
    folders = {"k": "knowledge", "d": "memory/decisions", "w": "workflow"}
    for name, text in records.items():
        kind, _, slug = name.partition("_")
        path = workspace / ".omoide" / folders[kind] / f"{slug.replace('_', '-')}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())


def records(workspace: Path) -> dict[str, bytes]:
    root = workspace / ".omoide"
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in sorted(root.rglob("*.md"))
        if "_archive" not in path.parts
    }


def run_id(outcome: Outcome) -> str:
    return (outcome.out + outcome.err).split("omoide undo ")[1].split("`")[0]


def test_a_rename_moves_the_record_its_references_and_its_uses(omoide: Run, workspace: Path) -> None:
    put(workspace, k_logging=RULE, k_user=USER)
    (workspace / "README.md").write_text("Read #logging, `#logging` is code.\n")
    assert omoide("read", "knowledge", "logging").code == 0
    before = records(workspace)
    outcome = omoide("rename", "knowledge", "#logging", "log-lines")
    assert outcome.code == 0, outcome
    assert ".omoide/knowledge/user.md:11 (body)" in outcome.out
    assert "README.md:1" in outcome.err
    assert records(workspace) == {
        "knowledge/log-lines.md": RULE.encode(),
        "knowledge/user.md": USER.replace("#logging", "#log-lines").encode(),
    }
    assert (workspace / "README.md").read_text().startswith("Read #logging,"), "people's own files are only named"
    rows = omoide("usage", "report", "--json").json["records"]
    assert [(row["slug"], row["use_count"]) for row in rows] == [("log-lines", 1)]
    assert omoide("lint").code == 0
    assert omoide("undo", run_id(outcome)).code == 0
    assert records(workspace) == before
    rows = omoide("usage", "report", "--json").json["records"]
    assert [(row["slug"], row["use_count"]) for row in rows] == [("logging", 1)]


def test_a_rename_answers_machines_with_all_places(omoide: Run, workspace: Path) -> None:
    put(workspace, k_logging=RULE, k_user=USER)
    (workspace / "docs").mkdir()
    (workspace / "docs/a.md").write_text("\n#logging\n")
    (workspace / "docs/large.md").write_text("#logging " * (MOST_BYTES // 8))
    (workspace / "node_modules").mkdir()
    (workspace / "node_modules/b.md").write_text("#logging\n")
    answer = omoide("rename", "knowledge", "logging", "log-lines", "--json").json
    assert answer["status"] == "committed"
    assert [(c["op"], c["slug"]) for c in answer["changes"]] == [
        ("create", "log-lines"),
        ("delete", "logging"),
        ("update", "user"),
    ]
    assert answer["references"] == [{"path": ".omoide/knowledge/user.md", "line": 11, "via": "body"}]
    assert answer["mentions"] == [{"path": "docs/a.md", "line": 2}]
    assert answer["mentions_unread"] == 1
    audit = (workspace / ".omoide/memory/_logs/audit.jsonl").read_text().splitlines()
    assert json.loads(audit[-1])["new_slug"] == "log-lines"


@pytest.mark.parametrize(
    "words",
    [
        ["rename", "knowledge", "logging", "log-lines"],
        ["archive", "knowledge", "user"],
        ["promote", "decision", "json-logs"],
        ["new", "request", "a-slug"],
    ],
)
def test_a_dry_run_shows_a_diff_and_writes_nothing(omoide: Run, workspace: Path, words: list[str]) -> None:
    put(workspace, k_logging=RULE, k_user=USER, d_json_logs=CHOICE)
    before = records(workspace)
    outcome = omoide(*words, "--dry-run")
    assert outcome.code == 0
    assert "+++ " in outcome.out
    assert "nothing was written" in outcome.out
    assert "\\x0d" not in outcome.out, "line ends of two characters are no control characters to warn of"
    answer = omoide(*words, "--dry-run", "--json").json
    assert (answer["status"], answer["run_id"]) == ("dry-run", None)
    assert answer["diff"].startswith("--- ")
    assert answer["changes"]
    assert records(workspace) == before
    assert not (workspace / ".omoide/memory/_archive").exists()


@pytest.mark.parametrize(
    "words",
    [
        ["rename", "knowledge", "logging", "log-lines"],
        ["archive", "knowledge", "user", "--reason", "stale"],
        ["promote", "decision", "json-logs"],
        ["new", "request", "a-slug"],
    ],
)
def test_undo_takes_every_one_of_them_back(omoide: Run, workspace: Path, words: list[str]) -> None:
    put(workspace, k_logging=RULE, k_user=USER, d_json_logs=CHOICE)
    before = records(workspace)
    outcome = omoide(*words)
    assert outcome.code == 0, outcome
    assert records(workspace) != before
    assert omoide("undo", run_id(outcome)).code == 0
    assert records(workspace) == before


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["rename", "knowledge", "logging", "user"], "exists already"),
        (["rename", "knowledge", "loging", "fresh"], "close: logging"),
        (["archive", "knowledge", "logging"], ".omoide/knowledge/user.md:11 (body)"),
        (["archive", "decision", "json-log"], "close: json-logs"),
        (["archive", "summary"], "rewritten"),
        (["promote", "knowledge", "logging"], "only decisions"),
        (["promote", "decision", "json-logs", "--slug", "logging"], "exists already"),
        (["promote", "decision", "json-logs", "--description", "See (#nothing)."], "no knowledge record `#nothing`"),
    ],
)
def test_a_refusal_says_why_and_changes_nothing(omoide: Run, workspace: Path, words: list[str], said: str) -> None:
    """T57: what may have been meant is named, never chosen."""
    put(workspace, k_logging=RULE, k_user=USER, d_json_logs=CHOICE)
    before = records(workspace)
    outcome = omoide(*words)
    assert outcome.code == 1
    assert said in outcome.err
    assert outcome.out == ""
    answer = omoide(*words, "--json")
    assert (answer.code, answer.json["status"], answer.json["changes"]) == (1, "refused", [])
    assert records(workspace) == before


def test_a_bad_slug_is_misuse(omoide: Run, workspace: Path) -> None:
    put(workspace, k_logging=RULE)
    for words in (["rename", "knowledge", "logging", "No Slug"], ["new", "knowledge", "--"], ["archive", "decision"]):
        assert omoide(*words).code == 2, words


def test_forced_archiving_says_what_dangles_and_keeps_a_tombstone(omoide: Run, workspace: Path) -> None:
    put(workspace, k_logging=RULE, k_user=USER)
    omoide("read", "knowledge", "logging")
    outcome = omoide("archive", "knowledge", "logging", "--force", "--reason", "nobody logs any more")
    assert outcome.code == 0
    assert ".omoide/knowledge/user.md:11 (body)" in outcome.err
    assert "read once" in outcome.err
    folder = workspace / ".omoide/memory/_archive" / run_id(outcome)
    assert (folder / "knowledge/logging.md").read_bytes() == RULE.encode()
    (entry,) = json.loads((folder / "manifest.json").read_text())["files"]
    assert (entry["op"], entry["reason"]) == ("delete", "archive: nobody logs any more")
    assert omoide("lint").code == 1


def test_archiving_says_which_paths_lead_nowhere_now_and_lint_finds_them(omoide: Run, workspace: Path) -> None:
    noted = RULE.replace("Never", "Replaces `decisions/json-logs`. Never")
    put(workspace, k_noted=noted, d_json_logs=CHOICE)
    (workspace / "README.md").write_text("[why](.omoide/memory/decisions/json-logs.md)\n")
    assert omoide("lint").code == 0
    outcome = omoide("archive", "decision", "json-logs")
    assert outcome.code == 0
    assert ".omoide/knowledge/noted.md:11 (place)" in outcome.err
    assert "README.md:1" in outcome.err
    found = omoide("lint", "--json").json["files"]
    assert ["unknown-place"] in [[problem["code"] for problem in file["diagnostics"]] for file in found]
    omoide("undo", run_id(outcome))
    answer = omoide("archive", "decision", "json-logs", "--json").json
    assert answer["referrers"] == [{"path": ".omoide/knowledge/noted.md", "line": 11, "via": "place"}]
    assert answer["mentions"] == [{"path": "README.md", "line": 1}]


def test_promotion_keeps_the_record_and_its_sources(omoide: Run, workspace: Path) -> None:
    """C5"""
    put(workspace, d_json_logs=CHOICE)
    outcome = omoide("promote", "decision", "json-logs", "--slug", "json-first")
    assert outcome.code == 0
    assert records(workspace)["memory/decisions/json-logs.md"] == CHOICE.encode()
    read = omoide("read", "knowledge", "json-first", "--json").json
    assert read["frontmatter"]["last_sources"] == [{"session_id": "s1", "range": [3, 4]}]
    assert read["frontmatter"]["model_invokation"] is False
    assert read["frontmatter"]["description"].startswith("Why we log as JSON.")
    assert omoide("lint").code == 0


def test_a_made_up_description_is_admitted(omoide: Run, workspace: Path) -> None:
    put(
        workspace, d_json_logs=CHOICE.replace("description: Why we log as JSON. Read before changing the format.\n", "")
    )
    outcome = omoide("promote", "decision", "json-logs")
    assert outcome.code == 0
    assert "made from its title" in outcome.err


def test_a_live_consolidation_is_not_raced(omoide: Run, workspace: Path) -> None:
    """A run may be about to refer to the name that would go."""
    from memory_core.layout import Layout
    from memory_core.store.filestore import FileStore

    put(workspace, k_logging=RULE)
    with FileStore(Layout(workspace / ".omoide")).consolidation_lock(()):
        outcome = omoide("rename", "knowledge", "logging", "log-lines")
    assert outcome.code == 1
    assert str(os.getpid()) in outcome.err
    assert list(records(workspace)) == ["knowledge/logging.md"]


def test_a_link_in_the_way_stops_the_whole_rename(omoide: Run, workspace: Path) -> None:
    """T41: all of a change or none of it."""
    put(workspace, k_logging=RULE, k_user=USER)
    target = workspace / ".omoide/memory/elsewhere.md"
    (workspace / ".omoide/knowledge/user.md").rename(target)
    (workspace / ".omoide/knowledge/user.md").symlink_to(target)
    before = records(workspace)
    outcome = omoide("rename", "knowledge", "logging", "log-lines")
    assert outcome.code == 1
    assert "symbolic link" in outcome.err
    assert records(workspace) == before


def test_search_tells_nothing_stored_from_nothing_matched(omoide: Run, workspace: Path) -> None:
    assert "Nothing stored" in omoide("search", "logs").out
    assert omoide("search", "logs", "--json").json == {"hits": [], "stored": 0}
    put(workspace, k_logging=RULE)
    assert "Nothing matched: 1 record searched" in omoide("search", "zebra").out
    assert omoide("search", "zebra", "--json").json == {"hits": [], "stored": 1}
    assert "there is no decision record yet" in omoide("search", "logs", "--kind", "decision").out
    found = omoide("search", "bodies")
    assert "#logging  2026-01-02" in found.out
    assert "1 hit in 1 record" in found.out
    assert omoide("search", "bodies", "--json").json["hits"][0]["updated_at"] == "2026-01-02T00:00:00Z"


def test_a_run_is_named_by_the_beginning_of_its_id_where_that_is_enough(omoide: Run, workspace: Path) -> None:
    first = run_id(omoide("new", "knowledge", "one-thing", "--description", "One."))
    second = run_id(omoide("new", "knowledge", "other-thing", "--description", "Other."))
    shared = next(at for at, (one, other) in enumerate(zip(first, second, strict=True)) if one != other)
    unclear = omoide("undo", first[:shared])
    assert (unclear.code, "2 runs begin with" in unclear.err) == (2, True)
    assert omoide("undo", second[: shared + 1]).code == 0
    assert (workspace / ".omoide/knowledge/one-thing.md").exists()
    assert not (workspace / ".omoide/knowledge/other-thing.md").exists()
