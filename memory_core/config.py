"""Settings: the text of `config.toml` and the environment to frozen sections, with problems instead of exceptions.

Contract: the project's format section "Settings". Reads no file and no environment: `store.settings_files` does.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from memory_core.diagnostic import Diagnostic, Severity
from memory_core.setting_kinds import Check, amount, flag, one_of, several, string, whole
from memory_core.toml_places import Places

SESSION_SOURCES = (
    "omoide", "claude-code", "codex", "copilot-chat", "copilot-cli", "opencode", "gemini-cli", "pi", "openclaw",
    "goose", "aider", "cline", "specstory", "yoi",
)  # fmt: skip
LEVELS = ("error", "warning", "hint", "off")


@dataclass(frozen=True)
class MemorySettings:
    """`[memory]`. Thresholds of 0 are off."""

    extract_model: str | None = string(None, "Model of the extract step; a small one is enough.")
    extract_threshold: int = whole(0, "Activity tokens since the last extract that make one due; 0 is off.")
    extract_worker_max_input_tokens: int = whole(32_000, "Most tokens of one extract slice.", least=1_000)
    extract_worker_max_turns: int = whole(8, "Most model turns of one extract slice.", least=1, most=100)
    consolidation_model: str | None = string(None, "Model of the consolidate step.")
    consolidation_threshold_files: int = whole(5, "Staging files that make a consolidation due; 0 is off.")
    consolidation_threshold_bytes: int = whole(50_000, "Staged bytes that make one due; 0 is off.")
    consolidate_review: str = one_of("auto", "preview", about="`preview` keeps every run for review.")
    inject_summary: bool = flag(True, "Put the summary into the resident context.")
    resident_token_budget: int = whole(5_000, "Most tokens of the resident context.")
    resident_for_code_sessions: bool = flag(False, "Give code sessions the resident context too.")
    language: str = string("auto", "Language of records; `auto` follows people.", least=1, most=64)
    query_result_limit: int = whole(20, "Most hits of a search.", least=1, most=1_000)
    query_excerpt_lines: int = whole(3, "Lines around a hit.", most=50)
    record_hover: bool = flag(True, "Count a hover or open in the editor as a use.")


@dataclass(frozen=True)
class ProviderSettings:
    """`[provider]`. `base_url` and `api_key_env` of a workspace file count only in a trusted workspace."""

    name: str = string("builtin", "`builtin` (no key), `openai` (any compatible server) or `editor` (VS Code's).")
    base_url: str | None = string(None, "Where an OpenAI-compatible server listens.")
    api_key_env: str = string("OPENAI_API_KEY", "Environment variable that holds the key.")
    tool_calls: str = one_of("native", "json", about="`json` for servers without tool calls: strict JSON in the text.")
    timeout_s: float = amount(120.0, "Seconds one request may take.", most=3_600)
    requests_per_run: int = whole(30, "Most requests of one run.", least=1)
    tokens_per_day: int = whole(2_000_000, "Most tokens of one day over all runs.")


@dataclass(frozen=True)
class SessionSettings:
    """`[sessions]`."""

    sources: tuple[str, ...] = several(SESSION_SOURCES, "Agents whose logs are looked for.", of=SESSION_SOURCES)


@dataclass(frozen=True)
class TrustSettings:
    """`[trust]`, in the user's configuration only."""

    workspaces: tuple[str, ...] = several((), "Workspaces whose provider settings count.")

    def covers(self, workspace: Path) -> bool:
        """Whether a workspace is one of them."""
        return any(Path(folder).expanduser() == workspace for folder in self.workspaces)


