"""What people say when they overturn, pick, remember or put off, and what must be found in it: nothing more."""

from __future__ import annotations

from tests.builtin.dialogue import Conversation

_LIST = (
    "A: There are two options:\n\n1. `executemany` in a single transaction (maybe 5x faster)\n"
    "2. `COPY` into a staging table and then merge (about 50x faster)\n\nI would recommend option 2.\n"
)
_SIDES = (
    "A: I see two approaches:\n\nOption A: keep one queue and add a priority field\n"
    "Option B: split the queue into two tables\n\nWhich one?\n"
)
_KEY = "sk-ant-api03-" + "Zk3vX9qLmN8bRtYwPs2dFgHjKlZxCvBnMqWe" * 2 + "12345-AAAAAAAA"

_ROWS: tuple[tuple[str, tuple[tuple[str, str], ...], str], ...] = (
    (
        _LIST + "H: go with 2, but keep the per-row path behind a flag because a few customers are still on mysql",
        (("decisions", "`COPY` into a staging table"), ("decisions", "Keep the per-row path behind a flag")),
        "en",
    ),
    (_LIST + "H: go with 2 because it is faster", (("decisions", "`COPY` into a staging table"),), "en"),
    (_LIST + "H: 2 sounds odd to me, what would break?", (), "en"),
    (
        (
            "H: hmm thinking about it again: let's not keep the flag. two code paths is too much to test. "
            "COPY only, mysql customers stay on 2.x"
        ),
        (("decisions", "not keep the flag"), ("decisions", "COPY only")),
        "en",
    ),
    ("H: hmm, I keep thinking about the flag", (), "en"),
    ("H: wait, actually don't use mocks in the importer tests", (("decisions", "use mocks in the importer"),), "en"),
    ("H: いや、やっぱりログは JSON にしましょう", (("decisions", "JSON にしましょう"),), "ja"),
    ("H: 等等，再想想，不要用 Redis 做队列", (("decisions", "不要用 Redis"),), "zh"),
    (
        (
            "H: We decided in the team meeting to use uv instead of poetry from now on, since poetry's resolver takes "
            "minutes on CI."
        ),
        (("decisions", "use uv instead of poetry"),),
        "en",
    ),
    ("H: they decided in the end to hire somebody else", (), "en"),
    (
        (
            "A: I could use pandas with sep=None, or `csv.Sniffer` from the standard library. Which do you prefer?\n"
            "H: csv.Sniffer. I don't want pandas in here, we keep the importer free of heavy dependencies so the "
            "lambda stays under 50MB"
        ),
        (("decisions", "`csv.Sniffer` from the standard library"), ("decisions", "want pandas in here")),
        "en",
    ),
    (
        _SIDES + "H: option B please, the other one is too complicated",
        (("decisions", "split the queue into two tables"),),
        "en",
    ),
    (_SIDES + "H: yes, go with the second one", (("decisions", "split the queue into two tables"),), "en"),
    ("H: remember that staging uses a self-signed certificate", (("decisions", "self-signed certificate"),), "en"),
    ("H: do you remember that bug with the certificate?", (), "en"),
    ("H: 请记住，测试环境用的是自签名证书", (("decisions", "自签名证书"),), "zh"),
    (
        f"H: the staging key is {_KEY}, put it into the .env but never commit .env",
        (("decisions", "Never commit .env"),),
        "en",
    ),
    (f"H: the staging key is {_KEY}", (), "en"),
    ("H: let's decide later whether we shard the orders table", (("discussions", "shard the orders table"),), "en"),
    (
        "A: Should the exporter write Parquet or CSV for the archive?\nH: park that for now",
        (("discussions", "write Parquet or CSV"),),
        "en",
    ),
    ("H: 归档格式用 Parquet 还是 CSV，待定", (("discussions", "归档格式"),), "zh"),
    ("H: アーカイブの形式は保留にしましょう", (("discussions", "アーカイブの形式"),), "ja"),
    ("H: also we're dropping python 3.8 support, nobody runs it anymore", (("decisions", "python 3.8"),), "en"),
    (
        "H: Looks good. One more rule: money is always Decimal in this code base, never float.",
        (("decisions", "oney is always Decimal"),),
        "en",
    ),
    (
        "H: could you at some point add a metric for rejected rows? not now, after the release\nA: Noted.\nH: thanks",
        (("requests", "not now, after the release"),),
        "en",
    ),
    (
        (
            "H: Add a --dry-run flag to the importer CLI. It should print the number of rows per supplier.\n"
            "$ pytest -q => 17 passed in 3.2s\nA: `--dry-run` prints the counts per supplier.\nH: looks good, thanks"
        ),
        (),
        "en",
    ),
    (
        (
            "H: Add a --dry-run flag to the importer CLI. It must never write to the database.\n"
            "$ pytest -q => 17 passed in 3.2s\nA: `--dry-run` prints the counts per supplier.\nH: looks good, thanks"
        ),
        (("decisions", "must never write"),),
        "en",
    ),
)

ALL = tuple(Conversation(f"second thought {n}", text, found, lang) for n, (text, found, lang) in enumerate(_ROWS))
