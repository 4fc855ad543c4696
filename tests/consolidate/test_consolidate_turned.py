"""Statements of the same words that say different things are never taken for one."""

from __future__ import annotations

from typing import Any

import pytest

from memory_core.consolidate.turned import turned
from memory_core.records.schema import Kind
from tests.consolidate.test_consolidate_tidying import fill, record, source, text_of

B = Any
APART = (
    ("Migrate from Postgres to MySQL", "Migrate from MySQL to Postgres"),
    ("Use tabs, not spaces", "Use spaces, not tabs"),
    ("Never use spaces, use tabs", "Never use tabs, use spaces"),
    ("Prefer composition over inheritance", "Prefer inheritance over composition"),
    ("Run the linter before the tests", "Run the tests before the linter"),
    ("Redis replaces SQLite", "SQLite replaces Redis"),
    ("Use C++ for the parser", "Use C# for the parser"),
    ("Support node >= 18 only", "Support node < 18 only"),
    ("Read the .env file", "Read the env file"),
    ("Send a copy of the contract to the employer", "Send a copy of the contract to the employee"),
    ("Name the endpoint /user in the API", "Name the endpoint /users in the API"),
    ("Name the table user", "Name the table users"),
    ("Use class Parser for input", "Use class parser for input"),
    ("Store all dates as UTC+1 in the database", "Store all dates as UTC-1 in the database"),
    ("Charge the price in $5 steps", "Charge the price in €5 steps"),
    ("Charge customers in $ only", "Charge customers in € only"),
    ("Pin react with ^1.2 in package.json", "Pin react with ~1.2 in package.json"),
    ("Call the package foo-bar in setup.cfg", "Call the package foo_bar in setup.cfg"),
    ("Use == for comparisons", "Use === for comparisons"),
    ("Use ' for strings in Python", 'Use " for strings in Python'),
    ("Set the upload limit to 5 MB", "Set the upload limit to 5 Mb"),
    ("Discount is 5%", "Discount is 5"),
    ("The default is .5", "The default is 5"),
    ("x=1 is the default", "x=-1 is the default"),
    ("Mark passing tests with ✅", "Mark passing tests with ❌"),
    ("Logs go to /var/log/app", "Logs go to var/log/app"),
    ("Use !important in css", "Use important in css"),
    ("Put && between commands", "Put ; between commands"),
    ("Copy data from staging every night", "Copy data into staging every night"),
    ("Send mail to us", "Send mail from us"),
    ("Use A and B tests together", "Use A or B tests together"),
    ("Only admins may delete users", "Admins may only delete users"),
    ("Keep it on by default", "Keep it off by default"),
    ("Turn on feature B for all customers of the shop", "Turn on feature C for all customers of the shop"),
    ("Go with option a for the export", "Go with option b for the export"),
    ("Use Python 3.11 for builds, Python 3.12 for tests", "Use Python 3.12 for builds, Python 3.11 for tests"),
    ("The billing service calls the audit service", "The audit service calls the billing service"),
    ("Log to file in dev, to stdout in prod", "Log to stdout in dev, to file in prod"),
    ("Show errors to admins only", "Show only errors to admins"),
    ("Do not only test the parser", "Only do not test the parser"),
    ("Round prices up to 2 decimals", "Round prices down to 2 decimals"),
    ("本番ではRedisを使い、開発ではMemcachedを使う", "本番ではMemcachedを使い、開発ではRedisを使う"),
    ("生产环境用Redis，开发环境用Memcached", "生产环境用Memcached，开发环境用Redis"),
    ("운영에서는 Redis를, 개발에서는 Memcached를 사용한다", "운영에서는 Memcached를, 개발에서는 Redis를 사용한다"),
    ("캐시를 활성화한다", "캐시를 비활성화한다"),
    ("Ship on Friday if the nightly tests of billing pass", "Ship on Friday unless the nightly tests of billing pass"),
    ("UTC+1で保存する", "UTC-1で保存する"),
    ("APIは同期で呼ぶ", "APIは非同期で呼ぶ"),
    ("本番のデバッグログは既定で有効にする", "本番のデバッグログは既定で無効にする"),
    ("テストの前にリンターを実行する", "リンターの前にテストを実行する"),
    ("PostgresからMySQLに移行する", "MySQLからPostgresに移行する"),
    ("从Postgres迁移到MySQL", "从MySQL迁移到Postgres"),
    ("Redis보다 SQLite를 쓴다", "SQLite보다 Redis를 쓴다"),
)


