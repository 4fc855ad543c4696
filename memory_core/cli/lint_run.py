"""Lint a workspace: load its records, find out the facts that rules need, take what did not change from the cache.

The rules are in `lint`; what is printed is in `lint_output`.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from memory_core.diagnostic import Diagnostic
from memory_core.lint import as_text, duplicates, kept
from memory_core.lint.check import check
from memory_core.lint.facts import LintFacts
from memory_core.lint.resident import resident_plan
from memory_core.snapshot import Snapshot
from memory_core.store.cache import Cache, Row
from memory_core.store.load import SETTLED_NS, Stamp, outline_all, stamp_of
from memory_core.store.scan import listing
from memory_core.workspace import Workspace

Found = Mapping[str, Sequence[Diagnostic]]
Kept = TypeVar("Kept")
_DIGESTS = b"lint: digests for near-duplicate"
_ROWS = b"lint: single records"


@dataclass(frozen=True)
class Loaded:
    """The records of a workspace as of one moment. `stamps`: only where there was no cache: what the files were before
    they were read. The cache is then made at the end, when checking has done most of the work."""

    workspace: Workspace
    cache: Cache
    snapshot: Snapshot
    started_ns: int
    stamps: Mapping[str, Stamp | None] | None = None


def load(workspace: Workspace) -> Loaded:
    """The records, those that are as they were last time without reading them."""
    started = time.time_ns()
    cache = Cache(workspace.layout)
    listed = listing(workspace.layout.root)
    snapshot = Snapshot(listed.documents)
    if cache.path.is_file():
        outline_all(listed, cache, now_ns=started).save(cache)
        return Loaded(workspace, cache, snapshot, started)
    root = workspace.layout.root
    stamps = {path: stamp_of(f"{root}/{path}") for path, document in listed.documents.items() if not document.is_read}
    return Loaded(workspace, cache, snapshot, started, stamps)


def check_all(loaded: Loaded, logs: LintFacts | None = None) -> Found:
    """The problems of every record that has any, by path in path order.

    Without facts about logs the whole answer is kept, and the same question about the same records is not worked out
    again.
    """
    key = _key(loaded) if logs is None else b""
    known = _from_cache(loaded.cache, key, as_text.unpacked) if key else None
    if known is not None:
        return known
    severities = loaded.workspace.config.severities()
    facts = facts_of(loaded, logs)
    found: dict[str, Sequence[Diagnostic]] = {}
    snapshot, rows = kept.watched(loaded.snapshot), _rows_before(loaded) if logs is None else kept.Rows("")
    for path in sorted(loaded.snapshot.documents):
        if problems := rows.check(snapshot, path, severities, facts):
            found[path] = problems
        if loaded.stamps:
            _ = loaded.snapshot.documents[path].packed_outline  # now, while what it is made of is still there
    if loaded.stamps:
        loaded.cache.update(dict(_rows(loaded.snapshot, loaded.stamps, loaded.started_ns - SETTLED_NS)))
    if key and key == _key(loaded):  # not of records that changed between being looked at and being read
        loaded.cache.keep_answer(key, as_text.packed(found))
        for path in rows.rows.keys() - loaded.snapshot.documents.keys():
            del rows.rows[path]
        loaded.cache.keep_answer(_ROWS, kept.rows_text(rows))
    return found


def _rows_before(loaded: Loaded) -> kept.Rows:
    """What is known of single records since the last time, as long as settings and slugs are the same."""
    state = f"{_settings(loaded)} {kept.names_of(loaded.snapshot)}"
    return kept.rows_in(loaded.cache.answer(_ROWS), state)


def _rows(snapshot: Snapshot, stamps: Mapping[str, Stamp | None], settled_ns: int) -> Iterator[tuple[str, Row]]:
    """The rows of a new cache: of files that were last changed before `settled_ns`, as `outline_all` has it."""
    for path, stamp in stamps.items():
        document = snapshot.documents[path]
        if stamp and not document.unreadable and max(stamp[:2]) < settled_ns:
            yield path, Row(stamp, document.digest, document.packed_outline)


def check_some(loaded: Loaded, paths: Iterable[str], logs: LintFacts | None = None, *, comments: bool = True) -> Found:
    """The problems of the records at `paths`, each seen among all records. `comments`: see `lint.check`."""
    severities = loaded.workspace.config.severities()
    facts = facts_of(loaded, logs)
    return {path: check(loaded.snapshot, path, severities, facts, comments=comments) for path in paths}


def facts_of(loaded: Loaded, logs: LintFacts | None = None) -> LintFacts:
    """What the rules may know of the whole workspace, added to what is known of its logs."""
    memory = loaded.workspace.config.memory
    plan = resident_plan(loaded.snapshot, memory.resident_token_budget, with_summary=memory.inject_summary)
    known = _from_cache(loaded.cache, _DIGESTS, duplicates.unpacked) or {}
    before = dict(known)
    alike = duplicates.find_duplicates(loaded.snapshot, known)
    if known != before:
        loaded.cache.keep_answer(_DIGESTS, duplicates.packed(known))
    return replace(logs or LintFacts(), duplicates=alike, resident=plan)


def _key(loaded: Loaded) -> bytes:
    """What stands for the records and every setting that an answer hangs on; the rules' code is the cache's version."""
    state = hashlib.sha256(_settings(loaded).encode())
    for path, document in sorted(loaded.snapshot.documents.items()):
        state.update(path.encode("utf-8", "surrogatepass"))
        state.update(b"\0")
        state.update(document.digest)
    return b"lint: " + state.digest()


def _settings(loaded: Loaded) -> str:
    """Every setting that an answer hangs on."""
    config = loaded.workspace.config
    memory = config.memory
    return json.dumps([sorted(config.lint.items()), memory.resident_token_budget, memory.inject_summary])


def _from_cache(cache: Cache, key: bytes, read: Callable[[str], Kept]) -> Kept | None:
    """A kept answer; None when there is none, or when it is not what was written: then it is worked out again."""
    answer = cache.answer(key)
    if answer is None:
        return None
    try:
        return read(answer)
    except (ValueError, TypeError, AttributeError, LookupError):
        return None
