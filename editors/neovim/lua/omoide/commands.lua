-- The table of subcommands of `:Omoide`, their completion, and which commands of the server they need.

local client_of = require('omoide.client')

local M = {}

---@class omoide.Subcommand
---@field [1] string  module
---@field [2] string  function in it
---@field desc string
---@field needs? string[]  commands of the server
---@field complete? fun(arguments: string[], lead: string): string[]  words for the next argument, given those before
---@field most? integer  arguments at most; any number where it is absent

local function words(...)
  local given = { ... }
  return function(arguments)
    return #arguments == 0 and given or {}
  end
end

local function folders(arguments, lead)
  return #arguments == 0 and vim.fn.getcompletion(lead, 'dir') or {}
end

local function kinds()
  return words(unpack(require('omoide.records').KINDS))
end

--- Names of records as the argument at `at`.
local function names(at, of)
  return function(arguments)
    return #arguments == at - 1 and require('omoide.records').names(of) or {}
  end
end

--- Ids of sessions, and of runs that wait or can be taken back, asked of the server while the command line waits.
local function sessions()
  local answer = client_of.ask_now('omoide.sessions') or { sessions = {} }
  return vim.tbl_map(function(row)
    return row.session_id
  end, answer.sessions)
end

local function runs(which)
  local answer = client_of.ask_now('omoide.overview') or {}
  return vim.tbl_map(function(run)
    return run.run_id
  end, answer[which] or {})
end

--- Words for the first argument and, behind one of `ids_after`, ids for the second.
local function ways(given, ids_after, ids)
  return function(arguments)
    if #arguments == 1 and vim.list_contains(ids_after, arguments[1]) then
      return ids()
    end
    return #arguments == 0 and given or {}
  end
end

---@type table<string, omoide.Subcommand>
M.table = {
  activity = { 'pages', 'activity', desc = 'who read or changed what', needs = { 'omoide.overview' }, most = 0 },
  archive = {
    'records',
    'archive',
    desc = 'take a record out of use',
    needs = { 'omoide.archive' },
    complete = names(1, { 'knowledge', 'workflow', 'decision', 'request' }),
  },
  cancel = { 'running', 'cancel', desc = 'stop the job that runs', most = 0 },
  consolidate = {
    'jobs',
    'consolidate',
    desc = 'turn staged candidates into records',
    needs = { 'omoide.consolidate', 'omoide.overview' },
    complete = ways({ 'due', 'dry-run', 'review', 'accept', 'reject' }, { 'review', 'accept', 'reject' }, function()
      return runs('held')
    end),
    most = 2,
  },
  context = {
    'pages',
    'context',
    desc = 'what a session is given at its start',
    needs = { 'omoide.resident' },
    complete = words('chat', 'code', 'scheduled', 'subagent', 'internal'),
    most = 1,
  },
  example = { 'server', 'example', desc = 'a project to try everything in', complete = folders, most = 1 },
  expand = { 'pages', 'expand', desc = 'write out the records a text names', needs = { 'omoide.expand' }, most = 0 },
  extract = {
    'jobs',
    'extract',
    desc = 'stage candidates from session logs',
    needs = { 'omoide.extract' },
    complete = function(arguments)
      return #arguments == 0 and vim.list_extend({ 'all', 'due', 'last' }, sessions()) or {}
    end,
    most = 1,
  },
  health = { 'commands', 'health', desc = 'check the installation', most = 0 },
  init = { 'server', 'init', desc = 'make a memory in this folder', most = 0 },
  insert = { 'records', 'insert', desc = 'insert a reference', needs = { 'omoide.search' } },
  lint = { 'jobs', 'lint', desc = 'check every record', needs = { 'omoide.lint' }, most = 0 },
  log = { 'server', 'log', desc = 'what the server wrote down', most = 0 },
  new = { 'records', 'new', desc = 'start a record', needs = { 'omoide.new' }, complete = kinds() },
  offers = { 'jobs', 'offers', desc = 'workflows that were offered', needs = { 'omoide.offers' }, most = 0 },
  preview = { 'jobs', 'preview', desc = 'a consolidation to review first', needs = { 'omoide.preview' }, most = 0 },
  promote = {
    'records',
    'promote',
    desc = 'make knowledge of a decision or request',
    needs = { 'omoide.promote' },
    complete = names(1, { 'decision', 'request' }),
    most = 2,
  },
  records = {
    'records',
    'list',
    desc = 'the records of a kind',
    needs = { 'omoide.records' },
    complete = kinds(),
    most = 1,
  },
  references = { 'records', 'references', desc = 'who names this record', most = 0 },
  reindex = { 'jobs', 'reindex', desc = 'read the records again', needs = { 'omoide.reindex' }, most = 0 },
  rename = {
    'records',
    'rename',
    desc = 'give a record another slug',
    needs = { 'omoide.rename' },
    complete = names(2, { 'knowledge', 'workflow', 'decision', 'request' }),
    most = 2,
  },
  restart = { 'server', 'restart', desc = 'start the server anew', most = 0 },
  search = { 'records', 'search', desc = 'find records by words', needs = { 'omoide.search' } },
  sessions = { 'sessions', 'sessions', desc = 'extract one session', needs = { 'omoide.sessions' }, most = 0 },
  staging = {
    'staging',
    'staging',
    desc = 'what is staged, with its evidence',
    needs = { 'omoide.staging', 'omoide.closeCandidate', 'omoide.candidateText', 'omoide.editCandidate' },
    most = 0,
  },
  status = { 'pages', 'status', desc = 'the memory in numbers', needs = { 'omoide.status' }, most = 0 },
  transcript = {
    'sessions',
    'transcript',
    desc = 'read a session',
    needs = { 'omoide.openTranscript', 'omoide.sessions' },
    complete = function(arguments)
      return #arguments == 0 and sessions() or {}
    end,
    most = 2,
  },
  trust = { 'jobs', 'trust', desc = "trust this workspace's provider", needs = { 'omoide.trust' }, most = 0 },
  undo = {
    'jobs',
    'undo',
    desc = 'take a run back',
    needs = { 'omoide.undo' },
    complete = function(arguments)
      return #arguments == 0 and runs('runs') or {}
    end,
    most = 1,
  },
  usage = { 'pages', 'usage', desc = 'what is read, and what only costs', needs = { 'omoide.usageReport' }, most = 0 },
}

