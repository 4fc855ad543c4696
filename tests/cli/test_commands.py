"""The command line as a contract: exit codes, JSON shapes, one clear line for what is wrong."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from memory_core.cli.main import global_options_first
from tests.cli.conftest import Run

RECORD = """---
created_at: 2026-01-01T00:00:00Z
updated_at: 2026-01-01T00:00:00Z
kind: rule
description: How we log. Read before adding a log line.
model_invokation: false
user_invocable: true
last_sources: []
---

Never log request bodies.
"""


def test_global_options_may_stand_anywhere_before_a_double_dash() -> None:
    assert global_options_first(["lint", "a", "--json", "--workspace", "w"]) == [
        "--json",
        "--workspace",
        "w",
        "lint",
        "a",
    ]
    assert global_options_first(["search", "--", "--json"]) == ["search", "--", "--json"]


def test_without_a_root_every_command_says_what_to_do(omoide: Run, folder: Path) -> None:
    for words in (["lint"], ["read", "summary"], ["search", "x"], ["status"], ["usage"], ["staging"], ["extract"]):
        outcome = omoide(*words)
        assert outcome.code == 2, words
        assert "omoide init" in outcome.err
        assert "Traceback" not in outcome.err
    assert list(folder.iterdir()) == [], "no command but init makes a root"


def test_init_says_what_it_made_and_what_comes_next(omoide: Run, folder: Path) -> None:
    outcome = omoide("init")
    assert outcome.code == 0
    assert "created .omoide/config.toml" in outcome.out
    assert "omoide sessions" in outcome.out
    assert "complete already" in omoide("init").out


def test_misuse_is_exit_2(omoide: Run, workspace: Path) -> None:
    for words in (
        ["nonsense"],
        ["read"],
        ["read", "decision"],
        ["read", "decision", "Not A Slug"],
        ["read", "summary", "slug"],
        ["extract", "--all", "--log", "x"],
        ["--workspace", "missing", "lint"],
        ["extract", "--log", "missing.jsonl"],
        ["search", " "],
    ):
        outcome = omoide(*words)
        assert outcome.code == 2, (words, outcome)
        assert outcome.out == ""
        assert outcome.err.strip()


def test_read_prints_the_record_and_is_a_use(omoide: Run, workspace: Path) -> None:
    """D2: an explicit read is a use; F2: recorded as a usage event."""
    (workspace / ".omoide/knowledge/logging.md").write_text(RECORD)
    outcome = omoide("read", "knowledge", "logging", "--json")
    assert outcome.code == 0
    assert outcome.json["path"] == ".omoide/knowledge/logging.md"
    assert outcome.json["frontmatter"]["kind"] == "rule"
    assert outcome.json["body"] == "\nNever log request bodies.\n"
    assert "Never log request bodies." in omoide("read", "knowledge", "#logging", "--actor", "human").out
    lines = (workspace / ".omoide/memory/_usage/events.jsonl").read_text().splitlines()
    events = [json.loads(line) for line in lines]
    assert [e["source"] for e in events] == ["MemoryRead", "MemoryRead"]
    assert [e["actor"] for e in events] == ["agent", "human"]
    assert events[0]["records"][0]["file_bytes"] == len(RECORD.encode())
    report = omoide("usage", "report", "--json").json["records"]
    assert [(r["kind"], r["slug"], r["use_count"]) for r in report] == [("knowledge", "logging", 2)]
    assert "knowledge/logging" in omoide("usage", "report").out
    long = "a-name-of-many-words-that-is-as-long-as-names-may-well-be"
    assert omoide("new", "knowledge", long).code == 0
    assert omoide("read", "knowledge", long).code == 0
    assert f"knowledge/{long}" in omoide("usage", "report").out, "a name that is folded cannot be copied"


def test_a_failed_read_is_no_use(omoide: Run, workspace: Path) -> None:
    outcome = omoide("read", "knowledge", "loging")
    assert outcome.code == 1
    assert not (workspace / ".omoide/memory/_usage/events.jsonl").exists()


def test_an_unknown_slug_is_answered_with_the_closest(omoide: Run, workspace: Path) -> None:
    (workspace / ".omoide/knowledge/logging.md").write_text(RECORD)
    assert "close: logging" in omoide("read", "knowledge", "loging").err


def test_an_unwritable_usage_log_does_not_take_the_read_away(
    omoide: Run, workspace: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (workspace / ".omoide/knowledge/logging.md").write_text(RECORD)
    (workspace / ".omoide/memory/_usage").write_text("a file in the way")
    outcome = omoide("read", "knowledge", "logging")
    assert outcome.code == 0
    assert "Never log request bodies." in outcome.out
    assert "was not recorded" in caplog.text


def test_search_finds_records_and_is_never_a_use(omoide: Run, workspace: Path) -> None:
    """D2: query hits are not use."""
    (workspace / ".omoide/knowledge/logging.md").write_text(RECORD)
    (workspace / ".omoide/knowledge/cache.md").write_text(
        RECORD.replace("Never log request bodies.", "記憶を消さない。")
    )
    hits = omoide("search", "request bodies", "--json").json["hits"]
    assert [(h["kind"], h["slug"]) for h in hits][:1] == [("knowledge", "logging")]
    assert set(hits[0]) >= {"kind", "slug", "description", "excerpt", "line", "score"}
    assert [h["slug"] for h in omoide("search", "記憶", "--json").json["hits"]] == ["cache"]
    assert not (workspace / ".omoide/memory/_usage/events.jsonl").exists()


@pytest.mark.parametrize("kind", ["decision", "request", "knowledge", "workflow", "summary"])
def test_a_new_record_is_lint_clean_and_never_overwrites(omoide: Run, workspace: Path, kind: str) -> None:
    words = ["new", kind] if kind == "summary" else ["new", kind, "a-slug"]
    made = omoide(*words, "--json")
    assert made.code == 0, made
    path = Path(made.json["path"])
    before = path.read_bytes()
    assert omoide("lint", "--warnings-as-errors").code == 0
    again = omoide(*words)
    assert again.code == 1
    assert "exists already" in again.err
    assert path.read_bytes() == before


def test_settings_problems_are_said_with_their_place(omoide: Run, workspace: Path) -> None:
    (workspace / ".omoide/config.toml").write_text(
        '[memory]\nextract_threshhold = 5\n[provider]\nbase_url = "http://x"\n'
    )
    err = omoide("status").err
    assert "config.toml:2:1" in err
    assert "did you mean `extract_threshold`" in err
    assert "is ignored in a workspace that is not trusted" in err


def test_a_trusted_workspace_keeps_its_provider(omoide: Run, workspace: Path, home: Path) -> None:
    (workspace / ".omoide/config.toml").write_text('[provider]\nname = "openai"\nbase_url = "http://127.0.0.1:1"\n')
    (home / "config.toml").write_text(f'[trust]\nworkspaces = ["{workspace}"]\n')
    assert "not trusted" not in omoide("status").err


def test_status_explains_what_waits(omoide: Run, workspace: Path) -> None:
    """T07: no state without an explanation."""
    facts = omoide("status", "--json").json
    assert facts["staging"]["candidates"] == 0
    assert facts["staging"]["why"]
    assert "omoide extract" in facts["sessions"]["why"]


def test_control_characters_of_a_record_do_not_reach_the_terminal(omoide: Run, workspace: Path) -> None:
    (workspace / ".omoide/knowledge/logging.md").write_text(RECORD + "\x1b]0;owned\x07\u202eevil\n")
    out = omoide("read", "knowledge", "logging").out
    assert "\x1b" not in out
    assert "\u202e" not in out
    assert "\\x1b]0;owned" in out
