"""The files of a memory root, and other programs' logs, on a real disk. The only part of the core that touches one."""
