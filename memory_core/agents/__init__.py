"""Omoide beside other people's agents: what their hooks are answered, and how they are told of us."""
