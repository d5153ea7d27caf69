#!/usr/bin/env python3
"""Makes docs/editor.svg: Neovim in a terminal with a file of the language, as it stands there.

    cargo build --release
    BID=target/release/bid python3 editors/picture.py

It needs Neovim, tmux and a C compiler. The server, the colours by tree-sitter and the marks are the real ones. Neovim 0.7 does not show values beside
the text by itself, as 0.10 does; here some lines of Lua ask the server for them.
"""

import html
import os
import pathlib
import re
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
GRAMMAR = ROOT / "editors" / "tree-sitter-bid"
BID = pathlib.Path(os.environ.get("BID", ROOT / "target" / "release" / "bid")).resolve()
COLUMNS, LINES = 94, 17

TEXT = """\
/// A hill between two ends, where one more step wins.
game hill(n) = graph {
    start 0
    both i <-> i + 1 for i in -n .. n - 1
    alice n -> A
    bob   -n -> B
}

let half = 1/2
show R(hill(2))
show f(hill(2), 0..7)
show R(A ∧ B^2) - hafl

test "steep" {
    check R(hill(2) ∧ A) == 1/2
}
"""

START = """
vim.o.swapfile, vim.o.termguicolors, vim.o.number, vim.o.laststatus, vim.o.ruler = false, true, true, 0, false
vim.o.showmode, vim.o.fillchars, vim.o.signcolumn, vim.o.shortmess = false, "eob: ", "no", "atIF"
vim.cmd("highlight clear")
for name, look in pairs({ Normal = "guifg=#24292f guibg=#ffffff", LineNr = "guifg=#afb8c1", Keyword = "guifg=#cf222e", Operator = "guifg=#cf222e",
  Number = "guifg=#0550ae", String = "guifg=#0a3069", Comment = "guifg=#6e7781", Constant = "guifg=#0550ae", Function = "guifg=#8250df",
  Type = "guifg=#953800", Value = "guifg=#1a7f37 gui=italic", DiagnosticError = "guifg=#d1242f", DiagnosticWarn = "guifg=#9a6700",
  DiagnosticUnderlineError = "gui=underline guifg=#d1242f", DiagnosticUnderlineWarn = "gui=underline" }) do
  vim.cmd("highlight " .. name .. " " .. look)
end
vim.diagnostic.config({ virtual_text = { prefix = "■" } })
local highlighter = require("vim.treesitter.highlighter")
for capture, group in pairs({ keyword = "Keyword", ["keyword.operator"] = "Keyword", ["keyword.player"] = "Constant", ["keyword.boolean"] = "Constant",
  number = "Number", string = "String", comment = "Comment", ["constant.builtin"] = "Constant", ["function"] = "Function", ["function.call"] = "Function",
  ["punctuation.bracket"] = "Normal", ["punctuation.delimiter"] = "Normal", type = "Type", operator = "Normal", property = "Normal", variable = "Normal", ["variable.parameter"] = "Normal" }) do
  highlighter.hl_map[capture] = group
end
vim.bo.filetype = "bid"
highlighter.new(vim.treesitter.get_parser(0, "bid"))
local id = vim.lsp.start_client({ name = "bid", cmd = { "PROGRAM", "lsp" }, root_dir = vim.fn.getcwd() })
vim.lsp.buf_attach_client(0, id)
local values = vim.api.nvim_create_namespace("values")
vim.defer_fn(function()
  local whole = { start = { line = 0, character = 0 }, ["end"] = { line = 99, character = 0 } }
  local asked = { textDocument = vim.lsp.util.make_text_document_params(), range = whole }
  vim.lsp.buf_request(0, "textDocument/inlayHint", asked, function(_, hints)
    for _, hint in ipairs(hints or {}) do
      vim.api.nvim_buf_set_extmark(0, values, hint.position.line, 0, { virt_text = { { " " .. hint.label, "Value" } } })
    end
  end)
end, 4000)
"""


def tmux(*words):
    return subprocess.run(["tmux", "-L", "bid-picture", *words], check=True, capture_output=True, text=True).stdout


def screen(folder):
    """What the terminal shows after a while, with its colours."""
    subprocess.run(
        ["cc", "-O2", "-shared", "-fPIC", f"-I{GRAMMAR}/src", "-o", folder / "parser" / "bid.so", GRAMMAR / "src" / "parser.c", GRAMMAR / "src" / "scanner.c"],
        check=True,
    )
    (folder / "queries" / "bid").mkdir(parents=True)
    (folder / "queries" / "bid" / "highlights.scm").write_text((GRAMMAR / "queries" / "highlights.scm").read_text())
    (folder / "start.lua").write_text(START.replace("PROGRAM", str(BID)))
    (folder / "hill.bid").write_text(TEXT)
    nvim = f"nvim -u NONE -i NONE --cmd 'set rtp^={folder}' -c 'luafile {folder}/start.lua' hill.bid"
    tmux("new-session", "-d", "-x", str(COLUMNS), "-y", str(LINES), "-c", str(folder), f"TERM=xterm-256color COLORTERM=truecolor {nvim}")
    try:
        time.sleep(8)
        return tmux("capture-pane", "-e", "-p")
    finally:
        tmux("kill-server")


def runs(line, style):
    """The pieces of a line, each with how it looks; the style goes on in the next line."""
    found = []
    for codes, text in re.findall(r"(?:\x1b\[([0-9;]*)m)?([^\x1b]*)", line):
        numbers = [int(code or 0) for code in codes.split(";")] if codes or (codes == "" and not text) else []
        while numbers:
            code = numbers.pop(0)
            if code == 0:
                style = {}
            elif code == 38 and numbers[:1] == [2]:
                style = {**style, "fill": "#%02x%02x%02x" % tuple(numbers[1:4])}
                numbers = numbers[4:]
            elif code == 48 and numbers[:1] == [2]:
                numbers = numbers[4:]
            elif code in (1, 3, 4):
                name, value = {1: ("font-weight", "bold"), 3: ("font-style", "italic"), 4: ("text-decoration", "underline")}[code]
                style = {**style, name: value}
            elif code in (39, 24, 23, 22):
                style = {key: value for key, value in style.items() if key != {39: "fill", 24: "text-decoration", 23: "font-style", 22: "font-weight"}[code]}
        if text:
            found.append((text, style))
    return found, style


def svg(shown):
    width, height, left, top = 8.4, 19, 12, 26
    lines = shown.rstrip("\n").split("\n")
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{COLUMNS * width + 2 * left:.0f}" height="{len(lines) * height + top:.0f}" '
        f'font-family="ui-monospace, DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="14">',
        '<title>A file of the language in Neovim: a mistake is marked, and values stand beside the text</title>',
        '<rect width="100%" height="100%" rx="6" fill="#ffffff" stroke="#d0d7de"/>',
    ]
    style = {}
    for row, line in enumerate(lines):
        column = 0
        pieces, style = runs(line, style)
        for text, look in pieces:
            attributes = "".join(f' {key}="{value}"' for key, value in {"fill": "#24292f", **look}.items())
            if text.strip():
                begin = column + len(text) - len(text.lstrip())
                body = html.escape(text.strip(), quote=False)
                out.append(
                    f'<text x="{left + begin * width:.1f}" y="{top + row * height}" textLength="{len(text.strip()) * width:.1f}" '
                    f'xml:space="preserve"{attributes}>{body}</text>'
                )
            column += len(text)
    return "\n".join([*out, "</svg>"]) + "\n"


def main():
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "parser").mkdir()
        (ROOT / "docs" / "editor.svg").write_text(svg(screen(folder)))


if __name__ == "__main__":
    main()
