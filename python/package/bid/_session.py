"""Sessions, which define names, answer questions and can be stopped."""

from __future__ import annotations

import os
import re
import threading
import uuid
import warnings
import weakref
from collections import deque
from collections.abc import Callable, Mapping
from fractions import Fraction
from numbers import Real
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

from . import _bid
from ._errors import BidWarning, CheckFailed, Diagnostic, Error, Stopped
from ._game import Game
from ._manner import Manner, Progress, Rules, checked

if TYPE_CHECKING:
    import networkx
    from typing_extensions import Unpack


class Shown(NamedTuple):
    """A value that a program has shown: the expression after `show`, `None` where it stands on its own, and its value."""

    label: str | None
    value: Any


class _Manner(NamedTuple):
    """How a question is answered, as the engine takes it."""

    rules: str | None
    timeout: float | None
    max_memory: int | None
    max_positions: int | None
    progress: Callable[[str, int, int | None], object] | None
    dialogue: Any
    session: Session


class _Graph(NamedTuple):
    """A graph as the engine takes it."""

    title: str
    start: int
    vertices: list[tuple[Any, str | None, str | None, str | None, bool, int | None, str | None, tuple[str | None, str | None]]]
    edges: list[tuple[int, int, str, str | None, str | None]]
    is_scored: bool
    is_weighted: bool
    accepts: bool


