-- Records from the editor: finding, inserting, making, renaming, promoting, archiving. What a change means is the
-- server's business.

local client_of = require('omoide.client')
local live = require('omoide.live')
local running = require('omoide.running')

local M = {}

local MARKS = vim.api.nvim_create_namespace('omoide-insert')

M.KINDS = { 'knowledge', 'workflow', 'decision', 'request', 'summary' }
local FOLDERS =
  { knowledge = 'knowledge', workflow = 'workflow', ['memory/decisions'] = 'decision', ['memory/requests'] = 'request' }

--- The record that a file is, by its place.
---@param path string
---@return { kind: string, slug: string }?
function M.at(path)
  local inside = vim.fs.normalize(path):match('/%.omoide/(.+)%.md$') or vim.fs.normalize(path):match('/%.yoi/(.+)%.md$')
  if inside == 'memory/summary' then
    return { kind = 'summary', slug = 'summary' }
  end
  local folder, slug = (inside or ''):match('^(.+)/([^/]+)$')
  local kind = folder and FOLDERS[folder]
  return kind and { kind = kind, slug = slug } or nil
end

--- `kind/slug` as a record, or nil with the reason.
local function named(text)
  local kind, slug = text:match('^(%a+)/(.+)$')
  if kind and vim.list_contains(M.KINDS, kind) then
    return { kind = kind, slug = slug }
  end
  return nil, ('`%s` names no record: write `kind/slug`, as in `decision/%s`.'):format(text, 'use-postgres')
end

--- Go on with the record that was named, else that of this buffer, else one the person finds.
local function with_record(text, kinds, go)
  if text then
    local ref, why = named(text)
    if not ref then
      return client_of.warn(why)
    end
    return client_of.with(function(client)
      go(client, ref)
    end)
  end
  local here = M.at(vim.api.nvim_buf_get_name(0))
  client_of.with(function(client)
    if here and vim.list_contains(kinds, here.kind) then
      return go(client, here)
    end
    live.open(client, function(hit)
      if vim.list_contains(kinds, hit.kind) then
        go(client, { kind = hit.kind, slug = hit.slug })
      else
        client_of.warn(('only a %s can be chosen here, not a %s.'):format(table.concat(kinds, ' or '), hit.kind))
      end
    end)
  end)
end

---@param client vim.lsp.Client
---@param uri string
---@param line integer?  0-based
function M.show(client, uri, line)
  local start = { line = line or 0, character = 0 }
  local place = { uri = uri, range = { start = start, ['end'] = start } }
  vim.lsp.util.show_document(place, client.offset_encoding, { reuse_win = true, focus = true })
end

local function choose(rows, prompt, go)
  local shown = {
    prompt = prompt,
    kind = 'omoide',
    format_item = function(row) -- some pickers hand over more than the item
      return live.line_of(row)
    end,
  }
  vim.ui.select(rows, shown, function(row)
    if row then
      go(row)
    end
  end)
end

--- `:Omoide search [words]`: without words, results show while one types.
function M.search(arguments)
  client_of.with(function(client)
    local function go(hit)
      M.show(client, hit.uri, math.max(0, (hit.line or 1) - 1))
    end
    if #arguments == 0 then
      return live.open(client, go)
    end
    client_of.ask(client, 'omoide.search', { query = table.concat(arguments, ' ') }, function(answer)
      if #answer.hits == 0 then
        return client_of.say(('none of %d records holds these words.'):format(answer.stored))
      end
      choose(answer.hits, 'Records:', go)
    end)
  end)
end

--- `:Omoide records [kind]`.
function M.list(arguments)
  client_of.call('omoide.records', { kind = arguments[1] or 'knowledge' }, function(answer, client)
    if answer.total == 0 then
      return client_of.say(('there is no %s yet: `:Omoide new`.'):format(arguments[1] or 'knowledge'))
    end
    local more = answer.total > #answer.records and (' (the first %d of %d)'):format(#answer.records, answer.total)
      or ''
    choose(answer.records, ('Records%s:'):format(more), function(row)
      M.show(client, row.uri)
    end)
  end)
end

