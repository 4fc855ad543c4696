"""What is worded like a decision and settles nothing, each beside what sounds like it and does: reports, errands,
questions with a tag, suppositions, others' wishes, orders of the moment."""

from __future__ import annotations

import pytest

from memory_core.providers.builtin.passing import settles_nothing
from tests.builtin.test_builtin_real_talk import _found

_REPORTS = [
    "The export endpoint is acting up. Returns 200 instead of 401 when the token is expired.",
    "Getting null instead of an empty array when there are no orders.",
    "Running the tests deletes my dev database instead of the test database!!",
    "Page loads all 40000 customers instead of the first 50.",
    "Still uses the staging URL instead of the production one.",
    "Login works on Firefox but shows undefined instead of the user name on Safari.",
    "Sends the welcome mail on every login instead of only after the signup.",
    "Dropdown opens upwards instead of downwards on the last row",
    "Cache returns stale rows instead of the new ones",
    "the build step uses node 16 instead of node 20",
    "Import skips the header row instead of the empty rows",
    "now throws a 500 instead of showing the page",
    "Expected: always keep the items in the cart",
    "期限切れのトークンで401ではなく200を返しています",
    "토큰이 만료되면 401 대신 200을 반환해요",
]
_ERRANDS = [
    "Explain why we use Redis instead of Memcached here",
    "figure out why the staging worker hits the prod bucket instead of the staging bucket",
    "Find all places where we call fetch directly instead of the api client",
    "what does sqlx give us? compare using sqlx instead of diesel please",
    "tell me if we should use uuid v7 instead of v4",
    "commit this with the message: use UTC instead of local time in reports",
    "translate to German for the app: Never share your PIN",
    "change the error text to: Passwords must never contain your user name",
    "changelog entry for 2.4: Use the system certificate store instead of the bundled one.",
    "launch a subagent with this task: never edit files, only list usages",
    "undo that and use a for loop instead",
    "use the browser tool instead, curl doesn't run the js",
    "文档里加一段：修改配置后必须重启代理",
]
_TAGGED = [
    "so we use sqlite in the tests instead of postgres, right",
    "we always run the migrations on startup, don't we",
    "we never cache the tokens, do we",
    "テストではPostgresではなくSQLiteを使っていますよね",
    "测试里用的是SQLite而不是Postgres吧",
    "现在是一直用全局锁而不是行锁，对吧",
    "항상 행 락 대신 전역 락을 쓰고 있죠, 맞죠",
]
_SUPPOSED = [
    "assume we use a schema per tenant instead of a column.",
    "let's pretend we never cache anything.",
    "let's say we drop the ORM and use plain SQL instead of SQLAlchemy",
    "in an ideal world we'd use gRPC instead of REST between the services",
    "two years ago we decided to use MongoDB instead of Postgres, that was a mistake",
    "thought: use feature flags instead of long-lived branches.",
    "let's use comic sans for everything instead :D",
    "from now on I will never touch webpack again, I swear",
    "I always use vim and never touch the mouse",
    "just as an experiment use Bun instead of Node",
]
_OTHERS = [
    "my boss wants us to use SAP instead of our own billing. I think that's nuts",
    "Client's lawyer: you must never store the IP address",
    "QA: never ship on fridays",
    "Stripe never retries on 4xx and returns the key in the header instead of the body",
    "Customer A decided to use SSO instead of passwords",
    "老板想用SAP代替我们自己的计费系统",
    "部長が自社の請求処理をやめてSAPにしたいと言って困る",
]
_MOMENT = [
    "don't run the tests, they take forever",
    "don't start the server, it's already running on 3000",
    "wait, don't delete the branch!",
    "don't explain, just write the code",
    "put a breakpoint in line 40 and print x instead of y",
    "for now use the fake payment provider instead of Stripe",
    "for the demo tomorrow use the staging keys instead of the prod ones",
    "let's keep the old file around until I've compared them",
    "テストは実行しないで、時間がかかるから",
    "今回はテストを書かないで",
    "とりあえずモックデータを使って",
    "这次先用假数据，接口还没好",
    "이번에는 테스트를 작성하지 마세요",
]
_HOLDS = [
    "Return 404 instead of 403 for private repos",
    "In the worker, retry with a backoff instead of a fixed delay",
    "on the orders page sort by date instead of by id",
    "Cache the tokens in Redis instead of in memory",
    "Compare hashes instead of timestamps",
    "Build with esbuild instead of webpack",
    "Import dates as UTC instead of local time",
    "Don't run migrations automatically in production",
    "never start the worker in the test setup",
    "don't delete rows, set deleted_at instead",
    "Don't commit generated files",
    "Assume all timestamps are UTC, never local time",
    "Translate error messages on the client instead of on the server",
    "Print errors to stderr, never to stdout",
    "We decided last week to use Kafka instead of RabbitMQ",
    "Always show times in the user's time zone instead of UTC",
    "use the internal build tool instead of make",
    "I never want to see secrets in the logs",
    "必ず以前のAPIを残してください",
    "運用ではPostgresを使うルールになっています",
    "今回はRedisを採用します",
    "以前的接口必须保留",
    "临时文件必须放在tmp目录",
    "这次改版必须支持深色模式",
    "CI에서는 통합 테스트를 항상 실행해 주세요",
]


def _decisions(said: str) -> list[str]:
    found = _found(f"A: Done.\nH: {said}\nA: OK.")
    return [str(finding.fields["chosen"]) for finding in found if finding.array == "decisions"]


@pytest.mark.parametrize("said", [*_REPORTS, *_ERRANDS, *_TAGGED, *_SUPPOSED, *_OTHERS, *_MOMENT])
def test_what_only_sounds_like_a_decision_is_none(said: str) -> None:
    assert _decisions(said) == []


@pytest.mark.parametrize("said", _HOLDS)
def test_decision_that_sounds_like_what_is_none_is_found(said: str) -> None:
    assert len(_decisions(said)) == 1


@pytest.mark.parametrize(
    ("said", "nothing"),
    [
        ("Write commit messages in English, always", False),
        ("write a commit message that says we never cache", True),
        ("Commit message: always in English", False),
        ("text: always restart the agent after changing the config", True),
        ("don't push to main directly", False),
        ("don't push it yet", True),
        ("keep the sessions for this time zone", False),
        ("最初のバージョンでは通知を送らないで", False),
    ],
)
def test_words_alone_tell_what_settles_nothing(said: str, nothing: bool) -> None:
    assert settles_nothing(said) is nothing


@pytest.mark.parametrize("said", ["don't start the server, it's already running", "for now use mock data", "今回だけ"])
def test_order_of_the_moment_is_no_request_either(said: str) -> None:
    assert _found(f"A: Done.\nH: {said}\nEDIT: src/a.py\nA: OK.") == []


def test_reported_bug_that_was_worked_on_is_a_request() -> None:
    (found,) = _found("H: Clicking save opens the delete modal instead of saving the draft.\nEDIT: a.tsx\nA: Fixed.")
    assert found.array == "requests"
