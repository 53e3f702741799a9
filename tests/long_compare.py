"""The kernel against two slower ways, over as many random questions as one likes.

    python -m tests.long_compare --pairs 1000000 --variant huopin --seed 1

A *pair* is a hand of 1 to 27 cards and a table: a lead, or any reading that the variant may have there. Of every pair
the kernel's plays, their cards and codes, what these cards count as there, the auto-play choice, and the reading of
one more set of cards, unnamed and as every kind, must be those of the plain catalogue (:mod:`tests.plain_catalogue`).
One pair in a thousand (``--brute``) is also put to the brute-force reader (:mod:`tests.brute`): plays, readings, and
for hands of at most eight cards the auto-play choice, which it finds among all legal sets.

Pairs come in blocks of a thousand, each from its own random numbers: the same seed gives the same pairs, in whatever
number of processes. Control-C ends it early; the last line says how far it came. The exit status is 1 if anything
differed; the first mismatches are shown with as few cards as show them.
"""

from __future__ import annotations

import argparse
import multiprocessing
import signal
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from random import Random

from shuangkou.rules import engine
from shuangkou.rules.cards import ONE, RANKS, Counts, format_ranks, parse_ranks
from shuangkou.rules.catalogue import Catalogue
from shuangkou.rules.combination import KINDS
from shuangkou.rules.combination import Reading as EngineReading
from shuangkou.rules.engine import Kernel
from shuangkou.rules.errors import KernelError, UnknownVariant
from shuangkou.rules.variant import Variant, load_variant, variant_ids
from tests import brute
from tests.brute import BruteVariant
from tests.plain_catalogue import Choice, PlainCatalogue, Reading, beats, cards_of, first
from tests.test_against_brute import made_up, play_of, some_hand, some_set

BLOCK = 1000
TABLES = 20  # for each hand
EXAMPLES = 2  # of mismatches, in a block
SHOWN = 20  # in all
MADE_UP = "made-up-"
MADE_UP_NUMBER = 10
BRUTE_AUTOPLAY = 8  # the largest hand of which the brute-force reader tries every set

_PACK = [ONE[rank] for rank in range(13) for _ in range(8)] + [ONE[rank] for rank in (13, 13, 14, 14)]
_READ_KINDS = [(-1, None), *enumerate(KINDS)]


@dataclass(frozen=True)
class Question:
    """A pair, and a set of cards to be read on the table."""

    hand: Counts
    table: EngineReading | None
    cards: Counts


@dataclass(frozen=True)
class Mismatch:
    """Where two ways differ."""

    variant: str
    forms: str
    question: Question
    what: str
    kernel: str
    other: str

    def __str__(self) -> str:
        q = self.question
        table = "a lead" if q.table is None else str(q.table.as_dict())
        return (
            f"{self.variant}, {self.forms}: {self.what}\n"
            f"  hand {format_ranks(q.hand)}, table {table}, set {format_ranks(q.cards)}\n"
            f"  kernel: {self.kernel}\n"
            f"  other:  {self.other}"
        )


