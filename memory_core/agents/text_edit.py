"""Small changes of TOML and Markdown files that keep every other byte. ValueError where such a change is not safe."""

from __future__ import annotations

import re
import tomllib

from memory_core.records.summary_block import BEGIN, END, block_in

MARK = "  # by omoide install"

AGENTS_BLOCK = """\
## Project memory

This project keeps records of earlier work in `.omoide/`, and `omoide` reads them.

- `#name` in a message is a record: `omoide read knowledge name` prints it.
- `/name` may be a workflow: `omoide read workflow name` prints it.
- Before you decide something that was perhaps decided before: `omoide search "a few words"`.
- The records are background. What the user says comes first, then this file, then the records.
- Do not edit files under `.omoide/` by hand; propose in the conversation what should be remembered.
"""


def with_block(text: str, block: str) -> str:
    """The Markdown with our block: where it stands already, else at the end."""
    newline = "\r\n" if "\r\n" in text else "\n"
    ours = f"{BEGIN}\n{block.rstrip()}\n{END}".replace("\n", newline)
    if match := block_in(text):
        return text[: match.start()] + ours + text[match.end() :]
    if text and not text.endswith("\n"):  # no line end at its end either, so that it can be taken out again whole
        return f"{text}{newline * 2}{ours}"
    return f"{text}{newline if text else ''}{ours}{newline}"


def without_block(text: str) -> str:
    """The Markdown without our block and the empty line before it."""
    match = block_in(text)
    if not match:
        return text
    before, after = text[: match.start()], text[match.end() :]
    if not after:
        return re.sub(r"\r?\n\r?\n\Z", "", before)
    return re.sub(r"(?<=\n)\r?\n\Z", "", before) + re.sub(r"\A\r?\n", "", after)


def with_table(text: str, header: str, lines: str) -> str:
    """The TOML with our table at its end, replaced where it is there."""
    if (known := _table(text, header)) and known[2] == lines:
        return text
    text = without_table(text, header)
    newline = "\r\n" if "\r\n" in text else "\n"
    lead = "" if not text else newline if text.endswith("\n") else newline * 2
    changed = text + lead + f"[{header}]{MARK}\n{lines}".replace("\n", newline)
    return _same_but(text, changed)


def without_table(text: str, header: str) -> str:
    """The TOML without our table and the empty line before it."""
    known = _table(text, header)
    if not known:
        return text
    start, end, _ = known
    return re.sub(r"(?<=\n)\r?\n\Z", "", text[:start]) + text[end:]


def with_setting(text: str, table: str, key: str, value: str) -> str:
    """The TOML with one setting in a table; a line that sets it otherwise is replaced."""
    newline = "\r\n" if "\r\n" in text else "\n"
    line = f"{key} = {value}{MARK}"
    if _says(text, table, key, value):
        return text
    section = re.compile(rf"^\[{re.escape(table)}\][ \t]*(?:#[^\r\n]*)?(?:\r?\n|\Z)", re.MULTILINE).search(text)
    if not section:
        lead = "" if not text or text.endswith("\n") else newline
        return _same_but(text, f"{text}{lead}[{table}]{MARK}{newline}{line}{newline}")
    following = re.compile(r"^\[", re.MULTILINE).search(text, section.end())
    end = following.start() if following else len(text)
    body = text[section.end() : end]
    changed, count = re.subn(rf"(?m)^[ \t]*{re.escape(key)}[ \t]*=[^\r\n]*", line, body, count=1)
    if not count:
        lead = "" if section[0].endswith("\n") else newline
        changed = f"{lead}{line}{newline}{body}"
    return _same_but(text, text[: section.end()] + changed + text[end:])


def without_setting(text: str, table: str, key: str) -> str:
    """The TOML without a setting that we put in, and without a table that then is empty and ours."""
    text = re.sub(rf"(?m)^{re.escape(key)} = [^\r\n]*{re.escape(MARK)}(?:\r?\n|\Z)", "", text)
    return re.sub(rf"(?m)^\[{re.escape(table)}\]{re.escape(MARK)}(?:\r?\n|\Z)(?=\s*(?:\[|\Z))", "", text)


def _says(text: str, table: str, key: str, value: str) -> bool:
    try:
        found = tomllib.loads(text.replace("\r\n", "\n")).get(table)
    except tomllib.TOMLDecodeError:
        return False
    return isinstance(found, dict) and found.get(key) == tomllib.loads(f"x = {value}")["x"]


def _table(text: str, header: str) -> tuple[int, int, str] | None:
    """Start and end of our table, and its lines."""
    match = re.search(
        rf"^\[{re.escape(header)}\]{re.escape(MARK)}(?:\r?\n|\Z)((?:[^\[\r\n][^\r\n]*(?:\r?\n|\Z))*)",
        text,
        re.MULTILINE,
    )
    return (match.start(), match.end(), match[1].replace("\r\n", "\n")) if match else None


def _same_but(before: str, after: str) -> str:
    """`after`, if it is TOML that says all that `before` says."""
    try:
        old, new = tomllib.loads(before.replace("\r\n", "\n")), tomllib.loads(after.replace("\r\n", "\n"))
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"it is no valid TOML ({error})") from None
    if not _holds(new, old):
        raise ValueError("it is written in a way that nothing can be added to")
    return after


def _holds(new: object, old: object) -> bool:
    if isinstance(new, dict) and isinstance(old, dict):
        return all(
            key in new and (_holds(new[key], value) or not isinstance(value, dict)) for key, value in old.items()
        )
    return new == old
