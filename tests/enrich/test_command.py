"""An enricher that is another program: framing, time-outs, and what becomes of the process (R20, R23)."""

from __future__ import annotations

import json
import math
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from memory_core.config import parse
from memory_core.enrich.command import Command
from memory_core.enrich.port import Caps, Deadline, EnrichQuery, EnrichRow, Hit
from memory_core.enrich.recall import Question, search
from memory_core.enrich.settings import enricher_settings
from memory_core.errors import ProviderError
from memory_core.records.schema import Kind, RecordRef
from memory_core.scope import NOBODY
from memory_core.snapshot import snapshot_of
from memory_core.store.discovery import create_root
from memory_core.store.enrichment import enrichment
from memory_core.store.line_child import LineChild
from memory_core.store.process import alive
from tests.enrich.doubles import configured, knowledge

EXAMPLE = Path(__file__).parents[2] / "docs/examples/enricher.py"
QUERY = EnrichQuery("deploy branch", 5)
ROW = EnrichRow(RecordRef(Kind.KNOWLEDGE, "deploy"), "r1", "Deploy from the release branch.")
READ = """import sys, json, time
for line in sys.stdin:
    q = json.loads(line)
    ok = {'v': 1, 'id': q['id'], 'ok': True}
"""

# What a program may do instead of answering, and what is said of it.
WRONG = {
    "no json": ("    print('hello', flush=True)", "no JSON object"),
    "another id": ("    ok['id'] += 1; print(json.dumps(ok), flush=True)", "answered another request"),
    "no id": ("    print(json.dumps({'v': 1, 'ok': True}), flush=True)", "answered another request"),
    "another version": ("    ok['v'] = 2; print(json.dumps(ok), flush=True)", "does not speak version 1"),
    "an array": ("    print('[]', flush=True)", "does not speak version 1"),
    "too much": ("    print('x' * (1 << 21), flush=True)", "answered more than"),
    "half a line": ("    print('{', end='', flush=True); sys.exit(0)", "half a line"),
    "not text": ("    sys.stdout.buffer.write(b'\\xff\\n'); sys.stdout.flush()", "no JSON object"),
    "deep": ("    print('[' * 100_000, flush=True)", "no JSON object"),
    "an exit": ("    print('token=abcd1234efgh', file=sys.stderr, flush=True); sys.exit(7)", "exit code 7"),
    "a refusal": (
        "    print(json.dumps(ok | {'ok': False, 'error': 'no such model'}), flush=True)",
        "refused: no such model",
    ),
    "no list": ("    print(json.dumps(ok | {'hits': 3}), flush=True)", "are no list"),
}


def make(folder: Path) -> Path:
    folder.mkdir()
    return folder


@contextmanager
def program(source: str, tmp_path: Path) -> Iterator[Command]:
    path = tmp_path / "enricher.py"
    path.write_text(source, encoding="utf-8")
    child = LineChild([sys.executable, str(path)], tmp_path, os.environ, 1 << 20)
    command = Command("x", child, Caps())
    try:
        yield command
    finally:
        command.close()


def child_of(command: Command) -> LineChild:
    child = command._child
    assert isinstance(child, LineChild)
    return child


def test_the_example_of_the_documentation_works(tmp_path: Path) -> None:
    with program(EXAMPLE.read_text(encoding="utf-8"), tmp_path) as command:
        command.upsert([ROW], Deadline(10))
        assert command.recall(QUERY, Deadline(10)) == [Hit("knowledge/deploy", "r1", 2.0)]
        command.remove(["knowledge/deploy"], Deadline(10))
        assert command.recall(QUERY, Deadline(10)) == []


def test_the_example_knows_in_a_new_process_what_an_earlier_one_was_sent(tmp_path: Path) -> None:
    source = EXAMPLE.read_text(encoding="utf-8")
    with program(source, tmp_path) as command:
        command.upsert([ROW], Deadline(10))
    with program(source, tmp_path) as command:
        assert command.recall(QUERY, Deadline(10)) == [Hit("knowledge/deploy", "r1", 2.0)]


@pytest.mark.parametrize(("code", "said"), WRONG.values(), ids=WRONG.keys())
def test_a_broken_answer_is_one_line_and_ends_the_process(code: str, said: str, tmp_path: Path) -> None:
    with program(READ + code, tmp_path) as command:
        with pytest.raises(ProviderError, match=said):
            command.recall(QUERY, Deadline(10))
        if "are no list" not in said:
            assert child_of(command).pid is None


def test_what_hangs_is_killed_and_reaped(tmp_path: Path) -> None:
    with program(READ + "    time.sleep(60)", tmp_path) as command:
        child = child_of(command)
        started = time.monotonic()
        with pytest.raises(ProviderError, match="did not answer in time"):
            command.recall(QUERY, Deadline(0.7))
        assert time.monotonic() - started < 5
        assert child.pid is None


