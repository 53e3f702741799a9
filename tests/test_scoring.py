"""Results, points, counted stars, duels, escapes and titles (R5.6, R6, R7)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from functools import cache
from itertools import permutations
from math import prod
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shuangkou.rules.cards import parse_ranks
from shuangkou.rules.deal import Action, Deal, result_by_cards, result_of
from shuangkou.rules.errors import RulesError, SettlementError
from shuangkou.rules.scoring import (
    Line,
    PlayedBomb,
    Settlement,
    TitlesError,
    Unit,
    bomb_contribution,
    contribution_line,
    count_stars,
    counted_stars,
    deal_escape,
    deal_settlement,
    parse_titles,
    settle_duel,
    settle_escape,
    settle_points,
    stake,
    title,
    titles,
)
from shuangkou.rules.variant import Duel, Edition, Repeated, Variant, load_variant
from shuangkou.rules.words import Language

RANKS = "3456789TJQKA2xX"
DUEL_EDITIONS = [("huopin-duel", "points"), ("huopin-duel", "coins"), ("qianbian-duel", "coins")]
FOUR = ["huopin", "classic", "baibian"]
UNITS: tuple[Unit, ...] = get_args(Unit)
LANGUAGES: tuple[Language, ...] = get_args(Language)


def bomb(text: str) -> PlayedBomb:
    """``7x5``: five sevens; ``chain:7:4:7``: top, width, stars; ``jokers:3:6``."""
    match text.split(":"):
        case ["jokers", width, stars]:
            return PlayedBomb("jokers", 14, int(width), int(stars))
        case ["chain", top, width, stars]:
            return PlayedBomb("chain", RANKS.index(top), int(width), int(stars))
    rank, width = text.split("x")
    return PlayedBomb("bomb", RANKS.index(rank), int(width), int(width))


def bombs(text: str) -> list[PlayedBomb]:
    return [bomb(word) for word in text.split()]


@cache
def variant(id: str) -> Variant:
    return load_variant(id)


def duel(id: str) -> Duel:
    found = variant(id).duel
    assert found is not None
    return found


def edition(id: str, edition_id: str) -> Edition:
    return next(edition for edition in duel(id).editions if edition.id == edition_id)


def check(settlement: Settlement) -> None:
    """What holds for every settlement: it adds up, line by line and in all."""
    seats = len(settlement.amounts)
    assert settlement.lines
    for line in settlement.lines:
        assert sum(line.amounts) + line.house == 0
        times = prod(factor.value for factor in line.factors)
        if any(factor.code == "percent" for factor in line.factors):
            assert line.amounts == tuple(count * times // 100 for count in line.counts)
        else:
            assert line.amounts == tuple(count * times for count in line.counts)
        assert line.unit == settlement.unit
    assert settlement.amounts == tuple(sum(line.amounts[seat] for line in settlement.lines) for seat in range(seats))
    assert settlement.house == sum(line.house for line in settlement.lines)
    assert sum(settlement.amounts) + settlement.house == 0
    assert sum(settlement.contribution) == 0


# R5.6


@pytest.mark.parametrize(
    ("order", "result"),
    [([0, 2, 1, 3], "double"), ([3, 1, 0, 2], "double"), ([0, 1, 2, 3], "single"), ([2, 1, 3, 0], "level")],
)
def test_result_of_four_players(order: list[int], result: str) -> None:
    """R5.6: first and second on one side double, first and third single, first and fourth level."""
    assert result_of(order) == result


def test_results_of_all_orders() -> None:
    """R5.6: each result for a third of all orders."""
    results = [result_of(order) for order in permutations(range(4))]
    assert {result: results.count(result) for result in results} == {"double": 8, "single": 8, "level": 8}


@pytest.mark.parametrize(
    ("left", "result"),
    [(1, "level"), (6, "level"), (7, "single"), (11, "single"), (12, "double"), (27, "double")],
)
def test_result_by_cards(left: int, result: str) -> None:
    """R5.6, two players: 1-6 level, 7-11 single, 12 or more double."""
    assert result_by_cards(duel("huopin-duel").results, left) == result


# R6


@pytest.mark.parametrize(
    ("id", "plays_for", "order", "points"),
    [
        ("huopin", "points", [0, 2, 1, 3], (4, -4, 4, -4)),
        ("huopin", "points", [1, 0, 3, 2], (-2, 2, -2, 2)),
        ("huopin", "points", [1, 0, 2, 3], (0, 1, 0, 1)),
        ("huopin", "coins", [1, 0, 2, 3], (-1, 1, -1, 1)),
        ("huopin", "silver", [1, 0, 2, 3], (-1, 1, -1, 1)),
        ("baibian", "points", [1, 0, 2, 3], (0, 1, 0, 1)),
        ("classic", "points", [0, 2, 1, 3], (2, -2, 2, -2)),
        ("classic", "points", [1, 0, 3, 2], (-1, 1, -1, 1)),
        ("classic", "coins", [1, 0, 2, 3], (0, 0, 0, 0)),
    ],
)
def test_base(id: str, plays_for: Unit, order: list[int], points: tuple[int, ...]) -> None:
    """R6.1: base points by place, another row in rooms for coins and silver."""
    settlement = settle_points(variant(id), order, [], plays_for)
    assert settlement.points == points
    assert settlement.multiplier == 1
    check(settlement)


@pytest.mark.parametrize(
    ("played", "multiplier"),
    [
        ([(0, "7x4")], 1),
        ([(0, "7x5")], 2),
        ([(2, "7x5")], 2),
        ([(0, "7x5"), (2, "8x6")], 4),
        ([(0, "chain:7:4:7"), (2, "8x6")], 8),
        ([(0, "7x8")], 16),
        ([(0, "chain:8:4:10")], 16),
        ([(1, "7x8"), (3, "8x7")], 1),
        ([(1, "7x8"), (0, "jokers:3:6")], 4),
    ],
)
def test_doubling(played: list[tuple[int, str]], multiplier: int) -> None:
    """R6.2: by the best bomb of the first finisher's side, once, however many there are."""
    settlement = settle_points(variant("huopin"), [0, 1, 2, 3], [(seat, bomb(text)) for seat, text in played])
    assert settlement.multiplier == multiplier
    assert settlement.lines[0].amounts == (2 * multiplier, -2 * multiplier, 2 * multiplier, -2 * multiplier)
    check(settlement)


@pytest.mark.parametrize(("stars", "each"), [(4, 0), (5, 0), (6, 2), (7, 4), (8, 6), (9, 6), (12, 6)])
def test_contribution(stars: int, each: int) -> None:
    """R6.3: +6 / -2, +12 / -4, +18 / -6, the partner too, and never doubled."""
    played = PlayedBomb("bomb", 4, stars, stars)
    settlement = settle_points(variant("huopin"), [3, 1, 0, 2], [(1, played)])
    assert settlement.contribution == (-each, 3 * each, -each, -each)
    assert settlement.amounts[0] == -4 * settlement.lines[0].factors[0].value - each if stars > 4 else -4
    assert bomb_contribution(variant("huopin"), played) == each
    line = contribution_line(variant("huopin"), 1, played)
    assert (line is None) == (each == 0)
    if line is not None:
        assert line in settlement.lines
    check(settlement)


