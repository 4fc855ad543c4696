"""Short dialogues in everyday words: after some of them nothing was decided, after the others one thing. Data only."""

from __future__ import annotations

_RUN = "EDIT: src/a.py\n$ make test => 31 passed\nA: {}\nH: ok"


def _talk(*lines: str, done: str = "Finished.") -> str:
    """A talk that begins with a look at the code and ends with files changed."""
    return "H: have a look at the module\nA: It has two classes.\n" + "\n".join(lines) + "\n" + _RUN.format(done)


def _away(choice: str, told: str, second: str, undo: str = "") -> str:
    """A choice, what came of it, and what the person says then; `undo`: the command that takes the work back."""
    end = f"$ {undo} => ok\nA: Back to how it was.\nH: ok" if undo else _RUN.format("Changed.")
    return f"H: have a look at the module\nA: Ready.\nH: {choice}\nEDIT: src/a.py\nA: {told}\nH: {second}\n{end}"


def _put(asked: str, answer: str) -> str:
    return _talk(f"A: {asked}", f"H: {answer}")


# Nothing is decided: no decision may be found.
SILENT = {
    # given up, and what holds instead says nothing new
    "undone by name": _away("let's move the wiki to gitbook", "Moved.", "no, gitbook is too slow", "git checkout ."),
    "undone at once": _away("let's go with Nomad", "It needs consul.", "hm no, too much for us", "git checkout -- ."),
    "undone, bare": _away("we'll use esbuild for the bundle", "Built.", "nope, revert", "git restore src"),
    "scrapped": _away("let's use Elixir for the gateway", "Started.", "scrap the Elixir thing", "git stash"),
    "turned out": _away("use Cassandra for the metrics", "Set up.", "Cassandra turned out too heavy. take it out"),
    "does not fit": _away("let's go with protobuf", "Done.", "protobuf doesn't fit, remove it again"),
    "uninstalled": _away("use moment for dates", "Added.", "no, moment is dead, out with it", "npm uninstall moment"),
    "ja undone": _away("キューはKafkaにしよう", "入れました。", "Kafkaは重すぎる。元に戻して", "git checkout ."),
    "ja too dear": _away("画像はS3に保存しよう", "設定しました。", "S3は高すぎる。取り消して", "git checkout ."),
    "zh undone": _away("我们用Kafka做队列", "已经接好了。", "Kafka太重了,撤销吧", "git checkout ."),
    "ko undone": _away("큐는 Kafka로 하자", "붙였습니다.", "Kafka는 너무 무거워. 되돌려줘", "git checkout ."),
    # what somebody else says or thinks
    "first name": _talk("H: Nora says we should never use inheritance, no idea why"),
    "claims": _talk("H: Piotr claims we must always vendor our dependencies"),
    "thinks": _talk("H: Ines thinks we should always squash"),
    "believes": _talk("H: the new architect believes we should never use triggers. hm"),
    "argues": _talk("H: Lukas argues that we should use Bazel instead of make"),
    "keeps saying": _talk("H: Olu keeps saying we should always deploy on Mondays"),
    "group thinks": _talk("H: the mobile people think we should drop REST"),
    "ja other": _talk("H: 田中さんは絶対にenumを使うなと言ってるけど"),
    "zh other": _talk("H: 小李说我们必须一律用枚举,我不太懂为什么"),
    "ko other": _talk("H: 민수가 절대 enum 쓰지 말라고 하던데 잘 모르겠어"),
    # a hedge behind it
    "whatever": _talk("H: I'd rather have one big file but whatever"),
    "your call": _talk("H: I'd prefer dark mode by default, your call though"),
    "up to you": _talk("H: I'd rather keep the long names, up to you"),
    "not important": _talk("H: I'd prefer single quotes but it's not that important"),
    "do as you like": _talk("H: I'd rather see it in a table but do as you like"),
    "not convinced": _talk("H: we should never mock the clock I was told, not convinced"),
    "no strong view": _talk("H: I'd prefer snake case, no strong opinion"),
    "ja whatever": _talk("H: 個人的にはタブにしたいけど、どちらでもいいです"),
    "zh whatever": _talk("H: 我更喜欢用空格,不过随便你"),
    # put off, or a first step
    "can of worms": _put("Time zones would need a column per user.", "let's not touch that before the launch"),
    "not now": _put("Sharing would need accounts.", "let's not build that now, we'll see next year"),
    "first version": _talk("H: yaml is plenty for the first version"),
    "until": _talk("H: one worker is good enough until we have customers"),
    "to begin with": _talk("H: a text field is enough to begin with"),
    "v1": _talk("H: polling is enough for v1"),
    # errands and talk of the work
    "yes to errand": _put("Done. Shall I move the two fixtures too?", "yes"),
    "exactly to fact": _put("So the crash comes from the cache.", "exactly"),
    "figure of fact": _put("How many users do you have at the moment?", "about 300"),
    "agreed to nothing": _put("That test is flaky on Windows.", "agreed"),
}

