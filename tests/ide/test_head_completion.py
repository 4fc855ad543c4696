"""Completion in frontmatter: keys, values, slugs and a whole head, as facts about a record with a cursor."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_core.ide.completion import complete
from memory_core.ide.offer import Role
from memory_core.ide.view import view_of
from memory_core.lint.check import check
from memory_core.records.schema import FIELDS, Kind
from memory_core.snapshot import snapshot_of
from memory_core.testing import CURSOR, fixture
from memory_core.text import LineIndex, Range, TextEdit, apply_edits
from tests.ide.ide_questions import NOW, complete_record, decision, knowledge, workflow

PATHS = {
    Kind.SUMMARY: "memory/summary.md",
    Kind.DECISION: "memory/decisions/it.md",
    Kind.REQUEST: "memory/requests/it.md",
    Kind.KNOWLEDGE: "knowledge/it.md",
    Kind.WORKFLOW: "workflow/it.md",
}


def offered(text: str, kind: Kind = Kind.KNOWLEDGE, *, explicit: bool = True) -> list[str]:
    """The labels offered at `$0` of a record."""
    result = complete_record(f"//- {PATHS[kind]}\n{text}", explicit=explicit)
    return [item.label for item in result.items] if result else []


def after(text: str, label: str, kind: Kind = Kind.KNOWLEDGE) -> str:
    """The record's text after an item is accepted."""
    read = fixture(f"//- {PATHS[kind]}\n{text}")
    assert read.cursor
    document = read.snapshot.documents[read.cursor[0]]
    result = complete(read.snapshot, view_of(document), read.cursor[1], explicit=True, now=NOW)
    assert result
    item = next(item for item in result.items if item.label == label)
    return apply_edits(document.text, [TextEdit(result.range, item.new_text)])


@pytest.mark.parametrize("kind", list(Kind))
def test_every_key_of_a_kind_is_offered_required_ones_first(kind: Kind) -> None:
    """F1"""
    keys = [label for label in offered("---\n$0\n---\n", kind) if label != "all required fields"]
    fields = FIELDS[kind]
    required, optional = [f.name for f in fields if f.required], [f.name for f in fields if not f.required]
    assert keys == [*required, *optional]


@pytest.mark.parametrize(
    ("text", "kind", "labels"),
    [
        ("---\nsta$0\n---\n", Kind.DECISION, ["status"]),
        ("---\nst$0\n---\n", Kind.DECISION, ["status"]),
        ("---\nu$0\n---\n", Kind.DECISION, ["updated_at"]),
        ("---\nat$0\n---\n", Kind.DECISION, ["created_at", "updated_at"]),
        ("---\nstus$0\n---\n", Kind.DECISION, ["status"]),
        ("---\nrep$0\n---\n", Kind.DECISION, ["replaced_by"]),
        ("---\nstatus: open\nsta$0\n---\n", Kind.DECISION, []),
        ("---\nsta$0\nstatus: open\n---\n", Kind.DECISION, []),
        ("---\nreq$0\n---\n", Kind.WORKFLOW, ["requires"]),
        ("---\nreq$0\n---\n", Kind.KNOWLEDGE, []),
        ("---\nKIND$0\n---\n", Kind.KNOWLEDGE, ["kind"]),
        ("---\nmodel$0\n---\n", Kind.KNOWLEDGE, ["model_invokation"]),
        ("---\nmodel_invocation: false\nmodel$0\n---\n", Kind.KNOWLEDGE, []),
        ("---\nzzz$0\n---\n", Kind.KNOWLEDGE, []),
        ("---\ndescription: |\n  mod$0\n---\n", Kind.KNOWLEDGE, []),
        ("---\nlast_sources:\n  - ses$0\n---\n", Kind.KNOWLEDGE, []),
        ("---\nsources:\n  - {session_id: s, ra$0}\n---\n", Kind.DECISION, []),
        ("---\n---\nki$0\n", Kind.KNOWLEDGE, []),
        ("---$0\nkind: fact\n---\n", Kind.KNOWLEDGE, []),
        ("---\nkind: fact\n---$0\n", Kind.KNOWLEDGE, []),
        ("\ufeff---\nki$0\n---\n", Kind.KNOWLEDGE, ["kind"]),
    ],
)
def test_keys_that_fit_and_are_missing(text: str, kind: Kind, labels: list[str]) -> None:
    assert offered(text, kind) == labels


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("---\nkind: fact\ndes$0", ["description"]),
        ("---\nkind: fact\ndes$0\n", ["description"]),
        ("---\nkind: fact\ndes$0\n\n# Title\n\nText.\n", ["description"]),
        ("---\nkind: fact\n\ndes$0\n", ["description"]),
        ("---\nkind: fact\n\n# Title\n\ndes$0\n", []),
        ("---\r\nkind: fact\r\ndes$0\r\n", ["description"]),
        ("---\nkind: $0", ["term", "policy", "rule", "fact", "know-how"]),
    ],
)
def test_a_head_without_its_end_is_a_head_up_to_the_first_line_that_is_none(text: str, labels: list[str]) -> None:
    assert offered(text) == labels


