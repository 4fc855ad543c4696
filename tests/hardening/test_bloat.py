"""What is remembered of texts is bounded by what it takes, not by how many they are: each key makes a text anew."""

from __future__ import annotations

import gc

from memory_core.document import Document
from memory_core.parsed import Parsed
from memory_core.text import LineIndex, Position
from server.convert import columns
from server.convert.columns import Encoding, from_code_points
from tests.lint.lint_fixture import knowledge


def alive() -> list[Parsed]:
    gc.collect()
    return [it for it in gc.get_objects() if isinstance(it, Parsed)]


def test_of_a_long_record_few_versions_are_kept() -> None:
    """A megabyte typed in five hundred times took ten gigabytes: so many parsed texts were kept, however long."""
    body = "Each key makes it anew.\n" * 20_000
    for version in range(40):
        document = Document("knowledge/long.md", knowledge(f"{version}\n{body}"))
        assert document.lines.line_count > 20_000
        assert document.parsed is document.parsed
    assert sum(len(parsed.text) for parsed in alive()) < 10_000_000


def test_of_short_records_hundreds_are_kept() -> None:
    documents = [Document(f"knowledge/a-{number}.md", knowledge(f"{number}\n")) for number in range(300)]
    kept = [id(document.parsed) for document in documents]
    assert [id(document.parsed) for document in documents] == kept


def test_of_a_long_line_few_versions_are_measured() -> None:
    """Sixteen versions were kept, at eight bytes a character: of a line of two megabytes, a third of a gigabyte."""
    line = "日本語 #api-keys 🎉 " * 18_000
    for version in range(8):
        lines = LineIndex(f"{version}{line}\nmore")
        text = lines.line(0)
        assert from_code_points(text, len(text), Encoding.UTF16) == len(text.encode("utf-16-le")) // 2
        assert lines.offset(Position(0, 5)) == 5
    kept = [units for _, units in columns._kept.values()]
    assert sum(len(units) * units.itemsize for units in kept) < 8_000_000
