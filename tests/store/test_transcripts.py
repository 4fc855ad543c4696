"""Transcripts in the cache: private, bounded, made anew when the log changes, and right when there is no log."""

from __future__ import annotations

import json
import os
import re
import stat
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memory_core.errors import Cancelled, SessionError, StoreError
from memory_core.layout import Layout
from memory_core.sessions.rendered import FORMAT
from memory_core.store import transcripts
from memory_core.store.session_files import read_log
from memory_core.store.session_ref import SessionRef
from memory_core.store.transcripts import Shown, Transcripts, Wanted


def write_log(path: Path, texts: list[str], session_id: str = "s-1") -> Path:
    entries: list[dict[str, Any]] = [{"kind": "session_start", "session_id": session_id, "agent": "omoide"}]
    entries += [{"kind": "user_message", "text": text} for text in texts]
    lines = [
        json.dumps({"id": f"0190f000-0000-7000-8000-{n:012d}", "ts": "2026-06-12T09:00:00Z", **entry})
        for n, entry in enumerate(entries)
    ]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


@pytest.fixture
def log(root: Path) -> Path:
    return write_log(root / "sessions/s-1.jsonl", ["first", "second", "third"])


def ref_of(path: Path, session_id: str = "s-1", agent: str = "omoide") -> SessionRef:
    return SessionRef(session_id, agent, path, None, None, "", 0)


def of(root: Path, *logs: Path, agent: str = "omoide") -> Transcripts:
    return Transcripts(Layout(root), lambda: [ref_of(path, path.stem, agent) for path in logs])


def never() -> list[SessionRef]:
    raise AssertionError("the sessions were looked for")


def heading(shown: Shown) -> str:
    return shown.path.read_text(encoding="utf-8").split("\n")[shown.line]


def anchor(log: Path, entry: int, **changes: Any) -> dict[str, Any]:
    found = read_log(log).entries[entry]
    whole = {"entry_range": [entry, entry], "speaker": "human", "native_id": found.native_id, "sha256": found.sha256}
    return {**whole, "excerpt": found.text, **changes}


def test_an_entry_is_shown_at_its_heading(root: Path, log: Path) -> None:
    shown = of(root, log).show(Wanted("s-1", 2, "omoide"))
    assert shown.path == root / "cache/transcripts/omoide.s-1.md"
    assert (shown.entry, shown.note) == (2, None)
    assert heading(shown).startswith("## 2 · human")


@pytest.mark.skipif(os.name != "posix", reason="modes are those of POSIX")
def test_it_is_private_and_read_only(root: Path, log: Path) -> None:
    shown = of(root, log).show(Wanted("s-1"))
    assert stat.S_IMODE(shown.path.stat().st_mode) == 0o400
    assert stat.S_IMODE(shown.path.parent.stat().st_mode) == 0o700
    assert (root / "cache/.gitignore").read_text() == "*\n"


def test_the_log_is_never_touched(root: Path, log: Path) -> None:
    before = log.read_bytes(), log.stat().st_mtime_ns
    of(root, log).show(Wanted("s-1"))
    assert (log.read_bytes(), log.stat().st_mtime_ns) == before


@pytest.mark.parametrize("agent", ["omoide", None])
def test_what_was_rendered_is_shown_again_without_looking_for_sessions(
    root: Path, log: Path, agent: str | None
) -> None:
    first = of(root, log).show(Wanted("s-1", 1, "omoide"))
    again = Transcripts(Layout(root), never).show(Wanted("s-1", 3, agent))
    assert again.path == first.path
    assert heading(again).startswith("## 3 ·")
    same = Transcripts(Layout(root), never).show(Wanted("s-1", agent=agent, anchor=anchor(log, 2)))
    assert (same.entry, heading(same)[:5]) == (2, "## 2 ")


def test_a_log_that_grew_is_rendered_anew(root: Path, log: Path) -> None:
    of(root, log).show(Wanted("s-1", 1))
    write_log(log, ["first", "second", "third", "fourth"])
    shown = of(root, log).show(Wanted("s-1", 4))
    assert heading(shown).startswith("## 4 ·")
    assert shown.note is None


@pytest.mark.parametrize(
    "damage", [b"", b"nothing\n", b"\xff\xfe\n", b"<!-- omoide {} -->\n", b"<!-- omoide [1] -->\n"]
)
def test_a_damaged_transcript_is_made_anew(root: Path, log: Path, damage: bytes) -> None:
    shown = of(root, log).show(Wanted("s-1", 1))
    whole = shown.path.read_bytes()
    shown.path.chmod(0o600)
    shown.path.write_bytes(damage)
    assert of(root, log).show(Wanted("s-1", 1)) == shown
    assert shown.path.read_bytes() == whole


