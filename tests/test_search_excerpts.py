"""What a hit shows: the words that were asked for, in their sentence, and not the title once more."""

from __future__ import annotations

import pytest

from memory_core.records.schema import Kind, RecordRef
from memory_core.search import query_tokens, search_records
from memory_core.search.passage import EXCERPT, marks, passage
from memory_core.search.records import hit_for
from memory_core.testing import snapshot_of

HEAD = "---\ncreated_at: 2026-01-01T00:00:00Z\nupdated_at: 2026-01-02T00:00:00Z\nstatus: resolved\nsources: []\n"
CHOICE = (
    f"{HEAD}description: Use SQLite in WAL mode for the job queue.\n---\n\n"
    "# Use SQLite in WAL mode for the job queue\n\n"
    "Why: We run on one small machine and nobody\nwants to look after a database server.\n\n"
    "## Backups\n\nThe file is copied\nevery night with `VACUUM INTO`.\n\nA copy is kept for a week.\n\n"
    "## Evidence\n\n- human, entry 4:\n  > Let's use SQLite in WAL mode, the litestream replica can wait.\n"
)


def shown(query: str, most: int = 3, text: str = CHOICE) -> list[str]:
    (hit,) = search_records(snapshot_of({"memory/decisions/use-sqlite.md": text}), query, excerpt_lines=most)
    lines = text.split("\n")
    assert lines[hit.line].strip() == hit.excerpt.split("\n")[0].strip()  # `line` is where the excerpt begins
    return hit.excerpt.split("\n")


def test_what_only_the_title_says_shows_what_the_text_says() -> None:
    why = ["Why: We run on one small machine and nobody", "wants to look after a database server."]
    assert shown("wal mode sqlite") == why
    assert shown("job queue", 1) == why[:1]


def test_a_word_of_the_text_shows_its_sentence_from_the_line_it_begins_on() -> None:
    assert shown("database")[0] == "Why: We run on one small machine and nobody"
    assert shown("database", 1) == ["wants to look after a database server."]
    assert shown("vacuum", 2) == ["The file is copied", "every night with `VACUUM INTO`."]


def test_blank_lines_take_no_room_and_the_next_part_is_not_shown() -> None:
    assert shown("night", 9) == ["The file is copied", "every night with `VACUUM INTO`.", "A copy is kept for a week."]


def test_a_heading_that_alone_has_the_word_is_shown_with_what_stands_below_it() -> None:
    assert shown("backup", 2) == ["## Backups", "The file is copied"]


def test_a_quote_is_shown_where_nothing_else_has_the_word() -> None:
    assert shown("litestream", 1) == ["> Let's use SQLite in WAL mode, the litestream replica can wait."]


def test_what_was_found_by_meaning_is_shown_from_its_text_and_not_its_title() -> None:
    (document,) = snapshot_of({"memory/decisions/use-sqlite.md": CHOICE}).documents.values()
    hit = hit_for(document, RecordRef(Kind.DECISION, "use-sqlite"), 1.0, "durability")
    assert hit.excerpt.startswith("Why: We run")


def test_a_record_of_a_title_alone_shows_it() -> None:
    text = f"{HEAD}---\n# Title\n"
    assert shown("title", text=text) == ["# Title"]


LONG = (
    "I looked at the queue first. " * 8
    + "The retry delay is the cause: billing answers 429 when two workers ask at once. "
    + "I will change the delay now. " * 20
)


def test_the_sentence_with_most_of_the_words_is_shown_from_its_beginning() -> None:
    found = passage(LONG, query_tokens("queue retry delay billing"))
    assert found.startswith("…The retry delay is the cause")
    assert len(found) <= EXCERPT + 1


def test_the_last_sentence_of_a_text_is_shown_with_what_leads_to_it() -> None:
    found = passage(LONG + "Done in tests.", query_tokens("tests"))
    assert found.endswith("I will change the delay now. Done in tests.")
    assert found.startswith("…I will")


def test_a_sentence_in_chinese_ends_at_its_own_mark() -> None:
    text = "我们先看日志。" * 50 + "数据库锁住了。" + "然后重试。" * 50
    assert passage(text, query_tokens("数据库")).startswith("…数据库锁住了。")


@pytest.mark.parametrize(
    ("text", "query", "marked"),
    [
        ("Log lines are logged; a catalog is not", "logging", ["Log", "logged"]),
        ("ﬁrst the Ｃａｃｈｅ, then WAL_MODE", "cache wal", ["Ｃａｃｈｅ", "WAL"]),
        ("使用数据库的数据", "数据库", ["数据库", "数据"]),
        ("针 and İstanbul needle", "针 needle", ["针", "needle"]),
        ("C# and C", "c#", ["C#"]),
        ("nothing", "", []),
    ],
)
def test_the_words_of_a_query_are_found_where_they_stand(text: str, query: str, marked: list[str]) -> None:
    found = [text[start:end] for start, end in marks(text, query_tokens(query))]
    assert found == marked


def test_a_secret_whose_name_stands_on_the_line_before_is_not_shown() -> None:
    """T37: a line by itself is a word like any other."""
    word, other = "Zx9kfw02" + "Qm7pL", "Vb8Nq3Wz" + "6Ty1"
    body = f"Staging env:\n\n- name: DB_PASSWORD\n  value: {word}\n\nsmtp_password: |\n  {other}\n"
    text = f"{HEAD}description: Staging.\n---\n\n{body}"
    for query in ("staging env", "smtp_password", "value db_password"):
        excerpt = "\n".join(shown(query, 9, text))
        assert word not in excerpt
        assert other not in excerpt
