"""Times HiGHS, through scipy, on the turns that `cargo bench --bench all_pay -- CHIPS FILE` wrote.

Needs numpy and scipy: `python3 benches/highs.py FILE [EVERY]` takes every EVERY-th turn (default 10).
"""

import sys
import time

import numpy
from scipy.linalg import toeplitz
from scipy.optimize import linprog

every = int(sys.argv[2]) if len(sys.argv) > 2 else 10
turns = [line.split() for line in open(sys.argv[1])][::every]
took = 0.0
for turn in turns:
    a, b = int(turn[0]), int(turn[1])
    payoff = numpy.array(turn[2:], dtype=float)
    matrix = toeplitz(payoff[b::-1], payoff[b:])  # rows: Bob's bids, columns: Alice's
    # Alice maximises w with matrix · s >= w, s a distribution.
    start = time.perf_counter()
    found = linprog(
        numpy.append(numpy.zeros(a + 1), -1.0),
        A_ub=numpy.hstack([-matrix, numpy.ones((b + 1, 1))]),
        b_ub=numpy.zeros(b + 1),
        A_eq=numpy.append(numpy.ones(a + 1), 0.0)[None, :],
        b_eq=[1.0],
        bounds=[(0, None)] * (a + 1) + [(None, None)],
        method="highs",
    )
    took += time.perf_counter() - start
    assert found.success, found.message
print(f"{len(turns)} turns, {took / len(turns) * 1e6:.0f} µs each")
