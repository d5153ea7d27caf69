"""Values come back as themselves, and go in as themselves."""

import itertools
import pickle
import time
from decimal import Decimal
from fractions import Fraction

import numpy
import pytest

import bid
from bid import Chips, Interval, Outcome, Player


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("5", 5),
        ("2^200", 2**200),
        ("-7", -7),
        ("9/32", Fraction(9, 32)),
        ("0.125", Fraction(1, 8)),
        ("4*", Chips(4, star=True)),
        ("3-ε", Chips(3, minus_epsilon=True)),
        ("true", True),
        ('"A.B/.B./..A"', "A.B/.B./..A"),
        ("alice", Player.alice),
        ("A(4*, 4)", Outcome.alice),
        ("[1, [1/2, 2*]]", [1, [Fraction(1, 2), Chips("2*")]]),
        ("(1, true)", (1, True)),
        ("0..4", [0, 1, 2, 3, 4]),
        ("empty", "empty"),
    ],
)
def test_each_kind_of_value(s, text, value):
    found = s.eval(text)
    assert found == value
    assert type(found) is type(value)
    if text != "empty":
        assert s.eval("x", names={"x": value}) == value, "it goes in as it came out"


def test_chips_are_ordered_and_hashable():
    row = [Chips(3, minus_epsilon=True), 3, Chips(3), Chips("3*"), Chips("4-eps"), 4, Chips(4, star=True)]
    for place, low in enumerate(row):
        for high in row[place + 1 :]:
            assert low <= high and not (high < low), (low, high)
            assert (low == high) == (str(low) == str(high))
    assert Chips(3) == 3 and hash(Chips(3)) == hash(3) and hash(Chips(2**100)) == hash(2**100)
    assert {Chips("3*"): "a"}[Chips(3, star=True)] == "a"
    assert len({3, Chips(3), Chips("3*")}) == 2
    assert sorted([Chips("1*"), 1, 0, Chips("0*")]) == [0, Chips("0*"), 1, Chips("1*")]
    assert [float(chips) for chips in (Chips("3*"), Chips("3-eps"), Chips(3))] == [3.5, 2.5, 3.0]
    assert Chips("3*") + 2 == Chips("5*") and 2 + Chips("3*") - 1 == Chips("4*")
    assert pickle.loads(pickle.dumps(Chips("3*"))) == Chips("3*")
    assert Chips("3*") != "3*"
    assert f"{Chips('3*'):>5}|{Chips(12):<4}|{Chips('3-eps')}" == "   3*|12  |3-ε"
    assert (Chips("3*").count, Chips("3*").star, Chips("3*").minus_epsilon) == (3, True, False)
    for wrong in ["", "x", "-1", "3**", "3 4"]:
        with pytest.raises(ValueError):
            Chips(wrong)
    with pytest.raises(TypeError):
        Chips(1.5)
    with pytest.raises(TypeError):
        Chips("3*") < "4"


def test_chips_do_not_go_below_zero(s):
    with pytest.raises(bid.Error, match="chips do not go below zero"):
        s.eval("0* - 1")
    for act in [
        lambda: Chips("1*") - 5, lambda: Chips(3) - 4, lambda: Chips("0-eps") - 1, lambda: Chips("2*") + -3, lambda: -3 + Chips("2*"), lambda: Chips(-1),
        lambda: Chips(-1, star=True), lambda: Chips(numpy.int64(-1)),
    ]:
        with pytest.raises(ValueError, match="chips do not go below zero"):
            act()
    for chips in [Chips("4*") - 4, Chips("0*") + 0, Chips(0)]:
        assert pickle.loads(pickle.dumps(chips)) == chips and chips.count == 0
    assert Chips(0) > -1


def test_intervals_have_exact_ends(s):
    found = s.eval("R(tug(3) at 1) using { pay: poorman }")
    assert isinstance(found, Interval)
    assert isinstance(found.low, Fraction) and isinstance(found.high, Fraction)
    assert 0 < found.width < Fraction(1, 10**11)
    assert found.middle in found and found.low in found and found.low - 1 not in found
    assert found.low <= float(found) <= found.high
    assert s.eval("[x[0], x[1]]", names={"x": found}) == [found.low, found.high]
    assert Interval(0, 1) == Interval("0", 1) and hash(Interval(0, 1)) == hash(Interval(0, 1))
    assert pickle.loads(pickle.dumps(found)) == found
    with pytest.raises(ValueError):
        Interval(1, 0)