@pytest.mark.parametrize("named", ["/not/there.jsonl", "//server.example/share/log.jsonl"])
def test_a_page_with_no_log_behind_it_is_made_anew(root: Path, log: Path, named: str) -> None:
    """A repository may bring one: it would be shown as what was said in a session of the person who looks."""
    shown = of(root, log).show(Wanted("s-1", 1))
    text = shown.path.read_text(encoding="utf-8")
    forged = re.sub(r'"stamp": \[.*?\]', '"stamp": null', text.replace(json.dumps(str(log)), json.dumps(named)))
    assert forged != text
    shown.path.chmod(0o600)
    shown.path.write_text(forged.replace("first", "stale"), encoding="utf-8")
    of(root, log).show(Wanted("s-1", 1))
    assert shown.path.read_text(encoding="utf-8") == text


def test_a_transcript_of_another_version_is_made_anew(root: Path, log: Path) -> None:
    shown = of(root, log).show(Wanted("s-1", 1))
    text = shown.path.read_text()
    shown.path.chmod(0o600)
    shown.path.write_text(text.replace(f'"format": {FORMAT}', '"format": 0').replace("first", "stale"))
    of(root, log).show(Wanted("s-1", 1))
    assert "stale" not in shown.path.read_text()


def test_an_anchor_is_found_again_where_the_entry_stands_now(root: Path, log: Path) -> None:
    kept = anchor(log, 2)
    lines = log.read_text().splitlines(keepends=True)
    log.write_text("".join([lines[0], lines[3], lines[1], lines[2]]))
    shown = of(root, log).show(Wanted("s-1", anchor=kept))
    assert (shown.entry, shown.note) == (3, None)
    assert heading(shown).startswith("## 3 ·")


def test_an_anchor_whose_entry_was_cut_off_is_told_with_what_the_record_keeps(root: Path, log: Path) -> None:
    kept = anchor(log, 3, excerpt="the third thing that was said")
    write_log(log, ["first"])
    shown = of(root, log).show(Wanted("s-1", anchor=kept))
    assert shown.entry == 1
    assert shown.note
    assert "entry 3 is not in this log any more" in shown.note
    assert "“the third thing that was said”" in shown.note


def test_an_entry_that_was_edited_in_place_is_told(root: Path, log: Path) -> None:
    kept = anchor(log, 2)
    write_log(log, ["first", "SECOND", "third"])
    shown = of(root, log).show(Wanted("s-1", anchor=kept))
    assert (shown.entry, shown.note) == (2, "Entry 2 was changed since it was remembered.")


def test_an_entry_behind_the_end_is_the_last_one_and_told(root: Path, log: Path) -> None:
    shown = of(root, log).show(Wanted("s-1", 99))
    assert shown.entry == 3
    assert shown.note == "The log has 4 entries: there is no entry 99 in it."


def test_a_session_without_a_log_shows_what_records_keep(root: Path) -> None:
    kept = (
        {"entry_range": [5, 5], "speaker": "human", "excerpt": "kept words"},
        {"entry_range": [9, 9], "excerpt": "b"},
    )
    shown = of(root).show(Wanted("gone", 5, "codex", kept[0], kept))
    assert shown.path.name == "codex.gone.md"
    assert heading(shown).startswith("## 5 · human")
    assert shown.note
    assert "No log of session gone is found" in shown.note
    assert "“kept words”" in shown.note
    assert "kept words" in shown.path.read_text()


def test_a_log_that_comes_back_takes_the_place_of_what_was_kept(root: Path, log: Path) -> None:
    of(root).show(Wanted("s-1", 2, "omoide"))
    shown = of(root, log).show(Wanted("s-1", 2, "omoide"))
    assert shown.note is None
    assert "second" in shown.path.read_text()


def test_a_log_that_is_gone_is_not_shown_as_if_it_were_there(root: Path, log: Path) -> None:
    of(root, log).show(Wanted("s-1", 2, "omoide"))
    log.unlink()
    assert "No log" in str(of(root).show(Wanted("s-1", 2, "omoide")).note)


def test_the_same_id_of_two_agents_is_two_sessions(root: Path, log: Path, tmp_path: Path) -> None:
    other = write_log(tmp_path / "other/s-1.jsonl", ["of another agent"])
    both = [ref_of(log), ref_of(other, agent="codex")]
    found = Transcripts(Layout(root), lambda: both)
    assert "of another agent" in found.show(Wanted("s-1", 1, "codex")).path.read_text()
    assert "of another agent" not in found.show(Wanted("s-1", 1, "omoide")).path.read_text()


def test_a_source_that_names_a_wrong_agent_still_leads_to_its_session(root: Path, log: Path) -> None:
    assert of(root, log).show(Wanted("s-1", 1, "codex")).note is None


@pytest.mark.parametrize("session_id", ["../../evil", "a/b", "a\0b", "[x]*?", "x" * 300, "日本", "a.from-3", ""])
def test_no_id_names_another_place(root: Path, tmp_path: Path, session_id: str) -> None:
    log = write_log(tmp_path / "log.jsonl", ["text"], session_id)
    found = Transcripts(Layout(root), lambda: [ref_of(log, session_id)])
    shown = found.show(Wanted(session_id, 1, "omoide"))
    assert shown.path.parent == root / "cache/transcripts"
    assert Transcripts(Layout(root), never).show(Wanted(session_id, 1, "omoide")).path == shown.path


