"""How people really talk to agents: errands, typos, picks by letter, verdicts, pasted traces. A13, issue 6 point 8."""

from __future__ import annotations

import pytest

from memory_core.providers.builtin.extract import find
from memory_core.providers.builtin.turns import Finding
from memory_core.providers.builtin.wording import titled
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


def _options(question: str, one: str, two: str) -> str:
    return f"H: {question}\nA: 案です。\n1. {one}\n2. {two}\nどちらにしますか？\n"


@pytest.mark.parametrize(
    ("talk", "parts"),
    [
        (
            _options("一覧の件数は？", "一度に300件まで返す", "ページに分けて返す")
            + "H: 1でお願い。ただし上限は120件にして",
            ("一度に300件まで返す", "120件"),
        ),
        (
            _options("ログの置き場は？", "標準出力に出す", "ファイルに30日残す")
            + "H: 2番で。ただし、残すのは7日にしてください",
            ("ファイルに30日残す", "7日"),
        ),
        ("H: 一覧の件数\nA: 上限は300件にしますか？\nH: はい。ただし120件で", ("300件", "120件")),
        (
            "H: limits?\nA: Options:\n1. 100 requests per minute\n2. Alert only\nWhich?\nH: 1 but with 60 per minute",
            ("100 requests", "60 per minute"),
        ),
        (
            "H: retention\nA: Should I keep the audit log for 90 days?\nH: yes, but 30 days on staging",
            ("90 days", "30 days"),
        ),
    ],
)
def test_option_taken_with_another_figure_is_one_decision(talk: str, parts: tuple[str, str]) -> None:
    """Two decisions would contradict each other, and both would stand."""
    (found,) = _found(talk, "decisions")
    assert all(part in found.fields["chosen"] for part in parts)


def test_what_an_english_but_adds_to_a_pick_stays_a_choice_of_its_own() -> None:
    talk = (
        "H: which?\nA: Options:\n1. keep the new path only\n2. keep both\nWhich one?\nH: 2, but keep the old path off"
    )
    (found,) = _found(talk, "decisions")
    assert found.fields["chosen"] == "keep both"


@pytest.mark.parametrize(
    "talk",
    [
        "H: 文字コードは？\nA: UTF-8 です。\nH: UTF-8 で統一しよう。ただし取引先向けだけは Shift_JIS を残して",
        "H: 認証は？\nA: 考えます。\nH: ただし、管理画面では外部ライブラリを使わないでください",
        _options("件数は？", "300件まで返す", "分けて返す") + "H: 1で。ただし120件で",
    ],
)
def test_title_never_opens_with_a_clause_that_needs_another(talk: str) -> None:
    found = _found(talk, "decisions")
    assert len(found) == 1
    assert not titled(found[0].text).startswith(("ただし", "但し", "でも"))


@pytest.mark.parametrize(
    ("said", "chosen"),
    [("1 の DuckDB でいこう", "DuckDB にまとめる"), ("2のCSVでお願いします", "CSV ファイルに分ける")],
)
def test_option_is_picked_by_its_number_and_its_name(said: str, chosen: str) -> None:
    (found,) = _found(_options("保存先は？", "DuckDB にまとめる", "CSV ファイルに分ける") + f"H: {said}", "decisions")
    assert found.fields["chosen"] == chosen


def test_number_with_something_else_of_the_option_is_no_bare_pick() -> None:
    talk = _options("保存先は？", "DuckDB にまとめる", "CSV ファイルに分ける") + "H: 1 の 圧縮は zstd でお願いします"
    assert [found.fields["chosen"] for found in _found(talk, "decisions")] == [
        "DuckDB にまとめる: 圧縮は zstd でお願いします"
    ]


@pytest.mark.parametrize(
    ("said", "parts"),
    [
        ("比較の前に小文字にそろえる。略語だけは除外で", ("小文字", "略語だけは除外")),
        ("郵便番号は半角で持つ方針で。海外の住所だけはそのまま", ("半角", "海外の住所")),
        ("NFCで正規化して、絵文字だけ除外", ("NFC", "絵文字だけ除外")),
    ],
)
def test_rule_and_its_exception_are_one_decision(said: str, parts: tuple[str, str]) -> None:
    (found,) = _found(f"H: 表記ゆれで当たらない\nA: 揃え方はいくつかあります。\nH: {said}", "decisions")
    assert all(part in found.fields["chosen"] for part in parts)


