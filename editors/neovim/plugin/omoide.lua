-- The command `:Omoide`, and what happens in buffers. The server itself is started by `vim.lsp.enable('omoide')` in the
-- user's configuration.

if vim.g.loaded_omoide then
  return
end
vim.g.loaded_omoide = true

if vim.fn.has('nvim-0.11') == 0 then
  vim.notify('Omoide: Neovim 0.11 or later is needed.', vim.log.levels.ERROR)
  return
end

-- A plugin manager makes the tags of the help page; for a folder that was put on 'runtimepath' by hand nobody does,
-- and `:help omoide-tour` would find nothing. Where the folder cannot be written to, the page stays without.
for _, page in ipairs(vim.api.nvim_get_runtime_file('doc/omoide.txt', true)) do
  local folder = vim.fs.dirname(page)
  if not vim.uv.fs_stat(folder .. '/tags') then
    pcall(vim.cmd.helptags, vim.fn.fnameescape(folder))
  end
end

require('omoide.command').everywhere()
require('omoide.attach').set_up()