def test_a_line_that_has_its_colon_gets_the_key_alone() -> None:
    assert after("---\nsta$0: open\n---\n", "status", Kind.DECISION) == "---\nstatus: open\n---\n"
    assert after("---\nst$0atsu: open\n---\n", "status", Kind.DECISION) == "---\nstatus: open\n---\n"


@pytest.mark.parametrize(
    ("label", "kind", "line"),
    [
        ("created_at", Kind.DECISION, "created_at: 2026-06-15T12:00:00Z"),
        ("sources", Kind.DECISION, "sources: []"),
        ("status", Kind.DECISION, "status: open"),
        ("description", Kind.DECISION, 'description: ""'),
        ("kind", Kind.KNOWLEDGE, "kind: fact"),
        ("model_invokation", Kind.KNOWLEDGE, "model_invokation: false"),
        ("user_invocable", Kind.KNOWLEDGE, "user_invocable: true"),
        ("last_sources", Kind.KNOWLEDGE, "last_sources: []"),
        ("requires", Kind.WORKFLOW, "requires: []"),
        ("origin", Kind.WORKFLOW, "origin: user"),
        ("replaced_by", Kind.DECISION, "replaced_by: "),
        ("scope", Kind.DECISION, "scope: "),
    ],
)
def test_a_key_comes_with_the_value_it_usually_has(label: str, kind: Kind, line: str) -> None:
    assert after("---\n$0\n---\n", label, kind) == f"---\n{line}\n---\n"


def test_a_key_says_what_it_means_and_whether_it_must_be_there() -> None:
    result = complete_record("//- memory/decisions/it.md\n---\nstatus$0\n---\n")
    assert result
    (item,) = result.items
    assert item.role is Role.FIELD
    assert item.sort == "required"
    assert item.documentation
    assert item.documentation.startswith("**`status`** (required in a decision)")
    assert item.snippet == "status: ${1|open,resolved,replaced|}"


@pytest.mark.parametrize(
    ("line", "kind", "labels"),
    [
        ("status: $0", Kind.DECISION, ["open", "resolved", "replaced"]),
        ("status: re$0", Kind.DECISION, ["resolved", "replaced"]),
        ("status: $0  # why", Kind.DECISION, ["open", "resolved", "replaced"]),
        ('status: "re$0"', Kind.DECISION, ["resolved", "replaced"]),
        ("status:$0", Kind.DECISION, []),
        ("status: open $0", Kind.DECISION, []),
        ("status: nonsense$0", Kind.DECISION, []),
        ("status: $0", Kind.KNOWLEDGE, []),
        ("kind: $0", Kind.KNOWLEDGE, ["term", "policy", "rule", "fact", "know-how"]),
        ("kind: know$0", Kind.KNOWLEDGE, ["know-how"]),
        ("kind: know-$0", Kind.KNOWLEDGE, ["know-how"]),
        ("kind: po$0", Kind.KNOWLEDGE, ["policy"]),
        ("model_invokation: $0", Kind.KNOWLEDGE, ["true", "false"]),
        ("model_invokation: f$0", Kind.KNOWLEDGE, ["false"]),
        ('model_invokation: "f$0"', Kind.KNOWLEDGE, []),
        ("model_invocation: t$0", Kind.KNOWLEDGE, ["true"]),
        ("user_invocable: T$0", Kind.WORKFLOW, ["true"]),
        ("origin: $0", Kind.WORKFLOW, ["user", "tool", "policy:"]),
        ("origin: pol$0", Kind.DECISION, ["policy:"]),
        ("created_at: $0", Kind.DECISION, ["2026-06-15T12:00:00Z"]),
        ("created_at: 2026$0", Kind.DECISION, ["2026-06-15T12:00:00Z"]),
        ("created_at: 2025$0", Kind.DECISION, []),
        ("description: op$0", Kind.DECISION, []),
        ("sources: $0", Kind.DECISION, []),
        ("sources: [$0]", Kind.DECISION, []),
        ("last_sources: $0", Kind.KNOWLEDGE, []),
        ("unknown: $0", Kind.KNOWLEDGE, []),
        ("scope: $0", Kind.KNOWLEDGE, []),
        ("scope:\n  $0", Kind.KNOWLEDGE, ["agent", "session", "tenant", "principal"]),
        ("scope:\n  agent: a\n  se$0", Kind.KNOWLEDGE, ["session"]),
        ("scope:\n  agent: a\n  ag$0", Kind.KNOWLEDGE, []),
    ],
)
def test_values_of_which_there_are_few(line: str, kind: Kind, labels: list[str]) -> None:
    assert offered(f"---\n{line}\n---\n", kind) == labels