--- `:Omoide insert`: a reference at the cursor, apart from what stands before it.
function M.insert(arguments)
  local window, buffer = vim.api.nvim_get_current_win(), vim.api.nvim_get_current_buf()
  local cursor = vim.api.nvim_win_get_cursor(window)
  -- A mark moves with the text: the answer takes a while, in which the person may type on.
  local mark = vim.api.nvim_buf_set_extmark(buffer, MARKS, cursor[1] - 1, cursor[2], {})
  local function put(hit)
    local found = vim.api.nvim_buf_is_valid(buffer) and vim.api.nvim_buf_get_extmark_by_id(buffer, MARKS, mark, {}) or {}
    if #found == 0 then
      return client_of.warn('the text where the reference was to stand is gone.')
    end
    vim.api.nvim_buf_del_extmark(buffer, MARKS, mark)
    local place = { found[1] + 1, found[2] }
    if hit.kind ~= 'knowledge' and hit.kind ~= 'workflow' then
      return client_of.warn(('a %s has no name in a text: promote it to knowledge first.'):format(hit.kind))
    end
    local line = vim.api.nvim_buf_get_lines(buffer, place[1] - 1, place[1], false)[1] or ''
    -- In normal mode the cursor is on a character: behind it, as `p` does, unless the line is empty.
    local at = line == '' and 0 or math.min(#line, place[2] + #vim.fn.strcharpart(line:sub(place[2] + 1), 0, 1))
    local gap = at > 0 and not line:sub(at, at):match('[%s(\'"]') and ' ' or ''
    local text = gap .. live.name_of(hit)
    vim.api.nvim_buf_set_text(buffer, place[1] - 1, at, place[1] - 1, at, { text })
    if vim.api.nvim_win_is_valid(window) then
      vim.api.nvim_win_set_cursor(window, { place[1], at + #text - 1 })
    end
  end
  client_of.with(function(client)
    if #arguments == 0 then
      return live.open(client, put)
    end
    client_of.ask(client, 'omoide.search', { query = table.concat(arguments, ' ') }, function(answer)
      choose(answer.hits, 'Insert a reference to:', put)
    end)
  end)
end

--- `:Omoide new [kind] [slug] [description]`; what is missing is asked for. The server shows the record.
function M.new(arguments)
  local function with_slug(kind, slug)
    local description = table.concat(arguments, ' ', 3)
    client_of.call('omoide.new', { kind = kind, slug = slug, description = description ~= '' and description or nil })
  end
  local function with_kind(kind)
    if kind == 'summary' or arguments[2] then
      return with_slug(kind, arguments[2])
    end
    vim.ui.input({ prompt = ('Slug of the %s: '):format(kind) }, function(slug)
      if slug and vim.trim(slug) ~= '' then
        with_slug(kind, vim.trim(slug))
      end
    end)
  end
  if arguments[1] then
    return with_kind(arguments[1])
  end
  vim.ui.select(M.KINDS, { prompt = 'A new record of which kind?' }, function(kind)
    if kind then
      with_kind(kind)
    end
  end)
end

local function tell(done)
  local how = done.status == 'committed' and ('`:Omoide undo %s` takes it back'):format(done.run_id)
    or '`u` takes it back'
  client_of.say(('%s changed; %s.'):format(client_of.counted(#(done.changes or {}), 'file'), how))
  running.reread()
end

--- `:Omoide rename [new-slug] [kind/slug]`: the record of this buffer, its file and every reference to it.
function M.rename(arguments)
  with_record(arguments[2], { 'knowledge', 'workflow', 'decision', 'request' }, function(client, ref)
    local function go(slug)
      if slug and vim.trim(slug) ~= '' and vim.trim(slug) ~= ref.slug then
        client_of.ask(client, 'omoide.rename', vim.tbl_extend('error', ref, { new_slug = vim.trim(slug) }), tell)
      end
    end
    if arguments[1] then
      return go(arguments[1])
    end
    vim.ui.input({ prompt = ('New slug of %s: '):format(ref.slug), default = ref.slug }, go)
  end)
end

--- `:Omoide promote [kind/slug] [new-slug]`: knowledge made of a decision or request. The server shows it.
function M.promote(arguments)
  with_record(arguments[1], { 'decision', 'request' }, function(client, ref)
    local wish = vim.tbl_extend('error', ref, { new_slug = arguments[2] })
    client_of.ask(client, 'omoide.promote', wish, tell)
  end)
end

--- `:Omoide archive [kind/slug] [reason]`.
function M.archive(arguments)
  with_record(arguments[1], M.KINDS, function(client, ref)
    local function go(reason)
      if reason and vim.trim(reason) ~= '' then
        client_of.ask(client, 'omoide.archive', vim.tbl_extend('error', ref, { reason = reason }), tell)
      end
    end
    if arguments[2] then
      return go(table.concat(arguments, ' ', 2))
    end
    vim.ui.input({ prompt = ('Why is %s %s out of use? '):format(ref.kind, ref.slug) }, go)
  end)
end

--- `:Omoide references`: who names the record of this buffer, in the quickfix list.
function M.references()
  local buffer = vim.api.nvim_get_current_buf()
  client_of.with(function(client)
    local command = { title = 'references', command = 'omoide.showReferences' }
    command.arguments = { vim.uri_from_bufnr(buffer), { line = 0, character = 0 } }
    client:exec_cmd(command, { bufnr = buffer })
  end)
end

--- Names for the command line, asked for while it waits; none where the server takes too long.
---@param kinds string[]
---@return string[]
function M.names(kinds)
  local found = {}
  for _, kind in ipairs(kinds) do
    local answer = client_of.ask_now('omoide.records', { kind = kind })
    for _, row in ipairs(answer and answer.records or {}) do
      found[#found + 1] = kind .. '/' .. row.slug
    end
  end
  return found
end

return M
