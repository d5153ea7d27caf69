#!/usr/bin/env python3
"""Checks certificates of `bid`: Richman values, random turns and play with whole chips: `python3 docs/verify.py FILE`. Plain Python 3.

Status 0: the claim is proved of the listed positions; 1: it is not; 2: no certificate, or not of a kind that is checked here. See docs/certificates.md.
This checker knows no `.bid`: that the listing is the game of the source, and the claim what the expression asks, is for `bid verify` to say.
"""
import itertools, json, math, re, sys  # noqa: E401
from fractions import Fraction

ALICE, BOB, NAMES, NEVER, MOST = 0, 1, ["alice", "bob"], float("inf"), 2**31 - 2  # the greatest rank
STATUS = ("advantage", "marker", "make_it_take_it", "losers_ball")
Malformed = type("Malformed", (Exception,), {"__doc__": "The file is not a certificate that is checked here."})
Unproved = type("Unproved", (Exception,), {"__doc__": "The certificate does not prove its claim."})


def need(condition, why, error=Malformed):
    if not condition:
        raise error(why)


def keys(value, names, where):
    need(isinstance(value, dict) and set(value) == set(names.split()), f"{where} does not have the parts {names}")
    return [value[name] for name in names.split()]


def whole(value, where):
    need(isinstance(value, int) and not isinstance(value, bool) and -(2**31) <= value < 2**31, f"{where}: not a whole number")
    return value


def rows(value, where):
    need(isinstance(value, list) and all(isinstance(row, list) for row in value), f"{where}: not a list of lists")
    return [[whole(number, where) for number in row] for row in value]


def fraction(text, where):
    need(isinstance(text, str) and re.fullmatch("-?[0-9]{1,65536}(/[0-9]{1,65536})?", text), f"{where}: not a fraction")
    above, _, below = text.partition("/")
    value = Fraction(int(above), int(below or 1)) if below.strip("0") or not below else None
    need(str(value) == text, f"{where}: not a fraction in lowest terms")
    return value


class Game:
    """The listed positions: `moves[player][position]`, and who has won where it is over (`None` for a draw)."""

    def __init__(self, listing):
        need(isinstance(listing, dict), "game")
        labels = [label for label in ("priorities", "weights") if label in listing]
        alice, bob, over, *given = keys(listing, " ".join(["alice", "bob", "over", *labels]), "game")
        self.moves = [rows(alice, "game.alice"), rows(bob, "game.bob")]
        self.size = len(self.moves[ALICE])
        need(self.size > 0 and len(self.moves[BOB]) == self.size, "game lists no positions, or of one player only")
        self.over = {}
        for winner, positions in zip([ALICE, BOB, None], keys(over, "alice bob draw", "game.over")):
            for position in rows([positions], "game.over")[0]:
                need(0 <= position < self.size and position not in self.over, f"game.over: position {position}")
                self.over[position] = winner
            need(positions == sorted(positions), "game.over is not in order")
        heads = [alice + bob for alice, bob in zip(*self.moves)]
        self.ordered = all(head > position for position in range(self.size) for head in heads[position])
        for position in range(self.size):
            need((position in self.over) != bool(heads[position]), f"position {position} is over and has moves, or neither")
            need(all(0 <= head < self.size for head in heads[position]), f"position {position} has a move out of the listing")
        given = dict(zip(labels, given))
        self.priorities = rows([given["priorities"]], "game.priorities")[0] if "priorities" in given else None
        need(self.priorities is None or len(self.priorities) == self.size, "game.priorities")
        self.weights = self.weighed(*keys(given["weights"], "alice bob", "game.weights")) if "weights" in given else None

    def weighed(self, *weights):  # of each player's moves
        for own, moves in zip(weights, self.moves):
            fits = isinstance(own, list) and all(isinstance(row, list) for row in own)
            need(fits and [len(row) for row in own] == [len(row) for row in moves], "game.weights")
        return [[[fraction(text, "game.weights") for text in row] for row in own] for own in weights]

    def movers(self, winner_rule, position, winner):  # who can be made to move by the winner of a turn
        able = [player for player in (ALICE, BOB) if self.moves[player][position]]
        return [winner] if winner_rule == "moves" and len(able) == 2 else able


