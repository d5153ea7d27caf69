"""`%%bid` cells in IPython and Jupyter, which share their names with Python."""

from __future__ import annotations

import html
import re
from fractions import Fraction
from typing import Any

from ._answers import Answer
from ._bid import Chips
from ._game import Function, Game
from ._session import Session, Shown, session
from ._values import Interval, Outcome, Player


class Cell:
    """What a cell has shown: each value with its label."""

    def __init__(self, shown: list[Shown]) -> None:
        self.shown = shown

    def __repr__(self) -> str:
        return "\n".join(map(line, self.shown))

    def _repr_html_(self) -> str:
        return "\n".join(map(block, self.shown))


def line(shown: Shown) -> str:
    """A shown value as text, as `bid run` prints it."""
    text = str(shown.value)
    if shown.label is None:
        return text
    return f"{shown.label}\n{text}" if "\n" in text else f"{shown.label} = {text}"


def block(shown: Shown) -> str:
    """A shown value for a page."""
    value = shown.value
    rich = value._repr_html_() if hasattr(value, "_repr_html_") else f"<code>{html.escape(str(value))}</code>"
    label = "" if shown.label is None else f'<div class="label"><code>{html.escape(shown.label)}</code></div>'
    return f"<div>{label}{rich}</div>"


def run_cell(text: str, namespace: dict[str, Any], target: Session) -> list[Shown]:
    """Runs a cell.

    A name in it that Python knows and whose value the language has is Python's, unless it is a word of the language, or the cell defines it.
    What the cell defines becomes Python's: games as objects, functions as functions.
    """
    defined = set(re.findall(r"(?m)(?:^|;)[ \t]*(?:let|game|rules)[ \t]+([^\W\d]\w*'*)", text))
    taken = set(target.names(builtins=True)) - set(target.names())
    for name in sorted(set(re.findall(r"[^\W\d]\w*", text)) - defined - taken):
        value = namespace.get(name)
        if name in namespace and value is not target._given.get(name, target._given) and _is_value(value, target):
            target.define(name, value)
            target._given[name] = value
    try:
        return target.run(text)
    finally:
        for name in sorted(defined & set(target.names())):
            if name.isidentifier():
                target._given[name] = namespace[name] = target.eval(name)


def _is_value(value: Any, target: Session) -> bool:
    if isinstance(value, (Game, Function)):
        return value.session is target
    if isinstance(value, (list, tuple)):
        return all(_is_value(item, target) for item in value)
    known = (bool, int, Fraction, float, str, Chips, Interval, Answer, Player, Outcome, range)
    return isinstance(value, known)


def load(shell: Any) -> None:
    """Gives a shell the magics `%%bid` and `%bid`."""

    def bid(line: str, cell: str | None = None) -> Any:
        """Runs a cell, or the rest of the line, in the language of bidding games."""
        shown = run_cell(line if cell is None else cell, shell.user_ns, session())
        if cell is None:
            return shown[-1].value if shown else None
        return Cell(shown) if shown else None

    shell.register_magic_function(bid, magic_kind="line_cell", magic_name="bid")
