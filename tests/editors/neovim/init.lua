-- A user's configuration, as the help page tells people to write it.
vim.opt.runtimepath:prepend(assert(vim.env.OMOIDE_PLUGIN))
vim.o.swapfile = false
vim.o.completeopt = 'menuone,noselect,popup'
vim.cmd('filetype plugin on')
vim.lsp.enable('omoide')
vim.api.nvim_create_autocmd('LspAttach', {
  callback = function(ev)
    local client = vim.lsp.get_client_by_id(ev.data.client_id)
    if client and client.name == 'omoide' then
      vim.lsp.completion.enable(true, client.id, ev.buf, { autotrigger = true })
    end
  end,
})
