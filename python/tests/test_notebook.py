"""In notebooks: `%%bid` cells, the kernel, and the notebooks of the repository."""

import json
import pathlib
import re
import subprocess
import sys

import nbformat
import pytest
from IPython.testing.globalipapp import get_ipython, start_ipython
from jupyter_client.manager import start_new_kernel
from nbclient import NotebookClient

import bid

ENDLESS = "len([k for k in 1..9000000 if k * k % 7 == 5])"
FOLDER = pathlib.Path(__file__).resolve().parent.parent


@pytest.fixture(scope="module")
def shell():
    shell = start_ipython() or get_ipython()
    shell.run_line_magic("load_ext", "bid")
    return shell


def test_a_cell_shares_its_names(shell):
    shell.user_ns.update(n=3, R=5, odd=object())
    cell = shell.run_cell_magic("bid", "", "let half = 1/2\ngame hill = tug(n)\nshow R(hill)\nhalf + n")
    assert repr(cell) == "R(hill) = 1/2\n7/2"
    assert "<code>R(hill)</code> = <math><mfrac><mn>1</mn><mn>2</mn></mfrac></math>" in cell._repr_html_()
    assert repr(shell.run_cell_magic("bid", "", "[1 == 1, 1/2, 2*]")) == "[true, 1/2, 2*]"
    assert shell.user_ns["half"] == bid.eval("1/2") and shell.user_ns["hill"].R() == bid.eval("1/2")
    shell.user_ns["n"] = 4
    assert shell.run_line_magic("bid", "n + half") == bid.eval("9/2")
    shell.user_ns["half"] = bid.eval("1/3")
    assert shell.run_line_magic("bid", "half") == bid.eval("1/3"), "what Python has changed counts"
    shell.run_cell_magic("bid", "", "let square(x) = x * x")
    assert shell.user_ns["square"](12) == 144
    assert shell.run_cell_magic("bid", "", "let nothing = 0") is None
    with pytest.raises(bid.Error, match="E0201"):
        shell.run_cell_magic("bid", "", "odd + 1")


def test_a_cell_takes_options(shell):
    with pytest.raises(bid.Stopped, match="E0903"):
        shell.run_cell_magic("bid", "--timeout 0.05", ENDLESS)
    with pytest.raises(bid.Stopped, match="E0901"):
        shell.run_cell_magic("bid", "--max-positions 10", "size(connect(3, 3, 5))")
    with pytest.raises(bid.Stopped, match="E0902"):
        shell.run_cell_magic("bid", "--max-memory 20M", "R(connect(4, 5, 5))")
    assert repr(shell.run_cell_magic("bid", "--rules '{ ties: gentlemen_first }' --timeout 60", "f(E, 4)")) == "3"
    assert shell.run_line_magic("bid", "-1/2") == bid.eval("-1/2"), "a line is an expression"
    for wrong in ["--tiemout 1", "--timeout", "--timeout soon", "R(E)", "--timeout=1 2", "'"]:
        with pytest.raises(ValueError, match="--timeout SECONDS"):
            shell.run_cell_magic("bid", wrong, "1")
    assert "--timeout SECONDS" in shell.magics_manager.magics["cell"]["bid"].__doc__


def test_what_python_alone_can_use_is_left_to_it(shell):
    itself: list = []
    itself.append(itself)
    shell.user_ns.update(itself=itself, mixed=[1, object()], numbers=iter([1, 2]), many=[1, 2])
    assert shell.run_line_magic("bid", "many") == [1, 2]
    for name in ["itself", "mixed", "numbers"]:
        with pytest.raises(bid.Error, match="E0201"):
            shell.run_line_magic("bid", name)
    assert list(shell.user_ns["numbers"]) == [1, 2]


def test_errors_of_a_cell_are_shown_without_the_way_to_them(shell):
    try:
        bid.eval("R(")
    except bid.Error as error:
        assert error._render_traceback_()[0] == "Error"
        assert any("R(" in line for line in error._render_traceback_())


