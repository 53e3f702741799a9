"""Cards to readings, hands to plays: the questions that players, bots and tables ask (R3, R4, R8.2).

Every function takes the variant's :class:`~shuangkou.rules.catalogue.Catalogue` first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from shuangkou.rules.cards import (
    BIG,
    MAX_CARDS,
    NATURAL,
    ONE,
    SMALL,
    TWO,
    Counts,
    check_copies,
    count,
    format_cards,
    format_ranks,
    held,
    size,
)
from shuangkou.rules.catalogue import Catalogue, Family
from shuangkou.rules.combination import KINDS, Reading
from shuangkou.rules.errors import BadCards, IllegalPlay
from shuangkou.rules.variant import Variant
from shuangkou.rules.words import KIND, NOT_NOW, REFUSAL, Language, describe

if TYPE_CHECKING:
    from shuangkou.rules.deal import Action, Deal

_RANKS: Final = 13
_BOMB: Final = 4  # cards of the smallest bomb and of a chain's smallest group


@dataclass(frozen=True, slots=True)
class Play:
    """A canonical play of a hand.

    ``kind`` must be named when playing it ("as", R3.6) where the cards would otherwise count as
    something else; None where they need no naming. ``action`` is the stable id.
    """

    counts: Counts
    reading: Reading
    kind: str | None
    action: int

    def __str__(self) -> str:
        return format_ranks(self.counts) + (f"={self.kind}" if self.kind else "")


def read(cat: Catalogue, counts: Counts, table: Reading | None = None, kind: str | None = None) -> Reading | None:
    """What a set of cards counts as: on a lead (R3.4), on a table (R3.5), as a named kind (R3.6).

    Returns:
        The strongest reading, or None where the cards are no combination, do not beat ``table``, or
        do not make ``kind``.

    Raises:
        BadCards: no cards, more than 27, or more copies than two packs hold.
        ValueError: an unknown kind.
    """
    _check(counts)
    wanted = -1 if kind is None else _kind_index(kind)
    code = cat.kernel.read(counts, cat.code(table), wanted)
    return cat.reading(code) if code else None


def readings(cat: Catalogue, counts: Counts, table: Reading | None = None) -> tuple[Reading, ...]:
    """The strongest reading of each kind that the cards make (and that beats ``table``), strongest first.

    Raises:
        BadCards: as :func:`read`.
    """
    first = read(cat, counts, table)
    if first is None:
        return ()
    others = (read(cat, counts, table, kind) for kind in KINDS if kind != first.kind)
    order = {kind: place for place, kind in enumerate(cat.variant.wild.kind_order)}
    rest = sorted(
        (r for r in others if r is not None),
        key=lambda r: (-cat.strength(r), order.get(r.kind, len(order)), -r.top),
    )
    return (first, *rest)


def canonical(cat: Catalogue, hand: Counts, table: Reading | None = None) -> list[Play]:
    """The canonical plays of a hand: each combination once, with the fewest wild cards, x before X.

    These are what bots, hints and lists use; a deal accepts every set that :func:`plays` lists.
    The pass is not among them.

    Raises:
        BadCards: as :func:`read`.
    """
    _check(hand)
    kernel = cat.kernel
    below = cat.code(table)
    found = []
    for action in kernel.plays(hand, below):
        counts = kernel.cards(hand, action)
        found.append(_play(cat, counts, kernel.code(hand, action), action, below))
    return found


def _play(cat: Catalogue, counts: Counts, code: int, action: int, below: int) -> Play:
    reading = cat.reading(code)
    named = None
    if counts >> 52 and reading.wild and cat.kernel.read(counts, below) != code:
        named = reading.kind
    return Play(counts, reading, named, action)


def autoplay(cat: Catalogue, hand: Counts, table: Reading | None = None) -> Play | None:
    """What auto-play does (R8.2): the lowest single on a lead, the cheapest play on a table, None for a pass.

    Raises:
        BadCards: as :func:`read`.
    """
    _check(hand)
    kernel = cat.kernel
    action = kernel.autoplay(hand, cat.code(table))
    if not action:
        return None
    return Play(kernel.cards(hand, action), cat.reading(kernel.code(hand, action)), None, action)


def can_beat(cat: Catalogue, hand: Counts, table: Reading | None) -> bool:
    """Whether the hand holds anything that may be played on ``table`` (R8.1).

    Raises:
        BadCards: as :func:`read`.
    """
    _check(hand)
    return table is None or bool(cat.kernel.plays(hand, cat.code(table)))


def plays(cat: Catalogue, hand: Counts, table: Reading | None = None) -> list[Counts]:
    """Every distinct set of cards that is a legal play, ascending.

    With four wild cards there can be tens of thousands; :func:`canonical` lists what is worth choosing from.

    Raises:
        BadCards: as :func:`read`.
    """
    _check(hand)
    kernel = cat.kernel
    below = cat.code(table)
    small = count(hand, SMALL) if cat.variant.wild.jokers == "all" else 0
    big = count(hand, BIG) if cat.variant.wild.jokers != "none" else 0
    wild = small + big
    found: set[Counts] = set()
    for a in range(count(hand, SMALL) + 1):
        for b in range(count(hand, BIG) + 1):
            jokers = a * ONE[SMALL] + b * ONE[BIG]
            if jokers and kernel.read(jokers, below):
                found.add(jokers)
    mixes = [
        [a * ONE[SMALL] + b * ONE[BIG] for a in range(small + 1) for b in range(big + 1) if a + b == n]
        for n in range(wild + 1)
    ]
    for family in cat.families:
        first = cat.combination(family.first)
        if table is not None and not first.is_bomb and not _same_shape(first.kind, family, table):
            continue
        for start in range(family.starts):
            for natural, least, most in _sets(cat, hand & NATURAL, family, start, wild):
                for n in range(least, most + 1):
                    surplus = size(natural) + n - family.groups * family.width
                    code = family.first + start | n << 10 | surplus << 13
                    if kernel.beats(code, below):
                        found.update(natural + mix for mix in mixes[n])
    return sorted(found)


def _same_shape(kind: str, family: Family, table: Reading) -> bool:
    return (kind, family.groups, family.width) == (table.kind, table.groups, table.width)


def _sets(cat: Catalogue, hand: Counts, f: Family, start: int, wild: int) -> Iterator[tuple[Counts, int, int]]:
    """The natural parts of all sets that read as one combination, each with the least and most wild cards."""
    loose = f.kind == "chain" and cat.variant.chain.unequal
    widest = cat.variant.bomb.max_width if loose else f.width
    window = [(start + g) % _RANKS if f.circle else start + g for g in range(f.groups)]
    options = [range(min(count(hand, r), widest) + 1) for r in window]

    def walk(at: int, cards: Counts, missing: int, room: int) -> Iterator[tuple[Counts, int, int]]:
        if at == len(window):
            if cards:
                yield cards, missing, min(wild, missing + room)
            return
        for n in options[at]:
            short = missing + max(0, f.width - n)
            if short <= wild:
                yield from walk(at + 1, cards + n * ONE[window[at]], short, room + widest - max(n, f.width))

    return walk(0, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why cards are refused as a play: a stable ``code`` and what the words need.

    ``code`` is one of ``not_held``, ``carried``, ``too_short``, ``too_long``, ``no_two_in_runs``,
    ``jokers_not_wild``, ``jokers_alone``, ``too_wide``, ``two_groups``, ``too_many_groups``, ``no_chains``,
    ``groups_differ``, ``no_combination``, ``not_that_kind``, ``other_kind``, ``other_length``, ``not_higher``,
    ``weaker_bomb``, ``needs_bomb``.
    """

    code: str
    variant: Variant
    cards: Counts
    reading: Reading | None = None
    table: Reading | None = None
    kind: str | None = None

    def text(self, language: Language = "zh") -> str:
        """The reason in words that a player understands."""
        v = self.variant
        return REFUSAL[self.code][language].format(
            cards=format_ranks(self.cards),
            reading="" if self.reading is None else describe(self.reading, language),
            table="" if self.table is None else describe(self.table, language),
            kind="" if self.kind is None else KIND[self.kind][language],
            straight=v.straight.min_ranks,
            pair_run=v.pair_run.min_ranks,
            triple_run=v.triple_run.min_ranks,
            most_straight=v.straight.max_ranks,
            most_pair_run=v.pair_run.max_ranks,
            most_triple_run=v.triple_run.max_ranks,
            width=v.bomb.max_width,
            groups=v.chain.min_groups,
            most_groups=v.chain.max_groups,
        )


