"""Settings: the text of `config.toml` and the environment to frozen sections, with problems instead of exceptions.

Contract: the project's format section "Settings". Reads no file and no environment by itself; `workspace` does.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cached_property
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from rapidfuzz import process

from memory_core.diagnostic import Diagnostic, Severity
from memory_core.text import LineIndex, Position, Range

SESSION_SOURCES: tuple[Literal["omoide", "claude-code", "codex"], ...] = ("omoide", "claude-code", "codex")


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class MemorySettings(_Section):
    """`[memory]`. Thresholds of 0 are off."""

    extract_model: str | None = Field(None, description="Model of the extract step; a small one is enough.")
    extract_threshold: int = Field(
        0, ge=0, description="Activity tokens since the last extract that make one due; 0 is off."
    )
    extract_worker_max_input_tokens: int = Field(32_000, ge=1_000, description="Most tokens of one extract slice.")
    extract_worker_max_turns: int = Field(8, ge=1, le=100, description="Most model turns of one extract slice.")
    consolidation_model: str | None = Field(None, description="Model of the consolidate step.")
    consolidation_threshold_files: int = Field(
        5, ge=0, description="Staging files that make a consolidation due; 0 is off."
    )
    consolidation_threshold_bytes: int = Field(50_000, ge=0, description="Staged bytes that make one due; 0 is off.")
    inject_summary: bool = Field(
        True, description="Put the summary into the resident context (accepted; not used yet)."
    )
    resident_token_budget: int = Field(
        5_000, ge=0, description="Most tokens of the resident context (accepted; not used yet)."
    )
    resident_for_code_sessions: bool = Field(
        False, description="Give code sessions the resident context too (accepted; not used yet)."
    )
    language: str = Field(
        "auto", min_length=1, max_length=64, description="Language of records; `auto` follows people."
    )
    query_result_limit: int = Field(20, ge=1, le=1_000, description="Most hits of a search.")
    query_excerpt_lines: int = Field(3, ge=0, le=50, description="Lines around a hit.")
    record_hover: bool = Field(True, description="Count a hover or open in the editor as a use.")


class ProviderSettings(_Section):
    """`[provider]`. `base_url` and `api_key_env` of a workspace file count only in a trusted workspace."""

    name: str = Field("builtin", description="`builtin` (no key, no network) or `openai` (any compatible server).")
    base_url: str | None = Field(None, description="Where an OpenAI-compatible server listens.")
    api_key_env: str = Field("OPENAI_API_KEY", description="Environment variable that holds the key.")
    timeout_s: float = Field(120.0, gt=0, le=3_600, strict=False, description="Seconds one request may take.")
    requests_per_run: int = Field(30, ge=1, description="Most requests of one run.")
    tokens_per_day: int = Field(2_000_000, ge=0, description="Most tokens of one day over all runs.")


class SessionSettings(_Section):
    """`[sessions]`."""

    sources: tuple[Literal["omoide", "claude-code", "codex"], ...] = Field(
        SESSION_SOURCES, strict=False, description="Agents whose logs are looked for."
    )


class TrustSettings(_Section):
    """`[trust]`, in the user's configuration only."""

    workspaces: tuple[str, ...] = Field((), strict=False, description="Workspaces whose provider settings count.")


class Config(_Section):
    """All settings of a workspace."""

    memory: MemorySettings = MemorySettings()
    provider: ProviderSettings = ProviderSettings()
    lint: dict[str, Literal["error", "warning", "hint", "off"]] = Field(default_factory=dict)
    sessions: SessionSettings = SessionSettings()
    enricher: dict[str, dict[str, Any]] = Field(default_factory=dict)
    trust: TrustSettings = TrustSettings()

    def severities(self) -> dict[str, Severity | None]:
        """`[lint]` as the linter takes it."""
        return {code: None if level == "off" else Severity(level) for code, level in self.lint.items()}


# What a hostile repository could abuse: it could send a person's key or log to its own server.
GUARDED = {"provider": ("base_url", "api_key_env"), "enricher": ("command",)}


def parse(text: str, *, trusted: bool, known_rules: frozenset[str] = frozenset()) -> tuple[Config, list[Diagnostic]]:
    """The settings of a `config.toml` and everything that is wrong with it; what is wrong counts as not set.

    `trusted`: keep the guarded keys (the user's own file, or a workspace the user trusts).
    """
    place = _Places(text)
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        return Config(), [
            Diagnostic("invalid-config", Severity.ERROR, f"Not valid TOML: {error}.", place.error(str(error)))
        ]
    except RecursionError:
        message = "Nested too deeply: settings are tables of plain values."
        return Config(), [Diagnostic("invalid-config", Severity.ERROR, message, place.lines.line_range(0))]
    problems: list[Diagnostic] = []

    def report(path: tuple[str, ...], message: str, code: str = "invalid-config") -> None:
        problems.append(Diagnostic(code, Severity.WARNING, message, place.key(path)))

    if not trusted:
        _drop_guarded(data, report)
    for code in data.get("lint", {}) if isinstance(data.get("lint"), dict) else ():
        if known_rules and code not in known_rules:
            report(("lint", code), f"There is no rule `{code}`{_nearest(code, known_rules)}")
    while True:
        try:
            return Config.model_validate(data), problems
        except ValidationError as error:
            for item in error.errors():
                path = tuple(str(part) for part in item["loc"])
                report(path, _message(path, item["type"], item["msg"]))
                _remove(data, path)


