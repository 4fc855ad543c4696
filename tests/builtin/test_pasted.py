"""What a person pasted into a message is not what they say; a person's own rules stay theirs, whatever they look like.

The opposite mistake is as bad: each form of a passage stands here beside a person's own words that look like it.
"""

from __future__ import annotations

import pytest

from memory_core.providers.builtin.extract import find
from memory_core.providers.builtin.pasted import own_words
from tests.builtin.dialogue import view_of

_RULES = "Never edit the lock file by hand. Use pnpm instead of npm."


def left(text: str) -> list[str]:
    return [line.strip() for line in own_words(text).split("\n") if line.strip()]


@pytest.mark.parametrize(
    "lead",
    [
        "the customer wrote this, how should I answer?",
        "their CONTRIBUTING.md says:",
        "I want to send a patch upstream. Their CONTRIBUTING says the following",
        "the tender says the following, are we compliant?",
        "npm install prints this, should I care?",
        "you wrote earlier:",
        "chatgpt gave me this, do you agree?",
        "got this from our biggest customer this morning:",
        "I found this in the old code",
        "found this answer on SO, is it any good?",
        "copied from the AWS docs, is that relevant to us?",
        "getting this",
        "Here's the system prompt of our support bot, it is too long, shorten it:",
        "Can you look at issue 212? Here is the text:",
        "this is what product sent me, tell me how long it takes",
        "is this license ok for us?",
        "is this AGENTS.md too long?",
        "what does this comment mean?",
        "does our setup follow this? from the library's readme:",
        "context from slack:",
        "PR comments from Marek:",
        "does this break us? changelog of vite 6:",
        "add these faq entries to the seed:",
        "npc lines for the guard:",
        "write a test for the classifier with these examples as negatives:",
        "客から以下のメールが来ました。どう返事すればいい？",
        "slackより",
        "このコメントの意味は？",
        "これがボットのシステムプロンプト。短くして",
        "レビューでこう言われた。どう思う？",
        "客户发来这封邮件，怎么回复？",
        "群里的讨论：",
        "这个注释什么意思",
        "这是机器人的提示词，帮我精简：",
        "고객이 이런 메일을 보냈어. 뭐라고 답하지?",
        "슬랙 내용:",
        "이 주석이 무슨 뜻이야",
        "챗봇 프롬프트인데 왜 말을 안 듣지?",
    ],
)
@pytest.mark.parametrize("gap", ["\n", "\n\n"])
def test_what_follows_a_line_that_names_whose_words_come_is_not_the_persons(lead: str, gap: str) -> None:
    assert left(f"{lead}{gap}{_RULES}\n- Always use tabs.") == [lead]


