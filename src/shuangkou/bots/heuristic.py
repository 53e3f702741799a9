"""A bot that plays sensibly and answers at once: a few ideas, each with a weight.

- **The hand is a plan.** It is split into the cheapest set of plays (:mod:`shuangkou.bots.split`). A play's price
  is how many leads it costs to be rid of it, in hundredths: a 3 costs one whole lead; what can be thrown in when
  others lead costs less; what usually takes the trick brings a lead and has a negative price. The sum tells how far
  a hand is from going out, so every play can be judged by what the hand is worth after it: breaking a straight or a
  bomb shows at once.
- **A lead is worth a lead.** A play's value is what the hand becomes cheaper by, plus the worth of the next lead
  times the chance that the play holds. The chance comes from the unseen cards and the numbers of cards that the
  other side holds (:class:`Outlook`). Passing is worth nothing, so strong cards stay in the hand until what they win
  is worth them.
- **Going out.** If all plays of a plan but the last probably hold, they are played now; if they certainly do,
  nothing else is considered. When somebody of the other side is nearly out, the lead is worth more, and plays that
  the opponent could go out on are avoided.
- **The partner.** A partner's bomb that wins is never beaten. A partner's play that will probably hold is left
  alone, unless it is cheap to go over it; a bomb goes over it only where the way out is open. A partner who is
  nearly out is led what can be gone out on.

The bot needs no randomness: what it does depends on the view only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import comb, prod
from typing import Final

from shuangkou.bots.split import NEVER, Prices, Splitter
from shuangkou.rules.cards import BIG, ONE, ONES, SMALL, Counts, size
from shuangkou.rules.catalogue import Catalogue
from shuangkou.rules.combination import Combination
from shuangkou.rules.deal import PASS, Action, Source
from shuangkou.rules.view import View


@dataclass(frozen=True, slots=True)
class Weights:
    """What the ideas weigh against each other; prices and worths are hundredths of a lead."""

    # prices of plays
    turn: int = 100
    """A play that can only be led and never holds."""
    discard: tuple[int, int, int] = (40, 40, 35)
    """Off for a single, pair, triple of aces or 2s that is thrown in on another's lead; in proportion below."""
    control: tuple[int, int, int] = (140, 140, 110)
    """Off for one that nobody has a higher one of, in proportion to the chance of that at the start of a deal."""
    runs: tuple[int, int, int] = (40, 35, 30)
    """A straight, a pair run, a triple run: rarely beaten but by bombs, but hardly ever thrown in."""
    bomb: int = 100
    """Off for a bomb of four stars, which begins from nothing: it needs no lead and usually brings one."""
    star: int = 25
    """Off for each star more, for what it wins and for the doubling and contribution."""
    wild: int = 15
    """Off for a wild card played as itself, which it can always be: what it may become is worth more."""

    # worths of a play
    lead: int = 100
    """The next lead, if the play holds."""
    card: int = 2
    """Each card that a lead gets rid of."""
    keep: int = 10
    """A lead that holds: the lead is kept, and the others get no cards away."""
    near: int = 8
    """From how many cards an opponent is dangerous..."""
    danger: int = 35
    """...and how much more the lead is worth for each card below that."""
    gift: int = 120
    """A lead of as many cards as an opponent holds, if it does not hold."""
    feed: int = 60
    """A low lead of as many cards as the partner holds (at most three)."""
    rush: float = 0.45
    """The least chance to keep the lead to the end from which going out counts..."""
    out: int = 180
    """...and what it counts, in proportion to the chance."""

    # the partner
    stay: int = 40
    """Leaving the partner's play alone, besides the lead that it brings the partner."""

    # what others do
    willing: float = 0.7
    """How often somebody who could go over a play without a bomb does so."""
    bombing: float = 0.5
    """How much of the chance that others hold a bomb is feared (as a power of the chance that they don't)."""

    # how far it looks
    plain: int = 3
    """Follows outside the plan that are looked at: so many that are no bombs..."""
    bombs: int = 1
    """...and so many bombs, those with the fewest wild cards and stars."""
    plan: int = 6
    """With more plays than this in the plan, going out is not thought about."""


