-- `:checkhealth omoide`: can the server be found, and is it attached?

local M = {}

local function check_program(config)
  local cmd = config and config.cmd
  if type(cmd) ~= 'table' then
    vim.health.info('cmd is a function; it is not checked')
    return
  end
  if vim.fn.executable(cmd[1]) == 0 then
    vim.health.error(('`%s` cannot be run'):format(cmd[1]), {
      'Install it: `pipx install omoide` or `uv tool install omoide`',
      "Or name it: vim.lsp.config('omoide', { cmd = { '/path/to/omoide', 'lsp' } })",
    })
    return
  end
  vim.health.ok(('server: %s'):format(table.concat(cmd, ' ')))
end

local function check_clients()
  local clients = vim.lsp.get_clients({ name = 'omoide' })
  if #clients == 0 then
    vim.health.info('the server is not running: it starts with the first text file of a project that has a memory')
  end
  for _, client in ipairs(clients) do
    local version = vim.tbl_get(client, 'server_info', 'version') or 'unknown'
    local buffers = vim.tbl_count(client.attached_buffers)
    local text = 'running: version %s, root %s, %d buffer(s), positions in %s'
    vim.health.ok(text:format(version, client.root_dir or 'none', buffers, client.offset_encoding))
  end
end

function M.check()
  vim.health.start('omoide')
  if vim.fn.has('nvim-0.11') == 0 then
    vim.health.error('Neovim 0.11 or later is needed (`vim.lsp.enable`)')
    return
  end
  check_program(vim.lsp.config.omoide)
  if vim.lsp.is_enabled and not vim.lsp.is_enabled('omoide') then
    vim.health.warn('the server is not enabled', "Add `vim.lsp.enable('omoide')` to your configuration")
  end
  local root = require('omoide').root(vim.fs.joinpath(vim.uv.cwd(), 'any'))
  vim.health.info(root and ('memory of this folder: ' .. root) or 'this folder has no memory: run `omoide init`')
  check_clients()
end

return M