# One decision: (dialogue, what its words must hold, what they must not begin with).
DECIDES = {
    # given up for something else
    "a bit much": (
        _away("let's use airflow for the reports", "Set up.", "airflow is a bit much here. a cron job will do"),
        "cron job",
        "Use airflow",
    ),
    "looks": (_away("go with a red banner", "Done.", "red looks angry, yellow please"), "yellow", "Go with a red"),
    "it is": (
        _away("we'll keep the thumbnails in S3", "Done.", "oh, they have no cloud. local disk it is"),
        "local disk",
        "Keep the thumbnails in S3",
    ),
    "taken": (_away("let's name it rune", "Renamed.", "rune is taken on PyPI. call it runelet"), "runelet", "Let's"),
    "then": (_away("let's use spaces here", "Done.", "gofmt wants tabs, tabs then"), "tabs", "Use spaces"),
    "so": (_away("use Angular for the console", "Started.", "Mia knows Svelte. so Svelte"), "Svelte", "Use Angular"),
    "stay after all": (
        _away("let's go with Pulsar for the events", "Pulsar needs bookkeeper.", "too much. we stay on NATS after all"),
        "NATS",
        "Go with Pulsar",
    ),
    "forget it": (
        _away("let's use CouchDB for the drafts", "Joins are missing.", "forget it, sqlite then", "git checkout ."),
        "sqlite",
        "Use CouchDB",
    ),
    "back to": (
        _away("let's move the docs to hugo", "Search costs extra.", "no, back to sphinx. pity", "git checkout ."),
        "sphinx",
        "Move the docs",
    ),
    "we keep": (
        _away("we'll use Selenium for e2e", "It is slow.", "no way. undo it, we keep puppeteer", "git restore ."),
        "puppeteer",
        "Use Selenium",
    ),
    "ja rival": (_away("DBはMongoにしよう", "入れました。", "重すぎる。やっぱりSQLiteで"), "SQLite", "DBはM"),
    "ja back": (_away("ビルドはViteにしよう", "動きません。", "だめだ、webpackに戻そう"), "webpack", "ビルドはVite"),
    "zh rival": (_away("我们用Mongo存日志", "好了。", "Mongo太重了,还是用SQLite吧"), "SQLite", "用Mongo"),
    "ko rival": (_away("DB는 Mongo로 하자", "했습니다.", "너무 무거워. 그냥 SQLite로 하자"), "SQLite", "DB는 M"),
    # said of the choice without giving it up
    "praised": (_away("let's use redis for the cache", "Done.", "nice, redis is fast"), "redis", "-"),
    "asked about": (_away("let's use redis for the cache", "Done.", "is redis too slow for that?"), "redis", "-"),
    "next thing": (_away("let's use redis for the cache", "Done.", "now a green button please"), "redis", "-"),
    "bug elsewhere": (_away("let's use redis for the cache", "Done.", "the login page is too slow"), "redis", "-"),
    "other answer": (
        _away("let's use redis for the cache", "Should the header be blue or grey?", "grey then"),
        "redis",
        "-",
    ),
    # adopted from somebody else
    "and right": (_talk("H: Nora says we should never use eval, and she's right"), "eval", "-"),
    "team decided": (_talk("H: we agreed with Piotr that we never use eval in templates"), "eval", "-"),
    # a yes to a plan in any mood
    "settles": (_put("Then Avro is the only format that all clients read.", "yeah that settles it"), "Avro", "-"),
    "agreed": (_put("I'd derive the types from the schema and write none by hand.", "agreed"), "types", "-"),
    "take that": (_put("weasyprint is BSD and does page breaks.", "take that"), "weasyprint", "-"),
    "go": (_put("Then an outbox table with a poller.", "go"), "outbox", "-"),
    "sold": (_put("Short tokens with a refresh would fit better than long sessions.", "sold"), "tokens", "-"),
    "do it": (_put("A view in the database with a nightly refresh would do.", "fair enough. do it"), "view", "-"),
    "sense": (_put("I'd keep prices as whole cents.", "makes sense, let's do that"), "cents", "-"),
    # norms in the present tense
    "in this repo": (_talk("H: in this repo tags get signed"), "tags", "-"),
    "here": (_talk("H: amounts are always in cents here"), "cents", "-"),
    "in this project": (_talk("H: public classes carry a docstring in this project"), "docstring", "-"),
    "can't ship": (_talk("H: we can't ship AGPL, we distribute binaries"), "AGPL", "-"),
    # staying
    "stay on": (
        (
            "H: try the upgrade\nA: I will.\n$! pip install 'lib>=3' => 40 failed\nA: The plugin API changed.\n"
            "H: nope. revert, we stay on 2.8 until the plugin is ported\n$ git checkout . => ok\nA: Reverted.\nH: ok"
        ),
        "2.8",
        "-",
    ),
    "stuck on": (
        (
            "H: try the upgrade\nA: I will.\n$! npm i => 4 failed\nA: The loader is gone.\n"
            "H: ok we're stuck on gulp 4 then, because of the loader\n$ git checkout . => ok\nA: Reverted.\nH: ok"
        ),
        "gulp 4",
        "-",
    ),
}
