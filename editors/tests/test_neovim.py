"""Neovim as its user has it: a file of the library is opened, mended, completed, renamed, formatted and saved, by keys and commands."""

import json
import shutil
import time

import pytest

from conftest import BID, ROOT

pynvim = pytest.importorskip("pynvim")
pytestmark = pytest.mark.skipif(shutil.which("nvim") is None, reason="there is no Neovim here")

#: What is written below the definitions of the library's file.
WRITTEN = """
let half = 1/2
let s = ["𝔸∧", half, unknwn]
show R(tictac
show   2 half
"""

#: As docs/editors.md says for this version.
START = """
local name, path = ...
vim.o.swapfile = false
vim.bo.filetype = "bid"
local id = vim.lsp.start_client({ name = "bid", cmd = { path, "lsp" }, root_dir = vim.fn.getcwd() })
vim.lsp.buf_attach_client(0, id)
vim.bo.omnifunc = "v:lua.vim.lsp.omnifunc"
"""

MARKS = """
local marks = {}
for _, mark in ipairs(vim.diagnostic.get(0)) do
  table.insert(marks, { line = mark.lnum, column = mark.col, last = mark.end_col, code = mark.code, message = mark.message })
end
return vim.fn.json_encode(marks)
"""


class Editor:
    """Neovim with a file and the server."""

    def __init__(self, path):
        self.nvim = pynvim.attach("child", argv=["nvim", "--embed", "--headless", "-u", "NONE", "-i", "NONE"])
        self.nvim.command(f"cd {ROOT}")
        self.nvim.command(f"edit {path}")
        self.lua(START, "bid", BID)
        self.until(lambda: self.lua("return #vim.lsp.buf_get_clients(0)") > 0, "the server runs")

    def lua(self, code, *args):
        return self.nvim.exec_lua(code, *args)

    def until(self, holds, what):
        """Waits for something, which it gives back."""
        for _ in range(200):
            if found := holds():
                return found
            time.sleep(0.05)
        raise AssertionError(f"in ten seconds it was not so that {what}: {self.marks()}")

    def marks(self):
        return json.loads(self.lua(MARKS)) or []

    def mark(self, code):
        return next((mark for mark in self.marks() if mark["code"] == code), None)

    def lines(self):
        return self.nvim.current.buffer[:]

    def at(self, part):
        """The line, from 0, and the byte where a text is."""
        return next((line, text.encode().index(part.encode())) for line, text in enumerate(self.lines()) if part in text)

    def go(self, part, beyond=0):
        line, column = self.at(part)
        self.nvim.current.window.cursor = (line + 1, column + beyond)


@pytest.fixture
def editor(tmp_path, monkeypatch):
    for kind in ("CACHE", "DATA", "STATE"):
        monkeypatch.setenv(f"XDG_{kind}_HOME", str(tmp_path / kind.lower()))
    path = tmp_path / "classics.bid"
    path.write_text((ROOT / "games" / "classics.bid").read_text() + WRITTEN)
    editor = Editor(path)
    editor.path = path
    yield editor
    editor.nvim.command("qa!", async_=True)
    editor.nvim.close()


def test_a_file_is_mended(editor):
    # A mark at the right column, behind a letter of four bytes and an operator of three.
    mark = editor.until(lambda: editor.mark("E0201"), "`unknwn` is marked")
    assert (mark["line"], mark["column"]) == editor.at("unknwn")
    assert mark["last"] == mark["column"] + len("unknwn")

    # Completion while one types.
    editor.go("show R(tictac")
    editor.nvim.input("A<C-x><C-o>")
    editor.until(lambda: "show R(tictactoe" in editor.lines(), "`tictactoe` is completed")
    editor.nvim.input(")<Esc>")
    editor.until(lambda: editor.nvim.api.get_mode()["mode"] == "n", "nothing is typed any more")

    # The fix of a diagnostic: the first that is offered.
    editor.lua("vim.ui.select = function(items, _, choose) choose(items[1]) end")
    editor.until(lambda: any(mark["line"] == editor.at("2 half")[0] for mark in editor.marks()), "`2 half` is marked")
    editor.go("half", 0)
    editor.nvim.current.window.cursor = (editor.at("2 half")[0] + 1, editor.at("2 half")[1] + 2)
    editor.lua("vim.lsp.buf.code_action()")
    editor.until(lambda: "show   2 * half" in editor.lines(), "the fix is applied")

    # Another name, everywhere.
    editor.go("let half", len("let "))
    editor.lua("vim.lsp.buf.rename('third')")
    editor.until(lambda: "show   2 * third" in editor.lines(), "`half` is called `third`")
    assert 'let s = ["𝔸∧", third, unknwn]' in editor.lines() and "let third = 1/2" in editor.lines()

    # Layout.
    editor.go("unknwn")
    editor.nvim.input("ciwthird<Esc>")
    editor.until(lambda: editor.marks() == [], "nothing is wrong any more")
    editor.lua("vim.lsp.buf.formatting_sync(nil, 5000)")
    assert "show 2 * third" in editor.lines()

    # What is saved is what is seen, and the program runs it.
    editor.nvim.command("write")
    saved = editor.path.read_text()
    assert saved.splitlines() == editor.lines()
    assert saved.startswith((ROOT / "games" / "classics.bid").read_text())
    assert saved.endswith('let third = 1/2\nlet s = ["𝔸∧", third, third]\nshow R(tictactoe)\nshow 2 * third\n')
