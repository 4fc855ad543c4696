-- Pages to read: status, usage, resident context, activity, an expanded text. Numbers and words come from the server.

local client_of = require('omoide.client')
local scratch = require('omoide.scratch')

local M = {}

local function counts(numbers, none)
  local parts = {}
  for name, number in vim.spairs(numbers or {}) do
    if number > 0 then
      local several = number > 1 and (name == 'decision' or name == 'request' or name == 'workflow')
      parts[#parts + 1] = ('%d %s%s'):format(number, name, several and 's' or '')
    end
  end
  return #parts > 0 and table.concat(parts, ', ') or none
end

--- The lines of one root's status.
function M.status_lines(client, root)
  local version = vim.tbl_get(client, 'server_info', 'version') or 'unknown'
  local pending = root.pending or { candidates = 0, files = 0 }
  local jobs = #root.jobs > 0 and table.concat(root.jobs, ', ') or 'none'
  local staged = client_of.counted(pending.candidates, 'candidate')
  local lines = {
    root.workspace,
    '  records    ' .. counts(root.records, 'none'),
    '  problems   ' .. counts(root.problems, root.problems and 'none' or 'not looked at yet'),
    ('  staged     %s in %s'):format(staged, client_of.counted(pending.files, 'file')),
    '  jobs       ' .. jobs,
    ('  server     omoide %s, columns in %s, process root %s'):format(version, client.offset_encoding, client.root_dir),
  }
  for _, it in pairs(client_of.progress[client.id] or {}) do
    local share = it.percentage and ('%d%% '):format(it.percentage) or ''
    lines[#lines + 1] = ('  running    %s: %s%s'):format(it.title, share, it.message or '')
  end
  if root.loading then
    lines[#lines + 1] = '  reading    the records are still being read'
  end
  if root.problem then
    lines[#lines + 1] = '  trouble    ' .. root.problem
  end
  return lines
end

--- Ask every server for its roots, and go on with the lines of all.
local function with_status(clients, go)
  local lines, waiting = {}, #clients
  for _, client in ipairs(clients) do
    client_of.ask(client, 'omoide.status', {}, function(answer)
      for _, root in ipairs(answer.roots) do
        vim.list_extend(lines, M.status_lines(client, root))
        lines[#lines + 1] = ''
      end
    end, function()
      waiting = waiting - 1
      if waiting == 0 then
        vim.schedule(function()
          go(#lines > 0 and lines or { 'No memory root is known.' })
        end)
      end
    end)
  end
end

--- `:Omoide status`: every root of every server. The page follows what the servers tell while it is open.
function M.status()
  local clients = client_of.all()
  if #clients == 0 then
    return client_of.with(M.status) -- starts one, or says why not
  end
  with_status(clients, function(lines)
    scratch.show('status', lines, { filetype = 'omoide-status' })
  end)
end

--- Something about a server changed: an open status page shows it.
function M.refresh_status()
  if scratch.buffer('status') then
    with_status(client_of.all(), function(lines)
      local buffer = scratch.buffer('status')
      if buffer then
        scratch.fill(buffer, lines)
      end
    end)
  end
end

--- The lines of a usage report.
function M.usage_lines(answer)
  local rows = {}
  for _, row in ipairs(answer.records) do
    local last = row.last_used_at and row.last_used_at:sub(1, 10) or 'never'
    local cost = row.estimated_total_resident_exposure_tokens
    rows[#rows + 1] = { row.kind .. ' ' .. row.slug, row.use_count, last, row.resident_exposure_count, cost }
  end
  table.sort(rows, function(a, b)
    return a[2] ~= b[2] and a[2] > b[2] or a[2] == b[2] and a[1] < b[1]
  end)
  local lines =
    { 'Uses are reads on purpose: opened, hovered, followed, expanded. Tokens are those of resident lines.', '' }
  if #rows == 0 then
    lines[#lines + 1] = 'Nothing was used yet.'
  else
    vim.list_extend(lines, scratch.columns({ 'record', 'uses', 'last', 'given', 'tokens' }, rows))
  end
  local titles = {
    { 'knowledge_candidates', 'Read often, could be knowledge' },
    { 'resident_unread', 'Costs tokens and was never read' },
    { 'never_read', 'Never read' },
    { 'gone', 'Used once, gone now' },
  }
  for _, it in ipairs(titles) do
    local found = answer.lists[it[1]] or {}
    if #found > 0 then
      vim.list_extend(lines, { '', it[2] .. ':' })
      for _, row in ipairs(found) do
        lines[#lines + 1] = ('  %s %s'):format(row.kind, row.slug)
      end
    end
  end
  if (answer.skipped_lines or 0) > 0 then
    vim.list_extend(lines, { '', ('%d lines of the log could not be read.'):format(answer.skipped_lines) })
  end
  return lines
end

--- `:Omoide usage`.
function M.usage()
  client_of.call('omoide.usageReport', {}, function(answer, client)
    scratch.show('usage', M.usage_lines(answer), { filetype = 'omoide-usage', root = client.root_dir })
  end)
end

--- `:Omoide context [chat|code|scheduled|subagent|internal]`: what such a session is given at its start.
function M.context(arguments)
  client_of.call('omoide.resident', { session_kind = arguments[1] }, function(answer, client)
    local text = ('%d tokens for a %s session'):format(answer.tokens, answer.session_kind)
    local lines = { ('<!-- %s%s -->'):format(text, answer.reason and '; ' .. answer.reason or '') }
    if #answer.cut > 0 then
      lines[#lines + 1] = ('<!-- beyond the budget: %s -->'):format(
        table.concat(vim.tbl_map(tostring, answer.cut), ', ')
      )
    end
    vim.list_extend(lines, { '', answer.text ~= '' and answer.text or 'Nothing.' })
    scratch.show('context', lines, { filetype = 'markdown', root = client.root_dir })
  end)
end

local function named(records)
  return table.concat(
    vim.tbl_map(function(it)
      return vim.trim(('%s %s'):format(it.op or '', it.slug or it.kind or ''))
    end, records or {}),
    ', '
  )
end

--- `:Omoide activity`: who read or changed what, the latest first, and what could not be extracted.
function M.activity()
  client_of.call('omoide.overview', {}, function(answer, client)
    local rows = {}
    for _, it in ipairs(answer.activity) do
      local who = it.source or it.status or ''
      rows[#rows + 1] = { scratch.when(it.at), it.event or '', who, scratch.cut(named(it.records), 50) }
    end
    local lines = #rows > 0 and scratch.columns({ 'when', 'what', 'how', 'records' }, rows)
      or { 'Nothing happened yet.' }
    for _, it in ipairs(answer.failed) do
      lines[#lines + 1] = ('not extracted: %s, entries %d to %d: %s'):format(
        it.session_id,
        it.range[1],
        it.range[2],
        it.reason
      )
    end
    scratch.show('activity', lines, { filetype = 'omoide-activity', root = client.root_dir })
  end)
end

--- `:[range]Omoide[!] expand`: the lines with the records they name behind them, on a page and in the unnamed register;
--- with a `!` in place. What is named counts as used.
function M.expand(_, how)
  local buffer = vim.api.nvim_get_current_buf()
  local first, last = how.range > 0 and how.line1 - 1 or 0, how.range > 0 and how.line2 or -1
  local text = table.concat(vim.api.nvim_buf_get_lines(buffer, first, last, false), '\n')
  if vim.trim(text) == '' then
    return client_of.warn('there is no text to expand.')
  end
  local tick = vim.api.nvim_buf_get_changedtick(buffer)
  client_of.call('omoide.expand', { text = text }, function(answer, client)
    if #answer.records == 0 then
      return client_of.say('this text names no record.')
    end
    local lines = scratch.lines((answer.expanded:gsub('\n$', '')))
    if not how.bang then
      vim.fn.setreg('"', lines, 'l')
      scratch.show('expanded', lines, { filetype = 'markdown', root = client.root_dir })
      local written = client_of.counted(#answer.records, 'record')
      return client_of.say(written .. ' written out; the text is in the unnamed register.')
    end
    if vim.api.nvim_buf_get_changedtick(buffer) ~= tick then
      return client_of.warn('the text changed meanwhile: expand it again.')
    end
    vim.api.nvim_buf_set_lines(buffer, first, last, false, lines)
  end)
end

return M