class Subject:
    """One variant, known to all three."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.variant, self.brute = sides(name)
        self.catalogue: Catalogue = Catalogue.of(self.variant)
        self.plain = PlainCatalogue(self.catalogue)
        self._kernels: dict[str, Kernel] = {}
        self.tables = list(possible_readings(self.catalogue))
        self.jokers = [reading for reading in self.tables if RANKS[reading.combination.start] in "xX"]
        self.alike: dict[object, list[EngineReading]] = defaultdict(list)
        for reading in self.tables:
            self.alike[_likeness(reading)].append(reading)

    def kernel(self, form: str) -> Kernel:
        if form not in self._kernels:
            self._kernels[form] = Catalogue(self.variant, engine.kernel(form).Kernel).kernel
        return self._kernels[form]

    # -- questions --------------------------------------------------------------------------------

    def questions(self, rng: Random, hands: int) -> Iterator[tuple[list[Question], list[Choice]]]:
        """For each hand its questions, and what it makes.

        Bombs, runs, chains and jokers are far more common than in dealt cards.
        """
        for _ in range(hands):
            hand = self._hand(rng)
            sets = [parse_ranks(some_set(rng, self.brute.wild)) for _ in range(3)] + [
                _part(rng, hand) for _ in range(2)
            ]
            made = self.plain.made(cards_of(hand))
            asked = []
            for k in range(TABLES):
                cards = sets[k % len(sets)]
                table: EngineReading | None = None
                if k == 0:
                    pass
                elif k % 4 == 3:
                    readings = self.plain.readings(cards_of(cards))
                    table = self._near(rng, readings[rng.randrange(len(readings))] if readings else None)
                elif k == 1:
                    table = rng.choice(self.tables)
                elif k == 2:
                    table = rng.choice(self.jokers)
                else:
                    table = self._near(rng, rng.choice(made).reading if made else None)
                asked.append(Question(hand, table, cards))
            yield asked, made

    def _hand(self, rng: Random) -> Counts:
        size = rng.choice((rng.randint(1, 10), rng.randint(1, 27), rng.randint(11, 27), 27))
        if rng.random() < 0.35:
            return sum(rng.sample(_PACK, size))
        return parse_ranks(some_hand(rng, size))

    def _near(self, rng: Random, reading: Reading | None) -> EngineReading:
        """A table that this reading may or may not beat."""
        if reading is None:
            return rng.choice(self.tables)
        combination = self.catalogue.combination(reading.id)
        key: object = (combination.kind, combination.groups, combination.width)
        if combination.is_bomb:
            key = combination.stars + (rng.choice((-1, 1)) if rng.random() < 0.2 else 0)
        return rng.choice(self.alike[key] or self.tables)

    # -- answers ----------------------------------------------------------------------------------

    def differing(self, form: str, question: Question, made: list[Choice] | None = None) -> Mismatch | None:
        """The first answer of the kernel that is not the plain catalogue's."""
        kernel, plain = self.kernel(form), self.plain
        hand, table = question.hand, question.table
        code = 0 if table is None else table.code
        below = None if table is None else plain.from_engine(table)
        hand_cards = cards_of(hand)
        if made is None:
            made = plain.made(hand_cards)
        expected = plain.canonical(made, below)

        def mismatch(what: str, answer: object, other: object) -> Mismatch:
            return Mismatch(self.name, f"{form} kernel and plain catalogue", question, what, str(answer), str(other))

        answer = kernel.plays(hand, code)
        if sorted(answer) != sorted([choice.action for choice in expected]):
            return mismatch("plays", sorted(answer), sorted([choice.action for choice in expected]))
        for choice in expected:
            action, counts, own = choice.action, choice.counts, choice.reading.code
            if kernel.cards(hand, action) != counts:
                return mismatch(f"cards of {action}", format_ranks(kernel.cards(hand, action)), format_ranks(counts))
            if kernel.code(hand, action) != own:
                return mismatch(f"code of {action}", kernel.code(hand, action), own)
            unnamed = _code(first(choice.readings, below))
            if kernel.read(counts, code) != unnamed:
                return mismatch(f"reading of {format_ranks(counts)}", kernel.read(counts, code), unnamed)
        auto = plain.autoplay(hand_cards, expected, below)
        if kernel.autoplay(hand, code) != (auto.action if auto else 0):
            return mismatch("auto-play", kernel.autoplay(hand, code), auto.action if auto else 0)
        cards = cards_of(question.cards)
        for index, kind in _READ_KINDS:
            found = kernel.read(question.cards, code, index)
            if found != _code(plain.read(cards, below, kind)):
                return mismatch(f"reading of the set as {kind}", found, _code(plain.read(cards, below, kind)))
        for reading in plain.readings(cards):
            if kernel.beats(reading.code, code) != beats(reading, below):
                return mismatch(
                    f"whether {reading.code} beats", kernel.beats(reading.code, code), beats(reading, below)
                )
        return None

    def differing_from_brute(self, form: str, question: Question) -> Mismatch | None:
        """The first answer of the kernel that is not the brute-force reader's."""
        kernel, v, hand, table = self.kernel(form), self.brute, question.hand, question.table
        code = 0 if table is None else table.code
        below = None if table is None else brute.reading_of(table.as_dict())

        def mismatch(what: str, answer: object, other: object) -> Mismatch:
            return Mismatch(self.name, f"{form} kernel and brute force", question, what, str(answer), str(other))

        def said(of: int) -> brute.R | None:
            return brute.reading_of(self.catalogue.reading(of).as_dict()) if of else None

        text = format_ranks(hand)
        plays = kernel.plays(hand, code)
        played = {(format_ranks(kernel.cards(hand, i)), said(kernel.code(hand, i))) for i in plays}
        expected: set[tuple[str, brute.R | None]] = {*brute.canonical(v, text, below)}
        if played != expected or len(plays) != len(expected):
            return mismatch("plays", sorted(map(str, played)), sorted(map(str, expected)))
        for index, kind in _READ_KINDS:
            answer = said(kernel.read(question.cards, code, index))
            other = brute.read_as(v, format_ranks(question.cards), below, kind)
            if answer != other:
                return mismatch(f"reading of the set as {kind}", answer, other)
        if len(text) <= BRUTE_AUTOPLAY:
            action = kernel.autoplay(hand, code)
            chosen = format_ranks(kernel.cards(hand, action)) if action else None
            if chosen != brute.autoplay(v, text, below):
                return mismatch("auto-play", chosen, brute.autoplay(v, text, below))
        return None

    def smallest(self, form: str, found: Mismatch, *, by_brute: bool) -> Mismatch:
        """The mismatch with as few cards as show it."""
        ask = self.differing_from_brute if by_brute else self.differing
        smaller = True
        while smaller:
            smaller = False
            q = found.question
            less = [Question(hand, q.table, q.cards) for hand in _with_one_less(q.hand)]
            less += [Question(q.hand, q.table, cards) for cards in _with_one_less(q.cards)]
            for question in less:
                also = ask(form, question)
                if also is not None:
                    found, smaller = also, True
                    break
        return found


