"""`python -m memory_core` is the command line, for machines where the script is not on PATH."""

from memory_core.cli import main

main()
