"""Which tools exist where: evidence belongs to the extract worker alone, records to the consolidator and to MCP."""

from __future__ import annotations

import json
from pathlib import Path

from memory_core.consolidate.schema import TOOLS as CONSOLIDATE_TOOLS
from memory_core.consolidate.schema import tool_specs
from memory_core.extract.task import Slice
from memory_core.extract.tools import ExtractToolbox
from memory_core.testing import session_of
from server.app import COMMANDS
from server.mcp.tools import TOOLS as MCP_TOOLS

CONSOLIDATOR = [
    "CloseCandidate",
    "KnowledgeQuery",
    "MemoryDelete",
    "MemoryEdit",
    "MemoryQuery",
    "MemoryRead",
    "MemoryWrite",
    "OfferWorkflow",
    "PromoteRecord",
]
MCP = [
    "ExpandReferences",
    "KnowledgeQuery",
    "MemoryDelete",
    "MemoryEdit",
    "MemoryQuery",
    "MemoryRead",
    "MemoryWrite",
    "StageCandidate",
]
EDITOR = [
    "omoide.agentRead",
    "omoide.agentSearch",
    "omoide.archive",
    "omoide.candidateText",
    "omoide.closeCandidate",
    "omoide.consolidate",
    "omoide.editCandidate",
    "omoide.expand",
    "omoide.extract",
    "omoide.lint",
    "omoide.new",
    "omoide.offers",
    "omoide.openTranscript",
    "omoide.overview",
    "omoide.preview",
    "omoide.promote",
    "omoide.records",
    "omoide.reindex",
    "omoide.rename",
    "omoide.resident",
    "omoide.search",
    "omoide.sessions",
    "omoide.showUses",
    "omoide.staging",
    "omoide.status",
    "omoide.trust",
    "omoide.undo",
    "omoide.usageReport",
]
EDITOR_AGENTS = ["omoide_read", "omoide_search"]  # what VS Code offers to its own agents
PACKAGE = Path(__file__).parents[2] / "editors/vscode/package.json"
EVIDENCE = {"search_evidence", "read_evidence", "resolve_source_anchor"}


def _worker_tools() -> list[str]:
    session = session_of(("human", "Use tabs."))
    return [spec.name for spec in ExtractToolbox(Slice(session, 0, 0, "en")).specs]


def test_the_worker_has_three_tools_that_look_and_one_that_hands_in() -> None:
    assert _worker_tools() == ["search_evidence", "read_evidence", "resolve_source_anchor", "write_extracted"]


def test_no_other_surface_reaches_evidence_or_hands_in_for_the_worker() -> None:
    """Session text may hold anything: only the worker, bounded to its slice, sees it through tools."""
    others = {*CONSOLIDATE_TOOLS, *MCP_TOOLS, *EDITOR, *EDITOR_AGENTS}
    assert not others & {*EVIDENCE, "write_extracted"}
    assert not any("evidence" in name.lower() or "anchor" in name.lower() for name in others)


def test_the_worker_reaches_no_record_no_file_and_no_command() -> None:
    """T32 T33: what a poisoned log says can at most become a candidate."""
    others = {*CONSOLIDATE_TOOLS, *MCP_TOOLS, *EDITOR, *EDITOR_AGENTS}
    assert not others & set(_worker_tools())


def test_every_tool_of_every_surface_is_known_here() -> None:
    """A new tool is a new way to reach memory: whoever adds one says so in this table."""
    assert [spec.name for spec in tool_specs()] == list(CONSOLIDATE_TOOLS)
    assert sorted(CONSOLIDATE_TOOLS) == CONSOLIDATOR
    assert sorted(MCP_TOOLS) == MCP
    assert sorted(name for name, _ in COMMANDS) == EDITOR
    offered = json.loads(PACKAGE.read_text(encoding="utf-8"))["contributes"]["languageModelTools"]
    assert sorted(tool["name"] for tool in offered) == EDITOR_AGENTS
