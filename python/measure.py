"""What a call costs over the engine's own time, and how tables and graphs get in and out: `python python/measure.py` after `pip install ./python`."""

from __future__ import annotations

import os
import random
import signal
import statistics
import threading
import time
from collections.abc import Callable

import networkx

import bid


def each(what: str, call: Callable[[], object], times: int) -> float:
    """The median of many calls, in microseconds."""
    found = []
    for _ in range(times):
        began = time.perf_counter()
        call()
        found.append((time.perf_counter() - began) * 1e6)
    median = statistics.median(found)
    print(f"{what:58} {median:10.1f} µs (of {times}, 9 in 10 below {sorted(found)[times * 9 // 10]:.1f})")
    return median


def once(what: str, call: Callable[[], object]) -> object:
    """The time of one call, in milliseconds."""
    began = time.perf_counter()
    value = call()
    print(f"{what:58} {(time.perf_counter() - began) * 1e3:10.1f} ms")
    return value


def over(what: str, call: Callable[[], object], session: bid.Session, text: str) -> None:
    """What a call costs over the engine's own time. That is the time of the same question inside a program, where it is asked a thousand times."""
    whole = each(what, call, 5000)
    times = 1000
    inside = []
    for _ in range(9):
        began = time.perf_counter()
        session.eval(f"len([{text} for k in 1..{times}])")
        inside.append((time.perf_counter() - began) * 1e6 / times)
    own = statistics.median(inside)
    print(f"{'':58} {whole - own:10.1f} µs over the engine's own {own:.1f}")


def table_over_solve(points: int) -> None:
    """The time of `f(E, 0..n)` in new sessions: solved (its length is asked for), as a table of Python's, by a range, and as an array. In turns."""
    ways: dict[str, Callable[[bid.Session], object]] = {
        f"f(E, 0..{points}) solved": lambda session: session.eval(f"len(f(E, 0..{points}))"),
        "as a table of Python's": lambda session: session.eval(f"f(E, 0..{points})"),
        "the same by a range, E.f(range(…))": lambda session: session.eval("E").f(range(points + 1)),
        "and as an array of numpy's": lambda session: session.eval("E").f(range(points + 1)).to_numpy(),
    }
    spent: dict[str, list[float]] = {what: [] for what in ways}
    for _ in range(9):
        for what, answer in ways.items():
            session = bid.Session("games/classics.bid")
            began = time.perf_counter()
            answer(session)
            spent[what].append((time.perf_counter() - began) * 1e3)
    medians = {what: statistics.median(times) for what, times in spent.items()}
    solved = next(iter(medians.values()))
    for what, median in medians.items():
        print(f"{what:58} {median:10.1f} ms: {median - solved:.1f} ms over the solve")


def interrupted(session: bid.Session, text: str) -> None:
    """How long after Ctrl-C the exception comes."""
    sent = 0.0

    def press() -> None:
        nonlocal sent
        sent = time.perf_counter()
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(0.5, press)
    timer.start()
    try:
        session.eval(text)
        print(f"{text} is too short to be interrupted")
    except KeyboardInterrupt:
        print(f"{'Ctrl-C during ' + text:58} {(time.perf_counter() - sent) * 1e3:10.1f} ms")


def main() -> None:
    s = bid.Session("games/classics.bid")
    g = s.game("tictactoe")
    g.R()
    over("s.eval('1')", lambda: s.eval("1"), s, "1")
    over("s.eval('R(tictactoe)'), solved before", lambda: s.eval("R(tictactoe)"), s, "R(tictactoe)")
    over("g.R(), solved before", lambda: g.R(), s, "R(tictactoe)")
    over("g.f(16), solved before", lambda: g.f(16), s, "f(tictactoe, 16)")
    over("g.outcome('4*', 4), solved before", lambda: g.outcome("4*", 4), s, "tictactoe(4*, 4)")
    e = s.eval("E")
    import numpy  # noqa: F401 (to load it is not what is measured)
    import pandas  # noqa: F401

    table_over_solve(10**5)
    table = e.f(range(10**5 + 1))
    once("table.to_numpy()", table.to_numpy)
    once("table.to_pandas()", table.to_pandas)
    once("table.to_numpy(exact=True)", lambda: table.to_numpy(exact=True))
    chance = random.Random(5)
    graph = networkx.gnm_random_graph(50_000, 100_000, seed=5, directed=True)
    for node in range(100):
        graph.remove_edges_from(list(graph.out_edges(node)))
        graph.nodes[node]["win"] = chance.choice(["alice", "bob"])
    import warnings

    warnings.simplefilter("ignore")
    game = once("bid.graph of 10^5 edges", lambda: s.graph(graph, start=200))
    once("g.to_networkx()", game.to_networkx)
    interrupted(s, "R(connect(4, 5, 5))")
    interrupted(s, "len([k for k in 1..9000000 if k * k % 7 == 8])")


if __name__ == "__main__":
    main()
