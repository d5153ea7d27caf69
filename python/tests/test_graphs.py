"""Graphs from networkx and back, files of edges, and files for other programs."""

import json
import random
import re
from fractions import Fraction

import networkx
import numpy
import pytest

import bid

pytestmark = pytest.mark.filterwarnings("ignore::bid.BidWarning")


def walk(size: int) -> networkx.DiGraph:
    graph = networkx.DiGraph(networkx.path_graph(size))
    graph.nodes[0]["win"], graph.nodes[size - 1]["win"] = "bob", "alice"
    return graph


@pytest.mark.parametrize("node, label", [(1, "1"), ((0, 1), "(0, 1)"), (-3, "-3"), (("x", (1, "2")), '(x, (1, "2"))')])
def test_a_position_as_it_prints_is_that_position_beside_a_label_that_looks_like_it(s, node, label):
    graph = networkx.DiGraph([("start", node), ("start", label)])
    graph.nodes[node]["win"], graph.nodes[label]["win"] = "alice", "bob"
    g = s.graph(graph, start="start")
    for g in [g, s.eval("~G", names={"G": s.eval("~G", names={"G": g})})]:
        for move in g.moves():
            assert g.after(move).R() == g.after((move.player, move.position)).R() == g.at(move.position).R() == move.value
        assert {p.position: g.at(p.position).R() for p in g.tree().nodes} == {p.position: p.value for p in g.tree().nodes}
        decision = g.strategy("1*", 1)[0].decision
        assert g.after(decision).R() == 0 and decision.player is bid.Player.alice
        assert (g.at(node).R(), g.after(("bob", node)).R()) == (0, 0)
    braces = s.eval("{ G, H | B }", names={"G": s.graph(graph, start=node), "H": s.graph(graph, start=label)})
    assert [braces.after(("alice", p.position)).R() for p in g.tree().nodes[1:]] == [p.value for p in g.tree().nodes[1:]]
    alone = networkx.DiGraph([("start", label)])
    alone.nodes[label]["win"] = "bob"
    assert s.graph(alone, start="start").at(label).R() == s.graph(alone, start="start").after(("alice", label)).R() == 1
    # In a program quotes make a label.
    assert s.eval('graph { start 0; both 0 -> 1, "1"; win alice: 1; win bob: "1" } at "1"').R() == 1


@pytest.mark.parametrize("said", [{"win": "alice", "draw": True}, {"win": "bob", "score": 0}, {"draw": True, "score": 2}, {"win": "bob", "draw": 1, "score": 1}])
def test_a_vertex_that_ends_the_game_in_two_ways_is_refused_as_in_a_file(s, tmp_path, said):
    graph = networkx.DiGraph([(0, 1)])
    graph.nodes[1].update(said)
    with pytest.raises(bid.Error) as refused:
        s.graph(graph, start=0)
    assert [found.code for found in refused.value.diagnostics] == ["E0403"]
    message = "vertex 1 ends the game in two ways: only one of `win`, `draw` and `score` says how"
    assert refused.value.diagnostics[0].message == message
    nodes = [{"id": 0}, {"id": 1, **said, "draw": bool(said.get("draw"))}]
    document = {"graph": {"start": 0}, "nodes": nodes, "edges": [{"source": 0, "target": 1}]}
    (tmp_path / "two.json").write_text(json.dumps(document))
    with pytest.raises(bid.Error, match="E0403") as file:
        s.eval(f'graph {{ edges "{tmp_path / "two.json"}" }}')
    assert "ends the game in two ways: only one of `win`, `draw` and `score` says how" in str(file.value)
    for said in [{"win": None, "score": 2}, {"win": "alice", "draw": False}, {"win": False, "draw": True, "score": None}]:
        graph = networkx.DiGraph([(0, 1)])
        graph.nodes[1].update(said)
        assert s.graph(graph, start=0)


def test_a_priority_is_a_whole_number(s):
    graph = networkx.DiGraph([(0, 1), (1, 0)])
    for wrong in [-1, 1.5, "high", "-2", 2**32 - 1, float("inf")]:
        graph.nodes[1]["priority"] = wrong
        with pytest.raises(ValueError, match="the priority of vertex 1 is a whole number, 0 or more and less than"):
            s.graph(graph, start=0)
    for right in [2, 2.0, "2", numpy.int64(2)]:
        graph.nodes[1]["priority"] = right
        assert s.graph(graph, start=0).to_networkx().nodes[1]["priority"] == 2


