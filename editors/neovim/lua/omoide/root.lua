-- Which folder a file's memory belongs to. What lies in the memory is the server's business.

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

--- The first line of a file; nil where there is none: a pipe is never written to, and a link shows another project's.
local function first_line(path)
  local found = vim.uv.fs_lstat(path)
  local file = found and found.type == 'file' and io.open(path)
  local line = file and file:read('l')
  if file then
    file:close()
  end
  return line or nil
end

local function names_a_server(path) -- to look there is to log in
  return path:match('^[/\\][/\\]') ~= nil
end

--- The main worktree of a linked one: in a linked worktree `.git` is a file that points into the main one.
local function main_worktree(folder)
  local line = first_line(vim.fs.joinpath(folder, '.git'))
  local gitdir = line and line:match('^gitdir:%s*(.+)$')
  if not gitdir or names_a_server(gitdir) then
    return nil
  end
  if not gitdir:match('^/') and not gitdir:match('^%a:') then
    gitdir = vim.fs.normalize(vim.fs.joinpath(folder, gitdir))
  end
  -- Both must name each other: a file `.git` that somebody unpacked may name any project.
  local named = first_line(vim.fs.joinpath(gitdir, 'gitdir'))
  if not named or names_a_server(named) then
    return nil
  end
  if not named:match('^/') and not named:match('^%a:') then
    named = vim.fs.joinpath(gitdir, named)
  end
  if vim.uv.fs_realpath(named) ~= vim.uv.fs_realpath(vim.fs.joinpath(folder, '.git')) then
    return nil
  end
  return gitdir:match('^(.*)/%.git/worktrees/[^/]+/?$')
end

--- The folder that a file's memory belongs to, or nil. A linked git worktree may use the main worktree's memory.
---@param path string
---@return string?
function M.of(path)
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

return M
