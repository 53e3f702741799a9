"""Many deals at once: both forms of the kernel, single deals, views and settlements all say the same."""

from __future__ import annotations

import hashlib
import random
import re
import sys
import threading
from array import array
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from shuangkou.research import batch as batch_module
from shuangkou.research.batch import FEATURE_NAMES, Batch, BatchError
from shuangkou.rules import engine
from shuangkou.rules.cards import FULL, ONE, RANKS, parse_ranks, size
from shuangkou.rules.catalogue import Catalogue
from shuangkou.rules.combination import KINDS
from shuangkou.rules.deal import PASS, Action, Deal, SeedSource
from shuangkou.rules.errors import SettlementError
from shuangkou.rules.scoring import deal_settlement
from shuangkou.rules.variant import Variant, load_variant, variant_ids, with_settings
from shuangkou.rules.view import View
from tests.test_engine import compiled

FORMS = ["plain", "compiled"]
WORDS = engine.STATE_WORDS
FEATURES = engine.FEATURES
FOUR = [name for name in variant_ids() if load_variant(name).players == 4]
TWO = [name for name in variant_ids() if load_variant(name).players == 2]


def kernel_of(variant: Variant, form: str) -> Any:
    module = compiled() if form == "compiled" else engine.kernel("plain")
    return Catalogue(variant, module.Kernel).kernel


def starts(variant: Variant, n: int, seed: str) -> tuple[list[Deal], array[int]]:
    """Deals, and their states one after another."""
    deals = [Deal.shuffle(variant, SeedSource(f"{seed}/{i}")) for i in range(n)]
    kernel = Catalogue.of(variant).kernel
    states = array("Q")
    for deal in deals:
        states += kernel.state(deal.hands, deal.leader)
    return deals, states


def midway(variant: Variant, n: int, seed: str) -> tuple[list[Deal], array[int]]:
    """Deals with 0, 3, 6, ... moves made by chance, and their states."""
    deals, states = starts(variant, n, seed)
    kernel = Catalogue.of(variant).kernel
    rng = random.Random(seed)
    for k in range(n):
        for _ in range(3 * k):
            if deals[k].over:
                break
            action = rng.choice(choices(deals[k]))
            deals[k] = applied(deals[k], action)
            kernel.step(states, action, WORDS * k)
    return deals, states


def choices(deal: Deal) -> list[int]:
    if deal.over:
        return []
    return [0] * (deal.table is not None) + [play.action for play in deal.canonical()]


def applied(deal: Deal, action: int) -> Deal:
    if not action:
        return deal.apply(PASS)
    return deal.apply(Action.of(next(play for play in deal.canonical() if play.action == action)))


