"""Rename a record: the file, and every reference that resolves to it. All other bytes of every file stay.

Refuses rather than leave one reference behind: what cannot be rewritten exactly is named with its place.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from types import MappingProxyType

from memory_core.changes import ChangeSet, FileChange
from memory_core.index import Link
from memory_core.layout import record_path
from memory_core.records.render import dump_value
from memory_core.records.schema import Kind, RecordRef
from memory_core.refactor.referrers import (
    BROKEN_HEAD,
    Refusal,
    head_end,
    head_is_broken,
    name_of,
    place_refusal,
    referrers,
)
from memory_core.snapshot import Document, Snapshot
from memory_core.text import TextEdit, apply_edits


def rename(snapshot: Snapshot, kind: Kind, old: str, new: str) -> ChangeSet | Refusal:
    """The change set that gives a record another slug, in its file name and wherever it is referred to."""
    source, target = RecordRef(kind, old), RecordRef(kind, new)
    if kind is Kind.SUMMARY:
        return Refusal("The summary has one place: it cannot be renamed.")
    document = snapshot.document(source)
    if document is None:
        return Refusal(f"There is no {name_of(source)}.")
    if document.unreadable:
        return Refusal(document.unreadable)
    if old == new:
        return Refusal(f"{name_of(source)} has this name already.")
    if refusal := place_refusal(snapshot, target):
        return refusal
    links: dict[str, list[Link]] = {}
    for link in referrers(snapshot, source):
        links.setdefault(link.path, []).append(link)
    if refusal := _not_rewritable(snapshot, source, links):
        return refusal
    files: dict[str, FileChange] = {}
    for path in sorted({*links, document.path}):
        before = snapshot.documents[path]
        after = _rewritten(before, links.get(path, ()), source, target)
        if after is None:
            reason = f"`{path}` writes {name_of(source)} in a way that cannot be replaced alone: write the plain slug."
            return Refusal(reason, tuple(links[path]))
        if path == document.path:
            files[path] = FileChange(path, before.text, None)
            files[record_path(target)] = FileChange(record_path(target), None, after)
        else:
            files[path] = FileChange(path, before.text, after)
    return ChangeSet(MappingProxyType(files))


def _not_rewritable(snapshot: Snapshot, source: RecordRef, links: dict[str, list[Link]]) -> Refusal | None:
    """Why some files that name the record must not be written."""
    every = [link for found in links.values() for link in found]
    unreadable = [link for link in every if snapshot.documents[link.path].unreadable]
    if unreadable:
        reason = f"{name_of(source)} is named in a file that cannot be read safely: repair it first."
        return Refusal(reason, tuple(unreadable))
    broken = [link for link in every if _in_broken_head(snapshot.documents[link.path], link)]
    if broken:
        reason = f"{name_of(source)} is named in a head that is broken: repair it first (`omoide lint` says how)."
        return Refusal(reason, tuple(broken))
    return None


def _in_broken_head(document: Document, link: Link) -> bool:
    if link.via == BROKEN_HEAD:
        return True
    return head_is_broken(document) and document.lines.offset(link.range.start) < head_end(document)


def _rewritten(document: Document, links: Sequence[Link], source: RecordRef, target: RecordRef) -> str | None:
    """The text with another slug at the links; None when it would not say the same with another name."""
    edits = [_edit(document, link, source, target) for link in links]
    if any(edit is None for edit in edits):
        return None
    text = apply_edits(document.text, [edit for edit in edits if edit])
    wanted = Counter((target if link.target == source else link.target, link.via) for link in document.links)
    found = Counter((link.target, link.via) for link in Document(document.path, text).links)
    return text if wanted == found else None


def _edit(document: Document, link: Link, source: RecordRef, target: RecordRef) -> TextEdit | None:
    if link.via in ("body", "description"):
        sigil = document.text[document.lines.offset(link.range.start)]
        return TextEdit(link.range, sigil + target.slug)
    start, end = (document.lines.offset(place) for place in (link.range.start, link.range.end))
    raw = document.text[start:end]
    if raw == source.slug:
        return TextEdit(link.range, _scalar(target.slug))
    # In quotes, or in a block of text: the slug stands there once, or it is written with escapes.
    return TextEdit(link.range, raw.replace(source.slug, target.slug)) if raw.count(source.slug) == 1 else None


def _scalar(slug: str) -> str:
    """A slug as a YAML value: in quotes where it would be read as a number or a truth value."""
    return dump_value("k", slug).removeprefix("k: ").rstrip("\n")
