"""How people really talk to agents: errands, typos, picks by letter, verdicts, pasted traces. A13, issue 6 point 8."""

from __future__ import annotations

import pytest

from memory_core.providers.builtin.extract import find
from memory_core.providers.builtin.turns import Finding
from tests.builtin.dialogue import view_of

# Each is answered by one edit or command and an approval: nothing of it matters tomorrow.
ERRANDS = (
    "run the tests again",
    "can you run the tests again, i changed sth in the fixtures",
    "fix this typo",
    "fix the lint errors",
    "commit it",
    "push to a branch and open a PR",
    "ok thanks, show me the diff",
    "could you rename the local var `j` to `job` in that method, it's ugly",
    "TypeError: fetch failed\n    at Object.fetch (node:internal/deps/undici/undici:11731:11)\n\n?? on my machine",
    "create a scratch file for me and open it, i'll edit it",
    "テストもう一回流して",
    "コミットしといて",
    "typo直して",
    "再跑一遍测试",
    "커밋해줘",
)


def _found(text: str, array: str | None = None) -> list[Finding]:
    return [finding for finding in find(view_of(text)) if array in (None, finding.array)]


def _turn(said: str) -> str:
    return f"A: I looked at the module. It reads the config.\nH: {said}\nEDIT: src/app.py\nA: Done.\nH: thanks"


@pytest.mark.parametrize("said", ERRANDS, ids=lambda said: said[:40])
def test_errand_of_the_moment_gives_nothing(said: str) -> None:
    assert [dict(finding.fields) for finding in _found(_turn(said))] == []


@pytest.mark.parametrize(
    "said",
    [
        "dont use moment here, day.js only",
        "we always bump the schema version when a column changes",
        "from now on never run migrations against staging yourself",
        "omfg use rgb values in the themes, no rgb indices!",
        "and no pandas anywhere pls",
        "run them in a matrix instead",
        "our convention is snake_case for db columns",
        "wait no, use the v2 endpoint",
        "テストはvitestでお願いします",
        "外部ライブラリは増やさない方向で",
        "커밋 메시지는 영어로 써주세요",
    ],
)
def test_way_of_working_is_a_decision_however_hastily_typed(said: str) -> None:
    assert [finding.array for finding in _found(_turn(said))] == ["decisions"]


@pytest.mark.parametrize(
    "said",
    [
        "i think the list doesn't adhere to the invariant that every line must not be wider than the window",
        "hm, i selected the theme while you were working and got a crash, that should never happen.",
        "the block should stay as is",
    ],
)
def test_report_of_what_is_wrong_is_no_decision(said: str) -> None:
    assert _found(_turn(said), "decisions") == []


INLINE = "A: Options: (a) a ring of three buffers, or (b) a separate transfer queue. (a) is simple.\n"


@pytest.mark.parametrize(("reply", "chosen"), [("a", "a ring of three buffers"), ("b, metal is fine", "a separate tr")])
def test_option_offered_within_a_sentence_is_picked_by_its_letter(reply: str, chosen: str) -> None:
    (finding,) = _found(f"H: what can we do about the stutter\n{INLINE}H: {reply}", "decisions")
    assert str(finding.fields["chosen"]).startswith(chosen)
    assert len(finding.fields["options"]) == 2


def test_points_are_judged_one_by_one() -> None:
    plan = "A: Plan:\n1. Cache the install layer\n2. Use the buildx cache\n3. Run affected packages only\n\nOK?\n"
    reply = "H: 1 and 2 yes. 3 no, it skipped packages in spring. run all of them in a matrix instead"
    taken, rejected = _found(f"H: ci is slow\n{plan}{reply}", "decisions")
    assert taken.fields["chosen"] == "Cache the install layer; Use the buildx cache"
    assert "Not: Run affected packages only" in rejected.fields["chosen"]
    assert "matrix" in rejected.fields["chosen"]
    assert "spring" in rejected.fields["rationale"]


def test_plan_told_in_a_list_is_what_was_agreed_to() -> None:
    plan = "A: Here's my plan:\n\n1. Split the probes in two\n2. Give readiness its own connection\n\nShall I go ahead?"
    (finding,) = _found(f"H: the pod restarts\n{plan}\nH: yes go", "decisions")
    assert finding.fields["chosen"] == "Split the probes in two; Give readiness its own connection"


def test_open_question_is_the_topic_not_the_words_that_put_it_off() -> None:
    talk = (
        "H: should we move the mail sending into a queue? what do you think\n"
        "A: It would survive outages. The cost is a worker to monitor.\n"
        "H: yeah lets leave that for after the launch"
    )
    (finding,) = _found(talk, "discussions")
    assert str(finding.fields["topic"]).startswith("should we move the mail sending into a queue?")
    assert "It would survive outages." in finding.fields["points"]


WORK = "H: the water has a seam at the chunk borders, please fix it\nEDIT: water.rs\n$ cargo test => 61 passed\n"
CLAIM = "A: The normals sample one vertex into the neighbor now and the seam is gone; 61 tests pass.\n"


