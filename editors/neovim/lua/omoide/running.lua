-- The jobs that were started here, until they are answered or stopped; and what their end means for open buffers.

local client_of = require('omoide.client')

local M = {}

--- Jobs that are not answered yet.
---@type { client: vim.lsp.Client, id: integer, what: string }[]
local running = {}

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
  for _, client in ipairs(client_of.all()) do
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
  client_of.with(function(client)
    local job = { client = client, what = what }
    job.id = client_of.ask(client, command, argument, on_answer and function(answer)
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
    return client_of.say('nothing is running.')
  end
  local stopped = {}
  for _, job in ipairs(running) do
    job.client:cancel_request(job.id)
    stopped[#stopped + 1] = job.what
  end
  running = {} -- Neovim drops the answer to a cancelled request, so nothing else will tell.
  client_of.say(('stopped: %s.'):format(table.concat(stopped, ', ')))
end

--- A client is gone: so is all that was known of it.
---@param id integer
function M.forget(id)
  client_of.status[id], client_of.progress[id] = nil, nil
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
    client_of.warn(text:format(code, signal, client_of.UPGRADE))
  end
end

return M