class Promise:
    """Bounds of the values under Richman bidding (`coin` is None) or random turns, which a player guarantees, with the player's ranks."""

    def __init__(self, game, rules, coin, player, bounds, progress):
        self.game, self.rules, self.player, self.bounds = game, rules, player, bounds
        self.chances = [Fraction(1, 2)] * 2 if coin is None else [coin, 1 - coin]
        self.draw = {"alice": Fraction(0), "half": Fraction(1, 2)}.get(rules["draws"], Fraction(1))
        need(len(bounds) == game.size, "not a bound for every position")
        self.level = [self.is_level(position) for position in range(game.size)]
        need((progress is not None) == any(self.level), "ranks belong to level positions, and only there")
        ranks = rows(*keys(progress, "ranks", "proof"), "ranks") if progress is not None else [[]] * game.size
        need([len(row) for row in ranks] == [int(level) for level in self.level], "the ranks do not go with the bounds")
        self.ranks = [row[0] if row else 0 for row in ranks]

    def check(self):
        for position, bound in enumerate(self.bounds):
            need(0 <= bound <= 1 and self.follows(position, bound), f"the bound of position {position}", Unproved)
            right = not self.level[position] or self.ranks[position] == self.rank(position)
            need(right, f"the rank of position {position}", Unproved)

    def follows(self, position, bound):
        if position in self.game.over:
            return bound == {ALICE: Fraction(0), BOB: Fraction(1), None: self.draw}[self.game.over[position]]
        value = sum(self.chances[winner] * self.wins(position, winner) for winner in (ALICE, BOB))
        return value <= bound if self.player == ALICE else bound <= value

    def best(self, position, mover):  # the bound that a player's own moves lead to, if there are any
        bounds = [self.bounds[head] for head in self.game.moves[mover][position]]
        return None if not bounds else min(bounds) if mover == ALICE else max(bounds)

    def wins(self, position, winner):  # the bound that the winner of a turn gets to
        bounds = [self.best(position, mover) for mover in self.game.movers(self.rules["winner"], position, winner)]
        return min(bounds) if winner == ALICE else max(bounds)

    def is_level(self, position):  # play could go on for ever there, and break the promise
        if self.game.ordered or position in self.game.over:
            return False
        bound = self.bounds[position]
        turns = [self.wins(position, winner) == bound for winner in (ALICE, BOB) if self.chances[winner] > 0]
        return all(turns) and (bound < self.draw if self.player == ALICE else bound > self.draw)

    def rank(self, position):
        return 1 + min(self.rank_of_turn(position, winner) for winner in (ALICE, BOB) if self.chances[winner] > 0)

    def rank_of_turn(self, position, winner):
        best = self.wins(position, winner)
        choose, sides = lambda by, ranks: min(ranks) if by == self.player else max(ranks), []
        for mover in self.game.movers(self.rules["winner"], position, winner):
            if self.best(position, mover) == best:
                heads = [head for head in self.game.moves[mover][position] if self.bounds[head] == best]
                sides.append(choose(mover, [self.ranks[head] for head in heads]))
        return choose(winner, sides)


