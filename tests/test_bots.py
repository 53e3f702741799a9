"""Bots: found by name, never illegal, told no more than a player, good to their partner, stronger than auto-play."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from importlib.metadata import EntryPoint

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shuangkou import bots
from shuangkou.bots import BadBot, UnknownBot, bot, bot_names
from shuangkou.bots.heuristic import Heuristic, Outlook, Weights, prices
from shuangkou.bots.simulate import Setup, run, share
from shuangkou.bots.split import NEVER, Prices, Splitter
from shuangkou.rules.cards import FULL, PACK, Counts, count, counts_of, format_ranks, parse_ranks, size
from shuangkou.rules.catalogue import Catalogue
from shuangkou.rules.deal import PASS, Action, Deal, SeedSource
from shuangkou.rules.reading import canonical, plays
from shuangkou.rules.variant import Variant, load_variant, variant_ids
from shuangkou.rules.view import View
from shuangkou.table.bot import Bot
from tests.strategies import variants

SOURCE = SeedSource("unused")


def shipped() -> list[Variant]:
    return list(map(load_variant, variant_ids()))


def made_up() -> list[Variant]:
    """Variants that nobody plays: their settings differ from the shipped ones where a bot could rely on them."""
    huopin, duel = load_variant("huopin"), load_variant("huopin-duel")
    return [
        replace(
            huopin,
            id="short",
            straight=replace(huopin.straight, min_ranks=3, max_ranks=4),
            pair_run=replace(huopin.pair_run, min_ranks=2, max_ranks=3),
            triple_run=replace(huopin.triple_run, min_ranks=2, max_ranks=2),
            bomb=replace(huopin.bomb, max_width=4),
        ),
        replace(
            huopin, id="all-wild", wild=replace(huopin.wild, jokers="all", mixed_pair="none"), turned_up_card=False
        ),
        replace(
            duel,
            id="tame",
            wild=replace(duel.wild, jokers="none", mixed_pair="none"),
            chain=replace(duel.chain, max_groups=0, unequal=False),
            joker_bombs=replace(duel.joker_bombs, three_stars=0, four_stars=0),
            straight=replace(duel.straight, min_ranks=12, max_ranks=12),
        ),
        replace(duel, id="long-chains", chain=replace(duel.chain, min_groups=4, circle=True, unequal=False)),
    ]


def positions(variant: Variant, deals: int, seed: str, name: str = "heuristic") -> Iterator[tuple[View, Action, Deal]]:
    """Every decision of some deals that one kind of bot plays: what was seen, what was done, and the deal before it."""
    player = bot(name)
    for i in range(deals):
        deal = Deal.shuffle(variant, SeedSource(f"{seed}/{i}"))
        while deal.to_move is not None:
            seen = View.of(deal, deal.to_move)
            action = player.act(seen, SOURCE)
            yield seen, action, deal
            deal = deal.apply(action)


# -- names


def test_bots_are_found_by_name() -> None:
    assert bot_names() == tuple(sorted(bot_names()))
    assert {"autoplay", "heuristic"} <= set(bot_names())
    for name in ("autoplay", "heuristic"):
        assert isinstance(bot(name), Bot)


def test_unknown_bots_are_refused_with_the_known_names() -> None:
    with pytest.raises(UnknownBot, match=r"'nobody'; known: autoplay, heuristic") as caught:
        bot("nobody")
    assert caught.value.code == "unknown_bot"


class Tame:
    """A bot of another package."""

    def act(self, view: View, source: SeedSource) -> Action:
        options = view.canonical()
        return Action.of(options[source.below(len(options))]) if options else PASS


class Broken:
    def __init__(self) -> None:
        raise RuntimeError("no model")


class Number(int):
    """Something that is no bot."""


def entry(name: str, target: str) -> EntryPoint:
    return EntryPoint(name=name, value=f"{__name__}:{target}", group=bots.GROUP)


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[dict[str, type]], None]]:
    """Makes classes look like bots of installed packages."""

    def install(classes: dict[str, type]) -> None:
        entries = [entry(name, kind.__name__) for name, kind in classes.items()]
        monkeypatch.setattr("importlib.metadata.entry_points", lambda group: entries if group == bots.GROUP else [])
        bots._installed.cache_clear()

    yield install
    bots._installed.cache_clear()


def test_installed_bots_are_found_and_loaded_when_asked_for(installed: Callable[[dict[str, type]], None]) -> None:
    installed({"tame": Tame, "broken": Broken, "number": Number, "autoplay": Tame})
    assert bot_names() == ("autoplay", "broken", "heuristic", "number", "tame")
    assert isinstance(bot("tame"), Bot)
    assert type(bot("autoplay")).__name__ == "Autoplay"  # its own name cannot be taken
    with pytest.raises(BadBot, match=r"'broken'.*no model") as caught:
        bot("broken")
    assert caught.value.code == "bad_bot"
    with pytest.raises(BadBot, match="no method act"):
        bot("number")


def test_bots_are_imported_when_asked_for() -> None:
    code = "import sys, shuangkou.bots as b; b.bot_names(); print([m for m in sys.modules if 'bots.' in m])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


# -- legal, and no more than a player knows


@pytest.mark.parametrize("variant", [*shipped(), *made_up()], ids=lambda v: v.id)
@pytest.mark.parametrize("name", ["autoplay", "heuristic"])
def test_bots_never_break_the_rules(variant: Variant, name: str) -> None:
    moves = sum(1 for _ in positions(variant, 12, "legal", name))  # apply() raises at the first illegal move
    assert moves > 12 * 10


@pytest.mark.slow
@pytest.mark.parametrize("variant", [*shipped(), *made_up()], ids=lambda v: v.id)
def test_the_heuristic_never_breaks_the_rules_in_many_deals(variant: Variant) -> None:
    assert sum(1 for _ in positions(variant, 80, "many")) > 800


@pytest.mark.parametrize("variant", [*shipped(), *made_up()], ids=lambda v: v.id)
def test_bots_play_small_hands(variant: Variant) -> None:
    """Deals that begin with a few cards: the ends that full deals seldom reach."""
    chance = random.Random(11)
    players = {name: bot(name) for name in ("autoplay", "heuristic")}
    for _ in range(60):
        pack = list(PACK)
        chance.shuffle(pack)
        sizes = [chance.randint(1, 7) for _ in range(variant.players)]
        hands = [counts_of(pack[s * 27 : s * 27 + n]) for s, n in enumerate(sizes)]
        deal = Deal.start(variant, hands, chance.randrange(variant.players))
        while deal.to_move is not None:
            name = "heuristic" if deal.to_move % 2 else "autoplay"
            deal = deal.apply(players[name].act(View.of(deal, deal.to_move), SOURCE))


@given(variant=variants(scoring=False), seed=st.integers(0, 10**6))
@settings(max_examples=25)
def test_the_heuristic_plays_whatever_the_settings_are(variant: Variant, seed: int) -> None:
    assert sum(1 for _ in positions(variant, 1, str(seed))) > 5


@pytest.mark.parametrize("name", ["autoplay", "heuristic"])
@pytest.mark.parametrize("variant", shipped(), ids=lambda v: v.id)
def test_unseen_cards_do_not_matter(variant: Variant, name: str) -> None:
    """Exchanging cards between hands that a seat does not see (and the cards set aside) changes nothing it does."""
    chance = random.Random(5)
    player = bot(name)
    for i, (seen, action, deal) in enumerate(positions(variant, 3, "unseen", name)):
        if i % 5:
            continue
        assert seen.seat is not None
        other = _with_other_hands(deal, seen.seat, chance)
        assert View.of(other, seen.seat) == seen
        assert player.act(View.of(other, seen.seat), SeedSource("unused")) == action


def _with_other_hands(deal: Deal, seat: int, chance: random.Random) -> Deal:
    """The deal as it may be too for who sits at ``seat``: the others' cards dealt anew among what it has not seen."""
    unseen = View.of(deal, seat).unseen()
    pool = [rank for rank in range(15) for _ in range(count(unseen, rank))]
    chance.shuffle(pool)
    hands = []
    for s, hand in enumerate(deal.hands):
        drawn = [pool.pop() for _ in range(size(hand))] if s != seat else []
        hands.append(hand if s == seat else sum(1 << 4 * rank for rank in drawn))
    return replace(deal, hands=tuple(hands), _masks=deal._masks)


