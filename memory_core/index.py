"""Tables derived from documents: slugs by kind, who refers to whom. Built from a snapshot, never stored in one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from memory_core.records.near import NearSlugs, near_slugs
from memory_core.records.schema import Kind, RecordRef
from memory_core.text import Range

if TYPE_CHECKING:
    from memory_core.snapshot import Document


@dataclass(frozen=True, slots=True)
class Link:
    """One reference to `target` standing in the document at `path`. `via`: `body`, `description`,
    `replaced_by` or `requires`."""

    target: RecordRef
    path: str
    range: Range
    via: str


class Index:
    """The derived tables of one snapshot; each is computed when first asked for."""

    def __init__(self, documents: Mapping[str, Document]) -> None:
        self._documents = documents

    @cached_property
    def slugs(self) -> Mapping[Kind, Mapping[str, Document]]:
        """Documents by kind and slug, sorted by slug; broken records are in, files that are no record are not."""
        tables: dict[Kind, dict[str, Document]] = {kind: {} for kind in Kind}
        for path in sorted(self._documents):
            document = self._documents[path]
            if document.ref:
                tables[document.ref.kind][document.ref.slug] = document
        return tables

    @cached_property
    def backlinks(self) -> Mapping[RecordRef, tuple[Link, ...]]:
        """Links by target, in path order; targets that do not exist are in too."""
        found: dict[RecordRef, list[Link]] = {}
        for path in sorted(self._documents):
            for link in self._documents[path].links:
                found.setdefault(link.target, []).append(link)
        return {target: tuple(links) for target, links in found.items()}

    @cached_property
    def near(self) -> Mapping[Kind, NearSlugs]:
        """The slugs of each kind, to be asked for slugs that look alike."""
        return {kind: near_slugs(tuple(table)) for kind, table in self.slugs.items()}

    def exists(self, ref: RecordRef) -> bool:
        return ref.slug in self.slugs[ref.kind]


def links_of(document: Document) -> list[Link]:
    """The links of one document: frontmatter first, then the body in order."""
    links: list[Link] = []
    record = document.record
    if record and record.head:
        entry = record.head.entries.get("replaced_by")
        if entry and record.replaced_by:
            target = RecordRef(record.ref.kind, record.replaced_by)
            links.append(Link(target, document.path, entry.item.range, "replaced_by"))
        entry = record.head.entries.get("requires")
        links += [
            Link(RecordRef(Kind.KNOWLEDGE, item.value), document.path, item.range, "requires")
            for item in (entry.item.items if entry else ())
            if item.value in record.requires
        ]
    for via, references in (("description", document.description_references), ("body", document.references)):
        for ref in references:
            span = document.lines.range(ref.start, ref.end)
            links.append(Link(RecordRef(ref.kind, ref.slug), document.path, span, via))
    return links
