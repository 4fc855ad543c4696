"""The scored set in `tests/data/extract`: sessions with labels, and how well candidates meet them.

A file is a session in the notation of `tests.builtin.dialogue`, with two head lines (`# language:`, `# part:`). A line
`@ KIND WEIGHT [ok|bad] [=GROUP]: WORDS` labels the entry before it: KIND is what it is memory for (`decision|request`
where both readings are fair), WEIGHT `must` or `nice`; lines of one GROUP are evidence of one item. `@ none: WORDS`
says that the entry is no memory. A tool's label counts for its call and its result.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from memory_core.extract.task import Slice
from memory_core.providers.builtin.turns import Finding
from tests.builtin.dialogue import MARK, view_of

FOLDER = Path(__file__).parent.parent / "data" / "extract"
_LABEL = re.compile(
    r"@ (?P<kinds>[a-z|]+)(?: (?P<weight>must|nice))?(?: (?P<end>ok|bad))?(?: =(?P<group>\w+))?: (?P<words>.+)"
)
_TWO_ENTRIES = re.compile(r"^(?:EDIT|READ|TODO|\$)")


@dataclass
class Item:
    """What must, or may, be found. `worked`: how an attempt ended, None for anything else."""

    kinds: frozenset[str]
    must: bool
    worked: bool | None
    words: str
    entries: set[int]


@dataclass(frozen=True)
class Scored:
    """A session with its labels."""

    name: str
    part: str
    view: Slice
    items: tuple[Item, ...]
    nothing: frozenset[int]


@dataclass
class Score:
    """Sums over sessions. `false_alarms`: candidates that rest on non-memory entries alone."""

    must: int = 0
    met: int = 0
    right: int = 0
    candidates: int = 0
    false_alarms: int = 0
    wrong: list[str] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)

    @property
    def recall(self) -> float:
        return self.met / max(1, self.must)

    @property
    def precision(self) -> float:
        return self.right / max(1, self.candidates)


def load(part: str | None = None) -> list[Scored]:
    """The sessions of a part (`tuned`, `held-out`), or all."""
    found = [_parse(path) for path in sorted(FOLDER.glob("*.txt"))]
    return [session for session in found if part in (None, session.part)]


def score(sessions: Iterable[tuple[Scored, Sequence[Finding]]]) -> Score:
    """How candidates meet labels. A candidate is right when an item of its kind shares an entry with it and, for an
    attempt, it says how that ended; a second candidate for the same item is wrong."""
    total = Score()
    for session, findings in sessions:
        taken: set[int] = set()
        for finding in findings:
            total.candidates += 1
            entries = {n for item in finding.items for n in range(item.entries[0], item.entries[1] + 1)}
            fits = [n for n, item in enumerate(session.items) if n not in taken and _fits(finding, entries, item)]
            if fits:
                best = max(fits, key=lambda n: (session.items[n].must, len(entries & session.items[n].entries)))
                taken.add(best)
                total.right += 1
            else:
                total.wrong.append(f"{session.name}: {finding.array} {dict(finding.fields)}")
                total.false_alarms += entries <= session.nothing
        musts = [n for n, item in enumerate(session.items) if item.must]
        total.must += len(musts)
        total.met += sum(n in taken for n in musts)
        total.missed += [
            f"{session.name}: {'|'.join(session.items[n].kinds)} {session.items[n].words}"
            for n in musts
            if n not in taken
        ]
    return total


def _fits(finding: Finding, entries: set[int], item: Item) -> bool:
    if finding.array.removesuffix("s") not in item.kinds or not entries & item.entries:
        return False
    return item.worked is None or finding.array != "attempts" or finding.fields["succeeded"] is item.worked


def _parse(path: Path) -> Scored:
    head: dict[str, str] = {}
    talk: list[str] = []
    items: dict[str, Item] = {}
    nothing: set[int] = set()
    place: tuple[int, ...] = ()
    count = 0
    for line in path.read_text("utf-8").splitlines():
        if line.startswith("# ") and not talk:
            name, _, value = line[2:].partition(": ")
            head[name] = value
        elif label := _LABEL.fullmatch(line):
            if label["kinds"] == "none":
                nothing.update(place)
                continue
            kinds = frozenset(label["kinds"].split("|"))
            worked = {"ok": True, "bad": False}.get(label["end"] or "")
            key = f"={label['group']}" if label["group"] else f"{len(items)}"
            item = items.setdefault(key, Item(kinds, False, worked, label["words"], set()))
            item.must = item.must or label["weight"] == "must"
            item.entries.update(place)
        else:
            assert not line.startswith("@"), f"{path.name}: not a label: {line}"
            if MARK.match(line):
                size = 2 if _TWO_ENTRIES.match(line) else 1
                place = tuple(range(count, count + size))
                count += size
            talk.append(line.replace("\\n", "\n  " if _TWO_ENTRIES.match(line) else "\n"))
    view = view_of("\n".join(talk), head["language"])
    assert len(view.session.entries) == count, path.name
    return Scored(path.stem, head["part"], view, tuple(items.values()), frozenset(nothing))
