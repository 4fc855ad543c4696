"""How the time of a piece of work grows with its text."""

from __future__ import annotations

import time
from collections.abc import Callable


def grows_with_the_text_alone(work: Callable[[str], object], unit: str, size: int) -> bool:
    """Whether four times the text takes less than ten times the time: a square would take sixteen. Processor time, as
    other work runs beside; short times are always fine; the best of up to three tries of each size counts."""
    best = [float("inf"), float("inf")]
    for _ in range(3):
        for place, length in enumerate((size, 4 * size)):
            text = (unit * (length // len(unit) + 1))[:length] + "\x00!"
            start = time.process_time()
            work(text)
            best[place] = min(best[place], time.process_time() - start)
        if best[1] < 0.1 or best[1] < 10 * best[0]:
            return True
    return False