def check_promises(game, rules, kind, claim, proof):
    *coin, answer = (fraction(text, "claim") for text in keys(claim, {"R": "answer", "P": "coin answer"}[kind], "claim"))
    need(isinstance(proof, dict) and {"high"} <= set(proof) <= {"high", "low", "alice", "bob"}, "another kind of proof")
    sides = [proof["high"], proof.get("low", proof["high"])]
    need(all(isinstance(side, list) for side in sides), "proof: not a list")
    sides = [[fraction(text, "proof") for text in side] for side in sides]
    need(all(0 <= part <= 1 for part in coin), "the coin")
    coin = coin[0] if coin else None
    alice, bob = (Promise(game, rules, coin, player, sides[player], proof.get(NAMES[player])) for player in (ALICE, BOB))
    alice.check(), bob.check()
    for position in range(game.size):
        need(bob.bounds[position] <= alice.bounds[position], f"the bounds of position {position}", Unproved)
        least, greatest = alice.best(position, ALICE), bob.best(position, BOB)
        if rules["winner"] == "moves" and coin is None and least is not None and greatest is not None:
            common = set(game.moves[ALICE][position]) & set(game.moves[BOB][position])
            need(least < greatest or least == greatest and game.ordered or common, f"position {position}: who wants to lose?", Unproved)
    low, high = bob.bounds[0], alice.bounds[0]
    need(low == high == (answer if coin is None else 1 - answer), f"the value is from {low} to {high}", Unproved)
    return answer


