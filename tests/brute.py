"""The rules a second time, written down as naively as possible: the opinion the engine is tested against.

Nothing here is shared with ``shuangkou``. Cards are characters of :data:`ORDER` in strings, a wild card is
substituted by every rank there is, what then lies on the table is looked at as plain cards, and readings are
compared pair by pair. Clauses are those of the rule book. Slow is fine; clever is not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations_with_replacement, product
from typing import Any, NamedTuple, TypedDict

ORDER = "3456789TJQKA2xX"
NATURAL = ORDER[:13]  # everything but the jokers
BOMBS = ("bomb", "chain", "jokers")


class ReadingDict(TypedDict):
    """A reading as the judge writes it."""

    kind: str
    top: str
    groups: int
    width: int
    size: int
    stars: int
    wild: int


class R(NamedTuple):
    """A reading; the same fields as :class:`ReadingDict`."""

    kind: str
    top: str
    groups: int
    width: int
    size: int
    stars: int
    wild: int

    def as_dict(self) -> ReadingDict:
        return ReadingDict(
            kind=self.kind,
            top=self.top,
            groups=self.groups,
            width=self.width,
            size=self.size,
            stars=self.stars,
            wild=self.wild,
        )


def reading_of(table: Mapping[str, Any] | R | None) -> R | None:
    if table is None or isinstance(table, R):
        return table
    return R(*(table[name] for name in R._fields))


class Shape(NamedTuple):
    """What natural cards are: the reading without its size, stars and wild cards."""

    kind: str
    top: str
    groups: int
    width: int


@dataclass(eq=False)
class BruteVariant:
    """Every choice of a variant that play and points in a points room depend on."""

    players: int
    wild: str  # the characters of the wild jokers: "", "X" or "xX" (R3.1)
    mixed_pair: str  # what x+X is a pair of: "x", "X" or "" (R3.3)
    max_width: int  # R2.3
    chain_groups: tuple[int, int] | None  # fewest and most groups (R2.4); None: no chain bombs
    unequal: bool
    circle: bool
    joker_stars: Mapping[int, int]  # 3 or 4 jokers -> stars; a number that is missing is no combination
    joker_places: Mapping[int, str]  # 3 or 4 jokers -> "lowest" or "highest" among equal stars (R4.4)
    fewer_cards_first: bool = True
    natural_first: bool = False
    straight: tuple[int, int] = (5, 12)
    pair_run: tuple[int, int] = (3, 12)
    triple_run: tuple[int, int] = (3, 9)
    kind_order: tuple[str, ...] = ("triple_run", "pair_run", "straight")  # strongest first (R3.4)
    base: Mapping[str, tuple[int, ...]] = field(default_factory=dict)  # result -> points by place (R6.1)
    multiplier: int = 1
    doubling: Mapping[int, int] = field(default_factory=dict)  # R6.2
    contribution: Mapping[int, int] = field(default_factory=dict)  # stars -> what each other player pays (R6.3)
    results: tuple[int, int] = (7, 12)  # two players: cards left for a single, for a double (R5.6)
    shapes: dict[tuple[int, ...], Shape | None] = field(default_factory=dict, repr=False)
    known: dict[str, tuple[R, ...]] = field(default_factory=dict, repr=False)
    listed: dict[tuple[str, R | None], list[str]] = field(default_factory=dict, repr=False)
    chosen: dict[tuple[str, R | None], set[tuple[str, R]]] = field(default_factory=dict, repr=False)
    every: list[Shape] = field(default_factory=list, repr=False)


HUOPIN_BASE = {"double": (4, 4, -4, -4), "single": (2, -2, 2, -2), "level": (1, 0, 0, 1)}
BY_STARS = {5: 2, 6: 4, 7: 8, 8: 16}
EACH_PAYS = {6: 2, 7: 4, 8: 6}

SHIPPED = {
    "huopin": BruteVariant(
        players=4,
        wild="X",
        mixed_pair="x",
        max_width=8,
        chain_groups=(3, 6),
        unequal=False,
        circle=False,
        joker_stars={3: 6, 4: 7},
        joker_places={3: "lowest", 4: "highest"},
        base=HUOPIN_BASE,
        doubling=BY_STARS,
        contribution=EACH_PAYS,
    ),
    "huopin-duel": BruteVariant(
        players=2,
        wild="xX",
        mixed_pair="X",
        max_width=12,
        chain_groups=(3, 6),
        unequal=True,
        circle=False,
        joker_stars={3: 6, 4: 7},
        joker_places={3: "lowest", 4: "lowest"},
    ),
    "qianbian-duel": BruteVariant(
        players=2,
        wild="xX",
        mixed_pair="X",
        max_width=12,
        chain_groups=(3, 6),
        unequal=False,
        circle=True,
        joker_stars={3: 6, 4: 7},
        joker_places={3: "lowest", 4: "lowest"},
        natural_first=True,
    ),
    "classic": BruteVariant(
        players=4,
        wild="",
        mixed_pair="",
        max_width=8,
        chain_groups=None,
        unequal=False,
        circle=False,
        joker_stars={4: 9},
        joker_places={4: "highest"},
        base={"double": (2, 2, -2, -2), "single": (1, -1, 1, -1), "level": (0, 0, 0, 0)},
    ),
    "baibian": BruteVariant(
        players=4,
        wild="X",
        mixed_pair="x",
        max_width=8,
        chain_groups=(3, 5),
        unequal=False,
        circle=False,
        joker_stars={3: 6, 4: 8},
        joker_places={3: "lowest", 4: "highest"},
        base=HUOPIN_BASE,
        doubling=BY_STARS,
        contribution=EACH_PAYS,
    ),
}
"""The five variants of the rule book, written down by hand (R2.3, R2.4, R3.1, R3.3, R4.3, R4.4, R6)."""


def from_fields(fields: Mapping[str, Any]) -> BruteVariant:
    """A variant from the raw fields of its TOML file."""
    chain, jokers, order = fields["chain"], fields["joker_bombs"], fields["bomb_order"]
    names = {3: "three", 4: "four"}
    points = fields.get("points")
    duel = fields.get("duel")
    return BruteVariant(
        players=fields["players"],
        wild={"none": "", "big": "X", "all": "xX"}[fields["wild"]["jokers"]],
        mixed_pair={"none": "", "small": "x", "big": "X"}[fields["wild"]["mixed_pair"]],
        max_width=fields["bomb"]["max_width"],
        chain_groups=(chain["min_groups"], chain["max_groups"]) if chain["max_groups"] else None,
        unequal=chain["unequal"],
        circle=chain["circle"],
        joker_stars={n: jokers[f"{name}_stars"] for n, name in names.items() if jokers[f"{name}_stars"]},
        joker_places={n: jokers[f"{name}_place"] for n, name in names.items() if jokers[f"{name}_stars"]},
        fewer_cards_first=order["fewer_cards_first"],
        natural_first=order["natural_first"],
        straight=(fields["straight"]["min_ranks"], fields["straight"]["max_ranks"]),
        pair_run=(fields["pair_run"]["min_ranks"], fields["pair_run"]["max_ranks"]),
        triple_run=(fields["triple_run"]["min_ranks"], fields["triple_run"]["max_ranks"]),
        kind_order=tuple(fields["wild"]["kind_order"]),
        base={result: tuple(row) for result, row in points["base"].items()} if points else {},
        multiplier=points["multiplier"] if points else 1,
        doubling={int(stars): n for stars, n in points["doubling"].items()} if points else {},
        contribution={int(stars): n for stars, n in points["contribution"].items()} if points else {},
        results=(duel["results"]["single"], duel["results"]["double"]) if duel else (7, 12),
    )


def in_order(cards: Iterable[str]) -> str:
    """The cards low to high."""
    return "".join(sorted(cards, key=ORDER.index))


def holds(hand: str, cards: str) -> bool:
    return not Counter(cards) - Counter(hand)


def without(hand: str, cards: str) -> str:
    return in_order((Counter(hand) - Counter(cards)).elements())


# What cards are (R2, R3)


def running(ranks: Sequence[int]) -> bool:
    """Whether these ranks (ascending, all different) run within 3..A (R2, R2.2)."""
    return ranks[-1] < NATURAL.index("2") and ranks[-1] - ranks[0] == len(ranks) - 1


def last_in_circle(ranks: Sequence[int]) -> int | None:
    """The last rank if the ranks run in a circle, 3 after 2 (R2.4)."""
    for start in ranks:
        if {(start + step) % 13 for step in range(len(ranks))} == set(ranks):
            return (start + len(ranks) - 1) % 13
    return None


def shape(v: BruteVariant, counts: tuple[int, ...]) -> Shape | None:
    """What natural cards are, wild cards having become some rank; ``counts``: how many of each of the 13 ranks."""
    if counts not in v.shapes:
        v.shapes[counts] = look(v, counts)
    return v.shapes[counts]


def look(v: BruteVariant, counts: tuple[int, ...]) -> Shape | None:
    ranks = [rank for rank in range(13) if counts[rank]]
    each = [counts[rank] for rank in ranks]
    groups = len(ranks)
    if groups == 1:
        top, width = NATURAL[ranks[0]], each[0]
        if width <= 3:
            return Shape(("single", "pair", "triple")[width - 1], top, 1, width)
        return Shape("bomb", top, 1, width) if width <= v.max_width else None
    if running(ranks):
        for kind, width, (fewest, most) in (
            ("straight", 1, v.straight),
            ("pair_run", 2, v.pair_run),
            ("triple_run", 3, v.triple_run),
        ):
            if set(each) == {width} and fewest <= groups <= most:
                return Shape(kind, NATURAL[ranks[-1]], groups, width)
    if v.chain_groups is None or not v.chain_groups[0] <= groups <= v.chain_groups[1]:
        return None
    if min(each) < 4 or max(each) > v.max_width or (min(each) != max(each) and not v.unequal):
        return None
    last = ranks[-1] if running(ranks) else last_in_circle(ranks) if v.circle else None
    return None if last is None else Shape("chain", NATURAL[last], groups, min(each))


SUBSTITUTES: list[list[tuple[int, ...]]] = [
    [tuple(ranks.count(rank) for rank in range(13)) for ranks in combinations_with_replacement(range(13), wild)]
    for wild in range(5)
]
"""For 0 to 4 wild cards: everything they can stand for, as counts of the 13 ranks (R3.2: 2 included)."""


def stars_of(kind: str, groups: int, width: int) -> int:
    return {"bomb": width, "chain": groups + width}.get(kind, 0)  # R4.3


def all_readings(v: BruteVariant, cards: str) -> tuple[R, ...]:
    """Every reading of the cards (R2, R3), in no particular order."""
    cards = in_order(cards)
    if cards not in v.known:
        v.known[cards] = tuple(sorted(find_readings(v, cards)))
    return v.known[cards]


def find_readings(v: BruteVariant, cards: str) -> set[R]:
    natural = [card for card in cards if card in NATURAL]
    jokers = [card for card in cards if card not in NATURAL]
    if not natural:
        return joker_readings(v, "".join(jokers))
    if any(joker not in v.wild for joker in jokers):
        return set()  # R3.1: a joker that is not wild is only itself
    counts = [natural.count(rank) for rank in NATURAL]
    found = set()
    for stands_for in SUBSTITUTES[len(jokers)]:
        what = shape(v, tuple([a + b for a, b in zip(counts, stands_for, strict=True)]))
        if what is not None:
            kind, top, groups, width = what
            found.add(R(kind, top, groups, width, len(cards), stars_of(kind, groups, width), len(jokers)))
    return found


def joker_readings(v: BruteVariant, jokers: str) -> set[R]:
    """Jokers among themselves (R3.3)."""
    if len(jokers) == 1:
        return {R("single", jokers, 1, 1, 1, 0, 0)}
    if jokers in ("xx", "XX"):
        return {R("pair", jokers[0], 1, 2, 2, 0, 0)}
    if jokers == "xX" and v.mixed_pair:
        return {R("pair", v.mixed_pair, 1, 2, 2, 0, 1)}
    if len(jokers) in v.joker_stars:
        return {R("jokers", "X", 1, len(jokers), len(jokers), v.joker_stars[len(jokers)], 0)}
    return set()


# What beats what (R4)


def height(v: BruteVariant, reading: R) -> int:
    """The rank compared; a chain in a circle has 2 lowest (R2.4)."""
    if reading.kind == "chain" and v.circle and reading.top == "2":
        return -1
    return ORDER.index(reading.top)


def place(v: BruteVariant, reading: R) -> int:
    """-1: below every other bomb of the same stars, 1: above (R4.4)."""
    if reading.kind != "jokers":
        return 0
    return {"lowest": -1, "highest": 1}[v.joker_places[reading.width]]


def is_unequal(reading: R) -> bool:
    return reading.kind == "chain" and reading.size > reading.groups * reading.width


def beats(v: BruteVariant, a: R, b: R) -> bool:
    """Whether ``a`` beats ``b`` (R4)."""
    if a.kind in BOMBS and b.kind not in BOMBS:
        return True  # R4.2
    if a.kind not in BOMBS:  # R4.1
        return a.kind == b.kind and a.size == b.size and height(v, a) > height(v, b)
    if a.stars != b.stars:  # R4.4
        return a.stars > b.stars
    if place(v, a) != place(v, b):
        return place(v, a) > place(v, b)
    a_cards, b_cards = a.groups * a.width, b.groups * b.width  # R4.5: of the counted chain
    if v.fewer_cards_first and a_cards != b_cards:
        return a_cards < b_cards
    if is_unequal(a):
        return False  # R4.5: never another unequal one, and an equal one is stronger
    if is_unequal(b):
        return True
    if height(v, a) != height(v, b):
        return height(v, a) > height(v, b)
    return v.natural_first and a.wild == 0 and b.wild > 0


def stronger(v: BruteVariant, a: R, b: R) -> bool:
    """Whether ``a`` is the stronger of two readings of the same cards (R3.4).

    R3.4 orders the runs. Where a variant allows straights of 2 or 3 ranks, a run is stronger than a pair or triple.
    """
    if a.kind not in BOMBS and b.kind not in BOMBS and a.kind != b.kind:
        order = [*v.kind_order, "triple", "pair"]
        return order.index(a.kind) < order.index(b.kind)
    return beats(v, a, b)


def strongest(v: BruteVariant, found: Sequence[R]) -> R | None:
    """The reading that counts (R3.4).

    Two chains may still be equal with the same last rank (4 groups of 5 or 5 of 4, both with 4 wild cards):
    then the wider groups are taken, which has no consequence for the play.
    """
    best = [a for a in found if not any(stronger(v, b, a) for b in found)]
    return max(best, key=lambda a: (height(v, a), a.width), default=None)


def beating(v: BruteVariant, cards: str, table: R | None) -> list[R]:
    return [a for a in all_readings(v, cards) if table is None or beats(v, a, table)]


def read_as(v: BruteVariant, cards: str, table: R | None, kind: str | None = None) -> R | None:
    """R3.4 without a table, R3.5 with one, R3.6 with a kind."""
    return strongest(v, [a for a in beating(v, cards, table) if kind in (None, a.kind)])


def readings(v: BruteVariant, cards: str) -> list[ReadingDict]:
    """Every reading of the cards, whatever is strongest."""
    return [a.as_dict() for a in all_readings(v, cards)]


def best_by_kind(v: BruteVariant, cards: str, table: Mapping[str, Any] | R | None = None) -> list[ReadingDict]:
    """The strongest reading of each kind (R3.6), strongest kind first."""
    found = beating(v, cards, reading_of(table))
    ordered = []
    while found:
        best = strongest(v, found)
        assert best is not None
        ordered.append(best.as_dict())
        found = [a for a in found if a.kind != best.kind]
    return ordered


def read(
    v: BruteVariant, cards: str, table: Mapping[str, Any] | R | None = None, kind: str | None = None
) -> ReadingDict | None:
    """The reading that counts: on a lead (R3.4), on a table (R3.5), with its kind named (R3.6)."""
    found = read_as(v, cards, reading_of(table), kind)
    return found.as_dict() if found else None


# What a hand can play


def sets_of(hand: str) -> Iterable[str]:
    """Every distinct set of cards in a hand, the empty one left out."""
    counts = Counter(hand)
    faces = [card for card in ORDER if counts[card]]
    for taken in product(*(range(counts[card] + 1) for card in faces)):
        if any(taken):
            yield "".join(card * n for card, n in zip(faces, taken, strict=True))


def plays(v: BruteVariant, hand: str, table: Mapping[str, Any] | R | None = None) -> list[str]:
    """Every legal set of cards, sorted as strings."""
    beat = reading_of(table)
    key = (in_order(hand), beat)
    if key not in v.listed:
        v.listed[key] = sorted(cards for cards in sets_of(hand) if beating(v, cards, beat))
    return v.listed[key]


def every_shape(v: BruteVariant) -> list[Shape]:
    """Every combination the variant knows within 27 cards, unequal chains apart."""
    if not v.every:
        v.every = list(find_shapes(v))
    return v.every


def find_shapes(v: BruteVariant) -> Iterable[Shape]:
    for top in ORDER:
        yield Shape("single", top, 1, 1)
        yield Shape("pair", top, 1, 2)
    for top in NATURAL:
        yield Shape("triple", top, 1, 3)
        for width in range(4, v.max_width + 1):
            yield Shape("bomb", top, 1, width)
    for groups in range(2, 13):
        for last in range(13):
            for width in range(1, v.max_width + 1):
                counts = [0] * 13
                for step in range(groups):
                    counts[last - step] = width  # below 3 comes 2
                what = shape(v, tuple(counts))
                if what is not None and what.top == NATURAL[last] and groups * width <= 27:
                    yield what
    for number in v.joker_stars:
        yield Shape("jokers", "X", 1, number)


def ranks_of(what: Shape) -> list[str]:
    last = ORDER.index(what.top)
    return [NATURAL[(last - step) % 13] for step in range(what.groups)]


def cards_for(v: BruteVariant, hand: str, what: Shape, *, all_natural: bool = False) -> str | None:
    """The cards chosen for a combination: fewest wild cards, x before X. ``all_natural``: an unequal chain."""
    jokers = in_order(card for card in hand if card not in NATURAL)
    if what.kind == "jokers":
        return jokers[: what.width] if len(jokers) >= what.width else None
    if what.top not in NATURAL:
        if jokers.count(what.top) >= what.width:
            return what.top * what.width
        return "xX" if what.kind == "pair" and v.mixed_pair == what.top and holds(hand, "xX") else None
    taken, missing = "", 0
    for rank in ranks_of(what):
        natural = hand.count(rank)
        taken += rank * (natural if all_natural else min(natural, what.width))
        missing += max(0, what.width - natural)
    wild = [card for card in jokers if card in v.wild]
    return in_order(taken + "".join(wild[:missing])) if len(wild) >= missing else None


def canonical_plays(v: BruteVariant, hand: str, table: R | None) -> set[tuple[str, R]]:
    key = (in_order(hand), table)
    if key not in v.chosen:
        v.chosen[key] = set(find_canonical(v, hand, table))
    return v.chosen[key]


def find_canonical(v: BruteVariant, hand: str, table: R | None) -> Iterable[tuple[str, R]]:
    for what in every_shape(v):
        chosen = [cards_for(v, hand, what)]
        if what.kind == "chain" and v.unequal:
            chosen.append(cards_for(v, hand, what, all_natural=True))
        for cards in chosen:
            if cards is None:
                continue
            for reading in (read_as(v, cards, table), read_as(v, cards, table, what.kind)):
                if reading is not None and Shape(*reading[:4]) == what:
                    yield cards, reading


def canonical(v: BruteVariant, hand: str, table: Mapping[str, Any] | R | None = None) -> set[tuple[str, R]]:
    """The canonical plays: cards and the reading they are played as."""
    return canonical_plays(v, hand, reading_of(table))


def autoplay(v: BruteVariant, hand: str, table: Mapping[str, Any] | R | None = None) -> str | None:
    """The program's choice for an absent player (R8.2), over all plays."""
    beat = reading_of(table)
    if beat is None:
        return in_order(hand)[0]
    best: list[tuple[str, R]] = []
    for cards in plays(v, hand, beat):
        reading = read_as(v, cards, beat)
        assert reading is not None
        best.append((cards, reading))
    if not best:
        return None
    for measure in (
        lambda a: a.kind in BOMBS,
        lambda a: a.stars,
        lambda a: a.wild,
        lambda a: a.size,
    ):
        least = min(measure(reading) for _, reading in best)
        best = [(cards, reading) for cards, reading in best if measure(reading) == least]
    weakest = [(cards, a) for cards, a in best if not any(beats(v, a, b) for _, b in best)]
    return min((cards for cards, _ in weakest), key=lambda cards: [ORDER.index(card) for card in cards])


