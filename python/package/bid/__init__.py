"""Bidding games: the engine of `bid` with exact values, games as objects, graphs of networkx, and notebooks.

>>> import bid
>>> bid.eval("R(A ∧ (A^2 ∧ B^3))")
Fraction(9, 32)
>>> g = bid.session().game("connect", 3, 3, 3)
>>> g.R()
Fraction(263, 512)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._answers import (
    Advice,
    Answer,
    ClosedForm,
    Decided,
    Exceptional,
    Facts,
    Formula,
    LetMove,
    Listing,
    MixedBid,
    Move,
    Moves,
    Nash,
    Rules,
    Strategy,
    Table,
    Tree,
    TreeMove,
    TreeNode,
    ValuedMove,
)
from ._bid import VERSION as __version__
from ._bid import Chips, explain
from ._errors import BidWarning, CheckFailed, Diagnostic, Error, Span, Stopped
from ._game import Function, Game
from ._manner import checked as _checked
from ._session import Session, Shown, session
from ._values import Interval, Never, Outcome, Player

if TYPE_CHECKING:
    from collections.abc import Mapping

    import networkx
    from typing_extensions import Unpack

    from ._manner import Manner as _Manner

__all__ = [
    "__version__",
    "Advice",
    "Answer",
    "BidWarning",
    "CheckFailed",
    "Chips",
    "ClosedForm",
    "Decided",
    "Diagnostic",
    "Error",
    "Exceptional",
    "Facts",
    "Formula",
    "Function",
    "Game",
    "Interval",
    "LetMove",
    "Listing",
    "MixedBid",
    "Move",
    "Moves",
    "Nash",
    "Never",
    "Outcome",
    "Player",
    "Rules",
    "Session",
    "Shown",
    "Span",
    "Stopped",
    "Strategy",
    "Table",
    "Tree",
    "TreeMove",
    "TreeNode",
    "ValuedMove",
    "eval",
    "explain",
    "graph",
    "load",
    "never",
    "run",
    "session",
    "text",
]

never = Never.never
"""The answer where no number of chips suffices."""


@_checked
def eval(
    text: str,
    names: Mapping[str, Any] | None = None,
    **asked: Unpack[_Manner],
) -> Any:
    """The value of an expression in the thread's own session, see `Session.eval`.

    >>> bid.eval("f(E, 3)")
    2
    """
    return session().eval(text, names, **asked)


@_checked
def run(
    text: str,
    names: Mapping[str, Any] | None = None,
    **asked: Unpack[_Manner],
) -> list[Shown]:
    """Runs a program in the thread's own session, see `Session.run`."""
    return session().run(text, names, **asked)


def text(value: Any, format: str = "text") -> str:
    """A value as the language writes it, see `Session.text`.

    >>> bid.text(bid.eval("[A^2, true]"), "json")
    '{"type":"list","items":[{"type":"game","value":"A^2"},{"type":"bool","value":true}]}'
    """
    return session().text(value, format)


def load(path: str) -> None:
    """Makes what a file defines visible in the thread's own session."""
    session().load(path)


def graph(graph: networkx.Graph, start: Any = None, title: str = "") -> Game:
    """The game on a graph of networkx, in the thread's own session.

    `start` is the node where the game begins (or the graph's attribute `start`). Edges may say whose they are by `player` ("alice", "bob", "both", which is
    the default), and have a `score` and a `weight`; nodes may have one of `win` ("alice", "bob"), `draw` and `score`, and `turn`, `weight`,
    `priority`, `accepting`, `income_alice` and `income_bob`. An edge without
    direction leads both ways. Nodes are integers, texts and tuples of them. A float counts as the decimal that Python prints.

    >>> import networkx
    >>> path = networkx.path_graph(5)
    >>> path.nodes[0]["win"], path.nodes[4]["win"] = "bob", "alice"
    >>> bid.graph(path, start=1).R()
    Fraction(3, 4)
    """
    return session().graph(graph, start, title)


def load_ipython_extension(shell: Any) -> None:
    """Defines `%%bid` cells and `%bid` lines, for `%load_ext bid`."""
    from ._magic import load

    load(shell)
