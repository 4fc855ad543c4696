"""What was said, as sentences: code, quotes, logs and wrappers cut out, the rest split, in four languages.

Judges nothing: whether a sentence matters is the finders' business.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from memory_core.text import shorten

_FENCE = re.compile(r"^[ \t]*(?P<mark>`{3,}|~{3,}).*?(?:^[ \t]*(?P=mark)`*~*[ \t]*$|\Z)", re.MULTILINE | re.DOTALL)
# Wrappers that agents put around what a person typed. The host cuts them; a log of an unknown version may keep one.
_WRAPPER = re.compile(
    r"<(?P<tag>system-reminder|ide_\w+|environment_details|environment_context|local-command-\w+|command-\w+|bash-\w+|"
    r"task-notification|session-start-hook|user_instructions|omoide[\w-]*)\b[^>]*>.*?(?:</(?P=tag)>|\Z)",
    re.DOTALL | re.IGNORECASE,
)
_MARKER = re.compile(r"\[(?:Image #\d+|Request interrupted by user[^\]]*|Pasted text[^\]]*|[^\]]*truncated[^\]]*)\]")
# A line that was pasted rather than said: quote, prompt, stack frame, time stamp, log level, diff, test report, table.
_PASTED = re.compile(
    r"^\s*(?:>|\$ |❯|➜|λ |%\s|#!|\||\+\+\+ |--- \S|@@ |[↑↓⠀-⣿─-╿]|\[[a-z][\w.-]{1,20}\] \S|diff --git|"
    r"index [0-9a-f]{7}|[+-]\s{2,}\S|"
    r"[+-]\s?\d+\s[-+|]\s|"
    r"['\"](?:~|[A-Za-z]:|\.{0,2})[/\\][^'\"]*['\"]\s*$|"
    r"~?/\S*(?:\s*\(\S+\))?\s*$|[\w./\\:-]+:\d+:?$|\w+: ['\"{\[]\S*,?$|[\w.-]+@[\w.-]+[:~ ][^ ]*[$#%] |"
    r"[{\[]\s*[\"'{]|\S*\"\w+\":|"
    r"Traceback\b|File \".*\", line \d+|at \S+ ?\(.*:\d+|at async |at [\w.$/-]+:\d+|Caused by:|"
    r"[\w.:$]*(?:Error|Exception|Warning|Warn|Fault)\b(?::| \()|[A-Z]\w+(?:::[A-Z]\w+)+\s*[(:]|"
    r"\w[\w./\\-]*\.\w+:\d+:in |"
    r"'?\[redacted [^\]]*\][^ ]*|"
    r"\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\[?\d\d:\d\d:\d\d|\[?(?:DEBUG|INFO|WARN(?:ING)?|ERROR|FATAL|TRACE)\b[\]: ]|"
    r"npm (?:ERR|WARN|err|warn|error|notice)\b|(?:PASS|FAIL)(?:ED)?\b[: ]|E\s{3}|(?:error|fatal)(?:\[\w+\])?: |"
    r"(?:warning|hint|help): |\S+:\d+:\d+:? |"
    r"(?:DETAIL|HINT|STATEMENT|QUERY): |\((?:node|pid)[: ]\d+\) |(?:Normal|Warning)\s{2,}\w|Back-off \w|DEPRECATED: |"
    r"# \S+\.\S+ (?:must be|will be) (?:replaced|created|destroyed|updated))"
)
# What a program prints while it works: `Waiting for the debugger to disconnect...`, with no person in it and no verb.
_PROGRESS = re.compile(
    r"\s*(?:Waiting for|Listening (?:on|at|for)|Debugger (?:attached|listening|ending)|Starting inspector|Connecting to"
    r"|Connected to|Downloading|Downloaded|Compiling|Resolving|Fetching|Unpacking|Extracting|Linking|Installing|Loading"
    r"|Bundling|Collecting|Preparing|Restarting|Reloading|Watching for)\b"
    r"(?!.*(?:[?？]|\b(?:i|i'm|we|you|us|me|my|our|please|pls|should|must|is|are|was|takes?|took|fails?|failed|doesn't"
    r"|does|needs?|never|always|instead|because|but|makes?|means|seems?|works?|keeps?)\b))",
)
# An apostrophe that was read in another encoding: `thatÄ's`, `thatâ€™s`, `that\ufffds`.
_STRAY = re.compile(
    r"(?<=[A-Za-z])(?:\u00e2\u20ac[\u2122\u02dc]|\u00e2\u0080[\u0098\u0099]|[\u00c2-\u00c5\ufffd]{1,3}['\u2019]|\ufffd{1,3})(?=(?:s|t|m|d|re|ve|ll)\b)"
)
_JSON = ('":', '",', '"}', '"]', '\\"')  # two of them in a line: a piece of data
_HEADING = re.compile(r"^\s*#{1,6}\s+")
_ITEM = re.compile(r"^\s*(?:[-*•・]|\d{1,2}[.)、]|[(（]?[A-Da-d][)）.])\s+")
_EMPHASIS = re.compile(r"(\*\*|__)(?=\S)(.+?)(?<=\S)\1")
_ABBREVIATION = re.compile(
    r"(?:\b(?:e\.g|i\.e|etc|vs|cf|approx|no|fig|mr|ms|dr|incl|resp|mio|mrd|ca|bzw|usw|evtl|ggf|nr|[zu])|^\d{1,2}|^\w|\s(?-i:[A-Z]))\.$",
    re.IGNORECASE,
)
_BREAK = re.compile(r"(?<=[.!?…])[\"'”’)\]]*\s+|(?<=[。！？])(?![。！？」』）)])|(?<=[。！？][」』）)])(?!と)")
_LONGEST = 1_000  # characters of a sentence; what goes on for longer was pasted
_ENDING = re.compile(r"(?<=\w\w\w)(?:ing|ed|es|s|e)$")
_SPAN = re.compile(r"`([^`\n]+)`")
_QUOTE = re.compile(r"\"[^\"\n]{8,}\"|“[^”\n]{8,}”|「[^」\n]{8,}」|『[^』\n]{8,}』|«[^»\n]{8,}»")
_KANA = re.compile(r"[\u3041-\u30ff]")
_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]")
_HANGUL = re.compile(r"[\uac00-\ud7a3]")
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9_'’-]*|\d+")
_CJK = re.compile(r"[\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3]")
_STOP_WORDS = (
    "a about actually again ah all also am an and any anything are as at be been better but by can cool could did "
    "do does don't done each else even ever every first for from get go going good got great had has have he "
    "hello help here hey hi how i i'd i'll i'm i've if in instead into is it it's its just know let let's like "
    "little lot make maybe me more most much my need next nice no not now of off oh ok okay on one only or our "
    "out over perhaps please really right same she should so some something sorry still stuff sure than thank "
    "thanks that that's the their them then there there's these they thing things think this those time to too "
    "try up us use very wait want was way we we'll we're well were what when where which while who why will with "
    "without would yes yet you you're your "
    "also btw cant couldnt didnt doesnt dont dude guess hey hm hmm hmmm im isnt ive lets nah nope ok omfg omg pls plz "
    "shit so sth tho thx u ur wanna gonna wasnt whats wont wtf ya yea yeah yep yup fuck fucking damn holy man"
)
_STOP = frozenset(_STOP_WORDS.split())


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence. `text`: as said, white space folded. `plain`: the same for matching, of the same length, with code
    and quotes blanked, so that a cue somebody else wrote is not taken for the speaker's. `paragraph`: number of its
    paragraph. `item`: whether it stood in a list."""

    text: str
    plain: str
    paragraph: int = 0
    item: bool = False

    @property
    def weight(self) -> int:
        return weight(self.plain)