def test_bots_are_deterministic() -> None:
    variant = load_variant("huopin")
    first = [action for _, action, _ in positions(variant, 4, "again")]
    again = Heuristic()
    for number, (seen, _, _) in enumerate(positions(variant, 4, "again")):
        assert again.act(seen, SeedSource(number)) == first[number]


# -- what a sensible player does


@pytest.mark.parametrize("variant", [v for v in shipped() if v.players == 4], ids=lambda v: v.id)
def test_a_partners_winning_bomb_is_never_beaten(variant: Variant) -> None:
    """Over all positions of many deals: where the bomb on the table is the partner's the answer is a pass."""
    player = Heuristic()
    met = 0
    for seen, action, _ in positions(variant, 18, "bomb", "heuristic"):
        if seen.table is not None and seen.table.is_bomb and seen.table_seat == seen.partner():
            met += 1
            assert action == PASS
            assert player.act(seen, SOURCE) == PASS
    assert met > 30


def test_a_partners_winning_bomb_is_never_beaten_even_to_go_out() -> None:
    """By construction: thousands of tables on which the partner's bomb lies before a hand full of stronger bombs."""
    variant = load_variant("huopin")
    chance = random.Random(3)
    player = Heuristic()
    for _ in range(2500):
        top = chance.randrange(8)
        bomb = 4 << 4 * top
        mine = sum(
            chance.choice((4, 5, 6)) << 4 * rank for rank in chance.sample(range(top + 1, 13), chance.randint(1, 3))
        )
        deal = Deal.start(variant, [bomb + (1 << 4 * top), parse_ranks("345"), mine, parse_ranks("678")], 0)
        deal = deal.apply(Action(bomb)).apply(PASS)
        assert player.act(View.of(deal, 2), SOURCE) == PASS


