"""One history out of several logs: entries that a resumed, forked or moved session repeats from another one.

A copy stays an entry with its index; it is labelled, so that nothing is extracted or counted twice. Decides on native
ids with the content checked, and on content alone where a format has no ids; never on times of writing. An import has
the ids of its original, and its words without secrets.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Sequence
from dataclasses import replace

from memory_core.redact import redact
from memory_core.sessions.model import Entry, EntryKind, Session

COPIED = "copied"
ROLLED_BACK = "rolled_back"
WITHDRAWN = "withdrawn"  # a queued text that the person took out again: it was never sent
TAKEN_BACK = frozenset({ROLLED_BACK, WITHDRAWN})  # what a log may say again
_SAID = frozenset({EntryKind.USER_MESSAGE, EntryKind.ASSISTANT_MESSAGE})
# Fewer messages at the beginning may be alike by chance: the same greeting, the same saved prompt.
_ALIKE = 2


def with_copies_marked(
    session: Session, relatives: Iterable[Session], passed: Callable[[Session], Collection[int]] = lambda _: ()
) -> Session:
    """The session with each entry labelled that it repeats from an older relative (subtype `copied`).

    Of two sessions that share a history the one that went its own way first is the original: its first entry that the
    other has not is earlier, or it has none at all. Two equal logs: the smaller session id. So of each shared entry
    exactly one stays unlabelled. `passed`: the entries of a session that an extract went by because they were copies
    then. Which is the original changes when one without words of its own goes on, and what its copy was not asked for
    any more must be asked for here.
    """
    others = [o for o in relatives if o.session_id != session.session_id or o.path != session.path]
    copied, originals = _copied(*as_first_logged([session, *others]), passed=passed)
    if not copied:
        return session
    entries = tuple(_labelled(e) if e.index in copied else e for e in session.entries)
    return replace(session, entries=entries, originals=originals)


def as_first_logged(sessions: Sequence[Session]) -> list[Session]:
    """The sessions as they can be compared with each other: where one of them is an import, its entries under the ids
    and hashes of the log that it was made from, and the texts of all without secrets, as an import has them."""
    if not any(session.is_import for session in sessions):
        return list(sessions)
    return [replace(session, entries=tuple(map(_as_first_logged, session.entries))) for session in sessions]


def _as_first_logged(entry: Entry) -> Entry:
    first = entry.origin or entry
    return replace(entry, text=redact(entry.text), native_id=first.native_id, sha256=first.sha256)


def _copied(
    session: Session, *others: Session, passed: Callable[[Session], Collection[int]]
) -> tuple[set[int], tuple[str, ...]]:
    """The indices of the entries that a session repeats, and the ids of the sessions that it has them from."""
    pairs = [(other, shared) for other in others if (shared := _shared(session, other))]
    beaten = [_is_younger(session, other, shared) for other, shared in pairs]
    if not any(beaten):
        return set(), ()
    copied: set[int] = set()
    having = [shared - _standing_in(session, other, {*passed(other), *_taken_back(other)}) for other, shared in pairs]
    # Entries that stand in the same sessions have the same original.
    groups: dict[tuple[int, ...], set[int]] = defaultdict(set)
    for index in frozenset().union(*having):
        groups[tuple(n for n, indices in enumerate(having) if index in indices)].add(index)
    for numbers, indices in groups.items():
        if any(beaten[n] for n in numbers) and not _is_left(session, [pairs[n][0] for n in numbers]):
            copied |= indices
    return copied, tuple(other.session_id for (other, _), younger in zip(pairs, beaten, strict=True) if younger)


def _is_left(session: Session, holders: Sequence[Session]) -> bool:
    """Whether a copy has to stand for the original: where sessions took from each other in turn, each of three may be
    younger than the next one, and none would keep what all of them hold. Then the smallest session id does."""
    if len(holders) < 2:
        return False
    everyone = [session, *holders]
    for one in holders:
        if not any(_is_younger(one, other, _shared(one, other)) for other in everyone if other is not one):
            return False
    return session is min(everyone, key=lambda one: (one.session_id, str(one.path)))


def _labelled(entry: Entry) -> Entry:
    return replace(entry, subtype=COPIED) if entry.kind is not EntryKind.SESSION_START else entry


def _shared(session: Session, other: Session) -> frozenset[int]:
    """The indices of a session's entries that stand in another one too."""
    known = {key for entry in other.entries if (key := _identity(entry))}
    by_id = frozenset(entry.index for entry in session.entries if (_identity(entry) or None) in known)
    return by_id or _common_beginning(session.entries, other.entries)


def _taken_back(session: Session) -> Iterable[int]:
    """What nobody is asked for in a session since somebody went back before it; a copy may have kept it."""
    return (entry.index for entry in session.entries if entry.subtype in TAKEN_BACK)


def _standing_in(session: Session, other: Session, indices: Collection[int]) -> frozenset[int]:
    """The indices of a session's entries that stand in another one at `indices`."""
    if not indices:
        return frozenset()
    known = {key for entry in other.entries if entry.index in indices and (key := _identity(entry))}
    if by_id := frozenset(entry.index for entry in session.entries if (_identity(entry) or None) in known):
        return by_id
    theirs = [entry.index in indices for entry in other.entries if entry.kind in _SAID]
    found: set[int] = set()
    number = -1  # of the message; what follows it goes with it
    for entry in session.entries:
        number += entry.kind in _SAID
        if 0 <= number < len(theirs) and theirs[number]:
            found.add(entry.index)
    return frozenset(found)


def _identity(entry: Entry) -> Hashable:
    """What makes two records the same: the id that their program gave, and what they say. None without an id."""
    return (entry.native_id, entry.kind, entry.call_id, entry.text) if entry.native_id else None


def _common_beginning(own: Sequence[Entry], others: Sequence[Entry]) -> frozenset[int]:
    """The entries up to the first message that differs, where enough messages are alike."""
    mine = [entry for entry in own if entry.kind in _SAID]
    theirs = [entry for entry in others if entry.kind in _SAID]
    alike = 0
    while alike < min(len(mine), len(theirs)) and _words(mine[alike]) == _words(theirs[alike]):
        alike += 1
    if alike < _ALIKE or (alike == len(mine) == len(theirs) and _ids(own) != _ids(others)):
        return frozenset()
    end = mine[alike].index if alike < len(mine) else own[-1].index + 1
    return frozenset(range(end))


def _words(entry: Entry) -> tuple[EntryKind, str]:
    return entry.kind, entry.text


def _ids(entries: Iterable[Entry]) -> frozenset[str]:
    """The native ids in a log: two runs of one saved script say the same and are two sessions all the same."""
    return frozenset(entry.native_id for entry in entries if entry.native_id)


def _is_younger(session: Session, other: Session, shared: frozenset[int]) -> bool:
    """Whether a session is the copy of the two."""
    own = _first_own(session, shared)
    theirs = _first_own(other, _shared(other, session))
    if own is None or theirs is None:
        return (own is not None) if own != theirs else session.session_id > other.session_id
    mine = own.ts or "", session.started_at or "", session.session_id
    return mine > (theirs.ts or "", other.started_at or "", other.session_id)


def _first_own(session: Session, shared: frozenset[int]) -> Entry | None:
    """The first thing said in a session that the other one has not."""
    return next((e for e in session.entries if e.kind in _SAID and e.index not in shared), None)
