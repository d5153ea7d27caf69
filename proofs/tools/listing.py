#!/usr/bin/env python3
"""Writes answers as theorems: listing.py R GAME, listing.py f GAME K, listing.py bids GAME K TIES CONVENTION.

With --words at the end the listing stands in primitive integers.

A stand-in for `bid eval --certificate x.v`: it enumerates the positions, computes the claims, and prints a file for
Coq. GAME is a Python expression over the classes below, e.g. 'tictactoe()', 'connect(4,3,4)', 'hex(2,2)', 'tug(5)'.
"""
import sys
from fractions import Fraction
from math import lcm

sys.setrecursionlimit(1_000_000)
A, B = 1, 2
WORDS = sys.argv[-1] == "--words"


def bits_of(n, width):
    assert n < 1 << width, (n, width)
    return [n >> i & 1 for i in range(width)]


class Grid:
    """Games on a grid: a position is a tuple of cells, row by row, each 0, A or B."""

    def __init__(self, rows, cols):
        self.rows, self.cols = rows, cols
        self.start = (0,) * (rows * cols)
        self.start_text = f"(empty_grid {rows} {cols})"
        self.reader = f"(a_grid {rows} {cols})"

    def put(self, s, i, p):
        return s[:i] + (p,) + s[i + 1:]

    def empty(self, s, p):
        return [self.put(s, i, p) for i, x in enumerate(s) if not x]

    def line(self, s, n):
        for r in range(self.rows):
            for c in range(self.cols):
                for dr, dc in (0, 1), (1, 0), (1, 1), (1, -1):
                    if 0 <= r + (n - 1) * dr < self.rows and 0 <= c + (n - 1) * dc < self.cols:
                        run = {s[(r + i * dr) * self.cols + c + i * dc] for i in range(n)}
                        if len(run) == 1 and 0 not in run:
                            return run.pop()
        return 0

    def bits(self, s):
        return [b for x in s for b in bits_of(x, 2)]


class tictactoe(Grid):
    name = "tictactoe"
    rules = """Definition tictactoe : game := {|
  position := grid;
  moves p b := map (put b p) (empty_cells b);
  winner b := whoever (fun p => line b p 3)
|}."""

    def __init__(self):
        super().__init__(3, 3)

    def moves(self, p, s):
        return self.empty(s, p)

    def winner(self, s):
        return self.line(s, 3)


class connect(Grid):
    name = "connect"

    def __init__(self, n, rows, cols):
        super().__init__(rows, cols)
        self.n = n
        self.rules = f"""Definition connect : game := {{|
  position := grid;
  moves p b := map (drop b p) (open_columns b);
  winner b := whoever (fun p => line b p {n})
|}}."""

    def moves(self, p, s):
        found = []
        for c in range(self.cols):
            free = [r for r in range(self.rows) if not s[r * self.cols + c]]
            if free:
                found.append(self.put(s, free[-1] * self.cols + c, p))
        return found

    def winner(self, s):
        return self.line(s, self.n)


class hex(Grid):
    name = "hex"
    rules = """Definition hex : game := {|
  position := grid;
  moves p b := map (put b p) (empty_cells b);
  winner b :=
    if connected b Alice left_side right_side then Some Alice
    else if connected b Bob top_side bottom_side then Some Bob
    else None
|}."""

    def moves(self, p, s):
        return self.empty(s, p)

    def joined(self, s, p, start, goal):
        todo = [i for i in start if s[i] == p]
        seen = set(todo)
        while todo:
            r, c = divmod(todo.pop(), self.cols)
            for dr, dc in (0, 1), (0, -1), (1, 0), (-1, 0), (-1, 1), (1, -1):
                if 0 <= r + dr < self.rows and 0 <= c + dc < self.cols:
                    j = (r + dr) * self.cols + c + dc
                    if s[j] == p and j not in seen:
                        seen.add(j)
                        todo.append(j)
        return any(i in seen for i in goal)

    def winner(self, s):
        rows, cols = range(self.rows), range(self.cols)
        if self.joined(s, A, [r * self.cols for r in rows], [r * self.cols + self.cols - 1 for r in rows]):
            return A
        if self.joined(s, B, list(cols), [(self.rows - 1) * self.cols + c for c in cols]):
            return B
        return 0


