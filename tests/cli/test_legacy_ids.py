"""A legacy row has one id: what `scan` and `plan` call it, `list --rows` calls it after the plan was applied too."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.conftest import Run

ROWS = (
    {"key": "user_msg_1", "content": "Never force-push to main.", "category": "conversation"},
    {"key": "user_msg_2", "content": "Never force-push to main.", "category": "conversation"},
    {"key": "note", "content": "We release on Tuesdays.", "category": "core"},
)


def ids(rows: list[dict[str, object]]) -> dict[str, object]:
    return {str(row["id"]): row["content"] for row in rows}


def test_the_ids_of_rows_are_the_same_before_and_after_a_plan_and_a_purge(omoide: Run, workspace: Path) -> None:
    lying = workspace / ".omoide/memory/_legacy"
    lying.mkdir()
    (lying / "brain.jsonl").write_text("".join(json.dumps(row) + "\n" for row in ROWS), encoding="utf-8")
    before = ids(omoide("--json", "legacy", "scan").json["rows"])
    assert len(before) == 3
    plan = workspace / "plan.json"
    assert omoide("legacy", "plan", "--expire", "duplicates", "--out", str(plan)).code == 0
    applied = omoide("--json", "legacy", "apply", "--plan", str(plan), "--confirm")
    assert applied.json["counts"]["expired"] == 1

    assert ids(omoide("--json", "legacy", "list", "--rows").json["rows"]) == before
    shown = omoide("legacy", "list", "--rows").out
    assert all(f"{row_id}  .omoide/memory/_legacy/brain.jsonl:" in shown for row_id in before)

    receipt = applied.json["receipt"]
    assert omoide("legacy", "purge", "--receipt", receipt, "--confirm").code == 0
    kept = ids(omoide("--json", "legacy", "list", "--rows").json["rows"])
    assert len(kept) == 2
    assert kept.items() <= before.items()
