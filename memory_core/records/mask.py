"""The parts of a Markdown text in which a `#` or `/` means something else, so that no reference is found there.

One pass of line rules and regular expressions over the text; linear in its length, no exception on any prefix.
Deliberately not a Markdown parser: it answers while a person types, on text that is half written.
"""

from __future__ import annotations

import re

# A fence may stand inside list items and quotes.
_FENCE = re.compile(r"[ \t]*(?:(?:[-*+>]|\d{1,9}[.)])[ \t]*)*(`{3,}|~{3,})(.*)")

# Each alternative is masked whole; the first that starts earliest wins, so code hides a URL and not the reverse.
_INLINE = re.compile(
    r"""
      (?P<code>(?<!`)(?P<ticks>`{1,8})(?!`)(?:(?!\n[ \t]*\n).)+?(?<!`)(?P=ticks)(?!`))
    | (?P<comment><!--.*?-->)
    | (?P<html></?[A-Za-z][^<>\n]*>)
    | (?P<auto><[A-Za-z][A-Za-z0-9+.-]{1,31}:[^<>\s]*>)
    | (?P<target>\]\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\))
    | (?P<definition>^[ ]{0,3}\[[^\]\n]+\]:[ \t]*\S+)
    | (?P<url>\b[A-Za-z][A-Za-z0-9+.-]{1,31}://[^\s<>]+)
    | (?P<www>\bwww\.[^\s<>]+)
    | (?P<display>\$\$.+?\$\$)
    | (?P<math>(?<![\\$\w])\$(?![\s$])(?:[^$\n\\]|\\.)+?(?<![\s\\])\$(?![\w$]))
    """,
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)


def mask(text: str) -> str:
    """The text with the same length and lines, in which everything that hides references is blanked out.

    Masked: fenced and inline code, URLs, link targets and definitions, HTML tags and comments, math. Frontmatter is
    the caller's business, since only it knows whether the text is a record.
    """
    text = _mask_fences(text)
    return _INLINE.sub(lambda match: _blank(match.group()), text)


def _blank(text: str) -> str:
    return "".join(c if c in "\r\n" else " " for c in text)


def _mask_fences(text: str) -> str:
    if "```" not in text and "~~~" not in text:
        return text
    lines = re.split(r"(\r\n|\n|\r)", text)
    fence = ""
    for number in range(0, len(lines), 2):
        line = lines[number]
        match = _FENCE.match(line)
        if not fence:
            # An info string of a backtick fence holds no backtick: that would be inline code (CommonMark 4.5).
            if match and not (match[1][0] == "`" and "`" in match[2]):
                fence = match[1]
                lines[number] = _blank(line)
            continue
        if match and match[1][0] == fence[0] and len(match[1]) >= len(fence) and not match[2].strip():
            fence = ""
        lines[number] = _blank(line)
    return "".join(lines)
