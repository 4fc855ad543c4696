"""Records that say nearly the same: numbers aside, also across kinds, found in linear work."""

import random
import time

import pytest

from memory_core.document import Document
from memory_core.lint import duplicates
from memory_core.lint.check import check
from memory_core.lint.duplicates import Digests, find_duplicates, packed, unpacked
from memory_core.lint.facts import LintFacts
from memory_core.outline import pack
from memory_core.providers.builtin.wording import LABELS
from memory_core.records.schema import Kind, RecordRef
from memory_core.refactor.promote import Promotion, promote
from memory_core.refactor.referrers import Refusal
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


QUOTES = (
    "\n## {}\n\n- a person, 2026-06-01, entry 3 of s-1:\n  > Let us keep the queue in Redis, and the index out of it.\n"
    "- a person, 2026-06-01, entry 9 of s-1:\n  > And whatever else: the nightly job must not page anybody.\n"
)


def test_what_only_quotes_the_same_words_is_no_duplicate():
    one, other = (f"Use Redis for the queue of {what}.\n{QUOTES.format('Evidence')}" for what in ("jobs", "mails"))
    assert pairs(bodies(one, other)) == set()
    assert pairs(bodies(*(text.replace("## Evidence", "## Remarks") for text in (one, other)))) == {("d000", "d001")}


def test_a_copy_with_other_evidence_is_a_duplicate():
    quoted = NOTE.format(3) + QUOTES.format("Evidence")
    assert pairs(bodies(quoted, NOTE.format(3), quoted + "\n# More\n\nThe caller waits.\n")) == {("d000", "d001")}


@pytest.mark.parametrize("words", LABELS.values())
def test_evidence_as_the_rules_write_it_is_not_compared(words):
    one, other = (
        f"Use Redis for the queue of {what}.\n{QUOTES.format(words['evidence'])}" for what in ("jobs", "mails")
    )
    assert pairs(bodies(one, other)) == set()


def test_a_comment_makes_no_difference() -> None:
    """Also the one that turns the rule off: it is about its file, the other one still has its copy."""
    note = NOTE.format(3)
    assert pairs(bodies(note, f"<!-- omoide-disable near-duplicate -->\n{note}<!-- TODO: look at this again -->\n"))
    assert not pairs(bodies(note, f"<!-- {note} -->\nNobody works on Fridays in the second half of May.\n"))
    assert pairs(bodies(note, f"{note}<!--\n")) == pairs(bodies(note, note))


def test_many_comments_take_no_long_time() -> None:
    started = time.process_time()
    pairs(bodies("<!--" * 200_000, "<!-- a -->" * 50_000, NOTE))
    assert time.process_time() - started < 3


def test_a_promoted_copy_and_its_original_are_both_wanted():
    """A decision that became knowledge stays; both say the same on purpose."""
    sources = "sources:\n  - session_id: s-1\n    range: [3, 17]\n"
    original = snapshot_of({"memory/decisions/retry.md": decision(body=LONG, sources=sources)})
    wish = Promotion(slug="retry-policy")
    changes = promote(original, RecordRef(Kind.DECISION, "retry"), wish, "2026-06-01T00:00:00Z")
    assert not isinstance(changes, Refusal)
    promoted = original.with_changes(changes)
    assert len(promoted.documents) == 2
    assert find_duplicates(promoted) == {}
    elsewhere = promoted.with_texts({"memory/decisions/retry.md": decision(body=LONG)})
    assert len(find_duplicates(elsewhere)) == 2  # sources say so, not likeness
    same_name = snapshot_of({"memory/requests/retry.md": request(LONG), "knowledge/retry.md": knowledge(LONG)})
    assert find_duplicates(same_name) == {}


def test_texts_that_are_read_for_the_comparison_alone_are_not_kept():
    class Files:
        def read(self, path: str) -> tuple[str, str | None]:
            return decision(body=NOTE.format(3)), None

    path = "memory/decisions/d.md"
    document = Document.stored(path, Files())
    content = Document(path, *Files().read(path))
    document.recall(content.digest, pack(content.parsed))
    digests: Digests = {}
    find_duplicates(Snapshot({path: document}), digests, passing=True)
    assert not document.is_read
    assert digests[path][1]
    assert digests[path][0] == content.digest


def test_what_is_kept_of_texts_survives_being_written_down():
    digests: Digests = {}
    find_duplicates(bodies(LONG, NOTE.format(3), ""), digests)
    assert unpacked(packed(digests)) == digests


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

    def count(*arguments, **named):
        nonlocal counted
        counted += 1
        return alike(*arguments, **named)

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
