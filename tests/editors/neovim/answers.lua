-- What a person answers: an edited candidate, runs by their id, offers, trust; a promotion, the line above a record.

return function(editor, seen, arguments)
  local lua, await = editor.lua, editor.await
  local folder = vim.fs.dirname(arguments[1])
  local function completed(line)
    return lua('return vim.fn.getcompletion(..., "cmdline")', line)
  end
  --- The id of the run that waits, once the job that made it has let go of the store.
  local function held_run(how)
    local found = await('a held run', function()
      return completed('Omoide consolidate ' .. how .. ' ')
    end)
    await(
      'the end of the job',
      [[
      local client = vim.lsp.get_clients({ name = 'omoide' })[1]
      return vim.iter(vim.tbl_values(client.requests)):all(function(request)
        return request.method ~= 'workspace/executeCommand'
      end)
    ]]
    )
    return found
  end
  local function exists(path)
    return vim.uv.fs_stat(vim.fs.joinpath(folder, '.omoide', path)) ~= nil
  end

  -- From a buffer that is no text: the server is started for the command.
  seen.before = lua('return #vim.lsp.get_clients({ name = "omoide" })')
  editor.command('Omoide extract')
  seen.extract = editor.said()
  lua('vim.cmd.edit(...)', arguments[2])
  editor.attached()
  seen.clients = lua('return #vim.lsp.get_clients({ name = "omoide" })')
  seen.local_command = lua('return vim.api.nvim_buf_get_commands(0, {}).Omoide ~= nil')

  -- A candidate in other words, kept by writing.
  editor.command('Omoide staging')
  editor.page('staging', 'staged')
  lua([[vim.fn.search('^decision:')]])
  editor.keys('e')
  await('the text of the candidate', 'return vim.bo.buftype == "acwrite"')
  seen.candidate = editor.text()
  lua([[vim.cmd('%s/Postgres/PostgreSQL/')]])
  editor.command('write')
  seen.kept = editor.said()
  seen.written = await('a text without changes', 'return not vim.bo.modified')
  -- What is typed right behind the write stays, and `:wq` closes what was kept.
  editor.keys(':write<CR>GoA second thought<Esc>')
  seen.typed_on = await('what was typed', [[
    return vim.api.nvim_get_mode().mode == 'n' and vim.api.nvim_get_current_line() == 'A second thought'
      and { vim.api.nvim_get_current_line(), vim.bo.modified }
  ]])
  -- The server ends: what is typed cannot be kept, and stays; a new one takes it.
  lua([[vim.iter(vim.lsp.get_clients({ name = 'omoide' })):each(function(it) it:stop(true) end)]])
  await('no server', 'return #vim.lsp.get_clients({ name = "omoide" }) == 0')
  editor.command('write')
  seen.unkept = { editor.said()[1], lua('return vim.bo.modified') }
  lua([[vim.cmd.split(...)]], arguments[2])
  editor.command('Omoide restart')
  editor.attached()
  lua('vim.cmd.close()')
  editor.keys('u:%s/PostgreSQL/PostgreSQL 16/<CR>:wq<CR>')
  seen.closed = await('no window of the candidate', 'return vim.bo.buftype ~= "acwrite"')
  seen.reworded = editor.page('staging', 'PostgreSQL 16')
  lua('vim.cmd.only()')

  -- A run that waits, by its id.
  editor.command('Omoide consolidate', { 'Not now' })
  local held = held_run('review')
  seen.held = held
  editor.command('Omoide consolidate review ' .. held[1])
  seen.review = editor.page('run/*', 'a accepts this run')
  seen.folds = lua('return vim.fn.foldclosed(vim.fn.search("evidence_id", "n")) > 0')
  seen.page_command = lua('return vim.api.nvim_buf_get_commands(0, {}).Omoide ~= nil')
  lua('vim.fn.search("session .*, entry")')
  editor.keys('<CR>')
  seen.evidence = await('the transcript', function()
    return lua('return vim.api.nvim_buf_get_name(0):find("transcripts/") and vim.api.nvim_get_current_line() or ""')
  end)
  seen.page_stays = lua('return vim.fn.bufwinid("omoide://run/") ~= -1')
  editor.command('Omoide consolidate reject ' .. held[1])
  seen.rejected = editor.said()
  editor.command('Omoide consolidate', { 'Not now' })
  held = held_run('accept')
  editor.command('Omoide consolidate accept ' .. held[1])
  seen.accepted = editor.said()
  editor.command('Omoide consolidate accept ' .. held[1])
  seen.accepted_again = editor.said()
  seen.runs = completed('Omoide undo ')
  seen.sessions = completed('Omoide transcript ')

  -- Above a decision stand its uses and its evidence; the latter opens the session.
  local decision = vim.fn.glob(folder .. '/.omoide/memory/decisions/*.md', true, true)[1]
  lua('vim.cmd.only() vim.cmd.edit(...)', decision)
  editor.attached()
  seen.lenses = await('the lenses', function()
    local titles = lua([[
      return vim.iter(vim.lsp.codelens.get(0)):map(function(it) return it.command and it.command.title end):totable()
    ]])
    return #titles == 2 and titles
  end)
  lua('_G.picks = { "evidence" } vim.fn.cursor(1, 1) vim.lsp.codelens.run()')
  seen.clicked = await('the transcript of the lens', function()
    return lua('return vim.api.nvim_buf_get_name(0):find("transcripts/") and vim.api.nvim_get_current_line() or ""')
  end)

  -- Knowledge of a decision, from its buffer under another slug.
  lua('vim.cmd.edit(...)', decision)
  editor.attached()
  editor.command(('Omoide promote decision/%s cart-in-postgres'):format(vim.fs.basename(decision):gsub('%.md$', '')))
  seen.promoted = editor.file('knowledge/cart-in-postgres.md')
  seen.promoted_text = editor.text()
  lua('vim.cmd("silent! wall")')
  seen.decision_stays = vim.uv.fs_stat(decision) ~= nil

  editor.command('Omoide offers', { 'cut-a-release', 'create' })
  seen.created = editor.file('cut-a-release.md')
  seen.workflow = exists('workflow/cut-a-release.md')
  editor.command('Omoide offers', { 'rotate-keys', 'never' })
  await('the answer', function()
    local text = table.concat(vim.fn.readfile(folder .. '/.omoide/memory/_staging/_offers/rotate-keys.json'), '\n')
    return text:find('"never"', 1, true) ~= nil
  end)
  editor.command('Omoide offers')
  seen.no_offers = editor.said()

  -- The provider of the workspace counts on a person's word only.
  local health = [[
    vim.cmd('checkhealth omoide')
    local text = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n')
    vim.cmd.close()
    return text
  ]]
  seen.untrusted = lua(health)
  editor.command('Omoide trust', { 'Cancel' })
  await('the question', 'return _G.asked[#_G.asked].prompt:find("name the model") ~= nil')
  seen.question = lua('return _G.asked[#_G.asked]')
  seen.not_trusted = vim.uv.fs_stat(vim.fs.joinpath(vim.env.XDG_CONFIG_HOME, 'omoide/config.toml')) == nil
  editor.command('Omoide trust', { 'Trust' })
  seen.trusted = editor.said()
  editor.command('Omoide trust', { 'Trust' })
  seen.trusted_again = editor.said()
  seen.trusted_health = lua(health)
end