@pytest.mark.parametrize(
    ("plan", "said", "parts"),
    [
        (
            "I plan to store timestamps in local time and parse them with dateutil.",
            "no, UTC. dateutil for parsing is fine",
            ("UTC", "dateutil for parsing is fine", "timestamps"),
        ),
        (
            "I'll return 404 when the token has expired, and log the request id.",
            "No, 410, the client tells them apart. The request id is right",
            ("410", "request id is right", "token has expired"),
        ),
        (
            "Should I round prices with ROUND_HALF_EVEN and keep Decimal in the models?",
            "No, ROUND_UP. Customs wants it so. Decimal in the models is fine.",
            ("ROUND_UP", "Decimal in the models is fine", "ound prices"),
        ),
    ],
)
def test_correction_by_a_mere_name_says_what_it_corrects(plan: str, said: str, parts: tuple[str, ...]) -> None:
    (found,) = _found(f"H: next\nA: {plan}\nH: {said}", "decisions")
    assert all(part in found.fields["chosen"] for part in parts)


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("What limits do you want?", "sliding window, 5 attempts per minute per ip, then a 15 min lock"),
        ("I'll retry 3 times with a fixed delay.", "exponential backoff, max 5 tries, starting at 2s"),
        ("Want me to add a limit on uploads?", "yes, 20 MB per file, 5 files at once"),
        ("I could batch the upload in chunks, or send it whole.", "chunks of 8 MB, max 3 parallel, no resume"),
    ],
)
def test_specification_without_a_verb_answers_the_question(asked: str, said: str) -> None:
    (found,) = _found(f"H: make it robust\nA: {asked}\nH: {said}", "decisions")
    assert said.removeprefix("yes, ")[1:] in found.fields["chosen"]
    assert asked.split(",")[0].removeprefix("Want me to add ").rstrip("?.") in found.fields["chosen"]


def test_terse_answers_in_japanese_say_what_they_answer() -> None:
    (spec,) = _found("H: 送信\nA: リトライはどうしますか？\nH: 指数バックオフ、最大5回、初回2秒", "decisions")
    assert spec.fields["chosen"] == "指数バックオフ、最大5回、初回2秒（対象: リトライはどうしますか？）"
    (name,) = _found("H: 丸め\nA: ROUND_HALF_EVEN で丸めます。\nH: いや、ROUND_UP で", "decisions")
    assert name.fields["chosen"].startswith("ROUND_UP")
    assert _found("H: 版\nA: どの版を使っていますか？\nH: node 20、pnpm 9、macOS 14", "decisions") == []
    assert _found("H: 丸め\nA: 直しました。\nH: いや、まだ3件落ちる", "decisions") == []


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("Which versions do you run?", "node 20.11, pnpm 9, macos 14"),
        ("I'll run the suite.", "3 failed, 12 passed in 10s"),
        ("I'll fix the header.", "no, still 2 errors"),
        ("I'll move the button to the left.", "no, the other one"),
        ("Should I look at the log?", "no, it is 3 MB, too long"),
    ],
)
def test_phrase_that_tells_a_fact_is_no_decision(asked: str, said: str) -> None:
    assert _found(f"H: hello\nA: {asked}\nH: {said}\nA: I see.", "decisions") == []


@pytest.mark.parametrize(
    "said",
    ["no cache until the report takes more than 2 seconds", "ok, no sharding unless the table passes 50 million rows"],
)
def test_no_until_is_a_rule(said: str) -> None:
    (found,) = _found(f"H: what about it?\nA: There are three ways to do that.\nH: {said}", "decisions")
    assert found.fields["chosen"].lower() in said


@pytest.mark.parametrize("said", ["no output until the second click", "no errors until I rotate the phone"])
def test_no_until_that_tells_what_happens_is_none(said: str) -> None:
    assert _found(f"H: hello\nA: Try it now.\nH: {said}", "decisions") == []


@pytest.mark.parametrize(
    ("told", "said", "named"),
    [
        (
            "Streaming the PDF through the edge proxy breaks, the proxy buffers it.",
            "that won't work then, we keep the background job",
            "edge proxy",
        ),
        ("I tried the Temporal SDK. It does not run here.", "ok. That's a dead end; we keep Celery", "Temporal"),
        ("I tried Kafka. Kafka needs its own cluster here.", "That's a dead end; we stick with Redis streams", "Kafka"),
    ],
)
def test_choice_that_points_back_says_at_what(told: str, said: str, named: str) -> None:
    (found,) = _found(f"H: can we?\nA: {told}\nH: {said}", "decisions")
    assert named in found.fields["chosen"]
    assert said[-12:] in found.fields["chosen"]


@pytest.mark.parametrize(
    "said",
    [
        "thatÄ's not the release script. see publish.ts",
        "thatâ€™s the staging server with an old snapshot. see ledger.py",
        "Compiling 214 crates\nDownloading dependencies from registry\nListening on http://localhost:3000",
        "Debugger attached to worker process\nWaiting for the worker process to disconnect from ledger.py",
    ],
)
def test_garbled_remark_and_output_of_a_program_ask_for_nothing(said: str) -> None:
    assert _found(f"H: hi\nA: hi\n{_turn(said)[_turn(said).index('H:') :]}", "requests") == []


def test_number_with_a_rule_behind_it_is_picked_with_its_rule() -> None:
    """`3, no versioning until ...` rejects nothing: it takes the third option."""
    talk = (
        "H: v?\nA: Options:\n1. in the URL\n2. a header\n3. none\nWhich?\nH: 3, no versioning until we have a customer"
    )
    (found,) = _found(talk, "decisions")
    assert found.fields["chosen"] == "none: no versioning until we have a customer"


@pytest.mark.parametrize("said", ["動いた。Windows だけ例外", "all tests pass. except the linux one"])
def test_exception_to_a_report_decides_nothing(said: str) -> None:
    assert _found(f"H: hello\nA: 直しました。\nH: {said}", "decisions") == []


def test_sentence_about_loading_is_no_output() -> None:
    said = "Loading the report takes 9 seconds for big customers, make it lazy per section"
    assert len(_found(_turn(said), "requests")) == 1
