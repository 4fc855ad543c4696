"""Workers for the two model steps: `builtin` (rules, no key, no network) and models behind an OpenAI-compatible API."""
