"""One large question on a Dask cluster: its sweep is cut into batches, which the workers compute in a folder that all of them see.

Many questions need none of this: `client.map(bid.eval, ["R(connect(3, 3, c))" for c in ...])`.
"""

from __future__ import annotations

import os
import pickle
import threading
import time
import uuid
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import CancelledError
from contextlib import contextmanager, suppress
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from . import _bid
from ._errors import BidWarning, Diagnostic, Error, Stopped
from ._session import Session, _listener

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._manner import Manner

__all__ = ["Batch", "Cut", "Sweep", "solve"]

MEMORY_SHARE = 0.6
"""The part of a worker's memory that a batch may take: Dask pauses a worker that uses more than 0.8."""

MEMORY = "MEMORY"
"""The resource, in bytes, by which Dask gives a batch only to workers that have memory for it, if all workers declare it."""

POLL = 0.02
"""The seconds between two looks at batches that are being computed."""

PATIENCE = 5
"""The seconds to wait for the result of a batch that was computed."""


class Batch(NamedTuple):
    """A part of a sweep: the blocks with these numbers."""

    sweep: str
    blocks: tuple[int, ...]
    after: tuple[int, ...]
    """The batches from which it is computed, by their places in the cut."""
    seconds: float
    """The rough processor time it takes."""
    bytes: int
    """The rough number of bytes that it reads of other batches."""


class Cut(NamedTuple):
    """The batches of a sweep that are missing, and the memory in bytes that a worker needs for one."""

    batches: tuple[Batch, ...]
    memory: int


class _SharingSession(Session):
    """A session that shares the tables of its sweeps with other processes."""

    def __init__(self, folder: str, files: Iterable[str], asked: Manner) -> None:
        self._folder = folder
        super().__init__(*files, **asked)

    def _started(self) -> _bid.Engine:
        try:
            return _bid.Engine(self._folder)
        except OSError as why:
            raise _refused(str(why)) from why


class Sweep:
    """A question whose sweep several processes compute in a folder, batch by batch.

    Each process has a `Sweep` of its own of the same question, which may also come by a pickle. A batch that has been computed is not computed
    again, so the work can be stopped anywhere and goes on from what the folder holds.

    >>> import tempfile
    >>> sweep = Sweep("R(connect(3, 3, 4))", tempfile.mkdtemp())
    >>> while cut := sweep.batches():
    ...     for batch in cut.batches:
    ...         sweep.work(batch)
    >>> sweep.answer()
    Fraction(1, 2)
    """

    def __init__(
        self,
        question: str,
        folder: str | os.PathLike[str],
        names: Mapping[str, Any] | None = None,
        files: Iterable[str] = ("games/classics.bid",),
        **asked: Unpack[Manner],
    ) -> None:
        self.question = question
        self.folder = os.path.abspath(folder)
        self._names = dict(names or {})
        self._files = tuple(files)
        self._asked = asked
        self._session: _SharingSession | None = None

    def batches(self, seconds: float | None = None) -> Cut | None:
        """The missing batches of the first unfinished sweep, in an order in which they can be computed; `None` if no sweep is unfinished.

        They take about `seconds` of processor time each, by default 2 to 30. The folder is made if it does not exist.
        """
        try:
            os.makedirs(self.folder, exist_ok=True)
        except OSError as why:
            raise _refused(f"cannot make the folder {self.folder}: {why.strerror}") from why
        done = self._share("cut", None, seconds)
        if not isinstance(done, tuple):
            return None
        sweep, memory, batches = done
        return Cut(tuple(Batch(sweep, tuple(blocks), tuple(after), *rest) for blocks, after, *rest in batches), memory)

    def work(self, batch: Batch) -> None:
        """Computes a batch, once those before it have been computed; returns at once if the batch itself has been."""
        self._share("work", (batch.sweep, list(batch.blocks)), None)

    def answer(self) -> Any:
        """The value of the question, once no batch is missing."""
        return self._share("answer", None, None)

    def prepare(self) -> None:
        """Plans the sweep, which takes a second or more for a large board: what follows in this process finds the plan."""
        with suppress(Error):  # Batches are missing, or there is no folder yet.
            self.answer()

    def _share(self, kind: str, batch: tuple[str, list[int]] | None, seconds: float | None) -> Any:
        """The result of a share in the work, or the value of the question if nothing is missing."""
        if self._session is None:
            self._session = _SharingSession(self.folder, self._files, self._asked)
        engine = self._session._engine
        engine.share(kind, batch, seconds)
        try:
            value = self._session.eval(self.question, self._names)
        except Stopped:
            done = engine.shared()
            if done is None:
                raise
            return done[0]
        return value if kind == "answer" else None

    def __reduce__(self) -> tuple[Any, tuple[bytes]]:
        return _arrived, (pickle.dumps((self.question, self.folder, self._names, self._files, dict(self._asked))),)


def _refused(message: str) -> Error:
    """The error about a folder that cannot be used."""
    help = "all workers must see the folder under the same name, and be allowed to write to it"
    return Error((Diagnostic("E0805", "error", message, (), (), help, f"[E0805] Error: {message}\n  help: {help}", False),))


_ONE = threading.Lock()
"""Held while a batch is computed: a worker computes one at a time, on all of its threads, so that each has the worker's memory."""