class Session:
    """Loaded files and what they and you define; it answers questions on threads of its own.

    `files` are loaded first. `rules` are the default rules: `{"pay": "poorman"}`, "{ ties: marker }" or the name of a preset. `timeout` in
    seconds, `max_memory` in bytes or as "500M", and `max_positions` hold for each question. `progress` is called with a stage, how much is
    done and how much there is to do (`None` if that is not known); `True` shows a bar, if tqdm is there. All of them can be given to
    single calls too.

    Sessions in several threads work side by side, and several threads may share one. In a process that was forked a session begins again: it
    does what it was told to load and define. A game of another session is made here too when it is given to this one, and is asked under the
    rules of this one.

    >>> s = Session("games/classics.bid", rules={"ties": "gentlemen_first"})
    >>> s.eval("f(E, 4)")
    3
    >>> s.eval("f(E, 4)", rules={"ties": "ladies_first"})
    2
    """

    @checked
    def __init__(
        self,
        *files: str | os.PathLike[str],
        **asked: Unpack[Manner],
    ) -> None:
        self.timeout = asked.get("timeout")
        self.max_memory = asked.get("max_memory")
        self.max_positions = asked.get("max_positions")
        self.progress = asked.get("progress")
        self._manner({})  # Wrong limits are refused here, before a question meets them.
        self._engine = self._started()
        self._given: dict[str, Any] = {}
        self._brought: dict[bytes, bytes] = {}
        self._token = uuid.uuid4().hex
        _SESSIONS[self._token] = self
        rules = asked.get("rules")
        if rules is not None:
            self._told(self._engine.set_rules(_rules_text(rules), self._manner({})))
        for file in files:
            self.load(file)

    @checked
    def eval(
        self,
        text: str,
        names: Mapping[str, Any] | None = None,
        **asked: Unpack[Manner],
    ) -> Any:
        """The value of an expression, or of the last of several statements. `names` gives values to names in it.

        >>> s = Session()
        >>> s.eval("R(A ∧ (A^2 ∧ B^3))")
        Fraction(9, 32)
        >>> s.eval("[k * k for k in ks]", names={"ks": range(4)})
        [0, 1, 4, 9]
        """
        shown = self._run(text, dict(names or {}), asked)
        if not shown:
            raise Error((_missing(text),))
        return shown[-1].value

    @checked
    def run(
        self,
        text: str,
        names: Mapping[str, Any] | None = None,
        **asked: Unpack[Manner],
    ) -> list[Shown]:
        """Runs a program; returns the values that it shows, each with its expression. Its definitions stay in force.

        >>> Session().run("let half = 1/2; show half + 1")
        [Shown(label='half + 1', value=Fraction(3, 2))]
        """
        return self._run(text, dict(names or {}), asked)

    def define(self, name: str, value: Any) -> None:
        """Makes a name stand for a value: a number, a text, a list, a game, an answer.

        >>> s = Session()
        >>> s.define("half", Fraction(1, 2))
        >>> s.eval("half + 1")
        Fraction(3, 2)
        """
        self._told(self._engine.define(name, value, self._manner({})))

    def load(self, path: str | os.PathLike[str]) -> None:
        """Makes what a file defines visible. Paths are relative to the current folder, then to the game library."""
        self._told(self._engine.load(os.fspath(path), self._manner({})))

    @checked
    def game(
        self,
        name: str,
        *arguments: Any,
        **asked: Unpack[Manner],
    ) -> Game:
        """A game by its name or by an expression, or a family's game with these parameters.

        >>> print(bid.session().game("connect", 3, 3, 3))
        connect(3, 3, 3)
        """
        game = self.call(name, *arguments, **asked) if arguments else self.eval(name, **asked)
        if not isinstance(game, Game):
            raise TypeError(f"{name} is not a game, but {game!r}")
        return game

    @checked
    def call(
        self,
        name: str,
        *arguments: Any,
        **asked: Unpack[Manner],
    ) -> Any:
        """The value of a function of the session for these arguments.

        >>> s = Session()
        >>> s.run("let square(x) = x * x")
        []
        >>> s.call("square", Fraction(2, 3))
        Fraction(4, 9)
        """
        return self._ask("name", name, arguments, {}, asked)

    def graph(self, graph: networkx.Graph, start: Any = None, title: str = "") -> Game:
        """The game on a graph of networkx, see `bid.graph`."""
        listed = _listed(graph, start, title)
        game: Game = self._value(self._engine.graph(listed, self._manner({})))
        return game

    def text(self, value: Any, format: str = "text") -> str:
        """A value as the language writes it: as `text`, `latex`, `html`, `csv` or `json`.

        >>> Session().text([True, Fraction(1, 2)])
        '[true, 1/2]'
        """
        return self._engine.render(value, format)

    @checked
    def plan(
        self,
        text: str,
        **asked: Unpack[Manner],
    ) -> Any:
        """The method that would answer an expression, why, and what it would cost; nothing is answered."""
        return self._value(self._engine.plan(text, self._manner(asked)))

    def help(self, word: str) -> str | None:
        """The help on a word: a name of the session, a function, a word of the language."""
        meaning: str | None = self._result(self._engine.help(word, self._manner({})))
        return meaning

    def names(self, builtins: bool = False) -> dict[str, str]:
        """The names in scope with how they are used; those of the language too if `builtins`."""
        found = self._result(self._engine.names(self._manner({})))
        return {name: heading for name, heading, is_builtin in found if builtins or not is_builtin}

    def stop(self) -> None:
        """Stops the current question from another thread; the thread that asked it gets `Stopped`."""
        self._engine.stop()

    def complete(self, text: str, place: int) -> tuple[int, list[str]]:
        """The completions at a place of a text: where the word begins, and the words that it may become."""
        start, candidates = self._result(self._engine.complete(text[:place], self._manner({})))
        return len(text.encode()[:start].decode()), candidates

    def describe(self, text: str, place: int) -> str | None:
        """The help on the word at a place of a text."""
        word = _word_at(text, place)
        return self.help(word) if word else None

    def _started(self) -> _bid.Engine:
        return _bid.Engine()

    def __reduce__(self) -> NoReturn:
        raise TypeError("a session has threads, so it cannot be pickled: make one where it is used (games and answers can be pickled)")

    def _adopt(self, game: Game) -> Game:
        """A game of another session as one of this session."""
        games, programs, _ = game.session._packed(game)
        return self._unpacked(games, programs)

    def _packed(self, game: Game) -> tuple[bytes, tuple[bytes, ...], str]:
        """A game as bytes, the programs that another session may need to make it (what this one was told, what it has them from), and this
        session's default rules."""
        packed = self._result(self._engine.pack([game._reference], self._manner({})))
        games, has_own_rulesets, brought, rules = packed
        own = [self._engine.program()] if has_own_rulesets else []
        # The same objects each time, so that a pickle of many games holds them once.
        return games, tuple(own + [self._brought.setdefault(program, program) for program in brought]), rules

    def _unpacked(self, games: bytes, programs: tuple[bytes, ...]) -> Game:
        """The game that was packed, as one of this session."""
        game: Game = self._result(self._engine.unpack(games, programs, self._manner({})))[0]
        return game

    def _default_rules(self) -> str:
        rules: str = self._result(self._engine.rules(self._manner({})))
        return rules

    def _manner(self, asked: Manner) -> _Manner:
        def chosen(name: str) -> Any:
            value = asked.get(name)
            return getattr(self, name) if value is None else value

        rules = asked.get("rules")
        return _Manner(
            rules=None if rules is None else _rules_text(rules),
            timeout=_seconds(chosen("timeout")),
            max_memory=_bytes(chosen("max_memory")),
            max_positions=_whole(chosen("max_positions"), "max_positions is a whole number, 0 or more and less than 2^64"),
            progress=_listener(chosen("progress")),
            dialogue=_Dialogue,
            session=self,
        )

    def _ask(
        self, kind: str, name: str, arguments: tuple[Any, ...], named: Mapping[str, Any], asked: Manner
    ) -> Any:
        return self._value(self._engine.query(kind, name, arguments, dict(named), self._manner(asked)))

    def _run(self, text: str, names: dict[str, Any], asked: Manner) -> list[Shown]:
        events = self._told(self._engine.evaluate(text, names, self._manner(asked)))
        return _shown(events)

    def _value(self, told: Mapping[str, Any]) -> Any:
        return next(event[2] for event in self._told(told) if event[0] == "value")

    def _result(self, told: Mapping[str, Any]) -> Any:
        self._told(told)
        return told["result"]

    def _told(self, told: Mapping[str, Any]) -> list[tuple[Any, ...]]:
        """The events of a request; raises what is wrong, warns of what looks wrong."""
        events: list[tuple[Any, ...]] = told["events"]
        found = [Diagnostic.of(event[1]) for event in events if event[0] == "finding"]
        for diagnostic in found:
            if diagnostic.severity == "warning":
                warnings.warn(BidWarning(diagnostic.drawn), stacklevel=4)
        wrong = tuple(diagnostic for diagnostic in found if diagnostic.severity == "error")
        failed = tuple(Diagnostic.of(event[1]) for event in events if event[0] == "check" and event[1] is not None)
        failure: Error | None = None
        if told["stopped"]:
            failure = Stopped(wrong or (_interrupted(),))
        elif wrong:
            failure = Error(wrong)
        elif failed:
            failure = CheckFailed(failed)
        if failure is not None:
            failure.shown = _shown(events)
            raise failure
        return events