def test_a_graph_is_a_game(s):
    g = s.graph(walk(5), start=1)
    assert g.R() == Fraction(3, 4) and str(g.at(2)).endswith("2")
    g = s.graph(walk(5), start=2, title="path")
    assert str(g) == "path" and str(g.at(1)) == "path at 1"
    owned = networkx.MultiDiGraph()
    owned.add_edge("s", "a", player="alice")
    owned.add_edge("s", "b", player="bob")
    owned.nodes["a"]["win"], owned.nodes["b"]["draw"] = bid.Player.alice, True
    assert s.graph(owned, start="s").outcome(0, "3*") == s.eval(
        "graph { start s; alice s -> a; bob s -> b; win alice: a; draw: b }(0, 3*)"
    )
    numbered = networkx.DiGraph([(numpy.int64(0), numpy.int64(1))])
    numbered.nodes[1]["draw"] = True
    assert s.graph(numbered, start=0).outcome(0, "3*") == "draw"
    named = networkx.DiGraph([((0, 1), "a b"), ((0, 1), (2, "x"))], start=(0, 1))
    named.nodes["a b"]["win"], named.nodes[(2, "x")]["win"] = "alice", "bob"
    assert s.graph(named).R() == Fraction(1, 2)
    assert s.graph(named).at((2, "x")).R() == 1


def test_marks_of_infinite_play(s):
    bowtie = networkx.DiGraph([("l", "l"), ("l", "r"), ("r", "r"), ("r", "l")])
    bowtie.nodes["l"]["weight"], bowtie.nodes["r"]["weight"] = 1, 0.0
    assert s.graph(bowtie, start="l").payoff(2, 1, rules={"pay": "poorman"}) == Fraction(2, 3)
    circle = networkx.cycle_graph(2, create_using=networkx.DiGraph)
    circle.nodes[0]["priority"], circle.nodes[1]["priority"] = 1, 2
    assert s.graph(circle, start=0).R(rules={"objective": "parity"}) == 0
    for node in circle:
        circle.nodes[node]["accepting"] = False
    assert s.graph(circle, start=0).R(rules={"objective": "buchi"}) == 1
    scored = networkx.DiGraph()
    scored.add_edge(0, 1, score=2.5)
    scored.nodes[1]["score"] = Fraction(1, 2)
    assert s.graph(scored, start=0).o("1*", 0, rules="larsson") == 3


def test_wrong_graphs_are_refused(s):
    with pytest.raises(ValueError, match="where does the game begin"):
        s.graph(walk(3))
    with pytest.raises(ValueError, match="not a node"):
        s.graph(walk(3), start=7)
    wrong = walk(3)
    wrong.nodes[0]["win"] = "carol"
    with pytest.raises(ValueError, match="carol"):
        s.graph(wrong, start=1)
    with pytest.raises(TypeError, match="vertices"):
        s.graph(networkx.DiGraph([(1.5, 2)]), start=2)
    clash = networkx.DiGraph([(0, 1), (0, 2)])
    clash.nodes[1]["win"], clash.nodes[2]["score"] = "alice", 1
    with pytest.raises(bid.Error, match="E0406"):
        s.graph(clash, start=0)


def test_there_and_back(s):
    for text in ["tug(3)", "ultimatum(3)", "A^3 ∧ B^2", "tictactoe at \"AB./.A./..B\""]:
        game = s.eval(text)
        graph = game.to_networkx(values={"R": "R(p)", "five": "f(p, 5)"})
        again = s.graph(graph)
        assert again.R() == game.R() and list(again.f(range(9))) == list(game.f(range(9))), text
        assert graph.nodes[graph.graph["start"]]["R"] == game.R()
        assert graph.number_of_nodes() >= len(game.positions())
        for node, said in graph.nodes(data=True):
            if said.get("win"):
                assert said["R"] == (0 if said["win"] == "alice" else 1)
    assert set(s.game("tug", 2).to_networkx().nodes) == {-2, -1, 0, 1, 2}
    weighted = networkx.DiGraph()
    weighted.add_edge((0, 1), (0, 1), weight=1)
    weighted.add_edge((0, 1), "x")
    weighted.add_edge("x", (0, 1), player="bob", weight="1/3")
    weighted.nodes["x"]["priority"] = 4
    game = s.graph(weighted, start=(0, 1))
    again = s.graph(game.to_networkx())
    mean = {"pay": "poorman"}
    assert again.payoff(2, 1, rules=mean) == game.payoff(2, 1, rules=mean)
    assert game.to_networkx().nodes["x"]["priority"] == 4