def spoken(text: str) -> str:
    """The text without fenced code, wrappers, quoted and pasted lines; line structure kept."""
    text = _WRAPPER.sub("\n", text.replace("\r\n", "\n").replace("\r", "\n"))
    text = _STRAY.sub("'", _MARKER.sub(" ", _FENCE.sub("\n", text)))
    kept: list[str] = []
    pasted = False
    for line in (line.rstrip("\\ \t") for line in text.split("\n")):
        # A line that is set in below a pasted one goes on with it: a terminal broke it.
        pasted = _is_pasted(line) or (pasted and line[:1] in (" ", "\t"))
        kept.append("" if pasted else line)
    return "\n".join(kept)


@lru_cache(maxsize=4_096)  # each finder asks for the same messages
def sentences(text: str) -> tuple[Sentence, ...]:
    """The sentences of a message, in order."""
    found: list[Sentence] = []
    for paragraph, line, item in _blocks(spoken(text)):
        parts = [part for part in _split(line) if len(part) <= _LONGEST and any(char.isalnum() for char in part)]
        found += [Sentence(part, matching(part), paragraph, item) for part in parts]
    return tuple(found)


def matching(text: str) -> str:
    """A text for matching, of the same length: inline code and longer quotes are blanked, apostrophes are plain."""
    text = _SPAN.sub(lambda match: f"`{'x' * len(match[1])}`", text)
    text = _QUOTE.sub(lambda match: f"`{'…' * (len(match.group()) - 2)}`", text)
    return text.replace("’", "'").replace("‘", "'")


