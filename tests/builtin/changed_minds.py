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
    "taken": (
        _away("let's name it rune", "Renamed.", "rune is taken on PyPI. call it runelet"),
        "runelet",
        "Let's",
    ),
    "then": (_away("let's use spaces here", "Done.", "gofmt wants tabs, tabs then"), "tabs", "Use spaces"),
    "so": (
        _away("use Angular for the console", "Started.", "Mia knows Svelte. so Svelte"),
        "Svelte",
        "Use Angular",
    ),
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
    "ja rival": (
        _away("DBはMongoにしよう", "入れました。", "重すぎる。やっぱりSQLiteで"),
        "SQLite",
        "DBはMongo",
    ),
    "ja back": (_away("ビルドはViteにしよう", "動きません。", "だめだ、webpackに戻そう"), "webpack", "ビルドはVite"),
    "zh rival": (_away("我们用Mongo存日志", "好了。", "Mongo太重了,还是用SQLite吧"), "SQLite", "用Mongo"),
    "ko rival": (
        _away("DB는 Mongo로 하자", "했습니다.", "너무 무거워. 그냥 SQLite로 하자"),
        "SQLite",
        "DB는 Mongo",
    ),
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
}
