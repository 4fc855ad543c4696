-- Sessions of coding agents: chosen from a list, extracted, read as a text. What is in them is the server's.

local client_of = require('omoide.client')
local records = require('omoide.records')
local scratch = require('omoide.scratch')

local M = {}

local LEAST_LINES = 8 -- of a transcript, to be read

--- Show a session at an entry, beside the page from which it was asked for.
---@param client vim.lsp.Client
---@param wanted { session_id: string, agent?: string, entry?: integer }
function M.open(client, wanted)
  local argument = vim.tbl_extend('force', wanted, { quiet = true })
  client_of.ask(client, 'omoide.openTranscript', argument, function(answer)
    scratch.leave()
    if vim.api.nvim_win_get_height(0) < LEAST_LINES then
      vim.cmd('wincmd =')
    end
    records.show(client, answer.uri, answer.line)
    vim.cmd('normal! zt') -- the entry is below its heading
    if type(answer.note) == 'string' and answer.note ~= '' then
      client_of.warn(answer.note)
    end
  end)
end

local function with_session(prompt, go)
  client_of.call('omoide.sessions', {}, function(answer, client)
    if #answer.sessions == 0 then
      return client_of.say('no session of this workspace was found.')
    end
    local shown = {
      prompt = prompt,
      format_item = function(row)
        local left = row.unextracted_tokens > 0 and ('%d tokens to extract'):format(row.unextracted_tokens)
          or 'extracted'
        local title = scratch.cut(row.title or row.session_id, 50)
        return ('%s  %s  %s (%s)'):format(row.updated_at or '', row.agent, title, left)
      end,
    }
    vim.ui.select(answer.sessions, shown, function(row)
      if row then
        go(client, row)
      end
    end)
  end)
end

--- `:Omoide sessions`: extract one of them.
function M.sessions()
  with_session('Extract which session?', function(_, row)
    require('omoide.jobs').extract({ row.session_id })
  end)
end

--- `:Omoide transcript [SESSION] [ENTRY]`.
function M.transcript(arguments)
  if arguments[1] then
    return client_of.with(function(client)
      M.open(client, { session_id = arguments[1], entry = tonumber(arguments[2]) })
    end)
  end
  with_session('Read which session?', function(client, row)
    M.open(client, { session_id = row.session_id, agent = row.agent })
  end)
end

return M
