"""Decisions said in plain English that an extractor misses easily: wishes between two, short rules, facts set right,
things picked by name. Each beside what sounds like it and is none. A13, issue 6 point 8."""

from __future__ import annotations

import pytest

from memory_core.providers.builtin.naming import slug_for
from memory_core.records.schema import Kind
from tests.builtin.test_builtin_real_talk import _found


def _arrays(text: str) -> list[str]:
    return [finding.array for finding in _found(text)]


@pytest.mark.parametrize(
    "said",
    [
        "I want SQLite rather than Postgres for the queue",
        "we want plain CSS rather than Tailwind, nobody here knows it",
        "For the search I want full text search in sqlite (FTS5) rather than elasticsearch.",
    ],
)
def test_wish_for_one_thing_rather_than_another_is_a_decision(said: str) -> None:
    (found,) = _found(f"A: Done.\nH: {said}\nA: OK.")
    assert found.array == "decisions"
    assert "rather than" in str(found.fields["chosen"])


@pytest.mark.parametrize(
    "said",
    [
        "I want you to explain it rather than guess",
        "do I want SQLite rather than Postgres?",
        "I want to see the diff rather than the log",
        "I'm not sure I want SQLite rather than Postgres",
    ],
)
def test_wish_of_the_moment_between_two_is_no_decision(said: str) -> None:
    assert "decisions" not in _arrays(f"A: Done.\nH: {said}\nA: OK.")


@pytest.mark.parametrize(
    "said",
    [
        "No, that's wrong: VAT for books is 7%, not 19%.",
        "No, VAT for books is 7%, not 19%. Please fix the invoice test.",
        "no, the fiscal year starts in April, not January",
    ],
)
def test_fact_set_right_is_kept(said: str) -> None:
    found = [finding for finding in _found(f"A: Done.\nH: {said}\nA: Fixed.") if finding.array == "decisions"]
    assert [", not " in str(finding.fields["chosen"]) for finding in found] == [True]


@pytest.mark.parametrize(
    "said",
    [
        "No, the error is on line 7, not 19",
        "no, it's slow, not broken",
        "No, the meeting is at 9, not 10",
        "no, that is the log, not the config",
        "VAT for books is 7%, not 19%, is it?",
    ],
)
def test_what_only_the_screen_shows_is_no_fact_to_keep(said: str) -> None:
    assert "decisions" not in _arrays(f"A: Done.\nH: {said}\nA: Fixed.")


@pytest.mark.parametrize(
    "said",
    [
        "Use conventional commits.",
        "and use conventional commits: feat, fix, chore",
        "Please use type hints.",
        "No ORMs please.",
        "no savepoints please, they're slow in sqlite",
        "please no default exports please",
    ],
)
def test_short_standing_rule_is_a_decision(said: str) -> None:
    assert _arrays(f"A: OK.\nH: {said}\nA: OK.") == ["decisions"]


@pytest.mark.parametrize(
    "said",
    [
        "use the staging db for this run",
        "use 8080 now",
        "use the logs",
        "use both files",
        "use test fixtures for this run",
        "use parallel subagents",
        "no errors",
        "no results",
        "no changes please",
        "no more questions please",
        "no rush please",
        "no test changes please",
    ],
)
def test_short_errand_is_no_rule(said: str) -> None:
    assert _arrays(f"A: OK.\nH: {said}\nA: OK.") == []


_ASKED = (
    "H: The PDF parser: pdfplumber or pymupdf?\n"
    "A: pymupdf is about 8x faster, but AGPL. pdfplumber is MIT and slower. Since you ship a closed product I'd go "
    "with pdfplumber.\nH: "
)
_OFFERED = "H: We need PDF text.\nA: pymupdf is faster, but AGPL. Should I use pdfplumber or pymupdf?\nH: "


@pytest.mark.parametrize("before", [_ASKED, _OFFERED], ids=["person asked", "assistant asked"])
@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ("right, AGPL is a no go for us. pdfplumber", "AGPL is a no go"),
        ("pdfplumber, AGPL is a no go for us.", "AGPL is a no go"),
        ("ok, pdfplumber", ""),
        ("pdfplumber then", ""),
    ],
)
def test_thing_picked_by_its_name_is_what_was_chosen(before: str, said: str, reason: str) -> None:
    (found,) = [f for f in _found(f"{before}{said}\nA: Using pdfplumber.") if f.array == "decisions"]
    assert found.fields["chosen"] == "pdfplumber"
    assert reason in str(found.fields["rationale"])


