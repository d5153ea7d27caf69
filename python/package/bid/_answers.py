"""Answers that are more than a value: tables, strategies, mixed bids, trees, closed forms, plots."""

from __future__ import annotations

import builtins
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple, Union

from ._bid import Chips, Written, unpacked
from ._values import Interval, Player

if TYPE_CHECKING:
    import numpy
    import pandas

Number = Union[int, Fraction, Chips, Interval]


class Answer:
    """An answer of the engine, which knows how it is written."""

    _written: Written

    def __init__(self, written: Written) -> None:
        self._written = written

    def __str__(self) -> str:
        return self._written.render("text")

    def __repr__(self) -> str:
        return str(self)

    def __eq__(self, other: object) -> bool:
        """Two answers are equal if they say the same, about the same games."""
        if not isinstance(other, Answer) or type(self) is not type(other):
            return NotImplemented
        is_written_alike = self._written.packed() == other._written.packed()
        return is_written_alike and self._written.games() == other._written.games()

    def __hash__(self) -> int:
        return hash(self._written.packed())

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return unpacked, (self._written.packed(), self._written.games())

    def to_latex(self) -> str:
        """The answer for a paper; tables need the package booktabs."""
        return self._written.render("latex")

    def to_csv(self) -> str:
        """The answer for a spreadsheet."""
        return self._written.render("csv")

    def to_json(self) -> str:
        """The answer for programs."""
        return self._written.render("json")

    def to_html(self) -> str:
        """The answer for a page."""
        return self._written.render("html")

    def to_svg(self) -> str:
        """The answer's picture; `ValueError` if it has none."""
        svg = self._written.svg()
        if svg is None:
            raise ValueError(f"this {type(self).__name__} cannot be drawn")
        return svg

    def to_dot(self) -> str:
        """The answer's diagram for Graphviz; `ValueError` if it is none."""
        dot = self._written.dot()
        if dot is None:
            raise ValueError(f"there is no diagram of this {type(self).__name__}")
        return dot

    @property
    def data(self) -> Any:
        """All of the answer as dictionaries and lists, as in the JSON form."""
        return json.loads(self.to_json())

    def _repr_html_(self) -> str:
        return self.to_html()

    def _repr_latex_(self) -> str:
        return self.to_latex()

    def _repr_svg_(self) -> str | None:
        return self._written.svg()


class Rules(Answer, Mapping[str, str]):
    """The fields of rules that were written, with their values as words."""

    def __init__(self, written: Written, fields: dict[str, str]) -> None:
        super().__init__(written)
        self._fields = fields

    def __getitem__(self, field: str) -> str:
        return self._fields[field]

    __eq__ = Mapping.__eq__

    def __hash__(self) -> int:
        return hash(frozenset(self._fields.items()))

    def __iter__(self) -> Iterator[str]:
        return iter(self._fields)

    def __len__(self) -> int:
        return len(self._fields)


class Facts(Answer, Mapping[str, Any]):
    """Named facts, like the counts of `size`; the names are attributes too."""

    def __init__(self, written: Written, facts: dict[str, Any]) -> None:
        super().__init__(written)
        self._facts = facts

    def __getitem__(self, name: str) -> Any:
        return self._facts[name]

    def __getattr__(self, name: str) -> Any:
        try:
            return self.__dict__["_facts"][name]
        except KeyError:
            raise AttributeError(name) from None

    __eq__ = Mapping.__eq__

    def __hash__(self) -> int:
        # Facts may be lists, which have no hash.
        numbers = {(name, fact) for name, fact in self._facts.items() if isinstance(fact, (int, Fraction, Chips))}
        return hash((frozenset(self._facts), frozenset(numbers)))

    def __iter__(self) -> Iterator[str]:
        return iter(self._facts)

    def __len__(self) -> int:
        return len(self._facts)