_SHARES: Final = 32
_JOKERS: Final = (SMALL, BIG)
_LEVEL_BOMB: Final = 4


def _tails() -> tuple[tuple[tuple[float, ...], ...], ...]:
    """``[copies][k][share]``: the chance of k or more of the copies with so many 32nds of the unseen cards."""

    def tail(copies: int, k: int, share: int) -> float:
        p = share / _SHARES
        return sum(comb(copies, j) * p**j * (1 - p) ** (copies - j) for j in range(k, copies + 1))

    return tuple(
        tuple(tuple(tail(copies, k, share) for share in range(_SHARES + 1)) for k in range(28)) for copies in range(13)
    )


_TAIL: Final = _tails()


class Outlook:
    """What the other side may hold: how likely a play is to hold against it."""

    __slots__ = ("_above", "_catalogue", "_no_bomb", "_others", "_unseen", "_weights", "_wild", "sizes")

    def __init__(self, catalogue: Catalogue, unseen: Counts, sizes: Sequence[int], weights: Weights) -> None:
        """``sizes`` are the numbers of cards of those on the other side who still hold any."""
        self._catalogue = catalogue
        self._unseen = unseen
        self._weights = weights
        total = max(1, size(unseen))
        self.sizes = tuple(sizes)
        self._others = [(n, min(_SHARES, max(1, round(_SHARES * n / total)))) for n in sizes]
        jokers = catalogue.variant.wild.jokers
        self._wild = (unseen >> 52 & 15) * (jokers == "all") + (unseen >> 56) * (jokers != "none")
        self._above: dict[int, list[float]] = {}
        self._no_bomb: float | None = None

    def hold(self, c: Combination) -> float:
        """The chance that nobody on the other side beats a play."""
        if c.is_bomb:
            return self._bomb_holds(c)
        if c.groups == 1:
            return self.above(c.width)[c.start] * self.no_bomb()
        p = self.no_bomb()
        for start in range(c.start + 1, 13 - c.groups):
            for cards, share in self._others:
                if cards >= c.size:
                    window = range(start, start + c.groups)
                    p *= 1 - self._weights.willing * prod([_TAIL[self._copies(r)][c.width][share] for r in window])
        return p

    def sure(self, c: Combination, code: int) -> bool:
        """Whether certainly nobody on the other side can beat a play."""
        if not self.sizes:
            return True
        most = max(self.sizes)
        if most < c.size and not c.is_bomb and most < 3:
            return True
        combination = self._catalogue.combination
        return all(combination(a).size > most for a in self._catalogue.kernel.plays(self._unseen, code))

    def above(self, width: int) -> list[float]:
        """By rank: the chance that nobody has (and plays) so many cards of one higher rank."""
        row = self._above.get(width)
        if row is None:
            row = self._above[width] = [1.0] * 15
            p = 1.0
            for rank in range(14, -1, -1):
                row[rank] = p
                if rank not in _JOKERS or width < 3:
                    for cards, share in self._others:
                        if cards >= width:
                            p *= 1 - self._weights.willing * _TAIL[self._copies(rank)][width][share]
        return row

    def no_bomb(self) -> float:
        """The chance that nobody has (and plays) a bomb."""
        if self._no_bomb is None:
            p = 1.0
            for rank in range(13):
                p *= self._without(rank, _LEVEL_BOMB)
            self._no_bomb = p**self._weights.bombing
        return self._no_bomb

    def _bomb_holds(self, c: Combination) -> float:
        """Counts bombs of one rank only: the others are rare."""
        p = 1.0
        for rank in range(13):
            p *= self._without(rank, c.width + (rank <= c.start) if c.kind == "bomb" else c.stars)
        return float(p**self._weights.bombing)

    def _without(self, rank: int, k: int) -> float:
        """The chance that nobody has k cards of a rank, wild cards counted."""
        copies = self._copies(rank)
        p = 1.0
        for cards, share in self._others:
            if cards >= k:
                has = _TAIL[copies][k][share]
                if self._wild:
                    wild = _TAIL[self._wild][1][share]
                    has += wild * (_TAIL[copies][k - 1][share] - has)
                p *= 1 - has
        return p

    def _copies(self, rank: int) -> int:
        return self._unseen >> 4 * rank & 15


