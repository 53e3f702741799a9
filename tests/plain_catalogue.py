"""The rules from the list of combinations, plainly: what the kernel's answers are proved equal to.

Nothing here asks the kernel. A hand is tried against every combination of the catalogue, one after the other; a set
of cards likewise, to find all its readings; bombs are put in order by the lines of R4.4 and R4.5, straight from the
variant's fields. Cards are fifteen numbers, how many of each rank. It is slower than the kernel and faster than the
brute-force reader (:mod:`tests.brute`), which does not know the list: so millions of questions can be compared.

Auto-play looks at the cards chosen for each combination, not at all legal sets; that no other set would be chosen is
for the brute-force reader to show.
"""

from __future__ import annotations

from operator import le
from typing import Final, NamedTuple

from shuangkou.rules.cards import Counts
from shuangkou.rules.catalogue import Catalogue
from shuangkou.rules.combination import BOMBS, Combination
from shuangkou.rules.combination import Reading as EngineReading

Cards = tuple[int, ...]
"""How many of each rank, 3 to X."""

_TWO: Final = 12
_SMALL: Final = 13
_BIG: Final = 14
_UNEQUAL_FLAG: Final = 1024
_CACHED: Final = 300_000
_LACK: Final = [[max(0, width - n) for n in range(9)] for width in range(13)]
"""How many cards are missing: by the width, and how many there are."""


def cards_of(counts: Counts) -> Cards:
    return tuple([counts >> 4 * rank & 15 for rank in range(15)])


def counts_of(cards: Cards) -> Counts:
    return sum(n << 4 * rank for rank, n in enumerate(cards))


class Reading(NamedTuple):
    """What cards count as, with all that comparing needs."""

    id: int
    kind: str
    groups: int
    size: int
    wild: int
    surplus: int
    height: int  # the rank compared (R4.1); in a circle a chain that ends in 2 is the lowest (R2.4)
    bomb: tuple[int, ...] | None  # the place in the order of bombs (R4.4, R4.5); None: no bomb
    on_a_lead: tuple[int, tuple[int, ...], int, int]  # the place among readings of the same cards (R3.4)
    code: int  # the form in which the kernel speaks of readings


class Choice(NamedTuple):
    """A combination and the cards that a hand gives for it: the fewest wild cards, x before X."""

    action: int
    cards: Cards
    counts: Counts  # the same cards, packed
    reading: Reading
    readings: tuple[Reading, ...]  # of the same cards, the strongest first


class Known(NamedTuple):
    """A combination of natural ranks."""

    combination: Combination
    need: Cards  # of the thirteen natural ranks


def beats(a: Reading, b: Reading | None) -> bool:
    """Whether ``a`` may be played on ``b``; None is a lead (R4)."""
    if b is None:
        return True
    if a.bomb is not None:
        return b.bomb is None or a.bomb > b.bomb
    return b.bomb is None and a.kind == b.kind and a.size == b.size and a.height > b.height


