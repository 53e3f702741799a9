"""A variant of the game as frozen, validated data (every choice of the rules is a field here).

A :class:`Variant` is read from TOML text by :func:`parse_variant`; the shipped ones come from
:func:`load_variant`. Nothing in the program asks which variant it is: code asks for fields.

What is known of a field besides its type (the clause, its name in words, its limits) stands with the
field as a :class:`Fact`; reading, checking, writing and comparing variants are one walk over these.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cache
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, get_args, get_origin, get_type_hints

from shuangkou.rules.cards import MAX_CARDS
from shuangkou.rules.errors import Mistake, UnknownVariant, VariantError

if TYPE_CHECKING:
    from pathlib import Path

    from shuangkou.rules.toml import Value
    from shuangkou.rules.words import Language

SCHEMA: Final = 1
"""The version of the form of a variant file, its field ``schema``."""

Result = Literal["double", "single", "level"]
"""How a deal ends (R5.6)."""
StarTable = tuple[tuple[int, int], ...]
"""Pairs (stars, value), stars ascending. A number of stars takes the value of the last entry not above it."""

MOST_STARS: Final = 20
_MOST_VALUE: Final = 65536
_MOST_MONEY: Final = 10**9
_MOST_BALANCE: Final = 10**15
_MOST_BYTES: Final = 2**18  # of a variant file


class Fact(NamedTuple):
    """What is known of a field besides its type.

    ``low`` and ``high`` bound a number (of a row, a table of stars: each of its values), the length of
    a text and the number of lines of a list. ``also`` is one more number that is allowed.
    """

    clause: str
    zh: str
    en: str
    low: int = 0
    high: int = 0
    also: int | None = None
    keys: tuple[str, ...] = ()
    pattern: str = ""


def _fact(
    clause: str,
    zh: str,
    en: str,
    low: int = 0,
    high: int = 0,
    *,
    also: int | None = None,
    keys: tuple[str, ...] = (),
    pattern: str = "",
) -> dict[str, Fact]:
    return {"fact": Fact(clause, zh, en, low, high, also, keys, pattern)}


# What a variant is


@dataclass(frozen=True, slots=True)
class Name:
    """A text in both languages."""

    zh: str = field(metadata=_fact("", "中文", "Chinese", 1, 200))
    en: str = field(metadata=_fact("", "英文", "English", 1, 200))


@dataclass(frozen=True, slots=True)
class NextLead:
    """Who leads the next deal where no card is turned up (R1.6)."""

    double: Literal["random", "first_out"] = field(metadata=_fact("R1.6", "双扣之后", "after a double"))
    single: Literal["random", "first_out"] = field(metadata=_fact("R1.6", "单扣之后", "after a single"))
    level: Literal["random", "first_out"] = field(metadata=_fact("R1.6", "平扣之后", "after a level"))


@dataclass(frozen=True, slots=True)
class Wild:
    """Which jokers are wild, and how sets with wild cards are read (R3)."""

    jokers: Literal["none", "big", "all"] = field(metadata=_fact("R3.1", "哪些王是财神", "which jokers are wild"))
    mixed_pair: Literal["none", "small", "big"] = field(  # what x+X is a pair of (R3.3)
        metadata=_fact("R3.3", "大小王各一张算哪一对", "what x+X is a pair of")
    )
    kind_order: tuple[str, ...] = field(  # triple_run, pair_run, straight in the order of R3.4, strongest first
        metadata=_fact(
            "R3.4", "先出时的读法，大的在前", "on a lead, strongest first", keys=("triple_run", "pair_run", "straight")
        )
    )


@dataclass(frozen=True, slots=True)
class Run:
    """Lengths in ranks of a straight, pair run or triple run (R2)."""

    min_ranks: int = field(metadata=_fact("R2", "最短", "shortest", 2, 12))
    max_ranks: int = field(metadata=_fact("R2", "最长", "longest", 2, 12))


@dataclass(frozen=True, slots=True)
class Bomb:
    """Bombs of one rank (R2.3)."""

    max_width: int = field(  # R2.3, wild cards counted; also of a chain's group
        metadata=_fact("R2.3", "一个点数最多张数，连财神", "most cards of one rank, wild cards counted", 4, 12)
    )


@dataclass(frozen=True, slots=True)
class Chain:
    """Chain bombs (R2.4, R4.5). ``max_groups`` 0: none."""

    min_groups: int = field(metadata=_fact("R2.4", "最少组数", "fewest groups", 3, 6))
    max_groups: int = field(
        metadata=_fact("R2.4", "最多组数，0 为没有", "most groups, 0 for no chain bombs", 3, 6, also=0)
    )
    unequal: bool = field(metadata=_fact("R4.5", "各组张数可以不等", "groups may be unequal"))
    circle: bool = field(metadata=_fact("R2.4", "过 2 成环", "ranks in a circle through 2"))


@dataclass(frozen=True, slots=True)
class JokerBombs:
    """Stars of three and four jokers (0: no bomb) and their place among bombs of equal stars (R4.3, R4.4)."""

    three_stars: int = field(
        metadata=_fact("R4.3", "三王星数，0 为不成牌", "three jokers, 0 for no bomb", 0, MOST_STARS)
    )
    three_place: Literal["lowest", "highest"] = field(metadata=_fact("R4.4", "三王在同星中", "among equal stars"))
    four_stars: int = field(metadata=_fact("R4.3", "天王星数，0 为不成牌", "four jokers, 0 for no bomb", 0, MOST_STARS))
    four_place: Literal["lowest", "highest"] = field(metadata=_fact("R4.4", "天王在同星中", "among equal stars"))


@dataclass(frozen=True, slots=True)
class BombOrder:
    """How bombs of equal stars compare (R4.4)."""

    fewer_cards_first: bool = field(metadata=_fact("R4.4", "张数少的大", "fewer cards are stronger"))
    natural_first: bool = field(metadata=_fact("R4.4", "其余相同，硬的大", "all else equal, no wild cards is stronger"))


@dataclass(frozen=True, slots=True)
class Base:
    """Base points by place, first to fourth (R6.1)."""

    double: tuple[int, int, int, int] = field(metadata=_fact("R6.1", "双扣", "double", -1000, 1000))
    single: tuple[int, int, int, int] = field(metadata=_fact("R6.1", "单扣", "single", -1000, 1000))
    level: tuple[int, int, int, int] = field(metadata=_fact("R6.1", "平扣", "level", -1000, 1000))


@dataclass(frozen=True, slots=True)
class Coins:
    """Coins from points: points x coefficient - fee (R6.5)."""

    coefficient: int = field(metadata=_fact("R6.5", "系数", "coefficient", 1, 10**6))
    fee: int = field(metadata=_fact("R6.5", "台费", "fee", 0, _MOST_MONEY))


@dataclass(frozen=True, slots=True)
class Silver:
    """Silver from points (R6.7)."""

    coefficient: int = field(metadata=_fact("R6.7", "系数", "coefficient", 1, 10**6))
    fee: int = field(metadata=_fact("R6.7", "台费", "fee", 0, _MOST_MONEY))
    contribution: bool = field(metadata=_fact("R6.7", "计贡献分", "contributions count"))


@dataclass(frozen=True, slots=True)
class Points:
    """Points of the four-player game (R6)."""

    multiplier: int = field(  # applied besides the doubling (R6.2)
        metadata=_fact("R6.2", "固定倍数", "fixed multiplier", 1, 100)
    )
    base: Base = field(metadata=_fact("R6.1", "底分，按名次，积分房", "by place, first to fourth; rooms for points"))
    base_money: Base = field(metadata=_fact("R6.1", "底分，按名次，金币和银子房", "rooms for coins and silver"))
    doubling: StarTable = field(  # stars -> factor (R6.2)
        metadata=_fact(
            "R6.2", "星数 = 倍数", "stars = factor; more stars than the last count as the last", 1, _MOST_VALUE
        )
    )
    contribution: StarTable = field(  # stars -> what each of the other players pays for one bomb (R6.3)
        metadata=_fact("R6.3", "星数 = 其余每家付", "stars = what each of the other three pays", 0, _MOST_VALUE)
    )
    coins: Coins = field(metadata=_fact("R6.5", "金币房", "rooms for coins"))
    silver: Silver = field(metadata=_fact("R6.7", "银子房", "rooms for silver"))


@dataclass(frozen=True, slots=True)
class ResultBounds:
    """Two players: cards left in the loser's hand from which it is a single or a double (R5.6)."""

    single: int = field(metadata=_fact("R5.6", "单扣", "single", 1, MAX_CARDS + 1))
    double: int = field(metadata=_fact("R5.6", "双扣", "double", 1, MAX_CARDS + 1))


