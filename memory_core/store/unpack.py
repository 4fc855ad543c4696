"""A compressed log as a stream of bytes that ends where damage begins, instead of failing there."""

from __future__ import annotations

import io
from typing import Any, BinaryIO

ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"


class Unpacked(io.RawIOBase):
    """The bytes of a zstd file. `damage`: why they ended early, None while all is well."""

    def __init__(self, stream: BinaryIO) -> None:
        import zstandard  # only a packed log needs it, and most stores hold none

        self._error: type[Exception] = zstandard.ZstdError
        self._reader: Any = zstandard.ZstdDecompressor().stream_reader(stream, read_across_frames=True, closefd=False)
        self.damage: str | None = None

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:
        if self.damage:
            return 0
        try:
            return int(self._reader.readinto(buffer))
        except self._error as error:
            self.damage = f"the packed file is damaged here: {error}"
            return 0
