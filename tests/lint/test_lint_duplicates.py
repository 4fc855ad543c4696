"""Records that say nearly the same: numbers aside, also across kinds, found in linear work."""

import random

import pytest

from memory_core.lint import duplicates
from memory_core.lint.check import check
from memory_core.lint.duplicates import find_duplicates
from memory_core.lint.facts import LintFacts
from memory_core.snapshot import Snapshot, snapshot_of
from tests.lint.lint_fixture import decision, knowledge, request, summary

NOTE = "We retry a failed request {} times with a pause before giving up.\n"
LONG = (
    "# Retries\n\nThe client retries a failed request. Each pause is twice as long as the one before it.\n\n"
    "- never after the server said that it is wrong\n- never more than the budget of the caller allows\n\n"
    "The budget is handed down with the call, so that a chain of services gives up together.\n"
)


def bodies(*texts: str) -> Snapshot:
    return snapshot_of({f"memory/decisions/d{n:03}.md": decision(body=text) for n, text in enumerate(texts)})


def pairs(snapshot: Snapshot) -> set[tuple[str, str]]:
    return {
        (path.rpartition("/")[2][:-3], other.rpartition("/")[2][:-3])
        for path, others in find_duplicates(snapshot).items()
        for other in others
        if path < other
    }


def test_notes_that_differ_in_a_number_only():
    """T30"""
    assert pairs(bodies(NOTE.format(3), NOTE.format(15))) == {("d000", "d001")}


def test_notes_of_different_kinds():
    """T30"""
    snapshot = snapshot_of(
        {
            "memory/decisions/a.md": decision(body=NOTE.format(3)),
            "memory/requests/b.md": request(NOTE.format(3)),
            "knowledge/c.md": knowledge(NOTE.format(4)),
        }
    )
    assert dict(find_duplicates(snapshot)) == {
        "knowledge/c.md": ("memory/decisions/a.md", "memory/requests/b.md"),
        "memory/decisions/a.md": ("knowledge/c.md", "memory/requests/b.md"),
        "memory/requests/b.md": ("knowledge/c.md", "memory/decisions/a.md"),
    }


@pytest.mark.parametrize(
    "changed",
    [
        LONG.replace("twice", "three times"),
        LONG.replace("a chain of services", "a long chain of services"),
        LONG.replace("- never more", "- and never more"),
        LONG.replace("\n\n", "\n \n\n").replace("Each pause", "each pause"),
        LONG + "Seen again in March.\n",
        LONG.replace("# Retries", "# How retries work"),
    ],
)
def test_a_copy_with_a_small_change(changed):
    assert pairs(bodies(LONG, changed)) == {("d000", "d001")}


def test_a_copy_in_a_script_without_spaces():
    one = "決済サービスの再試行は三回までとし、間隔は毎回二倍にする。それでも失敗した場合は担当者に通知する。\n"
    other = one.replace("担当者", "責任者")
    assert pairs(bodies(one, other)) == {("d000", "d001")}
    assert (
        pairs(bodies(one, "検索の索引は夜間に作り直し、その間は古い索引で答える。失敗した場合は翌日もう一度試す。\n"))
        == set()
    )


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Use Redis for the queue of jobs.\n", "Use SQLite for the queue of jobs.\n"),
        ("Yes, do it.\n", "Yes, do it.\n"),  # too short to mean anything
        ("", ""),
        (LONG, LONG.split("\n\n")[0] + "\n\nSomething else is said here, about another thing altogether.\n"),
        ("## Context\n\nThe build is slow on old machines.\n", "## Context\n\nThe release needs two signatures.\n"),
    ],
)
def test_what_is_no_duplicate(one, other):
    assert pairs(bodies(one, other)) == set()


def test_a_replaced_decision_is_history():
    snapshot = snapshot_of(
        {
            "memory/decisions/a.md": decision("status: replaced\nreplaced_by: b\n", NOTE.format(3)),
            "memory/decisions/b.md": decision(body=NOTE.format(5)),
        }
    )
    assert find_duplicates(snapshot) == {}


def test_a_record_that_refers_to_the_other_knows_of_it():
    """A promoted decision stays, and names the knowledge that came of it."""
    snapshot = snapshot_of(
        {
            "knowledge/retry.md": knowledge(NOTE.format(3)),
            "memory/decisions/a.md": decision(body=NOTE.format(3) + "\nSee #retry.\n"),
        }
    )
    assert find_duplicates(snapshot) == {}


def test_the_summary_repeats_records():
    text = NOTE.format(3)
    snapshot = snapshot_of({"memory/summary.md": summary(text), "memory/decisions/a.md": decision(body=text)})
    assert find_duplicates(snapshot) == {}


def test_the_warning_stands_at_the_first_line_and_names_the_others():
    snapshot = bodies(NOTE.format(3), NOTE.format(5))
    facts = LintFacts(duplicates=find_duplicates(snapshot))
    (found,) = check(snapshot, "memory/decisions/d001.md", facts=facts)
    assert found.code == "near-duplicate"
    assert "`decision/d000`" in found.message
    assert (found.range.start.line, found.range.start.character) == (7, 0)
    assert [place.path for place in found.related] == ["memory/decisions/d000.md"]
    assert check(snapshot, "memory/decisions/d001.md") == []


def test_the_answer_does_not_depend_on_the_order_of_the_files():
    texts = {f"knowledge/k{n}.md": knowledge(NOTE.format(n)) for n in range(12)}
    shuffled = dict(random.Random(1).sample(sorted(texts.items()), len(texts)))
    assert find_duplicates(snapshot_of(texts)) == find_duplicates(snapshot_of(dict(sorted(texts.items()))))
    assert set(find_duplicates(snapshot_of(shuffled))) == set(texts)


def test_ten_times_as_many_copies_are_ten_times_the_work(monkeypatch: pytest.MonkeyPatch):
    """Counted, not timed: comparisons of two texts, where every record shares its sentences with every other."""
    counted = 0
    alike = duplicates._alike

    def count(*arguments):
        nonlocal counted
        counted += 1
        return alike(*arguments)

    monkeypatch.setattr(duplicates, "_alike", count)

    def work(number: int) -> int:
        nonlocal counted
        counted = 0
        words = ["alpha", "beta", "gamma", "delta", "omega", "sigma"]
        texts = [
            f"{LONG}\nAbout {words[n % 6]} {words[n // 6 % 6]} {words[n // 36 % 6]} here.\n" for n in range(number)
        ]
        find_duplicates(bodies(*texts))
        return counted

    few, many = work(20), work(200)
    assert 0 < many <= 12 * few


def test_what_is_known_of_a_document_is_not_worked_out_again(monkeypatch: pytest.MonkeyPatch):
    snapshot = bodies(NOTE.format(3), NOTE.format(5), LONG)
    known: duplicates.Digests = {}
    before = find_duplicates(snapshot, known)
    read: list[str] = []
    digest = duplicates._digest
    monkeypatch.setattr(duplicates, "_digest", lambda document: read.append(document.path) or digest(document))
    kept = duplicates.unpacked(duplicates.packed(known))
    assert find_duplicates(snapshot, kept) == before
    assert read == []
    changed = snapshot.with_texts({"memory/decisions/d002.md": decision(body=NOTE.format(7))})
    assert pairs(changed) == {("d000", "d001"), ("d000", "d002"), ("d001", "d002")}
    read.clear()
    find_duplicates(changed, kept)
    assert read == ["memory/decisions/d002.md"]
    find_duplicates(changed.with_documents({"memory/decisions/d000.md": None}), kept)
    assert "memory/decisions/d000.md" not in kept
