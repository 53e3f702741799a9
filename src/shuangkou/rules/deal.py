"""A deal: shuffle, turned-up card, seats, turns, inherited lead, places and result (R1, R5).

A :class:`Deal` is immutable: :meth:`Deal.apply` gives the next one, or refuses. The one check in there
serves the judge, the terminal, tables and bots alike.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Final, Protocol

from shuangkou.rules.cards import (
    CARDS,
    MAX_CARDS,
    ONE,
    PACK,
    Card,
    Counts,
    check_copies,
    counts_of,
    held,
    parse_cards,
    parse_ranks,
    size,
)
from shuangkou.rules.catalogue import Catalogue
from shuangkou.rules.combination import KINDS, Reading
from shuangkou.rules.errors import BadCards, IllegalPlay, Reason, SettlementError
from shuangkou.rules.reading import Play, canonical
from shuangkou.rules.variant import Result, ResultBounds, Variant

# -- randomness -----------------------------------------------------------------------------------


class Source(Protocol):
    """Where a shuffle takes its randomness from (R1.7)."""

    def below(self, n: int) -> int:
        """A number from 0 to n - 1, each equally likely; ``n`` is at least 1."""
        ...


class SeedSource:
    """Randomness from a seed, specified so that any language can repeat it.

    The seed is bytes (text as UTF-8, an integer as its decimal digits). Block i is the SHA-256 of the
    seed followed by i as eight bytes, big-endian; the blocks' bytes, in order, are the stream.
    ``below(n)`` reads as many bytes as ``n - 1`` needs (none for 1), big-endian, and tries again while
    the number is not below the largest multiple of ``n`` that these bytes can hold; the remainder
    by ``n`` is the answer.
    """

    __slots__ = ("_at", "_block", "_count", "_seed")

    def __init__(self, seed: str | bytes | int) -> None:
        text = str(seed) if isinstance(seed, int) else seed
        self._seed = text.encode() if isinstance(text, str) else text
        self._count = 0
        self._block = b""
        self._at = 0

    def _take(self, n: int) -> bytes:
        while len(self._block) - self._at < n:
            more = hashlib.sha256(self._seed + self._count.to_bytes(8, "big")).digest()
            self._block = self._block[self._at :] + more
            self._at = 0
            self._count += 1
        self._at += n
        return self._block[self._at - n : self._at]

    def below(self, n: int) -> int:
        """See :class:`Source`."""
        if n < 1:
            raise ValueError(f"a number below {n} does not exist")
        width = ((n - 1).bit_length() + 7) // 8
        if not width:
            return 0
        limit = (1 << 8 * width) // n * n
        while True:
            number = int.from_bytes(self._take(width), "big")
            if number < limit:
                return number % n


def shuffled(cards: Sequence[Card], source: Source) -> list[Card]:
    """The cards in a random order: Fisher-Yates from the last place down, ``source.below(i + 1)`` at place i."""
    order = list(cards)
    for i in range(len(order) - 1, 0, -1):
        j = source.below(i + 1)
        order[i], order[j] = order[j], order[i]
    return order


# -- faces in hands -------------------------------------------------------------------------------
# A hand's faces are one integer: two bits for each of the 54 faces (0b01 one copy, 0b11 both), so that
# equal hands are equal numbers. A rank's cards are one byte of it; each joker has a byte of its own.


_SINGLE: Final = int("01" * 60, 2)


def _mask_of(cards: Sequence[Card]) -> int:
    mask = 0
    for card in cards:
        bit = 1 << (2 * card if card < 52 else 8 * card - 312)
        mask |= bit << 1 if mask & bit else bit
    return mask


def _cards_of(mask: int) -> tuple[Card, ...]:
    found = []
    for card in CARDS:
        both = mask >> (2 * card if card < 52 else 8 * card - 312) & 3
        if both:
            found.append(card)
            if both == 3:
                found.append(card)
    return tuple(found)


@cache
def _leave(byte: int, n: int, last: int) -> int:
    """Which ``n`` cards of a rank's byte leave the hand; suit ``last`` (-1: none) leaves last."""
    order = [s for s in range(4) if s != last] + [last] * (last >= 0)
    cards = [s for s in order for _ in range((byte >> 2 * s & 3).bit_count())][:n]
    return sum((3 if cards.count(s) == 2 else 1) << 2 * s for s in set(cards))


