"""The engine against the counted small deals in ``perft/`` (see :mod:`tests.perft_update`)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from shuangkou.rules import reading
from shuangkou.rules.cards import format_ranks, parse_ranks
from shuangkou.rules.deal import PASS, Action, Deal
from shuangkou.rules.variant import load_variant
from tests.brute import SHIPPED
from tests.perft_update import Perft, counted, files, read_file

FILES = files()


SLOW = {"huopin-duel-5", "qianbian-duel-6"}  # large hands with all four wild cards
MARKED = [pytest.param(path, id=path.stem, marks=[pytest.mark.slow] if path.stem in SLOW else []) for path in FILES]


def begin(known: Perft) -> Deal:
    return Deal.start(load_variant(known.variant), [parse_ranks(hand) for hand in known.hands], known.leader)


def moves(deal: Deal, only_canonical: bool) -> Iterator[Action]:
    if deal.over:
        return
    assert deal.to_move is not None
    if deal.table is not None:
        yield PASS
    if only_canonical:
        for play in deal.canonical():
            yield Action.of(play)
    else:
        for counts in reading.plays(deal.catalogue, deal.hands[deal.to_move], deal.table):
            yield Action.parse(format_ranks(counts))


def count(deal: Deal, depth: int, only_canonical: bool) -> int:
    """The number of ways to make ``depth`` moves; every one of them is made."""
    if depth == 0:
        return 1
    return sum(count(deal.apply(move), depth - 1, only_canonical) for move in moves(deal, only_canonical))


def test_there_are_deals_of_every_variant() -> None:
    for name in SHIPPED:
        assert sum(path.name.startswith(f"{name}-") and read_file(path).variant == name for path in FILES) >= 3


@pytest.mark.parametrize("path", MARKED)
def test_all_plays(path: Path) -> None:
    known = read_file(path)
    deal = begin(known)
    assert tuple(count(deal, depth, False) for depth in range(1, len(known.every) + 1)) == known.every


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_canonical_plays(path: Path) -> None:
    known = read_file(path)
    deal = begin(known)
    assert tuple(count(deal, depth, True) for depth in range(1, len(known.canonical) + 1)) == known.canonical


@pytest.mark.slow
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_counts_are_those_of_the_brute_force_reader(path: Path) -> None:
    known = read_file(path)
    assert counted(known, len(known.every)) == known
