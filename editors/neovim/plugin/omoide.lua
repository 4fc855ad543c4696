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

require('omoide.command').everywhere()
require('omoide.attach').set_up()