@pytest.fixture(scope="module")
def kernels(tmp_path_factory):
    """A folder with the kernel installed as the README says, but below a prefix."""
    prefix = tmp_path_factory.mktemp("kernels")
    subprocess.run([sys.executable, "-m", "bid.kernel", "install", "--prefix", str(prefix)], check=True)
    folder = prefix / "share" / "jupyter"
    assert json.loads((folder / "kernels" / "bid" / "kernel.json").read_text())["language"] == "bid"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("JUPYTER_PATH", str(folder))
        yield folder


@pytest.fixture
def client(kernels):
    manager, client = start_new_kernel(kernel_name="bid")
    yield manager, client
    client.stop_channels()
    manager.shutdown_kernel(now=True)


def messages(client, identifier):
    """What a request brings on the channel for all, until the kernel is idle again."""
    found = []
    while True:
        message = client.get_iopub_msg(timeout=60)
        if message["parent_header"].get("msg_id") != identifier:
            continue
        if message["msg_type"] == "status" and message["content"]["execution_state"] == "idle":
            return found
        found.append((message["msg_type"], message["content"]))


def reply(client, identifier):
    """What a request is answered with."""
    while True:
        message = client.get_shell_msg(timeout=60)
        if message["parent_header"].get("msg_id") == identifier:
            return message["content"]


def test_the_kernel_answers(client):
    _, client = client
    found = dict(messages(client, client.execute("let half = 1/2\nshow half + 1\nf(E, 0..3)")))
    assert found["display_data"]["data"]["text/plain"] == "half + 1 = 3/2"
    result = found["execute_result"]["data"]
    assert result["text/plain"].startswith("k") and "<table>" in result["text/html"] and "tabular" in result["text/latex"]
    result = dict(messages(client, client.execute("[1 == 1, 1/2]")))["execute_result"]["data"]
    assert result["text/plain"] == "[true, 1/2]" and "frac" in result["text/latex"]
    result = dict(messages(client, client.execute("plot(f(E, 0..9))")))["execute_result"]["data"]
    assert result["image/svg+xml"].startswith("<svg")
    error = dict(messages(client, client.execute("R(ultimtum(5))")))["error"]
    assert error["ename"] == "Error" and "did you mean `ultimatum`?" in "\n".join(error["traceback"])
    told = dict(messages(client, client.execute("graph { start 0; both 0 -> 1, A }")))["stream"]
    assert told["name"] == "stderr" and "W0402" in told["text"]
    assert "R(G)" in dict(messages(client, client.execute(":help R")))["stream"]["text"]


def test_the_kernel_completes_and_explains(client):
    _, client = client
    found = reply(client, client.complete("show R(tictac", 13))
    assert "tictactoe" in found["matches"] and (found["cursor_start"], found["cursor_end"]) == (7, 13)
    found = reply(client, client.inspect("R(tictactoe)", 1))
    assert found["found"] and found["data"]["text/plain"].startswith("R(G)")
    assert reply(client, client.is_complete("f(E,"))["status"] == "incomplete"


def test_the_kernel_tells_progress_and_is_interrupted(client):
    manager, client = client
    identifier = client.execute("size(connect(4, 5, 5))")
    while True:
        message = client.get_iopub_msg(timeout=60)
        if message["msg_type"] == "display_data":
            assert re.match(r"[a-z ]+: [\d,]+", message["content"]["data"]["text/plain"])
            break
    manager.interrupt_kernel()
    found = messages(client, identifier)
    assert ("error", "KeyboardInterrupt") in [(kind, content.get("ename")) for kind, content in found]
    assert dict(messages(client, client.execute("1 + 1")))["execute_result"]["data"]["text/plain"] == "2"


def shown(code):
    """The outputs that a notebook with one cell holds after it has been run by a kernel of its own."""
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(code)])
    notebook.metadata["kernelspec"] = {"name": "bid", "display_name": "Bidding games", "language": "bid"}
    NotebookClient(notebook, timeout=120, allow_errors=True, interrupt_on_timeout=True).execute()
    return notebook.cells[0].outputs


