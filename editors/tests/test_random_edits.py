"""Random edits of the library, a key at a time: the server says what a server says that sees the text for the first time.

`BID_EDITS` tells how many edits each file gets, `BID_SEED` which ones.
"""

import os
import random

import pytest

from client import Client, place
from conftest import ROOT

EDITS = int(os.environ.get("BID_EDITS", "30"))
SEED = int(os.environ.get("BID_SEED", "16"))

#: What may be typed: characters one by one, and what begins or breaks much.
TYPED = [*'abnxyz(){}[]"|,:;= \n∧≤0123456789.*-^𝔸é', "let x = ", "game g {\n", "/// doc\n", "// ∧", "if ", "graph {\n", " for k in 1..3", "alice 0 -> 1\n"]

#: After so many edits the file is as it was, so that most of it stays readable.
AGAIN = 40


def edit(chance, text):
    """A place, how much goes there, and what comes: something typed, something gone, or a piece copied from elsewhere."""
    start = chance.randrange(len(text) + 1)
    kind = chance.random()
    if kind < 0.6:
        return start, 0, chance.choice(TYPED)
    if kind < 0.85:
        return start, chance.choice([1, 1, 1, 2, 5, 60]), ""
    piece = chance.randrange(len(text) + 1)
    return start, chance.choice([0, 0, 10]), text[piece : piece + chance.randrange(80)]


def library():
    return sorted((ROOT / "games").glob("*.bid"))


@pytest.mark.parametrize("path", library(), ids=lambda path: path.stem)
def test_random_edits(path):
    uri, original = path.as_uri(), path.read_text()
    chance = random.Random(f"{SEED} {path.stem}")
    typing, fresh = Client(), Client()
    text = original
    typing.open(uri, text)
    broken = 0
    for turn in range(EDITS):
        start, gone, typed = edit(chance, text)
        if turn % AGAIN == AGAIN - 1:
            start, gone, typed = 0, len(text), original
        end = min(start + gone, len(text))
        typing.change(uri, [(place(text, start), place(text, end), typed)])
        text = text[:start] + typed + text[end:]
        said = typing.settle(uri)
        wanted = fresh.open(uri, text)
        fresh.forget(uri)
        assert said == wanted, f"edit {turn} of {path.name}, seed {SEED}"
        broken += bool(wanted)
    assert typing.close() == 0 and fresh.close() == 0
    assert 0 < broken or EDITS < 5
