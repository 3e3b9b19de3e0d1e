-- Tries ludex.lua with the language server: nvim --headless -u check.lua WRONG.kif, where WRONG.kif has `opne` for `open`.
local here = debug.getinfo(1, "S").source:sub(2):match("^(.*)/[^/]*$")
dofile(here .. "/ludex.lua")

local function ask(method)
  local answers = vim.lsp.buf_request_sync(0, "textDocument/" .. method, vim.lsp.util.make_position_params(), 5000)
  for _, answer in pairs(answers or {}) do
    return answer.result
  end
end

local function check()
  vim.wait(20000, function()
    return #vim.diagnostic.get(0) > 0
  end, 50)
  local first = vim.diagnostic.get(0)[1]
  assert(first and first.message:find("did you mean `open`?", 1, true), "no complaint about opne")
  assert(vim.bo.filetype == "gdlkif" and vim.b.current_syntax == "gdlkif", "no colours")
  vim.fn.search("(row")
  vim.cmd("normal! l")
  assert(ask("hover").contents.value:find("row/2", 1, true), "no hover")
  assert(#ask("definition") == 1, "no definition")
  assert(#ask("completion") > 5, "no completion")
end

vim.api.nvim_create_autocmd("VimEnter", {
  callback = function()
    local fine, why = pcall(check)
    io.stdout:write((fine and "fine" or tostring(why)) .. "\n")
    vim.cmd(fine and "qall!" or "cquit!")
  end,
})
