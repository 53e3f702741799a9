"""Both forms of the kernel: which one runs, and that they give the same answers."""

from __future__ import annotations

import importlib.util
import os
import random
import re
import subprocess
import sys
import threading
from array import array
from pathlib import Path
from typing import Any

import pytest

from shuangkou.rules import engine
from shuangkou.rules.cards import ONE
from shuangkou.rules.catalogue import Catalogue
from shuangkou.rules.deal import PASS, Action, Deal, SeedSource
from shuangkou.rules.errors import KernelError
from shuangkou.rules.variant import load_variant, variant_ids

DECK = [rank for rank in range(13) for _ in range(8)] + [13, 13, 14, 14]
WORDS = engine.STATE_WORDS


def compiled() -> Any:
    """The compiled kernel; without one the test is skipped, unless the switch demands it."""
    try:
        return engine.kernel("compiled")
    except KernelError:
        if os.environ.get(engine.SWITCH) == "compiled":
            raise
        pytest.skip("NO COMPILED KERNEL HERE: the plain one runs alone")


def kernels(name: str) -> tuple[Any, Any]:
    """The plain and the compiled kernel of a variant."""
    variant = load_variant(name)
    return Catalogue(variant, engine.kernel("plain").Kernel).kernel, Catalogue(variant, compiled().Kernel).kernel


def test_the_form_asked_for_runs() -> None:
    wanted = os.environ.get(engine.SWITCH, "auto")
    if wanted != "auto":
        assert (wanted == "compiled") == engine.COMPILED
    assert (engine.Kernel.__module__ == "shuangkou.rules._kernel") == engine.COMPILED
    assert not engine.kernel("plain").COMPILED


