-- A staged candidate as a text to edit: `:write` keeps it. Its evidence is the host's and is no part of the text.

local client_of = require('omoide.client')
local scratch = require('omoide.scratch')

local M = {}

local PATIENCE_MS = 10000

-- With the text goes what stands for its words: somebody else may have edited them since.
local function fill(buffer, answer)
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, scratch.lines((answer.text:gsub('\n$', ''))))
  vim.b[buffer].omoide_said = answer.said
  vim.bo[buffer].modified = false
end

-- The server may have been started anew since the text was opened.
local function running(root)
  return vim.iter(client_of.all()):find(function(client)
    return client.root_dir == root
  end)
end

-- Waits for the server: what is typed meanwhile would be lost under its answer, and `:wq` closes a text that is kept.
local function keep(root, buffer, id)
  local client = running(root)
  if not client then
    return client_of.say('the server does not run: `:Omoide restart`, then write again.', vim.log.levels.ERROR)
  end
  local text = table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), '\n') .. '\n'
  local edited = { candidate = id, text = text, said = vim.b[buffer].omoide_said }
  local answer, why = client_of.ask_waiting(client, 'omoide.editCandidate', edited, PATIENCE_MS)
  if not answer then
    return client_of.say(why, vim.log.levels.ERROR)
  end
  fill(buffer, answer)
  client_of.say(('kept as "%s".'):format(scratch.cut(answer.headline, 60)))
  require('omoide.staging').reread(client)
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
      fill(buffer, answer)
      vim.api.nvim_create_autocmd('BufWriteCmd', {
        buffer = buffer,
        callback = function()
          keep(client.root_dir, buffer, id)
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