class Heuristic:
    """See the module's text. One bot may play at any number of tables."""

    def __init__(self, weights: Weights | None = None) -> None:
        self._weights = weights or Weights()

    def act(self, view: View, source: Source) -> Action:  # noqa: ARG002
        if _partner_wins_with_a_bomb(view):
            return PASS
        cat = view.catalogue
        kernel = cat.kernel
        hand = view.hand
        below = cat.code(view.table)
        if kernel.read(hand, below):
            return Action(hand)  # out
        options = kernel.plays(hand, below)
        if not options:
            return PASS
        choice = _Turn(view, options, self._weights).choose()
        if not choice:
            return PASS
        counts = kernel.cards(hand, choice)
        named = counts >> 52 and kernel.read(counts, below) != kernel.code(hand, choice)
        return Action(counts, cat.combination(choice).kind if named else None)


def _partner_wins_with_a_bomb(view: View) -> bool:
    return view.table is not None and view.table.is_bomb and view.table_seat == view.partner()


class _Turn:
    """One decision."""

    __slots__ = ("cat", "hand", "options", "outlook", "partner_left", "plan", "split", "view", "w")

    def __init__(self, view: View, options: list[int], weights: Weights) -> None:
        self.view = view
        self.options = options
        self.w = weights
        self.cat = view.catalogue
        self.hand = view.hand
        partner = view.partner()
        self.partner_left = 0 if partner is None else view.left[partner]
        sizes = [n for seat, n in enumerate(view.left) if n and seat not in (view.seat, partner)]
        self.outlook = Outlook(self.cat, view.unseen(), sizes, weights)
        self.split = _splitter(self.cat, weights)
        self.plan = self.split.plays(self.hand)

    def choose(self) -> int:
        """The action id of the best play; 0 for a pass."""
        w, view, lead = self.w, self.view, self.view.table is None
        candidates = self.leads() if lead else self.follows()
        way = self.sure_way_out(candidates)
        if way:
            return way
        best, best_value, best_out = 0, -1e9, 0.0
        for action in candidates:
            value, out = self.value(action, lead)
            if value > best_value:
                best, best_value, best_out = action, value, out
        if lead:
            return best
        passing = 0.0
        if view.table is not None and view.table_seat == view.partner():
            if self.cat.combination(best).is_bomb and best_out < w.rush:
                return 0
            passing = w.stay + w.lead * self.outlook.hold(view.table.combination)
        return best if best_value > passing else 0

    # -- what is considered

    def leads(self) -> list[int]:
        """The plays of the plan."""
        allowed = set(self.options)
        return [a for a in dict.fromkeys(self.plan) if a in allowed] or self.options

    def follows(self) -> list[int]:
        """The plays of the plan that are allowed, and some others that break little: few wild cards, no bomb torn."""
        planned = set(self.plan)
        plain: list[tuple[int, int]] = []
        bombs: list[tuple[int, int, int]] = []
        for action in self.options:
            if action in planned:
                continue
            c = self.cat.combination(action)
            cards = self.cat.kernel.cards(self.hand, action)
            wild = (cards >> 52 & 15) + (cards >> 56)
            if c.is_bomb:
                bombs.append((wild, c.stars, action))
            else:
                torn = c.groups == 1 and c.start <= 12 and (self.hand >> 4 * c.start & 15) >= _LEVEL_BOMB
                plain.append((wild + 2 * torn, action))
        plain.sort()
        bombs.sort()
        return (
            [a for a in self.options if a in planned]
            + [a for *_, a in plain[: self.w.plain]]
            + [a for *_, a in bombs[: self.w.bombs]]
        )

    # -- what it is worth

    def value(self, action: int, lead: bool) -> tuple[float, float]:
        """The value of a play, and the chance that it and all plays after it but the last hold."""
        w = self.w
        c = self.cat.combination(action)
        hold = self.outlook.hold(c)
        out = 0.0
        if action in self.plan:
            gain = self.split.price(action)
            rest = list(self.plan)
            rest.remove(action)
            if len(self.plan) <= w.plan:
                out = hold * self.all_but_last_hold(rest)
        else:
            left = self.hand - self.cat.kernel.cards(self.hand, action)
            gain = self.split.cost(self.hand) - self.split.cost(left)
            if len(self.plan) <= w.plan:
                out = hold * self.all_but_last_hold(self.split.plays(left))
        nearest = min(self.outlook.sizes, default=w.near)
        value = gain + hold * (w.lead + w.danger * max(0, w.near - nearest))
        if lead:
            value += w.card * c.size + w.keep * hold
            if not c.is_bomb:
                value -= w.gift * (1 - hold) * self.outlook.sizes.count(c.size)
                if c.groups == 1 and c.size == self.partner_left <= 3 and c.start < 8:
                    value += w.feed
        if out > w.rush:
            value += w.out * out
        return value, out

    def all_but_last_hold(self, plays: list[int]) -> float:
        """The chance that a plan is played to the end without losing the lead, its weakest play last."""
        holds = sorted([self.outlook.hold(self.cat.combination(a)) for a in plays])
        return prod(holds[1:])

    def sure_way_out(self, candidates: list[int]) -> int:
        """A play that certainly holds, after which all plays but the last certainly hold; 0 if none is seen."""
        if len(self.plan) > self.w.plan or not candidates:
            return 0
        kernel = self.cat.kernel
        for action in candidates:
            if self.outlook.hold(self.cat.combination(action)) < 0.8 or not self.sure(self.hand, action):
                continue
            left = self.hand - kernel.cards(self.hand, action)
            plays = self.split.plays(left)
            weak = 0
            for a in plays:
                weak += not self.sure(left, a)
                if weak > 1:
                    break
            else:
                return action
        return 0

    def sure(self, hand: Counts, action: int) -> bool:
        return self.outlook.sure(self.cat.combination(action), self.cat.kernel.code(hand, action))


