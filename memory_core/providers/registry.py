"""Which provider does a step: the table of names, and what each needs. Imports a provider only when it is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from memory_core.config import Config
from memory_core.consolidate.task import ConsolidateInput, ConsolidateWorker
from memory_core.errors import ProviderError
from memory_core.extract.task import ExtractWorker, Slice
from memory_core.ports import EditorTurns
from memory_core.providers.model_worker import ModelWorker
from memory_core.worker import Work, WorkerReport

NAMES = ("builtin", "openai", "editor")


def extract_worker(
    config: Config, environment: Mapping[str, str], provider: str | None = None, editor: EditorTurns | None = None
) -> ExtractWorker:
    """The worker of the extract step. `provider`: instead of the configured one; `editor`: whose models can be asked.
    ProviderError with a remedy."""
    match _known(provider or config.provider.name):
        case "builtin":
            from memory_core.providers.builtin.extract import BuiltinExtractor

            return BuiltinExtractor()
        case "openai":
            return _openai_worker(config, environment, config.memory.extract_model, "extract_model")
        case "editor":
            return _editor_worker(config, editor, config.memory.extract_model)


@dataclass(frozen=True)
class _Planner:
    """The name of a worker without the worker: enough to say what would be sent."""

    name: str
    model: str | None

    async def run(self, work: Work, view: Slice) -> WorkerReport:  # noqa: ARG002 - the port's signature
        raise ProviderError(f"A dry run asks no model, so {self.name} was not asked.")


def extract_planner(config: Config, provider: str | None = None) -> ExtractWorker:
    """What `extract_worker` would give, for a dry run: it needs no key, no model and no editor, and can do nothing."""
    name = _known(provider or config.provider.name)
    return _Planner(name, None if name == "builtin" else config.memory.extract_model or "a model that is not set yet")


@dataclass
class ConsolidatePlanner:
    """Keeps what a consolidation would ask a model, and asks none."""

    name: str
    model: str | None
    work: Work | None = None

    async def run(self, work: Work, view: ConsolidateInput) -> WorkerReport:  # noqa: ARG002 - the port's signature
        self.work = work
        return WorkerReport()


def consolidate_planner(config: Config, provider: str | None = None) -> ConsolidatePlanner:
    """What `consolidate_worker` would give, for a look at its input."""
    name = _known(provider or config.provider.name)
    model = config.memory.consolidation_model or "a model that is not set yet"
    return ConsolidatePlanner(name, None if name == "builtin" else model)


def consolidate_worker(
    config: Config, environment: Mapping[str, str], provider: str | None = None, editor: EditorTurns | None = None
) -> ConsolidateWorker:
    """The worker of the consolidate step, in the same way."""
    match _known(provider or config.provider.name):
        case "builtin":
            from memory_core.providers.builtin.consolidate import BuiltinConsolidator

            return BuiltinConsolidator()
        case "openai":
            return _openai_worker(config, environment, config.memory.consolidation_model, "consolidation_model")
        case "editor":
            return _editor_worker(config, editor, config.memory.consolidation_model)


def problem_of(config: Config, environment: Mapping[str, str]) -> str | None:
    """What the configured provider lacks, with the remedy; None where it can work. Calls nothing."""
    if config.provider.name == "builtin":
        return None  # it lacks nothing, and to load its rules takes longer than all else that `status` does
    from memory_core.providers.editor import Nobody

    try:
        for make in (extract_worker, consolidate_worker):
            make(config, environment, None, Nobody())
    except ProviderError as error:
        return str(error)
    return None


def _known(name: str) -> Literal["builtin", "openai", "editor"]:
    match name:
        case "builtin" | "openai" | "editor":
            return name
    raise ProviderError(f"There is no provider `{name}`: use one of {', '.join(NAMES)} ([provider] name).")


def _openai_worker(config: Config, environment: Mapping[str, str], model: str | None, setting: str) -> ModelWorker:
    if not model:
        raise ProviderError(f"The provider `openai` needs a model: set `{setting}` in [memory], or OMOIDE_MODEL.")
    from memory_core.providers.openai_compatible import OpenAIModel

    settings = config.provider
    key = environment.get(settings.api_key_env)
    server = OpenAIModel(
        base_url=settings.base_url, api_key=key, key_name=settings.api_key_env, timeout_s=settings.timeout_s
    )
    if settings.tool_calls == "native":
        return ModelWorker(server, "openai", model)
    from memory_core.providers.json_tools import JsonToolsModel

    return ModelWorker(JsonToolsModel(server), "openai", model)


def _editor_worker(config: Config, editor: EditorTurns | None, model: str | None) -> ModelWorker:
    from memory_core.providers.editor import NAME, ONLY_THERE, EditorModel

    if editor is None:
        raise ProviderError(ONLY_THERE)
    asked = EditorModel(editor, timeout_s=config.provider.timeout_s)
    if config.provider.tool_calls == "native":
        return ModelWorker(asked, NAME, model, answered_by=lambda: asked.answered_by)
    from memory_core.providers.json_tools import JsonToolsModel

    return ModelWorker(JsonToolsModel(asked), NAME, model, answered_by=lambda: asked.answered_by)
