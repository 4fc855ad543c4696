"""What the editor's user has set: the section `omoide`, from `initializationOptions` or asked for later.

Workspace settings are `config.toml`'s business; here is only what belongs to a person and an editor.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any, Literal, get_args

DiagnosticScope = Literal["open", "workspace", "off"]
SECTION = "omoide"

# Settings of the editors' own plugins, which live in the same section.
_CLIENT_SIDE = frozenset({"server", "interpreter", "trace", "model"})


@dataclass(frozen=True, slots=True)
class Settings:
    """`provider`: of the two model steps, instead of the workspace's. `diagnostics`: for open files, for all, or none.
    `completion`, `hover`, `navigation`: switches for those who run another Markdown server beside this one. So are
    `symbols`, for outlines and the search for records, `lens`, for the counts above a record, `actions` and `tokens`,
    for the colors of references. `inlay_hints`: what a record is, behind its name. `confirm`: whether a person is asked
    before a model is called that may cost money."""

    provider: str | None = None
    diagnostics: DiagnosticScope = "open"
    completion: bool = True
    hover: bool = True
    navigation: bool = True
    symbols: bool = True
    lens: bool = True
    actions: bool = True
    tokens: bool = True
    inlay_hints: bool = False
    confirm: bool = True


def parse(data: Any) -> tuple[Settings, list[str]]:
    """Settings from what a client sent, bare or under the key `omoide`, and what is wrong with it; what is wrong
    counts as not set."""
    if isinstance(data, dict) and isinstance(data.get(SECTION), dict):
        data = data[SECTION]
    if data is None:
        return Settings(), []
    if not isinstance(data, dict):
        return Settings(), [f"The setting `{SECTION}` must be an object; the defaults are used."]
    settings = Settings()
    problems: list[str] = []
    known = {field.name for field in fields(Settings)}
    for key, value in data.items():
        if key in _CLIENT_SIDE or value is None:
            continue
        problem = f"There is no setting `{SECTION}.{key}`." if key not in known else _problem(key, value)
        if problem:
            problems.append(problem)
        else:
            settings = replace(settings, **{key: _value(key, value)})
    return settings, problems


def _problem(key: str, value: Any) -> str | None:
    if key == "provider":
        return None if isinstance(value, str) else f"`{SECTION}.provider` must be a name; the workspace's is used."
    if key == "diagnostics":
        allowed = get_args(DiagnosticScope)
        wanted = ", ".join(f'"{name}"' for name in allowed)
        ok = isinstance(value, bool) or value in allowed
        return None if ok else f"`{SECTION}.diagnostics` must be one of {wanted}; the default is used."
    return None if isinstance(value, bool) else f"`{SECTION}.{key}` must be true or false; the default is used."


def _value(key: str, value: Any) -> Any:
    if key == "provider":
        return value or None
    if key == "diagnostics" and isinstance(value, bool):
        return "open" if value else "off"
    return value
