"""Runs that wait for a person, and workflows that were offered, on the command line."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from memory_core.consolidate import offers
from memory_core.consolidate.task import WorkflowOffer
from memory_core.layout import Layout
from memory_core.store.filestore import FileStore
from memory_core.store.session_store import SessionStore
from tests.cli.conftest import Run

NOW = datetime(2026, 1, 31, 9, tzinfo=UTC)
RULE = "From now on, always run the linter before you commit."
TEXT = "---\ndescription: How a release is cut. Use for one.\n---\n\n1. Run the tests.\n"


def talk(workspace: Path, rule: str = RULE) -> str:
    """A session in which a person makes a rule."""
    sessions = SessionStore.of_workspace(workspace)
    session = sessions.create("my-agent", session_kind="code", cwd=str(workspace))
    sessions.append(session, "user_message", text=rule)
    sessions.append(session, "assistant_message", text="Understood, I will run the linter before each commit.")
    return session


def held(omoide: Run, workspace: Path) -> str:
    """The id of a run that waits for review."""
    (workspace / ".omoide/config.toml").write_text('[memory]\nconsolidate_review = "preview"\n', encoding="utf-8")
    assert omoide("extract", "--session", talk(workspace)).code == 0
    made = omoide("--json", "consolidate")
    assert made.code == 1
    assert made.json["status"] == "held"
    return str(made.json["run_id"])


def records(workspace: Path) -> set[str]:
    root = workspace / ".omoide"
    return {p.name for folder in ("memory/decisions", "knowledge", "workflow") for p in (root / folder).glob("*.md")}


def test_status_names_a_run_that_waits_and_how_to_see_it(omoide: Run, workspace: Path) -> None:
    """T07, T18: a state without an exit is what people complain about."""
    run_id = held(omoide, workspace)
    assert run_id in omoide("status").out
    (waiting,) = omoide("--json", "status").json["held"]
    assert (waiting["run_id"], waiting["records"] > 0) == (run_id, True)
    again = omoide("consolidate")
    assert f"waits for your review of {run_id}" in again.out


def test_a_review_shows_each_change_with_who_said_what(omoide: Run, workspace: Path) -> None:
    """T31: a person can say for each line where it came from."""
    run_id = held(omoide, workspace)
    shown = omoide("consolidate", "--review", run_id)
    assert shown.code == 0
    assert "+++ b/" in shown.out
    assert "human, session " in shown.out
    assert f", entry 1: {RULE}" in shown.out
    assert f"omoide consolidate --accept {run_id}" in shown.out
    (plain,) = omoide("--json", "consolidate", "--review", "all").json["held"]
    assert plain["changes"][0]["because"][0]["evidence"][0]["speaker"] == "human"


def test_what_is_held_is_said_once(omoide: Run, workspace: Path) -> None:
    (workspace / ".omoide/config.toml").write_text('[memory]\nconsolidate_review = "preview"\n', encoding="utf-8")
    assert omoide("consolidate").out.startswith("nothing is staged")
    assert omoide("extract", "--session", talk(workspace)).code == 0
    shown = omoide("consolidate").out
    assert "\nheld for review, as you asked; nothing was written\n" in shown
    assert "held: held" not in shown


def test_accepting_writes_it_and_undo_takes_it_back(omoide: Run, workspace: Path) -> None:
    before = records(workspace)
    run_id = held(omoide, workspace)
    done = omoide("consolidate", "--accept", run_id)
    assert done.code == 0
    assert "committed: accepted after review" in done.out
    assert "  create .omoide/knowledge/always-run-linter" in done.out, "as a path, like every other run"
    assert records(workspace) > before
    assert omoide("--json", "status").json["held"] == []
    assert omoide("undo", run_id).code == 0
    assert records(workspace) == before


def test_rejecting_drops_it_and_leaves_the_candidates(omoide: Run, workspace: Path) -> None:
    run_id = held(omoide, workspace)
    done = omoide("--json", "consolidate", "--reject", run_id)
    assert done.json["status"] == "rejected"
    assert len(done.json["left"]) == len(omoide("--json", "staging").json["candidates"]) > 0
    assert "No run waits for review." in omoide("consolidate", "--review", "all").out


@pytest.mark.parametrize(
    "arguments", [("--accept", "x", "--reject", "x"), ("--review", "x", "--dry-run"), ("--accept", "x", "--if-due")]
)
def test_options_that_exclude_each_other_are_misuse(omoide: Run, workspace: Path, arguments: tuple[str, ...]) -> None:
    assert omoide("consolidate", *arguments).code == 2


@pytest.mark.parametrize("verb", ["--accept", "--reject", "--review"])
def test_an_unknown_run_is_one_clear_line(omoide: Run, workspace: Path, verb: str) -> None:
    run_id = held(omoide, workspace)
    answer = omoide("consolidate", verb, "made-up")
    assert answer.code in (1, 2)
    assert run_id in answer.err
    assert "Traceback" not in answer.err


def offered(workspace: Path) -> FileStore:
    store = FileStore(Layout(workspace / ".omoide"))
    offers.keep(store, "run", NOW, [WorkflowOffer("cut-a-release", TEXT, "It was done three times.")])
    return store


def test_offers_are_listed_whole_with_the_ways_to_answer(omoide: Run, workspace: Path) -> None:
    offered(workspace)
    shown = omoide("staging", "offers")
    assert "/cut-a-release" in shown.out
    assert "1. Run the tests." in shown.out
    assert "--never cut-a-release" in shown.out
    assert records(workspace) == set() or "cut-a-release.md" not in records(workspace)


def test_status_names_the_workflows_that_are_offered(omoide: Run, workspace: Path) -> None:
    """T07"""
    offered(workspace)
    assert "offered    workflow /cut-a-release: " in omoide("status").out
    (offer,) = omoide("--json", "status").json["offers"]
    assert (offer["slug"], offer["answer"]) == ("cut-a-release", "open")
    assert omoide("staging", "offers", "--never", "cut-a-release").code == 0
    assert omoide("--json", "status").json["offers"] == []


def test_an_offer_is_written_on_a_word_and_can_be_undone(omoide: Run, workspace: Path) -> None:
    offered(workspace)
    done = omoide("--json", "staging", "offers", "--create", "cut-a-release")
    assert done.json["answer"] == "created"
    path = workspace / ".omoide/workflow/cut-a-release.md"
    assert path.read_text(encoding="utf-8") == TEXT
    assert omoide("--json", "staging", "offers").json["offers"] == []
    assert omoide("undo", done.json["run_id"]).code == 0
    assert not path.exists()


def test_never_and_later_are_kept(omoide: Run, workspace: Path) -> None:
    store = offered(workspace)
    assert omoide("staging", "offers", "--later", "/cut-a-release").code == 0
    assert [offer.answer for offer in store.offers()] == ["later"]
    assert len(omoide("--json", "staging", "offers").json["offers"]) == 1
    assert omoide("staging", "offers", "--never", "cut-a-release").code == 0
    assert omoide("--json", "staging", "offers").json["offers"] == []
    assert omoide("staging", "offers").out.strip() == "No workflow is offered."


def test_an_offer_does_not_overwrite_what_a_person_wrote_meanwhile(omoide: Run, workspace: Path) -> None:
    offered(workspace)
    path = workspace / ".omoide/workflow/cut-a-release.md"
    path.write_text("---\ndescription: Mine. Use it.\n---\n\nMine.\n", encoding="utf-8")
    answer = omoide("staging", "offers", "--create", "cut-a-release")
    assert answer.code in (1, 2)
    assert "exists already" in answer.err
    assert "Mine." in path.read_text(encoding="utf-8")


def test_an_unknown_offer_is_one_clear_line(omoide: Run, workspace: Path) -> None:
    answer = omoide("staging", "offers", "--create", "made-up")
    assert answer.code in (1, 2)
    assert "No workflow `made-up` was offered" in answer.err
    assert omoide("staging", "offers", "--create", "a", "--never", "a").code == 2


def test_a_fresh_workspace_fed_the_same_rule_twice_ends_with_knowledge_that_is_not_resident(
    omoide: Run, workspace: Path
) -> None:
    """T28, and the promise of the project: knowledge starts without a single read, and nothing turns itself on."""
    decision = "We decided to store the sessions in Redis instead of Postgres, because reads are faster there."
    for _ in range(2):
        assert omoide("extract", "--session", talk(workspace, decision)).code == 0
        assert omoide("consolidate").code == 0
    found = [p.read_text(encoding="utf-8") for p in (workspace / ".omoide/knowledge").glob("*.md")]
    about = [text for text in found if "Redis" in text]
    assert len(about) == 1
    assert "model_invokation: false" in about[0]
    assert about[0].count("session_id:") == 2
    assert omoide("lint").code == 0


def test_the_same_log_twice_adds_nothing(omoide: Run, workspace: Path) -> None:
    """T26, T62"""
    session = talk(workspace)
    omoide("extract", "--session", session)
    first = omoide("--json", "consolidate").json
    assert (first["churn"]["created"] > 0, first["churn"]["deleted"]) == (True, 0)
    before = {p: p.read_bytes() for p in (workspace / ".omoide").rglob("*.md")}
    log = SessionStore.of_workspace(workspace).path(session)
    kept = [line for line in log.read_text(encoding="utf-8").splitlines() if '"memory.extract"' not in line]
    log.write_text("\n".join(kept) + "\n", encoding="utf-8")
    assert json.loads(omoide("--json", "extract", "--session", session).out)["runs"][0]["status"] == "staged"
    again = omoide("--json", "consolidate").json
    assert again["changes"] == []
    assert (again["left"], again["churn"]["share"]) == ([], 0.0)
    assert {p: p.read_bytes() for p in (workspace / ".omoide").rglob("*.md")} == before


def test_residency_is_proposed_with_its_figures_and_never_set(omoide: Run, workspace: Path) -> None:
    path = workspace / ".omoide/knowledge/ports.md"
    text = (
        "---\ncreated_at: 2026-01-01T00:00:00Z\nupdated_at: 2026-01-01T00:00:00Z\nkind: fact\n"
        "description: The port. Read before tests.\nmodel_invokation: false\nuser_invocable: true\n"
        "last_sources: []\n---\n\nThe port is 8080.\n"
    )
    path.write_text(text, encoding="utf-8")
    for _ in range(6):
        assert omoide("read", "knowledge", "ports").code == 0
    omoide("extract", "--session", talk(workspace))
    run = omoide("consolidate", "--dry-run")
    assert "could be resident knowledge/ports: read 6 times" in run.out
    (proposal,) = omoide("--json", "consolidate").json["proposals"]
    assert (proposal["slug"], proposal["use_count"], proposal["tokens"] > 0) == ("ports", 6, True)
    assert path.read_text(encoding="utf-8") == text


def test_accepting_says_what_changed_since_it_was_shown(omoide: Run, workspace: Path) -> None:
    """T39: what a person saw is what is written, or they are told what is different by now."""
    run_id = held(omoide, workspace)
    (shown,) = omoide("--json", "consolidate", "--review", run_id).json["held"]
    path = workspace / ".omoide" / shown["changes"][0]["path"]
    path.parent.mkdir(exist_ok=True)
    path.write_text("Written by hand meanwhile.\n", encoding="utf-8")
    refused = omoide("consolidate", "--accept", run_id)
    assert refused.code == 1
    assert "exists already; nothing was written" in refused.out
    assert "What changed since the run was made" in refused.out
    assert "+Written by hand meanwhile." in refused.out
    assert f"--reject {run_id}" in refused.out
    assert "+Written by hand" in omoide("--json", "consolidate", "--accept", run_id).json["changed_since"]
    path.unlink()
    assert omoide("consolidate", "--accept", run_id).code == 0


def test_a_candidate_that_says_nothing_becomes_no_record(omoide: Run, workspace: Path) -> None:
    """A file made by hand may hold anything; what else is in it goes on (T34)."""
    good = {"chosen": "Use SQLite for the queue", "options": ["SQLite", "Redis"], "rationale": "nothing to run"}
    source = {"session_id": "s-1", "range": [0, 9]}
    said = {"evidence_id": "M0001", "entry_range": [3, 3], "kind": "message", "speaker": "human"}
    evidence = [{**said, "sha256": "ab" * 32, "excerpt": "Let us use SQLite for the queue"}]
    file = {"schema_version": 1, "source": source, "decisions": [{"chosen": " "}, {**good, "evidence": evidence}]}
    name = "01990000-0000-7000-8000-0000000000aa"
    path = workspace / f".omoide/memory/_staging/{name}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({**file, "id": name}), encoding="utf-8")
    assert "its `chosen` is empty: the next consolidation discards it" in omoide("staging").out
    before = records(workspace)
    done = omoide("--json", "consolidate").json
    how = {closed["candidate"]: (closed["action"], closed["reason"]) for closed in done["closed"]}
    assert how[f"{name}/decisions/0"] == (
        "discarded",
        "its `chosen` is empty: it says nothing that could be remembered",
    )
    assert how[f"{name}/decisions/1"][0] == "applied"
    assert len(records(workspace) - before) == 1


def test_the_input_of_a_consolidation_can_be_seen_before_there_is_a_model(omoide: Run, workspace: Path) -> None:
    """What would leave the machine, exactly and with its price; nothing is called or written."""
    assert "asked nothing" in omoide("consolidate", "--input").out
    omoide("extract", "--session", talk(workspace))
    before = sorted((path, path.stat().st_mtime_ns) for path in (workspace / ".omoide/memory").rglob("*"))
    shown = omoide("consolidate", "--input", "--provider", "openai")
    assert shown.code == 0
    assert "### System prompt" in shown.out
    assert "always run the linter" in shown.out
    assert shown.out.rstrip().endswith("tokens, and again in each further turn")
    told = omoide("--json", "consolidate", "--input").json
    assert [message["role"] for message in told["messages"]] == ["system", "user"]
    assert len(told["tools"]) == 9
    assert told["tokens"] > 2_000
    assert sorted((path, path.stat().st_mtime_ns) for path in (workspace / ".omoide/memory").rglob("*")) == before


def staged_file(workspace: Path) -> Path:
    (path,) = (workspace / ".omoide/memory/_staging").glob("*.json")
    return path


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"excerpt": "Deploy on Fridays only, that is settled.", "sha256": "0" * 64}, "has no “Deploy on Fridays"),
        ({"entry_range": [0, 999_999]}, "names entries 0 to 999999"),
        (None, "it has no evidence"),
    ],
    ids=["forged words", "a span of everything", "no evidence"],
)
def test_an_edited_staging_file_is_reported_and_makes_no_record(
    omoide: Run, workspace: Path, change: dict[str, object] | None, why: str
) -> None:
    assert omoide("extract", "--session", talk(workspace)).code == 0
    assert "doubtful-evidence" not in omoide("audit", "--no-keep").out, "as it was extracted, it holds"
    path = staged_file(workspace)
    data = json.loads(path.read_text(encoding="utf-8"))
    for array in ("decisions", "discussions", "attempts", "requests"):
        for candidate in data[array]:
            candidate["evidence"] = [{**anchor, **change} for anchor in candidate["evidence"]] if change else []
    path.write_text(json.dumps(data), encoding="utf-8")
    told = omoide("audit", "--no-keep")
    assert told.code == 1
    assert why in told.out
    assert "doubtful-evidence" in told.out
    done = omoide("consolidate")
    assert why in done.out
    assert not records(workspace)
    assert staged_file(workspace).exists()


def test_a_run_that_only_closed_says_what_its_undo_does(omoide: Run, workspace: Path) -> None:
    """It wrote no record: the undo, which exists, stages the candidates again."""
    assert omoide("extract", "--session", talk(workspace)).code == 0
    path = staged_file(workspace)
    data = json.loads(path.read_text(encoding="utf-8"))
    data["decisions"] = [{"chosen": " "}]
    data["requests"] = data["discussions"] = data["attempts"] = []
    path.write_text(json.dumps(data), encoding="utf-8")
    done = omoide("consolidate")
    assert "no record was written, it stages the candidates again" in done.out
    run_id = done.out.split("omoide undo ")[1].split("`")[0]
    assert omoide("undo", run_id).code == 0
    assert path.exists()
