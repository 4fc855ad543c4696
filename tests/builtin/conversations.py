"""Conversations with what must be found in them. Invented; the wording is that of people at work, not of the rules."""

from __future__ import annotations

from tests.builtin.dialogue import Conversation

ENGLISH = (
    Conversation(
        "choice with contrast and reason",
        """
H: Let's use SQLite in WAL mode instead of Postgres for the job queue, because we only have one machine to run it on.
A: Understood, I will set up the WAL journal.
""",
        (("decisions", "SQLite in WAL mode instead of Postgres"),),
    ),
    Conversation(
        "keep for a time",
        """
A: The new endpoint replaces `/v1/links`. I can delete the old handler now.
H: keep the old API for one release, the mobile app still calls it
""",
        (("decisions", "Keep the old API for one release"),),
    ),
    Conversation(
        "rule never",
        """
H: Thanks. One more thing: never commit directly to main, always go through a pull request.
A: Got it.
""",
        (("decisions", "never commit directly to main"),),
    ),
    Conversation(
        "rule do not mock",
        """
A: I wrote the repository tests with a mocked connection.
H: Please don't mock the database in these tests. Use the temp-file SQLite fixture, it is fast enough.
""",
        (("decisions", "mock the database"),),
    ),
    Conversation(
        "correction",
        """
A: I stored the expiry as a local date string.
H: No, store timestamps as UTC epoch seconds, not as local strings.
A: Right, fixing it.
""",
        (("decisions", "Store timestamps as UTC epoch seconds"),),
    ),
    Conversation(
        "yes to one concrete offer",
        """
A: The cleanup job deletes expired rows one by one. That is slow because every delete is its own transaction.

Should I batch the deletes into chunks of 500 rows?
H: yes, do that
A: Done.
""",
        (("decisions", "Batch the deletes into chunks of 500 rows"),),
    ),
    Conversation(
        "bare yes",
        """
A: Want me to move the rate limiter from the handler into a middleware shared by all routes?
H: yes.
""",
        (("decisions", "Move the rate limiter from the handler into a middleware"),),
    ),
    Conversation(
        "picked option",
        """
A: There are two ways to expire links:

1. Lazy deletion: check the expiry when a link is read.
2. A sweeper job that runs every five minutes.

Which one do you prefer?
H: go with option 2, we need the table to stay small
""",
        (("decisions", "A sweeper job that runs every five minutes"),),
    ),
    Conversation(
        "picked by ordinal",
        """
A: Options for the short codes:

- A) random base62 of seven characters
- B) an encoded sequence number

Which should it be?
H: The first one, since sequence numbers can be guessed.
""",
        (("decisions", "random base62 of seven characters"),),
    ),
    Conversation(
        "answer to a choice",
        """
A: Should the metrics live in Prometheus or in the SQLite file?
H: Prometheus, we already scrape the host.
""",
        (("decisions", "Prometheus, we already scrape the host"),),
    ),
    Conversation(
        "plan told, then agreed",
        """
A: I suggest we hash the API tokens with SHA-256 and keep only the last four characters for display.

Does that sound good?
H: sounds good
""",
        (("decisions", "ash the API tokens with SHA-256"),),
    ),
    Conversation(
        "task done and thanked for is still what was asked",
        """
H: Can you add a `/healthz` endpoint that reports the queue depth and the age of the oldest job?
A: Sure, I'll add it.
EDIT: app/health.py
A: The endpoint is in place.
H: thanks!
""",
        (("requests", "reports the queue depth"),),
    ),
    Conversation(
        "feature that was not done",
        """
H: Can you add a `/healthz` endpoint that reports the queue depth and the age of the oldest job?
A: Sure, I'll add it.
EDIT: app/health.py
A: The endpoint is in place.
H: it still answers 404
""",
        (("requests", "healthz"),),
    ),
    Conversation(
        "bug to fix",
        """
H: the redirect for links with a trailing slash returns 404, please fix the route so that both forms work
A: Looking into it.
""",
        (("requests", "fix the route so that both forms work"),),
    ),
    Conversation(
        "nagging is one request",
        """
H: I want to see the number of clicks per link on the dashboard, updated every minute.
A: I added a column.
H: no, I want to see the number of clicks per link on the dashboard updated each minute, you only show the total
A: Fixed.
""",
        (("requests", "clicks per link on the dashboard"),),
    ),
    Conversation(
        "request and constraint in one message",
        """
H: Add rate limiting to POST /links. Use a token bucket rather than a fixed window because bursts at
the minute border hurt us last year.
A: Working on it.
""",
        (("requests", "Add rate limiting"), ("decisions", "token bucket rather than a fixed window")),
    ),
    Conversation(
        "failing command, cause, fix",
        """
H: please make the worker tests pass on a fresh checkout of the repository
A: I'll run the worker tests first.
$! pytest tests/test_worker.py => E   sqlite3.OperationalError: database is locked
1 failed
A: The failure is caused by two connections writing at once: each thread opens its own
connection without a busy timeout.
EDIT: app/db.py
$ pytest tests/test_worker.py => 4 passed
A: All tests pass now.
""",
        (("attempts", "two connections writing at once"), ("requests", "make the worker tests pass")),
    ),
    Conversation(
        "belief overturned by what a tool showed",
        """
H: Find out why the nightly export is empty and repair it so that the file holds yesterday's clicks.
A: I assume the query filters on the wrong column.
$ sqlite3 links.db "select max(ts) from clicks" => 1767225600000
A: I was wrong about the column. Turns out the timestamps are stored in milliseconds, while the
export compares them with seconds.
EDIT: app/export.py
A: Fixed, the export works again.
""",
        (("attempts", "stored in milliseconds"), ("requests", "why the nightly export is empty")),
    ),
    Conversation(
        "person's verdict",
        """
H: Speed up the link lookup, it should not hit the database for hot links.
A: On it.
EDIT: app/cache.py
A: I added an in-process cache to the lookup.
H: That broke the delete endpoint: removed links keep redirecting until the process restarts.
""",
        (("attempts", "removed links keep redirecting"), ("requests", "link lookup")),
    ),
    Conversation(
        "left open",
        """
A: Caching redirects at the CDN would be faster, but it costs us the click counts.
Do you want to cache redirects at the CDN?
H: Let's decide that later, I need the numbers from marketing first.
""",
        (("discussions", "cache redirects at the CDN"),),
    ),
    Conversation(
        "yes with a rule behind it",
        """
A: Shall I rename the `links` table to `short_links` in a migration?
H: yes, but keep a view with the old name until the reports have moved
""",
        (("decisions", "Rename the `links` table"), ("decisions", "Keep a view with the old name")),
    ),
    Conversation(
        "polite swap",
        """
H: could you use httpx instead of requests in the client? we need async there
A: Sure.
""",
        (("decisions", "httpx instead of requests"),),
    ),
    Conversation(
        "from now on",
        """
H: From now on every migration needs a downgrade step.
A: Noted.
""",
        (("decisions", "every migration needs a downgrade step"),),
    ),
)