class Set:
    """The states with a total of chips from which a player reaches a win."""

    def __init__(self, game, rules, value):
        given = " sums" if isinstance(value, dict) and "sums" in value else ""
        player, self.order, self.total, states, *sums = keys(value, "player order total states" + given, "a set")
        need(player in NAMES and self.order in ("forces", "unprevented"), "a set's player or order")
        self.game, self.rules, self.seeker = game, rules, NAMES.index(player)
        self.statuses = 2 if rules["ties"] in STATUS else 1
        need(0 <= whole(self.total, "total") <= 2**20, "a set's total of chips")
        need(isinstance(states, list) and len(states) == self.statuses, "a set's statuses")
        self.ranks = [self.read(rows(of_status, "states")) for of_status in states]
        self.units, self.loads, self.most, self.enough, self.sums = None, None, None, NEVER, sums
        self.credit = fraction(rules["energy"], "rules.energy") if "energy" in rules else None
        need(bool(sums) == (rules.get("objective") in ("mean_payoff", "energy")), "sums belong to objectives of weights")

    def read(self, of_status):
        need([len(row) % 2 for row in of_status] == [0] * self.game.size, "a set does not have a row for every position")
        found = []
        for row in of_status:
            ranks, chips_before, rank_before = [NEVER] * (self.total + 1), -1, -1
            for chips, rank in zip(row[::2], row[1::2]):
                need(chips_before < chips <= self.total and rank >= -1 and rank != rank_before, "a row of states")
                ranks[chips:] = [NEVER if rank == -1 else rank] * (self.total + 1 - chips)
                chips_before, rank_before = chips, rank
            found.append(ranks)
        return found

    def is_kind(self, seeker, order, total, drawn=False):  # `drawn`: a draw is good enough
        self.drawn = drawn
        return (self.seeker, self.order, self.total) == (seeker, order, total)

    def order_priorities(self):  # the unit of each priority, and whether it is bad for the player
        own = {priority for position, priority in enumerate(self.game.priorities) if position not in self.game.over}
        need(all(priority >= 0 for priority in own), "a position has no priority", Unproved)
        base, unit, before, self.units = self.game.size * self.statuses * (self.total + 1) + 1, 1, False, {}
        for priority in sorted(own):
            bad = priority % 2 != self.seeker
            unit *= base if before and not bad else 1
            before, self.units[priority] = bad, (unit, bad)

    def weigh_moves(self):  # what each move adds to the player's sum
        energy = self.rules["objective"] == "energy"
        falls = energy and self.seeker == BOB
        given = "scale most" if falls and self.credit is not None else "scale"
        scale, *most = (whole(part, "sums") for part in keys(self.sums[0], given, "sums"))
        need(scale >= 1 and all(part >= 0 for part in most), "the scale of a sum")
        sign, loss = -1 if self.seeker == BOB else 1, falls if energy else not self.drawn
        self.loads = [[[sign * weight * scale - loss for weight in row] for row in own] for own in self.game.weights]
        need(all(load.denominator == 1 for own in self.loads for row in own for load in row), "a weight times the scale")
        if self.credit is not None:
            credit = self.credit * scale // 1
            self.most, self.enough = (most[0], most[0] - credit) if falls else (None, credit)

    def step(self, position, rank):  # from the rank that the bids lead to
        if rank == NEVER or self.loads:
            return rank
        if self.units:
            unit, bad = self.units[self.game.priorities[position]]
            rank = rank // unit * unit + bad * unit
            return NEVER if rank > MOST else rank
        return rank + (0 if self.game.ordered else 1)

    def after(self, position, mover, status, alice):  # the ranks that count before the moves
        ranks = [self.ranks[status][head][alice] for head in self.game.moves[mover][position]]
        if not self.loads:
            return ranks
        fallen = NEVER if self.most is None else self.most + 1
        ranks = [max(0, (fallen if rank == NEVER else rank) - load) for rank, load in zip(ranks, self.loads[mover][position])]
        return [NEVER if rank > (MOST if self.most is None else self.most) else rank for rank in ranks]

    def holds(self, status, chips):  # of Alice's, at position 0
        return self.ranks[status][0][chips] != NEVER and self.ranks[status][0][chips] <= self.enough

    def check(self):
        if self.game.priorities:
            self.order_priorities()
        elif self.game.weights:
            self.weigh_moves()
        for position, status, chips in itertools.product(*map(range, (self.game.size, self.statuses, self.total + 1))):
            claimed, rank = self.ranks[status][position][chips], self.rank(position, status, chips)
            need(claimed == rank, f"position {position}, {chips} chips of Alice's: rank {rank}", Unproved)

    def choose(self, by, ranks):
        return min(ranks) if by == self.seeker else max(ranks)

    def rank(self, position, status, alice):  # the rank that a state must have, from all bids
        if position in self.game.over:
            winner = self.game.over[position]
            return 0 if winner == self.seeker or winner is None and self.drawn else NEVER
        chips = [alice, self.total - alice]
        first = self.seeker if self.order == "forces" else 1 - self.seeker

        def answered(bid):
            replies = range(chips[1 - first] + 1)
            bids = ([bid, reply] if first == ALICE else [reply, bid] for reply in replies)
            return self.choose(1 - first, [self.bid(position, status, chips, pair) for pair in bids])

        return self.step(position, self.choose(first, map(answered, range(chips[first] + 1))))

    def bid(self, position, status, chips, bids):
        ties = self.rules["ties"]
        if bids[ALICE] != bids[BOB]:
            return self.won(position, status, chips, bids, ALICE if bids[ALICE] > bids[BOB] else BOB)
        if ties == "advantage":
            return self.choose(status, [self.won(position, status, chips, bids, winner) for winner in (ALICE, BOB)])
        richer = BOB if chips[BOB] > chips[ALICE] else ALICE
        winner = {"ladies_first": ALICE, "gentlemen_first": BOB, "richer": richer}.get(ties, status)
        return self.won(position, status, chips, bids, winner)

    def won(self, position, status, chips, bids, winner):  # who pays the loser and makes somebody move
        alice = chips[ALICE] + (bids[BOB] if winner == BOB else -bids[ALICE])
        ties, tied = self.rules["ties"], bids[ALICE] == bids[BOB]
        if ties in ("make_it_take_it", "losers_ball"):
            status = winner if ties == "make_it_take_it" else 1 - winner
        elif ties in ("advantage", "marker") and tied and winner == status:
            status = 1 - status
        movers = self.game.movers(self.rules["winner"], position, winner)
        return self.choose(winner, [self.choose(mover, self.after(position, mover, status, alice)) for mover in movers])


