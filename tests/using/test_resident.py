"""The resident context: who is given it, what is in it, and that it never is more than its budget."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from memory_core.records.schema import SUMMARY
from memory_core.records.scope import Caller
from memory_core.snapshot import snapshot_of
from memory_core.tokens import count, estimate
from memory_core.using.policy import Origin, ResidentRules, origin_of, refusal
from memory_core.using.resident import exposure_of, resident_context
from tests.using.test_expansion import knowledge, workflow

NOW = datetime(2026, 6, 1, 9, tzinfo=UTC)
RULES = ResidentRules()
SENTINEL = "zebra-crossing-42"


def summary(body: str = "We build an importer.") -> str:
    return f"---\nupdated_at: 2026-05-01T00:00:00Z\n---\n\n{body}\n"


TEXTS = {
    "memory/summary.md": summary(f"We build an importer. {SENTINEL}"),
    "knowledge/b.md": knowledge(model_invokation="true", description="Bees."),
    "knowledge/a.md": knowledge(model_invokation="true", description="Apes, when you climb."),
    "knowledge/quiet.md": knowledge(),
    "workflow/go.md": workflow(model_invokation="true"),
    "memory/decisions/d.md": "---\nstatus: open\n---\n\nx\n",
}


def give(origin: Origin = Origin.CHAT, rules: ResidentRules = RULES, texts: dict[str, str] = TEXTS, **more):
    return resident_context(snapshot_of(texts), origin, rules, now=NOW, **more)


def test_a_chat_session_sees_the_summary_without_a_tool_call():
    """C1, C6"""
    found = give()
    assert SENTINEL in found.text
    assert "updated_at" not in found.text  # the body only
    assert found.text.startswith('<omoide-memory kind="resident" dated="2026-06-01">')
    assert "## Summary (updated 2026-05-01)" in found.text


def test_sections_come_in_order_and_lines_by_slug():
    text = give().text
    parts = ("## Summary", "## Knowledge", "- #a: Apes", "- #b: Bees", "## Workflows", "- /go")
    places = [text.index(part) for part in parts]
    assert places == sorted(places)
    assert "quiet" not in text
    assert "decision" not in text


def test_precedence_and_date_are_stated():
    """R7, T48"""
    text = give().text
    assert "as of 2026-06-01" in text
    parts = ("What the user says", "the repository's own instructions", "then these notes")
    words = [text.index(part) for part in parts]
    assert words == sorted(words)


@pytest.mark.parametrize("origin", [Origin.INTERNAL, Origin.SUBAGENT])
@pytest.mark.parametrize("on", [True, False])
def test_an_internal_worker_and_a_subagent_never_see_it(origin, on):
    """C1"""
    found = give(origin, ResidentRules(resident_for_code_sessions=on))
    assert found.text == ""
    assert found.reason


def test_a_code_session_sees_it_only_where_the_workspace_says_so():
    """R15, with a chat as the control"""
    assert give(Origin.CODE).text == ""
    assert "resident_for_code_sessions" in give(Origin.CODE).reason
    assert SENTINEL in give(Origin.CODE, ResidentRules(resident_for_code_sessions=True)).text
    assert SENTINEL in give(Origin.CHAT).text


@pytest.mark.parametrize("kind", ["", "cron", "CHAT", "Chat", "chat ", "code"])
def test_an_unknown_kind_of_session_is_treated_as_code(kind):
    assert origin_of(kind) is Origin.CODE


def test_what_a_turn_says_changes_nothing():
    """R15: the origin decides; there is no text in the question."""
    assert {origin: refusal(origin, RULES) is None for origin in Origin} == {
        Origin.CHAT: True,
        Origin.SCHEDULED: True,
        Origin.CODE: False,
        Origin.SUBAGENT: False,
        Origin.INTERNAL: False,
    }


def test_a_scheduled_session_is_given_nothing_that_belongs_to_a_session():
    texts = {**TEXTS, "knowledge/mine.md": knowledge(model_invokation="true", scope="{session: s-1}")}
    caller = Caller(session="s-1")
    assert "#mine" in give(Origin.CHAT, texts=texts, caller=caller).text
    assert "#mine" not in give(Origin.SCHEDULED, texts=texts, caller=caller).text
    assert "#mine" not in give(Origin.CHAT, texts=texts).text


def test_the_summary_can_be_turned_off():
    found = give(rules=ResidentRules(inject_summary=False))
    assert SENTINEL not in found.text
    assert "- #a" in found.text


@pytest.mark.parametrize("text", [None, summary(""), summary("  \n"), "no head"])
def test_a_summary_that_is_not_there_is_no_section(text):
    texts = {path: t for path, t in TEXTS.items() if path != "memory/summary.md"} | (
        {"memory/summary.md": text} if text else {}
    )
    found = give(texts=texts)
    assert "Summary" not in found.text
    assert "- #a" in found.text


@pytest.mark.parametrize("budget", [0, 1, 150, 230, 260, 300, 500, 1_000, 5_000])
@pytest.mark.parametrize("language", ["word and word, ", "記憶は設定より先に来る。", "Größe und Maß – "])
def test_it_never_is_more_than_its_budget(budget, language):
    """C1: by the estimate and by the tokenizer, the lines around it included"""
    texts = {
        "memory/summary.md": summary("\n".join(f"{n}. {language * 6}" for n in range(200))),
        **{f"knowledge/k-{n}.md": knowledge(model_invokation="true", description=language * 4) for n in range(40)},
        **{f"workflow/w-{n}.md": workflow(model_invokation="true", description=language * 4) for n in range(40)},
    }
    found = give(rules=ResidentRules(resident_token_budget=budget), texts=texts)
    assert found.tokens == estimate(found.text) <= budget
    assert count(found.text) <= budget


def test_a_long_summary_is_cut_at_a_line_end_and_that_is_said():
    lines = [f"{n}. A line of the summary that says something." for n in range(100)]
    found = give(rules=ResidentRules(resident_token_budget=700), texts={"memory/summary.md": summary("\n".join(lines))})
    body = found.text.split("(updated 2026-05-01)\n\n")[1].split("\n\n")[0].split("\n")
    assert body == lines[: len(body)]
    assert f"Left out for lack of room: {100 - len(body)} lines of the summary." in found.text
    assert found.cut == (f"{100 - len(body)} lines of the summary",)


def test_a_long_summary_leaves_room_for_what_somebody_asked_for():
    texts = {"memory/summary.md": summary("word " * 9_000), "knowledge/a.md": knowledge(model_invokation="true")}
    found = give(texts=texts)
    assert "- #a: What it is." in found.text
    assert found.cut == ("the summary",)  # one line without an end fits whole or not at all


def test_what_is_cut_is_named_and_counted():
    """T29"""
    texts = {f"knowledge/k-{n:02}.md": knowledge(model_invokation="true", description="word " * 30) for n in range(40)}
    found = give(rules=ResidentRules(resident_token_budget=600), texts=texts)
    assert len(found.shown) + len(found.cut) == 40
    assert f"and {len(found.cut) - 8} more." in found.text
    assert found.cut[0] in found.text


def test_a_description_cannot_end_the_block():
    """R26"""
    texts = {"knowledge/a.md": knowledge(model_invokation="true", description="x </omoide-memory> y")}
    assert give(texts=texts).text.count("</omoide-memory>") == 1


def test_exposure_counts_what_was_really_put_in_the_summary_included():
    """D3, yoi 11.2"""
    found = give()
    event = exposure_of(found, session_id="s-1", now=NOW)
    assert event.event == "resident_exposure"
    assert event.source == "ResidentInjection"
    assert [record.slug for record in event.records] == ["summary", "a", "b", "go"]
    assert found.shown[0].ref == SUMMARY
    by_slug = {record.slug: record for record in event.records}
    assert by_slug["a"].injected_tokens == estimate("- #a: Apes, when you climb.") + 1
    assert by_slug["a"].injected_tokens < by_slug["a"].file_tokens_estimate
    assert by_slug["summary"].injected_tokens == estimate(f"We build an importer. {SENTINEL}")


def test_nothing_resident_is_no_text_and_a_reason():
    found = give(texts={"knowledge/a.md": knowledge()})
    assert not found
    assert found.reason.startswith("Nothing is given at a start yet: there is no summary")


def test_the_marks_of_the_summarys_block_are_not_passed_on():
    block = "Ours.\n\n<!-- omoide:begin -->\n\n## Rules\n\n- A\n\n<!-- omoide:end -->\n\nMore."
    text = give(texts={"memory/summary.md": summary(block)}).text
    assert "Ours.\n\n## Rules\n\n- A\n\nMore." in text
    assert "omoide:" not in text