@pytest.mark.parametrize(
    ("before", "label", "line"),
    [
        ("status: re$0", "resolved", "status: resolved"),
        ("status: $0open", "replaced", "status: replaced"),
        ("status: $0open  # why", "replaced", "status: replaced  # why"),
        ("status: re$0solved", "replaced", "status: replaced"),
        ("status: 'o$0'", "open", "status: 'open'"),
        ("created_at: 2026$0-01-01T00:00:00Z", "2026-06-15T12:00:00Z", "created_at: 2026-06-15T12:00:00Z"),
    ],
)
def test_a_value_takes_the_place_of_the_one_that_stands_there(before: str, label: str, line: str) -> None:
    assert after(f"---\n{before}\n---\n", label, Kind.DECISION) == f"---\n{line}\n---\n"


@pytest.mark.parametrize(
    "value",
    [
        "[$0]",
        "[ap$0",
        "[deploy, ap$0]",
        '["ap$0"]',
        "[deploy,ap$0]",
        "[\n  deploy,\n  ap$0\n]",
        "\n  - ap$0",
        "\n- deploy\n- ap$0",
        '\n  - "ap$0"',
        "\n  # why\n\n  - ap$0",
    ],
)
def test_requires_offers_knowledge_however_the_list_is_written(value: str) -> None:
    result = complete_record(
        workflow("release", requires=value) + knowledge("api-keys") + knowledge("api-x", user_invocable="false")
    )
    assert result
    # What people are spared is offered here: a program reads it.
    assert [item.new_text for item in result.items] == ["api-keys", "api-x"]


@pytest.mark.parametrize("value", ["[deploy] $0", "[deploy]\nother: ap$0", "\n  - deploy extra $0", "ap$0"])
def test_requires_offers_nothing_where_no_item_can_stand(value: str) -> None:
    result = complete_record(workflow("release", requires=value) + knowledge("api-keys"))
    assert not result or not any(item.ref for item in result.items)


def test_replaced_by_offers_other_decisions_only() -> None:
    source = decision("old", replaced_by="$0") + decision("use-sqlite", description="Use it") + knowledge("use-it")
    result = complete_record(source)
    assert result
    assert [(item.label, item.description) for item in result.items] == [("use-sqlite", "Use it")]


@pytest.mark.parametrize(
    ("line", "accepted"),
    [
        ("replaced_by: 202$0", "replaced_by: '2026'"),
        ('replaced_by: "202$0"', 'replaced_by: "2026"'),
        ("replaced_by: use$0", "replaced_by: use-it"),
    ],
)
def test_a_slug_that_yaml_reads_as_something_else_is_inserted_in_quotes(line: str, accepted: str) -> None:
    others = "".join(f"//- memory/decisions/{name}.md\n{decision(name)}" for name in ("2026", "use-it"))
    text = f"---\nstatus: replaced\n{line}\n---\n"
    label = "use-it" if "use" in line else "2026"
    assert after(f"{text}{others}", label, Kind.DECISION).startswith(f"---\nstatus: replaced\n{accepted}\n")


def test_an_empty_record_file_is_offered_a_whole_head() -> None:
    for text in ("$0", "\n$0", "$0\n\n", "-$0", "---$0", "---$0\n", "\ufeff$0"):
        assert offered(text) == ["new knowledge"], text
    for text in ("---\n\n$0", "text\n$0", "# Title$0", "x$0"):
        assert "new knowledge" not in offered(text), text