@dataclass(frozen=True, slots=True)
class Factors:
    """Factor a of the result (R7.2)."""

    double: int = field(metadata=_fact("R7.2", "双扣", "double", 0, 100))
    single: int = field(metadata=_fact("R7.2", "单扣", "single", 0, 100))
    level: int = field(metadata=_fact("R7.2", "平扣", "level", 0, 100))


@dataclass(frozen=True, slots=True)
class Level:
    """One line of an edition's stake table (R7.1)."""

    level: int = field(metadata=_fact("R7.1", "级别", "level", 0, 1000))
    needs: int = field(metadata=_fact("R7.1", "所需", "needed", 0, _MOST_BALANCE))
    stake: int = field(metadata=_fact("R7.1", "对局分", "stake", 1, _MOST_MONEY))


@dataclass(frozen=True, slots=True)
class Escape:
    """What a fugitive pays (R7.9); the factors are multiples of the stake."""

    factor: int = field(metadata=_fact("R7.9", "对局分的倍数", "times the stake", 0, 1000))
    doubling_factor: int = field(  # times b, where b is above 1
        metadata=_fact("R7.9", "再乘对方翻倍", "times the stake and the opponent's doubling", 0, 100)
    )
    only_if_played: bool = field(  # contribution and doubling are due only if the fugitive had played
        metadata=_fact("R7.9", "贡献和翻倍只在出过牌后付", "contribution and doubling only if the fugitive had played")
    )
    share_percent: int = field(  # of the payment, to the opponent, rounded down
        metadata=_fact("R7.9", "对方分得百分之", "the opponent's share of the payment", 0, 100)
    )
    at_least_lost_double: bool = field(metadata=_fact("R7.9", "不少于输双扣", "never less than a lost double"))


