"""The text of a record as an enricher is sent it: what it is called, what it is about and what it says itself.

Sources, anchors, dates and the section of evidence are left out: they quote sessions, whose text is never sent.
"""

from __future__ import annotations

import json
import re

from memory_core.outline import title_of
from memory_core.records import evidence_heading
from memory_core.records.record import Record
from memory_core.redact import redact

FORM = "rows-2"  # of the text; whoever holds rows of another form is sent all of them once more
_EVIDENCE = re.compile(
    rf"^ {{0,3}}(?P<marks>#{{1,6}})[ \t]+{evidence_heading.WORDS}[ \t]*:?[ \t#]*\r?$",
    re.MULTILINE | re.IGNORECASE,
)
_HEADING = re.compile(r"^ {0,3}(?P<marks>#{1,6})[ \t]", re.MULTILINE)


def row_text(record: Record) -> str:
    """`slug`, `kind`, `title` and `description` as frontmatter, then the body without its evidence; no secrets."""
    about = {
        "slug": record.ref.slug,
        "kind": record.ref.kind.value,
        "title": title_of(record),
        "description": record.description,
    }
    # One line of JSON is a quoted value of YAML, whatever stands in it.
    lines = [f"{key}: {_quoted(value)}\n" for key, value in about.items() if value]
    return f"---\n{''.join(lines)}---\n{redact(without_evidence(record.body))}"


def without_evidence(body: str) -> str:
    """A body without the sections that only quote what was said, down to the next heading that is not below theirs."""
    kept, at = "", 0
    for heading in _EVIDENCE.finditer(body):
        if heading.start() < at:
            continue
        kept += body[at : heading.start()]
        level = len(heading["marks"])
        following = (m.start() for m in _HEADING.finditer(body, heading.end()) if len(m["marks"]) <= level)
        at = next(following, len(body))
    return kept + body[at:]


def _quoted(text: str) -> str:
    return json.dumps(" ".join(redact(text).split()), ensure_ascii=False)
