"""Text that others wrote, made safe to show in a hover card: it may format itself, but load, run or hide nothing.

Not a Markdown parser: what could be active is broken up wherever it stands, so no difference between parsers matters.
"""

from __future__ import annotations

import re

from memory_core.text import TAG, counted, shorten

# Controls and bidirectional overrides can make a text read differently from what it says.
_HIDDEN = re.compile(f"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]|{TAG}")
_INLINE = re.compile(r"[\\`*\[\]<|]|&(?=#?\w)|(?<!\w)_|_(?!\w)|~(?=~)")

# U+2060 WORD JOINER: invisible, and enough to keep the two characters around it from being syntax.
_JOINER = "\u2060"
# An address in front takes the backslash for a part of itself: the tag behind it would be one.
_TAG = re.compile(r"<(?=[A-Za-z/!?])")
_ACTIVE = re.compile(
    r"""
      (?P<image>!)(?=\[)                          # ![alt](address) would be fetched when the card is shown
    | (?P<html><)(?=[A-Za-z/!?])                  # raw HTML, and autolinks of any scheme
    | (?P<link>\])(?=\((?!https?://|\#))          # [text](command:...) and every other scheme or file
    | (?P<definition>\])(?=:)                     # [label]: address, for reference links
    """,
    re.VERBOSE,
)
# A card is for a glance. Editors stall on very long lines, and a record may hold one of a megabyte.
_MAX_LINE = 600
_MAX_BLOCK = 6_000

_FENCE = re.compile(r"(`{3,}(?=[^`]*$)|~{3,})")
_OPENING = re.compile(r"(`{3,}|~{3,})[A-Za-z0-9_+.#-]*")


def inline(text: str, limit: int = 300) -> str:
    """One line of at most `limit` characters in which nothing is Markdown any more."""
    line = _INLINE.sub(lambda match: "\\" + match.group(), shorten(_HIDDEN.sub("", text), limit))
    line = _TAG.sub(rf"\g<0>{_JOINER}", line)
    if re.match(r"[#>+-]", line):
        return "\\" + line
    return re.sub(r"^(\d+)([.)])", r"\1\\\2", line)


def code(text: str) -> str:
    """A short text as a code span, whatever backticks it holds."""
    text = shorten(_HIDDEN.sub("", text), 120)
    fence = "`" * (max((len(run) for run in re.findall("`+", text)), default=0) + 1)
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{pad}{text}{pad}{fence}"


def plain(text: str, limit: int = 160) -> str:
    """One line of plain text, for places that render no Markdown."""
    return shorten(_HIDDEN.sub("", text), limit)


def unmarked(card: str) -> str:
    """A card for an editor that renders no Markdown: what `inline` and `code` put around foreign text is taken off. The
    body, behind the line `---`, is shown as it is in the file, but for what makes it inert."""
    head, line, body = card.partition("\n\n---\n\n")
    head = re.sub(r"\\([\\`*\[\]<|&_~#>+.)-])|\*\*|`", lambda match: match[1] or "", head)
    return f"{head}{line}{body}".replace(_JOINER, "")


def block(text: str, max_lines: int) -> str:
    """The first lines of a Markdown text, within reason: images, HTML and odd links inert, a mark where it was cut.

    Code is kept as it is only where all parsers agree where each fence of the text starts and ends.
    """
    lines = _HIDDEN.sub("", text.strip("\r\n").replace("\r\n", "\n").replace("\r", "\n")).split("\n")
    shown: list[str] = []
    taken, room = 0, _MAX_BLOCK
    for whole in lines[:max_lines]:
        if room <= 0:
            break
        line = whole if len(whole) <= _MAX_LINE else whole[:_MAX_LINE].rstrip() + "…"
        taken, room = taken + 1, room - len(line)
        shown.append(line)
    shown, fence = _inert(shown)
    if fence:
        shown.append(fence)
    if len(lines) > taken:
        shown += ["", f"… {counted(len(lines) - taken, 'more line')}"]
    return "\n".join(shown)


def _inert(lines: list[str]) -> tuple[list[str], str]:
    """The lines with what is active broken up, in code only where parsers may differ about where it ends; and the fence
    that is left open. They differ about fences in lists and behind spaces, about a closing one of other length or with
    something behind it: what one takes for code is fetched by another."""
    fence, agreed, found = "", True, []
    for line in lines:
        if fence and line.lstrip().startswith(fence[:3]):
            agreed = agreed and set(line) == {fence[0]} and len(line) >= len(fence)
        elif not fence and ("```" in line or "~~~" in line):
            agreed = agreed and bool(_OPENING.fullmatch(line))
        found.append((line, bool(fence)))
        if not fence:
            opening = _FENCE.match(line)
            fence = opening[1] if opening else ""
        elif re.fullmatch(rf" {{0,3}}{re.escape(fence[0])}{{{len(fence)},}}[ \t]*", line):
            fence = ""
    return [line if agreed and in_code else _ACTIVE.sub(_broken, line) for line, in_code in found], fence


def _broken(match: re.Match[str]) -> str:
    return match.group() + _JOINER
