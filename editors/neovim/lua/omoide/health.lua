-- `:checkhealth omoide`: can the server be found, is it attached, does everything fit together?

local client_of = require('omoide.client')

local M = {}

--- The version of a program that answers `--version`, or nil with what it said.
local function version_of(program)
  local ok, done = pcall(function()
    return vim.system({ program, '--version' }, { text = true }):wait(10000)
  end)
  if not ok then
    return nil, tostring(done)
  end
  local version = (done.stdout or ''):match('(%d+%.%d+[%w%.]*)')
  return version, vim.trim((done.stderr or '') .. (done.stdout or ''))
end

--- The program and its version, where it is there and is ours: the server may be started by other means.
---@return string? program, string? version
local function check_program(config)
  local cmd = config and config.cmd
  if type(cmd) ~= 'table' then
    vim.health.info('cmd is a function; it is not checked')
    return nil
  end
  if vim.fn.executable(cmd[1]) == 0 then
    vim.health.error(('`%s` cannot be run'):format(cmd[1]), {
      'Install it: `pipx install omoide` or `uv tool install omoide`',
      "Or name it: vim.lsp.config('omoide', { cmd = { '/path/to/omoide', 'lsp' } })",
    })
    return nil
  end
  if cmd[2] ~= 'lsp' then
    vim.health.info(('server: %s; the program `omoide` is not looked at'):format(table.concat(cmd, ' ')))
    return nil
  end
  local version, said = version_of(cmd[1])
  local place = vim.fn.exepath(cmd[1])
  if not version then
    vim.health.warn(('`%s --version` tells no version: %s'):format(cmd[1], said), 'Is this another program? ' .. place)
  elseif vim.version.lt(version, client_of.OLDEST) then
    local text = 'server: %s is version %s, this plugin needs %s'
    vim.health.error(text:format(place, version, client_of.OLDEST), client_of.UPGRADE)
  else
    vim.health.ok(('server: %s, version %s (%s)'):format(table.concat(cmd, ' '), version, place))
  end
  return cmd[1], version
end

-- What `omoide doctor` looks at that is looked at here as well, and of what it is worth a line that it is fine.
local OWN = { ['on the PATH'] = true, nvim = true, workspace = true, omoide = true }
local TOLD = { provider = true, store = true, ['session logs'] = true }

--- What the program itself finds of the machine, the settings and the provider.
---@param program string
---@param root string?
local function check_machine(program, root)
  local command = { program, '--json', 'doctor' }
  local done = vim.system(command, { text = true, cwd = root or vim.uv.cwd() }):wait(30000)
  local ok, answer = pcall(vim.json.decode, done.stdout or '')
  if not ok or type(answer) ~= 'table' or not answer.checks then
    return vim.health.warn(('`%s doctor` tells nothing'):format(program), client_of.UPGRADE)
  end
  for _, check in ipairs(answer.checks) do
    local text, remedy = ('%s: %s'):format(check.name, check.detail), check.remedy ~= '' and check.remedy or nil
    if check.detail:find('not trusted', 1, true) then
      remedy = '`:Omoide trust` lets it count, after a question'
    end
    if OWN[check.name] or (check.level == 'ok' and not TOLD[check.name]) then
      goto continue
    elseif check.level == 'ok' then
      vim.health.ok(text)
    elseif check.level == 'note' then
      vim.health.info(remedy and ('%s (%s)'):format(text, remedy) or text)
    else
      vim.health[check.level == 'error' and 'error' or 'warn'](text, remedy)
    end
    ::continue::
  end
end

local function check_version(client, installed)
  local version = vim.tbl_get(client, 'server_info', 'version') or 'unknown'
  if installed and version ~= installed then
    local text = 'the running server is %s, the installed one %s'
    vim.health.warn(text:format(version, installed), '`:Omoide restart` starts the installed one')
  end
  local missing = vim.tbl_filter(function(command)
    return not client_of.offers(client, command)
  end, require('omoide.commands').needed())
  if #missing == 0 then
    vim.health.ok(('the server knows all %d commands of this plugin'):format(#require('omoide.commands').needed()))
  else
    vim.health.error(
      'the server is older than this plugin and lacks ' .. table.concat(missing, ', '),
      client_of.UPGRADE
    )
  end
  return version
end

local function check_store(client)
  local uri = vim.uri_from_fname(client.root_dir or vim.uv.cwd())
  local params = { command = 'omoide.status', arguments = { { uri = uri } } }
  local answer, why = client:request_sync('workspace/executeCommand', params, 5000)
  if not answer or answer.err then
    vim.health.error(
      'the server does not answer: ' .. (why or answer.err.message),
      '`:Omoide restart`, then `:Omoide log`'
    )
    return
  end
  for _, root in ipairs(answer.result.roots) do
    local number = 0
    for _, of_kind in pairs(root.records or {}) do
      number = number + of_kind
    end
    local loading = root.loading and ', still being read' or ''
    vim.health.ok(('store: %s, %s in the index%s'):format(root.workspace, client_of.counted(number, 'record'), loading))
    if root.problem then
      vim.health.warn(root.problem)
    end
  end
end

local function check_watcher(client)
  local dynamic = client.dynamic_capabilities
  local registered = dynamic and dynamic:get('workspace/didChangeWatchedFiles')
  vim.health.info(registered and 'files are watched by Neovim' or 'files are watched by the server')
end

local function check_completion()
  for _, plugin in ipairs({ 'blink.cmp', 'cmp' }) do
    if package.loaded[plugin] then
      vim.health.info(
        ('completion: %s is loaded; its source for language servers needs no setting of ours'):format(plugin)
      )
      return
    end
  end
  if not require('omoide').options.completion then
    local how = "require('omoide').setup({ completion = true })"
    vim.health.info(('completion: by keys only, unless you enable it; %s makes it open at `#`'):format(how))
    return
  end
  if vim.o.completeopt:find('noselect') or vim.o.completeopt:find('noinsert') then
    vim.health.ok("completion: opens at `#`; 'completeopt' is " .. vim.o.completeopt)
  else
    local advice = "vim.o.completeopt = 'menuone,noselect,popup'"
    vim.health.warn("'completeopt' inserts the first entry of a list as soon as it opens", advice)
  end
end

local function check_clients(installed)
  local clients = client_of.all()
  if #clients == 0 then
    vim.health.info('the server is not running: it starts with the first text file of a project that has a memory')
  end
  for _, client in ipairs(clients) do
    local version = check_version(client, installed)
    local buffers = vim.tbl_count(client.attached_buffers)
    local text = 'running: version %s, root %s, %s, positions in %s'
    local seen = client_of.counted(buffers, 'buffer')
    vim.health.ok(text:format(version, client.root_dir or 'none', seen, client.offset_encoding))
    check_store(client)
    check_watcher(client)
  end
end

function M.check()
  vim.health.start('omoide')
  if vim.fn.has('nvim-0.11') == 0 then
    vim.health.error('Neovim 0.11 or later is needed (`vim.lsp.enable`)')
    return
  end
  local program, installed = check_program(vim.lsp.config.omoide)
  if vim.lsp.is_enabled and not vim.lsp.is_enabled('omoide') then
    vim.health.warn('the server is not enabled', "Add `vim.lsp.enable('omoide')` to your configuration")
  end
  local root = require('omoide').root(vim.fs.joinpath(vim.uv.cwd(), 'any'))
  vim.health.info(root and ('memory of this folder: ' .. root) or 'this folder has no memory: run `:Omoide init`')
  if program and installed then
    check_machine(program, root)
  end
  check_clients(installed)
  check_completion()
end

return M
