"""`hidden-text`: characters that no person sees or that show a text in another order; agents are given U+FFFD for them.

What is one of them is said in `memory_core.text`, for all who write or give out a text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from memory_core.diagnostic import Fix, Severity
from memory_core.lint.rule import Context, Problem, Rule
from memory_core.text import UNWRITABLE_RUN, TextEdit, counted

# What of it an ASCII text can hold, found seven times as fast: most texts are looked at for nothing.
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")


def check(context: Context) -> Iterator[Problem]:
    text = context.document.text
    if text.isascii() and not _CONTROL.search(text):
        return
    for run in UNWRITABLE_RUN.finditer(text, int(text.startswith("\ufeff"))):  # a mark at the beginning is usual
        place = context.lines.range(*run.span())
        message = (
            f"{counted(len(run[0]), 'character')} that nobody sees, from U+{ord(run[0][0]):04X} on: such "
            "characters hide a text, show it in another order or steer a terminal. Remove them; ask who put them there."
        )
        yield Problem(message, place, (Fix("Remove what nobody sees", (TextEdit(place, ""),)),))


RULE = Rule("hidden-text", Severity.WARNING, "A record holds characters that nobody sees.", check, guesses=True)
