"""Games as objects, and their methods from the builtins' table."""

from fractions import Fraction

import pytest

import bid
from bid import Chips, Move, Outcome
from bid._bid import builtins
from bid._queries import QUERIES


def test_queries_are_methods(s):
    g = s.game("connect", 3, 3, 3)
    assert str(g) == "connect(3, 3, 3)" and g.R() == Fraction(263, 512) == s.eval("R(connect(3, 3, 3))")
    assert list(g.f(range(16))) == list(s.eval("f(connect(3, 3, 3), 0..15)"))
    assert g.f(range(16)).labels == ["f(connect(3, 3, 3), k)"]
    assert g.f(5) == s.eval("f(connect(3, 3, 3), 5)") and g.f(bob=4) == s.eval("f(connect(3, 3, 3), bob: 4)")
    assert g.outcome("4*", 4) is Outcome.alice
    assert g.outcome(Chips(4, star=True), 4) == s.eval("connect(3, 3, 3)(4*, 4)")
    t = s.game("tictactoe")
    assert t.strategy("4*", 4)[0].decision.action == "place(1, 1)"
    assert len(t.positions()) == t.size().positions == 2694
    assert t.moves()[0] == s.eval("moves(tictactoe)")[0]
    assert t.tree(depth=1).nodes[0].value == Fraction(133, 256)
    assert s.eval("A^2").v(4, 3, rules="menz") == s.eval("v(A^2, 4, 3) using menz")


def test_other_positions(s):
    t = s.game("tictactoe")
    centre = t.after(("alice", "place(1, 1)"), (bid.Player.bob, "place(0, 0)"))
    assert centre == t.at("B../.A./...") and str(centre) == 'tictactoe at "B../.A./..."'
    assert centre == s.eval("tictactoe after [alice place(1, 1), bob place(0, 0)]")
    best = t.strategy("4*", 4)[0].decision
    assert isinstance(best, Move) and t.after(best).R() == t.moves()[0].value == t.after(t.moves()[0]).R()
    tug = s.game("tug", 3)
    assert tug.at(1).R() < tug.R() and tug.after(("alice", 1)) == tug.at(1) == tug.at("1")
    with pytest.raises(bid.Error, match="E0405"):
        t.after(("alice", "place(7, 7)"))
    with pytest.raises(bid.Error, match="E0404"):
        tug.at(9)
    with pytest.raises(ValueError):
        t.after(("carol", "place(1, 1)"))


def test_equal_games_are_one(s):
    assert s.eval("A^2 ∧ B") == s.eval("A^2 ∧ B") and hash(s.eval("E")) == hash(s.eval("A ∧ B"))
    assert s.eval("A^2") != s.eval("A^3")
    assert len(set(s.eval("[A, B, A ∧ B, E]"))) == 3
    assert "compare" in dir(s.eval("A"))


def test_values_at_all_positions(s):
    tug = s.game("tug", 2)
    assert tug.values("R") == [Fraction(1, 2), Fraction(3, 4), Fraction(1, 4), 1, 0]
    assert tug.values("f(p, 4)") == [position.f(4) for position in tug.positions()]
    assert tug.values(str)[1] == "tug(2) at -1"


def test_a_builtin_is_asked_whatever_the_session_calls_by_its_name(s):
    s.run("let R(x) = 42\nlet f = 7")
    assert s.eval("A^2").R() == Fraction(1, 4) and s.eval("R(A^2)") == 42
    assert s.eval("A").f(3) == 0


def test_games_kept_from_tight_memory_are_still_themselves():
    """Memory is tight after every question here: what is solved is given back, and games that were given out stay."""
    tight = bid.Session(max_memory="150M")
    games = [tight.eval(f"A^{n} ∧ B^2") for n in range(2, 30)]
    positions = games[5].positions()
    tight.max_memory = None
    assert [str(game) for game in games] == [f"A^{n} ∧ B^2" for n in range(2, 30)]
    values = [game.R() for game in games]
    fresh = bid.Session()
    assert values == [fresh.eval(f"R(A^{n} ∧ B^2)") for n in range(2, 30)]
    assert [str(position) for position in positions] == [str(p) for p in fresh.eval("positions(A^7 ∧ B^2)")]


def test_every_query_of_the_language_is_a_method_with_its_help():
    asked = [entry for entry in builtins() if entry["parameters"] and entry["parameters"][0] == ("G", "a game")]
    assert len(asked) > 25 and {entry["name"] for entry in asked} <= set(QUERIES)
    for entry in asked:
        method = getattr(bid.Game, entry["name"])
        assert method.__doc__.startswith(entry["heading"]) and entry["help"] in method.__doc__


def test_games_are_shown(s):
    t = s.game("tictactoe")
    assert repr(t) == "<game tictactoe>"
    assert t._repr_html_().startswith('<div class="bid">') and "<svg" in t._repr_html_()
    assert t._repr_svg_().startswith("<svg") and "tictactoe" in t._repr_latex_()
    big = s.game("connect", 5, 6, 7)
    assert "<code>connect(5, 6, 7)</code>" in big._repr_html_()