@dataclass(frozen=True)
class Config:
    """All settings of a workspace. `given`: section and key of those that somebody set; `brought`: those, as
    `memory.extract_model`, that a workspace decided which the user does not trust (`unchosen`)."""

    memory: MemorySettings = MemorySettings()
    provider: ProviderSettings = ProviderSettings()
    lint: Mapping[str, str] = field(default_factory=dict)
    sessions: SessionSettings = SessionSettings()
    enricher: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    grants: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    trust: TrustSettings = TrustSettings()
    given: frozenset[tuple[str, str]] = field(default=frozenset(), compare=False, repr=False)
    brought: frozenset[str] = field(default=frozenset(), repr=False)

    def severities(self) -> dict[str, Severity | None]:
        """`[lint]` as the linter takes it."""
        return {code: None if level == "off" else Severity(level) for code, level in self.lint.items()}


SECTIONS: dict[str, Any] = {
    "memory": MemorySettings,
    "provider": ProviderSettings,
    "sessions": SessionSettings,
    "trust": TrustSettings,
}
"""The tables with keys of their own; those of `lint`, `enricher` and `grants` are codes, names and agents."""

# What a hostile repository could abuse: it could send a person's key or log to its own server.
GUARDED = {"provider": ("base_url", "api_key_env"), "enricher": ("command",)}
# What it could have a person pay for: it may ask for less than they allow, not for more.
LIMITS = ("requests_per_run", "tokens_per_day")


def parse(
    text: str,
    *,
    trusted: bool,
    known_rules: frozenset[str] = frozenset(),
    allowed: ProviderSettings | None = None,
) -> tuple[Config, list[Diagnostic]]:
    """The settings of a `config.toml` and everything that is wrong with it; what is wrong counts as not set.

    `trusted`: keep the guarded keys (the user's own file, or a workspace the user trusts). `allowed`: what the user
    lets a run and a day cost at most, the defaults where nothing is said.
    """
    place = Places(text)
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

    def report(
        path: tuple[str, ...],
        message: str,
        code: str = "invalid-config",
        *,
        value: bool = False,
        item: int | None = None,
    ) -> None:
        """A problem at a key, at its value, or at one entry of it."""
        at = place.value(path) if value else place.key(path)
        problems.append(Diagnostic(code, Severity.WARNING, message, at if item is None else place.item(path, item)))

    if not trusted:
        _drop_guarded(data, report)
        _drop_raised(data, report, allowed or ProviderSettings())
    values, given = _checked(data, known_rules, report)
    problems.sort(key=lambda problem: (problem.range.start.line, problem.range.start.character))  # as the file is read
    return Config(**values, given=given), problems


Report = Callable[..., None]


def _checked(
    data: Mapping[str, Any], known_rules: frozenset[str], report: Report
) -> tuple[dict[str, Any], frozenset[tuple[str, str]]]:
    """The sections of a file, made of what is right in it, and which keys those are."""
    values: dict[str, Any] = {}
    given: set[tuple[str, str]] = set()
    for name, table in data.items():
        if name not in SECTIONS and name not in ("lint", "enricher", "grants"):
            report((name,), f"Unknown setting `{name}`{_nearest(name, (*SECTIONS, 'lint', 'enricher', 'grants'))}")
        elif not isinstance(table, dict):
            report((name,), f"`{name}` must be a table, `[{name}]`; the defaults are used.", value=True)
        elif name == "lint":
            values[name] = _checked_levels(table, known_rules, report)
        elif name == "enricher":
            values[name] = {key: inner for key, inner in table.items() if isinstance(inner, dict)}
            for key in table.keys() - values[name].keys():
                report((name, key), f"`{name}.{key}` must be a table, `[{name}.{key}]`; it is ignored.", value=True)
        elif name == "grants":
            values[name] = _checked_grants(table, report)
        else:
            found = _checked_section(name, table, report)
            values[name] = SECTIONS[name](**found)
            given.update((name, key) for key in found)
    return values, frozenset(given)


def _checked_section(name: str, table: Mapping[str, Any], report: Report) -> dict[str, Any]:
    known = {setting.name: setting.metadata["check"] for setting in fields(SECTIONS[name])}
    found: dict[str, Any] = {}
    for key, value in table.items():
        if key not in known:
            report((name, key), f"Unknown setting `{name}.{key}`{_nearest(key, known)}")
            continue
        try:
            found[key] = known[key](value)
        except ValueError as error:
            wrong = _wrong_entry(known[key], value)
            report((name, key), f"`{name}.{key}` must be {error}; the default is used.", value=True, item=wrong)
    return found


