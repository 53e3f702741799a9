"""Bots against bots: deals played in one process or several, and what comes of them.

Each deal is independent: its cards follow from ``{seed}/{number}``, its bots' randomness one way from the seed, so what
is played depends on the seed alone, not on how many processes play it. With *pairs* every deal is played twice with
the same cards at the same seats, the bots moved one seat on, so that each side holds both sides' cards.
"""

from __future__ import annotations

import contextlib
import json
import math
import multiprocessing
import signal
import threading
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from multiprocessing.pool import Pool
from typing import Any, Final, Literal

from shuangkou.bots import bot
from shuangkou.rules.deal import Deal, SeedSource
from shuangkou.rules.record import Record, Terms, write_record
from shuangkou.rules.scoring import Settlement, star_value, units_of
from shuangkou.rules.variant import Edition, Result, Variant
from shuangkou.table.bot import bot_source, take_turn

PlaysFor = Literal["points", "coins", "silver", "nothing"]

VERSION: Final = 1
"""Of the form of a JSON line."""


class SimulationError(Exception):
    """What cannot be simulated. ``code`` is stable."""

    code = "bad_simulation"


@dataclass(frozen=True, slots=True)
class Setup:
    """What is simulated.

    Attributes:
        variant: the variant.
        bots: the names of the bots by seat.
        seed: what the cards follow from.
        pairs: whether each deal is played a second time with the sides exchanged.
        plays_for: what the points are counted in.
        record: whether each deal's record is wanted.
    """

    variant: Variant
    bots: tuple[str, ...]
    seed: str
    pairs: bool = False
    plays_for: PlaysFor = "points"
    record: bool = False

    @classmethod
    def of(
        cls,
        variant: Variant,
        bots: Sequence[str],
        seed: str | int,
        *,
        pairs: bool = False,
        plays_for: PlaysFor | None = None,
        record: bool = False,
    ) -> Setup:
        """Checks everything that can be checked before the first deal.

        Args:
            variant: the variant.
            bots: a name for every seat, for every side (seats 0 and 2, 1 and 3), or one for all.
            seed: what the cards follow from.
            pairs: play each deal a second time with the sides exchanged.
            plays_for: by default points, or what the first edition of a duel is for.
            record: whether each deal's record is wanted.

        Raises:
            SimulationError: the number of bots does not fit, or the variant is not played for that.
            UnknownBot, BadBot: a bot that there is not.
        """
        n = variant.players
        names = tuple(bots)
        if len(names) not in {1, 2, n}:
            expected = "one, two (one a side) or four" if n == 4 else "one or two"
            raise SimulationError(f"{variant.id} has {n} players: {expected} bots expected, {len(names)} given")
        if len(names) < n:
            names = (names * n)[:n]
        for name in dict.fromkeys(names):
            bot(name)
        units = units_of(variant)
        wanted = plays_for or units[0]
        if wanted not in {*units, "nothing"}:
            raise SimulationError(f"{variant.id} is played for {', '.join(units)} or nothing, not for {wanted}")
        return cls(variant, names, str(seed), pairs, wanted, record)

    @property
    def games(self) -> int:
        """How often each deal is played."""
        return 2 if self.pairs else 1

    def seated(self, game: int) -> tuple[str, ...]:
        """The bots by seat: in the second game of a pair each sits one seat on, so that the sides are exchanged."""
        return self.bots[-game:] + self.bots[:-game] if game else self.bots

    def edition(self) -> Edition | None:
        """The edition of a duel that is played for."""
        duel = self.variant.duel
        return None if duel is None else next((e for e in duel.editions if e.id == self.plays_for), None)

    def terms(self) -> Terms:
        """What the deals are settled by; in a duel both players' balance is what the edition's lowest level needs."""
        edition = self.edition()
        if edition is None:
            return Terms(self.plays_for)
        needs = min(level.needs for level in edition.levels)
        return Terms(self.plays_for, edition.id, (needs, needs))


@dataclass(frozen=True, slots=True)
class Played:
    """One deal that was played out.

    ``number`` counts the cards from 0, ``game`` is 1 where they are played again with the sides exchanged. ``order`` is
    the seats by place; ``bombs`` (seat, stars) in order; ``amounts`` by seat, empty where nothing is played for;
    ``times`` nanoseconds a decision by seat, the only thing that the seed does not decide.
    """

    number: int
    game: int
    seed: str
    variant: str
    bots: tuple[str, ...]
    leader: int
    result: Result
    order: tuple[int, ...]
    plays_for: PlaysFor
    amounts: tuple[int, ...]
    multiplier: int
    bombs: tuple[tuple[int, int], ...]
    plays: tuple[int, ...]
    passes: tuple[int, ...]
    left: tuple[int, ...]
    times: tuple[tuple[int, ...], ...] = field(default=(), compare=False, repr=False)
    record: str | None = None

    def json(self) -> str:
        """The deal as one line of JSON: the same for the same seed."""
        line: dict[str, Any] = {
            "v": VERSION,
            "deal": self.number,
            "game": self.game,
            "seed": self.seed,
            "variant": self.variant,
            "bots": self.bots,
            "leader": self.leader,
            "result": self.result,
            "order": self.order,
            "plays_for": self.plays_for,
            "points": self.amounts,
            "multiplier": self.multiplier,
            "stars": self.bombs,
            "plays": self.plays,
            "passes": self.passes,
            "left": self.left,
        }
        return json.dumps(line, ensure_ascii=False, separators=(",", ":"))


