"""Games as objects, and functions of a session."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Callable, NoReturn, Union

from ._answers import Move, ValuedMove
from ._bid import Chips, GameRef, replace
from ._manner import Manner, checked
from ._queries import Queries
from ._values import Outcome, Player

if TYPE_CHECKING:
    import networkx
    from typing_extensions import Unpack

    from ._session import Session

Holding = Union[int, str, Chips]


class Game(Queries):
    """A game, which is a position, in a session.

    Its methods are the queries of the language: `g.R()`, `g.f(range(16))`, `g.outcome("4*", 4)`, `g.strategy("4*", 4)`. Chips are integers, texts like
    "4*", or `Chips`. Named arguments of the language are keywords; besides, every method takes `rules`, `timeout`, `max_memory`, `max_positions` and
    `progress`, as `Session.eval` does.

    >>> g = bid.eval("A ∧ (A^2 ∧ B^3)")
    >>> g.R()
    Fraction(9, 32)
    >>> g.f(range(4))[3]
    1
    """

    __slots__ = ("session", "_reference", "_home", "__weakref__")
    session: Session
    _reference: GameRef
    _home: str
    """A name of the session that the game comes from: it goes back there when it returns to its process."""

    def __init__(self, session: Session, reference: GameRef) -> None:
        self.session = session
        self._reference = reference
        self._home = session._token

    def __str__(self) -> str:
        return self._reference.text

    def __repr__(self) -> str:
        return f"<game {self._reference.text}>"

    def __eq__(self, other: object) -> bool:
        """True for the same expression or position, in any sessions; `compare` asks if two games are worth the same."""
        if not isinstance(other, Game):
            return NotImplemented
        (session, number), (other_session, other_number) = self._reference.key, other._reference.key
        if session == other_session:
            return number == other_number
        return self.session._packed(self)[0] == other.session._packed(other)[0]

    def __hash__(self) -> int:
        # Sessions print the parts of a sum in different orders.
        return hash("".join(sorted(self._reference.text)))

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        from ._session import arrived

        return arrived, (self._home, *self.session._packed(self))

    @checked
    def outcome(
        self,
        alice: Holding,
        bob: Holding,
        **asked: Unpack[Manner],
    ) -> Outcome:
        """Who wins under optimal play with these chips, `G(a, b)`; the star marks who has the tie-breaking advantage.

        >>> bid.eval("A^2 ∧ B").outcome("4*", 4)
        Outcome.bob
        """
        outcome: Outcome = self.session._ask("outcome", "", (self, alice, bob), {}, asked)
        return outcome

    @checked
    def at(
        self,
        position: Any,
        **asked: Unpack[Manner],
    ) -> Game:
        """The game from another position, written as the tool prints positions. A text that no position prints as may be the label of one.

        >>> print(bid.session().game("tug", 3).at(1))
        tug(3) at 1
        """
        game: Game = self.session._ask("at", "", (self, position), {}, asked)
        return game

    @checked
    def after(
        self,
        *moves: Move | ValuedMove | tuple[Player | str, Any],
        **asked: Unpack[Manner],
    ) -> Game:
        """The game after some moves: pairs of a player and a move, or moves out of an answer. Positions are written as in `at`.

        >>> print(bid.session().game("tug", 3).after(("alice", 1), ("bob", 0)))
        tug(3)
        """
        plies = [_ply(move) for move in moves]
        game: Game = self.session._ask("after", "", (self, *plies), {}, asked)
        return game

    @checked
    def values(
        self,
        query: str | Callable[[Game], Any],
        **asked: Unpack[Manner],
    ) -> list[Any]:
        """The answers to a query at all positions, in the order of `positions()`: the name of a query, or an expression in which `p` is the position.

        >>> bid.session().game("tug", 2).values("R")
        [Fraction(1, 2), Fraction(3, 4), Fraction(1, 4), 1, 0]
        """
        if callable(query):
            return [query(position) for position in self.session._ask("builtin", "positions", (self,), {}, asked)]
        expression = f"{query}(p)" if query.isidentifier() else query
        values: list[Any] = self.session.eval(f"[{expression} for p in positions(G)]", names={"G": self}, **asked)
        return values

    @checked
    def to_networkx(
        self,
        values: Iterable[str] | Mapping[str, str] = (),
        **asked: Unpack[Manner],
    ) -> networkx.MultiDiGraph:
        """The game's graph: a `MultiDiGraph` with an edge for each player's move (`player`), and `win`, `draw`, `score`, `turn`, `priority`, `weight`,
        `accepting`, `income_alice` and `income_bob` at the nodes that have them. `values` are asked at each position and become attributes: names of queries, or a
        dictionary from the attribute to an expression in `p`.

        >>> graph = bid.session().game("tug", 2).to_networkx(values=["R"])
        >>> graph.nodes[1]["R"]
        Fraction(1, 4)
        >>> graph.nodes[2]["win"]
        'alice'
        """
        import networkx

        document = json.loads(self.session._ask("builtin", "node_link", (self,), {}, asked))
        graph = networkx.MultiDiGraph(**document["graph"])
        for node in document["nodes"]:
            graph.add_node(_key(node.pop("id")), **node)
        graph.graph["start"] = _key(document["graph"]["start"])
        graph.add_edges_from(
            (_key(edge.pop("source")), _key(edge.pop("target")), edge) for edge in document["edges"]
        )
        queries = values if isinstance(values, Mapping) else {name: name for name in values}
        for attribute, query in queries.items():
            found = self.values(query, **asked)
            for node, value in zip(list(graph.nodes), found):
                graph.nodes[node][attribute] = value
        return graph

    @checked
    def write(
        self,
        path: Any,
        **asked: Unpack[Manner],
    ) -> None:
        """Writes the game for another program, by the file's extension: `.dot` (Graphviz), `.prism` (random turns, for model checkers), `.json`
        (node-link). Gambit's files describe a turn: `g.nfg(a, b)` and `g.efg(a, b)` are their texts."""
        import pathlib

        path = pathlib.Path(path)
        queries = {".dot": "dot", ".prism": "prism", ".json": "node_link"}
        if path.suffix not in queries:
            raise ValueError(f"a game is written as {', '.join(queries)}, not as {path.suffix or 'a file without an extension'}")
        replace(path, self.session._ask("builtin", queries[path.suffix], (self,), {}, asked) + "\n")

    def _small_tree(self) -> str | None:
        """The first optimal moves as a picture, if they are found at once."""
        from ._errors import Error

        try:
            asked: Manner = {"timeout": 1.0, "max_positions": 100_000, "rules": None, "progress": False}
            tree = self.session._ask("builtin", "tree", (self,), {"depth": 2}, asked)
        except Error:
            return None
        svg: str | None = tree._repr_svg_()
        return svg

    def _repr_svg_(self) -> str | None:
        return self._small_tree()

    def _repr_html_(self) -> str:
        picture = self._small_tree()
        figure = "" if picture is None else f"<figure>{picture}</figure>"
        return self._reference.render("html").replace("</div>\n</div>", f"</div>\n{figure}</div>")

    def _repr_latex_(self) -> str:
        return self._reference.render("latex")


class Function:
    """A function or family of games of a session, called by its name."""

    __slots__ = ("session", "name", "parameters")

    def __init__(self, session: Session, name: str, parameters: Sequence[str]) -> None:
        self.session = session
        self.name = name
        self.parameters = list(parameters)

    @checked
    def __call__(
        self,
        *arguments: Any,
        **asked: Unpack[Manner],
    ) -> Any:
        return self.session.call(self.name, *arguments, **asked)

    def __reduce__(self) -> NoReturn:
        raise TypeError(f"the function {self.name} belongs to a session, so it cannot be pickled: pickle the values that it returns")

    def __repr__(self) -> str:
        return f"<function {self.name}({', '.join(self.parameters)})>"


def _key(identifier: Any) -> Any:
    """A node as networkx takes it: JSON has no tuples."""
    return tuple(map(_key, identifier)) if isinstance(identifier, list) else identifier


def _ply(move: Any) -> tuple[Player, Any]:
    if isinstance(move, (Move, ValuedMove)):
        return move.player, move.action or move.position
    player, action = move
    return Player(str(player)), action
