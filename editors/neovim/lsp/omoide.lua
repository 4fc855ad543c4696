-- What `vim.lsp.enable('omoide')` starts. Override single keys with `vim.lsp.config('omoide', { ... })`.

---@type vim.lsp.Config
return {
  cmd = { 'omoide', 'lsp' },
  -- References are recognised in any text; these are the types where people and agents write them.
  filetypes = { 'markdown', 'text', 'gitcommit', 'rst', 'asciidoc', 'org', 'toml' },
  root_dir = function(bufnr, on_dir)
    local root = require('omoide').root(vim.api.nvim_buf_get_name(bufnr))
    if root then
      on_dir(root)
    end
  end,
  workspace_required = true,
}
