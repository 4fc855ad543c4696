"""The command line in this process, as the tests of commands have it."""

from tests.cli.conftest import folder, home, omoide, workspace

__all__ = ["folder", "home", "omoide", "workspace"]
