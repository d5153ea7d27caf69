"""Sweeps on a Dask cluster: a real scheduler and real workers, each a process of its own, which are killed at any moment."""

import os
import pathlib
import pickle
import random
import resource
import signal
import subprocess
import sys
import threading
import time

import pytest

import bid
import bid.distributed
from bid.distributed import Sweep, solve

distributed = pytest.importorskip("distributed")

# A warning of a damaged folder is a fault, unless a test has damaged it.
pytestmark = pytest.mark.filterwarnings("error::bid.BidWarning")

QUESTIONS = [
    "R(connect(3, 3, 3))", "R(connect(3, 3, 4))", "R(connect(3, 4, 3))", "R(~connect(4, 4, 4))", "R(connect(2, 3, 3)) using { draws: bob }",
    "f(connect(3, 3, 4), 0..3)", "f(connect(3, 4, 3), 2) using { ties: marker }", "moves(connect(3, 3, 4))",
    "bounds(connect(3, 3, 4)) using { precision: 1e-3 }", "[R(connect(3, 3, k)) for k in 2..4]",
]
LONG = "R(connect(4, 4, 4))"
# Takes seconds, so that a process is still at it when it is interrupted.
LONGER = "R(connect(4, 4, 5))"
MANNER = {"cwd": "/", "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}


class Cluster:
    """A scheduler and its workers on this machine."""

    def __init__(self, folder, workers=0, **how):
        self.folder, self.processes, self.clients = folder, [], []
        folder.mkdir(parents=True, exist_ok=True)
        self.file = folder / "scheduler.json"
        self.start_scheduler()
        for _ in range(workers):
            self.start_worker(**how)
        self.client = self.connect(workers)

    def start(self, module, *arguments, cwd="/"):
        command = [sys.executable, "-m", f"distributed.cli.{module}", *map(str, arguments)]
        environment = {**os.environ, "DASK_DISTRIBUTED__WORKER__MEMORY__TERMINATE": "false"}
        process = subprocess.Popen(command, env=environment, **{**MANNER, "cwd": cwd})
        self.processes.append(process)
        return process

    def start_scheduler(self):
        self.file.unlink(missing_ok=True)
        self.scheduler = self.start("dask_scheduler", "--host", "127.0.0.1", "--port", 0, "--no-dashboard", "--scheduler-file", self.file)
        wait_for(self.file.exists)

    def start_worker(self, cwd="/", *more):
        self.start(
            "dask_worker", "--scheduler-file", self.file, "--host", "127.0.0.1", "--nworkers", 1, "--nthreads", 1, "--no-dashboard",
            "--memory-limit", "2GiB", "--local-directory", self.folder / "scratch", *more, cwd=cwd,
        )

    def connect(self, workers):
        client = distributed.Client(scheduler_file=str(self.file), set_as_default=False)
        self.clients.append(client)
        if workers > 0:
            client.wait_for_workers(workers, timeout=60)
        return client

    def pids(self):
        return sorted(self.client.run(os.getpid).values())

    def close(self):
        for client in self.clients:
            client.close(timeout=2)
        for process in self.processes:
            process.terminate()
        for process in self.processes:
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def wait_for(condition, seconds=60):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it takes too long"
        time.sleep(0.02)


@pytest.fixture
def clusters(tmp_path):
    """Makes clusters."""
    made = []

    def make(*arguments, **named):
        made.append(Cluster(tmp_path / f"cluster{len(made)}", *arguments, **named))
        return made[-1]

    yield make
    for cluster in made:
        cluster.close()


@pytest.fixture(scope="module")
def pair(tmp_path_factory):
    """A cluster of two workers, for tests that leave it as it is."""
    cluster = Cluster(tmp_path_factory.mktemp("pair"), 2)
    yield cluster
    cluster.close()


def small_batches(question, folder, count=8):
    """How long a batch is if there are to be some of them."""
    seconds, sweep = 1.0, Sweep(question, folder)
    while (cut := sweep.batches(seconds)) is not None and len(cut.batches) < count and seconds > 1e-7:
        seconds /= 2
    return seconds


def blobs(folder):
    return sorted(pathlib.Path(folder).glob("*/*.blob"))


class Working(threading.Thread):
    """A question that is being answered by a cluster."""

    def __init__(self, *arguments, **named):
        super().__init__(daemon=True)
        self.asked, self.answer, self.wrong, self.done = (arguments, named), None, None, 0
        self.start()

    def run(self):
        arguments, named = self.asked
        try:
            self.answer = solve(*arguments, **named, progress=self.tell)
        except Exception as wrong:
            self.wrong = wrong

    def tell(self, stage, done, of):
        self.done = done

    def ended(self, seconds=120):
        self.join(seconds)
        assert not self.is_alive(), "it hangs"
        return self


def test_one_process_goes_through_the_same_batches(tmp_path):
    batches = 0
    for number, question in enumerate(QUESTIONS):
        sweep = Sweep(question, tmp_path / str(number))
        seconds = small_batches(question, tmp_path / str(number))
        while cut := sweep.batches(seconds):
            for batch in cut.batches:
                assert all(before < cut.batches.index(batch) for before in batch.after)
                sweep.work(batch)
                batches += 1
        assert sweep.answer() == bid.eval(question), question
        assert pickle.loads(pickle.dumps(sweep)).answer() == bid.eval(question), "another process finds it there"
    assert batches >= 40, "many of them are cut"


def test_one_to_four_workers_give_what_the_program_gives(clusters, tmp_path):
    cluster = clusters()
    expected = {question: bid.text(bid.eval(question), "json") for question in QUESTIONS}
    seconds = {question: small_batches(question, tmp_path / "cut", 4) for question in QUESTIONS}
    for workers in range(1, 5):
        cluster.start_worker()
        cluster.client.wait_for_workers(workers, timeout=60)
        for number, question in enumerate(QUESTIONS):
            folder = tmp_path / f"{workers}-{number}"
            answer = solve(question, cluster.client, folder, seconds=seconds[question])
            assert bid.text(answer, "json") == expected[question], (workers, question)
            assert blobs(folder), question


def test_a_game_of_ones_own_and_its_rules_travel(pair, tmp_path):
    s = bid.Session()
    s.run("game fall(n) { state x = [n for i in 1..4]; move drop(i) for i in 0..3 if x[i] > 0 { x[i] -= 1 }\n win alice if x[0] == 0\n win bob if x[1] == 0 }")
    game = s.call("fall", 20)
    seconds = small_batches("R(tictactoe)", tmp_path / "none", 1)
    answer = solve("R(G)", pair.client, tmp_path / "own", names={"G": game}, rules={"draws": "alice"}, seconds=seconds / 1e4)
    assert answer == game.R(rules={"draws": "alice"})


def test_killed_workers_are_replaced(clusters, tmp_path):
    cluster = clusters(2)
    seconds = small_batches(LONG, tmp_path / "a", 24)
    dice = random.Random(39)
    for turn in range(3):
        working = Working(LONG, cluster.client, tmp_path / f"turn{turn}", seconds=seconds, retries=5)
        wait_for(lambda: working.done >= 1 + dice.randrange(8) or not working.is_alive())
        os.kill(dice.choice(cluster.pids()), signal.SIGKILL)
        assert working.ended().wrong is None, working.wrong
        assert working.answer == bid.eval(LONG)
        cluster.client.wait_for_workers(2, timeout=60)


def client_of(cluster, folder, seconds):
    """A process of its own that asks the cluster."""
    program = "import sys, distributed, bid.distributed as d\nc = distributed.Client(scheduler_file=sys.argv[1])\n" + (
        "d.solve(sys.argv[2], c, sys.argv[3], seconds=float(sys.argv[4]))"
    )
    command = [sys.executable, "-c", program, str(cluster.file), LONGER, str(folder), str(seconds)]
    return subprocess.Popen(command, **{**MANNER, "stderr": subprocess.PIPE}, text=True)


def test_a_killed_client_leaves_its_work(pair, tmp_path):
    seconds = small_batches(LONGER, tmp_path / "kept", 96)
    client = client_of(pair, tmp_path / "kept", seconds)
    wait_for(lambda: len(blobs(tmp_path / "kept")) > 4)
    client.kill()
    client.communicate()
    assert solve(LONGER, pair.client, tmp_path / "kept", seconds=seconds) == bid.eval(LONGER)


def test_ctrl_c_in_the_client_cancels_the_batches(pair, tmp_path):
    seconds = small_batches(LONGER, tmp_path / "kept", 96)
    client = client_of(pair, tmp_path / "kept", seconds)
    wait_for(lambda: blobs(tmp_path / "kept"))
    client.send_signal(signal.SIGINT)
    _, said = client.communicate(timeout=60)
    assert client.returncode != 0 and said.rstrip().endswith("KeyboardInterrupt"), said
    wait_for(lambda: not any(pair.client.processing().values()))
    assert solve(LONGER, pair.client, tmp_path / "kept", seconds=seconds) == bid.eval(LONGER)


def test_an_interrupt_of_a_worker_costs_no_answer(clusters, tmp_path):
    cluster = clusters(2)
    seconds = small_batches(LONG, tmp_path / "kept", 24)
    working = Working(LONG, cluster.client, tmp_path / "kept", seconds=seconds, retries=5)
    wait_for(lambda: working.done >= 2 or not working.is_alive())
    os.kill(cluster.pids()[0], signal.SIGINT)
    assert working.ended().wrong is None, working.wrong
    assert working.answer == bid.eval(LONG)


def test_a_killed_scheduler_is_told_and_the_same_call_goes_on(clusters, tmp_path):
    cluster = clusters(1)
    folder = tmp_path / "kept"
    seconds = small_batches(LONGER, folder, 96)
    working = Working(LONGER, cluster.client, folder, seconds=seconds)
    wait_for(lambda: working.done >= 3)
    cluster.scheduler.kill()
    cluster.scheduler.wait()
    assert isinstance(working.ended().wrong, ConnectionError) and str(folder) in str(working.wrong), working.wrong
    kept = len(blobs(folder))
    assert kept > 0
    cluster.start_scheduler()
    cluster.start_worker()
    assert solve(LONGER, cluster.connect(1), folder, seconds=seconds) == bid.eval(LONGER)


def test_a_damaged_table_is_named_and_worked_out_anew(pair, tmp_path):
    seconds = small_batches(LONG, tmp_path, 12)
    sweep = Sweep(LONG, tmp_path)
    *first, last = sweep.batches(seconds).batches
    for batch in first:
        sweep.work(batch)
    for blob in blobs(tmp_path):
        blob.write_bytes(blob.read_bytes()[:-1])
    with pytest.raises(bid.Error, match=r"the checkpoint is damaged: table \d+"):
        sweep.work(last)
    with pytest.warns(bid.BidWarning, match=r"the checkpoint is damaged: table \d+"):
        assert solve(LONG, pair.client, tmp_path, seconds=seconds) == bid.eval(LONG)


def test_a_folder_of_other_work_is_refused(pair, tmp_path):
    xxhash = pytest.importorskip("xxhash")
    small_batches(LONG, tmp_path, 4)
    manifest = next(tmp_path.glob("*/manifest"))
    text = manifest.read_bytes()[17:]
    for old, new, message in [(b'"bid ', b'"bid 9.', "was made by bid 9"), (b"sweep of rows", b"sweep of columns", "belongs to other work")]:
        changed = text.replace(old, new, 1)
        manifest.write_bytes(f"{xxhash.xxh3_64_hexdigest(changed)}\n".encode() + changed)
        with pytest.raises(bid.Error, match=message) as wrong:
            solve(LONG, pair.client, tmp_path)
        assert wrong.value.diagnostics[0].code == "E0805" and str(manifest.parent) in str(wrong.value)


def test_a_full_disk_is_named(pair, tmp_path):
    seconds = small_batches(LONG, tmp_path, 8)
    pair.client.run(lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (30, resource.RLIM_INFINITY)))
    try:
        with pytest.raises(bid.Error, match="the checkpoint cannot be written: file too large"):
            solve(LONG, pair.client, tmp_path, seconds=seconds)
    finally:
        pair.client.run(lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY)))
    assert solve(LONG, pair.client, tmp_path, seconds=seconds) == bid.eval(LONG)


