"""Values, games and answers in other sessions, threads and processes: pickled, compared, hashed; sessions in forked processes."""

import copy
import gc
import multiprocessing
import os
import pathlib
import pickle
import signal
import subprocess
import sys
import textwrap
import threading
from concurrent.futures import ProcessPoolExecutor
from fractions import Fraction
from multiprocessing.pool import ThreadPool

import pytest

import bid

ANSWERS = [
    "5", "9/32", "4*", "true", '"A.B"', "alice", "A(4*, 4)", "[1, [1/2, 2*]]", "(1, true)", "empty",
    "R(tug(3) at 1) using { pay: poorman }", "f(E, 0..7)", "v(A^2, 0..2, 0..3) using menz", "f(B, bob: 0..3) using { pay: poorman }",
    "strategy(tictactoe, 4*, 4)", "strategy(tug(2), 1/2, 1/3) using { bids: real }", "moves(tictactoe)", "tree(tug(2))",
    "nash(A^2 ∧ B^2, 4, 3) using { pay: all_pay, ties: ladies_first }", "table(tictactoe)", "size(tictactoe)", "{ ties: marker, pay: taxman(1/3) }",
    "{ robin_hood: 1/4, income: [1/8, 0], precision: 1e-20, minimum_bid: 3 }", "classes(tug(2))", "hasse([A, E, B])", "hasse(games(birthday: 1))", "stable(E)",
    "pivotal(hex(2, 2))", "plot(f(E, 0..9), 1/2)", "heat(outcomes(A^2, 0..5, 0..5))", "positions(tug(2))",
    "mixed_bids(A ∧ B^2, 3, 3) using { pay: all_pay, ties: ladies_first }", "o(graph { start 0; both 0 -> 1 score 5/2; score 1/2: 1 }, 1*, 0) using larsson",
]
GAMES = [
    "A", "A^7", "A ∧ (A^2 ∧ B^3)", "{ A, E | B^2, Draw }", "~tictactoe", "tug(3)[4]", "tug(3) at 1", "tictactoe", 'tictactoe at "AB./.A./..B"',
    "connect(3, 3, 4)", "~connect(3, 3, 4)[5]", "graph { start x; alice x -> A^2, y; bob x -> tictactoe; both y -> x, B }",
    "graph { start 0; both 0 -> 1 score 3/2; bob 1 -> 0; score 2: 2; both 1 -> 2; turn bob: 1 }",
    "graph { start a; both a -> b; both b -> a, b; accepting: a; weight 1/3: b; priority 2: a }",
    "graph { start a; both a -> A, B; income alice 1/8: a; income bob 2: a }",
    "{ { | } | } + { | { | } }", "tictactoe ∧ connect(3, 3, 3)",
]


@pytest.fixture
def elsewhere():
    """A process that knows nothing: it takes pickles of `(function, arguments)` and answers with pickles."""
    program = (
        "import pickle, sys\n"
        "while True:\n"
        "    try:\n"
        "        function, arguments = pickle.load(sys.stdin.buffer)\n"
        "        answer = function(*arguments)\n"
        "    except Exception as wrong: answer = wrong\n"
        "    pickle.dump(answer, sys.stdout.buffer); sys.stdout.buffer.flush()\n"
    )
    tests = pathlib.Path(__file__).parent
    path = os.pathsep.join([str(tests), str(tests.parent)])
    process = subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={**os.environ, "PYTHONPATH": path}
    )

    def ask(function, *arguments):
        pickle.dump((function, arguments), process.stdin)
        process.stdin.flush()
        return pickle.load(process.stdout)

    yield ask
    process.kill()
    process.wait()


@pytest.mark.parametrize("text", ANSWERS)
@pytest.mark.filterwarnings("ignore::bid.BidWarning")
def test_every_answer_can_be_pickled_compared_and_hashed(s, text):
    answer = s.eval(text)
    for again in [pickle.loads(pickle.dumps(answer)), copy.deepcopy(answer), s.eval(text)]:
        assert again == answer and type(again) is type(answer)
        assert not again != answer
        if isinstance(answer, bid.Answer):
            assert hash(again) == hash(answer) and {again: 1}[answer] == 1
            for form in ["text", "json", "csv", "latex", "html"]:
                assert s.text(again, form) == s.text(answer, form)
            assert again._repr_svg_() == answer._repr_svg_()
        # Of two numbers that are known between bounds alone nobody knows that they are equal.
        if text != "empty" and not isinstance(answer, (bid.Answer, bid.Interval)):
            assert s.eval("x == y", names={"x": again, "y": answer}) is True
    assert answer != s.eval("17")


