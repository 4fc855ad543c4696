"""One way to ask the linter in tests: a fixture in, all its diagnostics compared with the expected lines."""

from __future__ import annotations

from memory_core.diagnostic import Diagnostic
from memory_core.lint.check import Severities, check, check_all
from memory_core.lint.fix import apply_fixes
from memory_core.testing import fixture
from memory_core.text import Range

DATES = "created_at: 2026-01-01T00:00:00Z\nupdated_at: 2026-01-02T00:00:00Z\n"
SOURCE = "  - session_id: s-1\n    range: [3, 17]\n"


def decision(more: str = "status: open\n", body: str = "We chose.\n", sources: str = "sources: []\n") -> str:
    return f"---\n{DATES}{sources}{more}---\n\n{body}"


def request(body: str = "Please.\n", sources: str = "sources: []\n", more: str = "") -> str:
    return f"---\n{DATES}{sources}{more}---\n\n{body}"


def knowledge(body: str = "It is so.\n", description: str = "description: What it is.\n", more: str = "") -> str:
    flags = "model_invokation: false\nuser_invocable: true\n"
    return f"---\n{DATES}kind: fact\n{description}{flags}last_sources: []\n{more}---\n\n{body}"


def workflow(more: str = "", body: str = "1. Do.\n") -> str:
    return f"---\ndescription: Do it.\n{more}---\n\n{body}"


def summary(body: str = "Now.\n", more: str = "") -> str:
    return f"---\nupdated_at: 2026-01-02T00:00:00Z\n{more}---\n\n{body}"


def check_lint(source: str, *, severities: Severities | None = None) -> None:
    """All diagnostics of all files are exactly the expected ones; of a range over lines its first line is compared."""
    given = fixture(source)
    snapshot = given.snapshot
    found = sorted(
        (path, _first_line(d.range, given.texts[path]), d.code)
        for path, diagnostics in check_all(snapshot, severities).items()
        for d in diagnostics
    )
    expected = sorted(
        (path, (span.start.line, span.start.character, span.end.character), code) for path, span, code in given.expected
    )
    assert found == expected


def _first_line(span: Range, text: str) -> tuple[int, int, int]:
    end = span.end.character if span.end.line == span.start.line else len(text.split("\n")[span.start.line])
    return span.start.line, span.start.character, end


def diagnostics(source: str, path: str) -> list[Diagnostic]:
    return check(fixture(source).snapshot, path)


def codes(source: str, path: str) -> list[str]:
    return [d.code for d in diagnostics(source, path)]


def fixed(source: str, path: str) -> str | None:
    """The text after `lint --fix`, which a second run must leave alone."""
    snapshot = fixture(source).snapshot
    text = apply_fixes(snapshot, path)
    if text is not None:
        assert apply_fixes(snapshot.with_texts({path: text}), path) is None
    return text
