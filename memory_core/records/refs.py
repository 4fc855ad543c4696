"""References in text: `#slug` (knowledge) and `/slug` (workflow), found by one scanner for every feature.

What is a reference is decided here and nowhere else: linter, completion, hover, rename and expansion all ask this.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from memory_core.records.mask import mask
from memory_core.records.schema import Kind
from memory_core.records.slug import MAX_LENGTH, is_slug

# Letters of scripts that put spaces between words: Latin beyond ASCII, combining marks, Greek, Cyrillic, Armenian.
# Next to one of them a slug would be a piece of a longer word (`#café`).
_LETTER = "\\u00aa\\u00ba\\u00c0-\\u02af\\u0300-\\u058f\\u1e00-\\u1fff"

# A sigil counts at the start of the text, after white space, after punctuation that opens something, or right after a
# letter of a script without spaces (`決定は#slug`). After an ASCII word it is `C#`, `issue#12` or a URL fragment.
# The look-behinds stand after the sigil, so that the search can skip to it.
_KNOWLEDGE_SIGIL = rf"#(?<![A-Za-z0-9_#/&\\\-.@%+$=~:{_LETTER}]#)"
_WORKFLOW_SIGIL = r"/(?<!\S/)"
_SIGIL = re.compile(
    # Behind it no letter, and no dot or slash that goes on as a path, a version or a nested tag.
    rf"{_KNOWLEDGE_SIGIL}(?P<knowledge>[A-Za-z0-9_-]++)(?![{_LETTER}])(?![./][A-Za-z0-9_])"
    rf"|{_WORKFLOW_SIGIL}(?P<workflow>[A-Za-z0-9_-]++)(?![/\w])(?!\.\w)"
)
# In one text, some hundred times what a record may hold. A text with more was made to keep everybody waiting: the rest
# of it is not looked at, and `unknown-reference` says so.
MOST = 200_000
_HEX_COLOR = re.compile(r"[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8}")


@dataclass(frozen=True, slots=True)
class Reference:
    """One reference: `start`/`end` are offsets of the sigil and slug. `weak`: may be an issue number or a color, so
    an unknown one is not a problem."""

    kind: Kind
    slug: str
    start: int
    end: int
    weak: bool = False


def scan(text: str, start: int = 0, masked: str | None = None) -> list[Reference]:
    """The references of a Markdown text from offset `start` on, in order, at most MOST. `masked` saves masking the text
    again."""
    found: list[Reference] = []
    if "#" not in text and "/" not in text:
        return found
    visible = mask(text[start:]) if masked is None else masked[start:]
    judged: dict[str, bool | None] = {}  # None for what is no slug, else whether it is weak; a text repeats its own
    for match in _SIGIL.finditer(visible):
        slug = match[match.lastgroup or 0].rstrip("-")
        weak = judged[slug] if slug in judged else judged.setdefault(slug, _weakness(slug))
        if weak is not None:
            kind = Kind.KNOWLEDGE if match.lastgroup == "knowledge" else Kind.WORKFLOW
            at = start + match.start()
            found.append(Reference(kind, slug, at, at + 1 + len(slug), weak))
            if len(found) == MOST:
                break
    return found


def _weakness(slug: str) -> bool | None:
    if len(slug) > MAX_LENGTH or not is_slug(slug):
        return None
    return slug.isdigit() or bool(_HEX_COLOR.fullmatch(slug))


@dataclass(frozen=True, slots=True)
class Typing:
    """A reference being typed: the sigil's column, what stands behind it before the cursor, and the suffix after."""

    kind: Kind
    start: int
    prefix: str
    end: int


_TYPED = re.compile(
    rf"{_KNOWLEDGE_SIGIL}(?P<knowledge>[A-Za-z0-9_-]*+)\Z|{_WORKFLOW_SIGIL}(?P<workflow>[A-Za-z0-9_-]*+)\Z"
)
_SUFFIX = re.compile(r"[A-Za-z0-9_-]*")


def typing_at(line: str, column: int, masked_line: str | None = None) -> Typing | None:
    """The reference that a cursor at `column` of a line is inside of, complete or not; None when there is none.

    `masked_line` is the same line of the masked document: a sigil blanked there is not one.
    """
    match = _TYPED.search(line[:column])
    if not match:
        return None
    start = match.start()
    if masked_line is not None and masked_line[start : start + 1] != line[start]:
        return None
    suffix = _SUFFIX.match(line, column)
    kind = Kind.KNOWLEDGE if match["knowledge"] is not None else Kind.WORKFLOW
    return Typing(kind, start, line[start + 1 : column], suffix.end() if suffix else column)
