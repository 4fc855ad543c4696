"""What tools put before the lines of a text, and what formats write out, hides no secret. Every secret is made up."""

from __future__ import annotations

import html
import json
from collections.abc import Callable
from urllib.parse import quote, unquote

import pytest

from memory_core.redact import find, locate, redact
from memory_core.secrets.views import otherwise
from tests.secret_forms import HEX, KEY, ORDINARY, OTHER, PASS, SHOWN

# Texts in which a secret is known by the line above it, by the beginning of its line, by its column or by quotes.
TOLD = {
    "variables of a container": (f"- name: DB_PASSWORD\n  value: {PASS}", PASS),
    "a block": (f"password: >-\n  {OTHER}", OTHER),
    "netrc": (f"machine h.test\n  login bob\n  password {PASS}", PASS),
    "a property list": (f"<key>APIToken</key>\n<string>{KEY}</string>", KEY),
    "rows": (f"user_id,email,api_token\n1,a@b.test,{KEY}", KEY),
    "a table": (f"| user | password |\n|---|---|\n| bob | {PASS} |", PASS),
    "the next line": (f"Username\nbob\nPassword\n{PASS}\nSign in", PASS),
    "a fence": (f"Password:\n```\n{PASS}\n```", PASS),
    "below a sentence": (f"Use the following password to proceed to installation:\n\n{HEX}\n\nThis", HEX),
    "a shell": (f"set -x MAP_API_TOKEN {KEY}\nsetenv NAME v", KEY),
    "code": (f'x = 1\nos.environ["MAP_TOKEN"] = "{KEY}"', KEY),
    "a call": (f'a()\nDriverManager.getConnection("jdbc:mysql://h/d", "root", "{PASS}")', PASS),
}


def _lines(mark: Callable[[int, str], str]) -> Callable[[str], str]:
    return lambda text: "\n".join(mark(n, line) for n, line in enumerate(text.split("\n"), 98))


AROUND: dict[str, Callable[[str], str]] = {
    "numbers and arrows": _lines(lambda n, line: f"{n:6d}→{line}"),
    "cat -n": _lines(lambda n, line: f"{n:6d}\t{line}"),
    "numbers and colons": _lines(lambda n, line: f"{n}:{line}"),
    "numbers and bars": _lines(lambda n, line: f"{n:4d} | {line}"),
    "grep": _lines(lambda n, line: f"src/app.txt:{n}:{line}"),
    "grep of Windows": _lines(lambda n, line: f"C:\\src\\app.txt:{n}:{line}"),
    "grep with context": _lines(lambda n, line: f"src/app.txt-{n}-{line}"),
    "grep without numbers": _lines(lambda n, line: f"src/app.txt:{line}"),
    "added": _lines(lambda n, line: f"+{line}"),
    "removed": _lines(lambda n, line: f"-{line}"),
    "a diff with what stays": lambda text: "@@ -1,9 +1,9 @@\n+# new\n" + _lines(lambda n, line: f" {line}")(text),
    "a quotation": _lines(lambda n, line: f"> {line}"),
    "a comment": _lines(lambda n, line: f"    # {line}"),
    "another comment": _lines(lambda n, line: f"// {line}"),
    "a box": _lines(lambda n, line: f"│ {line:<80} │"),
    "a list": _lines(lambda n, line: f"- {line}"),
    "compose": _lines(lambda n, line: f"app-1  | {line}"),
    "a build": _lines(lambda n, line: f"2026-11-30T10:00:{n % 60:02d}.1234567Z {line}"),
    "a build, downloaded": _lines(lambda n, line: f"test\tRun tests\t2026-11-30T10:00:{n % 60:02d}.1Z {line}"),
    "a pod": _lines(lambda n, line: f"[pod/api-1/app] {line}"),
    "syslog": _lines(lambda n, line: f"Nov 30 10:00:{n % 60:02d} host app[123]: {line}"),
    "colors": _lines(lambda n, line: f"\x1b[32m+{line}\x1b[0m"),
    "numbers of a diff": _lines(lambda n, line: f"{n:6d}→+{line}"),
    "JSON": lambda text: json.dumps({"output": text}),
    "JSON, all signs": lambda text: json.dumps({"output": text}, ensure_ascii=False),
    "JSON in JSON": lambda text: json.dumps(json.dumps({"output": text})),
    "a page": html.escape,
    "an address": quote,
    "numbers in JSON": lambda text: json.dumps({"output": _lines(lambda n, line: f"{n:6d}→{line}")(text)}),
}


def _gone(text: str, secret: str) -> None:
    shown = redact(text)
    assert secret not in shown, shown
    assert redact(shown) == shown
    assert find(text)
    places = [text[found.start : found.end] for found in locate(text)]
    assert any(secret in place or secret in unquote(place) for place in places)


# A line's beginning is not seen in JSON that is written out twice.
_DEEP = {("rows", "JSON in JSON"), ("a table", "JSON in JSON"), ("a fence", "JSON in JSON")}


@pytest.mark.parametrize(
    ("told", "around"), [(told, around) for told in TOLD for around in AROUND if (told, around) not in _DEEP]
)
def test_no_mark_before_its_lines_and_no_spelling_hides_a_secret(told: str, around: str) -> None:
    text, secret = TOLD[told]
    _gone(AROUND[around](text), secret)


@pytest.mark.parametrize(("text", "secret"), [form[1:] for form in SHOWN], ids=[form[0] for form in SHOWN])
def test_a_secret_is_known_as_tools_show_it(text: str, secret: str) -> None:
    _gone(text, secret)


@pytest.mark.parametrize("text", ORDINARY)
def test_ordinary_text_with_marks_and_spellings_stays(text: str) -> None:
    assert redact(text) == text
    assert not find(text)
    assert not locate(text)


@pytest.mark.parametrize("around", [around for around in AROUND if around != "colors"])  # which go with it
def test_of_a_marked_text_the_secret_alone_goes(around: str) -> None:
    """What stands around it in each line, and the lines beside it, are as they were."""
    text = AROUND[around](f"first\n- name: DB_PASSWORD\n  value: {PASS}\n- name: LAST\n  value: one")
    shown = redact(text)
    before, _, after = shown.partition("[redacted secret]")
    assert text.startswith(before)
    assert text.endswith(after)
    assert text.removeprefix(before).removesuffix(after).strip("\"'") == PASS


def test_every_reading_knows_where_it_stands() -> None:
    """What is not written out otherwise is the same in the reading and at its place in the text."""
    text = "\n".join(write(told) for told, _ in TOLD.values() for write in AROUND.values())
    rows = list(otherwise(text))
    assert len(rows) >= 3
    for row in rows:
        for at, sign in enumerate(row[-1].text):
            start, end = at, at + 1
            for view in reversed(row):
                start, end = view.span(start, end)
            assert 0 <= start <= end <= len(text)
            assert sign.isspace() or not sign.isalnum() or text[start:end] == sign or text[start] in "\\%&"