def test_the_children_of_what_hangs_die_too(tmp_path: Path) -> None:
    note = tmp_path / "pid"
    code = (
        "    import subprocess; p = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'])\n"
        f"    open({str(note)!r}, 'w').write(str(p.pid)); time.sleep(60)"
    )
    with program(READ + code, tmp_path) as command:
        with pytest.raises(ProviderError):
            command.recall(QUERY, Deadline(3))
        pid = int(note.read_text())
        until = time.monotonic() + 5
        while alive(pid) and time.monotonic() < until:
            time.sleep(0.02)
        assert not alive(pid)


def test_a_second_line_is_never_taken_for_the_next_answer(tmp_path: Path) -> None:
    code = "    print(json.dumps(ok) + '\\n' + json.dumps(ok), flush=True)"
    with program(READ + code, tmp_path) as command:
        command.recall(QUERY, Deadline(10))
        with pytest.raises(ProviderError, match=r"not asked for|another request"):
            command.recall(QUERY, Deadline(10))


def test_a_program_that_ended_is_started_again(tmp_path: Path) -> None:
    code = "    print(json.dumps(ok | {'hits': []}), flush=True); sys.exit(0)"
    with program(READ + code, tmp_path) as command:
        for _ in range(3):
            assert command.recall(QUERY, Deadline(10)) == []
            process = child_of(command)._process
            assert process
            process.wait(10)  # until it is seen to be gone: then a new one is asked


def test_a_program_that_closed_its_output_is_started_again(tmp_path: Path) -> None:
    """It used to be told that it had sent something, or not, depending on when its end was seen."""
    code = "    print(json.dumps(ok | {'hits': []}), flush=True)\n    import os; os.close(1); time.sleep(30)"
    with program(READ + code, tmp_path) as command:
        for _ in range(2):
            assert command.recall(QUERY, Deadline(10)) == []
            until = time.monotonic() + 10
            while not child_of(command)._silent() and time.monotonic() < until:
                time.sleep(0.01)


def test_a_program_that_ends_while_it_is_asked_is_one_line(tmp_path: Path) -> None:
    """It answers once, and ends when the next question comes: whichever is noticed first, it failed and is reaped."""
    code = "    if q['id'] > 1: sys.exit(3)\n    print(json.dumps(ok | {'hits': []}), flush=True)"
    with program(READ + code, tmp_path) as command:
        assert command.recall(QUERY, Deadline(10)) == []
        with pytest.raises(ProviderError, match="exit code 3"):
            command.recall(QUERY, Deadline(10))
        assert child_of(command).pid is None


def test_a_command_that_is_not_there_is_one_line(tmp_path: Path) -> None:
    child = LineChild([str(tmp_path / "nope")], tmp_path, {}, 1 << 20)
    with pytest.raises(ProviderError, match="cannot be started: No such file"):
        Command("x", child, Caps()).recall(QUERY, Deadline(1))


def test_a_secret_it_prints_does_not_reach_the_warning(tmp_path: Path) -> None:
    code = "    print('api_key=sk-abcdefgh12345678abcd', file=sys.stderr, flush=True); time.sleep(0.3); sys.exit(7)"
    snapshot = snapshot_of({"knowledge/a.md": knowledge("deploy")})
    with program(READ + code, tmp_path) as command:
        command.caps = Caps(first_s=1.5)
        found = search(snapshot, Question("deploy", NOBODY), [configured(command)])
    assert "abcdefgh12345678" not in found.warnings["x"]
    assert [hit.slug for hit in found.hits] == ["a"]


def test_a_program_is_given_no_key_of_ours(tmp_path: Path) -> None:
    code = "    import os; print(json.dumps(ok | {'hits': [{'text': ' '.join(os.environ)}]}), flush=True)"
    path = tmp_path / "e.py"
    path.write_text(READ + code)
    environment = {**os.environ, "OPENAI_API_KEY": "sk-1", "OMOIDE_API_KEY": "x"}
    child = LineChild([sys.executable, str(path)], tmp_path, environment, 1 << 20)
    command = Command("x", child, Caps(result="derived"))
    try:
        (found,) = command.recall(QUERY, Deadline(10))
        assert "API_KEY" not in found.text  # type: ignore[union-attr]
    finally:
        command.close()


def test_a_command_of_a_repository_does_not_count_until_it_is_trusted() -> None:
    text = '[enricher.evil]\ntype = "command"\ncommand = ["sh", "-c", "true"]\n'
    config, problems = parse(text, trusted=False)
    assert problems
    settings, said = enricher_settings(config.enricher)
    assert settings == []
    assert "in your own configuration" in said[0]
    config, _ = parse(text, trusted=True)
    settings, said = enricher_settings(config.enricher)
    assert [one.command for one in settings] == [("sh", "-c", "true")]


