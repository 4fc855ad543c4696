-- Talking to the server: which client is meant, its commands. Jobs are `omoide.running`, answers are for others.

local M = {}

local START_MS, STEP_MS = 15000, 50

M.NAME = 'omoide'
M.OLDEST = '0.1.0' -- version of the program that this plugin needs
M.INSTALL = 'install it with `pipx install omoide` or `uv tool install omoide`, or name it: '
  .. "vim.lsp.config('omoide', { cmd = { '/path/to/omoide', 'lsp' } })"
M.UPGRADE = 'upgrade it with `pipx upgrade omoide` or `uv tool upgrade omoide`, then `:Omoide restart`'

--- The last status each server told, by client and workspace.
---@type table<integer, table<string, table>>
M.status = {}

--- The latest progress of each client's jobs, by client and token.
---@type table<integer, table<string|integer, { title: string, message?: string, percentage?: integer }>>
M.progress = {}

---@param text string
---@param level? integer
function M.say(text, level)
  vim.notify('Omoide: ' .. text, level or vim.log.levels.INFO)
end

--- `1 file`, `2 files`.
---@param number integer
---@param noun string
---@return string
function M.counted(number, noun)
  return ('%d %s%s'):format(number, noun, number == 1 and '' or 's')
end

--- An instant of the server's (UTC) to the minute in the time of this machine.
---@param instant string  RFC 3339
---@return string
function M.minute(instant)
  local y, m, d, hour, min = instant:match('^(%d+)-(%d+)-(%d+)T(%d+):(%d+):[%d.]+Z$')
  if not y then
    return instant
  end
  -- Days since 1970 by the Gregorian calendar, the year taken to begin in March.
  y, m = tonumber(y), tonumber(m)
  if m <= 2 then
    y, m = y - 1, m + 12
  end
  local days = 365 * y + math.floor(y / 4) - math.floor(y / 100) + math.floor(y / 400) + math.floor((153 * m - 457) / 5)
  days = days + tonumber(d) - 719469
  return tostring(os.date('%Y-%m-%d %H:%M', ((days * 24 + tonumber(hour)) * 60 + tonumber(min)) * 60))
end

--- The beginning of a run's id, which is enough for `:Omoide undo` where no other run's begins alike.
---@param run_id string
---@return string
function M.short(run_id)
  return run_id:sub(1, 13)
end

function M.warn(text)
  M.say(text, vim.log.levels.WARN)
end

--- Every client of ours.
---@return vim.lsp.Client[]
function M.all()
  return vim.lsp.get_clients({ name = M.NAME })
end

--- The program that would be started, or nil where the user configured a function.
---@return string?
function M.program()
  local config = vim.lsp.config[M.NAME]
  local cmd = config and config.cmd
  return type(cmd) == 'table' and cmd[1] or nil
end

--- Why there is no server, with the remedy.
---@param root? string  the folder whose memory is meant
local function absence(root)
  local program = M.program()
  if program and vim.fn.executable(program) == 0 then
    return ('`%s` cannot be run: %s.'):format(program, M.INSTALL)
  end
  if vim.lsp.is_enabled and not vim.lsp.is_enabled(M.NAME) then
    return "the server is not enabled: add `vim.lsp.enable('omoide')` to your configuration."
  end
  if not root then
    return 'this folder has no memory: `:Omoide init` makes one.'
  end
end

--- The root that the current buffer is about: a page says it itself, a file lies in it, anything else is about the
--- current folder.
---@return string?
local function root_here()
  if vim.b.omoide_root then
    return vim.b.omoide_root
  end
  local root_of, path = require('omoide.root').of, vim.api.nvim_buf_get_name(0)
  local file = vim.bo.buftype == '' and path ~= '' and root_of(path)
  return file or root_of(vim.fs.joinpath(vim.uv.cwd(), 'any'))
end

--- Start the server of a root without a buffer, or wait for the one that starts just now.
local function start(root, go)
  local config = vim.deepcopy(vim.lsp.config[M.NAME])
  config.root_dir = root
  local id = vim.lsp.start(config, { attach = false })
  local function wait(left)
    local client = id and vim.lsp.get_client_by_id(id)
    if client and client.initialized then
      go(client)
    elseif client and not client:is_stopped() and left > 0 then
      vim.defer_fn(function()
        wait(left - 1)
      end, STEP_MS)
    else
      M.warn('the server does not start: `:checkhealth omoide` and `:Omoide log` may say why.')
    end
  end
  wait(START_MS / STEP_MS)