def act(variant: str, hands: list[str], moves: list[str], weights: Weights | None = None) -> str:
    """What the heuristic does after some moves from given hands, seat 0 leading."""
    deal = Deal.start(load_variant(variant), [parse_ranks(hand) for hand in hands], 0)
    for move in moves:
        deal = deal.apply(Action.parse(move))
    assert deal.to_move is not None
    action = Heuristic(weights).act(View.of(deal, deal.to_move), SOURCE)
    return format_ranks(action.counts) or "pass"


@pytest.mark.parametrize(
    ("hands", "moves", "all_of_it"),
    [
        (["34567", "3", "44", "5"], [], "34567"),  # a straight
        (["444X", "3", "55", "6"], [], "444X"),  # a bomb
        (["3345", "55", "6677", "888"], ["33"], "55"),
        (["35", "5", "44", "8"], ["3"], "5"),
        (["39", "4444", "5", "6"], ["3"], "4444"),
        (["39", "4A", "56", "7J"], ["3", "4", "5", "7", "9"], "A"),
    ],
)
def test_goes_out_when_it_can(hands: list[str], moves: list[str], all_of_it: str) -> None:
    assert act("huopin", hands, moves) == all_of_it


def test_plays_a_sure_way_out() -> None:
    """Nobody can beat the 2s and the jokers: they go first, in whatever way, and the 3 at the end."""
    hands = ["322xxXX", "444", "556", "677"]
    moves: list[str] = []
    while sum(map(len, moves[::4])) < 6:
        led = act("classic", hands, moves)
        assert "3" not in led
        moves += [led, "pass", "pass", "pass"]
    assert act("classic", hands, moves) == "3"


def test_leaves_a_partners_high_play_alone() -> None:
    """The partner's 2 will probably win, and there is no reason to go over it."""
    hand = "3445667899TJQKKAx"
    assert act("huopin", ["23456789TJQ", "3456789TJQKA", hand, "3456789TJQK"], ["2", "pass"]) == "pass"


