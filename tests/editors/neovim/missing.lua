-- No program, then one, and no memory, then one: what a person is told, and that it helps.

return function(editor, seen, arguments)
  local lua = editor.lua
  lua([[vim.lsp.config('omoide', { cmd = { '/nowhere/omoide', 'lsp' } })]])
  editor.command('edit!')
  seen.missing = editor.said()
  editor.command('Omoide extract')
  seen.extract = editor.said()
  editor.command('Omoide init')
  seen.init = editor.said()
  seen.health =
    lua('vim.cmd("checkhealth omoide") return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\\n")')
  lua('vim.cmd.close()')

  lua([[vim.lsp.config('omoide', { cmd = { 'omoide', 'lsp' } })]])
  lua('vim.cmd.cd(...) vim.cmd.edit("notes.md")', arguments[2])
  editor.command('Omoide extract')
  seen.no_memory = editor.said()
  editor.command('Omoide init')
  seen.made = editor.said()
  seen.attached = editor.attached().root
end
