#!/usr/bin/env python3
"""Falsified certificates, each of which Coq has to refuse.

  mutants.py make --bid PROGRAM   writes the certificates of certificates.txt, and also_true.txt: changes of the rules under
                                  which the theorem is true as well, which are no mutants
  mutants.py write FOLDER         writes every mutant as a file, for another checker
  mutants.py check [-j JOBS]      certificates are accepted, and every mutant is refused

A mutant is a certificate with one change: an answer that is not the one proved, the claim about one position, a position
that is forgotten, a move that is forgotten, or another rule. Ranks and stages are left as they are: others can serve as well.
"""
import argparse
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

HERE = os.path.dirname(os.path.abspath(__file__))
THEORY = os.path.join(HERE, "..", "theory")


# The format of listings (proofs/README.md): readers, and the stream of bits.

def parse_reader(text):
    """`(both (number 3) a_bool)` as nested lists of words."""
    tokens = re.findall(r"[()]|[^\s()]+", text)

    def group(at):
        found = []
        while at < len(tokens) and tokens[at] != ")":
            if tokens[at] == "(":
                inner, at = group(at + 1)
                found.append(inner)
            else:
                found.append(tokens[at])
            at += 1
        return found, at
    found, _ = group(0)
    return found[0]


class Stream:
    def __init__(self, bits):
        self.bits, self.at = bits, 0

    def number(self, width):
        bits = self.bits[self.at:self.at + width]
        self.at += width
        return sum(bit << place for place, bit in enumerate(bits))


def read(reader, stream):
    """One item as a tree whose leaves are [width, value]."""
    if isinstance(reader, str):
        return [{"a_cell": 2, "a_player": 1, "a_bool": 1}[reader], stream.number({"a_cell": 2}.get(reader, 1))]
    kind, *rest = reader
    if kind == "both":
        return [read(rest[0], stream), read(rest[1], stream)]
    if kind in ("number", "natural", "a_vertex"):
        return [int(rest[0]), stream.number(int(rest[0]))]
    if kind == "integer":
        return [[1, stream.number(1)], [int(rest[0]), stream.number(int(rest[0]))]]
    if kind == "a_grid":
        return [[2, stream.number(2)] for _ in range(int(rest[0]) * int(rest[1]))]
    if kind == "times":
        return [read(rest[1], stream) for _ in range(int(rest[0]))]
    if kind == "counted":
        count = stream.number(int(rest[0]))
        return [[int(rest[0]), count]] + [read(rest[1], stream) for _ in range(count)]
    if kind == "either":
        second = stream.number(1)
        return [[1, second], read(rest[second], stream)]
    if kind == "optional":
        there = stream.number(1)
        return [[1, there]] + ([read(rest[0], stream)] if there else [])
    raise ValueError(kind)


def leaves(tree):
    if len(tree) == 2 and all(isinstance(part, int) for part in tree):
        yield tree
    else:
        for part in tree:
            yield from leaves(part)


def bits_of(trees):
    return [value >> place & 1 for tree in trees for width, value in leaves(tree) for place in range(width)]


def unpacked(data):
    return [ord(c) >> place & 1 for c in data for place in range(6)]


def packed(bits):
    bits = bits + [0] * (-len(bits) % 6)
    values = [sum(bit << place for place, bit in enumerate(bits[i:i + 6])) for i in range(0, len(bits), 6)]
    return "".join(chr(v if v >= 48 else v + 64) for v in values)


LISTING = re.compile(
    r'((?:Definition \w+ := ".*"\.\n)+)\nDefinition (\w*listing\w*) := items bits_of_text\n  (\(counted .*)\n  \[.*\]\.')


def listing_mutants(text):
    """The claim of each position changed, and each position forgotten, in every listing."""
    for match in LISTING.finditer(text):
        data, name, (_, width, reader) = match[1], match[2], parse_reader(match[3])
        items = []
        for string in re.findall(r'"(.*)"', data):
            stream = Stream(unpacked(string))
            items += [read(reader, stream) for _ in range(stream.number(int(width)))]

        def mutant(items, kind):
            count = [[int(width), len(items)]]
            fresh = f'Definition {name}_mutant := "{packed(bits_of(count + items))}".\n'
            body = f"{fresh}\nDefinition {name} := items bits_of_text\n  {match[3]}\n  [{name}_mutant]."
            return kind, text[:match.start()] + body + text[match.end():]
        for i in range(len(items)):
            yield mutant(items[:i] + items[i + 1:], f"{name}: position {i} is forgotten")
            claim = items[i][1]
            numbers = claim_numbers(reader[2], claim)
            for j, leaf in enumerate(numbers):
                size, value = leaf
                leaf[1] = value + 1 if value + 1 < 1 << size else value - 1
                yield mutant(items, f"{name}: number {j} of position {i} is {leaf[1]} instead of {value}")
                leaf[1] = value