def _with_one_less(counts: Counts) -> Iterator[Counts]:
    for one in ONE:
        if counts & 15 * one and counts != one:
            yield counts - one


def _code(reading: Reading | None) -> int:
    return 0 if reading is None else reading.code


def _part(rng: Random, hand: Counts) -> Counts:
    """Some of the cards of a hand."""
    cards = [one for rank, one in enumerate(ONE) for _ in range(hand >> 4 * rank & 15)]
    return sum(rng.sample(cards, rng.randint(1, len(cards))))


def _likeness(reading: EngineReading) -> object:
    """What the tables have in common that one play may beat: the shape, for bombs the stars."""
    c = reading.combination
    return c.stars if c.is_bomb else (c.kind, c.groups, c.width)


def possible_readings(cat: Catalogue) -> Iterator[EngineReading]:
    """Every reading that may lie on a table."""
    for c in cat.combinations:
        if c is not None:
            for size in range(c.size, 28):
                for wild in range(5):
                    if cat.may_read(c, size, wild):
                        yield EngineReading(c, size, wild)


def sides(name: str) -> tuple[Variant, BruteVariant]:
    """A variant and its brute-force twin; ``made-up-7`` is one that nobody plays."""
    if name.startswith(MADE_UP) and name.removeprefix(MADE_UP).isdecimal():
        variant = made_up(Random(f"long compare {name}"))
        return variant, play_of(variant)
    return load_variant(name), brute.SHIPPED[name]


@cache
def subject(name: str) -> Subject:
    return Subject(name)


# -- blocks -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Work:
    """A block of pairs of one variant."""

    variant: str
    seed: str
    block: int
    pairs: int
    forms: tuple[str, ...]
    brute: int  # one pair in so many; 0: none


@dataclass(frozen=True)
class Done:
    """What came of a block; the first mismatches as examples."""

    variant: str
    pairs: int
    brute: int
    mismatches: int
    examples: tuple[Mismatch, ...]


