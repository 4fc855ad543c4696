"""Secrets in records. Every secret here is made up, and put together so that no scanner trips."""

import pytest

from memory_core.lint.check import check
from memory_core.snapshot import snapshot_of
from memory_core.text import apply_edits
from tests.lint.lint_fixture import check_lint, codes, decision, diagnostics, fixed, knowledge

A = "memory/decisions/a.md"
LETTERS = "aB3dE5gH7jK9mN1pQ3sT5vW7yZ0cD2fG4hJ6"
TOKEN = "ghp_" + LETTERS


def test_a_secret_in_the_body_is_marked_exactly_and_not_repeated():
    """T36"""
    source = f"//- {A}\n{decision(body='Use ' + TOKEN + ' here.' + chr(10))}"
    (found,) = diagnostics(source, A)
    assert (found.code, found.range.start.character, found.range.end.character) == ("secret-in-record", 4, 44)
    assert TOKEN not in found.message
    assert "github-token" in found.message


@pytest.mark.parametrize(
    ("before", "secret", "after"),
    [
        ("password: ", "Tr0ub4dor" + "&3", ""),
        ("postgres://admin:", "hunter2" + "secret", "@db.local/x"),
        ("語", "sk-" + LETTERS, "です"),
        ("| key | `", "AKIA" + "ABCDEFGHIJ234567", "` |"),
        ("Authorization: Bearer ", LETTERS, ""),
        ("seen: ", LETTERS + "Q", ""),
    ],
)
def test_every_net_marks_the_value_alone(before, secret, after):
    (found,) = diagnostics(f"//- {A}\n{decision(body=before + secret + after + chr(10))}", A)
    assert found.code == "secret-in-record"
    assert (found.range.start.character, found.range.end.character) == (len(before), len(before) + len(secret))


def test_a_private_key_is_one_problem_over_its_lines():
    key = "-----BEGIN RSA " + "PRIVATE KEY-----\n" + (LETTERS + "\n") * 3 + "-----END RSA " + "PRIVATE KEY-----"
    (found,) = diagnostics(f"//- {A}\n{decision(body=key + chr(10))}", A)
    assert (found.range.start.line, found.range.end.line) == (7, 11)


def test_two_secrets_are_two_problems():
    body = f"{TOKEN} and {TOKEN}\n"
    assert codes(f"//- {A}\n{decision(body=body)}", A) == ["secret-in-record"] * 2


@pytest.mark.parametrize(
    "body",
    [
        "The token is in the vault.",
        "api_key: [redacted api-key]",
        "token=get_token(user) and password=$PASSWORD",
        "See https://example.org/a?key=value and #retry",
        "commit 0123456789abcdef0123456789abcdef01234567",
        "0190a1b2-0000-7000-8000-0123456789ab in memory_core/lint/check.py at 2026-01-02T03:04:05.678Z",
        "a-very-long-slug-of-many-words-that-nobody-would-take-for-a-secret-000123",
        "max_tokens: 20000000",
    ],
)
def test_ordinary_text_is_none(body):
    check_lint(f"//- knowledge/retry.md\n{knowledge()}//- {A}\n{decision(body=body + chr(10))}")


def test_ids_and_hashes_that_the_host_wrote_are_none():
    random = LETTERS + "k7Lm"
    sources = f"""sources:
  - session_id: {random}
    range: [3, 4]
    anchors:
      - evidence_id: M0001
        entry_range: [3, 3]
        native_id: {random}
        call_id: "{random}"
        sha256: {"0123456789abcdef" * 4}
"""
    assert codes(f"//- {A}\n{decision(sources=sources)}", A) == []


def test_a_secret_in_an_excerpt_or_a_description_counts():
    text = decision("status: open\ndescription: has " + TOKEN + "\n")
    (found,) = check(snapshot_of({A: text}), A)
    assert (found.code, found.range.start.line) == ("secret-in-record", 5)


def test_the_offered_note_leaves_a_record_that_can_be_read_and_no_secret():
    for text in (decision(body=f"x {TOKEN}\n"), decision(f"status: open\ndescription: {TOKEN}\n")):
        (found,) = check(snapshot_of({A: text}), A)
        changed = apply_edits(text, found.fixes[0].edits)
        assert check(snapshot_of({A: changed}), A) == []


def test_a_fix_never_takes_text_away_on_its_own():
    """What only looks like a secret would be lost."""
    assert fixed(f"//- {A}\n{decision(body=TOKEN + chr(10))}", A) is None
