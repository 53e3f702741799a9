"""Deals as a whole: cards, turns, inherited lead, places, results and views (R1, R5)."""

from __future__ import annotations

import hashlib
import itertools
import random
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shuangkou.rules.cards import (
    CARDS,
    FULL,
    PACK,
    Card,
    counts_of,
    format_cards,
    parse_cards,
    parse_ranks,
    size,
)
from shuangkou.rules.combination import Reading
from shuangkou.rules.deal import PASS, Action, Deal, SeedSource, TurnedUp, seat_change, shuffled
from shuangkou.rules.errors import BadCards, IllegalPlay, Reason
from shuangkou.rules.reading import Play, canonical, plays, read
from shuangkou.rules.scoring import deal_settlement
from shuangkou.rules.variant import Variant, load_variant, variant_ids
from shuangkou.rules.view import View

HUOPIN = load_variant("huopin")
CLASSIC = load_variant("classic")
DUEL = load_variant("huopin-duel")

seeds = st.integers(0, 2**32)
variants = st.sampled_from([load_variant(name) for name in variant_ids()])


def random_action(deal: Deal, rng: random.Random) -> Action:
    """A canonical play or a pass, each equally likely."""
    found = deal.canonical()
    if deal.table is not None and rng.randrange(len(found) + 1) == 0:
        return PASS
    return Action.of(rng.choice(found)) if found else PASS


def course(variant: Variant, seed: int) -> Iterator[Deal]:
    """Every state of a random deal."""
    rng = random.Random(seed)
    deal = Deal.shuffle(variant, SeedSource(seed))
    yield deal
    while not deal.over:
        deal = deal.apply(random_action(deal, rng))
        yield deal


def played(*moves: str | None, hands: list[str], leader: int = 0, variant: Variant = HUOPIN) -> Deal:
    """A deal from hands after moves; None is a pass."""
    deal = Deal.start(variant, [parse_ranks(hand) for hand in hands], leader)
    for text in moves:
        deal = deal.apply(PASS if text is None else Action.parse(text))
    return deal


# -- the shuffle (R1.7) ----------------------------------------------------------------------------


def test_source_is_the_specified_stream() -> None:
    block = hashlib.sha256(b"shuangkou" + bytes(8)).digest()
    source = SeedSource("shuangkou")
    assert [source.below(256) for _ in range(32)] == list(block)
    assert source.below(1) == 0
    following = hashlib.sha256(b"shuangkou" + (1).to_bytes(8, "big")).digest()
    assert source.below(65536) == int.from_bytes(following[:2], "big")
    assert SeedSource(7).below(2**200) == SeedSource(b"7").below(2**200) == SeedSource("7").below(2**200)
    with pytest.raises(ValueError, match="does not exist"):
        source.below(0)


def test_source_rejects_what_would_favour_low_numbers() -> None:
    source = SeedSource("even")
    drawn = Counter(source.below(100) for _ in range(20000))
    assert set(drawn) == set(range(100))
    # 5 sigma of a fair draw of 200 each
    assert all(abs(n - 200) < 71 for n in drawn.values())


def test_shuffle_vectors() -> None:
    """Known answers, so that another program can check its own shuffle."""
    assert [str(c) for c in shuffled(PACK, SeedSource("shuangkou"))[:8]] == VECTOR
    deal = Deal.shuffle(HUOPIN, SeedSource("shuangkou"))
    assert deal.turned_up is not None
    assert (str(deal.turned_up.card), deal.leader, deal.turned_up.twin, deal.seats) == VECTOR_DEAL


VECTOR = ["5D", "TH", "5S", "QH", "6S", "6D", "2D", "AH"]
VECTOR_DEAL = ("JD", 1, 3, (0, 1, 2, 3))


