"""The one scanner of references and the mask below it."""

import re
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory_core.records.mask import mask
from memory_core.records.refs import scan, typing_at
from memory_core.records.schema import Kind


def found(text: str) -> list[str]:
    return [text[ref.start : ref.end] for ref in scan(text)]


@pytest.mark.parametrize(
    ("text", "references"),
    [
        ("#a at the start, (#b), '#c', \"#d\", *#e*, **#f**, _x_ #g", ["#a", "#b", "#c", "#d", "#e", "#f", "#g"]),
        ("| #a | #b |\n> #c\n- #d\n1. #e", ["#a", "#b", "#c", "#d", "#e"]),
        ("See #a-b-1. Or #c! #d? #e: #f;", ["#a-b-1", "#c", "#d", "#e", "#f"]),
        ("#a,#b", ["#a", "#b"]),
        ("決定は#retryです。「#a」も", ["#retry", "#a"]),
        ("한국어 #a는", ["#a"]),
        ("😀#a 👩‍💻 #b", ["#a", "#b"]),
        ("#ends-", ["#ends"]),
        ("/run it, then /check.", ["/run", "/check"]),
        ("\t#a\r\n#b\r#c", ["#a", "#b", "#c"]),
    ],
)
def test_what_is_a_reference(text, references):
    """Bugs 17, 26: wide characters, and every place in a line."""
    assert found(text) == references


@pytest.mark.parametrize(
    "text",
    [
        "C# F# C#x issue#12a a#b",  # 31
        "https://x.y/#a http://x.y?q=#a ftp://h/#a www.x.y/#a",
        "<https://x.y/#a> <a id='#a'> </a#b>",
        "[x](#a) [x](a.md#b) [x](a(b)#c) [x]: y#z ![i](#a)",
        "`#a` ``#a ` #b`` `#a\n#b`",
        "```\n#a\n```\n~~~~ text\n#a\n~~~\n#b\n~~~~",  # 12
        "> ```\n> #a\n> ```",
        "1. x\n   ```sh\n   #a\n   ```",
        "    ```\n    #a\n    ```",
        "```\n#a",
        "<!-- #a\n\n#b -->",
        "$a #b$ $$\n#a\n$$ $$#a$$",  # 8
        "# a\n## b\n#\n##",
        "#A #a_b #-a #a--b # #é #caf\u00e9 #ca\u0301f #жук",  # 32
        "\\#a &#35; &#x23; ##a #/a a/#b a-#b a.#b @#b %#b",
        "#a/b #a.md #1.2",
        "a/b /a/b /a.md ./x /x_y /é //x",
        "#" + "a" * 65,
    ],
)
def test_what_is_none(text):
    assert found(text) == []


@pytest.mark.parametrize(
    ("text", "references"),
    [
        ("`unclosed #a\n\n#b", ["#a", "#b"]),
        ("a ` b #c", ["#c"]),
        ("`` a ` #b", ["#b"]),
        ("\\`#a\\`", ["#a"]),
        ("<!-- #a", ["#a"]),
        ("$5 and #a for $6", ["#a"]),
        ("$$ #a", ["#a"]),
        ("a < b #c > d", ["#c"]),
        ("[a] #b (c)", ["#b"]),
        ("[^1]: see #a", ["#a"]),
        ("x [a]: #b", ["#b"]),
        ("`a\n\n#b`", ["#b"]),
        ("``` not a `fence`\n#a", ["#a"]),
        ("```\n#x\n```\n#a", ["#a"]),
        ("~~~\n```\n#x\n~~~\n#a", ["#a"]),
        ("://#a ](#b", ["#b"]),
    ],
)
def test_what_only_looks_hidden(text, references):
    assert found(text) == references


@pytest.mark.parametrize(
    ("text", "weak"), [("#12", True), ("#fff", True), ("#00ff00", True), ("#facade", True), ("#fact", False)]
)
def test_numbers_and_colors_are_weak(text, weak):
    assert [ref.weak for ref in scan(text)] == [weak]


def test_kinds_and_offsets_count_from_the_start_of_the_whole_text():
    refs = scan("---\n#x\n---\n語 #a /b", start=11)
    assert [(ref.kind, ref.slug, ref.start, ref.end) for ref in refs] == [
        (Kind.KNOWLEDGE, "a", 13, 15),
        (Kind.WORKFLOW, "b", 16, 18),
    ]


@pytest.mark.parametrize(
    ("line", "prefix", "suffix"),
    [
        ("see #|", "", ""),
        ("see #ret|", "ret", ""),
        ("see #ret|ry-policy.", "ret", "ry-policy"),
        ("決定は#r|", "r", ""),
        ("/r|", "r", ""),
    ],
)
def test_a_reference_being_typed(line, prefix, suffix):
    """Bugs 14, 16: a suffix already there, half a word."""
    column = line.index("|")
    typing = typing_at(line.replace("|", ""), column)
    assert typing is not None
    assert typing.prefix == prefix
    assert line.replace("|", "")[column : typing.end] == suffix


@pytest.mark.parametrize("line", ["C#|", "http://x/#|", "see x|", "##|", "a/|"])
def test_nothing_is_being_typed(line):
    assert typing_at(line.replace("|", ""), line.index("|")) is None


def test_in_code_nothing_is_being_typed():
    line = "`#a`"
    assert typing_at(line, 3, mask(line)) is None


PIECES = st.sampled_from(
    ["`", "``", "```", "~~~", "<", ">", "<!--", "-->", "$", "$$", "[", "]", "](", ")", "(", "]:", "://", "http", "www.",
     "#a", "#b-c", "/d", "\n", "\r\n", "\r", "\n\n", " ", "    ", "- ", "> ", "\\", "語", "😀", "é", "\x00", "\u2028",
     "a"]
)  # fmt: skip


@settings(max_examples=800, deadline=None)
@given(st.one_of(st.lists(PIECES, max_size=30).map("".join), st.text(max_size=60)))
def test_the_mask_keeps_length_and_line_ends_and_invents_nothing(text):
    """Bug 16: every prefix of a document, no exception."""
    for end in range(len(text) + 1):
        part = text[:end]
        masked = mask(part)
        assert len(masked) == len(part)
        assert all(m == c or (m == " " and c not in "\r\n") for m, c in zip(masked, part, strict=True))
        assert all(0 <= r.start < r.end <= end and part[r.start + 1 : r.end] == r.slug for r in scan(part))


@pytest.mark.parametrize(
    "piece",
    ["`", "` ", "`` ` ", "`a\n", "<!-- ", "<!--\n", "<", "<a ", "<a<", "[", "](", "](a", "](()", "(]", "$", "$ ", "$a ",
     "$$ a ", "\\$", "://", "a://", "a.", "www.", "[a", "[a]:", "\n[a", "#", "#a-", "/", "- ", "> ", "1. ", "```\n",
     "~~~ \n", " ", "\t", "\n", "\n ", "<!-- omoide-disable ", "a:", "'", '"', "&a "],
)  # fmt: skip
def test_time_grows_with_the_length_and_no_faster(piece):
    """Bug 23: quadratic on some odd texts. 200 kB in well under a second; quadratic would be minutes."""
    text = piece * (200_000 // len(piece))
    started = time.process_time()
    scan(text)
    assert time.process_time() - started < 1.5


def test_a_large_text_with_many_fences_is_fast():
    """Bug 2: one megabyte, 200 fences."""
    text = ("word #a `code` " * 300 + "\n```py\n#x\n```\n") * 200
    started = time.process_time()
    assert len(scan(text)) == 300 * 200
    assert time.process_time() - started < 5
    assert len(re.findall("#x", mask(text))) == 0
