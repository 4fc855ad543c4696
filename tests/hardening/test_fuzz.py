"""The targets of `bench/fuzz.py` with small budgets: no input makes them raise or answer wrongly."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench import fuzz

SEEDS = st.integers(0, 2**32)


@pytest.mark.parametrize("name", fuzz.TARGETS)
def test_random_input_is_survived(name: str) -> None:
    @settings(max_examples=60)
    @given(SEEDS)
    def survives(seed: int) -> None:
        assert fuzz.TARGETS[name](random.Random(seed)) >= 1

    survives()