def refusal(
    cat: Catalogue, hand: Counts, counts: Counts, table: Reading | None = None, kind: str | None = None
) -> Refusal | None:
    """Why ``counts`` cannot be played from ``hand`` on ``table``; None where they can.

    Raises:
        BadCards: as :func:`read`.
    """
    _check(counts)
    v = cat.variant
    if not held(hand, counts):
        return Refusal("not_held", v, counts)
    if read(cat, counts, table, kind) is not None:
        return None
    lead = read(cat, counts)
    if lead is None:
        return Refusal(_shape_fault(cat, counts), v, counts)
    if kind is not None:
        named = read(cat, counts, None, kind)
        if named is None:
            return Refusal("not_that_kind", v, counts, lead, table, kind)
        lead = named
    assert table is not None  # a set that reads as something can always be led
    if lead.is_bomb:
        return Refusal("weaker_bomb", v, counts, lead, table)
    if table.is_bomb:
        return Refusal("needs_bomb", v, counts, lead, table)
    same = next((r for r in readings(cat, counts) if r.kind == table.kind), None)
    if same is None:
        return Refusal("other_kind", v, counts, lead, table)
    return Refusal("other_length" if same.size != table.size else "not_higher", v, counts, same, table)


def refusal_words(deal: Deal, action: Action, refused: IllegalPlay, language: Language) -> str:
    """Why a deal refused an action of the seat to move, or of another one, in words that a player understands."""
    mover, reason = deal.to_move, refused.reason.value
    if mover is None or reason in NOT_NOW:
        return NOT_NOW[reason][language].format(seat=mover)
    why = refusal(deal.catalogue, deal.hands[mover], action.counts, deal.table, action.kind)
    if why is not None:
        return why.text(language)
    suits = "other_suits" if any(deal.dealt) else "no_suits"
    return NOT_NOW[suits][language].format(cards=format_cards(action.cards))