class Table(Answer, Sequence[Any]):
    """Values over a range, in rows: `f(G, 0..255)`.

    A table with one row is a sequence of its values, one with several rows a sequence of these. `parameter` names what the range is of,
    `labels` the rows.
    """

    parameter: str
    labels: list[str]

    def __init__(self, written: Written, parameter: str, labels: list[str], length: int) -> None:
        super().__init__(written)
        self.parameter = parameter
        self.labels = labels
        self._length = length
        self._columns: dict[int, list[Any]] = {}

    def _values(self, column: int) -> list[Any]:
        """The values of the parameter (0) or of a row, made once."""
        if column not in self._columns:
            self._columns[column] = self._written.values(column)
        return self._columns[column]

    @property
    def range(self) -> list[Any]:
        """The values of the parameter."""
        return list(self._values(0))

    def row(self, index: int = 0) -> list[Any]:
        """The values of a row, as themselves."""
        return list(self._values(builtins.range(len(self.labels))[index] + 1))

    def _elements(self) -> list[Any]:
        if len(self.labels) == 1:
            return self.row(0)
        return [self.row(index) for index in builtins.range(len(self.labels))]

    def __getitem__(self, index: Any) -> Any:
        places = builtins.range(len(self))[index]
        return [self._element(place) for place in places] if isinstance(places, builtins.range) else self._element(places)

    def _element(self, place: int) -> Any:
        if len(self.labels) != 1:
            return self.row(place)
        if 1 in self._columns:
            return self._columns[1][place]
        return self._written.value(1, place)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._elements())

    def __len__(self) -> int:
        return self._length if len(self.labels) == 1 else len(self.labels)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Table):
            return (self.range, self._elements()) == (other.range, other._elements())
        return self._elements() == other

    def __hash__(self) -> int:
        rows = tuple(tuple(self._values(index + 1)) for index in builtins.range(len(self.labels)))
        return hash((tuple(self._values(0)), rows[0] if len(rows) == 1 else rows))

    def _column(self, column: int, exact: bool) -> numpy.ndarray:
        import numpy

        numbers = None if exact else self._written.numbers(column)
        if numbers is None:
            values = self._written.values(column)
            array = numpy.empty(len(values), dtype=object)
            array[:] = values
            return array
        dtype, data = numbers
        return numpy.frombuffer(data, dtype=dtype)

    def to_numpy(self, exact: bool = False) -> numpy.ndarray:
        """The values as an array; of several rows, a row for each.

        Whole numbers are `int64`, others `float64`, as `float` makes them: 3* is 3.5, 3-ε is 2.5, and a number between bounds is in the
        middle of them. With `exact` the array holds the values themselves.
        """
        import numpy

        columns = [self._column(index + 1, exact) for index in builtins.range(len(self.labels))]
        return columns[0] if len(columns) == 1 else numpy.array(columns)

    def to_pandas(self, exact: bool = False) -> pandas.DataFrame:
        """The values as a frame: the range is the index, each row a column; numbers as in `to_numpy`."""
        import pandas

        index = pandas.Index(self._column(0, False), name=self.parameter)
        columns = {label: self._column(place + 1, exact) for place, label in enumerate(self.labels)}
        return pandas.DataFrame(columns, index=index)


class Move(NamedTuple):
    """A move: who makes it, its name (empty where it is told by where it leads), and the position that it leads to."""

    player: Player
    action: str
    position: str

    def __str__(self) -> str:
        return f"{self.player} {self.action or self.position}"


class LetMove(NamedTuple):
    """The bid's winner lets this player, the opponent, move."""

    player: Player


Decision = Union[Move, LetMove]


class Advice(NamedTuple):
    """Advice for one player: the guarantee, the bid, and the move.

    `promise` is `win`, `no_loss`, `nothing`, or `at_least` or `at_most` the `score`. `forced_by_more`
    has the moves after still higher bids of the opponent's, each with the least bid that it answers.
    """

    player: Player
    promise: str
    score: Number | None
    bid: int | Fraction | None
    use_advantage: bool | None
    decision: Decision | None
    tied_decision: Decision | None
    forced: Move | None
    tied_forced: Move | None
    forced_by_more: list[tuple[int, Move]]


class Strategy(Answer, Sequence[Advice]):
    """What to bid and where to move, for the player who wins; for both if it is a draw."""

    def __init__(self, written: Written, advice: list[Advice]) -> None:
        super().__init__(written)
        self.advice = advice

    def __getitem__(self, index: Any) -> Any:
        return self.advice[index]

    def __len__(self) -> int:
        return len(self.advice)


class ValuedMove(NamedTuple):
    """A move with the value of the position that it leads to, and whether no other of the player's is better."""

    player: Player
    action: str
    position: str
    value: Any
    best: bool


class Moves(Answer, Sequence[ValuedMove]):
    """Every move with its value: Alice's, then Bob's, the best first. `measure` says what the values are."""

    def __init__(self, written: Written, measure: str, moves: list[ValuedMove]) -> None:
        super().__init__(written)
        self.measure = measure
        self.moves = moves

    def __getitem__(self, index: Any) -> Any:
        return self.moves[index]

    def __len__(self) -> int:
        return len(self.moves)