class graph:
    """Explicit graphs: vertices 1 ... n, as the listing of the graph itself."""
    name = "graph"

    def __init__(self, start, edges_a, edges_b, win):
        self.start, self.edges, self.win = start, {A: edges_a, B: edges_b}, win
        vertices = sorted(set(edges_a) | set(edges_b) | set(win))
        self.width = max(vertices).bit_length()
        self.start_text = f"{start}%positive"
        self.reader = f"(a_vertex {self.width})"
        lines = []
        for v in vertices:
            def some(p):
                return "; ".join(map(str, self.edges[p].get(v, [])))
            w = {A: "Some Alice", B: "Some Bob"}.get(win.get(v), "None")
            lines.append(f"({v}, ({w}, [{some(A)}], [{some(B)}]))")
        self.rules = "Definition graph : game := graph_game [\n  " + ";\n  ".join(lines) + "]%positive."

    def moves(self, p, v):
        return self.edges[p].get(v, [])

    def winner(self, v):
        return self.win.get(v, 0)

    def bits(self, v):
        return bits_of(v, self.width)


def tug(n):
    """Tug o' War; the vertex i of the path is i + n + 1 here."""
    inner = range(2, 2 * n + 1)
    return graph(n + 1, {v: [v + 1] for v in inner}, {v: [v - 1] for v in inner}, {2 * n + 1: A, 1: B})


def positions(game):
    """All positions, each after its successors where there are no cycles."""
    order, seen, stack = [], {game.start}, [(game.start, None)]
    succ = {}

    def children(s):
        if game.winner(s):
            return ([], [])
        return (game.moves(A, s), game.moves(B, s))
    acyclic, open_ = True, set()
    stack = [(game.start, False)]
    while stack:
        s, done = stack.pop()
        if done:
            order.append(s)
            open_.discard(s)
            continue
        if s in succ:
            continue
        succ[s] = children(s)
        open_.add(s)
        stack.append((s, True))
        for t in succ[s][0] + succ[s][1]:
            if t in open_:
                acyclic = False
            if t not in succ:
                stack.append((t, False))
    return order, succ, acyclic


def two_sides(a, b):
    if a and b:
        m, n = min(a), max(b)
        return (m, n) if m <= n else (n, m)
    if a or b:
        m = min(a) if a else max(b)
        return m, m
    return None


def values(game):
    order, succ, acyclic = positions(game)
    info = {}
    if not acyclic:
        return order, iterate(game, order, succ)
    for s in order:
        a, b = succ[s]
        w = game.winner(s)
        if w == A:
            info[s] = (Fraction(0), 0)
        elif w == B or not a + b:
            info[s] = (Fraction(1), 0)
        else:
            lo, hi = two_sides([info[t] for t in a], [info[t] for t in b])
            x = (lo[0] + hi[0]) / 2
            info[s] = (x, 0 if x == 1 else lo[1] + 1)
    return order, info


def iterate(game, order, succ):
    """Values and ranks on a graph with cycles: guess the sides by value iteration, solve the linear system, check it."""
    inner = [s for s in order if succ[s][0] + succ[s][1] and not game.winner(s)]
    end = {s: Fraction(0) if game.winner(s) == A else Fraction(1) for s in order}
    x = {s: float(end[s]) for s in order}
    for _ in range(200 * len(inner)):
        for s in inner:
            lo, hi = two_sides([x[t] for t in succ[s][0]], [x[t] for t in succ[s][1]])
            x[s] = (lo + hi) / 2
    sides = {}
    for s in inner:
        pick = lambda ts, best: best(ts, key=lambda t: x[t])
        sides[s] = [pick(ts, best) for ts, best in ((succ[s][0], min), (succ[s][1], max)) if ts] * 2
    at = {s: i for i, s in enumerate(inner)}
    rows = []
    for s in inner:
        row, const = {at[s]: Fraction(2)}, Fraction(0)
        for t in sides[s][:2]:
            if t in at:
                row[at[t]] = row.get(at[t], Fraction(0)) - 1
            else:
                const += end[t]
        rows.append((row, const))
    for i in range(len(rows)):
        row, const = rows[i]
        pivot = row[i]
        rows[i] = row, const = {j: c / pivot for j, c in row.items()}, const / pivot
        for j in range(len(rows)):
            if j != i and rows[j][0].get(i):
                other, c2 = rows[j]
                factor = other[i]
                for q, c in row.items():
                    other[q] = other.get(q, Fraction(0)) - factor * c
                rows[j] = ({q: c for q, c in other.items() if c}, c2 - factor * const)
    value = dict(end)
    value.update({s: rows[i][1] for s, i in at.items()})
    changed = True
    rank = {s: 0 for s in order if s not in at or value[s] == 1}
    while changed:
        changed = False
        for s in inner:
            if s not in rank:
                lo, _ = two_sides([(value[t], rank.get(t, len(order))) for t in succ[s][0]],
                                  [(value[t], rank.get(t, len(order))) for t in succ[s][1]])
                if lo[1] < len(order):
                    rank[s], changed = lo[1] + 1, True
    return {s: (value[s], rank[s]) for s in order}