@lru_cache(maxsize=1)
def _arrived(packed: bytes) -> Sweep:
    """The sweep of this process: each batch of it finds the tables that the one before has made."""
    question, folder, names, files, asked = pickle.loads(packed)
    return Sweep(question, folder, names, files, **asked)


def _on_worker(act: str, sweep: Sweep, argument: Any = None, *before: None) -> Any:
    """What a task does."""
    from distributed import get_worker

    with _ONE:
        _bid.set_threads(get_worker().state.nthreads)
        return getattr(sweep, act)(*([] if argument is None else [argument]))


def solve(
    question: str,
    client: Any,
    folder: str | os.PathLike[str],
    *,
    names: Mapping[str, Any] | None = None,
    files: Iterable[str] = ("games/classics.bid",),
    seconds: float | None = None,
    retries: int = 2,
    **asked: Unpack[Manner],
) -> Any:
    """The value of a question whose sweep the workers of a Dask cluster compute, in a folder that all of them see under this name.

    The sweep is cut into batches of about `seconds` of processor time each, by default 2 to 30; packing comes on top of that.
    Computed batches stay in the folder: after an interrupt, or the loss of any process, the same call goes on. A batch may take
    `max_memory`, by default six tenths of what the smallest worker has; if all workers declare the resource MEMORY, only those get batches
    that have as much. A batch that fails is tried again `retries` times. `progress` is called with a stage, how many batches are done and how
    many there are; `True` shows a bar, if tqdm is there.
    """
    told = _listener(asked.pop("progress", None))
    with _loss_told(client, folder):
        workers = _workers(client)
        least = [worker["memory_limit"] for worker in workers.values() if worker["memory_limit"]]
        if asked.get("max_memory") is None and least:
            asked["max_memory"] = int(MEMORY_SHARE * min(least))
        declared = bool(workers) and all(MEMORY in worker["resources"] for worker in workers.values())
        sweep = Sweep(question, folder, names, files, **asked)

        def submit(act: str, *arguments: Any, **how: Any) -> Any:
            key = f"bid-{act}-{uuid.uuid4().hex}"
            return client.submit(_on_worker, act, sweep, *arguments, key=key, pure=False, retries=retries, **how)

        def result(act: str, *arguments: Any) -> Any:
            return next(_results(client, [submit(act, *arguments)]))

        # One worker would else plan alone, and the others again when they get their first batch.
        prepared = [submit("prepare", workers=[address], allow_other_workers=True) for address in workers]
        harmed, before = Counter[str](), None
        while cut := result("batches", seconds):
            if cut == before:
                raise RuntimeError(f"the batches that were computed are not in {sweep.folder}: do all workers see the same folder?")
            before = cut
            try:
                _run(client, cut, submit, {"resources": {MEMORY: cut.memory}} if declared else {}, told)
            except Error as wrong:
                message = wrong.diagnostics[0].message
                harmed[message] += 1  # A table that is damaged again and again is not what can be mended here.
                if harmed[message] > retries or "the checkpoint is damaged" not in message:
                    raise
                before = None
                warnings.warn(BidWarning(str(wrong)), stacklevel=2)
        return result("answer")


@contextmanager
def _loss_told(client: Any, folder: str | os.PathLike[str]) -> Iterator[None]:
    """Tells the loss of the cluster or of the client, for which Dask has errors of many types."""
    try:
        yield
    except Error:
        raise
    except Exception as lost:
        if client.status == "running" and not isinstance(lost, (CancelledError, OSError)):
            raise
        message = (
            f"the cluster was lost ({lost or type(lost).__name__}): the computed batches are in {os.path.abspath(folder)}, "
            "and the same call goes on from there"
        )
        raise ConnectionError(message) from lost


def _run(client: Any, cut: Cut, submit: Any, how: dict[str, Any], told: Any) -> None:
    """Has all batches of a cut computed; none of them goes on when this ends."""
    futures: list[Any] = []
    for place, batch in enumerate(cut.batches):
        before = [futures[number] for number in batch.after]
        futures.append(submit("work", batch, *before, priority=-place, **how))
    try:
        for done, _ in enumerate(_results(client, futures), 1):
            if told is not None:
                told("batches", done, len(futures))
    finally:
        for future in futures:
            future.release()


def _results(client: Any, futures: list[Any]) -> Iterator[Any]:
    """The results of futures, about in the order in which these end.

    A client that another thread closes may leave futures as they are, and Dask's own ways of waiting would wait for them for ever. Its
    callbacks run on a pool of threads, which refuses them with an error each when the process ends before its futures do.
    """
    from distributed import TimeoutError

    while futures:
        pending = []
        for future in futures:
            if not future.done():
                pending.append(future)
                continue
            try:
                result = future.result(timeout=PATIENCE)
            except TimeoutError:
                if future.status == "error":
                    raise
                pending.append(future)  # The worker that had the result was lost, and the batch is computed again.
            else:
                yield result
        if len(pending) == len(futures):
            if client.status in ("closing", "closed"):
                raise CancelledError("the client was closed")
            time.sleep(POLL)
        futures = pending


def _workers(client: Any) -> dict[str, dict[str, Any]]:
    """What the scheduler knows of its workers, by their addresses."""
    try:
        known = client.scheduler_info(n_workers=-1)
    except TypeError:  # Older versions of Dask always tell of all workers.
        known = client.scheduler_info()
    return dict(known["workers"])