def test_players_and_outcomes_are_what_they_are_called():
    assert Player.alice == "alice" == Outcome.alice == Player.alice
    assert Outcome.draw != Player.bob
    assert Player.alice.other is Player.bob
    assert f"{Outcome.undetermined}" == "undetermined"


def test_numbers_of_other_kinds_go_in_exactly(s):
    given = [numpy.int64(7), numpy.float64(0.1), 0.1, Decimal("0.1"), Fraction(1, 10), 1e-3, 2.0]
    tenth = Fraction(1, 10)
    assert s.eval("xs", names={"xs": given}) == [7, tenth, tenth, tenth, tenth, Fraction(1, 1000), 2]
    assert s.eval("sum(xs)", names={"xs": numpy.arange(5)}) == 10
    given = [numpy.float32(0.1), numpy.float16(0.5), numpy.longdouble("0.1"), numpy.uint8(7), numpy.array(3), numpy.array(0.25, dtype="float32")]
    assert s.eval("xs", names={"xs": given}) == [tenth, Fraction(1, 2), tenth, 7, 3, Fraction(1, 4)]
    given = [numpy.bool_(True), numpy.array([1, 2]) == 2, numpy.array(False), numpy.float32(1) > 2]
    assert s.eval("xs", names={"xs": given}) == [True, [False, True], False, False]
    assert s.eval("xs", names={"xs": numpy.array([[0.5, 2], [3, 4]], dtype="float32")}) == [[Fraction(1, 2), 2], [3, 4]]
    assert Chips(numpy.int64(3), star=True) == Chips("3*") < numpy.int64(4)
    wrong_numbers = [numpy.float32("nan"), Decimal("inf"), Decimal("nan"), 1j, numpy.datetime64("2020-01-01")]
    for wrong in [float("nan"), float("inf"), object(), None, {"a": 1}, *wrong_numbers]:
        with pytest.raises(TypeError):
            s.eval("x", names={"x": wrong})


def test_ranges_go_in_as_they_are(s):
    for given in [range(0), range(5), range(-3, 9, 4), range(9, -3, -4), range(2**70, 2**70 + 2), range(5, 5)]:
        assert s.eval("x", names={"x": given}) == list(given)


def test_ranges_are_arguments_as_they_are_in_the_language(s):
    e = s.eval("E")
    for given, written in [(range(8), "0..7"), (range(3, 9), "3..8"), (range(0, 9, 2), "[0, 2, 4, 6, 8]"), (range(5, 6), "[5]")]:
        answer, wanted = e.f(given), s.eval(f"f(E, {written})")
        assert list(answer) == list(wanted) and answer.range == wanted.range and answer.labels == wanted.labels


def test_no_list_is_longer_than_those_of_the_language(s):
    for given in [range(10**12), range(10**30)]:
        with pytest.raises(bid.Stopped, match="E0902"):
            s.eval("E").f(given)
    for given in [range(0, 10**12, 2), range(10**12), itertools.count()]:
        with pytest.raises(ValueError, match="10000000 elements at most"):
            s.define("xs", given)


def test_lists_that_never_end_are_refused(s):
    itself: list = []
    itself.append(itself)
    twice: list = []
    twice.extend([twice, twice])
    deep: list = []
    for _ in range(5000):
        deep = [deep]
    tuples: tuple = ()
    for _ in range(5000):
        tuples = (tuples, 1)

    class Endless:
        def __iter__(self):
            return iter([Endless()])

    for wrong in [itself, twice, [1, itself], deep, tuples, Endless()]:
        for give in [
            lambda: s.eval("x", names={"x": wrong}), lambda: s.define("x", wrong), lambda: s.eval("A").f(wrong), lambda: s.text(wrong),
            lambda: s.call("tug", wrong), lambda: s.eval("tictactoe").at(wrong),
        ]:
            with pytest.raises(ValueError, match="nested more than 200 deep here, or a list holds itself"):
                give()
    doubled: object = 1
    for _ in range(60):
        doubled = [doubled, doubled]
    with pytest.raises(ValueError, match="10000000 elements at most"):
        s.define("x", doubled)
    fine: list = []
    for _ in range(199):
        fine = [fine]
    assert s.eval("x", names={"x": fine}) == fine and s.eval("1") == 1


def test_deep_lists_come_out(s):
    found = s.eval("let nest(n) = if n == 0 then [] else [nest(n - 1)]\nnest(9000)")
    depth = 0
    while found:
        found, depth = found[0], depth + 1
    assert depth == 9000


