"""Questions to the editor answers in the fixture language: `$0` is the cursor, `//- path` starts a file."""

from __future__ import annotations

from datetime import UTC, datetime

from memory_core.ide.completion import CompletionResult, complete
from memory_core.ide.hover import HoverCard, Used, hover
from memory_core.ide.ranking import UseOrder
from memory_core.ide.view import View, view_of
from memory_core.records.schema import Kind, RecordRef
from memory_core.snapshot import Snapshot
from memory_core.testing import CURSOR, Fixture, fixture
from memory_core.text import LineIndex, Position, TextEdit, apply_edits

NOW = datetime(2026, 6, 15, 12, 0, tzinfo=UTC)


def knowledge(slug: str, description: str = "Something.", body: str = "", **more: str) -> str:
    """A file of the fixture language: one knowledge record."""
    fields = {
        "created_at": "2026-06-01T00:00:00Z",
        "updated_at": "2026-06-10T00:00:00Z",
        "kind": "policy",
        "description": f'"{description}"',
        "model_invokation": "false",
        "user_invocable": "true",
        "last_sources": "[]",
        **more,
    }
    head = "".join(f"{key}: {value}\n" for key, value in fields.items())
    return f"//- knowledge/{slug}.md\n---\n{head}---\n{body}\n"


def workflow(slug: str, description: str = "Steps.", **more: str) -> str:
    head = "".join(f"{key}: {value}\n" for key, value in {"description": description, **more}.items())
    return f"//- workflow/{slug}.md\n---\n{head}---\n"


def decision(slug: str, **more: str) -> str:
    fields = {
        "created_at": "2026-06-01T00:00:00Z",
        "updated_at": "2026-06-10T00:00:00Z",
        "sources": "[]",
        "status": "open",
        **more,
    }
    head = "".join(f"{key}: {value}\n" for key, value in fields.items())
    return f"//- memory/decisions/{slug}.md\n---\n{head}---\n"


def asked(source: str) -> tuple[Fixture, View, Position]:
    """A fixture, the view of the file with the cursor, and the cursor."""
    read = fixture(source)
    assert read.cursor
    path, position = read.cursor
    return read, view_of(read.snapshot.documents[path]), position


def complete_record(
    source: str, *, explicit: bool = False, uses: dict[str, int] | None = None
) -> CompletionResult | None:
    """Completion at the cursor of a fixture's record."""
    read, view, position = asked(source)
    return complete(read.snapshot, view, position, explicit=explicit, uses=_by_ref(uses), now=NOW)


def complete_text(
    text: str,
    records: str = "",
    *,
    explicit: bool = False,
    markdown: bool = True,
    prose: bool = True,
    uses: dict[str, int] | None = None,
) -> CompletionResult | None:
    """Completion at `$0` of a text outside the root, with the given records in the workspace."""
    view, position = _outside(text, markdown=markdown, prose=prose)
    return complete(_snapshot(records), view, position, explicit=explicit, uses=_by_ref(uses), now=NOW)


def accepted(text: str, records: str, number: int = 0) -> str:
    """The text after an item is accepted."""
    result = complete_text(text, records)
    assert result
    edit = TextEdit(result.range, result.items[number].new_text)
    return apply_edits(text.replace(CURSOR, ""), [edit])


def hover_text(
    text: str, records: str = "", *, used: dict[str, Used] | None = None, markdown: bool = True
) -> HoverCard | None:
    """The card at `$0` of a text outside the root."""
    view, position = _outside(text, markdown=markdown)
    by_ref = {RecordRef(Kind.KNOWLEDGE, slug): value for slug, value in (used or {}).items()}
    return hover(_snapshot(records), view, position, now=NOW, used=by_ref)


def hover_record(source: str) -> HoverCard | None:
    read, view, position = asked(source)
    return hover(read.snapshot, view, position, now=NOW)


def slugs(result: CompletionResult | None) -> list[str]:
    return [item.ref.slug for item in result.items] if result else []


def _outside(text: str, *, markdown: bool = True, prose: bool = True) -> tuple[View, Position]:
    at = text.index(CURSOR)
    plain = text.replace(CURSOR, "")
    return View(plain, markdown=markdown, prose=prose), LineIndex(plain).position(at)


def _snapshot(records: str) -> Snapshot:
    return fixture(records).snapshot


def _by_ref(uses: dict[str, int] | None) -> UseOrder:
    return UseOrder({RecordRef(Kind.KNOWLEDGE, slug): count for slug, count in (uses or {}).items()})
