-- Records through the commands: found while typing, inserted, made, renamed with their file, archived, taken back.

return function(editor, seen, arguments)
  local lua, keys, await = editor.lua, editor.keys, editor.await
  local folder = vim.fs.dirname(arguments[1])
  editor.attached()

  -- A live search by keys; the list is the window without focus. The reference goes behind the cursor, as `p` puts.
  keys('3G$')
  editor.command('Omoide insert')
  await('the search window', 'return vim.api.nvim_win_get_config(0).relative == "editor"')
  keys('oncall')
  local hits = [[
    for _, window in ipairs(vim.api.nvim_list_wins()) do
      local config = vim.api.nvim_win_get_config(window)
      if config.relative == 'editor' and not config.focusable then
        local lines = vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, false)
        return lines[1] ~= '' and lines
      end
    end
  ]]
  keys('<BS><BS><BS><BS><BS><BS>')
  keys('rota')
  seen.live = await('hits', function()
    local lines = lua(hits)
    return lines and lines ~= vim.NIL and #lines == 1 and lines
  end)
  keys('<CR>')
  seen.inserted = await(
    'the reference',
    [[
    local lines = vim.api.nvim_buf_get_lines(0, 0, -1, false)
    return vim.iter(lines):find(function(line) return line:find('#oncall-rota', 1, true) end)
  ]]
  )
  seen.windows = lua('return #vim.api.nvim_list_wins()')
  keys('u')

  -- Typed before the answer came: the place of the reference moves with the text.
  keys('3G$')
  lua('_G.picks, _G.third = { "#oncall-rota" }, vim.api.nvim_get_current_line()')
  lua([[vim.cmd('Omoide insert 当番') vim.api.nvim_buf_set_lines(0, 0, 0, false, { 'typed above' })]])
  seen.moved_along = await(
    'the reference',
    [[
    local lines = vim.api.nvim_buf_get_lines(0, 0, -1, false)
    return vim.iter(lines):find(function(line) return line:find('#oncall-rota', 1, true) end)
      and { lines[1], (lines[4]:gsub(' ?#oncall%-rota', '')) == _G.third }
  ]]
  )
  keys('uu')

  editor.command('Omoide search 当番', { '#oncall-rota' })
  seen.found = editor.file('oncall-rota.md')

  editor.command('Omoide new knowledge cart-state')
  seen.new = editor.file('cart-state.md')
  seen.new_text = editor.text()
  lua('vim.cmd("silent! write")')
  seen.completion = lua([[
    local function of(line) return vim.fn.getcompletion(line, 'cmdline') end
    return {
      commands = of('Omoide '),
      ways = of('Omoide consolidate '),
      part = of('Omoide sta'),
      records = of('Omoide archive knowledge/on'),
    }
  ]])

  -- A rename of an open record is the editor's: the file moves, references elsewhere follow, the buffer keeps its text.
  lua('vim.cmd.edit(...)', folder .. '/.omoide/knowledge/deploy-steps.md')
  editor.attached()
  editor.command('Omoide rename release-steps')
  seen.renamed = editor.file('release-steps.md')
  lua('vim.cmd("silent! wall")')
  await('the moved file', function()
    return vim.uv.fs_stat(folder .. '/.omoide/knowledge/release-steps.md') ~= nil
  end)

  -- The editor's own rename, on a reference in another record.
  lua('vim.cmd.edit(...)', folder .. '/.omoide/knowledge/deploy-window.md')
  editor.attached()
  lua('vim.fn.search("#release-steps")')
  lua('vim.lsp.buf.rename("ship-steps")')
  await('the renamed reference', function()
    return editor.text():find('手順は #ship-steps を読む', 1, true) ~= nil
  end)
  lua('vim.cmd("silent! wall")')
  seen.moved = await('the moved file', function()
    return vim.uv.fs_stat(folder .. '/.omoide/knowledge/ship-steps.md') and 'ship-steps.md'
  end)

  editor.command('Omoide archive knowledge/cart-state made by mistake')
  seen.archived = editor.said()
  seen.gone = vim.uv.fs_stat(folder .. '/.omoide/knowledge/cart-state.md') == nil
  editor.command('Omoide undo', { 'archive' })
  seen.undone = editor.said()
  seen.back = vim.uv.fs_stat(folder .. '/.omoide/knowledge/cart-state.md') ~= nil

  editor.command('Omoide frobnicate')
  seen.unknown = editor.said()
  editor.command('Omoide serach')
  seen.near = editor.said()
  editor.command('Omoide')
  seen.alone = lua('return vim.fn.expand("%:t") .. " " .. vim.api.nvim_get_current_line()')
end
