"""Code actions across the edge: what is asked, the entries of the menu, and their plans as data for `resolve`.

Knows which actions a client can carry out; what an action does is the core's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from memory_core.text import TextEdit
from server.convert import from_lsp
from server.convert.edits import Places, of_changes, text_edits
from server.open_text import OpenText

if TYPE_CHECKING:
    from memory_core.ide.actions import Asked, Made, Offer, Plan
    from memory_core.records.schema import RecordRef
    from memory_core.text import LineIndex
    from server.convert.columns import Encoding

SOURCE = "omoide"  # of our diagnostics


@dataclass(frozen=True, slots=True)
class Menu:
    """Whom entries are for: the text they were asked of, where edits go, and the server's commands."""

    text: OpenText
    to: Places
    commands: frozenset[str]

    @property
    def creates(self) -> bool:
        """Whether the client can be told to make a file."""
        return self.to.client.document_changes and "create" in self.to.client.resource_operations


def asked_of(lines: LineIndex, params: types.CodeActionParams, encoding: Encoding) -> tuple[Asked, list[int]]:
    """The question in core terms, and for each problem told its place among the client's diagnostics."""
    from memory_core.ide.actions import Asked, Told

    context = params.context
    ours = [number for number, told in enumerate(context.diagnostics) if told.source in (SOURCE, None) and told.code]
    told = [
        Told(str(d.code), d.message, from_lsp.range_of(lines, d.range, encoding))
        for d in (context.diagnostics[number] for number in ours)
    ]
    only = [str(getattr(kind, "value", kind)) for kind in context.only] if context.only else None
    explicit = context.trigger_kind is not types.CodeActionTriggerKind.Automatic
    return Asked(from_lsp.range_of(lines, params.range, encoding), told, only, explicit), ours


def code_action(
    offer: Offer, menu: Menu, diagnostic: types.Diagnostic | None, make: Callable[[Plan], Made | None]
) -> types.CodeAction | None:
    """An entry of the menu; None where this client could not carry it out. `make` is called for what is needed at once:
    everything, for a client that resolves nothing."""
    from memory_core.ide.actions import Archive, Create, Edit, Extract, Promote

    edit, data, command = None, None, None
    match offer.plan:
        case Edit(edits):
            edit = _of_text(menu, edits)
        case Archive(ref):
            command = _command(menu, "omoide.archive", offer.title, ref)
        case Create(ref) if not menu.creates:
            command = _command(menu, "omoide.new", offer.title, ref)
        case Promote(ref) if not menu.creates:
            command = _command(menu, "omoide.promote", offer.title, ref)
        case Extract() if not menu.creates:
            return None
        case plan if menu.to.client.resolves_action_edits:
            data = {"uri": menu.text.uri, "version": menu.text.version, "plan": plan_data(plan)}
        case plan:
            done = make(plan)
            edit = workspace_edit(done, menu) if done and (done.edits or done.changes) else None
    if edit is None and data is None and command is None:
        return None
    return types.CodeAction(
        title=offer.title,
        kind=offer.kind,
        diagnostics=[diagnostic] if diagnostic else None,
        is_preferred=True if offer.preferred and menu.to.client.preferred_actions else None,
        edit=edit,
        data=data,
        command=command,
    )


def workspace_edit(done: Made, menu: Menu) -> types.WorkspaceEdit | None:
    """The edits of the text and of other files in one; None where the client cannot take them."""
    here = _of_text(menu, done.edits)
    if not done.changes:
        return here
    others = of_changes(done.changes, menu.to)
    if others is None or (done.edits and others.document_changes is None):
        return None
    if not done.edits:
        return others
    changes = [*(others.document_changes or ()), *(here.document_changes or ())]
    return types.WorkspaceEdit(document_changes=changes, change_annotations=others.change_annotations)


def _of_text(menu: Menu, edits: Iterable[TextEdit]) -> types.WorkspaceEdit:
    found = text_edits(menu.text.text, edits, menu.to)
    if not menu.to.client.document_changes:
        return types.WorkspaceEdit(changes={menu.text.uri: found})
    document = types.OptionalVersionedTextDocumentIdentifier(menu.text.uri, menu.text.version)
    return types.WorkspaceEdit(document_changes=[types.TextDocumentEdit(document, [*found])])


def _command(menu: Menu, name: str, title: str, ref: RecordRef) -> types.Command | None:
    if name not in menu.commands:
        return None
    given = {"uri": menu.text.uri, "kind": str(ref.kind), "slug": ref.slug}
    return types.Command(title=title, command=name, arguments=[given])


def plan_data(plan: Plan) -> dict[str, Any]:
    """A plan as JSON data, in the core's units."""
    from memory_core.ide.actions import Create, Extract, FixAll, Promote

    match plan:
        case Create(ref):
            return {"do": "create", "kind": str(ref.kind), "slug": ref.slug}
        case Promote(ref):
            return {"do": "promote", "kind": str(ref.kind), "slug": ref.slug}
        case Extract(span, slug):
            place = [span.start.line, span.start.character, span.end.line, span.end.character]
            return {"do": "extract", "at": place, "slug": slug}
        case FixAll():
            return {"do": "fix-all"}
        case _:
            raise TypeError(f"{type(plan).__name__} is no plan that waits")


def plan_of(data: Any) -> Plan | None:
    """The plan in what a client sent back; None where it is not ours."""
    from memory_core.ide.actions import Create, Extract, FixAll, Promote
    from memory_core.records.schema import Kind, RecordRef
    from memory_core.records.slug import is_slug
    from memory_core.text import Position, Range

    if not isinstance(data, Mapping):
        return None
    slug, kind = data.get("slug"), data.get("kind")
    ref = RecordRef(Kind(kind), slug) if kind in set(Kind) and isinstance(slug, str) and is_slug(slug) else None
    match data:
        case {"do": "create"} if ref:
            return Create(ref)
        case {"do": "promote"} if ref:
            return Promote(ref)
        case {"do": "fix-all"}:
            return FixAll()
        case {"do": "extract", "at": [int(a), int(b), int(c), int(d)]} if isinstance(slug, str) and is_slug(slug):
            return Extract(Range(Position(a, b), Position(c, d)), slug)
        case _:
            return None