# The course of a deal (R5)


class BadMoveError(Exception):
    """A move that is refused; ``code`` as the judge says it."""

    def __init__(self, code: str, move: int = 0) -> None:
        super().__init__(code)
        self.code = code
        self.move = move


@dataclass(frozen=True)
class State:
    """A deal at one moment; small enough to be a key."""

    hands: tuple[str, ...]
    turn: int
    table: R | None = None
    table_seat: int = -1
    passed: frozenset[int] = frozenset()  # since the last play
    out: tuple[int, ...] = ()
    bombs: tuple[tuple[int, int], ...] = ()  # seat and stars of each bomb played


def start(hands: Sequence[str], leader: int) -> State:
    return State(tuple(in_order(hand) for hand in hands), leader)


def is_over(state: State) -> bool:
    """R5.4."""
    if len(state.hands) == 2:
        return len(state.out) == 1
    return len(state.out) == 3 or any(seat in state.out and seat + 2 in state.out for seat in (0, 1))


def valid_cards(cards: str) -> bool:
    return (
        0 < len(cards) <= 27
        and all(card in ORDER for card in cards)
        and all(n <= (8 if card in NATURAL else 2) for card, n in Counter(cards).items())
    )


def step(v: BruteVariant, state: State, seat: int, cards: str | None, kind: str | None = None) -> State:
    """One move; the tests in the judge's order."""
    if cards is not None and not valid_cards(cards):
        raise BadMoveError("bad_cards")
    if is_over(state):
        raise BadMoveError("deal_over")
    if seat != state.turn:
        raise BadMoveError("not_your_turn")
    if cards is None:
        if state.table is None:
            raise BadMoveError("must_lead")
        return after(state, seat, None, "")
    if not holds(state.hands[seat], cards):
        raise BadMoveError("not_held")
    reading = read_as(v, cards, state.table, kind)
    if reading is None:
        raise BadMoveError("illegal_play")
    return after(state, seat, reading, cards)