@pytest.mark.parametrize(("one", "other"), APART)
def test_the_same_words_turned_around_are_two_statements(one: str, other: str) -> None:
    assert turned(one, other)
    assert turned(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Never commit directly to main", "Do not commit to main directly"),
        ("please always run the tests before pushing", "Run tests before you push"),
        ("Before pushing, run the tests", "Run the tests before pushing"),
        ("Use Stripe for payment", "Payments: use Stripe for payments"),
        ("Use `pytest -q` for the **fast** tests", "- use pytest -q for the fast tests."),
        ('Call the worker "exporter"', "Call the worker exporter"),
        ("Keep app/jobs.py small", "Keep `app/jobs.py` small, please"),
        ("Fail the build when coverage < 80", "fail the build when coverage <80"),
        ("Tests & linter run in CI", "Tests and linter run in CI"),
        ("Discount is 5 %", "Discount is 5%"),
        ("Use Redis - it is fast", "Use Redis, it is fast"),
        ("Limit uploads to 5 mb", "Limit uploads to 5 MB"),
        ("コミット前に必ずテストを実行する", "コミットの前にテストを実行してください"),
        ("提交前必须运行测试", "提交之前运行测试"),
        ("커밋 전에 테스트를 실행하세요", "커밋하기 전에 테스트를 꼭 실행해 주세요"),
    ],
)
def test_other_wordings_of_one_statement_are_not_turned(one: str, other: str) -> None:
    assert not turned(one, other)


@pytest.mark.parametrize(("one", "other"), APART)
def test_tidying_keeps_both_records(bench: B, one: str, other: str) -> None:
    """T26: what is merged away by mistake is lost."""
    bench.write("memory/decisions/said-first.md", text_of("decision", f"# {one}\n\n{one}.", source("s1", 1)))
    bench.write("memory/decisions/other-way.md", text_of("decision", f"# {other}\n\n{other}.", source("s2", 1)))
    fill(bench)
    bench.run(run_id="one")
    assert record(bench, Kind.DECISION, "said-first") is not None
    assert record(bench, Kind.DECISION, "other-way") is not None


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Production caches in Redis, staging in Memcached.", "Staging caches in Redis, production in Memcached."),
        ("The limit is 5 for guests and 50 for members.", "The limit is 50 for guests and 5 for members."),
        ("Call `cache.get()` before `cache.put()`.", "Call `cache.put()` before `cache.get()`."),
        ("Set `CACHE_URL` in the worker.", "Do not set `CACHE_URL` in the worker."),
        (
            f"Deploys go out on every day, after{' one look' * 6}",
            f"Deploys go out, never Fridays, after{' one look' * 6}",
        ),
    ],
)
def test_a_merge_of_one_title_keeps_what_each_text_says(bench: B, one: str, other: str) -> None:
    """Two work trees made a record of one decision, and in each a person wrote more."""
    title = "# Caches are shared by all workers"
    bench.write("memory/decisions/said-first.md", text_of("decision", f"{title}\n\n{one}", source("s1", 1)))
    bench.write("memory/decisions/other-way.md", text_of("decision", f"{title}\n\n{other}", source("s2", 1)))
    fill(bench)
    bench.run(run_id="one")
    texts = " ".join(data.decode() for data in bench.records().values())
    assert one in texts
    assert other in texts


def test_long_texts_that_differ_in_one_word_are_both_kept(bench: B) -> None:
    """One word in forty, and the opposite is said; the likeness of the whole texts must not decide."""
    rest = (
        "the collection of telemetry in the desktop client, and show a note about it on the first start, in the "
        "settings page, and in the privacy document that the installer links to."
    )
    for slug, word in (("turn-on", "Enable"), ("turn-off", "Disable")):
        bench.write(
            f"memory/decisions/{slug}.md", text_of("decision", f"# {word} telemetry\n\n{word} {rest}", source(slug, 1))
        )
    fill(bench)
    bench.run(run_id="one")
    assert record(bench, Kind.DECISION, "turn-on") is not None
    assert record(bench, Kind.DECISION, "turn-off") is not None


@pytest.mark.parametrize("head", ["scope: [acme]", "Scope: {tenant: acme}", "scope: {tennant: acme}"])
def test_a_record_whose_scope_cannot_be_understood_is_made_one_with_none(bench: B, head: str) -> None:
    """R11: nobody can tell who may see it, so nothing of it goes where everybody can."""
    text = text_of("decision", "# Use Parquet for the export\n\nUse Parquet for the export.", source("s1", 1))
    bench.write("memory/decisions/for-all.md", text)
    bench.write("memory/decisions/for-few.md", text.replace("origin:", f"{head}\norigin:", 1))
    fill(bench)
    bench.run(run_id="one")
    assert record(bench, Kind.DECISION, "for-all") is not None
    assert record(bench, Kind.DECISION, "for-few") is not None