def test_income_is_kept(s):
    paid = networkx.DiGraph()
    paid.add_edge(0, 1, player="alice")
    paid.add_edge(0, 3, player="bob")
    paid.add_edge(1, 2)
    paid.add_edge(1, 3)
    paid.nodes[2]["win"], paid.nodes[3]["win"] = "alice", "bob"
    for node in (0, 1):
        paid.nodes[node]["income_alice"] = Fraction(1, 8)
    game = s.graph(paid, start=0)
    assert game.R() == Fraction(175, 256) == s.graph(game.to_networkx()).R()
    assert game.to_networkx().nodes[0]["income_alice"] == "1/8"
    assert game.tree().nodes[0].income == [(bid.Player.alice, Fraction(1, 8))]
    assert s.eval("A^2").R(rules={"income": [0, Fraction(1, 8)]}) == s.eval("R(A^2) using { income: [0, 1/8] }")
    with pytest.raises(bid.Error, match="income"):
        game.f(3)
    paid.nodes[0]["income_bob"] = -1
    with pytest.raises(bid.Error, match="at least 0"):
        s.graph(paid, start=0).R()


def test_a_hundred_thousand_edges(s):
    chance = random.Random(5)
    graph = networkx.DiGraph()
    graph.add_nodes_from(range(50_000))
    graph.add_edges_from((chance.randrange(49_900), chance.randrange(50_000)) for _ in range(100_000))
    for node in range(49_900, 50_000):
        graph.nodes[node]["win"] = chance.choice(["alice", "bob"])
    with pytest.warns(bid.BidWarning):
        game = s.graph(graph, start=0)
    assert game.size().positions > 10_000
    back = game.to_networkx()
    assert back.number_of_nodes() == game.size().positions


def test_files_of_edges(s, tmp_path):
    csv = tmp_path / "roads.csv"
    csv.write_text("player,from,to\nboth,a,b\nboth,a,c\nalice,b,d\nbob,b,e\nboth,c,b\nboth,c,e\n")
    line = f'edges "{csv}"'
    text = f"R(graph {{ start a; {line}; win alice: d; win bob: e }})"
    by_hand = "graph { start a; both a -> b, c; alice b -> d; bob b -> e; both c -> b, e; win alice: d; win bob: e }"
    assert s.eval(text) == s.eval(f"R({by_hand})")
    node_link = tmp_path / "roads.json"
    s.eval(by_hand).write(node_link)
    assert s.eval(f'R(graph {{ edges "{node_link}" }})') == s.eval(text)
    document = networkx.node_link_graph(json.loads(node_link.read_text()), edges="edges")
    assert s.graph(document, start="a").R() == s.eval(text)
    document = networkx.node_link_data(walk(5), edges="edges")
    node_link.write_text(json.dumps(document))
    assert s.eval(f'R(graph {{ start 1; edges "{node_link}" }})') == Fraction(3, 4)


def test_flaws_of_files_name_line_and_column(s, tmp_path):
    csv = tmp_path / "roads.csv"
    csv.write_text("player,from,to\nboth,a,b\ncarol,a,c\n")
    with pytest.raises(bid.Error) as error:
        s.eval(f'graph {{ start a; edges "{csv}" }}')
    assert error.value.diagnostics[0].message == f"{csv}, line 3, column 1: `carol` is not alice, bob or both"
    secret = tmp_path / "secret.txt"
    secret.write_text("player,from,to\n")
    for name in [secret, tmp_path / "none.csv"]:
        with pytest.raises(bid.Error, match="E0801"):
            s.eval(f'graph {{ start a; edges "{name}" }}')
    hidden = tmp_path / "hidden.csv"
    hidden.symlink_to(secret)
    with pytest.raises(bid.Error, match="E0801"):
        s.eval(f'graph {{ start a; edges "{hidden}" }}')


