"""The summary's block follows the records: a rename and an archive change its lines, and nothing outside of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from memory_core.agents.text_edit import with_block
from memory_core.changes import ChangeSet
from memory_core.records.schema import Kind, RecordRef
from memory_core.records.summary_block import BEGIN, END, block_in, is_mark, without_marks
from memory_core.refactor.archive import archive, own_lines
from memory_core.refactor.referrers import Refusal
from memory_core.refactor.rename import rename, renaming
from memory_core.search import search_records
from memory_core.snapshot import snapshot_of
from memory_core.text import apply_edits
from tests.cli.conftest import Run, folder, home, omoide, workspace  # noqa: F401 - fixtures

HEAD = "---\nupdated_at: 2026-01-02T00:00:00Z\n---\n"
OURS = "- 2026-01-01: Use A (decisions/use-a)\n"
BLOCK = f"{BEGIN}\n\n## Decisions that hold\n\n{OURS}- Use B (decisions/use-ab)\n- Ask (requests/use-a)\n\n{END}\n"
SUMMARY = f"{HEAD}\n# Summary\n\n{OURS}\n{BLOCK}\n{OURS}"
PATH = "memory/summary.md"
DECISION = "---\nstatus: open\n---\n\n# Use A\n\nBecause.\n"
USE_A = RecordRef(Kind.DECISION, "use-a")


def texts(summary: str = SUMMARY) -> dict[str, str]:
    return {PATH: summary, "memory/decisions/use-a.md": DECISION}


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_a_rename_rewrites_the_line_in_the_block_and_what_people_wrote_beside_it(newline: str) -> None:
    before = SUMMARY.replace("\n", newline)
    plan = rename(snapshot_of(texts(before)), Kind.DECISION, "use-a", "1234")
    assert isinstance(plan, ChangeSet)
    after = SUMMARY.replace("(decisions/use-a)", "(decisions/1234)").replace("\n", newline)
    assert plan.files[PATH].after == after


def test_the_editor_is_given_the_same_as_edits() -> None:
    plan = renaming(snapshot_of(texts()), USE_A, "use-c")
    assert not isinstance(plan, Refusal)
    (file,) = [file for file in plan.files if file.path == PATH]
    assert (len(file.edits), apply_edits(file.text, file.edits)) == (3, plan.after[PATH])


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_an_archive_drops_the_line_in_the_block_only(newline: str) -> None:
    before = SUMMARY.replace("\n", newline)
    plan = archive(snapshot_of(texts(before)), USE_A)
    assert isinstance(plan, ChangeSet)
    assert plan.files[PATH].after == SUMMARY.replace(BLOCK, BLOCK.replace(OURS, "")).replace("\n", newline)


@pytest.mark.parametrize("summary", [f"{HEAD}\n{OURS}", f"{HEAD}\n{BEGIN}\n{OURS}", f"{HEAD}\n{BEGIN}\n- A\n{END}\n"])
def test_a_summary_without_such_a_line_stays(summary: str) -> None:
    plan = archive(snapshot_of(texts(summary)), USE_A)
    assert isinstance(plan, ChangeSet)
    assert PATH not in plan.files


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("rest", ["", "\nAnn knows more.\n"])
def test_what_a_person_wrote_into_the_block_of_their_own_stays_below_it(newline: str, rest: str) -> None:
    own = "- 2026-01-01: Never without Ann's word [open]"
    summary = f"{HEAD}\n{BLOCK.replace(OURS, f'{OURS}{own} (decisions/use-a)' + chr(10))}{rest}".replace("\n", newline)
    snapshot = snapshot_of(texts(summary))
    assert own_lines(snapshot, USE_A) == (own,)
    plan = archive(snapshot, USE_A)
    assert isinstance(plan, ChangeSet)
    expected = f"{HEAD}\n{BLOCK.replace(OURS, '')}".rstrip("\n") + f"\n\n{own}\n{rest}"
    assert plan.files[PATH].after == expected.replace("\n", newline)


def test_a_line_that_a_run_cut_or_made_safe_is_its_own() -> None:
    record = "---\nstatus: open\n---\n\n# Use  C#\\#a instead, because it is <!-- x -->\n"
    line = "- 2026-01-01: Use C#\\#a instead, because it is &lt;!--… [open] (decisions/use-a)\n"
    snapshot = snapshot_of({**texts(SUMMARY.replace(OURS, line)), "memory/decisions/use-a.md": record})
    assert own_lines(snapshot, USE_A) == ()


def test_a_summary_whose_head_never_ends_is_repaired_first() -> None:
    snapshot = snapshot_of(texts(f"---\nupdated_at: x\n{BLOCK}"))
    for plan in (rename(snapshot, Kind.DECISION, "use-a", "use-c"), archive(snapshot, USE_A)):
        assert isinstance(plan, Refusal)
        assert "repair it first" in plan.reason
    forced = archive(snapshot, USE_A, force=True)
    assert isinstance(forced, ChangeSet)
    assert list(forced.files) == ["memory/decisions/use-a.md"]


def test_undo_gives_the_line_back(omoide: Run, workspace: Path) -> None:  # noqa: F811
    root = workspace / ".omoide"
    (root / "memory/decisions").mkdir(parents=True, exist_ok=True)
    for path, text in texts(f"{HEAD}\n# Summary\n\nWhat holds.\n\n{BLOCK}").items():
        (root / path).write_bytes(text.encode())
    done = omoide("rename", "decision", "use-a", "use-c")
    assert ".omoide/memory/summary.md:13 (summary line)" in done.out
    assert (root / PATH).read_text().count("decisions/use-c") == 1
    gone = omoide("archive", "decision", "use-c", "--json").json
    assert "decisions/use-c" not in (root / PATH).read_text()
    assert omoide("undo", gone["run_id"]).code == 0
    assert (root / PATH).read_text().count("decisions/use-c") == 1


def test_marks_are_shown_to_nobody() -> None:
    assert is_mark(f"  {BEGIN}\r")
    assert not is_mark(f"see {BEGIN}")
    shown = without_marks(BLOCK.replace("\n", "\r\n"))
    assert shown.startswith("## Decisions that hold\r\n\r\n- 2026")
    assert "omoide:" not in shown
    for query in ("decisions", "omoide begin end", "ask"):
        for hit in search_records(snapshot_of(texts()), query, excerpt_lines=20):
            assert "<!--" not in hit.excerpt


def test_a_block_whose_end_was_lost_reaches_over_nothing_of_people() -> None:
    """The next run puts a second block at the end; what stands between the two is nobody's to replace."""
    text = f"{BEGIN}\n\nOurs.\n\n## People\n\nAnn knows.\n"
    assert block_in(text) is None
    once = with_block(text, "New.")
    assert once == f"{text}\n{BEGIN}\nNew.\n{END}\n"
    assert with_block(once, "Newer.") == f"{text}\n{BEGIN}\nNewer.\n{END}\n"