def plain_shuffle(seed: bytes) -> list[str]:
    """The specification once more, with one byte a draw since 108 < 256."""
    stream = (byte for i in itertools.count() for byte in hashlib.sha256(seed + i.to_bytes(8, "big")).digest())
    deck = [rank + suit for rank in "3456789TJQKA2" for suit in "SHCD" for _ in range(2)] + ["x", "x", "X", "X"]
    for place in range(107, 0, -1):
        number = next(byte for byte in stream if byte < 256 // (place + 1) * (place + 1))
        other = number % (place + 1)
        deck[place], deck[other] = deck[other], deck[place]
    return deck


@pytest.mark.parametrize("seed", ["shuangkou", "", "0", "双扣"])
def test_shuffle_is_as_specified(seed: str) -> None:
    assert [str(card) for card in shuffled(PACK, SeedSource(seed))] == plain_shuffle(seed.encode())


@given(variants, seeds)
def test_a_deal_is_reproducible_and_conserves_the_cards(variant: Variant, seed: int) -> None:
    deal = Deal.shuffle(variant, SeedSource(seed))
    assert deal == Deal.shuffle(variant, SeedSource(seed))
    assert hash(deal) == hash(Deal.shuffle(variant, SeedSource(seed)))
    every = Counter(card for hand in deal.dealt for card in hand)
    assert all(len(hand) == 27 for hand in deal.dealt)
    assert not every - Counter(PACK)
    if variant.players == 4:
        assert every == Counter(PACK)
        assert sum(deal.hands) == FULL
    for s in range(variant.players):
        assert deal.cards(s) == deal.dealt[s]
        assert counts_of(deal.dealt[s]) == deal.hands[s]


# -- turned-up card and seats (R1.4-R1.6) ---------------------------------------------------------------


def test_seat_change() -> None:
    for leader in range(4):
        for twin in range(4):
            seats = seat_change(leader, twin)
            assert sorted(seats) == [0, 1, 2, 3]
            assert seats[leader] == leader
            assert (seats[(leader + 2) % 4] == twin) or twin == leader
            moved = [s for s in range(4) if seats[s] != s]
            assert moved in ([], sorted((twin, (leader + 2) % 4)))
    with pytest.raises(ValueError, match="0 to 3"):
        seat_change(0, 4)


@given(seeds)
def test_turned_up_card_four_players(seed: int) -> None:
    deal = Deal.shuffle(HUOPIN, SeedSource(seed))
    up = deal.turned_up
    assert up is not None
    assert up.twin in (up.holder, (up.holder + 2) % 4)
    assert deal.leader == up.holder == deal.to_move
    copies = [deal.dealt[s].count(up.card) for s in range(4)]
    assert sum(copies) == 2
    assert copies[up.holder] == (2 if up.twin == up.holder else 1)
    assert deal.holds_turned_up() == (up.holder, up.twin)
    assert sorted(deal.seats) == [0, 1, 2, 3]


def test_turned_up_card_names_every_card_and_seat() -> None:
    deals = [Deal.shuffle(HUOPIN, SeedSource(i)) for i in range(1500)]
    ups = [d.turned_up for d in deals if d.turned_up]
    assert {up.card for up in ups} == set(CARDS)
    assert {up.holder for up in ups} == {0, 1, 2, 3}
    assert len({d.seats for d in deals}) == 5  # nobody, or one of four pairs of neighbours
    both = sum(up.twin == up.holder for up in ups)
    # the twin is one of the 107 other cards, 26 of them in the same hand: expected 364, 5 sigma is 84
    assert abs(both - 1500 * 26 / 107) < 84


@given(seeds)
def test_turned_up_card_two_players(seed: int) -> None:
    deal = Deal.shuffle(DUEL, SeedSource(seed))
    up = deal.turned_up
    assert up is not None
    assert up.twin is None
    assert up.card in deal.dealt[up.holder]
    assert deal.leader == up.holder
    assert deal.seats == (0, 1)


def test_the_seat_change_lasts() -> None:
    deal = Deal.shuffle(HUOPIN, SeedSource(3), seats=(2, 0, 3, 1))
    plain = Deal.shuffle(HUOPIN, SeedSource(3))
    assert deal.seats == tuple((2, 0, 3, 1)[p] for p in plain.seats)
    rng = random.Random(0)
    while not deal.over:
        deal = deal.apply(random_action(deal, rng))
    after = deal.next(SeedSource(4))
    assert after.seats == tuple(deal.seats[p] for p in Deal.shuffle(HUOPIN, SeedSource(4)).seats)


@pytest.mark.parametrize("result", ["double", "single", "level"])
def test_next_lead_without_a_turned_up_card(result: str) -> None:
    found = 0
    for seed in range(400):
        *_, deal = course(CLASSIC, seed)
        if deal.result != result:
            continue
        found += 1
        leaders = {deal.next(SeedSource(i)).leader for i in range(40)}
        assert leaders == ({0, 1, 2, 3} if result == "double" else {deal.out[0]})
        if found == 5:
            return
    pytest.fail(f"no {result} in 400 deals")


def test_next_needs_the_end() -> None:
    with pytest.raises(ValueError, match="not over"):
        Deal.shuffle(HUOPIN, SeedSource(0)).next(SeedSource(1))


# -- course (R5) ------------------------------------------------------------------------------------


def test_a_pass_binds_only_that_turn() -> None:
    deal = played("3", None, "5", None, "6", "8", hands=["36", "48", "5K", "7K"])
    assert deal.table is not None
    assert deal.table.top == 5


def test_trick_is_taken_when_all_others_passed() -> None:
    deal = played("3", "4", None, None, None, hands=["35", "46", "7K", "8K"])
    assert (deal.to_move, deal.table, deal.table_seat, deal.inherited) == (1, None, None, False)


def test_inherited_lead() -> None:
    deal = played("3", None, None, None, hands=["3", "46", "57", "8K"])
    assert (deal.to_move, deal.table, deal.inherited) == (2, None, True)
    deal = deal.apply(Action.parse("5"))
    assert deal.moves[-1].inherited
    assert not deal.inherited


def test_no_inherited_lead_when_the_last_play_was_beaten() -> None:
    deal = played("3", "4", None, None, hands=["3", "46", "57", "8K"])
    assert (deal.to_move, deal.inherited) == (1, False)


def test_the_beater_of_a_finisher_goes_out_too() -> None:
    # seat 0 goes out, seat 1 beats and goes out: its partner, seat 3, inherits
    deal = played("3", "4", None, None, hands=["3", "4", "57", "8K"])
    assert (deal.to_move, deal.table, deal.inherited, deal.out) == (3, None, True, (0, 1))


def test_turns_skip_who_is_out() -> None:
    deal = played("3", "4", "5", None, "6", hands=["3", "46", "58", "8K"])
    assert deal.to_move == 2
    deal = deal.apply(PASS)
    assert deal.to_move == 3
    deal = deal.apply(PASS)
    # seat 1 has taken the trick with its last card: its partner inherits
    assert (deal.to_move, deal.inherited) == (3, True)


@pytest.mark.parametrize(
    ("hands", "leader", "moves", "order"),
    [
        (["3", "46", "4", "5K"], 0, ["3", None, "4"], (0, 2, 3, 1)),
        (["3", "48", "6", "57"], 0, ["3", "4", None, "5", None, "6"], (0, 2, 3, 1)),
        (["46", "3", "57", "4"], 1, ["3", None, "4"], (1, 3, 0, 2)),
        (["4", "65", "7", "35"], 3, ["3", "4", "5", None, None, "6"], None),
    ],
)
def test_double(hands: list[str], leader: int, moves: list[str | None], order: tuple[int, ...] | None) -> None:
    """The two that are left are placed in turn order after the second finisher (R5.5)."""
    deal = played(*moves, hands=hands, leader=leader)
    assert deal.order == order
    assert deal.result == (None if order is None else "double")


@pytest.mark.parametrize(
    ("hands", "leader", "moves", "order"),
    [
        (["3", "46", "4", "5K2"], 0, ["3", None, "4"], (0, 2, 1, 3)),
        (["3", "462", "4", "5K"], 0, ["3", None, "4"], (0, 2, 3, 1)),
        (["3", "46", "4", "5K"], 0, ["3", None, "4"], (0, 2, 3, 1)),  # as many: turn order
        (["46", "3", "57", "4"], 1, ["3", None, "4"], (1, 3, 0, 2)),
        (["462", "3", "57", "4"], 1, ["3", None, "4"], (1, 3, 2, 0)),
    ],
)
def test_double_with_the_smaller_hand_third(
    hands: list[str], leader: int, moves: list[str | None], order: tuple[int, ...]
) -> None:
    """The variant may place who holds fewer cards third (R5.5)."""
    deal = played(*moves, hands=hands, leader=leader, variant=replace(HUOPIN, places_after_double="fewer_cards"))
    assert (deal.order, deal.result) == (order, "double")
    other = played(*moves, hands=hands, leader=leader)
    assert (other.order, other.result) == ((*order[:2], *((order[1] + k) % 4 for k in (1, 3))), "double")


@settings(max_examples=30, deadline=None)
@given(variants, seeds)
def test_only_the_places_after_a_double_change(variant: Variant, seed: int) -> None:
    """R5.5: nothing else in the course of a deal depends on it, and with two players nothing at all."""
    *_, one = course(variant, seed)
    *_, other = course(replace(variant, places_after_double="fewer_cards"), seed)
    assert (one.moves, one.left, one.result, one.out) == (other.moves, other.left, other.result, other.out)
    assert one.order is not None
    assert other.order is not None
    assert sorted(one.order) == sorted(other.order)
    if one.order != other.order:
        assert (one.result, variant.players) == ("double", 4)
        assert one.left[one.order[2]] > one.left[one.order[3]]
        assert other.order == (*one.order[:2], one.order[3], one.order[2])
    elif one.result == "double" and variant.players == 4:
        assert one.left[one.order[2]] <= one.left[one.order[3]]


def test_single_and_level() -> None:
    # out in the order 0, 1, 2: first and third are partners
    single = played("3", "4", "5", hands=["3", "4", "5", "6K"])
    assert (single.order, single.result, single.left) == ((0, 1, 2, 3), "single", (0, 0, 0, 2))
    # out in the order 0, 1, 3: first and fourth are partners; the deal ends though 1 and 3 are partners too
    level = played("3", "4", None, "6", hands=["3", "4", "5K", "6"])
    assert (level.order, level.result) == ((0, 1, 3, 2), "level")


@pytest.mark.parametrize(
    ("left", "result"), [(1, "level"), (6, "level"), (7, "single"), (11, "single"), (12, "double")]
)
def test_result_of_two_players(left: int, result: str) -> None:
    deal = played("3", hands=["3", ("456789TJQKA2" + "456789TJQKA2")[:left]], variant=DUEL)
    assert (deal.over, deal.order, deal.result) == (True, (0, 1), result)


def test_reasons_in_their_order() -> None:
    deal = Deal.start(HUOPIN, [parse_ranks(h) for h in ("345", "678", "9TJ", "QKA")], 0)
    wrong = [
        (deal, Action.parse("678"), 1, Reason.NOT_YOUR_TURN),
        (deal, PASS, 0, Reason.MUST_LEAD),
        (deal, PASS, 1, Reason.NOT_YOUR_TURN),
        (deal, Action.parse("6"), 0, Reason.NOT_HELD),
        (deal, Action.parse("34"), 0, Reason.ILLEGAL_PLAY),
        (deal, Action.parse("3", "bomb"), 0, Reason.ILLEGAL_PLAY),
        (deal.apply(Action.parse("3")), Action.parse("67"), 1, Reason.ILLEGAL_PLAY),
    ]
    over = played("3", hands=["3", "45"], variant=DUEL)
    wrong += [(over, PASS, 0, Reason.DEAL_OVER), (over, Action.parse("4"), 1, Reason.DEAL_OVER)]
    for state, action, seat, reason in wrong:
        with pytest.raises(IllegalPlay) as caught:
            state.apply(action, seat)
        assert caught.value.reason is reason
        assert caught.value.code == reason.value


def test_named_kind() -> None:
    table = played("334455", hands=["3344556", "55xxXX7"], variant=DUEL)
    bomb = table.apply(Action.parse("55xxXX")).table
    run = table.apply(Action.parse("55xxXX", "pair_run")).table
    assert bomb is not None
    assert run is not None
    assert (bomb.kind, bomb.stars, run.kind, run.top) == ("bomb", 6, "pair_run", 4)


@pytest.mark.parametrize("counts", [1 << 60, 3 << 60, 1 << 60 | 1, 1 << 64, (1 << 64) - 1, 9, 3 << 56, -1, -(1 << 60)])
def test_cards_that_do_not_exist_are_not_held(counts: int) -> None:
    deal = Deal.start(HUOPIN, [parse_ranks(h) for h in ("345678X", "4", "5", "6")], 0)
    with pytest.raises(IllegalPlay) as caught:
        deal.apply(Action(counts))
    assert caught.value.reason is Reason.NOT_HELD


def test_an_action_is_checked_when_it_is_made() -> None:
    with pytest.raises(ValueError, match="flush"):
        Action(1, "flush")
    with pytest.raises(BadCards, match="not its ranks"):
        Action(parse_ranks("7"), None, parse_cards("8H"))
    with pytest.raises(BadCards, match="not its ranks"):
        Action(parse_ranks("777"), None, (Card.parse("7H"),) * 3)


@given(variants, seeds)
@settings(max_examples=15)
def test_a_move_is_a_fact_that_leads_on(variant: Variant, seed: int) -> None:
    """What `move` gives is all that `after` needs: a stored move never asks the rules again."""
    *_, deal = course(variant, seed)
    again = Deal.shuffle(variant, SeedSource(seed))
    for move in deal.moves:
        again = again.after(move)
    assert again == deal


@given(variants, seeds)
@settings(max_examples=10)
def test_a_deal_shows_no_card_when_it_is_printed(variant: Variant, seed: int) -> None:
    for deal in course(variant, seed):
        other = exchanged(deal, deal.leader, random.Random(seed)) if not deal.moves else deal
        assert repr(other) == repr(deal)
        assert not re.search(r"[2-9TJQKA][SHCD]|hands", repr(deal))


# -- faces ------------------------------------------------------------------------------------------


def test_of_equal_ranks_the_turned_up_card_leaves_last() -> None:
    hand = parse_cards("7S 7S 7H 7D 9C")
    others = [parse_cards(t) for t in ("3S 4S", "5S 6S", "7C TS")]
    up = TurnedUp(Card.parse("7S"), 0, 0)
    deal = Deal.start(HUOPIN, [hand, *others], 0, turned_up=up)
    assert deal.holds_turned_up() == (0, 0)
    two = deal.apply(Action.parse("77"))
    assert format_cards(two.moves[-1].cards) == "7H 7D"
    three = deal.apply(Action.parse("777"))
    assert format_cards(three.moves[-1].cards) == "7S 7H 7D"
    assert three.holds_turned_up() == (0, None)
    every = deal.apply(Action.parse("7777"))
    assert every.holds_turned_up() == (None, None)
    assert format_cards(every.cards(0)) == "9C"


def test_a_play_may_name_faces() -> None:
    deal = Deal.start(HUOPIN, [parse_cards(t) for t in ("7S 7S 7H 8H x", "3S 4S", "5S 6S", "7C TS")], 0)
    first = deal.apply(Action.parse("7S 7H"))
    assert format_cards(first.moves[0].cards) == "7S 7H"
    assert format_cards(first.cards(0)) == "7S 8H x"
    with pytest.raises(IllegalPlay) as caught:
        deal.apply(Action.parse("7D"))
    assert caught.value.reason is Reason.NOT_HELD
    with pytest.raises(IllegalPlay) as caught:
        deal.apply(Action.parse("7H7H"))
    assert caught.value.reason is Reason.NOT_HELD
    with pytest.raises(IllegalPlay):  # a deal of ranks knows no faces
        played(hands=["37", "4", "5", "6"]).apply(Action.parse("7S"))


@given(variants, seeds)
@settings(max_examples=40)
def test_faces_and_ranks_tell_the_same(variant: Variant, seed: int) -> None:
    *_, deal = course(variant, seed)
    gone: Counter[Card] = Counter()
    for move in deal.moves:
        assert counts_of(move.cards) == move.counts
        gone.update(move.cards)
    left = Counter(card for s in range(deal.players) for card in deal.cards(s))
    assert gone + left == Counter(card for hand in deal.dealt for card in hand)


# -- whole random deals -----------------------------------------------------------------------------


@given(variants, seeds)
@settings(max_examples=40)
def test_course_of_random_deals(variant: Variant, seed: int) -> None:
    total = variant.players * 27
    shown: Reading | None = None
    for deal in course(variant, seed):
        assert sum(deal.left) + size(sum(m.counts for m in deal.moves)) == total
        assert deal.moves or deal.to_move == deal.leader
        if deal.moves and deal.moves[-1].reading is not None:
            move = deal.moves[-1]
            assert move.reading is not None
            if shown is not None:
                assert deal.catalogue.beats(move.reading, shown)
                assert not deal.catalogue.beats(shown, move.reading)
            assert move.reading.size == size(move.counts)
        shown = deal.table
        if not deal.over:
            assert deal.to_move is not None
            assert deal.hands[deal.to_move]
    assert deal.over
    assert deal.order is not None
    assert sorted(deal.order) == list(range(variant.players))
    assert deal.canonical() == []
    again = Deal.shuffle(variant, SeedSource(seed))
    for move in deal.moves:
        again = again.apply(Action(move.counts, None if move.reading is None else move.reading.kind), move.seat)
    assert again == deal
    if variant.points is not None:
        settled = deal_settlement(deal)
        assert sum(settled.contribution) == 0


@given(variants, seeds)
@settings(max_examples=15)
def test_every_canonical_play_reads_as_what_it_claims(variant: Variant, seed: int) -> None:
    for deal in course(variant, seed):
        assert deal.over or deal.canonical() == canonical(deal.catalogue, deal.hands[deal.to_move or 0], deal.table)
        for play in deal.canonical():
            after = deal.apply(Action.of(play))
            assert after.moves[-1].reading == play.reading
            assert (read(deal.catalogue, play.counts, deal.table) == play.reading) == (play.kind is None)
            check_fewest_wild(deal, play)


def check_fewest_wild(deal: Deal, play: Play) -> None:
    """No other play of the same combination uses fewer wild cards."""
    others = [p for p in deal.canonical() if p.reading.combination == play.reading.combination]
    assert len({p.action for p in others}) == len(others)
    assert all(p.reading.wild == play.reading.wild for p in others if p.reading.size == play.reading.size)


@given(variants, seeds)
@settings(max_examples=15)
def test_canonical_plays_are_among_all_plays(variant: Variant, seed: int) -> None:
    rng = random.Random(seed)
    for deal in course(variant, seed):
        if deal.to_move is None or size(deal.hands[deal.to_move]) > 16 or rng.random() < 0.7:
            continue
        every = set(plays(deal.catalogue, deal.hands[deal.to_move], deal.table))
        assert {play.counts for play in deal.canonical()} <= every
        assert all(read(deal.catalogue, counts, deal.table) is not None for counts in every)
        auto = deal.autoplay()
        assert auto.counts in every or (auto == PASS and not every)


# -- views (R5.7) -----------------------------------------------------------------------------------


def exchanged(deal: Deal, seat: int, rng: random.Random) -> Deal:
    """The same start for everything that ``seat`` sees, the other hands dealt again."""
    up = deal.turned_up
    fixed: dict[int, list[Card]] = {s: [] for s in range(deal.players)}
    if up is not None:
        fixed[up.holder].append(up.card)
        if up.twin is not None:
            fixed[up.twin].append(up.card)
    fixed[seat] = list(deal.dealt[seat])
    rest = list((Counter(PACK) - Counter(c for hand in fixed.values() for c in hand)).elements())
    rng.shuffle(rest)
    hands = []
    for s in range(deal.players):
        need = 27 - len(fixed[s])
        hands.append(fixed[s] + rest[:need])
        rest = rest[need:]
    return Deal.start(deal.variant, hands, deal.leader, seats=deal.seats, turned_up=up)


@given(variants, seeds, st.integers(0, 3))
@settings(max_examples=60)
def test_a_view_does_not_change_with_unseen_cards(variant: Variant, seed: int, seat: int) -> None:
    seat %= variant.players
    rng = random.Random(seed)
    deal = Deal.shuffle(variant, SeedSource(seed))
    other = exchanged(deal, seat, rng)
    for _ in range(12):
        assert View.of(deal, seat) == View.of(other, seat)
        assert repr(View.of(deal, seat)) == repr(View.of(other, seat))
        assert View.of(deal, "public") == View.of(other, "public")
        if deal.to_move is None or other.to_move is None:
            break
        # a play that both hands can make, with the same faces: the course stays the same to see
        action = random_action(deal, rng)
        try:
            after, twin = deal.apply(action), other.apply(action)
        except IllegalPlay:
            break
        if after.moves[-1] != twin.moves[-1]:
            break
        deal, other = after, twin


@given(variants, seeds)
@settings(max_examples=20)
def test_views_show_what_they_should(variant: Variant, seed: int) -> None:
    for i, deal in enumerate(course(variant, seed)):
        if i % 7:
            continue
        public = View.of(deal, "public")
        assert public.hands == (None,) * deal.players
        assert not any(public.faces)
        full = View.of(deal, "all")
        assert full.hands == deal.hands
        with pytest.raises(ValueError, match="no seat"):
            _ = public.hand
        for seat in range(deal.players):
            own = View.of(deal, seat)
            assert own.hand == deal.hands[seat]
            assert [h is None for h in own.hands] == [s != seat for s in range(deal.players)]
            assert own.unseen() + own.hand + own.played() == FULL
            assert own.canonical() == (deal.canonical() if deal.to_move == seat else [])
            assert own.partner() == (None if deal.players == 2 else (seat + 2) % 4)
            assert own.bombs() == deal.bombs()
            assert replace(own, seat=None, hands=public.hands, faces=public.faces) == public


def test_no_such_view() -> None:
    deal = Deal.shuffle(DUEL, SeedSource(0))
    for bad in (2, -1, True, False, "everyone"):
        with pytest.raises(ValueError, match="no seat"):
            View.of(deal, bad)  # type: ignore[arg-type]


# -- bad beginnings ---------------------------------------------------------------------------------


def test_bad_starts() -> None:
    four = [parse_ranks(h) for h in ("3", "4", "5", "6")]
    faces = [parse_cards(t) for t in ("7S 7H", "3S", "7S 4S", "5S")]
    up = TurnedUp(Card.parse("7S"), 0, 2)
    assert Deal.start(HUOPIN, faces, 0, turned_up=up).turned_up == up
    with pytest.raises(ValueError, match="4 hands"):
        Deal.start(HUOPIN, four[:3], 0)
    with pytest.raises(ValueError, match="no seat"):
        Deal.start(HUOPIN, four, 4)
    with pytest.raises(ValueError, match="order of the players"):
        Deal.start(HUOPIN, four, 0, seats=(0, 1, 2, 2))
    with pytest.raises(BadCards):
        Deal.start(HUOPIN, [0, *four[1:]], 0)
    with pytest.raises(BadCards):
        Deal.start(HUOPIN, [parse_ranks("33333"), parse_ranks("3333"), *four[2:]], 0)
    with pytest.raises(BadCards):
        Deal.start(HUOPIN, [parse_cards("3S 3S"), parse_cards("3S"), *faces[2:]], 0)
    for bad in (
        TurnedUp(Card.parse("7S"), 1, 2),
        TurnedUp(Card.parse("7S"), 0, None),
        TurnedUp(Card.parse("7S"), 0, 0),
        TurnedUp(Card.parse("8S"), 0, 2),
        TurnedUp(Card.parse("7S"), 0, 1),
    ):
        with pytest.raises(ValueError, match=r"turned-up card|twin"):
            Deal.start(HUOPIN, faces, 0, turned_up=bad)
    with pytest.raises(ValueError, match="twin is not shown"):
        Deal.start(DUEL, [parse_cards("7S"), parse_cards("7S")], 0, turned_up=TurnedUp(Card.parse("7S"), 0, 1))
    with pytest.raises(ValueError, match="order of the players"):
        Deal.shuffle(HUOPIN, SeedSource(0), seats=(1, 2, 3))
    with pytest.raises(ValueError, match="no seat"):
        Deal.shuffle(CLASSIC, SeedSource(0), leader=4)
    with pytest.raises(ValueError, match="turned-up card leads"):
        Deal.shuffle(HUOPIN, SeedSource(0), leader=1)
