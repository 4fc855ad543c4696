"""A change set: what should become of some files under the root, as one value. Applies nothing by itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal

from memory_core.layout import record_at

Op = Literal["create", "update", "delete"]


@dataclass(frozen=True, slots=True)
class FileChange:
    """One file: its text before (None: it must not exist) and after (None: it goes to the archive)."""

    path: str
    before: str | None
    after: str | None

    @property
    def op(self) -> Op:
        if self.before is None:
            return "create"
        return "delete" if self.after is None else "update"


@dataclass(frozen=True)
class ChangeSet:
    """Changes by path, at most one a file. A commit takes all of it or says which files are in conflict."""

    files: Mapping[str, FileChange] = field(default_factory=lambda: MappingProxyType({}))

    def __bool__(self) -> bool:
        return bool(self.files)

    def __iter__(self) -> Iterator[FileChange]:
        """In path order, so that the same change set always writes in the same order."""
        return iter(self.files[path] for path in sorted(self.files))

    def plain(self) -> list[dict[str, str]]:
        """The files as plain data, in path order, for the audit log and for whoever asked for the change."""
        found = []
        for change in self:
            ref = record_at(change.path)
            record = {"kind": str(ref.kind), "slug": ref.slug} if ref else {}
            found.append({"op": change.op, **record, "path": change.path})
        return found

    def with_file(self, path: str, before: str | None, after: str | None) -> ChangeSet:
        """With one more step on a file: the first step's `before` stays, a file that ends as it began drops out."""
        earlier = self.files.get(path)
        change = FileChange(path, earlier.before if earlier else before, after)
        files = {p: c for p, c in self.files.items() if p != path}
        if change.before != change.after:
            files[path] = change
        return ChangeSet(MappingProxyType(files))
