#!/usr/bin/env python3
"""Draws random games, rules and questions, and records what the program answers.

    tests/recorded/make.py target/release/bid

writes tests/recorded/NN.bid, which hold the questions, and NN.txt beside them, the answers as
`bid run` prints them. The test `recorded` compares a later program with these answers byte for
byte. Questions that the program refuses, or does not answer within a second, are left out.
"""

import random
import re
import subprocess
import sys
from pathlib import Path

FILES = 50
QUESTIONS = 100
HERE = Path(__file__).resolve().parent

PAYS = ["richman"] * 5 + ["poorman", "taxman(1/3)", "all_pay", "all_pay_bank"]
TIES = [
    "advantage", "advantage", "marker", "make_it_take_it", "losers_ball", "ladies_first",
    "gentlemen_first", "richer", "attached", "coin",
]
WINNERS = ["chooses", "chooses", "moves"]
DRAWS = ["neither", "alice", "bob", "half"]


def graph(dice, name, scored):
    """An explicit graph with cycles, draws, owners and zugzwang."""
    count = dice.randint(2, 6)
    lines = ["    start 0"]
    endings = ["a", "b"] + (["d"] if dice.random() < 0.4 else [])
    inner = list(range(count))
    used = set()
    for vertex in inner:
        for player in ("alice", "bob"):
            if dice.random() < 0.12:
                continue
            ahead = [w for w in inner if w > vertex]
            pool = inner if dice.random() < 0.35 else ahead
            targets = dice.sample(pool, min(len(pool), dice.randint(0, 2)))
            targets += dice.sample(endings, dice.randint(0 if targets else 1, 1))
            targets = list(dict.fromkeys(str(t) for t in targets))
            used.update(targets)
            score = f" score {dice.randint(-2, 3)}" if scored else ""
            for target in targets if scored else [", ".join(targets)]:
                lines.append(f"    {player} {vertex} -> {target}{score}")
    if not scored:
        if "a" in used:
            lines.append("    win alice: a")
        if "b" in used:
            lines.append("    win bob: b")
    if "d" in used and not scored:
        lines.append("    draw: d")
    if not scored and dice.random() < 0.2:
        lines.append(f"    turn {dice.choice(['alice', 'bob'])}: {dice.choice(inner)}")
    return f"game {name} = graph {{\n" + "\n".join(lines) + "\n}\n"


def expression(dice, depth):
    """A finite game as an expression."""
    if depth == 0 or dice.random() < 0.15:
        return dice.choice(["A", "B", "E", "Draw", "A^2", "B^3", "A^3"])
    kind = dice.random()
    if kind < 0.4:
        return f"({expression(dice, depth - 1)} ∧ {expression(dice, depth - 1)})"
    if kind < 0.9:
        sides = [
            ", ".join(expression(dice, depth - 1) for _ in range(dice.randint(1, 2))) for _ in "ab"
        ]
        return f"{{ {sides[0]} | {sides[1]} }}"
    return f"~({expression(dice, depth - 1)})"


def heaps(dice, name):
    """A ruleset of heaps and a board: numbered, layered or explored."""
    size = dice.randint(2, 4)
    takes = sorted(dice.sample([1, 2, 3], dice.randint(1, 2)))
    lines = [f"    state n = {size}", f"    state m = {dice.randint(0, 2)}", "    state last = alice"]
    for player in ("", "alice ", "bob "):
        if player == "" or dice.random() < 0.4:
            word = {"": "take", "alice ": "mine", "bob ": "his"}[player]
            if dice.random() < 0.6:
                lines.append(
                    f"    move {player}{word}(s) for s in {takes} if s <= n "
                    "{ n -= s; last = me }"
                )
            else:
                lines.append(f"    move {player}{word} if m > 0 {{ m -= 1; last = me }}")
    if dice.random() < 0.3:
        lines.append("    move flip if n == 1 { m = 1 - min([m, 1]); last = me }")
    lines.append(dice.choice([
        "    win me if n == 0 and last == me", "    win other if n == 0 and last == me",
        "    win alice if n == 0 and m == 0",
    ]))
    lines.append("    draw if n == 0")
    if dice.random() < 0.3:
        lines.append(f"    stuck {dice.choice(['loses', 'wins', 'draws', 'passes'])}")
    return f"game {name} {{\n" + "\n".join(lines) + "\n}\n"


def rules(dice, **fixed):
    """A rules literal; fields that are named are fixed."""
    fields = {
        "pay": dice.choice(PAYS), "ties": dice.choice(TIES),
        "winner": dice.choice(WINNERS), "draws": dice.choice(DRAWS),
    }
    fields.update(fixed)
    if dice.random() < 0.1:
        fields["solver"] = "search"
    fields = {name: value for name, value in fields.items() if value is not None}
    return "{ " + ", ".join(f"{name}: {value}" for name, value in fields.items()) + " }"