def _shape_fault(cat: Catalogue, counts: Counts) -> str:
    """The most telling reason why cards are no combination at all."""
    natural = counts & NATURAL
    wild = cat.kernel.wild_cards(counts)
    if not natural:
        return "jokers_alone"
    if wild < 0:
        return "jokers_not_wild"
    ranks = [r for r in range(_RANKS) if count(natural, r)]
    numbers = [count(natural, r) for r in ranks]
    if len(ranks) == 1:
        return "too_wide"
    for width in range(max(numbers), size(counts) // 2 + 1):  # equal groups in a row
        groups, surplus = divmod(size(counts), width)
        if not surplus and _fits(ranks, groups):
            return _row_fault(cat.variant, ranks, groups, width)
    groups = next(n for n in range(len(ranks), _RANKS + 1) if _fits(ranks, n))
    between = groups - len(ranks)
    if sum(max(0, _BOMB - n) for n in numbers) + _BOMB * between <= wild:  # bombs in a row
        width = max(_BOMB, *numbers, -(-size(counts) // groups))
        return _row_fault(cat.variant, ranks, groups, width, equal=False)
    return "carried" if between <= wild else "no_combination"


def _fits(ranks: Sequence[int], groups: int) -> bool:
    """Whether all ranks lie among so many neighbours, in a circle through the 2."""
    gaps = [(b - a) % _RANKS for a, b in zip(ranks, [*ranks[1:], ranks[0]], strict=True)]
    return _RANKS - max(gaps) < groups <= _RANKS


def _row_fault(v: Variant, ranks: Sequence[int], groups: int, width: int, *, equal: bool = True) -> str:
    """Why groups of neighbouring ranks are no straight, pair run, triple run or chain."""
    through_two = ranks[-1] == TWO or ranks[-1] - ranks[0] >= groups
    chain = width >= _BOMB
    if chain and not v.chain.max_groups:
        return "no_chains"
    if through_two and not (chain and v.chain.circle):
        return "no_two_in_runs"
    run = (v.straight, v.pair_run, v.triple_run)[width - 1] if not chain else None
    if run is not None:
        return "too_short" if groups < run.min_ranks else "too_long"
    if groups < v.chain.min_groups:
        return "two_groups"
    if groups > v.chain.max_groups:
        return "too_many_groups"
    return "too_wide" if equal or width > v.bomb.max_width else "groups_differ"


def _kind_index(kind: str) -> int:
    if kind not in KINDS:
        raise ValueError(f"unknown kind {kind!r}: one of {', '.join(KINDS)} expected")
    return KINDS.index(kind)


def _check(counts: Counts) -> None:
    """Refuse what no hand can be."""
    if counts <= 0 or counts >> 60:
        raise BadCards("no cards given" if counts == 0 else "not a set of cards")
    if size(counts) > MAX_CARDS:
        raise BadCards(f"{size(counts)} cards given, {MAX_CARDS} is the most that a hand has")
    over = counts & 0x8888888888888
    jokers = counts >> 52
    if (over >> 1 | over >> 2 | over >> 3) & counts or jokers & 0xCC or jokers & jokers >> 1 & 0x11:
        check_copies(counts)