def test_every_bomb_contributes() -> None:
    """R6.3: each bomb counts, by whoever played it; R6.4: points = base x doubling + contributions."""
    played = [(0, bomb("7x6")), (1, bomb("chain:8:4:7")), (0, bomb("9x8")), (3, bomb("jokers:3:6"))]
    settlement = settle_points(variant("huopin"), [1, 0, 3, 2], played)
    assert settlement.contribution == (6 - 4 + 18 - 2, -2 + 12 - 6 - 2, -2 - 4 - 6 - 2, -2 - 4 - 6 + 6)
    assert settlement.multiplier == 8
    assert settlement.points == (-16 + 18, 16 + 2, -16 - 14, 16 - 6)
    assert settlement.amounts == settlement.points
    check(settlement)


def test_classic_knows_neither_doubling_nor_contribution() -> None:
    """R6.2, R6.3: a fixed multiplier, which the variant sets."""
    classic = variant("classic")
    played = [(0, bomb("7x8")), (1, bomb("jokers:4:9"))]
    assert settle_points(classic, [0, 2, 1, 3], played).amounts == (2, -2, 2, -2)
    assert classic.points is not None
    settlement = settle_points(replace(classic, points=replace(classic.points, multiplier=5)), [0, 2, 1, 3], played)
    assert settlement.amounts == (10, -10, 10, -10)
    assert settlement.multiplier == 5
    check(settlement)


def test_fixed_multiplier_and_doubling_multiply() -> None:
    """R6.2: where a variant has both, the base is multiplied by both."""
    huopin = variant("huopin")
    assert huopin.points is not None
    settlement = settle_points(
        replace(huopin, points=replace(huopin.points, multiplier=3)), [0, 2, 1, 3], [(0, bomb("7x6"))]
    )
    assert settlement.multiplier == 12
    assert settlement.points == (48 + 6, -48 - 2, 48 - 2, -48 - 2)
    check(settlement)


def test_coins() -> None:
    """R6.5: points x N - A; X = 4, N = 500, A = 50 is +1950 / -2050."""
    settlement = settle_points(variant("huopin"), [0, 2, 1, 3], [], "coins")
    assert settlement.amounts == (1950, -2050, 1950, -2050)
    assert settlement.house == 200
    assert settlement.unit == "coins"
    check(settlement)


def test_coins_of_a_room() -> None:
    """R6.5: the room's coefficient and fee replace the variant's; contributions are multiplied by the first too."""
    settlement = settle_points(variant("huopin"), [0, 2, 1, 3], [(1, bomb("7x6"))], "coins", coefficient=10, fee=7)
    assert settlement.amounts == (40 - 20 - 7, -40 + 60 - 7, 40 - 20 - 7, -40 - 20 - 7)
    assert settlement.house == 28
    check(settlement)
    line = contribution_line(variant("huopin"), 1, bomb("7x6"), "coins", coefficient=10)
    assert line is not None
    assert line.amounts == (-20, 60, -20, -20)


@pytest.mark.parametrize(("stars", "pays"), [(4, 400), (5, 800), (6, 1600), (7, 3200), (8, 6400), (9, 6400)])
def test_silver(stars: int, pays: int) -> None:
    """R6.7: a double pays 400 silver and 800 / 1600 / 3200 / 6400 with 5 / 6 / 7 / 8+ stars; no contribution."""
    played = [(0, PlayedBomb("bomb", 4, stars, stars)), (1, bomb("9x8"))]
    settlement = settle_points(variant("huopin"), [0, 2, 1, 3], played, "silver")
    assert settlement.amounts == (pays, -pays, pays, -pays)
    assert settlement.contribution == (0, 0, 0, 0)
    assert contribution_line(variant("huopin"), 1, bomb("9x8"), "silver") is None
    check(settlement)


def test_silver_with_contribution() -> None:
    """R6.7: the room may switch contribution on."""
    settlement = settle_points(variant("huopin"), [0, 2, 1, 3], [(1, bomb("9x8"))], "silver", contribution=True)
    assert settlement.amounts == (400 - 600, -400 + 1800, 400 - 600, -400 - 600)
    check(settlement)


# R7.1-R7.5


@pytest.mark.parametrize(
    ("edition_id", "balances", "level", "pays"),
    [
        ("points", [0, 10**9], 0, 5),
        ("points", [49, 50], 0, 5),
        ("points", [50, 50], 1, 5),
        ("points", [99, 262000], 1, 5),
        ("points", [262000, 262000], 13, 500),
        ("points", [261999, 262000], 12, 400),
        ("points", [10**15, 2000000], 16, 800),
        ("coins", [100, 50000000], 1, 5),
        ("coins", [999, 1000], 1, 5),
        ("coins", [1000, 1000], 2, 10),
        ("coins", [10**12, 10**12], 11, 4000),
    ],
)
def test_stake(edition_id: str, balances: list[int], level: int, pays: int) -> None:
    """R7.1: by the lowest level among the players."""
    found = stake(edition("huopin-duel", edition_id), balances)
    assert (found.level, found.stake) == (level, pays)
    assert found == stake(edition("huopin-duel", edition_id), balances[::-1])


def test_stakes_as_printed() -> None:
    """R7.1: both tables of stakes, level by level."""
    points = [5, 5, 10, 20, 40, 60, 80, 100, 150, 200, 260, 300, 400, 500, 600, 700, 800]
    coins = [5, 10, 100, 500, 1000, 1500, 2000, 2500, 3000, 3500, 4000]
    assert [level.stake for level in edition("huopin-duel", "points").levels] == points
    assert [level.stake for level in edition("huopin-duel", "coins").levels] == coins
    assert edition("qianbian-duel", "coins").levels == edition("huopin-duel", "coins").levels


@pytest.mark.parametrize("balances", [[99, 5000], [5000, 0], [100, -1]])
def test_no_seat_under_the_first_level(balances: list[int]) -> None:
    """R7.1: under 100 coins nobody is seated."""
    with pytest.raises(SettlementError) as refused:
        settle_duel(variant("huopin-duel"), "coins", balances, 0, 3, [[], []])
    assert refused.value.code == "balance_too_low"


