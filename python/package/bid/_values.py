"""Values that Python has no class of its own for: players, outcomes, numbers between bounds."""

from __future__ import annotations

import enum
from fractions import Fraction
from numbers import Real
from typing import Union

from ._bid import Chips

Exact = Union[int, Fraction]


class Player(str, enum.Enum):
    """Alice (left, red) or Bob (right, blue).

    >>> Player.alice.other
    Player.bob
    >>> Player.alice == "alice"
    True
    """

    alice = "alice"
    bob = "bob"

    @property
    def other(self) -> Player:
        """The opponent."""
        return Player.bob if self is Player.alice else Player.alice

    def __str__(self) -> str:
        return self.value

    def __repr__(self) -> str:
        return f"Player.{self.value}"


class Outcome(str, enum.Enum):
    """Who can force a win; `draw` if both can prevent the other's, `undetermined` if no pure strategy forces either.

    As in the language, a player who wins is equal to the outcome.

    >>> Outcome.alice == Player.alice
    True
    >>> str(Outcome.draw)
    'draw'
    """

    alice = "alice"
    bob = "bob"
    draw = "draw"
    undetermined = "undetermined"

    def __str__(self) -> str:
        return self.value

    def __repr__(self) -> str:
        return f"Outcome.{self.value}"


class Never(str, enum.Enum):
    """The type of `never`, the answer where no number of chips suffices; it is more than any number.

    >>> Never.never > 10**100, Never.never == "never"
    (True, True)
    """

    never = "never"

    def __lt__(self, other: object) -> bool:
        return False if isinstance(other, (Real, Chips, Never)) else NotImplemented

    def __le__(self, other: object) -> bool:
        return other is self if isinstance(other, (Real, Chips, Never)) else NotImplemented

    def __gt__(self, other: object) -> bool:
        return other is not self if isinstance(other, (Real, Chips, Never)) else NotImplemented

    def __ge__(self, other: object) -> bool:
        return True if isinstance(other, (Real, Chips, Never)) else NotImplemented

    def __str__(self) -> str:
        return self.value

    def __repr__(self) -> str:
        return self.value


class Interval:
    """A number between two proved bounds, which are exact.

    >>> third = Interval(Fraction(33, 100), Fraction(34, 100))
    >>> Fraction(1, 3) in third
    True
    >>> third.width
    Fraction(1, 100)
    >>> float(third)
    0.335
    """

    __slots__ = ("low", "high")
    low: Fraction
    high: Fraction

    def __init__(self, low: Exact | str, high: Exact | str) -> None:
        object.__setattr__(self, "low", Fraction(low))
        object.__setattr__(self, "high", Fraction(high))
        if self.low > self.high:
            raise ValueError(f"the bounds are the wrong way round: {low} > {high}")

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("intervals do not change")

    @property
    def width(self) -> Fraction:
        """How far the bounds are apart."""
        return self.high - self.low

    @property
    def middle(self) -> Fraction:
        """The number in the middle."""
        return (self.low + self.high) / 2

    def __contains__(self, number: object) -> bool:
        return self.low <= number <= self.high  # type: ignore[operator]

    def __float__(self) -> float:
        return float(self.middle)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Interval):
            return NotImplemented
        return (self.low, self.high) == (other.low, other.high)

    def __hash__(self) -> int:
        return hash((Interval, self.low, self.high))

    def __repr__(self) -> str:
        return f"Interval({self.low!r}, {self.high!r})"

    def __reduce__(self) -> tuple[type[Interval], tuple[Fraction, Fraction]]:
        return Interval, (self.low, self.high)

    def _repr_latex_(self) -> str:
        return f"$[{float(self.low)}, {float(self.high)}]$"
