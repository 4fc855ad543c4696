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

  -- A program that is too old, and a server that nobody enabled.
  lua([[vim.lsp.config('omoide', { cmd = { ..., 'lsp' } })]], arguments[3])
  local health = [[
    vim.cmd('checkhealth omoide')
    local text = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n')
    vim.cmd.close()
    return text
  ]]
  seen.old = lua(health)
  lua('vim.lsp.enable("omoide", false)')
  seen.disabled = lua(health)
  lua('for _, client in ipairs(vim.lsp.get_clients()) do client:stop(true) end vim.cmd.enew()')
  editor.await('the end of the server', 'return #vim.lsp.get_clients() == 0')
  editor.command('Omoide usage')
  seen.not_enabled = editor.said()
end
