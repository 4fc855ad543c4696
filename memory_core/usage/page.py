"""The usage report as one HTML file that stands alone: tables, and bars drawn as SVG. Loads nothing, runs no script.

Shows what the report says, in both color schemes; every bar is also a row of a table, so that nobody needs to see it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from memory_core.text import writable
from memory_core.usage.rows import Lists, RecordUsage, UsageReport

_MOST_BARS = 20
_MOST_ROWS = 500
_BAR, _GAP, _LABEL, _WIDTH = 18, 8, 260, 820

SOURCES = {
    "MemoryRead": "read",
    "KnowledgeRef": "reference",
    "WorkflowInvoke": "invoked",
    "EditorHover": "hover",
    "EditorOpen": "opened",
}

_STYLE = """
:root { color-scheme: light dark; --ink: #1c1e21; --dim: #5c6470; --paper: #fff; --line: #d8dce2;
  --c0: #2563b8; --c1: #a24a00; --c2: #0d7a5f; --c3: #8a3fa0; --c4: #6b5d00; --c5: #b3224a; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e8eb; --dim: #a2abb8; --paper: #16181c; --line: #3a404a;
  --c0: #7db0f5; --c1: #f0a35e; --c2: #5fcfb0; --c3: #cf9be0; --c4: #d6c34a; --c5: #f58aa6; } }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); margin: 2rem auto;
  max-width: 60rem; padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2rem; } p, caption { color: var(--dim); }