def test_a_long_log_is_a_window_under_a_name_of_its_own(root: Path) -> None:
    log = write_log(root / "sessions/s-1.jsonl", [f"word {n}" for n in range(3_000)])
    shown = of(root, log).show(Wanted("s-1", 1_500))
    assert shown.path.name == "omoide.s-1.from-1200.md"
    assert heading(shown).startswith("## 1500 ·")
    near = Transcripts(Layout(root), never).show(Wanted("s-1", 1_700))
    assert near.path == shown.path
    far = of(root, log).show(Wanted("s-1", 3_000))
    assert far.path.name == "omoide.s-1.from-2800.md"


def test_old_transcripts_are_pruned_and_the_one_shown_is_kept(
    root: Path, log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transcripts, "MOST_FILES", 3)
    folder = root / "cache/transcripts"
    for number in range(6):
        other = write_log(root / f"sessions/o-{number}.jsonl", ["text"], f"o-{number}")
        path = of(root, other).show(Wanted(f"o-{number}")).path
        os.utime(path, (number, number))
    shown = of(root, log).show(Wanted("s-1"))
    assert shown.path in folder.iterdir()
    assert sorted(path.name for path in folder.iterdir()) == ["omoide.o-4.md", "omoide.o-5.md", "omoide.s-1.md"]


def test_one_that_is_looked_at_again_outlives_others(root: Path, log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transcripts, "MOST_BYTES", 6_000)
    shown = of(root, log).show(Wanted("s-1"))
    for number in range(8):
        other = write_log(root / f"sessions/o-{number}.jsonl", ["text"], f"o-{number}")
        path = of(root, other).show(Wanted(f"o-{number}")).path
        os.utime(path, (number, number))
        assert Transcripts(Layout(root), never).show(Wanted("s-1")).path == shown.path
    assert len(list(shown.path.parent.iterdir())) < 9


def test_no_root_appears_by_looking(tmp_path: Path) -> None:
    log = write_log(tmp_path / "s-1.jsonl", ["text"])
    with pytest.raises(StoreError, match="omoide init"):
        of(tmp_path / "none/.omoide", log).show(Wanted("s-1"))
    assert not (tmp_path / "none").exists()


@pytest.mark.skipif(os.name != "posix", reason="links need a privilege elsewhere")
@pytest.mark.parametrize("place", ["cache", "cache/transcripts"])
def test_a_link_out_of_the_root_is_not_written_through(root: Path, log: Path, tmp_path: Path, place: str) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (root / place).parent.mkdir(exist_ok=True)
    (root / place).symlink_to(outside)
    with pytest.raises(StoreError, match="leaves the memory root"):
        of(root, log).show(Wanted("s-1"))
    assert list(outside.iterdir()) == []


def test_a_log_of_no_known_format_says_so(root: Path, tmp_path: Path) -> None:
    (tmp_path / "s-1.jsonl").write_text('{"a": 1}\n')
    with pytest.raises(SessionError, match="no session log"):
        of(root, tmp_path / "s-1.jsonl").show(Wanted("s-1"))


def test_reading_ends_soon_after_it_is_given_up(root: Path) -> None:
    log = write_log(root / "sessions/s-1.jsonl", ["word " * 40] * 50_000)
    asked = 0

    def stopped() -> bool:
        nonlocal asked
        asked += 1
        return asked > 100

    found = Transcripts(Layout(root), lambda: [ref_of(log)], stopped)
    with pytest.raises(Cancelled):
        found.show(Wanted("s-1", 49_000))
    assert asked < 110
    assert not (root / "cache/transcripts").exists()


def test_several_places_of_one_session_read_its_log_once(root: Path, log: Path) -> None:
    looked: list[int] = []

    def discover() -> list[SessionRef]:
        looked.append(1)
        return [ref_of(log)]

    found = Transcripts(Layout(root), discover)
    assert [found.show(Wanted("s-1", n)).entry for n in (1, 2, 3)] == [1, 2, 3]
    assert len(looked) == 1


def timed(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def test_what_is_kept_is_shown_in_a_few_milliseconds(root: Path) -> None:
    log = write_log(root / "sessions/s-1.jsonl", ["word " * 40] * 1_900)
    of(root, log).show(Wanted("s-1", 5))
    assert min(timed(lambda: of(root, log).show(Wanted("s-1", 1_500))) for _ in range(5)) < 0.01


@pytest.mark.skipif(os.name != "posix", reason="a name with a colon")
def test_the_last_line_of_a_transcript_sets_no_options_of_an_editor(root: Path) -> None:
    """It holds the session's id, which a log may choose."""
    named = "s vim: set tabstop=7 :"
    shown = of(root, write_log(root / f"sessions/{named}.jsonl", ["first"], named)).show(Wanted(named, 1))
    last = shown.path.read_text(encoding="utf-8").rstrip("\n").rpartition("\n")[2]
    assert " vim:" not in last
    assert json.loads(last.removeprefix("<!-- omoide ").removesuffix(" -->"))["session"] == named
