"""What a deal is worth: results, points, counted stars, duel settlements, escapes and titles (R5.6, R6, R7).

Pure functions over integers. Every number comes from the :class:`~shuangkou.rules.variant.Variant` or from the caller.
A :class:`Settlement` is a list of :class:`Line` objects. Each line moves an amount between the players and the house,
so its amounts and its house share add up to zero, and the lines add up to the settlement. Nothing here looks at what
anyone can pay beyond choosing the stake: cutting at a balance (R8.7) belongs to the table.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import prod
from typing import TYPE_CHECKING, Final, Literal, get_args

from shuangkou.rules.deal import result_by_cards, result_of
from shuangkou.rules.errors import Mistake, SettlementError, VariantError
from shuangkou.rules.toml import lines as toml_lines
from shuangkou.rules.toml import read_toml
from shuangkou.rules.variant import Duel, Edition, Level, Name, Points, Result, StarTable, Variant
from shuangkou.rules.words import KIND, RESULT, Language, rank_name

if TYPE_CHECKING:
    from shuangkou.rules.combination import Reading
    from shuangkou.rules.deal import Deal

Unit = Literal["points", "coins", "silver"]
"""The account that a settlement is booked to."""

LineCode = Literal[
    "base",  # four players: base x multiplier x doubling (R6.1, R6.2)
    "bomb_contribution",  # four players: what one bomb earns its player (R6.3)
    "fee",  # what each player pays for the deal (R6.5)
    "result",  # two players: X x a x b (R7.5)
    "contribution",  # two players: X x c of one player or one bomb (R7.4, R7.5)
    "escape",  # R7.9: the fixed part
    "escape_contribution",  # R7.9: X x c of the opponent or one bomb of the opponent's
    "escape_doubling",  # R7.9: X x factor x b of the opponent
    "escape_minimum",  # R7.9: what is missing to a lost double
    "escape_share",  # R7.9: the opponent's part of what was paid
]
FactorCode = Literal["result", "multiplier", "doubling", "coefficient", "contribution", "escape", "percent"]
Why = Literal["none", "best", "in_step", "repeated"]

_ACE: Final = 11
_CIRCLE: Final = 13  # ranks 3..A and 2


class TitlesError(VariantError):
    """All mistakes of a table of titles at once."""

    code = "bad_titles"


# Bombs and stars


@dataclass(frozen=True, slots=True)
class PlayedBomb:
    """A bomb that was played, as it was read (R3.7): wild cards count in ``width`` and ``stars``."""

    kind: str  # "bomb", "chain" or "jokers"
    top: int  # rank index
    width: int
    stars: int

    @classmethod
    def of(cls, reading: Reading) -> PlayedBomb:
        return cls(reading.kind, reading.top, reading.width, reading.stars)

    def text(self, language: Language) -> str:
        """``五星炸弹``, ``7-star chain bomb``."""
        kind = KIND[self.kind][language]
        return f"{_number(self.stars)}星{kind}" if language == "zh" else f"{self.stars}-star {kind}"


@dataclass(frozen=True, slots=True)
class Counted:
    """Stars that count for a settlement, and which bombs they come from (R6.2, R7.6-R7.8)."""

    stars: int
    why: Why
    bombs: tuple[PlayedBomb, ...]

    def text(self, language: Language) -> str:
        """The reason in words; empty if no bomb was played."""
        zh = language == "zh"
        if self.why == "none":
            return ""
        if self.why == "best":
            return self.bombs[0].text(language)
        width = self.bombs[0].width
        if self.why == "in_step":
            low, high = (rank_name(bomb.top) for bomb in self.bombs)
            if zh:
                return f"{low}、{high} 的{_number(width)}张炸弹相连，计{_number(self.stars)}星"
            return f"bombs of {width} in step, {low} and {high}, count as {self.stars} stars"
        if zh:
            return f"{len(self.bombs)} 个{_number(width)}张炸弹，计{_number(self.stars)}星"
        return f"{len(self.bombs)} bombs of {width} count as {self.stars} stars"


NO_STARS = Counted(0, "none", ())


def star_value(table: StarTable, stars: int, below: int) -> int:
    """The value of ``stars`` in a table: that of the last entry not above it, ``below`` under the first."""
    value = below
    for entry, entry_value in table:
        if entry > stars:
            break
        value = entry_value
    return value


def _rank_bomb(bomb: PlayedBomb) -> bool:
    return bomb.kind == "bomb"


def _best(bombs: Sequence[PlayedBomb]) -> Counted:
    if not bombs:
        return NO_STARS
    best = max(bombs, key=lambda bomb: (bomb.stars, bomb.kind, bomb.width, bomb.top))
    return Counted(best.stars, "best", (best,))


def _steps(bombs: Sequence[PlayedBomb], circle: bool) -> list[tuple[PlayedBomb, PlayedBomb]]:
    """The single-rank bombs of equal width and neighbouring ranks, two by two, low to high (R7.7)."""
    have = {(bomb.width, bomb.top): bomb for bomb in bombs if _rank_bomb(bomb)}
    return [
        (low, have[width, (top + 1) % _CIRCLE])
        for (width, top), low in sorted(have.items())
        if (circle or top < _ACE) and (width, (top + 1) % _CIRCLE) in have
    ]


def _in_step(duel: Duel, bombs: Sequence[PlayedBomb], circle: bool) -> Counted:
    """Two bombs in step count some stars more than their width (R7.7)."""
    found = NO_STARS
    for low, high in _steps(bombs, circle):
        if low.width + duel.step_stars >= found.stars:
            found = Counted(low.width + duel.step_stars, "in_step", (low, high))
    return found


def _repeated(duel: Duel, bombs: Sequence[PlayedBomb], circle: bool) -> Counted:
    """So many single-rank bombs of one width count as so many stars (R7.8)."""
    left_out = [] if duel.repeated_neighbours else [bomb for step in _steps(bombs, circle) for bomb in step]
    alone = [bomb for bomb in bombs if _rank_bomb(bomb) and bomb not in left_out]
    found = NO_STARS
    for width in sorted({entry.width for entry in duel.repeated}):
        same = tuple(sorted((bomb for bomb in alone if bomb.width == width), key=lambda bomb: bomb.top))
        table = sorted((entry.count, entry.stars) for entry in duel.repeated if entry.width == width)
        stars = star_value(tuple(table), len(same), 0)
        if stars > found.stars:
            found = Counted(stars, "repeated", same)
    return found


def count_stars(duel: Duel, bombs: Sequence[PlayedBomb], circle: bool) -> Counted:
    """What a player's bombs count as together, and why (R7.6). ``circle``: the variant's chains run in a circle."""
    found = _best(bombs)
    if duel.bombs_in_step:
        found = max(found, _in_step(duel, bombs, circle), key=lambda counted: counted.stars)
    if duel.repeated_bombs:
        found = max(found, _repeated(duel, bombs, circle), key=lambda counted: counted.stars)
    return found


def counted_stars(duel: Duel, bombs: Sequence[PlayedBomb], circle: bool) -> int:
    """The counted stars of a player: the most of the best bomb, bombs in step and repeated bombs (R7.6-R7.8)."""
    return count_stars(duel, bombs, circle).stars


def duel_contributions(
    duel: Duel, edition: Edition, bombs: Sequence[PlayedBomb], circle: bool
) -> tuple[tuple[int, Counted], ...]:
    """What a player's c is the sum of, and where each part comes from (R7.4).

    One part at most, by the counted stars; or, as the variant says, one for each bomb by its own stars.
    """
    if duel.contribution_counts == "best":
        counted = [count_stars(duel, bombs, circle)]
    else:
        counted = [_best([bomb]) for bomb in bombs]
    parts = [(star_value(edition.contribution, by.stars, 0), by) for by in counted]
    return tuple((factor_c, by) for factor_c, by in parts if factor_c)


# Lines


@dataclass(frozen=True, slots=True)
class Factor:
    """One number that a line is multiplied by, and where it comes from."""

    code: FactorCode
    value: int
    result: Result | None = None  # for "result"
    counted: Counted | None = None  # for "doubling" and "contribution"
    seat: int | None = None  # whose stars, for "contribution"


@dataclass(frozen=True, slots=True)
class Line:
    """One item of a settlement: how many (``counts`` by seat), times what (``factors``), and what that moves.

    ``amounts`` are ``counts`` times all factors (a ``percent`` factor is a hundredth, rounded down), and ``house``
    takes or gives what is missing to zero.
    """

    code: LineCode
    unit: Unit
    counts: tuple[int, ...]
    factors: tuple[Factor, ...]
    amounts: tuple[int, ...]
    house: int
    seat: int | None = None  # who played the bomb, escaped, or gets the share
    result: Result | None = None  # for "base"
    bomb: PlayedBomb | None = None  # for "bomb_contribution"

    @classmethod
    def make(
        cls,
        code: LineCode,
        unit: Unit,
        counts: Sequence[int],
        factors: Sequence[Factor] = (),
        *,
        seat: int | None = None,
        result: Result | None = None,
        bomb: PlayedBomb | None = None,
    ) -> Line:
        times = prod(factor.value for factor in factors)
        hundreds = 100 ** sum(factor.code == "percent" for factor in factors)
        amounts = tuple(count * times // hundreds for count in counts)
        return cls(code, unit, tuple(counts), tuple(factors), amounts, -sum(amounts), seat, result, bomb)

    def text(self, language: Language, names: Sequence[str] | None = None, seat: int | None = None) -> str:
        """The line in words, for everybody or as it concerns one ``seat``; ``names`` are the players' by seat.

        ``双扣 4 × 翻倍 2 (五星炸弹) = +8``
        """
        if names is None:
            names = [_name(language, at) for at in range(len(self.counts))]
        formula = " × ".join([self._head(language, names, seat), *(_times(f, language, names) for f in self.factors)])
        if seat is not None:
            return f"{formula} = {_signed(self.amounts[seat])}"
        parts = [f"{name} {_signed(amount)}" for name, amount in zip(names, self.amounts, strict=True)]
        if self.code.startswith("escape"):  # between one player and the house
            parts = [part for part, amount in zip(parts, self.amounts, strict=True) if amount] or ["0"]
        if self.house and self.code != "base":  # base points need not sum to zero: nobody asks for the other side
            parts.append(f"{_word('house', language)} {_signed(self.house)}")
        return f"{formula} = {', '.join(parts) if language == 'en' else '，'.join(parts)}"

    def _head(self, language: Language, names: Sequence[str], seat: int | None) -> str:
        """What the line is about, with how many where a factor follows."""
        many = f" {self._quantity(seat)}" if self.factors else ""
        if self.code == "base":
            assert self.result is not None
            return RESULT[self.result][language].capitalize() + many
        if self.code == "bomb_contribution":
            assert self.seat is not None
            assert self.bomb is not None
            return f"{names[self.seat]} {_word('contribution', language)} ({self.bomb.text(language)}){many}"
        if self.code == "escape_share":
            assert self.seat is not None
            return f"{names[self.seat]} {_word('share', language)}{many}"
        return _word(_HEADS[self.code], language) + many

    def _quantity(self, seat: int | None) -> str:
        sizes = {abs(count) for count in self.counts if count}
        signed = self.code in ("base", "bomb_contribution")
        if signed and seat is not None:
            return str(self.counts[seat])
        if len(sizes) <= 1:
            return str(max(sizes, default=0))
        return " / ".join(_signed(count) for count in sorted(set(self.counts), reverse=True))


@dataclass(frozen=True, slots=True)
class Settlement:
    """What a deal brings each seat and the house: ``amounts`` and ``house`` add up to zero, and so does each line."""

    unit: Unit
    result: Result | None  # None after an escape
    lines: tuple[Line, ...]
    amounts: tuple[int, ...]
    house: int
    contribution: tuple[int, ...]  # by seat: in points for four players (R6.3), in the unit for two (R7.5)
    points: tuple[int, ...] = ()  # four players: points by seat (R6.4), before coefficient and fee
    multiplier: int | None = None  # four players: what the base was multiplied by (R6.2)
    stake: Level | None = None  # two players: the level whose stake was played for (R7.1)
    stars: tuple[int, ...] = ()  # two players: counted stars by seat (R7.6); a fugitive's count for nothing

    def texts(self, language: Language, names: Sequence[str] | None = None, seat: int | None = None) -> tuple[str, ...]:
        """Every line in words."""
        return tuple(line.text(language, names, seat) for line in self.lines)


def _total(lines: Sequence[Line]) -> tuple[tuple[int, ...], int]:
    return tuple(map(sum, zip(*(line.amounts for line in lines), strict=True))), sum(line.house for line in lines)


# Four players


@dataclass(frozen=True, slots=True)
class _Room:
    """How points become amounts in one kind of room (R6.5, R6.7)."""

    coefficient: int
    fee: int
    contribution: bool


def _points_of(variant: Variant) -> Points:
    if variant.points is None:
        raise SettlementError("wrong_players", f"{variant.id} is not a four-player variant")
    return variant.points


def _room(
    points: Points, plays_for: str, coefficient: int | None, fee: int | None, contribution: bool | None
) -> tuple[Unit, _Room]:
    unit = _unit(plays_for)
    if unit == "points":
        defaults = _Room(1, 0, True)
    elif unit == "coins":
        defaults = _Room(points.coins.coefficient, points.coins.fee, True)
    else:
        defaults = _Room(points.silver.coefficient, points.silver.fee, points.silver.contribution)
    room = _Room(
        defaults.coefficient if coefficient is None else coefficient,
        defaults.fee if fee is None else fee,
        defaults.contribution if contribution is None else contribution,
    )
    if room.coefficient < 0 or room.fee < 0:
        raise SettlementError("bad_room", "coefficient and fee must not be negative")
    return unit, room


def units_of(variant: Variant) -> tuple[Unit, ...]:
    """What a variant may be played for, the usual first: a duel for what there is an edition of (R7.1)."""
    units: tuple[Unit, ...] = get_args(Unit)
    if variant.duel is None:
        return units
    known = {edition.id for edition in variant.duel.editions}
    return tuple(unit for unit in units if unit in known)


def _unit(plays_for: str) -> Unit:
    for unit in get_args(Unit):
        if unit == plays_for:
            checked: Unit = unit
            return checked
    raise SettlementError("bad_room", f"a room plays for one of {', '.join(get_args(Unit))}")


def _coefficient(room: _Room) -> tuple[Factor, ...]:
    return () if room.coefficient == 1 else (Factor("coefficient", room.coefficient),)


def bomb_contribution(variant: Variant, bomb: PlayedBomb) -> int:
    """What each of the other three gives for a bomb, in points (R6.3); 0: nothing."""
    return star_value(_points_of(variant).contribution, bomb.stars, 0)


def _contribution_line(points: Points, unit: Unit, room: _Room, seat: int, bomb: PlayedBomb) -> Line | None:
    each = star_value(points.contribution, bomb.stars, 0) if room.contribution else 0
    if each == 0:
        return None
    counts = [3 * each if at == seat else -each for at in range(4)]
    return Line.make("bomb_contribution", unit, counts, _coefficient(room), seat=seat, bomb=bomb)


def contribution_line(
    variant: Variant,
    seat: int,
    bomb: PlayedBomb,
    plays_for: Unit = "points",
    *,
    coefficient: int | None = None,
    contribution: bool | None = None,
) -> Line | None:
    """The line that a bomb adds to the settlement, to show at once when it is played (R6.3); None: nothing."""
    points = _points_of(variant)
    unit, room = _room(points, plays_for, coefficient, None, contribution)
    _check_seat(seat, 4)
    return _contribution_line(points, unit, room, seat, bomb)


def settle_points(
    variant: Variant,
    order: Sequence[int],
    bombs: Sequence[tuple[int, PlayedBomb]],
    plays_for: Unit = "points",
    *,
    coefficient: int | None = None,
    fee: int | None = None,
    contribution: bool | None = None,
) -> Settlement:
    """Settle a four-player deal (R6.1-R6.5, R6.7).

    ``order``: the seats by place; ``bombs``: (seat, bomb) in order of play. ``coefficient``, ``fee`` and
    ``contribution`` are the room's and replace the variant's.
    """
    points = _points_of(variant)
    unit, room = _room(points, plays_for, coefficient, fee, contribution)
    result = result_of(order)
    for seat, _ in bombs:
        _check_seat(seat, 4)

    base = points.base if unit == "points" else points.base_money
    row: tuple[int, ...] = getattr(base, result)
    best = _best([bomb for seat, bomb in bombs if (seat - order[0]) % 2 == 0])
    doubling = star_value(points.doubling, best.stars, 1)
    factors: list[Factor] = []
    if points.multiplier != 1:
        factors.append(Factor("multiplier", points.multiplier))
    if doubling != 1:
        factors.append(Factor("doubling", doubling, counted=best))
    multiplier = points.multiplier * doubling

    counts = [row[order.index(seat)] for seat in range(4)]
    lines = [Line.make("base", unit, counts, [*factors, *_coefficient(room)], result=result)]
    given = [0, 0, 0, 0]
    for seat, bomb in bombs:
        line = _contribution_line(points, unit, room, seat, bomb)
        if line is not None:
            lines.append(line)
            given = [so_far + count for so_far, count in zip(given, line.counts, strict=True)]
    if room.fee:
        lines.append(Line.make("fee", unit, [-room.fee] * 4))

    amounts, house = _total(lines)
    return Settlement(
        unit=unit,
        result=result,
        lines=tuple(lines),
        amounts=amounts,
        house=house,
        contribution=tuple(given),
        points=tuple(count * multiplier + gift for count, gift in zip(counts, given, strict=True)),
        multiplier=multiplier,
    )


# Two players


def _duel_of(variant: Variant) -> Duel:
    if variant.duel is None:
        raise SettlementError("wrong_players", f"{variant.id} is not a two-player variant")
    return variant.duel


def _edition_of(variant: Variant, edition_id: str) -> Edition:
    editions = _duel_of(variant).editions
    for edition in editions:
        if edition.id == edition_id:
            return edition
    known = ", ".join(edition.id for edition in editions)
    raise SettlementError("unknown_edition", f"{variant.id} has no such edition; it has {known}")


def _check_seat(seat: int, seats: int) -> None:
    if not 0 <= seat < seats:
        raise SettlementError("bad_seat", f"a seat is 0 to {seats - 1}")


def stake(edition: Edition, balances: Sequence[int]) -> Level:
    """The level whose stake is played for: the lowest among the players (R7.1).

    A balance under the first level is refused (``balance_too_low``).
    """
    if not balances:
        raise SettlementError("bad_seat", "a stake needs the players' balances")
    lowest = min(balances)
    reached = [level for level in edition.levels if level.needs <= lowest]
    if not reached:
        needs = min(level.needs for level in edition.levels)
        raise SettlementError("balance_too_low", f"a player needs at least {needs} and one has {lowest}")
    return max(reached, key=lambda level: level.needs)


def _count_both(variant: Variant, bombs_by_player: Sequence[Sequence[PlayedBomb]]) -> tuple[Counted, Counted]:
    if len(bombs_by_player) != 2:
        raise SettlementError("bad_seat", "a duel has the bombs of two players")
    duel = _duel_of(variant)
    first, second = (count_stars(duel, bombs, variant.chain.circle) for bombs in bombs_by_player)
    return first, second


def _duel_stake(edition: Edition, balances: Sequence[int]) -> Level:
    if len(balances) != 2:
        raise SettlementError("bad_seat", "a duel has two balances")
    return stake(edition, balances)


def _duel_unit(edition_id: str, plays_for: str | None) -> Unit:
    """An edition's id is what it is played for, unless the room says otherwise."""
    return _unit(edition_id if plays_for is None else plays_for)


