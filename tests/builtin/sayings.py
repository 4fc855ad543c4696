"""What people say at work, one message or short exchange each, with what it holds. Some are beyond the rules: the test
bounds how many."""

from __future__ import annotations

from tests.builtin.dialogue import Conversation

_ROWS: tuple[tuple[str, tuple[tuple[str, str], ...], str], ...] = (
    (
        "H: We've decided to drop Python 3.8 support in the next minor version.",
        (("decisions", "drop Python 3.8"),),
        "en",
    ),
    (
        "H: I'd rather keep the CLI flags stable and add a new one than rename --out.",
        (("decisions", "keep the CLI flags stable"),),
        "en",
    ),
    (
        "H: please always squash before merging, the history is unreadable otherwise",
        (("decisions", "squash before merging"),),
        "en",
    ),
    (
        "H: we should never log request bodies, they contain tokens",
        (("decisions", "never log request bodies"),),
        "en",
    ),
    (
        "H: ok so for the parser use a hand-written recursive descent one instead of PEG",
        (("decisions", "recursive descent"),),
        "en",
    ),
    (
        "H: Stop adding comments that repeat the code.",
        (("decisions", "adding comments that repeat the code"),),
        "en",
    ),
    (
        "H: Make the JSON output the default and put the table behind --pretty.",
        (("decisions", "JSON output the default"),),
        "en",
    ),
    (
        "H: that file is generated, don't edit it by hand, change the template in tools/gen.py",
        (("decisions", "edit it by hand"),),
        "en",
    ),
    (
        "H: actually, let's go with Redis streams, we'll need consumer groups soon",
        (("decisions", "Redis streams"),),
        "en",
    ),
    (
        "H: The config must stay backwards compatible until 2.0",
        (("decisions", "backwards compatible until 2.0"),),
        "en",
    ),
    (
        "H: Avoid global state in the plugins, tests run in parallel.",
        (("decisions", "Avoid global state"),),
        "en",
    ),
    (
        "H: prefer composition over inheritance in this codebase",
        (("decisions", "composition over inheritance"),),
        "en",
    ),
    (
        "H: no external dependencies in the core package please",
        (("decisions", "no external dependencies"),),
        "en",
    ),
    (
        "H: We are not going to support Windows in this release.",
        (("decisions", "not going to support Windows"),),
        "en",
    ),
    (
        ("A: Should I keep both code paths, or remove the legacy one?\nH: remove the legacy one, nobody uses it"),
        (("decisions", "remove the legacy one"),),
        "en",
    ),
    (
        (
            "A: I can do this two ways:\n"
            "1. Patch the vendored copy\n"
            "2. Upgrade to 4.2 and adapt our call sites\n"
            "Which one?\n"
            "H: 2"
        ),
        (("decisions", "Upgrade to 4.2"),),
        "en",
    ),
    (
        ("A: Would you like me to replace the polling loop with a websocket subscription?\nH: Yes please"),
        (("decisions", "eplace the polling loop"),),
        "en",
    ),
    (
        (
            "A: I recommend that we split the settings module into one file per environment. Shall I "
            "go ahead?\n"
            "H: ok go ahead"
        ),
        (("decisions", "split the settings module"),),
        "en",
    ),
    (
        "H: I need a command that exports all links of one user as CSV",
        (("requests", "exports all links"),),
        "en",
    ),
    (
        "H: could you make the search case-insensitive? users keep complaining",
        (("requests", "search case-insensitive"),),
        "en",
    ),
    (
        "H: Implement retry with exponential backoff in src/client.py for 502 and 503 responses",
        (("requests", "retry with exponential backoff"),),
        "en",
    ),
    (
        "H: When a user deletes their account, remove their uploads from the bucket as well.",
        (("requests", "remove their uploads"),),
        "en",
    ),
    (
        "H: We need pagination on GET /links, some users have 20k entries",
        (("requests", "pagination on GET /links"),),
        "en",
    ),
    (
        "H: make sure the installer works without network access",
        (("requests", "installer works without network"),),
        "en",
    ),
    (
        "H: The login page shows a blank screen on Safari after the last deploy, it should show the form",
        (("requests", "blank screen on Safari"),),
        "en",
    ),
    (
        "H: add dark mode to the settings page",
        (("requests", "dark mode"),),
        "en",
    ),
    (
        "H: Write a README section that explains how to run the server behind nginx",
        (("requests", "README section"),),
        "en",
    ),
    (
        "H: refactor the billing module so the tax rules can be swapped per country",
        (("requests", "billing module"),),
        "en",
    ),
    (
        "H: build me a small dashboard for the queue: depth, oldest job, failures per hour",
        (("requests", "dashboard for the queue"),),
        "en",
    ),
    (
        "H: Document the webhook payload in docs/webhooks.md, with an example for each event",
        (("requests", "webhook payload"),),
        "en",
    ),
    (
        "H: I would like the error messages to name the config key that is wrong",
        (("requests", "name the config key"),),
        "en",
    ),
    (
        "H: the build should fail when a translation is missing",
        (("requests", "translation is missing"),),
        "en",
    ),
    (
        (
            "H: deploy script must work on the arm machine too, please fix scripts/deploy.sh\n"
            "$! bash scripts/deploy.sh => exec format error\n"
            "A: The cause is that the image was built for amd64 only.\n"
            "EDIT: scripts/deploy.sh\n"
            "$ bash scripts/deploy.sh => deployed\n"
            "A: It works now."
        ),
        (("attempts", "amd64 only"), ("requests", "deploy.sh")),
        "en",
    ),
    (
        (
            "H: get the integration tests to run in parallel\n"
            "$! npm test => Error: listen EADDRINUSE: address already in use :::3000\n"
            "A: They fail because every suite binds port 3000. I'll let the OS pick a port.\n"
            "EDIT: test/setup.ts\n"
            "$ npm test => 42 passing\n"
            "A: Done, all suites pass in parallel."
        ),
        (("attempts", "binds port 3000"), ("requests", "run in parallel")),
        "en",
    ),
    (
        (
            "H: use gzip for the snapshots so they take less space\n"
            "EDIT: src/snap.py\n"
            "A: Snapshots are now gzipped.\n"
            "H: revert that, it made the nightly restore four times slower"
        ),
        (("decisions", "gzip for the snapshots"), ("attempts", "four times slower")),
        "en",
    ),
    (
        (
            "A: Do we need multi-region replication for the first release? It would double the cost.\n"
            "H: leave it open, we'll revisit when we have a customer in Asia"
        ),
        (("discussions", "multi-region replication"),),
        "en",
    ),
    (
        "H: 認証はJWTではなくセッションクッキーを使ってください。",
        (("decisions", "セッションクッキー"),),
        "ja",
    ),
    (
        "H: テストではDBをモックしないで、実際のSQLiteを使ってください。",
        (("decisions", "モックしないで"),),
        "ja",
    ),
    (
        "H: ログにはリクエスト本文を残さないでください。個人情報が入るからです。",
        (("decisions", "リクエスト本文を残さないで"),),
        "ja",
    ),
    (
        "H: 命名はsnake_caseに統一しましょう。",
        (("decisions", "snake_caseに統一"),),
        "ja",
    ),
    (
        "H: mainへの直接pushは禁止です。",
        (("decisions", "直接pushは禁止"),),
        "ja",
    ),
    (
        "H: やっぱりバージョン3.9のサポートはやめることにします。",
        (("decisions", "サポートはやめる"),),
        "ja",
    ),
    (
        "H: コメントは日本語で書いてください。",
        (("decisions", "コメントは日本語"),),
        "ja",
    ),
    (
        "H: 検索を大文字小文字を区別しないようにしてほしいです。",
        (("requests", "大文字小文字を区別しない"),),
        "ja",
    ),
    (
        "H: CSVエクスポート機能を追加してください。ユーザーごとに出力できるようにしたいです。",
        (("requests", "CSVエクスポート"),),
        "ja",
    ),
    (
        "H: ログイン画面がSafariで真っ白になります。修正をお願いします。",
        (("requests", "真っ白"),),
        "ja",
    ),
    (
        "H: src/client.pyに502のリトライ処理を実装して",
        (("requests", "リトライ処理"),),
        "ja",
    ),
    (
        ("A: 設定モジュールを環境ごとにファイル分割しましょうか？\nH: お願いします"),
        (("decisions", "環境ごとにファイル分割"),),
        "ja",
    ),
    (
        ("A: 設定ファイルの形式はTOMLにしてもよいでしょうか？\nH: はい"),
        (("decisions", "TOMLに"),),
        "ja",
    ),
    (
        ("A: 案A: ベンダーコピーを修正する\n案B: 4.2に上げて呼び出し側を直す\nどちらがよいですか？\nH: 案Bで"),
        (("decisions", "4.2に上げて"),),
        "ja",
    ),
    (
        "H: 认证不要用 JWT，改用会话 cookie。",
        (("decisions", "会话 cookie"),),
        "zh",
    ),
    (
        "H: 测试里别 mock 数据库，用真实的 SQLite。",
        (("decisions", "mock 数据库"),),
        "zh",
    ),
    (
        "H: 日志里不要记录请求正文，因为里面有用户隐私。",
        (("decisions", "不要记录请求正文"),),
        "zh",
    ),
    (
        "H: 命名统一用下划线风格。",
        (("decisions", "下划线"),),
        "zh",
    ),
    (
        "H: 我们决定下个版本不再支持 Python 3.8。",
        (("decisions", "不再支持 Python 3.8"),),
        "zh",
    ),
    (
        "H: 旧接口先保留一个版本，移动端还在调用。",
        (("decisions", "保留一个版本"),),
        "zh",
    ),
    (
        "H: 所有注释必须用中文写。",
        (("decisions", "注释必须用中文"),),
        "zh",
    ),
    (
        "H: 我想要一个导出命令，可以把某个用户的所有链接导出成 CSV。",
        (("requests", "导出命令"),),
        "zh",
    ),
    (
        "H: 实现 src/client.py 里 502 的自动重试，要有指数退避。",
        (("requests", "自动重试"),),
        "zh",
    ),
    (
        "H: 能不能把搜索改成不区分大小写？",
        (("requests", "不区分大小写"),),
        "zh",
    ),
    (
        "H: 登录页在 Safari 上显示空白，帮我修一下",
        (("requests", "Safari"),),
        "zh",
    ),
    (
        ("A: 需要我把设置模块按环境拆成几个文件吗？\nH: 可以"),
        (("decisions", "按环境拆成几个文件"),),
        "zh",
    ),
    (
        ("A: 我建议把令牌用 SHA-256 存储。这样可以吗？\nH: 同意"),
        (("decisions", "SHA-256"),),
        "zh",
    ),
    (
        "H: ok let's stick with cursor based pagination, offset gets slow on big tables",
        (("decisions", "cursor based pagination"),),
        "en",
    ),
    (
        "H: nah, don't add a new dependency just for that. write a small helper in src/dates.ts",
        (("decisions", "add a new dependency"), ("requests", "small helper in src/dates.ts")),
        "en",
    ),
    (
        "H: rename the flag to --dry-run everywhere please",
        (("requests", "--dry-run"),),
        "en",
    ),
    (
        "H: for now we'll keep the monolith, splitting it is a q3 thing",
        (("decisions", "keep the monolith"),),
        "en",
    ),
    (
        "H: secrets go into the vault, never into the env file",
        (("decisions", "never into the env file"),),
        "en",
    ),
    (
        "H: the CLI has to keep working offline. that's a hard requirement",
        (("requests", "working offline"),),
        "en",
    ),
    (
        "H: one thing I care about: error responses must always have a machine readable code",
        (("decisions", "machine readable code"),),
        "en",
    ),
    (
        "H: I changed my mind, drop the GraphQL endpoint and just do REST",
        (("decisions", "drop the GraphQL endpoint"),),
        "en",
    ),
    (
        "H: instead of cron use the built-in scheduler",
        (("decisions", "built-in scheduler"),),
        "en",
    ),
    (
        "H: use tabs. spaces make my braille display unusable",
        (("decisions", "use tabs"),),
        "en",
    ),
    (
        (
            "A: I could either keep the retry in the client or move it to the queue consumer. Which do "
            "you prefer?\n"
            "H: queue consumer"
        ),
        (("decisions", "queue consumer"),),
        "en",
    ),
    (
        (
            "A: Two options:\n"
            "1) Keep `moment` and pin it\n"
            "2) Replace it by `date-fns`\n"
            "\n"
            "What would you like?\n"
            "H: option 2 please, moment is deprecated"
        ),
        (("decisions", "date-fns"),),
        "en",
    ),
    (
        (
            "A: The migration locks the table for about a minute. Do you want me to create the index "
            "concurrently?\n"
            "H: yep, go ahead"
        ),
        (("decisions", "reate the index concurrently"),),
        "en",
    ),
    (
        "H: hey can you build a github action that publishes the docs whenever a tag is pushed?",
        (("requests", "publishes the docs"),),
        "en",
    ),
    (
        ("H: users are complaining that the password reset mail arrives twice. find out why and fix it for good"),
        (("requests", "reset mail arrives twice"),),
        "en",
    ),
    (
        "H: add a test for the empty list case",
        (("requests", "empty list case"),),
        "en",
    ),
    (
        "H: I'd like to be able to filter the audit log by actor and date range",
        (("requests", "filter the audit log"),),
        "en",
    ),
    (
        "H: the sidebar should remember whether it was collapsed",
        (("requests", "remember whether it was collapsed"),),
        "en",
    ),
    (
        "H: can we get rid of the global settings singleton? it makes tests order dependent",
        (("requests", "global settings singleton"),),
        "en",
    ),
    (
        "H: port the scraper from requests/bs4 to playwright, the site renders client side now",
        (("requests", "scraper"),),
        "en",
    ),
    (
        "H: it would be great if the exporter could resume after a crash",
        (("requests", "resume after a crash"),),
        "en",
    ),
    (
        "H: support ipv6 addresses in the allow list",
        (("requests", "ipv6"),),
        "en",
    ),
    (
        (
            "H: make the docker image smaller, it is 1.9 GB\n"
            "A: I'll switch the base image to alpine.\n"
            "$! docker build . => error: failed to build wheel for grpcio\n"
            "A: That doesn't work because grpcio has no musl wheels, so pip tries to compile it. A "
            "slim Debian base is the better choice.\n"
            "EDIT: Dockerfile\n"
            "$ docker build . => Successfully built 3f2a\n"
            "A: The image builds and is 410 MB now."
        ),
        (("attempts", "no musl wheels"), ("requests", "docker image smaller")),
        "en",
    ),
    (
        (
            "H: the flaky test in test_sync.py needs to be fixed for real\n"
            "A: Let me look at it.\n"
            "$ pytest tests/test_sync.py -x => 1 passed\n"
            "A: My first assumption was wrong: it is not a race. The test depends on the local "
            "timezone, and CI runs in UTC.\n"
            "EDIT: tests/test_sync.py\n"
            "A: Fixed by freezing the timezone."
        ),
        (("attempts", "depends on the local timezone"), ("requests", "test_sync.py")),
        "en",
    ),
    (
        "H: undecided about the license yet, MIT or Apache, I'll ask legal first",
        (("discussions", "MIT or Apache"),),
        "en",
    ),
    (
        "H: we should not rely on the order of dict keys in the API output",
        (("decisions", "rely on the order of dict keys"),),
        "en",
    ),
    (
        "H: feature flags live in flags.toml, don't hardcode them",
        (("decisions", "hardcode them"),),
        "en",
    ),
    (
        "H: log in English only, even in the German build",
        (("decisions", "English only"),),
        "en",
    ),
    (
        "H: キャッシュの有効期限は24時間にしてください。",
        (("decisions", "24時間"),),
        "ja",
    ),
    (
        "H: いいえ、yarnじゃなくてpnpmでお願いします",
        (("decisions", "pnpm"),),
        "ja",
    ),
    (
        "H: エラーメッセージは英語のままでいいです。翻訳しないでください。",
        (("decisions", "翻訳しないで"),),
        "ja",
    ),
    (
        "H: READMEにインストール手順を追記してもらえますか",
        (("requests", "インストール手順"),),
        "ja",
    ),
    (
        "H: ダークモードに対応したいです",
        (("requests", "ダークモード"),),
        "ja",
    ),
    (
        "H: 今回はGraphQLをやめてRESTでいきましょう",
        (("decisions", "RESTでいきましょう"),),
        "ja",
    ),
    (
        "H: 型定義はsrc/types.tsにまとめるようにしてください",
        (("requests", "src/types.ts"),),
        "ja",
    ),
    (
        "H: 通知メールが二重に届く問題を直してほしい",
        (("requests", "二重に届く"),),
        "ja",
    ),
    (
        ("A: インデックスは並行作成に変更しましょうか？\nH: うん、そうして"),
        (("decisions", "並行作成に変更"),),
        "ja",
    ),
    (
        "H: ライセンスはまだ決めていないので後で決めましょう",
        (("discussions", "ライセンス"),),
        "ja",
    ),
    (
        "H: 缓存有效期设为 24 小时就行",
        (("decisions", "24 小时"),),
        "zh",
    ),
    (
        "H: 包管理器用 pnpm，不要用 yarn",
        (("decisions", "pnpm"),),
        "zh",
    ),
    (
        "H: 错误信息保持英文，别翻译",
        (("decisions", "保持英文"),),
        "zh",
    ),
    (
        "H: 在 README 里补充安装步骤",
        (("requests", "安装步骤"),),
        "zh",
    ),
    (
        "H: 希望支持深色模式",
        (("requests", "深色模式"),),
        "zh",
    ),
    (
        "H: 这次不做 GraphQL 了，直接用 REST",
        (("decisions", "REST"),),
        "zh",
    ),
    (
        "H: 通知邮件会重复发送，请修一下这个问题",
        (("requests", "重复发送"),),
        "zh",
    ),
    (
        ("A: 迁移会锁表一分钟，需要我改成并发建索引吗？\nH: 需要"),
        (("decisions", "并发建索引"),),
        "zh",
    ),
    (
        "H: 许可证还没定，以后再说，先问法务",
        (("discussions", "许可证"),),
        "zh",
    ),
    (
        "H: 不要在测试里访问外网",
        (("decisions", "访问外网"),),
        "zh",
    ),
    (
        "H: we're going with Stripe, PayPal's webhooks are too unreliable",
        (("decisions", "Stripe"),),
        "en",
    ),
    (
        "H: don't use any in TypeScript, ever",
        (("decisions", "any in TypeScript"),),
        "en",
    ),
    (
        "H: one rule for this repo: tests must not touch the network",
        (("decisions", "tests must not touch the network"),),
        "en",
    ),
    (
        (
            "H: No, that's the wrong approach. Parse the file once and pass the tree around instead of "
            "re-reading it in each rule."
        ),
        (("decisions", "Parse the file once"),),
        "en",
    ),
    (
        "H: leave the old column in place until the backfill is done",
        (("decisions", "old column in place"),),
        "en",
    ),
    (
        "H: I prefer explicit SQL over an ORM in this service",
        (("decisions", "explicit SQL over an ORM"),),
        "en",
    ),
    (
        "H: pin the node version to 20 because 22 breaks our native module",
        (("decisions", "node version to 20"),),
        "en",
    ),
    (
        ("A: Should errors be returned as problem+json, or as our own envelope?\nH: problem+json"),
        (("decisions", "problem+json"),),
        "en",
    ),
    (
        (
            "A: I can fix this in three ways:\n"
            "1. retry\n"
            "2. queue\n"
            "3. ignore the duplicate\n"
            "What do you prefer?\n"
            "H: 3, duplicates are harmless here"
        ),
        (("decisions", "ignore the duplicate"),),
        "en",
    ),
    (
        ("A: Do you want me to turn the three scripts into subcommands of one CLI?\nH: yeah that sounds great"),
        (("decisions", "urn the three scripts"),),
        "en",
    ),
    (
        "H: Please add a --json option to `status`, scripts need to parse it.",
        (("requests", "--json"),),
        "en",
    ),
    (
        "H: I want a nightly backup of the database to S3",
        (("requests", "nightly backup"),),
        "en",
    ),
    (
        "H: hi! could you please write a script that imports the old CSV files into the new schema?",
        (("requests", "imports the old CSV"),),
        "en",
    ),
    (
        "H: The export is missing the header row when there are no results.",
        (("requests", "missing the header row"),),
        "en",
    ),
    (
        "H: update the docs to describe the new auth flow",
        (("requests", "new auth flow"),),
        "en",
    ),
    (
        "H: let users choose their time zone in the profile page",
        (("requests", "time zone"),),
        "en",
    ),
    (
        "H: we need to support uploads larger than 2 GB",
        (("requests", "uploads larger than 2 GB"),),
        "en",
    ),
    (
        "H: make the CI cache the cargo registry",
        (("requests", "cargo registry"),),
        "en",
    ),
    (
        (
            "H: get rid of the deprecation warnings in the test run\n"
            "$! pytest -W error => DeprecationWarning: datetime.utcnow() is deprecated\n"
            "FAILED\n"
            "A: The root cause is `datetime.utcnow()`, which Python 3.12 deprecates; it comes from our "
            "own clock module.\n"
            "EDIT: app/clock.py\n"
            "$ pytest -W error => 88 passed\n"
            "A: No warnings left."
        ),
        (("attempts", "utcnow"), ("requests", "deprecation warnings")),
        "en",
    ),
    (
        (
            "A: Do you want the admin UI in this repo or in a separate one?\n"
            "H: not decided yet, we'll discuss it after the release"
        ),
        (("discussions", "admin UI"),),
        "en",
    ),
    (
        "H: 決済はStripeでいきます。",
        (("decisions", "Stripeでいきます"),),
        "ja",
    ),
    (
        "H: テストからネットワークにアクセスしないでください。",
        (("decisions", "アクセスしないで"),),
        "ja",
    ),
    (
        "H: 旧カラムはバックフィルが終わるまで残しておいてください。",
        (("decisions", "旧カラム"),),
        "ja",
    ),
    (
        "H: statusコマンドに--jsonオプションを追加してほしい",
        (("requests", "--json"),),
        "ja",
    ),
    (
        "H: 毎晩データベースのバックアップを取るようにしてください",
        (("requests", "バックアップ"),),
        "ja",
    ),
    (
        ("A: 三つのスクリプトを一つのCLIにまとめましょうか？\nH: はい、お願いします"),
        (("decisions", "一つのCLIにまとめ"),),
        "ja",
    ),
    (
        "H: 支付用 Stripe，不用 PayPal，因为它的回调不可靠",
        (("decisions", "Stripe"),),
        "zh",
    ),
    (
        "H: 测试绝对不能访问网络",
        (("decisions", "不能访问网络"),),
        "zh",
    ),
    (
        "H: 请给 status 命令加一个 --json 选项",
        (("requests", "--json"),),
        "zh",
    ),
    (
        "H: 每天晚上要自动备份数据库到 S3",
        (("requests", "备份数据库"),),
        "zh",
    ),
    (
        ("A: 要不要把三个脚本合并成一个命令行工具？\nH: 好的，就这么办"),
        (("decisions", "合并成一个命令行工具"),),
        "zh",
    ),
)

ALL = tuple(Conversation(text.split("\n")[0][:60], text, expected, language) for text, expected, language in _ROWS)
