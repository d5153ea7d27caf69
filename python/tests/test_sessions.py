"""Sessions: definitions, rules, limits, stopping, threads, errors."""

import inspect
import os
import re
import signal
import threading
import time
import warnings
from fractions import Fraction

import numpy
import pytest

import bid
from bid._session import _listener

ENDLESS = "len([k for k in 1..9000000 if k * k % 7 == 5])"


def test_what_is_defined_stays(s, tmp_path):
    s.run("let half = 1/2\ngame hill(n) = graph { start 0; both i <-> i + 1 for i in -n .. n - 1; win alice: n; win bob: -n }")
    assert s.eval("half") == Fraction(1, 2)
    assert s.call("hill", 2).R() == Fraction(1, 2)
    assert set(s.names()) >= {"half", "hill", "tictactoe"}
    assert "R" in s.names(builtins=True) and "R" not in s.names()
    file = tmp_path / "mine.bid"
    file.write_text("let third = 1/3\n")
    s.load(file)
    assert s.eval("third") == Fraction(1, 3)
    square = s.eval("let square(x) = x * x\nsquare")
    assert square(3) == 9 and square.parameters == ["x"]
    s.define("nine", square(3))
    assert s.eval("nine + 1") == 10
    s.define("nine", 8)
    assert s.eval("nine + 1") == 9
    for wrong in ["1x", "let", "a b", "", "x*", " x"]:
        with pytest.raises(bid.Error):
            s.define(wrong, 1)


def test_names_given_with_a_text_are_known_there_only(s):
    game = s.eval("A^2")
    assert s.eval("f(G, k)", names={"G": game, "k": 5}) == s.eval("f(A^2, 5)")
    assert s.eval("x + y", names={"x": 1, "y": 2}) == 3
    with pytest.raises(bid.Error, match="E0201"):
        s.eval("x")
    s.define("x", 7)
    assert s.eval("x", names={"x": 8}) == 8 and s.eval("x") == 7


def test_a_run_gives_what_is_shown(s):
    shown = s.run('show R(E)\n1 + 1\ntest "t" { show 3 }\ncheck 1 == 1')
    assert shown == [("R(E)", Fraction(1, 2)), (None, 2), ("3", 3)]
    with pytest.raises(bid.CheckFailed) as failed:
        s.run("check R(E) == 1/3")
    assert failed.value.diagnostics[0].code == "E0703"
    with pytest.raises(bid.Error):
        s.eval("let y = 3")


def test_rules_hold_for_a_session_and_for_a_call():
    one = bid.Session(rules={"ties": "gentlemen_first"})
    assert one.eval("f(E, 4)") == 3
    assert one.eval("f(E, 4)", rules={"ties": "ladies_first"}) == 2
    assert one.eval("f(E, 4)") == 3, "the rules of a call hold for it alone"
    assert one.eval("E").f(4, rules="{ ties: ladies_first }") == 2
    assert one.eval("R(A^2)", rules={"pay": "taxman(1/2)"}) == one.eval("R(A^2) using { pay: taxman(1/2) }")
    with pytest.raises(bid.Error, match="E0601"):
        bid.Session(rules={"ties": "somebody"})
    with pytest.raises(bid.Error, match="E0601"):
        one.eval("f(E, 4)", rules={"tise": "marker"})
    assert one.eval("f(E, 4)") == 3


def test_limits_stop_the_work(s):
    with pytest.raises(bid.Stopped) as stopped:
        s.eval(ENDLESS, timeout=0.05)
    assert stopped.value.diagnostics[0].code == "E0903"
    assert isinstance(stopped.value, bid.Error)
    with pytest.raises(bid.Stopped) as stopped:
        s.eval("size(tictactoe)", max_positions=10)
    assert stopped.value.diagnostics[0].code == "E0901"
    with pytest.raises(bid.Stopped) as stopped:
        s.eval("R(connect(4, 5, 5))", max_memory="20M")
    assert stopped.value.diagnostics[0].code == "E0902"
    assert s.eval("1 + 1") == 2, "the session goes on"
    slow = bid.Session(timeout=0.05)
    with pytest.raises(bid.Stopped):
        slow.eval(ENDLESS)
    wanted = {
        "timeout": ("timeout is a finite number of seconds, 0 or more, not ", ["5s", "5", -1, float("inf"), float("nan"), 1e300, 10**400, [1]]),
        "max_memory": (
            "max_memory is a whole number of bytes, 0 or more and less than 2^64, or a text like '500M' or '2G', not ",
            ["5 apples", "-1", "", "99999999T", -1, 2**80, 1.5, float("inf"), [1]],
        ),
        "max_positions": ("max_positions is a whole number, 0 or more and less than 2^64, not ", ["10", -1, 2**64, 0.5, float("nan")]),
    }
    for name, (message, wrongs) in wanted.items():
        for wrong in wrongs:
            for ask in [lambda limits: s.eval("1", **limits), lambda limits: bid.Session(**limits)]:
                with pytest.raises(ValueError, match=re.escape(message)):
                    ask({name: wrong})
    for right in [{"timeout": Fraction(60)}, {"timeout": numpy.float32(60)}, {"max_memory": 1e9}, {"max_positions": 1e9}, {"max_positions": numpy.int64(9)}]:
        assert s.eval("1", **right) == bid.Session(**right).eval("1") == 1