def _to(seat: int, amount: int) -> tuple[int, int]:
    """``amount`` to ``seat`` from the other player."""
    return (amount, -amount) if seat == 0 else (-amount, amount)


def _only(seat: int, amount: int) -> tuple[int, int]:
    """``amount`` to ``seat`` from the house."""
    return (amount, 0) if seat == 0 else (0, amount)


def settle_duel(
    variant: Variant,
    edition_id: str,
    balances: Sequence[int],
    winner: int,
    left: int,
    bombs_by_player: Sequence[Sequence[PlayedBomb]],
    *,
    plays_for: Unit | None = None,
) -> Settlement:
    """Settle a two-player deal: X x a x b + X x (c of the winner - c of the loser) (R7.1-R7.8).

    ``balances`` are those at the start of the deal, ``left`` the cards in the loser's hand.
    """
    duel, edition, unit = _duel_of(variant), _edition_of(variant, edition_id), _duel_unit(edition_id, plays_for)
    _check_seat(winner, 2)
    level = _duel_stake(edition, balances)
    result = result_by_cards(duel.results, left)
    counted = _count_both(variant, bombs_by_player)

    factor_a: int = getattr(duel.factors, result)
    factor_b = star_value(edition.doubling, counted[winner].stars, 1)
    factors = [Factor("result", factor_a, result=result)]
    if factor_b != 1:
        factors.append(Factor("doubling", factor_b, counted=counted[winner]))
    lines = [Line.make("result", unit, _to(winner, level.stake), factors)]
    given = [0, 0]
    for seat in (winner, 1 - winner):
        for factor_c, part in duel_contributions(duel, edition, bombs_by_player[seat], variant.chain.circle):
            by = Factor("contribution", factor_c, counted=part, seat=seat)
            line = Line.make("contribution", unit, _to(seat, level.stake), [by], seat=seat)
            lines.append(line)
            given = [so_far + amount for so_far, amount in zip(given, line.amounts, strict=True)]

    amounts, house = _total(lines)
    return Settlement(
        unit=unit,
        result=result,
        lines=tuple(lines),
        amounts=amounts,
        house=house,
        contribution=tuple(given),
        stake=level,
        stars=(counted[0].stars, counted[1].stars),
    )


