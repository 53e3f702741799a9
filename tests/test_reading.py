"""Readings, plays and refusals as players ask for them (R3, R8.2)."""

from __future__ import annotations

import pytest

from shuangkou.rules.cards import ONE, format_ranks, parse_ranks
from shuangkou.rules.catalogue import Catalogue
from shuangkou.rules.combination import KINDS
from shuangkou.rules.errors import BadCards
from shuangkou.rules.reading import autoplay, can_beat, canonical, plays, read, readings, refusal
from shuangkou.rules.variant import load_variant, variant_ids
from shuangkou.rules.words import LANGUAGES, REFUSAL, describe

CATS = {name: Catalogue.of(load_variant(name)) for name in variant_ids()}


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
