"""A message without what its writer pasted into it: mails, issues, chats, documents, prompts, comments, outputs.

Agents put what is pasted into the prompt without a mark. A passage is found by the line that leads to it or by its own
form, and goes on to where the person speaks again. In doubt it is not the person's: a rule that is missed is said
again, one that nobody gave is followed. Lines that a program printed, fences and quotes are `sentences`' business.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice, pairwise

from memory_core.providers.builtin.quoting import (
    ABOUT,
    ADOPTED,
    AGAIN,
    ASKS,
    CHOOSES,
    CLOSING,
    CODE,
    COMMENT,
    LEAD,
    MAIL_HEAD,
    MAIL_SURE,
    OPENING_TAG,
    OTHERS,
    OWN_LIST,
    PRINTED,
    SPEAKER,
    STAMPED,
    TASK,
    TEMPLATE,
    TIMED,
    TOLD_AND_ASKED,
    WIDE_LEAD,
)
from memory_core.sessions.tags import elements

_BROKEN = 50  # characters from which a line may have been broken
_LABEL = 90  # characters of a line that names what stands below it, without a colon
_LEAD = 240  # characters of a line that can lead to a passage
_FENCES = ("```", "~~~")
_NEAR = 4  # lines in which the heads of a mail stand


def own_words(text: str) -> str:
    """The message with each line of a passage blank, so that what is left keeps its lines."""
    if "\n" not in text.strip():
        return text
    kept = _without_elements(text.replace("\r\n", "\n")).split("\n")
    lines = [line.rstrip("\\ \t") for line in kept]
    for begin, end in _passages(lines):
        kept[begin:end] = [""] * (end - begin)
    return "\n".join(kept)


def _passages(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    yield from _comments(lines)
    if (begin := _begin(lines)) is not None:
        yield begin, _own_again(lines, begin)


def _begin(lines: Sequence[str]) -> int | None:
    """The first line of the passage that goes on to where the person speaks again; None where there is none."""
    fenced = list(_fenced(lines))
    leads = (at for at, line in enumerate(lines) if not fenced[at] and _leads(line, *lines[at + 1 : at + 2]))
    starts = [start for at in islice(leads, 1) if (start := _next(lines, at + 1)) is not None]
    starts += [at for find in (_mail, _chat, _template, _framed) if (at := find(lines)) is not None]
    # What has marks of its own ends with them, and is cut out as it is everywhere.
    starts = [at for at in starts if not fenced[at] and not lines[at].lstrip().startswith((*_FENCES, ">"))]
    return min(starts, default=None)


def _leads(line: str, below: str = "") -> bool:
    """Whether a line says that somebody else's words follow. One that was broken at the edge of a screen goes on."""
    said = " ".join(line.split())
    broken = len(said) >= _BROKEN and said[-1] not in ":?：？" and below[:1].islower()
    if not said or len(said) > _LEAD or broken or _in_list(said) or ADOPTED.search(said):
        return False
    return bool(LEAD.search(said.replace("’", "'")) if said.isascii() else LEAD.search(said) or WIDE_LEAD.search(said))


def _in_list(said: str) -> bool:
    """Whether a line is a point of a list, or quoted."""
    return said[0] in "-*>•・" or said[0].isdigit()


def _next(lines: Sequence[str], at: int) -> int | None:
    return next((place for place in range(at, len(lines)) if lines[place].strip()), None)


def _mail(lines: Sequence[str]) -> int | None:
    """Where a mail begins: two of its heads stand close together, and one that only mails have."""
    heads = [at for at, line in enumerate(lines) if MAIL_HEAD.match(line)]
    if not any(MAIL_SURE.match(lines[at]) for at in heads):
        return None
    return next((one for one, other in pairwise(heads) if other - one < _NEAR), None)


def _chat(lines: Sequence[str]) -> int | None:
    """Where a conversation begins: names with a time, or two names of which one speaks again. A person's own lines of
    `name: value` name each thing once."""
    said = (at for at in range(len(lines) - 1) if lines[at + 1].strip() and not STAMPED.match(lines[at + 1]))
    stamped = [at for at in said if STAMPED.match(lines[at])]
    for times in (stamped, [at for at, line in enumerate(lines) if TIMED.match(line)]):
        if len(times) > 1:
            return times[0]
    named = [(at, match["name"]) for at, line in enumerate(lines) if (match := SPEAKER.match(line))]
    spoke = Counter(name for _, name in named)
    return named[0][0] if 1 < len(spoke) < spoke.total() else None


