"""Take a record out of use. The store keeps its text and a tombstone under the run, so that it can come back.

Touches neither logs nor staging: what was said and done stays where it was said.
"""

from __future__ import annotations

import re

from memory_core.changes import ChangeSet
from memory_core.layout import record_path
from memory_core.records.schema import SUMMARY, Kind, RecordRef, name_of
from memory_core.records.summary_block import END, block_in, lines_about
from memory_core.refactor.referrers import (
    Refusal,
    head_end,
    head_is_broken,
    in_the_way,
    referrers,
    summary_lines,
    summary_place,
)
from memory_core.snapshot import Snapshot
from memory_core.text import newline_of

# What a run puts around a record's words in its line: the day, and that it is open.
_MADE = re.compile(r"\A- (?:\d{4}-\d\d-\d\d: )?|[ \t]*\[open\]\Z")
_EMPTY_SECTION = re.compile(rf"^## [^\n]*\n(?:[ \t]*\r?\n)*(?=## |{re.escape(END)})", re.MULTILINE)


def archive(snapshot: Snapshot, ref: RecordRef, *, force: bool = False) -> ChangeSet | Refusal:
    """The change set that removes a record, and its lines of the summary's block; what a person wrote there of their
    own moves below the block (`own_lines`).

    Refused while another file refers to it, unless by `force`.
    """
    if ref.kind is Kind.SUMMARY:
        return Refusal("The summary is rewritten, not archived.")
    document = snapshot.document(ref)
    if document is None:
        return Refusal(f"There is no {name_of(ref)}.")
    if document.unreadable:
        return Refusal(document.unreadable)
    path = record_path(ref)
    links = in_the_way(referrers(snapshot, ref), ref)
    if links and not force:
        paths = list(dict.fromkeys(link.path for link in links))
        more = f" and {len(paths) - 5} more" if len(paths) > 5 else ""
        return Refusal(f"{name_of(ref)} is referred to by {', '.join(paths[:5])}{more}: change those first.", links)
    changes = ChangeSet().with_file(path, document.text, None)
    summary = snapshot.document(SUMMARY)
    listed = summary_lines(snapshot, ref)
    if summary is None or not listed:
        return changes
    first = summary.lines.offset(listed[0].range.start)
    if summary.unreadable or (head_is_broken(summary) and first < head_end(summary)):
        if force:
            return changes
        return Refusal(f"`{summary.path}` lists {name_of(ref)} and cannot be read safely: repair it first.", listed)
    after = summary.text
    for line, _ in reversed(list(lines_about(after, summary_place(ref)))):
        after = after[: line.start] + after[line.stop :]
    after = _with_lines_below(_without_empty_sections(after), own_lines(snapshot, ref))
    return changes.with_file(summary.path, summary.text, after)


def own_lines(snapshot: Snapshot, ref: RecordRef) -> tuple[str, ...]:
    """What the summary's block says of a record that the record does not say: a person's own words, as list items
    without the place at their end."""
    summary, document = snapshot.document(SUMMARY), snapshot.document(ref)
    if summary is None or document is None:
        return ()
    said = f"{_plain(document.text)} {ref.slug.replace('-', ' ')}"
    texts = [
        summary.text[line.start : place.start - 1].strip()
        for line, place in lines_about(summary.text, summary_place(ref))
    ]
    return tuple(text for text in texts if _plain(_MADE.sub("", text)).rstrip("…").strip() not in said)


def _plain(text: str) -> str:
    """Words alone, as a line of the block and its record share them: without what keeps a reference from acting."""
    return " ".join(text.replace("&lt;", "<").replace("\\", "").split())


def _with_lines_below(text: str, lines: tuple[str, ...]) -> str:
    """The text with lines behind the block, where no run writes."""
    block = block_in(text)
    if block is None or not lines:
        return text
    newline = newline_of(text)
    rest = text[block.end() :]
    below = newline.join(("", "", *lines))
    return text[: block.end()] + below + (rest if rest.startswith(("\r", "\n")) else newline + rest)


def _without_empty_sections(text: str) -> str:
    """The text without headings of the summary's block that nothing stands under any more."""
    block = block_in(text)
    if block is None:
        return text
    kept = _EMPTY_SECTION.sub("", block.group())
    return text[: block.start()] + kept + text[block.end() :]
