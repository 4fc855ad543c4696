-- Starts a second Neovim as a person would, hands it to a scenario, and writes what that saw as JSON for a test to
-- judge. Run as `nvim -l run.lua SCENARIO RESULT ARGUMENT...`; a scenario returns a function of the editor, what it saw
-- and the arguments.

local here = vim.fs.dirname(vim.fs.abspath(debug.getinfo(1, 'S').source:sub(2)))
local scenario, result_path = _G.arg[1], _G.arg[2]
local arguments = vim.list_slice(_G.arg, 3)
local PATIENCE_MS = 20000

local channel = vim.fn.jobstart(
  { vim.v.progpath, '--embed', '--headless', '-u', vim.fs.joinpath(here, 'init.lua'), unpack(arguments, 1, 1) },
  { rpc = true }
)
local editor = {}

--- Run Lua in the editor.
function editor.lua(code, ...)
  return vim.rpcrequest(channel, 'nvim_exec_lua', code, { ... })
end

function editor.keys(text)
  vim.rpcrequest(channel, 'nvim_input', text)
end

--- Ask until the answer is neither nil, false nor empty; what was waited for names the failure.
function editor.await(what, ask)
  local answer
  local done = vim.wait(PATIENCE_MS, function()
    answer = type(ask) == 'string' and editor.lua(ask) or type(ask) == 'function' and ask()
    return answer and answer ~= vim.NIL and answer ~= '' and not (type(answer) == 'table' and vim.tbl_isempty(answer))
  end, 20)
  assert(done, ('waited in vain for %s; messages: %s'):format(what, editor.messages()))
  return answer
end

function editor.messages()
  return editor.lua('return vim.fn.execute("messages")')
end

--- Wait for the client of the current buffer.
function editor.attached()
  return editor.await(
    'the client',
    [[
    local client = vim.lsp.get_clients({ bufnr = 0, name = 'omoide' })[1]
    if client and client.initialized then
      return { root = client.root_dir, encoding = client.offset_encoding, id = client.id }
    end
  ]]
  )
end

--- Run an Ex command, with what the person picks and types when they are asked.
function editor.command(line, picks)
  editor.lua('vim.cmd("messages clear") _G.picks = ...', picks or {})
  editor.keys(('<Cmd>%s<CR>'):format(line:gsub('<', '<lt>')))
end

--- The messages of ours since the last command.
function editor.said(what)
  return editor.await(what or 'a message', function()
    return vim
      .iter(vim.split(editor.messages(), '\n'))
      :filter(function(line)
        return line:find('Omoide:', 1, true) ~= nil
      end)
      :totable()
  end)
end

--- The lines of a page of ours, as soon as it shows `text`.
function editor.page(name, text)
  return editor.await(('the page %s with %s'):format(name, text or 'anything'), function()
    local lines = editor.lua(
      [[
      local buffer = vim.fn.bufnr('^omoide://' .. ... .. '$')
      return buffer ~= -1 and vim.fn.bufwinid(buffer) ~= -1 and vim.api.nvim_buf_get_lines(buffer, 0, -1, false) or {}
      ]],
      name
    )
    return table.concat(lines, '\n'):find(text or '', 1, true) and lines
  end)
end

--- The text of the current buffer.
function editor.text()
  return editor.lua('return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\\n")')
end

--- The file of the current buffer, once it ends with `tail`.
function editor.file(tail)
  return editor.await('the file ' .. tail, function()
    local name = editor.lua('return vim.api.nvim_buf_get_name(0)')
    return vim.endswith(name, tail) and name
  end)
end

--- Use a provider; `confirm`: be asked before it may cost money.
function editor.provider(name, confirm)
  editor.lua(
    [[
    local provider, confirm = ...
    for _, client in ipairs(vim.lsp.get_clients({ name = 'omoide' })) do
      client.settings = { omoide = { provider = provider, confirm = confirm } }
      client:notify('workspace/didChangeConfiguration', { settings = client.settings })
    end
    ]],
    name,
    confirm or false
  )
end

local seen = {}
local ok, trouble = xpcall(function()
  assert(loadfile(vim.fs.joinpath(here, scenario)))()(editor, seen, arguments)
end, debug.traceback)
seen.trouble = not ok and trouble or nil
local out = assert(io.open(result_path, 'w'))
out:write(vim.json.encode(seen))
out:close()
editor.keys('<C-\\><C-n><Cmd>qa!<CR>')
if vim.fn.jobwait({ channel }, 5000)[1] == -1 then
  vim.fn.jobstop(channel)
end
