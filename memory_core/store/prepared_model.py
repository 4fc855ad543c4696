"""The model of `semantic` as it is after loading, in one file that is mapped into memory: a question need not wait for
30 MB to be unpacked and 128,000 word pieces to be put into a table.

Derived: made in the background from the package that is installed, for exactly these files of it, and checked against
it. Whatever does not fit means loading the package itself, as everybody did who made such a file.
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import json
import struct
from array import array
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from memory_core.enrich.semantic import PACKAGE, SentenceEncoder, numpy
from memory_core.store.files import write_whole
from memory_core.store.ordinary import open_binary

FORMAT = 1
_MAGIC = b"omoide-model\n"
_CHECKED = "Deploys go out on Fridays, リリースは金曜日です。"
_NEAREST = 0.9999  # cosine of the two vectors of one text; float32 sums differ in their last digits
_ALIGN = 64


class PreparedEncoder:
    """The sentence encoder: records by the package, questions by the prepared file where there is one. `folder`: where
    that is kept."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._whole = SentenceEncoder()
        self._quick: Any = None

    def embed(self, texts: Sequence[str]) -> Any:
        """Vectors of texts, by the package."""
        return self._whole.embed(texts)

    def question(self, text: str) -> Any:
        """The vector of one text, quickly."""
        if self._quick is None and not self._whole.loaded:
            self._quick = self._loaded()
        if self._quick is None:
            return self._whole.embed([text])[0]
        return self._quick.encode([text.encode("utf-8", "replace").decode("utf-8")])[0]

    def prepare(self) -> bool:
        """Make the file from the package, unless it is there; whether it is there afterwards."""
        path = self._path()
        if path is None:
            return False
        if not path.exists():
            self._whole.embed([_CHECKED])
            data = _packed(self._whole.model, path.name)
            if data is not None:
                with contextlib.suppress(OSError):  # a disk that is full: questions take longer
                    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                    write_whole(path, data)
                self._check(path)
        return path.exists()

    def _check(self, path: Path) -> None:
        """Throw a file away whose vectors are not those of the package."""
        quick = self._loaded()
        if quick is not None:
            one, other = quick.encode([_CHECKED])[0], self._whole.embed([_CHECKED])[0]
            if float(one @ other) >= _NEAREST:
                self._prune(path)
                return
        with contextlib.suppress(OSError):
            path.unlink()

    def _prune(self, current: Path) -> None:
        """Throw away the files of other versions of the package: nothing else ever would, and each is large. One that
        another process has mapped stays readable for it, or on Windows simply stays."""
        for path in self._folder.glob(f"{PACKAGE}-*.bin"):
            if path != current and not path.is_dir():
                with contextlib.suppress(OSError):
                    path.unlink()

    def _path(self) -> Path | None:
        """The file for the package as it is installed; None where it is not, or looks otherwise than known."""
        found = importlib.util.find_spec(PACKAGE)
        if found is None or not found.origin:
            return None
        name = [str(FORMAT)]
        for part in ("weights.npz", "sp.model"):
            try:
                stat = (Path(found.origin).parent / "resources" / part).stat()
            except OSError:
                return None
            name += [f"{stat.st_size:x}", f"{stat.st_mtime_ns:x}"]
        return self._folder / f"{PACKAGE}-{'-'.join(name)}.bin"

    def _loaded(self) -> Any:
        """The model from the file; None where there is none, or anything in it is not as expected."""
        path = self._path()
        if path is None or not path.is_file():
            return None
        try:
            return _unpacked(path)
        except Exception:  # noqa: BLE001 - of another version of a package that is not ours: it is loaded itself then
            return None


def model_folder(environment: Mapping[str, str]) -> Path:
    """Where prepared models are: `OMOIDE_CACHE`, or `omoide` in the platform's folder for caches. One for all
    workspaces, since it is large and the same for each."""
    if named := environment.get("OMOIDE_CACHE"):
        return Path(named) / "models"
    import platformdirs

    return Path(platformdirs.user_cache_dir("omoide", appauthor=False)) / "models"


