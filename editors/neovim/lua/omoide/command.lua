-- The Ex command `:Omoide`: everywhere, and again in the buffers of the server and on its pages, where it means their
-- project. What its subcommands are is in `omoide.commands`, which is loaded when the first one is typed.

local M = {}

local OPTIONS = {
  nargs = '*',
  range = true,
  bang = true,
  desc = 'Omoide: project memory',
  complete = function(...)
    return require('omoide.commands').complete(...)
  end,
}

local function run(how)
  require('omoide.commands').run(how)
end

--- Define the command for all buffers.
function M.everywhere()
  vim.api.nvim_create_user_command('Omoide', run, OPTIONS)
end

--- Define it in a buffer, and make the buffer be about a project.
---@param buffer integer
---@param root string?  the folder whose memory is meant
function M.define(buffer, root)
  vim.b[buffer].omoide_root = root
  vim.api.nvim_buf_create_user_command(buffer, 'Omoide', run, OPTIONS)
end

--- The server left a buffer.
---@param buffer integer
function M.remove(buffer)
  if vim.api.nvim_buf_is_valid(buffer) then
    vim.b[buffer].omoide_root = nil
    pcall(vim.api.nvim_buf_del_user_command, buffer, 'Omoide')
  end
end

return M
