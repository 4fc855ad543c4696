-- Drives a real Neovim by keys, as a person would, and writes what it saw as JSON for test_neovim.py to judge.
-- Run as `nvim -l drive.lua FILE RECORD RESULT`; starts a second Neovim with init.lua and talks to it over RPC.

local file, record, result_path = _G.arg[1], _G.arg[2], _G.arg[3]
local here = vim.fs.dirname(vim.fs.abspath(debug.getinfo(1, 'S').source:sub(2)))
local seen = {}
local PATIENCE_MS = 20000

local editor = vim.fn.jobstart(
  { vim.v.progpath, '--embed', '--headless', '-u', vim.fs.joinpath(here, 'init.lua'), file },
  { rpc = true }
)

local function lua(code, ...)
  return vim.rpcrequest(editor, 'nvim_exec_lua', code, { ... })
end

local function keys(text)
  vim.rpcrequest(editor, 'nvim_input', text)
end

--- Ask until the answer is neither nil, false nor empty; what was waited for names the failure.
local function await(what, ask)
  local answer
  local done = vim.wait(PATIENCE_MS, function()
    answer = ask()
    return answer and answer ~= vim.NIL and answer ~= '' and not (type(answer) == 'table' and vim.tbl_isempty(answer))
  end, 20)
  assert(done, 'waited in vain for ' .. what .. '; messages: ' .. lua('return vim.fn.execute("messages")'))
  return answer
end

local function drive()
  seen.client = await('the client', function()
    return lua([[
      local client = vim.lsp.get_clients({ bufnr = 0, name = 'omoide' })[1]
      return client and client.initialized and { root = client.root_dir, encoding = client.offset_encoding } or nil
    ]])
  end)

  -- Hover on the first reference, shown in a float by K.
  keys('gg/#deploy-steps<CR>lll')
  await('the cursor on the reference', function()
    return lua('return vim.fn.expand("<cWORD>")') == '#deploy-steps'
  end)
  keys('K')
  seen.hover = await('the hover window', function()
    return lua([[
      for _, window in ipairs(vim.api.nvim_list_wins()) do
        if vim.api.nvim_win_get_config(window).relative ~= '' then
          return table.concat(vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, false), '\n')
        end
      end
    ]])
  end)
  keys('<Esc>')

  -- The trigger opens the list, more letters narrow it, the first entry is taken.
  keys('GoAsk #')
  local function offered()
    return lua([[
      if vim.fn.pumvisible() == 0 then return {} end
      return vim.tbl_map(function(it) return it.abbr ~= '' and it.abbr or it.word end, vim.fn.complete_info({ 'items' }).items)
    ]])
  end
  seen.offered = await('the completion list', offered)
  keys('deploy-w')
  seen.narrowed = await('the narrowed list', function()
    local list = offered()
    return #list == 1 and list
  end)
  keys('<C-n><C-y><Esc>')
  seen.completed = await('the completed line', function()
    local line = lua('return vim.fn.mode() == "n" and vim.api.nvim_get_current_line() or ""')
    return line ~= 'Ask #deploy-w' and line
  end)

  -- The tag key goes to the definition of a reference, through the client.
  keys('gg/#deploy-steps<CR>lll')
  keys('<C-]>')
  seen.definition = await('the definition', function()
    local name = lua('return vim.api.nvim_buf_get_name(0)')
    return name ~= file and name
  end)

  lua('vim.cmd.edit(...)', record)
  seen.diagnostics = await('diagnostics', function()
    return lua([[
      return vim.iter(vim.diagnostic.get(0)):map(function(it)
        local line = vim.api.nvim_buf_get_lines(0, it.lnum, it.lnum + 1, false)[1]
        return { code = it.code, message = it.message, marked = line:sub(it.col + 1, it.end_col), severity = it.severity }
      end):totable()
    ]])
  end)

  -- The server says how a job ended; any message of ours does as an end, the tests judge its words.
  local function job(command)
    lua('vim.cmd("messages clear")')
    keys(('<Cmd>%s<CR>'):format(command))
    local said = await('the answer of ' .. command, function()
      return vim.iter(vim.split(lua('return vim.fn.execute("messages")'), '\n')):filter(function(line)
        return line:find('Omoide:', 1, true) ~= nil
      end):totable()
    end)
    local staged = vim.fs.joinpath(vim.fs.dirname(vim.fs.dirname(record)), 'memory/_staging/*.json')
    return { said = said, staged = #vim.fn.glob(staged, true, true) }
  end

  -- A model that never answers: only a cancel ends the job, and nothing is staged.
  local function use_provider(name)
    lua([[
      local client = vim.lsp.get_clients({ name = 'omoide' })[1]
      client.settings = { omoide = { provider = ..., confirm = false } }
      client:notify('workspace/didChangeConfiguration', { settings = client.settings })
    ]], name)
  end
  use_provider('openai')
  keys('<Cmd>OmoideExtract<CR>')
  seen.progress = await('progress', function()
    local status = lua('return vim.lsp.status()')
    return status:find('extract', 1, true) and status
  end)
  seen.cancel = job('OmoideCancel')
  use_provider('builtin')

  -- The cancelled job may take a moment to let go of the session; until then an extract is refused or stages nothing.
  seen.extract = await('the end of the cancelled job', function()
    local answer = job('OmoideExtract')
    return answer.staged > 0 and answer
  end)
  seen.consolidate = job('OmoideConsolidate')

  seen.health = lua([[
    vim.cmd('checkhealth omoide')
    return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n')
  ]])
end

local ok, trouble = xpcall(drive, debug.traceback)
seen.trouble = not ok and trouble or nil
local out = assert(io.open(result_path, 'w'))
out:write(vim.json.encode(seen))
out:close()
keys('<C-\\><C-n><Cmd>qa!<CR>')
if vim.fn.jobwait({ editor }, 5000)[1] == -1 then
  vim.fn.jobstop(editor)
end
