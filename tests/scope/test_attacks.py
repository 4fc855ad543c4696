"""What an opponent found: ways to see, or to learn of, records that are scoped to others (R3, R4, R11)."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from memory_core.agents import hook
from memory_core.refactor.transfer import exported, imported
from memory_core.scope import ALL, NOBODY, Caller, hidden_from_all, seen_by
from memory_core.snapshot import snapshot_of
from memory_core.store.session_store import SessionStore
from memory_core.using import for_agents
from memory_core.using.expansion import expand
from memory_core.using.policy import Origin, ResidentRules
from memory_core.using.resident import resident_context
from server.mcp import tools
from server.mcp.memory import Memory
from tests.cli.conftest import Run
from tests.enrich.doubles import decision, knowledge

CODEX = "scope: {agent: codex}"
# How a scope may be written so that nobody can say for sure what it means.
UNCLEAR = {
    "odd case": "sCope: {agent: codex}",
    "capitals": "ScOPE: {agent: codex}",
    "plural": "scopes: {agent: codex}",
    "dotted": "scope.agent: codex",
    "underscore": "scope_: {agent: codex}",
    "a space in the key": '"scope ": {agent: codex}',
    "turned letters": "scpoe: {agent: codex}",
    "a letter of another alphabet": "s\u0441ope: {tenant: acme}",
    "wide letters": "\uff53cope: {agent: codex}",
    "another name": "visible_to:\n  principal: ann",
    "no indent": "scope:\nagent: codex",
    "a kind that no record has": "scope: !!binary aGVsbG8=",
    "not closed": "scope: {agent: codex",
    "not closed, in quotes": "'scope': {agent: codex",
    "a key of its own line": "? scope\n: {agent: codex",
    "escaped and not closed": '"\\x73cope": {agent: codex',
    "an alias": "x: &a {agent: codex}\nscope: *a",
    "merged in": "x: &a {scope: {agent: codex}}\n<<: *a",
    "indented": " scope: {agent: codex}",
    "a tab": "scope:\n\tagent: codex",
}
RULES = ResidentRules(5_000, True, True)
NOW = datetime(2026, 3, 1, tzinfo=UTC)


def record(lines: str, *, above: bool, body: str = "the body") -> str:
    """Knowledge that asks to be resident, with some lines at the beginning or end of its head."""
    text = knowledge(body, description="the description").replace("model_invokation: false", "model_invokation: true")
    return text.replace("---\n", f"---\n{lines}\n", 1) if above else text.replace("\n---\n", f"\n{lines}\n---\n", 1)


@pytest.mark.parametrize("above", [True, False])
@pytest.mark.parametrize("how", UNCLEAR)
def test_r3_a_scope_however_it_is_misspelled_shows_the_record_to_nobody(how: str, above: bool) -> None:
    snapshot = snapshot_of({"knowledge/hidden-one.md": record(UNCLEAR[how], above=above)})
    assert hidden_from_all(snapshot.documents["knowledge/hidden-one.md"])
    assert seen_by(snapshot, ALL).documents
    for caller in (NOBODY, Caller(agent="codex"), Caller(tenant="acme", principal="ann")):
        assert not seen_by(snapshot, caller).documents
        expansion = expand(snapshot, "See #hidden-one.", caller=caller)
        assert [item.reason for item in expansion.unresolved] == ["names no knowledge of this workspace"]
        assert not resident_context(snapshot, Origin.CODE, RULES, now=NOW, caller=caller)
        assert not exported(snapshot, caller, "")["records"]
    assert "the body" not in for_agents.read(snapshot, ["#hidden-one"]).text


def test_a_head_that_says_nothing_of_a_scope_hides_nothing() -> None:
    for lines in ("telescope: {lens: wide}", "x: 'C:\\temp'", "meta: {kind: a}", "broken: [1", "agent: codex"):
        snapshot = snapshot_of({"knowledge/a.md": record(lines, above=False)})
        assert seen_by(snapshot, NOBODY).documents, lines


@pytest.mark.parametrize("twice", ["description: again", "origin: user\norigin: user"])
def test_r3_another_mistake_in_its_head_opens_no_record(twice: str) -> None:
    """A record with any problem was expanded for everybody."""
    snapshot = snapshot_of({"knowledge/hidden-one.md": record(f"{CODEX}\n{twice}", above=False)})
    expansion = expand(snapshot, "See #hidden-one.", caller=Caller(agent="other"))
    assert not expansion.records
    assert expand(snapshot, "See #hidden-one.", caller=Caller(agent="codex")).records


def test_r3_what_is_hidden_is_answered_like_what_is_not_there() -> None:
    """Neither named as what one may have meant, nor told apart by a missing suggestion, nor in the place of another."""
    near = {f"knowledge/deploy-note{n}.md": knowledge("x") for n in ("ab", "ac", "ad")}
    hidden = {f"knowledge/deploy-note{n}.md": knowledge("x", scope="{agent: codex}") for n in ("aa", "b", "c", "d")}
    snapshot, without = snapshot_of(near | hidden), snapshot_of(near)
    for name in ("deploy-notea", "deploy-noteaa"):
        assert expand(snapshot, f"See #{name}.").plain("") == expand(without, f"See #{name}.").plain("")
        assert for_agents.read(snapshot, [f"#{name}"]).text == for_agents.read(without, [f"#{name}"]).text
    weak = snapshot_of({"knowledge/123.md": knowledge("x", scope="{agent: codex}")})
    assert not expand(weak, "Fixes #123.").unresolved


def test_r3_a_hook_opens_and_suggests_nothing_of_another_agent(
    workspace: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = workspace / ".omoide/knowledge"
    (folder / "hidden-one.md").write_text(record(f"{CODEX}\norigin: a\norigin: b", above=False), encoding="utf-8")
    (folder / "hidden-two.md").write_text(record(CODEX, above=False), encoding="utf-8")
    for prompt in ("See #hidden-one.", "See #hidden-tw."):
        call = json.dumps({"session_id": "s", "cwd": str(workspace), "prompt": prompt})
        done = _hooked(call, ["prompt-submit", "--agent", "claude-code"], monkeypatch)
        assert done == 0
        said = capsys.readouterr().out
        assert "names no knowledge" in said
        assert "the body" not in said
        assert "hidden-two" not in said


def test_r3_a_context_that_is_kept_for_the_next_session_holds_nothing_of_one_agent(
    workspace: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A scope that is written with an escape is one: what was made for one agent was kept for all."""
    root = workspace / ".omoide"
    (root / "config.toml").write_text("[memory]\nresident_for_code_sessions = true\n", encoding="utf-8")
    hidden = record('"\\x73cope": {agent: codex}', above=False)
    (root / "knowledge/hidden-one.md").write_text(hidden, encoding="utf-8")
    said = {}
    for agent in ("codex", "claude-code"):
        call = json.dumps({"session_id": "s", "cwd": str(workspace), "source": "startup"})
        assert _hooked(call, ["session-start", "--agent", agent, "--resident"], monkeypatch) == 0
        said[agent] = capsys.readouterr().out
    assert "hidden-one" in said["codex"]
    assert "hidden-one" not in said["claude-code"]


