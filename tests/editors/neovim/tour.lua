-- The quick tour of the help page, step by step, as a person types it.

return function(editor, seen)
  local lua, keys, await = editor.lua, editor.keys, editor.await
  local function line()
    return lua('return vim.api.nvim_get_current_line()')
  end

  editor.command('Omoide example shop')
  seen.example = editor.said()
  editor.file('shop/README.md')
  editor.attached()

  editor.command('Omoide staging')
  editor.page('staging', 'Nothing is staged')
  editor.command('Omoide extract')
  seen.extract = editor.said()
  seen.staged = editor.page('staging', '9 staged') -- an open page follows by itself
  lua([[vim.fn.search('^    > ')]])
  keys('<CR>')
  seen.evidence = await('the evidence', function()
    return lua('return vim.api.nvim_buf_get_name(0)'):find('transcripts/', 1, true) and line()
  end)
  keys('<C-w>p')
  await('the page', 'return vim.bo.filetype == "omoide-staging"')
  keys('q')

  editor.command('Omoide preview')
  editor.page('run/*', 'a accepts this run')
  keys('a')
  seen.accepted = editor.said()

  keys(':edit README.md<CR>')
  editor.file('shop/README.md')
  keys('GA #')
  await('the list', 'return vim.fn.pumvisible() == 1')
  keys('<C-n>')
  await('a name', function()
    return line():find('#[%l-]+$') ~= nil
  end)
  keys('<Esc>')
  seen.reference = line()
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
  keys(':write<CR>')
  keys('<C-]>')
  seen.definition = editor.file(seen.reference:match('#([%l-]+)$') .. '.md')
  editor.command('Omoide usage')
  seen.usage = editor.page('usage', 'knowledge')
  keys('q')
  editor.command('Omoide undo', { 'accepted' })
  seen.undone = editor.said()
end
