"""What is a request at all, and which one its session has done: told, remarked and mended things wait for nobody."""

from __future__ import annotations

import pytest

from tests.builtin.test_builtin_real_talk import _found

NONE = [
    # a report of a fault that was mended, in the first turn or three turns later
    "H: the invoice list shows every row twice\nA: The join doubles them.\nEDIT: q.py\nA: One row each now.\nH: nice",
    (
        "H: the nightly sync takes 50 minutes, way too slow\nA: The lookups run one by one.\nH: ok batch them then\n"
        "EDIT: s.py\n$ python s.py => done in 80s\nA: It takes 80 seconds now.\nH: superb, thanks"
    ),
    (
        "H: tooltips are broken on touch screens\nA: They wait for a hover.\nH: can you make that work\n"
        "EDIT: t.tsx\nA: They open on a tap.\nH: works"
    ),
    "H: The parser crashes on empty lines.\nEDIT: p.py\n$ pytest => 9 passed\nA: Skipped them.\nH: now the docs page",
    "H: memory grows until the pod is killed\nEDIT: w.py\nA: The cache has a bound now.\nH: stays flat since, great",
    "H: search needs 6 seconds on the big tenant\nEDIT: i.sql\n$ make time => 0.1 s\nA: 0.1 s now.\nH: beautiful",
    # remarks that files were changed for
    "H: why is it so odd here\nA: History.\nH: the two loaders were written by two teams\nEDIT: l.py\nA: Merged.",
    "A: It is untyped.\nH: this file predates our switch to typed configs\nEDIT: c.py\nA: Typed it.\nH: good",
    "A: Two clients.\nH: the worker speaks gRPC and the shop speaks REST\nEDIT: c.py\nA: One adapter for both.",
    "A: Twelve flags.\nH: twelve flags for one command, that feels heavy to me\nEDIT: f.py\nA: Grouped them.\nH: ok",
    # errands that were done and accepted
    "H: tidy up helpers.py\nEDIT: helpers.py\nA: Split into two functions.\nH: fine. what about the tests",
    "H: hi\nA: Hello.\nH: rename the flag to --quiet\nEDIT: cli.py\nA: Renamed it everywhere.\nH: cool",
    "H: fix the typo on the login page\nEDIT: login.tsx\nA: Fixed the heading.\nH: thanks!",
    # other languages
    "H: 一覧の表示に8秒かかります\nEDIT: l.py\n$ make time => 0.2 s\nA: 0.2秒です。\nH: 速くなりました、感謝",
    "H: 古いコードは別の会社が書いたものです\nEDIT: a.py\nA: 書き直しました。\nH: なるほど",
    "H: 列表接口太慢，要10秒\nEDIT: a.py\nA: 加了索引，现在0.1秒。\nH: 很好，谢谢",
    "H: 목록이 너무 느려요\nEDIT: a.py\nA: 인덱스를 추가했습니다.\nH: 이제 빨라요. 감사합니다",
    "H: Die Suche ist langsam und die Kunden beschweren sich\nEDIT: s.py\nA: Der Index fehlte.\nH: Danke, viel besser",
    "A: Fertig.\nH: Das sieht schon ganz ordentlich aus, die Schrift ist noch klein\nEDIT: s.css\nA: Größer gemacht.",
    "A: Welche Daten?\nH: Das weiß ich noch nicht, das muss der Vertrieb sagen\nEDIT: n.md\nA: Notiert.",
]
KEPT = [
    # nobody says that it is done
    ("H: please add an audit log to the admin pages\nEDIT: a.py\nA: Started with the model.", "audit log"),
    ("H: the monthly export crashes on customer names with commas\nA: I will look at it tomorrow.", "export crashes"),
    ("H: tables overlap the sidebar on small screens, it is broken\nA: Noted.\nH: thanks", "overlap"),
    # the person objects, or it failed
    (
        "H: add retries to the payment client\nEDIT: p.py\nA: Added.\nH: it still gives up after the first error",
        "retries to the payment client",
    ),
    (
        "H: clicking export sends three mails\nEDIT: e.ts\nA: Should be one now.\nH: still three, that is wrong",
        "three mails",
    ),
    (
        "H: add a health check endpoint\nEDIT: h.py\n$! pytest => 1 failed\nA: The test fails.\nH: leave it for today",
        "health check",
    ),
    # wishes, needs and questions to do
    ("H: we need a CSV import for the contacts of the sales team\nA: Noted for later.", "CSV import"),
    ("H: can you add rate limiting to the public endpoints\nA: I need the limits first.", "rate limiting"),
    ("H: could we get rid of the jQuery plugin on the start page\nA: Yes, in a week.", "jQuery"),
    ("H: I want the report to be readable without colours\nA: Which report?", "report"),
    ("H: the settings page should remember the last tab\nEDIT: s.tsx\nA: Half way there.", "last tab"),
    # standing wishes outlive their first change
    (
        "H: make sure every endpoint validates its input against the schema\nEDIT: a.py\nA: Done.\nH: good",
        "every endpoint",
    ),
    ("H: also the API must never return a stack trace to clients\nEDIT: a.py\nA: Done.\nH: ok", "stack trace"),
    # a task of its own that was done is kept, with what shows it
    (
        "H: build an importer for MT940 bank statements, streaming, with a dry run\nEDIT: i.py\nA: Built.\nH: great",
        "MT940",
    ),
    # other languages
    ("H: 管理画面に監査ログを追加してください\nA: 後で見ます。", "監査ログ"),
    ("H: 検索に履歴の機能がほしいので追加をお願いします\nA: わかりました。", "履歴"),
    ("H: 请给后台加上操作日志功能，方便审计\nA: 好的，稍后。", "操作日志"),
    ("H: 관리자 페이지에 감사 로그를 추가해 주세요\nA: 나중에 보겠습니다.", "감사 로그"),
    ("H: 支払いの再試行を実装してください\nEDIT: p.py\nA: 途中です。", "再試行"),
    ("H: please migrate the cron jobs to the scheduler and document them\nEDIT: c.py\nA: Half of them.", "cron jobs"),
]


def _requests(text: str) -> list[str]:
    return [str(finding.fields["summary"]) for finding in _found(text) if finding.array == "requests"]


@pytest.mark.parametrize("text", NONE)
def test_what_was_told_or_done_is_no_request(text: str) -> None:
    assert _requests(text) == []


@pytest.mark.parametrize(("text", "part"), KEPT)
def test_what_waits_or_holds_is_still_a_request(text: str, part: str) -> None:
    assert any(part in found for found in _requests(text)) or any(
        part in str(finding.fields.get("chosen")) for finding in _found(text)
    )


def test_a_task_that_was_done_names_the_change_and_the_report() -> None:
    text = next(text for text, part in KEPT if part == "MT940")
    (found,) = [finding for finding in _found(text) if finding.array == "requests"]
    assert [item.tool or str(item.speaker) for item in found.items] == ["human", "Edit", "assistant"]
