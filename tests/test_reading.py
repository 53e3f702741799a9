"""Readings, plays and refusals as players ask for them (R3, R8.2)."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from shuangkou.rules.cards import ONE, RANKS, format_ranks, parse_cards, parse_ranks
from shuangkou.rules.catalogue import Catalogue
from shuangkou.rules.combination import KINDS
from shuangkou.rules.deal import Action, Deal
from shuangkou.rules.errors import BadCards, IllegalPlay
from shuangkou.rules.reading import autoplay, can_beat, canonical, plays, read, readings, refusal, refusal_words
from shuangkou.rules.variant import Variant, load_variant, variant_ids, with_settings
from shuangkou.rules.words import LANGUAGES, REFUSAL, describe

CATS = {name: Catalogue.of(load_variant(name)) for name in variant_ids()}

MADE_UP = {
    "short": with_settings(
        load_variant("baibian"),
        {
            "id": "short",
            "straight.max_ranks": 8,
            "pair_run.max_ranks": 3,
            "triple_run.max_ranks": 3,
            "bomb.max_width": 4,
            "chain.max_groups": 4,
        },
    ),
    "circle": with_settings(load_variant("huopin"), {"id": "circle", "chain.circle": True, "chain.min_groups": 4}),
}
CATS |= {name: Catalogue.of(variant) for name, variant in MADE_UP.items()}


def ask(name: str, cards: str, table: str | None = None, kind: str | None = None) -> str | None:
    """A reading in short: ``straight 9 6x1+1`` (groups x width + wild)."""
    cat = CATS[name]
    below = None if table is None else read(cat, parse_ranks(table))
    found = read(cat, parse_ranks(cards), below, kind)
    return None if found is None else f"{found.combination}+{found.wild}"


@pytest.mark.parametrize(
    ("name", "cards", "table", "kind", "expected"),
    [
        ("huopin", "3344X", None, None, None),  # R3.2
        ("huopin", "7777X", None, None, "bomb 7 x5+1"),  # R3.4
        ("huopin", "45678X", None, None, "straight 9 6x1+1"),
        ("huopin", "77899X", None, None, "pair_run 9 3x2+1"),
        ("huopin", "7789XX", None, None, "pair_run 9 3x2+2"),
        ("huopin", "A2345", None, None, None),  # R2.2
        ("huopin", "KKAA22", None, None, None),
        ("huopin", "JQKA2", None, None, None),
        ("huopin", "TJQKA", None, None, "straight A 5x1+0"),
        ("huopin", "TJQKX", None, None, "straight A 5x1+1"),
        ("huopin", "JQKAX", None, None, "straight A 5x1+1"),  # the wild card has to stand below
        ("huopin", "333444", None, None, None),  # two groups are no run
        ("huopin", "33334444", None, None, None),
        ("huopin", "33334", None, None, None),
        ("huopin", "5xX", None, None, None),  # R3.3
        ("huopin", "5xx", None, None, None),
        ("huopin", "5xXX", None, None, None),
        ("huopin-duel", "5xxX", None, None, "bomb 5 x4+3"),
        ("huopin", "2X", None, None, "pair 2 x2+1"),
        ("huopin-duel", "xX", None, None, "pair X x2+1"),
        ("classic", "xX", None, None, None),
        ("classic", "2X", None, None, None),
        ("classic", "xxX", None, None, None),
        ("huopin-duel", "55xxXX", "334455", None, "bomb 5 x6+4"),  # R3.5
        ("huopin-duel", "55xxXX", "334455", "pair_run", "pair_run 7 3x2+4"),  # R3.6
        ("huopin-duel", "55xxXX", None, "triple_run", None),
        ("huopin-duel", "4567xxXX", None, None, "pair_run 7 4x2+4"),
        ("huopin-duel", "4567xX", "34567", None, None),
        ("huopin-duel", "44445555666xX", None, None, "chain 6 3x4+2"),
        ("huopin-duel", "444455556666xxXX", None, None, "chain 6 3x5+4"),  # 8 stars with 15 cards before 4x4
    ],
)
def test_read(name: str, cards: str, table: str | None, kind: str | None, expected: str | None) -> None:
    assert ask(name, cards, table, kind) == expected


def test_order_of_the_cards_given_does_not_matter() -> None:
    assert ask("huopin", "X87654") == ask("huopin", "45678X") == ask("huopin", "6X4857")


def test_readings_of_each_kind() -> None:
    cat = CATS["huopin-duel"]
    found = readings(cat, parse_ranks("55xxXX"))
    assert [(r.kind, r.top) for r in found] == [("bomb", 2), ("pair_run", 4)]
    assert [r.kind for r in readings(cat, parse_ranks("5xxXX"))] == ["bomb", "straight"]
    assert readings(cat, parse_ranks("34")) == ()
    run = readings(cat, parse_ranks("456xXX"))
    assert [(r.kind, r.top) for r in run] == [("pair_run", 4 - 1), ("straight", 6)]


@pytest.mark.parametrize(
    ("counts", "message"),
    [
        (0, "no cards"),
        (-1, "not a set"),
        (1 << 60, "not a set"),
        (9, "9 of 3"),
        (3 * ONE[14], "3 of X"),
        (4 << 52, "4 of x"),
    ],
)
def test_what_no_hand_can_be(counts: int, message: str) -> None:
    cat = CATS["huopin"]
    for question in (
        lambda: read(cat, counts),
        lambda: readings(cat, counts),
        lambda: plays(cat, counts),
        lambda: canonical(cat, counts),
        lambda: autoplay(cat, counts),
        lambda: can_beat(cat, counts, None),
        lambda: can_beat(cat, counts, read(cat, parse_ranks("22"))),
        lambda: refusal(cat, counts, counts),
    ):
        with pytest.raises(BadCards, match=message):
            question()
    with pytest.raises(BadCards, match="28 cards"):
        read(cat, sum(4 * ONE[r] for r in range(7)))


def test_eight_of_a_rank_are_cards() -> None:
    assert ask("huopin", "33333333") == "bomb 3 x8+0"
    assert ask("huopin", "22222222") == "bomb 2 x8+0"
    assert ask("huopin", "22222222X") is None
    assert ask("huopin-duel", "22222222X") == "bomb 2 x9+1"


def test_unknown_kind() -> None:
    with pytest.raises(ValueError, match="flush"):
        read(CATS["huopin"], parse_ranks("3"), None, "flush")
    for kind in KINDS:  # a kind that the variant does not have is no error
        assert (read(CATS["classic"], parse_ranks("3"), None, kind) is None) == (kind != "single")


def test_can_beat() -> None:
    cat = CATS["huopin"]
    table = read(cat, parse_ranks("22"))
    assert not can_beat(cat, parse_ranks("22"), table)
    assert can_beat(cat, parse_ranks("3333"), table)
    assert can_beat(cat, parse_ranks("3"), None)


def test_canonical_plays_say_when_their_kind_must_be_named() -> None:
    found = {str(p) for p in canonical(CATS["huopin-duel"], parse_ranks("55xxXX"))}
    assert {"55xxXX", "55xxXX=pair_run"} <= found
    found = {str(p) for p in canonical(CATS["huopin-duel"], parse_ranks("57xX"))}
    assert "5x" in found  # x is used before X
    assert "5X" not in found


@pytest.mark.parametrize(
    ("name", "hand", "cards", "table", "kind", "code"),
    [
        ("huopin", "345", "77", None, None, "not_held"),
        ("huopin", "33445X", "3344X", None, None, "carried"),
        ("huopin", "33344", "33344", None, None, "carried"),
        ("huopin", "33334", "33334", None, None, "carried"),
        ("huopin", "3456", "3456", None, None, "too_short"),
        ("huopin", "3344", "3344", None, None, "too_short"),
        ("huopin", "333444", "333444", None, None, "too_short"),
        ("huopin", "KKAA22", "KKAA22", None, None, "no_two_in_runs"),
        ("huopin", "JQKA2", "JQKA2", None, None, "no_two_in_runs"),
        ("huopin", "55x", "55x", None, None, "jokers_not_wild"),
        ("classic", "55X", "55X", None, None, "jokers_not_wild"),
        ("classic", "xxX", "xxX", None, None, "jokers_alone"),
        ("huopin", "33333333X", "33333333X", None, None, "too_wide"),
        ("huopin", "33334444", "33334444", None, None, "two_groups"),
        ("classic", "333344445555", "333344445555", None, None, "no_chains"),
        ("huopin", "3333344445555", "3333344445555", None, None, "groups_differ"),
        ("classic", "3333344445555", "3333344445555", None, None, "no_chains"),
        ("qianbian-duel", "AAAA2222", "AAAA2222", None, None, "two_groups"),  # its chains go through the 2
        ("huopin", "AAAA2222", "AAAA2222", None, None, "no_two_in_runs"),
        ("huopin", "KKKKAAAA2222", "KKKKAAAA2222", None, None, "no_two_in_runs"),
        ("huopin", "23456", "23456", None, None, "no_two_in_runs"),
        ("huopin", "3333344444", "3333344444", None, None, "two_groups"),
        ("huopin", "333344444", "333344444", None, None, "two_groups"),
        ("huopin-duel", "333344444", "333344444", None, None, "two_groups"),
        ("baibian", "333344445555666677778888", "333344445555666677778888", None, None, "too_many_groups"),
        ("baibian", "3333444455556666777788888", "3333444455556666777788888", None, None, "too_many_groups"),
        ("short", "3456789TJ", "3456789TJ", None, None, "too_long"),
        ("short", "3456789XX", "3456789XX", None, None, "too_long"),
        ("short", "33445566", "33445566", None, None, "too_long"),
        ("short", "333444555666", "333444555666", None, None, "too_long"),
        ("short", "5555566666", "5555566666", None, None, "two_groups"),
        ("short", "555556666677777", "555556666677777", None, None, "too_wide"),
        ("short", "55555666677777", "55555666677777", None, None, "too_wide"),
        ("short", "4444455555666677778888", "4444455555666677778888", None, None, "too_many_groups"),
        ("circle", "2222333344445", "2222333344445", None, None, "carried"),
        ("short", "88889999TTTTX", "88889999TTTTX", None, None, "too_wide"),
        ("circle", "22222333344445555", "22222333344445555", None, None, "groups_differ"),
        ("huopin", "37", "37", None, None, "no_combination"),
        ("huopin", "34567", "34567", None, "bomb", "not_that_kind"),
        ("huopin", "77", "77", "3", None, "other_kind"),
        ("huopin", "456789", "456789", "34567", None, "other_length"),
        ("huopin", "66", "66", "77", None, "not_higher"),
        ("huopin", "77", "77", "77", None, "not_higher"),
        ("huopin", "5555", "5555", "6666", None, "weaker_bomb"),
        ("huopin", "77", "77", "3333", None, "needs_bomb"),
    ],
)
def test_refusals(name: str, hand: str, cards: str, table: str | None, kind: str | None, code: str) -> None:
    cat = CATS[name]
    below = None if table is None else read(cat, parse_ranks(table))
    found = refusal(cat, parse_ranks(hand), parse_ranks(cards), below, kind)
    assert found is not None
    assert found.code == code
    for language in LANGUAGES:
        assert "{" not in found.text(language)
        assert found.text(language)


def relaxed(v: Variant, **only: Any) -> Catalogue:
    """A variant with the widest limits there could be, or only some of them."""
    bounds: dict[str, Any] = {
        "straight": {"min_ranks": 2, "max_ranks": 12},
        "pair_run": {"min_ranks": 2, "max_ranks": 12},
        "triple_run": {"min_ranks": 2, "max_ranks": 9},
        "bomb": {"max_width": 12},
        "chain": {"min_groups": 2, "max_groups": 6, "unequal": True, "circle": True},
    }
    return Catalogue(replace(v, **{name: replace(getattr(v, name), **row) for name, row in (only or bounds).items()}))


RUNS = ("straight", "pair_run", "triple_run")
WOULD_DO: dict[str, dict[str, Any]] = {  # what would have to be allowed for cards refused with a code
    "too_short": {run: {"min_ranks": 2} for run in RUNS},
    "too_long": {run: {"max_ranks": 12} for run in RUNS},
    "two_groups": {"chain": {"min_groups": 2, "unequal": True}, "bomb": {"max_width": 12}},
    "too_many_groups": {"chain": {"max_groups": 6, "unequal": True}, "bomb": {"max_width": 12}},
    "too_wide": {"bomb": {"max_width": 12}, "chain": {"unequal": True}},
    "groups_differ": {"chain": {"unequal": True}},
}


@pytest.mark.parametrize("name", CATS)
def test_refused_cards_would_be_a_combination_but_for_the_reason(name: str) -> None:
    """Sets that are nearly combinations: allowing what the reason names, and no more, would make them one."""
    chance, cat = Random(name), CATS[name]
    most, v = relaxed(cat.variant), cat.variant
    changed = {code: relaxed(v, **change) for code, change in WOULD_DO.items()}
    wild = {"none": "", "big": "XX", "all": "xxXX"}[v.wild.jokers]
    met: Counter[str] = Counter()
    for _ in range(1000):
        groups, width, start = chance.randint(1, 9), chance.randint(1, 6), chance.randrange(13)
        cards = [RANKS[(start + g) % 13] for g in range(groups) for _ in range(width)]
        chance.shuffle(cards)
        cards = cards[chance.choice((0, 0, 0, 1, 2)) :] + [*wild[: chance.choice((0, 0, 1, 2, 4))]]
        cards += chance.choices(RANKS[start : min(13, start + groups)], k=chance.choice((0, 0, 1, 2)))
        if not 1 <= len(cards) <= 27 or max(map(cards.count, RANKS[:13])) > 8:
            continue
        counts = parse_ranks("".join(cards))
        found = refusal(cat, counts, counts)
        if found is None:
            continue
        met[found.code] += 1
        if found.code in changed:
            if not (found.code == "too_long" and len(cards) == 13):  # 3 to A and a wild card: more ranks than there are
                assert read(changed[found.code], counts) is not None, (found.code, cards)
        elif found.code in {"carried", "no_combination"}:
            assert read(most, counts) is None, (found.code, cards)
        elif found.code == "no_two_in_runs":
            assert "2" in cards or {"3", "A"} & set(cards), cards
            assert read(relaxed(v, **{run: {"min_ranks": 2} for run in RUNS}), counts) is None
        elif found.code == "no_chains":
            assert v.chain.max_groups == 0
            assert read(most, counts) is not None, cards
    assert len(met) >= 5, met


@pytest.mark.parametrize(
    ("hands", "moves", "action", "seat", "zh", "en"),
    [
        (("7S", "8S 9S"), ["7S"], "8S", None, "这一副已经打完", "the deal is over"),
        (("7S 8S", "8S 9S"), [], "8S", 1, "现在轮到座位 0", "it is the turn of seat 0"),
        (("7S 8S", "8S 9S"), [], "pass", None, "先出的人必须出牌", "whoever leads must play"),
        (("7S 8S", "8S 9S"), [], "9S", None, "手里没有这些牌：9", "you don't hold these cards: 9"),
        (("7S 8S", "8S 9S"), ["8S"], "8H", None, "单张 8不比单张 8大", "a single 8 is not higher than a single 8"),
        (
            ("7S 8S", "8S 9S"),
            ["7S"],
            "8H",
            None,
            "手里没有这几张花色的牌：8H；花色可以不写",
            "you don't hold these suits: 8H; suits need not be written",
        ),
        (("78", "89"), ["7"], "8H", None, "这一副牌没有花色", "this deal has no suits"),
    ],
)
def test_why_a_deal_refuses(
    hands: tuple[str, str], moves: list[str], action: str, seat: int | None, zh: str, en: str
) -> None:
    """Every reason of a deal (R8.1) has its words, whether or not the cards are looked at."""
    dealt = [parse_cards(hand) if "S" in hand else parse_ranks(hand) for hand in hands]
    deal = Deal.start(load_variant("qianbian-duel"), dealt, 0)  # type: ignore[arg-type]
    for move in moves:
        deal = deal.apply(Action.parse(move))
    asked = Action.parse(action)
    with pytest.raises(IllegalPlay) as caught:
        deal.apply(asked, seat)
    assert refusal_words(deal, asked, caught.value, "zh") == zh
    assert refusal_words(deal, asked, caught.value, "en") == en


def test_every_refusal_is_tested_and_said_in_both_languages() -> None:
    marks = test_refusals.pytestmark  # type: ignore[attr-defined]
    tested = {row[5] for mark in marks for row in mark.args[1]}
    assert tested == set(REFUSAL)
    assert all(set(words) == set(LANGUAGES) for words in REFUSAL.values())


def test_no_refusal_for_a_legal_play() -> None:
    for name, cat in CATS.items():
        hand = parse_ranks("334455667777JQKA22X")
        for counts in plays(cat, hand):
            assert refusal(cat, hand, counts) is None, (name, format_ranks(counts))


@pytest.mark.parametrize(
    ("name", "cards", "zh", "en"),
    [
        ("huopin", "T", "单张 10", "single 10"),
        ("huopin", "TJQKA", "顺子 10-A", "straight 10-A"),
        ("huopin", "777X", "炸弹 7（4 星）", "bomb 7, 4 stars"),
        ("huopin", "xxX", "三王（6 星）", "three jokers, 6 stars"),
        ("huopin", "xxXX", "天王（7 星）", "four jokers, 7 stars"),
        ("huopin", "333344445555", "连环炸弹 3-5（3×4，7 星）", "chain bomb 3-5, 3×4, 7 stars"),
        ("huopin-duel", "3333444455556", None, None),
        ("huopin-duel", "3333444455555", "连环炸弹 3-5（不等，3×4，7 星）", "chain bomb 3-5, unequal 3×4, 7 stars"),
    ],
)
def test_describe(name: str, cards: str, zh: str | None, en: str | None) -> None:
    found = read(CATS[name], parse_ranks(cards))
    assert (None if found is None else describe(found, "zh")) == zh
    assert (None if found is None else describe(found, "en")) == en