# -- playing --------------------------------------------------------------------------------------


def simulate(setup: Setup, deals: int, *, first: int = 0, jobs: int = 1) -> Generator[Played, None, None]:
    """Play ``deals`` deals (with pairs each twice), in order.

    Raises:
        BotFailed: a bot raised something or broke the rules; nothing is played after it.
        SimulationError: a number that is not at least 1.
    """
    if deals < 1 or jobs < 1 or first < 0:
        raise SimulationError("the numbers of deals and of jobs are at least 1")
    numbers = range(first, first + deals)
    if jobs == 1:
        for number in numbers:
            yield from play_number(setup, number)
        return
    with _pool(min(jobs, deals)) as pool:
        for games in pool.imap(partial(play_number, setup), numbers, chunksize=min(8, -(-deals // jobs))):
            yield from games


def _pool(jobs: int) -> Pool:
    """Processes that leave an interrupt to this one: they are started, and start others, without listening to it."""
    context = multiprocessing.get_context("spawn")  # the same everywhere, and nothing is shared by accident
    if threading.current_thread() is not threading.main_thread():
        return context.Pool(jobs, _ignore_interrupts)
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        return context.Pool(jobs, _ignore_interrupts)
    finally:
        signal.signal(signal.SIGINT, before)


def _ignore_interrupts() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def play_number(setup: Setup, number: int) -> list[Played]:
    """Play the cards of one number, once or as a pair."""
    seed = f"{setup.seed}/{number}"
    deal = Deal.shuffle(setup.variant, SeedSource(seed))
    return [_play(setup, deal, number, game, seed) for game in range(setup.games)]


def _play(setup: Setup, deal: Deal, number: int, game: int, seed: str) -> Played:
    names = setup.seated(game)
    players = [bot(name) for name in names]
    times: list[list[int]] = [[] for _ in names]
    while (seat := deal.to_move) is not None:
        source = bot_source(setup.seed, number, game, seat, len(deal.moves))
        turn = take_turn(players[seat], names[seat], deal, source, seed)
        times[seat].append(turn.time)
        deal = turn.after
    return _told(setup, deal, number, game, seed, names, times)


def _told(
    setup: Setup, deal: Deal, number: int, game: int, seed: str, names: tuple[str, ...], times: list[list[int]]
) -> Played:
    order, result = deal.order, deal.result
    assert order is not None and result is not None
    terms = setup.terms()
    settlement = terms.settlement(deal)
    record = None
    if setup.record:
        headers = {"Event": f"Simulation {seed}", "Seed": seed}
        headers |= {f"Player{player}": names[seat] for seat, player in enumerate(deal.seats)}
        record = write_record(Record.of(deal, headers, terms=terms))
    seats = range(deal.players)
    return Played(
        number=number,
        game=game,
        seed=seed,
        variant=setup.variant.id,
        bots=names,
        leader=deal.leader,
        result=result,
        order=order,
        plays_for=setup.plays_for,
        amounts=() if settlement is None else settlement.amounts,
        multiplier=_multiplier(setup, settlement, order[0]),
        bombs=tuple((seat, reading.stars) for seat, reading in deal.bombs()),
        plays=tuple(sum(m.seat == seat and m.reading is not None for m in deal.moves) for seat in seats),
        passes=tuple(sum(m.seat == seat and m.reading is None for m in deal.moves) for seat in seats),
        left=deal.left,
        times=tuple(tuple(row) for row in times),
        record=record,
    )


def _multiplier(setup: Setup, settlement: Settlement | None, winner: int) -> int:
    """What the result was multiplied by (R6.2, R7.3)."""
    if settlement is None:
        return 1
    if settlement.multiplier is not None:
        return settlement.multiplier
    edition = setup.edition()
    assert edition is not None
    return star_value(edition.doubling, settlement.stars[winner], 1)


# -- statistics -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Share:
    """A share of 0..1 with the ends of its 95 % interval."""

    value: float
    low: float
    high: float


def share(values: Iterable[float]) -> Share:
    """The mean of values of 0..1, each a unit of its own (a deal, or a pair), with a 95 % interval.

    A Counter says how many units have each value.

    Wilson's interval, for as many yes-or-no units as would scatter like these: a pair's mean scatters less.
    """
    units = Counter(values)
    n = units.total()
    if not n:
        return Share(0.0, 0.0, 1.0)
    mean = sum(value * times for value, times in units.items()) / n
    scatter = sum((value - mean) ** 2 * times for value, times in units.items()) / n
    count = n * mean * (1 - mean) / scatter if scatter else float(n)
    z = 1.959964
    middle = (mean + z * z / (2 * count)) / (1 + z * z / count)
    half = z / (1 + z * z / count) * math.sqrt(mean * (1 - mean) / count + z * z / (4 * count * count))
    return Share(mean, max(0.0, middle - half), min(1.0, middle + half))


_STEPS: Final = 16


def step(nanoseconds: int) -> int:
    """The step of a time: each is 4.4 % above the one before, 16 double it. So millions of times take little room."""
    return int(_STEPS * math.log2(max(1, nanoseconds)))


@dataclass(slots=True)
class Side:
    """What one side has done: its bots in the first game of a pair keep their side's name in the second."""

    name: str
    firsts: Counter[float] = field(default_factory=Counter)  # units by the share of first finishers on this side
    results: Counter[Result] = field(default_factory=Counter)  # of the deals with the first finisher on this side


@dataclass(slots=True)
class Statistics:
    """What comes of the deals that are added; all sums, so any order of deals gives the same."""

    setup: Setup
    deals: int = 0
    results: Counter[Result] = field(default_factory=Counter)
    multipliers: Counter[int] = field(default_factory=Counter)
    stars: Counter[int] = field(default_factory=Counter)
    plays: int = 0
    passes: int = 0
    sides: tuple[Side, Side] = field(init=False)
    amounts: list[int] = field(init=False)
    bot_amounts: dict[str, tuple[int, int]] = field(default_factory=dict)  # by bot: sum, seats
    times: dict[str, Counter[int]] = field(default_factory=dict)  # by bot: decisions by their step, see `step`
    _open: dict[int, int] = field(default_factory=dict)  # who won the first games that wait for the second

    def __post_init__(self) -> None:
        bots = self.setup.bots
        self.sides = (Side(_side_name(bots[::2])), Side(_side_name(bots[1::2])))
        self.amounts = [0] * len(bots)

    def add(self, played: Played) -> None:
        """Count a deal."""
        self.deals += 1
        self.results[played.result] += 1
        self.multipliers[played.multiplier] += 1
        self.stars.update(stars for _, stars in played.bombs)
        self.plays += sum(played.plays)
        self.passes += sum(played.passes)
        won = (played.order[0] + played.game) % 2
        self.sides[won].results[played.result] += 1
        if not self.setup.pairs:
            self._count([won])
        elif played.number in self._open:
            self._count([self._open.pop(played.number), won])
        else:
            self._open[played.number] = won
        for seat, amount in enumerate(played.amounts):
            self.amounts[seat] += amount
            total, seats = self.bot_amounts.get(played.bots[seat], (0, 0))
            self.bot_amounts[played.bots[seat]] = (total + amount, seats + 1)
        for name, row in zip(played.bots, played.times, strict=False):
            self.times.setdefault(name, Counter()).update(map(step, row))

    def _count(self, winners: Sequence[int]) -> None:
        for index, side in enumerate(self.sides):
            side.firsts[sum(won == index for won in winners) / len(winners)] += 1

    @property
    def units(self) -> int:
        """How many deals, or whole pairs, the intervals stand on."""
        return self.sides[0].firsts.total()

    def time(self, name: str, share: float) -> float:
        """The seconds within which a bot makes this share of its decisions, to 2.2 %: the middle of a step."""
        row = self.times.get(name, Counter[int]())
        before = min(row.total() - 1, int(share * row.total()))
        for at in sorted(row):
            before -= row[at]
            if before < 0:
                return float(2 ** ((at + 0.5) / _STEPS)) / 1e9
        return 0.0


def _side_name(bots: Sequence[str]) -> str:
    return "+".join(dict.fromkeys(bots))


def run(
    setup: Setup,
    deals: int,
    *,
    jobs: int = 1,
    each: Iterable[Callable[[Played], None]] = (),
) -> tuple[Statistics, bool]:
    """Play, hand each deal to everyone in ``each``, and count. An interrupt (Ctrl-C) ends it early.

    Returns:
        The statistics of what was played, and whether it was all.
    """
    statistics = Statistics(setup)
    listeners = tuple(each)
    with contextlib.closing(simulate(setup, deals, jobs=jobs)) as games:
        try:
            for played in games:
                statistics.add(played)
                for listener in listeners:
                    listener(played)
        except KeyboardInterrupt:
            return statistics, False
    return statistics, True