def claim_numbers(reader, claim):
    """The numbers of a claim that are no ranks: the value, or the thresholds."""
    if reader[0] == "counted":
        return [step[1] for step in claim[1:]][-1:]
    if reader[1][0] == "number":
        return [claim[0]]
    return []


def statement_mutants(text):
    """Each number that a theorem states changed, and the tactic told so."""
    for match in re.finditer(r"^Theorem (\w+) :\n  (.*)\.\nProof\. (.*) Qed\.", text, re.M):
        statement, proof = match[2], match[3]
        for number in re.finditer(r"\((?:Chip|Star) (\d+)\)|\((-?\d+) # (\d+)\)| (\d+)(?= |$)", statement):
            group = next(i for i in range(1, 5) if number[i] is not None)
            for other in (int(number[group]) + 1, int(number[group]) - 1):
                if other < 0 or group == 2 and number[3] == "0":
                    continue
                at = number.start(group)
                changed = statement[:at] + str(other) + statement[number.end(group):]
                whole = text[:match.start(2)] + changed + text[match.end(2):]
                yield f"{match[1]}: {other} instead of {number[group]}", whole
        for number in re.finditer(r"(\d+)%(N|positive)", proof):
            other = str(int(number[1]) + 1)
            whole = text[:match.start(3)] + proof[:number.start(1)] + other + proof[number.end(1):] + text[match.end(3):]
            yield f"{match[1]}: the proof says {other} instead of {number[1]}", whole
        for a, b in (("Chip", "Star"), ("Star", "Chip"), ("Alice (State", "Bob (State"), ("Bob (State", "Alice (State"),
                     ("forces", "avoids")):
            if a in statement:
                yield (f"{match[1]}: {b} instead of {a}",
                       text[:match.start(2)] + statement.replace(a, b, 1) + text[match.end(2):])


def rule_mutants(text):
    """Other rules, and moves that are forgotten."""
    start = text.index("(** * The rules *)")
    end = text.index("(** * The listing")
    rules = text[start:end]

    def mutant(kind, changed):
        return kind, text[:start] + changed + text[end:]
    # Each head of an edge of a graph.
    for edge in re.finditer(r"\[((?:\d+; )*\d+)\]", rules):
        heads = edge[1].split("; ")
        for i in range(len(heads)):
            rest = "; ".join(heads[:i] + heads[i + 1:])
            line = rules[:edge.start()].count("\n")
            yield mutant(f"line {line}, column {edge.start(1)}: the move to {heads[i]} is forgotten",
                         rules[:edge.start(1)] + rest + rules[edge.end(1):])
    for winner in re.finditer(r"\(Some (Alice|Bob), ", rules):
        other = {"Alice": "Bob", "Bob": "Alice"}[winner[1]]
        yield mutant(f"{other} wins instead of {winner[1]}",
                     rules[:winner.start(1)] + other + rules[winner.end(1):])
    # Parts of rules, one after the other.
    for old, new, kind in (
        ("loses", "wins", "who cannot move wins"),
        ("loses", "passes", "who cannot move passes"),
        ("loses", "draws", "who cannot move draws"),
        ("then Some Alice", "then Some Bob", "Alice's line is a win of Bob's"),
        ("then Some Bob", "then None", "Bob's line is no win"),
        ("line board me 3", "line board me 2", "two in a row win"),
        ("line board me 2", "line board me 3", "three in a row win"),
        ("(range 0 2)", "(range 0 1)", "a column is forgotten"),
        ("(range 0 2)", "(range 1 2)", "the first column is forgotten"),
        ("fall board me", "fall board (other me)", "the other's stone falls"),
        ("put board me", "put board (other me)", "the other's stone is put"),
        ("left_side right_side", "top_side bottom_side", "Alice joins other sides"),
    ):
        if old in rules:
            yield mutant(kind, rules.replace(old, new, 1))
    for old, new in (("(Rules marker must_move)", "(Rules marker chooses)"), ("(Rules marker", "(Rules losers_ball"),
                     ("(Rules make_it_take_it", "(Rules marker"), ("(Rules fixed", "(Rules make_it_take_it")):
        if old in text:
            yield f"the rules are {new[1:]} instead of {old[1:]}", text.replace(old, new)


