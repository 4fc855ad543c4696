"""Nothing that a record, log, session or setting says steers the terminal of who reads it (bug class: escapes)."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest

from memory_core.cli.app import Context
from tests.cli.conftest import Run
from tests.hardening.stores import RECORDS, talk

# Move the cursor, retitle the window, open a link, ring, a C1 introducer in one character, text turned round.
HOSTILE = "\x1b[2J\x1b]0;title\x07\x1b]8;;http://x\x1b\\\x9b31m\x85\u202e\u2066[link=x][red]\r\x08\U000e0052\U000e0075"
STEERS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\U000e0000-\U000e007f]")

COMMANDS = (
    ("status",), ("doctor",), ("audit",), ("lint",), ("lint", "--format", "github"), ("search", "exports"),
    ("read", "decision", "keep-exports-ninety-days"), ("read", "knowledge", "house-rule"), ("staging",), ("sessions",),
    ("sessions", "show", "--log", "talk.jsonl"), ("extract", "--log", "talk.jsonl", "--dry-run"),
    ("extract", "--log", "talk.jsonl"), ("staging",), ("consolidate", "--dry-run"), ("consolidate",), ("lint",),
    ("context",), ("expand", "See #house-rule."), ("usage", "report"), ("usage", "report", "--csv"),
    ("rename", "decision", "keep-exports-ninety-days", "other", "--dry-run"),
    ("archive", "decision", "keep-exports-ninety-days", "--reason", HOSTILE, "--dry-run"),
    ("new", "knowledge", HOSTILE), ("read", "decision", HOSTILE), ("undo", HOSTILE), ("explain", HOSTILE),
    ("search", HOSTILE), ("sessions", "show", HOSTILE), ("nonsense" + HOSTILE,), ("lint", "--format", HOSTILE),
)  # fmt: skip


@pytest.fixture
def hostile(workspace: Path) -> Path:
    root = workspace / ".omoide"
    for path, text in RECORDS.items():
        (root / path).write_text(text.replace("exports", f"exports {HOSTILE}", 1), encoding="utf-8")
    (root / "memory/summary.md").write_text(f"---\n{HOSTILE}: 1\n---\n{HOSTILE} #no\u202esuch\n", encoding="utf-8")
    (root / f"knowledge/bad\x1b[2J\x9b\u202ename{'x'}.md").write_text("x", encoding="utf-8")
    (root / "config.toml").write_text(
        f'[memory]\n"bad\\u001b[2J\\u009b" = 1\nlanguage = 3\n[lint]\n"{"a"}\\u001b" = "x"\n'
    )
    (root / "memory/_staging").mkdir(exist_ok=True)
    (root / "memory/_staging/bad\x1b[2J.json").write_text(json.dumps({HOSTILE: HOSTILE}), encoding="utf-8")
    (root / "memory/_usage").mkdir()
    event = {"event": "use", "at": HOSTILE, "source": HOSTILE, "records": [{"kind": "knowledge", "slug": HOSTILE}]}
    (root / "memory/_usage/events.jsonl").write_text(json.dumps(event) + "\n", encoding="utf-8")
    talk(
        workspace, (("user", f"We decided to keep exports for ninety days {HOSTILE} because."), ("assistant", HOSTILE))
    )
    return workspace


def test_no_command_passes_on_what_steers_a_terminal(omoide: Run, hostile: Path) -> None:
    for arguments in COMMANDS:
        for form in ((), ("--json",)):
            outcome = omoide(*form, *arguments)
            for name, text in (("stdout", outcome.out), ("stderr", outcome.err)):
                found = STEERS.search(text)
                assert not found, (
                    f"{form} {arguments} on {name}: {text[max(0, found.start() - 60) : found.end() + 20]!r}"
                )
            assert "internal error" not in outcome.err, f"{form} {arguments}: {outcome.err}"


@pytest.mark.skipif(os.name != "posix", reason="names of files with line ends")
def test_no_name_key_or_setting_begins_a_line_of_its_own(omoide: Run, workspace: Path) -> None:
    """Where GitHub Actions reads the lines, one that begins so is a command, and this one ends all others."""
    root, forged = workspace / ".omoide", "\n::stop-commands::x"
    record = RECORDS["knowledge/house-rule.md"]
    odd = record.replace("---\n", f"---\n{json.dumps('odd' + forged)}: 1\ndescription: {json.dumps('d' + forged)}\n", 1)
    (root / f"knowledge/a{forged}.md").write_text(record, encoding="utf-8")
    (root / f"knowledge/folder{forged}").mkdir()
    (root / f"knowledge/folder{forged}/a.md").write_text(record, encoding="utf-8")
    (root / "knowledge/odd.md").write_text(re.sub(r"(?m)^description: (?!\"d).*\n", "", odd), encoding="utf-8")
    names = [json.dumps(f"{name}{forged}") for name in ("a", "b", "c", "d")]
    settings = (
        f"{names[0]} = 1\n[memory]\n{names[1]} = 1\n[lint]\n{names[2]} = 'error'\n[provider]\nname = {names[3]}\n"
    )
    (root / "config.toml").write_text(settings, encoding="utf-8")
    for arguments in (
        ("lint",), ("lint", "--format", "github"), ("audit",), ("status",), ("doctor",), ("search", "stop"),
        ("context",), ("consolidate", "--dry-run"), ("extract",),
    ):  # fmt: skip
        outcome = omoide(*arguments)
        lines = [line for line in (outcome.out + outcome.err).split("\n") if line.strip().startswith("::stop")]
        assert not lines, f"{arguments}: {lines}"
    assert "::stop-commands::x" in omoide("lint").out


def test_json_says_the_same_with_escapes(capsys: pytest.CaptureFixture[str]) -> None:
    """Escaped in JSON, not taken away: a program reads the text as it is."""
    Context(Path()).print_json({"text": HOSTILE})
    said = capsys.readouterr().out
    assert not STEERS.search(said)
    assert json.loads(said) == {"text": HOSTILE}


def test_a_traceback_in_the_log_steers_no_terminal() -> None:
    import logging

    from memory_core.cli.main import _OneLine

    try:
        raise ValueError(HOSTILE)
    except ValueError as error:
        record = logging.LogRecord(
            "x", logging.ERROR, "f", 1, "failed", None, (type(error), error, error.__traceback__)
        )
    text = _OneLine("omoide: %(message)s").format(record)
    assert "ValueError" in text
    assert not STEERS.search(text)