def test_stop_from_another_thread(s):
    timer = threading.Timer(0.1, s.stop)
    timer.start()
    with pytest.raises(bid.Stopped) as stopped:
        s.eval(ENDLESS)
    timer.join()
    assert stopped.value.diagnostics[0].code == "E0904"
    assert s.eval("2 + 2") == 4


def test_ctrl_c_is_a_keyboard_interrupt(s):
    timer = threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        s.eval(ENDLESS)
    timer.join()
    assert s.eval("2 + 2") == 4, "the session goes on"


def test_the_interpreter_runs_while_the_engine_works(s):
    counted = 0

    def count() -> None:
        nonlocal counted
        while not done.is_set():
            counted += 1

    done = threading.Event()
    thread = threading.Thread(target=count)
    with pytest.raises(bid.Stopped):
        thread.start()
        try:
            s.eval(ENDLESS, timeout=0.3)
        finally:
            done.set()
    thread.join()
    assert counted > 10_000


def test_sessions_work_side_by_side():
    """Each waits in its own thread for an answer that takes as long as the other: neither waits for the other to end."""
    sessions = [bid.Session() for _ in range(3)]
    together = threading.Barrier(4)
    stopped = []

    def work(one: bid.Session) -> None:
        one.eval("1")
        together.wait()
        try:
            one.eval(ENDLESS)
        except bid.Stopped:
            stopped.append(one)

    threads = [threading.Thread(target=work, args=(one,)) for one in sessions]
    for thread in threads:
        thread.start()
    together.wait()
    time.sleep(0.2)
    for one in reversed(sessions):
        one.stop()
    for thread in threads:
        thread.join()
    assert len(stopped) == 3


