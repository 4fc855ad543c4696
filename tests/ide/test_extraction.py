"""A selection becomes knowledge: where it may, under which slug, and what is left in its place."""

from __future__ import annotations

import pytest

from memory_core.ide.actions import EXTRACT, Asked, Extract, Made, made, offers
from memory_core.ide.extraction import extract, slug_for
from memory_core.ide.view import View, view_of
from memory_core.lint.check import check, check_all
from memory_core.records.refs import scan
from memory_core.records.schema import Kind, RecordRef
from memory_core.refactor.referrers import Refusal
from memory_core.snapshot import Document, Snapshot, snapshot_of
from memory_core.testing import CURSOR
from memory_core.text import LineIndex, Position, Range, apply_edits

NOW = "2026-06-15T12:00:00Z"
HEAD = "---\ncreated_at: 2026-06-01T00:00:00Z\nupdated_at: 2026-06-10T00:00:00Z\n"
SOURCES = "sources:\n  - session_id: s-1\n    range: [3, 17]\n"


def marked(text: str) -> tuple[str, Range]:
    """A text whose selection stands between two `$0`."""
    before, chosen, behind = text.split(CURSOR)
    plain = before + chosen + behind
    lines = LineIndex(plain)
    return plain, lines.range(len(before), len(before) + len(chosen))


def extracted(text: str, *, records: dict[str, str] | None = None, path: str = "") -> tuple[str, str, Snapshot] | None:
    """The text afterwards, the slug and the workspace; None where the action is not offered."""
    plain, selection = marked(text)
    snapshot = snapshot_of({**(records or {}), **({path: plain} if path else {})})
    view = view_of(snapshot.documents[path]) if path else View(plain)
    found = [offer for offer in offers(snapshot, view, Asked(selection), NOW) if offer.kind == EXTRACT]
    if not found:
        return None
    plan = found[0].plan
    assert isinstance(plan, Extract)
    done = made(snapshot, view, plan, NOW)
    assert isinstance(done, Made), done
    text = apply_edits(plain, done.edits)
    after = snapshot.with_changes(done.changes)
    return text, plan.slug, after.with_texts({path: text}) if path else after


TAKEN = [
    ("$0Keys live in the vault.$0", "#keys-live-in-the-vault", "keys-live-in-the-vault"),
    ("We agreed: $0retry twice, never more$0.", "We agreed: #retry-twice-never-more.", "retry-twice-never-more"),
    ("a\n\n$0## Retry policy\n\nTwice.\n$0\nb", "a\n\n#retry-policy\n\nb", "retry-policy"),
    ("- $0Keys live in the vault$0\n- b", "- #keys-live-in-the-vault\n- b", "keys-live-in-the-vault"),
    ("$0- Keys live here\n- and there$0\n", "#keys-live-here\n", "keys-live-here"),
    ("> $0Keys live in the vault$0", "> #keys-live-in-the-vault", "keys-live-in-the-vault"),
    ("pre$0fixed words here$0", "pre #fixed-words-here", "fixed-words-here"),
    ("$0some wordsand$0more", "#some-wordsand more", "some-wordsand"),
    ("👋 $0Emoji words here$0 日本", "👋 #emoji-words-here 日本", "emoji-words-here"),
    ("a\r\n$0Two lines\r\nof text$0\r\nb", "a\r\n#two-lines\r\nb", "two-lines"),
    ("$0鍵は金庫にあります。$0", "#note-2026-06-15", "note-2026-06-15"),
    ("決定は$0鍵は金庫にあります$0です", "決定は#note-2026-06-15です", "note-2026-06-15"),
    ("$0**Bold** `code` and words$0", "#bold-code-and-words", "bold-code-and-words"),
    ("$0`code` first, then words$0", "#code-first-then-words", "code-first-then-words"),
    ("$0```sh\nmake all\n```\nThat builds it.$0", "#that-builds-it", "that-builds-it"),
    ("$0```sh\nmake all\n```$0", "#make-all", "make-all"),
    ("x\n\n$0---\nfoo: bar baz\n---$0\n", "x\n\n#foo-bar-baz\n", "foo-bar-baz"),
    ("$0<!-- a note -->\nHello there$0\n", "#hello-there\n", "hello-there"),
    ("$0!!!\n!!!!!!$0\n", "#note-2026-06-15\n", "note-2026-06-15"),
    ("$0 \n  Words with space around \n $0x", " \n  #words-with-space-around \n x", "words-with-space-around"),
    ("$0see #api-keys for the rest$0", "#see-api-keys-for-the-rest", "see-api-keys-for-the-rest"),
    ("$0First sentence. And a second one.$0", "#first-sentence", "first-sentence"),
    ("$02026 12345$0", "#2026-12345", "2026-12345"),
    ("$0# cafe\n\nWhere to eat$0", "#note-cafe", "note-cafe"),
    ("$0[ ] task list item$0", "#task-list-item", "task-list-item"),
]


@pytest.mark.parametrize(("text", "left", "slug"), TAKEN)
def test_a_reference_takes_the_place_of_the_selection(text: str, left: str, slug: str) -> None:
    done = extracted(text, records={"knowledge/api-keys.md": _whole_record()})
    assert done
    assert (done[0], done[1]) == (left, slug)
    assert slug in [reference.slug for reference in scan(left)]
    assert check(done[2], f"knowledge/{slug}.md") == []


def _whole_record() -> str:
    flags = "model_invokation: false\nuser_invocable: true\nlast_sources: []\n"
    return f"{HEAD}kind: fact\ndescription: What it is.\n{flags}---\n\nIt is so.\n"