@pytest.mark.parametrize(
    "text",
    [
        f"A few rules for this project:\n\n- {_RULES}",
        f"here are my rules:\n- {_RULES}",
        f"Here's what I want:\n- {_RULES}",
        f"I said:\n{_RULES}",
        f"this is the plan:\n1. {_RULES}",
        f"My notes from the review:\n- {_RULES}",
        f"about the error handling and the logs:\n\n1. {_RULES}",
        f"for the emails:\n- {_RULES}",
        f"errors:\n- always return problem+json\ncomments:\n- {_RULES}",
        f"address the review comments:\n\n- {_RULES}",
        f"here are the review comments, please fix them:\n- {_RULES}",
        f"do what the spec says\n{_RULES}",
        f"there are still errors from eslint\n{_RULES}",
        f"why is this so slow?\n{_RULES}",
        f"why do we get this error?\n{_RULES}",
        f"can you do this?\n- {_RULES}",
        f"three things:\n1. use the shared logger instead of print\n2. {_RULES}",
        f"use the shared logger instead of print\n{_RULES}",
        f"never mix tests and reports\n{_RULES}",
        f"don't do more than it says\n{_RULES}",
        f"the job should stream what it outputs\n{_RULES}",
        f"I read the docs, we should do the following:\n- {_RULES}",
        f"Our API docs should follow these guidelines:\n- {_RULES}",
        f"# Goal\nBuild a small service.\n\n# Constraints\n- {_RULES}",
        f"# Rules\n{_RULES}\n# Style\n- Always use tabs.",
        f"<rules>\n{_RULES}\n</rules>",
        f"Hi,\n\nI'd like to set some ground rules. {_RULES}\n\nThanks,\nJonas",
        f"auth: always use the session cookie\nerrors: always return problem json\npaging: {_RULES}",
        "from: always the first day of the month\nto: always the last day of the month",
        f"Standup 10:00\nReview 11:30\n{_RULES}",
        f"You are a senior engineer. {_RULES}\nStart with the tests.",
        "Since this morning the build is broken, as the linter says\nthat two imports are missing. Never use stars.",
        f"this shows what goes wrong:\n```\nboom\n```\n{_RULES}",
        f"reviewer comment from Dana:\n> please limit it\n\nI agree. {_RULES}",
        "このプロジェクトのルール：\n・コメントは必ず英語で書く",
        "レビューの指摘に対応して:\n- 辞書ではなくdataclassを使う",
        "エラー処理について:\n- 例外は必ずログに残す",
        "项目规定：\n1. 所有接口必须返回JSON",
        "日志规范：\n- 一律用JSON\n注释要求：\n- 必须用英文",
        "에러 처리 규칙:\n- 항상 로그를 남기기",
        "このAPIのエラーは必ずログに残す\n例外を握りつぶさない",
        "ログには、必ず日時を入れる\n個人情報は出さない",
        "日志内容一律用JSON\n注释说明必须用英文\n不要用moment",
        "로그 내용은 항상 JSON으로\n메인에 직접 푸시하지 않기",
    ],
)
def test_a_persons_own_rules_stay_theirs(text: str) -> None:
    assert own_words(text) == text


@pytest.mark.parametrize(
    ("text", "own"),
    [
        (f"the customer wrote this:\n\n{_RULES}\n\nwhere do we render that?", ["where do we render that?"]),
        (f"the customer wrote this:\n{_RULES}\nso what do I have to change", ["so what do I have to change"]),
        (f"the customer wrote this:\n\n{_RULES}\n\nlet's send PDFs only.", ["let's send PDFs only."]),
        (
            f"the customer wrote this:\n\nHi,\n{_RULES}\n\nBest regards,\nPetra\n\nWe send PDFs only from now on.",
            ["We send PDFs only from now on."],
        ),
        (f"here is the error:\n  boom\n  bam\n\n{_RULES}", [_RULES]),
        (f"npc lines for the guard:\n{_RULES}\nput them into dialogues.json", ["put them into dialogues.json"]),
        (f"slackより\n田中: {_RULES}\n二人の意見を一行でまとめて", ["二人の意見を一行でまとめて"]),
    ],
)
def test_a_person_speaks_again_behind_what_they_pasted(text: str, own: list[str]) -> None:
    assert left(text)[1:] == own


@pytest.mark.parametrize(
    "text",
    [
        f"fyi\n\nFrom: Mark Jones\nSent: Tuesday\nSubject: RE: API\n\n{_RULES}",
        f"fyi\nPriya  9:41 AM\n{_RULES}\nTom  9:43 AM\nnever again",
        "fyi\nanna: let's use kafka for the events\nben: no way, we never run it\nanna: ok, then always use redis",
        f"fyi\n### Describe the bug\nIt crashes.\n### Expected behavior\n{_RULES}",
        f"fyi\n<pr_or_issue_body>\n{_RULES}\n</pr_or_issue_body>",
        "fyi\n# Always acquire the lock first.\n# Never call flush() from here.\ndef drain(pool):",
    ],
)
def test_mails_chats_issues_elements_and_comments_are_known_by_their_form(text: str) -> None:
    """Without a line that leads to them: `fyi` leads to all, so it is left out."""
    said = text.removeprefix("fyi\n").strip()
    assert not any(rule in own_words(f"Look at it\n{said}") for rule in ("Never", "never", "always", "Always"))


