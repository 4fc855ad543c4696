-- A user's configuration, as the help page tells people to write it, and a person who answers from a list.

vim.opt.runtimepath:prepend(assert(vim.env.OMOIDE_PLUGIN))
vim.o.swapfile = false
vim.o.completeopt = 'menuone,noselect,popup'
vim.cmd('filetype plugin on')
require('omoide').setup({ completion = true })

--- What the person picks or types, in order: the beginning of an item, or a text. `asked` is what they were shown.
_G.picks, _G.asked = {}, {}

function vim.ui.select(items, options, on_choice)
  -- Pickers hand over more than the item, as snacks.nvim does.
  local shown = vim.tbl_map(function(item)
    return (options.format_item or tostring)(item, true)
  end, items)
  table.insert(_G.asked, { prompt = options.prompt, items = shown })
  local wanted = table.remove(_G.picks, 1)
  for at, text in ipairs(shown) do
    if wanted and text:find(wanted, 1, true) then
      return on_choice(items[at], at)
    end
  end
  on_choice(nil)
end

function vim.ui.input(options, on_confirm)
  table.insert(_G.asked, { prompt = options.prompt, items = { options.default } })
  on_confirm(table.remove(_G.picks, 1))
end
