"""A name for a problem that stays the same while lines move: what a code host knows an old problem by.

Knows nothing of any output's form.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Mapping, Sequence

from memory_core.diagnostic import Diagnostic

_NUMBER = re.compile(r"\d[\d,.]*")


def fingerprints(files: Mapping[str, Sequence[Diagnostic]]) -> dict[str, list[str]]:
    """For every diagnostic of every file, 32 hex digits, no two of them alike.

    Made of path, code and message, and of the how-manieth of its like it is; not of the place, so that a line written
    above it makes no new problem, and not of the numbers in the message, which grow with a text.
    """
    return {path: _of_file(path, diagnostics) for path, diagnostics in files.items()}


def _of_file(path: str, diagnostics: Sequence[Diagnostic]) -> list[str]:
    seen: Counter[str] = Counter()
    names: list[str] = []
    for diagnostic in diagnostics:
        subject = f"{path}\0{diagnostic.code}\0{_NUMBER.sub('0', diagnostic.message)}"
        whole = f"{subject}\0{seen[subject]}".encode("utf-8", "surrogatepass")
        seen[subject] += 1
        names.append(hashlib.sha256(whole).hexdigest()[:32])
    return names
