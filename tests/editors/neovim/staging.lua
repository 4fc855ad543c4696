-- From a session to records and back: extract, evidence, closing by hand, a dry run, a preview that waits, undo.

return function(editor, seen)
  local lua = editor.lua
  editor.attached()
  editor.provider('builtin')

  editor.command('Omoide transcript', { 'claude' })
  seen.transcript = editor.await('the transcript', function()
    local text = editor.text()
    return text:find('nobody wants to run another one', 1, true) and lua('return vim.api.nvim_buf_get_name(0)')
  end)
  seen.sessions = lua('return _G.asked[#_G.asked].items')
  lua('vim.cmd.buffer(1)')

  editor.command('Omoide sessions', { 'claude' })
  seen.extract = editor.said()
  editor.command('Omoide staging')
  seen.staged = editor.page('staging', 'staged')

  -- The cursor on a line of evidence, and the transcript at its entry.
  lua([[vim.fn.search('^    > ')]])
  editor.keys('<CR>')
  seen.evidence = editor.await(
    'the evidence',
    [[
    local name = vim.api.nvim_buf_get_name(0)
    local file = not name:find('^omoide:') and vim.bo.buftype == ''
    return file and vim.fn.line('.') > 1 and vim.api.nvim_get_current_line()
  ]]
  )

  editor.command('Omoide consolidate dry-run')
  seen.dry_run = editor.page('dry-run', '+++')
  editor.keys('q')

  editor.command('Omoide preview')
  seen.preview = editor.page('run/*', 'a accepts this run')
  seen.before = lua('return vim.fn.glob(".omoide/memory/decisions/*.md", true, true)')
  editor.keys('r')
  seen.rejected = editor.said()
  editor.command('Omoide preview')
  editor.page('run/*', 'a accepts this run')
  editor.keys('a')
  seen.accepted = editor.said()
  seen.after = editor.await('records', 'return vim.fn.glob(".omoide/memory/decisions/*.md", true, true)')

  editor.command('Omoide undo', { 'accepted' })
  seen.undone = editor.said()
  seen.runs = lua('return _G.asked[#_G.asked].items')
  seen.staged_again = #lua('return vim.fn.glob(".omoide/memory/decisions/*.md", true, true)')

  -- One candidate alone: shown first, and made a record of. The page follows.
  lua([[vim.cmd('silent! bwipeout omoide://staging') vim.cmd('silent! only')]])
  editor.command('Omoide staging')
  editor.page('staging', 'staged')
  lua([[vim.fn.search('^decision:')]])
  editor.keys('p')
  seen.alone = editor.page('run/*', 'a accepts this run')
  editor.keys('r')
  editor.said()
  editor.await('the page behind it', 'return vim.bo.filetype == "omoide-staging"')
  lua([[vim.cmd('messages clear') vim.fn.cursor(1, 1) vim.fn.search('^decision:')]])
  editor.keys('a')
  seen.taken = editor.said()
  seen.one_record = editor.await('the record', 'return vim.fn.glob(".omoide/memory/decisions/*.md", true, true)')

  editor.command('Omoide staging')
  editor.page('staging', 'staged')
  local number = tonumber(editor.page('staging', 'staged')[1]:match('^(%d+)'))
  lua([[vim.cmd.wincmd('b') vim.fn.search('^\\(decision\\|request\\|discussion\\|attempt\\):')]])
  lua('_G.picks = { "discarded", "not worth keeping" }')
  editor.keys('x')
  seen.closed = editor.await('one candidate less', function()
    local lines = editor.page('staging')
    return lines[1]:match('^%d+') ~= tostring(number) and { number, lines[1] }
  end)
  editor.command('Omoide offers')
  seen.offers = editor.said()
end