def _shown(events: list[tuple[Any, ...]]) -> list[Shown]:
    return [Shown(event[1], event[2]) for event in events if event[0] == "value"]


class _Dialogue:
    """Somebody who plays against the engine."""

    @staticmethod
    def say(text: str) -> None:
        print(text)

    @staticmethod
    def ask(question: str) -> str | None:
        try:
            return input(question)
        except EOFError:
            return None


class _Bar:
    """Progress as bars of tqdm, one for each stage."""

    def __init__(self, tqdm: Any) -> None:
        self._tqdm = tqdm
        self._bar: Any = None

    def __call__(self, stage: str, done: int, total: int | None) -> None:
        if self._bar is None or self._bar.desc != stage:
            self.close()
            self._bar = self._tqdm(desc=stage, total=total, leave=False)
            self._bar.desc = stage
        # `update` would wait for as large a step as the first one was; words about progress are few as it is.
        self._bar.n, self._bar.total = done, total
        self._bar.refresh()

    def close(self) -> None:
        """Takes the bar away."""
        if self._bar is not None:
            self._bar.close()
            self._bar = None

    def __del__(self) -> None:
        self.close()


def _listener(progress: Progress) -> Callable[[str, int, int | None], object] | None:
    if progress is None or progress is False:
        return None
    if callable(progress):
        return progress
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return None
    return _Bar(tqdm)


def _seconds(timeout: Any) -> float | None:
    """A time in seconds."""
    if timeout is None:
        return None
    try:
        seconds = -1.0 if isinstance(timeout, str) else float(timeout)
    except (TypeError, ValueError, OverflowError):
        seconds = -1.0
    if not 0 <= seconds < 2**64:
        raise ValueError(f"timeout is a finite number of seconds, 0 or more, not {timeout!r}")
    return seconds


def _bytes(size: Any) -> int | None:
    """500_000_000, 5e8, "500M", "2G"."""
    match = re.fullmatch(r"\s*(\d+)\s*([KMGT]?)(?:i?B)?\s*", size, re.IGNORECASE) if isinstance(size, str) else None
    number = size if match is None else int(match[1]) << 10 * " KMGT".index(match[2].upper() or " ")
    return _whole(number, "max_memory is a whole number of bytes, 0 or more and less than 2^64, or a text like '500M' or '2G'")


def _whole(value: Any, wanted: str, below: int = 2**64) -> int | None:
    """A whole number, which may be a float like 1e9."""
    if value is None:
        return None
    is_whole = hasattr(value, "__index__") or (isinstance(value, Real) and value % 1 == 0)
    if not is_whole or not 0 <= int(value) < below:
        raise ValueError(f"{wanted}, not {value!r}")
    return int(value)


def _rules_text(rules: Rules) -> str:
    """Rules as the language writes them."""
    if isinstance(rules, str):
        return rules
    fields = []
    for field, value in rules.items():
        if not re.fullmatch(r"\w+", field):
            raise ValueError(f"{field!r} is not a field of rules")
        numbers = isinstance(value, (list, tuple))
        fields.append(f"{field}: [{', '.join(map(str, value))}]" if numbers else f"{field}: {value}")
    return "{ " + ", ".join(fields) + " }"


def _missing(text: str) -> Diagnostic:
    message = f"`{text}` is not an expression with a value"
    help = "`run` runs statements"
    return Diagnostic("E0301", "error", message, (), (), help, f"[E0301] Error: {message}\n  help: {help}", False)


