"""`docs/sessions.md`: its example runs, its table of bugs names tests that are there."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from memory_core.sessions.model import EntryKind
from memory_core.store.discovery import create_root

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/sessions.md").read_text(encoding="utf-8")


def test_the_example_of_the_store_runs_as_it_stands(tmp_path: Path) -> None:
    create_root(tmp_path)
    (example,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    names: dict[str, Any] = {"folder": tmp_path}
    exec(compile(example, "docs/sessions.md", "exec"), names)
    store, session = names["store"], names["session"]
    read = store.read(session)
    assert [entry.text for entry in read.entries if entry.kind is EntryKind.USER_MESSAGE] == ["Keep all dates in UTC."]
    assert [entry.subtype for entry in read.entries if entry.kind is EntryKind.ASSISTANT_MESSAGE] == ["rolled_back"]
    assert store.extensions(session, "my-agent.model") == [{"name": "large"}]
    assert not store.path(names["branch"]).exists()
    assert names["gone"].kept == ()
    assert [info.session_id for info in store.sessions()] == [session]


def test_the_table_of_bugs_names_a_test_of_each_number() -> None:
    rows = re.findall(r"^\| (\d+) \| .+ \| `(test_session_bug_(\d\d)_\w+)` \|$", PAGE, re.MULTILINE)
    assert [int(number) for number, _, _ in rows] == list(range(1, 36))
    assert all(int(number) == int(in_name) for number, _, in_name in rows)
    written = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("test_*.py"))
    assert [name for _, name, _ in rows if f"def {name}(" not in written] == []
