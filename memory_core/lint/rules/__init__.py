"""The rules, one a file, each with its code, severity and text. `lint.registry` lists them; none registers itself."""