def test_answers_that_differ_are_not_equal(s):
    answers = [s.eval(text) for text in ANSWERS]
    for place, one in enumerate(answers):
        for other in answers[place + 1 :]:
            if not {type(one), type(other)} <= {bid.Player, bid.Outcome}:
                assert (one == other) is False, (one, other)
    assert s.eval("{ ties: marker }") == {"ties": "marker"} and s.eval("f(E, 0..2)") == [bid.Chips("0*"), 1, bid.Chips("1*")]
    assert s.eval("strategy(tictactoe, 4*, 4)") != s.eval("strategy(tictactoe, 4*, 5)")


@pytest.mark.parametrize("text", GAMES)
@pytest.mark.filterwarnings("ignore::bid.BidWarning")
def test_games_are_the_same_in_every_session(text):
    here, there = bid.Session("games/classics.bid"), bid.Session("games/classics.bid")
    there.eval("[tug(5), { | { | } }, { { | } | }]")  # so that equal games have other numbers there
    game, other = here.eval(text), there.eval(text)
    assert game == other and hash(game) == hash(other) and game != there.eval("A^99")
    assert pickle.loads(pickle.dumps(game)) == game == copy.copy(game)
    assert pickle.loads(pickle.dumps(game))._reference.key == game._reference.key, "it comes back to its session"
    bare = bid.Session()
    moved = bare.eval("G", names={"G": game})
    assert moved == game and moved.session is bare and sorted(str(moved)) == sorted(str(game))
    told = [sorted(text) for text in (bare.eval("node_link(G)", names={"G": game}), game.node_link(), other.node_link())]
    assert told[0] == told[1] == told[2]


def rich(game):
    return game.R()


def rules_of(game):
    return game.session._default_rules()


def opening(game):
    return game.after(("alice", "place(1, 1)"))


def fail(text):
    bid.eval(text)


def unpacked_with(games, program):
    return bid.session()._unpacked(games, (program,))


def identity(value):
    return value


def test_a_game_goes_to_another_process_and_comes_back(s, elsewhere, tmp_path):
    for text in ["A ∧ (A^2 ∧ B^3)", "tictactoe", "connect(3, 3, 3)", "graph { start 0; both 0 <-> 1; both 1 -> A; both 0 -> B }"]:
        game = s.eval(text)
        assert elsewhere(rich, game) == game.R()
        back = elsewhere(identity, [game, game])
        assert back == [game, game] and back[0].session is s
    board = s.game("tictactoe")
    there = elsewhere(opening, board)
    assert there == opening(board) and there.R() == opening(board).R()
    assert s.eval("R(G)", names={"G": there}) == opening(board).R()
    for text in ["f(E, 0..7)", "classes(tug(2))", "strategy(tictactoe, 4*, 4)", "positions(tug(3))"]:
        assert elsewhere(identity, s.eval(text)) == s.eval(text)
    with pytest.raises(bid.Error) as here:
        bid.eval("R(")
    there = elsewhere(fail, "R(")
    assert type(there) is bid.Error and there.diagnostics[0].message == here.value.diagnostics[0].message
    again = pickle.loads(pickle.dumps(here.value))
    assert again == here.value and hash(again) == hash(here.value) and str(again) == str(here.value)
    assert here.value != bid.Stopped(here.value.diagnostics)


def test_a_game_of_ones_own_brings_its_rules_along(elsewhere, tmp_path):
    mine = textwrap.dedent("""
        let goal = 4
        game walk(step) {
            state x = 0
            move alice up { x += step }
            move bob down { x -= 1 }
            win alice if x >= goal
            win bob if x <= -goal
        }
    """)
    (tmp_path / "mine.bid").write_text('use "goals.bid"\n' + mine.replace("let goal = 4\n", ""))
    (tmp_path / "goals.bid").write_text("let goal = 4\n")
    for way in ["run", "load", "use"]:
        s = bid.Session()
        s.run("let goal = 9")
        if way == "run":
            s.run(mine)
        elif way == "load":
            s.load(tmp_path / "mine.bid")
        else:
            s.run(f'use "{tmp_path / "mine.bid"}"')
        game = s.call("walk", 2)
        s.run("let goal = 1\nlet other = 3")
        value = game.R()
        assert elsewhere(rich, game) == value, way
        back = elsewhere(identity, game)
        assert back == game and back.session is s
        assert bid.Session().eval("R(G)", names={"G": game}) == value
    renewed = bid.Session()
    renewed.run("let unrelated = 4\n" + mine)
    assert renewed.call("walk", 2) == game == bid.Session(tmp_path / "mine.bid").eval("walk(2)"), "other sources, the same rules"
    renewed.run(mine.replace("goal = 4", "goal = 6"))
    game = renewed.call("walk", 2)
    renewed.run(mine.replace("goal = 4", "goal = 5"))
    assert renewed.eval("walk(2)") != game and str(renewed.eval("walk(2)")) == str(game)
    # Its name means another game now: it is refused rather than mistaken, and where it leaves rather than where nobody hears it.
    with pytest.raises(bid.Error, match="cannot travel: `walk` does not make it any more"):
        pickle.dumps(game)
    with pytest.raises(bid.Error, match="cannot travel"):
        bid.eval("R(G)", names={"G": game})
    assert game.R() == renewed.eval("R(G)", names={"G": game})
    own, _, _ = renewed._packed(renewed.call("walk", 2))
    wrong = elsewhere(unpacked_with, own, pickle.loads(pickle.dumps(renewed._engine.program())).replace(b"goal = 5", b"goal = 7"))
    assert isinstance(wrong, bid.Error) and "cannot be made here as they were" in str(wrong)
    assert elsewhere(rich, renewed.eval("walk(2)")) == renewed.eval("R(walk(2))")