def after(state: State, seat: int, reading: R | None, cards: str) -> State:
    """The state after a legal move: a play with its reading, or a pass."""
    number = len(state.hands)
    hands, out, bombs = list(state.hands), list(state.out), list(state.bombs)
    table, table_seat, passed = state.table, state.table_seat, set(state.passed)
    if reading is None:
        passed.add(seat)
    else:
        hands[seat] = without(hands[seat], cards)
        table, table_seat, passed = reading, seat, set()
        if not hands[seat]:
            out.append(seat)
        if reading.kind in BOMBS:
            bombs.append((seat, reading.stars))
    turn = (seat + 1) % number
    while not hands[turn]:
        turn = (turn + 1) % number
    if all(other in passed for other in range(number) if other != table_seat and hands[other]):  # R5.2
        turn = table_seat if hands[table_seat] else (table_seat + 2) % number  # R5.3
        table, table_seat, passed = None, -1, set()
    return State(tuple(hands), turn, table, table_seat, frozenset(passed), tuple(out), tuple(bombs))


def order(state: State) -> list[int]:
    """The seats by place, the deal being over (R5.5)."""
    places = list(state.out)
    for distance in range(1, len(state.hands)):
        seat = (state.out[-1] + distance) % len(state.hands)
        if seat not in places:
            places.append(seat)
    return places


