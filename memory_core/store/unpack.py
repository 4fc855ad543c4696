"""A compressed log as a stream of bytes that ends where damage begins, instead of failing there."""

from __future__ import annotations

import io
from typing import Any, BinaryIO

ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"


# Bytes unpacked at once. A block of up to 128 KiB may be packed into 4 bytes (RFC 8878, 3.1.1.2), so this bounds what
# a hostile file can put into the memory.
_PIECE = 512


class Unpacked(io.RawIOBase):
    """The bytes of a zstd file. `damage`: why they ended early, None while all is well."""

    def __init__(self, stream: BinaryIO) -> None:
        import zstandard  # only a packed log needs it, and most stores hold none

        self._error: type[Exception] = zstandard.ZstdError
        self._decompressor = zstandard.ZstdDecompressor()
        self._frame: Any = self._decompressor.decompressobj()
        self._inside = False  # a frame has begun and not ended
        self._stream = stream
        self._packed = b""
        self._ready = memoryview(b"")
        self.damage: str | None = None

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:
        while not self._ready and self.damage is None:
            piece = self._packed or self._stream.read(_PIECE)
            if not piece:
                self.damage = "the packed file ends in the middle" if self._inside else None
                break
            self._unpack(piece)
        size = min(len(buffer), len(self._ready))
        buffer[:size], self._ready = self._ready[:size], self._ready[size:]
        return size

    def _unpack(self, piece: bytes) -> None:
        try:
            self._ready = memoryview(self._frame.decompress(piece))
        except self._error as error:
            self.damage = f"the packed file is damaged here: {error}"
            return
        self._inside, self._packed = not self._frame.eof, b""
        if self._frame.eof:  # another frame may follow
            self._packed = self._frame.unused_data
            self._frame = self._decompressor.decompressobj()