class HalfChips:
    """Thresholds of a player under the advantage, by stage, in half chips."""

    statuses = 2

    def __init__(self, game, rules, value):
        player, self.total, stairs = keys(value, "player total stairs", "thresholds")
        need((rules["ties"], rules["winner"]) == ("advantage", "chooses"), "half chips go with the advantage and `chooses`", Unproved)
        need(player in NAMES and 0 <= whole(self.total, "total") <= 2**29, "the player or total of thresholds")
        self.game, self.rules, self.seeker, self.never = game, rules, NAMES.index(player), 2 * self.total + 2
        stairs = rows(stairs, "stairs")
        need([len(row) % 2 for row in stairs] == [0] * game.size, "thresholds do not have a row for every position")
        self.stairs = [list(zip(row[::2], row[1::2])) for row in stairs]
        for row in self.stairs:
            rising = all(stage < later for (stage, _), (later, _) in zip(row, row[1:]))
            need(rising and all(stage >= 0 and 0 <= enough < self.never for stage, enough in row), "a row of stairs")

    def is_kind(self, seeker, _, total):  # who cannot prevent a win forces it
        return (self.seeker, self.total) == (seeker, total)

    def by(self, position, stage):
        return next((enough for reached, enough in reversed(self.stairs[position]) if reached <= stage), self.never)

    def follows(self, position, stage):  # the threshold before the bid, from those after it
        moves = lambda mover: [self.by(head, stage) for head in self.game.moves[mover][position]]  # noqa: E731
        sides = [best(moves(mover)) for mover, best in ((self.seeker, min), (1 - self.seeker, max)) if moves(mover)]
        return (min(sides) + 1) // 2 + max(sides) // 2

    def row(self, position):  # the row that follows from those of the successors
        if position in self.game.over:
            return [(0, 0)] if self.game.over[position] == self.seeker else []
        heads = self.game.moves[ALICE][position] + self.game.moves[BOB][position]
        stages = {0} if self.game.ordered else {stage + 1 for head in heads for stage, _ in self.stairs[head]}
        found = []
        for stage in sorted(stages):
            enough = self.follows(position, stage - (not self.game.ordered))
            if enough != (found[-1][1] if found else self.never):
                found.append((stage, enough))
        return found

    def check(self):
        for position, row in enumerate(self.stairs):
            found = self.row(position)
            need(row == found, f"the thresholds at position {position} are {found}", Unproved)

    def holds(self, status, chips):  # of Alice's, at position 0
        own = 2 * chips + 1 - status
        return (own if self.seeker == ALICE else 2 * self.total + 1 - own) >= self.by(0, NEVER)


def notation(ties, total, wins):  # the threshold as bid writes it
    least = lambda status: next((chips for chips in range(total + 1) if wins(status, chips)), total + 1)  # noqa: E731
    if ties in ("ladies_first", "gentlemen_first", "richer"):
        won = [chips for chips in range(total + 1) if wins(0, chips)]
        if won == list(range(least(0), total + 1)):
            return str(least(0))
        ends = [[chips for chips in won if chips + step not in won] for step in (-1, 1)]
        return ", ".join(f"{first}..{last}" for first, last in zip(*ends))
    star, plain = ("", "-ε") if ties == "make_it_take_it" else ("*", "")
    have, lack = least(0), least(1)
    if ties in ("advantage", "make_it_take_it") and lack - have in (0, 1):
        return str(have) if have > total else f"{have}{star if lack > have else plain}"
    return f"({have}{star}, {lack}{plain})"


def telling(read, rules, value, total):  # the states with a total where Alice wins
    need(rules["draws"] != "half", "half a win is neither forced nor missed", Unproved)
    kind, inside = ((BOB, "unprevented"), False) if rules["draws"] == "alice" else ((ALICE, "forces"), True)
    states = read(value)
    need(states.is_kind(*kind, total), f"the set for {total} chips")
    states.check()
    return lambda status, chips: states.holds(status, chips) == inside