@pytest.mark.parametrize(
    ("id", "edition_id", "stars", "doubling"),
    [
        *(("huopin-duel", "points", stars, 2 ** max(0, stars - 4)) for stars in range(4, 13)),
        *(("huopin-duel", "coins", stars, 2 ** max(0, stars - 5)) for stars in range(4, 13)),
        *(("qianbian-duel", "coins", stars, 2 ** max(0, stars - 4)) for stars in range(4, 13)),
    ],
)
def test_duel_factors(id: str, edition_id: str, stars: int, doubling: int) -> None:
    """R7.2-R7.5: X x a x b + X x (c of the winner - c of the loser), by every number of stars."""
    x = 10
    contribution = 2 ** (stars - 5) if stars >= 6 else 0
    mine = [PlayedBomb("bomb", 4, stars, stars)]
    balances = [150, 10**9] if edition_id == "points" else [10**9, 1500]
    for left, factor in ((6, 1), (7, 2), (12, 4)):
        won = settle_duel(variant(id), edition_id, balances, 0, left, [mine, []])
        assert won.amounts == (x * factor * doubling + x * contribution, -x * factor * doubling - x * contribution)
        lost = settle_duel(variant(id), edition_id, balances, 1, left, [mine, []])
        assert lost.amounts == (-x * factor + x * contribution, x * factor - x * contribution)
        both = settle_duel(variant(id), edition_id, balances, 1, left, [mine, mine])
        assert both.amounts == (-x * factor * doubling, x * factor * doubling)
        assert both.stars == (stars, stars)
        for settlement in (won, lost, both):
            assert settlement.house == 0
            assert settlement.stake is not None
            assert settlement.stake.stake == x
            check(settlement)


def test_only_the_best_bomb_counts_in_a_duel() -> None:
    """R7.4: the largest contribution counts, not each."""
    one = settle_duel(variant("qianbian-duel"), "coins", [100, 100], 0, 6, [bombs("7x8"), []])
    many = settle_duel(
        variant("qianbian-duel"), "coins", [100, 100], 0, 6, [bombs("7x8 chain:9:4:8 8x6 jokers:3:6"), []]
    )
    assert many.amounts == one.amounts
    assert one.contribution == (40, -40)


def each_bomb(id: str) -> Variant:
    """A variant where every bomb earns its own c."""
    return replace(variant(id), duel=replace(duel(id), contribution_counts="each"))


def test_each_bomb_may_count_in_a_duel() -> None:
    """R7.4: c is then the sum over the bombs by their own stars; R7.7 and R7.8 only feed the doubling."""
    mine, theirs = bombs("7x5 8x5 8x7 chain:9:4:7 jokers:3:6"), bombs("3x6 5x4")
    settlement = settle_duel(each_bomb("huopin-duel"), "coins", [1500, 1500], 0, 6, [mine, theirs])
    assert settlement.stars == (7, 6)
    assert settlement.contribution == (10 * (4 + 4 + 2 - 2), -10 * (4 + 4 + 2 - 2))
    assert settlement.amounts == (10 * 4 + 80, -10 * 4 - 80)
    assert [(line.code, line.seat, line.amounts[0]) for line in settlement.lines] == [
        ("result", None, 40),
        ("contribution", 0, 40),
        ("contribution", 0, 40),
        ("contribution", 0, 20),
        ("contribution", 1, -20),
    ]
    assert settlement.texts("zh", ["甲", "乙"])[3:] == (
        "对局分 10 × 甲 贡献 2 (六星王炸) = 甲 +20，乙 -20",
        "对局分 10 × 乙 贡献 2 (六星炸弹) = 甲 -20，乙 +20",
    )
    assert settlement.texts("en", seat=1)[1:3] == (
        "Stake 10 × seat 1 contribution 4 (7-star bomb) = -40",
        "Stake 10 × seat 1 contribution 4 (7-star chain bomb) = -40",
    )
    check(settlement)
    step = settle_duel(each_bomb("huopin-duel"), "coins", [1500, 1500], 0, 6, [bombs("7x5 8x5"), []])
    assert step.amounts == (10 * 2, -10 * 2)  # b by six stars, c by five


def test_each_bomb_may_count_in_an_escape() -> None:
    """R7.9 with R7.4: the opponent's c is the sum over the bombs; a lost double is one with that c."""
    both = [bombs("9x8"), bombs("8x7 9x6 4x5 3x4")]
    settlement = settle_escape(each_bomb("huopin-duel"), "coins", [1500, 1500], 0, True, both)
    assert settlement.amounts[0] == -10 * (12 + 4 + 2 + 4)
    assert [(line.code, line.house) for line in settlement.lines[:4]] == [
        ("escape", 120),
        ("escape_contribution", 40),
        ("escape_contribution", 20),
        ("escape_doubling", 40),
    ]
    check(settlement)
    of = each_bomb("qianbian-duel")
    dear = settle_escape(of, "coins", [1500, 1500], 0, False, both, at_least_lost_double=True)
    assert dear.amounts[0] == settle_duel(of, "coins", [1500, 1500], 1, 27, [[], both[1]]).amounts[0]
    assert dear.amounts[0] == -10 * (4 * 8 + 4 + 2)
    check(dear)


# R7.6-R7.8


@pytest.mark.parametrize(
    ("played", "stars", "why"),
    [
        ("", 0, "none"),
        ("7x4", 4, "best"),
        ("7x4 8x4", 5, "in_step"),
        ("8x4 7x4", 5, "in_step"),
        ("7x4 9x4", 4, "best"),
        ("7x4 8x5", 5, "best"),
        ("7x4 7x4", 4, "best"),
        ("Kx6 Ax6", 7, "in_step"),
        ("Ax4 2x4", 4, "best"),
        ("2x4 3x4", 4, "best"),
        ("7x4 8x4 9x4", 5, "in_step"),
        ("7x4 9x4 Jx4", 5, "repeated"),
        ("7x4 8x4 9x4 Jx4", 6, "repeated"),
        ("7x4 7x4 9x4 Jx4 Kx4", 7, "repeated"),
        ("3x4 5x4 7x4 9x4 Jx4 Kx4", 8, "repeated"),
        ("3x4 5x4 7x4 9x4 Jx4 Kx4 2x4", 8, "repeated"),
        ("7x5 9x5", 6, "repeated"),
        ("7x5 8x5", 6, "in_step"),
        ("7x5 9x5 Jx5", 6, "repeated"),
        ("7x6 9x6", 6, "best"),
        ("7x5 8x5 9x6", 6, "best"),
        ("7x5 8x5 9x6 Tx6", 7, "in_step"),
        ("chain:7:4:7 chain:8:4:7", 7, "best"),
        ("chain:7:4:7 7x4 8x4", 7, "best"),
        ("jokers:4:7 jokers:3:6", 7, "best"),
        ("7x12 8x12", 13, "in_step"),
    ],
)
def test_counted_stars(played: str, stars: int, why: str) -> None:
    """R7.6-R7.8: the best bomb, two in step, or repeated ones; chains and joker bombs take part in neither."""
    counted = count_stars(duel("huopin-duel"), bombs(played), circle=False)
    assert (counted.stars, counted.why) == (stars, why)
    assert counted_stars(duel("huopin-duel"), bombs(played), circle=False) == stars


