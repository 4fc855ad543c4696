-- Pages to look at: a buffer that is no file, in a window of its own. What stands in them is for others.

local M = {}

--- The buffer of a page that is there.
---@param name string
---@return integer?
function M.buffer(name)
  local buffer = vim.fn.bufnr('^omoide://' .. vim.fn.escape(name, '[]*?') .. '$')
  return buffer ~= -1 and buffer or nil
end

--- Replace what stands on a page. Cursors stay on their line, as far as there is one.
---@param buffer integer
---@param lines string[]
function M.fill(buffer, lines)
  local cursors = {}
  for _, window in ipairs(vim.fn.win_findbuf(buffer)) do
    cursors[window] = vim.api.nvim_win_get_cursor(window)
  end
  vim.bo[buffer].modifiable = true
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, vim.iter(lines):map(M.lines):flatten():totable())
  vim.bo[buffer].modifiable = false
  for window, cursor in pairs(cursors) do
    local line = math.min(cursor[1], vim.api.nvim_buf_line_count(buffer))
    vim.api.nvim_win_set_cursor(window, { line, cursor[2] })
  end
end

--- Show lines as the page `name`, in the window it already has or in a new one. `q` closes it.
---@param name string
---@param lines string[]
---@param options? { filetype?: string, root?: string, keys?: table<string, { [1]: fun(), desc: string }> }  `root`: the
---folder whose memory the page is about, which commands on it mean
---@return integer buffer
function M.show(name, lines, options)
  options = options or {}
  local buffer = M.buffer(name)
  if not buffer then
    buffer = vim.api.nvim_create_buf(false, true)
    vim.api.nvim_buf_set_name(buffer, 'omoide://' .. name)
    vim.bo[buffer].bufhidden = 'wipe'
  end
  M.fill(buffer, lines)
  local window = vim.fn.bufwinid(buffer)
  if window == -1 then
    vim.cmd('botright split')
    vim.api.nvim_win_set_buf(0, buffer)
    window = vim.api.nvim_get_current_win()
    vim.wo[window][0].number, vim.wo[window][0].relativenumber = false, false
    vim.wo[window][0].signcolumn, vim.wo[window][0].spell = 'no', false
    vim.wo[window][0].linebreak, vim.wo[window][0].breakindent = true, true
  else
    vim.api.nvim_set_current_win(window)
  end
  if options.filetype and vim.bo[buffer].filetype ~= options.filetype then
    vim.bo[buffer].filetype = options.filetype
  end
  require('omoide.command').define(buffer, options.root)
  local keys = vim.tbl_extend('keep', options.keys or {}, { q = { M.close, desc = 'close this page' } })
  for key, action in pairs(keys) do
    vim.keymap.set('n', key, action[1], { buffer = buffer, nowait = true, desc = 'Omoide: ' .. action.desc })
  end
  return buffer
end

local function is_page(window)
  return vim.api.nvim_buf_get_name(vim.api.nvim_win_get_buf(window)):find('^omoide://') ~= nil
end

--- Go from a page to a window that a file can be shown in, so that the page stays: the one before, another one, or a
--- new one above. Elsewhere nothing happens.
function M.leave()
  if not is_page(0) then
    return
  end
  local windows = { vim.fn.win_getid(vim.fn.winnr('#')), unpack(vim.api.nvim_tabpage_list_wins(0)) }
  for _, window in ipairs(windows) do
    local fits = window ~= 0 and not is_page(window) and vim.bo[vim.api.nvim_win_get_buf(window)].buftype == ''
    if fits and vim.api.nvim_win_get_config(window).relative == '' then
      return vim.api.nvim_set_current_win(window)
    end
  end
  vim.cmd('aboveleft new')
end

--- An instant of the server as people read it.
---@param instant string?
function M.when(instant)
  return ((instant or ''):sub(1, 16):gsub('T', ' '))
end

--- A text of the server as lines of a buffer, which may hold no line end.
---@param text string
---@return string[]
function M.lines(text)
  return vim.split((text:gsub('\r\n?', '\n')), '\n', { plain = true })
end

--- A text on one line, cut where it is longer than `width` cells.
---@param text string?
---@param width integer
function M.cut(text, width)
  local line = vim.trim((text or ''):gsub('%s+', ' '))
  if vim.fn.strdisplaywidth(line) <= width then
    return line
  end
  while vim.fn.strdisplaywidth(line) > width - 1 do
    line = vim.fn.strcharpart(line, 0, vim.fn.strchars(line) - 1)
  end
  return line .. '…'
end

--- Rows as columns that stand under each other. Numbers go to the right.
---@param head string[]
---@param rows (string|number)[][]
---@return string[]
function M.columns(head, rows)
  local width = {}
  for _, row in ipairs({ head, unpack(rows) }) do
    for at, cell in ipairs(row) do
      width[at] = math.max(width[at] or 0, vim.fn.strdisplaywidth(tostring(cell)))
    end
  end
  local function line(row)
    local cells = {}
    for at, cell in ipairs(row) do
      local gap = (' '):rep(width[at] - vim.fn.strdisplaywidth(tostring(cell)))
      cells[at] = type(cell) == 'number' and gap .. cell or cell .. gap
    end
    return (table.concat(cells, '  '):gsub('%s+$', ''))
  end
  return vim.list_extend({ line(head) }, vim.tbl_map(line, rows))
end

function M.close()
  if not pcall(vim.cmd.close) then
    vim.cmd.bdelete() -- the last window cannot be closed
  end
end

return M