def _packed(model: Any, name: str) -> bytes | None:
    """A loaded model as bytes; None where it does not look as known."""
    np = numpy()
    backend = model._model  # noqa: SLF001 - there is no public way to a loaded model
    arrays: dict[str, Any] = {}
    plain: dict[str, float] = {}
    lists: dict[str, int] = {}
    for key, value in vars(backend).items():
        if key in ("sp", "_threadpool"):
            continue
        if isinstance(value, np.ndarray):
            arrays[key] = value
        elif isinstance(value, list) and all(isinstance(item, np.ndarray) for item in value):
            lists[key] = len(value)
            arrays |= {f"{key}.{number}": item for number, item in enumerate(value)}
        elif isinstance(value, int | float):
            plain[key] = value
        else:
            return None
    try:
        words, numbers = _tokenizer(backend.sp)
    except (LookupError, TypeError, ValueError, AttributeError):
        return None
    arrays |= {f"sp.{key}": np.frombuffer(value, np.uint8) for key, value in words.items()}
    places: dict[str, tuple[str, list[int], int]] = {}
    body = bytearray()
    for key, value in arrays.items():
        body += b"\0" * (-len(body) % _ALIGN)
        places[key] = value.dtype.str, list(value.shape), len(body)
        body += np.ascontiguousarray(value).tobytes()
    about = {"format": FORMAT, "name": name, "arrays": places, "plain": plain, "lists": lists, "sp": numbers}
    head = json.dumps(about).encode("ascii")
    start = len(_MAGIC) + 8 + len(head)
    return b"".join((_MAGIC, struct.pack("<Q", len(head)), head, b"\0" * (-start % _ALIGN), bytes(body)))


def _tokenizer(sp: Any) -> tuple[dict[str, bytes], dict[str, float]]:
    """The word pieces in order of their bytes, so that they can be looked up without a table, and the normalizer."""
    own, normalizer = vars(sp), vars(vars(sp)["_normalizer"])
    ids: dict[bytes, int] = {piece.encode("utf-8"): number for number, piece in enumerate(own["_pieces"])}
    ordered = sorted(ids)
    offsets, numbers = array("I", [0]), array("I")
    for piece in ordered:
        offsets.append(offsets[-1] + len(piece))
        numbers.append(ids[piece])
    units = array("I", normalizer["_units"])
    words = {
        "pieces": b"".join(ordered),
        "offsets": offsets.tobytes(),
        "ids": numbers.tobytes(),
        "scores": own["_scores"].tobytes(),
        "map": struct.pack("<I", 4 * len(units)) + units.tobytes() + bytes(normalizer["_normalized"]),
    }
    return words, {key: own[f"_{key}"] for key in ("unk_id", "bos_id", "eos_id", "unk_score", "max_len")}


def _unpacked(path: Path) -> Any:
    np = numpy()
    with open_binary(path) as stream:
        if stream.read(len(_MAGIC)) != _MAGIC:
            raise ValueError("another file")
        (length,) = struct.unpack("<Q", stream.read(8))
        about = json.loads(stream.read(length))
        if about["format"] != FORMAT or about["name"] != path.name:
            raise ValueError("of another model")
        start = stream.tell() + (-stream.tell() % _ALIGN)
    data = np.memmap(path, np.uint8, "r")

    def part(key: str) -> Any:
        kind, shape, offset = about["arrays"][key]
        kind = np.dtype(kind)
        size = kind.itemsize * int(np.prod(shape))
        return data[start + offset : start + offset + size].view(kind).reshape(shape)

    tokens = importlib.import_module(f"{PACKAGE}.pure_tokenizer")
    backends = importlib.import_module(f"{PACKAGE}.backends.numpy")
    sp = tokens.UsePureTokenizer.__new__(tokens.UsePureTokenizer)
    table = _Prefixes(part("sp.pieces").tobytes(), part("sp.offsets").tobytes(), part("sp.ids").tobytes())
    normalizer = getattr(tokens, "_Normalizer")(part("sp.map").tobytes())  # noqa: B009 - the package has no public way
    vars(sp).update({f"_{key}": value for key, value in about["sp"].items()})
    vars(sp).update(_pieces=(), _prefixes=table, _normalizer=normalizer)
    vars(sp)["_scores"] = array("f", part("sp.scores").tobytes())
    model = backends.NumpyBackend.__new__(backends.NumpyBackend)
    own = [key for key in about["arrays"] if "." not in key]
    listed = {key: [part(f"{key}.{number}") for number in range(count)] for key, count in about["lists"].items()}
    vars(model).update({key: part(key) for key in own} | listed | about["plain"] | {"sp": sp, "_threadpool": None})
    return model


class _Prefixes:
    """What the tokenizer asks its table: the number of a piece plus one, 0 for the beginning of one, else None."""

    def __init__(self, pieces: bytes, offsets: bytes, ids: bytes) -> None:
        self._pieces = pieces
        self._offsets = array("I", offsets)
        self._ids = array("I", ids)
        self._known: dict[str, int | None] = {}

    def get(self, text: str) -> int | None:
        if text not in self._known:
            self._known[text] = self._find(text.encode("utf-8"))
        return self._known[text]

    def _find(self, wanted: bytes) -> int | None:
        pieces, offsets = self._pieces, self._offsets
        low, high = 0, len(self._ids)
        while low < high:
            middle = (low + high) // 2
            if pieces[offsets[middle] : offsets[middle + 1]] < wanted:
                low = middle + 1
            else:
                high = middle
        if low == len(self._ids):
            return None
        piece = pieces[offsets[low] : offsets[low + 1]]
        return self._ids[low] + 1 if piece == wanted else 0 if piece.startswith(wanted) else None