def test_step_and_repetition_do_not_feed_each_other() -> None:
    """R7.6: two steps of width 4 are no two bombs of 5, and 3 bombs of 4 are no bomb of 5 in step with another."""
    of = duel("huopin-duel")
    assert counted_stars(of, bombs("5x4 6x4 9x4"), circle=False) == 5
    assert counted_stars(of, bombs("3x4 4x4 8x4 6x5"), circle=False) == 5
    assert counted_stars(of, bombs("3x4 5x4 7x4 8x5"), circle=False) == 5


@pytest.mark.parametrize(("played", "stars"), [("Ax4 2x4", 5), ("2x4 3x4", 5), ("2x7 3x7", 8), ("Ax4 3x4", 4)])
def test_bombs_in_step_around_the_circle(played: str, stars: int) -> None:
    """R7.7: with chains in a circle also A-2 and 2-3."""
    of = replace(duel("qianbian-duel"), bombs_in_step=True)
    assert counted_stars(of, bombs(played), circle=True) == stars
    assert counted_stars(of, bombs(played)[::-1], circle=True) == stars


def test_circle_is_that_of_the_chains() -> None:
    """R7.7: the settlement asks the variant whether its chains run in a circle."""
    circle = variant("qianbian-duel")
    of = replace(duel("qianbian-duel"), bombs_in_step=True)
    settlement = settle_duel(replace(circle, duel=of), "coins", [100, 100], 0, 6, [bombs("Ax5 2x5"), []])
    assert settlement.stars == (6, 0)
    straight = replace(circle, duel=of, chain=replace(circle.chain, circle=False))
    assert settle_duel(straight, "coins", [100, 100], 0, 6, [bombs("Ax5 2x5"), []]).stars == (5, 0)


def test_switches_of_counted_stars() -> None:
    """R7.7, R7.8: each has its switch; both are off in `qianbian-duel`."""
    played = bombs("7x4 8x4 Jx4 Kx4")
    on = duel("huopin-duel")
    assert counted_stars(on, played, circle=False) == 6
    assert counted_stars(replace(on, repeated_bombs=False), played, circle=False) == 5
    assert counted_stars(replace(on, bombs_in_step=False), played, circle=False) == 6
    assert counted_stars(replace(on, bombs_in_step=False, repeated_bombs=False), played, circle=False) == 4
    assert counted_stars(duel("qianbian-duel"), played, circle=True) == 4


@pytest.mark.parametrize(("more", "stars"), [(1, 6), (2, 7), (8, 13)])
def test_how_many_stars_a_step_is_worth(more: int, stars: int) -> None:
    """R7.7: one more than the width, unless the variant says otherwise."""
    counted = count_stars(replace(duel("huopin-duel"), step_stars=more), bombs("7x5 8x5 9x5 Kx6"), circle=False)
    assert counted.stars == stars
    assert counted.why == ("best" if more == 1 else "in_step")


@pytest.mark.parametrize(
    ("played", "all_of_them", "alone"),
    [
        ("7x4 9x4 Jx4", 5, 5),
        ("7x4 8x4 Jx4", 5, 4),
        ("7x4 8x4 Jx4 Kx4 3x4", 7, 5),
        ("7x4 8x5 Jx4 Kx4 3x4", 6, 6),  # another width is no neighbour
        ("7x4 7x4 9x4 Jx4", 6, 6),  # nor is the same rank
        ("7x4 7x4 8x4 9x4 Jx4", 7, 4),
        ("3x4 5x4 7x4 8x4 9x4 Jx4", 8, 5),
        ("Ax4 2x4 3x4 5x4", 6, 6),  # 2 has no neighbours
        ("7x5 9x5", 6, 6),
        ("7x5 8x5", 6, 5),
        ("7x4 9x4 Jx4 Kx4 3x4 5x4 chain:8:4:7", 8, 8),
    ],
)
def test_whether_neighbours_count_as_repeated(played: str, all_of_them: int, alone: int) -> None:
    """R7.8: they do, unless the variant says that only bombs in step with no other of their width do."""
    of = replace(duel("huopin-duel"), bombs_in_step=False)
    without = replace(of, repeated_neighbours=False)
    for together in (bombs(played), bombs(played)[::-1]):
        assert counted_stars(of, together, circle=False) == all_of_them
        assert counted_stars(without, together, circle=False) == alone
        both = counted_stars(replace(without, bombs_in_step=True), together, circle=False)
        step = counted_stars(replace(of, bombs_in_step=True, repeated_bombs=False), together, circle=False)
        assert both == max(alone, step)


def test_neighbours_around_the_circle() -> None:
    """R7.8 with R7.7: with chains in a circle A, 2 and 3 are neighbours, whether or not bombs in step count more."""
    of = replace(duel("qianbian-duel"), repeated_bombs=True, repeated=duel("huopin-duel").repeated)
    played = bombs("Ax4 2x4 3x4 6x4 8x4 Tx4")
    assert counted_stars(of, played, circle=True) == 8
    alone = count_stars(replace(of, repeated_neighbours=False), played, circle=True)
    assert (alone.stars, alone.bombs) == (5, tuple(bombs("6x4 8x4 Tx4")))
    assert counted_stars(replace(of, repeated_neighbours=False), played, circle=False) == 8


def test_repeated_table_in_any_order() -> None:
    """R7.8: the table is read by its numbers, not by the order of its lines."""
    of = duel("huopin-duel")
    turned = replace(of, repeated=of.repeated[::-1])
    assert counted_stars(turned, bombs("3x4 5x4 7x4 9x4"), circle=False) == 6
    assert counted_stars(replace(of, repeated=(Repeated(6, 2, 9),)), bombs("3x6 5x6"), circle=False) == 9


# R7.9


def test_escape_as_printed() -> None:
    """R7.9: X=1000, coin edition, the fugitive played a 6, the opponent a 7: -20000, +14000, house 6000."""
    balances = [500000, 10**6]
    settlement = settle_escape(variant("huopin-duel"), "coins", balances, 0, True, [bombs("7x6"), bombs("8x7")])
    assert settlement.amounts == (-20000, 14000)
    assert settlement.house == 6000
    assert settlement.result is None
    assert settlement.stars == (0, 7)
    assert [(line.code, line.house) for line in settlement.lines] == [
        ("escape", 12000),
        ("escape_contribution", 4000),
        ("escape_doubling", 4000),
        ("escape_share", -14000),
    ]
    check(settlement)