@lru_cache(maxsize=16)
def _splitter(cat: Catalogue, weights: Weights) -> Splitter:
    return Splitter(cat, prices(cat, weights))


def prices(cat: Catalogue, w: Weights) -> Prices:
    """What plays cost in a variant: the same through a deal, so that what was found for a hand stays true."""
    v = cat.variant
    start = Outlook(cat, 6 * ONES + 2 * ONE[SMALL] + 2 * ONE[BIG], (27,) * (v.players // 2), w)

    def group(rank: int, width: int) -> int:
        share = min(rank, 12) / 12
        return round(w.turn - w.discard[width - 1] * share - w.control[width - 1] * start.above(width)[rank])

    def bomb(stars: int) -> int:
        return -w.bomb - w.star * max(0, stars - _LEVEL_BOMB)

    groups = [
        (NEVER, *(group(rank, width) for width in (1, 2, 3)), *(bomb(n) - rank for n in range(4, v.bomb.max_width + 1)))
        for rank in range(13)
    ]
    wild = (w.wild * (v.wild.jokers == "all"), w.wild * (v.wild.jokers != "none"))
    jokers = {
        (1, 0): group(SMALL, 1) - wild[0],
        (0, 1): group(BIG, 1) - wild[1],
        (2, 0): group(SMALL, 2),
        (0, 2): group(BIG, 2),
    }
    if v.wild.mixed_pair != "none":
        jokers[1, 1] = group(BIG if v.wild.mixed_pair == "big" else SMALL, 2)
    if v.joker_bombs.three_stars:
        jokers[2, 1] = jokers[1, 2] = bomb(v.joker_bombs.three_stars)
    if v.joker_bombs.four_stars:
        jokers[2, 2] = bomb(v.joker_bombs.four_stars)
    return Prices(tuple(groups), w.runs, tuple(bomb(stars) for stars in range(30)), tuple(jokers.items()))