JAPANESE = (
    Conversation(
        "選択と理由",
        """
H: ジョブキューはPostgresではなくSQLiteのWALモードにしましょう。サーバーが1台しかないので。
A: 承知しました。
""",
        (("decisions", "SQLiteのWALモードにしましょう"),),
        "ja",
    ),
    Conversation(
        "理由が先",
        """
H: 運用の手間が増えるので、Redisは使わないでください。
A: わかりました。
""",
        (("decisions", "Redisは使わないで"),),
        "ja",
    ),
    Conversation(
        "今後の規則",
        """
H: 今後はマイグレーションに必ずダウングレードを書いてください。
A: はい。
""",
        (("decisions", "ダウングレードを書いて"),),
        "ja",
    ),
    Conversation(
        "提案に同意",
        """
A: 期限切れの行を1件ずつ消しているため遅くなっています。500件ずつまとめて削除するように変更しましょうか？
H: はい、それでお願いします。
""",
        (("decisions", "500件ずつまとめて削除する"),),
        "ja",
    ),
    Conversation(
        "案を選ぶ",
        """
A: 二つの方法があります。

1. 読み出し時に期限を確認する
2. 5分ごとに掃除ジョブを動かす

どちらにしますか？
H: 2番でお願いします。テーブルを小さく保ちたいので。
""",
        (("decisions", "5分ごとに掃除ジョブを動かす"),),
        "ja",
    ),
    Conversation(
        "機能の依頼",
        """
H: 管理画面にリンクごとのクリック数を表示できるようにしてください。
A: 対応します。
""",
        (("requests", "クリック数を表示"),),
        "ja",
    ),
    Conversation(
        "不具合の依頼",
        """
H: 末尾にスラッシュがあるURLだと404になるので、ルーティングを直してください。
A: 調べます。
""",
        (("requests", "ルーティングを直して"),),
        "ja",
    ),
    Conversation(
        "保留",
        """
A: CDNでリダイレクトをキャッシュすると速くなりますが、クリック数が取れなくなるというデメリットがあります。
CDNでキャッシュしますか？
H: それは保留で。来週マーケと相談してから決めます。
""",
        (("discussions", "CDNでキャッシュ"),),
        "ja",
    ),
    Conversation(
        "失敗と原因",
        """
H: ワーカーのテストが落ちるので、安定して通るように修正してください。
A: まずテストを実行します。
$! pytest tests/test_worker.py => sqlite3.OperationalError: database is locked
A: 原因は、スレッドごとに接続を開いていて busy_timeout が設定されていないことでした。
EDIT: app/db.py
$ pytest tests/test_worker.py => 4 passed
A: テストが通りました。
""",
        (("attempts", "busy_timeout"), ("requests", "安定して通るように修正")),
        "ja",
    ),
    Conversation(
        "訂正",
        """
A: 有効期限をローカル時刻の文字列で保存しました。
H: いや、ローカル時刻じゃなくてUTCのエポック秒で保存してください。
""",
        (("decisions", "UTCのエポック秒で保存"),),
        "ja",
    ),
    Conversation(
        "残す",
        """
H: モバイルアプリがまだ呼んでいるから、旧APIは1リリースの間残しておきましょう。
A: 了解です。
""",
        (("decisions", "旧APIは1リリースの間残し"),),
        "ja",
    ),
)

