-- The jobs of the server and what becomes of their results: extract, consolidate, held runs, undo, lint, offers, trust.

local client_of = require('omoide.client')
local running = require('omoide.running')
local scratch = require('omoide.scratch')

local M = {}

--- The answer is a page: the line about the job is not true any more.
local function over()
  vim.api.nvim_echo({ { '' } }, false, {})
end

local function begun(what)
  vim.api.nvim_echo({ { ('Omoide: %s …  (`:Omoide cancel` stops it)'):format(what) } }, false, {})
end

--- `:Omoide extract [last|due|SESSION]`: candidates of all sessions, unless told otherwise.
function M.extract(arguments)
  local which = arguments[1]
  local argument = { all = true }
  if which == 'last' then
    argument = {}
  elseif which == 'due' then
    argument = { all = true, if_due = true }
  elseif which and which ~= 'all' then
    argument = { session = which }
  end
  begun('extract')
  running.job('omoide.extract', argument, 'extract')
end

local function show_diff(client, name, diff, run)
  local lines = scratch.lines(diff ~= '' and diff or 'Nothing would be written.')
  local reason = run.reason and run.reason ~= '' and ': ' .. run.reason or ''
  local head = ('# %s%s'):format(run.status, reason)
  return scratch.show(name, vim.list_extend({ head, '' }, lines), { filetype = 'diff', root = client.root_dir })
end

--- The pages of runs that are over say what was; they are closed rather than left to be acted on.
local function close_page(run_id)
  local buffer = scratch.buffer('run/' .. run_id)
  if buffer then
    vim.api.nvim_buf_delete(buffer, { force = true })
  end
end

local function decide(client, action, run_id)
  client_of.ask(client, 'omoide.consolidate', { [action] = run_id }, function()
    close_page(run_id)
    running.reread()
  end)
end

--- Fold away the anchors of sources in a diff: they are for machines, and the words they stand for are below it.
local function fold_anchors()
  vim.wo[0][0].foldmethod, vim.wo[0][0].foldtext = 'manual', [[v:folddashes .. ' anchors, for machines']]
  local first, depth
  for number, line in ipairs(vim.api.nvim_buf_get_lines(0, 0, -1, false)) do
    local indent = #(line:match('^[+ -](%s*)%S') or '')
    if first and indent <= depth then
      vim.cmd(('%d,%dfold'):format(first, number - 1))
      first = nil
    end
    if not first and line:find('^[+ -]%s+anchors:%s*$') then
      first, depth = number, indent
    end
  end
end

--- The transcript at the words that the line under the cursor tells of.
local function open_evidence(client)
  local session, entry = vim.api.nvim_get_current_line():match('session (%S+), entry (%d+)')
  if not session then
    return client_of.say('no evidence is on this line: it stands below each diff.')
  end
  require('omoide.sessions').open(client, { session_id = session, entry = tonumber(entry) })
end

--- What a run that waits would write, with the words it rests on; `a` accepts it, `r` rejects it.
local function show_held(client, run_id)
  client_of.ask(client, 'omoide.consolidate', { review = run_id, quiet = true }, function(answer)
    local page = vim.fn.readfile(vim.uri_to_fname(answer.uri))
    local lines = { 'a accepts this run, r rejects it, <CR> on evidence opens the session, q leaves it for later', '' }
    local function key(action)
      return function()
        decide(client, action, run_id)
      end
    end
    scratch.show('run/' .. run_id, vim.list_extend(lines, page), {
      filetype = 'markdown',
      root = client.root_dir,
      keys = {
        a = { key('accept'), desc = 'write this run as it is shown' },
        r = { key('reject'), desc = 'drop this run' },
        ['<CR>'] = {
          function()
            open_evidence(client)
          end,
          desc = 'open the transcript at this evidence',
        },
      },
    })
    fold_anchors()
  end)
end

--- Let the person choose a run, told by when it was, its id, how much it writes and why it was made.
---@param runs table[]
---@param prompt string
---@param at string  the field that says when
---@param go fun(run_id: string)
local function choose_run(runs, prompt, at, go)
  local shown = {
    prompt = prompt,
    format_item = function(run)
      local when, id = client_of.minute(run[at]), client_of.short(run.run_id)
      return ('%s  %s  %s  %s'):format(when, id, client_of.counted(run.files, 'file'), run.reason)
    end,
  }
  vim.ui.select(runs, shown, function(run)
    if run then
      go(run.run_id)
    end
  end)
end

--- A held run by its id, or the one the person chooses, or the only one.
local function with_held(run_id, go)
  client_of.with(function(client)
    if run_id then
      return go(client, run_id)
    end
    client_of.ask(client, 'omoide.overview', {}, function(answer)
      if #answer.held < 2 then
        return #answer.held == 1 and go(client, answer.held[1].run_id) or client_of.say('no run waits for a review.')
      end
      choose_run(answer.held, 'Runs that wait:', 'created_at', function(chosen)
        go(client, chosen)
      end)
    end)
  end)
end

