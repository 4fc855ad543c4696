"""`omoide status` ends with the one command that comes next, ready to be pasted."""

from __future__ import annotations

from pathlib import Path

from memory_core.store.session_store import SessionStore
from tests.cli.conftest import Run


def next_line(omoide: Run) -> str:
    (line,) = [line for line in omoide("status").out.splitlines() if line.startswith("next ")]
    return line.removeprefix("next").strip()


def test_the_way_from_nothing_to_records_is_told_step_by_step(omoide: Run, workspace: Path) -> None:
    """After an extract too few candidates wait for a run by itself: that the command works at any time is said."""
    assert next_line(omoide).startswith("omoide sessions places  (")
    sessions = SessionStore.of_workspace(workspace)
    session = sessions.create("my-agent", session_kind="code", cwd=str(workspace))
    sessions.append(session, "user_message", text="From now on always run the linter before you commit.")
    for command in (["extract", "--all"], ["consolidate"]):
        assert next_line(omoide).startswith(f"omoide {' '.join(command)}  (")
        if command == ["consolidate"]:
            assert "at any time" in next_line(omoide)
            assert "a run of itself waits for more: 1 of 5 files" in omoide("status").out
        assert omoide(*command).code == 0
    assert next_line(omoide).startswith("nothing waits")


def test_an_error_in_a_record_comes_before_new_candidates(omoide: Run, workspace: Path) -> None:
    (workspace / ".omoide/knowledge").mkdir(exist_ok=True)
    (workspace / ".omoide/knowledge/a.md").write_text("no frontmatter\n")
    assert next_line(omoide).startswith("omoide lint  (")


def test_a_run_that_waits_for_a_person_comes_first(omoide: Run, workspace: Path) -> None:
    (workspace / ".omoide/config.toml").write_text('[memory]\nconsolidate_review = "preview"\n')
    sessions = SessionStore.of_workspace(workspace)
    session = sessions.create("my-agent", session_kind="code", cwd=str(workspace))
    sessions.append(session, "user_message", text="From now on always run the linter before you commit.")
    assert omoide("extract", "--all").code == 0
    assert omoide("consolidate").code == 1
    step = next_line(omoide).split("  (")[0].split()
    assert step[:3] == ["omoide", "consolidate", "--review"]
    assert "From now on" in omoide(*step[1:]).out


def test_people_and_programs_are_told_in_one_wording_why_something_waits(omoide: Run, workspace: Path) -> None:
    def both(part: str) -> tuple[str, str]:
        (line,) = [line for line in omoide("status").out.splitlines() if line.startswith(f"{part} ")]
        return line.removeprefix(part).strip(), omoide("--json", "status").json[part]["why"]

    said, why = both("sessions")
    assert said == why == "none of this folder yet: run `omoide extract --all` once there is one"
    sessions = SessionStore.of_workspace(workspace)
    session = sessions.create("my-agent", session_kind="code", cwd=str(workspace))
    sessions.append(session, "user_message", text="From now on, always run the linter before you commit.")
    said, why = both("sessions")
    assert why == "run `omoide extract --all`"
    assert said.startswith("1 session, 1 of them with something new, about ")
    assert said.endswith(f"({why})")
    config = workspace / ".omoide/config.toml"
    before = config.read_text(encoding="utf-8")
    config.write_text(f"{before}\n[memory]\nextract_threshold = 20000\n", encoding="utf-8")
    assert both("sessions")[1] == "due at 20,000 tokens"
    config.write_text(before, encoding="utf-8")
    omoide("extract", "--all")
    said, why = both("sessions")
    assert (said, why) == ("1 session, nothing new to extract", "nothing new to extract")
    said, why = both("staging")
    assert said.endswith(f"({why})")