@pytest.mark.parametrize("hand", ["689TJQ", "689TJQKKAA", "68889TJQKA"])
def test_throws_in_what_it_does_not_need(hand: str) -> None:
    """A lone 6 goes over a 4; the straight stays whole."""
    assert act("huopin", ["3455667788", hand, "333444555", "TTTJJJQQQ"], ["4"]) == "6"


def test_feeds_a_partner_with_one_card() -> None:
    """With the lead and a partner who holds one card, a low single is led, the opponents holding many."""
    led = act("huopin", ["3557799TTJJ", "4466889JQQKK", "2", "4466889JQQKK"], [])
    assert led == "3"


def test_does_not_lead_singles_to_an_opponent_with_one_card() -> None:
    led = act("huopin", ["3445566", "A", "3789TJQK", "3789TJQK"], [])
    assert len(led) > 1


def test_a_bomb_stops_who_is_nearly_out() -> None:
    """An opponent with one card left wins with an ace: the bomb is worth it."""
    assert act("huopin", ["4A7", "3333568", "99TT", "JJQQ"], ["A"]) == "3333"


@pytest.mark.parametrize(
    ("variant", "other", "table", "hand", "cards", "kind"),
    [
        (load_variant("huopin-duel"), "778899TTTTJJJJ", "778899", "778899JJxxXX", "JJxxXX", "pair_run"),
        (load_variant("qianbian-duel"), "55566678889999", "56789", "556677TTxxXX", "TxxXX", "straight"),
        (made_up()[0], "44556677788888", "7788", "4556688xxXX", "88XX", "pair_run"),
        (made_up()[3], "6677888888999T", "6789T", "667788JJxxXX", "JxxXX", "straight"),
    ],
    ids=lambda value: value.id if isinstance(value, Variant) else str(value),
)
def test_named_kinds_are_named(variant: Variant, other: str, table: str, hand: str, cards: str, kind: str) -> None:
    """What reads as a bomb unnamed is made with its kind by a bot that hates bombs (R3.6)."""
    hands = [parse_ranks(other), parse_ranks(hand), *map(parse_ranks, ("2", "2")[: variant.players - 2])]
    deal = Deal.start(variant, hands, 0).apply(Action.parse(table))
    tame = Weights(bomb=-500, star=0, plain=60, stay=0, wild=0, keep=200, willing=1.0)
    action = Heuristic(tame).act(View.of(deal, 1), SOURCE)
    assert (format_ranks(action.counts), action.kind) == (cards, kind)
    named, unnamed = deal.apply(action).table, deal.apply(Action(action.counts)).table
    assert named is not None
    assert unnamed is not None
    assert (named.kind, unnamed.kind) == (kind, "bomb")


# -- the split of a hand


def flat(variant: Variant) -> Prices:
    """Every play costs one: the cheapest split is the one with the fewest plays."""
    row = (NEVER, *[100] * variant.bomb.max_width)
    jokers = {(1, 0): 100, (0, 1): 100, (2, 0): 100, (0, 2): 100}
    return Prices((row,) * 13, (100, 100, 100), (100,) * 30, tuple(jokers.items()))


def fewest(cat: Catalogue, hand: Counts, found: dict[Counts, int]) -> int:
    """The fewest plays by trying all of them (natural cards only)."""
    if not hand:
        return 0
    if hand not in found:
        lowest = (hand & -hand).bit_length() - 1 >> 2
        best = 99
        for play in canonical(cat, hand):
            if count(play.counts, lowest):
                best = min(best, 1 + fewest(cat, hand - play.counts, found))
        found[hand] = best
    return found[hand]


@pytest.mark.parametrize("variant", [load_variant("classic"), made_up()[0], made_up()[2]], ids=lambda v: v.id)
def test_splits_into_the_fewest_plays(variant: Variant) -> None:
    cat = Catalogue.of(variant)
    splitter = Splitter(cat, flat(variant))
    chance = random.Random(2)
    natural = [card for card in PACK if card < 52]
    found: dict[Counts, int] = {}
    for _ in range(60):
        hand = counts_of(chance.sample(natural[: chance.choice((48, 72, 104))], chance.randint(1, 11)))
        if variant.chain.max_groups and any(c.kind == "chain" for p in canonical(cat, hand) for c in (p.reading,)):
            continue
        assert splitter.cost(hand) == 100 * fewest(cat, hand, found), format_ranks(hand)