def test_a_notebook_keeps_what_a_long_cell_has_shown(kernels):
    """Its progress goes away; its error, its warnings and its values stay."""
    long = "len([k for k in 1..600000 if k * k % 7 == 5])"
    outputs = shown(f"{long} + R(E)\nR(ultimtum(5))".replace("ultimtum(5)", f"[{long}][7]"))
    assert outputs[-1]["output_type"] == "error" and "element 7" in outputs[-1]["evalue"] or "E0" in outputs[-1]["evalue"]
    outputs = shown(f"graph {{ start 0; both 0 -> 1, A }}\n{long}\n1 / 0")
    assert [output["output_type"] for output in outputs] == ["stream", "display_data", "display_data", "error"]
    assert "W0402" in outputs[0]["text"] and "divi" in "\n".join(outputs[-1]["traceback"])
    assert outputs[2]["data"]["text/plain"] == "0"
    outputs = shown(f"show {long}\n1 + 1")
    assert [output["data"]["text/plain"] for output in outputs] == [f"{long} = 0", "2"]


def test_the_kernel_keeps_the_protocol(kernels, tmp_path):
    """jupyter_kernel_test's own tests."""
    test = tmp_path / "test_protocol.py"
    test.write_text(
        "import unittest, jupyter_kernel_test\n"
        "class Bid(jupyter_kernel_test.KernelTests):\n"
        "    kernel_name = 'bid'\n"
        "    language_name = 'bid'\n"
        "    file_extension = '.bid'\n"
        "    code_execute_result = [{'code': '1 + 2', 'result': '3'}]\n"
        "    code_generate_error = 'R('\n"
        "    code_stderr = 'graph { start 0; both 0 -> 1, A }'\n"
        "    code_hello_world = ''\n"
        "    completion_samples = [{'text': 'R(tictac', 'matches': {'tictactoe'}}]\n"
        "    complete_code_samples = ['R(E)', 'let x = 1']\n"
        "    incomplete_code_samples = ['R(', 'let x =']\n"
        "    code_inspect_sample = 'R'\n"
        "    code_display_data = [{'code': 'show f(E, 0..3)\\n1', 'mime': 'text/html'}]\n"
        "if __name__ == '__main__': unittest.main()\n"
    )
    ran = subprocess.run([sys.executable, str(test)], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    assert int(re.search(r"Ran (\d+) tests", ran.stderr)[1]) >= 8


def told(cell) -> list[str]:
    """What a cell shows, without what differs from run to run: text, and which other forms there are."""
    found = []
    for output in cell.get("outputs", []):
        if output["output_type"] == "stream":
            if "% Completed" not in output["text"]:  # a progress bar
                found.append(output["text"])
        elif output["output_type"] == "error":
            found.append(f"{output['ename']}: {output['evalue']}")
        else:
            data = output["data"]
            found.append(f"{data.get('text/plain', '')}\n{sorted(data)}")
    return found


@pytest.mark.parametrize("path", sorted((FOLDER / "notebooks").glob("*.ipynb")), ids=lambda path: path.stem)
def test_a_notebook_shows_what_it_showed(path, kernels):
    written = nbformat.read(path, as_version=4)
    if "pygambit" in path.read_text():
        pytest.importorskip("pygambit")
    run = nbformat.read(path, as_version=4)
    for cell in run.cells:
        cell.pop("outputs", None)
        if cell.cell_type == "code":
            cell.outputs = []
    NotebookClient(run, timeout=120).execute()
    code = [cell for cell in written.cells if cell.cell_type == "code"]
    assert sum(len(cell.outputs) for cell in code) >= 4
    for before, after in zip(code, (cell for cell in run.cells if cell.cell_type == "code")):
        assert told(after) == told(before), before.source


def test_there_are_four_notebooks():
    assert len(list((FOLDER / "notebooks").glob("*.ipynb"))) == 4
