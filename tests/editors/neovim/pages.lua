-- Pages and lists: status, usage, context, activity, expand, lint, reindex, log.

return function(editor, seen, arguments)
  local lua = editor.lua
  editor.attached()

  editor.command('Omoide status')
  seen.status = editor.page('status', '3 knowledge')
  editor.keys('q')
  editor.await('the page to close', 'return vim.fn.bufnr("^omoide://status$") == -1')

  editor.command('3Omoide expand')
  seen.expanded = editor.page('expanded', 'Build the image')
  seen.register = lua("return vim.fn.getreg('\"')")
  editor.keys('q')
  editor.file('notes.md')
  editor.command('Omoide! expand')
  editor.await('the text in place', function()
    return editor.text():find('Build the image', 1, true) ~= nil
  end)
  editor.keys('u')
  editor.await('the text as before', function()
    return not editor.text():find('Build the image', 1, true)
  end)
  editor.command('1Omoide expand')
  seen.nothing_named = editor.said()

  editor.command('Omoide usage')
  seen.usage = editor.page('usage', 'deploy-steps')
  editor.keys('q')
  editor.command('Omoide context code')
  seen.context = editor.page('context', 'code session')
  editor.keys('q')
  editor.command('Omoide activity')
  seen.activity = editor.page('activity', 'deploy-steps')
  editor.keys('q')

  editor.file('notes.md')
  editor.command('Omoide lint')
  seen.lint = editor.await(
    'the quickfix list',
    [[
    return vim.iter(vim.fn.getqflist()):map(function(it)
      return vim.fs.basename(vim.fn.bufname(it.bufnr)) .. ': ' .. it.text
    end):totable()
  ]]
  )
  lua('vim.cmd.cclose()')
  editor.command('Omoide reindex')
  seen.reindex = editor.said()
  editor.command('Omoide context attic')
  seen.refused = editor.said()
  editor.command('Omoide log')
  seen.log = editor.file('lsp.log')
end
