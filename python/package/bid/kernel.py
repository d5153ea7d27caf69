"""A Jupyter kernel for notebooks in the language of bidding games: `python -m bid.kernel install`."""

# mypy: allow-untyped-calls

from __future__ import annotations

import json
import os
import sys
import tempfile
import warnings
from typing import Any

from ipykernel.kernelapp import IPKernelApp
from ipykernel.kernelbase import Kernel

from ._answers import Answer
from ._bid import VERSION
from ._errors import BidWarning, Error
from ._magic import block, line
from ._session import Session, Shown


class BidKernel(Kernel):
    """Cells are programs: what they define stays defined, and what they show is shown."""

    implementation = "bid"
    implementation_version = VERSION
    banner = "bid: bidding games. `:help NAME` explains a word."
    language = "bid"
    language_info = {
        "name": "bid",
        "mimetype": "text/x-bid",
        "file_extension": ".bid",
        "codemirror_mode": "rust",
        "pygments_lexer": "text",
    }
    help_links: list[dict[str, str]] = []

    def __init__(self, **named: Any) -> None:
        super().__init__(**named)
        self.session_of_games = Session("games/classics.bid")

    async def do_execute(
        self,
        code: str,
        silent: bool,
        store_history: bool = True,
        user_expressions: dict[str, str] | None = None,
        allow_stdin: bool = False,
        **_: Any,
    ) -> dict[str, Any]:
        """Runs a cell."""
        if not code.strip():
            return self._done()
        if code.lstrip().startswith(":help"):
            return self._help(code.split()[1:], silent)
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always", BidWarning)
            shown, failure = self._run(code, silent)
        if not silent:
            for warning in told:
                self._stream("stderr", f"{warning.message}\n")
        if failure is not None:
            if not silent:
                for each in shown:
                    self.send_response(self.iopub_socket, "display_data", {**self._bundle(each), "transient": {}})
            name, text = ("KeyboardInterrupt", "interrupted") if isinstance(failure, KeyboardInterrupt) else (
                type(failure).__name__, str(failure)
            )
            return self._failed(name, text, silent)
        if not silent:
            for each in shown[:-1]:
                self.send_response(self.iopub_socket, "display_data", {**self._bundle(each), "transient": {}})
            if shown:
                result = {**self._bundle(shown[-1]), "execution_count": self.execution_count}
                self.send_response(self.iopub_socket, "execute_result", result)
        return self._done()

    def _run(self, code: str, silent: bool) -> tuple[list[Shown], KeyboardInterrupt | Error | None]:
        """The values that a cell shows, and its failure. Its progress is taken away before anything else is sent, since all of its output goes
        away with it."""
        progress = None if silent else _Progress(self)
        try:
            return self.session_of_games.run(code, progress=progress or False), None
        except Error as failure:
            return failure.shown, failure
        except KeyboardInterrupt as failure:
            return [], failure
        finally:
            if progress is not None:
                progress.clear()

    async def do_complete(self, code: str, cursor_pos: int) -> dict[str, Any]:
        """The completions at the cursor."""
        start, matches = self.session_of_games.complete(code, cursor_pos)
        return {
            "status": "ok", "matches": matches, "cursor_start": start, "cursor_end": cursor_pos, "metadata": {},
        }

    async def do_inspect(
        self, code: str, cursor_pos: int, detail_level: int = 0, omit_sections: tuple[str, ...] = ()
    ) -> dict[str, Any]:
        """The help on the word at the cursor."""
        text = self.session_of_games.describe(code, cursor_pos)
        data = {} if text is None else {"text/plain": text}
        return {"status": "ok", "found": text is not None, "data": data, "metadata": {}}

    async def do_is_complete(self, code: str) -> dict[str, str]:
        """Whether a cell in a console is whole."""
        if self.session_of_games._engine.is_incomplete(code):
            return {"status": "incomplete", "indent": "    "}
        return {"status": "complete"}

    def _bundle(self, shown: Shown) -> dict[str, Any]:
        """A value in the forms that a notebook may show."""
        session = self.session_of_games
        data = {
            "text/plain": line(shown, session),
            "text/html": block(shown, session),
            "text/latex": session.text(shown.value, "latex"),
        }
        if isinstance(shown.value, Answer) and (svg := shown.value._repr_svg_()) is not None:
            data["image/svg+xml"] = svg
        return {"data": data, "metadata": {}}

    def _done(self) -> dict[str, Any]:
        return {"status": "ok", "execution_count": self.execution_count, "payload": [], "user_expressions": {}}

    def _help(self, words: list[str], silent: bool) -> dict[str, Any]:
        for word in words:
            text = self.session_of_games.help(word)
            if not silent:
                self._stream("stdout", (text or f"nothing is known about `{word}`") + "\n")
        return self._done()

    def _stream(self, name: str, text: str) -> None:
        self.send_response(self.iopub_socket, "stream", {"name": name, "text": text})

    def _failed(self, name: str, text: str, silent: bool) -> dict[str, Any]:
        content = {"ename": name, "evalue": text.splitlines()[0], "traceback": text.splitlines()}
        if not silent:
            self.send_response(self.iopub_socket, "error", content)
        return {"status": "error", "execution_count": self.execution_count, **content}


class _Progress:
    """How far the work has come, on a line that is taken away at the end."""

    def __init__(self, kernel: BidKernel) -> None:
        self._kernel = kernel
        self._is_shown = False

    def __call__(self, stage: str, done: int, total: int | None) -> None:
        far = f"{done:,}" if total is None else f"{done:,} of {total:,}"
        data = {"data": {"text/plain": f"{stage}: {far}"}, "metadata": {}, "transient": {"display_id": "bid-progress"}}
        if self._is_shown:
            self._kernel.send_response(self._kernel.iopub_socket, "clear_output", {"wait": True})
        self._kernel.send_response(self._kernel.iopub_socket, "display_data", data)
        self._is_shown = True

    def clear(self) -> None:
        """Takes the line away."""
        if self._is_shown:
            self._kernel.send_response(self._kernel.iopub_socket, "clear_output", {"wait": False})
            self._is_shown = False


SPECIFICATION = {
    "argv": [sys.executable, "-m", "bid.kernel", "-f", "{connection_file}"],
    "display_name": "Bidding games",
    "language": "bid",
    "interrupt_mode": "signal",
}


def install(arguments: list[str]) -> None:
    """Installs the kernel for this user, or below `--prefix DIR`, or with `--sys-prefix` in this environment."""
    from jupyter_client.kernelspec import KernelSpecManager

    prefix = None
    if "--sys-prefix" in arguments:
        prefix = sys.prefix
    elif "--prefix" in arguments:
        prefix = arguments[arguments.index("--prefix") + 1]
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "kernel.json"), "w", encoding="utf-8") as file:
            json.dump(SPECIFICATION, file, indent=1)
        manager = KernelSpecManager()
        place = manager.install_kernel_spec(folder, "bid", user=prefix is None, prefix=prefix)
    print(f"installed the kernel in {place}")


if __name__ == "__main__":
    if sys.argv[1:2] == ["install"]:
        install(sys.argv[2:])
    else:
        IPKernelApp.launch_instance(kernel_class=BidKernel)
