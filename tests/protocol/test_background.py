"""Work beside the answers: it steps aside while somebody asks, and leaves the turns of threads as it found them."""

from __future__ import annotations

import sys

from server.background import Traffic, short_turns


class Clock:
    """Seconds that pass only when they are told to, or slept."""

    def __init__(self) -> None:
        self.now = 100.0
        self.slept: list[float] = []

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


def work(clock: Clock, traffic: Traffic, steps: int, each: float) -> None:
    step = traffic.stepping_aside()
    for _ in range(steps):
        clock.now += each
        step()


def test_work_that_nobody_waits_behind_never_pauses() -> None:
    clock = Clock()
    work(clock, Traffic(clock, clock.sleep), 1000, 0.002)
    assert clock.slept == []


def test_work_pauses_between_its_steps_while_somebody_asks() -> None:
    clock = Clock()
    traffic = Traffic(clock, clock.sleep)
    traffic.asked()
    work(clock, traffic, 10, 0.0004)
    assert len(clock.slept) == 3, "after each millisecond of work, not after each step"


def test_work_goes_on_at_full_speed_once_it_is_quiet() -> None:
    clock = Clock()
    traffic = Traffic(clock, clock.sleep)
    traffic.asked()
    work(clock, traffic, 1000, 0.002)
    pauses = len(clock.slept)
    assert 0 < pauses < 50
    work(clock, traffic, 1000, 0.002)
    assert len(clock.slept) == pauses


def test_turns_are_short_until_the_last_one_who_wants_it_is_done() -> None:
    usual = sys.getswitchinterval()
    first, second = short_turns(), short_turns()
    with first:
        short = sys.getswitchinterval()
        assert short < usual
        second.__enter__()
    assert sys.getswitchinterval() == short
    second.__exit__(None, None, None)
    assert sys.getswitchinterval() == usual
