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

vim.api.nvim_create_user_command('Omoide', function(how)
  require('omoide.commands').run(how)
end, {
  nargs = '+',
  range = true,
  bang = true,
  desc = 'Omoide: project memory',
  complete = function(...)
    return require('omoide.commands').complete(...)
  end,
})

require('omoide.attach').set_up()
