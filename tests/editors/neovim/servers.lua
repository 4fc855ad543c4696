-- The server as a process: two roots, a restart, a server that is killed, and one that is older than the plugin.

return function(editor, seen, arguments)
  local lua, await = editor.lua, editor.await
  local first = editor.attached()
  lua('vim.cmd.edit(...)', arguments[2])
  local second = editor.attached()
  seen.roots = { first.root, second.root }
  editor.command('Omoide status')
  seen.status = editor.page('status', second.root)
  editor.keys('q')
  editor.command('Omoide records knowledge')
  seen.records = editor.said()

  -- An empty buffer means the project of the current folder; where that has none, the person is asked.
  lua('vim.cmd.enew() vim.cmd.lcd(...) _G.asked = {}', second.root)
  editor.command('Omoide reindex')
  seen.of_folder = editor.said()
  lua('vim.cmd.lcd(...)', vim.fs.dirname(first.root))
  editor.command('Omoide reindex', { second.root })
  seen.reindex = editor.said()
  seen.asked = lua('return _G.asked[1]')

  lua('vim.cmd.edit(...)', arguments[1])
  editor.attached()
  editor.command('Omoide restart')
  seen.restarted = editor.said()
  seen.anew = await('new clients', function()
    local ids = lua([[
      return vim.iter(vim.lsp.get_clients({ name = 'omoide' })):filter(function(it) return it.initialized end)
        :map(function(it) return it.id end):totable()
    ]])
    return #ids == 2 and math.min(unpack(ids)) > math.max(first.id, second.id)
  end)

  lua('vim.cmd("messages clear")')
  lua([[
    local client = vim.lsp.get_clients({ bufnr = 0, name = 'omoide' })[1]
    local children = vim.api.nvim_get_proc_children(vim.fn.getpid())
    for _, pid in ipairs(children) do vim.uv.kill(pid, 9) end
  ]])
  seen.killed = editor.said('the end of the server')
  editor.command('Omoide restart')
  seen.restarted_again = await('the client after the crash', function()
    local id = editor.attached().id
    return id > first.id + 3 and id
  end)

  lua([[
    vim.lsp.config('omoide', { on_init = function(client)
      client.server_capabilities.executeCommandProvider.commands = { 'omoide.extract' }
    end })
  ]])
  editor.command('Omoide restart')
  seen.old = await('the warning', function()
    return vim.iter(editor.said()):find(function(line)
      return line:find('older', 1, true)
    end)
  end)
  editor.command('Omoide usage')
  -- The other server tells of its age in its own time.
  seen.lacking = await('the refusal', function()
    return vim.iter(editor.said()):find(function(line)
      return line:find('knows no', 1, true)
    end)
  end)
  seen.health =
    lua('vim.cmd("checkhealth omoide") return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\\n")')
end
