"""How one record says of another that it took its place, in each language. One home for these words: the host lets a
run write them without a candidate, and they are read back as what no longer holds.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

ENDED: Mapping[str, str] = {
    "en": "No longer holds: given up for `{}`.",
    "ja": "もう有効ではない: `{}` に置き換えられた。",
    "zh": "不再有效: 已被 `{}` 取代。",
    "ko": "더 이상 유효하지 않음: `{}`(으)로 대체되었다.",
}
REPLACES: Mapping[str, str] = {
    "en": "Replaces `{}`: {}",
    "ja": "`{}` に代わる: {}",
    "zh": "取代 `{}`: {}",
    "ko": "`{}`을(를) 대체함: {}",
}
_PLACE = r"(?P<place>(?:decisions|requests|knowledge)/[a-z0-9-]+)"


def _pattern(template: str) -> re.Pattern[str]:
    """Where a note stands: at the beginning of a line, up to where its own words begin."""
    begins, _, rest = template.partition("`{}`")
    behind = rest.split("{}")[0].rstrip()
    return re.compile(rf"^{re.escape(begins.rstrip())}[ \t]*`{_PLACE}`[ \t]*{re.escape(behind.lstrip())}", re.MULTILINE)


_ENDED = tuple(_pattern(template) for template in ENDED.values())
_REPLACES = tuple(_pattern(template) for template in REPLACES.values())


def is_ended(body: str) -> bool:
    """Whether a record that has no status says that it was given up."""
    return any(pattern.search(body) for pattern in _ENDED)


def replaced_in(body: str) -> tuple[str, ...]:
    """The places (`decisions/use-csv`) of the records that a record says it replaces."""
    return tuple(found["place"] for pattern in _REPLACES for found in pattern.finditer(body))


def notes_in(text: str) -> Iterator[tuple[str, str]]:
    """The notes of both sorts in a text: what stands there, and the place of the record it names."""
    for pattern in (*_ENDED, *_REPLACES):
        yield from ((found.group(), found["place"]) for found in pattern.finditer(text))