def all_mutants(name, text):
    """All but those of other rules under which the theorem is true as well."""
    seen, true = {text}, also_true()
    for kind, changed in [*statement_mutants(text), *listing_mutants(text), *rule_mutants(text)]:
        if changed not in seen and f"{name}: {kind}" not in true:
            seen.add(changed)
            yield kind, changed


ALSO_TRUE = os.path.join(HERE, "also_true.txt")


def also_true():
    if not os.path.exists(ALSO_TRUE):
        return set()
    with open(ALSO_TRUE, encoding="utf-8") as lines:
        return {line.rstrip("\n") for line in lines}


def certificates():
    with open(os.path.join(HERE, "certificates.txt"), encoding="utf-8") as lines:
        for line in lines:
            if line.strip() and not line.startswith("#"):
                yield line.split(maxsplit=2)


def text_of(name):
    with open(os.path.join(HERE, name + ".v"), encoding="utf-8") as file:
        return file.read()


def accepted(texts):
    """Which of some files Coq accepts; one process reads them all, each in a module of its own."""
    script = ["From Proofs Require Import Answers.", "Check begin_."]
    for number, text in enumerate(texts):
        body = text.replace("From Proofs Require Import Answers.", "")
        # What is not there is an error, which marks how far Coq has come, in a proof too.
        script.append(f"Module File{number}.\n{body}\nCheck read_{number}_.\nAbort All.\nEnd File{number}.\nCheck end_{number}_.")
    run = subprocess.run(["coqtop", "-q", "-Q", THEORY, "Proofs"], input="\n".join(script), text=True, check=False,
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    found, rest = [], run.stdout.split("begin_", 1)[1]
    for number in range(len(texts)):
        said, rest = rest.split(f"read_{number}_", 1)
        # The mark itself is one error.
        found.append(said.count("Error:") == 1)
        rest = rest.split(f"end_{number}_", 1)[1]
    return found


def make(program):
    for name, library, question in certificates():
        path = os.path.join(HERE, name + ".v")
        games = os.path.join(HERE, "..", "..", "games", library.strip() + ".bid")
        subprocess.run([program, "eval", "-l", games, "--certificate", path, question.strip()],
                       check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    # Other rules can have the same answer, by the same listing: then that is a theorem too.
    if os.path.exists(ALSO_TRUE):
        os.remove(ALSO_TRUE)
    found = []
    for name, _, _ in certificates():
        files = [item for item in rule_mutants(text_of(name)) if item[1] != text_of(name)]
        found += [f"{name}: {kind}" for (kind, _), true in zip(files, accepted([text for _, text in files])) if true]
    with open(ALSO_TRUE, "w", encoding="utf-8") as file:
        file.writelines(line + "\n" for line in dict.fromkeys(found))


def write(folder):
    os.makedirs(folder, exist_ok=True)
    for name, _, _ in certificates():
        for number, (kind, text) in enumerate(all_mutants(name, text_of(name))):
            with open(os.path.join(folder, f"{name}_{number}.v"), "w", encoding="utf-8") as file:
                file.write(f"(* {kind} *)\n{text}")


def check(jobs):
    names = [name for name, _, _ in certificates()]
    work = [[(None, text_of(name)), *all_mutants(name, text_of(name))] for name in names]
    with ThreadPoolExecutor(jobs) as pool:
        results = list(pool.map(lambda files: accepted([text for _, text in files]), work))
    wrong = 0
    for name, files, accepts in zip(names, work, results):
        for (kind, _), accept in zip(files, accepts):
            if accept != (kind is None):
                wrong += 1
                said = "accepted" if accept else "refused"
                print(f"proofs: {name}: {kind or 'the certificate itself'} is {said}", file=sys.stderr)
    mutants = sum(map(len, work)) - len(names)
    print(f"proofs: {len(names)} certificates are accepted, {mutants} falsified ones refused"
          if not wrong else f"proofs: {wrong} files are not as they should be")
    return 1 if wrong else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("make").add_argument("--bid", required=True)
    commands.add_parser("write").add_argument("folder")
    commands.add_parser("check").add_argument("-j", type=int, default=1)
    arguments = parser.parse_args()
    if arguments.command == "make":
        make(os.path.abspath(arguments.bid))
    elif arguments.command == "write":
        write(arguments.folder)
    else:
        sys.exit(check(arguments.j))


main()
