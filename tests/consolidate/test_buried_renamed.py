"""A record that a person gave another title and another name, and then took out of memory, does not come back."""

from __future__ import annotations

from typing import Any

import pytest

from memory_core.consolidate.undo import undo
from memory_core.refactor.history import EVENT
from tests.consolidate.test_consolidate_buried import RULE, recorded, removed, renamed

B = Any
NEW = "memory/decisions/jobs-in-one-file.md"


def slug(path: str) -> str:
    return path.rsplit("/", 1)[1].removesuffix(".md")


def given_another_name(bench: B, path: str, new: str) -> None:
    """As `omoide rename` does it."""
    renamed(bench, path, new)
    bench.store.append_audit(EVENT, {"run_id": "move", "kind": "decision", "slug": slug(path), "new_slug": slug(new)})


def retitled(bench: B, path: str) -> None:
    bench.write(path, bench.read(path).replace("Use SQLite for the queue", "Jobs lie in one file of this machine"))


def again(bench: B, make: B) -> list[str]:
    """What becomes of RULE where a fork of its session is extracted."""
    bench.stage(make.staged(2, make.decided(RULE, 3), session="s"))
    return [how.action for how in bench.run(run_id="second").closed]


@pytest.mark.parametrize("steps", ["title name", "name title", "title", "name"])
def test_what_was_removed_under_another_name_and_title_is_not_made_again(bench: B, make: B, steps: str) -> None:
    path = recorded(bench, make)
    for step in steps.split():
        if step == "title":
            retitled(bench, path)
        else:
            given_another_name(bench, path, NEW)
            path = NEW
    removed(bench, path)
    assert again(bench, make) == ["discarded"]


def test_what_was_only_given_another_name_is_covered_by_it(bench: B, make: B) -> None:
    given_another_name(bench, recorded(bench, make), NEW)
    assert again(bench, make) == ["already_covered"]


def test_another_record_that_took_the_old_name_and_was_removed_buries_nothing(bench: B, make: B) -> None:
    """It is told by when the candidate went into a record of that name."""
    path = recorded(bench, make)
    given_another_name(bench, path, NEW)
    retitled(bench, NEW)
    bench.write(path, make.decision_text("# Another thing\n"))
    removed(bench, path)
    assert again(bench, make) == ["applied"]


def test_what_is_back_under_its_new_name_buries_nothing(bench: B, make: B) -> None:
    path = recorded(bench, make)
    retitled(bench, path)
    given_another_name(bench, path, NEW)
    removed(bench, NEW)
    undo(bench.store, "removal", now=bench.now)
    assert again(bench, make) != ["discarded"]