def test_success_that_the_person_denies_is_none() -> None:
    assert [f.fields["succeeded"] for f in _found(f"{WORK}{CLAIM}H: yep gone", "attempts")] == [True]
    denied = _found(f"{WORK}{CLAIM}H: no it isnt, still there when the neighbor isnt loaded yet", "attempts")
    assert [finding.fields["succeeded"] for finding in denied] == [False]


def test_what_is_taken_back_at_once_is_not_kept() -> None:
    ask = "H: the selector needs to push the theme update to the next tick\nEDIT: theme.ts\nA: Done.\n"
    assert [f.array for f in _found(f"{ask}H: hm ok")] == ["requests"]
    assert _found(f"{ask}H: yeah you can undo that, it was something else") == []


def test_another_script_of_the_same_runner_is_no_second_try() -> None:
    """`npm run check` passing says nothing of `npm run publish`, which failed."""
    talk = (
        "H: publish the package, and write down what it needs for the next time\n"
        "$! npm run publish => error TS2305: Module has no exported member 'EditorTheme'\n"
        "A: The build fails because the package does not export the theme interfaces.\n"
        "EDIT: src/index.ts\n"
        "$ npm run check => ok\n"
        "A: Now the check passes."
    )
    assert [finding.fields["succeeded"] for finding in _found(talk, "attempts") if finding.fields["succeeded"]] == []


def test_trouble_on_the_way_and_its_end_are_one_attempt() -> None:
    talk = (
        "H: cache the install layer of the docker build\n"
        "EDIT: Dockerfile\n"
        "$! docker build . => ERR_PNPM_NO_OFFLINE_TARBALL  A package is missing from the store\n"
        "A: It fails because the patches folder has to be copied before the fetch.\n"
        "EDIT: Dockerfile\n"
        "$ docker build . => Successfully built 5d3c\n"
        "A: The build works now and takes 3 minutes instead of 11.\n"
        "H: nice"
    )
    (finding,) = _found(talk, "attempts")
    assert finding.fields["succeeded"] is True
    assert "3 minutes" in finding.fields["result"]
    assert "patches folder" in finding.fields["result"]


def test_answer_to_why_is_kept_and_a_guess_is_not() -> None:
    asked = "H: why does the api pod restart every 40 minutes?\n$ kubectl describe pod => Exit 137\nREAD: api.yaml\n"
    found = (
        "A: The liveness probe waits for the connection pool. When the report holds it, the probe times out.\nH: ouch"
    )
    guess = "A: I suspect that the liveness probe waits for the connection pool, but it is probably memory.\nH: ouch"
    assert len(_found(asked + found, "attempts")) == 1
    assert _found(asked + guess, "attempts") == []


def test_pasted_text_is_not_quoted() -> None:
    said = (
        "please make the importer survive unknown columns in the bank file\n"
        "ActiveRecord::RecordNotFound (Couldn't find Lot):\n  app/lots.rb:18:in `show'\n"
        '{"level":"error","id":"req_1"}'
    )
    for finding in _found(_turn(said)):
        assert "RecordNotFound" not in repr(finding.fields)
        assert "req_1" not in repr(finding.fields)


def test_bug_that_was_mended_is_an_attempt_and_no_request() -> None:
    talk = (
        "H: hi, let's look at the export\n"
        "A: Sure.\n"
        "H: the monthly export in report.py crashes on windows for users whose order list is empty\n"
        "EDIT: report.py\n"
        "$ pytest => 12 passed\n"
        "A: It crashed because the header came from the first row. Empty lists give a header now; 12 tests pass.\n"
        "H: great"
    )
    (finding,) = _found(talk)
    assert (finding.array, finding.fields["succeeded"]) == ("attempts", True)
    open_bug = talk.replace("12 passed", "1 failed").split("A: It crashed")[0] + "A: I have no idea yet."
    assert [found.array for found in _found(open_bug)] == ["requests"]


def test_reply_that_turns_an_option_down_does_not_choose_it() -> None:
    """`agreed, no versioning` names the versioning that it does not want."""
    talk = (
        "H: should we version the API? some folks want /v2\n"
        "A: Options: URL versioning (/v2), header versioning, or none. With three consumers, all in our org, "
        "I'd not version yet.\n"
        "H: agreed, no versioning until an external customer integrates\nA: OK."
    )
    chosen = [str(finding.fields["chosen"]) for finding in _found(talk, "decisions")]
    assert not [text for text in chosen if "URL versioning" in text and "no versioning" not in text]


def test_reason_that_stands_alone_is_that_of_the_sentence_before_it() -> None:
    (found,) = _found(
        "A: 修正しました。\nH: あと、コミットメッセージは日本語で書いてね。チームの決まりだから\nA: わかりました。",
        "decisions",
    )
    assert str(found.fields["chosen"]).startswith("コミットメッセージは日本語で")
    assert found.fields["rationale"] == "チームの決まりだから"