def thresholds(game, k):
    """Staircases of (stage, threshold in half chips), by the truncations G[n]."""
    order, succ, acyclic = positions(game)
    never = 2 * k + 2
    mean = lambda lo, hi: (lo + 1) // 2 + hi // 2
    if acyclic:
        stairs, height = {}, {}
        last = lambda t: stairs[t][-1][1] if stairs[t] else never
        for s in order:
            a, b = succ[s]
            height[s] = 1 + max((height[t] for t in a + b), default=-1)
            if game.winner(s) == A:
                stairs[s] = [(0, 0)]
            elif game.winner(s) == B or not a + b:
                stairs[s] = []
            else:
                h = mean(*two_sides([last(t) for t in a], [last(t) for t in b]))
                stairs[s] = [(height[s], h)] if h < never else []
        return order, stairs
    now = {s: 0 if game.winner(s) == A else never for s in order}
    stairs = {s: [(0, 0)] if game.winner(s) == A else [] for s in order}
    n = 0
    while True:
        n += 1
        new = dict(now)
        for s in order:
            a, b = succ[s]
            if a + b:
                new[s] = mean(*two_sides([now[t] for t in a], [now[t] for t in b]))
                if new[s] != now[s]:
                    stairs[s].append((n, new[s]))
        if new == now:
            return order, stairs
        now = new


def outcomes(game, k, ties, convention):
    """Ranks of the states that Alice wins, by playing literally: all bids, all uses of the tie status, all moves."""
    order, succ, _ = positions(game)
    rank = {}
    for s in order:
        if game.winner(s) == A:
            for h in (A, B):
                for a in range(k + 1):
                    rank[s, a, h] = 1

    def passes(w, h):
        return {"make_it_take_it": w, "losers_ball": 3 - w}.get(ties, h)

    def lands(s, a, h, x, y, good):
        def after(w, amount, h2):
            c = a - amount if w == A else a + amount
            side = [succ[s][0], succ[s][1]]
            ms = []
            if side[0]:
                ms.append((A, any(good(t, c, h2) for t in side[0])))
            if side[1]:
                ms.append((B, all(good(t, c, h2) for t in side[1])))
            if convention == "must_move":
                own = [m for m in ms if m[0] == w]
                ms = own or ms
            return any(m[1] for m in ms) if w == A else all(m[1] for m in ms)
        if x > y:
            return after(A, x, passes(A, h))
        if y > x:
            return after(B, y, passes(B, h))
        options = {"advantage": [(h, 3 - h), (3 - h, h)], "marker": [(h, 3 - h)], "losers_ball": [(h, 3 - h)],
                   "make_it_take_it": [(h, h)], "fixed": [(h, h)]}[ties]
        found = [after(w, x, h2) for w, h2 in options]
        return any(found) if h == A else all(found)
    n = 1
    while True:
        n += 1
        new = []
        for s in order:
            if not succ[s][0] + succ[s][1]:
                continue
            for a in range(k + 1):
                for h in (A, B):
                    if (s, a, h) not in rank and any(
                            all(lands(s, a, h, x, y, lambda *t: t in rank) for y in range(k - a + 1))
                            for x in range(a + 1)):
                        new.append((s, a, h))
        if not new:
            return order, rank
        for t in new:
            rank[t] = n


def pack(bits):
    bits += [0] * (-len(bits) % 6)
    out = []
    for i in range(0, len(bits), 6):
        v = sum(b << j for j, b in enumerate(bits[i:i + 6]))
        out.append(chr(v if v >= 48 else v + 64))
    return "".join(out)


