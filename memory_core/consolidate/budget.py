"""What one consolidation may take in and spend. Pure arithmetic on settings; `job` asks, the worker's loop enforces."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from memory_core import tokens
from memory_core.config import Config
from memory_core.consolidate.render import render_candidate
from memory_core.staging import CandidateRef, Resolution
from memory_core.worker import Limits

INPUT_TOKENS = 24_000  # of candidates in one run of a model; the rest waits for the next run
TURNS = 60
ANSWER_TOKENS = 48_000  # of what tools answer in one run


def fitting(
    candidates: Sequence[CandidateRef], model: str | None, log: Callable[[], Iterable[Resolution]] = tuple
) -> list[CandidateRef]:
    """What one run of a model takes, in order, all of one scope; rules (`model` is None) take everything. `log`: how
    candidates were decided so far, also those left for later."""
    if model is None:
        return list(candidates)
    candidates = _of_one_scope(candidates, log)
    taken: list[CandidateRef] = []
    size = 0
    for ref in candidates:
        size += tokens.estimate(render_candidate(ref))
        if taken and size > INPUT_TOKENS:
            break
        taken.append(ref)
    return taken


def _of_one_scope(candidates: Sequence[CandidateRef], log: Callable[[], Iterable[Resolution]]) -> list[CandidateRef]:
    """Those that the same people may see: what a model is shown together it may mix up. The scope with a candidate that
    was left for later the fewest times comes first, then the oldest, so that none waits for ever."""
    groups: dict[frozenset[tuple[str, str]], list[CandidateRef]] = {}
    for ref in candidates:
        groups.setdefault(frozenset((ref.source.scope or {}).items()), []).append(ref)
    if len(groups) < 2:
        return list(candidates)
    turns = Counter(how.candidate for how in log() if how.action == "kept")
    return min(groups.values(), key=lambda group: min(turns[ref.id] for ref in group))


def limits(config: Config) -> Limits:
    """What a run may spend."""
    return Limits(turns=TURNS, requests=config.provider.requests_per_run, answers=ANSWER_TOKENS)


def spent_up(config: Config, model: str | None, spent_today: int) -> str | None:
    """Why a model may not be asked any more today; None when it may."""
    per_day = config.provider.tokens_per_day
    if model is None or not per_day or spent_today < per_day:
        return None
    return f"the day's {per_day} tokens are spent ({spent_today}): raise tokens_per_day or wait"