@dataclass(frozen=True, slots=True)
class Edition:
    """One edition of the two-player game (R7). Its id is what it is played for."""

    id: str = field(metadata=_fact("R7.1", "版本", "played for"))
    levels: tuple[Level, ...] = field(
        metadata=_fact("R7.1", "各级所需和对局分", "what a player needs for a level, and its stake", 1, 100)
    )
    doubling: StarTable = field(  # stars -> b (R7.3)
        metadata=_fact(
            "R7.3", "星数 = 翻倍", "stars = factor b; more stars than the last count as the last", 1, _MOST_VALUE
        )
    )
    contribution: StarTable = field(metadata=_fact("R7.4", "星数 = 贡献", "stars = c", 0, _MOST_VALUE))  # stars -> c
    escape: Escape = field(metadata=_fact("R7.9", "逃跑", "escape"))


@dataclass(frozen=True, slots=True)
class Repeated:
    """Repeated bombs (R7.8): from ``count`` single-rank bombs of ``width`` cards on, ``stars`` are counted."""

    width: int = field(metadata=_fact("R7.8", "张数", "cards of each", 4, 12))
    count: int = field(metadata=_fact("R7.8", "个数", "bombs", 2, 6))
    stars: int = field(metadata=_fact("R7.8", "计星", "counted stars", 1, MOST_STARS))


@dataclass(frozen=True, slots=True)
class Duel:
    """Points of the two-player game (R7)."""

    results: ResultBounds = field(
        metadata=_fact("R5.6", "输家余牌张数，从几张起", "cards left in the loser's hand, from")
    )
    factors: Factors = field(metadata=_fact("R7.2", "胜负倍数", "factor a"))
    contribution_counts: Literal["best", "each"] = field(  # best: by the counted stars; each: the sum over the bombs
        metadata=_fact("R7.4", "哪些炸弹计贡献", "which bombs of a player earn c")
    )
    bombs_in_step: bool = field(metadata=_fact("R7.7", "连炸加星", "bombs in step count more stars"))
    step_stars: int = field(  # more than the width
        metadata=_fact("R7.7", "连炸加几星", "stars more for bombs in step", 1, MOST_STARS - 12)
    )
    repeated_bombs: bool = field(metadata=_fact("R7.8", "多炸加星", "repeated bombs count more stars"))
    repeated_neighbours: bool = field(  # false: bombs in step with another one (R7.7, whether or not it is on) do not
        metadata=_fact("R7.8", "点数相邻的也算多炸", "bombs of neighbouring ranks count as repeated too")
    )
    repeated: tuple[Repeated, ...] = field(
        metadata=_fact(
            "R7.8", "同张数炸弹的个数和计星", "so many single-rank bombs of a width count as so many stars", 0, 30
        )
    )
    editions: tuple[Edition, ...] = field(
        metadata=_fact("R7.1", "版本", "editions", 1, 3, keys=("points", "coins", "silver"))
    )


class _Hashed:
    """Keeps the hash of a variant: catalogues are looked up by variant, often."""

    __slots__ = ("_hash",)

    _hash: int