def test_an_element_of_a_table_takes_no_longer_for_those_around_it(s):
    table = s.eval("E").f(range(10**5 + 1))
    small = s.eval("E").f(range(11))
    assert [table[place] for place in (0, 5, -1)] == [small[0], small[5], Chips(50_000, star=True)]
    for wrong in (10**5 + 1, -(10**5) - 2):
        with pytest.raises(IndexError):
            table[wrong]

    def took(indexed):
        began = time.perf_counter()
        for _ in range(100):
            indexed[5]
        return time.perf_counter() - began

    assert min(took(table) for _ in range(3)) < 20 * max(took(small) for _ in range(3)) < 20
    rows = s.eval("v(A^2, 0..2, 0..3) using menz")
    assert rows[1] == rows.row(1) == list(rows)[1] == rows[-2] and rows[0:2] == [rows.row(0), rows.row(1)]
    row = table.row()
    row[0] = "changed"
    assert table[0] == table.row()[0] == Chips("0*"), "a list that is given out is the caller's"


def test_a_table_has_columns(s):
    table = s.eval("f(E, 0..7)")
    assert (table.parameter, table.labels, len(table)) == ("k", ["f(E, k)"], 8)
    assert table.range == list(range(8))
    assert table[0] == Chips("0*") and table[-1] == 4 and table[2:4] == [Chips("1*"), 2]
    assert list(table) == table.row()
    numbers = table.to_numpy()
    assert numbers.dtype == numpy.float64 and numbers.tolist() == [0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4]
    assert table.to_numpy(exact=True).tolist() == list(table)
    frame = table.to_pandas()
    assert frame.index.name == "k" and frame["f(E, k)"].tolist() == numbers.tolist()
    assert frame.index.dtype == numpy.int64
    assert s.eval("f(A, 0..3)").to_numpy().dtype == numpy.int64
    assert s.eval("t[3]", names={"t": table}) == 2, "a table goes in again"
    assert s.eval("len(t)", names={"t": table}) == 8
    assert s.eval("plot(t, 1/2)", names={"t": table}).to_svg() == s.eval("plot(f(E, 0..7), 1/2)").to_svg()


def test_words_in_a_table_go_in_again(s):
    table = s.eval("f(B, bob: 0..3) using { pay: poorman }")
    assert "never" in table.row() and table.to_numpy().dtype == object
    assert s.eval("t[0][0] == never", names={"t": table}) is True


def test_an_array_holds_the_floats_of_all_numbers(s):
    for text in ["f(E, 0..9) using { ties: make_it_take_it }", "f(E, 0..9)", "v(A^2, 0..2, 0..3) using menz"]:
        table = s.eval(text)
        values = numpy.array([[float(value) for value in table.row(row)] for row in range(len(table.labels))])
        assert numpy.array_equal(numpy.atleast_2d(table.to_numpy()), values)
        assert numpy.array_equal(table.to_pandas().to_numpy().T, values)
    assert s.eval("f(E, 0..3) using { ties: make_it_take_it }").to_numpy().tolist() == [0, 0.5, 1, 1.5]


def test_never_is_more_than_any_number(s):
    never = s.eval("never")
    assert never is bid.never is s.eval("B").sure(3, rules="menz") is pickle.loads(pickle.dumps(never))
    assert (str(never), f"{never:>7}", never == "never", hash(never) == hash("never")) == ("never", "  never", True, True)
    for number in [5, Chips("7*"), Fraction(1, 2), 10**100, 1.5]:
        assert never > number and never >= number and not never < number and not never <= number and never != number
        assert number < never and number <= never and not number > never and not number >= never
        assert s.eval("x < y", names={"x": number, "y": never}) is True
    assert not never < never and not never > never and never <= never and never >= never
    assert sorted([never, Chips("3*"), 3]) == [3, Chips("3*"), never] and max(never, 3) is never
    assert s.eval("x == never", names={"x": never}) is True and s.eval("[x, y]", names={"x": never, "y": "never"})[0] is never
    assert s.eval('x == "never"', names={"x": "never"}) is True
    s.define("x", never)
    assert s.eval("x == never") is True and s.text(never) == "never"
    row = s.eval("f(B, bob: 0..3) using { pay: poorman }").row()
    assert row[0] is never


def test_a_table_of_several_rows(s):
    table = s.eval("v(A^2, 0..2, 0..3) using menz")
    assert len(table.labels) == len(table)
    assert table.to_numpy().shape == (len(table.labels), len(table.range))
    assert list(table.to_pandas().columns) == table.labels


