"""A person wrote a password into a record by hand. A model that reads the record is given its words, never the secret:
not by lines, not by guessing, not in the prompt."""

from __future__ import annotations

from typing import Any

import pytest

from memory_core.consolidate.render import render_input
from memory_core.consolidate.task import ConsolidateInput
from memory_core.consolidate.tidy import TidyHints
from memory_core.snapshot import snapshot_of
from tests.consolidate.conftest import decided, decision_text, knowledge_text, staged
from tests.consolidate.test_consolidate_scope import box

KEY = ("b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAAAAtzc2gt", "ZWQyNTUxOQAAACBqm0Yk1c2Vdummyxx")
SECRETS = ("Xk7vQ2mRt9Lp", "Yk8wR3nSu0Mq", *KEY)
BODY = (
    "# Staging\n\nPassword:\n\n```\nXk7vQ2mRt9Lp\n```\n\n| user | password |\n|---|---|\n| bob | Yk8wR3nSu0Mq |\n\n"
    f"-----BEGIN OPENSSH PRIVATE KEY-----\n{KEY[0]}\n{KEY[1]}\n-----END OPENSSH PRIVATE KEY-----\n\nAsk ann.\n"
)
TEXTS = {"knowledge/staging.md": knowledge_text(BODY), "memory/decisions/staging.md": decision_text(BODY)}
HERE = {"kind": "knowledge", "slug": "staging"}


@pytest.mark.parametrize("limit", [1, 2, 3, 2000])
def test_a_record_read_by_lines_shows_no_secret(limit: int) -> None:
    tools, _ = box(TEXTS)
    shown = ""
    for offset in range(len(TEXTS["knowledge/staging.md"].splitlines())):
        shown += tools.call("MemoryRead", {**HERE, "offset": offset, "limit": limit}).text
    assert not [secret for secret in SECRETS if secret in shown]
    assert "[redacted" in shown
    assert "Ask ann." in shown


def test_a_record_that_is_cut_shows_no_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    from memory_core.consolidate import tools as module

    for limit in range(150, len(TEXTS["knowledge/staging.md"]), 7):
        monkeypatch.setattr(module, "READ_LIMIT", limit)
        shown = box(TEXTS)[0].call("MemoryRead", HERE).text
        assert not [secret for secret in SECRETS if secret[:6] in shown], limit


def test_the_prompt_holds_no_secret_of_a_record() -> None:
    refs = list(staged(1, decided("Use A")).candidates())
    text = render_input(ConsolidateInput(refs, snapshot_of(TEXTS), (), "en"), TidyHints())
    assert "Ask ann." in text
    assert not [secret for secret in SECRETS if secret in text]


@pytest.mark.parametrize(("right", "wrong"), [("Xk7vQ", "Xk7vZ"), ("Xk7vQ2mRt9Lp", "Xk7vQ2mRt9Lq"), ("R3nS", "R3nT")])
def test_an_edit_tells_no_right_guess_from_a_wrong_one(right: str, wrong: str) -> None:
    tools, _ = box(TEXTS)
    answers = []
    for guess in (right, wrong):
        edit: dict[str, Any] = {**HERE, "old_text": guess, "new_text": "a", "count": 9, "reason": "a guess"}
        answers.append(tools.call("MemoryEdit", edit).text)
        assert tools.call("MemoryEdit", {**edit, "count": 1}).is_error
    assert answers[0] == answers[1]


def test_a_passage_beside_a_secret_occurs() -> None:
    """That the record cannot be saved before a person took the secret out is said with its place."""
    tools, _ = box(TEXTS)
    edit = {**HERE, "old_text": "Ask ann.", "new_text": "Ask.", "reason": "ann left"}
    assert "knowledge/staging.md:16: error secret-in-record" in tools.call("MemoryEdit", edit).text
