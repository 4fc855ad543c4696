"""What a log says was spent is added up whatever stands in it."""

from __future__ import annotations

import json

from memory_core.audit import MOST_TOKENS, tokens_on


def test_a_figure_of_thousands_of_digits_leaves_a_sum_that_can_be_said() -> None:
    line = {"occurred_at": "2026-06-01T00:00:00Z", "usage": {"input_tokens": 7, "output_tokens": int("9" * 4300)}}
    assert str(tokens_on([json.dumps(line)] * 2, "2026-06-01")) == str(2 * (MOST_TOKENS + 7))
