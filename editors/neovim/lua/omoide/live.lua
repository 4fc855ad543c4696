-- A search that shows what it finds while one types: a line to type into over a list. What is found is the server's.

local client_of = require('omoide.client')
local scratch = require('omoide.scratch')

local M = {}

local LIMIT = 50
local NAME_WIDTH = 28 -- most slugs; longer ones push their description to the right
local namespace = vim.api.nvim_create_namespace('omoide.live')

--- The name by which a text refers to a record, or its kind and slug where there is no such name.
---@param row { kind: string, slug: string }
function M.name_of(row)
  if row.kind == 'knowledge' then
    return '#' .. row.slug
  end
  return row.kind == 'workflow' and '/' .. row.slug or ('%s %s'):format(row.kind, row.slug)
end

--- A row as one line, for this list and for `vim.ui.select`.
---@param row table  as `omoide.search` and `omoide.records` answer
---@param width? integer
function M.line_of(row, width)
  local mark = row.replaced_by and '(replaced) ' or row.broken and '(broken) ' or ''
  local text = row.description ~= '' and row.description or row.excerpt or ''
  local name = M.name_of(row)
  name = name .. (' '):rep(NAME_WIDTH - vim.fn.strdisplaywidth(name)) .. ' '
  return name .. scratch.cut(mark .. text, math.max(10, (width or 100) - #name))
end

local function floats(width, height)
  local row = math.max(0, math.floor((vim.o.lines - height - 4) / 2))
  local column = math.max(0, math.floor((vim.o.columns - width) / 2))
  local prompt, list = vim.api.nvim_create_buf(false, true), vim.api.nvim_create_buf(false, true)
  for _, buffer in ipairs({ prompt, list }) do
    vim.bo[buffer].bufhidden = 'wipe'
  end
  local shared = { relative = 'editor', width = width, col = column, style = 'minimal', border = 'rounded' }
  local below = vim.tbl_extend('error', shared, { row = row + 3, height = height, focusable = false })
  local list_window = vim.api.nvim_open_win(list, false, below)
  vim.wo[list_window].cursorline, vim.wo[list_window].wrap = true, false
  local above = vim.tbl_extend('error', shared, { row = row, height = 1, title = ' Search the memory ' })
  local prompt_window = vim.api.nvim_open_win(prompt, true, above)
  return { prompt = prompt, list = list, prompt_window = prompt_window, list_window = list_window }
end

local function show(view, hits, stored)
  view.hits = hits
  if not vim.api.nvim_buf_is_valid(view.list) then
    return
  end
  local width = vim.api.nvim_win_get_width(view.list_window)
  local lines = vim.tbl_map(function(hit)
    return M.line_of(hit, width)
  end, hits)
  vim.api.nvim_buf_set_lines(view.list, 0, -1, false, lines)
  vim.api.nvim_win_set_cursor(view.list_window, { 1, 0 })
  vim.api.nvim_buf_clear_namespace(view.prompt, namespace, 0, -1)
  local told = stored and ('%d of %d'):format(#hits, stored) or 'type some words'
  local mark = { virt_text = { { told, 'Comment' } }, virt_text_pos = 'right_align' }
  vim.api.nvim_buf_set_extmark(view.prompt, namespace, 0, 0, mark)
end

--- The text that was typed changed: ask again, and give up the question before.
local function search(view, client, kind)
  if view.asked then
    client:cancel_request(view.asked)
    view.asked = nil
  end
  local query = vim.trim(vim.api.nvim_buf_get_lines(view.prompt, 0, 1, false)[1] or '')
  if query == '' then
    return show(view, {}, nil)
  end
  view.turn = view.turn + 1
  local turn = view.turn
  view.asked = client_of.ask(client, 'omoide.search', { query = query, kind = kind, limit = LIMIT }, function(answer)
    if turn == view.turn then
      view.asked = nil
      show(view, answer.hits, answer.stored)
    end
  end)
end

local function move(view, by)
  if #view.hits > 0 then
    local at = vim.api.nvim_win_get_cursor(view.list_window)[1] - 1
    vim.api.nvim_win_set_cursor(view.list_window, { (at + by) % #view.hits + 1, 0 })
  end
end

--- Let the person find a record. `<CR>` takes the marked one, `<Esc>` none.
---@param client vim.lsp.Client
---@param choose fun(hit: table)
---@param kind? string
function M.open(client, choose, kind)
  local mode = vim.api.nvim_get_mode().mode
  local width, height = math.min(100, vim.o.columns - 4), math.min(15, math.max(3, vim.o.lines - 8))
  local view = vim.tbl_extend('error', floats(width, height), { hits = {}, turn = 0 })

  local function close(hit)
    view.turn = view.turn + 1
    vim.cmd.stopinsert()
    for _, window in ipairs({ view.prompt_window, view.list_window }) do
      if vim.api.nvim_win_is_valid(window) then
        vim.api.nvim_win_close(window, true)
      end
    end
    if hit then
      vim.schedule(function()
        choose(hit)
      end)
    end
  end
  local function key(lhs, action)
    vim.keymap.set({ 'i', 'n' }, lhs, action, { buffer = view.prompt, nowait = true })
  end
  key('<CR>', function()
    local at = vim.api.nvim_win_get_cursor(view.list_window)[1]
    if view.hits[at] then
      close(view.hits[at])
    end
  end)
  for lhs, by in pairs({ ['<C-n>'] = 1, ['<Down>'] = 1, ['<C-p>'] = -1, ['<Up>'] = -1 }) do
    key(lhs, function()
      move(view, by)
    end)
  end
  for _, lhs in ipairs({ '<Esc>', '<C-c>' }) do
    key(lhs, function()
      close()
    end)
  end
  vim.b[view.prompt].completion = false -- blink.cmp keeps out
  vim.api.nvim_create_autocmd({ 'TextChangedI', 'TextChanged' }, {
    buffer = view.prompt,
    callback = function()
      search(view, client, kind)
    end,
  })
  vim.api.nvim_create_autocmd('WinLeave', {
    buffer = view.prompt,
    once = true,
    callback = function()
      vim.schedule(close)
    end,
  })
  show(view, {}, nil)
  if mode ~= 'i' then
    vim.cmd.startinsert()
  end
end

return M