def test_what_a_game_brings_along_hides_nothing(s):
    s.run("let half = 1/2\nusing { ties: marker }")
    other = bid.Session()
    other.run("let half = 1/3\ngame odd {\n state x = 0\n move step { x += 1 }\n win me if x >= 3 }\nusing { ties: gentlemen_first }")
    before = s.names(), s.eval("f(E, 4)")
    assert s.eval("R(G)", names={"G": other.eval("odd")}) == other.eval("R(odd)")
    assert (s.names(), s.eval("f(E, 4)")) == before and s.eval("half") == Fraction(1, 2)


RULES = [
    "{ pay: poorman }", "menz", "larsson", "{ pay: taxman(1/3), precision: 1e-20 }", "{ robin_hood: 1/4, income: [1/8, 0], minimum_bid: 3 }", "{ ties: marker }",
]


@pytest.mark.parametrize("rules", RULES)
def test_a_game_keeps_the_rules_of_its_session_wherever_it_goes(elsewhere, rules):
    s = bid.Session(rules=rules)
    game = s.eval("B^2")
    packed = pickle.dumps([game, copy.copy(game)])
    assert elsewhere(rules_of, game) == rules_of(game) != bid.session()._default_rules()
    assert elsewhere(identity, game).session is s
    token = s._token
    del s, game
    gc.collect()
    assert token not in bid._session._SESSIONS
    one, two = pickle.loads(packed)
    assert one.session is two.session is pickle.loads(packed)[0].session is not bid.session()
    assert rules_of(one) == rules_of(copy.deepcopy(two)) == elsewhere(rules_of, one)


def test_a_game_without_rules_finds_none_in_a_thread_that_has_some(s):
    poor = bid.Session()
    poor.run("using { pay: poorman }")
    packed, plain = pickle.dumps(poor.eval("B^2")), pickle.dumps(bid.Session().eval("B^2"))
    del poor
    gc.collect()
    assert (pickle.loads(packed).R(), pickle.loads(plain).R()) == (Fraction(2, 3), Fraction(3, 4))

    def in_a_thread():
        bid.run("using { pay: poorman }")
        moved = pickle.loads(packed)
        assert moved.session is bid.session()
        return moved.R(), pickle.loads(plain).R(), bid.eval("R(G)", names={"G": pickle.loads(plain)})

    with ThreadPool(1) as pool:
        assert pool.apply(in_a_thread) == (Fraction(2, 3), Fraction(3, 4), Fraction(2, 3))


def test_functions_and_sessions_stay_where_they_are(s):
    with pytest.raises(TypeError, match="make one where it is used"):
        pickle.dumps(s)
    with pytest.raises(TypeError, match="belongs to a session"):
        pickle.dumps(s.eval("tug"))
    for broken in [b"", b"\xff" * 20]:
        with pytest.raises(bid.Error, match="not games"):
            s._unpacked(broken, ())
        with pytest.raises(ValueError, match="not an answer"):
            bid._bid.unpacked(b"\xff" + broken, [])


def eval_here(text):
    return bid.eval(text)


def half_here(k):
    return bid.eval("half * k", names={"k": k})


@pytest.fixture(params=["fork", "spawn", "forkserver"])
def context(request):
    if request.param not in multiprocessing.get_all_start_methods():
        pytest.skip(f"no {request.param} here")
    return multiprocessing.get_context(request.param)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_pool_of_processes(context, s):
    assert bid.eval("R(tictactoe)") == Fraction(133, 256)
    texts = ["R(A ∧ (A^2 ∧ B^3))", "R(tictactoe)", "f(E, 0..7)", "tictactoe", "classes(tug(2))"]
    with context.Pool(2) as pool:
        assert pool.map_async(eval_here, texts).get(60) == [bid.eval(text) for text in texts]
        games = [s.eval(text) for text in GAMES[:10]]
        assert pool.map_async(rich, games).get(60) == [game.R() for game in games]
        poor = bid.Session(rules={"pay": "poorman"}).eval("B^2")
        assert pool.apply_async(rich, (poor,)).get(60) == poor.R() == Fraction(2, 3)
        with pytest.raises(bid.Error, match="E0201"):
            pool.apply_async(eval_here, ("R(ultimtum(5))",)).get(60)
    with ProcessPoolExecutor(2, mp_context=context) as pool:
        assert list(pool.map(eval_here, texts, timeout=60)) == [bid.eval(text) for text in texts]