--- The commands of the server that this plugin cannot do without, once each.
---@return string[]
function M.needed()
  local found = {}
  for _, subcommand in pairs(M.table) do
    for _, command in ipairs(subcommand.needs or {}) do
      found[command] = true
    end
  end
  local list = vim.tbl_keys(found)
  table.sort(list)
  return list
end

--- `:Omoide health`.
function M.health()
  vim.cmd.checkhealth('omoide')
end

--- How many letters differ between two words: put in, left out, exchanged, or two beside each other swapped.
local function apart(one, other)
  local rows = { [-1] = {}, [0] = {} }
  for j = 0, #other do
    rows[0][j] = j
  end
  for i = 1, #one do
    rows[i] = { [0] = i }
    for j = 1, #other do
      local same = one:byte(i) == other:byte(j) and 0 or 1
      local best = math.min(rows[i - 1][j] + 1, rows[i][j - 1] + 1, rows[i - 1][j - 1] + same)
      if i > 1 and j > 1 and one:byte(i) == other:byte(j - 1) and one:byte(i - 1) == other:byte(j) then
        best = math.min(best, rows[i - 2][j - 2] + 1)
      end
      rows[i][j] = best
    end
  end
  return rows[#one][#other]
end

--- Answer a word that is no subcommand with the one it is nearly, else with all.
local function no_such(name)
  local names = M.names('')
  local near = vim.tbl_filter(function(each)
    return apart(name, each) <= math.max(1, math.floor(#name / 3))
  end, names)
  local meant = #near > 0 and ('did you mean `:Omoide %s`?'):format(table.concat(near, '` or `:Omoide '))
  client_of.warn(('there is no `:Omoide %s`: %s'):format(name, meant or table.concat(names, ', ') .. '.'))
end

--- What `:Omoide` does. `how` is what `nvim_create_user_command` hands over.
function M.run(how)
  local arguments = vim.list_slice(how.fargs, 2)
  local name = how.fargs[1]
  local subcommand = M.table[name]
  if not name then
    if not pcall(vim.cmd.help, 'omoide-commands') then -- a folder without tags that nobody could write
      client_of.say('`:Omoide` takes one of ' .. table.concat(M.names(''), ', ') .. '.')
    end
    return
  elseif not subcommand then
    return no_such(name)
  end
  if subcommand.most and #arguments > subcommand.most then
    return client_of.warn(('`:Omoide %s` takes %d argument(s) at most.'):format(name, subcommand.most))
  end
  require('omoide.' .. subcommand[1])[subcommand[2]](arguments, how)
end

---@param start string
---@return string[]
function M.names(start)
  local found = vim.tbl_filter(function(name)
    return vim.startswith(name, start)
  end, vim.tbl_keys(M.table))
  table.sort(found)
  return found
end

--- Completion of `:Omoide`.
---@param lead string
---@param line string
---@return string[]
function M.complete(lead, line)
  local before = vim.split(line:match('Omoide!?%s+(.*)$') or '', '%s+')
  before[#before] = nil -- what is being typed
  if #before == 0 then
    return M.names(lead)
  end
  local subcommand = M.table[before[1]]
  local offered = subcommand and subcommand.complete and subcommand.complete(vim.list_slice(before, 2), lead) or {}
  return vim.tbl_filter(function(word)
    return vim.startswith(word, lead)
  end, offered)
end

return M
