"""The hot loop: reading and listing plays on packed counts and integer codes.

Everything here works on integers only: packed counts (four bits a rank), action ids, and *codes*.

    code = combination id | wild cards << 10 | surplus cards << 13

A code is a reading as an integer; the surplus is what an unequal chain has beyond its counted groups
(R4.5). Code 0 stands for no reading, and as a table for a lead. An action id is a combination id; with
the flag ``UNEQUAL`` it is the chain played with all natural cards of its ranks.

A hand gives one mask for each k: the ranks of which it holds at least k cards, one bit a rank, spaced
four bits apart as the counts are. A family of combinations (one kind, length and width) is then one
mask of the ranks it can start from, found by shifting the masks of missing cards under the window and
counting them, saturating above the number of wild cards. The tables come from the catalogue; nothing
here knows a variant's settings but through them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from shuangkou.rules.cards import ACE, BIG, MAX_CARDS, NATURAL, ONE, ONES, SMALL

UNEQUAL: Final = 1 << 10
"""Flag of an action id: the chain with all natural cards of its ranks (R4.5)."""

_ID: Final = 1023
_RANKS: Final = 13
_RUN_RANKS: Final = ACE + 1
_RUN: Final = (1 << 4 * _RUN_RANKS) - 1 & ONES
_TOP: Final = ONES << 3
_BORROW: Final = (ONES << 4) | 1 << 56 | 1 << 60
_PAIRS: Final = 0x0F0F0F0F0F0F0F0F
_ANY: Final = -1
_NO_STRENGTH: Final = 1 << 20
_LESS: Final = tuple((8 - k) * ONES for k in range(9))


@dataclass(frozen=True, slots=True)
class Tables:
    """What the kernel needs to know of a variant, by combination id (entry 0 is the pass) and by family.

    ``families`` are (kind, groups, width, first id, number of starts, circle); strengths order the bombs
    (even numbers; natural bombs one more where natural beats wild), 0 for non-bombs.
    """

    kinds: tuple[str, ...]
    starts: tuple[int, ...]
    groups: tuple[int, ...]
    widths: tuple[int, ...]
    strengths: tuple[int, ...]
    unequal_strengths: tuple[int, ...]
    stars: tuple[int, ...]
    last_ranks: tuple[int, ...]
    kind_places: tuple[int, ...]
    families: tuple[tuple[str, int, int, int, int, bool], ...]
    joker_first: int
    wild_small: bool
    wild_big: bool
    mixed_pair: int
    max_width: int
    natural_first: bool


class _Starts(dict[int, tuple[int, ...]]):
    """The ranks whose bit is set in a spaced mask, computed once a mask (at most 2**13 of them)."""

    def __missing__(self, mask: int) -> tuple[int, ...]:
        found = tuple(r for r in range(_RANKS) if mask >> 4 * r & 1)
        self[mask] = found
        return found


_STARTS: Final = _Starts()


def pack_code(id_: int, wild: int, surplus: int) -> int:
    """The code of a reading."""
    return id_ | wild << 10 | surplus << 13


def at_least(counts: int, k: int) -> int:
    """The spaced mask of the natural ranks of which ``counts`` has at least ``k`` cards, 1 <= k <= 8."""
    return ((counts & NATURAL) + (8 - k) * ONES) >> 3 & ONES


class Kernel:
    """The rules of one variant over integers. Made by the catalogue."""

    __slots__ = (
        "_bomb_families",
        "_bomb_masks",
        "_chain_families",
        "_exact",
        "_group_families",
        "_has_unequal",
        "_joker_codes",
        "_joker_plays",
        "_kinds",
        "_needs",
        "_places",
        "_run_families",
        "_shapes",
        "_sized",
        "_t",
        "_windows",
    )

    def __init__(self, tables: Tables) -> None:
        t = self._t = tables
        n = len(t.kinds)
        self._kinds = {kind: i for i, kind in enumerate(dict.fromkeys(t.kinds[1:]))}
        self._needs = [0] * n
        self._windows = [0] * n
        self._shapes = [0] * n  # what a table must share with a play that is no bomb: kind, groups, width
        shapes: dict[tuple[str, int, int], int] = {}
        for i in range(1, n):
            self._shapes[i] = shapes.setdefault((t.kinds[i], t.groups[i], t.widths[i]), len(shapes) + 1)
            if t.starts[i] < _RANKS:
                for g in range(t.groups[i]):
                    rank = (t.starts[i] + g) % _RANKS
                    self._needs[i] += t.widths[i] * ONE[rank]
                    self._windows[i] |= 15 * ONE[rank]
        self._has_unequal = any(t.unequal_strengths)
        self._read_tables(n)
        self._play_tables()

    # -- tables -----------------------------------------------------------------------------------

    def _read_tables(self, n: int) -> None:
        """``_exact`` reads sets without wild cards, ``_sized[size][lowest rank]`` lists what others may be."""
        t = self._t
        naturals = [i for i in range(1, n) if t.starts[i] < _RANKS]
        self._exact = {self._needs[i]: i for i in naturals}
        most_wild = 2 * t.wild_small + 2 * t.wild_big
        rows: dict[tuple[int, int], list[tuple[tuple[int, int, int, int], tuple[int, int, int, int, int]]]] = {}
        for i in naturals:
            total = t.groups[i] * t.widths[i]
            bomb = t.strengths[i]
            order = (bomb, t.kind_places[i], t.last_ranks[i], t.widths[i])
            row = (self._needs[i], i, bomb, self._kinds[t.kinds[i]], 0)
            for low in self._lows(i, most_wild):
                rows.setdefault((total, low), []).append((order, row))
            if t.unequal_strengths[i]:
                bomb = t.unequal_strengths[i]
                order = (bomb, -1, t.last_ranks[i], t.widths[i])
                row = (0, i, bomb, self._kinds[t.kinds[i]], 1)
                for more in range(total + 1, min(MAX_CARDS, t.groups[i] * t.max_width) + 1):
                    for low in self._lows(i, most_wild):
                        rows.setdefault((more, low), []).append((order, row))
        for entries in rows.values():
            entries.sort(key=lambda entry: entry[0], reverse=True)
        self._sized = [
            [tuple(row for _, row in rows.get((s, low), ())) for low in range(_RANKS)] for s in range(MAX_CARDS + 1)
        ]
        self._joker_codes, self._joker_plays = self._joker_tables()

    def _lows(self, i: int, most_wild: int) -> Iterable[int]:
        """The lowest natural rank that a set which reads as ``i`` can have, wild cards being few."""
        t = self._t
        window = sorted((t.starts[i] + g) % _RANKS for g in range(t.groups[i]))
        return [low for k, low in enumerate(window) if k * t.widths[i] <= most_wild]

    def _joker_tables(self) -> tuple[dict[int, int], tuple[tuple[int, int, tuple[int, ...]], ...]]:
        """What jokers among themselves read as (R3.3), and the six joker plays with the sets that make them."""
        t = self._t
        small, big = ONE[SMALL], ONE[BIG]
        codes: dict[int, int] = {}
        plays: list[tuple[int, int, tuple[int, ...]]] = []
        for i in range(t.joker_first, len(t.kinds)):
            kind, rank, width = t.kinds[i], t.starts[i], t.widths[i]
            if kind == "jokers":
                sets = [2 * small + big, small + 2 * big] if width == 3 else [2 * small + 2 * big]
            else:
                sets = [width * ONE[rank]]
                if kind == "pair" and t.mixed_pair == rank:
                    sets.append(small + big)
            for cards in sets:
                wild = 1 if kind == "pair" and cards == small + big else 0
                codes[cards >> 52] = pack_code(i, wild, 0)
            plays.append((i, rank, tuple(cards >> 52 for cards in sets)))
        return codes, tuple(plays)

    def _play_tables(self) -> None:
        t = self._t
        self._group_families: list[tuple[int, int, int]] = []  # width, first id, shape
        self._bomb_families: list[tuple[int, int, int]] = []  # width, first id, index in the masks
        runs: dict[int, list[tuple[int, int, int, int]]] = {}  # width: groups, first id, valid starts, shape
        chains: dict[int, list[tuple[int, int, int, int, bool]]] = {}  # width: groups, first id, valid, index, circle
        bombs: list[tuple[int, int]] = []
        for kind, groups, width, first, starts, circle in t.families:
            valid = (1 << 4 * starts) - 1 & ONES
            if kind == "bomb":
                self._bomb_families.append((width, first, len(bombs)))
                bombs.append((first, starts))
            elif kind == "chain":
                chains.setdefault(width, []).append((groups, first, valid, len(bombs), circle))
                bombs.append((first, starts))
            elif groups == 1:
                self._group_families.append((width, first, self._shapes[first]))
            else:
                runs.setdefault(width, []).append((groups, first, valid, self._shapes[first]))
        self._run_families = tuple((width, tuple(rows)) for width, rows in sorted(runs.items()))
        self._chain_families = tuple((width, tuple(rows)) for width, rows in sorted(chains.items()))
        self._places = bombs
        self._bomb_masks: dict[int, tuple[tuple[int, int, int], ...]] = {}

    def _above(self, strength: int) -> tuple[tuple[int, int, int], ...]:
        """For every family of bombs the starts that beat ``strength``: natural, with wild cards, unequal."""
        found = self._bomb_masks.get(strength)
        if found is None:
            t = self._t
            rows = []
            for first, starts in self._places:
                natural = wild = unequal = 0
                for s in range(starts):
                    one = ONE[s]
                    natural |= one * (t.strengths[first + s] + t.natural_first > strength)
                    wild |= one * (t.strengths[first + s] > strength)
                    unequal |= one * (t.unequal_strengths[first + s] > strength)
                rows.append((natural, wild, unequal))
            found = self._bomb_masks[strength] = tuple(rows)
        return found

    # -- comparing --------------------------------------------------------------------------------

    def strength(self, code: int) -> int:
        """A bomb's place in the order of R4.4 and R4.5; 0 for a code that is no bomb."""
        t = self._t
        i = code & _ID
        if code >> 13:
            return t.unequal_strengths[i]
        s = t.strengths[i]
        return s + (t.natural_first and not code >> 10 & 7) if s else 0

    def beats(self, code: int, table: int) -> bool:
        """Whether ``code`` may be played on ``table`` (R4.1, R4.2, R4.4)."""
        t = self._t
        if not table:
            return True
        s = self.strength(code)
        if s:
            return s > self.strength(table)
        i, j = code & _ID, table & _ID
        return self._shapes[i] == self._shapes[j] and t.starts[i] > t.starts[j]

    # -- reading ----------------------------------------------------------------------------------

    def wild_cards(self, counts: int) -> int:
        """How many of the jokers in ``counts`` are wild (R3.1); -1 where one of them is not."""
        t = self._t
        small, big = counts >> 52 & 15, counts >> 56
        if (small and not t.wild_small) or (big and not t.wild_big):
            return -1
        return small + big

    def read(self, counts: int, table: int = 0, kind: int = _ANY) -> int:
        """The code of the strongest reading (R3.4; on a table R3.5; of one kind R3.6); 0 where there is none.

        Args:
            counts: a set of at most 27 cards, not more copies than two packs hold.
            table: the code to beat; 0 for a lead.
            kind: an index from :meth:`kind_index`, or -1 for any.
        """
        jokers = counts >> 52
        natural = counts & NATURAL
        if not natural:
            code = self._joker_codes.get(jokers, 0)
            if code and kind != _ANY and self._kinds[self._t.kinds[code & _ID]] != kind:
                return 0
            return code if code and (not table or self.beats(code, table)) else 0
        wild = 0
        if jokers:
            wild = self.wild_cards(counts)
            if wild < 0:
                return 0
        if table:
            bar = self.strength(table)
            shape = 0 if bar else self._shapes[table & _ID]
            start = self._t.starts[table & _ID]
        else:
            bar = start = 0
            shape = -1
        # natural bombs stand half a step above bombs with wild cards where the variant says so
        bonus = 1 if self._t.natural_first and not wild else 0
        if not wild:
            exact = self._exact.get(natural)
            if exact is not None:
                s = self._t.strengths[exact]
                if kind != _ANY and self._kinds[self._t.kinds[exact]] != kind:
                    return 0
                if s:
                    return exact if s + bonus > bar or not table else 0
                if shape < 0 or (self._shapes[exact] == shape and self._t.starts[exact] > start):
                    return exact
                return 0
            if not self._has_unequal:
                return 0
        size = ((natural & _PAIRS) + (natural >> 4 & _PAIRS)) % 255 + wild
        if size > MAX_CARDS:
            return 0
        for need, i, s, k, loose in self._sized[size][((natural & -natural).bit_length() - 1) >> 2]:
            if loose:
                if not self._fits_loosely(natural, i, wild, size):
                    continue
            elif ((need - natural) ^ need ^ natural) & _BORROW:
                continue
            if kind != _ANY and k != kind:
                continue
            if table:
                if s:
                    if s <= bar and (loose or s + bonus <= bar):
                        continue
                elif self._shapes[i] != shape or self._t.starts[i] <= start:
                    continue
            code = i | wild << 10
            return code | (size - self._t.groups[i] * self._t.widths[i]) << 13 if loose else code
        return 0

    def _fits_loosely(self, natural: int, i: int, wild: int, size: int) -> bool:
        """Whether the cards make chain ``i`` with surplus (R4.5): all in its ranks, no group short or too wide."""
        window = self._windows[i]
        if natural & ~window:
            return False
        t = self._t
        missing = t.groups[i] * t.widths[i]
        if size > t.groups[i] * t.max_width or (t.max_width < 8 and at_least(natural, t.max_width + 1)):
            return False
        window &= ONES
        for k in range(1, t.widths[i] + 1):
            if k > 8:
                break
            missing -= (natural + _LESS[k] >> 3 & window).bit_count()
        return missing <= wild

    def kind_index(self, kind: str) -> int:
        """The index of a kind for :meth:`read`; -2, which nothing matches, where the variant has no such kind."""
        return self._kinds.get(kind, -2)

    # -- plays ------------------------------------------------------------------------------------

    def plays(self, hand: int, table: int = 0) -> list[int]:
        """The action ids of all canonical plays of ``hand`` on ``table``, in the order of their families.

        A combination is canonical when the cards chosen for it (fewest wild cards, x before X) read as
        exactly it, unnamed or with its kind named. The pass is not listed.
        """
        t = self._t
        natural = hand & NATURAL
        jokers = hand >> 52
        wild = (jokers & 15) * t.wild_small + (jokers >> 4) * t.wild_big if jokers else 0
        have = [ONES] + [natural + less >> 3 & ONES for less in _LESS[1:]]
        out: list[int] = []
        shape, start, bar = -1, -1, 0
        if table:
            bar = self.strength(table)
            shape = 0 if bar else self._shapes[table & _ID]
            start = t.starts[table & _ID]
        if shape:
            self._plain_plays(out, have, wild, shape, start)
        if have[4 - wild if wild < 4 else 1]:
            self._bomb_plays(out, hand, have, wild, bar)
        if jokers:
            for i, rank, sets in self._joker_plays:
                s = t.strengths[i]
                if s:
                    if s + t.natural_first <= bar:
                        continue
                elif shape >= 0 and (self._shapes[i] != shape or rank <= start):
                    continue
                for cards in sets:
                    if not ((jokers - cards) ^ jokers ^ cards) & 0x110:
                        out.append(i)
                        break
        return out

    def _plain_plays(self, out: list[int], have: list[int], wild: int, shape: int, start: int) -> None:
        """All plays that are no bombs; with ``shape`` >= 0 only those of that shape that start above ``start``."""
        starts = _STARTS
        above = ONES if shape < 0 else 0 if start >= _RANKS else ONES >> 4 * (start + 1) << 4 * (start + 1)
        one = have[1]
        for width, first, mine in self._group_families:
            if shape < 0 or mine == shape:
                mask = (have[width - wild] if width > wild + 1 else one) & above
                if mask:
                    out += [first + s for s in starts[mask]]
                if shape >= 0:
                    return
        for width, rows in self._run_families:
            if shape >= 0 and not any(row[3] == shape for row in rows):
                continue
            at = 0
            groups, first, valid, mine = rows[0]
            if not wild:
                each = have[width] & _RUN
                fit = each
                for offset in range(1, _RUN_RANKS):
                    fit &= each >> 4 * offset
                    if not fit:
                        break
                    if offset + 1 == groups:
                        if shape < 0 or mine == shape:
                            mask = fit & above
                            if mask:
                                out += [first + s for s in starts[mask]]
                        at += 1
                        if at == len(rows):
                            break
                        groups, first, valid, mine = rows[at]
            else:
                layers = [_RUN & ~have[k] for k in range(width, 0, -1)]
                over = [0] * (wild + 1)  # over[k]: windows with more than k cards missing
                for offset in range(_RUN_RANKS):
                    for layer in layers:
                        missing = layer >> 4 * offset
                        for k in range(wild, 0, -1):
                            over[k] |= over[k - 1] & missing
                        over[0] |= missing
                    if offset + 1 == groups:
                        fit = valid & ~over[wild]
                        if not fit:
                            break
                        if shape < 0 or mine == shape:
                            end = ONE[_RUN_RANKS - groups]
                            mask = fit & (one | end) & above
                            if mask & end and not (one & _RUN) >> 4 * (_RUN_RANKS - groups):
                                mask &= ~end  # wild cards alone are no run
                            if mask:
                                out += [first + s for s in starts[mask]]
                        at += 1
                        if at == len(rows):
                            break
                        groups, first, valid, mine = rows[at]
            if shape >= 0:
                return

    def _bomb_plays(self, out: list[int], hand: int, have: list[int], wild: int, bar: int) -> None:
        """All bombs but those of jokers that are stronger than ``bar`` (0: all)."""
        above = self._above(bar)
        one = have[1]
        for width, first, index in self._bomb_families:
            most = width - wild
            mask = have[most] if 1 < most < 9 else one if most < 2 else 0
            if not mask:
                break
            if bar:
                exact = have[width] if width < 9 else 0
                mask &= above[index][0] & exact | above[index][1] & ~exact
            if mask:
                out += [first + s for s in _STARTS[mask]]
        for width, rows in self._chain_families:
            if not self._chain_plays(out, hand, have, wild, width, rows, above):
                break

    def _chain_plays(
        self,
        out: list[int],
        hand: int,
        have: list[int],
        wild: int,
        width: int,
        rows: tuple[tuple[int, int, int, int, bool], ...],
        above: tuple[tuple[int, int, int], ...],
    ) -> bool:
        """The chain bombs of one width; False where no hand of these cards makes one this wide or wider."""
        circle = rows[0][4]
        least = rows[0][0]
        part = width - wild
        if part > 8:
            return False
        if part > 0:  # every group holds at least as many natural cards: most hands end here
            each = have[part]
            if circle:
                each |= each << 52
            else:
                each &= _RUN
            fit = each
            for offset in range(1, least):
                fit &= each >> 4 * offset
            if not fit:
                return False
        layers = []
        for k in range(width, 0, -1):
            layer = ONES & ~have[k] if k < 9 else ONES
            layers.append(layer | layer << 52 if circle else layer & _RUN)
        over = [0] * (wild + 1)
        at, (groups, first, valid, index, _) = 0, rows[0]
        for offset in range(rows[-1][0]):
            for layer in layers:
                missing = layer >> 4 * offset
                for k in range(wild, 0, -1):
                    over[k] |= over[k - 1] & missing
                over[0] |= missing
            if offset + 1 == groups:
                fit = valid & ~over[wild]
                if not fit:
                    return at > 0
                natural, mixed, unequal = above[index]
                exact = ~over[0]
                for s in _STARTS[fit]:
                    i = first + s
                    bit = ONE[s]
                    pure = bit & exact
                    if bit & natural if pure else bit & mixed:
                        if pure or self._chosen_reads(hand, i):
                            out.append(i)
                    if bit & unequal and self._has_unequal and self._chosen_reads(hand, i | UNEQUAL):
                        out.append(i | UNEQUAL)
                at += 1
                if at == len(rows):
                    break
                groups, first, valid, index, _ = rows[at]
        return True

    def _chosen_reads(self, hand: int, action: int) -> bool:
        """Whether the cards chosen for a chain read as exactly it when its kind is named."""
        i = action & _ID
        code = self.read(self.cards(hand, action), 0, self._kinds["chain"])
        return code & _ID == i and (code >> 13 > 0) == (action >= UNEQUAL)

    def cards(self, hand: int, action: int) -> int:
        """The cards chosen from ``hand`` for an action of :meth:`plays`: fewest wild cards, x before X.

        With the flag ``UNEQUAL`` all natural cards of the chain's ranks, and wild cards only for what
        is missing. 0 for the pass.
        """
        i = action & _ID
        if not i:
            return 0
        t = self._t
        if i >= t.joker_first:
            jokers = hand >> 52
            for cards in self._joker_plays[i - t.joker_first][2]:
                if not ((jokers - cards) ^ jokers ^ cards) & 0x110:
                    return cards << 52
            return 0
        need = self._needs[i]
        mine = hand & self._windows[i]
        width = t.widths[i]
        if not ((mine - need) ^ mine ^ need) & _BORROW:
            return mine if action >= UNEQUAL else need
        chosen = 0
        missing = 0
        rank = t.starts[i]
        for _ in range(t.groups[i]):
            n = mine >> 4 * rank & 15
            if n < width:
                missing += width - n
            elif action < UNEQUAL:
                n = width
            chosen += n << 4 * rank
            rank = rank + 1 if rank < _RANKS - 1 else 0
        small = 0
        if t.wild_small:
            small = min(missing, hand >> 52 & 15)
        return chosen | small << 52 | (missing - small) << 56

    def code(self, hand: int, action: int) -> int:
        """The code of an action of :meth:`plays`: its cards read with its kind named."""
        i = action & _ID
        t = self._t
        cards = self.cards(hand, action)
        if i >= t.joker_first:
            return self._joker_codes[cards >> 52]
        wild = (cards >> 52 & 15) + (cards >> 56)
        if action < UNEQUAL:
            return i | wild << 10
        natural = cards & NATURAL
        size = ((natural & _PAIRS) + (natural >> 4 & _PAIRS)) % 255 + wild
        return i | wild << 10 | (size - t.groups[i] * t.widths[i]) << 13

    # -- auto-play --------------------------------------------------------------------------------

    def autoplay(self, hand: int, table: int = 0) -> int:
        """The auto-play choice (R8.2) as an action id; 0 for a pass.

        The choice is always a canonical play whose cards read as it unnamed: a set with more wild cards
        or more surplus than another of the same reading comes later in the order.
        """
        t = self._t
        if not table:
            natural = hand & NATURAL
            if natural:
                return self._group_families[0][1] + (((natural & -natural).bit_length() - 1) >> 2)
            return t.joker_first if hand >> 52 & 15 else t.joker_first + 1
        if not t.strengths[table & _ID]:
            i = self._lowest_natural(hand, table)
            if i:
                return i
        best = 0
        best_key: tuple[int, int, int, int, list[int]] | None = None
        for action in self.plays(hand, table):
            cards = self.cards(hand, action)
            code = self.read(cards, table)
            if code & _ID != action & _ID or (code >> 13 > 0) != (action >= UNEQUAL):
                continue  # unnamed, these cards are something else
            i = code & _ID
            strength = self.strength(code)
            total = t.groups[i] * t.widths[i] + (code >> 13)
            order = strength or t.starts[i] + 1
            sequence = [r for r in range(15) for _ in range(cards >> 4 * r & 15)]
            key = (t.stars[i], code >> 10 & 7, total, order, sequence)
            if best_key is None or key < best_key:
                best, best_key = action, key
        return best

    def _lowest_natural(self, hand: int, table: int) -> int:
        """The lowest play without wild cards on a table that is no bomb; 0 where there is none."""
        t = self._t
        j = table & _ID
        start, groups, width = t.starts[j], t.groups[j], t.widths[j]
        first = j - start
        if start < _RANKS:
            each = (hand & NATURAL) + _LESS[width] >> 3 & ONES
            if groups > 1:
                each &= _RUN
                fit = each
                for offset in range(1, groups):
                    fit &= each >> 4 * offset
                each = fit
            each = each >> 4 * (start + 1) << 4 * (start + 1)
            if each:
                return first + (((each & -each).bit_length() - 1) >> 2)
            if groups > 1 or width > 2:
                return 0
        elif groups > 1 or width > 2:
            return 0
        jokers = hand >> 52
        for i, rank, sets in self._joker_plays:
            if self._shapes[i] == self._shapes[j] and rank > start:
                cards = sets[0]
                if not ((jokers - cards) ^ jokers ^ cards) & 0x110:
                    return i
        return 0
