"""Records: one Markdown file each, YAML frontmatter and a body. Text in, value and problems out; reads no disk."""
