"""`omoide explain`: the page of a code of the linter, or the list of all codes. The pages are in `docs/rules`."""

from __future__ import annotations

import click

from memory_core.cli.app import Context, pass_context
from memory_core.lint.pages import page as page_of
from memory_core.lint.registry import EXPLAINED

_MOST_NEAR = 3


@click.command()
@click.argument("code", required=False)
@pass_context
def explain(context: Context, code: str | None) -> None:
    """What a CODE of the linter means, why it matters and how to fix it. Without a CODE: all codes."""
    if code is None:
        _list_codes(context)
        return
    known = EXPLAINED.get(code)
    if known is None and _explained_by_audit(context, code):
        return
    if known is None:
        raise click.UsageError(f"There is no code `{code}`{_nearest(code)} `omoide explain` lists them.")
    if context.as_json:
        values = {"code": known.code, "severity": known.severity.value, "summary": known.summary, "page": page_of(code)}
        context.print_json(values)
    else:
        context.echo(page_of(code).rstrip("\n"))


def _explained_by_audit(context: Context, code: str) -> bool:
    """Say what a code of `omoide audit` means; whether there is such a one."""
    from memory_core.health.checks import CHECK_OF, CHECKS, CODES

    if code not in CODES:
        return False
    check = CHECK_OF[code]
    page = f"{code}: {CODES[code]}\nFound by `omoide audit`, check `{check}`: {CHECKS[check][0]}"
    if context.as_json:
        context.print_json({"code": code, "check": check, "summary": CODES[code], "page": page})
    else:
        context.echo(page)
    return True


def _list_codes(context: Context) -> None:
    codes = sorted(EXPLAINED.values(), key=lambda known: known.code)
    if context.as_json:
        listed = [{"code": k.code, "severity": k.severity.value, "summary": k.summary} for k in codes]
        context.print_json({"codes": listed})
        return
    width = max(len(known.code) for known in codes)
    for known in codes:
        context.echo(f"{known.code:<{width}}  {known.severity:<7}  {known.summary}")


def _nearest(code: str) -> str:
    """The codes that may have been meant: alike as a whole, or made of the same words in another order."""
    from rapidfuzz import fuzz, process

    written = code.strip().lower().replace("_", "-").replace("-", " ")
    words = {known: known.replace("-", " ") for known in EXPLAINED}
    found = process.extract(written, words, scorer=fuzz.WRatio, limit=_MOST_NEAR, score_cutoff=75)
    if not found:
        return ";"
    best = found[0][1]
    near = [f"`{known}`" for _, score, known in found if score >= best - 10]
    return f": did you mean {' or '.join(near)}?"
