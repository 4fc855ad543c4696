"""What enrichers are given, when, and that they forget (R18, R19, R27, R28, R35)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from memory_core.changes import ChangeSet
from memory_core.enrich import allow
from memory_core.enrich.port import Caps, EnrichRow
from memory_core.enrich.state import EnricherState, from_json
from memory_core.enrich.upkeep import cleanup, rebuild, standing, sync
from memory_core.layout import Layout
from memory_core.records.schema import Kind, RecordRef
from memory_core.snapshot import snapshot_of
from memory_core.store.enricher_files import read_state, state_path, write_state
from memory_core.store.filestore import FileStore
from tests.enrich.doubles import Clock, Spy, configured, decision, knowledge

TEXTS = {
    "knowledge/deploy.md": knowledge("Deploy from the release branch."),
    "knowledge/private.md": knowledge("Mine.", scope="{agent: codex}"),
    "knowledge/session.md": knowledge("Of a session.", scope="{session: s-1}"),
    "memory/decisions/old.md": decision("By hand.", status="replaced", replaced_by="new"),
    "memory/decisions/new.md": decision("By pipeline."),
}
SNAPSHOT = snapshot_of(TEXTS)


def nothing(_: EnricherState) -> None: ...


def ids(spy: Spy) -> list[str]:
    return sorted(spy.rows)


def test_r27_only_records_in_force_are_sent() -> None:
    """R27, R35: there is no way to hand over anything else."""
    texts = TEXTS | {
        "memory/_staging/0190-abc.md": "candidate",
        "memory/_legacy/rows.md": "- **user_msg_1**: hello",
        "sessions/s-1.md": "turn",
        "knowledge/broken.md": "---\nkind: [\n---\nx",
        "knowledge/copy.md": knowledge("An old turn.", extra="origin: policy:legacy"),
    }
    spy = Spy()
    sync(snapshot_of(texts), configured(spy), EnricherState(), nothing)
    assert ids(spy) == ["decision/new", "knowledge/deploy", "knowledge/private", "knowledge/session"]


@pytest.mark.parametrize(
    ("scope", "expected"),
    [
        ("none", ["decision/new", "knowledge/deploy"]),
        ("own_agent", ["decision/new", "knowledge/deploy", "knowledge/private"]),
        ("full", ["decision/new", "knowledge/deploy", "knowledge/private", "knowledge/session"]),
    ],
)
def test_r21_what_could_never_be_asked_for_is_not_sent(scope: str, expected: list[str]) -> None:
    spy = Spy(caps=Caps(scope=scope))  # type: ignore[arg-type]
    sync(SNAPSHOT, configured(spy), EnricherState(), nothing)
    assert ids(spy) == expected


def test_r27_a_row_made_by_hand_is_refused() -> None:
    legacy = EnrichRow(RecordRef(Kind.KNOWLEDGE, "../../sessions/s-1"), "r", "turn")
    scoped = EnrichRow(RecordRef(Kind.KNOWLEDGE, "a"), "r", "x", {"session": "s"})
    assert allow.checked(legacy, Caps()) == "no record"
    assert allow.checked(scoped, Caps()) == "scope"
    assert allow.checked(EnrichRow(RecordRef(Kind.KNOWLEDGE, "a"), "r", "x" * 99), Caps(max_bytes=10)) == "size"


def test_no_secret_leaves_with_a_record() -> None:
    secret = "ghp_" + "a1B2" * 9
    spy = Spy()
    sync(snapshot_of({"knowledge/a.md": knowledge(f"token {secret}")}), configured(spy), EnricherState(), nothing)
    assert secret not in spy.rows["knowledge/a"].text


def test_r18_the_record_is_on_disk_before_an_enricher_hears_of_it(tmp_path: Path) -> None:
    (tmp_path / ".omoide/memory").mkdir(parents=True)
    store = FileStore(Layout(tmp_path / ".omoide"))
    text = knowledge("Durable.")
    seen: list[bytes] = []

    def look(rows: Sequence[EnrichRow]) -> None:
        seen.extend((tmp_path / f".omoide/knowledge/{row.ref.slug}.md").read_bytes() for row in rows)

    store.commit(ChangeSet().with_file("knowledge/a.md", None, text), run_id="r1", reason="test")
    sync(store.load(), configured(Spy(on_upsert=look)), EnricherState(), nothing)
    assert seen == [text.encode()]


def test_r19_a_failing_upsert_undoes_nothing_and_is_made_up_for() -> None:
    def no(_: object) -> None:
        raise OSError("disk")

    clock = Clock()
    spy = Spy(on_upsert=no)
    one = configured(spy, clock)
    saved: list[EnricherState] = []
    state, done = sync(SNAPSHOT, one, EnricherState(), saved.append)
    assert (done.sent, done.left, done.error) == (0, 4, "OSError: disk")
    assert saved[-1].last_error == "OSError: disk"
    state, done = sync(SNAPSHOT, one, state, saved.append)
    assert done.error == "cooling down after a failure"
    assert saved[-1].last_error == "OSError: disk", "the cause is kept"
    assert spy.calls == ["upsert"]
    spy.on_upsert = lambda _: None
    clock.now += 16
    state, done = sync(SNAPSHOT, one, state, saved.append)
    assert (done.sent, done.left, done.error) == (4, 0, "")
    assert state.known.keys() == spy.rows.keys()


def test_only_changes_are_sent_again() -> None:
    spy = Spy()
    one = configured(spy)
    state, _ = sync(SNAPSHOT, one, EnricherState(), nothing)
    state, done = sync(SNAPSHOT, one, state, nothing)
    assert done.sent == 0
    changed = snapshot_of(TEXTS | {"knowledge/deploy.md": knowledge("Deploy from main.")})
    _, done = sync(changed, one, state, nothing)
    assert (done.sent, done.removed) == (1, 0)


def test_r28_a_delete_is_written_down_before_it_is_sent_and_tried_again() -> None:
    def no(_: object) -> None:
        raise OSError("away")

    clock = Clock()
    spy = Spy()
    one = configured(spy, clock)
    state, _ = sync(SNAPSHOT, one, EnricherState(), nothing)
    spy.on_remove = no
    less = snapshot_of({path: text for path, text in TEXTS.items() if "deploy" not in path})
    saved: list[EnricherState] = []
    state, _ = sync(less, one, state, saved.append)
    assert saved[0].pending == ("knowledge/deploy",)
    assert from_json(state.to_json()).pending == ("knowledge/deploy",)
    assert standing(less, one, state, 0).level == "stale"
    spy.on_remove = lambda _: None
    clock.now += 16
    state, done = sync(less, one, state, saved.append)
    assert done.removed == 1
    assert "knowledge/deploy" not in spy.rows
    assert state.pending == ()


def test_r28_a_rebuild_equals_what_came_bit_by_bit() -> None:
    spy = Spy()
    one = configured(spy)
    state = EnricherState()
    texts: dict[str, str] = {}
    for path, text in TEXTS.items():
        texts[path] = text
        state, _ = sync(snapshot_of(texts), one, state, nothing)
    del texts["knowledge/deploy.md"]
    state, _ = sync(snapshot_of(texts), one, state, nothing)
    step_by_step = dict(spy.rows)
    fresh = Spy()
    rebuild(snapshot_of(texts), configured(fresh), EnricherState(), nothing)
    assert fresh.rows == step_by_step
    rebuild(snapshot_of(texts), one, state, nothing)
    assert spy.rows == step_by_step


def test_r28_cleanup_removes_ghosts_and_sends_nothing() -> None:
    """R28, R35: ids of legacy copies, too."""
    spy = Spy()
    one = configured(spy)
    state, _ = sync(SNAPSHOT, one, EnricherState(), nothing)
    spy.rows["decision/user_msg_17"] = EnrichRow(RecordRef(Kind.DECISION, "user_msg_17"), "r", "an old turn")
    spy.calls.clear()
    _, done = cleanup(SNAPSHOT, one, state, nothing, ["decision/user_msg_17"])
    assert (done.removed, spy.calls) == (1, ["remove"])
    assert "decision/user_msg_17" not in spy.rows


def test_another_model_means_everything_anew() -> None:
    spy = Spy()
    one = configured(spy)
    state, _ = sync(SNAPSHOT, one, EnricherState(), nothing)
    spy.model = "m2"
    assert standing(SNAPSHOT, one, state, 0).level == "never filled"
    _, done = sync(SNAPSHOT, one, state, nothing)
    assert done.sent == 4


def test_an_enricher_that_cannot_forget_is_never_asked_to() -> None:
    spy = Spy(caps=Caps(scope="full", cleanup=False))
    one = configured(spy)
    state, _ = sync(SNAPSHOT, one, EnricherState(), nothing)
    _, done = sync(snapshot_of({}), one, state, nothing)
    assert "remove" not in spy.calls
    assert done.error == ""


@pytest.mark.parametrize("text", ["", "{", "[]", '{"schema": 99}', '{"schema": 1, "known": 3, "pending": {}}', "\x00"])
def test_a_state_that_cannot_be_read_is_none(tmp_path: Path, text: str) -> None:
    layout = Layout(tmp_path)
    path = state_path(layout, "x")
    path.parent.mkdir(parents=True)
    path.write_text(text)
    assert read_state(layout, "x") == EnricherState()


def test_a_state_survives_the_disk(tmp_path: Path) -> None:
    state = EnricherState("m", {"knowledge/a": "r"}, ("knowledge/b",), 3.5, "error", {"missing": 2})
    write_state(Layout(tmp_path), "x", state)
    assert read_state(Layout(tmp_path), "x") == state


SOURCES = """sources:
- session_id: s-1
  range: [3, 3]
  anchors:
  - native_id: native-77
    speaker: human
    excerpt: what somebody said word for word
