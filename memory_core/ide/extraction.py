"""A selection becomes a knowledge record, and a reference to it takes its place.

Where the selection comes from a record, the new one has its sources and its scope; it is as true as that was.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from memory_core.changes import ChangeSet
from memory_core.ide.view import View
from memory_core.layout import record_path
from memory_core.records.mask import mask
from memory_core.records.refs import scan
from memory_core.records.render import render
from memory_core.records.schema import Kind, RecordRef
from memory_core.records.slug import slugify
from memory_core.refactor.new import DEFAULT_KIND, new_head, plain_sources
from memory_core.refactor.promote import heading_of
from memory_core.refactor.referrers import Refusal, place_refusal
from memory_core.snapshot import Snapshot
from memory_core.text import Range, TextEdit, shorten

_LEAST = 8  # characters; less than that is a word somebody marked, no knowledge
_SLUG_LENGTH = 40
_TITLE_LENGTH = 120
_NO_TITLE = ("```", "~~~", "<")  # begins of a fence, a comment or a tag
_PROBE = "words"  # what somebody may write below an extracted text
_MARKS = re.compile(r"^[ \t]*(?:[-*+>]|\d{1,9}[.)]|\[[ xX]\])[ \t]+|[*_`#\[\]<>]")


def selected(view: View, selection: Range) -> Range | None:
    """The part of a selection that can be extracted: without the white space around it. None where nothing can: in
    frontmatter, inside of code or a link, in program text."""
    if not view.prose:
        return None
    lines, text = view.lines, view.text
    start, end = lines.offset(selection.start), lines.offset(selection.end)
    chosen = text[start:end]
    start += len(chosen) - len(chosen.lstrip())
    end -= len(chosen) - len(chosen.rstrip())
    body = view.record.body_start if view.record else 0
    if end - start < _LEAST or start < body or _is_hidden(view, start):
        return None
    return lines.range(start, end)


def _is_hidden(view: View, offset: int) -> bool:
    """Whether a selection begins in the middle of what the mask hides; what only begins there can go along."""
    if not view.masked[offset].isspace():
        return False
    place = view.lines.position(offset)
    line, shown = view.line(place.line)
    before = line[: place.character].rstrip()
    if before:
        return shown[len(before) - 1].isspace()
    return not line.lstrip().startswith(("`", "~", "<", "$", "[", "http", "www."))


def slug_for(snapshot: Snapshot, text: str, now: str) -> str:
    """A slug for some text that no knowledge record has: of its first words or, where they make none, of the day."""
    slug = slugify(_plain_title(text), _SLUG_LENGTH) or f"note-{now[:10]}"
    if slug.isdigit() or re.fullmatch(r"[0-9a-f]{3,8}", slug):  # could be an issue number or a color
        slug = f"note-{slug}"
    known, number = slug, 2
    while snapshot.index.exists(RecordRef(Kind.KNOWLEDGE, slug)):
        slug, number = f"{known}-{number}", number + 1
    return slug


def extract(
    snapshot: Snapshot, view: View, selection: Range, slug: str, now: str
) -> tuple[TextEdit, ChangeSet] | Refusal:
    """The edit of the text and the change set that makes the record."""
    place = selected(view, selection)
    if place is None:
        return Refusal("This selection cannot become a record: mark some text outside of frontmatter and code.")
    target = RecordRef(Kind.KNOWLEDGE, slug)
    if refusal := place_refusal(snapshot, target):
        return refusal
    edit = _replacement(view, place, slug)
    if edit is None:
        return Refusal(f"`#{slug}` would not be read as a reference there: mark other text.")
    text = view.text[view.lines.offset(place.start) : view.lines.offset(place.end)]
    if _takes_apart(view, place, edit.new_text):
        return Refusal("This selection ends inside of code, a comment or the like: mark all of that, or none of it.")
    return edit, ChangeSet().with_file(record_path(target), None, _record_text(view, target, text, now))


def _takes_apart(view: View, place: Range, new: str) -> bool:
    """Whether code, a comment or the like would lose its beginning or its end: what stands behind the selection, or
    whatever is written below it in the new record, would be read as another thing than before."""
    start, end = view.lines.offset(place.start), view.lines.offset(place.end)
    from_ = view.record.body_start if view.record else 0
    before, after = mask(view.text[from_:]), mask(view.text[from_:start] + new + view.text[end:])
    behind = len(view.text) - end
    if behind and before[-behind:] != after[-behind:]:
        return True
    return mask(f"{view.text[start:end]}\n\n{_PROBE}")[-len(_PROBE) :] != _PROBE


def _replacement(view: View, place: Range, slug: str) -> TextEdit | None:
    """The reference in place of the selection, with spaces around it where it would else run into a word."""
    start, end = view.lines.offset(place.start), view.lines.offset(place.end)
    for before, behind in (("", ""), (" ", ""), ("", " "), (" ", " ")):
        new = f"{before}#{slug}{behind}"
        text = view.text[:start] + new + view.text[end:]
        at = start + len(before)
        from_ = view.record.body_start if view.record else 0
        if any(found.start == at and found.slug == slug for found in scan(text, from_)):
            return TextEdit(place, new)
    return None


def _record_text(view: View, target: RecordRef, text: str, now: str) -> str:
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    title = shorten(_plain_title(text), _TITLE_LENGTH).rstrip(".。:")
    words = target.slug.replace("-", " ")
    fields: dict[str, Any] = {
        "kind": DEFAULT_KIND,
        "description": f"{title or words.capitalize()}. Read it before work on {words}.",
    }
    record = view.record
    head = new_head(Kind.KNOWLEDGE, now, fields, plain_sources(record) if record else (), "user")
    if record and isinstance(scope := record.value("scope"), Mapping):
        head["scope"] = dict(scope)  # what few may see stays with them
    body = text if heading_of(text.split("\n", 1)[0]) is not None else f"# {words.capitalize()}\n\n{text}"
    return render(Kind.KNOWLEDGE, head, body)


def _plain_title(text: str) -> str:
    """The first line that says something, as words: its first sentence where it is long. Signs alone say nothing, and
    code or a comment only where there is nothing else."""
    shown, at, lines = mask(text), 0, []
    for line in text.splitlines(keepends=True):
        hidden = not _says_something(shown[at : at + len(line)])
        at += len(line)
        if _says_something(line) and not (hidden and line.lstrip().startswith(_NO_TITLE)):
            lines.append((hidden, line))
    for _, line in sorted(lines, key=lambda found: found[0]):
        heading = heading_of(line)
        words = " ".join(_MARKS.sub("", line if heading is None else heading).split())
        if _says_something(words):
            return re.split(r"(?<=[.!?])[ \t]|(?<=[。!?])", words, maxsplit=1)[0]
    return ""


def _says_something(words: str) -> bool:
    return any(map(str.isalnum, words))