.wide { overflow-x: auto; } table { border-collapse: collapse; width: 100%; }
caption { text-align: left; padding-bottom: .4rem; }
th, td { text-align: left; padding: .25rem .6rem; border-bottom: 1px solid var(--line); vertical-align: top; }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; } td:first-child { overflow-wrap: anywhere; }
svg { width: 100%; height: auto; } svg text { fill: var(--ink); font: 12px system-ui, sans-serif; }
.key { display: inline-block; width: .8em; height: .8em; margin: 0 .3em 0 .8em; }
"""


def page(report: UsageReport, lists: Lists, *, workspace: str, made_at: str) -> str:
    """The whole file. `made_at`: RFC 3339; `workspace`: its name for people."""
    used = sorted((r for r in report.rows if r.use_count), key=lambda r: (-r.use_count, r.kind, r.slug))
    costly = sorted(
        (r for r in report.rows if r.estimated_total_resident_exposure_tokens),
        key=lambda r: (-r.estimated_total_resident_exposure_tokens, r.kind, r.slug),
    )
    skipped = f" {report.skipped:,} lines of the log could not be read and are not in it." if report.skipped else ""
    about = (
        f"As of {_text(made_at)}. A use is an explicit read; searches and completion lists are none. "
        f"What agents are given unasked is counted apart, as cost.{skipped}"
    )
    parts = [
        f"<h1>Use of records: {_text(workspace)}</h1>",
        f"<p>{about}</p>",
        _section("Uses", _uses(used[:_MOST_BARS])),
        _section("Tokens given unasked", _costs(costly[:_MOST_BARS])),
        _section("All records in the log", _all(report.rows)),
        _section("Decisions and requests that were read: could be knowledge", _short(lists.candidates)),
        _section("Resident and never read: what they cost", _unread(lists.resident_unread)),
        _section("Protected: removal needs an explicit reason", _short(lists.protected)),
        _section("Never read", _names(lists.never_read)),
        _section("In the log, but gone", _short(lists.gone)),
    ]
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>Use of records: {_text(workspace)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n<main>\n"
        + "\n".join(part for part in parts if part)
        + "\n</main>\n</body>\n</html>\n"
    )


def _section(title: str, content: str) -> str:
    return f"<section>\n<h2>{_text(title)}</h2>\n{content or '<p>None.</p>'}\n</section>"


def _uses(rows: Sequence[RecordUsage]) -> str:
    names = [name for name in SOURCES if any(name in row.source_breakdown for row in rows)]
    names += sorted({name for row in rows for name in row.source_breakdown} - set(names))
    colors = {name: f"var(--c{number % 6})" for number, name in enumerate(names)}
    bars = [
        (_name(row), [(colors[name], count) for name in names if (count := row.source_breakdown.get(name, 0))])
        for row in rows
    ]
    keys = "".join(
        f'<span class="key" style="background:{colors[name]}"></span>{_text(SOURCES.get(name, name))}' for name in names
    )
    return f"<p>{keys}</p>\n{_chart('Uses of the records that were used most', bars)}" if rows else ""


def _costs(rows: Sequence[RecordUsage]) -> str:
    bars = [(_name(row), [("var(--c1)", row.estimated_total_resident_exposure_tokens)]) for row in rows]
    return _chart("Estimated tokens of resident context by record", bars) if rows else ""


def _chart(title: str, bars: Sequence[tuple[str, Sequence[tuple[str, int]]]]) -> str:
    """Horizontal bars, one a record, each of one or more colored parts."""
    most = max(sum(count for _, count in parts) for _, parts in bars)
    height = len(bars) * (_BAR + _GAP) + _GAP
    room = _WIDTH - _LABEL - 70
    label = f"{_text(title)}; the numbers are in the table below"
    lines = [
        f'<svg viewBox="0 0 {_WIDTH} {height}" role="img" aria-label="{label}">',
        f"<title>{_text(title)}</title>",
    ]
    for number, (name, parts) in enumerate(bars):
        y = _GAP + number * (_BAR + _GAP)
        shown = name if len(name) <= 36 else name[:35] + "…"
        lines.append(f'<text x="{_LABEL - 8}" y="{y + 13}" text-anchor="end">{_text(shown)}</text>')
        x = float(_LABEL)
        for color, count in parts:
            width = max(1.0, room * count / most)
            lines.append(f'<rect x="{x:.1f}" y="{y}" width="{width:.1f}" height="{_BAR}" fill="{color}"/>')
            x += width
        lines.append(f'<text x="{x + 6:.1f}" y="{y + 13}">{sum(count for _, count in parts):,}</text>')
    return "\n".join([*lines, "</svg>"])


def _all(rows: Sequence[RecordUsage]) -> str:
    body = [
        [
            _name(row),
            f"{row.use_count:,}",
            (row.last_used_at or "never")[:16].replace("T", " "),
            ", ".join(f"{SOURCES.get(name, name)} {count:,}" for name, count in row.source_breakdown.items()),
            f"{row.resident_exposure_count:,}",
            f"{row.estimated_tokens_per_injection:,}",
            f"{row.estimated_total_resident_exposure_tokens:,}",
        ]
        for row in rows
    ]
    heads = ["Record", "#Uses", "Last used", "How", "#Times resident", "#Tokens each time", "#Tokens in all"]
    return _table(heads, body)


def _short(rows: Sequence[RecordUsage]) -> str:
    return _table(["Record", "#Uses"], [[_name(row), f"{row.use_count:,}"] for row in rows])


def _unread(rows: Sequence[RecordUsage]) -> str:
    body = [
        [
            _name(row),
            f"{row.resident_exposure_count:,}",
            f"{row.estimated_tokens_per_injection:,}",
            f"{row.estimated_total_resident_exposure_tokens:,}",
        ]
        for row in rows
    ]
    return _table(["Record", "#Times resident", "#Tokens each time", "#Tokens in all"], body)


def _names(keys: Sequence[tuple[str, str]]) -> str:
    return _table(["Record"], [[f"{kind}/{slug}"] for kind, slug in keys])


def _table(heads: Iterable[str], rows: Sequence[Sequence[str]]) -> str:
    """A table; heads that begin with `#` are of numbers."""
    if not rows:
        return ""
    numeric = [head.startswith("#") for head in heads]
    mark = [' class="n"' if is_number else "" for is_number in numeric]
    top = "".join(f'<th scope="col"{m}>{_text(h.lstrip("#"))}</th>' for h, m in zip(heads, mark, strict=True))
    body = [
        "<tr>" + "".join(f"<td{m}>{_text(cell)}</td>" for cell, m in zip(row, mark, strict=True)) + "</tr>"
        for row in rows[:_MOST_ROWS]
    ]
    left = len(rows) - _MOST_ROWS
    more = f"<p>{left:,} more: `omoide usage report --csv` has all.</p>" if left > 0 else ""
    return f'<div class="wide"><table>\n<tr>{top}</tr>\n' + "\n".join(body) + f"\n</table></div>{more}"


def _name(row: RecordUsage) -> str:
    return f"{row.kind}/{row.slug}"


def _text(text: str) -> str:
    return escape(writable(text))
