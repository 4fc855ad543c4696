"""Which provider does a step: the table of names, and what each needs. Imports a provider only when it is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from memory_core.config import Config
from memory_core.consolidate.task import ConsolidateWorker
from memory_core.errors import ProviderError
from memory_core.extract.task import ExtractWorker
from memory_core.providers.model_worker import ModelWorker

NAMES = ("builtin", "openai")


def extract_worker(config: Config, environment: Mapping[str, str], provider: str | None = None) -> ExtractWorker:
    """The worker of the extract step. `provider`: instead of the configured one. ProviderError with a remedy."""
    match _known(provider or config.provider.name):
        case "builtin":
            from memory_core.providers.builtin.extract import BuiltinExtractor

            return BuiltinExtractor()
        case "openai":
            return _openai_worker(config, environment, config.memory.extract_model, "extract_model")


def consolidate_worker(
    config: Config, environment: Mapping[str, str], provider: str | None = None
) -> ConsolidateWorker:
    """The worker of the consolidate step, in the same way."""
    match _known(provider or config.provider.name):
        case "builtin":
            from memory_core.providers.builtin.consolidate import BuiltinConsolidator

            return BuiltinConsolidator()
        case "openai":
            return _openai_worker(config, environment, config.memory.consolidation_model, "consolidation_model")


def _known(name: str) -> Literal["builtin", "openai"]:
    match name:
        case "builtin" | "openai":
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