@dataclass(frozen=True, slots=True)
class Variant(_Hashed):
    """Everything that distinguishes one variant from another. Exactly one of ``points`` and ``duel`` is set."""

    id: str = field(metadata=_fact("", "代号", "id", 1, 40, pattern="[a-z][a-z0-9]*(-[a-z0-9]+)*"))
    name: Name = field(metadata=_fact("", "名称", "name"))
    about: Name = field(metadata=_fact("", "一句话介绍", "in a sentence"))
    players: Literal[2, 4] = field(metadata=_fact("R1.2", "人数，每人 27 张", "players, 27 cards each"))
    turned_up_card: bool = field(metadata=_fact("R1.4, R1.5", "有明牌", "a turned-up card names the leader"))
    places_after_double: Literal["turn_order", "fewer_cards"] = field(  # of the two left; of equal hands by turn
        metadata=_fact("R5.5", "双扣时谁是第三名", "who is third after a double")
    )
    next_lead: NextLead = field(
        metadata=_fact("R1.6", "没有明牌时，下一副谁先出", "who leads next where no card is turned up")
    )
    wild: Wild = field(metadata=_fact("R3", "财神", "wild cards"))
    straight: Run = field(metadata=_fact("R2", "顺子，点数相连，3 到 A", "straights: ranks in a row, within 3..A"))
    pair_run: Run = field(metadata=_fact("R2", "连对", "pair runs"))
    triple_run: Run = field(metadata=_fact("R2", "连三张", "triple runs"))
    bomb: Bomb = field(metadata=_fact("R2.3", "炸弹", "bombs"))
    chain: Chain = field(metadata=_fact("R2.4", "连环炸弹", "chain bombs"))
    joker_bombs: JokerBombs = field(metadata=_fact("R4.3, R4.4", "王炸", "joker bombs"))
    bomb_order: BombOrder = field(metadata=_fact("R4.4", "同星炸弹的大小", "among bombs of equal stars"))
    points: Points | None = field(metadata=_fact("R6", "四人计分", "four players: points"))
    duel: Duel | None = field(metadata=_fact("R7", "二人计分", "two players: points"))

    def __hash__(self) -> int:
        try:
            return self._hash
        except AttributeError:
            kept = hash(tuple(getattr(self, f.name) for f in fields(self)))
            object.__setattr__(self, "_hash", kept)
            return kept


# The fields as a tree, made from the types and the facts

NodeKind = Literal["text", "flag", "number", "choice", "order", "row", "stars", "list", "keyed", "table"]


class Node(NamedTuple):
    """One field: how it is read and written. ``children`` are the fields inside, ``make`` the class of the table."""

    kind: NodeKind
    fact: Fact
    choices: tuple[Any, ...] = ()
    children: Mapping[str, Node] = {}
    make: Callable[..., Any] = tuple
    optional: bool = False

    def child(self, key: str) -> Node | None:
        """The field ``key`` inside, if there is such a one."""
        if self.kind == "keyed":
            return self.inner("table") if key in self.fact.keys else None
        return self.children.get(key)

    def inner(self, kind: NodeKind) -> Node:
        """One of several alike inside: a number of a row, a line of a list, a table of an edition."""
        return Node(kind, self.fact, (), self.children, self.make)

    @property
    def allowed(self) -> str:
        """What the field may be, in words."""
        fact = self.fact
        if self.kind == "flag":
            return "true or false"
        if self.kind == "number":
            return f"{fact.low} to {fact.high}" if fact.also is None else f"{fact.also} or {fact.low} to {fact.high}"
        if self.kind == "choice":
            return listing([_quoted(choice) for choice in self.choices])
        if self.kind == "order":
            return f"{listing([_quoted(key) for key in fact.keys], 'and')}, each once, in any order,"
        if self.kind == "row":
            return f"a list of 4 numbers from {fact.low} to {fact.high}"
        if self.kind == "stars":
            return f"a table of stars = number, 1 to {MOST_STARS} = {fact.low} to {fact.high}"
        if self.kind == "list":
            return f"{fact.low} to {fact.high} tables with {listing(list(self.children), 'and')}"
        if self.kind == "keyed":
            return f"a table with one or more of {listing(list(fact.keys), 'and')}"
        if self.kind == "table":
            return f"a table with {listing(list(self.children), 'and')}"
        if fact.pattern:
            return f"small letters, digits and single hyphens, {fact.low} to {fact.high} characters,"
        return f"one line of text, {fact.low} to {fact.high} characters,"


@cache
def schema() -> Node:
    """The tree of all fields of a variant."""
    return Node("table", Fact("", "", ""), (), _children(Variant), Variant)


