"""The page that explains a code: why the rule exists, an example, the remedy. Ships with the package."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from memory_core.errors import PromptError


def page(code: str) -> str:
    """The Markdown page of a code: from the wheel, or from `docs/rules` in a checkout."""
    packaged = files("memory_core") / "_rules" / f"{code}.md"
    if packaged.is_file():
        return packaged.read_text(encoding="utf-8")
    checkout = _in_checkout(code)
    if checkout.is_file():
        return checkout.read_text(encoding="utf-8")
    raise PromptError(f"The page of `{code}` is missing: reinstall Omoide, its installation is incomplete.")


def page_file(code: str) -> Path | None:
    """The file of a page, which an editor can open; None where the package is not unpacked, or has no such page."""
    packaged = files("memory_core") / "_rules" / f"{code}.md"
    places = (*((packaged,) if isinstance(packaged, Path) else ()), _in_checkout(code))
    return next((place for place in places if place.is_file()), None)


def _in_checkout(code: str) -> Path:
    return Path(__file__).resolve().parents[2] / "docs" / "rules" / f"{code}.md"
