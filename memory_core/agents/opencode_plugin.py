"""The plugin that OpenCode loads from `.opencode/plugins`: hands its events to `omoide hook`, adds what comes back.

OpenCode has no command hooks; a plugin is its way (opencode.ai/docs/plugins).
"""

from __future__ import annotations

import json
from collections.abc import Sequence

_TEMPLATE = """\
// Written by `omoide install opencode`; `omoide install opencode --uninstall` removes it.
import { spawn } from "node:child_process"

const COMMAND = %(command)s
const AGENT = %(agent)s
const RESIDENT = %(resident)s
const PATIENCE_MS = 2000

// Whatever goes wrong, OpenCode goes on as if there were no plugin.
function ask(event, call) {
  return new Promise((resolve) => {
    const words = [...COMMAND.slice(1), event, "--agent", AGENT]
    if (RESIDENT && event === "session-start") words.push("--resident")
    let answer = ""
    try {
      const child = spawn(COMMAND[0], words, { stdio: ["pipe", "pipe", "ignore"] })
      const timer = setTimeout(() => { child.kill(); resolve("") }, PATIENCE_MS)
      child.on("error", () => { clearTimeout(timer); resolve("") })
      child.stdin.on("error", () => {})
      child.stdout.on("data", (data) => { answer += data })
      child.on("close", () => {
        clearTimeout(timer)
        try { resolve(answer ? JSON.parse(answer).additionalContext || "" : "") } catch { resolve("") }
      })
      child.stdin.end(JSON.stringify(call))
    } catch { resolve("") }
  })
}

export const Omoide = async ({ directory }) => {
  const begun = new Set()
  return {
    "chat.message": async (input, output) => {
      const typed = (output.parts || []).filter((part) => part.type === "text" && !part.synthetic)
      if (!typed.length) return
      const call = { session_id: input.sessionID, cwd: directory, prompt: typed.map((part) => part.text).join("\\n") }
      const found = []
      if (!begun.has(input.sessionID)) {
        begun.add(input.sessionID)
        found.push(await ask("session-start", { ...call, source: "startup" }))
      }
      found.push(await ask("prompt-submit", call))
      const last = typed[typed.length - 1]
      for (const text of found) if (text) last.text += "\\n\\n" + text
    },
    "experimental.session.compacting": async (input) => {
      await ask("pre-compact", { session_id: input.sessionID, cwd: directory })
    },
    event: async ({ event }) => {
      if (event.type === "session.idle")
        await ask("session-end", { session_id: event.properties && event.properties.sessionID, cwd: directory })
    },
  }
}
"""


def plugin(command: Sequence[str], agent: str, *, resident: bool) -> str:
    """The file's text. `command`: the words that start `omoide hook`."""
    values = {"command": json.dumps(list(command)), "agent": json.dumps(agent), "resident": json.dumps(resident)}
    return _TEMPLATE % values
