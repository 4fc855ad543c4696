-- User commands. The server itself is started by `vim.lsp.enable('omoide')` in the user's configuration.

if vim.g.loaded_omoide then
  return
end
vim.g.loaded_omoide = true

local function command(name, method, desc)
  vim.api.nvim_create_user_command(name, function()
    require('omoide')[method]()
  end, { desc = desc })
end

command('OmoideExtract', 'extract', 'Omoide: stage what is new in the session logs of this project')
command('OmoideConsolidate', 'consolidate', 'Omoide: turn staged candidates into records')
command('OmoideCancel', 'cancel', 'Omoide: stop the extract or consolidation that is running')
