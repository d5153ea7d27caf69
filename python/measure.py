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
    each("s.eval('1')", lambda: s.eval("1"), 5000)
    each("s.eval('R(tictactoe)'), solved before", lambda: s.eval("R(tictactoe)"), 5000)
    each("g.R(), solved before", lambda: g.R(), 5000)
    each("g.f(16), solved before", lambda: g.f(16), 5000)
    each("g.outcome('4*', 4), solved before", lambda: g.outcome("4*", 4), 5000)
    e = s.eval("E")
    import numpy  # noqa: F401 (to load it is not what is measured)
    import pandas  # noqa: F401

    table = once("E.f(range(10**5 + 1))", lambda: e.f(range(10**5 + 1)))
    once("the same in the language, f(E, 0..10^5)", lambda: s.eval("f(E, 0..10^5)"))
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