@pytest.mark.parametrize(
    ("id", "edition_id", "had_played", "theirs", "factor"),
    [
        ("huopin-duel", "coins", False, "8x7", 12),
        ("huopin-duel", "coins", True, "", 12),
        ("huopin-duel", "coins", True, "8x5", 12),
        ("huopin-duel", "coins", True, "8x6", 12 + 2 + 2),
        ("huopin-duel", "points", False, "8x5", 12 + 2 * 2),
        ("huopin-duel", "points", False, "8x7", 12 + 4 + 2 * 8),
        ("huopin-duel", "points", True, "8x7", 12 + 4 + 2 * 8),
        ("qianbian-duel", "coins", True, "8x5", 12 + 2),
        ("qianbian-duel", "coins", True, "8x7", 12 + 4 + 8),
        ("qianbian-duel", "coins", False, "8x7", 12),
    ],
)
def test_escape(id: str, edition_id: str, had_played: bool, theirs: str, factor: int) -> None:
    """R7.9, R7.10: 12, the opponent's c and the opponent's b where it is above 1."""
    x = 10
    balances = [10**4, 1500] if edition_id == "coins" else [10**4, 150]
    settlement = settle_escape(variant(id), edition_id, balances, 1, had_played, [bombs(theirs), bombs("9x8")])
    assert settlement.amounts == (x * factor * 70 // 100, -x * factor)
    check(settlement)


def test_escape_share_is_rounded_down() -> None:
    """R7.9: the opponent gets 70 % rounded down, the house the rest."""
    huopin = variant("huopin-duel")
    of = edition("huopin-duel", "coins")
    odd = replace(of, levels=(replace(of.levels[0], stake=1),))
    settlement = settle_escape(
        replace(huopin, duel=replace(duel("huopin-duel"), editions=(odd,))), "coins", [100, 100], 0, False, [[], []]
    )
    assert settlement.amounts == (-12, 8)
    assert settlement.house == 4
    check(settlement)


def test_escape_never_less_than_a_lost_double() -> None:
    """R7.9: a room field, off; the fugitive's own bombs count for nothing."""
    theirs = bombs("8x9")
    args: tuple[Any, ...] = (variant("huopin-duel"), "coins", [100, 100], 0, False, [bombs("7x8"), theirs])
    assert settle_escape(*args).amounts[0] == -60
    settlement = settle_escape(*args, at_least_lost_double=True)
    lost = settle_duel(variant("huopin-duel"), "coins", [100, 100], 1, 27, [[], theirs])
    assert settlement.amounts == (lost.amounts[0], -lost.amounts[0] * 70 // 100)
    check(settlement)
    dear = settle_escape(variant("huopin-duel"), "coins", [100, 100], 0, False, [[], []], at_least_lost_double=True)
    assert dear.amounts[0] == -60
    assert "escape_minimum" not in [line.code for line in dear.lines]


# Whole deals


def deal(id: str, hands: str, leader: int, moves: str) -> Deal:
    """A deal from given hands, played as far as the moves say; ``-`` is a pass."""
    played = Deal.start(variant(id), [parse_ranks(hand) for hand in hands.split()], leader)
    for move in moves.split():
        played = played.apply(Action.parse(move))
    return played


def test_deal_settlement_of_four_players() -> None:
    """A finished deal is settled by its order and its bombs, by seat."""
    over = deal("huopin", "4 777777 34567 88888", 1, "777777 - - - 88888")
    assert over.order == (1, 3, 0, 2)
    assert deal_settlement(over).amounts == (-16 - 2, 16 + 6, -16 - 2, 16 - 2)
    assert deal_settlement(over).texts("zh", "甲乙丙丁", seat=1) == (
        "双扣 4 × 翻倍 4 (六星炸弹) = +16",
        "乙 贡献 (六星炸弹) = +6",
    )
    assert deal_settlement(over, "coins", coefficient=1, fee=2).amounts == (-20, 20, -20, 12)
    assert deal_settlement(over, "silver").amounts == (-1600, 1600, -1600, 1600)


def test_deal_settlement_of_two_players() -> None:
    """A duel is settled by the balances at its start and the cards left in the loser's hand."""
    over = deal("huopin-duel", "33445566 777777", 1, "777777")
    settlement = deal_settlement(over, "coins", balances=[1000, 1000])
    assert settlement.result == "single"
    assert settlement.amounts == (-60, 60)
    assert settlement.unit == "coins"
    assert deal_settlement(over, "silver", "coins", [1000, 1000]).unit == "silver"
    assert deal_settlement(over, "points", None, [100, 100]).amounts == (-10 * 2 * 4 - 20, 100)


def test_deal_escape() -> None:
    """R7.9: whether the fugitive had played is read off the moves; a pass is no play."""
    running = deal("huopin-duel", "3444444445 77777779", 1, "7777777 -")
    assert deal_escape(running, 0, "coins", balances=[1000, 1000]).amounts == (-120, 84)
    assert deal_escape(running, 0, "coins", None, [1000, 1000], at_least_lost_double=True).amounts == (-200, 140)
    played = deal("huopin-duel", "3444444445 77777779", 1, "7777777 44444444")
    assert deal_escape(played, 0, "coins", balances=[1000, 1000]).amounts == (-200, 140)


CASES = Path(__file__).parent / "cases"


def cases(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (CASES / name).read_text(encoding="utf-8").splitlines()]


def test_settle_cases() -> None:
    """R5.6, R6.6, R7: duels, escapes and titles as the independent reader of the rule book has them."""
    seen = 0
    for case in cases("settle.jsonl"):
        ask, want = case["ask"], case["want"]
        seen += 1
        if ask["op"] == "title":
            assert title(ask["points"]).name.zh == want["title"]
            continue
        of, both = variant(ask["variant"]), [[judged(b) for b in each] for each in ask["bombs"]]
        if ask["op"] == "settle":
            found = settle_duel(of, ask["edition"], ask["balances"], ask["winner"], ask["left"], both)
            assert found.stake is not None
            got = {"stake": found.stake.stake, "result": found.result, "stars": list(found.stars)}
        else:
            found = settle_escape(of, ask["edition"], ask["balances"], ask["fugitive"], ask["had_played"], both)
            got = {"house": found.house}
        assert {**got, "amounts": list(found.amounts)} == want, ask
        check(found)
    assert seen > 100


def judged(values: list[Any]) -> PlayedBomb:
    kind, top, width, stars = values
    return PlayedBomb(kind, RANKS.index(top), width, stars)


def test_deal_cases() -> None:
    """R5.6, R6: whole deals as the independent reader of the rule book has them."""
    seen = 0
    for case in cases("deal.jsonl"):
        ask, want = case["ask"], case["want"]
        if "order" not in want:
            continue
        played = Deal.start(variant(ask["variant"]), [parse_ranks(hand) for hand in ask["hands"]], ask["leader"])
        for _, cards, *kind in ask["moves"]:
            played = played.apply(Action.parse(cards or "pass", *kind))
        if played.variant.points is not None:
            found = deal_settlement(played)
            assert found.multiplier == want["multiplier"]
            assert list(found.contribution) == want["contribution"]
            assert list(found.points) == list(found.amounts) == want["points"]
            seen += 1
        else:
            found = deal_settlement(played, "coins", balances=[10**6, 10**6])
        assert found.result == want["result"] == played.result
        check(found)
    assert seen > 20


# Refusals

HUOPIN, DUEL = "huopin", "huopin-duel"


@pytest.mark.parametrize(
    ("code", "call"),
    [
        ("bad_order", lambda: result_of([0, 1, 2])),
        ("bad_order", lambda: settle_points(variant(HUOPIN), [0, 1, 1, 3], [])),
        ("bad_left", lambda: result_by_cards(duel(DUEL).results, 0)),
        ("bad_left", lambda: settle_duel(variant(DUEL), "coins", [100, 100], 0, 28, [[], []])),
        ("bad_seat", lambda: settle_points(variant(HUOPIN), [0, 1, 2, 3], [(4, bomb("7x6"))])),
        ("bad_seat", lambda: contribution_line(variant(HUOPIN), -1, bomb("7x6"))),
        ("bad_seat", lambda: settle_duel(variant(DUEL), "coins", [100, 100], 2, 3, [[], []])),
        ("bad_seat", lambda: settle_duel(variant(DUEL), "coins", [100, 100], 0, 3, [[]])),
        ("bad_seat", lambda: settle_duel(variant(DUEL), "coins", [100], 0, 3, [[], []])),
        ("bad_seat", lambda: settle_escape(variant(DUEL), "coins", [100, 100], -1, True, [[], []])),
        ("bad_seat", lambda: stake(edition(DUEL, "coins"), [])),
        ("bad_room", lambda: settle_points(variant(HUOPIN), [0, 1, 2, 3], [], "coins", fee=-1)),
        ("bad_room", lambda: settle_points(variant(HUOPIN), [0, 1, 2, 3], [], "nothing")),  # type: ignore[arg-type]
        ("bad_room", lambda: deal_settlement(deal(DUEL, "4 555", 0, "4"))),
        ("wrong_players", lambda: settle_points(variant(DUEL), [0, 1, 2, 3], [])),
        ("wrong_players", lambda: settle_duel(variant(HUOPIN), "coins", [100, 100], 0, 3, [[], []])),
        ("wrong_players", lambda: deal_escape(deal(HUOPIN, "4 5 6 7", 0, ""), 0)),
        ("unknown_edition", lambda: settle_duel(variant(DUEL), "silver", [100, 100], 0, 3, [[], []])),
        ("unknown_edition", lambda: settle_escape(variant("qianbian-duel"), "points", [9, 9], 0, True, [[], []])),
        ("deal_running", lambda: deal_settlement(deal(HUOPIN, "4 5 6 7", 0, ""))),
        ("deal_over", lambda: deal_escape(deal(DUEL, "4 555", 0, "4"), 0)),
        ("bad_room", lambda: title(5, ())),
    ],
)
def test_refusals(code: str, call: Any) -> None:
    """What has no answer is refused with a stable code."""
    with pytest.raises(RulesError) as refused:
        call()
    assert refused.value.code == code
    assert str(refused.value)


# Words


def test_texts_of_four_players() -> None:
    """Every line in words, for all and for one seat."""
    names = ["甲", "乙", "丙", "丁"]
    played = [(0, bomb("7x5")), (1, bomb("chain:9:3:6"))]
    points = settle_points(variant("huopin"), [0, 2, 1, 3], played)
    assert points.texts("zh", names) == (
        "双扣 4 × 翻倍 2 (五星炸弹) = 甲 +8，乙 -8，丙 +8，丁 -8",
        "乙 贡献 (六星连环炸弹) = 甲 -2，乙 +6，丙 -2，丁 -2",
    )
    assert points.texts("zh", names, seat=0) == ("双扣 4 × 翻倍 2 (五星炸弹) = +8", "乙 贡献 (六星连环炸弹) = -2")
    coins = settle_points(variant("huopin"), [0, 2, 1, 3], played, "coins")
    assert coins.texts("en", seat=1) == (
        "Double -4 × doubling 2 (5-star bomb) × coefficient 500 = -4000",
        "seat 2 contribution (6-star chain bomb) 6 × coefficient 500 = +3000",
        "Fee = -50",
    )
    assert coins.lines[1].text("en", ["a", "b", "c", "d"]) == (
        "b contribution (6-star chain bomb) +6 / -2 × coefficient 500 = a -1000, b +3000, c -1000, d -1000"
    )
    assert coins.lines[2].text("zh", names) == "台费 = 甲 -50，乙 -50，丙 -50，丁 -50，平台 +200"
    level = settle_points(variant("huopin"), [0, 1, 3, 2], [])
    assert level.texts("zh", names) == ("平扣 = 甲 +1，乙 0，丙 +1，丁 0",)


def test_texts_of_a_duel() -> None:
    """The reason says where counted stars come from (R7.6-R7.8)."""
    both = [bombs("7x5 8x5"), bombs("7x4 9x4 Tx4 Kx4")]
    settlement = settle_duel(variant("huopin-duel"), "coins", [500000, 500000], 0, 12, both)
    assert settlement.texts("zh", ["甲", "乙"]) == (
        "对局分 1000 × 双扣 4 × 翻倍 2 (7、8 的五张炸弹相连，计六星) = 甲 +8000，乙 -8000",
        "对局分 1000 × 甲 贡献 2 (7、8 的五张炸弹相连，计六星) = 甲 +2000，乙 -2000",
        "对局分 1000 × 乙 贡献 2 (4 个四张炸弹，计六星) = 甲 -2000，乙 +2000",
    )
    assert settlement.texts("en", seat=1) == (
        "Stake 1000 × double 4 × doubling 2 (bombs of 5 in step, 7 and 8, count as 6 stars) = -8000",
        "Stake 1000 × seat 1 contribution 2 (bombs of 5 in step, 7 and 8, count as 6 stars) = -2000",
        "Stake 1000 × seat 2 contribution 2 (4 bombs of 4 count as 6 stars) = +2000",
    )


def test_texts_of_an_escape() -> None:
    settlement = settle_escape(
        variant("huopin-duel"), "points", [100, 100], 0, False, [[], bombs("jokers:4:7")], at_least_lost_double=True
    )
    assert settlement.texts("zh", ["甲", "乙"]) == (
        "对局分 10 × 逃跑 12 = 甲 -120，平台 +120",
        "对局分 10 × 乙 贡献 4 (七星王炸) = 甲 -40，平台 +40",
        "对局分 10 × 逃跑 2 × 翻倍 8 (七星王炸) = 甲 -160，平台 +160",
        "补足到双扣 = 甲 -40，平台 +40",
        "乙 分得 360 × 70% = 乙 +252，平台 -252",
    )


# Properties

a_bomb = st.one_of(
    st.builds(lambda top, width: PlayedBomb("bomb", top, width, width), st.integers(0, 12), st.integers(4, 12)),
    st.builds(lambda top, width, groups: PlayedBomb("chain", top, width, width + groups),
              st.integers(0, 12), st.integers(4, 6), st.integers(3, 6)),
    st.sampled_from([PlayedBomb("jokers", 14, 3, 6), PlayedBomb("jokers", 14, 4, 7)]),
)  # fmt: skip
some_bombs = st.lists(a_bomb, max_size=7)
many_bombs = st.lists(st.tuples(st.integers(0, 3), a_bomb), max_size=9)
an_order = st.permutations(range(4))
a_duel = st.sampled_from(DUEL_EDITIONS)
a_balance = st.integers(100, 10**8)
two_balances = st.tuples(a_balance, a_balance)
few = settings(max_examples=60, deadline=None)


@few
@given(st.sampled_from(FOUR), an_order, many_bombs, st.sampled_from(UNITS), st.randoms(use_true_random=False))
def test_four_players_add_up(
    id: str, order: list[int], played: list[tuple[int, PlayedBomb]], unit: Unit, any_: Any
) -> None:
    """R6.4, R6.5: lines add up, contributions and money base sum to zero, and the order of bombs changes nothing."""
    settlement = settle_points(variant(id), order, played, unit)
    check(settlement)
    assert sum(settlement.contribution) == 0
    fee = -sum(line.amounts[0] for line in settlement.lines if line.code == "fee")
    if unit == "points":
        assert settlement.amounts == settlement.points
    else:
        assert sum(settlement.points) == 0
        assert settlement.house == 4 * fee
        assert settlement.lines[0].house == 0
    assert settlement.multiplier is not None
    base = next(line.counts for line in settlement.lines if line.code == "base")
    assert settlement.points == tuple(
        b * settlement.multiplier + c for b, c in zip(base, settlement.contribution, strict=True)
    )
    shuffled = list(played)
    any_.shuffle(shuffled)
    other = settle_points(variant(id), order, shuffled, unit)
    assert (other.amounts, other.house, other.multiplier) == (
        settlement.amounts,
        settlement.house,
        settlement.multiplier,
    )
    speak(settlement)


@few
@given(an_order, many_bombs)
def test_both_sides_turn_with_the_seats(order: list[int], played: list[tuple[int, PlayedBomb]]) -> None:
    """R1.3: turning the seats turns the amounts."""
    still = settle_points(variant("huopin"), order, played)
    turned = settle_points(variant("huopin"), [(s + 1) % 4 for s in order], [((s + 1) % 4, b) for s, b in played])
    assert turned.amounts == (still.amounts[3], *still.amounts[:3])


@few
@given(a_duel, st.booleans(), two_balances, st.integers(0, 1), st.integers(1, 27), some_bombs, some_bombs)
def test_duels_add_up(
    which: tuple[str, str],
    each: bool,
    balances: tuple[int, int],
    winner: int,
    left: int,
    mine: list[PlayedBomb],
    theirs: list[PlayedBomb],
) -> None:
    """R7.5: what one gets the other pays, whoever sits where and whatever counts."""
    of, edition_id = each_bomb(which[0]) if each else variant(which[0]), which[1]
    settlement = settle_duel(of, edition_id, balances, winner, left, [mine, theirs])
    check(settlement)
    assert sum(settlement.amounts) == 0
    assert settlement.house == 0
    mirrored = settle_duel(of, edition_id, balances[::-1], 1 - winner, left, [theirs, mine])
    assert mirrored.amounts == settlement.amounts[::-1]
    assert settlement.stake is not None
    assert all(amount % settlement.stake.stake == 0 for amount in settlement.amounts)
    speak(settlement)


@few
@given(a_duel, st.booleans(), two_balances, st.integers(0, 1), st.booleans(), some_bombs, some_bombs, st.booleans())
def test_escapes_add_up(
    which: tuple[str, str],
    each: bool,
    balances: tuple[int, int],
    fugitive: int,
    had_played: bool,
    mine: list[PlayedBomb],
    theirs: list[PlayedBomb],
    at_least: bool,
) -> None:
    """R7.9: the fugitive pays, opponent and house share it, and the fugitive's own bombs count for nothing."""
    of, edition_id = each_bomb(which[0]) if each else variant(which[0]), which[1]
    both = [mine, theirs]
    args: tuple[Variant, str, tuple[int, int], int, bool] = (of, edition_id, balances, fugitive, had_played)
    settlement = settle_escape(*args, both, at_least_lost_double=at_least)
    check(settlement)
    assert settlement.stake is not None
    paid = -settlement.amounts[fugitive]
    assert paid >= 12 * settlement.stake.stake
    assert settlement.amounts[1 - fugitive] == paid * 70 // 100
    assert settlement.house == paid - paid * 70 // 100
    both[fugitive] = []
    assert settle_escape(*args, both, at_least_lost_double=at_least).amounts == settlement.amounts
    if at_least:
        lost = settle_duel(of, edition_id, balances, 1 - fugitive, 27, both)
        assert paid >= -lost.amounts[fugitive]
    speak(settlement)


@few
@given(some_bombs, a_bomb, st.booleans(), st.booleans(), st.booleans(), st.randoms(use_true_random=False))
def test_counted_stars_properties(
    played: list[PlayedBomb], more: PlayedBomb, circle: bool, in_step: bool, repeated: bool, any_: Any
) -> None:
    """R7.6: never under the best bomb, never less with one more; R7.7: two bombs are two plays, in any order."""
    of = replace(duel("huopin-duel"), bombs_in_step=in_step, repeated_bombs=repeated)
    stars = counted_stars(of, played, circle)
    best = max((b.stars for b in played), default=0)
    assert stars >= best
    if not in_step and not repeated:
        assert stars == best
    shuffled = list(played)
    any_.shuffle(shuffled)
    assert count_stars(of, shuffled, circle) == count_stars(of, played, circle)
    assert counted_stars(of, [*played, more], circle) >= stars
    singles = [b for b in played if b.kind == "bomb"]
    if all(b.kind != "bomb" for b in played):
        assert stars == best
    assert stars == max(best, counted_stars(of, singles, circle))


def speak(settlement: Settlement) -> None:
    """Every line has words in both languages, for everybody and for each seat."""
    for language in LANGUAGES:
        for seat in (None, *range(len(settlement.amounts))):
            for text in settlement.texts(language, seat=seat):
                assert " = " in text
                assert "None" not in text
                if language == "en":
                    assert text.replace("×", "").isascii()


# Every number is the operator's


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path to every number and switch."""
    if is_dataclass(value):
        for field in fields(value):
            yield from leaves(getattr(value, field.name), (*path, field.name))
    elif isinstance(value, tuple):
        for index, item in enumerate(value):
            yield from leaves(item, (*path, index))
    elif isinstance(value, int):
        yield path


def changed(value: Any, path: tuple[Any, ...]) -> Any:
    """The same with one number higher by one, or one switch turned."""
    if not path:
        return not value if isinstance(value, bool) else value + 1
    step, *rest = path
    if isinstance(step, int):
        return (*value[:step], changed(value[step], tuple(rest)), *value[step + 1 :])
    return replace(value, **{step: changed(getattr(value, step), tuple(rest))})


def four_player_sample(of: Variant) -> list[tuple[int, ...]]:
    return [
        settle_points(of, order, [(0, PlayedBomb("bomb", 1, stars, stars))], unit).amounts
        for order in ([0, 2, 1, 3], [0, 1, 2, 3], [0, 1, 3, 2])
        for stars in range(4, 10)
        for unit in UNITS
    ]


@pytest.mark.parametrize("path", list(leaves(variant("huopin").points)), ids=lambda path: ".".join(map(str, path)))
def test_every_number_of_four_players_is_the_variants(path: tuple[Any, ...]) -> None:
    """R6: no amount is hidden in the code."""
    huopin = variant("huopin")
    other = replace(huopin, points=changed(huopin.points, path))
    assert four_player_sample(other) != four_player_sample(huopin)


@cache
def lively() -> Variant:
    """`huopin-duel` where no two levels have one stake and no number of stars has factor 1: every number then tells."""
    huopin, of = variant("huopin-duel"), duel("huopin-duel")
    editions = tuple(
        replace(
            each,
            levels=tuple(replace(level, stake=10 + 3 * index) for index, level in enumerate(each.levels)),
            doubling=tuple((stars, value + 1) for stars, value in each.doubling),
        )
        for each in of.editions
    )
    return replace(huopin, duel=replace(of, editions=editions))


def duel_sample(of: Variant) -> list[tuple[int, ...]]:
    """Amounts at each shipped level, by each number of stars, at each bound of cards left, and of escapes."""
    assert of.duel is not None
    sample: list[tuple[int, ...]] = []
    played = [[PlayedBomb("bomb", 1, stars, stars)] for stars in range(4, 14)]
    played += [bombs("3x4 5x4 7x4 9x4 Jx4 Kx4")[:count] for count in range(2, 7)]
    played += [bombs("3x5 6x5"), bombs("3x4 4x4"), bombs("3x4 4x4 5x4 6x4")]
    for each in of.duel.editions:
        rich = 10**9
        for needs in (level.needs for level in edition("huopin-duel", each.id).levels):
            try:
                sample.append(settle_duel(of, each.id, [needs, rich], 0, 1, [[], []]).amounts)
            except SettlementError:
                sample.append(())
        for mine in played:
            sample += [
                settle_duel(of, each.id, [rich, rich], 0, left, [mine, []]).amounts for left in (1, 6, 7, 11, 12)
            ]
            sample += [
                settle_escape(of, each.id, [rich, rich], 1, had_played, [mine, []]).amounts
                for had_played in (False, True)
            ]
    return sample


@pytest.mark.parametrize(
    "path",
    [path for path in leaves(lively().duel) if path[-1] != "level" or "levels" not in path],  # a level's name
    ids=lambda path: ".".join(map(str, path)),
)
def test_every_number_of_two_players_is_the_variants(path: tuple[Any, ...]) -> None:
    """R7: every number here is the operator's to set."""
    other = replace(lively(), duel=changed(lively().duel, path))
    assert duel_sample(other) != duel_sample(lively())


# R6.6


@pytest.mark.parametrize(
    ("points", "number", "zh"),
    [
        (-1, 1, "包身工"),
        (59, 1, "包身工"),
        (60, 2, "短工"),
        (139, 2, "短工"),
        (719, 4, "佃户"),
        (39999, 15, "小地主"),
        (40000, 16, "大地主"),
        (999999, 22, "丞相"),
        (1000000, 23, "帝王"),
        (10**15, 23, "帝王"),
    ],
)
def test_title(points: int, number: int, zh: str) -> None:
    """R6.6."""
    assert (title(points).number, title(points).name.zh) == (number, zh)


def test_titles() -> None:
    """R6.6: 23 titles, rising, each with a name of its own in both languages."""
    table = titles()
    assert [entry.number for entry in table] == list(range(1, 24))
    assert [entry.needs for entry in table] == sorted({entry.needs for entry in table})
    assert len({entry.name.zh for entry in table}) == len({entry.name.en for entry in table}) == 23
    for entry in table:
        assert title(entry.needs) == entry
        assert entry.number == 1 or title(entry.needs - 1).number == entry.number - 1


OWN = """schema = 1

[[title]]
number = 1
needs = 0
zh = "新手"
en = "Beginner"

[[title]]
number = 2
needs = 10
zh = "高手"
en = "Expert"
"""


def test_own_titles() -> None:
    """R6.6: an operator's own table."""
    table = parse_titles(OWN, "own.toml")
    assert [title(points, table).name.en for points in (-5, 9, 10, 99)] == ["Beginner"] * 2 + ["Expert"] * 2


@pytest.mark.parametrize(
    ("old", "new", "line", "field"),
    [
        ("schema = 1", "schema = 2", 1, "schema"),
        ("schema = 1", "schema = true", 1, "schema"),
        ("schema = 1", "", 1, "schema"),
        ("schema = 1", "schema = 1\nshema = 1", 2, "shema"),
        ("needs = 0", "needs = 1", 5, "title[1].needs"),
        ("needs = 10", "needs = 0", 11, "title[2].needs"),
        ("needs = 10", "needs = 1.5", 11, "title[2].needs"),
        ("needs = 10", "needs = true", 11, "title[2].needs"),
        ("needs = 10", "need = 10", 9, "title[2].needs"),
        ("needs = 10", "needs = 10000000000000000000000", 11, "title[2].needs"),
        ("number = 2", "number = 1", 10, "title[2].number"),
        ('zh = "高手"', 'zh = " "', 12, "title[2].zh"),
        ('zh = "高手"', "zh = 7", 12, "title[2].zh"),
        ('zh = "高手"', 'zh = "a\\nb"', 12, "title[2].zh"),
        ('en = "Expert"', f'en = "{"x" * 41}"', 13, "title[2].en"),
        ('en = "Expert"', 'en = "Expert"\ncolour = 1', 14, "title[2].colour"),
        ('en = "Expert"', "en = Expert", 13, ""),
        (OWN, "schema = 1", 1, "title"),
        (OWN, "schema = 1\ntitle = [1]", 2, "title"),
        (OWN, "a = " + "[" * 5000, None, ""),
        (OWN, "a = " + "9" * 5000, None, ""),
    ],
)  # fmt: skip
def test_mistakes_in_titles(old: str, new: str, line: int | None, field: str) -> None:
    """Each mistake is told with its line, its field and what is allowed."""
    with pytest.raises(TitlesError) as refused:
        parse_titles(OWN.replace(old, new), "own.toml")
    assert refused.value.code == "bad_titles"
    assert (line, field) in [(mistake.line, mistake.field) for mistake in refused.value.mistakes]
    assert str(refused.value).startswith("own.toml")


def test_all_mistakes_in_titles_at_once() -> None:
    text = OWN.replace("needs = 0", "needs = -1").replace('zh = "高手"', "zh = 3").replace("schema = 1", "schema = 9")
    with pytest.raises(TitlesError) as refused:
        parse_titles(text)
    assert [mistake.line for mistake in refused.value.mistakes] == [1, 5, 12]
    assert "0 for the first title" in str(refused.value)


def test_line_make() -> None:
    """A line keeps how many, times what, and moves exactly that."""
    line = Line.make("fee", "coins", [-3, -3])
    assert (line.amounts, line.house) == ((-3, -3), 6)