def emit(game, about, reader, count, bits, theorem):
    print(f"(** {about}\n\n    Written by proofs/tools/listing.py. *)\n\nFrom Proofs Require Import Answers.\n")
    print(f"(** * The rules *)\n\n{game.rules}\n")
    print(f"(** * The listing: {count} positions *)\n")
    if WORDS:
        bits += [0] * (-len(bits) % 60)
        words = [str(sum(b << j for j, b in enumerate(bits[i:i + 60]))) for i in range(0, len(bits), 60)]
        chunks = [words[i:i + 1000] for i in range(0, len(words), 1000)]
        for i, chunk in enumerate(chunks):
            print(f"Definition data_{i} := [{'; '.join(chunk)}]%uint63.")
    else:
        data = pack(bits)
        chunks = [data[i:i + 1000] for i in range(0, len(data), 1000)]
        for i, chunk in enumerate(chunks):
            print(f'Definition data_{i} := "{chunk}".')
    names = "; ".join(f"data_{i}" for i in range(len(chunks)))
    print(f"\nDefinition listing := items {count}\n  {reader}\n  (bits_of_{'words' if WORDS else 'texts'} [{names}]).\n")
    print("(** * The theorem *)\n")
    print(theorem)


def main():
    what, game = sys.argv[1], eval(sys.argv[2])
    if what == "R":
        order, info = values(game)
        d = lcm(*(x.denominator for x, _ in info.values()))
        vw, rw = d.bit_length(), max(r for _, r in info.values()).bit_length()
        bits = []
        for s in order:
            x, r = info[s]
            bits += game.bits(s) + bits_of(int(x * d), vw) + bits_of(r, rw)
        x = info[game.start][0]
        emit(game, f"R({sys.argv[2]}) = {x}.", f"(both {game.reader} (both (number {vw}) (number {rw})))", len(order), bits,
             f"Theorem R_{game.name} : critical {game.name} {game.start_text} ({x.numerator} # {x.denominator}).\n"
             f"Proof. by_values {d}%positive listing {int(x * d)}%N. Qed.")
    elif what == "f":
        k = int(sys.argv[3])
        order, stairs = thresholds(game, k)
        cw = max(map(len, stairs.values())).bit_length()
        sw = max(n for st in stairs.values() for n, _ in st).bit_length()
        hw = (2 * k + 2).bit_length()
        bits = []
        for s in order:
            bits += game.bits(s) + bits_of(len(stairs[s]), cw)
            for n, h in stairs[s]:
                bits += bits_of(n, sw) + bits_of(h, hw)
        h = stairs[game.start][-1][1] if stairs[game.start] else 2 * k + 2
        x = f"Star {h // 2}" if h % 2 else f"Chip {h // 2}"
        emit(game, f"f({sys.argv[2]}, {k}) = {h // 2}{'*' * (h % 2)}, by Theorem 3.7 of Develin & Payne.",
             f"(both {game.reader} (counted {cw} (both (number {sw}) (number {hw}))))", len(order), bits,
             f"Theorem f_{game.name}_{k} : f_is {game.name} {game.start_text} {k} ({x}).\nProof. by_thresholds {k}%N listing {h}%N. Qed.")
    elif what == "bids":
        k, ties, convention = int(sys.argv[3]), sys.argv[4], sys.argv[5]
        order, rank = outcomes(game, k, ties, convention)
        rw = max(rank.values()).bit_length()
        bits = []
        for s in order:
            bits += game.bits(s)
            for h in (A, B):
                for a in range(k + 1):
                    bits += bits_of(rank.get((s, a, h), 0), rw)
        theorems = [f"Lemma checked : all_hold (outcomes_ok (G := {game.name}) (Rules {ties} {convention}) {k}) listing = true.\n"
                    "Proof. vm_cast_no_check (eq_refl true). Qed."]
        for h, holder in (A, "Alice"), (B, "Bob"):
            f = min([a for a in range(k + 1) if (game.start, a, h) in rank], default=k + 1)
            theorems.append(f"Theorem threshold_{game.name}_{holder} :\n  threshold {game.name} (Rules {ties} {convention}) "
                            f"{game.start_text} {k} {holder} {f}.\nProof. by_outcomes checked. Qed.")
        ranks = f"(times {k + 1} (number {rw}))"
        emit(game, f"The thresholds of {sys.argv[2]} with {k} chips under {ties}, {convention}; all bids are tried.",
             f"(both {game.reader} (both {ranks} {ranks}))", len(order), bits, "\n\n".join(theorems))


main()