def _without(mask: int, gone: int) -> int:
    """A hand's faces without those that left; of a face held twice one copy stays."""
    left = gone & _SINGLE
    return mask & ~(left | left << 1) | (mask ^ gone) >> 1 & left


# -- actions and moves ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Action:
    """What a player asks for: cards by ranks or by faces, with or without a named kind; or a pass."""

    counts: Counts
    kind: str | None = None
    cards: tuple[Card, ...] = ()

    def __post_init__(self) -> None:
        """Refuse what no player could ask for.

        Raises:
            ValueError: an unknown kind.
            BadCards: faces that are not the ranks, or more than two of one.
        """
        if self.kind is not None and self.kind not in KINDS:
            raise ValueError(f"unknown kind {self.kind!r}: one of {', '.join(KINDS)} expected")
        if self.cards and (counts_of(self.cards) != self.counts or any(self.cards.count(c) > 2 for c in self.cards)):
            raise BadCards("the action's faces are not its ranks")

    @classmethod
    def parse(cls, text: str, kind: str | None = None) -> Action:
        """An action from ranks (``7777X``) or faces (``7S 7S``), or ``pass``.

        Raises:
            BadCards: the text is neither.
            ValueError: an unknown kind.
        """
        text = text.strip()
        if text.lower() in ("pass", "-"):
            return PASS
        if any(ch in "SHCD " for ch in text):
            cards = parse_cards(text)
            return cls(counts_of(cards), kind, cards)
        return cls(parse_ranks(text), kind)

    @classmethod
    def of(cls, play: Play) -> Action:
        """The action that makes a canonical play."""
        return cls(play.counts, play.kind)


PASS: Final = Action(0)


@dataclass(frozen=True, slots=True)
class Move:
    """What was done, as everybody sees it (R5.7): ``reading`` is None for a pass."""

    seat: int
    reading: Reading | None
    counts: Counts
    inherited: bool
    _mask: int = field(repr=False, default=0)

    @property
    def cards(self) -> tuple[Card, ...]:
        """The faces that were played, sorted; empty for a pass and in a deal without faces."""
        return _cards_of(self._mask)


@dataclass(frozen=True, slots=True)
class TurnedUp:
    """The turned-up card: who was dealt the marked copy, and who its twin (None with two players, R1.5)."""

    card: Card
    holder: int
    twin: int | None


def seat_change(leader: int, twin: int) -> tuple[int, int, int, int]:
    """Which of the players 0..3 sits at each seat after the change of R1.4.

    The holder of the twin and the player opposite the leader change seats, unless the twin is with the
    leader or already opposite.

    Raises:
        ValueError: a seat that is not 0..3.
    """
    if not (0 <= leader < 4 and 0 <= twin < 4):
        raise ValueError("seats are numbered 0 to 3")
    seats = [0, 1, 2, 3]
    opposite = (leader + 2) % 4
    if twin != leader:
        seats[twin], seats[opposite] = seats[opposite], seats[twin]
    return seats[0], seats[1], seats[2], seats[3]


def result_of(order: Sequence[int]) -> Result:
    """The result of a four-player deal from the seats in order of place (R5.6); seats s and s+2 are one side."""
    if sorted(order) != [0, 1, 2, 3]:
        raise SettlementError("bad_order", "the order must name the seats 0 to 3 once each")
    place = order.index((order[0] + 2) % 4)
    return "double" if place == 1 else "single" if place == 2 else "level"


def places(variant: Variant, hands: Sequence[Counts], out: Sequence[int]) -> tuple[int, ...]:
    """The seats of a finished deal by place, first to last (R5.5).

    Args:
        variant: the variant that is played.
        hands: the hands at the end, by seat.
        out: the seats that went out, in that order.
    """
    n = len(hands)
    rest = [s for s in ((out[-1] + k) % n for k in range(1, n)) if s not in out]
    if variant.places_after_double == "fewer_cards":
        rest.sort(key=lambda seat: size(hands[seat]))
    return (*out, *rest)


