"""Closing is about what was said, not about a place in a file: staging files are edited, lost and brought back."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from memory_core.consolidate import by_hand
from memory_core.consolidate.undo import undo
from memory_core.errors import StoreError
from memory_core.layout import Layout
from memory_core.staging import Decision, Resolution, StagingFile, StagingSource, words_hash
from memory_core.store import staging_files
from memory_core.store.filestore import FileStore
from tests.store.test_store_staging import ONE, TWO, closing, staged


def rewrite(store: FileStore, staging_id: str, change: Callable[[dict[str, Any]], None]) -> None:
    """Edit a staging file by hand."""
    path = store.layout.staging / f"{staging_id}.json"
    data = json.loads(path.read_text(encoding="utf-8"))
    change(data)
    path.write_text(json.dumps(data), encoding="utf-8")


def said(store: FileStore) -> set[str]:
    area = store.staging()
    return {ref.candidate.chosen for f in area.files for ref in f.candidates() if ref.id in area.open}  # type: ignore[union-attr]


def test_a_candidate_that_moves_to_a_closed_ones_place_is_still_open(store: FileStore) -> None:
    """The first one was closed and then taken out by hand; the second one was never decided about."""
    store.stage(staged(ONE, decisions=3))
    store.close([closing(f"{ONE}/decisions/0")])
    rewrite(store, ONE, lambda data: data["decisions"].pop(0))
    assert said(store) == {"d1", "d2"}
    store.close([closing(f"{TWO}/decisions/0")])  # which archives files without open candidates
    assert said(store) == {"d1", "d2"}


def test_of_two_that_say_the_same_only_the_one_that_was_closed_is(store: FileStore) -> None:
    """A person closes the second as a duplicate of the first, which is in no record yet."""
    store.stage(staged(ONE, decisions=3))
    rewrite(store, ONE, lambda data: data["decisions"][1].update(chosen="d0"))
    store.close([closing(f"{ONE}/decisions/1")])
    assert store.staging().open == {f"{ONE}/decisions/0", f"{ONE}/decisions/2"}
    rewrite(store, ONE, lambda data: data["decisions"].insert(0, data["decisions"].pop()))
    assert said(store) == {"d0", "d2"}
    store.close([closing(f"{ONE}/decisions/{n}") for n in (0, 1, 2)])
    assert not store.staging().open
    store.reopen([closing(f"{ONE}/decisions/1", "kept")])
    assert len(store.staging().open) == 1


def test_one_put_in_front_does_not_open_the_closed_one(store: FileStore) -> None:
    store.stage(staged(ONE, decisions=2))
    store.close([closing(f"{ONE}/decisions/0")])
    rewrite(store, ONE, lambda data: data["decisions"].insert(0, {"chosen": "new"}))
    assert said(store) == {"new", "d1"}


def test_one_that_was_reworded_while_a_run_decided_is_not_closed_by_it(store: FileStore) -> None:
    """The run says what it read; a person saved other words meanwhile."""
    store.stage(staged(ONE))
    read = words_hash(Decision(chosen="d0"))
    rewrite(store, ONE, lambda data: data["decisions"][0].update(chosen="d0, but only on Fridays"))
    store.close([closing(f"{ONE}/decisions/0").model_copy(update={"said": read})])
    assert said(store) == {"d0, but only on Fridays"}


def test_lines_of_earlier_versions_close_by_place_and_are_opened_again(store: FileStore) -> None:
    store.stage(staged(ONE, decisions=2))
    line = closing(f"{ONE}/decisions/0").model_dump_json(exclude_none=True)
    assert "said" not in line
    store.layout.resolutions.write_text(line + "\n", encoding="utf-8")
    assert said(store) == {"d1"}
    store.reopen([closing(f"{ONE}/decisions/0", "kept")])
    assert said(store) == {"d0", "d1"}


def consolidated(store: FileStore, run_id: str = "run") -> str:
    """A store in which a run made a record of a candidate; the record's path."""
    path = "memory/decisions/d0.md"
    head = "---\ncreated_at: 2026-01-01T00:00:00Z\nupdated_at: 2026-01-01T00:00:00Z\nstatus: open\nsources: []\n---\n"
    from memory_core.changes import ChangeSet, FileChange

    store.commit(ChangeSet({path: FileChange(path, None, f"{head}d0\n")}), run_id=run_id, reason="consolidate")
    done = closing(f"{ONE}/decisions/0", "applied", run_id).model_copy(update={"records": ("decision/d0",)})
    store.close([done])
    return path


