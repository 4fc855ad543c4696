-- `:Omoide staging`: what waits for a consolidation, with the words it rests on. Closing is the server's business.

local client_of = require('omoide.client')
local scratch = require('omoide.scratch')

local M = {}

local HELP = '<CR> opens the session there; a accepts a candidate, p previews, e edits, x closes it; q leaves'
local ACTIONS = { 'discarded', 'already_covered', 'duplicate' }

local DETAILS = { 'rationale', 'result', 'summary', 'target' }

--- The page as lines, and what each line is about.
---@param answer table  of `omoide.staging`
---@return string[] lines, table<integer, { candidate: table, anchor: table? }> about
function M.page(answer)
  local lines, about = {}, {}
  local function add(text, it)
    lines[#lines + 1] = (text:gsub('%s*\n%s*', ' '))
    about[#lines] = it
  end
  local number = #answer.candidates
  add(
    number == 0 and 'Nothing is staged: `:Omoide extract` looks for what is new.'
      or ('%d staged. %s'):format(number, HELP)
  )
  for _, file in ipairs(answer.invalid or {}) do
    add(('unreadable: %s: %s'):format(file.file, file.reason))
  end
  for _, candidate in ipairs(answer.candidates) do
    add('')
    add(('%s: %s'):format(candidate.kind, candidate.headline), { candidate = candidate })
    for _, key in ipairs(DETAILS) do
      local text = candidate[key]
      if type(text) == 'string' and text ~= '' and text ~= candidate.headline then
        add(('    %s: %s'):format(key, text), { candidate = candidate })
      end
    end
    for _, key in ipairs({ 'options', 'points' }) do
      for _, text in ipairs(candidate[key] or {}) do
        add(('    - %s'):format(text), { candidate = candidate })
      end
    end
    for _, anchor in ipairs(candidate.evidence or {}) do
      local when = anchor.ts and scratch.when(anchor.ts) .. ' ' or ''
      local text = ('    > %s%s, entry %d: %s'):format(when, anchor.speaker, anchor.entry_range[1], anchor.excerpt)
      add(text, { candidate = candidate, anchor = anchor })
    end
  end
  return lines, about
end

local function open_evidence(client, it)
  if not it then
    return
  end
  local anchor, source = it.anchor or (it.candidate.evidence or {})[1], it.candidate.source
  local entry = anchor and anchor.entry_range[1] or source.range[1]
  local wanted = { session_id = source.session_id, agent = source.agent, entry = math.max(0, entry) }
  require('omoide.sessions').open(client, wanted)
end

local function accept(_, it)
  if it then
    require('omoide.jobs').accept_candidate(it.candidate.id)
  end
end

local function preview(_, it)
  if it then
    require('omoide.jobs').show_preview(it.candidate.id)
  end
end

local function edit(client, it)
  if it then
    require('omoide.candidate').open(client, it.candidate.id)
  end
end

local function close(client, it)
  if not it then
    return
  end
  local prompt = ('Close "%s" as'):format(scratch.cut(it.candidate.headline, 50))
  vim.ui.select(ACTIONS, { prompt = prompt }, function(action)
    if not action then
      return
    end
    vim.ui.input({ prompt = 'Reason: ' }, function(reason)
      if not reason or vim.trim(reason) == '' then
        return client_of.say('a candidate is closed with a reason; it stays.')
      end
      local argument = { candidate = it.candidate.id, action = action, reason = vim.trim(reason) }
      client_of.ask(client, 'omoide.closeCandidate', argument, function()
        M.list(client)
      end)
    end)
  end)
end

-- What each line of the page is about, and how many candidates it shows: there is one such page at most.
local about, shown = {}, 0

local function read(client, go)
  client_of.ask(client, 'omoide.staging', {}, function(answer)
    local lines
    lines, about = M.page(answer)
    shown = #answer.candidates
    go(lines)
  end)
end

--- Show the list of a client's root, or read it again.
---@param client vim.lsp.Client
function M.list(client)
  read(client, function(lines)
    local function key(act)
      return function()
        act(client, about[vim.api.nvim_win_get_cursor(0)[1]])
      end
    end
    scratch.show('staging', lines, {
      filetype = 'omoide-staging',
      root = client.root_dir,
      keys = {
        ['<CR>'] = { key(open_evidence), desc = 'open the transcript at this evidence' },
        a = { key(accept), desc = 'make a record of this candidate' },
        p = { key(preview), desc = 'show what would be made of this candidate' },
        e = { key(edit), desc = 'edit this candidate' },
        x = { key(close), desc = 'close this candidate with a reason' },
        R = {
          function()
            M.list(client)
          end,
          desc = 'read again',
        },
      },
    })
    vim.fn.clearmatches()
    vim.fn.matchadd('Title', [[^\%(decision\|discussion\|attempt\|request\):]])
    vim.fn.matchadd('Comment', [[^\s*> .\{-}: \@=]])
  end)
end

--- Read an open page about the root of a client again, where it stands.
---@param client vim.lsp.Client
function M.reread(client)
  local buffer = scratch.buffer('staging')
  if buffer and vim.b[buffer].omoide_root == client.root_dir then
    read(client, function(lines)
      if vim.api.nvim_buf_is_valid(buffer) then
        scratch.fill(buffer, lines)
      end
    end)
  end
end

--- The server told how much is staged: an open page shows what came or went.
---@param client vim.lsp.Client
---@param number integer  of candidates
function M.refresh(client, number)
  if number ~= shown then
    M.reread(client)
  end
end

function M.staging()
  client_of.with(M.list)
end

return M
