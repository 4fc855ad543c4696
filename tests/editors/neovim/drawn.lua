-- What is drawn in a buffer and reacts to a person: lenses, code actions, colors, hints.

return function(editor, seen, arguments)
  local lua, await = editor.lua, editor.await
  local record = arguments[2]
  editor.attached()
  seen.tokens = await(
    'tokens',
    [[
    local found = {}
    local namespaces = vim.api.nvim_get_namespaces()
    for name, id in pairs(namespaces) do
      if name:find('semantic_tokens', 1, true) then
        for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(0, id, 0, -1, { details = true })) do
          local group = mark[4].hl_group
          if type(group) == 'string' and group:find('^Omoide') then
            local line = vim.api.nvim_buf_get_lines(0, mark[2], mark[2] + 1, false)[1]
            found[#found + 1] = { group, line:sub(mark[3] + 1, mark[4].end_col) }
          end
        end
      end
    end
    return found
  ]]
  )

  lua('vim.cmd.edit(...)', (record:gsub('deploy%-window', 'deploy-steps')))
  editor.attached()
  seen.lens = await(
    'the lens',
    [[
    for _, lens in ipairs(vim.lsp.codelens.get(0)) do
      if lens.command and lens.command.title:find('2') or lens.command and lens.command.title:find('1') then
        return { lens.command.title, lens.command.command, lens.range.start.line + 1 }
      end
    end
  ]]
  )
  lua('vim.fn.cursor(..., 1) vim.lsp.codelens.run()', seen.lens[3])
  seen.named_in = await(
    'the list of references',
    [[
    return vim.iter(vim.fn.getqflist()):map(function(it)
      return { vim.fs.basename(vim.fn.bufname(it.bufnr)), it.text:sub(it.col, it.end_col - 1) }
    end):totable()
  ]]
  )
  lua('vim.cmd.cclose()')

  -- The code action on an unknown reference, chosen by its title.
  lua('vim.cmd.edit(...)', record)
  editor.attached()
  await('diagnostics', 'return #vim.diagnostic.get(0) > 0')
  lua('vim.fn.search("#no-such-slug") _G.picks, _G.asked = { "Create" }, {} vim.lsp.buf.code_action()')
  seen.actions = await('the actions', 'return _G.asked[1] and _G.asked[1].items')
  seen.created = await(
    'the record',
    [[
    local buffer = vim.fn.bufnr('no-such-slug.md')
    return (vim.uv.fs_stat('.omoide/knowledge/no-such-slug.md') or buffer ~= -1) and true
  ]]
  )

  lua([[
    vim.lsp.config('omoide', { settings = { omoide = { inlay_hints = true } } })
    vim.cmd('silent! wall')
  ]])
  editor.command('Omoide restart')
  editor.said()
  lua('vim.cmd.edit(...)', arguments[1])
  seen.hints = await(
    'hints',
    [[
    return vim.iter(vim.lsp.inlay_hint.get({ bufnr = 0 })):map(function(it)
      local label = it.inlay_hint.label
      return type(label) == 'string' and label or label[1].value
    end):totable()
  ]]
  )
end
