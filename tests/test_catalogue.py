"""The catalogue: how many combinations there are, their ids, and the order of bombs (R2, R4)."""

from __future__ import annotations

import pickle
from collections import Counter
from itertools import pairwise

import pytest

from shuangkou.rules.cards import parse_ranks
from shuangkou.rules.catalogue import Catalogue
from shuangkou.rules.combination import KINDS, Reading
from shuangkou.rules.engine import UNEQUAL
from shuangkou.rules.reading import read
from shuangkou.rules.variant import load_variant, variant_ids

HUOPIN = Catalogue.of(load_variant("huopin"))


def reading(name: str, cards: str) -> Reading:
    found = read(Catalogue.of(load_variant(name)), parse_ranks(cards))
    assert found is not None, cards
    return found


def test_huopin_knows_344_combinations_and_six_joker_plays() -> None:
    known = [c for c in HUOPIN.combinations if c is not None]
    natural = Counter(c.kind for c in known if c.start < 13)
    assert natural == {
        "single": 13,
        "pair": 13,
        "triple": 13,
        "straight": 36,
        "pair_run": 55,
        "triple_run": 49,
        "bomb": 65,
        "chain": 100,
    }
    assert sum(natural.values()) == 344
    assert [(c.kind, c.width) for c in known if c.start >= 13] == [
        ("single", 1),
        ("single", 1),
        ("pair", 2),
        ("pair", 2),
        ("jokers", 3),
        ("jokers", 4),
    ]


@pytest.mark.parametrize("name", variant_ids())
def test_ids(name: str) -> None:
    cat = Catalogue.of(load_variant(name))
    assert cat.combinations[0] is None
    texts = set()
    for i, c in enumerate(cat.combinations[1:], 1):
        assert c is not None
        assert c.id == i
        assert c.kind in KINDS
        assert c.size <= 27
        assert cat.combination(i) is cat.combination(i | UNEQUAL) is c
        assert cat.find(c.kind, c.top, c.groups, c.width) is c
        texts |= {cat.action_text(i), cat.action_text(i | UNEQUAL)}
    assert len(texts) == 2 * (len(cat.combinations) - 1)
    assert cat.action_text(0) == "pass"
    for wrong in (0, -1, len(cat.combinations)):
        with pytest.raises(KeyError):
            cat.combination(wrong)
    assert cat.find("chain", 0, 9, 9) is None


def test_a_catalogue_is_its_variant() -> None:
    again = Catalogue(load_variant("huopin"))
    assert again == HUOPIN
    assert hash(again) == hash(HUOPIN)
    assert again != Catalogue.of(load_variant("classic"))
    assert again != "huopin"
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(again, protocol)) is HUOPIN
    assert "350" in repr(again)


# From weak to strong; "=": neither beats the other.


@pytest.mark.parametrize(
    ("name", "order"),
    [
        # stars; three jokers lowest of 6; fewer cards; top rank; four jokers highest of 7
        (
            "huopin",
            (
                "3333 < 2222 < 33333 < 22222 < xxX = xXX < 333333 < 222222 < QQQQKKKKAAAA < 3333333 < 2222222 < xxXX"
                " < 3333444455556666 < JJJJQQQQKKKKAAAA < 333334444455555 < QQQQQKKKKKAAAAA < 33333333"
            ),
        ),
        ("baibian", "QQQQKKKKAAAA < 2222222 < 3333444455556666 < 333334444455555 < 33333333 < 22222222 < xxXX"),
        ("classic", "22222 < 333333 < 2222222 < 22222222 < xxXX"),
        # four jokers lowest of 7; unequal chains below equal ones of the same stars and cards, never beating another
        (
            "huopin-duel",
            "222222 < xxXX < 3333344445555 = 4444455556666 < 333344445555 < QQQQKKKKAAAA < 3333333",
        ),
        # chains in a circle, the 2 lowest; natural before wild
        (
            "qianbian-duel",
            (
                "xxXX < KKKKAAAA222X < KKKKAAAA2222 < AAAA22223333 < 222233334444 < JJJJQQQQKKKK < QQQQKKKKAAAX"
                " < QQQQKKKKAAAA < 3333333"
            ),
        ),
    ],
)
def test_order_of_bombs(name: str, order: str) -> None:
    cat = Catalogue.of(load_variant(name))
    levels = [[reading(name, cards.strip()) for cards in level.split("=")] for level in order.split("<")]
    for i, level in enumerate(levels):
        for one in level:
            assert not any(cat.beats(one, other) for other in level)
            for above in levels[i + 1 :]:
                for other in above:
                    assert cat.beats(other, one)
                    assert not cat.beats(one, other)
    assert all(cat.strength(a[0]) < cat.strength(b[0]) for a, b in pairwise(levels))


def test_bombs_beat_the_rest_and_the_rest_only_its_own_kind() -> None:
    def beats(a: str, b: str) -> bool:
        return HUOPIN.beats(reading("huopin", a), reading("huopin", b))

    assert beats("3333", "22")
    assert beats("3333", "TJQKA")
    assert not beats("22", "8888")
    assert beats("88888", "9999")
    assert beats("4", "3")
    assert beats("x", "2")
    assert beats("X", "x")
    assert not beats("4", "4")
    assert not beats("44", "3")
    assert beats("45678", "34567")
    assert not beats("456789", "34567")
    assert not beats("445566", "334455667788")
    assert HUOPIN.beats(reading("huopin", "3"), None)
    assert HUOPIN.strength(reading("huopin", "22")) == 0


def test_codes() -> None:
    duel = Catalogue.of(load_variant("huopin-duel"))
    found = reading("huopin-duel", "444455556666X")
    assert duel.reading(found.code) == found
    assert duel.code(found) == found.code
    assert duel.code(None) == 0
    assert (found.unequal, found.size, found.wild, found.is_bomb) == (True, 13, 1, True)
    assert str(found.combination) == "chain 6 3x4"


def test_what_a_reading_may_be() -> None:
    duel = Catalogue.of(load_variant("huopin-duel"))
    chain = duel.find("chain", 5, 3, 4)
    pair = duel.find("pair", 14, 1, 2)
    wide = duel.find("bomb", 5, 1, 12)
    assert chain is not None
    assert pair is not None
    assert wide is not None
    assert duel.may_read(chain, 12, 4)
    assert duel.may_read(chain, 27, 0)
    assert not duel.may_read(chain, 28, 0)
    assert not duel.may_read(chain, 11, 0)
    assert not duel.may_read(chain, 12, 5)
    assert duel.may_read(pair, 2, 1)
    assert not duel.may_read(pair, 2, 2)
    assert duel.may_read(wide, 12, 4)
    assert not duel.may_read(wide, 12, 3)  # there are only eight of a rank
    plain = HUOPIN.find("chain", 5, 3, 4)
    assert plain is not None
    assert not HUOPIN.may_read(plain, 13, 0)