def from_environment(config: Config, environment: Mapping[str, str]) -> Config:
    """The settings with `OMOIDE_PROVIDER`, `OMOIDE_BASE_URL` and `OMOIDE_MODEL` applied; the key is read when used."""
    provider = config.provider.model_copy(
        update={
            field: environment[name]
            for name, field in (("OMOIDE_PROVIDER", "name"), ("OMOIDE_BASE_URL", "base_url"))
            if environment.get(name)
        }
    )
    if environment.get("OMOIDE_API_KEY"):
        provider = provider.model_copy(update={"api_key_env": "OMOIDE_API_KEY"})
    memory = config.memory
    if model := environment.get("OMOIDE_MODEL"):
        memory = memory.model_copy(update={"extract_model": model, "consolidation_model": model})
    return config.model_copy(update={"provider": provider, "memory": memory})


def merge(user: Config, workspace: Config) -> Config:
    """The workspace's settings over the user's, section by section, key by key; trust is the user's alone."""
    update: dict[str, Any] = {}
    for name in ("memory", "provider", "sessions"):
        below, above = getattr(user, name), getattr(workspace, name)
        update[name] = below.model_copy(update={key: getattr(above, key) for key in above.model_fields_set})
    return user.model_copy(
        update={**update, "lint": {**user.lint, **workspace.lint}, "enricher": {**user.enricher, **workspace.enricher}}
    )


def _drop_guarded(data: dict[str, Any], report: Any) -> None:
    advice = "move it to your own configuration, or trust this workspace"
    provider = data.get("provider")
    for key in GUARDED["provider"]:
        if isinstance(provider, dict) and key in provider:
            del provider[key]
            report(("provider", key), f"`{key}` is ignored in a workspace that is not trusted: {advice}.", "untrusted")
    enrichers = data.get("enricher")
    for name, table in enrichers.items() if isinstance(enrichers, dict) else ():
        for key in GUARDED["enricher"]:
            if isinstance(table, dict) and key in table:
                del table[key]
                report(
                    ("enricher", name, key),
                    f"`{key}` is ignored until you trust this workspace: {advice}.",
                    "untrusted",
                )


def _message(path: tuple[str, ...], kind: str, text: str) -> str:
    name = ".".join(path)
    if kind == "extra_forbidden":
        section = (
            Config.model_fields[path[0]].annotation if len(path) > 1 and path[0] in Config.model_fields else Config
        )
        known = getattr(section, "model_fields", {})
        return f"Unknown setting `{name}`{_nearest(path[-1], known)}"
    return f"`{name}`: {text[:1].lower()}{text[1:]}; the default is used."


def _nearest(name: str, known: Any) -> str:
    match = process.extractOne(name, list(known), score_cutoff=70)
    return f": did you mean `{match[0]}`?" if match else "."


def _remove(data: Any, path: tuple[str, ...]) -> None:
    for part in path[:-1]:
        inner = data.get(part) if isinstance(data, dict) else None
        if not isinstance(inner, dict):  # the bad part is inside a list or is itself the section: drop the whole key
            break
        data, path = inner, path[1:]
    data.pop(path[0], None)


class _Places:
    """Finds the line of a key by reading the text once more: the TOML parser keeps no positions."""

    def __init__(self, text: str) -> None:
        self.lines = LineIndex(text)

    def error(self, message: str) -> Range:
        match = re.search(r"line (\d+), column (\d+)", message)
        line = int(match[1]) - 1 if match else self.lines.line_count - 1
        start = Position(line, int(match[2]) - 1 if match else 0)
        return Range(start, max(start, self.lines.line_range(line).end))

    def key(self, path: tuple[str, ...]) -> Range:
        """The line of a key, or of the nearest table that it stands in; the first line where there is none."""
        for depth in range(len(path), 0, -1):
            if found := self._keys.get(path[:depth]):
                return found
        return self.lines.line_range(0)

    @cached_property
    def _keys(self) -> dict[tuple[str, ...], Range]:
        """Where each key and table first stands."""
        found: dict[tuple[str, ...], Range] = {}
        table: tuple[str, ...] = ()
        for number in range(self.lines.line_count):
            line = self.lines.line(number)
            header = re.match(r"\s*\[+\s*([^\]]+?)\s*\]", line)
            key = re.match(r"""\s*(["']?)([A-Za-z0-9_.-]+)\1\s*=""", line)
            if header:
                table = tuple(part.strip().strip("\"'") for part in header[1].split("."))
                here = table
            elif key:
                here = (*table, *key[2].split("."))
            else:
                continue
            start = len(line) - len(line.lstrip())
            found.setdefault(here, Range(Position(number, start), Position(number, len(line.rstrip()))))
        return found