def _hooked(call: str, words: list[str], monkeypatch: pytest.MonkeyPatch) -> int:
    import io
    import sys

    stream = io.TextIOWrapper(io.BytesIO(call.encode()), encoding="utf-8")
    monkeypatch.setattr(sys, "stdin", stream)
    return hook.run(words)


@pytest.fixture
def shared_and_hidden(workspace: Path) -> Path:
    """A shared record that a shared and a hidden one refer to."""
    root = workspace / ".omoide"
    (root / "memory/decisions").mkdir(parents=True, exist_ok=True)
    texts = {
        "knowledge/shared-one.md": knowledge("Everybody's."),
        "knowledge/own-one.md": knowledge("Everybody's too."),
        "knowledge/open.md": knowledge("See #shared-one."),
        "knowledge/hidden-one.md": knowledge("UNSEEN, see #shared-one and #own-one.", scope="{agent: codex}"),
        "memory/decisions/hidden.md": decision("UNSEEN, see #shared-one.", scope="{agent: codex}"),
    }
    for path, text in texts.items():
        (root / path).write_text(text, encoding="utf-8")
    return root


def test_r3_a_rename_as_somebody_tells_of_nothing_that_is_hidden_and_keeps_it_right(
    omoide: Run, shared_and_hidden: Path
) -> None:
    one = ("rename", "knowledge", "shared-one", "shared-two", "--as", "agent=claude")
    two = ("rename", "knowledge", "shared-two", "shared-three", "--as", "agent=claude")
    for command in ((*one, "--dry-run"), ("--json", *one, "--dry-run"), one, ("--json", *two)):
        outcome = omoide(*command)
        assert outcome.code == 0
        assert "hidden" not in outcome.out + outcome.err
        assert "UNSEEN" not in outcome.out + outcome.err
        assert "open" in outcome.out
    assert "#shared-three" in (shared_and_hidden / "knowledge/hidden-one.md").read_text(encoding="utf-8")
    outcome = omoide("rename", "knowledge", "shared-three", "shared-one", "--dry-run")
    assert "UNSEEN" in outcome.out, "the operator is shown all of it"


