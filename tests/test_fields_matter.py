"""Every field of a variant matters: for each of them a question whose answer changes with the field, and how."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

import pytest

from shuangkou.rules.cards import RANKS, parse_ranks
from shuangkou.rules.catalogue import Catalogue
from shuangkou.rules.deal import PASS, Action, Deal, SeedSource
from shuangkou.rules.explain import explain_variant
from shuangkou.rules.reading import autoplay, canonical, plays, read
from shuangkou.rules.scoring import PlayedBomb, Unit, settle_duel, settle_escape, settle_points, stake
from shuangkou.rules.toml import Value
from shuangkou.rules.variant import (
    Variant,
    differences,
    format_variant,
    leaves,
    load_variant,
    variant_ids,
    with_settings,
)

HUOPIN = load_variant("huopin")
DUEL = load_variant("huopin-duel")
CLASSIC = load_variant("classic")

Ask = Callable[[Variant], Any]


class Case(NamedTuple):
    """A question to a variant, its answer, and the answer after a change."""

    base: Variant
    changes: dict[str, Value]
    ask: Ask
    before: Any
    after: Any


# Questions


def reading(cards: str, table: str | None = None) -> Ask:
    """What cards are read as, and whether they may be played in every way the engine has."""

    def ask(v: Variant) -> str | None:
        cat, counts = Catalogue.of(v), parse_ranks(cards)
        on = read(cat, parse_ranks(table)) if table else None
        found = read(cat, counts, on)
        assert (counts in plays(cat, counts, on)) == (found is not None)
        if found is None:
            return None
        wild = f" wild {found.wild}" if found.wild else ""
        return f"{found.kind} {RANKS[found.top]} {found.groups}x{found.width}{wild}"

    return ask


def beats(cards: str, table: str) -> Ask:
    """Whether one bomb beats another: by their readings, by the list of plays, and by auto-play."""

    def ask(v: Variant) -> bool:
        cat, counts = Catalogue.of(v), parse_ranks(cards)
        on, played = read(cat, parse_ranks(table)), read(cat, counts)
        assert on is not None
        assert played is not None
        found = cat.beats(played, on)
        assert (counts in plays(cat, counts, on)) == found
        assert (counts in [play.counts for play in canonical(cat, counts, on)]) == found
        choice = autoplay(cat, counts, on)
        assert found == (choice is not None and choice.counts == counts)
        return found

    return ask


FINISHED: Final[dict[str, tuple[tuple[str, ...], tuple[str, ...]]]] = {
    "double": (("3", "44", "5", "66K"), ("3", "pass", "5")),
    "single": (("3", "4", "5", "66"), ("3", "4", "5")),
    "level": (("3", "4", "66", "5"), ("3", "4", "pass", "5")),
}


def finished(v: Variant, result: str) -> Deal:
    """A deal that seat 0 finished first."""
    hands, moves = FINISHED[result]
    deal = Deal.start(v, [parse_ranks(hand) for hand in hands], 0)
    for move in moves:
        deal = deal.apply(PASS if move == "pass" else Action.parse(move))
    assert deal.result == result
    return deal


def next_leaders(result: str) -> Ask:
    """Who may lead after a deal that seat 0 finished first."""
    return lambda v: sorted({finished(v, result).next(SeedSource(seed)).leader for seed in range(24)})


ORDERS: Final = {"double": (0, 2, 1, 3), "single": (0, 1, 2, 3), "level": (0, 1, 3, 2)}


def rank_bomb(rank: str, width: int) -> PlayedBomb:
    return PlayedBomb("bomb", RANKS.index(rank), width, width)


def points(result: str, *stars: int, plays_for: Unit = "points") -> Ask:
    """What each seat gets where seat 0 finished first and played bombs of so many stars."""

    def ask(v: Variant) -> tuple[int, ...]:
        bombs = [(0, rank_bomb("9", n)) for n in stars]
        return settle_points(v, ORDERS[result], bombs, plays_for).amounts

    return ask


def winnings(left: int = 1, *bombs: PlayedBomb, edition: str = "coins", balance: int = 2000) -> Ask:
    """What the winner of a duel gets with bombs against a loser without."""
    return lambda v: settle_duel(v, edition, (balance, balance), 0, left, (bombs, ())).amounts[0]


def counted(*bombs: PlayedBomb) -> Ask:
    return lambda v: settle_duel(v, "coins", (2000, 2000), 0, 1, (bombs, ())).stars[0]


def level(balance: int) -> Ask:
    """The level whose stake two players with so many coins play for."""

    def ask(v: Variant) -> tuple[int, int]:
        assert v.duel is not None
        coins = next(edition for edition in v.duel.editions if edition.id == "coins")
        found = stake(coins, (balance, balance))
        return found.level, found.stake

    return ask


def fled(*stars: int, had_played: bool = True, name: str = "coins") -> Ask:
    """What a fugitive pays, the opponent gets and the house keeps."""

    def ask(v: Variant) -> tuple[int, ...]:
        bombs = tuple(rank_bomb("9", n) for n in stars)
        found = settle_escape(v, name, (2000, 2000), 0, had_played, ((), bombs))
        return (*found.amounts, found.house)

    return ask


# Cases

REPEATED: Final[dict[str, Value]] = {"width": 4, "count": 3, "stars": 5}
ONE_LINE: Final[dict[str, Value]] = {"duel.repeated": [REPEATED]}
THREE: Final = tuple(rank_bomb(rank, 4) for rank in "368")
SIXES: Final = tuple(rank_bomb(rank, 6) for rank in "36")
LEVELS: Final = "duel.editions.coins.levels"
LEVEL: Final[dict[str, Value]] = {"level": 1, "needs": 1000, "stake": 10}
TWO_PLAYERS: Final[dict[str, Value]] = dict(differences(DUEL, HUOPIN))
EVERY: Final = [0, 1, 2, 3]


def repeated(column: str, value: int) -> dict[str, Value]:
    return {"duel.repeated": [{**REPEATED, column: value}]}


def levels(**columns: int) -> dict[str, Value]:
    return {LEVELS: [{**LEVEL, **columns}]}


CASES: Final[dict[str, Case]] = {
    "players": Case(
        HUOPIN,
        {"players": 2, "duel": TWO_PLAYERS["duel"]},
        lambda v: Deal.shuffle(v, SeedSource("field")).left,
        (27, 27, 27, 27),
        (27, 27),
    ),
    "turned_up_card": Case(
        CLASSIC,
        {"turned_up_card": True},
        lambda v: Deal.shuffle(v, SeedSource("field")).turned_up is not None,
        False,
        True,
    ),
    "places_after_double": Case(
        HUOPIN,
        {"places_after_double": "fewer_cards"},
        lambda v: finished(v, "double").order,
        (0, 2, 3, 1),
        (0, 2, 1, 3),
    ),
    "next_lead.double": Case(CLASSIC, {"next_lead.double": "first_out"}, next_leaders("double"), EVERY, [0]),
    "next_lead.single": Case(CLASSIC, {"next_lead.single": "random"}, next_leaders("single"), [0], EVERY),
    "next_lead.level": Case(CLASSIC, {"next_lead.level": "random"}, next_leaders("level"), [0], EVERY),
    "wild.jokers": Case(HUOPIN, {"wild.jokers": "all"}, reading("5xx"), None, "triple 5 1x3 wild 2"),
    "wild.mixed_pair": Case(HUOPIN, {"wild.mixed_pair": "none"}, reading("xX"), "pair x 1x2 wild 1", None),
    "wild.kind_order": Case(
        DUEL,
        {"wild.kind_order": ["straight", "pair_run", "triple_run"]},
        reading("345xxX"),
        "pair_run 5 3x2 wild 3",
        "straight 8 6x1 wild 3",
    ),
    "straight.min_ranks": Case(HUOPIN, {"straight.min_ranks": 4}, reading("3456"), None, "straight 6 4x1"),
    "straight.max_ranks": Case(
        HUOPIN, {"straight.max_ranks": 11}, reading("3456789TJQKA"), "straight A 12x1", None
    ),
    "pair_run.min_ranks": Case(HUOPIN, {"pair_run.min_ranks": 2}, reading("3344"), None, "pair_run 4 2x2"),
    "pair_run.max_ranks": Case(
        HUOPIN, {"pair_run.max_ranks": 11}, reading("33445566778899TTJJQQKKAA"), "pair_run A 12x2", None
    ),
    "triple_run.min_ranks": Case(HUOPIN, {"triple_run.min_ranks": 2}, reading("333444"), None, "triple_run 4 2x3"),
    "triple_run.max_ranks": Case(
        HUOPIN, {"triple_run.max_ranks": 8}, reading("333444555666777888999TTTJJJ"), "triple_run J 9x3", None
    ),
    "bomb.max_width": Case(HUOPIN, {"bomb.max_width": 9}, reading("33333333X"), None, "bomb 3 1x9 wild 1"),
    "chain.min_groups": Case(HUOPIN, {"chain.min_groups": 4}, reading("333344445555"), "chain 5 3x4", None),
    "chain.max_groups": Case(
        HUOPIN, {"chain.max_groups": 5}, reading("333344445555666677778888"), "chain 8 6x4", None
    ),
    "chain.unequal": Case(HUOPIN, {"chain.unequal": True}, reading("3333344445555"), None, "chain 5 3x4"),
    "chain.circle": Case(HUOPIN, {"chain.circle": True}, reading("KKKKAAAA2222"), None, "chain 2 3x4"),
    "joker_bombs.three_stars": Case(
        HUOPIN, {"joker_bombs.three_stars": 0}, reading("xxX"), "jokers X 1x3", None
    ),
    "joker_bombs.three_place": Case(
        HUOPIN, {"joker_bombs.three_place": "highest"}, beats("xxX", "333333"), False, True
    ),
    "joker_bombs.four_stars": Case(HUOPIN, {"joker_bombs.four_stars": 8}, beats("xxXX", "33333333"), False, True),
    "joker_bombs.four_place": Case(
        HUOPIN, {"joker_bombs.four_place": "lowest"}, beats("xxXX", "3333333"), True, False
    ),
    "bomb_order.fewer_cards_first": Case(
        HUOPIN, {"bomb_order.fewer_cards_first": False}, beats("333334444455555", "6666777788889999"), True, False
    ),
    "bomb_order.natural_first": Case(
        HUOPIN, {"bomb_order.natural_first": True}, beats("55555", "5555X"), False, True
    ),
    # four players
    "points.multiplier": Case(HUOPIN, {"points.multiplier": 3}, points("double"), (4, -4, 4, -4), (12, -12, 12, -12)),
    "points.base.double": Case(
        HUOPIN, {"points.base.double": [5, 3, -3, -5]}, points("double"), (4, -4, 4, -4), (5, -3, 3, -5)
    ),
    "points.base.single": Case(
        HUOPIN, {"points.base.single": [3, -2, 1, -2]}, points("single"), (2, -2, 2, -2), (3, -2, 1, -2)
    ),
    "points.base.level": Case(
        HUOPIN, {"points.base.level": [1, -1, -1, 1]}, points("level"), (1, 0, 1, 0), (1, -1, 1, -1)
    ),
    "points.base_money.double": Case(
        HUOPIN,
        {"points.base_money.double": [5, 3, -4, -4]},
        points("double", plays_for="coins"),
        (1950, -2050, 1950, -2050),
        (2450, -2050, 1450, -2050),
    ),
    "points.base_money.single": Case(
        HUOPIN,
        {"points.base_money.single": [3, -3, 3, -3]},
        points("single", plays_for="silver"),
        (200, -200, 200, -200),
        (300, -300, 300, -300),
    ),
    "points.base_money.level": Case(
        HUOPIN,
        {"points.base_money.level": [0, 0, 0, 0]},
        points("level", plays_for="silver"),
        (100, -100, 100, -100),
        (0, 0, 0, 0),
    ),
    "points.doubling": Case(
        HUOPIN, {"points.doubling": {"5": 3}}, points("double", 5), (8, -8, 8, -8), (12, -12, 12, -12)
    ),
    "points.contribution": Case(
        HUOPIN, {"points.contribution": {"4": 1}}, points("double", 4), (4, -4, 4, -4), (7, -5, 3, -5)
    ),
    "points.coins.coefficient": Case(
        HUOPIN,
        {"points.coins.coefficient": 10},
        points("double", plays_for="coins"),
        (1950, -2050, 1950, -2050),
        (-10, -90, -10, -90),
    ),
    "points.coins.fee": Case(
        HUOPIN,
        {"points.coins.fee": 7},
        points("double", plays_for="coins"),
        (1950, -2050, 1950, -2050),
        (1993, -2007, 1993, -2007),
    ),
    "points.silver.coefficient": Case(
        HUOPIN,
        {"points.silver.coefficient": 1},
        points("double", plays_for="silver"),
        (400, -400, 400, -400),
        (4, -4, 4, -4),
    ),
    "points.silver.fee": Case(
        HUOPIN,
        {"points.silver.fee": 7},
        points("double", plays_for="silver"),
        (400, -400, 400, -400),
        (393, -407, 393, -407),
    ),
    "points.silver.contribution": Case(
        HUOPIN,
        {"points.silver.contribution": True},
        points("double", 6, plays_for="silver"),
        (1600, -1600, 1600, -1600),
        (2200, -1800, 1400, -1800),
    ),
    # two players: the stake is 10 with 2000 coins, 80 with 2000 points
    "duel.results.single": Case(DUEL, {"duel.results.single": 8}, winnings(7), 20, 10),
    "duel.results.double": Case(DUEL, {"duel.results.double": 13}, winnings(12), 40, 20),
    "duel.factors.double": Case(DUEL, {"duel.factors.double": 5}, winnings(27), 40, 50),
    "duel.factors.single": Case(DUEL, {"duel.factors.single": 3}, winnings(7), 20, 30),
    "duel.factors.level": Case(DUEL, {"duel.factors.level": 0}, winnings(1), 10, 0),
    "duel.contribution_counts": Case(
        DUEL, {"duel.contribution_counts": "each"}, winnings(1, *SIXES), 10 * 2 + 10 * 2, 10 * 2 + 10 * (2 + 2)
    ),
    "duel.bombs_in_step": Case(
        DUEL, {"duel.bombs_in_step": False}, counted(rank_bomb("8", 4), rank_bomb("9", 4)), 5, 4
    ),
    "duel.step_stars": Case(DUEL, {"duel.step_stars": 3}, counted(rank_bomb("8", 4), rank_bomb("9", 4)), 5, 7),
    "duel.repeated_bombs": Case(DUEL, {"duel.repeated_bombs": False}, counted(*THREE), 5, 4),
    "duel.repeated_neighbours": Case(
        DUEL, {"duel.repeated_neighbours": False}, counted(*(rank_bomb(rank, 4) for rank in "369T")), 6, 5
    ),
    "duel.repeated.[].width": Case(with_settings(DUEL, ONE_LINE), repeated("width", 5), counted(*THREE), 5, 4),
    "duel.repeated.[].count": Case(with_settings(DUEL, ONE_LINE), repeated("count", 4), counted(*THREE), 5, 4),
    "duel.repeated.[].stars": Case(with_settings(DUEL, ONE_LINE), repeated("stars", 9), counted(*THREE), 5, 9),
    "duel.editions.*.levels.[].level": Case(
        with_settings(DUEL, levels()), levels(level=7), level(2000), (1, 10), (7, 10)
    ),
    "duel.editions.*.levels.[].needs": Case(
        with_settings(DUEL, {LEVELS: [LEVEL, {**LEVEL, "level": 2, "needs": 2000, "stake": 30}]}),
        {LEVELS: [LEVEL, {**LEVEL, "level": 2, "needs": 2001, "stake": 30}]},
        level(2000),
        (2, 30),
        (1, 10),
    ),
    "duel.editions.*.levels.[].stake": Case(with_settings(DUEL, levels()), levels(stake=11), winnings(), 10, 11),
    "duel.editions.*.doubling": Case(
        DUEL, {"duel.editions.coins.doubling": {"5": 3}}, winnings(1, rank_bomb("9", 5)), 10, 30
    ),
    "duel.editions.*.contribution": Case(
        DUEL, {"duel.editions.coins.contribution": {"5": 3}}, winnings(1, rank_bomb("9", 5)), 10, 40
    ),
    "duel.editions.*.escape.factor": Case(
        DUEL, {"duel.editions.coins.escape.factor": 10}, fled(), (-120, 84, 36), (-100, 70, 30)
    ),
    "duel.editions.*.escape.doubling_factor": Case(
        DUEL,
        {"duel.editions.points.escape.doubling_factor": 1},
        fled(5, name="points"),
        (-1280, 896, 384),
        (-1120, 784, 336),
    ),
    "duel.editions.*.escape.only_if_played": Case(
        DUEL,
        {"duel.editions.coins.escape.only_if_played": False},
        fled(6, had_played=False),
        (-120, 84, 36),
        (-160, 112, 48),
    ),
    "duel.editions.*.escape.share_percent": Case(
        DUEL, {"duel.editions.coins.escape.share_percent": 71}, fled(), (-120, 84, 36), (-120, 85, 35)
    ),
    "duel.editions.*.escape.at_least_lost_double": Case(
        DUEL,
        {"duel.editions.coins.escape.at_least_lost_double": True},
        fled(8),
        (-280, 196, 84),
        (-400, 280, 120),
    ),
}  # fmt: skip
WORDS: Final[dict[str, Ask]] = {
    "id": format_variant,
    "name.zh": lambda v: explain_variant(v, "zh"),
    "name.en": lambda v: explain_variant(v, "en"),
    "about.zh": lambda v: explain_variant(v, "zh"),
    "about.en": lambda v: explain_variant(v, "en"),
}


def test_every_field_has_its_case() -> None:
    assert {*CASES, *WORDS} == {name for name, _ in leaves()}


@pytest.mark.parametrize("name", CASES)
def test_the_answer_changes_with_the_field(name: str) -> None:
    case = CASES[name]
    changed = with_settings(case.base, case.changes)
    first = name.partition(".[]")[0].replace("*", "coins")
    assert first in case.changes or first.replace("coins", "points") in case.changes
    assert case.ask(case.base) == case.before
    assert case.ask(changed) == case.after
    assert case.before != case.after


@pytest.mark.parametrize("name", WORDS)
def test_words_are_shown(name: str) -> None:
    changed = with_settings(HUOPIN, {name: "zebra"})
    assert "zebra" in WORDS[name](changed)
    assert "zebra" not in WORDS[name](HUOPIN)


@pytest.mark.parametrize("name", [name for name in CASES if not name.startswith(("players", "points", "duel"))])
def test_names_play_no_part(name: str) -> None:
    """The same answers under every shipped id: only the fields count."""
    case = CASES[name]
    changed = with_settings(case.base, case.changes)
    for id_ in variant_ids():
        assert case.ask(with_settings(case.base, {"id": id_})) == case.before
        assert case.ask(with_settings(changed, {"id": id_})) == case.after
