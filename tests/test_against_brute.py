"""The engine against the brute-force reader: random sets, hands and tables, for shipped and made-up variants.

The sets are built around combinations: a run of ranks of one width, some of its cards replaced by jokers, now and
then a card too many or too few. Uniformly drawn cards would be nothing at all nearly every time.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, replace
from functools import cache
from random import Random
from typing import Literal

import pytest

from shuangkou.rules import reading as engine
from shuangkou.rules import scoring
from shuangkou.rules.cards import RANKS, format_ranks, parse_ranks
from shuangkou.rules.catalogue import Catalogue
from shuangkou.rules.combination import KINDS, Reading
from shuangkou.rules.deal import PASS, Action, Deal, seat_change
from shuangkou.rules.errors import IllegalPlay
from shuangkou.rules.variant import (
    Bomb,
    BombOrder,
    Chain,
    JokerBombs,
    Run,
    Variant,
    Wild,
    format_variant,
    load_variant,
    parse_variant,
)
from tests import brute
from tests.brute import NATURAL, SHIPPED, BruteVariant, R

# Building sets


def possible(cards: str, most: int) -> str:
    """As many of the cards as two packs hold, at most so many."""
    kept: Counter[str] = Counter()
    for card in cards:
        if kept[card] < (2 if card in "xX" else 8) and kept.total() < most:
            kept[card] += 1
    return brute.in_order(kept.elements())


def combination_cards(rng: Random, most: int) -> str:
    """The cards of something like a combination, of natural cards."""
    width, fewest, longest = rng.choice(
        [(1, 4, 12), (2, 2, 7), (3, 2, 5), (4, 2, 6), (4, 3, 4), (5, 3, 5), (6, 3, 4)] + 2 * [(rng.randint(1, 9), 1, 1)]
    )
    groups = rng.randint(fewest, max(fewest, min(longest, most // width)))
    start = rng.randrange(13)
    if width < 4 and groups > 1 and rng.random() < 0.8:
        start = rng.randrange(max(1, 13 - groups))
    ranks = [NATURAL[(start + step) % 13] for step in range(groups)]
    extra = rng.random() < 0.3 and width >= 4
    return "".join(rank * (width + (rng.randrange(3) if extra else 0)) for rank in ranks)


def some_set(rng: Random, wild_jokers: str, most: int = 27) -> str:
    """A set of cards that is often legal where these jokers are wild."""
    if rng.random() < 0.04:
        return possible("".join(rng.choices("xX", k=rng.randint(1, 4))), most)
    cards = list(combination_cards(rng, most))
    rng.shuffle(cards)
    jokers = [joker for joker in "xxXX" if joker in wild_jokers or rng.random() < 0.05]
    rng.shuffle(jokers)
    del jokers[rng.randrange(5) :]
    wild = len(jokers)
    if rng.random() < 0.85:  # wild cards instead of cards, else besides them
        del cards[: min(wild, len(cards) - 1)]
    noise = rng.random()
    if noise < 0.06:
        cards.append(rng.choice(NATURAL))
    elif noise < 0.12 and len(cards) > 1:
        cards.pop()
    return possible("".join(jokers) + "".join(cards), most)


def some_hand(rng: Random, most: int) -> str:
    """A hand made of pieces of combinations and single cards."""
    cards = rng.sample("xxXX", rng.choice((0, 1, 1, 2, 3, 4)))
    while len(cards) < most:
        piece = combination_cards(rng, most) if rng.random() < 0.7 else rng.choice(NATURAL)
        cards += piece
    return possible("".join(cards), most)


# The two sides


class Pair:
    """A variant on both sides, with a stock of readings to put on the table."""

    def __init__(self, variant: Variant, v: BruteVariant, rng: Random) -> None:
        self.cat: Catalogue = Catalogue.of(variant)
        self.v = v
        sets = [some_set(rng, v.wild) for _ in range(250)]
        sets += [
            "".join(rank * what.width for rank in brute.ranks_of(what))
            for what in brute.every_shape(v)
            if what.top in NATURAL
        ]
        stock = {found for cards in sets if brute.valid_cards(cards) for found in brute.all_readings(v, cards)}
        self.stock: list[R] = sorted(stock)

    def table(self, rng: Random, cards: str) -> R | None:
        """A table that the cards may or may not beat: more often one of the same kind, size or stars."""
        own = brute.all_readings(self.v, cards)
        if own and rng.random() < 0.8:
            one = rng.choice(own)
            if one.stars:
                near = [a for a in self.stock if abs(a.stars - one.stars) <= (rng.random() < 0.3) and a.stars]
            else:
                near = [a for a in self.stock if (a.kind, a.size) == (one.kind, one.size)]
            if near:
                return rng.choice(near)
        return rng.choice(self.stock)

    def reading(self, table: R | None) -> Reading | None:
        if table is None:
            return None
        known = self.cat.find(table.kind, RANKS.index(table.top), table.groups, table.width)
        assert known is not None, table
        return Reading(known, table.size, table.wild)


def tuple_of(found: Reading | None) -> R | None:
    return None if found is None else brute.reading_of(found.as_dict())


@cache
def shipped(name: str) -> Pair:
    return Pair(load_variant(name), SHIPPED[name], Random(f"tables of {name}"))


def compare_set(pair: Pair, rng: Random, cards: str) -> None:
    """``read`` on a lead and on tables, with and without a kind named, and ``readings``."""
    counts = parse_ranks(cards)
    for table in (None, pair.table(rng, cards), pair.table(rng, cards)):
        below = pair.reading(table)
        context = (cards, table)
        expected = brute.read_as(pair.v, cards, table)
        assert tuple_of(engine.read(pair.cat, counts, below)) == expected, context
        best = brute.best_by_kind(pair.v, cards, table)
        assert [found.as_dict() for found in engine.readings(pair.cat, counts, below)] == best, context
        by_kind = {found["kind"]: found for found in best}
        for kind in KINDS:
            named = engine.read(pair.cat, counts, below, kind)
            assert (None if named is None else named.as_dict()) == by_kind.get(kind), (*context, kind)


def compare_canonical(pair: Pair, hand: str, table: R | None) -> None:
    found = engine.canonical(pair.cat, parse_ranks(hand), pair.reading(table))
    expected = brute.canonical(pair.v, hand, table)
    got = [(format_ranks(play.counts), tuple_of(play.reading)) for play in found]
    assert set(got) == expected, (hand, table)
    assert len(got) == len(expected), (hand, table)
    assert len({play.action for play in found}) == len(found), (hand, table)
    for play in found:
        cards = format_ranks(play.counts)
        needs_name = brute.read_as(pair.v, cards, table) != tuple_of(play.reading)
        assert play.kind == (play.reading.kind if needs_name else None), (hand, table, cards)


def compare_hand(pair: Pair, rng: Random, hand: str) -> None:
    """``plays``, ``canonical`` and ``autoplay`` on a lead and on tables."""
    counts = parse_ranks(hand)
    part = brute.in_order(rng.sample(hand, rng.randint(1, len(hand))))
    tables = [None, pair.table(rng, hand), pair.table(rng, part)]
    legal = brute.plays(pair.v, hand)
    tables += [pair.table(rng, rng.choice(legal)) for _ in range(3)]
    for table in tables:
        below = pair.reading(table)
        found = engine.plays(pair.cat, counts, below)
        assert sorted(map(format_ranks, found)) == brute.plays(pair.v, hand, table), (hand, table)
        compare_canonical(pair, hand, table)
        choice = engine.autoplay(pair.cat, counts, below)
        expected = brute.autoplay(pair.v, hand, table)
        assert (None if choice is None else format_ranks(choice.counts)) == expected, (hand, table)
        if choice is not None and expected is not None:
            assert tuple_of(choice.reading) == brute.read_as(pair.v, expected, table), (hand, table)


def compare_order(pair: Pair, rng: Random, number: int) -> None:
    """What beats what, over readings of all kinds."""
    bombs = [a for a in pair.stock if a.stars]
    for _ in range(number):
        a, b = rng.choice(bombs), rng.choice(bombs if rng.random() < 0.9 else pair.stock)
        one, other = pair.reading(a), pair.reading(b)
        assert one is not None
        assert other is not None
        assert pair.cat.beats(one, other) == brute.beats(pair.v, a, b), (a, b)
        assert pair.cat.beats(other, one) == brute.beats(pair.v, b, a), (b, a)
        if b.stars:
            assert (pair.cat.strength(one) > pair.cat.strength(other)) == brute.beats(pair.v, a, b), (a, b)


@pytest.mark.parametrize("name", SHIPPED)
def test_order_of_readings(name: str) -> None:
    compare_order(shipped(name), Random(f"order {name}"), 5000)


@pytest.mark.parametrize("name", SHIPPED)
def test_sets(name: str) -> None:
    rng = Random(f"sets {name}")
    for _ in range(700):
        compare_set(shipped(name), rng, some_set(rng, SHIPPED[name].wild))


@pytest.mark.parametrize("name", SHIPPED)
def test_hands(name: str) -> None:
    rng = Random(f"hands {name}")
    for _ in range(25):
        compare_hand(shipped(name), rng, some_hand(rng, rng.randint(1, 10)))


@pytest.mark.parametrize("name", SHIPPED)
def test_canonical_plays_of_large_hands(name: str) -> None:
    rng = Random(f"large {name}")
    for _ in range(4):
        hand = some_hand(rng, rng.randint(14, 27))
        for cards in (None, some_set(rng, "xX", 6), some_set(rng, "xX", 12)):
            compare_canonical(shipped(name), hand, None if cards is None else shipped(name).table(rng, cards))


@pytest.mark.parametrize("name", ["huopin-duel", "qianbian-duel"])
@pytest.mark.parametrize("cards", ["JJJJQQQQKKKKAAAAxxXX", "JJJJJQQQQKKKKAAAAxxXX", "JJJJJQQQQQKKKKKAAAAAxxXX"])
def test_chains_equal_in_everything_but_their_groups(name: str, cards: str) -> None:
    pair = shipped(name)
    compare_canonical(pair, cards, None)
    assert tuple_of(engine.read(pair.cat, parse_ranks(cards))) == brute.read_as(pair.v, cards, None)


@pytest.mark.slow
@pytest.mark.parametrize("name", SHIPPED)
def test_many_more(name: str) -> None:
    rng = Random(f"more {name}")
    for _ in range(3000):
        compare_set(shipped(name), rng, some_set(rng, SHIPPED[name].wild))
    for _ in range(80):
        compare_hand(shipped(name), rng, some_hand(rng, rng.randint(5, 13)))
    for _ in range(10):
        hand = some_hand(rng, 27)
        compare_canonical(shipped(name), hand, None)


# Deals


def some_deal(rng: Random, players: int) -> list[str]:
    """Small hands of which two packs hold all cards, so that players go out soon and often."""
    pack = list((NATURAL[rng.randrange(9) :] or NATURAL) * 8 + "xxXX")
    rng.shuffle(pack)
    return [brute.in_order(pack.pop() for _ in range(rng.randint(1, 6))) for _ in range(players)]


def some_move(rng: Random, v: BruteVariant, state: brute.State) -> tuple[int, str | None, str | None]:
    """Mostly a legal move, now and then anything."""
    seat = state.turn if rng.random() < 0.9 else rng.randrange(len(state.hands))
    hand = state.hands[state.turn]
    legal = brute.plays(v, hand, state.table) if hand else []
    if rng.random() < 0.1:
        return seat, rng.choice([None, some_set(rng, v.wild, 4), rng.choice(hand or "3")]), None
    if not legal or (state.table is not None and rng.random() < 0.4):
        return seat, None, None
    cards = rng.choice(legal)
    kinds = {found.kind for found in brute.all_readings(v, cards)}
    return seat, cards, rng.choice([None, None, *sorted(kinds)])


def compare_deal(variant: Variant, v: BruteVariant, rng: Random) -> None:
    hands = some_deal(rng, v.players)
    leader = rng.randrange(v.players)
    state = brute.start(hands, leader)
    deal = Deal.start(variant, [parse_ranks(hand) for hand in hands], leader)
    moves: list[tuple[int, str | None, str | None]] = []
    for beyond in range(3):  # a finished deal refuses moves
        while beyond or not brute.is_over(state):
            seat, cards, kind = move = some_move(rng, v, state)
            moves.append(move)
            context = (hands, leader, moves)
            action = PASS if cards is None else Action.parse(cards, kind)
            code = None
            try:
                state = brute.step(v, state, seat, cards, kind)
            except brute.BadMoveError as bad:
                code = bad.code
            if code is not None:
                with pytest.raises(IllegalPlay) as refused:
                    deal.apply(action, seat)
                assert refused.value.code == code, context
            else:
                deal = deal.apply(action, seat)
                assert tuple(map(format_ranks, deal.hands)) == state.hands, context
                assert deal.out == state.out, context
                assert deal.over == brute.is_over(state), context
                if not deal.over:
                    assert deal.to_move == state.turn, context
                    assert tuple_of(deal.table) == state.table, context
                    assert deal.table_seat == (None if state.table is None else state.table_seat), context
            if beyond:
                break
    assert deal.to_move is None
    assert deal.order == tuple(brute.order(state)), moves
    assert deal.result == brute.result(v, state), moves
    assert tuple((seat, bomb.stars) for seat, bomb in deal.bombs()) == state.bombs, moves
    if v.players == 4:
        settled = scoring.deal_settlement(deal)
        multiplier, contribution, points = brute.score(v, state)
        assert settled.multiplier == multiplier, moves
        assert settled.contribution == tuple(contribution), moves
        assert settled.points == settled.amounts == tuple(points), moves


@pytest.mark.parametrize("name", SHIPPED)
def test_deals(name: str) -> None:
    rng = Random(f"deals {name}")
    for _ in range(150):
        compare_deal(load_variant(name), SHIPPED[name], rng)


@pytest.mark.slow
@pytest.mark.parametrize("name", SHIPPED)
def test_more_deals(name: str) -> None:
    rng = Random(f"more deals {name}")
    for _ in range(1500):
        compare_deal(load_variant(name), SHIPPED[name], rng)


def test_seats() -> None:
    for leader in range(4):
        for twin in range(4):
            assert list(seat_change(leader, twin)) == brute.seats(leader, twin)


# Variants that nobody plays


def made_up(rng: Random) -> Variant:
    """A shipped variant with its rules of play drawn at random from what its file may say."""
    jokers: Literal["none", "big", "all"] = rng.choice(("none", "big", "all", "all"))
    mixed_pair: Literal["none", "small", "big"] = "none"
    if jokers == "big":
        mixed_pair = rng.choice(("none", "small"))
    elif jokers == "all":
        mixed_pair = rng.choice(("none", "small", "big"))
    kinds = ["triple_run", "pair_run", "straight"]
    rng.shuffle(kinds)
    least = rng.randint(3, 4)
    most = rng.choice((0, least, 5, 6))
    three_place: Literal["lowest", "highest"] = rng.choice(("lowest", "highest"))
    four_place: Literal["lowest", "highest"] = rng.choice(("lowest", "highest"))
    three = rng.choice((0, rng.randint(4, 9)))
    four = rng.choice((0, rng.randint(4, 12)))
    if three == four and three_place == four_place:
        four += 1
    variant = replace(
        load_variant(rng.choice(tuple(SHIPPED))),
        wild=Wild(jokers, mixed_pair, tuple(kinds)),
        straight=Run(rng.randint(2, 7), rng.randint(7, 12)),
        pair_run=Run(rng.randint(2, 4), rng.randint(4, 12)),
        triple_run=Run(rng.randint(2, 4), rng.randint(4, 9)),
        bomb=Bomb(rng.randint(5, {"none": 8, "big": 10, "all": 12}[jokers])),
        chain=Chain(least, most, most > 0 and rng.random() < 0.5, most > 0 and rng.random() < 0.5),
        joker_bombs=JokerBombs(three, three_place, four, four_place),
        bomb_order=BombOrder(rng.random() < 0.7, rng.random() < 0.5),
    )
    assert parse_variant(format_variant(variant)) == variant
    return variant


def play_of(variant: Variant) -> BruteVariant:
    return brute.from_fields(asdict(variant) | {"points": None, "duel": None})


@pytest.mark.parametrize("seed", range(24))
def test_made_up_variant(seed: int) -> None:
    rng = Random(f"made up {seed}")
    variant = made_up(rng)
    pair = Pair(variant, play_of(variant), rng)
    compare_order(pair, rng, 1000)
    for _ in range(80):
        compare_set(pair, rng, some_set(rng, pair.v.wild))
    for _ in range(4):
        compare_hand(pair, rng, some_hand(rng, rng.randint(4, 9)))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(24, 150))
def test_another_made_up_variant(seed: int) -> None:
    test_made_up_variant(seed)
