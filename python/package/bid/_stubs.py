"""Writes `_queries.pyi`, what type checkers know of the queries, from the builtins' table: `python -m bid._stubs`."""

from __future__ import annotations

import inspect
import pathlib
from typing import Any

from ._manner import MANNER
from ._queries import QUERIES, signature

HEAD = '''"""Every query of the language that asks a game, as a method. Written by `python -m bid._stubs`."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from inspect import Signature
from typing import Any

from ._answers import Answer, ClosedForm, Facts, Listing, Moves, Nash, Strategy, Table, Tree
from ._bid import Chips
from ._game import Game
from ._manner import Progress, Rules
from ._session import Session
from ._values import Interval, Player

QUERIES: dict[str, dict[str, Any]]

def document(entry: Mapping[str, Any]) -> str: ...
def safe(name: str) -> str: ...
def signature(entry: Mapping[str, Any]) -> Signature: ...
def method(entry: Mapping[str, Any]) -> Callable[..., Any]: ...

class Queries:
    session: Session
'''

MANNERS = {
    "rules": "Rules | None",
    "timeout": "float | None",
    "max_memory": "float | str | None",
    "max_positions": "float | None",
    "progress": "Progress",
}

RESULTS = {
    "a number": "int | Fraction",
    "a number or its bounds": "int | Fraction | Interval",
    "an integer": "int",
    "true or false": "bool",
    "a string": "str",
    "a game": "Game",
    "a list": "list[Any]",
}

BY_NAME = {
    "f": "int | Chips | Table | Any",
    "table": "ClosedForm",
    "strategy": "Strategy",
    "moves": "Moves",
    "tree": "Tree",
    "nash": "Nash",
    "size": "Facts",
    "positions": "list[Game]",
    "classes": "Listing",
}


def stub() -> str:
    """The text of the stub."""
    return HEAD + "".join(map(line, QUERIES.values()))


def line(entry: dict[str, Any]) -> str:
    """A query's line."""
    parameters = []
    seen_keyword = False
    positional = 0
    for parameter in signature(entry).parameters.values():
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY and not seen_keyword:
            seen_keyword = True
            if not entry["variadic"]:
                parameters.append("*")
        kind = MANNERS.get(parameter.name, "Any") if parameter.name in MANNER else "Any"
        if parameter.name == "self":
            parameters.append("self")
        elif parameter.kind is inspect.Parameter.VAR_POSITIONAL:
            parameters.append(f"*{parameter.name}: Any")
        else:
            default = "" if parameter.default is inspect.Parameter.empty else " = ..."
            parameters.append(f"{parameter.name}: {kind}{default}")
        if parameter.kind is inspect.Parameter.POSITIONAL_ONLY:
            positional = len(parameters)
    parameters.insert(positional, "/")
    result = BY_NAME.get(entry["name"], RESULTS.get(entry["result"], "Any"))
    return f"    def {entry['name']}({', '.join(parameters)}) -> {result}: ...\n"


if __name__ == "__main__":
    pathlib.Path(__file__).with_name("_queries.pyi").write_text(stub(), encoding="utf-8")