def result_by_cards(bounds: ResultBounds, left: int) -> Result:
    """The result of a two-player deal from the cards left in the loser's hand (R5.6)."""
    if not 1 <= left <= MAX_CARDS:
        raise SettlementError("bad_left", "the loser has 1 to 27 cards left")
    return "double" if left >= bounds.double else "single" if left >= bounds.single else "level"


# -- the deal -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, repr=False)
class Deal:
    """One distribution of cards, played out; immutable.

    Attributes:
        catalogue: the variant, compiled.
        seats: the player sitting at each seat; a change by the turned-up card is already made (R1.4).
        dealt: the hands at the start, by seat, sorted; empty tuples in a deal of ranks without faces.
        start_hands: the same as packed counts.
        turned_up: the turned-up card, or None.
        leader: the seat that led first.
        hands: the hands now, by seat, as packed counts.
        to_move: the seat whose turn it is; None when the deal is over.
        table: what must be beaten; None for a lead.
        table_seat: whose play ``table`` is.
        moves: every move made, oldest first.
        out: the seats in the order in which they went out.
    """

    catalogue: Catalogue
    seats: tuple[int, ...]
    dealt: tuple[tuple[Card, ...], ...]
    start_hands: tuple[Counts, ...]
    turned_up: TurnedUp | None
    leader: int
    hands: tuple[Counts, ...]
    to_move: int | None
    table: Reading | None
    table_seat: int | None
    moves: tuple[Move, ...]
    out: tuple[int, ...]
    _masks: tuple[int, ...] = field(repr=False)
    _passes: int = field(repr=False)  # how many others must still pass for the trick to be taken
    _inherited: bool = field(repr=False)

    # -- beginnings

    @classmethod
    def shuffle(
        cls, variant: Variant, source: Source, *, seats: Sequence[int] | None = None, leader: int | None = None
    ) -> Deal:
        """Shuffle and deal; turn up a card, or draw the leader, as the variant says (R1.2-R1.6).

        Order of the draws: the shuffle of the 108 cards in order of their faces, each twice; seat s gets
        the places 27s to 27s+26; then the turned-up card (four players: its face among 54, then which of
        the two copies is marked, the one at the lower place first; two players: one of the 54 places dealt),
        or without one the leader, unless it is given.

        Args:
            variant: the variant to play.
            source: the randomness.
            seats: the player at each seat before the deal; 0, 1, ... by default.
            leader: the seat that leads in a variant without a turned-up card (R1.6).

        Raises:
            ValueError: ``seats`` is no order of the players, a leader who does not exist, or a leader where
                a card is turned up.
        """
        n = variant.players
        at = tuple(range(n)) if seats is None else tuple(seats)
        if sorted(at) != list(range(n)):
            raise ValueError(f"seats must be an order of the players 0 to {n - 1}")
        if leader is not None and (variant.turned_up_card or not 0 <= leader < n):
            raise ValueError(f"no seat {leader}" if not 0 <= leader < n else "who is dealt the turned-up card leads")
        deck = shuffled(PACK, source)
        turned_up = None
        order = tuple(range(n))
        if variant.turned_up_card and n == 4:
            card = CARDS[source.below(54)]
            places = [i for i, c in enumerate(deck) if c == card]
            marked = source.below(2)
            leader, twin = places[marked] // MAX_CARDS, places[1 - marked] // MAX_CARDS
            order = seat_change(leader, twin)
            turned_up = TurnedUp(card, leader, order.index(twin))
        elif variant.turned_up_card:
            place = source.below(n * MAX_CARDS)
            leader = place // MAX_CARDS
            turned_up = TurnedUp(deck[place], leader, None)
        elif leader is None:
            leader = source.below(n)
        hands = [tuple(sorted(deck[s * MAX_CARDS : (s + 1) * MAX_CARDS])) for s in order]
        return cls._begin(variant, tuple(at[s] for s in order), hands, turned_up, leader)

    @classmethod
    def start(
        cls,
        variant: Variant,
        hands: Sequence[Counts] | Sequence[Sequence[Card]],
        leader: int,
        *,
        seats: Sequence[int] | None = None,
        turned_up: TurnedUp | None = None,
    ) -> Deal:
        """A deal from given hands of 1 to 27 cards, as packed counts or as faces; no seats change.

        Raises:
            BadCards: a hand that is empty, too large, or more copies in all hands than two packs hold.
            ValueError: not as many hands as players, a leader, seats or a turned-up card that do not fit.
        """
        n = variant.players
        if len(hands) != n:
            raise ValueError(f"{n} hands expected, {len(hands)} given")
        if not 0 <= leader < n:
            raise ValueError(f"no seat {leader}")
        at = tuple(range(n)) if seats is None else tuple(seats)
        if sorted(at) != list(range(n)):
            raise ValueError(f"seats must be an order of the players 0 to {n - 1}")
        faces: list[tuple[Card, ...]] = []
        counts: list[Counts] = []
        for hand in hands:
            if isinstance(hand, int):
                counts.append(hand)
            else:
                faces.append(tuple(sorted(hand)))
                counts.append(counts_of(hand))
        for hand in counts:
            if hand <= 0 or hand >> 60 or size(hand) > MAX_CARDS:
                raise BadCards(f"a hand has 1 to {MAX_CARDS} cards")
            check_copies(hand)
        _check_total(counts)
        if faces:
            if len(faces) != n:
                raise ValueError("all hands as counts or all as faces")
            every = [c for f in faces for c in f]
            many = next((c for c in every if every.count(c) > 2), None)
            if many is not None:
                raise BadCards(f"more than two of {many}: two packs hold each card twice")
        if turned_up is not None:
            _check_turned_up(turned_up, faces, leader)
        return cls._begin(variant, at, faces, turned_up, leader, tuple(counts))

    @classmethod
    def _begin(
        cls,
        variant: Variant,
        seats: tuple[int, ...],
        faces: Sequence[tuple[Card, ...]],
        turned_up: TurnedUp | None,
        leader: int,
        counts: tuple[Counts, ...] | None = None,
    ) -> Deal:
        hands = tuple(counts_of(f) for f in faces) if counts is None else counts
        masks = tuple(_mask_of(f) for f in faces)
        return cls(
            Catalogue.of(variant), seats, tuple(faces), hands, turned_up, leader, hands, leader, None, None, (), (),
            masks, 0, False,
        )  # fmt: skip

    def next(self, source: Source) -> Deal:
        """The next deal of a match, from the seats as they are now (R1.4, R1.6).

        Raises:
            ValueError: this deal is not over.
        """
        if self.result is None:
            raise ValueError("the deal is not over")
        leader = None
        if not self.variant.turned_up_card and getattr(self.variant.next_lead, self.result) == "first_out":
            leader = self.out[0]
        return Deal.shuffle(self.variant, source, seats=self.seats, leader=leader)

    def __repr__(self) -> str:
        """Nothing that a seat may not know: a deal may end up in a log."""
        state = "over" if self.to_move is None else f"seat {self.to_move} to move"
        return f"Deal({self.variant.id}, {len(self.moves)} moves, {state}, left {self.left})"

    # -- questions

    @property
    def variant(self) -> Variant:
        return self.catalogue.variant

    @property
    def players(self) -> int:
        """How many players there are."""
        return len(self.hands)

    @property
    def over(self) -> bool:
        return self.to_move is None

    @property
    def left(self) -> tuple[int, ...]:
        """How many cards each seat holds."""
        return tuple([size(hand) for hand in self.hands])

    @property
    def order(self) -> tuple[int, ...] | None:
        """The seats by place, first to last (R5.5); None before the end."""
        return None if self.to_move is not None else places(self.variant, self.hands, self.out)

    @property
    def result(self) -> Result | None:
        """Double, single or level (R5.6); None before the end."""
        order = self.order
        if order is None:
            return None
        duel = self.variant.duel
        return result_of(order) if duel is None else result_by_cards(duel.results, size(self.hands[order[1]]))

    def cards(self, seat: int) -> tuple[Card, ...]:
        """The faces that a seat holds now, sorted; empty in a deal of ranks without faces."""
        return _cards_of(self._masks[seat]) if self._masks else ()

    def bombs(self) -> tuple[tuple[int, Reading], ...]:
        """Every bomb played, in order: the seat and what it counts as."""
        return tuple((m.seat, m.reading) for m in self.moves if m.reading is not None and m.reading.is_bomb)

    def holds_turned_up(self) -> tuple[int | None, int | None]:
        """Who still holds the turned-up card and who its twin (R5.7); None once played."""
        up = self.turned_up
        if up is None:
            return None, None
        at = 2 * up.card if up.card < 52 else 8 * up.card - 312
        copies = [self._masks[s] >> at & 3 for s in range(len(self.hands))]
        if up.twin == up.holder:
            return (up.holder if copies[up.holder] else None, up.twin if copies[up.holder] == 3 else None)
        twin = up.twin
        return (up.holder if copies[up.holder] else None, twin if twin is not None and copies[twin] else None)

    def canonical(self) -> list[Play]:
        """The canonical plays of the seat to move; none when the deal is over."""
        return [] if self.to_move is None else canonical(self.catalogue, self.hands[self.to_move], self.table)

    def autoplay(self) -> Action:
        """What auto-play would do now (R8.2).

        Raises:
            IllegalPlay: the deal is over.
        """
        if self.to_move is None:
            raise IllegalPlay(Reason.DEAL_OVER)
        kernel = self.catalogue.kernel
        hand = self.hands[self.to_move]
        action = kernel.autoplay(hand, 0 if self.table is None else self.table.code)
        return Action(kernel.cards(hand, action)) if action else PASS

    # -- course

    def apply(self, action: Action, seat: int | None = None) -> Deal:
        """The deal after an action of the seat to move: :meth:`move`, then :meth:`after`.

        Args:
            action: what to do.
            seat: who asks; the seat to move by default.

        Raises:
            IllegalPlay: as :meth:`move`.
        """
        return self.after(self.move(action, seat))

    def move(self, action: Action, seat: int | None = None) -> Move:
        """What an action is, checked by the rules: the fact to show, to store and to go on from.

        Raises:
            IllegalPlay: with the first of its reasons that holds: deal_over, not_your_turn, must_lead,
                not_held, illegal_play.
        """
        mover = self.to_move
        if mover is None:
            raise IllegalPlay(Reason.DEAL_OVER)
        if seat is not None and seat != mover:
            raise IllegalPlay(Reason.NOT_YOUR_TURN)
        counts = action.counts
        if not counts:
            if self.table is None:
                raise IllegalPlay(Reason.MUST_LEAD)
            return Move(mover, None, 0, False)
        if not held(self.hands[mover], counts):
            raise IllegalPlay(Reason.NOT_HELD)
        gone = self._leaving(mover, action)
        kernel = self.catalogue.kernel
        wanted = -1 if action.kind is None else KINDS.index(action.kind)
        code = kernel.read(counts, 0 if self.table is None else self.table.code, wanted)
        if not code:
            raise IllegalPlay(Reason.ILLEGAL_PLAY)
        return Move(mover, self.catalogue.reading(code), counts, self._inherited, gone)

    def after(self, move: Move) -> Deal:
        """The deal after a move that :meth:`move` gave in this state, now or when it was stored; nothing is checked."""
        if move.reading is None:
            return self._passed(move)
        mover = move.seat
        hand = self.hands[mover] - move.counts
        hands = (*self.hands[:mover], hand, *self.hands[mover + 1 :])
        masks = self._masks
        if masks:
            masks = (*masks[:mover], _without(masks[mover], move._mask), *masks[mover + 1 :])
        out = self.out if hand else (*self.out, mover)
        if hand or not _decided(hands, out):
            waiting = len(hands) - hands.count(0) - (hand > 0)
            to_move: int | None = _after(hands, mover)
        else:
            to_move, waiting = None, 0
        return Deal(
            self.catalogue, self.seats, self.dealt, self.start_hands, self.turned_up, self.leader, hands, to_move,
            move.reading, mover, (*self.moves, move), out, masks, waiting, False,
        )  # fmt: skip

    def _passed(self, move: Move) -> Deal:
        moves = (*self.moves, move)
        if self._passes > 1:
            return Deal(
                self.catalogue, self.seats, self.dealt, self.start_hands, self.turned_up, self.leader, self.hands,
                _after(self.hands, move.seat), self.table, self.table_seat, moves, self.out, self._masks,
                self._passes - 1, False,
            )  # fmt: skip
        # all others have passed: the trick is taken, and where its winner is out the partner leads (R5.2, R5.3)
        taker = self.table_seat
        assert taker is not None
        inherited = not self.hands[taker]
        lead = (taker + 2) % 4 if inherited else taker
        return Deal(
            self.catalogue, self.seats, self.dealt, self.start_hands, self.turned_up, self.leader, self.hands,
            lead, None, None, moves, self.out, self._masks, 0, inherited,
        )  # fmt: skip

    @property
    def waiting(self) -> int:
        """How many others must still pass for the trick to be taken (R5.2); 0 for a lead."""
        return self._passes

    @property
    def inherited(self) -> bool:
        """Whether the lead to be made now was inherited from a partner who is out (R5.3)."""
        return self._inherited

    def _leaving(self, seat: int, action: Action) -> int:
        """The faces that leave the hand; of equal ranks the turned-up card's leave last."""
        if not self._masks:
            if action.cards:
                raise IllegalPlay(Reason.NOT_HELD)
            return 0
        mask = self._masks[seat]
        if action.cards:
            gone = _mask_of(action.cards)
            if gone & ~mask:
                raise IllegalPlay(Reason.NOT_HELD)
            return gone
        special = -1 if self.turned_up is None else self.turned_up.card.rank
        gone = 0
        counts = action.counts
        while counts:
            rank = ((counts & -counts).bit_length() - 1) >> 2
            n = counts >> 4 * rank & 15
            counts &= ~(15 * ONE[rank])
            last = -1
            if rank == special and self.turned_up is not None:
                last = self.turned_up.card.suit or 0
            gone |= _leave(mask >> 8 * rank & 255, n, last) << 8 * rank
        return gone


