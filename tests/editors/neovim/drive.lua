-- By keys, as a person would: hover, complete, follow, extract, cancel, consolidate, health.

return function(editor, seen, arguments)
  local file, record = arguments[1], arguments[2]
  local lua, keys, await = editor.lua, editor.keys, editor.await
  seen.client = editor.attached()

  -- Hover on the first reference, shown in a float by K.
  keys('gg/#deploy-steps<CR>lll')
  await('the cursor on the reference', function()
    return lua('return vim.fn.expand("<cWORD>")') == '#deploy-steps'
  end)
  keys('K')
  seen.hover = await(
    'the hover window',
    [[
    for _, window in ipairs(vim.api.nvim_list_wins()) do
      if vim.api.nvim_win_get_config(window).relative ~= '' then
        return table.concat(vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, false), '\n')
      end
    end
    ]]
  )
  keys('<Esc>')

  -- The trigger opens the list, more letters narrow it, the first entry is taken.
  keys('GoAsk #')
  local function offered()
    return lua([[
      if vim.fn.pumvisible() == 0 then return {} end
      local items = vim.fn.complete_info({ 'items' }).items
      return vim.tbl_map(function(it) return it.abbr ~= '' and it.abbr or it.word end, items)
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

  -- A `#` that begins a line may be a heading; with a letter behind it, it is a reference.
  keys('Go#')
  keys('onc')
  seen.at_the_start = await('the list at the start of a line', offered)
  keys('<C-n><C-y><Esc>')
  seen.completed_at_the_start = await('the completed line', function()
    local line = lua('return vim.fn.mode() == "n" and vim.api.nvim_get_current_line() or ""')
    return line ~= '#onc' and line
  end)

  -- The tag key goes to the definition of a reference, through the client.
  keys('gg/#deploy-steps<CR>lll')
  keys('<C-]>')
  seen.definition = await('the definition', function()
    local name = lua('return vim.api.nvim_buf_get_name(0)')
    return name ~= file and name
  end)

  lua('vim.cmd.edit(...)', record)
  seen.diagnostics = await(
    'diagnostics',
    [[
    return vim.iter(vim.diagnostic.get(0)):map(function(it)
      local line = vim.api.nvim_buf_get_lines(0, it.lnum, it.lnum + 1, false)[1]
      return { code = it.code, message = it.message, marked = line:sub(it.col + 1, it.end_col), severity = it.severity }
    end):totable()
    ]]
  )

  -- The server says how a job ended; any message of ours does as an end, the tests judge its words.
  local staged = vim.fs.joinpath(vim.fs.dirname(vim.fs.dirname(record)), 'memory/_staging/*.json')
  local function job(command)
    editor.command(command)
    local said = editor.said('the answer of ' .. command)
    return { said = said, staged = #vim.fn.glob(staged, true, true) }
  end

  -- A question before money is spent, and a no.
  editor.provider('openai', true)
  lua('_G.asked = {}')
  editor.command('Omoide extract', { 'Cancel' })
  seen.question = await('the question', 'return _G.asked[1]')
  await(
    'the end of the job',
    [[
    local client = vim.lsp.get_clients({ name = 'omoide' })[1]
    return vim.iter(vim.tbl_values(client.requests)):all(function(request)
      return request.method ~= 'workspace/executeCommand'
    end)
  ]]
  )
  editor.command('Omoide cancel')
  seen.refused = editor.said('what became of it')

  -- A model that never answers: only a cancel ends the job, and nothing is staged.
  editor.provider('openai')
  editor.command('Omoide extract')
  seen.progress = await('progress', function()
    local status = lua('return vim.lsp.status()')
    return status:find('extract', 1, true) and status
  end)
  seen.statusline = await('the job in the statusline', function()
    local line = lua('return require("omoide").statusline()')
    return line:find('extract', 1, true) and line
  end)
  seen.cancel = job('Omoide cancel')
  editor.provider('builtin')

  -- The cancelled job may take a moment to let go of the session; until then an extract is refused or stages nothing.
  seen.extract = await('the end of the cancelled job', function()
    local answer = job('Omoide extract')
    return answer.staged > 0 and answer
  end)
  seen.consolidate = job('Omoide consolidate')

  seen.health = lua([[
    vim.cmd('checkhealth omoide')
    return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n')
  ]])
end