--- `:Omoide consolidate [due | dry-run | review [RUN] | accept [RUN] | reject [RUN]]`.
function M.consolidate(arguments)
  local how = arguments[1]
  if how == nil or how == 'due' then
    begun('consolidate')
    running.job('omoide.consolidate', { if_due = how == 'due' or nil }, 'consolidate')
  elseif how == 'dry-run' then
    begun('consolidate, dry run')
    running.job('omoide.consolidate', { dry_run = true, quiet = true }, 'dry run', function(run, client)
      over()
      show_diff(client, 'dry-run', run.diff or '', run)
    end)
  elseif how == 'review' then
    with_held(arguments[2], show_held)
  elseif how == 'accept' or how == 'reject' then
    with_held(arguments[2], function(client, run_id)
      decide(client, how, run_id)
    end)
  else
    client_of.warn(('`%s` is no way to consolidate: due, dry-run, review, accept or reject.'):format(how))
  end
end

--- A consolidation that waits, and can be accepted as it is shown.
---@param candidate? string  the only one it is about
function M.show_preview(candidate)
  begun('preview')
  running.job('omoide.preview', { candidate = candidate }, 'preview', function(answer, client)
    over()
    if answer.status ~= 'held' then
      local reason = answer.reason and answer.reason ~= '' and ': ' .. answer.reason or '.'
      return client_of.say('nothing to review: ' .. answer.status .. reason)
    end
    show_held(client, answer.run_id)
  end)
end

--- `:Omoide preview`.
function M.preview()
  M.show_preview()
end

--- Records of one candidate, at once.
---@param candidate string
function M.accept_candidate(candidate)
  begun('consolidate')
  running.job('omoide.consolidate', { candidate = candidate }, 'consolidate')
end

--- `:Omoide undo [RUN]`; without one, of a list.
function M.undo(arguments)
  client_of.with(function(client)
    local function take_back(run_id)
      client_of.ask(client, 'omoide.undo', { run_id = run_id }, function()
        running.reread()
      end)
    end
    if arguments[1] then
      return take_back(arguments[1])
    end
    client_of.ask(client, 'omoide.undo', {}, function(answer)
      if #answer.runs == 0 then
        return client_of.say('no run can be taken back.')
      end
      choose_run(answer.runs, 'Take back which run?', 'started_at', take_back)
    end)
  end)
end

--- `:Omoide lint`: all records, the problems in the quickfix list as they come in.
function M.lint()
  begun('lint')
  running.job('omoide.lint', {}, 'lint', function(answer, client)
    local expected = #answer.files
    -- The list of problems follows the answer, file by file.
    local function listed()
      local namespaces =
        { vim.lsp.diagnostic.get_namespace(client.id), vim.lsp.diagnostic.get_namespace(client.id, true) }
      local found = {}
      for _, namespace in ipairs(namespaces) do
        vim.list_extend(found, vim.diagnostic.get(nil, { namespace = namespace }))
      end
      return found
    end
    local function files_of(found)
      local files = {}
      for _, it in ipairs(found) do
        files[it.bufnr] = true
      end
      return vim.tbl_count(files)
    end
    local tries = 0
    local function fill()
      local found = listed()
      tries = tries + 1
      if files_of(found) < expected and tries < 40 then
        return vim.defer_fn(fill, 50)
      end
      local items = vim.diagnostic.toqflist(found)
      vim.fn.setqflist({}, ' ', { title = 'Omoide: problems of all records', items = items })
      if #items > 0 then
        vim.cmd('botright copen')
      end
    end
    fill()
  end)
end

--- `:Omoide reindex`.
function M.reindex()
  client_of.call('omoide.reindex', {}, function(answer)
    local parts = {}
    for kind, number in vim.spairs(answer.records or {}) do
      parts[#parts + 1] = ('%d %s'):format(number, kind)
    end
    local text = #parts > 0 and table.concat(parts, ', ') or 'no records'
    client_of.say(('read again: %s.'):format(answer.problem or text))
  end)
end

--- `:Omoide offers`: workflows that consolidations offered.
function M.offers()
  client_of.call('omoide.offers', {}, function(answer, client)
    if #answer.offers == 0 then
      return client_of.say('no workflow is offered.')
    end
    local shown = {
      prompt = 'Offered workflows:',
      format_item = function(offer)
        return ('/%s  %s'):format(offer.slug, offer.reason)
      end,
    }
    vim.ui.select(answer.offers, shown, function(offer)
      if not offer then
        return
      end
      vim.ui.select({ 'create', 'later', 'never' }, { prompt = ('/%s:'):format(offer.slug) }, function(word)
        if word then
          client_of.ask(client, 'omoide.offers', { [word] = offer.slug })
        end
      end)
    end)
  end)
end

--- `:Omoide trust`: the workspace's provider settings count from now on, after a word from the person.
function M.trust()
  client_of.with(function(client)
    local question = ('Let the settings of %s name the model and address that sessions are sent to?'):format(
      client.root_dir
    )
    vim.ui.select({ 'Trust', 'Cancel' }, { prompt = question }, function(word)
      if word ~= 'Trust' then
        return
      end
      client_of.ask(client, 'omoide.trust', {}, function(answer)
        if answer.status == 'by-hand' then
          return client_of.warn(('add this to %s: %s'):format(vim.uri_to_fname(answer.uri), answer.line))
        end
        client_of.say(
          answer.status == 'already' and 'this workspace is trusted already.' or 'this workspace is trusted.'
        )
      end)
    end)
  end)
end

return M
