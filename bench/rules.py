"""Times the rules library, one thread: ``python bench/rules.py [--runs N] [--json]``.

Every figure is measured in several runs; the median of the runs is printed with the lowest and the
highest beside it, since machines are noisy.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from typing import Final, NamedTuple

from shuangkou import __version__
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
    about = {
        "version": __version__,
        "date": datetime.now(UTC).date().isoformat(),
        "python": platform.python_version(),
        "machine": f"{processor()}, {os.cpu_count()} cores, {platform.system()}",
        "runs": options.runs,
    }
    print(json.dumps({**about, "figures": results}) if options.json else about)


def figures() -> Iterable[Figure]:
    """Everything that docs/performance.md speaks of."""
    rng = random.Random(20)
    huopin = Catalogue.of(load_variant("huopin"))
    hands = [random_hand(rng) for _ in range(HANDS)]
    yield Figure("canonical plays of a lead to ids, huopin, median", "us", 40, lambda: lead(huopin, hands, 0.5))
    for name in variant_ids():
        cat = Catalogue.of(load_variant(name))
        yield Figure(f"canonical plays of a lead to ids, {name}, 99 %", "us", None, lambda cat=cat: lead(cat, hands, 0.99))
    duel = [random_hand(rng, jokers=4) for _ in range(HANDS)]
    for name in variant_ids():
        if load_variant(name).wild.jokers == "all":
            cat = Catalogue.of(load_variant(name))
            yield Figure(
                f"canonical plays, four wild cards, {name}, 99 %", "us", 200, lambda cat=cat: lead(cat, duel, 0.99)
            )
    for name in ("huopin", "huopin-duel"):
        cat = Catalogue.of(load_variant(name))
        sets = sets_to_read(cat, rng)
        texts = [format_ranks(counts) for counts in sets]
        yield Figure(
            f"reading from packed counts, {name}",
            "us",
            5,
            lambda cat=cat, sets=sets: statistics.mean(per_call(cat.kernel.read, sets)),
        )
        yield Figure(
            f"reading from text, {name}",
            "us",
            20,
            lambda cat=cat, texts=texts: statistics.mean(per_call(lambda text: read(cat, parse_ranks(text)), texts)),
        )
    for name in variant_ids():
        deals = [Deal.shuffle(load_variant(name), SeedSource(f"bench/{i}")) for i in range(DEALS)]
        aim = 2.0 if name == "huopin" else None
        yield Figure(
            f"a deal between auto-play seats, {name}",
            "ms",
            aim,
            lambda deals=deals: statistics.median(per_call(play_out, deals)) / 1000,
        )
    variant = load_variant("huopin")
    yield Figure(
        "shuffle and turned-up card, huopin",
        "us",
        None,
        lambda: statistics.median(per_call(lambda i: Deal.shuffle(variant, SeedSource(i)), range(200))),
    )
    for name in variant_ids():
        variant = load_variant(name)
        yield Figure(
            f"compiling the catalogue, {name}",
            "ms",
            50,
            lambda variant=variant: statistics.median(per_call(Catalogue, [variant] * 5)) / 1000,
        )
    every = "import shuangkou.rules as r\nfor name in r.__all__: getattr(r, name)"
    first = "from shuangkou.rules import *\nread(Catalogue.of(load_variant('huopin')), parse_ranks('7777X'))"
    for name, code, aim in (
        ("process that only starts Python", "pass", None),
        ("process with import shuangkou.rules", "import shuangkou.rules", 45),
        ("process with all public names loaded", every, None),
        ("process to the first reading in huopin", first, None),
    ):
        yield Figure(name, "ms", aim, lambda code=code: process(code)[0])
        yield Figure(name + ", memory", "MB", 35 if aim else None, lambda code=code: process(code)[1])


def random_hand(rng: random.Random, jokers: int | None = None) -> Counts:
    """27 cards at random; with ``jokers`` given, so many of them jokers (2 or 4)."""
    if jokers is None:
        return sum(ONE[r] for r in rng.sample(DECK, 27))
    return sum(ONE[r] for r in rng.sample(DECK[:104], 27 - jokers) + DECK[104 : 104 + jokers])


def sets_to_read(cat: Catalogue, rng: random.Random) -> list[Counts]:
    """Sets of cards as players name them: half of them legal plays of random hands, half the same with one card changed."""
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


def lead(cat: Catalogue, hands: Sequence[Counts], share: float) -> float:
    """A quantile of the microseconds that listing a lead's canonical plays takes."""
    times = sorted(per_call(cat.kernel.plays, hands))
    return times[int(share * (len(times) - 1))]


def play_out(deal: Deal) -> None:
    while not deal.over:
        deal = deal.apply(deal.autoplay())


def process(code: str) -> tuple[float, float]:
    """Milliseconds and megabytes (the highest resident size) of a fresh Python that runs ``code``.

    The memory is known on Linux only.
    """
    tail = "\nimport sys\nprint(next(line.split()[1] for line in open('/proc/self/status') if line.startswith('VmHWM')))"
    memory = float("nan")
    if sys.platform == "linux":
        done = subprocess.run([sys.executable, "-c", code + tail], check=True, capture_output=True, text=True)
        memory = int(done.stdout) / 1024
    times = []
    for _ in range(5):
        start = time.perf_counter()
        subprocess.run([sys.executable, "-c", code], check=True)
        times.append((time.perf_counter() - start) * 1000)
    return statistics.median(times), memory


def processor() -> str:
    """The processor's name, where the system tells it."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as lines:
            return next(line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


if __name__ == "__main__":
    main()
