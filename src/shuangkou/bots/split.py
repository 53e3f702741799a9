"""How a hand falls into plays: the cheapest split of all its cards, each play having a price.

A hand is 27 cards that can be grouped in very many ways. Here one walk over the ranks, low to high, finds the
cheapest: at each rank it is decided which open runs go on or end, which runs begin, and what stays as a group of
its own (a single, pair, triple or bomb). The walk forgets everything but the open runs' lengths, so it is short;
what it finds for the upper ranks is kept, and the hands after each possible play share most of it.

Chain bombs and the jokers, of which there are few, are tried around the walk. Prices are integers; what they mean
is the caller's business. All plays come from the catalogue's families: nothing here knows a variant.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from shuangkou.rules.cards import ACE, BIG, NATURAL, ONE, ONES, SMALL, Counts
from shuangkou.rules.catalogue import Catalogue

NEVER: Final = 1 << 30
"""The price of what cannot be played."""

_RUN_KINDS: Final = ("straight", "pair_run", "triple_run")
_RUN_RANKS: Final = ACE + 1
_TWO: Final = 12
_WIDEST: Final = 12
_MOST_CHAINS: Final = 2
_MEMO_LIMIT: Final = 200_000

Group = tuple[int, tuple[int, ...]]
"""The price of a number of cards of one rank, and the widths of the plays they are made into."""


@dataclass(frozen=True, slots=True)
class Prices:
    """What each kind of play costs.

    ``groups[rank][n]`` for n cards of one rank as one play (:data:`NEVER` where there is none), ``runs`` for a
    straight, a pair run and a triple run, ``chain`` by stars, ``jokers`` by (small, big) for one play of jokers.
    """

    groups: tuple[tuple[int, ...], ...]
    runs: tuple[int, int, int]
    chains: tuple[int, ...]
    jokers: tuple[tuple[tuple[int, int], int], ...]


class Splitter:
    """Splits hands at given prices; keeps what it has found."""

    __slots__ = (
        "_chain_price", "_first", "_groups", "_has_chains", "_jokers", "_kernel", "_least", "_memo", "_most", "_moves",
        "_opening", "_splits", "_starts", "_wild_big", "_wild_small", "catalogue",
    )  # fmt: skip

    def __init__(self, catalogue: Catalogue, prices: Prices) -> None:
        self.catalogue = catalogue
        self._kernel = catalogue.kernel
        v = catalogue.variant
        runs = (v.straight, v.pair_run, v.triple_run)
        self._least = tuple(run.min_ranks for run in runs)
        self._most = tuple(run.max_ranks for run in runs)
        self._wild_small = v.wild.jokers == "all"
        self._wild_big = v.wild.jokers != "none"
        self._first = {(f.kind, f.groups, f.width): f.first for f in catalogue.families}
        self._has_chains = v.chain.max_groups > 0
        self._groups = tuple(_grouped(row) for row in prices.groups)
        self._opening = tuple(sum(price for i, price in enumerate(prices.runs) if o >> i & 1) for o in range(8))
        self._jokers = dict(prices.jokers)
        self._chain_price = prices.chains
        self._memo: dict[int, int] = {}
        self._splits: dict[Counts, tuple[int, int, int, list[tuple[int, int]]]] = {}
        self._moves = _moves(self._least, self._most)
        self._starts: list[tuple[int, int, int]] = []

    # -- answers

    def cost(self, hand: Counts) -> int:
        """The price of the cheapest split of ``hand``; 0 for no cards."""
        return self._best(hand)[0] if hand else 0

    def plays(self, hand: Counts) -> list[int]:
        """The action ids of the cheapest split."""
        if not hand:
            return []
        _, chain, wild, jokers = self._best(hand)
        found = []
        if chain:
            found.append(chain)
            hand -= self._kernel.cards(hand, chain)
        found += self._walk(hand & NATURAL, wild)
        found += [self._joker_action(*play) for play in jokers]
        return found

    def price(self, action: int) -> int:
        """What one play of :meth:`plays` costs."""
        c = self.catalogue.combination(action)
        if c.kind == "chain":
            return self._chain_price[min(c.stars, len(self._chain_price) - 1)]
        if c.start > _TWO:
            return min(price for jokers, price in self._jokers.items() if self._joker_action(*jokers) == action)
        if c.groups > 1:
            return self._opening[1 << c.width - 1]
        return self._groups[c.start][c.width][0]

    # -- around the walk: chain bombs and jokers

    def _best(self, hand: Counts) -> tuple[int, int, int, list[tuple[int, int]]]:
        found = self._splits.get(hand)
        if found is None:
            if len(self._memo) + len(self._splits) > _MEMO_LIMIT:
                self._memo.clear()
                self._splits.clear()
            found = self._splits[hand] = self._search(hand)
        return found

    def _search(self, hand: Counts) -> tuple[int, int, int, list[tuple[int, int]]]:
        cost, wild, jokers = self._without_chains(hand)
        best = (cost, 0, wild, jokers)
        for chain in self._chains(hand):
            rest = hand - self._kernel.cards(hand, chain)
            c = self.catalogue.combination(chain)
            cost, wild, jokers = self._without_chains(rest)
            cost += self._chain_price[min(c.stars, len(self._chain_price) - 1)]
            if cost < best[0]:
                best = (cost, chain, wild, jokers)
        return best

    def _chains(self, hand: Counts) -> list[int]:
        """The chain bombs worth a try: those with the fewest wild cards, then the most stars."""
        four = (hand & NATURAL) + 4 * ONES >> 3 & ONES
        if four.bit_count() < 2 or not self._has_chains:
            return []
        kernel = self._kernel
        found = []
        for action in kernel.plays(hand, self._first["bomb", 1, 4]):
            c = self.catalogue.combination(action)
            if c.kind == "chain":
                cards = kernel.cards(hand, action)
                found.append(((cards >> 52 & 15) + (cards >> 56), -c.stars, action))
        found.sort()
        return [action for *_, action in found[:_MOST_CHAINS]]

    def _without_chains(self, hand: Counts) -> tuple[int, int, list[tuple[int, int]]]:
        natural, small, big = hand & NATURAL, hand >> 52 & 15, hand >> 56
        wild = small * self._wild_small + big * self._wild_big
        self._look(natural, wild)
        if not wild:
            cost, jokers = self._joker_cost(small, big)
            return self._from(natural, 0, 0, 0) + cost, 0, jokers
        best: tuple[int, int, list[tuple[int, int]]] | None = None
        for used in range(wild + 1):
            x = min(used, small) if self._wild_small else 0
            if used - x > big:
                continue
            cost, jokers = self._joker_cost(small - x, big - (used - x))
            cost += self._from(natural, 0, 0, used)
            if best is None or cost < best[0]:
                best = (cost, used, jokers)
        assert best is not None
        return best

    def _joker_cost(self, small: int, big: int) -> tuple[int, list[tuple[int, int]]]:
        if not small and not big:
            return 0, []
        best: tuple[int, list[tuple[int, int]]] = (NEVER, [])
        for (x, y), price in self._jokers.items():
            if x <= small and y <= big and price < best[0]:
                cost, rest = self._joker_cost(small - x, big - y)
                if cost + price < best[0]:
                    best = (cost + price, [(x, y), *rest])
        return best

    def _joker_action(self, small: int, big: int) -> int:
        return self._kernel.read(small * ONE[SMALL] + big * ONE[BIG]) & 1023

    # -- the walk

    def _look(self, natural: int, wild: int) -> None:
        """Where runs of the least length can start, by wild cards: no other runs are begun."""
        run = (1 << 4 * _RUN_RANKS) - 1 & ONES
        starts = [[0, 0, 0] for _ in range(wild + 1)]
        for i, least in enumerate(self._least):
            layers = [run & ~((natural + (8 - k) * ONES) >> 3) for k in range(i + 1, 0, -1)]
            over = [0] * (wild + 1)
            for offset in range(least):
                for layer in layers:
                    missing = layer >> 4 * offset
                    for k in range(wild, 0, -1):
                        over[k] |= over[k - 1] & missing
                    over[0] |= missing
            valid = (1 << 4 * (_RUN_RANKS - least + 1)) - 1 & ONES if least <= _RUN_RANKS else 0
            for w in range(wild + 1):
                starts[w][i] = valid & ~over[w]
        self._starts = [(row[0], row[1], row[2]) for row in starts]

    def _from(self, rest: int, rank: int, state: int, wild: int) -> int:
        """The price of ``rest``, the counts from ``rank`` on, with open runs and wild cards to use up."""
        if not rest and not state:
            return NEVER if wild else 0
        if rank == _TWO:
            return self._at_two(rest, state, wild)
        count = rest & 15
        if not state:
            while not count and rank < _TWO and not self._can_open(rank, wild):
                rest >>= 4
                rank += 1
                count = rest & 15
            if rank == _TWO:
                return self._at_two(rest, state, wild)
        key = rest | rank << 52 | wild << 56 | state << 60
        found = self._memo.get(key)
        if found is None:
            found = NEVER
            groups = self._groups[rank]
            rest >>= 4
            opening = self._opening
            for after, left, used, opened in self._options(state, self._can_open(rank, wild), count, wild):
                price = groups[left][0] + opening[opened]
                if price < NEVER:
                    found = min(found, price + self._from(rest, rank + 1, after, wild - used))
            self._memo[key] = found
        return found

    def _at_two(self, count: int, state: int, wild: int) -> int:
        """The end of the walk: a 2 is in no run, and every run must have its least length."""
        for i in range(4):
            length = state >> 4 * i & 15
            if length and length < self._least[max(0, i - 1)]:
                return NEVER
        if wild and (not count or count + wild < 4 or count + wild > _WIDEST):
            return NEVER
        return self._groups[_TWO][count + wild][0]

    def _can_open(self, rank: int, wild: int) -> int:
        s, p, t = self._starts[wild]
        at = 4 * rank
        return s >> at & 1 | (p >> at & 1) << 1 | (t >> at & 1) << 2

    def _options(self, state: int, can: int, count: int, wild: int) -> tuple[tuple[int, int, int, int], ...]:
        """What can be done at a rank: (open runs after it, cards left as a group, wild cards used, runs begun)."""
        key = state | can << 16 | count << 19 | wild << 23
        found = self._moves.get(key)
        if found is None:
            found = self._moves[key] = tuple(self._list_options(state, can, count, wild))
        return found

    def _list_options(self, state: int, can: int, count: int, wild: int) -> list[tuple[int, int, int, int]]:
        # slots: two straights, a pair run, a triple run; each goes on, ends, begins, or stays closed
        slots: list[list[tuple[int, int, int]]] = []  # (length after, cards used, runs begun)
        for i, width in enumerate((1, 1, 2, 3)):
            kind = max(0, i - 1)
            length = state >> 4 * i & 15
            ways = []
            if not length or length >= self._least[kind]:
                ways.append((0, 0, 0))
            if length and length < self._most[kind]:
                ways.append((self._grown(kind, length), width, 0))
            if not length and can >> kind & 1:
                ways.append((1, width, 1 << kind))
            slots.append(ways)
        found: set[tuple[int, int, int, int]] = set()
        for a, na, oa in slots[0]:
            for b, nb, ob in slots[1]:
                if oa and ob:
                    continue
                for p, np, op in slots[2]:
                    for t, nt, ot in slots[3]:
                        used = na + nb + np + nt
                        short = max(0, used - count)
                        if short > min(wild, 1) or (a > 0) + (b > 0) + (p > 0) + (t > 0) > 2:
                            continue
                        low, high = (a, b) if a <= b else (b, a)
                        after = high | low << 4 | p << 8 | t << 12
                        opened = oa | ob | op | ot
                        left = max(0, count - used)
                        found.add((after, left, short, opened))
                        if left:  # wild cards join a group only to make a bomb of it, or a wider one
                            for more in range(max(1, 4 - left), wild + 1):
                                if left + more <= _WIDEST:
                                    found.add((after, left + more, more, opened))
        return sorted(found)

    def _grown(self, kind: int, length: int) -> int:
        """A run's length, one rank further; beyond the least it is only counted where there is a most that matters."""
        return length + 1 if self._most[kind] < _RUN_RANKS else min(length + 1, self._least[kind])

    def _walk(self, natural: int, wild: int) -> list[int]:
        """The action ids of the cheapest way through the ranks: the walk once more, along what it found."""
        self._look(natural, wild)
        found: list[int] = []
        open_runs: list[list[int]] = [[], [], [], []]  # slot: [first rank, ranks]
        rest, state = natural, 0
        for rank in range(_TWO):
            if not state and not rest & 15 and not self._can_open(rank, wild):
                rest >>= 4
                continue
            want = self._from(rest, rank, state, wild)
            groups = self._groups[rank]
            for after, left, used, opened in self._options(state, self._can_open(rank, wild), rest & 15, wild):
                price = groups[left][0] + self._opening[opened]
                if price < NEVER and price + self._from(rest >> 4, rank + 1, after, wild - used) == want:
                    break
            else:
                return found
            found += [self._first[_kind(w), 1, w] + rank for w in groups[left][1]]
            if state or after:
                self._step(found, open_runs, rank, after, opened)
            rest, state, wild = rest >> 4, after, wild - used
        if state:
            self._step(found, open_runs, _TWO, 0, 0)
        found += [self._first[_kind(w), 1, w] + _TWO for w in self._groups[_TWO][rest + wild][1]]
        return found

    def _step(self, found: list[int], runs: list[list[int]], rank: int, after: int, opened: int) -> None:
        """Let the open runs go on, end and begin as the option taken says."""
        for slots, kind in (((0, 1), 0), ((2,), 1), ((3,), 2)):
            lengths = sorted((after >> 4 * i & 15 for i in slots), reverse=True)
            going = [run for i in slots for run in (runs[i],) if run]
            going.sort(key=lambda run: run[1])  # too short ones must go on
            now: list[list[int]] = []
            want = [n for n in lengths if n]
            if opened >> kind & 1:
                want.remove(1)
            for run in going:
                grown = self._grown(kind, self._length(kind, run[1]))
                if grown in want and run[1] < self._most[kind]:
                    want.remove(grown)
                    now.append([run[0], run[1] + 1])
                else:
                    found.append(self._first[_RUN_KINDS[kind], run[1], kind + 1] + run[0])
            if opened >> kind & 1:
                now.append([rank, 1])
            for i, slot in enumerate(slots):
                runs[slot] = now[i] if i < len(now) else []

    def _length(self, kind: int, length: int) -> int:
        return length if self._most[kind] < _RUN_RANKS else min(length, self._least[kind])


@lru_cache(maxsize=64)
def _moves(least: tuple[int, ...], most: tuple[int, ...]) -> dict[int, tuple[tuple[int, int, int, int], ...]]:  # noqa: ARG001
    """What :meth:`Splitter._options` has found so far; it depends on the lengths of runs only."""
    return {}


def _kind(width: int) -> str:
    return ("single", "pair", "triple")[width - 1] if width < 4 else "bomb"


@lru_cache(maxsize=4096)
def _grouped(row: tuple[int, ...]) -> tuple[Group, ...]:
    """The cheapest way to play n cards of a rank as one play or several, for every n."""
    best: list[Group] = [(0, ())]
    for n in range(1, _WIDEST + 1):
        here: Group = (row[n] if n < len(row) else NEVER, (n,))
        for k in range(1, n):
            price = min(NEVER, best[k][0] + row[n - k] if n - k < len(row) else NEVER)
            if price < here[0]:
                here = (price, (*best[k][1], n - k))
        best.append(here)
    return tuple(best)
