"""What the logs of a workspace say now about the sources of its records: the facts behind `omoide lint --evidence` and
behind the editor's diagnostics of open records.

Compares nothing itself; the rules do.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from memory_core.errors import SessionError
from memory_core.lint.facts import AnchorFound, AnchorKey, LintFacts, LogFacts

if TYPE_CHECKING:  # the readers of logs take long to load, and most open records come from no session
    from memory_core.sessions.model import Entry, Session
    from memory_core.snapshot import Snapshot
    from memory_core.workspace import Workspace

_LEGACY = re.compile(r"legacy-[0-9a-f]{16}")
_MOST_TEXT = 20_000  # characters of an entry; an excerpt is from no further behind (`extract.excerpts`)
_MOST_ENTRIES = 100  # of a span whose texts are looked at

Wanted = Mapping[str, frozenset[AnchorKey]]  # the anchors that records hold, by session


def log_facts(
    workspace: Workspace, snapshot: Snapshot, paths: Iterable[str], most_bytes: int | None = None
) -> tuple[LintFacts, list[str]]:
    """What is known of the sessions that some records come from, and a line for each log that cannot be read.

    Sessions of agents whose logs the settings do not ask for are not looked for, nor are logs of more than
    `most_bytes`: the rules are silent about them.
    """
    return facts_of(workspace, wanted_of(workspace, snapshot, paths), most_bytes)


def wanted_of(workspace: Workspace, snapshot: Snapshot, paths: Iterable[str]) -> Wanted:
    """What must be looked up for some records; while it is the same, so is the answer, but for what happens to logs."""
    looked_for = workspace.config.sessions.sources
    wanted: dict[str, set[AnchorKey]] = defaultdict(set)
    for path in paths:
        document = snapshot.documents.get(path)
        for source in document.record.sources if document and document.record else ():
            if _LEGACY.fullmatch(source.session_id):  # a row of an older memory, in the archive of its plan: no session
                continue
            if source.agent is None or source.agent in looked_for:
                wanted[source.session_id].update(map(AnchorKey.of, source.anchors))
    return {session_id: frozenset(keys) for session_id, keys in wanted.items()}


def facts_of(workspace: Workspace, wanted: Wanted, most_bytes: int | None = None) -> tuple[LintFacts, list[str]]:
    """See `log_facts`."""
    if not wanted:
        return LintFacts(), []
    from memory_core.store.session_files import read_log

    places = {ref.session_id: ref for ref in reversed(workspace.sessions())}
    logs: dict[str, LogFacts | None] = {}
    problems: list[str] = []
    for session_id, keys in sorted(wanted.items()):
        place = places.get(session_id)
        if place is None:
            logs[session_id] = None
            continue
        if most_bytes is not None and place.size > most_bytes:
            continue
        try:
            session = read_log(place.path)
        except SessionError as error:
            problems.append(str(error))
            continue
        logs[session_id] = _of_log(session, keys)
    return LintFacts(logs=logs), problems


def _of_log(session: Session, keys: Iterable[AnchorKey]) -> LogFacts:
    from memory_core.sessions.anchors import entry_hash, resolve

    anchors: dict[AnchorKey, AnchorFound] = {}
    indices: set[int] = set()
    for key in keys:
        found = resolve(session.entries, key.plain())
        anchors[key] = AnchorFound(found.entry.index if found.entry else None, found.changed)
        first, last = key.span or (0, -1)
        indices.update(range(first, min(last, first + _MOST_ENTRIES, len(session.entries) - 1) + 1))
    texts = {index: _text(session.entries[index]) for index in indices}
    return LogFacts(tuple(map(entry_hash, session.entries)), texts, anchors)


def _text(entry: Entry) -> str:
    from memory_core.extract.evidence import said

    return " ".join(said(replace(entry, text=entry.text[:_MOST_TEXT])).split())