"""
QUOTING = decision(
    "# By pipeline\n\nIt is repeatable.\n\n## Evidence\n\n- user, entry 3:\n  > what somebody said word for word\n\n"
    "### At length\n\nword for word\n\n## Afterwards\n\nStill ours."
).replace("sources: []\n", SOURCES)


def test_no_quotation_of_a_session_leaves_with_a_record() -> None:
    """Of a record goes what it says itself: no anchor, no id of another program, no evidence."""
    spy = Spy()
    sync(snapshot_of({"memory/decisions/a.md": QUOTING}), configured(spy), EnricherState(), nothing)
    text = spy.rows["decision/a"].text
    assert text == (
        '---\nslug: "a"\nkind: "decision"\ntitle: "By pipeline"\n---\n# By pipeline\n\nIt is repeatable.\n\n'
        "## Afterwards\n\nStill ours.\n"
    )


def test_rows_sent_in_an_older_form_are_sent_once_more_and_what_is_gone_is_removed() -> None:
    spy = Spy()
    snapshot = snapshot_of({"memory/decisions/a.md": QUOTING})
    state, _ = sync(snapshot, configured(spy), EnricherState(), nothing)
    older = EnricherState(model="m1", known={**state.known, "decision/gone": "r"})
    spy.calls.clear()
    assert standing(snapshot, configured(spy), older, 0).level == "never filled"
    state, done = sync(snapshot, configured(spy), older, nothing)
    assert (done.sent, done.removed) == (1, 1)
    assert sync(snapshot, configured(spy), state, nothing)[1].sent == 0


@pytest.mark.parametrize("scope", ["{agent: codex, agent: codex}", "{}\nscope: {}"])
def test_a_record_whose_scope_is_said_twice_is_not_sent(scope: str) -> None:
    spy = Spy()
    sync(snapshot_of({"knowledge/a.md": knowledge("x", scope=scope)}), configured(spy), EnricherState(), nothing)
    assert ids(spy) == []
