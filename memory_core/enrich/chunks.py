"""A record in pieces that a small embedding model can take: one for each heading, long ones cut between paragraphs."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass

from memory_core.enrich.port import EnrichRow
from memory_core.records.record import parse

LONGEST = 700  # characters; a model that averages over its input says nothing clear of more
MOST = 40  # of one record
_HEADING = re.compile(r"^#{1,6}[ \t]+", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Chunk:
    """A piece as it is embedded, and the hash that says whether it changed."""

    text: str
    digest: str


def chunks_of(row: EnrichRow) -> list[Chunk]:
    """First what a record is about (slug and description), then its parts. Each part says which record it is of, since
    a vector knows no neighbors. Dates, sources and flags are not embedded: a touched date changes no chunk."""
    record = parse(row.ref, row.text)
    name = row.ref.slug.replace("-", " ")
    about = " ".join(f"{name}. {record.description or ''}".split())
    parts = [piece for section in _sections(record.body) for piece in _pieces(section)]
    texts = [about, *(f"{name}: {part}" for part in parts)]
    return [Chunk(text, _digest(text)) for text in dict.fromkeys(texts[:MOST])]


def _sections(body: str) -> list[str]:
    starts = [0, *(match.start() for match in _HEADING.finditer(body) if match.start())]
    return [body[a:b].strip() for a, b in zip(starts, [*starts[1:], len(body)], strict=True)]


def _pieces(section: str) -> list[str]:
    """A section whole if it is short, else by paragraphs, else by force."""
    pieces: list[str] = []
    current = ""
    for paragraph in re.split(r"\n\s*\n", section):
        flat = " ".join(paragraph.split())
        while len(flat) > LONGEST:
            cut = max(flat.rfind(mark, LONGEST // 2, LONGEST) for mark in (" ", "。", "、"))
            cut = cut + 1 if cut > 0 else LONGEST
            pieces += [current] if current else []
            current = ""
            pieces.append(flat[:cut].strip())
            flat = flat[cut:]
        if current and len(current) + len(flat) + 1 > LONGEST:
            pieces.append(current)
            current = flat
        else:
            current = f"{current} {flat}".strip()
    return [*pieces, current] if current else pieces


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:32]
