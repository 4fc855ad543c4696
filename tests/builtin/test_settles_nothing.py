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
# Written down after the rules, to see what they had not been made for.
_MORE = [
    "The search shows archived products instead of hiding them",
    "It redirects to /login instead of /dashboard after the signup",
    "Export produces an empty file instead of the report",
    "The worker picks the old config instead of the new one",
    "Avatar upload stores the thumbnail instead of the original",
    "Opens in a new tab instead of the same one",
    "On mobile the menu covers the logo instead of sliding below it",
    "Deleting a project only hides it instead of removing it",
    "Our staging env sends real emails instead of fake ones",
    "Query takes 4s instead of 200ms since yesterday",
    "Sorts the names by id instead of alphabetically",
    "The CLI prints a stack trace instead of a nice error",
    "Log lines contain the token instead of a mask",
    "why does it write to stdout instead of stderr",
    "can you look why it uses http instead of https",
    "Could you explain why the team picked Vue instead of React",
    "list the endpoints that return html instead of json",
    "check whether we use the v2 client instead of v1 anywhere",
    "show me how it would look with tabs instead of a sidebar",
    "try the other port instead",
    "give me the sql instead of the orm code",
    "rewrite this mail: we never share your data, use the form instead",
    "add this to the docs: never restart the broker while a rebalance is running",
    "we already validate on the server instead of the client, correct?",
    "we never delete anything, do we",
    "you always use the staging key here, right",
    "our competitor uses GraphQL instead of REST",
    "imagine we'd store everything as JSON instead of columns",
    "if we ever get funding we should use Datadog instead of our own stack",
    "back in my last job we always used Perl",
    "the previous dev decided to use MongoDB instead of Postgres",
    "marketing wants us to drop the free plan",
    "our CTO would prefer to use Azure instead of AWS but nobody else does",
    "just for this test use a fixed seed instead of a random one",
    "skip the migration for now",
    "don't push yet",
    "don't touch anything until I'm back",
    "don't open the browser, just curl it",
    "stop using the tool, type the answer",
    "please use fewer words in your answers today",
    "hold on, don't merge that",
    "支払い画面でカードではなく現金が選択されています",
    "検索すると新しい記事ではなく古い記事が表示されます",
    "なぜRedisではなくMemcachedを使っているのか説明して",
    "部長はAWSではなくAzureにしたいらしい",
    "今はコミットしないで",
    "とりあえずそのままにしておいて",
    "登录后跳转到首页而不是订单页",
    "导出的是空文件而不是报表",
    "为什么用MySQL而不是Postgres，解释一下",
    "经理想换成Azure，我再看看",
    "先别提交",
    "我们一直用的是旧接口，对吧",
    "로그인하면 대시보드 대신 홈으로 이동해요",
    "왜 Redis 대신 Memcached를 쓰는지 설명해 줘",
    "지금은 커밋하지 마세요",
    "팀장님이 AWS 대신 Azure를 쓰고 싶어 해요",
]
_HOLDS = [
    "Redirect to /dashboard instead of /login after the signup",
    "Store the original instead of the thumbnail",
    "Validate on the server instead of the client",
    "let's validate on the server, never only in the client",
    "Use a fixed seed in all tests",
    "don't open external links in the same tab, always use a new one",
    "never push to main, always open a PR",
    "Don't run the e2e tests in the pre-commit hook, they take forever",
    "please always answer in German",
    "From now on use pnpm instead of npm",
    "Make the dark theme the default",
    "We decided to drop IE11",
    "the public api must stay backwards compatible",
    "no inline styles please",
    "Mask the token in log lines instead of dropping the line",
    "Keep the free plan until the end of the year",
    "Prefer composition over inheritance in the domain layer",
    "我们决定用Azure而不是AWS",
    "登录后跳转到订单页，不要跳首页",
    "以后不要直接提交到main分支",
    "所有金额必须用整数存储",
    "テストでは必ず固定シードを使ってください",
    "mainブランチには直接コミットしないでください",
    "AWSではなくAzureを使うことに決めました",
    "AWS 대신 Azure를 쓰기로 했습니다",
    "main 브랜치에는 직접 푸시하지 마세요",
    "금액은 반드시 정수로 저장해 주세요",
    "외부 링크는 항상 새 탭에서 열어 주세요",
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


@pytest.mark.parametrize("said", [*_REPORTS, *_ERRANDS, *_TAGGED, *_SUPPOSED, *_OTHERS, *_MOMENT, *_MORE])
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


def test_what_is_asked_for_with_for_now_is_still_asked_for() -> None:
    (found,) = _found("H: please add a simple CSV export of the orders for now\nEDIT: a.py\nA: Added.")
    assert found.array == "requests"


def test_reported_bug_that_was_worked_on_is_a_request() -> None:
    (found,) = _found("H: Clicking save opens the delete modal instead of saving the draft.\nEDIT: a.tsx\nA: Fixed.")
    assert found.array == "requests"
