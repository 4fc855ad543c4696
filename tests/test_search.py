"""Search by words, over entries and over records."""

from __future__ import annotations

import unicodedata
from collections import Counter

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from memory_core.records.schema import Kind
from memory_core.search import EntryHit, EntryIndex, search_entries, search_records, stem, stored, tokens
from memory_core.search.needles import Needles
from memory_core.search.words import MOST_WORDS, beginning, fold, query_tokens
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
    assert places(hits) == [("a", 1), ("a", 2), ("a", 0), ("a", 3)]


def test_what_stands_beside_a_hit_is_told_from_it() -> None:
    """It is found for its neighbor's words, and counts as no hit."""
    talk = session("a", "Which cache shall we use?", "Redis, I think.", "A cache of pages.")
    found = {hit.entry: hit.beside for hit in search_entries([talk], "cache", 10)}
    assert found == {0: False, 1: True, 2: False}
    far = session("a", "filler " * 2_000 + "cache", "Redis.")  # whatever the excerpt has room for
    assert {hit.entry: hit.beside for hit in search_entries([far], "cache", 10)} == {0: False, 1: True}


KEY = "sk-ant-api03-AbCdEf0123456789AbCdEf0123456789"


@pytest.mark.parametrize("query", [KEY, "api03", "hunter2-Xk9", KEY.split("-")[-1]])
def test_a_secret_is_found_by_nobody_who_types_it(query: str) -> None:
    """It is shown as `[redacted ...]`, so a hit would tell whoever guesses that a log has it; so would the rank of its
    session, or of what stands beside it."""
    talk = session("s", f"the staging key is {KEY}", "password: hunter2-Xk9", "Fine.")
    assert search_entries([talk], query, 10) == []
    other = session("o", "the staging key is here", "Fine.")
    asked = f"staging {query}"
    by_words = {(hit.session_id, hit.entry): hit.score for hit in search_entries([talk, other], "staging", 10)}
    assert {(h.session_id, h.entry): h.score for h in search_entries([talk, other], asked, 10)} == by_words


def test_what_is_not_secret_of_an_entry_is_found_whatever_was_asked_before() -> None:
    index = EntryIndex([session("s", f"staging api03, then the staging key is {KEY}", "Fine.")])
    first = [hit.score for hit in index.search("staging", 10)]
    assert [hit.entry for hit in index.search("api03", 10)] == [0, 1], "once as a secret, once as a word"
    assert [hit.score for hit in index.search("staging", 10)] == first


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


def record(body: str, description: str = "Nothing.") -> str:
    return f"---\ndescription: {description}\nupdated_at: 2026-01-02T00:00:00Z\n---\n{body}\n"


def slugs(texts: dict[str, str], query: str, **options: int) -> list[str]:
    snapshot = snapshot_of({f"knowledge/{slug}.md": text for slug, text in texts.items()})
    return [hit.slug for hit in search_records(snapshot, query, **options)]


FILLER = {f"filler-{n}": record("Words about tests, builds and the 试验 of テスト programs.") for n in range(5)}


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("API配置", "在API配置里设置超时"),  # a script without spaces right behind one with them
        ("配置", "在API配置里设置超时"),
        ("api", "在API配置里设置超时"),
        ("C#", "We write it in C# only."),
        ("C++", "Ported from C++, mostly."),
        ("C", "Plain C here."),
        ("UI", "The UI waits."),
        ("IT", "Ask it."),  # a query of nothing but a stop word means that word
        ("库", "数据库迁移推迟"),
        ("数据", "数据库迁移推迟"),
        ("移行", "データベースの移行は来週"),
        ("데이터", unicodedata.normalize("NFD", "데이터베이스 이전")),  # as macOS writes file names
        (unicodedata.normalize("NFD", "café"), "Meet in the caf\u00e9."),
        ("WAL", "ＷＡＬ を使う"),
        ("ｶﾞｲﾄﾞ", "ガイドを読む"),
        ("snake", "call snake_case_name()"),
        ("queries", "One query."),
        ("query", "All queries."),
        ("try", "It tried."),
        ("ข้อมูล", "ฐานข้อมูลใหม่"),
    ],
)
def test_short_mixed_and_oddly_encoded_words_are_found(query: str, text: str) -> None:
    """T23, T24"""
    assert slugs({**FILLER, "wanted": record(text)}, query)[:1] == ["wanted"]


@pytest.mark.parametrize(
    ("query", "text"),
    [("C#", "Plain C, and C++ too, #c"), ("C++", "Plain C, and C# too"), ("C", "C++, C#"), ("UI", "build guide")],
)
def test_a_short_word_is_not_found_in_another_one(query: str, text: str) -> None:
    assert slugs({"other": record(text)}, query) == []