def told(deal: Deal) -> list[int]:
    """The features of a deal, from the view of the seat to move alone."""
    if deal.to_move is None:
        return [0] * FEATURES
    seen = View.of(deal, deal.to_move)
    mine = deal.to_move
    n = len(seen.left)
    others = [(mine + k) % n for k in range(1, n)]
    none = [0] * (4 - n)
    found = [seen.hand // one & 15 for one in ONE]
    found += [seen.unseen() // one & 15 for one in ONE]
    found += [seen.left[s] for s in (mine, *others)] + none
    table = seen.table
    if table is None:
        found += [0] * 19
    else:
        found += [int(kind == table.kind) for kind in KINDS]
        found += [table.top + 1, table.groups, table.width, table.size, table.stars, table.wild]
        found += [int(s == seen.table_seat) for s in others] + none
        since = 0  # passes since the play on the table
        while seen.moves[-1 - since].reading is None:
            since += 1
        found.append(sum(1 for s in range(n) if seen.left[s] and s != seen.table_seat) - since)
    for side in (0, 1):
        found.append(max((r.stars for s, r in seen.bombs() if (s - mine) % 2 == side), default=0))
    found.append(len(seen.out))
    found += [seen.out.index(s) + 1 if s in seen.out else 0 for s in others] + none
    return found


# Both forms, deal by deal


@pytest.mark.parametrize("name", variant_ids())
@pytest.mark.parametrize("form", FORMS)
def test_batches_follow_deals_step_by_step(name: str, form: str) -> None:
    variant = load_variant(name)
    kernel = kernel_of(variant, form)
    n = 6
    deals, states = starts(variant, n, f"follow/{name}")
    ids, offsets, features = array("i", bytes(4 * 1000 * n)), array("i", bytes(4 * (n + 1))), array("B", bytes(59 * n))
    rng = random.Random(name)
    steps = 0
    while not all(deal.over for deal in deals):
        total = kernel.batch_plays(states, ids, offsets)
        assert (offsets[0], offsets[n]) == (0, total)
        slices = [ids[a:b].tolist() for a, b in pairwise(offsets)]
        assert slices == [choices(deal) for deal in deals]
        kernel.batch_features(states, features)
        assert [features[FEATURES * k : FEATURES * (k + 1)].tolist() for k in range(n)] == [told(d) for d in deals]
        actions = array("i", [rng.choice(found) if found else 999 for found in slices])
        assert kernel.batch_refused(states, actions) == -1
        kernel.batch_step(states, actions)
        deals = [d if d.over else applied(d, action) for d, action in zip(deals, actions, strict=True)]
        for k, deal in enumerate(deals):
            state = states[WORDS * k : WORDS * (k + 1)]
            assert tuple(state[: deal.players]) == deal.hands
            assert (state[4], state[5]) == (deal.table.code if deal.table else 0, 15 if deal.over else deal.to_move)
            assert (state[9], state[18]) == (len(deal.moves), sum(m.counts for m in deal.moves))
        steps += 1
    assert steps > 10
    assert kernel.batch_plays(states, ids, offsets) == 0
    assert set(offsets) == {0}


@pytest.mark.parametrize("name", variant_ids())
def test_both_forms_are_the_same(name: str) -> None:
    variant = load_variant(name)
    plain, fast = kernel_of(variant, "plain"), kernel_of(variant, "compiled")
    _, states = midway(variant, 30, f"same/{name}")
    n = len(states) // WORDS
    found = []
    for kernel in (plain, fast):
        ids, offsets, features = array("i", bytes(40000)), array("i", bytes(4 * n + 4)), array("B", bytes(FEATURES * n))
        total = kernel.batch_plays(states, ids, offsets)
        kernel.batch_features(states, features)
        rng = random.Random(name)
        actions = array("i", [ids[rng.randrange(a, b)] if a < b else 0 for a, b in pairwise(offsets)])
        after = states[:]
        kernel.batch_step(after, actions)
        wrong = [rng.randrange(0, 2048) for _ in range(n)]
        refused = [kernel.batch_refused(states[WORDS * k : WORDS * (k + 1)], array("i", [wrong[k]])) for k in range(n)]
        assert refused == [-1 if a == b or wrong[k] in ids[a:b] else 0 for k, (a, b) in enumerate(pairwise(offsets))]
        found.append((total, ids, offsets, features, after, refused))
    assert found[0] == found[1]


# Buffers


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("room", [0, 1, 50, 100])
def test_a_small_buffer_is_filled_with_whole_deals_and_no_further(form: str, room: int) -> None:
    kernel = kernel_of(load_variant("huopin"), form)
    _, states = midway(load_variant("huopin"), 8, "small")
    whole, offsets = array("i", bytes(4 * 9000)), array("i", bytes(4 * 9))
    total = kernel.batch_plays(states, whole, offsets)
    assert total > 100
    memory = array("i", [-7] * (room + 10))
    ids, again = memoryview(memory)[:room], array("i", bytes(4 * 9))
    assert kernel.batch_plays(states, ids, again) == total
    assert again == offsets
    fitting = max(b for b in offsets if b <= room)
    assert memory[:fitting] == whole[:fitting]
    assert set(memory[fitting:]) == {-7}
    exact = array("i", bytes(4 * total))
    assert kernel.batch_plays(states, exact, again) == total
    assert exact == whole[:total]


@pytest.mark.parametrize("form", FORMS)
def test_arrays_of_both_kinds_and_of_any_shape(form: str) -> None:
    variant = load_variant("qianbian-duel")
    kernel = kernel_of(variant, form)
    _, states = midway(variant, 8, "buffers")
    rows = np.array(states, np.uint64).reshape(8, WORDS)
    ids, offsets, features = array("i", bytes(4 * 3000)), array("i", bytes(4 * 9)), array("B", bytes(FEATURES * 8))
    ids_too, offsets_too = np.zeros(3000, np.int32), np.zeros(9, np.int32)
    features_too = np.full((8, FEATURES), 255, np.uint8)
    assert kernel.batch_plays(states, ids, offsets) == kernel.batch_plays(rows, ids_too, offsets_too)
    assert (ids.tolist(), offsets.tolist()) == (ids_too.tolist(), offsets_too.tolist())
    kernel.batch_features(states, features)
    kernel.batch_features(rows, features_too)
    assert features.tolist() == features_too.ravel().tolist()
    actions = np.array([ids[a] if a < b else 0 for a, b in pairwise(offsets)], np.int32)
    actions.flags.writeable = False
    for k in range(8):
        assert kernel.count(rows, WORDS * k) == kernel.count(states, WORDS * k)
    kernel.batch_step(states, actions)
    kernel.batch_step(rows, actions)
    assert rows.ravel().tolist() == states.tolist()
    assert kernel.playouts(states, 5) == kernel.playouts(rows, 5)
    assert rows.ravel().tolist() == states.tolist()
    fresh = kernel.state([parse_ranks("33"), parse_ranks("44")], 0)
    rows[0] = fresh
    kernel.weighted_playouts(rows, 1, np.ones(1024))
    assert rows[0, 5] == 15


@pytest.mark.parametrize("form", FORMS)
def test_no_deals_at_all(form: str) -> None:
    kernel = kernel_of(load_variant("huopin"), form)
    for none in (array("Q"), np.zeros((0, WORDS), np.uint64)):
        offsets = array("i", [9])
        assert kernel.batch_plays(none, array("i"), offsets) == 0
        assert offsets[0] == 0
        kernel.batch_features(none, array("B"))
        kernel.batch_step(none, array("i"))
        assert kernel.batch_refused(none, array("i")) == -1
        assert kernel.playouts(none, 0) == 0


@pytest.mark.parametrize("form", FORMS)
def test_buffers_that_do_not_fit_are_refused(form: str) -> None:
    kernel = kernel_of(load_variant("huopin"), form)
    _, states = starts(load_variant("huopin"), 2, "refused")
    ids, offsets, features = array("i", bytes(4000)), array("i", bytes(12)), array("B", bytes(2 * FEATURES))
    calls: list[Callable[[], object]] = [
        lambda: kernel.batch_plays(states[:-1], ids, offsets),
        lambda: kernel.batch_plays(states, ids, offsets[:-1]),
        lambda: kernel.batch_plays(states, array("q", bytes(4000)), offsets),
        lambda: kernel.batch_plays(array("d", bytes(8 * WORDS)), ids, offsets),
        lambda: kernel.batch_step(states, ids[:1]),
        lambda: kernel.batch_refused(states, ids[:1]),
        lambda: kernel.batch_features(states, features[:-1]),
        lambda: kernel.batch_features(states, array("b", bytes(2 * FEATURES))),
        lambda: kernel.batch_features(np.zeros((2, 2 * WORDS), np.uint64)[:, ::2], features),
        lambda: kernel.playouts(states[1:], 0),
    ]
    for call in calls:
        with pytest.raises(ValueError, match=r"expected|whole"):
            call()


@pytest.mark.parametrize("what", ["plays", "features", "refused", "step", "playouts"])
def test_other_threads_run_meanwhile(what: str) -> None:
    """With no switches but where a thread lets the others run, the main one comes to say stop."""
    kernel = kernel_of(load_variant("huopin"), "compiled")
    _, few = midway(load_variant("huopin"), 20, "threads")
    states = few * 100
    n = len(states) // WORDS
    ids, offsets, features = (
        array("i", bytes(4 * 400 * n)),
        array("i", bytes(4 * n + 4)),
        array("B", bytes(FEATURES * n)),
    )
    kernel.batch_plays(states, ids, offsets)
    actions = array("i", [ids[b - 1] if a < b else 0 for a, b in pairwise(offsets)])
    work: dict[str, Callable[[], object]] = {
        "plays": lambda: kernel.batch_plays(states, ids, offsets),
        "features": lambda: kernel.batch_features(states, features),
        "refused": lambda: kernel.batch_refused(states, actions),
        "step": lambda: kernel.batch_step(states[:], actions),
        "playouts": lambda: kernel.playouts(states[:], 1),
    }
    most, rounds, stop = 3000, 0, False

    def run() -> None:
        nonlocal rounds
        while rounds < most and not stop:
            work[what]()
            rounds += 1

    usual = sys.getswitchinterval()
    thread = threading.Thread(target=run)
    sys.setswitchinterval(1000)
    try:
        thread.start()
        stop = True
        thread.join()
    finally:
        sys.setswitchinterval(usual)
    assert rounds < most


def test_threads_do_not_disturb_one_another() -> None:
    variant = load_variant("huopin")

    def whole(seed: int) -> tuple[bytes, int]:
        batch = Batch.shuffle(variant, 40, seed)
        found = hashlib.sha256()
        while not batch.over.all():
            ids, offsets = batch.legal()
            found.update(ids.tobytes() + batch.features().tobytes())
            batch.step([ids[b - 1] if a < b else 0 for a, b in pairwise(offsets)])
        return found.digest(), int(batch.points().sum())

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(whole, range(4))) == [whole(seed) for seed in range(4)]


# Features


def row(variant: Variant, state: array[int]) -> dict[str, int]:
    out = array("B", bytes(FEATURES))
    Catalogue.of(variant).kernel.batch_features(state, out)
    return {name: value for name, value in zip(FEATURE_NAMES, out, strict=True) if value}


def test_the_names_are_the_places() -> None:
    assert len(FEATURE_NAMES) == len(set(FEATURE_NAMES)) == FEATURES


def unseen(*hands: str) -> dict[str, int]:
    rest = FULL - sum(parse_ranks(hand) for hand in hands)
    return {f"unseen_{rank}": rest // one & 15 for rank, one in zip(RANKS, ONE, strict=True) if rest // one & 15}


def test_features_of_four_by_hand() -> None:
    variant = load_variant("huopin")
    kernel = Catalogue.of(variant).kernel
    state = kernel.state([parse_ranks(t) for t in ("3", "44445", "7777X8", "99")], 0)

    def play(text: str) -> None:
        counts = parse_ranks(text)
        kernel.step(
            state,
            next(a for a in kernel.plays(state[state[5]], state[4]) if kernel.cards(state[state[5]], a) == counts),
        )

    assert row(variant, state) == {
        "own_3": 1,
        "left_own": 1,
        "left_next": 5,
        "left_after_next": 6,
        "left_third": 2,
    } | unseen("3")
    play("3")  # and seat 0 is out
    play("4444")
    play("7777X")
    assert row(variant, state) == {  # seat 3 to move
        "own_9": 2, "left_own": 2, "left_after_next": 1, "left_third": 1,
        "table_bomb": 1, "table_top": 5, "table_groups": 1, "table_width": 5, "table_size": 5, "table_stars": 5,
        "table_wild": 1, "table_of_third": 1, "passes_needed": 2, "best_own_side": 4, "best_other_side": 5,
        "out": 1, "place_next": 1,
    } | unseen("99", "3", "4444", "7777X")  # fmt: skip
    kernel.step(state, 0)
    assert row(variant, state)["passes_needed"] == 1
    assert row(variant, state)["table_of_next"] == 1
    assert row(variant, state)["place_third"] == 1
    kernel.step(state, 0)
    lead = row(variant, state)
    assert lead["best_own_side"] == 5
    assert lead["best_other_side"] == 4
    assert lead["place_after_next"] == 1
    assert not [name for name in lead if name.startswith("table")]
    play("8")  # 2 and 0 are both out: the deal is over
    assert row(variant, state) == {}


def test_features_of_two_by_hand() -> None:
    variant = load_variant("huopin-duel")
    kernel = Catalogue.of(variant).kernel
    state = kernel.state([parse_ranks("2X"), parse_ranks("344445")], 1)
    kernel.step(state, 1)
    assert row(variant, state) == {
        "own_2": 1, "own_X": 1, "left_own": 2, "left_next": 5, "table_single": 1, "table_top": 1, "table_groups": 1,
        "table_width": 1, "table_size": 1, "table_of_next": 1, "passes_needed": 1,
    } | unseen("2X", "3")  # fmt: skip


def test_features_of_a_chain_with_surplus_and_of_one_past_the_two() -> None:
    found = {}
    for name in variant_ids():
        variant = load_variant(name)
        kernel = Catalogue.of(variant).kernel
        for text in ("33334444555556", "KKKAAAA22226X", "AAAA222233334"):
            hands = [parse_ranks(text)] + [parse_ranks("67")] * (variant.players - 1)
            for action in kernel.plays(hands[0]):
                state = kernel.state(hands, 0)
                kernel.step(state, action)
                if state[5] != 15:
                    reading = Catalogue.of(variant).reading(state[4])
                    told_row = row(variant, state)
                    assert told_row["table_top"] == reading.top + 1
                    assert told_row["table_size"] == reading.size
                    assert told_row.get("table_wild", 0) == reading.wild
                    found[reading.kind, reading.unequal, reading.combination.start > reading.top] = name
    assert ("chain", True, False) in found
    assert ("chain", False, True) in found


@pytest.mark.parametrize("name", variant_ids())
@pytest.mark.parametrize("form", FORMS)
def test_features_tell_nothing_of_cards_that_are_not_seen(name: str, form: str) -> None:
    """Unseen cards are exchanged, between the other hands and (in a duel) with those set aside."""
    variant = load_variant(name)
    kernel = kernel_of(variant, form)
    deals, states = midway(variant, 24, f"exchange/{name}")
    rng = random.Random(name)
    changed = 0
    for k, deal in enumerate(deals):
        if deal.to_move is None:
            continue
        state = states[WORDS * k : WORDS * (k + 1)]
        pool = View.of(deal, deal.to_move).unseen()
        cards = [rank for rank in range(15) for _ in range(pool >> 4 * rank & 15)]
        before = array("B", bytes(FEATURES))
        kernel.batch_features(state, before)
        for _ in range(3):
            rng.shuffle(cards)
            other, at = state[:], 0
            for seat in range(deal.players):
                if seat != deal.to_move:
                    other[seat] = sum(ONE[rank] for rank in cards[at : at + deal.left[seat]])
                    at += deal.left[seat]
            changed += other != state
            after = array("B", bytes(FEATURES))
            kernel.batch_features(other, after)
            assert after == before
    assert changed > 10


# Batches


@pytest.mark.parametrize("name", variant_ids())
def test_deals_come_from_their_seeds(name: str) -> None:
    variant = load_variant(name)
    batch = Batch.shuffle(variant, 30, "seed")
    deals, states = starts(variant, 30, "seed")
    assert batch.states.ravel().tolist() == states.tolist()
    assert batch.to_move.tolist() == [deal.to_move for deal in deals]
    assert not batch.over.any()
    assert (Batch.shuffle(variant, 7, "seed").states == batch.states[:7]).all()
    assert (Batch.shuffle(variant, 3, 5).states == Batch.shuffle(variant, 3, "5").states).all()
    assert (Batch.shuffle(variant, 30, "another").states != batch.states).any(axis=1).all()


@pytest.mark.parametrize("name", variant_ids())
@pytest.mark.parametrize("up", [False, True])
def test_many_shuffles_at_once_are_those_of_deals(name: str, up: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    variant = with_settings(load_variant(name), {"turned_up_card": up})
    seeds = [f"many/{i}" for i in range(200)]
    kernel = Catalogue.of(variant).kernel
    expected = []
    for seed in seeds:
        deal = Deal.shuffle(variant, SeedSource(seed))
        expected.append(kernel.state(deal.hands, deal.leader).tolist())
    for blocks in (1, 4, 6, 9):  # with few, streams end too early, some or all
        assert batch_module._shuffled(variant, seeds, blocks).tolist() == expected

    def refuse(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr(Deal, "shuffle", refuse)
    batch_module._shuffled(variant, seeds)  # no stream ends too early
    with pytest.raises(AssertionError):
        batch_module._shuffled(variant, seeds, 3)


@pytest.mark.parametrize("name", variant_ids())
def test_points_are_those_of_settlements(name: str) -> None:
    variant = load_variant(name)
    n = 12
    batch = Batch.shuffle(variant, n, f"points/{name}")
    deals, _ = starts(variant, n, f"points/{name}")
    rng = random.Random(name)
    while not batch.over.all():
        ids, offsets = batch.legal()
        actions = [int(ids[rng.randrange(a, b)]) if a < b else -1 for a, b in pairwise(offsets.tolist())]
        batch.step(actions)
        deals = [d if d.over else applied(d, action) for d, action in zip(deals, actions, strict=True)]
        assert batch.over.tolist() == [deal.over for deal in deals]
        assert not batch.points()[~batch.over].any()
    if variant.duel is None:
        assert batch.points().tolist() == [list(deal_settlement(deal).points) for deal in deals]
        return
    for edition in variant.duel.editions:
        level = edition.levels[-1]
        held = (level.needs, level.needs)
        exact = [deal_settlement(deal, "points", edition.id, held) for deal in deals]
        assert batch.points(edition.id, level.stake).tolist() == [list(s.amounts) for s in exact]
        counted = [[a // level.stake for a in s.amounts] for s in exact]
        assert batch.points(edition.id).tolist() == counted
        if edition is variant.duel.editions[0]:
            assert batch.points().tolist() == counted


@pytest.mark.parametrize("name", FOUR)
def test_points_follow_the_places_that_the_variant_gives(name: str) -> None:
    points = []
    for third in ("turn_order", "fewer_cards"):
        batch = Batch.shuffle(with_settings(load_variant(name), {"places_after_double": third}), 300, "places")
        batch.playouts(1)
        points.append(batch.points())
        hands, out, base = batch.states[:, :4], batch.states[:, 8], batch.variant.points
        assert base is not None
        for k in np.flatnonzero((out & 15 == 2) & (batch.states[:, 10] == 0)).tolist():  # doubles without bombs
            first, last = int(out[k]) >> 4 & 15, int(out[k]) >> 8 & 15
            others = [s % 4 for s in range(last + 1, last + 4) if s % 4 != first]
            if third == "fewer_cards":
                others.sort(key=lambda seat: size(int(hands[k, seat])))
            times = base.multiplier
            assert [points[-1][k, s] for s in (first, last, *others)] == [times * p for p in base.base.double]
    assert base is not None
    assert (points[0] != points[1]).any() == (base.base.double[2] != base.base.double[3])


def test_unknown_editions_are_refused() -> None:
    batch = Batch.shuffle(load_variant(TWO[0]), 2, 0)
    batch.playouts(0)
    with pytest.raises(SettlementError, match="no such edition"):
        batch.points("gold")


def test_playouts_are_reproducible() -> None:
    batch = Batch.shuffle(load_variant("classic"), 10, 1)
    first, second, third = batch.copy(), batch.copy(), batch.copy()
    leaders = third.to_move.tolist()
    decisions = first.playouts(7)
    assert decisions == second.playouts(7)
    assert (first.states == second.states).all()
    assert first.over.all()
    assert first.states[:, 9].sum() == decisions
    third.playouts(8)
    assert (third.states != first.states).any(axis=1).all()
    assert not batch.over.any()
    weights = np.zeros(1024)
    weights[0] = 1.0  # whoever may pass does
    batch.playouts(3, weights)
    assert batch.over.all()
    for state, leader in zip(batch.states.tolist(), leaders, strict=True):  # so one side goes out undisturbed
        assert [state[8] >> 4 * k & 15 for k in (1, 2)] == [leader, leader ^ 2]
        assert [size(state[s]) for s in (leader ^ 1, leader ^ 3)] == [27, 27]


def test_dealing_out_again() -> None:
    variant = load_variant("huopin-duel")
    batch = Batch.shuffle(variant, 6, "again")
    before = batch.states.copy()
    mask = np.array([True, False, False, True, False, False])
    batch.deal_out_again(mask)
    for i in (0, 3):
        deal = Deal.shuffle(variant, SeedSource(f"again/{i}+1"))
        assert tuple(batch.states[i, :2].tolist()) == deal.hands
        assert batch.to_move[i] == deal.leader
    assert (batch.states[~mask] == before[~mask]).all()
    assert batch.dealt.tolist() == [2, 1, 1, 2, 1, 1]
    batch.deal_out_again()  # none is over
    assert batch.dealt.tolist() == [2, 1, 1, 2, 1, 1]
    batch.playouts(0)
    batch.deal_out_again()
    assert batch.dealt.tolist() == [3, 2, 2, 3, 2, 2]
    assert not batch.over.any()
    assert not batch.states[:, 6:].any()
    assert tuple(batch.states[3, :2].tolist()) == Deal.shuffle(variant, SeedSource("again/3+2")).hands


def test_a_batch_asks_again_where_its_room_is_too_small() -> None:
    batch = Batch.shuffle(load_variant("huopin"), 4, 0)
    ids, offsets = batch.legal()
    batch._room = 10
    ids_too, offsets_too = batch.legal()
    assert ids.tolist() == ids_too.tolist()
    assert offsets.tolist() == offsets_too.tolist()
    assert batch._room > len(ids)


def test_what_is_no_choice_is_refused_and_nothing_changes() -> None:
    batch = Batch.shuffle(load_variant("huopin"), 3, 0)
    ids, offsets = batch.legal()
    good = ids[offsets[:-1]].tolist()
    before = batch.states.copy()
    wrong: list[Any] = [
        good[:2], [*good, 1], [good], [float(a) for a in good], [True] * 3, None,
        [*good[:2], 0], [*good[:2], -1], [*good[:2], 1023], [*good[:2], 2**31 - 1], [*good[:2], good[2] + 2**32],
    ]  # fmt: skip
    for actions in wrong:
        with pytest.raises(BatchError, match=r"expected|no choice") as told_error:
            batch.step(actions)
        assert told_error.value.code == "bad_batch"
        assert (batch.states == before).all()
    batch.step(good)
    assert (batch.states[:, 9] == 1).all()


def test_other_arguments_that_do_not_fit_are_refused() -> None:
    variant = load_variant("huopin")
    batch = Batch.shuffle(variant, 3, 0)
    calls: list[Callable[[], object]] = [
        lambda: Batch.shuffle(variant, 0, 0),
        lambda: Batch(variant, np.zeros((3, 19), np.uint64)),
        lambda: Batch(variant, np.zeros((3, WORDS), np.int64)),
        lambda: batch.deal_out_again([True]),
        lambda: batch.deal_out_again([0, 1, 2]),
        lambda: batch.playouts(-1),
        lambda: batch.playouts(2**64),
        lambda: batch.playouts(0, np.ones(1023)),
        lambda: batch.playouts(0, np.full(1024, -1.0)),
        lambda: batch.playouts(0, np.full(1024, np.nan)),
    ]
    for call in calls:
        with pytest.raises(BatchError):
            call()


def test_a_batch_of_some_rows() -> None:
    batch = Batch.shuffle(load_variant("baibian"), 5, 0)
    part = Batch(batch.variant, batch.states[::2])
    assert len(part) == 3
    part.playouts(0)
    assert not batch.over.any()
    assert str(part) == "Batch(baibian: 3 deals, 3 of them over)"
    assert size(int(part.states[0, 18])) > 27


# The page

PAGE = (Path(__file__).parent.parent / "docs" / "research.md").read_text("utf-8")


def test_the_example_runs(capsys: pytest.CaptureFixture[str]) -> None:
    (program,) = re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    exec(compile(program, "research.md", "exec"), {})
    assert re.fullmatch(r"\(100, 59\) (True|False) -?\d+\n", capsys.readouterr().out)


def test_the_table_of_features_is_the_code_s() -> None:
    at = 0
    for first, last, names in re.findall(r"^\| (\d+)(?:-(\d+))? \| (.*?) \|", PAGE, re.MULTILINE):
        here = FEATURE_NAMES[at : int(last or first) + 1]
        assert int(first) == at
        quoted = tuple(re.findall(r"`(\w+)`", names))
        assert quoted == ((here[0], here[-1]) if "..." in names else here)
        at += len(here)
    assert at == FEATURES
