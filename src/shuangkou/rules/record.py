"""The text notation of deals: write, read, replay and check (R1.7; `docs/notation.md` describes it in full).

A :class:`Record` is what a text says about one deal, whether or not it keeps the rules: it is read without
playing anything, and :meth:`Record.deals` replays it. Writing and reading are exact inverses. What is at fault in a
text is a :class:`~shuangkou.rules.errors.RecordError` with line, column and what was expected there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Final, Literal, NamedTuple, NoReturn

from shuangkou.rules.cards import COPIES, MAX_CARDS, ONE, RANKS, SMALL, Card, Counts, format_ranks
from shuangkou.rules.combination import Reading
from shuangkou.rules.deal import Action, Deal, SeedSource, TurnedUp
from shuangkou.rules.errors import BadCards, IllegalPlay, RecordError, SettlementError
from shuangkou.rules.reading import refusal_words
from shuangkou.rules.scoring import Settlement, Unit, deal_escape, deal_settlement
from shuangkou.rules.variant import Result, Variant
from shuangkou.rules.words import describe

MOST_CHARACTERS: Final = 1_000_000
"""Of one record. A file may have any number of them."""

PlaysFor = Literal["points", "coins", "silver", "nothing"]

UNITS: Final = {"points": "Points", "coins": "Coins", "silver": "Silver"}
"""What the line of amounts begins with, by what is played for."""

FACTS: Final = frozenset((
    "Notation", "Variant", "Set", "Seats", "Leader", "TurnedUp", "Twin", "Faces",
    "For", "Edition", "Balances", "Coefficient", "Fee", "Contribution", "LostDouble",
))  # fmt: skip
"""The headers that state facts of the deal; all others are anybody's."""

NAME: Final = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,63}")
"""What a header may be called."""

_NATURALS: Final = 13  # ranks that are not jokers


# What a record says


class Shape(NamedTuple):
    """What cards with wild cards count as, as the notation writes it: ``77777``, ``334455``."""

    start: int
    groups: int
    width: int

    @staticmethod
    @lru_cache(maxsize=4096)
    def parse(text: str) -> Shape | None:
        """The shape that cards make which stand in its order (``334455``, ``KKKKAAAA2222``); None if they make none."""
        groups = re.findall(r"((.)\2*)", text)
        start, width = RANKS.index(text[0]), len(groups[0][0])
        shape = Shape(start, len(groups), width)
        fits = len(groups) == 1 and width <= 2 if start >= SMALL else len(groups) <= _NATURALS
        return shape if fits and len(text) <= MAX_CARDS and str(shape) == text else None

    @classmethod
    def of(cls, reading: Reading) -> Shape:
        return cls(reading.combination.start, reading.groups, reading.width)

    @property
    def kind(self) -> str:
        """The kind that is named when the play is made again (R3.6)."""
        if self.groups == 1:
            return ("single", "pair", "triple", "bomb")[min(self.width, 4) - 1]
        return ("straight", "pair_run", "triple_run", "chain")[min(self.width, 4) - 1]

    @property
    def counts(self) -> Counts:
        return self.width * sum([ONE[rank] for rank in self._ranks()])

    def __str__(self) -> str:
        return "".join([RANKS[rank] * self.width for rank in self._ranks()])

    def _ranks(self) -> list[int]:
        if self.start >= _NATURALS:
            return [self.start]
        return [(self.start + group) % _NATURALS for group in range(self.groups)]