@pytest.mark.parametrize("damage", ["gone", "cut"])
def test_undo_keeps_a_record_whose_candidate_cannot_be_staged_again(store: FileStore, damage: str) -> None:
    """It said that the candidate was staged again, and neither the record nor the candidate was anywhere."""
    store.stage(staged(ONE))
    path = consolidated(store)
    (archived,) = store.layout.archive.glob("*/memory/_staging/*.json")
    if damage == "gone":
        archived.unlink()
    else:
        archived.write_bytes(archived.read_bytes()[:40])
    result = undo(store, "run")
    assert result.reopened == ()
    assert path in result.conflicts
    assert (store.layout.root / path).is_file()
    assert [how for how in store.closed() if how.run_id == "run"]


def test_undo_of_a_run_of_which_the_archive_has_nothing_says_so(store: FileStore) -> None:
    store.stage(staged(ONE))
    store.close([closing(f"{ONE}/decisions/0")])
    (archived,) = store.layout.archive.glob("*/memory/_staging/*.json")
    archived.unlink()
    with pytest.raises(StoreError, match="cannot be taken back"):
        undo(store, "run")


def test_what_was_archived_last_comes_back_whatever_the_clock_said(root: Path) -> None:
    """Names of runs begin with their time: after the clock was set back the older copy came last, and an edit of the
    person's was gone."""
    store = FileStore(Layout(root))
    store.stage(staged(ONE))
    later, earlier = "01990000-0000-7000-8000-000000000000", "01910000-0000-7000-8000-000000000000"
    consolidated(store, later)
    undo(store, later)
    by_hand.edit(store, f"{ONE}/decisions/0", by_hand.text_of(Decision(chosen="d0, on Fridays")))
    consolidated(store, earlier)
    undo(store, earlier, now=lambda: datetime.now(UTC) - timedelta(days=900))
    assert said(store) == {"d0, on Fridays"}


def test_a_run_can_be_undone_after_git_changed_the_line_ends(store: FileStore) -> None:
    """`core.autocrlf` rewrites them at a checkout; every run before it was "changed since"."""
    store.stage(staged(ONE))
    path = store.layout.root / consolidated(store)
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    result = undo(store, "run")
    assert result.conflicts == {}
    assert not path.exists()
    assert said(store) == {"d0"}


def test_a_file_that_an_undo_brings_back_is_not_archived_under_its_hands(
    store: FileStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between bringing the file back and opening its candidates another process closed one: the file went away again,
    and the candidate was neither staged nor closed."""
    store.stage(staged(ONE))
    store.stage(staged(TWO))
    consolidated(store)
    others: list[threading.Thread] = []
    real = staging_files._append

    def append(layout: Layout, resolutions: list[Resolution]) -> None:
        if resolutions[0].action == "kept":
            others.append(threading.Thread(target=store.close, args=([closing(f"{TWO}/decisions/0")],)))
            others[0].start()
            others[0].join(0.2)  # it has to wait; without a lock it is done long before
        real(layout, resolutions)

    monkeypatch.setattr(staging_files, "_append", append)
    assert undo(store, "run").reopened == (f"{ONE}/decisions/0",)
    others[0].join()
    assert said(store) == {"d0"}
    assert (store.layout.staging / f"{ONE}.json").is_file()


def test_editing_a_candidate_keeps_what_is_not_known_in_its_file(store: FileStore) -> None:
    store.stage(
        StagingFile(
            id=ONE,
            source=StagingSource(session_id="s", range=(0, 9)),
            decisions=(Decision(chosen="d0"), Decision(chosen="d1")),
        )
    )

    def note(data: dict[str, Any]) -> None:
        data["note"] = "ask Ana"
        data["decisions"][0]["remark"] = "hers"
        data["decisions"][1]["remark"] = "mine"

    rewrite(store, ONE, note)
    by_hand.edit(store, f"{ONE}/decisions/0", by_hand.text_of(Decision(chosen="d0 indeed", options=("d0", "e0"))))
    data = json.loads((store.layout.staging / f"{ONE}.json").read_text(encoding="utf-8"))
    assert data["note"] == "ask Ana"
    assert [d["remark"] for d in data["decisions"]] == ["hers", "mine"]
    assert said(store) == {"d0 indeed", "d1"}
    assert data["decisions"][0]["options"] == ["d0", "e0"]