def test_r3_an_archive_as_somebody_knows_of_no_reference_that_is_hidden(omoide: Run, shared_and_hidden: Path) -> None:
    outcome = omoide("archive", "knowledge", "shared-one", "--as", "agent=claude")
    assert outcome.code == 1
    assert "open" in outcome.err
    assert "hidden" not in outcome.out + outcome.err
    outcome = omoide("--json", "archive", "knowledge", "own-one", "--as", "agent=claude")
    assert outcome.json["referrers"] == []
    assert omoide("archive", "knowledge", "shared-one").err.count("hidden") >= 2


def test_r11_a_record_whose_scope_is_unclear_is_neither_promoted_nor_replaced(omoide: Run, workspace: Path) -> None:
    text = decision("Deploy at night.").replace("status:", "scopes: {agent: codex}\nstatus:")
    folder = workspace / ".omoide/memory/decisions"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "deploy.md").write_text(text, encoding="utf-8")
    outcome = omoide("promote", "decision", "deploy", "--all-scopes")
    assert outcome.code == 1
    assert "scope" in outcome.err
    path = "memory/decisions/deploy.md"
    data = exported(snapshot_of({path: decision("Deploy at noon.")}), ALL, "")
    found = imported(snapshot_of({path: text}), data, ALL, (path,))
    assert found.conflicts
    assert not found.changes


def test_r11_what_an_agent_proposes_keeps_the_scope_of_the_session_it_quotes(workspace: Path) -> None:
    """It was staged as shared, by anybody, from anybody's session."""
    sessions = SessionStore.of_workspace(workspace)
    session = sessions.create("codex", session_kind="code", scope={"agent": "codex", "tenant": "acme"})
    sessions.append(session, "user_message", text="We decided to deploy at night because of the load.")
    call = {"kind": "decision", "statement": "Deploy at night.", "quotes": ["decided to deploy at night"]}
    nothing = tools.call(Memory(workspace, agent="claude"), "StageCandidate", {**call, "quotes": ["never said, this"]})
    for other in (Memory(workspace), Memory(workspace, agent="claude"), Memory(workspace, agent="codex")):
        for more in ({}, {"session_id": session}):
            answer = tools.call(other, "StageCandidate", {**call, **more})
            assert answer.text == nothing.text.replace("never said, this", "decided to deploy at night")
    answer = tools.call(Memory(workspace, agent="codex", tenant="acme"), "StageCandidate", call)
    assert not answer.is_error
    (file,) = (workspace / ".omoide/memory/_staging").glob("*.json")
    assert json.loads(file.read_text(encoding="utf-8"))["source"]["scope"] == {"agent": "codex", "tenant": "acme"}