def settle_escape(
    variant: Variant,
    edition_id: str,
    balances: Sequence[int],
    fugitive: int,
    had_played: bool,
    bombs_by_player: Sequence[Sequence[PlayedBomb]],
    *,
    at_least_lost_double: bool | None = None,
    plays_for: Unit | None = None,
) -> Settlement:
    """Settle a deal that one player left (R7.9), before any cut at the balance.

    The fugitive pays the house, line by line, and the house passes the opponent's share on.
    ``at_least_lost_double`` is the room's and replaces the edition's.
    """
    duel, edition, unit = _duel_of(variant), _edition_of(variant, edition_id), _duel_unit(edition_id, plays_for)
    _check_seat(fugitive, 2)
    opponent = 1 - fugitive
    level = _duel_stake(edition, balances)
    counted = _count_both(variant, bombs_by_player)[opponent]
    escape = edition.escape
    pays = _only(fugitive, -level.stake)
    factor_b = star_value(edition.doubling, counted.stars, 1)
    contributions = duel_contributions(duel, edition, bombs_by_player[opponent], variant.chain.circle)
    doubling = Factor("doubling", factor_b, counted=counted)

    lines = [Line.make("escape", unit, pays, [Factor("escape", escape.factor)], seat=fugitive)]
    if had_played or not escape.only_if_played:
        for factor_c, part in contributions:
            by = Factor("contribution", factor_c, counted=part, seat=opponent)
            lines.append(Line.make("escape_contribution", unit, pays, [by], seat=fugitive))
        if factor_b > 1 and escape.doubling_factor:
            times = [doubling] if escape.doubling_factor == 1 else [Factor("escape", escape.doubling_factor), doubling]
            lines.append(Line.make("escape_doubling", unit, pays, times, seat=fugitive))
    paid = sum(line.house for line in lines)
    if escape.at_least_lost_double if at_least_lost_double is None else at_least_lost_double:
        whole_c = sum(factor_c for factor_c, _ in contributions)
        lost_double = level.stake * (duel.factors.double * factor_b + whole_c)
        if lost_double > paid:
            lines.append(Line.make("escape_minimum", unit, _only(fugitive, paid - lost_double), seat=fugitive))
            paid = lost_double
    share = Factor("percent", escape.share_percent)
    lines.append(Line.make("escape_share", unit, _only(opponent, paid), [share], seat=opponent))

    amounts, house = _total(lines)
    return Settlement(
        unit=unit,
        result=None,
        lines=tuple(lines),
        amounts=amounts,
        house=house,
        contribution=(0, 0),
        stake=level,
        stars=(counted.stars, 0) if opponent == 0 else (0, counted.stars),
    )