def test_the_last_word_of_a_mebibyte_is_found() -> None:
    """T56: nothing is cut off; the excerpt shows the word although it stands at the end of an endless line."""
    text = record("word " * (1 << 18) + "needle")
    assert len(text) > 1 << 20
    (hit,) = search_records(snapshot_of({"knowledge/large.md": text}), "needles")
    assert hit.excerpt.endswith("needle")
    assert len(hit.excerpt) <= 242
    chinese = record("好" * 5000 + "针")
    (hit,) = search_records(snapshot_of({"knowledge/large.md": chinese}), "针")
    assert "针" in hit.excerpt
    assert len(hit.excerpt) <= 242


def test_slug_description_heading_and_body_weigh_in_this_order() -> None:
    texts = {
        "a-body": record("Some cache here.\nAnd more."),
        "b-heading": record("# Some cache\nHere and more."),
        "c-described": record("Some here.\nAnd more.", "A cache."),
        "d-cache": record("Some here.\nAnd more yes."),
    }
    assert slugs(texts, "cache") == ["d-cache", "c-described", "b-heading", "a-body"]


def test_a_slug_as_the_query_finds_that_record_first() -> None:
    crowd = {f"wal-mode-{n}": record("# wal mode\nwal mode wal mode", "wal mode, wal mode") for n in range(5)}
    assert slugs({**crowd, "wal-mode": record("Text.")}, "#wal-mode")[0] == "wal-mode"


def test_equal_scores_are_in_path_order_and_the_limit_keeps_the_first() -> None:
    texts = {name: record("same words") for name in ("c", "a", "b")}
    assert slugs(texts, "words") == ["a", "b", "c"]
    assert slugs(texts, "words", limit=2) == ["a", "b"]


def test_scores_fall_and_do_not_depend_on_the_kind_filter() -> None:
    every = search_records(SNAPSHOT, "wal database")
    assert [hit.score for hit in every] == sorted((hit.score for hit in every), reverse=True)
    only = search_records(SNAPSHOT, "wal database", kind=Kind.KNOWLEDGE)
    assert [hit for hit in every if hit.kind is Kind.KNOWLEDGE] == only


def test_keys_of_the_head_are_not_searched() -> None:
    assert slugs({"a": record("Text.")}, "updated_at 2026") == []


def test_a_hit_is_dated_and_counted_against_what_is_stored() -> None:
    snapshot = snapshot_of({"knowledge/a.md": record("words"), "memory/decisions/b.md": "no head, words"})
    assert {hit.slug: hit.updated_at for hit in search_records(snapshot, "words")} == {
        "a": "2026-01-02T00:00:00Z",
        "b": None,
    }
    assert (stored(snapshot), stored(snapshot, Kind.DECISION), stored(snapshot, Kind.REQUEST)) == (2, 1, 0)


WORDS = st.text(alphabet="abcdeginrstuyC#+_ -.数据データ한", max_size=40)


@given(WORDS, WORDS)
@example("C", "C++, C# c")
def test_needles_count_exactly_the_words_that_tokens_finds(query: str, text: str) -> None:
    """The short way of the record search and the long way of the entry search know the same words."""
    words = query_tokens(query)
    folded = fold(text)
    found = Counter(tokens(text))
    stops = set(words) - set(tokens(query))
    counts = Needles(words).counts(folded)
    for word in words:
        if word in stops:
            continue
        assert bool(counts.get(word)) == bool(found[word]), word
        if len(set(word)) == len(word):  # `ああ` in `あああ` is two pairs and one place
            assert counts.get(word, 0) == found[word], word
    assert Needles(words).may_be_in(folded) or not counts


@given(st.text(alphabet="abcdefghilmnoprstuvyz", min_size=1, max_size=14))
def test_every_word_begins_as_its_stem_says(word: str) -> None:
    assert word.startswith(beginning(stem(word)))


def test_neighbors_two_entries_away_help_less_than_those_beside() -> None:
    talk = session("a", "Which cache?", "Well.", "Redis.", "Unrelated.")
    by_place = {hit.entry: hit.score for hit in search_entries([talk], "cache", 10)}
    assert by_place[0] > by_place[1] > by_place[2]
    assert 3 not in by_place


def test_of_a_page_that_was_pasted_the_first_words_count() -> None:
    """Each different word was looked for in every record: a page took minutes."""
    page = " ".join(f"word{number}" for number in range(5_000))
    assert len(query_tokens(page)) == MOST_WORDS
    assert query_tokens(page)[:2] == ["word0", "word1"]
    snapshot = snapshot_of({"knowledge/a.md": "---\ndescription: x\n---\nOf word3 and word4000.\n"})
    assert [hit.slug for hit in search_records(snapshot, page)] == ["a"]
    assert search_records(snapshot, page.replace("word3 ", "")) == []
