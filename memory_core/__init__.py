"""Omoide: project memory for coding agents. The domain as a library; knows no editor protocol and no command line."""