def test_a_strategy_has_fields(s):
    strategy = s.eval("strategy(tictactoe, 4*, 4)")
    [advice] = strategy
    assert advice.player is Player.alice and advice.promise == "win" and advice.bid == 1
    assert advice.use_advantage is True
    assert advice.decision == bid.Move(Player.alice, "place(1, 1)", ".../.A./...")
    assert str(strategy).startswith("alice wins")
    real = s.eval("strategy(tug(2), 1/2, 1/3) using { bids: real }")
    assert any(isinstance(advice.bid, Fraction) for advice in real)


def test_a_mixed_bid_has_fields(s):
    nash = s.eval("nash(A^2 ∧ B^2, 4, 3) using { pay: all_pay, ties: ladies_first }")
    assert nash.value == Fraction(46, 55)
    assert nash.alice.bids == {0: Fraction(16, 55), 1: Fraction(18, 55), 2: Fraction(18, 55), 3: Fraction(3, 55)}
    assert sum(nash.bob.bids.values()) == 1 and nash.bob.player is Player.bob
    assert nash.alice.chips == 4 and nash.alice.decisions[0].position == "A^2"
    assert (nash.alice.decisions[0].least, nash.alice.decisions[0].most) == (1, 4)
    assert nash.alice.decisions[0].against is None
    assert nash._repr_svg_().startswith("<svg")
    s.run("game fork = graph { start 0; alice 0 -> x, W; bob 0 -> L; both x -> W, L; win alice: W; win bob: L }")
    both = s.eval("nash(fork, 1, 1) using { pay: all_pay_bank, ties: ladies_first }")
    assert [(each.least, each.against, each.position) for each in both.alice.decisions] == [
        (0, (0, 0), "x"),
        (0, (1, 1), "W"),
    ]


def test_other_answers_have_fields(s):
    form = s.eval("table(tictactoe)")
    thresholds = s.eval("f(tictactoe, 0..300)")
    assert [form(total) for total in range(301)] == list(thresholds)
    assert form.formulas[0].period == 256 and form.formulas[0].increment == 133
    moves = s.eval("moves(tictactoe)")
    assert moves[0].best and moves[0].value < Fraction(133, 256) and moves.measure == "R"
    tree = s.eval("tree(tug(2))")
    assert tree.nodes[0].value == Fraction(1, 2) and tree.nodes[tree.nodes[0].moves[0].to].position
    size = s.eval("size(tictactoe)")
    assert size["positions"] == size.positions == 2694 and dict(size)["cyclic"] is False
    with pytest.raises(AttributeError):
        size.nothing
    rules = s.eval("{ ties: marker }")
    assert dict(rules) == {"ties": "marker"}
    assert s.eval("f(E, 3)", rules=dict(rules)) == s.eval("f(E, 3) using r", names={"r": rules})
    classes = s.eval("classes(tug(2))")
    assert classes.columns[0] == "class" and isinstance(classes[0][0], bid.Game)
    assert list(classes.to_pandas().columns) == classes.columns
    hasse = s.eval("hasse([A, E, B])")
    assert hasse.to_dot().startswith("digraph") and hasse.data["type"] == "hasse"


def test_answers_are_written_in_every_form(s):
    table = s.eval("f(E, 0..3)")
    assert table.to_csv() == 'k,"f(E, k)"\n0,0*\n1,1\n2,1*\n3,2'
    assert table.to_latex().startswith("\\begin{tabular}") and table._repr_latex_() == table.to_latex()
    assert table._repr_html_().startswith('<div class="bid">') and "<table>" in table.to_html()
    assert table.data["type"] == "table"
    with pytest.raises(ValueError):
        table.to_svg()
    with pytest.raises(ValueError):
        s.eval("plot(t)", names={"t": table}).to_dot()
    assert s.eval("heat(outcomes(A^2, 0..5, 0..5))").to_svg().startswith("<svg")


@pytest.mark.parametrize(
    "text",
    ["hasse(games(birthday: 1))", "stable(E)", "pivotal(hex(2, 2))", "table(tug(2))", "f(E, 0..9)"],
)
def test_an_answer_that_is_a_list_comes_back_as_one(s, text):
    """What an answer is in the language it is when Python gives it back, its games among it."""
    answer = s.eval(text)
    assert s.eval(f"len(x) == len({text}) and [y for y in x] == [y for y in {text}]", names={"x": answer}) is True
    s.define("kept", answer)
    assert s.eval("len(kept)") == s.eval(f"len({text})")
    assert s.text(answer) == str(answer)
