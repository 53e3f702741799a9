"""Times the rules library, one thread: ``python bench/rules.py [--runs N] [--json]``.

Every figure is measured in several runs; the median of the runs is printed with the lowest and the
highest beside it, since machines are noisy.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Final, NamedTuple

from machine import about

from shuangkou.rules.cards import ONE, Counts, format_ranks, parse_ranks
from shuangkou.rules.catalogue import Catalogue
from shuangkou.rules.deal import Deal, SeedSource
from shuangkou.rules.reading import read
from shuangkou.rules.variant import load_variant, variant_ids

DECK: Final = [rank for rank in range(13) for _ in range(8)] + [13, 13, 14, 14]
HANDS: Final = 2000
SETS: Final = 5000
DEALS: Final = 100


class Figure(NamedTuple):
    """One thing to measure: a run gives one number."""

    name: str
    unit: str
    aim: float | None
    run: Callable[[], float]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=7, help="runs of each figure (default 7)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args()
    results = {}
    for figure in figures():
        figure.run()  # once for warming up
        runs = sorted(figure.run() for _ in range(max(1, options.runs)))
        results[figure.name] = {
            "median": round(statistics.median(runs), 2),
            "min": round(runs[0], 2),
            "max": round(runs[-1], 2),
            "unit": figure.unit,
            "aim": figure.aim,
        }
        if not options.json:
            row = results[figure.name]
            aim = f"aim {figure.aim:g}" if figure.aim else ""
            print(
                f"{figure.name:58} {row['median']:>9} {figure.unit:3} ({row['min']} to {row['max']}) {aim}", flush=True
            )
    told = {**about(), "runs": options.runs}
    print(json.dumps({**told, "figures": results}) if options.json else told)


def figures() -> Iterable[Figure]:
    """Everything that docs/performance.md speaks of."""
    rng = random.Random(20)
    hands = [random_hand(rng) for _ in range(HANDS)]
    four_jokers = [random_hand(rng, jokers=4) for _ in range(HANDS)]
    cats = {name: Catalogue.of(load_variant(name)) for name in variant_ids()}
    yield Figure(
        "canonical plays of a lead to ids, huopin, median", "us", 40, partial(lead, cats["huopin"], hands, 0.5)
    )
    for name, cat in cats.items():
        yield Figure(f"canonical plays of a lead to ids, {name}, 99 %", "us", None, partial(lead, cat, hands, 0.99))
    for name, cat in cats.items():
        if cat.variant.wild.jokers == "all":
            run = partial(lead, cat, four_jokers, 0.99)
            yield Figure(f"canonical plays, four wild cards, {name}, 99 %", "us", 200, run)
    for name in ("huopin", "huopin-duel"):
        sets = sets_to_read(cats[name], rng)
        texts = [format_ranks(counts) for counts in sets]
        yield Figure(f"reading from packed counts, {name}", "us", 5, partial(mean, cats[name].kernel.read, sets))
        yield Figure(f"reading from text, {name}", "us", 20, partial(mean, partial(read_text, cats[name]), texts))
    for name, cat in cats.items():
        deals = [Deal.shuffle(cat.variant, SeedSource(f"bench/{i}")) for i in range(DEALS)]
        aim = 2000 if name == "huopin" else None
        yield Figure(f"a deal between auto-play seats, {name}", "us", aim, partial(middle, play_out, deals))
    seeds = [SeedSource(i) for i in range(200)]
    deal_out = partial(Deal.shuffle, cats["huopin"].variant)
    yield Figure("shuffle and turned-up card, huopin", "us", None, partial(middle, deal_out, seeds))
    for name, cat in cats.items():
        run = partial(middle, Catalogue, [cat.variant] * 5)
        yield Figure(f"compiling the catalogue, {name}", "us", 50_000, run)
    every = "import shuangkou.rules as r\nfor name in r.__all__: getattr(r, name)"
    first = (
        "from shuangkou.rules import Catalogue, load_variant, parse_ranks, read\n"
        "read(Catalogue.of(load_variant('huopin')), parse_ranks('7777X'))"
    )
    for name, code, time_aim, memory_aim in (
        ("process that only starts Python", "pass", None, None),
        ("process with import shuangkou.rules", "import shuangkou.rules", 45, 35),
        ("process with all public names loaded", every, None, None),
        ("process to the first reading in huopin", first, None, None),
    ):
        yield Figure(name, "ms", time_aim, partial(process_time, code))
        yield Figure(f"{name}, memory", "MB", memory_aim, partial(process_memory, code))


def random_hand(rng: random.Random, jokers: int | None = None) -> Counts:
    """27 cards at random; with ``jokers`` given, so many of them jokers (2 or 4)."""
    if jokers is None:
        return sum(ONE[r] for r in rng.sample(DECK, 27))
    return sum(ONE[r] for r in rng.sample(DECK[:104], 27 - jokers) + DECK[104 : 104 + jokers])


def sets_to_read(cat: Catalogue, rng: random.Random) -> list[Counts]:
    """Sets of cards as players name them: legal plays of random hands, and the same with one card changed."""
    found: list[Counts] = []
    while len(found) < SETS:
        hand = random_hand(rng)
        for action in cat.kernel.plays(hand):
            counts = cat.kernel.cards(hand, action)
            found.append(counts)
            out = rng.choice([r for r in range(15) if counts >> 4 * r & 15])
            into = rng.randrange(13)
            if counts >> 4 * into & 15 < 8:
                found.append(counts - ONE[out] + ONE[into])
    rng.shuffle(found)
    return found[:SETS]


def per_call(function: Callable[..., object], arguments: Iterable[object]) -> list[float]:
    """Microseconds of each call."""
    clock = time.perf_counter
    found = []
    for argument in arguments:
        start = clock()
        function(argument)
        found.append((clock() - start) * 1e6)
    return found


def mean(function: Callable[..., object], arguments: Iterable[object]) -> float:
    """Mean microseconds of a call."""
    return statistics.mean(per_call(function, arguments))


def middle(function: Callable[..., object], arguments: Iterable[object]) -> float:
    """Median microseconds of a call."""
    return statistics.median(per_call(function, arguments))


def lead(cat: Catalogue, hands: Sequence[Counts], share: float) -> float:
    """A quantile of the microseconds that listing a lead's canonical plays takes."""
    times = sorted(per_call(cat.kernel.plays, hands))
    return times[int(share * (len(times) - 1))]


def read_text(cat: Catalogue, text: str) -> object:
    return read(cat, parse_ranks(text))


def play_out(deal: Deal) -> None:
    while not deal.over:
        deal = deal.apply(deal.autoplay())


def process_time(code: str) -> float:
    """Milliseconds that a fresh Python takes to run ``code``, start and end included."""
    times = []
    for _ in range(5):
        start = time.perf_counter()
        subprocess.run([sys.executable, "-c", code], check=True)
        times.append((time.perf_counter() - start) * 1000)
    return statistics.median(times)


def process_memory(code: str) -> float:
    """Megabytes, the highest resident size, of a fresh Python that runs ``code``; nan where unknown."""
    if sys.platform != "linux":
        return float("nan")
    tail = "\nprint(next(line.split()[1] for line in open('/proc/self/status') if line.startswith('VmHWM')))"
    done = subprocess.run([sys.executable, "-c", code + tail], check=True, capture_output=True, text=True)
    return int(done.stdout) / 1024


if __name__ == "__main__":
    main()