def _after(hands: tuple[Counts, ...], seat: int) -> int:
    """The next seat in turn order that still holds cards."""
    n = len(hands)
    seat = (seat + 1) % n
    while not hands[seat]:
        seat = (seat + 1) % n
    return seat


def _decided(hands: tuple[Counts, ...], out: tuple[int, ...]) -> bool:
    """Whether the deal ends with the last of ``out`` (R5.4)."""
    if len(hands) == 2:
        return True
    return len(out) == 3 or not hands[(out[-1] + 2) % 4]


def _check_total(hands: Sequence[Counts]) -> None:
    for rank, one in enumerate(ONE):
        if sum(h // one & 15 for h in hands) > (8 if rank < 13 else 2):
            raise BadCards("more copies of a card in all hands than two packs hold")


def _check_turned_up(up: TurnedUp, faces: Sequence[tuple[Card, ...]], leader: int) -> None:
    n = len(faces)
    if up.holder != leader:
        raise ValueError("who is dealt the turned-up card leads")
    if not faces or not 0 <= up.holder < n or up.card not in faces[up.holder]:
        raise ValueError(f"the holder was not dealt the turned-up card {up.card}")
    if n == 2:
        if up.twin is not None:
            raise ValueError("with two players the twin is not shown")
        return
    if up.twin is None or not 0 <= up.twin < n:
        raise ValueError("the twin of the turned-up card must be with one of the seats")
    need = 2 if up.twin == up.holder else 1
    if faces[up.twin].count(up.card) < need:
        raise ValueError(f"the twin of {up.card} is not in that hand")
    if up.twin != up.holder and up.twin != (up.holder + 2) % 4:
        raise ValueError("the twin is with the leader or opposite: the seats change before the deal starts")