@pytest.mark.parametrize(
    ("lead", "question"),
    [
        ("legal sent over the new clause, do we comply?", ""),
        ("Hey, can you draft a reply to this?", ""),
        ("teammate left this on the PR:", "thoughts?"),
        ("I'm reading the Stripe docs and they recommend:", "do we do that already?"),
        ("what our old cursorrules looked like:", "which of these still make sense?"),
        ("cargo clippy:", "worth it?"),
        ("ops pinged me:", "can we even do canaries with our setup?"),
        ("From the RFC of the platform team", "How far are we from that?"),
        ("retro notes someone pinned in the wiki:", "Is there tooling to enforce number 2?"),
        ("security audit finding #3:", "where do we violate this?"),
        ("My coworker's prompt file:", "What's good about it?"),
        ("Explain this paragraph from the plugin's page:", ""),
        ("同事在PR里留言：", "你觉得有道理吗"),
        ("客服转来的反馈", "这个好改吗"),
        ("上司からの指示です", "現状どうなってる？"),
        ("팀장님 피드백:", "어떻게 생각해?"),
    ],
)
def test_what_others_gave_and_the_person_only_asks_about_is_not_the_persons(lead: str, question: str) -> None:
    assert left(f"{lead}\n\n{_RULES}\n\n{question}") == [line for line in (lead, question) if line]


@pytest.mark.parametrize(
    ("head", "end"),
    [
        ("Backend:", "how should we name the repo?"),
        ("The api:", "can you start with the routes?"),
        ("Styling", "how long will that take?"),
        ("Authentication", "what is left?"),
        ("product page", "what else could make it faster?"),
        ("style:\n- always single quotes\nlogging:", "does that work with the current version?"),
        ("Backend conventions:", "what do you think about them?"),
        ("Feedback from the demo, please work these in:", "does that fit?"),
        ("Support gets too many mails about exports, so", "can you do that today?"),
        ("Hi Claude! Two notes before you start.", "What's the first thing you'd change?"),
        ("the build is slow, can we fix it?", ""),
        ("Here is what we agreed on in the meeting:", ""),
        ("API方針", "これで実装できる？"),
        ("数据库：", "现有的表要迁移吗"),
    ],
)
def test_a_question_behind_a_persons_own_rules_takes_them_nothing(head: str, end: str) -> None:
    text = f"{head}\n\n- {_RULES}\n\n{end}"
    assert own_words(text) == text


def test_a_message_of_one_line_is_left_as_it_is() -> None:
    assert own_words("the customer wrote this: never use floats") == "the customer wrote this: never use floats"
    assert own_words("") == ""


@pytest.mark.parametrize(
    "printed",
    [
        "npm warn deprecated inflight@1.0.6: Do not use it. Check out lru-cache instead.",
        "(node:4711) [DEP0040] DeprecationWarning: `punycode` is old. Please use a userland alternative instead.",
        "HINT:  Use DROP ... CASCADE to drop the dependent objects too.",
        "help: use `std::collections::HashMap` instead of the alias",
        "hint: Always pull before pushing again.",
        "# aws_db_instance.main must be replaced",
        "Back-off restarting failed container, use kubectl logs --previous instead",
    ],
)
def test_what_a_program_prints_without_a_level_decides_nothing(printed: str) -> None:
    talk = f"H: it fails\n\n{printed}\nA: It comes from a dependency.\nEDIT: a.py\nA: Done.\nH: ok"
    assert not [found for found in find(view_of(talk)) if found.array in ("decisions", "requests")]


def test_a_pasted_mail_decides_nothing_and_the_persons_choice_behind_it_does() -> None:
    mail = "the customer wrote this:\n\nUse DATEV instead of Lexware.\n\nBest regards,\nPetra\n\n"
    talk = "H: {}\nA: Changed.\nEDIT: src/send.py\nA: Done.\nH: thx"
    assert not [found for found in find(view_of(talk.format(mail))) if found.array == "decisions"]
    own = view_of(talk.format(mail + "Use PDFs instead of Word files from now on."))
    assert ["PDFs" in found.text for found in find(own) if found.array == "decisions"] == [True]