def test_an_unknown_form_is_said_in_words() -> None:
    with pytest.raises(KernelError, match="auto, compiled, plain"):
        engine.kernel("fast")
    done = subprocess.run(
        [sys.executable, "-m", "shuangkou", "--version"],
        env={**os.environ, engine.SWITCH: "fast"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].startswith("shuangkou: SHUANGKOU_KERNEL must be one of")
    assert "Traceback" not in done.stderr


def test_the_version_says_which() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "shuangkou", "--version"],
        env={**os.environ, engine.SWITCH: "plain"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.endswith("(plain kernel)\n")


@pytest.mark.parametrize("name", variant_ids())
def test_plays_and_readings_are_the_same(name: str) -> None:
    plain, fast = kernels(name)
    rng = random.Random(name)
    for _ in range(300):
        hand = sum(ONE[r] for r in rng.sample(DECK, rng.randint(1, 23)) + rng.choice([[], [13], [14, 14], DECK[104:]]))
        if hand >> 52 & 15 > 2 or hand >> 56 > 2:
            continue
        table = 0
        for _ in range(4):
            found = plain.plays(hand, table)
            assert found == fast.plays(hand, table)
            assert plain.autoplay(hand, table) == fast.autoplay(hand, table)
            for action in found:
                cards = plain.cards(hand, action)
                code = plain.code(hand, action)
                assert (cards, code) == (fast.cards(hand, action), fast.code(hand, action))
                assert plain.strength(code) == fast.strength(code)
                assert plain.beats(code, table)
                assert fast.beats(code, table)
                for kind in (-1, *range(9)):
                    assert plain.read(cards, table, kind) == fast.read(cards, table, kind)
            # a table for the next round: a play of another hand
            other = sum(ONE[r] for r in rng.sample(DECK, 27))
            table = plain.code(other, rng.choice(plain.plays(other)))


@pytest.mark.parametrize("name", variant_ids())
def test_playouts_are_the_same(name: str) -> None:
    plain, fast = kernels(name)
    states = array("Q")
    for i in range(10):
        deal = Deal.shuffle(load_variant(name), SeedSource(f"{name}/{i}"))
        states += plain.state(deal.hands, deal.leader)
    weights = array("d", [random.Random(i).random() for i in range(1024)])
    for seed in (0, 2**64 - 1):
        mine, others = states[:], states[:]
        assert plain.playouts(mine, seed) == fast.playouts(others, seed)
        assert mine == others
        mine, others = states[:], states[:]
        assert plain.weighted_playouts(mine, seed, weights) == fast.weighted_playouts(others, seed, weights)
        assert mine == others


@pytest.mark.parametrize("name", variant_ids())
@pytest.mark.parametrize("form", ["plain", "compiled"])
def test_states_follow_deals_step_by_step(name: str, form: str) -> None:
    variant = load_variant(name)
    kernel = Catalogue(variant, compiled().Kernel if form == "compiled" else engine.kernel("plain").Kernel).kernel
    rng = random.Random(name)
    for i in range(12):
        deal = Deal.shuffle(variant, SeedSource(f"step/{i}"))
        state = kernel.state(deal.hands, deal.leader)
        while not deal.over:
            assert state_of(state, deal.players) == (
                deal.hands,
                deal.table.code if deal.table else 0,
                deal.to_move,
                deal.out,
            )
            found = deal.canonical()
            assert kernel.count(state) == len(found) + (deal.table is not None)
            play = rng.choice([*found, None] if deal.table else found)
            kernel.step(state, 0 if play is None else play.action)
            deal = deal.apply(PASS if play is None else Action.of(play))
        assert state_of(state, deal.players) == (deal.hands, deal.table.code if deal.table else 0, None, deal.out)
        assert kernel.count(state) == 0
        assert state[9] == len(deal.moves)
        assert bombs_of(state) == [(seat, r.combination.id, r.wild) for seat, r in deal.bombs()]


def state_of(state: array[int], players: int) -> tuple[tuple[int, ...], int, int | None, tuple[int, ...]]:
    """Hands, table, seat to move and seats that are out, from a state's words."""
    out = tuple(state[8] >> 4 * k & 15 for k in range(1, (state[8] & 15) + 1))
    return tuple(state[:players]), state[4], None if state[5] == 15 else state[5], out


def bombs_of(state: array[int]) -> list[tuple[int, int, int]]:
    """The bombs played: seat, id, wild cards."""
    entries = [state[11 + k // 4] >> 16 * (k % 4) & 0xFFFF for k in range(state[10])]
    return [(e >> 10 & 3, e & 1023, e >> 12) for e in entries]


def test_the_compiled_kernel_is_of_this_source() -> None:
    """After a change of the kernel the old compiled one must not go on running unseen."""
    root = Path(__file__).parents[1]
    stamp = root / "src/shuangkou/rules/_kernel.stamp"
    if not stamp.is_file():
        pytest.skip("NO COMPILED KERNEL HERE: the plain one runs alone")
    spec = importlib.util.spec_from_file_location("hatch_build", root / "hatch_build.py")
    assert spec is not None
    assert spec.loader is not None
    hook = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(hook)
    made_of = stamp.read_text("utf-8").split()[0]
    assert made_of == hook.fingerprint(stamp.parent), "build again: uv pip install --no-build-isolation --editable ."


NO_CARDS = [1 << 60, 3 << 60, 1 << 60 | 1, (1 << 64) - 1, 15 << 52, 15 << 56, 3 << 52 | 1, 9, 15, 0xFFFFFFFFFFFFF]


@pytest.mark.parametrize("form", ["plain", "compiled"])
def test_what_is_no_card_is_no_reading(form: str) -> None:
    """Whatever integer is asked about, the answer is no reading or an error, in either form."""
    for name in variant_ids():
        kernel = kernels(name)[form == "compiled"]
        for counts in NO_CARDS:
            for table in (0, 1, 14):
                if counts >> 60:
                    assert kernel.read(counts, table) == 0
                kernel.plays(counts & (1 << 60) - 1, table)
        for wrong in (-1, 1023, 1 << 13 | 1023):
            for question in ("read", "plays", "cards", "code", "autoplay", "beats"):
                with pytest.raises(ValueError, match="no combination"):
                    getattr(kernel, question)(1, wrong)
            with pytest.raises(ValueError, match="no combination"):
                kernel.strength(wrong)
            with pytest.raises(ValueError, match="no combination"):
                kernel.step(kernel.state([1, 1, 1, 1], 0), wrong)


@pytest.mark.parametrize("form", ["plain", "compiled"])
def test_threads_do_not_disturb_one_another(form: str) -> None:
    """One kernel serves many threads."""
    kernel = kernels("huopin")[form == "compiled"]
    rng = random.Random(3)
    hands = [sum(ONE[r] for r in rng.sample(DECK, 27)) for _ in range(150)]
    expected = [kernel.plays(hand) for hand in hands]
    wrong: list[int] = []

    def ask() -> None:
        for _ in range(3):
            wrong.extend(hand for hand, found in zip(hands, expected, strict=True) if kernel.plays(hand) != found)

    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        threads = [threading.Thread(target=ask) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(before)
    assert not wrong


def test_both_forms_have_the_same_constants() -> None:
    """What kernel.pxd says once more for the compiler is what the plain form computes with."""
    plain = engine.kernel("plain")
    header = (Path(__file__).parents[1] / "src/shuangkou/rules/kernel.pxd").read_text("utf-8")
    of_c = {name: int(value, 16) for name, value in re.findall(r"SHUANGKOU(_\w+) = (0x[0-9A-F]+)ULL;", header)}
    of_c |= {name: int(value) for name, value in re.findall(r"^    (_[A-Z]+) = (\d+)$", header, re.MULTILINE)}
    of_python = {n: v for n, v in vars(plain).items() if re.fullmatch(r"_[A-Z0-9_]+", n) and isinstance(v, int)}
    assert len(of_c) > 30
    assert of_c == of_python