@pytest.mark.parametrize(
    "table",
    [
        {"type": "telepathy"},
        {"type": "command"},
        {"type": "command", "command": "sh"},
        {"type": "command", "command": ["sh"], "scope": "full"},
        {"type": "command", "command": ["sh"], "fuses": True},
        {"type": "command", "command": ["sh"], "result": "gospel"},
        {"type": "command", "command": ["sh"], "cleanup": "yes"},
    ],
)
def test_wrong_settings_are_said_and_not_used(table: dict[str, object]) -> None:
    settings, said = enricher_settings({"x": table})
    assert (settings, len(said)) == ([], 1)
    assert said[0].startswith("[enricher.x] is not used: ")


@pytest.mark.parametrize("trusted", [False, True])
def test_a_program_starts_in_the_workspace_only_where_that_is_trusted(tmp_path: Path, *, trusted: bool) -> None:
    """`python -m`, `npx` and `uv run` take what lies in the folder they start in: the repository's program ran."""
    workspace, home = tmp_path / "workspace", tmp_path / "home"
    home.mkdir()
    layout, _ = create_root(make(workspace))
    for folder, whose in ((home, "mine"), (workspace, "theirs")):
        answer = f"    print(json.dumps(ok | {{'hits': [{{'text': '{whose}'}}]}}), flush=True)"
        (folder / "mine.py").write_text(READ + answer)
    tables = {"x": {"type": "command", "command": [sys.executable, "-m", "mine"], "result": "derived"}}
    environment = {**os.environ, "HOME": str(home)}
    made = enrichment(layout, tables, environment, trusted=trusted)
    try:
        (found,) = made.enrichers[0].enricher.recall(QUERY, Deadline(10))
        assert found.text == ("theirs" if trusted else "mine")  # type: ignore[union-attr]
    finally:
        made.close()


def test_a_program_is_told_whose_records_it_is_sent(tmp_path: Path) -> None:
    code = "    import os; print(json.dumps(ok | {'hits': [{'text': os.environ['OMOIDE_WORKSPACE']}]}), flush=True)"
    (tmp_path / "e.py").write_text(READ + code)
    layout, _ = create_root(make(tmp_path / "workspace"))
    tables = {"x": {"type": "command", "command": [sys.executable, str(tmp_path / "e.py")], "result": "derived"}}
    made = enrichment(layout, tables, dict(os.environ))
    try:
        (found,) = made.enrichers[0].enricher.recall(QUERY, Deadline(10))
        assert found.text == str(tmp_path / "workspace")  # type: ignore[union-attr]
    finally:
        made.close()


def test_no_word_of_a_command_is_kept_in_the_workspace(tmp_path: Path) -> None:
    """A key in an enricher's command lay in the cache of every workspace. Another command is another model still."""
    (tmp_path / "e.py").write_text(READ + "    print(json.dumps(ok), flush=True)")
    layout, _ = create_root(make(tmp_path / "workspace"))
    models = []
    for key in ("Zx9kfw02Qm7pL", "Kp4Ws8Xd1Qm6R"):
        tables = {"x": {"type": "command", "command": [sys.executable, str(tmp_path / "e.py"), "--api-key", key]}}
        made = enrichment(layout, tables, dict(os.environ))
        try:
            made.rebuild(snapshot_of({}))
            models.append(made.enrichers[0].enricher.model)
        finally:
            made.close()
        kept = [path.read_text() for path in layout.cache.rglob("*.json")]
        assert any("command/" in text for text in kept)
        assert not [text for text in kept if key in text]
    assert models[0] != models[1]


def test_a_bare_name_is_taken_from_absolute_folders_of_the_path_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "enricher").write_text("#!/bin/sh\ntouch ran\n")
    (tmp_path / "enricher").chmod(0o755)
    monkeypatch.setenv("PATH", ".")
    child = LineChild(["enricher"], tmp_path, {"PATH": "."}, 1 << 20)
    with pytest.raises(ProviderError, match="absolute folder of PATH"):
        Command("x", child, Caps()).recall(QUERY, Deadline(1))
    assert not (tmp_path / "ran").exists()


def test_a_score_larger_than_any_number_costs_its_hit_alone() -> None:
    """It threw the whole answer away, and the enricher was left out for a while."""
    huge = {"id": "knowledge/a", "rev": "r", "score": 10**400}
    hits = [huge, {"id": [[[]]], "rev": {}, "score": 0.5}, {"id": "knowledge/deploy", "rev": "r1", "score": 0.5}]

    class Answering:
        def ask(self, line: bytes, deadline: Deadline) -> bytes:
            return json.dumps({"v": 1, "id": json.loads(line)["id"], "ok": True, "hits": hits}).encode()

        def close(self) -> None: ...

    first, second, third = Command("x", Answering(), Caps()).recall(QUERY, Deadline(1))
    assert math.isnan(first.score)
    assert second == Hit("", "", 0.5)
    assert third == Hit("knowledge/deploy", "r1", 0.5)