end

--- Go on with the only client, or the one the person chooses.
local function chosen(clients, go)
  if #clients == 1 then
    return go(clients[1])
  end
  local shown = {
    prompt = 'Memory of which project?',
    format_item = function(client)
      return client.root_dir or client.name
    end,
  }
  vim.ui.select(clients, shown, function(client)
    if client then
      go(client)
    end
  end)
end

--- Go on with the client of this buffer; from a buffer without one with that of the project it or the current folder
--- belongs to, which is started where it does not run; from elsewhere with the only one there is, or the one that the
--- person chooses.
---@param go fun(client: vim.lsp.Client)
function M.with(go)
  local attached = vim.lsp.get_clients({ bufnr = 0, name = M.NAME })
  if #attached > 0 then
    return chosen(attached, go)
  end
  local root, every = root_here(), M.all()
  local of_root = vim.tbl_filter(function(client)
    return client.root_dir == root
  end, every)
  if root and #of_root > 0 then
    return go(of_root[1])
  elseif not root and #every > 0 then
    return chosen(every, go)
  end
  local why = absence(root)
  if why then
    return M.warn(why)
  end
  start(root, go)
end

--- What a server answers within half a second, for completion on the command line; nil where there is none or it takes
--- longer. Starts nothing.
---@param command string
---@param argument? table
---@return table? answer
function M.ask_now(command, argument)
  local root = root_here()
  local client = vim.iter(M.all()):find(function(it)
    return it.root_dir == root
  end) or M.all()[1]
  if not client or not M.offers(client, command) then
    return nil
  end
  return (M.ask_waiting(client, command, argument, 500))
end

--- What a server answers to a command within some milliseconds, while which nothing can be typed; else nil, and why.
---@param client vim.lsp.Client
---@param command string
---@param argument? table
---@param patience integer
---@return table? answer
---@return string? why
function M.ask_waiting(client, command, argument, patience)
  local given = vim.tbl_extend('keep', argument or {}, { uri = vim.uri_from_fname(client.root_dir or vim.uv.cwd()) })
  local params = { command = command, arguments = { given } }
  local answer, failure = client:request_sync('workspace/executeCommand', params, patience)
  local refusal = answer and answer.err
  local why = refusal and refusal.message or failure or 'the server does not answer any more: `:Omoide restart`.'
  return answer and answer.result, why
end

--- Whether the server knows a command; an old one does not.
---@param client vim.lsp.Client
---@param command string
function M.offers(client, command)
  local known = vim.tbl_get(client.server_capabilities or {}, 'executeCommandProvider', 'commands') or {}
  return vim.list_contains(known, command)
end

--- Ask a server for a command. A refusal is told to the person, who is the only one who can do something about it.
---@param client vim.lsp.Client
---@param command string
---@param argument? table
---@param on_answer? fun(answer: table)
---@param on_end? fun()  called however it ended
---@return integer? id of the request
function M.ask(client, command, argument, on_answer, on_end)
  if not M.offers(client, command) then
    M.warn(('the installed omoide knows no `%s`: %s.'):format(command, M.UPGRADE))
    return nil
  end
  local uri = vim.uri_from_fname(client.root_dir or vim.uv.cwd())
  local params = { command = command, arguments = { vim.tbl_extend('keep', argument or {}, { uri = uri }) } }
  local ok, id = client:request('workspace/executeCommand', params, function(err, answer)
    if on_end then
      on_end()
    end
    if err then
      M.say(err.message, vim.log.levels.ERROR)
    elseif on_answer then
      on_answer(answer)
    end
  end)
  if not ok then
    M.warn('the server does not answer any more: `:Omoide restart`.')
  end
  return ok and id or nil
end

--- The same of the client at hand.
---@param command string
---@param argument? table
---@param on_answer? fun(answer: table, client: vim.lsp.Client)
function M.call(command, argument, on_answer)
  M.with(function(client)
    M.ask(client, command, argument, on_answer and function(answer)
      on_answer(answer, client)
    end)
  end)
end

return M
