"""A deal as one seat, the public or all may see it (R5.7).

A :class:`View` holds nothing that its audience may not know: it is built from public facts and the
hands that the audience sees, so it can be sent, logged or handed to a bot as it is.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from shuangkou.rules.cards import FULL, Card, Counts
from shuangkou.rules.catalogue import Catalogue
from shuangkou.rules.combination import Reading
from shuangkou.rules.deal import Deal, Move
from shuangkou.rules.reading import Play, canonical
from shuangkou.rules.variant import Result, Variant

PUBLIC: Final = "public"
ALL: Final = "all"
Audience = int | Literal["public", "all"]
"""A seat, everybody (no hand), or those who may see all hands (after the end, or a replay)."""


@dataclass(frozen=True, slots=True)
class View:
    """What one audience sees of a deal.

    Attributes:
        catalogue: the variant, compiled.
        seat: the seat that looks; None for the public and for all.
        seats: the player sitting at each seat.
        hands: by seat, as packed counts; None for a hand that is not seen.
        faces: by seat, the cards with their suits; empty where not seen, or in a deal without faces.
        left: how many cards each seat holds.
        turned_up: the turned-up card, or None.
        turned_up_with: who still holds the turned-up card; None once it is played.
        twin_with: who still holds its twin; None once it is played, and with two players.
        leader, to_move, table, table_seat, waiting, inherited, moves, out, order, result: as in the deal.
    """

    catalogue: Catalogue
    seat: int | None
    seats: tuple[int, ...]
    hands: tuple[Counts | None, ...]
    faces: tuple[tuple[Card, ...], ...]
    left: tuple[int, ...]
    turned_up: Card | None
    turned_up_with: int | None
    twin_with: int | None
    leader: int
    to_move: int | None
    table: Reading | None
    table_seat: int | None
    waiting: int
    inherited: bool
    moves: tuple[Move, ...]
    out: tuple[int, ...]
    order: tuple[int, ...] | None
    result: Result | None

    @staticmethod
    def of(deal: Deal, audience: Audience) -> View:
        """The deal as ``audience`` sees it: a seat, ``"public"`` or ``"all"``.

        Raises:
            ValueError: no such seat.
        """
        everyone = range(deal.players)
        if audience == PUBLIC:
            seen: frozenset[int] = frozenset()
        elif audience == ALL:
            seen = frozenset(everyone)
        elif not isinstance(audience, bool) and audience in everyone:
            seen = frozenset((audience,))
        else:
            raise ValueError(f"no seat {audience!r}")
        up = deal.turned_up
        with_up, with_twin = deal.holds_turned_up()
        return View(
            catalogue=deal.catalogue,
            seat=audience if isinstance(audience, int) else None,
            seats=deal.seats,
            hands=tuple(deal.hands[s] if s in seen else None for s in everyone),
            faces=tuple(deal.cards(s) if s in seen else () for s in everyone),
            left=deal.left,
            turned_up=None if up is None else up.card,
            turned_up_with=with_up,
            twin_with=with_twin,
            leader=deal.leader,
            to_move=deal.to_move,
            table=deal.table,
            table_seat=deal.table_seat,
            waiting=deal.waiting,
            inherited=deal.inherited,
            moves=deal.moves,
            out=deal.out,
            order=deal.order,
            result=deal.result,
        )

    @property
    def variant(self) -> Variant:
        return self.catalogue.variant

    @property
    def hand(self) -> Counts:
        """The own hand as packed counts.

        Raises:
            ValueError: nobody's seat looks.
        """
        mine = None if self.seat is None else self.hands[self.seat]
        if mine is None:
            raise ValueError("this view belongs to no seat")
        return mine

    @property
    def my_turn(self) -> bool:
        return self.seat is not None and self.to_move == self.seat

    def partner(self) -> int | None:
        """The seat of the partner; None with two players or for a view that belongs to no seat."""
        return None if self.seat is None or len(self.left) == 2 else (self.seat + 2) % 4

    def canonical(self) -> list[Play]:
        """The own canonical plays, where it is the own turn; otherwise none."""
        return canonical(self.catalogue, self.hand, self.table) if self.my_turn else []

    def played(self) -> Counts:
        """All cards played so far."""
        return sum([m.counts for m in self.moves])

    def unseen(self) -> Counts:
        """All cards that are neither played nor in a hand that is seen (with two players the 54 set aside too)."""
        return FULL - self.played() - sum([h for h in self.hands if h])

    def bombs(self) -> tuple[tuple[int, Reading], ...]:
        """Every bomb played, in order: the seat and what it counts as."""
        return tuple((m.seat, m.reading) for m in self.moves if m.reading is not None and m.reading.is_bomb)