@pytest.mark.parametrize("kind", list(Kind))
@pytest.mark.parametrize("text", ["$0", "---$0", "--$0\n"])
def test_a_head_that_was_just_inserted_has_no_error(kind: Kind, text: str) -> None:
    """B1: what completion writes, the linter accepts, but for the description that only its author knows."""
    new = after(text, f"new {kind}", kind)
    snapshot = snapshot_of({PATHS[kind]: new})
    codes = {found.code for found in check(snapshot, PATHS[kind]) if found.severity == "error"}
    assert codes <= {"empty-description", "summary-too-long"}, new


def test_the_templates_filter_text_begins_with_what_was_typed() -> None:
    for text in ("$0", "-$0", "--$0", "---$0"):
        result = complete_record(f"//- knowledge/it.md\n{text}")
        assert result
        assert result.items[0].filter_text.startswith(text.replace(CURSOR, ""))


def test_a_template_with_tab_stops_numbers_them_once_each() -> None:
    result = complete_record("//- knowledge/it.md\n$0")
    assert result
    snippet = result.items[0].snippet
    assert snippet
    for stop in range(3, 7):
        assert sum(snippet.count(form) for form in (f"${stop}", f"${{{stop}:", f"${{{stop}|")) == 1
    assert snippet.endswith("$0")


def test_line_ends_follow_the_file() -> None:
    assert "\r\n" in after("---\r\n$0\r\n---\r\n", "all required fields")
    assert "\n" not in after("---\r\n$0\r\n---\r\n", "all required fields").replace("\r\n", "")


def test_all_required_fields_at_once_and_the_end_of_the_head() -> None:
    assert after("---\n$0", "all required fields", Kind.REQUEST) == (
        "---\ncreated_at: 2026-06-15T12:00:00Z\nupdated_at: 2026-06-15T12:00:00Z\nsources: []\n---"
    )
    assert after("---\nsources: []\n$0\n---\n", "all required fields", Kind.REQUEST).endswith("12:00:00Z\n---\n")
    assert "all required fields" not in offered("---\ncr$0\n---\n", Kind.REQUEST)
    assert "all required fields" not in offered("---\ndescription: x\n$0\n---\n", Kind.WORKFLOW)


def test_a_text_that_is_no_record_has_no_head() -> None:
    text = "---\nsta\n---\n"
    read = fixture(f"//- knowledge/it.md\n{knowledge('it')}").snapshot
    from memory_core.ide.view import View

    assert complete(read, View(text), LineIndex(text).position(7), explicit=True) is None


HEADS = st.lists(
    st.sampled_from(
        [
            "---",
            "\n",
            "\r\n",
            "status: ",
            "kind:",
            "requires: [",
            "]",
            "- ",
            "  ",
            "#",
            "ap",
            '"',
            "'",
            "\t",
            ": ",
            "|",
            "replaced_by: ",
            "scope:",
            "sources:",
            "created_at: 2026",
            "\u2028",
            "👩",
            "\ufeff",
            "description: ",
        ]
    ),
    max_size=14,
).map("".join)


@given(HEADS, st.sampled_from(list(Kind)), st.booleans())
def test_no_place_in_any_half_written_head_fails(text: str, kind: Kind, explicit: bool) -> None:
    """zk#461. And what is offered replaces a piece of one line around the cursor, and is found by what was typed."""
    snapshot = snapshot_of({PATHS[kind]: text, "knowledge/api-keys.md": "", "memory/decisions/api.md": ""})
    view = view_of(snapshot.documents[PATHS[kind]])
    for offset in range(len(text) + 1):
        if text[max(0, offset - 1) : offset + 1] == "\r\n":
            continue
        position = view.lines.position(offset)
        result = complete(snapshot, view, position, explicit=explicit, now=NOW)
        if not result:
            continue
        assert result.cursor == position
        assert result.range.start.line == result.range.end.line == position.line
        assert result.range.contains(position)
        start, end = view.lines.offset(result.range.start), view.lines.offset(result.range.end)
        assert result.suffix == text[offset:end] or not any(item.ref for item in result.items)
        assert all(item.filter_text.startswith(text[start:offset]) for item in result.items)
        assert Range(result.range.start, position).end == position
