"""The hover card: what it says, and what foreign text cannot do in it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from urllib.parse import quote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt  # rich brings it along
from markdown_it.token import Token

from memory_core.ide.card import Circumstances
from memory_core.ide.card import card as make_card
from memory_core.ide.foreign import block, code, inline, unmarked
from memory_core.ide.hover import Used, age
from memory_core.records.schema import Kind, RecordRef
from memory_core.snapshot import snapshot_of
from memory_core.text import Position, Range
from tests.ide.ide_questions import NOW, decision, hover_record, hover_text, knowledge, workflow

JOINER = "\u2060"


def card(text: str, records: str = "", **more: object) -> str:
    found = hover_text(text, records, **more)  # type: ignore[arg-type]
    assert found
    return found.markdown


def test_the_card_says_what_and_when() -> None:
    shown = card(
        "see #api-k$0eys",
        knowledge("api-keys", "Where keys live. Read before adding one.", body="# Keys\n\nIn the vault."),
    )
    assert "**`#api-keys`** Keys (knowledge, policy)" in shown
    assert "Where keys live. Read before adding one." in shown
    assert "updated 5 days ago (2026-06-10) · created 14 days ago (2026-06-01) · never read" in shown
    assert shown.endswith("---\n\nIn the vault.")


@pytest.mark.parametrize("text", ["$0#api-keys", "#api-keys$0", "x #a$0pi-keys.", "日本語 #api-keys$0。"])
def test_anywhere_on_the_reference_and_right_behind_it(text: str) -> None:
    found = hover_text(text, knowledge("api-keys"))
    assert found
    assert found.ref == RecordRef(Kind.KNOWLEDGE, "api-keys")


def test_the_range_is_the_reference() -> None:
    found = hover_text("see #api-keys$0, ok", knowledge("api-keys"))
    assert found
    assert found.range == Range(Position(0, 4), Position(0, 13))


@pytest.mark.parametrize(
    "text", ["$0see #api-keys", "see #api-keys ,$0", "`#api-k$0eys`", "```\n#api-k$0eys\n```", "x#api-k$0eys"]
)
def test_no_card_beside_a_reference_or_in_code(text: str) -> None:
    assert hover_text(text, knowledge("api-keys")) is None


def test_an_unknown_slug_says_so_and_is_no_read() -> None:
    found = hover_text("see #nope$0")
    assert found
    assert found.ref is None
    assert found.markdown == "There is no knowledge record `#nope` in this workspace."


@pytest.mark.parametrize("text", ["fixes #12$0", "color #fff$0"])
def test_an_issue_number_or_a_color_gets_no_card(text: str) -> None:
    assert hover_text(text) is None


def test_use_count_and_last_use() -> None:
    shown = card("#api-keys$0", knowledge("api-keys"), used={"api-keys": Used(4, "2026-06-14T12:00:00Z")})
    assert "read 4 times, last 1 day ago (2026-06-14)" in shown


def test_backlinks_are_counted_by_record() -> None:
    records = (
        knowledge("api-keys") + knowledge("a", body="#api-keys and #api-keys") + workflow("go", requires="[api-keys]")
    )
    assert "named in 2 records" in card("#api-keys$0", records)


def test_sources_with_evidence() -> None:
    sources = (
        "\n  - session_id: s-1\n    range: [3, 17]\n    agent: codex\n    anchors:\n"
        "      - {evidence_id: E1, excerpt: 'keys go to the <b>vault</b>'}\n  - {session_id: s-2, range: [4, 4]}"
    )
    shown = card("#api-keys$0", knowledge("api-keys", last_sources=sources))
    assert f"- codex session `s-1`, entries 3-17: “keys go to the \\<{JOINER}b>vault\\<{JOINER}/b>”" in shown
    assert "- session `s-2`, entry 4" in shown


def test_many_sources_are_cut_and_counted() -> None:
    sources = "[" + ", ".join(f"{{session_id: s{n}, range: [1, 2]}}" for n in range(9)) + "]"
    shown = card("#api-keys$0", knowledge("api-keys", last_sources=sources))
    assert "`s2`" in shown
    assert "`s3`" not in shown
    assert "- 6 more sources" in shown


def test_a_replaced_decision_names_its_successor() -> None:
    source = decision("old", status="replaced", replaced_by="ne$0w") + decision("new", description="Use the vault")
    found = hover_record(source)
    assert found
    assert found.ref == RecordRef(Kind.DECISION, "new")
    assert "Use the vault" in found.markdown
    on_old = hover_record(
        decision("x", replaced_by="ol$0d")
        + decision("old", status="replaced", replaced_by="new")
        + decision("new", description="Use the vault")
    )
    assert on_old
    assert "Replaced by `decision/new`: Use the vault" in on_old.markdown
    assert "(decision, replaced)" in on_old.markdown


def test_a_successor_that_is_gone_is_named_as_gone() -> None:
    found = hover_record(decision("x", replaced_by="ol$0d") + decision("old", status="replaced", replaced_by="gone"))
    assert found
    assert "Replaced by `decision/gone`, which does not exist." in found.markdown


def test_requires_is_hovered_by_item() -> None:
    found = hover_record(workflow("go", requires="[a, b$0]") + knowledge("a") + knowledge("b", "Second"))
    assert found
    assert found.ref == RecordRef(Kind.KNOWLEDGE, "b")


def test_a_broken_record_has_a_card_that_says_so() -> None:
    assert "⚠ The file is broken: No frontmatter" in card("#odd$0", "//- knowledge/odd.md\nno head\n")


def test_the_body_is_cut_at_forty_lines() -> None:
    shown = card("#long$0", knowledge("long", body="\n".join(f"line {n}" for n in range(60))))
    assert "line 39" in shown
    assert "line 40" not in shown
    assert shown.endswith("… 20 more lines")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("![x](https://evil.example/a.png)", f"!{JOINER}[x](https://evil.example/a.png)"),
        ("![x][ref]", f"!{JOINER}[x][ref]"),
        ("<img src=x>", f"<{JOINER}img src=x>"),
        ("</details>", f"<{JOINER}/details>"),
        ("<!-- hidden -->", f"<{JOINER}!-- hidden -->"),
        ("<command:workbench.x>", f"<{JOINER}command:workbench.x>"),
        ("[go](command:workbench.x)", f"[go]{JOINER}(command:workbench.x)"),
        ("[go](<javascript:x>)", f"[go]{JOINER}(<{JOINER}javascript:x>)"),
        ("[go](\ncommand:x)", f"[go]{JOINER}(\ncommand:x)"),
        ("[go]: command:x", f"[go]{JOINER}: command:x"),
        ("`a\n\n![x](u)`", f"`a\n\n!{JOINER}[x]{JOINER}(u)`"),
        (" ```\n![x](u)", f" ```\n!{JOINER}[x]{JOINER}(u)"),
        ("- ```\n![x](u)", f"- ```\n!{JOINER}[x]{JOINER}(u)"),
        ("``` a`b\n![x](u)", f"``` a`b\n!{JOINER}[x]{JOINER}(u)"),
        ("[fine](https://example.org) 1 < 2", "[fine](https://example.org) 1 < 2"),
        ("```\n<b> ![x](u)\n```\n<b>", f"```\n<b> ![x](u)\n```\n<{JOINER}b>"),
        (" ```\nx\n```\n![x](u)", f" ```\nx\n```\n!{JOINER}[x]{JOINER}(u)\n```"),  # closed, or opened
        ("```\nx\n```~\n![x](u)", f"```\nx\n```~\n!{JOINER}[x]{JOINER}(u)\n```"),
        ("```\nx\n```\t\n```\n![x](u)", f"```\nx\n```\t\n```\n!{JOINER}[x]{JOINER}(u)\n```"),
        ("~~~\n```\n<b>", "~~~\n```\n<b>\n~~~"),
        ("```\n~~~\n````\n<b>", f"```\n~~~\n````\n<{JOINER}b>"),
        ("a\x1b[31m\u202eb\x07", "a[31mb"),
    ],
)
def test_nothing_in_a_body_loads_runs_or_hides(text: str, shown: str) -> None:
    assert block(text, 40) == shown


LINKS = ["![", "[", "](", "]", ")", "]: ", "[x]", "command:x", "(command:x)", "https://e.org", "javascript:a"]
HTML = ["<", "</b>", "<!--", "-->", "<img src=x>", "<?", "<![CDATA[", "<a@b.c>", "&lt;", "&#91;"]
BLOCKS = ["```", "~~~", "\n", "\n\n", "    ", "> ", "- ", "1. ", "#", "|", "---", "\t", "\r", "\x0c", "\u2028"]
PIECES = st.sampled_from([*LINKS, *HTML, *BLOCKS, "`", "``", " ", "\\", "!", "*", "\0", "\ud83d"])
MARKDOWN = MarkdownIt("commonmark", {"html": True})
MARKDOWN.validateLink = lambda _: True  # type: ignore[method-assign] # the reader must be safe without a renderer's help


def active(tokens: Sequence[Token]) -> list[str]:
    """What a renderer would load, run or follow, other than links that open a browser."""
    found = [t.content for t in tokens if t.type in ("html_block", "html_inline", "image")]
    links = [str(t.attrGet("href")) for t in tokens if t.type == "link_open"]
    found += [link for link in links if not link.startswith(("https://", "http://", "#", quote(JOINER)))]
    return found + [inner for t in tokens for inner in active(t.children or ())]


@given(st.lists(PIECES, max_size=14).map("".join))
@settings(max_examples=1_000, deadline=None)
def test_no_mix_of_syntax_gets_through(text: str) -> None:
    """Against a parser that has every kind of HTML and link turned on."""
    assert active(MARKDOWN.parse(block(text, 40))) == []
    assert active(MARKDOWN.parse(inline(text))) == []


def test_a_card_stays_small_whatever_is_in_the_record() -> None:
    """A record may hold a line of a megabyte; editors stall on one in a hover."""
    shown = card("#long$0", knowledge("long", body="x" * 1_000_000))
    assert len(shown) < 2_000
    assert "…" in shown
    shown = card("#long$0", knowledge("long", body="\n".join(["y" * 590] * 40)))
    assert len(shown) < 8_000
    assert shown.endswith("more lines")


def test_a_cut_inside_a_fence_closes_it() -> None:
    assert block("```\na\nb\nc", 2) == "```\na\n```\n\n… 2 more lines"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("**bold** `code` [l](command:x) <b>", f"\\*\\*bold\\*\\* \\`code\\` \\[l\\](command:x) \\<{JOINER}b>"),
        # An address takes the backslash behind it for its own.
        ("https://a.example/x<img src=y>", f"https://a.example/x\\<{JOINER}img src=y>"),
        ("![i](http://x/a.png)", "!\\[i\\](http://x/a.png)"),
        ("snake_case and _emph_", "snake_case and \\_emph\\_"),
        ("# no heading", "\\# no heading"),
        ("- no list", "\\- no list"),
        ("1. no list", "1\\. no list"),
        ("AT&T &lt;b&gt;", "AT\\&T \\&lt;b\\&gt;"),
        ("two\n\nlines", "two lines"),
    ],
)
def test_a_line_of_foreign_text_is_no_markdown(text: str, shown: str) -> None:
    assert inline(text) == shown


@pytest.mark.parametrize(
    ("text", "shown"), [("a", "`a`"), ("a`b", "``a`b``"), ("`", "`` ` ``"), ("a``b`", "``` a``b` ```")]
)
def test_a_code_span_holds_any_backticks(text: str, shown: str) -> None:
    assert code(text) == shown


@pytest.mark.parametrize(
    ("instant", "words"),
    [
        (datetime(2026, 6, 15, 11, 59, 30, tzinfo=UTC), "just now"),
        (datetime(2026, 6, 15, 11, 58, tzinfo=UTC), "2 minutes ago"),
        (datetime(2026, 6, 15, 11, 0, tzinfo=UTC), "1 hour ago"),
        (datetime(2026, 6, 13, 12, 0, tzinfo=UTC), "2 days ago (2026-06-13)"),
        (datetime(2026, 4, 1, 12, 0, tzinfo=UTC), "2 months ago (2026-04-01)"),
        (datetime(2024, 4, 1, 12, 0, tzinfo=UTC), "2 years ago (2024-04-01)"),
        (datetime(2026, 7, 1, 12, 0, tzinfo=UTC), "on 2026-07-01"),
    ],
)
def test_ages(instant: datetime, words: str) -> None:
    assert age(instant, datetime(2026, 6, 15, 12, 0, tzinfo=UTC)) == words


@pytest.mark.parametrize(
    ("used", "said"),
    [
        (Used(1, None, human=1), "read once (by a person)"),
        (Used(1, None, agent=1), "read once (by an agent)"),
        (Used(7, None, human=7), "read 7 times (by people)"),
        (Used(7, None, agent=7), "read 7 times (by agents)"),
        (Used(7, None, human=2, agent=5), "read 7 times (2 by people, 5 by agents)"),
        (Used(7, None, human=2, agent=1), "read 7 times (2 by people, 1 by agents)"),
        (Used(7), "read 7 times"),
        (Used(0), "never read"),
        (
            Used(1_234, "2026-06-15T11:00:00Z", 1_000, 234),
            "read 1,234 times (1,000 by people, 234 by agents), last 1 hour",
        ),
        (Used(2, "not a time", agent=2), "read 2 times (by agents)"),
    ],
)
def test_reads_are_told_apart_by_who_read(used: Used, said: str) -> None:
    """D2, D5"""
    assert said in card("#api-keys$0", knowledge("api-keys"), used={"api-keys": used})


def test_the_records_that_name_it_are_named() -> None:
    records = knowledge("api-keys") + "".join(knowledge(f"from-{n}", body="#api-keys") for n in range(5))
    shown = card("#api-keys$0", records)
    assert "named in 5 records: `#from-0`, `#from-1`, `#from-2`, …" in shown
    assert "named in 1 record: `#a`" in card("#api-keys$0", knowledge("api-keys") + knowledge("a", body="#api-keys"))


@pytest.mark.parametrize(
    ("anchor", "said"),
    [
        ("{excerpt: yes it is, speaker: human, entry_range: [4, 4]}", "entries 3-17 (entry 4, human): “yes it is”"),
        ("{excerpt: yes it is, speaker: tool, entry_range: [4, 6]}", "entries 3-17 (entries 4-6, tool): “yes it is”"),
        ("{excerpt: yes it is, speaker: human, entry_range: [3, 17]}", "entries 3-17 (human): “yes it is”"),
        ("{excerpt: yes it is}", "entries 3-17: “yes it is”"),
        ("{excerpt: yes it is, speaker: '**evil**', entry_range: [a, b]}", "entries 3-17: “yes it is”"),
        ("{excerpt: '', speaker: human}", "entries 3-17"),
        ("{speaker: human}", "entries 3-17"),
        ("{excerpt: 5}", "entries 3-17"),
    ],
)
def test_a_source_names_the_entry_it_points_at_and_who_said_it(anchor: str, said: str) -> None:
    source = f"[{{session_id: s-1, range: [3, 17], anchors: [{anchor}]}}]"
    shown = card("#api-keys$0", knowledge("api-keys", last_sources=source))
    assert f"- session `s-1`, {said}\n" in shown + "\n"


@pytest.mark.parametrize("line", ["[go](command:workbench.x)", "[go]( command:x)", "<command:x>", "[a]: command:x"])
def test_a_card_holds_no_command_link(line: str) -> None:
    shown = card("#api-keys$0", knowledge("api-keys", body=line))
    assert active(MARKDOWN.parse(shown)) == []


FOREIGN = st.lists(PIECES, max_size=8).map("".join)


@given(FOREIGN, FOREIGN, FOREIGN, FOREIGN)
@settings(max_examples=300, deadline=None)
def test_no_foreign_text_in_a_whole_card_gets_through(description: str, kind: str, excerpt: str, body: str) -> None:
    """Every place of a card that others write, at once."""
    quoted = [text.translate(YAML) for text in (description, kind, excerpt)]
    source = (
        f'[{{session_id: "{quoted[2]}", range: [1, 2], agent: "{quoted[1]}", anchors: [{{excerpt: "{quoted[2]}"}}]}}]'
    )
    text = f'---\nkind: "{quoted[1]}"\ndescription: "{quoted[0]}"\nlast_sources: {source}\n---\n# {excerpt}\n{body}'
    snapshot = snapshot_of({"knowledge/a.md": text})
    shown = make_card(snapshot, RecordRef(Kind.KNOWLEDGE, "a"), Circumstances(NOW))
    assert shown
    assert active(MARKDOWN.parse(shown)) == []


YAML = {code: f"\\x{code:02x}" for code in (*range(32), 34, 92, 127)} | {0x2028: "\\L", 0xD83D: "", 0x85: "\\N"}


def test_an_editor_without_markdown_is_shown_words_and_no_syntax() -> None:
    shown = unmarked(
        card("#api-keys$0", knowledge("api-keys", "Use_ *this* [now] & then", body="# Keys `x`\n\nA `b` **c** <i>."))
    )
    head, _, body = shown.partition("\n\n---\n\n")
    assert head.startswith("#api-keys Keys `x` (knowledge, policy)\n\nUse_ *this* [now] & then\n\n")
    assert body == "A `b` **c** <i>."


def test_nothing_is_said_of_reads_while_they_are_not_known() -> None:
    """F2: "never read" is a statement too."""
    snapshot = snapshot_of({"knowledge/api-keys.md": knowledge("api-keys").split("\n", 1)[1]})
    ref = RecordRef(Kind.KNOWLEDGE, "api-keys")
    assert "read" not in (make_card(snapshot, ref, Circumstances(NOW, None)) or "")
    assert "never read" in (make_card(snapshot, ref, Circumstances(NOW, {})) or "")