def test_a_worker_that_does_not_see_the_folder_says_so(clusters, tmp_path):
    """Each worker sees a folder of its own under the same name."""
    cluster = clusters()
    for name in ["one", "other"]:
        (tmp_path / name).mkdir()
        cluster.start_worker(tmp_path / name)
    cluster.client.wait_for_workers(2, timeout=60)
    (tmp_path / "one" / "tables").mkdir()
    seconds = small_batches(LONG, tmp_path / "own", 24)
    # Where the sweep was cut, the other worker sees nothing, or a folder of its own without the sweep or without a table.
    for _ in range(2):
        with pytest.raises(bid.Error, match="cannot use the folder|there is no folder of this sweep|table .* is missing"):
            solve(LONG, cluster.client, "/proc/self/cwd/tables", seconds=seconds, retries=0)
        (tmp_path / "other" / "tables").mkdir(exist_ok=True)


def test_memory_is_a_resource_if_workers_declare_it(clusters, tmp_path):
    cluster = clusters()
    cluster.start_worker("/", "--resources", "MEMORY=1e9")
    cluster.client.wait_for_workers(1, timeout=60)
    assert solve(LONG, cluster.client, tmp_path / "a", seconds=small_batches(LONG, tmp_path / "a")) == bid.eval(LONG)
    cut = Sweep(LONG, tmp_path / "b", max_memory="40M").batches()
    assert 0 < cut.memory <= 40 << 20


