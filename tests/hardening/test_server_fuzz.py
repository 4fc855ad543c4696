"""Messages that no client should send, to a real server (`bench/fuzz_server.py` sends more of them)."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from bench.fuzz_server import converse, started

pytestmark = pytest.mark.protocol


@pytest.mark.parametrize("seed", [1, 2])
def test_every_request_of_a_client_out_of_its_mind_is_answered(tmp_path: Path, seed: int) -> None:
    client, uri = started(tmp_path)
    try:
        converse(client, random.Random(seed), uri, 1_500)
        assert client.shut_down(20) == 0
        assert "Traceback" not in client.stderr
    finally:
        client.close()
