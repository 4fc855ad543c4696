"""A record that was started and never written claims nothing."""

from __future__ import annotations

import pytest

from memory_core.providers.builtin.known import claim_of
from memory_core.records.record import parse
from memory_core.records.schema import Kind, RecordRef

HEAD = "---\ncreated_at: 2026-03-01T10:00:00Z\nupdated_at: 2026-03-01T10:00:00Z\nkind: fact\n"
STARTED = "description: Say here what my-topic is and when to read it.\n---\n# My topic\n"


@pytest.mark.parametrize("slug", ["my-topic", "better-name"], ids=["as it was started", "under another name"])
def test_what_nobody_wrote_is_blank(slug: str) -> None:
    assert claim_of(parse(RecordRef(Kind.KNOWLEDGE, slug), HEAD + STARTED)).blank


@pytest.mark.parametrize(
    "text",
    [
        STARTED + "\nTides are in UTC.\n",
        "description: Read before you sail.\n---\n# My topic\n",
        "description: Say here what my-topic is and when to read it.\n---\n# The tides\n",
    ],
    ids=["a body", "a description", "a title"],
)
def test_what_somebody_wrote_into_it_is_not(text: str) -> None:
    assert not claim_of(parse(RecordRef(Kind.KNOWLEDGE, "better-name"), HEAD + text)).blank