def result(v: BruteVariant, state: State) -> str:
    """R5.6."""
    places = order(state)
    if len(places) == 2:
        left = len(state.hands[places[1]])
        single, double = v.results
        return "level" if left < single else "single" if left < double else "double"
    return {1: "double", 2: "single", 3: "level"}[places.index((places[0] + 2) % 4)]


def table_value(table: Mapping[int, int], stars: int, otherwise: int) -> int:
    """What a table gives for so many stars; more than it lists counts as the last entry."""
    found = otherwise
    for least in sorted(table):
        if stars >= least:
            found = table[least]
    return found


def score(v: BruteVariant, state: State) -> tuple[int, list[int], list[int]]:
    """Multiplier, contributions and points by seat in a points room (R6.1-R6.4)."""
    places = order(state)
    side = (places[0], (places[0] + 2) % 4)
    most = max((stars for seat, stars in state.bombs if seat in side), default=0)
    multiplier = v.multiplier * table_value(v.doubling, most, 1)
    contributions = [0] * 4
    for player, stars in state.bombs:
        each = table_value(v.contribution, stars, 0)
        for seat in range(4):
            contributions[seat] += 3 * each if seat == player else -each
    base = v.base[result(v, state)]
    points = [base[places.index(seat)] * multiplier + contributions[seat] for seat in range(4)]
    return multiplier, contributions, points


