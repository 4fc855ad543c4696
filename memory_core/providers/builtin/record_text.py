"""How the rules word a record: slugs, bodies that a person can read, descriptions. English, Japanese and Chinese.

Words only; what becomes a record is decided in `consolidate`.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime

from memory_core.consolidate.provenance import chosen_anchors
from memory_core.ids import parse_rfc3339
from memory_core.providers.builtin.sentences import language_of
from memory_core.records.refs import scan
from memory_core.records.schema import Kind
from memory_core.records.slug import is_slug, slugify
from memory_core.staging import Anchor, CandidateRef
from memory_core.text import shorten

BODY_LIMIT = 1_400  # characters: the linter asks for more evidence from 1,500 on
DESCRIPTION_LIMIT = 160
QUOTES = 3
_SLUG_LIMIT = 44
_SLUG_WORDS = 6

LABELS: Mapping[str, Mapping[str, str]] = {
    "en": {
        "over": "Chosen over: {}.",
        "why": "Why: {}",
        "of": "Concerns: {}",
        "evidence": "Evidence",
        "contradicts": "Speaks against `{}`, which still stands: nobody has settled it.",
        "human": "human",
        "assistant": "assistant",
        "tool": "tool",
        "system": "system",
        "entry": "entry {} of session `{}`",
        "sessions": "Came up in {} sessions.",
        "from": "Recorded in `{}`.",
        "and": " or ",
        "read": "{} Read before touching {}.",
        "read_plain": "{} Read before deciding it anew.",
    },
    "ja": {
        "over": "退けた案: {}",
        "why": "理由: {}",
        "of": "対象: {}",
        "evidence": "根拠",
        "contradicts": "まだ有効な `{}` と食い違う。どちらを採るかは決まっていない。",
        "human": "人",
        "assistant": "アシスタント",
        "tool": "ツール",
        "system": "システム",
        "entry": "セッション `{1}` の項目 {0}",
        "sessions": "{} 件のセッションで話題になった。",
        "from": "記録: `{}`",
        "and": " や ",
        "read": "{}{} に手を入れる前に読む。",
        "read_plain": "{}同じことを決め直す前に読む。",
    },
    "zh": {
        "over": "未采用: {}",
        "why": "理由: {}",
        "of": "对象: {}",
        "evidence": "依据",
        "contradicts": "与仍然有效的 `{}` 相矛盾，尚无定论。",
        "human": "人",
        "assistant": "助手",
        "tool": "工具",
        "system": "系统",
        "entry": "会话 `{1}` 的条目 {0}",
        "sessions": "在 {} 个会话中提到过。",
        "from": "记录于 `{}`",
        "and": " 或 ",
        "read": "{}改动 {} 之前先读。",
        "read_plain": "{}重新决定此事之前先读。",
    },
}
_RULE = re.compile(
    r"\b(?:must|always|never|don'?t|do not|only|forbid\w*|required?)\b"
    r"|必ず|禁止|常に|しない|ないで|だけ|必须|不要|总是|一律|只",
    re.IGNORECASE,
)
_POLICY = re.compile(
    r"\b(?:prefer\w*|policy|by default|avoid|first)\b|方針|原則|優先|なるべく|策略|优先|尽量|默认", re.IGNORECASE
)
_IDENTIFIER = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:[._/-][A-Za-z0-9]+)*")
# A name in running text: code, a path, a word with an inner capital or a digit; in Chinese and Japanese any Latin run.
_NAME = re.compile(
    r"(?<=`)[^`\n]{2,40}(?=`)|(?:\.?[A-Za-z0-9]+[._/-])+[A-Za-z0-9]+|[A-Za-z]*[a-z][A-Z][A-Za-z0-9]*|[A-Z][A-Z0-9]+[a-z]*"
    r"|(?<=[\u3040-\u9fff])[ \t]*[A-Za-z][A-Za-z0-9.+#-]*(?: [A-Za-z][A-Za-z0-9.+#-]*)*"
)
_LEAD = re.compile(
    r"^(?:(?:ok(?:ay)?|yes|no|so|well|please|let'?s|we(?:'ll| will| should)?|i(?:'d| would| want to)?|you should"
    r"|decided to)[\s,]+)+",
    re.IGNORECASE,
)
_DULL = frozenset(
    re.split(
        " ", "a an and are as at be by for from in into is it its of on or our so than that the then this to we with"
    )
)


def labels(text: str) -> Mapping[str, str]:
    """The words to write in, by the script of what is written about."""
    return LABELS[language_of(text)]


def slug_for(kind: Kind, text: str, date: str, taken: Iterable[str]) -> str:
    """A slug that says what the record is about, where the text has Latin words to say it with; else kind and date.

    The same text always gets the same slug; a taken one gets four digits of the text's hash.
    """
    digest = hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()
    words = _slug_words(text)
    slug = slugify(" ".join(words), _SLUG_LIMIT)
    if len(slug) < 4 or not is_slug(slug):
        slug = "-".join(part for part in (kind, date, digest[:6]) if part)
    return f"{slug}-{digest[:4]}" if slug in set(taken) else slug


def _slug_words(text: str) -> list[str]:
    if language_of(text) != "en":
        found = dict.fromkeys(match.rsplit("/", 1)[-1] for match in _IDENTIFIER.findall(text))
        return [word for word in found if len(word) > 1][:3]
    words = re.findall(r"[A-Za-z0-9][\w.'-]*", _LEAD.sub("", text.strip()))
    return [word.replace("'", "").replace("_", "-") for word in words if word.lower() not in _DULL][:_SLUG_WORDS]


def knowledge_kind(text: str) -> str:
    """`rule`, `policy` or `fact`, by what the sentence says."""
    if _RULE.search(text):
        return "rule"
    return "policy" if _POLICY.search(text) else "fact"


def description_for(text: str) -> str:
    """What it is and when to read it, within the limit. The names in it are what people search by."""
    words = labels(text)
    found = dict.fromkeys(name.strip() for name in _NAME.findall(text))
    names = [name for name in found if len(name) > 2 and not text.startswith(f"{name} ")]
    topic = words["and"].join(names[:2])
    form = words["read"] if topic else words["read_plain"]
    claim = sentence(shorten(text, DESCRIPTION_LIMIT - len(form.format("", topic)) - 2))
    return form.format(claim, topic)


def sentence(text: str) -> str:
    """With a full stop, unless it ends in a mark of its own."""
    text = text.strip()
    if not text or text[-1] in ".!?…。！？":
        return text
    return text + ("。" if language_of(text) != "en" else ".")


def body_for(title: str, parts: Sequence[str], refs: Sequence[CandidateRef]) -> str:
    """Title, paragraphs, and who said what where, within the limit: quotes go first when it is too long."""
    words = labels(title)
    head = "\n\n".join([f"# {inert(shorten(title, 200))}", *(inert(part) for part in parts if part)])
    head = head if len(head) <= BODY_LIMIT - 200 else shorten_lines(head, BODY_LIMIT - 200)
    each = max(1, QUOTES // max(1, len(refs)))
    lines = [quote(ref, anchor, words) for ref in refs for anchor in _best(chosen_anchors(ref))[:each]]
    body = head
    for number, line in enumerate(lines):
        lead = f"\n\n## {words['evidence']}\n\n" if not number else "\n"
        if len(body) + len(lead) + len(line) > BODY_LIMIT:
            break
        body += lead + line
    return body


def _best(anchors: Sequence[Anchor]) -> list[Anchor]:
    order = {"human": 0, "assistant": 1, "tool": 2, "system": 3}
    return sorted(anchors, key=lambda a: (order[a.speaker], a.entry_range))


def quote(ref: CandidateRef, anchor: Anchor, words: Mapping[str, str]) -> str:
    """One line of evidence: who, when, where, and the words themselves."""
    first, last = anchor.entry_range
    span = str(first) if first == last else f"{first}-{last}"
    place = words["entry"].format(span, short(ref.source.session_id))
    who = words[anchor.speaker] + (f" ({anchor.tool})" if anchor.tool else "")
    facts = ", ".join(part for part in (who, date_of(ref, anchor), place) if part)
    return f"- {facts}:\n  > {inert(shorten(anchor.excerpt, 240))}"


def short(session_id: str) -> str:
    """The first block of an id: enough to find the session, short enough to read."""
    return session_id.split("-")[0][:12] if len(session_id) > 16 else session_id


def date_of(ref: CandidateRef, anchor: Anchor | None = None) -> str:
    """The day it was said (`2026-01-31`), else the day it was staged, else empty. UTC."""
    for found in (anchor, *ref.candidate.evidence):
        instant = parse_rfc3339(found.ts) if found and found.ts else None
        if instant:
            return instant.astimezone(UTC).strftime("%Y-%m-%d")
    digits = ref.id.split("/")[0].replace("-", "")
    if re.fullmatch(r"[0-9a-f]{12}7[0-9a-f]{19}", digits):  # RFC 9562: the first 48 bits of a UUIDv7 are the time
        return datetime.fromtimestamp(int(digits[:12], 16) / 1000, UTC).strftime("%Y-%m-%d")
    return ""


def inert(text: str) -> str:
    """Recorded text in which nothing acts: no `#slug` or `/slug` reference, no comment that would switch off a rule."""
    text = text.replace("<!--", "&lt;!--")
    for found in reversed(scan(text)):
        text = f"{text[: found.start]}\\{text[found.start :]}"
    return text


def shorten_lines(text: str, limit: int) -> str:
    """Cut at the limit with an ellipsis, keeping the lines."""
    return text if len(text) <= limit else text[: limit - 1].rstrip() + "…"
