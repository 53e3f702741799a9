"""Cards: ranks and suits, their text forms, packed counts, and the two packs (R1.1).

What is legal depends on ranks only, so the engine works on *packed counts*: one integer with four
bits for each of the 15 ranks, low to high (``(counts >> 4 * rank) & 15`` cards of that rank). People
see faces: a :class:`Card` is one of the 54 faces, and each face stands twice in the two packs.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from shuangkou.rules.errors import BadCards

Counts = int
"""Packed counts of a set of cards: four bits a rank, rank 0 (the 3) lowest."""

RANKS: Final = "3456789TJQKA2xX"
SUITS: Final = "SHCD"
ACE: Final = 11
TWO: Final = 12
SMALL: Final = 13
BIG: Final = 14
MAX_CARDS: Final = 27
"""No hand, play or table ever has more cards (R1.2)."""

NATURAL: Final = (1 << 52) - 1
"""The bits of packed counts that hold the ranks 3..2."""
ONES: Final = 0x1111111111111
"""A one in each of the 13 natural ranks."""
ONE: Final = tuple(1 << (4 * r) for r in range(15))
"""The packed counts of one card of each rank."""

COPIES: Final = (8,) * 13 + (2, 2)
FULL: Final = sum(n * one for n, one in zip(COPIES, ONE, strict=True))
"""Packed counts of both packs."""

_RANK_OF: Final = {ch: r for r, ch in enumerate(RANKS)}
_ONE_OF: Final = {ch: ONE[r] for r, ch in enumerate(RANKS)}
_BORROW: Final = ONES << 4 | 1 << 56 | -1 << 60  # a borrow from every rank, and whatever lies above the ranks
_PAIRS: Final = 0x0F0F0F0F0F0F0F0F


def size(counts: Counts) -> int:
    """The number of cards in packed counts (up to 254)."""
    return ((counts & _PAIRS) + (counts >> 4 & _PAIRS)) % 255


def held(hand: Counts, counts: Counts) -> bool:
    """Whether ``hand`` holds at least ``counts`` of every rank."""
    return not ((hand - counts) ^ hand ^ counts) & _BORROW


def count(counts: Counts, rank: int) -> int:
    """How many cards of ``rank`` there are in ``counts``."""
    return counts >> 4 * rank & 15


def parse_ranks(text: str) -> Counts:
    """Packed counts of cards written as ranks, in any order: ``7777X``.

    Raises:
        BadCards: no cards, an unknown character (a space too), more than 27 cards, or more copies
            than two packs hold.
    """
    if not text:
        raise BadCards("no cards given")
    if len(text) > MAX_CARDS:
        raise BadCards(f"{len(text)} cards given, {MAX_CARDS} is the most that a hand has")
    counts = 0
    try:
        for ch in text:
            counts += _ONE_OF[ch]
    except KeyError:
        bad = next(ch for ch in text if ch not in _ONE_OF)
        hint = ' (a ten is written "T")' if bad in "10" else ""
        raise BadCards(f"{bad!r} is no card: ranks are written {RANKS}{hint}") from None
    check_copies(counts, text)
    return counts


def check_copies(counts: Counts, text: str | None = None) -> None:
    """Refuse more copies of a rank than two packs hold.

    ``text`` is needed where a rank may have more than 15 copies, which packed counts cannot hold.

    Raises:
        BadCards: more than 8 of a rank, or more than 2 of a joker.
    """
    if text is not None:
        many = [(ch, text.count(ch)) for ch in RANKS if text.count(ch) > COPIES[_RANK_OF[ch]]]
    else:
        many = [(ch, count(counts, r)) for r, ch in enumerate(RANKS) if count(counts, r) > COPIES[r]]
    if many:
        raise BadCards("two packs do not hold " + ", ".join(f"{n} of {ch}" for ch, n in many))


def format_ranks(counts: Counts) -> str:
    """The cards as ranks, low to high: ``3344xX``."""
    return "".join([ch * (counts >> 4 * r & 15) for r, ch in enumerate(RANKS) if counts >> 4 * r & 15])


def ranks(counts: Counts) -> list[int]:
    """The rank of every card, low to high, repeated as often as there are cards."""
    return [r for r in range(15) for _ in range(counts >> 4 * r & 15)]


class Card(int):
    """A face: 0..51 are ``4 * rank + suit`` (suits in the order S H C D), 52 is x, 53 is X.

    Both copies of a face are equal; a hand that holds both lists the card twice.
    """

    __slots__ = ()

    @property
    def rank(self) -> int:
        return self >> 2 if self < 52 else self - 39

    @property
    def suit(self) -> int | None:
        """Index in ``SHCD``; None for a joker."""
        return self & 3 if self < 52 else None

    def __str__(self) -> str:
        return _TEXT[self]

    def __repr__(self) -> str:
        return f"Card({_TEXT[self]})"

    @classmethod
    def parse(cls, text: str) -> Card:
        """The card written ``7H``, ``TS``, ``x`` or ``X``.

        Raises:
            BadCards: for anything else.
        """
        card = _CARD_OF.get(text)
        if card is None:
            raise BadCards(f"{text!r} is no card: a rank of {RANKS[:13]} and a suit of {SUITS}, or x or X")
        return card


_TEXT: Final = tuple(r + s for r in RANKS[:13] for s in SUITS) + ("x", "X")
CARDS: Final = tuple(Card(i) for i in range(54))
"""The 54 faces."""
_CARD_OF: Final = {_TEXT[c]: c for c in CARDS}

PACK: Final = tuple(c for c in CARDS for _ in range(2))
"""The 108 cards of two packs, in order of their faces."""


def parse_cards(text: str) -> tuple[Card, ...]:
    """Cards written as faces, with or without spaces: ``7S 7S x`` or ``7S7Sx``, sorted.

    Raises:
        BadCards: no cards, an unknown card, more than 27 cards, or more than two of a face.
    """
    found: list[Card] = []
    for word in text.split():
        at = 0
        while at < len(word):
            step = 1 if word[at] in "xX" else 2
            found.append(Card.parse(word[at : at + step]))
            at += step
    if not found:
        raise BadCards("no cards given")
    if len(found) > MAX_CARDS:
        raise BadCards(f"{len(found)} cards given, {MAX_CARDS} is the most that a hand has")
    found.sort()
    for a, b, c in zip(found, found[1:], found[2:], strict=False):
        if a == b == c:
            raise BadCards(f"more than two of {a}: two packs hold each card twice")
    return tuple(found)


def format_cards(cards: Iterable[Card]) -> str:
    """The cards as faces, in the order given, with spaces: ``7S 7S x``."""
    return " ".join([_TEXT[c] for c in cards])


def counts_of(cards: Iterable[Card]) -> Counts:
    """Packed counts of cards with faces (at most 15 of a rank)."""
    return sum([ONE[c >> 2 if c < 52 else c - 39] for c in cards])