def _template(lines: Sequence[str]) -> int | None:
    """Where an issue begins that was written into a template's headings."""
    headings = [at for at, line in enumerate(lines) if TEMPLATE.match(line)]
    return headings[0] if len(headings) > 1 else None


def _framed(lines: Sequence[str]) -> int | None:
    """Where something begins that a first line names and the person only asks about, there or behind it."""
    first = _next(lines, 0)
    begin = None if first is None else _next(lines, first + 1)
    if first is None or begin is None:
        return None
    said, apart = " ".join(lines[first].split()), begin - first > 1
    if len(said) > _LEAD or said[0] in "#<" or _in_list(said) or ADOPTED.search(said):
        return None
    if apart and TOLD_AND_ASKED.search(said):
        return begin
    again = _next(lines, _own_again(lines, begin))
    if again is None or not _names(said, apart=apart):
        return None
    asked = lines[again].strip()
    about = ABOUT.match(asked[:_LEAD]) is not None
    if OTHERS.search(said):
        return begin if about or (ASKS.search(asked) and not TASK.match(asked)) else None
    topics = " " not in said or any(line.endswith(":") for line in lines[begin:again])  # of a list of one's own
    return begin if about and not topics else None


def _names(said: str, *, apart: bool) -> bool:
    """Whether a line names what stands below it, which is no list of a person's own. `apart`: a blank line follows."""
    label = apart and len(said) <= _LABEL and said[-1] not in ".!。！,?？"
    return (label or said.endswith((":", "："))) and not OWN_LIST.search(said)


def _own_again(lines: Sequence[str], begin: int) -> int:
    """Where the person speaks again behind a passage: the end of the lines where they do not."""
    closed = next((at for at in range(len(lines) - 1, begin, -1) if CLOSING.match(lines[at])), None)
    if closed is not None:
        return _blank(lines, closed)
    lead = next((lines[at] for at in range(begin - 1, -1, -1) if lines[at].strip()), "")
    if PRINTED.search(lead):
        return _blank(lines, begin)
    last = len(lines)
    while last > begin and not lines[last - 1].strip():
        last -= 1
    paragraph = next((at + 1 for at in range(last - 1, begin, -1) if not lines[at].strip()), begin)
    if paragraph > begin and (_asks(lines[paragraph:last]) or CHOOSES.match(lines[paragraph].strip())):
        return paragraph
    return last - 1 if last - 1 > begin and _asks(lines[last - 1 : last]) else len(lines)


def _blank(lines: Sequence[str], at: int) -> int:
    """The next blank line."""
    return next((place for place in range(at, len(lines)) if not lines[place].strip()), len(lines))


def _asks(paragraph: Sequence[str]) -> bool:
    first = paragraph[0].strip()[:_LEAD]
    return bool(AGAIN.match(first) or ABOUT.match(first) or ASKS.search(paragraph[-1]))


def _fenced(lines: Sequence[str]) -> Iterator[bool]:
    """Of each line whether it stands in fenced code."""
    inside = False
    for line in lines:
        mark = line.lstrip().startswith(_FENCES)
        yield inside and not mark
        inside ^= mark


def _without_elements(text: str) -> str:
    """The text without elements that are named for what others wrote; `<rules>` and the like hold a person's own."""
    for element in reversed(list(elements(text, OPENING_TAG))):
        lines = text.count("\n", element.start, element.end)
        text = text[: element.start] + "\n" * lines + text[element.end :]
    return text


def _comments(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Comments of code that begin like headings: below them stands code. Headings stand over words."""
    at = 0
    while at < len(lines):
        end = at
        while end < len(lines) and COMMENT.match(lines[end]):
            end += 1
        if at < end < len(lines) and CODE.match(lines[end]):
            yield at, end
        at = max(end, at + 1)
