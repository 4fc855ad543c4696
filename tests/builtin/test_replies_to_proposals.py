"""Replies to a proposal and to a list of options, in four languages, written down after the rules were made."""

from __future__ import annotations

import pytest

from tests.builtin.test_builtin_real_talk import _found


def _decisions(text: str) -> list[str]:
    return [str(finding.fields["chosen"]) for finding in _found(text) if finding.array == "decisions"]


_STREAM = {
    "en": "A: The upload handler keeps everything in memory. Should I stream the uploads to disk in chunks?\n",
    "ja": "A: アップロードは全部メモリに載ります。アップロードをディスクにストリーミングしましょうか？\n",
    "zh": "A: 上传内容全部放在内存里。要不要把上传改成分块写入磁盘？\n",
    "ko": "A: 업로드가 전부 메모리에 올라갑니다. 업로드를 디스크로 스트리밍할까요?\n",
}
_THING = {"en": "tream", "ja": "ストリーミング", "zh": "分块", "ko": "스트리밍"}
_WAYS = {
    "en": (
        "A: There are three ways:\n1. a cron job on the server\n2. a queue with delayed jobs\n"
        "3. a Postgres trigger\nWhich one do you prefer?\n"
    ),
    "ja": "A: 三つの方法があります。\n1. cronジョブ\n2. 遅延キュー\n3. Postgresのトリガー\nどれにしますか？\n",
    "zh": "A: 有三个方案：\n1. 服务器上的定时任务\n2. 延迟队列\n3. 数据库触发器\n选哪个？\n",
    "ko": "A: 세 가지 방법이 있습니다.\n1. 서버의 cron 작업\n2. 지연 큐\n3. 트리거 사용\n어떤 것으로 할까요?\n",
}
_QUEUE = {"en": "queue", "ja": "キュー", "zh": "队列", "ko": "큐"}
_WITHHELD = [
    ("en", "yes I know, Tim is already on it"),
    ("en", "ok, but what about Windows"),
    ("en", "sure, whenever you have time next year"),
    ("en", "yeah maybe"),
    ("en", "ok noted, back to the login bug"),
    ("en", "sounds good but we can't touch that file before the audit"),
    ("en", "right, I forgot about that. leave it"),
    ("en", "ok no"),
    ("en", "sure, after the release"),
    ("en", "yes but I'd have to clear that with security"),
    ("en", "good idea for v2. today only the bug please"),
    ("en", "ok cool, thanks, that answers my question"),
    ("en", "yep that matches what I saw in the profiler"),
    ("en", "ok then leave it as it is"),
    ("en", "makes sense. not worth it though"),
    ("en", "yes and that's exactly the problem"),
    ("en", "I agree it's bad, but no time"),
    ("ja", "はい、知っています。今は直さなくていいです"),
    ("ja", "うーん、検討します"),
    ("ja", "いいですね、でも今回は見送ります"),
    ("ja", "了解です、次のバージョンで"),
    ("zh", "嗯，我知道，先不管它"),
    ("zh", "好的，下个版本再说"),
    ("zh", "可以是可以，但现在没时间"),
    ("zh", "好，等我问完运维"),
    ("ko", "네, 알고 있어요. 지금은 그냥 두세요"),
    ("ko", "좋은데 다음 버전에서 하죠"),
    ("ko", "네, 보안팀이랑 먼저 얘기해 볼게요"),
    ("en", "yes it does that since 2.3"),
]
_GIVEN = [
    ("en", "yes, 8 MB chunks"),
    ("en", "yep, go for it"),
    ("en", "sure, do that"),
    ("en", "ok do it but keep the old handler for tests"),
    ("en", "yes please, memory is tight on the small boxes"),
    ("en", "sounds good, and clean up the temp files"),
    ("en", "yes. also log the size"),
    ("en", "good idea, do it"),
    ("en", "yes, that would also fix the timeouts"),
    ("en", "ok, as long as the api stays the same"),
    ("en", "yes but write them to /var/tmp"),
    ("en", "absolutely, that was the plan anyway"),
    ("en", "please do, the big customers complain"),
    ("en", "yes, we can't afford another crash"),
    ("ja", "はい、お願いします"),
    ("ja", "はい、チャンクは8MBで"),
    ("ja", "いいですね、進めてください"),
    ("zh", "好的，分块8MB"),
    ("zh", "可以，就这么做"),
    ("zh", "好，顺便记录大小"),
    ("ko", "네, 그렇게 해 주세요"),
    ("ko", "좋아요, 청크는 8MB로 해 주세요"),
    ("ko", "네, 진행해 주세요"),
]
_TURNED_DOWN = [
    ("en", "2 scares me a bit"),
    ("en", "1 we already tried"),
    ("en", "not 2 please, we have no redis"),
    ("en", "3 isn't allowed by our dba"),
    ("en", "I don't like 1"),
    ("en", "1 and 2 are out"),
    ("en", "2 would need redis, right?"),
    ("en", "option 3? never heard of it"),
    ("en", "2 might be ok, I'd have to ask ops"),
    ("en", "none of them convinces me"),
    ("en", "the first one has been a nightmare at my last job"),
    ("en", "second thoughts: do we need this at all"),
    ("en", "3 is clever but nobody will understand it"),
    ("en", "2... hmm. what would you do"),
    ("en", "let me sleep on 2"),
    ("ja", "2はちょっと怖い"),
    ("ja", "1は前に試した"),
    ("ja", "3は許可されていない"),
    ("ja", "どれも微妙"),
    ("zh", "2我们没有redis"),
    ("zh", "方案1以前试过了"),
    ("zh", "都不太好"),
    ("ko", "2번은 좀 무서워요"),
    ("ko", "1번은 전에 해 봤어요"),
    ("ko", "3번은 DBA가 허락 안 해요"),
]
_TAKEN = [
    ("en", "2"),
    ("en", "2 please"),
    ("en", "the second"),
    ("en", "2, we have redis anyway"),
    ("en", "option 2 then"),
    ("en", "go with 2"),
    ("en", "2 is fine for us"),
    ("en", "2 looks best"),
    ("en", "2 because cron is a single point of failure"),
    ("en", "I'd take 2"),
    ("en", "2 it is"),
    ("en", '2! but name the queue "mail"'),
    ("en", "let's do the second one"),
    ("ja", "2で"),
    ("ja", "2がいいです"),
    ("ja", "2番でお願いします"),
    ("ja", "案2にしましょう"),
    ("zh", "2"),
    ("zh", "选2"),
    ("zh", "方案2吧"),
    ("zh", "第二个"),
    ("ko", "2번으로 해 주세요"),
    ("ko", "2번이 좋겠어요"),
    ("ko", "2번 할게요"),
]


@pytest.mark.parametrize(("language", "said"), _WITHHELD)
def test_yes_to_something_else_takes_nothing_up(language: str, said: str) -> None:
    assert not any(_THING[language] in chosen for chosen in _decisions(f"{_STREAM[language]}H: {said}\nA: OK."))


@pytest.mark.parametrize(("language", "said"), _GIVEN)
def test_yes_takes_the_proposal_up(language: str, said: str) -> None:
    text = f"{_STREAM[language]}H: {said}\nEDIT: a.py\nA: OK."
    assert any(_THING[language] in chosen for chosen in _decisions(text))


@pytest.mark.parametrize(("language", "said"), _TURNED_DOWN)
def test_reply_that_picks_nothing_decides_nothing(language: str, said: str) -> None:
    assert _decisions(f"{_WAYS[language]}H: {said}\nA: OK.") == []


@pytest.mark.parametrize(("language", "said"), _TAKEN)
def test_reply_that_picks_takes_the_option(language: str, said: str) -> None:
    assert any(_QUEUE[language] in chosen for chosen in _decisions(f"{_WAYS[language]}H: {said}\nA: OK."))