def attractor(owner: list, edges: list, player: int, target: set, within: set) -> set:
    """The vertices of `within` from which a player can make play come to the target."""
    found = set(target)
    while True:
        more = {
            v
            for v in within - found
            if (any if owner[v] == player else all)(head in found for head in edges[v] if head in within)
        }
        if not more:
            return found
        found |= more


def zielonka(owner: list, priority: list, edges: list, within: set) -> set:
    """Where Even wins a parity game, by Zielonka's recursion."""
    if not within:
        return set()
    greatest = max(priority[v] for v in within)
    player = greatest % 2
    near = attractor(owner, edges, player, {v for v in within if priority[v] == greatest}, within)
    rest = within - near
    even = zielonka(owner, priority, edges, rest)
    other = even if player == 1 else rest - even
    if not other:
        return within if player == 0 else set()
    lost = attractor(owner, edges, 1 - player, other, within)
    even = zielonka(owner, priority, edges, within - lost)
    return even | lost if player == 1 else even


def test_parity_games_against_zielonka(s, tmp_path):
    """Each vertex has an owner, who moves whatever is bid: the Richman value says who wins the parity game."""
    file = tmp_path / "game.pg"
    winners = set()
    for seed in range(25):
        chance = random.Random(seed)
        size = 4 + seed
        owner = [chance.randrange(2) for _ in range(size)]
        priority = [chance.randrange(5) for _ in range(size)]
        edges = [sorted(chance.sample(range(size), chance.randint(1, 2))) for _ in range(size)]
        lines = [f"{v} {priority[v]} {owner[v]} {','.join(map(str, edges[v]))};" for v in range(size)]
        file.write_text(f"parity {size - 1};\nstart 0;\n" + "\n".join(lines) + "\n")
        even = zielonka(owner, priority, edges, set(range(size)))
        value = s.eval(f'R(graph {{ edges "{file}" }})', rules={"objective": "parity"})
        assert value == (0 if 0 in even else 1), seed
        winners.add(value)
    assert winners == {0, 1}


def test_a_parity_game_of_hundreds_of_vertices(s, tmp_path):
    chance = random.Random(3)
    size = 300
    edges = [sorted(chance.sample(range(size), 2)) for _ in range(size)]
    lines = [f"{v} {chance.randrange(6)} {chance.randrange(2)} {edges[v][0]}, {edges[v][1]};" for v in range(size)]
    file = tmp_path / "game.pg"
    file.write_text("\n".join(lines))
    fair = s.eval(f'graph {{ start 0; both edges "{file}" }}', rules={"objective": "parity"})
    value = fair.R(rules={"objective": "parity"})
    assert 0 <= value <= 1
    moves = [position.R(rules={"objective": "parity"}) for position in map(fair.at, edges[0])]
    assert value == (min(moves) + max(moves)) / 2


def prism_value(text: str) -> dict[int, float]:
    """What Alice can make sure of at each position of a model, by value iteration over its commands."""
    init = int(re.search(r"position : \[0\.\.\d+\] init (\d+)", text)[1])
    over = set(map(int, re.findall(r"\[\] position=(\d+) -> true;", text)))
    tosses = {int(position): update for position, update in re.findall(r"\[\] position=(\d+) & turn=0 -> (.*);", text)}
    heads: dict[tuple[int, int], list] = {}
    for action, position, turn, to in re.findall(
        r"\[(alice|bob)\] position=(\d+) & turn=([12]) -> \(position'=(\d+)\) & \(turn'=0\);", text
    ):
        assert turn == {"alice": "1", "bob": "2"}[action]
        heads.setdefault((int(position), int(turn)), []).append(int(to))
    wins = set(map(int, re.findall(r"position=(\d+)", re.search(r'label "alice_wins" = (.*);', text)[1])))
    value = {position: float(position in wins) for position in over | set(tosses)}
    for _ in range(2000):
        for position, toss in tosses.items():
            # Turns 1 and 2 are moves of Alice's and Bob's; in 3 and 4 they choose between these.
            turn = {side: best(map(value.get, heads[position, side])) for side, best in [(1, max), (2, min)] if (position, side) in heads}
            if len(turn) == 2:
                turn |= {3: max(turn[1], turn[2]), 4: min(turn[1], turn[2])}
            parts = re.findall(r"(?:([\d/]+) : )?\(turn'=([1-4])\)", toss)
            value[position] = sum(float(Fraction(chance or 1)) * turn[int(side)] for chance, side in parts)
    assert init in value
    return value | {-1: value[init]}


