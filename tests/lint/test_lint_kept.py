"""What is kept of a check: one changed record is checked alone where nothing hangs on it, and no answer differs."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

import memory_core.lint.rules as rules_package
from memory_core.lint import duplicates, kept
from memory_core.lint.check import check_all
from memory_core.lint.facts import LintFacts
from memory_core.lint.resident import resident_plan
from memory_core.snapshot import Snapshot, snapshot_of

HEAD = "created_at: 2026-05-01T09:00:00Z\nupdated_at: 2026-05-01T09:00:00Z\n"
KNOWLEDGE = (
    f"---\n{HEAD}kind: rule\ndescription: d\nmodel_invokation: false\nuser_invocable: true\nlast_sources: []\n---\n"
)
SIZES = [50, 500]


def facts_of(snapshot: Snapshot) -> LintFacts:
    return LintFacts(duplicates=duplicates.find_duplicates(snapshot), resident=resident_plan(snapshot, 300))


def checked(snapshot: Snapshot, rows: kept.Rows) -> tuple[dict[str, list[object]], int]:
    """The problems by path, and how many records were looked at for them. The rows go through their text."""
    rows = kept.rows_in(kept.rows_text(rows), kept.names_of(snapshot))
    watched, facts = kept.watched(snapshot), facts_of(snapshot)
    found = {path: list(rows.check(watched, path, {}, facts)) for path in sorted(snapshot.documents)}
    rows_after[:] = [rows]
    return {path: problems for path, problems in found.items() if problems}, rows.checked


rows_after: list[kept.Rows] = [kept.Rows("")]


def knowledge(number: int) -> str:
    chance = random.Random(number)
    words = " ".join("".join(chance.choices("abcdefghij", k=6)) for _ in range(12))
    return f"{KNOWLEDGE}{words} see #r-{number + 1}\n"


@pytest.mark.parametrize("size", SIZES)
def test_of_one_changed_record_only_that_one_is_checked(size: int) -> None:
    texts = {f"knowledge/r-{number}.md": knowledge(number) for number in range(size)}
    _, looked_at = checked(snapshot_of(texts), kept.Rows(""))
    assert looked_at == size
    texts["knowledge/r-7.md"] += "see #r-nothing\n"
    found, looked_at = checked(snapshot_of(texts), rows_after[0])
    assert looked_at == 1
    assert found == check_all(snapshot_of(texts), facts=facts_of(snapshot_of(texts)))


def test_a_new_record_is_another_question_for_all() -> None:
    """It may be what an unknown reference meant."""
    texts = {f"knowledge/r-{number}.md": knowledge(number) for number in range(5)}
    found, _ = checked(snapshot_of(texts), kept.Rows(""))
    assert "knowledge/r-4.md" in found
    texts["knowledge/r-5.md"] = knowledge(5)
    found, looked_at = checked(snapshot_of(texts), rows_after[0])
    assert looked_at == 6
    assert "knowledge/r-4.md" not in found


def test_a_chain_of_replacements_is_followed_again() -> None:
    """What a decision's problems are hangs on the text of the one that replaced it."""

    def decision(status: str, by: str = "") -> str:
        return f"---\n{HEAD}sources: []\nstatus: {status}\n{f'replaced_by: {by}' if by else ''}\n---\nWe chose it.\n"

    path = "memory/decisions/"
    texts = {f"{path}a.md": decision("replaced", "b"), f"{path}b.md": decision("open")}
    assert checked(snapshot_of(texts), kept.Rows(""))[0] == {}
    texts[f"{path}b.md"] = decision("replaced", "a")
    found, _ = checked(snapshot_of(texts), rows_after[0])
    assert found.keys() == texts.keys()
    assert found == check_all(snapshot_of(texts), facts=facts_of(snapshot_of(texts)))


def test_any_row_of_changes_gives_the_answers_of_a_check_without_memory() -> None:
    chance = random.Random(3)
    texts = {f"knowledge/r-{number}.md": knowledge(number) for number in range(12)}
    rows = kept.Rows("")
    for _ in range(60):
        slug = f"r-{chance.randrange(14)}"
        kind = chance.choice(("knowledge", "knowledge", "memory/decisions"))
        path = f"{kind}/{slug}.md"
        body = chance.choice((knowledge(3), knowledge(4), "no head", "see #r-2 and #r-99\n"))
        if kind != "knowledge":
            body = (
                f"---\n{HEAD}sources: []\nstatus: {chance.choice(('open', 'replaced'))}\n"
                f"replaced_by: r-{chance.randrange(14)}\n---\n{body}"
            )
        texts[path] = body
        if chance.random() < 0.2:
            del texts[path]
        if chance.random() < 0.3:
            texts[path] = body.replace("model_invokation: false", "model_invokation: true")
        snapshot = snapshot_of(texts)
        found, _ = checked(snapshot, rows)
        rows = rows_after[0]
        assert found == check_all(snapshot, facts=facts_of(snapshot))


def test_the_other_records_without_room_are_named_as_they_are_now() -> None:
    """The message about one names the others: another one that asks no more is another message."""
    asking = KNOWLEDGE.replace("description: d", f"description: {'much ' * 200}").replace(
        "model_invokation: false", "model_invokation: true"
    )
    texts = {f"knowledge/{slug}.md": f"{asking}Words of {slug}.\n" for slug in ("first", "second")}
    found, _ = checked(snapshot_of(texts), kept.Rows(""))
    assert "`#second`" in str(found["knowledge/first.md"])
    texts["knowledge/second.md"] = texts["knowledge/second.md"].replace("invokation: true", "invokation: false")
    found, _ = checked(snapshot_of(texts), rows_after[0])
    assert "`#second`" not in str(found["knowledge/first.md"])
    assert found == check_all(snapshot_of(texts), facts=facts_of(snapshot_of(texts)))


@pytest.mark.parametrize("text", [None, "", "no json", "[1]", '["x", 3]', '["x", {"a": 1}]', '["x", {"a": [1, 2]}]'])
def test_rows_that_are_none_are_no_rows(text: str | None) -> None:
    assert kept.rows_in(text, "x").rows == {}


def test_rules_look_into_other_records_only_where_it_is_noticed() -> None:
    """Through `snapshot.record` and `snapshot.document`. A rule that takes another record's content from a table would
    keep saying what was true before that record changed."""
    for file in Path(rules_package.__path__[0]).glob("*.py"):
        assert not re.search(
            r"index\.(backlinks|referrers|slugs)|snapshot\.documents", file.read_text(encoding="utf-8")
        ), file.name
