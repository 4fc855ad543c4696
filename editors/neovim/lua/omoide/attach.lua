-- What a buffer gets when the server attaches to it: lenses, hints, colors; and what the server tells on its own.

local client_of = require('omoide.client')

local M = {}

local group = vim.api.nvim_create_augroup('omoide', { clear = true })

-- Ours, so that a color scheme or the user can change them without touching other servers' tokens.
local HIGHLIGHTS = {
  OmoideReference = '@markup.link',
  OmoideWorkflow = 'Function',
  OmoideReplaced = 'DiagnosticDeprecated',
  OmoideUnresolved = 'DiagnosticUnnecessary',
}

--- The highlight group of a semantic token of our server.
---@param token { type: string, modifiers: table<string, boolean> }
function M.highlight_of(token)
  if token.modifiers.unresolved then
    return 'OmoideUnresolved'
  elseif token.modifiers.deprecated then
    return 'OmoideReplaced'
  end
  return token.type == 'function' and 'OmoideWorkflow' or 'OmoideReference'
end

local function set_highlights()
  for name, target in pairs(HIGHLIGHTS) do
    vim.api.nvim_set_hl(0, name, { link = target, default = true })
  end
end

--- Ask for the lenses of a buffer again.
---@param buffer integer
function M.refresh_lenses(buffer)
  local attached = vim.lsp.get_clients({ bufnr = buffer, name = client_of.NAME, method = 'textDocument/codeLens' })
  if #attached > 0 and vim.api.nvim_buf_is_loaded(buffer) and not vim.lsp.codelens.enable then
    vim.lsp.codelens.refresh({ bufnr = buffer })
  end
end

--- Handler of `workspace/codeLens/refresh`, which Neovim 0.11 has none for.
function M.on_lens_refresh(_, _, ctx)
  local client = vim.lsp.get_client_by_id(ctx.client_id)
  for buffer in pairs(client and client.attached_buffers or {}) do
    M.refresh_lenses(buffer)
  end
  return vim.NIL
end

--- Handler of `window/showMessage`: what the server says is for the person, in whatever way they are notified. It names
--- itself already.
function M.on_message(_, message)
  local levels = vim.log.levels
  local level = ({ levels.ERROR, levels.WARN, levels.INFO, levels.INFO, levels.DEBUG })[message.type] or levels.INFO
  vim.notify(message.message, level)
end

--- Handler of `omoide/status`.
function M.on_status(_, status, ctx)
  client_of.status[ctx.client_id] = client_of.status[ctx.client_id] or {}
  client_of.status[ctx.client_id][status.workspace] = status
  vim.api.nvim_exec_autocmds('User', { pattern = 'OmoideStatus', modeline = false })
  require('omoide.pages').refresh_status()
  local client = vim.lsp.get_client_by_id(ctx.client_id)
  if client and type(status.pending) == 'table' then
    require('omoide.staging').refresh(client, status.pending.candidates)
  end
  vim.cmd.redrawstatus()
end

--- Handler of the command `omoide.showReferences`, which the line above a record names: the places go into the
--- quickfix list.
---@param command { arguments: [string, lsp.Position] }
---@param ctx { client_id: integer }
function M.show_references(command, ctx)
  local client = assert(vim.lsp.get_client_by_id(ctx.client_id))
  local uri, position = command.arguments[1], command.arguments[2]
  local params = { textDocument = { uri = uri }, position = position, context = { includeDeclaration = false } }
  client:request('textDocument/references', params, function(err, found)
    if err then
      return client_of.say(err.message, vim.log.levels.ERROR)
    end
    local items = vim.lsp.util.locations_to_items(found or {}, client.offset_encoding)
    if #items == 0 then
      return client_of.say('nothing names this record.')
    end
    local title = 'Named in: ' .. vim.fs.basename(vim.uri_to_fname(uri))
    vim.fn.setqflist({}, ' ', { title = title, items = items })
    vim.cmd('botright copen')
  end)
end

--- Handler of the command `omoide.openTranscript`, which the line above a decision names: the session at the entry that
--- the record rests on.
---@param command { arguments: [{ session_id: string, entry?: integer, agent?: string }] }
---@param ctx { client_id: integer }
function M.open_transcript(command, ctx)
  local client = assert(vim.lsp.get_client_by_id(ctx.client_id))
  require('omoide.sessions').open(client, command.arguments[1])
end

