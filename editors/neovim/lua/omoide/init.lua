-- Finding the memory root, and the two jobs of the server. What a job does is the server's business.

local M = {}

local function has_memory(folder)
  for _, name in ipairs({ '.omoide', '.yoi' }) do
    local found = vim.uv.fs_stat(vim.fs.joinpath(folder, name, 'memory'))
    if found and found.type == 'directory' then
      return true
    end
  end
  return false
end

--- The main worktree of a linked one: in a linked worktree `.git` is a file that points into the main one.
local function main_worktree(folder)
  local file = io.open(vim.fs.joinpath(folder, '.git'))
  local line = file and file:read('l')
  if file then
    file:close()
  end
  local gitdir = line and line:match('^gitdir:%s*(.+)$')
  if gitdir and not gitdir:match('^/') and not gitdir:match('^%a:') then
    gitdir = vim.fs.normalize(vim.fs.joinpath(folder, gitdir))
  end
  return gitdir and gitdir:match('^(.*)/%.git/worktrees/[^/]+/?$')
end

--- The folder that a file's memory belongs to, or nil. A linked git worktree may use the main worktree's memory.
---@param path string
---@return string?
function M.root(path)
  local start = path ~= '' and vim.fs.dirname(vim.fs.abspath(path)) or vim.uv.cwd()
  local folders = { start }
  vim.list_extend(folders, vim.iter(vim.fs.parents(start)):totable())
  for _, folder in ipairs(folders) do
    local main = main_worktree(folder)
    if has_memory(folder) or (main and has_memory(main)) then
      return folder
    end
  end
  return nil
end

--- The buffer's client; from a buffer without one (a help page, a terminal) the only one there is.
local function current_client()
  local attached = vim.lsp.get_clients({ bufnr = 0, name = 'omoide' })
  local all = vim.lsp.get_clients({ name = 'omoide' })
  return attached[1] or (#all == 1 and all[1] or nil)
end

local function say(text, level)
  vim.notify('Omoide: ' .. text, level or vim.log.levels.INFO)
end

--- The request of the job that runs now, for `cancel`.
---@type { client: vim.lsp.Client, id: integer }?
local running

--- Ask the server for a job. It shows progress and outcome itself; only what it refuses is told here.
local function run(command, argument)
  local client = current_client()
  if not client then
    say('no server is attached: open a text file of a project with a memory (`:checkhealth omoide`).', vim.log.levels.WARN)
    return
  end
  argument.uri = vim.uri_from_fname(client.root_dir or vim.uv.cwd())
  local params = { command = command, arguments = { argument } }
  local ok, id = client:request('workspace/executeCommand', params, function(err)
    running = nil
    if err then
      say(err.message, vim.log.levels.ERROR)
    end
    vim.cmd.checktime() -- Records on disk may have changed under open buffers.
  end)
  if ok then
    running = { client = client, id = id }
  end
end

--- Stage what is new in all session logs of this project as candidates.
function M.extract()
  run('omoide.extract', { all = true })
end

--- Turn staged candidates into records.
function M.consolidate()
  run('omoide.consolidate', {})
end

--- Stop the job that was started last.
function M.cancel()
  if not running then
    say('nothing is running.')
    return
  end
  running.client:cancel_request(running.id)
  running = nil -- Neovim drops the answer to a cancelled request, so nothing else will tell.
  say('stopped.')
end

return M
