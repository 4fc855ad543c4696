"""The body of a record as the rules write it: a title, paragraphs, and who said what where.

Words only; what becomes a record is decided in `consolidate`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC

from memory_core.consolidate.covered import TITLE
from memory_core.consolidate.provenance import chosen_anchors
from memory_core.ids import instant_of, parse_rfc3339
from memory_core.providers.builtin.wording import labels
from memory_core.records import evidence_heading
from memory_core.records.refs import scan
from memory_core.records.schema import Kind, RecordRef
from memory_core.staging import Anchor, CandidateRef
from memory_core.text import shorten

BODY_LIMIT = 1_400  # characters: the linter asks for more evidence from 1,500 on
EDITED_LIMIT = 7_000  # what a person wrote into a candidate stands in no log: the linter refuses 8,000
QUOTES = 3
EVIDENCE = re.compile(rf"^#{{1,4}}[ \t]+{evidence_heading.WORDS}[ \t#]*$", re.MULTILINE | re.IGNORECASE)


def body_for(title: str, parts: Sequence[str], refs: Sequence[CandidateRef]) -> str:
    """Title, paragraphs, and who said what where, within the limit: quotes go first when it is too long."""
    words = labels(title)
    limit = max(room(ref, BODY_LIMIT) for ref in refs)
    head = "\n\n".join([f"# {inert(shorten(title, TITLE))}", *(inert(part) for part in parts if part)])
    head = head if len(head) <= limit - 200 else shorten_lines(head, limit - 200)
    each = max(1, QUOTES // max(1, len(refs)))
    lines = [quote(ref, anchor, words) for ref in refs for anchor in _best(chosen_anchors(ref))[:each]]
    body = head
    for number, line in enumerate(lines):
        lead = f"\n\n## {words['evidence']}\n\n" if not number else "\n"
        if len(body) + len(lead) + len(line) > limit:
            break
        body += lead + line
    return body


def room(ref: CandidateRef, usual: int) -> int:
    """How many characters a part of a candidate may take in a record: of what was said the log has the rest."""
    return EDITED_LIMIT if ref.candidate.edited else usual


def _best(anchors: Sequence[Anchor]) -> list[Anchor]:
    order = {"human": 0, "assistant": 1, "tool": 2, "system": 3}
    return sorted(anchors, key=lambda a: (order[a.speaker], a.entry_range))


def quote(ref: CandidateRef, anchor: Anchor, words: Mapping[str, str]) -> str:
    """One line of evidence: who, when, where, and the words themselves."""
    first, last = anchor.entry_range
    span = str(first) if first == last else f"{first}-{last}"
    place = words["entry"].format(span, short(ref.source.session_id))
    who = words[anchor.speaker] + (f" ({anchor.tool})" if anchor.tool else "")
    facts = ", ".join(part for part in (who, _day(anchor.ts), place) if part)
    return f"- {facts}:\n  > {inert(shorten(anchor.excerpt, 240))}"


def short(session_id: str) -> str:
    """The first block of an id: enough to find the session, short enough to read."""
    return session_id.split("-")[0][:12] if len(session_id) > 16 else session_id


def place_of(ref: RecordRef) -> str:
    """Where a record stands, as a reader finds it: `decisions/use-sqlite`."""
    folder = {Kind.DECISION: "decisions", Kind.REQUEST: "requests"}.get(ref.kind, str(ref.kind))
    return f"{folder}/{ref.slug}"


def date_of(ref: CandidateRef) -> str:
    """The day it was said (`2026-01-31`), else the day it was staged, else empty. UTC."""
    said = next((day for anchor in ref.candidate.evidence if (day := _day(anchor.ts))), "")
    staged = None if said else instant_of(ref.id.split("/")[0])
    return staged.strftime("%Y-%m-%d") if staged else said


def moment_of(ref: CandidateRef) -> str:
    """When it was settled, in UTC so that two compare: the last of a person's words it rests on, else of anybody's.
    Empty where the log does not tell."""
    evidence = ref.candidate.evidence
    persons = [anchor.ts for anchor in evidence if anchor.speaker == "human"]
    return last_moment(persons) or last_moment([anchor.ts for anchor in evidence])


def last_moment(instants: Iterable[object]) -> str:
    """The latest of some RFC 3339 instants, in UTC and always as long; empty without any."""
    known = [parsed for instant in instants if instant and (parsed := parse_rfc3339(str(instant)))]
    return max(known).astimezone(UTC).isoformat(timespec="microseconds") if known else ""


def _day(instant: str | None) -> str:
    return last_moment([instant])[:10]


def inert(text: str) -> str:
    """Recorded text in which nothing acts: no `#slug` or `/slug` reference, no comment that would switch off a rule."""
    text = text.replace("<!--", "&lt;!--")
    for found in reversed(scan(text)):
        text = f"{text[: found.start]}\\{text[found.start :]}"
    return text


def shorten_lines(text: str, limit: int) -> str:
    """Cut at the limit with an ellipsis, keeping the lines."""
    return text if len(text) <= limit else text[: limit - 1].rstrip() + "…"
