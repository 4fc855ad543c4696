"""A summary that is emptied is lost content, in a young store too; one that is rewritten is not."""

from __future__ import annotations

from memory_core.changes import ChangeSet, FileChange
from memory_core.consolidate.loss import too_much
from memory_core.layout import SUMMARY_PATH
from memory_core.snapshot import snapshot_of

HEAD = "---\nupdated_at: 2026-01-01T00:00:00Z\n---\n\n"
BEFORE = (
    HEAD
    + "# Summary\n\n"
    + "".join(f"- The {word} service runs on its own host\n" for word in ("api", "mail", "job", "log", "tax"))
)


def _verdict(after: str | None) -> str | None:
    base = snapshot_of({SUMMARY_PATH: BEFORE})
    return too_much(base, ChangeSet({SUMMARY_PATH: FileChange(SUMMARY_PATH, BEFORE, after)}))


def test_an_emptied_summary_is_held_however_few_records_there_are() -> None:
    """T42: the one record that may be rewritten in a young store must not be the summary, and gone."""
    assert "summary would lose nearly all" in str(_verdict(HEAD + "# Summary\n\nNothing at all.\n"))


def test_a_summary_in_other_words_goes_through() -> None:
    other = (
        HEAD
        + "# Overview\n\n"
        + "".join(f"- Every {w} machine hosts one daemon alone\n" for w in ("web", "post", "task", "trace", "duty"))
    )
    assert _verdict(other) is None