def compare(work: Work) -> Done:
    """Ask all questions of a block."""
    one = subject(work.variant)
    rng = Random(f"{work.seed}/{work.variant}/{work.block}")
    sample = Random(f"{work.seed}/{work.variant}/{work.block}/brute force")
    asked = brute_asked = 0
    found: list[tuple[str, Mismatch, bool]] = []
    for questions, made in one.questions(rng, -(-work.pairs // TABLES)):
        for question in questions[: work.pairs - asked]:
            asked += 1
            too_brute = work.brute > 0 and sample.randrange(work.brute) == 0
            brute_asked += too_brute
            for form in work.forms:
                other = one.differing(form, question, made)
                if other is not None:
                    found.append((form, other, False))
                if too_brute:
                    other = one.differing_from_brute(form, question)
                    if other is not None:
                        found.append((form, other, True))
    examples = [one.smallest(form, other, by_brute=by_brute) for form, other, by_brute in found[:EXAMPLES]]
    for kept in (one.brute.known, one.brute.listed, one.brute.chosen, one.brute.shapes):
        kept.clear()
    return Done(work.variant, asked, brute_asked, len(found), tuple(examples))


def blocks(
    names: Sequence[str], pairs: int, seed: str, forms: tuple[str, ...], brute_one_in: int
) -> dict[str, list[Work]]:
    """What is to be done, by variant; of made-up variants a tenth of the pairs each."""
    return {
        name: [
            Work(name, seed, block, min(BLOCK, number - BLOCK * block), forms, brute_one_in)
            for block in range(-(-number // BLOCK))
        ]
        for name in names
        for number in [max(1, pairs // 10) if name.startswith(MADE_UP) else pairs]
    }


# -- the command ------------------------------------------------------------------------------------


def commit() -> str:
    """The commit this runs on, and whether the files differ from it."""
    root = Path(__file__).parent.parent

    def git(*args: str) -> str:
        done = subprocess.run(["git", *args], cwd=root, capture_output=True, text=True, check=True)
        return done.stdout.strip()

    try:
        changed = git("status", "--porcelain", "--untracked-files=no", "--", "src", "tests")
        return git("rev-parse", "--short=12", "HEAD") + (" with changes" if changed else "")
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


class Bar:
    """How far it has come, on a terminal."""

    def __init__(self, total: int) -> None:
        self.total = max(1, total)
        self.begin = time.monotonic()
        self.shown = sys.stderr.isatty()

    def show(self, done: int, name: str) -> None:
        if self.shown:
            passed = time.monotonic() - self.begin
            left = passed * (self.total - done) / max(1, done)
            filled = 30 * done // self.total
            sys.stderr.write(f"\r[{'#' * filled}{'.' * (30 - filled)}] {done:,} of {self.total:,}, {name}, ")
            sys.stderr.write(f"{left / 60:.0f} min left\x1b[K")
            sys.stderr.flush()

    def clear(self) -> None:
        if self.shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()


def answers(work: Iterable[Work], jobs: int) -> Iterator[Done]:
    """The blocks' results, in order."""
    if jobs == 1:
        yield from map(compare, work)
        return
    interrupt = signal.signal(signal.SIGINT, signal.SIG_IGN)  # the others leave Control-C to this process
    with multiprocessing.get_context("spawn").Pool(jobs) as pool:
        signal.signal(signal.SIGINT, interrupt)
        yield from pool.imap(compare, work)


def _forms(wanted: str) -> tuple[str, ...]:
    if wanted != "auto":
        return ("compiled", "plain") if wanted == "both" else (wanted,)
    return ("compiled",) if engine.COMPILED else ("plain",)


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(prog="python -m tests.long_compare", description=__doc__.splitlines()[0])
    made.add_argument("--pairs", type=int, default=1_000_000, help="for each variant; a tenth for made-up ones")
    made.add_argument(
        "--variant",
        nargs="+",
        default=[*variant_ids(), *(f"{MADE_UP}{n}" for n in range(MADE_UP_NUMBER))],
        help=f"shipped ones, or {MADE_UP}N for any N (without: all shipped, and {MADE_UP_NUMBER} made-up ones)",
    )
    made.add_argument("--seed", default="1")
    made.add_argument("--form", choices=("auto", "compiled", "plain", "both"), default="auto", help="of the kernel")
    made.add_argument("--jobs", type=int, default=1, help="how many processes")
    made.add_argument("--brute", type=int, default=1000, metavar="N", help="one pair in N by brute force, 0 for none")
    return made


def _in_words(sums: Sequence[int]) -> str:
    return "{:,} pairs, {:,} of them by brute force too, {:,} mismatches".format(*sums)


def _stop(*_: object) -> None:
    raise KeyboardInterrupt


def main(argv: Sequence[str] | None = None) -> int:
    options = parser().parse_args(argv)
    forms = _forms(options.form)
    try:
        for form in forms:
            engine.kernel(form)
        for name in options.variant:
            sides(name)
    except (KernelError, UnknownVariant) as e:
        sys.stderr.write(f"{e}\n")
        return 2
    signal.signal(signal.SIGTERM, _stop)
    plan = blocks(options.variant, options.pairs, options.seed, forms, options.brute)
    out = sys.stdout
    out.write(f"seed {options.seed}, {options.pairs:,} pairs, kernel {' and '.join(forms)}, commit {commit()}\n")
    out.write(f"started {datetime.now(UTC):%Y-%m-%d %H:%M} UTC\n")
    every = [work for works in plan.values() for work in works]
    totals = {name: [0, 0, 0] for name in plan}  # pairs, those by brute force, mismatches
    bar = Bar(sum(work.pairs for work in every))
    ended, shown = "finished", 0
    try:
        for done in answers(every, options.jobs):
            sums = totals[done.variant]
            for k, n in enumerate((done.pairs, done.brute, done.mismatches)):
                sums[k] += n
            bar.show(sum(pairs for pairs, _, _ in totals.values()), done.variant)
            for example in done.examples[: max(0, SHOWN - shown)]:
                bar.clear()
                out.write(f"{example}\n")
                shown += 1
            if sums[0] == sum(work.pairs for work in plan[done.variant]):
                bar.clear()
                out.write(f"{done.variant}: {_in_words(sums)}\n")
            out.flush()
    except KeyboardInterrupt:
        ended = "stopped"
    bar.clear()
    total = [sum(column) for column in zip(*totals.values(), strict=True)]
    out.write(f"{ended} {datetime.now(UTC):%Y-%m-%d %H:%M} UTC: {_in_words(total)}\n")
    return 1 if total[2] else 0


if __name__ == "__main__":
    sys.exit(main())
