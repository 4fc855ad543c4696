"""Which provider does a step."""

from __future__ import annotations

import subprocess
import sys

import pytest

from memory_core.config import Config, MemorySettings, ProviderSettings
from memory_core.errors import ProviderError
from memory_core.providers.registry import consolidate_worker, extract_worker


def settings(name: str = "openai", **memory: str) -> Config:
    provider = ProviderSettings(name=name, base_url="http://127.0.0.1:9/v1")
    return Config(provider=provider, memory=MemorySettings(**memory))  # type: ignore[arg-type]


def test_the_openai_provider_names_itself_and_its_model() -> None:
    worker = extract_worker(settings(extract_model="small"), {})
    assert (worker.name, worker.model) == ("openai", "small")
    other = consolidate_worker(settings(consolidation_model="large"), {})
    assert (other.name, other.model) == ("openai", "large")


def test_an_unknown_provider_is_refused_with_the_names() -> None:
    for make in (extract_worker, consolidate_worker):
        with pytest.raises(ProviderError, match="`anthropic`: use one of builtin, openai"):
            make(settings("anthropic"), {})
        with pytest.raises(ProviderError, match="`x`"):
            make(settings(), {}, "x")


def test_a_missing_model_names_its_setting() -> None:
    with pytest.raises(ProviderError, match=r"`extract_model`.*OMOIDE_MODEL"):
        extract_worker(settings(), {})
    with pytest.raises(ProviderError, match=r"`consolidation_model`.*OMOIDE_MODEL"):
        consolidate_worker(settings(), {})


def test_a_missing_key_names_its_variable() -> None:
    config = Config(
        provider=ProviderSettings(name="openai", api_key_env="MY_KEY"), memory=MemorySettings(extract_model="m")
    )
    with pytest.raises(ProviderError, match="MY_KEY"):
        extract_worker(config, {})
    assert extract_worker(config, {"MY_KEY": "k"}).model == "m"


def test_nothing_heavy_is_imported_to_make_a_worker() -> None:
    code = (
        "import sys; from memory_core.config import *; from memory_core.providers.registry import extract_worker; "
        "extract_worker(Config(provider=ProviderSettings(name='openai', base_url='http://x/v1'), "
        "memory=MemorySettings(extract_model='m')), {}); "
        "print([m for m in ('openai', 'tiktoken', 'detect_secrets') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
