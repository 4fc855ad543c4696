"""A request that is taken back later in the session, by its name; and what only sounds like that."""

from __future__ import annotations

import pytest

from tests.builtin.test_builtin_real_talk import _found

_DARK = (
    "H: add a dark mode toggle to the settings page\nEDIT: s.tsx\nA: Done.\nH: hm, what about the charts\nA: Not yet.\n"
)


def _requests(text: str) -> list[str]:
    return [str(finding.fields["summary"]) for finding in _found(text) if finding.array == "requests"]


@pytest.mark.parametrize(
    "text",
    [
        _DARK + "H: ok forget the dark mode thing, we don't have a design. revert all of it\nEDIT: s.tsx\nA: Reverted.",
        _DARK + "H: the dark mode isn't needed anymore, remove it\nEDIT: s.tsx\nA: Removed.",
        (
            "H: we need a CSV import for contacts\nEDIT: i.py\nA: There.\n"
            "H: also check the emails\nEDIT: i.py\nA: Done.\n"
            "H: ok change of plans: product dropped the CSV import, remove it\nEDIT: i.py\nA: Removed."
        ),
        (
            "H: can you add support for S3-compatible storages like MinIO\nA: Looking.\nEDIT: s.py\n"
            "H: stop. cancel that, someone else is on it\nA: Stopped."
        ),
        (
            "H: 設定画面にダークモードの切り替えを追加してください\nEDIT: s.tsx\nA: 追加しました。\n"
            "H: グラフは？\nA: 未対応です。\n"
            "H: ダークモードはなしで。デザインがないので全部消して\nEDIT: s.tsx\nA: 削除しました。"
        ),
        (
            "H: 在设置页面添加深色模式开关\nEDIT: s.tsx\nA: 已添加。\nH: 图表呢\nA: 还没有。\n"
            "H: 深色模式不做了，全部撤掉\nEDIT: s.tsx\nA: 已撤掉。"
        ),
        (
            "H: 설정 페이지에 다크 모드 토글을 추가해 주세요\nEDIT: s.tsx\nA: 추가했습니다.\n"
            "H: 차트는?\nA: 아직입니다.\n"
            "H: 다크 모드는 안 하기로 했어요. 다 지워 주세요\nEDIT: s.tsx\nA: 지웠습니다."
        ),
    ],
)
def test_request_that_is_given_up_by_name_is_none_any_more(text: str) -> None:
    assert _requests(text) == []


@pytest.mark.parametrize(
    "said",
    [
        "forget the charts",
        "don't forget the dark mode icons",
        "is the dark mode not needed any more?",
        "drop the old column of the charts table",
        "the browser dropped the dark mode cookie",
        "dark mode is not required on the login page",
    ],
)
def test_request_stays_where_something_else_is_given_up(said: str) -> None:
    assert any("dark mode toggle" in asked for asked in _requests(f"{_DARK}H: {said}\nEDIT: s.tsx\nA: Done."))


def test_what_else_a_message_asks_for_stays() -> None:
    asked = _requests(
        _DARK + "H: forget the dark mode. please add a font size selector to the settings page\nEDIT: s.tsx\nA: Done."
    )
    assert [("font size" in text, "toggle" in text) for text in asked] == [(True, False)]
