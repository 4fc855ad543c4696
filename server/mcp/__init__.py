"""The MCP server: records, their search and their writing as tools for agents. Needs the extra `omoide[mcp]`."""
