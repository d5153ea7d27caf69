"""The errors that are raised, with their diagnostics as the command line prints them."""

from __future__ import annotations

from typing import Any, NamedTuple


class Span(NamedTuple):
    """A place in a text: bytes `start` to `end` of a document, and what was found there."""

    document: str
    start: int
    end: int
    text: str


class Diagnostic(NamedTuple):
    """One message: a stable code, a sentence, the places that it is about, further facts and a remedy."""

    code: str
    severity: str
    message: str
    spans: tuple[Span, ...]
    notes: tuple[str, ...]
    help: str | None
    drawn: str
    stops: bool

    @classmethod
    def of(cls, told: dict[str, Any]) -> Diagnostic:
        """The diagnostic that the engine reports."""
        spans = tuple(Span(*span) for span in told["spans"])
        return cls(**{**told, "spans": spans, "notes": tuple(told["notes"])})

    def __str__(self) -> str:
        return self.drawn


class Error(Exception):
    """An error in a program or a question; it prints as on the command line.

    `diagnostics` has the parts of each message, `shown` what the program had shown before.
    """

    diagnostics: tuple[Diagnostic, ...]
    shown: list[Any]

    def __init__(self, diagnostics: tuple[Diagnostic, ...]) -> None:
        super().__init__(diagnostics)
        self.diagnostics = diagnostics
        self.shown = []

    def __str__(self) -> str:
        return "\n".join(diagnostic.drawn.rstrip("\n") for diagnostic in self.diagnostics)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Error):
            return NotImplemented
        return type(self) is type(other) and self.diagnostics == other.diagnostics

    def __hash__(self) -> int:
        return hash((type(self), self.diagnostics))

    def _render_traceback_(self) -> list[str]:
        """The message alone, without the traceback, for notebooks."""
        return [f"{type(self).__name__}", *str(self).splitlines()]


class Stopped(Error):
    """A limit or `Session.stop` has ended an evaluation. Ctrl-C raises `KeyboardInterrupt` instead."""


class CheckFailed(Error):
    """A `check` of a program does not hold."""


class BidWarning(UserWarning):
    """Something that looks like a mistake."""
