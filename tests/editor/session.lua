-- A session of Neovim with `monotable model lsp`: its own LSP client opens a model, is told about
-- mistakes, asks about keys, completes and renames. Works with Neovim from 0.7 on.
--
-- The last line says how many facts held: `N passed, N failed`.

local TIMEOUT_MS = 20000

local MODEL = [[
format = 1
name = "shop"

[tables.Shop]
partition_key = "PK"
sort_key = "SK"

[entities.Order]
key = { partition = "CUSTOMER#{customer:fold}", sort = "ORDER#{number:06}" }
attributes = { customer = "S", number = "N", status = "S" }

[patterns."orders of a customer"]
operation = "query"
returns = ["Order"]
by = ["custmer"]
]]

local passed, failed = 0, 0

local function say(text)
  io.stdout:write(text .. "\n")
end

local function check(fact, holds, found)
  if holds then
    passed = passed + 1
    say("ok   " .. fact)
  else
    failed = failed + 1
    say("FAIL " .. fact .. ": " .. vim.inspect(found))
  end
end

local function lines()
  return vim.api.nvim_buf_get_lines(0, 0, -1, false)
end

-- The position of the first place with this text, counted from 0.
local function position(text)
  for row, line in ipairs(lines()) do
    local column = line:find(text, 1, true)
    if column then
      return { line = row - 1, character = column - 1 }
    end
  end
  error("the model has no " .. text)
end

local function ask(method, more)
  local uri = vim.uri_from_bufnr(0)
  local params = vim.tbl_extend("force", { textDocument = { uri = uri } }, more)
  local answers = assert(vim.lsp.buf_request_sync(0, method, params, TIMEOUT_MS), method)
  local _, answer = next(answers)
  assert(answer and not answer.err, method .. ": " .. vim.inspect(answer))
  return answer.result
end

local function wait_for_diagnostics(is_right)
  vim.wait(TIMEOUT_MS, function()
    return is_right(vim.diagnostic.get(0))
  end, 20)
  return vim.diagnostic.get(0)
end

local function errors(diagnostics)
  return vim.tbl_filter(function(one)
    return one.severity == vim.diagnostic.severity.ERROR
  end, diagnostics)
end

local function session()
  local binary = assert(vim.env.MONOTABLE_BINARY, "MONOTABLE_BINARY names the server")
  local folder = vim.fn.tempname()
  vim.fn.mkdir(folder, "p")
  local path = folder .. "/shop.toml"
  vim.fn.writefile(vim.split(MODEL, "\n"), path)
  vim.cmd("edit " .. path)
  local config = { name = "monotable", cmd = { binary, "model", "lsp" }, root_dir = folder }
  -- Before 0.8, starting a client and attaching it to a buffer were two steps.
  local client = assert((vim.lsp.start or vim.lsp.start_client)(config))
  vim.lsp.buf_attach_client(0, client)

  local found = wait_for_diagnostics(function(all)
    return #errors(all) > 0
  end)
  local first = errors(found)[1] or {}
  check("a mistake is told where it stands", first.lnum == position("custmer").line, found)
  check("it says what was meant", (first.message or ""):find("customer", 1, true) ~= nil, first)

  local at = position("custmer")
  vim.api.nvim_buf_set_text(0, at.line, at.character, at.line, at.character + 7, { "customer" })
  found = wait_for_diagnostics(function(all)
    return #errors(all) == 0
  end)
  check("a mistake that is mended is gone", #errors(found) == 0, found)

  local hover = ask("textDocument/hover", { position = position("\"orders of a customer\"") })
  check("hovering over a pattern shows its key", vim.inspect(hover):find("CUSTOMER#", 1, true) ~= nil, hover)

  local inside = position("{customer:fold}")
  inside.character = inside.character + #"{customer:"
  local offered = ask("textDocument/completion", { position = inside })
  local items = offered and (offered.items or offered) or {}
  local labels = vim.tbl_map(function(item)
    return item.label
  end, items)
  check("the encodings of a template are offered", vim.tbl_contains(labels, "fold"), labels)

  local edit = ask("textDocument/rename", { position = position("status = \"S\""), newName = "state" })
  vim.lsp.util.apply_workspace_edit(edit, vim.lsp.get_client_by_id(client).offset_encoding)
  local text = table.concat(lines(), "\n")
  check("an attribute is renamed", text:find('state = "S"', 1, true) ~= nil, text)
  check("nothing of the old name is left", text:find("status", 1, true) == nil, text)

  vim.lsp.stop_client(client)
  local is_stopped = vim.wait(TIMEOUT_MS, function()
    return vim.lsp.get_client_by_id(client) == nil
  end, 20)
  check("the server ends with the editor", is_stopped, is_stopped)
end

local is_done, reason = xpcall(session, debug.traceback)
check("the session ran to its end", is_done, reason)
say(("%d passed, %d failed"):format(passed, failed))
vim.cmd(failed == 0 and "qall!" or "cquit!")
