"""A variant compiled to the table of every combination it knows (R2, R4).

What is legal depends on ranks only, and no set of cards has more than 27, so a variant knows a few
hundred combinations (``huopin``: 344 and six joker plays). They are listed once, with what each needs
and how strong it is; reading, comparing and listing are questions to that list.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from shuangkou.rules.cards import ACE, BIG, COPIES, MAX_CARDS, SMALL, TWO
from shuangkou.rules.combination import KINDS, Combination, Reading
from shuangkou.rules.engine import UNEQUAL, Kernel, Tables
from shuangkou.rules.variant import Variant

ACTIONS_VERSION: Final = 1
"""The version of the numbering of actions: under one version, action ids are stable for a variant's settings.

Whatever is kept with action ids in it (a table of weights, a trained net, a set of data) keeps this number with
them. It rises when a combination of a shipped variant gets another id, whatever the reason.
"""

PASS_ID: Final = 0
"""The action id of a pass; combinations follow from 1."""

_RUN_RANKS: Final = ACE + 1
_CIRCLE: Final = TWO + 1
_GROUP_KINDS: Final = ("single", "pair", "triple")
_MIXED: Final = {"none": -1, "small": SMALL, "big": BIG}
_MOST_WILD: Final = {"none": 0, "big": 2, "all": 4}


@dataclass(frozen=True, slots=True)
class Family:
    """All combinations of one kind, number of groups and width: what can beat one another without bombs.

    ``first`` is the id of the member that starts at rank 0; the member at start ``s`` has ``first + s``.
    """

    kind: str
    groups: int
    width: int
    stars: int
    first: int
    starts: int
    circle: bool


class Catalogue:
    """Every combination of a variant, with ids that are stable for the variant's settings.

    Attributes:
        variant: what it was compiled from.
        combinations: by action id; entry 0 is None (the pass).
        families: in the order of their ids; the joker plays stand behind them, one by one.
        kernel: the hot loop over packed counts and codes.
    """

    __slots__ = ("_by_name", "_codes", "combinations", "families", "kernel", "variant")

    def __init__(self, variant: Variant, kernel: type[Kernel] = Kernel) -> None:
        self.variant = variant
        self.families = tuple(_families(variant))
        members: list[Combination | None] = [None]
        for f in self.families:
            members.extend(_member(f, start) for start in range(f.starts))
        members.extend(_joker_plays(variant, len(members)))
        self.combinations: tuple[Combination | None, ...] = tuple(members)
        self.kernel = kernel(_tables(variant, self.families, self.combinations))
        self._by_name = {(c.kind, c.top, c.groups, c.width): c for c in members if c is not None}
        self._codes: dict[int, Reading] = {}

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Catalogue) and self.variant == other.variant)

    def __hash__(self) -> int:
        return hash(self.variant)

    def __repr__(self) -> str:
        return f"Catalogue({self.variant.id}: {len(self.combinations) - 1} combinations)"

    def __reduce__(self) -> tuple[object, tuple[Variant]]:
        return Catalogue.of, (self.variant,)

    @staticmethod
    @lru_cache(maxsize=64)
    def of(variant: Variant) -> Catalogue:
        """The catalogue of a variant, compiled at the first call."""
        return Catalogue(variant)

    def find(self, kind: str, top: int, groups: int, width: int) -> Combination | None:
        """The combination so named, or None where the variant knows none."""
        return self._by_name.get((kind, top, groups, width))

    def combination(self, action: int) -> Combination:
        """The combination of an action id (its flag for an unequal chain is ignored).

        Raises:
            KeyError: the pass, or an id that the variant does not know.
        """
        plain = action & ~UNEQUAL
        found = self.combinations[plain] if 0 <= plain < len(self.combinations) else None
        if found is None:
            raise KeyError(f"no combination has the id {action}")
        return found

    def may_read(self, combination: Combination, size: int, wild: int) -> bool:
        """Whether cards of this number and so many wild cards can count as ``combination`` (R3.2, R4.5)."""
        v = self.variant
        surplus = size - combination.size
        if surplus and not (combination.kind == "chain" and v.chain.unequal):
            return False
        room = min(MAX_CARDS, combination.groups * v.bomb.max_width) - combination.size
        if not 0 <= surplus <= room:
            return False
        if combination.start >= SMALL:
            return wild == 0 or (
                wild == 1 and combination.kind == "pair" and _MIXED[v.wild.mixed_pair] == combination.start
            )
        least = combination.groups * max(0, combination.width - COPIES[0])
        return least <= wild <= min(_MOST_WILD[v.wild.jokers], size - 1)

    def reading(self, code: int) -> Reading:
        """The reading of a kernel code (one object a code)."""
        found = self._codes.get(code)
        if found is None:
            c = self.combination(code & 1023)
            found = Reading(c, c.size + (code >> 13), code >> 10 & 7)
            self._codes[code] = found
        return found

    def code(self, reading: Reading | None) -> int:
        """The kernel code of a reading; 0 for None (a lead)."""
        return 0 if reading is None else reading.code

    def strength(self, reading: Reading) -> int:
        """A bomb's place in the order of R4.4 (higher beats lower, equal never beats); 0 for any other kind."""
        return self.kernel.strength(reading.code)

    def beats(self, reading: Reading, table: Reading | None) -> bool:
        """Whether a reading may be played on ``table`` (None: a lead) by R4."""
        return table is None or self.kernel.beats(reading.code, table.code)

    def action_text(self, action: int) -> str:
        """A printable name of an action id, unique within the variant: ``pass``, ``chain 6 3x4 unequal``."""
        if action == PASS_ID:
            return "pass"
        return str(self.combination(action)) + (" unequal" if action & UNEQUAL else "")