# Whole deals


def _duel_terms(
    deal: Deal, plays_for: Unit, edition: str | None, balances: Sequence[int] | None
) -> tuple[str, Sequence[int], tuple[list[PlayedBomb], list[PlayedBomb]]]:
    if balances is None:
        raise SettlementError("bad_room", "a duel is settled by the balances at the start of the deal")
    bombs: tuple[list[PlayedBomb], list[PlayedBomb]] = ([], [])
    for seat, reading in deal.bombs():
        bombs[seat].append(PlayedBomb.of(reading))
    return edition if edition is not None else plays_for, balances, bombs


def deal_settlement(
    deal: Deal,
    plays_for: Unit = "points",
    edition: str | None = None,
    balances: Sequence[int] | None = None,
    *,
    coefficient: int | None = None,
    fee: int | None = None,
    contribution: bool | None = None,
) -> Settlement:
    """Settle a finished deal, by seat.

    Two players: ``balances`` at the start of the deal, and ``edition`` (that named like ``plays_for`` if None).
    Four players: ``coefficient``, ``fee`` and ``contribution`` of the room (the variant's if None).
    """
    order = deal.order
    if order is None:
        raise SettlementError("deal_running", "the deal is not over")
    if deal.variant.duel is None:
        bombs = [(seat, PlayedBomb.of(reading)) for seat, reading in deal.bombs()]
        return settle_points(
            deal.variant, order, bombs, plays_for, coefficient=coefficient, fee=fee, contribution=contribution
        )
    edition_id, held, by_player = _duel_terms(deal, plays_for, edition, balances)
    winner = order[0]
    return settle_duel(deal.variant, edition_id, held, winner, deal.left[1 - winner], by_player, plays_for=plays_for)


