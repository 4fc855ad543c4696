"""A staged candidate as a text that a person edits, and back: what it says may change, what it rests on may not.

Decides nothing: an edited candidate waits as before, and becomes a record by a consolidation only.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from memory_core.errors import Refused
from memory_core.ports import Store
from memory_core.redact import redact
from memory_core.staging import (
    Attempt,
    Candidate,
    CandidateRef,
    Decision,
    Discussion,
    Request,
    empty_field,
    words_hash,
)

MOST = 6_000  # characters of an edited candidate: with its evidence the record stays below the linter's 8,000
ABOUT = "Edit what it says and save; it stays staged until it is accepted. The words it rests on stay as they are."


@dataclass(frozen=True)
class Part:
    """A field of a candidate under a heading of its own. `kind`: `text`, `list` or `flag`."""

    name: str
    title: str
    kind: str = "text"


PARTS: dict[type, tuple[Part, ...]] = {
    Decision: (Part("chosen", "Chosen"), Part("rationale", "Rationale"), Part("options", "Options", "list")),
    Discussion: (Part("topic", "Topic"), Part("points", "Points", "list")),
    Attempt: (Part("action", "Action"), Part("result", "Result"), Part("succeeded", "Succeeded", "flag")),
    Request: (Part("intent", "Intent"), Part("summary", "Summary"), Part("target", "Target")),
}
_TITLES = "|".join(part.title for parts in PARTS.values() for part in parts)
_NAMES = "|".join(kind.__name__ for kind in PARTS)
_AROUND = re.compile(rf"\A\ufeff?\s*(?:# (?:{_NAMES})[ \t]*$)?\s*(?:<!--.*?-->)?", re.DOTALL | re.MULTILINE)  # by us
# A line of a field's own words that would be taken for the heading of one; the backslash in front is ours.
_HEADINGS = re.compile(rf"^\\*##\s+(?:{_TITLES})\s*$", re.MULTILINE | re.IGNORECASE)
_FLAGS = {"yes": True, "true": True, "no": False, "false": False}


def text_of(candidate: Candidate) -> str:
    """A candidate as Markdown: a heading for each field, and under it what the field says."""
    blocks = [f"# {type(candidate).__name__}", f"<!-- {ABOUT} -->"]
    for part in PARTS[type(candidate)]:
        value = getattr(candidate, part.name)
        match part.kind:
            case "list":
                body = "\n".join(f"- {' '.join(item.split())}" for item in value)
            case "flag":
                body = "yes" if value else "no"
            case _:
                body = _HEADINGS.sub(r"\\\g<0>", value or "")
        blocks.append(f"## {part.title}" + (f"\n\n{body}" if body else ""))
    return "\n\n".join(blocks) + "\n"


def edited(candidate: Candidate, text: str) -> Candidate:
    """The candidate as a text says it, resting on the same words. StoreError naming what is missing."""
    parts = PARTS[type(candidate)]
    bodies = _bodies(text, parts)
    if missing := [part.title for part in parts if part.name not in bodies]:
        raise Refused(f"The heading `## {missing[0]}` is gone: put it back, with nothing below it if that is meant.")
    if words := _above(text, parts):
        raise Refused(f"`{words}` stands above all fields: put it below the heading of the one it belongs to.")
    fields = {part.name: _value(part, bodies[part.name]) for part in parts}
    changed = any(getattr(candidate, name) != value for name, value in fields.items())
    new = candidate.model_copy(update=fields | ({"edited": True} if changed else {}))
    if (size := sum(map(len, bodies.values()))) > MOST:
        raise Refused(
            f"It has {size:,} characters, of which a record has room for {MOST:,}: shorten it, and write the rest "
            "into a record of its own (`omoide new`)."
        )
    if empty := empty_field(new):
        title = next(part.title for part in parts if part.name == empty)
        raise Refused(f"`## {title}` is empty: a candidate that says nothing cannot become a record; discard it.")
    return new


def edit(store: Store, candidate_id: str, text: str, shown: str | None = None) -> CandidateRef:
    """Put an edited candidate in the place of the one that is staged. StoreError where there is none, where it is not
    the one that was `shown` (`words_hash`) to whoever edited it, or where a run that waits for review rests on it;
    LockHeld while a consolidation runs."""
    with store.consolidation_lock(()):
        ref = find(store, candidate_id)
        if shown not in (None, words_hash(ref.candidate)):
            raise Refused("The candidate changed since this text was opened: keep your words, and open it again.")
        for run in store.held():
            if candidate_id in run.candidates():
                raise Refused(f"The candidate waits for the review of run {run.run_id}: accept or reject that first.")
        new = edited(ref.candidate, redact(text.encode("utf-8", "replace").decode("utf-8")))
        fields = {part.name: getattr(new, part.name) for part in PARTS[type(new)]}
        store.amend(
            candidate_id,
            {k: list(v) if isinstance(v, tuple) else v for k, v in fields.items()} | {"edited": new.edited},
        )
        store.append_audit("edit_candidate", {"candidate": candidate_id})
        return ref._replace(candidate=new)


def find(store: Store, candidate_id: str) -> CandidateRef:
    """The open candidate with an id. StoreError where there is none."""
    area = store.staging()
    for file in area.files if candidate_id in area.open else ():
        for ref in file.candidates():
            if ref.id == candidate_id:
                return ref
    raise Refused(f"There is no open candidate `{candidate_id}`: `omoide staging` lists them.")


def _bodies(text: str, parts: Sequence[Part]) -> dict[str, str]:
    """The text below each field's heading. Other headings are words of the field they stand in."""
    names = {part.title.casefold(): part.name for part in parts}
    found: dict[str, list[str]] = {}
    current: list[str] | None = None
    for line in text.replace("\r\n", "\n").split("\n"):
        heading = re.fullmatch(r"##\s+(.+?)\s*", line)
        name = names.get(heading[1].casefold()) if heading else None
        if name and name not in found:
            current = found.setdefault(name, [])
        elif current is not None:
            current.append(line.removeprefix("\\") if _HEADINGS.match(line) else line)
    return {name: "\n".join(lines).strip() for name, lines in found.items()}


def _above(text: str, parts: Sequence[Part]) -> str:
    """The first line that a person wrote above the fields; empty where there is none."""
    first = re.compile(rf"^##\s+(?:{'|'.join(part.title for part in parts)})\s*$", re.MULTILINE | re.IGNORECASE)
    above = first.split(text.replace("\r\n", "\n"), maxsplit=1)[0]
    return next((line.strip() for line in _AROUND.sub("", above, count=1).split("\n") if line.strip()), "")


def _value(part: Part, body: str) -> Any:
    match part.kind:
        case "list":
            return tuple(item for line in body.split("\n") if (item := re.sub(r"^\s*[-*]\s+", "", line).strip()))
        case "flag":
            if (flag := _FLAGS.get(body.casefold())) is None:
                raise Refused(f"`## {part.title}` must say `yes` or `no`.")
            return flag
        case _:
            return body if body or part.name != "target" else None
