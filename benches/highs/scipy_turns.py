"""Times HiGHS, through scipy, on turns from standard input, and prints the seconds that it took.

A line is a turn: Alice's chips, Bob's, and the payoffs by the difference of the bids, least first.
"""

import sys
import time

import numpy
from scipy.linalg import toeplitz
from scipy.optimize import linprog

took = 0.0
for turn in map(str.split, sys.stdin):
    a, b = int(turn[0]), int(turn[1])
    payoff = numpy.array(turn[2:], dtype=float)
    matrix = toeplitz(payoff[b::-1], payoff[b:])  # rows: Bob's bids, columns: Alice's
    # Alice maximises w with matrix · s >= w, s a distribution.
    objective = numpy.append(numpy.zeros(a + 1), -1.0)
    gets = numpy.hstack([-matrix, numpy.ones((b + 1, 1))])
    sums = numpy.append(numpy.ones(a + 1), 0.0)[None, :]
    bounds = [(0, None)] * (a + 1) + [(None, None)]
    start = time.perf_counter()
    found = linprog(
        objective, A_ub=gets, b_ub=numpy.zeros(b + 1), A_eq=sums, b_eq=[1.0], bounds=bounds, method="highs"
    )
    took += time.perf_counter() - start
    assert found.success, found.message
print(took)
