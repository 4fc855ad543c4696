"""What an extract would send, before anything is sent. Pure: calls nothing, writes nothing."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, replace

from memory_core.config import Config
from memory_core.extract.evidence import said, speaker_of
from memory_core.extract.instructions import system_prompt
from memory_core.extract.plan import has_messages, plan_slices
from memory_core.extract.render import render
from memory_core.extract.task import ExtractRun, Price
from memory_core.extract.tools import ExtractToolbox
from memory_core.llm import Message, ModelRequest
from memory_core.sessions.model import EntryKind, Session, Speaker
from memory_core.sessions.pointer import Pointer
from memory_core.text import counted
from memory_core.tokens import count
from memory_core.tool_text import as_text


def rendered_inputs(session: Session, pointer: Pointer, config: Config) -> list[str]:
    """The text of each slice as a model would be given it, after the system prompt. Nothing is asked for a slice in
    which nobody said anything."""
    limit = config.memory.extract_worker_max_input_tokens
    slices = plan_slices(session, pointer, limit, config.memory.language)
    return [render(view, limit) for view in slices if has_messages(view)]


@dataclass(frozen=True, slots=True)
class Planned:
    """The first request of a slice, exactly as it would be sent. `tools`: as JSON; empty where the settings put them
    into the prompt. `tokens`: of all three parts. Each further turn sends them again with what was said since."""

    span: tuple[int, int]
    system: str
    prompt: str
    tools: str
    tokens: int


def planned(session: Session, pointer: Pointer, config: Config, override: str | None = None) -> list[Planned]:
    """What an extract would send, slice by slice; nothing for a slice in which nobody said anything. `override`: the
    workspace's own system prompt. Calls nothing and writes nothing."""
    limit = config.memory.extract_worker_max_input_tokens
    requests = []
    for view in plan_slices(session, pointer, limit, config.memory.language):
        if not has_messages(view):
            continue
        specs = tuple(ExtractToolbox(view).specs)
        system = system_prompt(view.language, specs, override).text
        messages = (Message("system", system), Message("user", render(view, limit)))
        request = ModelRequest("", messages, specs)
        if config.provider.tool_calls == "json":
            request = as_text(request)
        told, prompt = (message.content for message in request.messages)
        tools = json.dumps([spec.plain() for spec in request.tools], ensure_ascii=False) if request.tools else ""
        tokens = count(told) + count(prompt) + count(tools)
        requests.append(Planned((view.start, view.end), told, prompt, tools, tokens))
    return requests


def _read_by_rules(session: Session, pointer: Pointer, config: Config) -> str:
    """What the rules read, which is no request to anybody: how much of whom."""
    speakers: Counter[Speaker] = Counter()
    tools = 0
    for view in plan_slices(session, pointer, config.memory.extract_worker_max_input_tokens, config.memory.language):
        for entry in view.entries:
            speaker = speaker_of(entry)
            if speaker is not None and said(entry):
                speakers[speaker] += 1
            tools += entry.kind is EntryKind.TOOL_CALL
    people, agent = speakers[Speaker.HUMAN], speakers[Speaker.ASSISTANT]
    return f"{counted(people, 'message')} of people, {agent} of the agent and {counted(tools, 'tool call')}"


def dry_run_of(
    session: Session, pointer: Pointer, config: Config, override: str | None, model: str | None
) -> ExtractRun:
    """The run that `--dry-run` reports. `model`: None for rules, to which nothing is sent."""
    requests = planned(session, pointer, config, override)
    first, last = pointer.processed_through_entry + 1, len(session.entries) - 1
    parts = counted(len(requests), "part")
    tokens = sum(request.tokens for request in requests)
    turns = config.memory.extract_worker_max_turns
    if not requests:
        reason = "dry run: nothing that could be extracted follows the last extract"
    elif model is None:
        read = _read_by_rules(session, pointer, config)
        reason = f"dry run: the built-in rules would read {read}; no model is asked, nothing leaves this machine"
        tokens = 0
    else:
        reason = (
            f"dry run: {tokens:,} tokens would be sent in {parts}, and again in each further turn (at most {turns})"
        )
    span = (first, last) if first <= last else None
    run = ExtractRun(session.session_id, span, "skipped", reason, agent=session.agent, title=session.title)
    return replace(run, planned=Price(len(requests), tokens))
