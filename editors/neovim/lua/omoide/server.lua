-- The server as a process: restart, log, and making a memory where there is none.

local client_of = require('omoide.client')

local M = {}

local PATIENCE_MS = 3000
local STEP_MS = 50

--- Start servers for all open buffers that want one.
local function start()
  vim.lsp.enable(client_of.NAME, false)
  vim.lsp.enable(client_of.NAME)
end

--- `:Omoide restart`: the new server begins when the old one has ended, so that no two write.
function M.restart()
  local clients = client_of.all()
  for _, client in ipairs(clients) do
    client:stop()
  end
  local waited = 0
  local function go()
    local left = vim.tbl_filter(function(client)
      return not client:is_stopped()
    end, clients)
    if #left > 0 and waited < PATIENCE_MS then
      waited = waited + STEP_MS
      return vim.defer_fn(go, STEP_MS)
    end
    for _, client in ipairs(left) do
      client:stop(true)
    end
    start()
    client_of.say(#clients > 0 and 'restarted.' or 'started.')
  end
  go()
end

--- `:Omoide log`: what the server and the client wrote down.
function M.log()
  vim.cmd.tabedit(vim.fn.fnameescape(vim.lsp.log.get_filename()))
  vim.bo.autoread = true
  vim.cmd.normal({ 'G', bang = true })
end

--- Run the program in the current folder and go on with what it printed, line by line.
---@param arguments string[]
---@param go fun(lines: string[])
local function run(arguments, go)
  local program = client_of.program()
  if not program or vim.fn.executable(program) == 0 then
    return client_of.warn(('`%s` cannot be run: %s.'):format(program or 'omoide', client_of.INSTALL))
  end
  vim.system({ program, unpack(arguments) }, { cwd = vim.uv.cwd(), text = true }, function(done)
    vim.schedule(function()
      if done.code ~= 0 then
        return client_of.say(vim.trim(done.stderr ~= '' and done.stderr or done.stdout), vim.log.levels.ERROR)
      end
      go(vim.split(vim.trim(done.stdout), '\n'))
    end)
  end)
end

--- `:Omoide init`: a memory in the current folder, made by the program.
function M.init()
  run({ 'init' }, function(lines)
    client_of.say(lines[1] ~= '' and lines[1] or 'a memory was made.')
    start()
  end)
end

--- `:Omoide example [FOLDER]`: a project with an agent's logs in it, in a tab of its own.
function M.example(arguments)
  local folder = arguments[1] and vim.fs.normalize(arguments[1]) or vim.fn.tempname() .. '-omoide-example'
  run({ 'demo', '--example', folder }, function(lines)
    vim.cmd.tabedit({ args = { vim.fn.fnameescape(vim.fs.joinpath(lines[1], 'README.md')) }, mods = { silent = true } })
    vim.cmd.tcd({ args = { vim.fn.fnameescape(lines[1]) }, mods = { silent = true } })
    client_of.say('`:help omoide-tour` leads through this example.')
  end)
end

return M
