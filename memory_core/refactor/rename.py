"""Rename a record: the file, and every reference and path that leads to it. All other bytes of every file stay.

Refuses rather than leave one reference behind: what cannot be rewritten exactly is named with its place.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from memory_core.changes import ChangeSet, FileChange
from memory_core.index import Link
from memory_core.layout import record_path
from memory_core.outline import LINK, PLACE
from memory_core.records.schema import Kind, RecordRef, name_of
from memory_core.records.slug import as_yaml
from memory_core.refactor.file_edits import FileEdits
from memory_core.refactor.referrers import (
    BROKEN_HEAD,
    SUMMARY_LINE,
    Refusal,
    head_end,
    head_is_broken,
    place_refusal,
    referrers,
    summary_lines,
)
from memory_core.snapshot import Document, Snapshot
from memory_core.text import TextEdit, apply_edits


@dataclass(frozen=True)
class Renaming:
    """A rename that can be carried out. `files`: the edits of every file that names the record, and the move of its
    own, in path order. `after`: the texts they lead to, by path."""

    source: RecordRef
    target: RecordRef
    files: tuple[FileEdits, ...]
    after: Mapping[str, str]

    @property
    def references(self) -> int:
        """How many places are rewritten."""
        return sum(len(file.edits) for file in self.files)

    @property
    def changes(self) -> ChangeSet:
        """The same as a change set, in which the record's file goes and comes back under its new name."""
        files: dict[str, FileChange] = {}
        for file in self.files:
            after = self.after[file.path]
            if file.moved_to:
                files[file.path] = FileChange(file.path, file.text, None)
                files[file.moved_to] = FileChange(file.moved_to, None, after)
            else:
                files[file.path] = FileChange(file.path, file.text, after)
        return ChangeSet(MappingProxyType(files))


def rename(snapshot: Snapshot, kind: Kind, old: str, new: str) -> ChangeSet | Refusal:
    """The change set that gives a record another slug, in its file name and wherever it is referred to."""
    plan = renaming(snapshot, RecordRef(kind, old), new)
    return plan if isinstance(plan, Refusal) else plan.changes


def renaming(snapshot: Snapshot, source: RecordRef, new: str) -> Renaming | Refusal:
    """The edits that give a record another slug, and the move of its file."""
    target = RecordRef(source.kind, new)
    if refusal := rename_refusal(snapshot, source):
        return refusal
    if source == target:
        return Refusal(f"{name_of(source)} has this name already.")
    if refusal := place_refusal(snapshot, target):
        return refusal
    return _planned(snapshot, source, target, record_path(target))


def followed(snapshot: Snapshot, source: RecordRef, target: RecordRef) -> Renaming | Refusal:
    """The edits for a record whose file somebody else moves: `files` has no move in it, and whether the new place is
    free is for whoever moves it."""
    if refusal := rename_refusal(snapshot, source):
        return refusal
    return _planned(snapshot, source, target, None)


def rename_refusal(snapshot: Snapshot, source: RecordRef) -> Refusal | None:
    """Why a record can have no other name, whatever that may be; None where it can."""
    if source.kind is Kind.SUMMARY:
        return Refusal("The summary has one place: it cannot be renamed.")
    document = snapshot.document(source)
    if document is None:
        return Refusal(f"There is no {name_of(source)}.")
    return Refusal(document.unreadable) if document.unreadable else None


def _planned(snapshot: Snapshot, source: RecordRef, target: RecordRef, moved_to: str | None) -> Renaming | Refusal:
    own = record_path(source)
    links: dict[str, list[Link]] = {own: []} if moved_to else {}
    for link in (*referrers(snapshot, source), *summary_lines(snapshot, source)):
        links.setdefault(link.path, []).append(link)
    if refusal := _not_rewritable(snapshot, source, links):
        return refusal
    files: list[FileEdits] = []
    texts: dict[str, str] = {}
    for path in sorted(links):
        document = snapshot.documents[path]
        found = _rewritten(document, links[path], source, target)
        if found is None:
            reason = f"`{path}` writes {name_of(source)} in a way that cannot be replaced alone: write the plain slug."
            return Refusal(reason, tuple(links[path]))
        edits, texts[path] = found
        files.append(FileEdits(path, document.text, edits, moved_to if path == own else None))
    return Renaming(source, target, tuple(files), texts)


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


def _rewritten(
    document: Document, links: Sequence[Link], source: RecordRef, target: RecordRef
) -> tuple[tuple[TextEdit, ...], str] | None:
    """The edits that put another slug at the links, and the text after them; None when it would not say the same with
    another name."""
    edits = tuple(edit for link in links if (edit := _edit(document, link, source, target)))
    if len(edits) != len(links):
        return None
    text = apply_edits(document.text, edits)
    wanted = Counter((target if link.target == source else link.target, link.via) for link in document.links)
    found = Counter((link.target, link.via) for link in Document(document.path, text).links)
    return (edits, text) if wanted == found else None


def _edit(document: Document, link: Link, source: RecordRef, target: RecordRef) -> TextEdit | None:
    if link.via in (SUMMARY_LINE, LINK, PLACE):
        return TextEdit(link.range, target.slug)
    if link.via in ("body", "description"):
        sigil = document.text[document.lines.offset(link.range.start)]
        return TextEdit(link.range, sigil + target.slug)
    start, end = (document.lines.offset(place) for place in (link.range.start, link.range.end))
    raw = document.text[start:end]
    if raw == source.slug:
        return TextEdit(link.range, as_yaml(target.slug))
    # In quotes, or in a block of text: the slug stands there once, or it is written with escapes.
    return TextEdit(link.range, raw.replace(source.slug, target.slug)) if raw.count(source.slug) == 1 else None