class TreeMove(NamedTuple):
    """An optimal move: who makes it, its name, and the index of the node that it leads to."""

    player: Player
    action: str
    to: int


class TreeNode(NamedTuple):
    """A position with its value and its optimal moves; `rest` says whether these are `shown`, `left_out`, or all is `decided`; `turn` who
    moves there without a bid, `income` who receives which parts of all money before one."""

    position: str
    value: Any
    moves: list[TreeMove]
    rest: str
    turn: Any = None
    income: Sequence[tuple[Any, Any]] = ()


class Tree(Answer):
    """The optimal moves from a position onwards: nodes with edges, since lines of play may meet again. The first node is the start."""

    def __init__(self, written: Written, measure: str, nodes: list[TreeNode]) -> None:
        super().__init__(written)
        self.measure = measure
        self.nodes = nodes


class Decided(NamedTuple):
    """The action of a player who has `least` to `most` chips left after a bid, and the position that follows.

    `against` has the opponent's fewest and most chips, where the action depends on them. The player has won the bid, or the opponent has
    won it and the player is `made_to_move`.
    """

    least: int | Chips
    most: int | Chips
    decision: Decision
    position: str
    against: tuple[int | Chips, int | Chips] | None = None
    made_to_move: bool = False


class MixedBid(NamedTuple):
    """A player's optimal mixed bid: the probability of each bid that is made, exact where the value is."""

    player: Player
    chips: int | Chips
    bids: dict[int, int | Fraction | float]
    decisions: list[Decided]


class Nash(Answer):
    """Both players' optimal mixed bids with the value that they prove. `alice` and `bob` are theirs, `None` if the game is over."""

    def __init__(self, written: Written, value: Number, method: str, players: list[MixedBid]) -> None:
        super().__init__(written)
        self.value = value
        self.method = method
        self.players = players

    def _of(self, player: Player) -> MixedBid | None:
        return next((mixed for mixed in self.players if mixed.player is player), None)

    @property
    def alice(self) -> MixedBid | None:
        """Alice's mixed bid."""
        return self._of(Player.alice)

    @property
    def bob(self) -> MixedBid | None:
        """Bob's mixed bid."""
        return self._of(Player.bob)


class Exceptional(NamedTuple):
    """A total for which a formula does not hold: the value, and what the formula would give."""

    total: int
    value: int | Chips
    formula: int | Chips


class Formula(NamedTuple):
    """f(G, period·n + r) = increment·n + terms[r] for every n ≥ 0, but for the exceptions. Called with a total, it gives the value."""

    label: str
    period: int
    increment: int
    terms: list[int | Chips]
    exceptions: list[Exceptional]

    def __call__(self, total: int) -> int | Chips:
        if total < 0:
            raise ValueError("there are no fewer chips than none")
        for exception in self.exceptions:
            if exception.total == total:
                return exception.value
        times, residue = divmod(total, self.period)
        return self.terms[residue] + self.increment * times


class ClosedForm(Answer):
    """Thresholds for all totals: `formulas`, one or one for each threshold, and how they are proved. Called with a total, the first gives the value."""

    def __init__(self, written: Written, formulas: list[Formula], proof: str) -> None:
        super().__init__(written)
        self.formulas = formulas
        self.proof = proof

    def __call__(self, total: int) -> int | Chips:
        return self.formulas[0](total)


class Listing(Answer, Sequence[list[Any]]):
    """A list of things with named properties: `columns` names them, each row is a thing. `note` is about all of them.

    The list of the language may have other elements: `minimise(G)[0]` is a game.

    >>> import bid
    >>> small = bid.eval("A ∧ A").minimise()
    >>> small[0], bid.eval("L[0]", names={"L": small}).R()
    ([0, 'A', 2, '', ''], 0)
    """

    def __init__(self, written: Written, columns: list[str], rows: list[list[Any]], note: str) -> None:
        super().__init__(written)
        self.columns = columns
        self.rows = rows
        self.note = note

    def __getitem__(self, index: Any) -> Any:
        return self.rows[index]

    def __len__(self) -> int:
        return len(self.rows)

    def to_pandas(self) -> pandas.DataFrame:
        """The things as a frame."""
        import pandas

        return pandas.DataFrame(self.rows, columns=self.columns, dtype=object)
