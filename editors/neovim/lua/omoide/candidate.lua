-- A staged candidate as a text to edit: `:write` keeps it. Its evidence is the host's and is no part of the text.

local client_of = require('omoide.client')
local scratch = require('omoide.scratch')

local M = {}

local function fill(buffer, text)
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, scratch.lines((text:gsub('\n$', ''))))
  vim.bo[buffer].modified = false
end

local function keep(client, buffer, id)
  local text = table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), '\n') .. '\n'
  client_of.ask(client, 'omoide.editCandidate', { candidate = id, text = text }, function(answer)
    if vim.api.nvim_buf_is_valid(buffer) then
      fill(buffer, answer.text)
    end
    client_of.say(('kept as "%s".'):format(scratch.cut(answer.headline, 60)))
    require('omoide.staging').reread(client)
  end)
end

--- Open a candidate in a window of its own.
---@param client vim.lsp.Client
---@param id string
function M.open(client, id)
  client_of.ask(client, 'omoide.candidateText', { candidate = id }, function(answer)
    scratch.leave()
    local name = 'candidate/' .. id
    local buffer = scratch.buffer(name)
    if not buffer then
      buffer = vim.api.nvim_create_buf(false, false)
      vim.api.nvim_buf_set_name(buffer, 'omoide://' .. name)
      vim.bo[buffer].buftype, vim.bo[buffer].bufhidden, vim.bo[buffer].swapfile = 'acwrite', 'wipe', false
      fill(buffer, answer.text)
      vim.api.nvim_create_autocmd('BufWriteCmd', {
        buffer = buffer,
        callback = function()
          keep(client, buffer, id)
        end,
      })
    end
    vim.cmd.split()
    vim.api.nvim_win_set_buf(0, buffer)
    vim.bo[buffer].filetype = 'markdown'
    require('omoide.command').define(buffer, client.root_dir)
  end)
end

return M