def language_of(text: str) -> str:
    """`ja`, `zh`, `ko` or `en` by script: kana is Japanese, Hangul Korean, Han alone Chinese, all else is matched as
    English."""
    if _KANA.search(text):
        return "ja"
    if _HANGUL.search(text):
        return "ko"
    return "zh" if _HAN.search(text) else "en"


def weight(text: str) -> int:
    """How much a text says: its content words, a compound such as `case-insensitive` as two, two characters of Chinese,
    Japanese or Korean as one."""
    words = [word.lower().replace("’", "'") for word in _WORD.findall(text)]
    said = [word for word in words if word not in _STOP]
    return len(said) + sum("-" in word.strip("-") for word in said) + len(_CJK.findall(text)) // 2


def content(text: str) -> frozenset[str]:
    """The content words of a text, without endings; pairs of characters for Chinese and Japanese."""
    words = {word.lower().replace("’", "'") for word in _WORD.findall(text)} - _STOP
    wide = "".join(_CJK.findall(text))
    pairs = {wide[place : place + 2] for place in range(len(wide) - 1)}
    return frozenset({_ENDING.sub("", word) for word in words} | pairs)


def join(parts: Iterator[str] | list[str] | tuple[str, ...], limit: int) -> str:
    """Whole sentences in order, as many as fit in `limit` characters; a single one that is too long is cut."""
    kept = ""
    for part in parts:
        if kept and (kept[-1].isalnum() or kept[-1] in "`)）"):  # a point of a list, which ends in no full stop
            kept += "。" if _CJK.match(kept[-1]) and language_of(kept) != "ko" else "."
        gap = "" if not kept or (kept[-1] in "。！？" and _CJK.match(part[:1])) else " "
        if kept and len(kept) + len(gap) + len(part) > limit:
            break
        kept += gap + part
    return shorten(kept, limit)


def capitalized(text: str) -> str:
    """The text with a capital at the start, unless it starts with an identifier such as `iOS` or `foo_bar`."""
    first = text.split(" ", 1)[0]
    return (
        text[:1].upper() + text[1:]
        if first.replace("'", "").isalpha() and first.islower() and first.isascii()
        else text
    )


def _is_pasted(line: str) -> bool:
    if _PASTED.match(line) or _PROGRESS.match(line):
        return True
    if sum(line.count(mark) for mark in _JSON) >= 2:
        return True
    letters = sum(map(str.isalpha, line)) + sum(map(str.isspace, line))
    return (len(line) > 12 and letters < len(line) * 0.55) or (
        line.startswith(("    ", "\t")) and line.rstrip()[-1:] in "{};)"
    )


def _blocks(text: str) -> Iterator[tuple[int, str, bool]]:
    """(paragraph number, text, in a list) of each run of lines that reads as one: hard-wrapped lines are joined."""
    paragraph, held, item = 0, "", False
    for raw in text.split("\n"):
        line = " ".join(raw.split())
        starts = bool(_ITEM.match(raw) or _HEADING.match(raw))
        if not line or starts or not _continues(held, line):
            if held:
                yield paragraph, held, item
            held, item = _undecorated(line), bool(_ITEM.match(raw))
            paragraph += not line
        else:
            held = f"{held} {_undecorated(line)}"
    if held:
        yield paragraph, held, item


def _continues(held: str, line: str) -> bool:
    """Whether a line goes on with the sentence before it, which was broken at the edge of a screen."""
    return len(held) >= 50 and held[-1] not in ".!?:;。！？：" and (line[0].islower() or line[0] in "(`")


def _undecorated(line: str) -> str:
    line = _EMPHASIS.sub(r"\2", _ITEM.sub("", _HEADING.sub("", line)))
    return _EMPHASIS.sub(r"\2", line).strip()


def _split(line: str) -> Iterator[str]:
    start = 0
    for match in _BREAK.finditer(line):
        piece = line[start : match.start()]
        if _ABBREVIATION.search(piece):
            continue
        yield line[start : match.end()].strip()
        start = match.end()
    yield line[start:].strip()