def deal_escape(
    deal: Deal,
    fugitive: int,
    plays_for: Unit = "points",
    edition: str | None = None,
    balances: Sequence[int] | None = None,
    *,
    at_least_lost_double: bool | None = None,
) -> Settlement:
    """Settle a running two-player deal that the player at seat ``fugitive`` leaves (R7.9)."""
    _duel_of(deal.variant)
    if deal.over:
        raise SettlementError("deal_over", "nobody escapes from a deal that is over")
    edition_id, held, by_player = _duel_terms(deal, plays_for, edition, balances)
    had_played = any(move.seat == fugitive and move.reading is not None for move in deal.moves)
    return settle_escape(
        deal.variant,
        edition_id,
        held,
        fugitive,
        had_played,
        by_player,
        at_least_lost_double=at_least_lost_double,
        plays_for=plays_for,
    )


# Titles


@dataclass(frozen=True, slots=True)
class Title:
    """A title and the points it needs (R6.6)."""

    number: int
    needs: int
    name: Name


@cache
def titles() -> tuple[Title, ...]:
    """The shipped table of titles, lowest first."""
    from importlib.resources import files  # noqa: PLC0415 - keeps the start fast

    source = "titles.toml"
    return parse_titles((files("shuangkou.rules") / source).read_text(encoding="utf-8"), source)


