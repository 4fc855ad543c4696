"""Places in text: records named by where their files lie, as `decisions/use-x` or as a link by path.

What is such a place is decided here and nowhere else: rename, archive and the linter ask this. Fenced code, and what is
quoted as evidence, name nothing: they are other people's words.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass

from memory_core.layout import ROOT_NAMES, SUMMARY_PATH, record_at
from memory_core.records import evidence_heading
from memory_core.records.mask import FENCE_MARK, blank, without_fences
from memory_core.records.schema import SUMMARY, RecordRef
from memory_core.records.summary_block import block_in

_FOLDERS = ("decisions/", "requests/", "knowledge/", "workflow/")
_ROOT = "|".join(map(re.escape, ROOT_NAMES))
# A link's target behind what announces it, or the name of a folder with a slug. Each begins with a literal.
_NAMED = re.compile(
    r"(?P<link>\]\(|\]:[ \t]*+|href=[\"'])<?+(?P<target>[^\s<>()\"']*+)"
    rf"|(?:{'|'.join(_FOLDERS)})(?P<slug>[a-z0-9-]++)(?:\.md)?+(?![A-Za-z0-9_/])(?!\.\w)"
)
_SLUG = re.compile(r"(?P<slug>[a-z0-9-]+)(?:\.md)?\Z")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_DEFINED = re.compile(r" {0,3}\[[^\]\n]*\Z")
# What leads to a folder; in front of it no letter and no sign that makes a longer path or an address of it.
_WAY = re.compile(rf"(?<![A-Za-z0-9_./\\~@%:$=&#-])(?:\.{{1,2}}/)*+(?:(?:{_ROOT})/)?+(?:memory/)?+\Z")
_LEAD = 400  # characters of a line that are looked at in front of a place
_LONGEST = 400  # characters of a path that may be a record's
_EVIDENCE = re.compile(rf"^#{{1,4}}[ \t]+{evidence_heading.WORDS}[ \t#]*\r?$", re.MULTILINE | re.IGNORECASE)
_QUOTE = re.compile(r"^[ \t]*>[^\n]*", re.MULTILINE)
_LISTED = re.compile(r"^(?P<line>- [^\n]*)(?P<place>\([a-z]+/[a-z0-9-]+\)[ \t]*\r?)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Place:
    """One place: `start`/`end` are offsets of the path as written, `at` that of the slug in it. `link`: it is followed
    by path. `surely`: a record is meant even where there is none of that name."""

    ref: RecordRef
    start: int
    end: int
    at: int
    link: bool
    surely: bool


def places_in(text: str, path: str, start: int = 0) -> Iterator[Place]:
    """The places in a Markdown text from offset `start` on, in order, existing or not. `path`: of its file, relative
    to the memory root; of one outside, where `decisions/x` alone is too little for a record, it begins with `../`."""
    if ".md" not in text and not any(folder in text for folder in _FOLDERS):
        return
    said = _said(text, path, start)
    for found in _NAMED.finditer(said, start):
        place = _of_link(said, path, found) if found["link"] else _by_name(said, path, found)
        if place:
            yield place


def _said(text: str, path: str, start: int) -> str:
    """The text with the same length, in which what names nothing is blanked."""
    if FENCE_MARK.search(text, start):
        text = text[:start] + without_fences(text[start:])[0]
    if heading := _EVIDENCE.search(text, start):
        rest = heading.end()
        text = text[:rest] + _QUOTE.sub(lambda line: blank(line.group()), text[rest:])
    if path == SUMMARY_PATH and (block := block_in(text)):  # its lines follow the records by themselves
        listed = _LISTED.sub(lambda line: line["line"] + blank(line["place"]), block.group())
        text = text[: block.start()] + listed + text[block.end() :]
    return text


def _of_link(text: str, path: str, found: re.Match[str]) -> Place | None:
    target = re.split("[#?]", found["target"], maxsplit=1)[0]
    if len(target) > _LONGEST or not (name := _SLUG.search(target)) or _SCHEME.match(target):
        return None
    start = found.start("target")
    end, at = start + len(target), start + name.start("slug")
    # A name without more may be any word.
    if (ref := _led_to(target, path)) and ("/" in target or target.endswith(".md")):
        by_path = _is_link(text, found)
        return Place(ref, start, end, at, by_path, by_path)
    # As if from the root: it leads nowhere, and means the record all the same.
    ref = _named(target, outside=path.startswith("../"))
    return Place(ref, start, end, at, False, False) if ref else None


def _by_name(text: str, path: str, found: re.Match[str]) -> Place | None:
    lead = _WAY.search(text, max(0, found.start() - _LEAD), found.start())
    slug = found["slug"].rstrip("-")
    if lead is None or (slug != found["slug"] and found.end("slug") != found.end()):
        return None
    end = found.end() - len(found["slug"]) + len(slug)
    written = text[lead.start() : end]
    relative = written.startswith(("./", "../"))
    ref = _led_to(written, path) if relative else _named(written, outside=path.startswith("../"))
    if ref is None:
        return None
    quoted = text[lead.start() - 1 : lead.start()] == "`" == text[end : end + 1]
    surely = bool(lead.group()) or (quoted and ("-" in slug or written.endswith(".md")))
    return Place(ref, lead.start(), end, found.start("slug"), False, surely)


def _named(written: str, *, outside: bool) -> RecordRef | None:
    """The record whose file lies there, seen from the root or from the workspace: `decisions/x`, `memory/decisions/x`,
    `.omoide/memory/decisions/x.md`."""
    below = re.sub(rf"\A(?:{_ROOT})/", "", written)
    if outside and below == written and not written.startswith("memory/"):
        return None
    return _at(below) or (_at(f"memory/{below}") if below == written else None)


def _led_to(target: str, path: str) -> RecordRef | None:
    """The record that a relative path leads to from the file at `path`; one that begins with `/` is the workspace's."""
    base = ".." if target.startswith("/") else posixpath.dirname(path)
    whole = posixpath.normpath(posixpath.join(base, target.lstrip("/")))
    return _at(re.sub(rf"\A\.\./(?:{_ROOT})/", "", whole))


def _at(path: str) -> RecordRef | None:
    ref = record_at(path if path.endswith(".md") else f"{path}.md")
    return None if ref == SUMMARY else ref


def _is_link(text: str, found: re.Match[str]) -> bool:
    """Whether what looks like a link is one: a definition at the start of its line, or not within a code span, in front
    of which an odd number of backticks would stand."""
    at = found.start()
    first = max(text.rfind("\n", max(0, at - _LEAD), at) + 1, at - _LEAD, 0)
    if found["link"].startswith("]:"):
        return bool(_DEFINED.match(text, first, at))
    return text.count("`", first, at) % 2 == 0
