"""What tidying is told of the store as a whole."""

from __future__ import annotations

from memory_core.config import MemorySettings
from memory_core.consolidate.tidy import tidy_hints
from memory_core.snapshot import snapshot_of
from tests.lint.lint_fixture import knowledge

BODY = "We retry a failed request with a pause before giving up, and log each of the attempts.\n"


def codes(lines: tuple[str, ...]) -> list[str]:
    return [line.split(": ")[1].split(" ")[1] for line in lines]


def test_records_that_say_the_same_are_named() -> None:
    """T27: the linter that feeds the hints knows what `omoide lint` knows."""
    texts = {"knowledge/retry.md": knowledge(BODY), "knowledge/attempts.md": knowledge(BODY)}
    hints = tidy_hints(snapshot_of(texts))
    assert codes(hints.warnings) == ["near-duplicate", "near-duplicate"]
    assert "`#retry`" in hints.warnings[0]
    assert codes(tidy_hints(snapshot_of(texts), {"near-duplicate": None}).warnings) == []


def test_what_does_not_fit_into_the_resident_context_is_named() -> None:
    text = knowledge(BODY).replace("model_invokation: false", "model_invokation: true")
    snapshot = snapshot_of({"knowledge/retry.md": text})
    assert codes(tidy_hints(snapshot, None, MemorySettings(resident_token_budget=1)).warnings) == [
        "over-resident-budget"
    ]
    assert codes(tidy_hints(snapshot, None, MemorySettings()).warnings) == []
    assert codes(tidy_hints(snapshot).warnings) == []