@pytest.mark.parametrize(
    "text",
    [
        "$0$0",
        "$0word$0",
        "$0        \n    \n$0",
        "```\n$0code in a fence$0\n```",
        "```\na\n$0code in a fence\n$0```",
        "a `some $0inline code$0 here`",
        "https://exa$0mple.org/more$0",
        "<!-- a $0comment of words$0 -->",
        "$$\n x $0+ y + z = 3 + 4$0\n$$",
    ],
)
def test_what_is_no_prose_is_not_extracted(text: str) -> None:
    before, _, behind = text.rpartition(CURSOR)
    first, _, chosen = before.partition(CURSOR)
    lines = LineIndex(first + chosen + behind)
    selection = lines.range(len(first), len(first) + len(chosen))
    asked = Asked(selection, only=[EXTRACT])
    assert offers(snapshot_of({}), View(first + chosen + behind), asked, NOW) == []


@pytest.mark.parametrize(
    "text",
    [
        "$0text before it\n\n```py\ncode = 1$0\n```\nrest of text #a\n",
        "$0text before `some$0 code` and #a more\n",
        "$0text <!-- a comment$0 of words --> and #a more\n",
        "$0text before it\n\n```py\ncode = 1$0",
    ],
)
def test_a_selection_that_cuts_through_code_or_a_comment_is_refused(text: str) -> None:
    """What stood behind became code, and so did whatever is written below it in the record."""
    plain, selection = marked(text)
    view = View(plain)
    done = extract(snapshot_of({}), view, selection, "some-slug", NOW)
    assert isinstance(done, Refusal)
    assert "mark all of that, or none of it" in done.told


def test_program_text_is_not_extracted() -> None:
    view = View("# words of a comment\n", markdown=False, prose=False)
    assert offers(snapshot_of({}), view, Asked(Range(Position(0, 2), Position(0, 20)), only=[EXTRACT]), NOW) == []


def test_frontmatter_is_not_extracted() -> None:
    assert extracted(f"{HEAD[:10]}$0{HEAD[10:]}$0{SOURCES}---\nx\n", path="memory/requests/a.md") is None
    across = f"{HEAD}{SOURCES}$0---\n\nWords of the body\n$0"
    assert extracted(across, path="memory/requests/a.md") is None


def test_the_new_record_has_the_sources_and_the_scope_of_the_old_one() -> None:
    text = f"{HEAD}{SOURCES}scope:\n  agent: coder\n---\n\n# Wish\n\n$0Retry twice, never more.$0\n"
    done = extracted(text, path="memory/requests/wish.md")
    assert done
    record = done[2].record(RecordRef(Kind.KNOWLEDGE, "retry-twice-never-more"))
    assert record
    assert record.value("last_sources") == [{"session_id": "s-1", "range": [3, 17]}]
    assert record.value("scope") == {"agent": "coder"}
    assert record.description == "Retry twice, never more. Read it before work on retry twice never more."
    assert record.body.strip() == "# Retry twice never more\n\nRetry twice, never more."
    assert done[0].endswith("# Wish\n\n#retry-twice-never-more\n")
    assert check_all(done[2]) == {}


def test_the_whole_body_can_be_extracted() -> None:
    done = extracted(f"{HEAD}{SOURCES}---\n$0\n# Wish\n\nRetry twice.\n$0", path="memory/requests/wish.md")
    assert done
    assert done[0].endswith("---\n\n#wish\n")
    assert check_all(done[2]) == {}


def test_a_slug_that_is_taken_gets_a_number() -> None:
    records = {"knowledge/retry-twice.md": _whole_record(), "knowledge/retry-twice-2.md": _whole_record()}
    done = extracted("$0Retry twice$0", records=records)
    assert done
    assert done[0] == "#retry-twice-3"


@pytest.mark.parametrize(
    ("text", "slug"),
    [
        ("con", "con-record"),
        ("word " * 40, "word-word-word-word-word-word-word-word"),
        ("x" * 90, "x" * 40),
        ("###", "note-2026-06-15"),
        ("\n\n  - item one", "item-one"),
        ("42", "note-42"),
        ("It's ours", "its-ours"),
    ],
)
def test_slugs_of_texts(text: str, slug: str) -> None:
    assert slug_for(Snapshot(), text, NOW) == slug


def test_a_selection_that_was_overtaken_is_refused() -> None:
    view = view_of(Document("knowledge/a.md", "short"))
    plan = Extract(Range(Position(0, 0), Position(7, 0)), "some-slug")
    assert isinstance(made(Snapshot(), view, plan, NOW), Refusal)
    taken = snapshot_of({"knowledge/some-slug.md": "x"})
    long = View("some words of text")
    assert isinstance(made(taken, long, Extract(Range(Position(0, 0), Position(0, 18)), "some-slug"), NOW), Refusal)


def test_every_selection_of_a_text_is_answered() -> None:
    """Whatever is marked, the action is not offered, is refused, or leaves a reference that is one."""
    text = "# A\n\n`code` 👋 words **here** #x\n```\nf\n```\n- [l](a.md) <b> $m$\n"
    lines = LineIndex(text)
    offered = 0
    for start in range(0, len(text), 2):
        for end in range(start + 8, len(text) + 1, 3):
            selection = Range(lines.position(start), lines.position(end))
            for offer in offers(Snapshot(), View(text), Asked(selection, only=[EXTRACT]), NOW):
                done = made(Snapshot(), View(text), offer.plan, NOW)
                if isinstance(done, Made):
                    offered += 1
                    assert isinstance(offer.plan, Extract)
                    assert offer.plan.slug in [found.slug for found in scan(apply_edits(text, done.edits))]
    assert offered > 50