@pytest.mark.parametrize("text", ["A ∧ (A^2 ∧ B^3)", "tug(3)", "ultimatum(2)", "connect(2, 2, 3)"])
def test_prism_models_have_the_value_of_random_turns(s, text):
    game = s.eval(text)
    for coin in [(), (Fraction(2, 3),), (1,)]:
        if text == "connect(2, 2, 3)" and coin:
            continue
        model = game.prism(*coin)
        expected = float(1 - game.R()) if not coin else float(game.P(*coin))
        if text == "connect(2, 2, 3)":
            expected = float(s.eval("P(G) using { draws: bob }", names={"G": game}))
        assert prism_value(model)[-1] == pytest.approx(expected, abs=1e-9), (text, coin)


def payoffs(text: str) -> list[list[Fraction]]:
    """Alice's payoffs by her bid and Bob's, as an `.nfg` file lists them: both players' for each pair, her bid running fastest."""
    head, numbers = text.split('\n""\n\n')
    alice, bob = (len(re.findall(r'"\d+"', part)) for part in re.findall(r"\{([^{}]*)\}", head)[-2:])
    values = list(map(Fraction, numbers.split()))
    assert len(values) == 2 * alice * bob and all(own + other == 1 for own, other in zip(values[::2], values[1::2]))
    return [[values[2 * (own + alice * other)] for other in range(bob)] for own in range(alice)]


@pytest.mark.parametrize("chips", [(4, 3), (2, 5), (1, 1), (0, 2)])
@pytest.mark.parametrize("extension", ["nfg", "efg"])
def test_gambit_finds_the_same_equilibrium(s, chips, extension, tmp_path):
    """Its mixed bids guarantee each player the value that we prove."""
    gambit = pytest.importorskip("pygambit")
    rules = {"pay": "all_pay", "ties": "ladies_first"}
    game = s.eval("A^2 ∧ B^2")
    value = game.v(*chips, rules=rules)
    matrix = payoffs(game.nfg(*chips, rules=rules))
    assert (len(matrix), len(matrix[0])) == (chips[0] + 1, chips[1] + 1)
    file = tmp_path / f"turn.{extension}"
    file.write_text(getattr(game, extension)(*chips, rules=rules))
    solved = gambit.nash.lp_solve(getattr(gambit, f"read_{extension}")(str(file)), rational=True)
    found = solved.equilibrium if hasattr(solved, "equilibrium") else solved.equilibria[0]
    found = found if extension == "nfg" else found.as_strategy()
    alice, bob = (
        [Fraction(str(weight)) for _, weight in found[player]] if not hasattr(found[player], "values")
        else [Fraction(str(weight)) for weight in found[player].values()]
        for player in ("alice", "bob")
    )
    assert sum(alice) == sum(bob) == 1
    assert min(sum(x * row[other] for x, row in zip(alice, matrix)) for other in range(len(bob))) == value
    assert max(sum(y * cell for y, cell in zip(bob, row)) for row in matrix) == value


def test_turns_that_are_not_exact_are_refused(s):
    with pytest.raises(bid.Error, match="E0603"):
        s.eval("A^2 ∧ B^2").nfg(150, 150, rules={"pay": "all_pay", "ties": "ladies_first"})


def test_writing_files(s, tmp_path):
    game = s.game("tug", 2)
    for extension, begins in [(".dot", "digraph"), (".prism", "// Random turns"), (".json", '{"directed"')]:
        game.write(tmp_path / f"tug{extension}")
        assert (tmp_path / f"tug{extension}").read_text().startswith(begins)
    with pytest.raises(ValueError):
        game.write(tmp_path / "tug.png")


def test_files_are_written_in_one_step_and_not_through_links(s, tmp_path):
    (tmp_path / "mine.dot").write_text("mine")
    (tmp_path / "link.dot").symlink_to("mine.dot")
    with pytest.raises(OSError):
        s.game("tug", 2).write(tmp_path / "link.dot")
    assert (tmp_path / "mine.dot").read_text() == "mine"
    s.game("tug", 2).write(tmp_path / "mine.dot")
    assert (tmp_path / "mine.dot").read_text().startswith("digraph")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link.dot", "mine.dot"]
