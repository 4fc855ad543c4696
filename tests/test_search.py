"""Search by words, over entries and over records."""

from __future__ import annotations

import pytest

from memory_core.records.schema import Kind
from memory_core.search import EntryHit, search_entries, search_records, stem, tokens
from memory_core.sessions.activity import activity_tokens
from memory_core.sessions.model import Entry, EntryKind, Session, Speaker
from memory_core.snapshot import snapshot_of
from memory_core.tokens import estimate


def session(
    name: str, *texts: str, kind: EntryKind = EntryKind.USER_MESSAGE, speaker: Speaker = Speaker.HUMAN
) -> Session:
    return Session(name, "x", None, tuple(Entry(n, kind, speaker, text, ts="t") for n, text in enumerate(texts)))


def places(hits: list[EntryHit]) -> list[tuple[str, int]]:
    return [(hit.session_id, hit.entry) for hit in hits]


@pytest.mark.parametrize(
    "words",
    ["decide decides decided deciding", "stop stops stopped stopping", "index indexing indexed", "query queries"],
)
def test_inflections_meet_in_one_stem(words: str) -> None:
    assert len({stem(word) for word in words.split()}) == 1


@pytest.mark.parametrize("pair", ["class clad", "status state", "this thing"])
def test_different_words_stay_different(pair: str) -> None:
    first, second = pair.split()
    assert stem(first) != stem(second)


def test_question_words_are_no_words() -> None:
    assert tokens("What did we do when the tests ran?") == tokens("tests ran")


def test_scripts_without_spaces_are_single_characters_and_pairs() -> None:
    assert tokens("数据库") == ["数", "据", "库", "数据", "据库"]
    assert tokens("データ") == ["デ", "ー", "タ", "デー", "ータ"]


def test_names_of_languages_keep_their_sign() -> None:
    assert tokens("C++ and C# or C") == ["c++", "c#", "c"]


def test_full_width_text_is_found_by_plain_text() -> None:
    assert tokens("ＷＡＬ") == tokens("wal")


@pytest.mark.parametrize(
    ("query", "found"),
    [("データベースの移行", 0), ("数据库迁移", 1), ("마이그레이션", 2), ("database migration", 3)],
)
def test_each_language_finds_what_it_names(query: str, found: int) -> None:
    texts = [
        "データベースの移行は来週にする",
        "数据库迁移推迟到下周",
        "마이그레이션은 다음 주에",
        "The database migrations wait.",
    ]
    other = ["テストを直す", "修复测试", "테스트를 고친다", "Fix the tests."]
    assert places(search_entries([session("s", *texts, *other)], query, 1)) == [("s", found)]


def test_a_neighbor_of_a_hit_is_found_after_it_but_not_across_sessions() -> None:
    first = session("a", "Unrelated.", "Which cache shall we use?", "Redis, I think.", "Fine.", "Later.")
    second = session("b", "Something else.")
    hits = search_entries([first, second], "cache", 10)
    assert places(hits) == [("a", 1), ("a", 2), ("a", 0)]


def test_the_whole_session_speaks_for_its_entries() -> None:
    about = session("about", "wal mode", "wal again", "checkpoint please")
    other = session("other", "nothing", "checkpoint please", "nothing")
    assert places(search_entries([other, about], "wal checkpoint", 10)).index(("about", 2)) < places(
        search_entries([other, about], "wal checkpoint", 10)
    ).index(("other", 1))


@pytest.mark.parametrize("kind", [EntryKind.REASONING, EntryKind.SYSTEM, EntryKind.EXTENSION])
def test_reasoning_and_injected_text_are_not_searched(kind: EntryKind) -> None:
    assert search_entries([session("s", "secret plan", kind=kind, speaker=Speaker.SYSTEM)], "plan", 5) == []


def test_the_full_content_of_a_result_is_not_searched() -> None:
    entry = Entry(0, EntryKind.TOOL_RESULT, Speaker.TOOL, "3 lines", content="needle")
    assert search_entries([Session("s", "x", None, (entry,))], "needle", 5) == []


def test_an_excerpt_shows_the_found_word() -> None:
    text = "filler " * 200 + "the needle is here" + " filler" * 200
    hit = search_entries([session("s", text)], "needles", 1)[0]
    assert "needle is here" in hit.excerpt
    assert len(hit.excerpt) <= 241
    assert hit.ts == "t"


@pytest.mark.parametrize("query", ["", "the of", "?!", "absent"])
def test_nothing_asked_or_nothing_there_is_no_hit(query: str) -> None:
    assert search_entries([session("s", "words"), Session("e", "x", None)], query, 5) == []


KNOWLEDGE = "---\ndescription: {0}\n---\n{1}\n"
SNAPSHOT = snapshot_of(
    {
        "knowledge/wal-mode.md": KNOWLEDGE.format(
            "How the database is opened", "Intro.\n\nUse WAL.\nAlways.\nReally.\nEnd."
        ),
        "knowledge/other.md": KNOWLEDGE.format("Something else", "The database is mentioned."),
        "memory/decisions/keep-api.md": "---\nstatus: open\n---\nKeep the old API for one release.\n",
        "memory/decisions/broken.md": "no frontmatter, but wal is in it\n",
        "memory/notes.txt": "wal",
    }
)


def test_records_are_found_by_slug_description_and_body() -> None:
    hits = search_records(SNAPSHOT, "wal database", limit=5)
    assert (hits[0].kind, hits[0].slug) == (Kind.KNOWLEDGE, "wal-mode")
    assert hits[0].description == "How the database is opened"
    assert {hit.slug for hit in hits} == {"wal-mode", "other", "broken"}


def test_a_records_excerpt_begins_at_the_best_line() -> None:
    hit = search_records(SNAPSHOT, "WAL", kind=Kind.KNOWLEDGE, limit=1, excerpt_lines=2)[0]
    assert (hit.line, hit.excerpt) == (5, "Use WAL.\nAlways.")


def test_only_the_kind_asked_for_is_searched() -> None:
    assert [hit.slug for hit in search_records(SNAPSHOT, "release", kind=Kind.DECISION)] == ["keep-api"]
    assert search_records(SNAPSHOT, "release", kind=Kind.KNOWLEDGE) == []


def test_activity_counts_what_an_extract_would_read() -> None:
    """B1, A4: messages and tool summaries, neither reasoning nor injected text nor full results."""
    entries = [
        Entry(0, EntryKind.USER_MESSAGE, Speaker.HUMAN, "Use WAL mode."),
        Entry(1, EntryKind.REASONING, Speaker.ASSISTANT, "x" * 999),
        Entry(2, EntryKind.SYSTEM, Speaker.SYSTEM, "x" * 999),
        Entry(3, EntryKind.TOOL_RESULT, Speaker.TOOL, "ok", content="x" * 999),
        Entry(4, EntryKind.EXTENSION, Speaker.SYSTEM, "", domain="d", payload="x" * 999),
    ]
    assert activity_tokens(entries) == estimate("Use WAL mode.") + estimate("ok")
    assert activity_tokens([]) == 0
