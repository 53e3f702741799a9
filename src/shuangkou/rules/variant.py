"""A variant of the game as frozen, validated data (every choice of the rules is a field here).

A :class:`Variant` is read from TOML text by :func:`parse_variant`; the shipped ones come from
:func:`load_variant`. Nothing in the program asks which variant it is: code asks for fields.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Result = Literal["double", "single", "level"]
StarTable = tuple[tuple[int, int], ...]
"""Pairs (stars, value), stars ascending. A number of stars takes the value of the last entry not above it."""


@dataclass(frozen=True, slots=True)
class Name:
    zh: str
    en: str


@dataclass(frozen=True, slots=True)
class NextLead:
    """Who leads the next deal where no card is turned up (R1.6)."""

    double: Literal["random", "first_out"]
    single: Literal["random", "first_out"]
    level: Literal["random", "first_out"]


@dataclass(frozen=True, slots=True)
class Wild:
    """Which jokers are wild, and how sets with wild cards are read (R3)."""

    jokers: Literal["none", "big", "all"]
    mixed_pair: Literal["none", "small", "big"]  # what x+X is a pair of (R3.3)
    kind_order: tuple[str, ...]  # triple_run, pair_run, straight in the order of R3.4, strongest first


@dataclass(frozen=True, slots=True)
class Run:
    """Lengths in ranks of a straight, pair run or triple run (R2)."""

    min_ranks: int
    max_ranks: int


@dataclass(frozen=True, slots=True)
class Bomb:
    max_width: int  # R2.3, wild cards counted; also of a chain's group


@dataclass(frozen=True, slots=True)
class Chain:
    """Chain bombs (R2.4, R4.5). ``max_groups`` 0: none."""

    min_groups: int
    max_groups: int
    unequal: bool
    circle: bool


@dataclass(frozen=True, slots=True)
class JokerBombs:
    """Stars of three and four jokers (0: no bomb) and their place among bombs of equal stars (R4.3, R4.4)."""

    three_stars: int
    three_place: Literal["lowest", "highest"]
    four_stars: int
    four_place: Literal["lowest", "highest"]


@dataclass(frozen=True, slots=True)
class BombOrder:
    """How bombs of equal stars compare (R4.4)."""

    fewer_cards_first: bool
    natural_first: bool


@dataclass(frozen=True, slots=True)
class Base:
    """Base points by place, first to fourth (R6.1)."""

    double: tuple[int, int, int, int]
    single: tuple[int, int, int, int]
    level: tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class Coins:
    """Coins from points: points x coefficient - fee (R6.5)."""

    coefficient: int
    fee: int


@dataclass(frozen=True, slots=True)
class Silver:
    """Silver from points (R6.7)."""

    coefficient: int
    fee: int
    contribution: bool


@dataclass(frozen=True, slots=True)
class Points:
    """Points of the four-player game (R6)."""

    multiplier: int  # fixed, applied besides the doubling (R6.2)
    base: Base  # rooms for points
    base_money: Base  # rooms for coins and silver
    doubling: StarTable  # stars -> factor (R6.2)
    contribution: StarTable  # stars -> what each of the other players pays for one bomb (R6.3)
    coins: Coins
    silver: Silver


@dataclass(frozen=True, slots=True)
class ResultBounds:
    """Two players: cards left in the loser's hand from which it is a single or a double (R5.6)."""

    single: int
    double: int


@dataclass(frozen=True, slots=True)
class Factors:
    """Factor a of the result (R7.2)."""

    double: int
    single: int
    level: int


@dataclass(frozen=True, slots=True)
class Level:
    """One line of an edition's stake table (R7.1)."""

    level: int
    needs: int
    stake: int


@dataclass(frozen=True, slots=True)
class Escape:
    """What a fugitive pays (R7.9); the factors are multiples of the stake."""

    factor: int
    doubling_factor: int  # times b, where b is above 1
    only_if_played: bool  # contribution and doubling are due only if the fugitive had played
    share_percent: int  # of the payment, to the opponent, rounded down
    at_least_lost_double: bool


@dataclass(frozen=True, slots=True)
class Edition:
    """One edition of the two-player game (R7)."""

    id: str
    levels: tuple[Level, ...]
    doubling: StarTable  # stars -> b (R7.3)
    contribution: StarTable  # stars -> c (R7.4)
    escape: Escape


@dataclass(frozen=True, slots=True)
class Repeated:
    """Repeated bombs (R7.8): from ``count`` single-rank bombs of ``width`` cards on, ``stars`` are counted."""

    width: int
    count: int
    stars: int


@dataclass(frozen=True, slots=True)
class Duel:
    """Points of the two-player game (R7)."""

    results: ResultBounds
    factors: Factors
    bombs_in_step: bool  # R7.7
    repeated_bombs: bool  # R7.8
    repeated: tuple[Repeated, ...]
    editions: tuple[Edition, ...]


@dataclass(frozen=True, slots=True)
class Variant:
    """Everything that distinguishes one variant from another. Exactly one of ``points`` and ``duel`` is set."""

    id: str
    name: Name
    about: Name
    players: Literal[2, 4]
    turned_up_card: bool
    next_lead: NextLead
    wild: Wild
    straight: Run
    pair_run: Run
    triple_run: Run
    bomb: Bomb
    chain: Chain
    joker_bombs: JokerBombs
    bomb_order: BombOrder
    points: Points | None
    duel: Duel | None