def title(points: int, table: Sequence[Title] | None = None) -> Title:
    """The title that ``points`` give; the first one below every other, debts included (R6.6)."""
    table = titles() if table is None else table
    if not table:
        raise SettlementError("bad_room", "a table of titles has at least one")
    reached = [entry for entry in table if entry.needs <= points]
    return max(reached, key=lambda entry: entry.needs) if reached else min(table, key=lambda entry: entry.needs)


_MOST = 10**15
_LONGEST = 40
_ROW = ("number", "needs", "zh", "en")
_ALLOWED: dict[str, str] = {
    "schema": "1",
    "number": f"a whole number from 1 to {_MOST}, rising from title to title",
    "needs": f"a whole number up to {_MOST}, 0 for the first title and rising from title to title",
    "zh": f"a text of 1 to {_LONGEST} characters on one line",
    "en": f"a text of 1 to {_LONGEST} characters on one line",
}


def parse_titles(text: str, source: str = "titles") -> tuple[Title, ...]:
    """Read a table of titles from TOML text; raises :class:`TitlesError` with all its mistakes.

    The text has ``schema = 1`` and a table ``[[title]]`` for each title with ``number``, ``needs``, ``zh`` and ``en``.
    """
    try:
        data = read_toml(text, source)
    except VariantError as error:
        raise TitlesError(error.mistakes) from None
    mistakes: list[Mistake] = []
    at = toml_lines(text)

    def wrong(row: int | None, field: str, message: str) -> None:
        path = (field,) if row is None else ("title", row, field)
        found = at.get(path) or at.get(path[:-1])
        allowed = _ALLOWED.get(field, "")
        shown = field if row is None else f"title[{row + 1}].{field}"
        told = f"{message}; allowed: {allowed}" if allowed else message
        mistakes.append(Mistake(source, found, shown, told, allowed))

    for field in data.keys() - {"schema", "title"}:
        wrong(None, field, "unknown field")
    if type(data.get("schema")) is not int or data["schema"] != 1:
        wrong(None, "schema", "missing or not known")
    rows = data.get("title")
    if not isinstance(rows, list) or not rows or not all(isinstance(row, dict) for row in rows):
        wrong(None, "title", "at least one table [[title]] is needed")
        raise TitlesError(_sorted(mistakes))

    table: list[Title] = []
    for index, row in enumerate(rows):
        faults = _row_faults(row)
        for field, message in faults:
            wrong(index, field, message)
        if faults:
            continue
        entry = Title(row["number"], row["needs"], Name(row["zh"], row["en"]))
        if index == 0 and entry.needs != 0:
            wrong(index, "needs", f"{entry.needs} for the first title")
        if table and entry.number <= table[-1].number:
            wrong(index, "number", f"{entry.number} after {table[-1].number}")
        if table and entry.needs <= table[-1].needs:
            wrong(index, "needs", f"{entry.needs} after {table[-1].needs}")
        table.append(entry)
    if mistakes:
        raise TitlesError(_sorted(mistakes))
    return tuple(table)


