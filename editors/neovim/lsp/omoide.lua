-- What `vim.lsp.enable('omoide')` starts. Override single keys with `vim.lsp.config('omoide', { ... })`.

---@type vim.lsp.Config
return {
  cmd = { 'omoide', 'lsp' },
  -- References are recognised in any text; these are the types where people and agents write them.
  filetypes = { 'markdown', 'text', 'gitcommit', 'rst', 'asciidoc', 'org', 'toml' },
  -- A folder counts by what is in it: `.omoide` without a memory marks nothing, and `.git` may be a linked worktree.
  root_dir = function(bufnr, on_dir)
    local root = require('omoide').root(vim.api.nvim_buf_get_name(bufnr))
    if root then
      on_dir(root)
    end
  end,
  workspace_required = true,
  capabilities = {
    workspace = { codeLens = { refreshSupport = true } },
    experimental = { omoide = { status = true, commands = { 'omoide.showReferences' } } },
  },
  handlers = {
    ['omoide/status'] = function(...)
      return require('omoide.attach').on_status(...)
    end,
    ['window/showMessage'] = function(...)
      return require('omoide.attach').on_message(...)
    end,
    ['workspace/codeLens/refresh'] = function(...)
      return require('omoide.attach').on_lens_refresh(...)
    end,
  },
  commands = {
    ['omoide.showReferences'] = function(...)
      return require('omoide.attach').show_references(...)
    end,
    ['omoide.openTranscript'] = function(...)
      return require('omoide.attach').open_transcript(...)
    end,
  },
  on_exit = function(code, signal, client_id)
    vim.schedule(function()
      require('omoide.running').ended(code, signal, client_id)
    end)
  end,
}