class PlainCatalogue:
    """A variant's answers, each found by trying every combination."""

    def __init__(self, catalogue: Catalogue) -> None:
        v = self.variant = catalogue.variant
        self.wild_small = v.wild.jokers == "all"
        self.wild_big = v.wild.jokers in ("big", "all")
        self.joker_plays = [c for c in catalogue.combinations if c is not None and c.start >= _SMALL]
        self.natural = [Known(c, _need(c)) for c in catalogue.combinations if c is not None and c.start < _SMALL]
        self.by_size = [[known for known in self.natural if known.combination.size == n] for n in range(28)]
        self.chains = [known for known in self.natural if known.combination.kind == "chain"]
        self._readings: dict[Cards, tuple[Reading, ...]] = {}
        self._same: dict[tuple[int, int, int], Reading] = {}

    # -- readings ---------------------------------------------------------------------------------

    def reading(self, c: Combination, size: int, wild: int) -> Reading:
        """Cards of this number, so many of them wild, counting as ``c``."""
        key = (c.id, size, wild)
        found = self._same.get(key)
        if found is None:
            height = -1 if c.kind == "chain" and self.variant.chain.circle and c.top == _TWO else c.top
            bomb = self._place_of_bomb(c, height, size, wild) if c.kind in BOMBS else None
            if bomb is not None:
                on_a_lead = (1, bomb, height, c.width)
            else:
                order = self.variant.wild.kind_order
                on_a_lead = (0, (len(order) - order.index(c.kind) if c.kind in order else 0,), height, c.width)
            surplus = size - c.size
            code = c.id + (wild << 10) + (surplus << 13)
            found = Reading(c.id, c.kind, c.groups, size, wild, surplus, height, bomb, on_a_lead, code)
            self._same[key] = found
        return found

    def from_engine(self, reading: EngineReading) -> Reading:
        return self.reading(reading.combination, reading.size, reading.wild)

    def _place_of_bomb(self, c: Combination, height: int, size: int, wild: int) -> tuple[int, ...]:
        """The order of bombs: line after line of R4.4 and R4.5, the stronger the greater."""
        v = self.variant
        if c.kind == "jokers":
            stars = v.joker_bombs.three_stars if c.width == 3 else v.joker_bombs.four_stars
            place = v.joker_bombs.three_place if c.width == 3 else v.joker_bombs.four_place
            lowest_or_highest = -1 if place == "lowest" else 1
        else:
            stars = c.width if c.kind == "bomb" else c.groups + c.width
            lowest_or_highest = 0
        fewer_cards = -c.groups * c.width if v.bomb_order.fewer_cards_first else 0
        if size > c.groups * c.width:
            return (stars, lowest_or_highest, fewer_cards, 0)  # unequal: below every equal one, none above another
        natural = 1 if v.bomb_order.natural_first and not wild else 0
        return (stars, lowest_or_highest, fewer_cards, 1, height, natural)

    def readings(self, cards: Cards) -> tuple[Reading, ...]:
        """All readings of the cards, the strongest first (R2, R3)."""
        found = self._readings.get(cards)
        if found is None:
            if len(self._readings) >= _CACHED:
                self._readings.clear()
            found = tuple(sorted(self._find_readings(cards), key=lambda a: a.on_a_lead, reverse=True))
            self._readings[cards] = found
        return found

    def _find_readings(self, cards: Cards) -> list[Reading]:
        natural, small, big = cards[:_SMALL], cards[_SMALL], cards[_BIG]
        if not any(natural):
            return self._joker_readings(small, big)
        if (small and not self.wild_small) or (big and not self.wild_big):
            return []  # R3.1: a joker that is not wild is only itself
        size, wild = sum(cards), small + big
        found = [
            self.reading(known.combination, size, wild)
            for known in self.by_size[size]
            if all(map(le, natural, known.need))  # wild cards stand for all the rest
        ]
        if self.variant.chain.unequal:
            found += [
                self.reading(known.combination, size, wild)
                for known in self.chains
                if known.combination.size < size and self._makes_unequal(natural, wild, known)
            ]
        return found

    def _makes_unequal(self, natural: Cards, wild: int, known: Known) -> bool:
        """Whether the cards can be dealt out to the groups so that the smallest has exactly the width (R4.5)."""
        width, widest = known.combination.width, self.variant.bomb.max_width
        groups = [n for n, need in zip(natural, known.need, strict=True) if need]
        if sum(groups) < sum(natural) or max(groups) > widest or min(groups) > width:
            return False  # a card that is in no group; a group that is too wide; no group as small as that
        surplus = wild - sum(max(0, width - n) for n in groups)
        room = sum(widest - max(n, width) for n in groups) - (widest - width)  # the smallest takes none
        return 0 <= surplus <= room

    def _joker_readings(self, small: int, big: int) -> list[Reading]:
        """Jokers among themselves (R3.3)."""
        mixed = {"none": -1, "small": _SMALL, "big": _BIG}[self.variant.wild.mixed_pair]
        found = []
        for c in self.joker_plays:
            if c.kind == "jokers":
                if small + big == c.width:
                    found.append(self.reading(c, c.width, 0))
            elif (small, big) == ((c.width, 0) if c.start == _SMALL else (0, c.width)):
                found.append(self.reading(c, c.width, 0))
            elif c.kind == "pair" and c.start == mixed and small == big == 1:
                found.append(self.reading(c, 2, 1))
        return found

    def read(self, cards: Cards, table: Reading | None = None, kind: str | None = None) -> Reading | None:
        """The reading that counts: on a lead (R3.4), on a table (R3.5), as a kind that is named (R3.6)."""
        return first(self.readings(cards), table, kind)

    # -- plays ------------------------------------------------------------------------------------

    def made(self, hand: Cards) -> list[Choice]:
        """Every combination that the hand makes, with the cards chosen for it."""
        natural, small, big = hand[:_SMALL], hand[_SMALL], hand[_BIG]
        wild = small * self.wild_small + big * self.wild_big
        # for each width how many cards each rank lacks; twice around, for chains in a circle
        lacks = [[lack[n] for n in natural] * 2 for lack in _LACK]
        wild_cards = [self._wild_cards(small, n) for n in range(wild + 1)]
        found: list[Choice] = []
        for known in self.natural:
            c = known.combination
            missing = sum(lacks[c.width][c.start : c.start + c.groups])
            if missing > wild:
                continue
            self._choose(found, c, (*map(min, natural, known.need), *wild_cards[missing]))
            if c.kind == "chain" and self.variant.chain.unequal:
                every = [n if need else 0 for n, need in zip(natural, known.need, strict=True)]
                self._choose(found, c, (*every, *wild_cards[missing]), _UNEQUAL_FLAG)
        for c in self.joker_plays:
            self._choose(found, c, self._jokers_for(c, small, big))
        return found

    def _choose(self, found: list[Choice], c: Combination, cards: Cards, flag: int = 0) -> None:
        """Add the cards where they count as the combination; with the flag, where they are more than it needs."""
        readings = self.readings(cards)
        found += [
            Choice(c.id | flag, cards, counts_of(cards), reading, readings)
            for reading in readings
            if reading.id == c.id and (reading.surplus > 0) == (flag > 0)
        ]

    def _wild_cards(self, small: int, number: int) -> tuple[int, int]:
        """So many wild cards, x before X."""
        first = min(small, number) if self.wild_small else 0
        return first, number - first

    def _jokers_for(self, c: Combination, small: int, big: int) -> Cards:
        """The jokers chosen for a joker play; none where there are not enough."""
        if c.kind == "jokers":
            first = min(small, c.width)
            chosen = (first, c.width - first)
        elif c.start == _SMALL:
            chosen = (c.width, 0)
        else:
            chosen = (0, c.width)
        if chosen[0] <= small and chosen[1] <= big:
            return (*[0] * 13, *chosen)
        return (*[0] * 13, 1, 1) if c.kind == "pair" and small and big else (0,) * 15

    def canonical(self, made: list[Choice], table: Reading | None = None) -> list[Choice]:
        """Of what a hand makes, what may be played: where the cards count as it, unnamed or with its kind named."""
        return [
            choice
            for choice in made
            if beats(choice.reading, table)
            and choice.reading in (first(choice.readings, table), first(choice.readings, table, choice.reading.kind))
        ]

    def autoplay(self, hand: Cards, canonical: list[Choice], table: Reading | None = None) -> Choice | None:
        """The choice for an absent player (R8.2) among the canonical plays; None: a pass."""
        if table is None:
            lowest = next(rank for rank, n in enumerate(hand) if n)
            return next(c for c in canonical if sum(c.cards) == 1 and c.cards[lowest])
        playable = [c for c in canonical if c.reading == first(c.readings, table)]
        costs = [_cost(c) for c in playable]
        least = min(costs, default=None)
        return min([c for c, cost in zip(playable, costs, strict=True) if cost == least], key=_sequence, default=None)


def _need(c: Combination) -> Cards:
    ranks = [(c.start + group) % 13 for group in range(c.groups)]
    return tuple(c.width if rank in ranks else 0 for rank in range(13))


def first(readings: tuple[Reading, ...], table: Reading | None, kind: str | None = None) -> Reading | None:
    """The first reading of the kind that beats the table."""
    for reading in readings:
        if (kind is None or reading.kind == kind) and beats(reading, table):
            return reading
    return None


def _cost(choice: Choice) -> tuple[int, int, int, tuple[int, ...]]:
    """The order of R8.2: stars (none for what is no bomb), wild cards, cards, strength by R4."""
    a = choice.reading
    return (a.bomb[0], a.wild, a.size, a.bomb) if a.bomb else (0, a.wild, a.size, (a.height,))


def _sequence(choice: Choice) -> list[int]:
    """The cards one by one, low to high: what decides between plays of equal cost (R8.2)."""
    return [rank for rank, n in enumerate(choice.cards) for _ in range(n)]