@pytest.mark.parametrize(
    "said",
    [
        "pdfplumber is slow, is it?",
        "pdfplumber crashed on the first file.",
        "hm, pdfplumber, never heard of it.",
        "maybe pdfplumber",
        "ok, pdfplumber or pymupdf?",
    ],
)
def test_name_that_is_only_mentioned_is_not_picked(said: str) -> None:
    assert _arrays(f"{_ASKED}{said}\nA: It is.") == []


_IMPORT = (
    "H: the recipe import is super slow for big files. can you look into it?\n"
    "A: The importer commits after every line. I'd suggest batching commits: one transaction per 1000 lines.\n"
    "H: {}\nEDIT: import.py\n$! pytest -q => FAILED test_partial - expected 3 rows, got 0\n"
    "A: test_partial fails because a bad line now rolls back the whole batch. I could use savepoints, or skip them.\n"
    "H: {}\nEDIT: import.py\n$ pytest -q => {}\nA: Done."
)


@pytest.mark.parametrize("yes", ["yes do that, 1000 per batch is fine", "ah ok. yes do that, 1000 per batch is fine"])
def test_yes_with_a_figure_is_a_decision_and_no_failed_attempt(yes: str) -> None:
    found = _found(_IMPORT.format(yes, "no savepoints please, they're slow in sqlite. Skip bad lines.", "12 passed"))
    chosen = [str(finding.fields["chosen"]) for finding in found if finding.array == "decisions"]
    assert any(text.startswith("Batching commits") and text.endswith("1000 per batch") for text in chosen)
    assert [finding for finding in found if finding.array == "attempts" and not finding.fields["succeeded"]] == []


def test_work_that_is_taken_back_stays_a_failed_attempt() -> None:
    found = _found(_IMPORT.format("yes do that", "no, revert that, it loses rows", "12 passed"))
    assert [f.fields["succeeded"] for f in found if f.array == "attempts"] == [False]


def test_ah_ok_alone_agrees_to_nothing() -> None:
    assert _arrays("A: I'd suggest batching commits: one transaction per 1000 lines.\nH: ah ok\nA: So.") == []


@pytest.mark.parametrize(
    ("text", "slug"),
    [
        ("UTC (in answer to: I'll store the times in local time)", "utc-decision"),
        ("UTC（対象: 現地時間で保存します）", "utc-decision"),
        ("Exponential backoff, max 6 tries (in answer to: How should I retry?)", "exponential-backoff"),
        ("The answer to the survey is anonymous", "answer-to-survey-is-anonymous"),
        ("pdfplumber", "pdfplumber"),
    ],
)
def test_name_of_an_answer_leaves_out_what_it_answers(text: str, slug: str) -> None:
    assert slug_for(Kind.DECISION, text, "2026-01-31", ()) == slug


@pytest.mark.parametrize(
    ("text", "slug"),
    [
        ("Add a check that fails the build when a migration has no way back", "add-check-fails-build"),
        ("Use a queue which survives restarts", "use-queue-survives-restarts"),
        ("Keep every finished export that billing has read in cold storage", "keep-every-finished-export"),
    ],
)
def test_what_tells_which_one_is_left_out_of_a_name_only_where_enough_remains(text: str, slug: str) -> None:
    """`add-check` named every check that was ever asked for."""
    assert slug_for(Kind.DECISION, text, "2026-01-31", ()) == slug


@pytest.mark.parametrize(
    ("text", "slug"),
    [
        ("把日志级别做成可配置的", "log-config"),
        ("按类别分组显示商品", "show-product"),
        ("API密钥分别存放", "api-key"),
        ("给命令起一个别名", "command-decision"),
        ("비밀번호 최소 길이를 12자로 하고 특수문자는 필수로 하지 않기", "password-decision"),
        ("エラーが少ないこと", "error-decision"),
        ("别用这个缓存", "no-cache"),
        ("时区别写死在配置里", "no-config"),
        ("这个别提交到仓库", "no-commit"),
        ("リトライはしないで", "no-retry"),
        ("비밀 키는 절대 커밋하지 마세요", "no-commit"),
    ],
)
def test_a_name_forbids_only_what_the_words_forbid(text: str, slug: str) -> None:
    assert slug_for(Kind.DECISION, text, "2026-01-31", ()) == slug


def test_a_country_is_no_pronoun_in_a_name() -> None:
    text = "Use the US cluster instead of the EU cluster"
    assert slug_for(Kind.DECISION, text, "2026-01-31", ()) == "use-us-cluster"
    assert slug_for(Kind.DECISION, "Show us the cluster load", "2026-01-31", ()) == "show-cluster-load"
    assert slug_for(Kind.DECISION, "TELL US THE CLUSTER LOAD", "2026-01-31", ()) == "tell-cluster-load"
