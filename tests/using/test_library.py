"""The example of docs/library.md, run as it stands."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from memory_core.cli.main import main
from tests.using.test_expansion import knowledge
from tests.using.test_resident import summary

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def agent_class() -> Any:
    """The class that the page defines."""
    page = (ROOT / "docs/library.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    names: dict[str, Any] = {}
    exec(compile(code, "docs/library.md", "exec"), names)
    return names["Agent"]


def test_the_chat_loop_of_the_page(agent_class: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """C4, C1, B1: resident context, expansion and extraction around a model that plays a script."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("OMOIDE_CONFIG", str(tmp_path / "config.toml"))
    folder = tmp_path / "project"
    folder.mkdir()
    main(["--workspace", str(folder), "init"])
    root = folder / ".omoide"
    (root / "knowledge/api-keys.md").write_text(knowledge(), encoding="utf-8")
    (root / "memory/summary.md").write_text(summary(), encoding="utf-8")
    (root / "config.toml").write_text("[memory]\nextract_threshold = 10\n", encoding="utf-8")

    seen: list[list[dict[str, str]]] = []
    answers = iter(["YAML or TOML? Both would work.", "Done: settings.toml is read now."])

    def model(messages: list[dict[str, str]]) -> str:
        # What the model is given stands in the log already.
        (log,) = (root / "sessions").glob("*.jsonl")
        written = [json.loads(line).get("text") for line in log.read_text(encoding="utf-8").splitlines()]
        assert all(message["content"] in written for message in messages)
        seen.append(messages)
        return next(answers)

    agent = agent_class(folder, model)
    assert agent.say("Please set up the settings file. See #api-keys.") == "YAML or TOML? Both would work."
    agent.say("We decided to use TOML instead of YAML for settings, because comments survive a round trip.")

    roles = [message["role"] for message in seen[0]]
    assert roles == ["system", "user", "system"]
    assert "We build an importer." in seen[0][0]["content"]
    assert seen[0][1]["content"] == "Please set up the settings file. See #api-keys."
    assert "In the vault." in seen[0][2]["content"]

    (run,) = agent.end_of_run()
    assert run["status"] == "staged"
    (staged,) = (root / "memory/_staging").glob("*.json")
    text = staged.read_text(encoding="utf-8")
    assert "TOML" in text
    assert "In the vault" not in text
    assert "We build an importer" not in text