def check_recurring_thresholds(read, rules, claim, proof):
    totals, answers = keys(claim, "totals answers", "claim.f")
    need(all(isinstance(part, list) and 2 * len(part) == len(proof) for part in (totals, answers)), "not two sets for every total")
    for total, answer, value, other in zip(totals, answers, proof[::2], proof[1::2]):
        wins, other = telling(read, rules, value, total), read(other)
        kind = (ALICE, "forces") if rules["draws"] == "alice" else (BOB, "unprevented")
        need(other.is_kind(*kind, total, drawn=True), f"the second set for {total} chips")
        other.check()
        for status, chips in itertools.product(range(other.statuses), range(total + 1)):
            decided = other.holds(status, chips) == (wins(status, chips) == (rules["draws"] == "alice"))
            need(decided, f"for {total} chips in all, the sets do not decide every state", Unproved)
        found = notation(rules["ties"], total, wins)
        need(found == answer, f"for {total} chips in all, the threshold is {found}", Unproved)
    return answers


def check_thresholds(read, rules, claim, proof):
    if "objective" in rules:
        return check_recurring_thresholds(read, rules, claim, proof)
    totals, answers = keys(claim, "totals answers", "claim.f")
    need(all(isinstance(part, list) and len(part) == len(proof) for part in (totals, answers)), "not a set for every total")
    for total, answer, value in zip(totals, answers, proof):
        found = notation(rules["ties"], total, telling(read, rules, value, total))
        need(found == answer, f"for {total} chips in all, the threshold is {found}", Unproved)
    return answers


def check_against(read, rules, claim, proof):
    budgets, answers = keys(claim, "budgets answers", "claim.against")
    hurt = rules["ties"] == "richer" and rules["winner"] == "moves"
    need(not hurt, "where the richer player must move more chips can hurt", Unproved)
    pairs = list(zip(*rows([budgets], "budgets"), rows(answers, "answers")))
    statuses = 2 if rules["ties"] in STATUS else 1
    fits = all(len(row) == statuses and min(budget, *row) >= 0 and budget + max(row) <= 2**20 for budget, row in pairs)
    need(len(budgets) == len(answers) and fits, "claim.against")
    totals = sorted({total for budget, row in pairs for total in range(budget, budget + max(row) + 1)})
    need(len(totals) == len(proof), "not a set for every total")
    for total, value in zip(totals, proof):
        wins = telling(read, rules, value, total)
        for (budget, row), status in itertools.product(pairs, range(statuses)):
            if 0 <= total - budget <= row[status]:
                right = wins(status, total - budget) == (total - budget == row[status])
                need(right, f"against {budget} chips {row[status]} is not the least number", Unproved)
    return answers


def check_outcome(read, rules, claim, proof):
    purses, answer = keys(claim, "purses answer", "claim.outcome")
    alice, bob, holder = keys(purses, "alice bob holder", "claim.outcome.purses")
    sets, total = [read(value) for value in proof], whole(alice, "chips") + whole(bob, "chips")
    need(alice >= 0 and bob >= 0 and holder in ([None] if sets and sets[0].statuses == 1 else NAMES), "the purses")
    neither = lambda order: [(ALICE, order, False), (BOB, order, False)]  # noqa: E731
    needed = {name: [(player, "forces", True)] for player, name in enumerate(NAMES)} | {"draw": neither("unprevented")}
    needed["undetermined"] = neither("forces") + [(sets[-1].seeker if sets else ALICE, "unprevented", True)]
    drawn = []
    if "objective" in rules:  # all sets contain the state; the first two of several are for draws too
        last = needed["undetermined"][2:]
        both = lambda order: [(ALICE, order, True), (BOB, order, True)]  # noqa: E731
        needed, drawn = needed | {"draw": both("forces"), "undetermined": both("unprevented") + last}, [True, True]
    need(answer in needed and len(sets) == len(needed[answer]), "the sets for this outcome")
    drawn = (drawn if len(sets) > 1 else []) + [False, False, False]
    kinds = zip(sets, needed[answer], drawn)
    need(all(states.is_kind(player, order, total, *[True] * draw) for states, (player, order, _), draw in kinds), "the sets for this outcome")
    for states, (_, _, inside) in zip(sets, needed[answer]):
        states.check()
        need(states.holds(1 if holder == "bob" else 0, alice) == inside, f"the outcome is not {answer}", Unproved)
    return answer