def put_rich(queue, game):
    try:
        queue.put(rich(game))
    except RuntimeError as wrong:
        queue.put(str(wrong))


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_game_is_an_argument_of_a_process_that_is_not_forked(context, s):
    queue, game = context.Queue(), s.game("tug", 3)
    process = context.Process(target=put_rich, args=(queue, game))
    process.start()
    found = queue.get(timeout=60)
    process.join(60)
    if context.get_start_method() == "fork":
        assert "make it here, or start the process by `spawn` or `forkserver`, or give it to a pool" in found
    else:
        assert found == game.R()


def forked(function, seconds=60):
    """The answer of a function in a forked process."""
    ours, theirs = multiprocessing.get_context("fork").Pipe()
    child = os.fork()
    if child == 0:
        try:
            try:
                answer = function()
            except Exception as wrong:
                answer = wrong
            theirs.send(answer)
        finally:
            os._exit(0)
    try:
        assert ours.poll(seconds), "the forked process waits"
        return ours.recv()
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")


@needs_fork
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_session_begins_again_in_a_forked_process(tmp_path):
    file = tmp_path / "mine.bid"
    file.write_text("let third = 1/3\n")
    s = bid.Session("games/classics.bid", rules={"ties": "gentlemen_first"})
    s.load(file)
    s.run("let half = 1/2\nshow half\nlet square(x) = x * x\nusing { draws: bob }")
    s.run("let most = n + 1", names={"n": 41}, rules={"ties": "marker"})
    s.define("five", [1, 2, Fraction(5, 2)])
    file.write_text("let third = 0\n")
    asked = "[half, third, square(12), most, five[2], f(E, 4), R(Draw ∧ B), R(tictactoe)]"
    assert forked(lambda: s.eval(asked)) == s.eval(asked)
    assert forked(lambda: forked(lambda: s.eval(asked))) == s.eval(asked), "a fork of a fork"
    game = s.game("tug", 3)
    wrong = forked(lambda: game.R())
    assert isinstance(wrong, RuntimeError) and "before this process was forked: make it here, or start the process by `spawn`" in str(wrong)
    packed = pickle.dumps(game)
    assert forked(lambda: pickle.loads(packed).R()) == game.R()

    def leave():
        nonlocal s
        s.eval("1")
        s = None
        gc.collect()
        return "left"

    assert forked(leave) == "left" and s.eval("1") == 1
    s.define("mine", game)
    wrong = forked(lambda: s.eval("1"))
    assert isinstance(wrong, RuntimeError) and "games were given to it" in str(wrong)
    torn = bid.Session()
    with pytest.raises(bid.Stopped):
        torn.run("let x = 1\nlet y = len([k for k in 1..9000000 if k * k % 7 == 5])", timeout=0.05)
    wrong = forked(lambda: torn.eval("x"))
    assert isinstance(wrong, RuntimeError) and "stopped before its end" in str(wrong)


@needs_fork
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_the_default_session_works_in_a_forked_process():
    def own():
        bid.run("let half = 1/2")
        return forked(lambda: [half_here(3), bid.eval("R(tictactoe)")])

    with ThreadPool(1) as pool:
        assert pool.apply(own) == [Fraction(3, 2), Fraction(133, 256)]


@needs_fork
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_work_on_all_threads_goes_on_in_a_forked_process(s):
    """Threads work side by side before and after a fork, and while the session is busy."""
    text = "R(connect(3, 4, 4))"
    before = s.eval(text)
    assert forked(lambda: bid.Session("games/classics.bid").eval(text)) == before
    assert forked(lambda: s.eval(text)) == before
    busy = threading.Thread(target=lambda: pytest.raises(bid.Stopped, s.eval, "len([k for k in 1..9000000 if k * k % 7 == 5])"))
    busy.start()
    try:
        assert forked(lambda: s.eval(text)) == before
    finally:
        s.stop()
        busy.join()


def test_a_pool_of_threads(s):
    with ThreadPool(4) as pool:
        found = pool.map(lambda n: bid.eval("A^n ∧ tictactoe", names={"n": n}), range(2, 12))
        assert found == [bid.eval(f"A^{n} ∧ tictactoe") for n in range(2, 12)]
        assert pool.map(lambda game: s.eval("R(G)", names={"G": game}), found) == [game.R() for game in found]
        assert pool.map(lambda n: s.eval("R(A^n)", names={"n": n}), range(2, 40)) == [Fraction(1, 2**n) for n in range(2, 40)]