def deal(v: BruteVariant, hands: Sequence[str], leader: int, moves: Sequence[Sequence[Any]]) -> dict[str, Any]:
    """A deal from its moves, answered as the judge does."""
    state = start(hands, leader)
    for index, (seat, cards, *kind) in enumerate(moves):
        try:
            state = step(v, state, seat, cards, *kind)
        except BadMoveError as bad:
            raise BadMoveError(bad.code, index) from None
    left = [len(hand) for hand in state.hands]
    if not is_over(state):
        return {"to_move": state.turn, "table": state.table.as_dict() if state.table else None, "left": left}
    answer: dict[str, Any] = {"order": order(state), "left": left, "result": result(v, state)}
    if v.players == 4:
        answer["multiplier"], answer["contribution"], answer["points"] = score(v, state)
    return answer


def seats(leader: int, twin: int) -> list[int]:
    """Who sits where after the turned-up card (R1.4)."""
    sitting = [0, 1, 2, 3]
    opposite = (leader + 2) % 4
    if twin not in (leader, opposite):
        sitting[twin], sitting[opposite] = opposite, twin
    return sitting


# Counting the moves ahead


def perft(v: BruteVariant, hands: Sequence[str], leader: int, depth: int) -> list[tuple[int, int]]:
    """For each depth from 1: how many ways to make so many moves, over all plays and over the canonical ones.

    A pass counts as a move where it is allowed. Over all plays a move is a distinct set of cards, unnamed; over
    the canonical ones the reading it stands for goes to the table. A deal that is over has no more moves.
    """
    seen: dict[tuple[State, int, bool], int] = {}

    def moves(state: State, only_canonical: bool) -> Iterable[State]:
        seat, hand = state.turn, state.hands[state.turn]
        if state.table is not None:
            yield after(state, seat, None, "")
        if only_canonical:
            for cards, reading in canonical_plays(v, hand, state.table):
                yield after(state, seat, reading, cards)
        else:
            for cards in plays(v, hand, state.table):
                yield after(state, seat, read_as(v, cards, state.table), cards)

    def count(state: State, ahead: int, only_canonical: bool) -> int:
        if ahead == 0:
            return 1
        if is_over(state):
            return 0
        key = (state, ahead, only_canonical)
        if key not in seen:
            seen[key] = sum(count(then, ahead - 1, only_canonical) for then in moves(state, only_canonical))
        return seen[key]

    begin = start(hands, leader)
    return [(count(begin, ahead, False), count(begin, ahead, True)) for ahead in range(1, depth + 1)]