def check_credit(read, rules, claim, proof):
    purses, answer = keys(claim, "purses answer", "claim.credit")
    alice, bob, holder = keys(purses, "alice bob holder", "claim.credit.purses")
    sets, total = [read(value) for value in proof], whole(alice, "chips") + whole(bob, "chips")
    need(alice >= 0 and bob >= 0 and sets and holder in ([None] if sets[0].statuses == 1 else NAMES), "the purses")
    need(rules.get("objective") == "energy" and rules["draws"] != "half", "the objective", Unproved)
    least, drawn = None if answer is None else fraction(answer, "claim.credit"), rules["draws"] == "alice"
    weights = (weight for own in sets[0].game.weights for row in own for weight in row)
    unit = Fraction(1, math.lcm(*(weight.denominator for weight in weights)))
    need(least is None or least >= 0 and (least / unit).denominator == 1, "the credit is not a sum of weights", Unproved)
    needed = [] if least is None else [(ALICE, "forces", drawn, least)]
    needed += [] if least == 0 else [(BOB, "unprevented", not drawn, None if least is None else least - unit)]
    need(len(sets) == len(needed), "the sets for this credit")
    for states, (player, order, drawn, credit) in zip(sets, needed):
        need(states.is_kind(player, order, total, drawn), "the sets for this credit")
        states.credit = credit
        states.check()
        need(states.holds(1 if holder == "bob" else 0, alice), f"the credit is not {answer}", Unproved)
    return answer or "never"


def check(certificate):  # gives what is proved
    parts = keys(certificate, "format version sources question rules claim game proof", "the certificate")
    form, version, _, _, rules, claim, listing, proof = parts
    need(form == "bid certificate" and version == 2, "another format or version")
    need(isinstance(rules, dict) and isinstance(listing, dict), "rules or game")
    labels = {"buchi": {"priorities"}, "parity": {"priorities"}, "mean_payoff": {"weights"}, "energy": {"weights"}}
    endless = " objective energy" if "energy" in rules else " objective" if "objective" in rules else ""
    keys(rules, "pay ties winner draws" + endless, "rules")
    need(not endless or rules["objective"] in list(labels), "the objective")
    need(("energy" in rules) == (rules.get("objective") == "energy"), "rules.energy")
    need({"priorities", "weights"} & set(listing) == (labels[rules["objective"]] if endless else set()), "the labels")
    need(rules["pay"] == "richman", f"pay: {rules['pay']} is not checked here")
    need(rules["winner"] in ("chooses", "moves") and rules["draws"] in ("neither", "alice", "bob", "half"), "rules")
    need(all(isinstance(part, dict) and len(part) == 1 for part in (claim, proof)), "claim or proof")
    game, ((kind, claim),), ((way, proof),) = Game(listing), claim.items(), proof.items()
    need(not endless or way == "sets" and kind != "against", "another kind of certificate")
    if way == "promises" and kind in ("R", "P"):
        return check_promises(game, rules, kind, claim, proof)
    checks = {"f": check_thresholds, "against": check_against, "outcome": check_outcome, "credit": check_credit}
    known = (way == "sets" or way == "half_chips" and kind in ("f", "outcome")) and kind in checks
    need(known and isinstance(proof, list), "another kind of certificate")
    need(rules["ties"] in (*STATUS, "ladies_first", "gentlemen_first", "richer"), "rules.ties")
    kind_of_set = Set if way == "sets" else HalfChips
    return checks[kind](lambda value: kind_of_set(game, rules, value), rules, claim, proof)


if __name__ == "__main__":
    getattr(sys, "set_int_max_str_digits", id)(0)  # fractions may be long
    try:
        with open(sys.argv[1], encoding="utf-8") as file:
            print("proved of the listed positions:", check(json.load(file)))
    except Unproved as why:
        sys.exit(print("not proved:", why, file=sys.stderr) or 1)
    except (Malformed, ValueError, OSError, IndexError, RecursionError, TypeError) as why:
        sys.exit(print("no certificate that is checked here:", why, file=sys.stderr) or 2)
