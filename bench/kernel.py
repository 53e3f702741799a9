"""Times the kernel beside other programs' games, in one run: ``python bench/kernel.py [--runs N] [--json]``.

The others are dou dizhu of open-spiel (its C++ random rollouts, called through its MCTS bot, and its
``legal_actions`` from Python) and of RLCard; where one is not installed, it is left out with a line that says
so. The runs of all programs are taken in turn, and medians are compared, since machines are noisy.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import threading
import time
from array import array
from collections.abc import Callable
from typing import Any, Final

from machine import about

from shuangkou.rules.catalogue import Catalogue
from shuangkou.rules.deal import Deal, SeedSource
from shuangkou.rules.engine import COMPILED, STATE_WORDS
from shuangkou.rules.variant import load_variant, variant_ids

STATES: Final = 4000 if COMPILED else 40
POSITIONS: Final = 20_000 if COMPILED else 2_000
ROLLOUTS: Final = 200
SIMULATIONS: Final = 10

Runs = dict[str, list[float]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=7, help="runs of each figure, at least 5 (default 7)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args()
    figures: dict[str, Callable[[], float]] = {}
    cats = {name: Catalogue.of(load_variant(name)) for name in variant_ids()}
    for name, cat in cats.items():
        figures[f"decisions_per_s {name}"] = playouts(cat)
    figures["plays_calls_per_s"] = plays_calls(cats["huopin"])
    figures["two_thread_speedup"] = two_threads(cats["huopin"])
    missing = []
    for add in (open_spiel, rlcard):
        try:
            figures |= add()
        except ImportError as e:
            missing.append(f"{add.__name__} is not measured: {e}")
    runs: Runs = {name: [] for name in figures}
    for turn in range(1 + max(5, options.runs)):
        for name, run in figures.items():
            value = run()
            if turn:  # the first turn warms up
                runs[name].append(value)
    if options.json:
        print(json.dumps(summary(runs, missing, max(5, options.runs))))
        return
    for name, values in runs.items():
        middle = statistics.median(values)
        print(f"{name:44} {middle:>16,.2f}   ({min(values):,.2f} to {max(values):,.2f})")
    for line in missing:
        print(line)
    told = summary(runs, missing, max(5, options.runs))
    for name in ("ratio", "plays_ratio", "kernel", "machine", "python", "date"):
        print(f"{name:44} {told[name]!s:>16}")


def summary(runs: Runs, missing: list[str], turns: int) -> dict[str, Any]:
    """The medians under the names that others read, and what they were measured on."""
    middle = {name: statistics.median(values) for name, values in runs.items()}
    told: dict[str, Any] = {
        "decisions_per_s": middle["decisions_per_s huopin"],
        "openspiel_decisions_per_s": middle.get("openspiel_decisions_per_s"),
        "ratio": None,
        "plays_calls_per_s": middle["plays_calls_per_s"],
        "openspiel_legal_actions_per_s": middle.get("openspiel_legal_actions_per_s"),
        "plays_ratio": None,
        "two_thread_speedup": middle["two_thread_speedup"],
        "rlcard_decisions_per_s": middle.get("rlcard_decisions_per_s"),
        "variants": {name.split()[1]: value for name, value in middle.items() if name.startswith("decisions_per_s ")},
    }
    if told["openspiel_decisions_per_s"]:
        told["ratio"] = round(told["decisions_per_s"] / told["openspiel_decisions_per_s"], 2)
        told["plays_ratio"] = round(told["plays_calls_per_s"] / told["openspiel_legal_actions_per_s"], 2)
    told |= about()
    told |= {"runs": turns, "missing": missing}
    return told


# -- this program ---------------------------------------------------------------------------------


def dealt(cat: Catalogue, n: int) -> array[int]:
    """The states of n dealt deals, one after another; every hundred deals come from one shuffle each."""
    states: array[int] = array("Q")
    for i in range(min(n, 400)):
        deal = Deal.shuffle(cat.variant, SeedSource(f"bench/{i}"))
        states += cat.kernel.state(deal.hands, deal.leader)
    return (states * (n // min(n, 400) + 1))[: n * STATE_WORDS]


def playouts(cat: Catalogue) -> Callable[[], float]:
    """Decisions a second in random playouts of whole deals, one thread, every canonical play enumerated at each."""
    states = dealt(cat, STATES)
    seeds = iter(range(1_000_000))

    def run() -> float:
        mine = states[:]
        start = time.perf_counter()
        decisions = cat.kernel.playouts(mine, next(seeds))
        return decisions / (time.perf_counter() - start)

    return run


def plays_calls(cat: Catalogue) -> Callable[[], float]:
    """Calls a second of ``plays(hand, table)`` from Python, on positions of random playouts."""
    rng = random.Random(7)
    kernel = cat.kernel
    positions: list[tuple[int, int]] = []
    while len(positions) < POSITIONS:
        state = dealt(cat, 400)[: STATE_WORDS * 400]
        at = STATE_WORDS * rng.randrange(400)
        one = state[at : at + STATE_WORDS]
        while one[5] != 15:
            hand, table = one[one[5]], one[4]
            positions.append((hand, table))
            found = kernel.plays(hand, table)
            kernel.step(one, rng.choice([0, *found] if table else found))

    def run() -> float:
        plays = kernel.plays
        start = time.perf_counter()
        for hand, table in positions:
            plays(hand, table)
        return len(positions) / (time.perf_counter() - start)

    return run


def two_threads(cat: Catalogue) -> Callable[[], float]:
    """How much more two threads play out than one: the same work, one after the other and side by side."""
    states = dealt(cat, STATES * 8)

    def run() -> float:
        work = [states[:], states[:]]
        start = time.perf_counter()
        for mine in work:
            cat.kernel.playouts(mine, 1)
        alone = time.perf_counter() - start
        work = [states[:], states[:]]
        threads = [threading.Thread(target=cat.kernel.playouts, args=(mine, 1)) for mine in work]
        start = time.perf_counter()
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return alone / (time.perf_counter() - start)

    return run


# -- others ---------------------------------------------------------------------------------------


def open_spiel() -> dict[str, Callable[[], float]]:
    """open-spiel's dou_dizhu: C++ random rollouts through its MCTS bot, and legal_actions from Python."""
    import pyspiel

    game = pyspiel.load_game("dou_dizhu")
    rng = random.Random(3)

    def chance(state: Any) -> None:
        outcomes, weights = zip(*state.chance_outcomes(), strict=True)
        state.apply_action(rng.choices(outcomes, weights)[0])

    roots = []
    for _ in range(20):
        state = game.new_initial_state()
        while state.is_chance_node():
            chance(state)
        roots.append(state)

    # how many decisions a random playout from these states takes, counted by playing out
    counts = []
    positions: list[Any] = []
    for root in roots * 10:
        state, n = root.clone(), 0
        while not state.is_terminal():
            if state.is_chance_node():
                chance(state)
                continue
            if len(positions) < 5_000 and rng.random() < 0.5:
                positions.append(state.clone())
            state.apply_action(rng.choice(state.legal_actions()))
            n += 1
        counts.append(n)
    decisions = statistics.mean(counts)
    evaluator = pyspiel.RandomRolloutEvaluator(n_rollouts=ROLLOUTS, seed=1)
    bot = pyspiel.MCTSBot(game, evaluator, 2.0, SIMULATIONS, 1000, False, 1, False)
    turn = iter(range(1_000_000))

    def rollouts() -> float:
        chosen = [roots[next(turn) % len(roots)] for _ in range(4)]
        start = time.perf_counter()
        for root in chosen:
            bot.mcts_search(root)
        return len(chosen) * SIMULATIONS * ROLLOUTS * decisions / (time.perf_counter() - start)

    def legal_actions() -> float:
        start = time.perf_counter()
        for state in positions:
            state.legal_actions()
        return len(positions) / (time.perf_counter() - start)

    return {"openspiel_decisions_per_s": rollouts, "openspiel_legal_actions_per_s": legal_actions}


def rlcard() -> dict[str, Callable[[], float]]:
    """RLCard's doudizhu: random actions through its environment."""
    import rlcard as library

    env = library.make("doudizhu", config={"seed": 5})
    rng = random.Random(9)

    def run() -> float:
        decisions = 0
        start = time.perf_counter()
        for _ in range(3):
            state, _ = env.reset()
            while not env.is_over():
                state, _ = env.step(rng.choice(list(state["legal_actions"])))
                decisions += 1
        return decisions / (time.perf_counter() - start)

    return {"rlcard_decisions_per_s": run}


if __name__ == "__main__":
    main()