@dataclass(frozen=True, slots=True)
class Entry:
    """One move as it is written.

    Attributes:
        seat: who moves.
        counts: the cards; 0 for a pass.
        cards: the faces, where they are written; else those leave the hand that leave it by default.
        counted: what the cards count as, where it is written; else what they count as unnamed.
        lead: whether it begins a line, and so a trick.
        inherited: whether it is marked as an inherited lead (R5.3).
        place: the place that is marked, where the player goes out.
        comments: those that follow it.
        line, column: where it stands in the text that it was read from; 0 if in none.
    """

    seat: int
    counts: Counts
    cards: tuple[Card, ...] = ()
    counted: Shape | None = None
    lead: bool = False
    inherited: bool = False
    place: int | None = None
    comments: tuple[str, ...] = ()
    line: int = field(default=0, compare=False, repr=False)
    column: int = field(default=0, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Terms:
    """What a deal is played for, as :func:`~shuangkou.rules.scoring.deal_settlement` takes it.

    None: as the variant says. ``edition`` and ``balances`` (at the start of the deal, by seat) are of two-player games;
    ``coefficient``, ``fee`` and ``contribution`` are a four-player room's.
    """

    plays_for: PlaysFor = "nothing"
    edition: str | None = None
    balances: tuple[int, ...] | None = None
    coefficient: int | None = None
    fee: int | None = None
    contribution: bool | None = None
    at_least_lost_double: bool | None = None

    def settlement(self, deal: Deal, fugitive: int | None = None) -> Settlement | None:
        """What the deal brings, before any cut at a balance; None where it is played for nothing.

        Raises:
            SettlementError: the deal is running, or cannot be settled on these terms.
        """
        if self.plays_for == "nothing":
            return None
        unit: Unit = self.plays_for
        if fugitive is not None:
            lost = self.at_least_lost_double
            return deal_escape(deal, fugitive, unit, self.edition, self.balances, at_least_lost_double=lost)
        return deal_settlement(
            deal,
            unit,
            self.edition,
            self.balances,
            coefficient=self.coefficient,
            fee=self.fee,
            contribution=self.contribution,
        )


class Place(NamedTuple):
    """Where something stands in a text, from 1."""

    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Record:
    """One deal as a text tells it.

    Attributes:
        variant: what is played, the settings of the text included.
        headers: every header that is no fact of the deal (names, date, seed, ...), in order.
        terms: what is played for.
        seats: the player sitting at each seat, after any change by the turned-up card (R1.4).
        leader: the seat that leads; it holds the turned-up card.
        turned_up: the turned-up card.
        twin: the seat that holds its twin (four players).
        hands: what was dealt, by seat: faces, or packed counts in a deal of ranks without faces.
        remarks: the comments before the first move.
        moves: every move.
        result, places, amounts: how it ended, as written; None and empty while it runs.
        fugitive: the seat that left the running deal (R7.9).
        line: where it begins in the text that it was read from; 0 if in none.

    Its ``repr`` shows no hands: a record may be of a deal that still runs.
    """

    variant: Variant
    headers: tuple[tuple[str, str], ...]
    terms: Terms
    seats: tuple[int, ...]
    leader: int
    turned_up: Card | None
    twin: int | None
    hands: tuple[tuple[Card, ...], ...] | tuple[Counts, ...] = field(repr=False)
    remarks: tuple[str, ...] = ()
    moves: tuple[Entry, ...] = ()
    result: Result | None = None
    places: tuple[int, ...] = ()
    amounts: tuple[int, ...] = ()
    fugitive: int | None = None
    line: int = field(default=0, compare=False, repr=False)
    _at: Mapping[str, Place] = field(default_factory=dict, compare=False, repr=False)

    def __post_init__(self) -> None:
        for name, _ in self.headers:
            if name in FACTS or not NAME.fullmatch(name):
                raise ValueError(f"{name!r} cannot be the name of a header")

    @classmethod
    def of(
        cls,
        deal: Deal,
        headers: Mapping[str, str] | Iterable[tuple[str, str]] = (),
        *,
        terms: Terms | None = None,
        comments: Mapping[int, str | Sequence[str]] | None = None,
        remarks: Iterable[str] = (),
        fugitive: int | None = None,
    ) -> Record:
        """The record of a deal, over or still running.

        Args:
            deal: the deal.
            headers: names, date, place, seed and whatever else is worth keeping, in order. Behind a seed that
                deals these cards the players' seats before the deal are added where they were not 0, 1, ...
            terms: what is played for; by default points with four players and nothing with two.
            comments: to moves, by their index.
            remarks: comments before the first move.
            fugitive: the seat that left a running two-player deal.

        Raises:
            ValueError: a header's name that cannot be one, or a deal that :class:`Deal` did not make.
            SettlementError: the deal cannot be settled on these terms.
        """
        if terms is None:
            terms = Terms("points" if deal.variant.points is not None else "nothing")
        faces = any(deal.dealt)
        up = deal.turned_up
        record = cls(
            variant=deal.variant,
            headers=tuple(headers.items() if isinstance(headers, Mapping) else headers),
            terms=terms,
            seats=deal.seats,
            leader=deal.leader,
            turned_up=None if up is None else up.card,
            twin=None if up is None else up.twin,
            hands=deal.dealt if faces else deal.start_hands,
            remarks=tuple(remarks),
            result=deal.result,
            places=deal.order or (),
            fugitive=fugitive,
        )
        record = _with_seats_before(record)
        settlement = terms.settlement(deal, fugitive) if deal.over or fugitive is not None else None
        moves = []
        state = record.start()
        for index, move in enumerate(deal.moves):
            counted = None
            if move.reading is not None and move.reading.kind != "jokers":
                shape = Shape.of(move.reading)
                counted = None if shape.counts == move.counts else shape
            entry = Entry(move.seat, move.counts, (), counted, state.table is None, move.inherited)
            after = _apply(state, entry)
            if after.moves[-1] != move:
                entry = replace(entry, cards=move.cards)
                after = _apply(state, entry)
            words = (comments or {}).get(index, ())
            entry = replace(
                entry,
                place=len(after.out) if len(after.out) > len(state.out) else None,
                comments=(words,) if isinstance(words, str) else tuple(words),
            )
            moves.append(entry)
            state = after
        if state != deal:
            raise ValueError("this is no deal that was played by the rules from its beginning")
        return replace(record, moves=tuple(moves), amounts=() if settlement is None else settlement.amounts)

    @property
    def faces(self) -> bool:
        """Whether the cards have suits."""
        return not isinstance(self.hands[0], int)

    @property
    def running(self) -> bool:
        """Whether the text says that the deal is not over."""
        return self.result is None and self.fugitive is None

    def header(self, name: str, default: str = "") -> str:
        """The first header of that name."""
        return next((value for key, value in self.headers if key == name), default)

    def names(self) -> tuple[str, ...]:
        """The name of the player at each seat (headers ``Player0``, ``Player1``, ...); empty where there is none."""
        return tuple(self.header(f"Player{player}") for player in self.seats)

    def start(self) -> Deal:
        """The deal before its first move.

        Raises:
            RecordError: what is written is no deal: a card too often, a turned-up card that its holder has not, ...
        """
        n = self.variant.players
        if len(self.hands) != n:
            self._wrong("Hand0", f"{self.variant.id} has {n} hands, not {len(self.hands)}")
        if sorted(self.seats) != list(range(n)):
            self._wrong("Seats", "not the players in some order", numbers(range(n), "in any order"))
        if not 0 <= self.leader < n:
            self._wrong("Leader", f"there is no seat {self.leader}", numbers(range(n), "one of"))
        turned_up = None
        if self.turned_up is not None:
            if not self.variant.turned_up_card:
                self._wrong("TurnedUp", "no card is turned up in this variant")
            if not self.faces:
                self._wrong("TurnedUp", "a turned-up card needs hands with suits")
            turned_up = TurnedUp(self.turned_up, self.leader, self.twin)
        elif self.twin is not None:
            self._wrong("Twin", "there is no turned-up card that this could be the twin of")
        try:
            return Deal.start(self.variant, self.hands, self.leader, seats=self.seats, turned_up=turned_up)
        except (BadCards, ValueError) as error:
            what = f"Hand{self._surplus()}" if isinstance(error, BadCards) else "TurnedUp"
            if what == "TurnedUp" and self.twin is not None and "twin" in str(error):
                what = "Twin"
            self._wrong(what, str(error))

    def deals(self) -> Iterator[Deal]:
        """The deal before the first move and after each one.

        Raises:
            RecordError: at the first move that breaks the rules, with the reason in words.
        """
        deal = self.start()
        yield deal
        for index, entry in enumerate(self.moves):
            try:
                deal = _apply(deal, entry)
            except RecordError as error:
                if entry.line:
                    raise
                place = self._placed().moves[index]
                raise RecordError(error.message, place.line, place.column, error.expected) from None
            yield deal

    def deal(self) -> Deal:
        """The deal after the last move.

        Raises:
            RecordError: as :meth:`deals`.
        """
        for deal in self.deals():
            last = deal
        return last

    def _surplus(self) -> int:
        """The first seat at whose hand the cards are more than two packs hold."""
        for seats in range(1, len(self.hands)):
            if self.faces:
                faces = [card for hand in self.hands[:seats] if not isinstance(hand, int) for card in hand]
                many = any(faces.count(card) > 2 for card in faces)
            else:
                counts = [hand for hand in self.hands[:seats] if isinstance(hand, int)]
                many = any(sum(hand >> 4 * r & 15 for hand in counts) > most for r, most in enumerate(COPIES))
            if many:
                return seats - 1
        return len(self.hands) - 1

    def _placed(self) -> Record:
        """The same record with the places at which its text has things."""
        return self if self.line else read_records(write_record(self))[0]

    def _wrong(self, what: str, message: str, expected: str = "") -> NoReturn:
        raise self._error(what, message, expected)

    def _error(self, what: str, message: str, expected: str = "") -> RecordError:
        record = self._placed()
        line, column = record._at.get(what, (record.line, 1))
        return RecordError(message, line, column, expected)


def _apply(deal: Deal, entry: Entry) -> Deal:
    """The deal after a move as it is written; the reading written is the one that is named, and must be what counts."""
    counted = entry.counted
    kind = None if counted is None else counted.kind
    action = Action(entry.counts, kind, entry.cards)
    try:
        after = deal.apply(action, entry.seat)
    except IllegalPlay as refused:
        message = f"seat {entry.seat}: {refusal_words(deal, action, refused, 'en')}"
        raise RecordError(message, entry.line, entry.column) from None
    if counted is not None and after.table is not None and Shape.of(after.table) != counted:
        message = f"{format_ranks(entry.counts)} counts as {describe(after.table, 'en')}, not as {counted}"
        raise RecordError(message, entry.line, entry.column)
    return after


# Checking


def check_record(record: Record) -> list[RecordError]:
    """Everything that is wrong with a record: the deal, the moves up to the first that breaks the rules, the end."""
    record = record._placed()
    try:
        deal = record.start()
    except RecordError as error:
        return [error]
    found = list(_check_seed(record, deal))
    for entry in record.moves:
        if entry.lead != (deal.table is None) or entry.inherited != deal.inherited:
            found.extend(_check_lead(deal, entry))
        try:
            after = _apply(deal, entry)
        except RecordError as error:
            return [*found, error]
        place = len(after.out) if len(after.out) > len(deal.out) else None
        if entry.place != place:
            said = "nothing is marked" if entry.place is None else f"#{entry.place} is marked"
            goes = f"goes out as number {place}" if place else "does not go out"
            message = f"seat {entry.seat} {goes}, but {said}"
            found.append(RecordError(message, entry.line, entry.column, f"the mark #{place}" if place else "no mark"))
        deal = after
    found.extend(_check_end(record, deal))
    return found


def _check_lead(deal: Deal, entry: Entry) -> Iterator[RecordError]:
    if deal.over:
        return
    leads = deal.table is None
    if entry.lead and not leads:
        yield RecordError("a new line begins here, but the trick goes on", entry.line, entry.column)
    elif leads and not entry.lead:
        yield RecordError("a new trick begins here", entry.line, entry.column, "a new line")
    if entry.inherited != deal.inherited:
        message = "this lead is inherited" if deal.inherited else "this is no inherited lead"
        yield RecordError(message, entry.line, entry.column, "the mark ^" if deal.inherited else "no mark ^")


def _check_seed(record: Record, deal: Deal) -> Iterator[RecordError]:
    """A record that gives its seed must be what this seed deals, the change of seats included (R1.4, R1.7)."""
    for name in _SEEDS:
        if not record.header(name):
            continue
        given = _shuffled(record, name)
        if given is None:
            yield record._error(name, "not the hexadecimal digits of bytes")
        elif (given.dealt, given.turned_up) != (deal.dealt, deal.turned_up):
            yield record._error(name, "this seed deals other cards")
        else:
            n = deal.players
            written = record.header(_SEATS_BEFORE, numbers(range(n)))
            before = [int(word) if word in _DIGITS else -1 for word in written.split(" ")]
            if sorted(before) != list(range(n)):
                yield record._error(_SEATS_BEFORE, "not the players in some order", numbers(range(n), "in any order"))
                return
            after = tuple(before[seat] for seat in given.seats)
            if after != record.seats:
                message = f"this seed brings the players from the seats {written} to {numbers(after)}"
                yield record._error("Seats", message, f'[Seats "{numbers(after)}"], or the true [{_SEATS_BEFORE} ...]')
                return


_SEEDS: Final = ("Seed", "SeedHex")
_SEATS_BEFORE: Final = "SeatsBefore"
_DIGITS: Final = frozenset("0123456789")


def _shuffled(record: Record, name: str) -> Deal | None:
    """What the seed in a header deals, to players on the seats 0, 1, ...; None if it is no seed."""
    written = record.header(name)
    try:
        seed = written.encode("utf-8", "surrogatepass") if name == "Seed" else bytes.fromhex(written)
    except ValueError:
        return None
    return Deal.shuffle(record.variant, SeedSource(seed))


def _with_seats_before(record: Record) -> Record:
    """The record with the players' seats before the deal behind its seed, where they do not follow from that (R1.4)."""
    if record.header(_SEATS_BEFORE):
        return record
    for at, (name, written) in enumerate(record.headers):
        if name not in _SEEDS or not written or (given := _shuffled(record, name)) is None:
            continue
        if given.dealt == record.hands and given.seats != record.seats:
            before = [record.seats[given.seats.index(seat)] for seat in range(len(record.seats))]
            more = (_SEATS_BEFORE, numbers(before))
            return replace(record, headers=(*record.headers[: at + 1], more, *record.headers[at + 1 :]))
    return record


def _check_end(record: Record, deal: Deal) -> Iterator[RecordError]:
    if record.running:
        if deal.over:
            yield record._error("End", "the deal is over here", f"Result: {deal.result}")
        return
    if record.fugitive is not None:
        if deal.over or not 0 <= record.fugitive < deal.players:
            yield record._error("End", "nobody can leave a deal that is over" if deal.over else "there is no such seat")
            return
        if deal.players != 2:
            yield record._error("End", "only a two-player deal ends by an escape")
            return
    else:
        if deal.order is None:
            yield record._error("End", f"the deal is not over: it is the turn of seat {deal.to_move}", "*")
            return
        if record.result != deal.result:
            yield record._error("End", f"the result is {deal.result}, not {record.result}", f"Result: {deal.result}")
        if record.places != deal.order:
            expected = f"Places: {numbers(deal.order)}"
            yield record._error("Places", f"the places are {numbers(deal.order)}", expected)
    if not record.amounts:
        return
    try:
        settlement = record.terms.settlement(deal, record.fugitive)
    except SettlementError as error:
        yield record._error("For", f"the deal cannot be settled: {error}")
        return
    if settlement is None or settlement.amounts != record.amounts:
        amounts = () if settlement is None else settlement.amounts
        label = UNITS.get(record.terms.plays_for, "")
        if amounts:
            message = f"the deal brings {signed(amounts)}, not {signed(record.amounts)}"
            yield record._error("Amounts", message, f"{label}: {signed(amounts)}")
        else:
            yield record._error("Amounts", "the deal is played for nothing")


# Texts. What reads and writes them is imported when it is called.


def read_records(text: str) -> list[Record]:
    """The records of a text.

    Raises:
        RecordError: at the first thing that is not as the notation has it.
    """
    found = []
    for record in scan_records(text.split("\n")):
        if isinstance(record, RecordError):
            raise record
        found.append(record)
    return found


def scan_records(lines: Iterable[str]) -> Iterator[Record | RecordError]:
    """The records of a text given line by line, one at a time; in the place of one that cannot be read its error.

    A record begins with a line ``[Notation ...``, so what is wrong in one does not touch the next.
    """
    from shuangkou.rules import record_text

    return record_text.scan(lines)


def write_record(record: Record) -> str:
    """The text of a record; :func:`read_records` reads it back.

    Raises:
        ValueError: it has more characters than a record may have.
    """
    from shuangkou.rules import record_text

    return record_text.write(record)


def write_records(records: Iterable[Record]) -> str:
    """The text of several records, an empty line between them."""
    return "\n".join(write_record(record) for record in records)


def hand_lines(hands: tuple[tuple[Card, ...], ...] | tuple[Counts, ...], labels: Sequence[str]) -> list[str]:
    """One line a hand, the ranks of all hands under one another, each behind its label."""
    from shuangkou.rules import record_text

    return record_text.hand_lines(hands, labels)


def numbers(values: Iterable[int], before: str = "") -> str:
    """Numbers as the notation writes them: ``0 1 2 3``."""
    return " ".join([before, *map(str, values)]).strip()


def signed(amounts: Iterable[int]) -> str:
    """Amounts as the notation writes them: ``+4 0 -4 0``."""
    return " ".join([f"{amount:+d}" if amount else "0" for amount in amounts])
