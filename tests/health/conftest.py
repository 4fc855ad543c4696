"""The command line in a workspace of its own."""

from tests.cli.conftest import folder, home, omoide, workspace

__all__ = ["folder", "home", "omoide", "workspace"]
