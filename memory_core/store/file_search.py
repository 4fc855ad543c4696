"""The ordinary files of a pattern below a folder of somebody else, however deep or unreadable what lies there is.

Knows no agent. `Path.glob` follows a tree as deep as the stack, and takes a folder that may not be listed for an empty
one.
"""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Iterator
from pathlib import Path

log = logging.getLogger(__name__)

# Folders below each other; agents keep logs at most by year, month, day and session.
DEEPEST = 40


def found(folder: Path, pattern: str) -> Iterator[Path]:
    """The ordinary files of a pattern in a folder, sorted. `**` is any number of folders, links to folders excepted.
    What is there and cannot be listed, and what lies deeper than logs do, is said in the log."""
    try:
        os.scandir(folder).close()
        named = _below(folder, pattern) if "**" in pattern else folder.glob(pattern)
        yield from sorted(path for path in named if path.is_file())
    except (FileNotFoundError, NotADirectoryError):
        return
    except OSError as error:
        log.warning("%s cannot be searched for session logs (%s).", folder, error.strerror)


def _below(folder: Path, pattern: str) -> Iterator[Path]:
    fits = re.compile(
        "".join(
            {"**/": "(?:[^/]+/)*", "*": "[^/]*"}.get(piece, re.escape(piece))
            for piece in re.split(r"(\*\*/|\*)", pattern)
        ),
        re.DOTALL,
    )
    waiting: list[tuple[str, str, int]] = [(str(folder), "", 0)]
    while waiting:
        place, prefix, depth = waiting.pop()
        try:
            with os.scandir(place) as entries:
                for entry in entries:
                    name = f"{prefix}{entry.name}"
                    if not entry.is_dir(follow_symlinks=False):
                        if fits.fullmatch(name):
                            yield Path(entry.path)
                    elif depth < DEEPEST:
                        waiting.append((entry.path, f"{name}/", depth + 1))
                    else:
                        log.warning("%s is deeper than session logs lie: it is not searched.", entry.path)
        except FileNotFoundError:
            continue  # removed meanwhile
        except OSError as error:
            log.warning("%s cannot be searched for session logs (%s).", place, error.strerror)