def leaves(node: Node | None = None, path: tuple[str, ...] = ()) -> Iterator[tuple[str, Node]]:
    """Every field that holds a value, with its dotted name: ``*`` for an edition, ``[]`` for a line of a list."""
    node = node or schema()
    if node.kind in ("table", "keyed", "list"):
        inner = () if node.kind == "table" else ("*",) if node.kind == "keyed" else ("[]",)
        for name, child in node.children.items():
            yield from leaves(child, (*path, *inner, name))
    else:
        yield ".".join(path), node


def _children(owner: type) -> dict[str, Node]:
    hints = get_type_hints(owner)
    return {f.name: _node(hints[f.name], f.metadata["fact"]) for f in fields(owner)}


def _node(hint: Any, fact: Fact, *, optional: bool = False) -> Node:
    kinds: dict[Any, NodeKind] = {str: "text", bool: "flag", int: "number", StarTable: "stars"}
    if hint in kinds:
        return Node(kinds[hint], fact)
    inside = get_args(hint)
    if get_origin(hint) is Literal:
        return Node("choice", fact, inside)
    if get_origin(hint) is tuple:
        if inside[0] is str:
            return Node("order", fact)
        if inside[0] is int:
            return Node("row", fact)
        children = _children(inside[0])
        if not fact.keys:
            return Node("list", fact, (), children, inside[0])
        children.pop("id")
        return Node("keyed", fact, (), children, inside[0])
    if inside:  # X | None
        return _node(inside[0], fact, optional=True)
    return Node("table", fact, (), _children(hint), hint, optional)


def listing(words: Sequence[str], joint: str = "or") -> str:
    """``a, b or c``."""
    return f"{', '.join(words[:-1])} {joint} {words[-1]}" if len(words) > 1 else "".join(words)


def _quoted(choice: str | int) -> str:
    return f'"{choice}"' if isinstance(choice, str) else str(choice)


# Variants and their texts. What reads and writes TOML is imported when it is called: most processes load one variant.


def variant_ids() -> tuple[str, ...]:
    """The ids of the shipped variants, sorted."""
    return _shipped_ids()


def load_variant(id: str) -> Variant:
    """A shipped variant.

    Raises:
        UnknownVariant: no shipped variant has this id.
    """
    if id not in _shipped_ids():
        raise UnknownVariant(id, _shipped_ids())
    return _shipped(id)


def load_variant_file(path: str | Path) -> Variant:
    """A variant from an operator's own file.

    Raises:
        VariantError: it cannot be read, or with all its mistakes.
    """
    from pathlib import Path

    source = str(path)
    try:
        with Path(path).open("rb") as file:
            text = file.read(_MOST_BYTES + 1).decode("utf-8")
    except OSError as error:
        raise VariantError([Mistake(source, None, "", f"cannot be read: {error.strerror or error}")]) from None
    except ValueError as error:
        raise VariantError([Mistake(source, None, "", f"cannot be read: {error}")]) from None
    return parse_variant(text, source)


def parse_variant(text: str, source: str = "<text>") -> Variant:
    """A variant from TOML text, every field of it given and right.

    A text that says ``extends = "..."`` gives only its ``id`` and what differs from that shipped variant:
    tables are filled up field by field; lists and tables of stars are given whole.

    Raises:
        VariantError: with all mistakes at once.
    """
    from shuangkou.rules import variant_text

    return variant_text.parse(text, source)


def format_variant(variant: Variant, lang: Language = "en") -> str:
    """The TOML text of a variant, which :func:`parse_variant` reads back; comments say what its fields mean."""
    from shuangkou.rules import variant_text

    return variant_text.write(variant, lang)


def differences(variant: Variant, other: Variant) -> list[tuple[str, Value]]:
    """The fields of ``variant`` that ``other`` has otherwise, as dotted names and TOML values.

    ``with_settings(other, dict(differences(variant, other)))`` is ``variant``.
    """
    from shuangkou.rules import variant_text

    return variant_text.differences(variant, other)


def with_settings(base: Variant, settings: Mapping[str, Value], source: str = "<settings>") -> Variant:
    """``base`` with some fields set to TOML values; a dotted name may name a field or a whole table.

    Raises:
        VariantError: with all mistakes at once.
    """
    from shuangkou.rules import variant_text

    return variant_text.with_settings(base, settings, source)


def _variants() -> Path:
    from pathlib import Path

    return Path(__file__).with_name("variants")


@cache
def _shipped_ids() -> tuple[str, ...]:
    return tuple(sorted(file.stem for file in _variants().glob("*.toml")))


@cache
def _shipped(id: str) -> Variant:
    name = f"{id}.toml"
    return parse_variant((_variants() / name).read_text(encoding="utf-8"), name)
