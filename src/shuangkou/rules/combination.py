"""Combinations and readings (R2, R3): what a set of cards counts as."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from shuangkou.rules.cards import RANKS

KINDS: Final = ("single", "pair", "triple", "straight", "pair_run", "triple_run", "bomb", "chain", "jokers")
"""Every kind of combination (R2), in the order of the catalogue."""

BOMBS: Final = frozenset({"bomb", "chain", "jokers"})
"""The kinds that beat every other kind (R4.2)."""


@dataclass(frozen=True, slots=True)
class Combination:
    """One combination that a variant knows, as the catalogue lists it.

    ``id`` is its action id. ``top`` is the rank that is compared: the last rank, the big joker for
    joker bombs. ``size`` is ``groups * width``. ``stars`` is 0 for anything but a bomb (R4.3).
    """

    id: int
    kind: str
    start: int
    top: int
    groups: int
    width: int
    size: int
    stars: int

    @property
    def is_bomb(self) -> bool:
        return self.stars > 0

    def __str__(self) -> str:
        name = f"{self.kind} {RANKS[self.top]}"
        return f"{name} {self.groups}x{self.width}" if self.groups > 1 else f"{name} x{self.width}"


@dataclass(frozen=True, slots=True)
class Reading:
    """What a played set of cards counts as, fixed when the play is made (R3.7).

    ``size`` is the number of cards; for an unequal chain (R4.5) it is more than the combination's.
    ``wild`` is the number of wild cards that stand for another card.
    """

    combination: Combination
    size: int
    wild: int

    @property
    def kind(self) -> str:
        return self.combination.kind

    @property
    def top(self) -> int:
        return self.combination.top

    @property
    def groups(self) -> int:
        return self.combination.groups

    @property
    def width(self) -> int:
        return self.combination.width

    @property
    def stars(self) -> int:
        return self.combination.stars

    @property
    def is_bomb(self) -> bool:
        return self.combination.stars > 0

    @property
    def code(self) -> int:
        """The reading as one integer, as the kernel speaks of it: id, wild cards, surplus cards."""
        c = self.combination
        return c.id | self.wild << 10 | (self.size - c.size) << 13

    @property
    def unequal(self) -> bool:
        """Whether it is an unequal chain, which counts as its smallest group (R4.5)."""
        return self.size > self.combination.size

    def as_dict(self) -> dict[str, str | int]:
        """The form in which the judge and the records speak of readings."""
        c = self.combination
        return {
            "kind": c.kind,
            "top": RANKS[c.top],
            "groups": c.groups,
            "width": c.width,
            "size": self.size,
            "stars": c.stars,
            "wild": self.wild,
        }