--- An old program serves less than this plugin asks for; better told now than at each command.
local function check_age(client)
  local missing = vim.tbl_filter(function(command)
    return not client_of.offers(client, command)
  end, require('omoide.commands').needed())
  if #missing > 0 then
    local version = vim.tbl_get(client, 'server_info', 'version') or 'unknown'
    local text = 'the installed omoide (version %s) is older than this plugin and lacks %s: %s.'
    client_of.warn(text:format(version, table.concat(missing, ', '), client_of.UPGRADE))
  end
end

--- A `#` that begins a line may be a heading, so the server offers nothing for it; the next character decides. It
--- triggers no completion by itself.
local function on_char(event)
  local before = vim.api.nvim_get_current_line():sub(1, vim.api.nvim_win_get_cursor(0)[2])
  local begins = before:match('^%s*#$') and vim.v.char:match('^[%l%d]$') and vim.fn.pumvisible() == 0
  if begins and #vim.lsp.get_clients({ bufnr = event.buf, name = client_of.NAME }) > 0 then
    vim.schedule(vim.lsp.completion.get)
  end
end

local checked = {}

local function on_attach(event)
  local client = vim.lsp.get_client_by_id(event.data.client_id)
  if not client or client.name ~= client_of.NAME then
    return
  end
  if not checked[client.id] then
    checked[client.id] = true
    check_age(client)
  end
  require('omoide.command').define(event.buf, client.root_dir)
  local options = require('omoide').options
  if options.completion then
    vim.lsp.completion.enable(true, client.id, event.buf, { autotrigger = true })
    vim.api.nvim_clear_autocmds({ group = group, event = 'InsertCharPre', buffer = event.buf })
    vim.api.nvim_create_autocmd('InsertCharPre', { group = group, buffer = event.buf, callback = on_char })
  end
  if vim.tbl_get(client.settings or {}, 'omoide', 'inlay_hints') then
    vim.lsp.inlay_hint.enable(true, { bufnr = event.buf })
  end
  if options.lens then
    if vim.lsp.codelens.enable then -- Neovim 0.12 keeps them fresh by itself
      vim.lsp.codelens.enable(true, { bufnr = event.buf })
      return
    end
    vim.api.nvim_clear_autocmds({
      group = group,
      event = { 'BufEnter', 'InsertLeave', 'BufWritePost' },
      buffer = event.buf,
    })
    vim.api.nvim_create_autocmd({ 'BufEnter', 'InsertLeave', 'BufWritePost' }, {
      group = group,
      buffer = event.buf,
      callback = function()
        M.refresh_lenses(event.buf)
      end,
    })
    M.refresh_lenses(event.buf)
  end
end

local function on_detach(event)
  local client = vim.lsp.get_client_by_id(event.data.client_id)
  if client and client.name == client_of.NAME then
    require('omoide.command').remove(event.buf)
  end
end

local function on_progress(event)
  local client = vim.lsp.get_client_by_id(event.data.client_id)
  if not client or client.name ~= client_of.NAME then
    return
  end
  local token, value = event.data.params.token, event.data.params.value
  local known = client_of.progress[client.id] or {}
  if value.kind == 'end' then
    known[token] = nil
  else
    known[token] = vim.tbl_extend('force', known[token] or {}, value)
  end
  client_of.progress[client.id] = known
  vim.cmd.redrawstatus()
end

local function on_token(event)
  local client = vim.lsp.get_client_by_id(event.data.client_id)
  if client and client.name == client_of.NAME then
    local token = event.data.token
    vim.lsp.semantic_tokens.highlight_token(token, event.buf, client.id, M.highlight_of(token))
  end
end

--- A program that is not there is passed over by `vim.lsp.enable` in silence; here it is told, where it is missed.
local function on_filetype(event)
  local program = client_of.program()
  if not program or not vim.lsp.is_enabled(client_of.NAME) or vim.fn.executable(program) == 1 then
    return
  end
  local wanted = vim.lsp.config[client_of.NAME].filetypes or {}
  local here = vim.bo[event.buf].buftype == '' and vim.list_contains(wanted, vim.bo[event.buf].filetype)
  if here and require('omoide.root').of(vim.api.nvim_buf_get_name(event.buf)) then
    local text = 'Omoide: this project has a memory, but `%s` cannot be run: %s.'
    vim.notify_once(text:format(program, client_of.INSTALL), vim.log.levels.WARN)
  end
end

function M.set_up()
  set_highlights()
  local function on(event, callback)
    vim.api.nvim_create_autocmd(event, { group = group, callback = callback })
  end
  on('ColorScheme', set_highlights)
  on('LspAttach', on_attach)
  on('LspDetach', on_detach)
  on('LspProgress', on_progress)
  on('LspTokenUpdate', on_token)
  on('FileType', on_filetype)
end

return M
