-- What a configuration calls: setup, the statusline, the memory root of a file. The commands are in `omoide.commands`.

local M = {}

--- What this plugin does in the buffers of the server; `setup` changes it.
M.options = {
  lens = true, -- show the line above a record, and keep it fresh
  completion = false, -- Neovim's own completion while typing; off where a completion plugin does it
}

--- Configure and enable the server. Calling it is optional: `vim.lsp.enable('omoide')` does with the defaults.
---@param options? table  `lens`, `completion`; everything else goes to `vim.lsp.config('omoide', ...)`
function M.setup(options)
  local rest = {}
  for key, value in pairs(options or {}) do
    if M.options[key] == nil then
      rest[key] = value
    elseif type(value) == 'boolean' then
      M.options[key] = value
    else
      vim.notify(('Omoide: setup: `%s` must be true or false.'):format(key), vim.log.levels.WARN)
    end
  end
  if next(rest) then
    vim.lsp.config('omoide', rest)
  end
  vim.lsp.enable('omoide')
end

--- The folder that a file's memory belongs to, or nil.
---@param path string
---@return string?
function M.root(path)
  return require('omoide.root').of(path)
end

local function of_progress(progress)
  for _, it in pairs(progress or {}) do
    local name = it.title:gsub('^Omoide: ', '')
    return it.percentage and ('%s %d%%'):format(name, it.percentage) or name
  end
end

--- One piece of a statusline: problems, what is staged, the job that runs. Empty where no server is attached.
---@return string
function M.statusline()
  local known = require('omoide.client')
  local window = vim.g.statusline_winid
  local buffer = window and vim.api.nvim_win_is_valid(window) and vim.api.nvim_win_get_buf(window) or 0
  local client = vim.lsp.get_clients({ bufnr = buffer, name = known.NAME })[1]
  if not client then
    return ''
  end
  local status = vim
    .iter(known.status[client.id] or {})
    :map(function(_, it)
      return it
    end)
    :next() or {}
  local parts = {}
  local problems, pending = status.problems or {}, status.pending or {}
  for key, sign in pairs({ errors = 'E', warnings = 'W' }) do
    if (problems[key] or 0) > 0 then
      parts[#parts + 1] = sign .. problems[key]
    end
  end
  table.sort(parts)
  if (pending.candidates or 0) > 0 then
    parts[#parts + 1] = pending.candidates .. ' staged'
  end
  parts[#parts + 1] = of_progress(known.progress[client.id]) or (status.loading and 'reading') or nil
  local text = table.concat({ 'omoide', unpack(parts) }, ' ')
  return (text:gsub('%%', '%%%%'))
end

return M
