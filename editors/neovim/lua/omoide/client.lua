-- Talking to the server: which client, its commands, the jobs that run. What an answer looks like is for others.

local M = {}

M.NAME = 'omoide'
M.INSTALL = 'install it with `pipx install omoide` or `uv tool install omoide`, or name it: '
  .. "vim.lsp.config('omoide', { cmd = { '/path/to/omoide', 'lsp' } })"
M.UPGRADE = 'upgrade it with `pipx upgrade omoide` or `uv tool upgrade omoide`, then `:Omoide restart`'

--- The last status each server told, by client and workspace.
---@type table<integer, table<string, table>>
M.status = {}

--- The latest progress of each client's jobs, by client and token.
---@type table<integer, table<string|integer, { title: string, message?: string, percentage?: integer }>>
M.progress = {}

--- Jobs that were started here and are not answered yet.
---@type { client: vim.lsp.Client, id: integer, what: string }[]
local running = {}

---@param text string
---@param level? integer
function M.say(text, level)
  vim.notify('Omoide: ' .. text, level or vim.log.levels.INFO)
end

function M.warn(text)
  M.say(text, vim.log.levels.WARN)
end

--- Clients that serve, those of this buffer first.
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

--- Why no server is attached here, with the remedy.
local function absence()
  local program = M.program()
  if program and vim.fn.executable(program) == 0 then
    return ('`%s` cannot be run: %s.'):format(program, M.INSTALL)
  end
  if vim.lsp.is_enabled and not vim.lsp.is_enabled(M.NAME) then
    return "the server is not enabled: add `vim.lsp.enable('omoide')` to your configuration."
  end
  if not require('omoide.root').of(vim.fs.joinpath(vim.uv.cwd(), 'any')) then
    return 'this folder has no memory: `:Omoide init` makes one.'
  end
  return 'no server is attached: open a text file of a project with a memory (`:checkhealth omoide`).'
end

--- Go on with the client of this buffer; from a buffer without one (a list, a help page) with the only one there is, or
--- the one that the person chooses.
---@param go fun(client: vim.lsp.Client)
---@param root? string  the root whose client is meant
function M.with(go, root)
  local attached = vim.lsp.get_clients({ bufnr = 0, name = M.NAME })
  local every = M.all()
  if root then
    every = vim.tbl_filter(function(client)
      return client.root_dir == root
    end, every)
  elseif #attached == 1 then
    return go(attached[1])
  elseif #attached > 1 then
    every = attached
  end
  if #every == 0 then
    M.warn(absence())
  elseif #every == 1 then
    go(every[1])
  else
    local shown = {
      prompt = 'Memory of which project?',
      format_item = function(client)
        return client.root_dir or client.name
      end,
    }
    vim.ui.select(every, shown, function(client)
      if client then
        go(client)
      end
    end)
  end
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

--- A record that was removed on disk under its buffer would look like one with unsaved edits, and be in the way of an
--- undo.
local function drop_if_gone(buffer)
  local path = vim.api.nvim_buf_get_name(buffer)
  if vim.bo[buffer].modified or path == '' or vim.uv.fs_stat(path) or not require('omoide.records').at(path) then
    return
  end
  for _, window in ipairs(vim.fn.win_findbuf(buffer)) do
    vim.api.nvim_win_call(window, function()
      vim.cmd('silent! buffer #')
      if vim.api.nvim_win_get_buf(window) == buffer then
        vim.cmd.enew()
      end
    end)
  end
  vim.api.nvim_buf_delete(buffer, {})
end

--- Records on disk may have changed under open buffers: take them in.
function M.reread()
  for _, client in ipairs(M.all()) do
    for buffer in pairs(client.attached_buffers) do
      drop_if_gone(buffer)
    end
  end
  vim.cmd.checktime()
end

--- Start a job, which the server reports progress of and which `cancel` stops. Records on disk may have changed under
--- open buffers when it ends.
---@param command string
---@param argument table
---@param what string
---@param on_answer? fun(answer: table, client: vim.lsp.Client)
function M.job(command, argument, what, on_answer)
  M.with(function(client)
    local job = { client = client, what = what }
    job.id = M.ask(client, command, argument, on_answer and function(answer)
      on_answer(answer, client)
    end, function()
      running = vim.tbl_filter(function(other)
        return other ~= job
      end, running)
      M.reread()
    end)
    if job.id then
      running[#running + 1] = job
    end
  end)
end

--- Neovim hands over no answer that says "cancelled", as where the person said no to a model: such a job is over too.
local function forget_answered()
  running = vim.tbl_filter(function(job)
    return job.client.requests[job.id] ~= nil
  end, running)
end

--- Stop what was started here.
function M.cancel()
  forget_answered()
  if #running == 0 then
    return M.say('nothing is running.')
  end
  local stopped = {}
  for _, job in ipairs(running) do
    job.client:cancel_request(job.id)
    stopped[#stopped + 1] = job.what
  end
  running = {} -- Neovim drops the answer to a cancelled request, so nothing else will tell.
  M.say(('stopped: %s.'):format(table.concat(stopped, ', ')))
end

--- A client is gone: so is all that was known of it.
---@param id integer
function M.forget(id)
  M.status[id], M.progress[id] = nil, nil
  running = vim.tbl_filter(function(job)
    return job.client.id ~= id
  end, running)
end

--- A server ended. One that was not told to is worth a word, with what to do.
---@param code integer
---@param signal integer
---@param id integer
function M.ended(code, signal, id)
  M.forget(id)
  if code ~= 0 or (signal ~= 0 and signal ~= 15) then
    local text = 'the server ended (code %d, signal %d): `:Omoide log` shows why, `:Omoide restart` starts it again. '
      .. 'One that ends at once is too old or broken: %s.'
    M.warn(text:format(code, signal, M.UPGRADE))
  end
end

return M
