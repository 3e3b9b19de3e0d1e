-- Game descriptions in Neovim (0.7 and later): file types, the language server, the commands of its lenses.
-- In init.lua: dofile("/path/to/ludex/editors/neovim/ludex.lua")
local here = debug.getinfo(1, "S").source:sub(2):match("^(.*)/neovim/[^/]*$")
vim.opt.runtimepath:append(here .. "/vim")

local function run(command)
  return function(lens)
    local file = vim.uri_to_fname(lens.arguments[1])
    vim.cmd("split | terminal ludex " .. command .. " " .. vim.fn.fnameescape(file))
  end
end
vim.lsp.commands["ludex.draw"] = run("draw --text")
vim.lsp.commands["ludex.play"] = run("play")

local clients = {}
vim.api.nvim_create_autocmd({ "BufRead", "BufNewFile" }, {
  pattern = { "*.kif", "*.gdl" },
  callback = function(event)
    vim.bo[event.buf].filetype = event.match:match("%.kif$") and "gdlkif" or "gdlinfix"
    local config = { name = "ludex", cmd = { "ludex", "lsp" }, root_dir = vim.fn.getcwd() }
    if vim.lsp.start then
      vim.lsp.start(config, { bufnr = event.buf })
    else
      clients.ludex = clients.ludex or vim.lsp.start_client(config)
      vim.lsp.buf_attach_client(event.buf, clients.ludex)
    end
  end,
})