def question(dice, game, scored):
    """A question about a game under rules."""
    a, b, n = dice.randint(0, 4), dice.randint(0, 4), dice.randint(1, 4)
    star = dice.choice([f"{a}*, {b}", f"{a}, {b}*", f"{a}, {b}"])
    if scored:
        return dice.choice([
            f"o({game}, {star}) using {rules(dice, pay='richman', draws=None, winner=None)}",
            f"o({game}, {n}) using {rules(dice, pay='richman', draws=None, winner=None)}",
            f"bidding_matrix({game}, {a}*, {b})",
            f"moves({game}, {a}*, {b})",
        ])
    chips = rules(dice, pay=dice.choice(["richman", "richman", "richman", "poorman", "taxman(1/2)"]))
    real = rules(dice, pay=dice.choice(["richman", "poorman", "taxman(1/3)"]), ties=None)
    pays = rules(dice, pay=dice.choice(["all_pay", "all_pay_bank"]), ties=dice.choice(["richer", "coin", "advantage", "nobody"]))
    tied = rules(dice, pay="richman")
    return dice.choice([
        f"R({game}) using {real}", f"R({game}) using {real}", f"R({game})",
        f"R({game}[{n}]) using {real}", f"thresholds({game}) using {real}",
        f"P({game}) using {rules(dice, ties=None)}", f"P({game}, {n}/5) using {rules(dice, ties=None)}",
        f"bounds({game}, moves: {n}) using {tied}", f"bounds({game}, moves: {n}, chips: {a}) using {tied}",
        f"f({game}, 0..5) using {tied}", f"f({game}, {n}) using {tied}", f"f({game}, 0..5) using {chips}",
        f"f({game}[{n}], 0..4) using {tied}", f"f(~{game}, 0..4) using {tied}",
        f"f({game}, bob: 0..3) using {chips}", f"{game}({star}) using {chips}",
        f"{game}({star}) using {chips}", f"outcomes({game}, 0..3, 0..3) using {chips}",
        f"strategy({game}, {star}) using {chips}", f"strategy({game}, {star}) using {pays}",
        f"strategy({game}, {a}, {b}) using {{ bids: real, {real[2:]}",
        f"moves({game}) using {real}", f"moves({game}, {star}) using {chips}",
        f"table({game}) using {tied}", f"table({game}, bob: {n}) using {chips}",
        f"openings({game}) using {tied}", f"v({game}, {a}, {b}) using {pays}",
        f"nash({game}, {a}, {b}) using {pays}", f"sure({game}, {a}) using {pays}",
        f"size({game})", f"tree({game})", f"minimise({game})", f"simplify({game})",
        f"stable({game})", f"period({game})", f"{game} <= E", f"compare({game}, A ∧ B^2)",
        f"value({game})",
    ])


def main(program):
    for old in list(HERE.glob("*.bid")) + list(HERE.glob("*.txt")):
        old.unlink()
    kept = 0
    for number in range(FILES):
        dice = random.Random(number)
        games, names = [], []
        for index in range(8):
            kind, name = dice.random(), f"g{index}"
            scored = kind < 0.1
            if kind < 0.55:
                games.append(graph(dice, name, scored))
            elif kind < 0.75:
                games.append(heaps(dice, name))
            elif kind < 0.85:
                board = dice.choice([
                    "connect(3, 3, 3)", "connect(2, 2, 3)", "connect(3, 2, 4)", "hex(2, 2)", "hex(2, 3)",
                    "tug(3)", "ultimatum(3)",
                ])
                games.append(f"let {name} = {board}\n")
            else:
                games.append(f"let {name} = {expression(dice, 3)}\n")
            names.append((name, scored))
        head = 'use "classics.bid"\n\n' + "\n".join(games) + "\n"
        asked = [question(dice, *dice.choice(names)) for _ in range(4 * QUESTIONS)]
        asked = list(dict.fromkeys(asked))
        path = HERE / f"{number:02}.bid"

        while True:
            path.write_text(head + "".join(f"show {text}\n" for text in asked))
            run = subprocess.run(
                [program, "run", "--quiet", "--color", "never", "--threads", "1",
                 "--timeout", "1s", path],
                capture_output=True, text=True,
            )
            refused = {int(line) for line in re.findall(r"─\[ .*?:(\d+):\d+ \]", run.stderr)}
            first = head.count("\n") + 1
            left = [text for place, text in enumerate(asked) if first + place not in refused]
            if len(left) == len(asked):
                break
            asked = left
        asked = asked[:QUESTIONS]
        path.write_text(head + "".join(f"show {text}\n" for text in asked))
        run = subprocess.run(
            [program, "run", "--quiet", "--color", "never", "--threads", "1", path],
            capture_output=True, text=True, check=True,
        )
        path.with_suffix(".txt").write_text(run.stdout)
        kept += len(asked)
        print(path.name, len(asked))
    print(kept, "answers recorded")


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
