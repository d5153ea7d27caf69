"""`%%bid` cells in IPython and Jupyter, which share their names with Python."""

from __future__ import annotations

import argparse
import html
import re
import shlex
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from ._answers import Answer
from ._bid import Chips
from ._errors import Error
from ._game import Function, Game
from ._session import Session, Shown, session
from ._values import Interval, Outcome, Player


class Cell:
    """The values that a cell has shown: each value with its label, as the language writes them."""

    def __init__(self, shown: list[Shown], session: Session) -> None:
        self.shown = shown
        self.session = session

    def __repr__(self) -> str:
        return "\n".join(line(each, self.session) for each in self.shown)

    def _repr_html_(self) -> str:
        return "\n".join(block(each, self.session) for each in self.shown)


def line(shown: Shown, session: Session) -> str:
    """A shown value as text, as `bid run` prints it."""
    text = session.text(shown.value)
    if shown.label is None:
        return text
    return f"{shown.label}\n{text}" if "\n" in text else f"{shown.label} = {text}"


def block(shown: Shown, session: Session) -> str:
    """A shown value for a page: a game with its first optimal moves, other values as `html` writes them."""
    value = shown.value
    rich = value._repr_html_() if isinstance(value, Game) else session.text(value, "html")
    if shown.label is None:
        return rich
    label = f"<code>{html.escape(shown.label)}</code>"
    is_short = "\n" not in session.text(value) and not isinstance(value, (Answer, Game))
    return rich.replace("<div>", f"<div>{label} = ", 1) if is_short else f'<div class="label">{label}</div>{rich}'


def run_cell(text: str, namespace: dict[str, Any], target: Session, **asked: Any) -> list[Shown]:
    """Runs a cell.

    A name in it that Python knows and whose value the language has is Python's, unless it is a word of the language, or the cell defines it.
    What the cell defines becomes Python's: games as objects, functions as functions.
    """
    defined = set(re.findall(r"(?m)(?:^|;)[ \t]*(?:let|game|rules)[ \t]+([^\W\d]\w*'*)", text))
    taken = set(target.names(builtins=True)) - set(target.names())
    for name in sorted(set(re.findall(r"[^\W\d]\w*", text)) - defined - taken):
        value = namespace.get(name)
        if name in namespace and value is not target._given.get(name, target._given) and isinstance(value, _VALUES):
            try:
                target.define(name, value)
            except (TypeError, ValueError):
                # A list of other things, or one that holds itself, is Python's own business.
                continue
            target._given[name] = value
    try:
        return target.run(text, **asked)
    finally:
        for name in sorted(defined & set(target.names())):
            if name.isidentifier():
                target._given[name] = namespace[name] = target.eval(name)


_VALUES = (bool, int, Fraction, float, str, Chips, Interval, Answer, Player, Outcome, range, list, tuple, Game, Function)
"""Classes of values of the language; other things that can be iterated over would lose their elements to the attempt."""

_OPTIONS = argparse.ArgumentParser(prog="%%bid", add_help=False, allow_abbrev=False, exit_on_error=False)
_OPTIONS.add_argument("--timeout", type=float)
_OPTIONS.add_argument("--max-memory")
_OPTIONS.add_argument("--max-positions", type=int)
_OPTIONS.add_argument("--rules")


def options(line: str) -> dict[str, Any]:
    """The options after `%%bid`, as keywords of `Session.run`.

    >>> options("--timeout 1.5 --rules '{ ties: marker }'")
    {'timeout': 1.5, 'rules': '{ ties: marker }'}
    """
    known = "--timeout SECONDS, --max-memory SIZE, --max-positions NUMBER, --rules RULES"
    try:
        found, rest = _OPTIONS.parse_known_args(shlex.split(line))
    except (argparse.ArgumentError, SystemExit, ValueError) as wrong:
        raise ValueError(f"%%bid {line}: {wrong}; it takes {known}") from None
    if rest:
        raise ValueError(f"%%bid takes no {rest[0]!r}, but {known}; the program begins on the next line")
    return {name: value for name, value in vars(found).items() if value is not None}


def load(shell: Any) -> None:
    """Gives a shell the magics `%%bid` and `%bid`."""

    from IPython.display import display

    show: Callable[[Any], object] = display

    def bid(line: str, cell: str | None = None) -> Any:
        """Runs a cell, or the rest of the line, in the language of bidding games.

        `%%bid --timeout SECONDS --max-memory SIZE --max-positions NUMBER --rules RULES` limits a cell, and sets its rules.
        """
        if cell is None:
            shown = run_cell(line, shell.user_ns, session())
            return shown[-1].value if shown else None
        try:
            shown = run_cell(cell, shell.user_ns, session(), **options(line))
        except Error as failure:
            if failure.shown:
                show(Cell(failure.shown, session()))
            raise
        return Cell(shown, session()) if shown else None

    shell.register_magic_function(bid, magic_kind="line_cell", magic_name="bid")
