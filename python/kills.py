"""Answers a question by one process, and by a cluster on this machine whose processes are killed twenty times: workers at random moments, the
client, and the scheduler. `python python/kills.py [QUESTION] [WORKERS] [KILLS]`, after `python/test.sh`."""

import os
import pathlib
import random
import signal
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent / "tests"))

from test_distributed import Cluster, Working, blobs  # noqa: E402

import bid  # noqa: E402
from bid.distributed import Sweep, solve  # noqa: E402

if __name__ == "__main__":
    question, workers, kills = (sys.argv[1:] + ["R(connect(4, 6, 5))", "2", "20"][len(sys.argv) - 1 :])[:3]
    workers, kills = int(workers), int(kills)
    root = pathlib.Path(tempfile.mkdtemp())
    start = time.monotonic()
    expected = bid.eval(question)
    print(f"one process: {expected}, {time.monotonic() - start:.1f} s", flush=True)
    cluster = Cluster(root / "cluster", workers)
    start = time.monotonic()
    found = solve(question, cluster.client, root / "whole")
    alone = time.monotonic() - start
    print(f"{workers} workers of one thread: {found}, {alone:.1f} s", flush=True)
    assert found == expected
    cut = Sweep(question, root / "cut").batches()
    print(f"{len(cut.batches)} batches, the longest of {max(batch.seconds for batch in cut.batches):.1f} s by the plan", flush=True)
    dice, turn = random.Random(), 0
    for kill in range(kills):
        working = Working(question, cluster.client, root / f"turn{turn}", retries=10)
        time.sleep(dice.uniform(1, max(2.0, alone)))
        kind = ["worker", "worker", "worker", "scheduler"][kill % 4]
        if kind == "worker":
            os.kill(dice.choice(cluster.pids()), signal.SIGKILL)
        else:
            cluster.close()
            cluster.processes.clear()
            cluster = Cluster(root / f"cluster{kill}", workers)
        working.ended(3600)
        said = working.answer if working.wrong is None else f"{type(working.wrong).__name__}: {working.wrong}"
        print(f"kill {kill + 1} of a {kind}, {len(blobs(root / f'turn{turn}'))} files left: {said}", flush=True)
        if working.wrong is None:
            assert working.answer == expected
            turn += 1
    assert solve(question, cluster.client, root / f"turn{turn}") == expected
    cluster.close()
    print("done", flush=True)