CHINESE = (
    Conversation(
        "选择和原因",
        """
H: 任务队列改用 SQLite 的 WAL 模式，不用 Postgres 了，因为我们只有一台机器。
A: 好的。
""",
        (("decisions", "改用 SQLite 的 WAL 模式"),),
        "zh",
    ),
    Conversation(
        "禁止",
        """
H: 不要直接提交到 main 分支，都走合并请求。
A: 明白。
""",
        (("decisions", "不要直接提交到 main"),),
        "zh",
    ),
    Conversation(
        "今后的规矩",
        """
H: 以后每个迁移都必须写回滚步骤。
A: 收到。
""",
        (("decisions", "每个迁移都必须写回滚步骤"),),
        "zh",
    ),
    Conversation(
        "同意提议",
        """
A: 清理任务逐行删除过期数据，因为每次都是一个事务，所以很慢。要不要改成每批删除 500 行？
H: 好的，就这样
""",
        (("decisions", "改成每批删除 500 行"),),
        "zh",
    ),
    Conversation(
        "选方案",
        """
A: 有两种做法：

1. 读取时检查是否过期
2. 每五分钟跑一次清理任务

你想用哪一种？
H: 选第2个，表要保持小一点。
""",
        (("decisions", "每五分钟跑一次清理任务"),),
        "zh",
    ),
    Conversation(
        "功能需求",
        """
H: 请给后台页面加上每个链接的点击次数统计，每分钟刷新一次。
A: 好的，马上做。
""",
        (("requests", "点击次数统计"),),
        "zh",
    ),
    Conversation(
        "修复需求",
        """
H: 帮我修复末尾带斜杠的链接返回 404 的问题。
A: 我看一下。
""",
        (("requests", "末尾带斜杠的链接"),),
        "zh",
    ),
    Conversation(
        "搁置",
        """
A: 在 CDN 缓存跳转会更快，但是拿不到点击数。要在 CDN 缓存跳转吗？
H: 这个以后再定，先等市场部的数据。
""",
        (("discussions", "CDN 缓存跳转"),),
        "zh",
    ),
    Conversation(
        "纠正",
        """
A: 我把过期时间存成了本地时间字符串。
H: 不对，用 UTC 秒数而不是本地时间字符串来存。
""",
        (("decisions", "用 UTC 秒数而不是本地时间字符串"),),
        "zh",
    ),
    Conversation(
        "失败和原因",
        """
H: 请修复 worker 的测试，让它们在干净的环境里也能通过。
A: 先跑一遍测试。
$! pytest tests/test_worker.py => sqlite3.OperationalError: database is locked
A: 原因是每个线程各开一个连接，而且没有设置 busy_timeout。
EDIT: app/db.py
$ pytest tests/test_worker.py => 4 passed
A: 测试全部通过了。
""",
        (("attempts", "没有设置 busy_timeout"), ("requests", "修复 worker 的测试")),
        "zh",
    ),
    Conversation(
        "统一",
        """
H: 时间统一用 UTC 存储，展示的时候再转换。
A: 好。
""",
        (("decisions", "时间统一用 UTC"),),
        "zh",
    ),
)

ALL = (*ENGLISH, *JAPANESE, *CHINESE)