def _families(v: Variant) -> Iterator[Family]:
    first = 1
    wanted: list[tuple[str, int, int, int]] = [(kind, 1, w, 0) for w, kind in enumerate(_GROUP_KINDS, 1)]
    for kind, width, run in (("straight", 1, v.straight), ("pair_run", 2, v.pair_run), ("triple_run", 3, v.triple_run)):
        wanted += [(kind, n, width, 0) for n in range(run.min_ranks, run.max_ranks + 1) if n * width <= MAX_CARDS]
    wanted += [("bomb", 1, w, w) for w in range(4, v.bomb.max_width + 1)]
    wanted += [
        ("chain", n, w, n + w)
        for n in range(v.chain.min_groups, v.chain.max_groups + 1)
        for w in range(4, v.bomb.max_width + 1)
        if n * w <= MAX_CARDS
    ]
    for kind, groups, width, stars in wanted:
        circle = kind == "chain" and v.chain.circle
        if groups == 1 or circle:
            starts = TWO + 1
        else:
            starts = _RUN_RANKS - groups + 1
        if starts > 0:
            yield Family(kind, groups, width, stars, first, starts, circle)
            first += starts


def _member(f: Family, start: int) -> Combination:
    top = (start + f.groups - 1) % _CIRCLE
    return Combination(f.first + start, f.kind, start, top, f.groups, f.width, f.groups * f.width, f.stars)


def _joker_plays(v: Variant, first: int) -> Iterator[Combination]:
    wanted = [("single", SMALL, 1, 0), ("single", BIG, 1, 0), ("pair", SMALL, 2, 0), ("pair", BIG, 2, 0)]
    wanted += [("jokers", BIG, n, s) for n, s in ((3, v.joker_bombs.three_stars), (4, v.joker_bombs.four_stars)) if s]
    for i, (kind, top, width, stars) in enumerate(wanted):
        yield Combination(first + i, kind, top, top, 1, width, width, stars)


def _bomb_key(v: Variant, c: Combination, *, unequal: bool) -> tuple[int, ...]:
    """The order of R4.4 and R4.5, without its last line (natural before wild)."""
    if c.kind == "jokers":
        place = v.joker_bombs.three_place if c.width == 3 else v.joker_bombs.four_place
        return (c.stars, 0 if place == "lowest" else 2, c.width, 0, 0)
    cards = -c.size if v.bomb_order.fewer_cards_first else 0
    if unequal:
        return (c.stars, 1, cards, 0, 0)
    return (c.stars, 1, cards, 1, _last_rank(v, c))


def _last_rank(v: Variant, c: Combination) -> int:
    """The order of last ranks: in a circle a chain that ends in 2 is the lowest (R2.4)."""
    return -1 if c.kind == "chain" and v.chain.circle and c.top == TWO else c.top


def _tables(v: Variant, families: tuple[Family, ...], combinations: tuple[Combination | None, ...]) -> Tables:
    known = [c for c in combinations if c is not None]
    bombs = [c for c in known if c.is_bomb]
    keys = {(c.id, False): _bomb_key(v, c, unequal=False) for c in bombs}
    if v.chain.unequal:
        keys |= {(c.id, True): _bomb_key(v, c, unequal=True) for c in bombs if c.kind == "chain"}
    place = {key: 2 * i for i, key in enumerate(sorted(set(keys.values())), 1)}
    strengths = [0] * len(combinations)
    unequal_strengths = [0] * len(combinations)
    for (id_, unequal), key in keys.items():
        (unequal_strengths if unequal else strengths)[id_] = place[key]
    place_of_kind = {kind: i for i, kind in enumerate(reversed(v.wild.kind_order))}

    def column(of: Callable[[Combination], int], of_pass: int = 0) -> tuple[int, ...]:
        return tuple(of_pass if c is None else of(c) for c in combinations)

    joker_plays = [c for c in known if c.start in (SMALL, BIG)]
    return Tables(
        players=v.players,
        kinds=column(lambda c: KINDS.index(c.kind), -1),
        starts=column(lambda c: c.start),
        groups=column(lambda c: c.groups),
        widths=column(lambda c: c.width),
        stars=column(lambda c: c.stars),
        strengths=tuple(strengths),
        unequal_strengths=tuple(unequal_strengths),
        last_ranks=column(lambda c: _last_rank(v, c)),
        kind_places=column(lambda c: place_of_kind.get(c.kind, -1)),
        families=tuple((f.groups, f.width, f.first, f.starts, f.circle) for f in families),
        joker_first=joker_plays[0].id,
        joker_sets=tuple(_joker_sets(v, c) for c in joker_plays),
        chain_kind=KINDS.index("chain"),
        wild_small=v.wild.jokers == "all",
        wild_big=v.wild.jokers in ("big", "all"),
        max_width=v.bomb.max_width,
        natural_first=v.bomb_order.natural_first,
    )


def _joker_sets(v: Variant, c: Combination) -> tuple[tuple[int, int], ...]:
    """The sets (small, big) of jokers that make a joker play, the preferred one first (R3.3)."""
    if c.kind == "jokers":
        return ((2, 1), (1, 2)) if c.width == 3 else ((2, 2),)
    plain = (c.width, 0) if c.start == SMALL else (0, c.width)
    mixed = c.kind == "pair" and _MIXED[v.wild.mixed_pair] == c.start
    return (plain, (1, 1)) if mixed else (plain,)
