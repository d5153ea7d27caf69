"""Examples in docstrings and in the README, the type stubs."""

import doctest
import importlib.metadata
import pathlib
import re
import subprocess
import sys
from fractions import Fraction

import pytest

import bid
import bid._answers
import bid._game
import bid._magic
import bid._session
import bid._stubs
import bid._values
import bid.distributed
from bid._queries import QUERIES

FOLDER = pathlib.Path(__file__).resolve().parent.parent
NAMES = {name: getattr(bid, name) for name in bid.__all__} | {"bid": bid, "Fraction": Fraction}


def run(examples: list[doctest.DocTest]) -> int:
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    for example in examples:
        runner.run(example)
    assert runner.failures == 0
    return runner.tries


@pytest.mark.parametrize("module", [bid, bid._values, bid._session, bid._game, bid._answers, bid._magic, bid.distributed])
def test_examples_of_a_module(module):
    finder = doctest.DocTestFinder(exclude_empty=True)
    names = {**vars(module), **NAMES}
    tests = [test for test in finder.find(module, globs=names) if ".Queries." not in test.name]
    run(tests)


def test_examples_of_chips():
    test = doctest.DocTestParser().get_doctest(bid.Chips.__doc__, dict(NAMES), "Chips", None, 0)
    assert run([test]) == 2


@pytest.mark.parametrize("name", sorted(QUERIES))
def test_examples_of_a_query(name):
    document = getattr(bid.Game, name).__doc__
    tries = run([doctest.DocTestParser().get_doctest(document, {"bid": bid}, name, None, 0)])
    assert tries == (0 if name == "play" else len(QUERIES[name]["examples"]))


def test_examples_of_the_readme(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    failed, tried = doctest.testfile(str(FOLDER / "README.md"), module_relative=False, encoding="utf-8")
    assert failed == 0 and tried > 25


def test_the_stub_of_the_queries_is_what_the_table_gives():
    written = (pathlib.Path(bid.__file__).parent / "_queries.pyi").read_text(encoding="utf-8")
    assert written == bid._stubs.stub(), "run `python -m bid._stubs`"
    assert (pathlib.Path(bid.__file__).parent / "py.typed").exists()


def test_the_stubs_fit_the_module():
    command = [sys.executable, "-m", "mypy.stubtest", "bid._bid", "bid._queries", "--ignore-disjoint-bases"]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stdout + found.stderr


def test_the_distribution_says_what_it_is():
    """Its name is another than the module's, which somebody else's package has."""
    told = importlib.metadata.metadata("bid-games")
    assert bid.__version__ == told["Version"] and re.fullmatch(r"\d+\.\d+\.\d+", bid.__version__)
    assert told["License-Expression"] == "MIT OR Apache-2.0"
    files = importlib.metadata.files("bid-games")
    [licence] = [file for file in files if file.name == "LICENSE"]
    assert "MIT License" in licence.read_text() and "Apache License" in licence.read_text()
    assert {str(file.parent) for file in files if file.name == "__init__.py"} == {"bid"}


def test_the_package_is_typed(tmp_path):
    """The package itself, and a program that uses it; one that uses it wrongly is found out."""
    (tmp_path / "right.py").write_text("import bid\nvalue: str = bid.eval('A')\ngame = bid.session().game('tug', 3)\ngame.positions()[0].tree(depth=2).nodes\n")
    (tmp_path / "wrong.py").write_text(
        "import bid\nbid.session().game('tug', 3).tree(colour='red')\nbid.eval('1', tiemout=3)\nbid.session().run('1', names={}, x=1)\n"
    )

    def check(*what: str) -> str:
        command = [sys.executable, "-m", "mypy", "--strict", "--ignore-missing-imports", *what]
        return subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path).stdout

    assert check("-p", "bid").startswith("Success")
    assert check("right.py").startswith("Success")
    wrong = check("wrong.py")
    assert 'Unexpected keyword argument "colour" for "tree"' in wrong
    assert 'Unexpected keyword argument "tiemout" for "eval"' in wrong and 'Unexpected keyword argument "x" for "run"' in wrong
