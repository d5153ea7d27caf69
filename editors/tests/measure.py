#!/usr/bin/env python3
"""Figures of the language server: from a key to what is wrong, in each file of games/ and in 10^5 lines; memory over many edits; long graphs.

    cargo build --release
    BID=target/release/bid python3 editors/tests/measure.py [EDITS]

EDITS, 10,000 if nothing is said, is how many edits the memory is watched over.
"""

import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from client import Client, place
from conftest import BID, ROOT


def keys(client, uri, text, at, count=25):
    """The times from a key to the diagnostics, in seconds: a mistake is typed before a place, and taken back."""
    times, wrong = [], "qqq\n"
    start, end = place(text, at), place(text, at)
    gone = (start[0] + 1, 0)
    for turn in range(2 * count):
        began = time.perf_counter()
        client.change(uri, [(start, end, wrong)] if turn % 2 == 0 else [(start, gone, "")])
        client.wait(uri)
        times.append(time.perf_counter() - began)
    return times


def told(name, times, limit):
    middle, worst = statistics.median(times), max(times)
    print(f"{name:32} {middle * 1000:9.1f} ms {worst * 1000:9.1f} ms   limit {limit * 1000:.0f} ms")
    return middle <= limit


def statement(text):
    """A place in the middle where a statement begins."""
    return text.index("\n\n", len(text) // 2) + 2


def library():
    good = True
    for path in sorted((ROOT / "games").glob("*.bid")):
        text = path.read_text()
        client = Client()
        client.open(path.as_uri(), text)
        good &= told(f"games/{path.name}", keys(client, path.as_uri(), text, statement(text)), 0.050)
        client.close()
    return good


def long_file(folder, lines=100_000):
    """Definitions, games and tests over and over, each with names of its own."""
    piece = (
        "/// A path.\nlet half{i} = {i}/2\ngame path{i}(n) = graph {{\n    start 0\n    both k <-> k + 1 for k in 1 - n .. n - 1\n"
        "    win alice: n\n    win bob: -n\n}}\ntest \"path {i}\" {{\n    check R(path{i}(3)) < half{i} + 1\n}}\n\n"
    )
    text = "".join(piece.format(i=i) for i in range(lines // 12 + 1))
    path = folder / "long.bid"
    path.write_text(text)
    client = Client(root=folder)
    client.open(path.as_uri(), text)
    good = told(f"{text.count(chr(10)):,} lines", keys(client, path.as_uri(), text, statement(text), 5), 1.0)
    client.close()
    return good


def resident(process):
    """Bytes of memory that a process has."""
    for line in Path(f"/proc/{process.pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) * 1024
    return 0


def memory(edits):
    path = ROOT / "games" / "develin_payne.bid"
    uri, text = path.as_uri(), path.read_text()
    chance, client = random.Random(16), Client()
    client.open(uri, text)
    at, seen = statement(text), []
    for turn in range(edits):
        where = place(text, at)
        if turn % 2 == 0:
            typed = "".join(chance.choice("abcxyz()[]{}\"∧ =1,") for _ in range(8))
            client.change(uri, [(where, where, typed)])
        else:
            client.change(uri, [(where, (where[0], where[1] + len(typed)), "")])
        client.settle(uri)
        if turn % max(1, edits // 10) == max(1, edits // 10) - 1:
            seen.append(resident(client.process) / 1e6)
    client.close()
    print(f"memory over {edits:,} edits, MB: " + ", ".join(f"{size:.0f}" for size in seen))
    # The first tenth fills what is kept.
    return seen[-1] <= 1.1 * seen[1]


def long_graph(folder, lines=200_000):
    path = folder / "graph.bid"
    edges = "".join(f"    both {n} -> {n + 1}, {(7 * n) % lines}\n" for n in range(lines))
    path.write_text(f"game g = graph {{\n    start 0\n{edges}    win alice: {lines}\n}}\n")
    for command in ["fmt", "--check"], ["check"]:
        began = time.perf_counter()
        usage_before = os.times().children_user
        done = subprocess.run([BID, *command, str(path)], capture_output=True)
        seconds = time.perf_counter() - began
        print(f"bid {' '.join(command)}, a graph of {lines:,} lines ({path.stat().st_size / 1e6:.1f} MB): {seconds:.2f} s, "
              f"status {done.returncode}, user {os.times().children_user - usage_before:.2f} s")


def main():
    edits = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    print(f"{'from a key to diagnostics':32} {'median':>12} {'worst':>12}")
    good = library()
    with tempfile.TemporaryDirectory() as folder:
        good &= long_file(Path(folder))
        long_graph(Path(folder))
    good &= memory(edits)
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
