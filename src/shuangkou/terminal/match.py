"""A session of a person against bots: deals one after another, what they bring, and who has how much."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from shuangkou.rules.deal import Action, Deal, SeedSource
from shuangkou.rules.scoring import (
    Counted,
    PlayedBomb,
    Settlement,
    Unit,
    contribution_line,
    count_stars,
    deal_settlement,
    duel_contributions,
    stake,
    star_value,
)
from shuangkou.rules.variant import Edition, Level, Variant
from shuangkou.rules.view import View
from shuangkou.table.bot import Bot, BotFailed, bot_source, take_turn

PERSON: Final = 0
"""The player who sits at the terminal; the others are bots."""

_BEGIN: Final[dict[Unit, int]] = {"points": 1000, "coins": 10000, "silver": 10000}


@dataclass(frozen=True, slots=True)
class Terms:
    """What is played and what for. ``edition`` is set for duels only."""

    variant: Variant
    unit: Unit
    edition: Edition | None


@dataclass(frozen=True, slots=True)
class Booked:
    """A deal that was played out, with what it changed, by player."""

    number: int
    when: datetime
    deal: Deal
    settlement: Settlement
    at_start: tuple[int, ...]
    changes: tuple[int, ...]
    balances: tuple[int, ...]
    paid_less: tuple[int, ...]  # players who could not pay all
    refilled: tuple[int, ...]  # players who fell below the first level


@dataclass(frozen=True, slots=True)
class Foresight:
    """What the bombs played so far would do at the end: for a side (four players) or a player (two)."""

    counted: Counted | None
    stars: int
    doubling: int
    contribution: int


class Match:
    """The session.

    With a ``seed`` its deals and the bots' choices follow from that alone (and from what the person plays). Without one
    each deal has a secret of its own of 128 bits, so that a deal's seed, told when it is over, tells of no other.
    """

    def __init__(self, terms: Terms, seed: str | None, bot: Bot, first: int = 1, bot_name: str = "bot") -> None:
        self.terms = terms
        self.seed = seed
        self.bot = bot
        self.bot_name = bot_name
        self.failed: set[int] = set()  # the seats of the running deal whose bot failed: auto-play plays for them
        self.number = first
        self._drawn: dict[int, str] = {}
        self.booked: list[Booked] = []
        players = terms.variant.players
        self.balances = (0 if terms.edition is None else self.refill,) * players
        self.deal = self._first(first)
        self.at_start = self.balances

    def seed_of(self, number: int) -> str:
        """The seed that one deal is shuffled from."""
        if self.seed is None:
            return self._drawn.setdefault(number, secrets.token_hex(16))
        return self.seed if number == 1 else f"{self.seed}/{number}"

    def _source(self, number: int) -> SeedSource:
        return SeedSource(self.seed_of(number))

    def _first(self, first: int) -> Deal:
        """The first deal of the session; the seat changes of those before it are made too (R1.4)."""
        deal = Deal.shuffle(self.terms.variant, self._source(1))
        for number in range(2, first + 1):
            deal = Deal.shuffle(self.terms.variant, self._source(number), seats=deal.seats)
        return deal

    # -- seats

    @property
    def me(self) -> int:
        """The person's seat in the running deal."""
        return self.deal.seats.index(PERSON)

    # -- course

    def _bot_would(self, purpose: str) -> Action:
        deal = self.deal
        source = bot_source(self.seed_of(self.number), purpose, str(deal.to_move), len(deal.moves))
        return take_turn(self.bot, self.bot_name, deal, source, str(self.number)).action

    def bot_action(self) -> Action:
        """What the bot on turn does; once it has failed, auto-play's choice to the end of the deal (R8.2).

        Raises:
            BotFailed: it fails now; the next call gives auto-play's choice.
        """
        seat = self.deal.to_move
        assert seat is not None
        if seat in self.failed:
            return self.deal.autoplay()
        try:
            return self._bot_would("move")
        except BotFailed:
            self.failed.add(seat)
            raise

    def hint_action(self) -> Action:
        """What the bot would do in the person's place; the bots' own choices do not depend on being asked."""
        try:
            return self._bot_would("hint")
        except BotFailed:
            return self.deal.autoplay()

    def next(self) -> None:
        """Begin the next deal."""
        deal = self.deal.next(self._source(self.number + 1))
        self.failed = set()
        self.number, self.deal, self.at_start = self.number + 1, deal, self.balances

    @property
    def is_booked(self) -> bool:
        return bool(self.booked) and self.booked[-1].number == self.number

    def book(self) -> Booked:
        """Settle the deal that has just ended, once."""
        if self.is_booked:
            return self.booked[-1]
        terms, deal = self.terms, self.deal
        edition = None if terms.edition is None else terms.edition.id
        held = tuple(self.at_start[player] for player in deal.seats)
        settlement = deal_settlement(deal, terms.unit, edition, None if edition is None else held)
        changes = [settlement.amounts[deal.seats.index(p)] for p in range(deal.players)]
        less: tuple[int, ...] = ()
        refilled: tuple[int, ...] = ()
        if edition is not None:
            less = tuple(p for p, change in enumerate(changes) if self.at_start[p] + change < 0)
            for p in less:  # nobody's balance goes below zero; money that is not there is not won (R8.7, R8.8)
                changes[p] = -self.at_start[p]
                if terms.unit != "points":
                    changes[1 - p] = self.at_start[p]
        balances = [held + change for held, change in zip(self.at_start, changes, strict=True)]
        if edition is not None:
            refilled = tuple(p for p, balance in enumerate(balances) if balance < self.needs)
            for p in refilled:
                balances[p] = self.refill
        booked = Booked(
            self.number,
            datetime.now().astimezone(),
            deal,
            settlement,
            self.at_start,
            tuple(changes),
            tuple(balances),
            less,
            refilled,
        )
        self.booked, self.balances = [*self.booked, booked], booked.balances
        return booked

    @property
    def needs(self) -> int:
        """What a player needs to be seated."""
        return 0 if self.terms.edition is None else min(level.needs for level in self.terms.edition.levels)

    @property
    def refill(self) -> int:
        """What a player of a duel has in the beginning, and again after falling below what is needed."""
        return max(_BEGIN[self.terms.unit], self.needs)

    # -- what the deal is worth so far

    def stake(self) -> Level | None:
        """The level whose stake this deal is played for (R7.1)."""
        return None if self.terms.edition is None else stake(self.terms.edition, self.at_start)

    def contributions(self, view: View) -> tuple[int, ...] | None:
        """What contributions have brought each seat so far (R6.3); None where there are none in this game."""
        points = self.terms.variant.points
        if points is None or not points.contribution:
            return None
        if self.terms.unit == "silver" and not points.silver.contribution:
            return None
        totals = [0] * len(view.left)
        for seat, reading in view.bombs():
            line = contribution_line(self.terms.variant, seat, PlayedBomb.of(reading), self.terms.unit)
            if line is not None:
                totals = [so_far + more for so_far, more in zip(totals, line.amounts, strict=True)]
        return tuple(totals)

    def foresight(self, view: View, seat: int) -> Foresight:
        """What the bombs of a seat's side have earned it so far (R6.2, R7.3, R7.4)."""
        variant, edition = self.terms.variant, self.terms.edition
        if variant.duel is not None and edition is not None:
            bombs = [PlayedBomb.of(reading) for at, reading in view.bombs() if at == seat]
            counted = count_stars(variant.duel, bombs, variant.chain.circle)
            return Foresight(
                counted,
                counted.stars,
                star_value(edition.doubling, counted.stars, 1),
                sum(c for c, _ in duel_contributions(variant.duel, edition, bombs, variant.chain.circle)),
            )
        stars = max([r.stars for at, r in view.bombs() if (at - seat) % 2 == 0], default=0)
        doubling = variant.points.doubling if variant.points is not None else ()
        return Foresight(None, stars, star_value(doubling, stars, 1), 0)