def _two_ways(node: Any) -> Diagnostic:
    message = f"vertex {node!r} ends the game in two ways: only one of `win`, `draw` and `score` says how"
    return Diagnostic("E0403", "error", message, (), (), None, f"[E0403] Error: {message}", False)


def _interrupted() -> Diagnostic:
    return Diagnostic("E0904", "error", "interrupted", (), (), None, "[E0904] Error: interrupted", True)


def _word_at(text: str, place: int) -> str:
    """The word that touches a place, else the sign."""
    found = [match[0] for match in re.finditer(r"\w+'*|[^\w\s]+", text) if match.start() <= place <= match.end()]
    return next((word for word in found if word[0].isalnum()), found[0] if found else "")


def _number(value: Any) -> str | None:
    """A number as the engine reads it: a float is the decimal that Python prints."""
    if value is None:
        return None
    if isinstance(value, (int, Fraction, str)) and not isinstance(value, bool):
        return str(value)
    if hasattr(value, "numerator") and hasattr(value, "denominator"):
        return f"{value.numerator}/{value.denominator}"
    # A float of another length, like numpy's `float32`, prints as what it is.
    is_other = isinstance(value, Real) and not isinstance(value, float)
    return str(value) if is_other else repr(float(value))


def _listed(graph: networkx.Graph, start: Any, title: str) -> _Graph:
    """A graph of networkx as lists."""
    places: dict[Any, int] = {node: place for place, node in enumerate(graph.nodes)}
    if start is None:
        start = graph.graph.get("start")
    if start not in places:
        raise ValueError("where does the game begin? give `start=` a node of the graph" if start is None else f"{start!r} is not a node of the graph")
    vertices = []
    for node, said in graph.nodes(data=True):
        won = said.get("win")
        end = None if won is None or not (isinstance(won, str) or won) else str(won)
        if sum([end is not None, bool(said.get("draw")), said.get("score") is not None]) > 1:
            raise Error((_two_ways(node),))
        if said.get("draw"):
            end = "draw"
        priority, turn = said.get("priority"), said.get("turn")
        if isinstance(priority, str) and priority.isdecimal():
            priority = int(priority)
        vertices.append(
            (
                node,
                end,
                _number(said.get("score")),
                None if turn is None else str(turn),
                bool(said.get("accepting", False)),
                _whole(priority, f"the priority of vertex {node!r} is a whole number, 0 or more and less than 2^32 - 1", 2**32 - 1),
                _number(said.get("weight")),
                (_number(said.get("income_alice")), _number(said.get("income_bob"))),
            )
        )
    edges = []
    is_directed = graph.is_directed()
    for tail, head, said in graph.edges(data=True):
        owner, score, weight = str(said.get("player", "both")), _number(said.get("score")), _number(said.get("weight"))
        edges.append((places[tail], places[head], owner, score, weight))
        if not is_directed and tail != head:
            edges.append((places[head], places[tail], owner, score, weight))
    return _Graph(
        title=title or (str(graph.name) if graph.name and str(graph.name).isidentifier() else ""),
        start=places[start],
        vertices=vertices,
        edges=edges,
        is_scored=any(vertex[2] is not None for vertex in vertices) or any(edge[3] is not None for edge in edges),
        is_weighted=any(vertex[6] is not None for vertex in vertices) or any(edge[4] is not None for edge in edges),
        accepts=any("accepting" in said for _, said in graph.nodes(data=True)),
    )


_SESSIONS: weakref.WeakValueDictionary[str, Session] = weakref.WeakValueDictionary()
"""The sessions of this process by what games that travel know them by."""

_default = threading.local()


def arrived(token: str, games: bytes, programs: tuple[bytes, ...], rules: str) -> Game:
    """A game that has been unpickled: in the session that it comes from, if that is here, else in one of the thread with the same default rules."""
    game = (_SESSIONS.get(token) or _under(rules))._unpacked(games, programs)
    game._home = token
    return game


def _under(rules: str) -> Session:
    """A session of this thread with these default rules: the thread's own, if it has them."""
    own = session()
    found = next((known for known in (own, *_default.visited) if known._default_rules() == rules), None)
    if found is None:
        found = Session("games/classics.bid", rules=rules)
        _default.visited.append(found)
    return found


def session() -> Session:
    """The session behind `bid.eval`, `bid.run`, `bid.load` and `bid.graph`, one for each thread; the game library's classics are loaded.

    >>> session().eval("R(tictactoe)")
    Fraction(133, 256)
    """
    if not hasattr(_default, "session"):
        _default.session = Session("games/classics.bid")
        # Sessions for games with other rules; each has threads and tables, so that only a few are kept.
        _default.visited = deque(maxlen=8)
    found: Session = _default.session
    return found
