"""One implementation of fixes: chosen one by one in the editor, all at once there, or on the command line."""

from __future__ import annotations

import tempfile
from pathlib import Path

from hypothesis import given, settings

from memory_core.cli.app import Context
from memory_core.cli.lint_fix import write_fixes
from memory_core.ide.actions import FIX_ALL, QUICK_FIX, Asked, Edit, FixAll, Made, Offer, Told, made, offers
from memory_core.ide.view import view_of
from memory_core.lint.check import check
from memory_core.lint.fix import apply_fixes, certain, fixed
from memory_core.snapshot import Snapshot, snapshot_of
from memory_core.text import ORIGIN, apply_edits
from memory_core.workspace import open_workspace
from tests.lint.test_lint_fix import around, records

NOW = "2026-03-01T09:00:00Z"


def offered(snapshot: Snapshot, path: str, only: str) -> list[Offer]:
    told = [Told(d.code, d.message, d.range) for d in check(snapshot, path)]
    view = view_of(snapshot.documents[path])
    return offers(snapshot, view, Asked(ORIGIN, told, (only,)), NOW)


def by_hand(snapshot: Snapshot, path: str) -> str:
    """The text when a person takes the first certain quick fix again and again."""
    for _ in range(40):
        found = check(snapshot, path)
        text = snapshot.documents[path].text
        sure = (
            offer.plan
            for offer in offered(snapshot, path, QUICK_FIX)
            if offer.preferred and offer.solves is not None and certain(found[offer.solves])
        )
        plan = next(sure, None)
        if plan is None:
            return text
        assert isinstance(plan, Edit)
        snapshot = snapshot.with_texts({path: apply_edits(text, plan.edits)})
    raise AssertionError("Fixes that never end.")


def at_once(snapshot: Snapshot, path: str) -> str:
    """The text after the editor's `source.fixAll`."""
    (offer,) = (offer for offer in offered(snapshot, path, FIX_ALL) if offer.kind == FIX_ALL)
    assert isinstance(offer.plan, FixAll)
    document = snapshot.documents[path]
    done = made(snapshot, view_of(document), offer.plan, NOW)
    assert isinstance(done, Made)
    return apply_edits(document.text, done.edits)


def readable(snapshot: Snapshot, path: str) -> bool:
    record = snapshot.documents[path].record
    return bool(record and record.head and not record.head.broken)


@settings(max_examples=400, deadline=None)
@given(records())
def test_one_by_one_or_all_at_once_is_the_same_text(given_record: tuple[str, str]) -> None:
    path, text = given_record
    snapshot = around(path, text)
    whole = apply_fixes(snapshot, path)
    after = text if whole is None else whole
    assert at_once(snapshot, path) == after
    if readable(snapshot, path):
        assert by_hand(snapshot, path) == after


@settings(max_examples=200, deadline=None)
@given(records())
def test_what_is_listed_is_what_was_done(given_record: tuple[str, str]) -> None:
    path, text = given_record
    done = fixed(around(path, text), path)
    if done is None:
        return
    before = [d.code for d in check(around(path, text), path) if certain(d)]
    assert done.applied
    # Every problem that had a certain fix is in the list; more may be, which an earlier fix made possible.
    assert set(before) <= {fix.code for fix in done.applied}
    assert all(fix.title for fix in done.applied)


@settings(max_examples=25, deadline=None)
@given(records())
def test_the_command_writes_what_the_editor_would(given_record: tuple[str, str]) -> None:
    path, text = given_record
    snapshot = around(path, text)
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / ".omoide/memory").mkdir(parents=True)
        workspace = open_workspace(Path(folder), {"HOME": folder, "OMOIDE_CONFIG": f"{folder}/none.toml"})
        root = workspace.layout.root
        for name, document in snapshot.documents.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_bytes(document.text.encode())
        texts = {name: (root / name).read_bytes().decode() for name in snapshot.documents}
        write_fixes(Context(Path(folder)), workspace, snapshot_of(texts), [path])
        assert (root / path).read_bytes().decode() == at_once(snapshot, path)