@pytest.mark.parametrize("variant", [*shipped(), *made_up()], ids=lambda v: v.id)
def test_a_split_has_every_card_once_and_its_price(variant: Variant) -> None:
    cat = Catalogue.of(variant)
    splitter = Splitter(cat, prices(cat, Weights()))
    for i in range(60):
        for hand in Deal.shuffle(variant, SeedSource(f"split/{i}")).hands:
            split = splitter.plays(hand)
            rest = hand
            for action in split:
                cards = cat.kernel.cards(rest, action)
                assert cards, format_ranks(hand)
                rest -= cards
            assert rest == 0, format_ranks(hand)
            assert sum(splitter.price(action) for action in split) == splitter.cost(hand)


def test_a_split_does_not_depend_on_what_was_split_before() -> None:
    cat = Catalogue.of(load_variant("huopin"))
    used = Splitter(cat, prices(cat, Weights()))
    hands = [hand for i in range(20) for hand in Deal.shuffle(cat.variant, SeedSource(i)).hands]
    before = [(used.cost(hand), used.plays(hand)) for hand in hands]
    for hand, told in reversed(list(zip(hands, before, strict=True))):
        assert (used.cost(hand), used.plays(hand)) == told
        fresh = Splitter(cat, prices(cat, Weights()))
        assert (fresh.cost(hand), fresh.plays(hand)) == told


# -- the outlook


def test_what_is_sure_is_never_beaten() -> None:
    """If a play is sure, no hand of the unseen cards that is small enough holds anything on it."""
    chance = random.Random(8)
    sure = 0
    for variant in shipped():
        cat = Catalogue.of(variant)
        for _ in range(60):
            pack = list(PACK)
            chance.shuffle(pack)
            mine, theirs, unseen = pack[:6], pack[6 : 6 + chance.randint(1, 5)], counts_of(pack[6:12])
            outlook = Outlook(cat, unseen, [len(theirs)], Weights())
            for play in canonical(cat, counts_of(mine)):
                if outlook.sure(play.reading.combination, cat.code(play.reading)):
                    sure += 1
                    assert not plays(cat, counts_of(theirs), play.reading)
    assert sure > 100


def test_chances_are_chances() -> None:
    for variant in shipped():
        cat = Catalogue.of(variant)
        for sizes in ([27], [27, 27], [1, 5], []):
            outlook = Outlook(cat, FULL - parse_ranks("34567"), sizes, Weights())
            for combination in cat.combinations[1:]:
                assert combination is not None
                assert 0 <= outlook.hold(combination) <= 1


# -- how strong and how fast


def first_finishers(variant: str, pairs: int) -> float:
    setup = Setup.of(load_variant(variant), ["heuristic", "autoplay"], "strength", pairs=True, plays_for="nothing")
    statistics, complete = run(setup, pairs)
    assert complete
    return share(statistics.sides[0].firsts).value


def test_stronger_than_autoplay() -> None:
    """Its side has the first finisher; the measured rate is well above what is asked for here."""
    assert first_finishers("huopin", 30) >= 0.85


@pytest.mark.slow
@pytest.mark.parametrize(
    ("variant", "least"),
    [("huopin", 0.92), ("baibian", 0.92), ("classic", 0.88), ("huopin-duel", 0.75), ("qianbian-duel", 0.75)],
)
def test_stronger_than_autoplay_in_every_variant(variant: str, least: float) -> None:
    assert first_finishers(variant, 150) >= least


@pytest.mark.slow
def test_answers_at_once() -> None:
    """In processor time, so that a busy machine does not matter; the limits are several times what is measured."""
    times = []
    player = Heuristic()
    for seen, _, _ in positions(load_variant("huopin"), 40, "speed", "autoplay"):
        begin = time.thread_time()
        player.act(seen, SOURCE)
        times.append(time.thread_time() - begin)
    times.sort()
    assert times[len(times) // 2] < 0.004
    assert times[len(times) * 99 // 100] < 0.02
