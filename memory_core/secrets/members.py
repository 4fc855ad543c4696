"""Secrets in objects whose name stands in one member and whose value in another, whatever stands between them: what
`terraform output -json`, `aws ssm get-parameter` and lists of variables print, in JSON and YAML."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memory_core.secrets.judgment import is_plain, is_secret
from memory_core.secrets.words import all_words

# In JSON, also in JSON that stands in a string, quotes are around every name; a line of YAML has the name alone.
_QUOTE = r"(?P<quote>\\{0,3}[\"'])"
_KEY = re.compile(r"(?:[Vv]alue|[Dd]efault|VALUE|DEFAULT)(?=\\{0,3}[\"']\s{0,4}[:=])")
_BEFORE_KEY = re.compile(r"\\{0,3}[\"'](?:[Pp]arameter)?\Z")
_IN_JSON = re.compile(
    rf"{_QUOTE}(?:parameter)?(?:value|default)(?P=quote)\s{{0,4}}[:=]\s{{0,4}}(?P=quote)"
    r"(?P<value>(?:[^\s\"'\\]|(?!(?P=quote))[\"']|\\{1,3}[^\s]){6,2048}?)(?P=quote)",
    re.IGNORECASE,
)
_IN_YAML = re.compile(
    r"(?im)^(?P<indent>[ \t]{0,40}(?:-[ \t]{1,8})?)(?:value|default):[ \t]{1,40}(?P<quote>[\"']?)(?P<value>\S{6,2048})$"
)
_NAMED = re.compile(
    rf"{_QUOTE}(?:name|key|id|variable|parameter(?:key|name)?|field)(?P=quote)\s{{0,4}}[:=]\s{{0,4}}(?P=quote)"
    r"(?P<name>[^\"'\\\n]{1,160})(?P=quote)"
    r"|(?m:^)[ \t-]{0,40}(?:name|key|id|variable):[ \t]{1,8}[\"']?(?P<plain>[^\s\"'\[{][^\"'\n]{0,160})",
    re.IGNORECASE,
)
_OWNER = re.compile(r"(?P<name>[\w./-]{1,80})\\{0,3}[\"']?\s{0,4}[:=]\s{0,4}\Z")
_SAYS = re.compile(
    r"(?i)passw(?:or)?d|passwd|passphrase|pwd|secret|token|api[ _-]?key|(?:access|private|signing|encryption)[ _-]?key"
    r"|credential|sess(?:ion)?_?id|connect\.sid|_(?:pass|key)\Z"
)
_OF_PASSWORD = re.compile(r"(?i)(?:passw(?:or)?d|passwd|passphrase|pwd|_pass)\Z")
_BRACE = re.compile(r"[{}]")
_FARTHEST = 1_000  # how far a name is looked for before and behind its value
_WORDS_IN_JSON = ('value"', "value'", "value\\", 'default"', "default'", "default\\")
_WORDS_IN_YAML = ("value: ", "default: ")


def members(text: str, lowered: str) -> Iterator[tuple[int, int]]:
    """Where secrets stand in members of objects. `lowered`: the text in lower case."""
    if "value" not in lowered and "default" not in lowered:
        return  # most texts, found with two looks and not with eight
    for match in _in_json(text) if any(word in lowered for word in _WORDS_IN_JSON) else ():
        yield from _told(match, _names_in_json(text, *match.span()))
    for match in _IN_YAML.finditer(text) if any(word in lowered for word in _WORDS_IN_YAML) else ():
        yield from _told(match, _names_in_yaml(text, match))


def _in_json(text: str) -> Iterator[re.Match[str]]:
    """The members of JSON that are called as values are. Their first quote is looked for from the word on: many texts
    have quotes."""
    for key in _KEY.finditer(text):
        start = max(0, key.start() - 16)
        before = _BEFORE_KEY.search(text, start, key.start())
        if before and (match := _IN_JSON.match(text, before.start())):
            yield match


def _told(match: re.Match[str], names: Iterator[str]) -> Iterator[tuple[int, int]]:
    value = match["value"].removesuffix(match["quote"]) if match["quote"] else match["value"]
    if not match["quote"] and all_words(value):
        return  # `value: getName(1),`
    start = match.start("value")
    if "[redacted" not in value and any(_is_told(name, value) for name in names):
        yield start, start + len(value)


def _is_told(name: str, value: str) -> bool:
    """Whether a name makes a secret of a value. What is called a password may be a word and a number."""
    if not _SAYS.search(name) or (is_plain(value) and not _OF_PASSWORD.search(name)):
        return False
    return is_secret(name, value, quoted=True)


def _names_in_json(text: str, start: int, end: int) -> Iterator[str]:
    """What the object around a member is called: by its other members, and where it is a member itself."""
    opened = _opening(text, start)
    if opened is None:
        return
    closed = text.find("}", end, end + _FARTHEST)
    for part in (text[opened:start], text[end : closed if closed >= 0 else end + _FARTHEST]):
        yield from (match["name"] or match["plain"] for match in _NAMED.finditer(part))
    if owner := _OWNER.search(text, max(0, opened - 100), opened):
        yield owner["name"]


def _opening(text: str, at: int) -> int | None:
    """Where the object begins that is open at a place."""
    depth = 0
    for brace in reversed([match.start() for match in _BRACE.finditer(text, max(0, at - _FARTHEST), at)]):
        depth += 1 if text[brace] == "}" else -1
        if depth < 0:
            return brace
    return None


def _names_in_yaml(text: str, match: re.Match[str]) -> Iterator[str]:
    """What the item or the mapping of a line is called: by the lines of the same depth around it, and by its key."""
    depth = len(match["indent"])
    before = text[max(0, match.start() - _FARTHEST) : match.start()].split("\n")[-2::-1]
    for line in before if "-" not in match["indent"] else ():
        yield from _of_line(line) if _depth(line) == depth else ()
        if _depth(line) < depth and line.strip():
            yield line.strip().rstrip(":")
        if line.strip() and (_depth(line) < depth or line.lstrip().startswith("- ")):
            break
    for line in text[match.end() : match.end() + _FARTHEST].split("\n")[1:]:
        if _depth(line) != depth or line.lstrip().startswith("- "):
            break
        yield from _of_line(line)


def _of_line(line: str) -> Iterator[str]:
    yield from (match["plain"].strip() for match in _NAMED.finditer(line) if match["plain"])


def _depth(line: str) -> int:
    """How deep a line of YAML stands; the dash of an item counts to it."""
    return len(line) - len(line.lstrip(" \t-"))