def test_many_questions_need_no_more_than_a_map(pair):
    texts = [f"R(connect(3, 3, {columns}))" for columns in range(1, 5)]
    assert pair.client.gather(pair.client.map(bid.eval, texts)) == [bid.eval(text) for text in texts]
    with pytest.raises(bid.Error, match="E0201"):
        pair.client.submit(bid.eval, "R(ultimtum(5))").result()


def test_a_client_that_is_closed_is_told(tmp_path):
    cluster = Cluster(tmp_path / "cluster", 1)
    working = Working(LONG, cluster.client, tmp_path / "tables")
    wait_for(lambda: blobs(tmp_path / "tables"))
    cluster.close()
    working.ended(120)
    assert working.wrong is None or isinstance(working.wrong, ConnectionError), working.wrong


def test_futures_that_a_closed_client_leaves_are_not_waited_for(tmp_path, monkeypatch):
    cluster = Cluster(tmp_path / "cluster", 1)
    working = Working(LONG, cluster.client, tmp_path / "tables")
    wait_for(lambda: blobs(tmp_path / "tables"))
    # This is how a future is left: its end comes too late for the loop of the client.
    monkeypatch.setattr(cluster.client, "_release_key", lambda key: None)
    cluster.close()
    working.ended(60)
    assert working.answer is not None or isinstance(working.wrong, ConnectionError), working.wrong