def _wrong_entry(check: Check, value: Any) -> int | None:
    """The first entry that makes a list wrong; None where the value as a whole is."""
    for number, entry in enumerate(value if isinstance(value, list) else ()):
        try:
            check([entry])
        except ValueError:
            return number
    return None


def _checked_levels(table: Mapping[str, Any], known_rules: frozenset[str], report: Report) -> dict[str, str]:
    for code, level in table.items():
        if known_rules and code not in known_rules:
            report(("lint", code), f"There is no rule `{code}`{_nearest(code, known_rules)}")
        if level not in LEVELS:
            words = ", ".join(f"`{word}`" for word in LEVELS)
            report(("lint", code), f"`lint.{code}` must be {words}; it is ignored.", value=True)
    return {code: level for code, level in table.items() if level in LEVELS}


def _checked_grants(table: Mapping[str, Any], report: Report) -> dict[str, tuple[str, ...]]:
    """Which other agents' records an agent may read, by agent. Each is named: nothing here means all of them."""
    found: dict[str, tuple[str, ...]] = {}
    for agent, named in table.items():
        if not isinstance(named, list) or not all(isinstance(one, str) and one and "*" not in one for one in named):
            message = f'`grants.{agent}` must be a list of agents by name, like `["reviewer", "claude-code/knowledge"]`'
            report(("grants", agent), f"{message}; it is ignored.", value=True)
        else:
            found[agent] = tuple(named)
    return found


def from_environment(config: Config, environment: Mapping[str, str]) -> Config:
    """The settings with `OMOIDE_PROVIDER`, `OMOIDE_BASE_URL` and `OMOIDE_MODEL` applied; the key is read when used."""
    named = (("OMOIDE_PROVIDER", "name"), ("OMOIDE_BASE_URL", "base_url"))
    given: dict[str, Any] = {key: environment[name] for name, key in named if environment.get(name)}
    provider = replace(config.provider, **given)
    if environment.get("OMOIDE_API_KEY"):
        provider = replace(provider, api_key_env="OMOIDE_API_KEY")
    memory = config.memory
    if model := environment.get("OMOIDE_MODEL"):
        memory = replace(memory, extract_model=model, consolidation_model=model)
    return replace(config, provider=provider, memory=memory)


def merge(user: Config, workspace: Config) -> Config:
    """The workspace's settings over the user's, section by section, key by key; trust is the user's alone."""
    sections: dict[str, Any] = {}
    for name in ("memory", "provider", "sessions"):
        above = getattr(workspace, name)
        sections[name] = replace(
            getattr(user, name), **{key: getattr(above, key) for section, key in workspace.given if section == name}
        )
    return replace(
        user,
        **sections,
        lint={**user.lint, **workspace.lint},
        enricher={**user.enricher, **workspace.enricher},
        grants={**user.grants, **workspace.grants},
        given=user.given | workspace.given,
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


def _drop_raised(data: dict[str, Any], report: Report, allowed: ProviderSettings) -> None:
    provider = data.get("provider")
    for key in LIMITS:
        value, most = provider.get(key) if isinstance(provider, dict) else None, getattr(allowed, key)
        raised = type(value) is int and most and (not value or value > most)  # 0 is no limit
        if isinstance(provider, dict) and raised:
            del provider[key]
            advice = "set it in your own configuration, or trust this workspace"
            message = f"`{key}` is ignored: a workspace that is not trusted may not raise your {most:,}: {advice}."
            report(("provider", key), message, "untrusted")


def _nearest(name: str, known: Iterable[str]) -> str:
    from rapidfuzz import process

    match = process.extractOne(name, list(known), score_cutoff=70)
    return f": did you mean `{match[0]}`?" if match else "."