def _row_faults(row: Mapping[str, object]) -> list[tuple[str, str]]:
    faults: list[tuple[str, str]] = []
    for field in _ROW:
        value = row.get(field)
        if field not in row:
            faults.append((field, "missing"))
        elif field in ("zh", "en"):
            if not (isinstance(value, str) and value.strip() and value.isprintable() and len(value) <= _LONGEST):
                faults.append((field, "not such a text"))
        elif type(value) is not int or not (1 if field == "number" else 0) <= value <= _MOST:
            faults.append((field, "out of range or no whole number"))
    faults.extend((field, "unknown field") for field in row.keys() - set(_ROW))
    return faults


def _sorted(mistakes: Sequence[Mistake]) -> list[Mistake]:
    return sorted(mistakes, key=lambda mistake: (mistake.line or 0, mistake.field))


# Words

_NUMBERS = "零一二三四五六七八九十"
_WORDS: dict[str, dict[Language, str]] = {
    "house": {"zh": "平台", "en": "house"},
    "stake": {"zh": "对局分", "en": "Stake"},
    "fee": {"zh": "台费", "en": "Fee"},
    "contribution": {"zh": "贡献", "en": "contribution"},
    "share": {"zh": "分得", "en": "share"},
    "minimum": {"zh": "补足到双扣", "en": "Up to a lost double"},
    "multiplier": {"zh": "倍数", "en": "multiplier"},
    "doubling": {"zh": "翻倍", "en": "doubling"},
    "coefficient": {"zh": "系数", "en": "coefficient"},
    "escape": {"zh": "逃跑", "en": "escape"},
}
_HEADS: dict[LineCode, str] = {
    "fee": "fee",
    "result": "stake",
    "contribution": "stake",
    "escape": "stake",
    "escape_contribution": "stake",
    "escape_doubling": "stake",
    "escape_minimum": "minimum",
}


def _word(word: str, language: Language) -> str:
    return _WORDS[word][language]


def _name(language: Language, seat: int) -> str:
    return f"{seat + 1}号位" if language == "zh" else f"seat {seat + 1}"


def _number(value: int) -> str:
    """A number in Chinese up to nineteen, in digits above."""
    if 0 <= value <= 10:
        return _NUMBERS[value]
    return f"十{_NUMBERS[value - 10]}" if value < 20 else str(value)


def _signed(amount: int) -> str:
    return f"{amount:+d}" if amount else "0"


def _times(factor: Factor, language: Language, names: Sequence[str]) -> str:
    """A factor in words: ``翻倍 2 (五星炸弹)``."""
    if factor.code == "percent":
        return f"{factor.value}%"
    if factor.result is not None:
        label = RESULT[factor.result][language]
    else:
        label = _word(factor.code, language)
    if factor.seat is not None:
        label = f"{names[factor.seat]} {label}"
    reason = factor.counted.text(language) if factor.counted is not None else ""
    return f"{label} {factor.value}" + (f" ({reason})" if reason else "")
