"""`merge-conflict`: the marks that git leaves where two people changed the same lines, in a head or a body.

One in a fenced block is taken for an example, a line of `=` by itself for the one below a heading.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from memory_core.diagnostic import Fix, Severity
from memory_core.lint.rule import Context, Problem, Rule
from memory_core.records.mask import without_fences
from memory_core.text import TextEdit

# A line that begins with just seven of a sign, with its end (git: `xdl_fill_merge_buffer`, `is_conflict_marker`).
_MARK = re.compile(r"(?<![^\n\r])([<|=>])\1{6}(?![^ \t\n\r])([^\n\r]*)(?:\r\n|\n|\r|\Z)")
_WHOLE = ("<=>", "<|=>")


def check(context: Context) -> Iterator[Problem]:
    text, body = context.document.text, context.record.body_start
    if "<<<<<<<" not in text and ">>>>>>>" not in text:
        return
    prose = text[:body] + without_fences(text[body:])[0]
    for marks in _conflicts(text):
        first = marks[0]
        if prose[first.start()] == first[1] and not (first[1] == ">" and _is_quotation(context, first)):
            yield _problem(context, marks)


def _conflicts(text: str) -> Iterator[list[re.Match[str]]]:
    """The marks of each conflict, from `<` to `>`; where somebody removed some of them, those that are left."""
    marks: list[re.Match[str]] = []
    for mark in _MARK.finditer(text):
        if mark[1] == "<" and marks:
            yield marks
            marks = []
        if marks or mark[1] in "<>":
            marks.append(mark)
        if mark[1] == ">":
            yield marks
            marks = []
    if marks:
        yield marks


def _is_quotation(context: Context, mark: re.Match[str]) -> bool:
    """Whether a `>` by itself quotes somebody, seven deep: git names a branch or commit, in one line."""
    line = context.lines.position(mark.start()).line
    return not mark[2].strip() or any(context.lines.line(near).startswith(">") for near in (line - 1, line + 1))


def _problem(context: Context, marks: list[re.Match[str]]) -> Problem:
    text, (first, *others) = context.document.text, marks
    line = context.lines.position(first.start()).line
    place = context.lines.line_range(line)
    if "".join(mark[1] for mark in marks) not in _WHOLE:
        message = f"Git left `{first[1] * 7}` of a conflict here: keep what is true of both sides and remove the line."
        return Problem(message, place)
    last, middle = others[-1], others[-2]
    whole = context.lines.range(first.start(), last.end())
    keep = (
        Fix("Keep the first side", (TextEdit(whole, text[first.end() : others[0].start()]),)),
        Fix("Keep the second side", (TextEdit(whole, text[middle.end() : last.start()]),)),
    )
    until = context.lines.position(last.start()).line + 1
    message = (
        f"Git left both sides of a conflict in lines {line + 1} to {until}: keep what is true, and remove the lines "
        "`<<<<<<<`, `=======` and `>>>>>>>`, also `|||||||` where there is one."
    )
    return Problem(message, place, keep)


RULE = Rule("merge-conflict", Severity.ERROR, "Git's marks of a conflict were left in a record.", check)
