"""What the tests share: a session for each test."""

import pytest

import bid


@pytest.fixture
def s() -> bid.Session:
    return bid.Session("games/classics.bid")