def test_one_session_in_many_threads(s):
    found = {}

    def ask(number: int) -> None:
        found[number] = [s.eval("x * x", names={"x": number + place}) for place in range(20)]

    threads = [threading.Thread(target=ask, args=(100 * number,)) for number in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {start: [(start + place) ** 2 for place in range(20)] for start in range(0, 500, 100)}


def test_games_of_another_session_are_made_here_too(s):
    other = bid.Session()
    game = other.eval("A^2")
    assert s.eval("R(G)", names={"G": game}) == Fraction(1, 4)
    assert s.eval("[G]", names={"G": game}) == [game] and s.eval("A^2") == game and hash(s.eval("A^2")) == hash(game)


def test_progress_is_told(s):
    told = []
    with pytest.raises(bid.Stopped):
        s.eval("size(connect(4, 5, 5))", progress=lambda *far: told.append(far), timeout=1)
    assert told and all(isinstance(stage, str) and done >= 0 for stage, done, _ in told)

    def refuse(*_: object) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        s.eval("size(connect(4, 5, 5))", progress=refuse)
    assert s.eval("1 + 1") == 2


def test_progress_is_a_bar(s, capsys):
    with pytest.raises(bid.Stopped):
        s.eval("size(connect(4, 5, 5))", progress=True, timeout=1)
    assert "exploring" in capsys.readouterr().err


def test_the_bar_shows_all_that_is_told(s, capsys):
    bar = _listener(True)
    for done in [290_057, 355_593, 355_594, 421_129]:
        bar("exploring", done, None)
        assert f"{done}it" in capsys.readouterr().err
    for done in [900, 10, 20]:
        bar("solving", done, 1000)
        assert f"{done}/1000" in capsys.readouterr().err
    bar.close()
    assert _listener(False) is _listener(None) is None


def test_errors_have_diagnostics_and_print_as_on_the_command_line(s):
    with pytest.raises(bid.Error) as error:
        s.eval("R(ultimtum(5))")
    [diagnostic] = error.value.diagnostics
    assert (diagnostic.code, diagnostic.severity) == ("E0201", "error")
    assert diagnostic.message == "nothing here is called `ultimtum`"
    assert diagnostic.help == "did you mean `ultimatum`?"
    assert (diagnostic.spans[0].start, diagnostic.spans[0].end) == (2, 10)
    assert str(error.value).startswith("[E0201] Error: nothing here is called `ultimtum`\n")
    assert "1 │ R(ultimtum(5))" in str(error.value) and not isinstance(error.value, bid.Stopped)
    with pytest.raises(bid.Error) as error:
        s.eval("let a = \nshow b +\nshow 1 / 0")
    assert len(error.value.diagnostics) >= 2
    assert bid.explain("E0201").startswith("#") or "E0201" in bid.explain("e0201")
    assert bid.explain("E9999") is None


def test_errors_of_a_call_point_into_the_call_as_text(s):
    with pytest.raises(bid.Error) as error:
        s.eval("A^2 ∧ B").outcome(4, 4)
    assert "(A^2 ∧ B)(4, 4)" in str(error.value)
    with pytest.raises(bid.Error, match="takes 2 arguments|takes a total"):
        s.eval("A").f()
    with pytest.raises(bid.Error, match="E0302"):
        s.call("tug", 1, 2)
    with pytest.raises(bid.Error, match="E0201"):
        s.call("tgu", 1)
    with pytest.raises(TypeError):
        s.call("tug", 1, colour=1)
    with pytest.raises(TypeError, match="R\\(\\) takes no keyword 'colour'; it takes rules, timeout"):
        s.eval("A").R(colour="red")


def test_keywords_that_are_none_are_told(s):
    game = s.eval("A")
    for call, message in [
        (lambda: s.eval("1", tiemout=3), r"eval\(\) takes no keyword 'tiemout': did you mean 'timeout'\? .* names=\{'tiemout': \.\.\.\}"),
        (lambda: bid.eval("x", x=3), r"eval\(\) takes no keyword 'x'; .* names=\{'x': \.\.\.\}"),
        (lambda: s.run("1", rule="menz"), r"run\(\) takes no keyword 'rule': did you mean 'rules'\? .* names="),
        (lambda: bid.run("1", names={}, max_position=1), "did you mean 'max_positions'"),
        (lambda: s.call("tug", 3, timout=1), r"call\(\) takes no keyword 'timout': did you mean 'timeout'\?$"),
        (lambda: s.game("tug", 3, timout=1), r"game\(\) takes"),
        (lambda: s.plan("R(E)", progres=None), "did you mean 'progress'"),
        (lambda: bid.Session(rule="menz"), "did you mean 'rules'"),
        (lambda: game.R(tiemout=3), r"R\(\) takes no keyword 'tiemout': did you mean 'timeout'\?$"),
        (lambda: game.f(bbo=3), "did you mean 'bob'"),
        (lambda: game.outcome(1, 2, tiemout=3), "did you mean 'timeout'"),
        (lambda: game.at(1, tiemout=3), "did you mean"),
        (lambda: game.after(tiemout=3), "did you mean"),
        (lambda: game.values("R", tiemout=3), "did you mean"),
        (lambda: game.to_networkx(valeus=[]), "did you mean 'values'"),
        (lambda: game.write("x.dot", tiemout=3), "did you mean"),
        (lambda: s.eval("tug")(3, tiemout=3), "did you mean"),
    ]:
        with pytest.raises(TypeError, match=message):
            call()
    for function in [bid.eval, bid.run, s.eval, s.run, s.call, s.game, s.plan, game.outcome, game.at, game.after, game.R, s.eval("tug").__call__]:
        keywords = inspect.signature(function).parameters
        assert {"rules", "timeout", "max_memory", "max_positions", "progress"} <= set(keywords)
        assert not any(parameter.kind is parameter.VAR_KEYWORD for parameter in keywords.values())


def test_warnings_are_warnings(s):
    with pytest.warns(bid.BidWarning, match="W0402"):
        s.eval("R(graph { start 0; both 0 -> 1, A })")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        s.eval("R(E)")


def test_help_plan_and_completion(s):
    assert s.help("R").startswith("R(G)")
    assert s.help("tictactoe") and s.help("nonsense") is None
    assert "method" in s.plan("R(tictactoe)")
    start, found = s.complete("let x = R(tictac", 16)
    assert start == 10 and "tictactoe" in found
    start, found = s.complete("A ∧ hypo", 8)
    assert start == 4
    start, found = s.complete("R(A) using { ti", 15)
    assert found == ["ties: "]
    assert s.describe("R(tictactoe)", 1).startswith("R(G)")
    assert s.describe("A ∧ B", 3)


def test_talking_with_somebody(s, monkeypatch, capsys):
    answers = iter(["?", "quit"])

    def answer(question: str = "") -> str:
        try:
            return next(answers)
        except StopIteration:
            raise EOFError from None

    monkeypatch.setattr("builtins.input", answer)
    try:
        s.eval("play(tictactoe, 8*, 8)")
    except bid.Error:
        pass
    assert capsys.readouterr().out


def test_what_was_shown_before_an_error_is_not_lost(s):
    with pytest.raises(bid.Error) as failed:
        s.run("show 1 + 1\nshow R(E)\nshow [1][7]\nshow 3")
    assert [(each.label, each.value) for each in failed.value.shown][:2] == [("1 + 1", 2), ("R(E)", Fraction(1, 2))]
