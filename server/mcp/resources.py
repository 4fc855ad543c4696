"""Records and the resident context as resources, workflows as prompts: what a person picks in a client's menus.

Reading a record is a use by an agent, picking a workflow one by a person, the context an exposure.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from memory_core.records.schema import SUMMARY, Kind, RecordRef
from memory_core.records.slug import is_slug
from memory_core.redact import brief
from memory_core.using.fence import quoted
from memory_core.using.policy import Origin, ResidentRules, origin_of
from memory_core.using.turn import expand_turn, give_resident
from server.mcp.memory import Answer, Memory, refused
from server.mcp.reading import read_record

SCHEME = "omoide://"
PAGE = 100


class Listed(NamedTuple):
    uri: str
    name: str
    about: str


@dataclass(frozen=True)
class Page:
    """Some of a list, and where the next of it begins; None at its end."""

    items: tuple[Listed, ...]
    next_cursor: str | None = None


def resources(memory: Memory, cursor: str | None) -> Page:
    """The context first, then the records by kind and slug, a hundred at a time."""
    snapshot = memory.snapshot(memory.open())
    refs = [RecordRef(kind, slug) for kind, slugs in snapshot.index.names.items() for slug in slugs]
    start = _start(cursor)
    found = [] if start else [Listed(f"{SCHEME}context/code", "context", "What a session is given at its start.")]
    for ref in refs[start : start + PAGE]:
        document = snapshot.document(ref)
        outline = document.outline if document else None
        about = quoted((outline.description or outline.title or "") if outline else "")  # a list is an exit like others
        found.append(Listed(uri_of(ref), str(ref), about))
    return Page(tuple(found), str(start + PAGE) if start + PAGE < len(refs) else None)


def _start(cursor: str | None) -> int:
    """Where a list goes on; what is no place of ours is its beginning."""
    return int(cursor) if cursor and cursor.isdecimal() and len(cursor) < 10 else 0


def read(memory: Memory, uri: str) -> Answer:
    """The text behind a URI of ours."""
    kind, _, slug = uri.removeprefix(SCHEME).partition("/")
    if not uri.startswith(SCHEME):
        return refused(f"`{brief(uri, 200)}` is no resource of this server.")
    if kind == "context":
        return _context(memory, origin_of(slug) if slug else Origin.CODE)
    if kind == Kind.SUMMARY:
        return read_record(memory, SUMMARY)
    if kind not in set(Kind) or not is_slug(slug):
        return refused(f"`{brief(uri, 200)}` names no record: {SCHEME}KIND/SLUG does.")
    return read_record(memory, RecordRef(Kind(kind), slug))


def uri_of(ref: RecordRef) -> str:
    return f"{SCHEME}{ref.kind}" if ref.kind is Kind.SUMMARY else f"{SCHEME}{ref.kind}/{ref.slug}"


def workflows(memory: Memory, cursor: str | None) -> Page:
    """The workflows that are offered to people."""
    snapshot = memory.snapshot(memory.open())
    names = snapshot.index.slugs[Kind.WORKFLOW]
    shown = [(slug, document.outline) for slug, document in names.items() if document.outline.user_invocable]
    start = _start(cursor)
    page = shown[start : start + PAGE]
    found = [Listed(uri_of(RecordRef(Kind.WORKFLOW, s)), s, quoted(o.description or "")) for s, o in page]
    return Page(tuple(found), str(start + PAGE) if start + PAGE < len(shown) else None)


def workflow(memory: Memory, slug: str) -> Answer:
    """A workflow behind what it requires, counted as invoked by a person."""
    if not is_slug(slug):
        return refused(f"There is no workflow `{brief(slug, 80)}`.")
    workspace = memory.open()
    expansion = expand_turn(
        workspace.store,
        memory.snapshot(workspace),
        f"/{slug}",
        actor="human",
        session_id=memory.session_id,
        now=workspace.now(),
        caller=memory.caller(workspace),
    )
    if not expansion.records:
        return refused(" ".join(expansion.notes) or f"There is no workflow `{slug[:80]}`.")
    return Answer(expansion.text)


def _context(memory: Memory, origin: Origin) -> Answer:
    workspace = memory.open()
    found = give_resident(
        workspace.store,
        workspace.store.load(),
        origin,
        ResidentRules.of(workspace.config.memory),
        session_id=memory.session_id,
        now=workspace.now(),
        caller=memory.caller(workspace),
    )
    return Answer(found.text or found.reason)
