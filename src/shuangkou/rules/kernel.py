# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""The hot loop: reading, listing and playing on packed counts and integer codes.

The file runs as it is, or compiled by the build (docs/architecture.md); both give the same answers.
Everything here works on integers: packed counts (four bits a rank), action ids, and *codes*.

    code = combination id | wild cards << 10 | surplus cards << 13

A code is a reading as an integer; the surplus is what an unequal chain has beyond its counted groups
(R4.5). Code 0 stands for no reading, and as a table for a lead. An action id is a combination id, 0 is
the pass; with the flag ``UNEQUAL`` it is the chain played with all natural cards of its ranks.

A hand gives one mask for each k: the ranks of which it holds at least k cards, one bit a rank, spaced
four bits apart as the counts are. A family of combinations (one kind, length and width) is then one
mask of the ranks it can start from, found by shifting the masks of missing cards under the window and
adding them up in bit planes, saturating above the number of wild cards. Counting the plays of a hand,
choosing the n-th and listing them are questions to these masks. The tables are compiled from the
variant by the catalogue; nothing here knows a variant's settings but through them.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from typing import Any, Final, NamedTuple

try:
    from shuangkou.rules import cython_shim as cython
except ModuleNotFoundError:  # never: this tells the compiler what the name means
    import cython  # type: ignore[no-redef]

COMPILED: Final = bool(cython.compiled)
"""Whether this is the compiled form of the file."""

UNEQUAL: Final = 1024
"""Flag of an action id: the chain with all natural cards of its ranks (R4.5)."""

STATE_WORDS: Final = 20
"""The length of a deal's state in 64-bit words; see :meth:`Kernel.state`."""

FEATURES: Final = 59
"""How many numbers :meth:`Kernel.batch_features` gives for a state."""

if not cython.compiled:  # kernel.pxd has them as constants of C
    _M64 = 0xFFFFFFFFFFFFFFFF
    _NATURAL = 0xFFFFFFFFFFFFF
    _ONES = 0x1111111111111
    _RUN = 0x111111111111
    _SPREAD = 0x1111111111111111
    _BORROW = 0x1111111111111110
    _PAIRS = 0x0F0F0F0F0F0F0F0F
    _BYTES = 0x0101010101010101
    _FULL = 0x228888888888888
    _GOLDEN = 0x9E3779B97F4A7C15
    _MIX = 0xBF58476D1CE4E5B9
    _MIX_AGAIN = 0x94D049BB133111EB
    # the words of a state after the four hands
    _TABLE = 4
    _MOVER = 5
    _TAKER = 6
    _WAIT = 7
    _OUT = 8
    _MOVES = 9
    _BOMBS = 10
    _LOG = 11
    _PLAYED = 18
    _WORDS = 20
    _OVER = 15
    # the places of the features
    _OWN = 0
    _UNSEEN = 15
    _LEFT = 30
    _KIND = 34
    _TOP = 43
    _GROUPS = 44
    _WIDTH = 45
    _SIZE = 46
    _STARS = 47
    _WILD = 48
    _WHOSE = 49
    _PASSES = 52
    _BEST = 53
    _GONE = 55
    _PLACES = 56
    _FEATURES = 59


class Tables(NamedTuple):
    """What the kernel needs to know of a variant, by combination id (entry 0 is the pass) and by family.

    ``kinds`` are small numbers; ``families`` are (groups, width, first id, number of starts, circle), those
    that are bombs with their ``strengths`` (even numbers; natural bombs one more where natural beats wild).
    Entries from ``joker_first`` on are the joker plays, each with the sets of jokers that make it.
    """

    players: int
    kinds: tuple[int, ...]
    starts: tuple[int, ...]
    groups: tuple[int, ...]
    widths: tuple[int, ...]
    stars: tuple[int, ...]
    strengths: tuple[int, ...]
    unequal_strengths: tuple[int, ...]
    last_ranks: tuple[int, ...]
    kind_places: tuple[int, ...]
    families: tuple[tuple[int, int, int, int, bool], ...]
    joker_first: int
    joker_sets: tuple[tuple[tuple[int, int], ...], ...]
    chain_kind: int
    wild_small: bool
    wild_big: bool
    max_width: int
    natural_first: bool


def pack_code(id_: int, wild: int, surplus: int) -> int:
    """The code of a reading."""
    return id_ | wild << 10 | surplus << 13


@cython.final
@cython.cclass
class Moves:
    """The plays of a hand on a table: entry j has the ids ``firsts[j] + s`` for every start s in ``masks[j]``.

    Scratch space, used again and again; one for each thread.
    """

    def __init__(self) -> None:
        self.firsts = array("i", bytes(4 * 160))
        self.masks = array("Q", bytes(8 * 160))
        self.have = array("Q", bytes(8 * 16))
        self.states = array("Q", bytes(8 * STATE_WORDS))
        self.weights = array("d", [0.0])
        self.listed = self.offsets = self.actions = array("i")
        self.features = array("B")
        self.size = 0

    def add(self, first: cython.int, mask: cython.ulonglong) -> cython.void:
        self.firsts[self.size] = first
        self.masks[self.size] = mask
        self.size += 1

    def count(self) -> cython.int:
        """How many plays there are."""
        total: cython.int = 0
        j: cython.int
        for j in range(self.size):
            total += _bits(self.masks[j])
        return total

    def nth(self, n: cython.int) -> cython.int:
        """The id of the n-th play; there must be more than ``n``."""
        j: cython.int
        k: cython.int
        mask: cython.ulonglong
        for j in range(self.size):
            mask = self.masks[j]
            k = _bits(mask)
            if n < k:
                while n:
                    mask &= mask - 1
                    n -= 1
                return self.firsts[j] + _lowest(mask)
            n -= k
        return 0

    def ids(self) -> list[int]:
        """All plays as ids, in the order of their families."""
        found: list[int] = []
        j: cython.int
        first: cython.int
        mask: cython.ulonglong
        if cython.compiled:
            for j in range(self.size):
                first = self.firsts[j]
                mask = self.masks[j]
                while mask:
                    found.append(first + _lowest(mask))
                    mask &= mask - 1
        else:
            for j in range(self.size):
                first = self.firsts[j]
                found += [first + s for s in _STARTS[self.masks[j]]]
        return found


class _Starts(dict):  # type: ignore[type-arg]
    """The starts of a mask, computed once a mask (at most 2**13 of them); for the uncompiled form."""

    def __missing__(self, mask: int) -> tuple[int, ...]:
        found = tuple(r for r in range(13) if mask >> 4 * r & 1)
        self[mask] = found
        return found


_STARTS = _Starts()


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def _bits(mask: cython.ulonglong) -> cython.int:
    """How many ranks are in a mask."""
    return cython.cast(cython.int, (mask * _SPREAD & _M64) >> 60)


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def _lowest(mask: cython.ulonglong) -> cython.int:
    """The lowest rank in a mask that is not empty."""
    return _bits((mask & ~mask + 1) - 1 & _SPREAD)


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def _size(counts: cython.ulonglong) -> cython.int:
    """How many cards there are."""
    pairs: cython.ulonglong = (counts & _PAIRS) + (counts >> 4 & _PAIRS)
    return cython.cast(cython.int, (pairs * _BYTES & _M64) >> 56)


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def _next_random(state: cython.ulonglong) -> cython.ulonglong:
    """SplitMix64's output for a state; the next state is the state plus the golden gamma."""
    z: cython.ulonglong = state
    z = (z ^ z >> 30) * _MIX & _M64
    z = (z ^ z >> 27) * _MIX_AGAIN & _M64
    return z ^ z >> 31


@cython.final
@cython.cclass
class Kernel:
    """The rules of one variant over integers. Made by the catalogue."""

    def __init__(self, tables: Tables) -> None:
        t = tables
        n = len(t.kinds)
        self.players = t.players
        self.joker_first = t.joker_first
        self.max_width = t.max_width
        self.chain_kind = t.chain_kind
        self.wild_small = t.wild_small
        self.wild_big = t.wild_big
        self.natural_first = t.natural_first
        self.has_unequal = any(t.unequal_strengths)
        self.kinds = array("i", t.kinds)
        self.starts = array("i", t.starts)
        self.groups = array("i", t.groups)
        self.widths = array("i", t.widths)
        self.stars = array("i", t.stars)
        self.strengths = array("i", t.strengths)
        self.unequal_strengths = array("i", t.unequal_strengths)
        self.shapes = array("i", bytes(4 * n))
        self.needs = array("Q", bytes(8 * n))
        self.windows = array("Q", bytes(8 * n))
        self.known = n
        self.free: list[Moves] = []
        shapes: dict[tuple[int, int, int], int] = {}
        for i in range(1, n):
            self.shapes[i] = shapes.setdefault((t.kinds[i], t.groups[i], t.widths[i]), len(shapes) + 1)
            if t.starts[i] < 13:
                need = window = 0
                for g in range(t.groups[i]):
                    shift = 4 * ((t.starts[i] + g) % 13)
                    need += t.widths[i] << shift
                    window |= 15 << shift
                self.needs[i] = need
                self.windows[i] = window
        self._joker_tables(t)
        self._row_tables(t)
        self._family_tables(t)

    def _joker_tables(self, t: Tables) -> None:
        """What jokers among themselves read as (R3.3), and the joker plays with the sets that make them."""
        sets = array("Q", bytes(8 * 2 * max(1, len(t.joker_sets))))
        codes = array("i", bytes(4 * 9))
        for j, options in enumerate(t.joker_sets):
            i = t.joker_first + j
            for k, (small, big) in enumerate(options):
                sets[2 * j + k] = small | big << 4
                wild = 1 if t.widths[i] == 2 and small == big else 0
                codes[3 * big + small] = pack_code(i, wild, 0)
        self.joker_plays = len(t.joker_sets)
        self.joker_sets = sets
        self.joker_codes = codes

    def _row_tables(self, t: Tables) -> None:
        """For every size and lowest natural rank what a set of cards may be, the best first."""
        most_wild = 2 * t.wild_small + 2 * t.wild_big
        rows: dict[int, list[tuple[tuple[int, int, int, int], int, int, int]]] = {}
        for i in range(1, t.joker_first):
            total = t.groups[i] * t.widths[i]
            ranks = sorted((t.starts[i] + g) % 13 for g in range(t.groups[i]))
            # wild cards are few: the lowest natural rank of a set that reads as i is one of these
            lows = [low for k, low in enumerate(ranks) if k * t.widths[i] <= most_wild]
            order = (t.strengths[i], t.kind_places[i], t.last_ranks[i], t.widths[i])
            for low in lows:
                rows.setdefault(13 * total + low, []).append((order, i, self.needs[i], 0))
            if t.unequal_strengths[i]:
                order = (t.unequal_strengths[i], -1, t.last_ranks[i], t.widths[i])
                for more in range(total + 1, min(27, t.groups[i] * t.max_width) + 1):
                    for low in lows:
                        rows.setdefault(13 * more + low, []).append((order, i, 0, 1))
        start = array("i", [0])
        ids, needs, loose = array("i"), array("Q"), array("i")
        for slot in range(28 * 13):
            for _, i, need, is_loose in sorted(rows.get(slot, ()), key=_first, reverse=True):
                ids.append(i)
                needs.append(need)
                loose.append(is_loose)
            start.append(len(ids))
        self.row_from, self.row_id, self.row_need, self.row_loose = start, ids, needs, loose

    def _family_tables(self, t: Tables) -> None:
        run_least, run_most = array("i", bytes(4 * 16)), array("i", bytes(4 * 16))
        chain_least, chain_most = array("i", bytes(4 * 16)), array("i", bytes(4 * 16))
        first_of = array("i", bytes(4 * 16 * 16))
        group_first = array("i", bytes(4 * 16))
        self.circle = 0
        for groups, width, first, _, circle in t.families:
            if groups == 1:
                group_first[width] = first
                continue
            least, most = (run_least, run_most) if width < 4 else (chain_least, chain_most)
            least[width] = min(least[width] or groups, groups)
            most[width] = max(most[width], groups)
            first_of[16 * width + groups] = first
            if circle:
                self.circle = 1
        self.run_least, self.run_most = run_least, run_most
        self.chain_least, self.chain_most = chain_least, chain_most
        self.family_first, self.group_first = first_of, group_first
        self.single_first = group_first[1]

    # -- comparing --------------------------------------------------------------------------------

    def _strength(self, code: cython.int) -> cython.int:
        i: cython.int = code & 1023
        s: cython.int
        if code >> 13:
            return self.unequal_strengths[i]
        s = self.strengths[i]
        if s and self.natural_first and not code >> 10 & 7:
            s += 1
        return s

    def strength(self, code: cython.int) -> int:
        """A bomb's place in the order of R4.4 and R4.5; 0 for a code that is no bomb."""
        return self._strength(self._checked(code))

    def beats(self, code: cython.int, table: cython.int) -> bool:
        """Whether ``code`` may be played on ``table`` (R4.1, R4.2, R4.4)."""
        i: cython.int = code & 1023
        j: cython.int = table & 1023
        s: cython.int
        self._checked(code)
        self._checked(table)
        if not table:
            return True
        s = self._strength(code)
        if s:
            return s > self._strength(table)
        return self.shapes[i] == self.shapes[j] and self.starts[i] > self.starts[j]

    # -- reading ----------------------------------------------------------------------------------

    def _wild(self, counts: cython.ulonglong) -> cython.int:
        small: cython.int = cython.cast(cython.int, counts >> 52 & 15)
        big: cython.int = cython.cast(cython.int, counts >> 56 & 15)
        if (small and not self.wild_small) or (big and not self.wild_big):
            return -1
        return small + big

    def wild_cards(self, counts: cython.ulonglong) -> int:
        """How many of the jokers in ``counts`` are wild (R3.1); -1 where one of them is not."""
        return self._wild(counts)

    def read(self, counts: cython.ulonglong, table: cython.int = 0, kind: cython.int = -1) -> int:
        """The code of the strongest reading (R3.4; on a table R3.5; of one kind R3.6); 0 where there is none.

        Args:
            counts: a set of at most 27 cards, not more copies than two packs hold.
            table: the code to beat; 0 for a lead.
            kind: a number of the variant's kinds, or -1 for any.
        """
        return self._read(counts, self._checked(table), kind)

    def _read(self, counts: cython.ulonglong, table: cython.int, kind: cython.int) -> cython.int:
        natural: cython.ulonglong = counts & _NATURAL
        need: cython.ulonglong
        wild: cython.int = 0
        code: cython.int
        size: cython.int
        slot: cython.int
        row: cython.int
        i: cython.int
        j: cython.int = table & 1023
        s: cython.int
        bar: cython.int = 0
        shape: cython.int = -1
        loose: cython.int
        if counts >> 52 and ((counts >> 52 & 15) > 2 or counts >> 56 > 2):
            return 0  # no such jokers: nothing to look up
        if not natural:
            code = self.joker_codes[cython.cast(cython.int, 3 * (counts >> 56) + (counts >> 52 & 15))]
            if not code or (kind >= 0 and self.kinds[code & 1023] != kind):
                return 0
            if table:
                s = self._strength(code)
                if s:
                    if s <= self._strength(table):
                        return 0
                elif self.shapes[code & 1023] != self.shapes[j] or self.starts[code & 1023] <= self.starts[j]:
                    return 0
            return code
        if counts >> 52:
            wild = self._wild(counts)
            if wild < 0:
                return 0
        size = _size(natural) + wild
        if size > 27:
            return 0
        if table:
            bar = self._strength(table)
            shape = 0 if bar else self.shapes[j]
        slot = 13 * size + _lowest_rank(natural)
        for row in range(self.row_from[slot], self.row_from[slot + 1]):
            i = self.row_id[row]
            loose = self.row_loose[row]
            if loose:
                if not self._fits_loosely(natural, i, wild, size):
                    continue
            else:
                need = self.row_need[row]
                if ((need - natural) ^ need ^ natural) & _BORROW:
                    continue
            if kind >= 0 and self.kinds[i] != kind:
                continue
            code = i | wild << 10
            if loose:
                code |= (size - self.groups[i] * self.widths[i]) << 13
            if table:
                if self.strengths[i]:
                    if self._strength(code) <= bar:
                        continue
                elif self.shapes[i] != shape or self.starts[i] <= self.starts[j]:
                    continue
            return code
        return 0

    def _fits_loosely(
        self, natural: cython.ulonglong, i: cython.int, wild: cython.int, size: cython.int
    ) -> cython.bint:
        """Whether the cards make chain ``i`` with surplus (R4.5): all in its ranks, no group short or too wide."""
        window: cython.ulonglong = self.windows[i]
        missing: cython.int = self.groups[i] * self.widths[i]
        k: cython.int
        if natural & ~window or size > self.groups[i] * self.max_width:
            return False
        if self.max_width < 8 and natural + (7 - self.max_width) * _ONES >> 3 & _ONES:
            return False
        for k in range(1, min(self.widths[i], 8) + 1):
            missing -= _bits(natural + (8 - k) * _ONES >> 3 & _ONES & window)
        return missing <= wild

    # -- plays ------------------------------------------------------------------------------------

    def plays(self, hand: cython.ulonglong, table: cython.int = 0) -> list[int]:
        """The action ids of all canonical plays of ``hand`` on ``table``, in the order of their families.

        A combination is canonical when the cards chosen for it (fewest wild cards, x before X) read as
        exactly it, unnamed or with its kind named. The pass is not listed.
        """
        m = self._borrow()
        self._collect(m, hand, self._checked(table))
        found = m.ids()
        self.free.append(m)
        return found

    def _borrow(self) -> Moves:
        """Scratch space that no other thread uses meanwhile; give it back to ``free``."""
        try:
            return self.free.pop()
        except IndexError:
            return Moves()

    def _checked(self, code: cython.int) -> cython.int:
        """A code or an action id whose combination exists.

        Raises:
            ValueError: it does not.
        """
        if code < 0 or code & 1023 >= self.known:
            raise ValueError(f"no combination has the id {code & 1023}")
        return code

    def _collect(self, m: Moves, hand: cython.ulonglong, table: cython.int) -> cython.void:
        """Fill ``m`` with the canonical plays of ``hand`` on ``table``."""
        natural: cython.ulonglong = hand & _NATURAL
        jokers: cython.ulonglong = hand >> 52
        wild: cython.int = 0
        bar: cython.int = 0
        k: cython.int
        m.size = 0
        if jokers:
            wild = cython.cast(cython.int, (jokers & 15) * self.wild_small + (jokers >> 4) * self.wild_big)
        if not table:
            for k in range(1, 4):
                m.have[k] = natural + (8 - k) * _ONES >> 3 & _ONES
            for k in range(1, 4):
                if m.have[k - wild if k > wild + 1 else 1]:
                    m.add(self.group_first[k], m.have[k - wild if k > wild + 1 else 1])
            for k in range(1, 4):
                if self.run_most[k]:
                    self._runs(m, wild, k, self.run_least[k], self.run_most[k], _ONES)
        else:
            bar = self._strength(table)
            if not bar:
                self._follow(m, natural, wild, table & 1023)
        k = 4 - wild if wild < 4 else 1
        if natural + (8 - k) * _ONES >> 3 & _ONES:
            for k in range(1, 9):
                m.have[k] = natural + (8 - k) * _ONES >> 3 & _ONES
            self._bombs(m, hand, wild, bar)
        if jokers:
            self._joker_choices(m, jokers, table, bar)

    def _follow(self, m: Moves, natural: cython.ulonglong, wild: cython.int, j: cython.int) -> cython.void:
        """The plays of the kind, length and width of combination ``j``, which is no bomb, that beat it."""
        start: cython.int = self.starts[j]
        width: cython.int = self.widths[j]
        k: cython.int
        above: cython.ulonglong
        if start >= 12:
            return
        above = _ONES >> 4 * (start + 1) << 4 * (start + 1)
        if self.groups[j] > 1:
            for k in range(1, 4):
                m.have[k] = natural + (8 - k) * _ONES >> 3 & _ONES
            self._runs(m, wild, width, self.groups[j], self.groups[j], above)
            return
        width = width - wild if width > wild + 1 else 1
        above &= natural + (8 - width) * _ONES >> 3
        if above:
            m.add(j - start, above)

    def _joker_choices(self, m: Moves, jokers: cython.ulonglong, table: cython.int, bar: cython.int) -> cython.void:
        """The plays of jokers among themselves."""
        k: cython.int
        i: cython.int
        j: cython.int = table & 1023
        least: cython.int = 0
        most: cython.int = 4
        if table:  # two singles, two pairs: only those of the table's width
            most = 0
            if not bar and self.groups[j] == 1 and self.widths[j] < 3:
                least = 2 * self.widths[j] - 2
                most = least + 2
        for k in range(least, most):
            i = self.joker_first + k
            if (not table or self.starts[i] > self.starts[j]) and self._jokers_make(jokers, k):
                m.add(i, 1)
        if (jokers & 15) + (jokers >> 4) > 2:
            for k in range(4, self.joker_plays):
                i = self.joker_first + k
                if self.strengths[i] + self.natural_first > bar and self._jokers_make(jokers, k):
                    m.add(i, 1)

    def _jokers_make(self, jokers: cython.ulonglong, k: cython.int) -> cython.bint:
        """Whether the jokers hold one of the sets that make the k-th joker play."""
        need: cython.ulonglong = self.joker_sets[2 * k]
        if not ((jokers - need) ^ jokers ^ need) & 0x110:
            return True
        need = self.joker_sets[2 * k + 1]
        return need != 0 and not ((jokers - need) ^ jokers ^ need) & 0x110

    def _runs(
        self,
        m: Moves,
        wild: cython.int,
        width: cython.int,
        least: cython.int,
        most: cython.int,
        above: cython.ulonglong,
    ) -> cython.void:
        """The runs of one width, from ``least`` to ``most`` ranks long, that start in ``above``."""
        each: cython.ulonglong = m.have[width] & _RUN
        one: cython.ulonglong
        fit: cython.ulonglong = each
        end: cython.ulonglong
        missing: cython.ulonglong
        short0: cython.ulonglong  # ranks that lack one card of the width, two, three
        short1: cython.ulonglong = 0
        short2: cython.ulonglong = 0
        over0: cython.ulonglong = 0
        over1: cython.ulonglong = 0
        over2: cython.ulonglong = 0
        over3: cython.ulonglong = 0
        over4: cython.ulonglong = 0
        first: cython.int = 16 * width
        offset: cython.int
        k: cython.int
        if not wild:
            for offset in range(1, most):
                fit &= each >> 4 * offset
                if not fit:
                    return
                if offset + 1 >= least and fit & above:
                    m.add(self.family_first[first + offset + 1], fit & above)
            return
        one = m.have[1] & _RUN
        short0 = _RUN & ~each
        if width > 1:
            short1 = _RUN & ~m.have[width - 1]
        if width > 2:
            short2 = _RUN & ~one
        for offset in range(most):
            for k in range(width):
                # windows with more than n cards missing, n = 0 to 4
                missing = (short0 if k == 0 else short1 if k == 1 else short2) >> 4 * offset
                if wild > 2:
                    over4 |= over3 & missing
                    over3 |= over2 & missing
                if wild > 1:
                    over2 |= over1 & missing
                over1 |= over0 & missing
                over0 |= missing
            if offset + 1 < least:
                continue
            fit = (_RUN >> 4 * offset) & ~(
                over1 if wild == 1 else over2 if wild == 2 else over3 if wild == 3 else over4
            )
            if not fit:
                return
            # the strongest reading of its cards: a wild card at the low end would stand at the high end
            end = cython.cast(cython.ulonglong, 1) << 4 * (11 - offset)
            fit &= (one | end) & above
            if fit & end and not one >> 4 * (11 - offset):
                fit &= ~end  # wild cards alone are no run
            if fit:
                m.add(self.family_first[first + offset + 1], fit)

    def _bombs(self, m: Moves, hand: cython.ulonglong, wild: cython.int, bar: cython.int) -> cython.void:
        """All bombs but those of jokers that are stronger than ``bar`` (0: all)."""
        width: cython.int
        most: cython.int
        s: cython.int
        first: cython.int
        mask: cython.ulonglong
        left: cython.ulonglong
        exact: cython.ulonglong
        bit: cython.ulonglong
        for width in range(4, self.max_width + 1):
            most = max(1, width - wild)
            if most > 8:
                break
            mask = m.have[most]
            if not mask:
                break
            first = self.group_first[width]
            if bar:
                exact = m.have[width] if self.natural_first and width < 9 else 0
                left = mask
                mask = 0
                while left:
                    bit = left & ~left + 1
                    s = self.strengths[first + _lowest(left)]
                    if exact & bit:
                        s += 1
                    if s > bar:
                        mask |= bit
                    left ^= bit
            if mask:
                m.add(first, mask)
        for width in range(4, self.max_width + 1):
            if not self.chain_most[width] or not self._chains(m, hand, wild, width, bar):
                break

    def _chains(
        self, m: Moves, hand: cython.ulonglong, wild: cython.int, width: cython.int, bar: cython.int
    ) -> cython.bint:
        """The chain bombs of one width; False where this hand makes none this wide or wider."""
        least: cython.int = self.chain_least[width]
        part: cython.int = width - wild
        offset: cython.int
        k: cython.int
        shift: cython.int
        first: cython.int
        fit: cython.ulonglong
        each: cython.ulonglong
        missing: cython.ulonglong
        ranks: cython.ulonglong = _ONES if self.circle else _RUN
        over0: cython.ulonglong = 0
        over1: cython.ulonglong = 0
        over2: cython.ulonglong = 0
        over3: cython.ulonglong = 0
        over4: cython.ulonglong = 0
        if part > 8:
            return False
        if part > 0:  # every group holds at least as many natural cards: most hands end here
            each = m.have[part] & ranks
            fit = each
            for offset in range(1, least):
                shift = 4 * offset
                if self.circle:
                    fit &= each >> shift | each << 52 - shift
                else:
                    fit &= each >> shift
            if not fit & _ONES:
                return False
        for offset in range(self.chain_most[width]):
            shift = 4 * offset
            for k in range(width, 0, -1):
                missing = ranks & ~m.have[k] if k < 9 else ranks
                if self.circle:
                    missing = (missing >> shift | missing << 52 - shift) & _ONES
                else:
                    missing >>= shift
                over4 |= over3 & missing
                over3 |= over2 & missing
                over2 |= over1 & missing
                over1 |= over0 & missing
                over0 |= missing
            if offset + 1 < least:
                continue
            fit = ranks if self.circle else ranks >> shift
            if wild == 0:
                fit &= ~over0
            elif wild == 1:
                fit &= ~over1
            elif wild == 2:
                fit &= ~over2
            elif wild == 3:
                fit &= ~over3
            else:
                fit &= ~over4
            if not fit:
                return offset + 1 > least
            first = self.family_first[16 * width + offset + 1]
            self._chain_choices(m, hand, fit, fit & ~over0, first, bar)
        return True

    def _chain_choices(
        self,
        m: Moves,
        hand: cython.ulonglong,
        fit: cython.ulonglong,
        exact: cython.ulonglong,
        first: cython.int,
        bar: cython.int,
    ) -> cython.void:
        """Of the chains that can be made, those that beat ``bar`` and are the strongest reading of their cards."""
        equal: cython.ulonglong = 0
        loose: cython.ulonglong = 0
        bit: cython.ulonglong
        i: cython.int
        s: cython.int
        while fit:
            bit = fit & ~fit + 1
            i = first + _lowest(fit)
            s = self.strengths[i]
            if bit & exact:
                if s + self.natural_first > bar:
                    equal |= bit
            elif s > bar and self._chosen_reads(hand, i):
                equal |= bit
            if self.has_unequal and self.unequal_strengths[i] > bar and self._chosen_reads(hand, i | 1024):
                loose |= bit
            fit ^= bit
        if equal:
            m.add(first, equal)
        if loose:
            m.add(first | 1024, loose)

    def _chosen_reads(self, hand: cython.ulonglong, action: cython.int) -> cython.bint:
        """Whether the cards chosen for a chain read as exactly it when its kind is named."""
        code: cython.int = self._read(self._cards(hand, action), 0, self.chain_kind)
        return code & 1023 == action & 1023 and (code >> 13 > 0) == (action >= 1024)

    def cards(self, hand: cython.ulonglong, action: cython.int) -> int:
        """The cards chosen from ``hand`` for an action of :meth:`plays`: fewest wild cards, x before X.

        With the flag ``UNEQUAL`` all natural cards of the chain's ranks, and wild cards only for what
        is missing. 0 for the pass.
        """
        return self._cards(hand, self._checked(action))

    def _cards(self, hand: cython.ulonglong, action: cython.int) -> cython.ulonglong:
        i: cython.int = action & 1023
        need: cython.ulonglong
        mine: cython.ulonglong
        chosen: cython.ulonglong
        wild: cython.ulonglong
        small: cython.ulonglong
        n: cython.int
        missing: cython.int
        width: cython.int
        rank: cython.int
        _: cython.int
        if i >= self.joker_first:
            mine = hand >> 52
            need = self.joker_sets[2 * (i - self.joker_first)]
            if ((mine - need) ^ mine ^ need) & 0x110:
                need = self.joker_sets[2 * (i - self.joker_first) + 1]
            return need << 52
        need = self.needs[i]
        mine = hand & self.windows[i]
        if not ((mine - need) ^ mine ^ need) & _BORROW:
            return mine if action >= 1024 else need
        width = self.widths[i]
        chosen = 0
        missing = 0
        rank = self.starts[i]
        for _ in range(self.groups[i]):
            n = cython.cast(cython.int, mine >> 4 * rank & 15)
            if n < width:
                missing += width - n
            elif action < 1024:
                n = width
            chosen += cython.cast(cython.ulonglong, n) << 4 * rank
            rank = rank + 1 if rank < 12 else 0
        small = 0
        wild = missing
        if self.wild_small:
            small = min(hand >> 52 & 15, wild)
        return chosen | small << 52 | wild - small << 56

    def code(self, hand: cython.ulonglong, action: cython.int) -> int:
        """The code of an action of :meth:`plays`: its cards read with its kind named."""
        return self._code(self._cards(hand, self._checked(action)), action)

    def _code(self, cards: cython.ulonglong, action: cython.int) -> cython.int:
        i: cython.int = action & 1023
        code: cython.int
        if i >= self.joker_first:
            return self.joker_codes[cython.cast(cython.int, 3 * (cards >> 56) + (cards >> 52 & 15))]
        code = i | cython.cast(cython.int, (cards >> 52 & 15) + (cards >> 56)) << 10
        if action >= 1024:
            code |= (_size(cards) - self.groups[i] * self.widths[i]) << 13
        return code

    # -- auto-play --------------------------------------------------------------------------------

    def autoplay(self, hand: cython.ulonglong, table: cython.int = 0) -> int:
        """The auto-play choice (R8.2) as an action id; 0 for a pass.

        The choice is always a canonical play whose cards read as it unnamed: a set with more wild cards
        or more surplus than another of the same reading comes later in the order.
        """
        m = self._borrow()
        found = self._autoplay(m, hand, self._checked(table))
        self.free.append(m)
        return found

    def _autoplay(self, m: Moves, hand: cython.ulonglong, table: cython.int) -> cython.int:
        i: cython.int
        j: cython.int
        action: cython.int
        best: cython.int = 0
        code: cython.int
        place: cython.int
        cards: cython.ulonglong
        best_cards: cython.ulonglong = 0
        key: cython.ulonglong
        best_key: cython.ulonglong = _M64
        mask: cython.ulonglong
        if not table:
            if hand & _NATURAL:
                return self.single_first + _lowest_rank(hand & _NATURAL)
            return self.joker_first if hand >> 52 & 15 else self.joker_first + 1
        if not self.strengths[table & 1023]:
            i = self._lowest_natural(hand, table & 1023)
            if i:
                return i
        self._collect(m, hand, table)
        for j in range(m.size):
            mask = m.masks[j]
            while mask:
                action = m.firsts[j] + _lowest(mask)
                mask &= mask - 1
                i = action & 1023
                cards = self._cards(hand, action)
                code = self._read(cards, table, -1)
                if code & 1023 != i or (code >> 13 > 0) != (action >= 1024):
                    continue  # unnamed, these cards are something else
                place = self._strength(code)
                if not place:
                    place = self.starts[i] + 1
                # stars, wild cards, cards, then weakest by R4
                key = self.stars[i]
                key = (key << 3 | (code >> 10 & 7)) << 5 | _size(cards)
                key = key << 16 | place
                if key < best_key or (key == best_key and _comes_before(cards, best_cards)):
                    best, best_key, best_cards = action, key, cards
        return best

    def _lowest_natural(self, hand: cython.ulonglong, j: cython.int) -> cython.int:
        """The lowest play without wild cards on combination ``j``, no bomb; 0 where there is none."""
        start: cython.int = self.starts[j]
        groups: cython.int = self.groups[j]
        width: cython.int = self.widths[j]
        offset: cython.int
        k: cython.int
        i: cython.int
        each: cython.ulonglong
        fit: cython.ulonglong
        need: cython.ulonglong
        jokers: cython.ulonglong = hand >> 52
        if start < 12:
            each = (hand & _NATURAL) + (8 - width) * _ONES >> 3 & _ONES
            if groups > 1:
                each &= _RUN
            fit = each
            for offset in range(1, groups):
                fit &= each >> 4 * offset
            fit = fit >> 4 * (start + 1) << 4 * (start + 1)
            if fit:
                return j - start + _lowest(fit)
        if groups == 1 and jokers and width < 3:
            for k in range(self.joker_plays):
                i = self.joker_first + k
                if self.shapes[i] == self.shapes[j] and self.starts[i] > start:
                    need = self.joker_sets[2 * k]
                    if not ((jokers - need) ^ jokers ^ need) & 0x110:
                        return i
        return 0

    # -- whole deals ------------------------------------------------------------------------------

    def state(self, hands: Iterable[int], leader: int) -> array[int]:
        """The state of a deal at its start, for :meth:`step` and :meth:`playouts`: 64-bit words.

        Words 0 to 3 are the hands as packed counts; 4 the code to beat (0: a lead); 5 the seat to move (15
        when the deal is over); 6 whose play the table is; 7 how many seats must still pass; 8 the seats that
        are out: their number in the lowest four bits, then four bits each; 9 the number of moves made; 10 the
        number of bombs played, and from 11 on four of them a word: id, seat << 10, wild cards << 12; 18 all
        cards played so far as packed counts. The last word is free.
        """
        words = array("Q", bytes(8 * STATE_WORDS))
        for seat, hand in enumerate(hands):
            words[seat] = hand
        words[_MOVER] = leader
        return words

    def step(self, states: Any, action: cython.int, at: cython.int = 0) -> None:
        """Make a move in place: an id of :meth:`plays` of the hand to move and its table, 0 to pass.

        ``at`` is the index of the state's first word, where ``states`` holds several. Nothing is checked.
        """
        m = self._borrow()
        m.states = _flat(states, "QL", 8)
        self._step(m, at, self._checked(action))
        self.free.append(m)

    def _step(self, m: Moves, at: cython.int, action: cython.int) -> cython.void:
        mover: cython.int = cython.cast(cython.int, m.states[at + _MOVER])
        seat: cython.int
        n: cython.int
        code: cython.int
        players: cython.int = self.players
        cards: cython.ulonglong
        m.states[at + _MOVES] += 1
        if not action:
            if m.states[at + _WAIT] > 1:
                m.states[at + _WAIT] -= 1
                seat = mover + 1 if mover + 1 < players else 0
                while not m.states[at + seat]:
                    seat = seat + 1 if seat + 1 < players else 0
                m.states[at + _MOVER] = seat
                return
            # all others have passed: the trick is taken; where its winner is out the partner leads (R5.2, R5.3)
            seat = cython.cast(cython.int, m.states[at + _TAKER])
            if not m.states[at + seat]:
                seat = (seat + 2) & 3
            m.states[at + _MOVER] = seat
            m.states[at + _TABLE] = 0
            m.states[at + _WAIT] = 0
            return
        cards = self._cards(m.states[at + mover], action)
        code = self._code(cards, action)
        m.states[at + mover] -= cards
        m.states[at + _PLAYED] += cards
        m.states[at + _TABLE] = code
        m.states[at + _TAKER] = mover
        if self.strengths[action & 1023]:
            n = cython.cast(cython.int, m.states[at + _BOMBS])
            m.states[at + _BOMBS] += 1
            m.states[at + _LOG + (n >> 2)] |= cython.cast(
                cython.ulonglong, (code & 1023) | mover << 10 | (code >> 10 & 7) << 12
            ) << 16 * (n & 3)
        if not m.states[at + mover]:
            n = cython.cast(cython.int, m.states[at + _OUT] & 15) + 1
            m.states[at + _OUT] = (m.states[at + _OUT] & ~cython.cast(cython.ulonglong, 15)) | n
            m.states[at + _OUT] |= cython.cast(cython.ulonglong, mover) << 4 * n
            # one of two is out; three of four; or both of a side (R5.4)
            if players == 2 or n == 3 or not m.states[at + ((mover + 2) & 3)]:
                m.states[at + _MOVER] = _OVER
                m.states[at + _WAIT] = 0
                return
        n = 0
        for seat in range(players):
            if seat != mover and m.states[at + seat]:
                n += 1
        m.states[at + _WAIT] = n
        seat = mover + 1 if mover + 1 < players else 0
        while not m.states[at + seat]:
            seat = seat + 1 if seat + 1 < players else 0
        m.states[at + _MOVER] = seat

    def count(self, states: Any, at: cython.int = 0) -> int:
        """How many choices the seat to move has: canonical plays, and the pass where there is a table."""
        m = self._borrow()
        m.states = _flat(states, "QL", 8)
        found = self._count(m, at)
        self.free.append(m)
        return found

    def _count(self, m: Moves, at: cython.int) -> cython.int:
        mover: cython.int = cython.cast(cython.int, m.states[at + _MOVER])
        if mover == _OVER:
            return 0
        self._collect(m, m.states[at + mover], cython.cast(cython.int, m.states[at + _TABLE]))
        return m.count() + (1 if m.states[at + _TABLE] else 0)

    def playouts(self, states: Any, seed: cython.ulonglong) -> int:
        """Play every state to its end in place, each choice equally likely; how many decisions that took.

        ``states`` is a buffer of any number of states one after another (see :meth:`state`). At each decision
        all canonical plays are enumerated, and the pass where there is a table. The k-th state's choices come
        from SplitMix64 seeded by ``seed`` and k. Other threads run meanwhile.
        """
        m = Moves()
        return self._playouts(m, _hold(m, states), seed, False)

    def weighted_playouts(self, states: Any, seed: cython.ulonglong, weights: Any) -> int:
        """As :meth:`playouts`, a choice being as likely as its weight: by id, the pass at 0, none negative.

        An unequal chain has the weight of its id. Where all weights are 0 the choices are equally likely.
        """
        m = Moves()
        m.weights = _flat(weights, "d", 8)
        return self._playouts(m, _hold(m, states), seed, True)

    def _playouts(self, m: Moves, n: cython.int, seed: cython.ulonglong, weighted: cython.bint) -> cython.longlong:
        total: cython.longlong = 0
        k: cython.int
        random: cython.ulonglong
        with cython.nogil:
            for k in range(n):
                random = _next_random(seed + k * _GOLDEN & _M64)
                total += self._playout(m, _WORDS * k, random, weighted)
        return total

    def _playout(self, m: Moves, at: cython.int, random: cython.ulonglong, weighted: cython.bint) -> cython.longlong:
        decisions: cython.longlong = 0
        n: cython.int
        choice: cython.int
        table: cython.int
        while cython.cast(cython.int, m.states[at + _MOVER]) != _OVER:
            table = cython.cast(cython.int, m.states[at + _TABLE])
            self._collect(m, m.states[at + cython.cast(cython.int, m.states[at + _MOVER])], table)
            decisions += 1
            choice = 0
            if weighted:
                random = random + _GOLDEN & _M64
                choice = self._weighted_choice(m, table, _next_random(random))
            else:
                n = m.count()
                if n:
                    if table:
                        n += 1
                    random = random + _GOLDEN & _M64
                    n = cython.cast(cython.int, (_next_random(random) >> 32) * n >> 32)
                    if table:
                        choice = m.nth(n - 1) if n else 0
                    else:
                        choice = m.nth(n)
            self._step(m, at, choice)
        return decisions

    def _weighted_choice(self, m: Moves, table: cython.int, random: cython.ulonglong) -> cython.int:
        """One of the plays of ``m`` (and the pass), as likely as its weight."""
        total: cython.double = m.weights[0] if table else 0.0
        target: cython.double
        mask: cython.ulonglong
        action: cython.int = 0
        j: cython.int
        for j in range(m.size):
            mask = m.masks[j]
            while mask:
                total += m.weights[(m.firsts[j] + _lowest(mask)) & 1023]
                mask &= mask - 1
        if total <= 0.0:
            j = m.count() + (1 if table else 0)
            j = cython.cast(cython.int, (random >> 32) * j >> 32)
            if table:
                return m.nth(j - 1) if j else 0
            return m.nth(j)
        target = cython.cast(cython.double, random >> 11) * (1.0 / 9007199254740992.0) * total
        if table:
            target -= m.weights[0]
            if target < 0.0:
                return 0
        for j in range(m.size):
            mask = m.masks[j]
            while mask:
                if m.weights[(m.firsts[j] + _lowest(mask)) & 1023] > 0.0:
                    action = m.firsts[j] + _lowest(mask)
                    target -= m.weights[action & 1023]
                    if target < 0.0:
                        return action
                mask &= mask - 1
        return action

    # -- many deals at once -----------------------------------------------------------------------
    # Buffers are array.array, NumPy arrays or the like, of any shape, C-contiguous. Other threads run meanwhile.

    def batch_plays(self, states: Any, ids: Any, offsets: Any) -> int:
        """List the choices of many states as action ids; how many there are in all.

        A state's choices are the pass (0) where there is a table, then the plays in the order of
        :meth:`plays`; a finished deal has none. Those of state k are ``ids[offsets[k]:offsets[k + 1]]``.

        Args:
            states: any number n of states one after another.
            ids: where to list them, 32-bit integers. Where it is too small, the states whose choices fit whole
                are listed, nothing else is written, and the answer tells the size that is needed.
            offsets: n + 1 32-bit integers to fill; they are right even where ``ids`` is too small.
        """
        m = Moves()
        n = _hold(m, states)
        m.listed = _flat(ids, "il", 4)
        m.offsets = _flat(offsets, "il", 4, n + 1)
        total = self._batch_plays(m, n)
        if total >> 31:
            raise OverflowError("more choices than 32-bit offsets can count: list fewer states at once")
        return total

    def _batch_plays(self, m: Moves, n: cython.int) -> cython.longlong:
        room: cython.longlong = len(m.listed)
        total: cython.longlong = 0
        more: cython.int
        k: cython.int
        m.offsets[0] = 0
        with cython.nogil:
            for k in range(n):
                more = self._count(m, _WORDS * k)
                if more and total + more <= room:
                    self._list(m, cython.cast(cython.int, total), m.states[_WORDS * k + _TABLE] != 0)
                total += more
                m.offsets[k + 1] = cython.cast(cython.int, min(total, 0x7FFFFFFF))
        return total

    def _list(self, m: Moves, to: cython.int, may_pass: cython.bint) -> cython.void:
        """Write the plays of ``m`` from place ``to`` on, the pass before them where there is one."""
        j: cython.int
        first: cython.int
        mask: cython.ulonglong
        if may_pass:
            m.listed[to] = 0
            to += 1
        for j in range(m.size):
            first = m.firsts[j]
            mask = m.masks[j]
            while mask:
                m.listed[to] = first + _lowest(mask)
                mask &= mask - 1
                to += 1

    def batch_refused(self, states: Any, actions: Any) -> int:
        """The first of many states whose action is none of its choices; -1 where there is no such state.

        Args:
            states: any number of states one after another.
            actions: an action id for each; those of finished deals may be anything.
        """
        m = Moves()
        n = _hold(m, states)
        m.actions = _flat(actions, "il", 4, n)
        return self._batch_refused(m, n)

    def _batch_refused(self, m: Moves, n: cython.int) -> cython.int:
        found: cython.int = -1
        k: cython.int
        with cython.nogil:
            for k in range(n):
                if not self._is_choice(m, _WORDS * k, m.actions[k]):
                    found = k
                    break
        return found

    def _is_choice(self, m: Moves, at: cython.int, action: cython.int) -> cython.bint:
        mover: cython.int = cython.cast(cython.int, m.states[at + _MOVER])
        table: cython.int = cython.cast(cython.int, m.states[at + _TABLE])
        j: cython.int
        if mover == _OVER:
            return True
        if not action:
            return table != 0
        self._collect(m, m.states[at + mover], table)
        for j in range(m.size):
            if 0 <= action - m.firsts[j] < 13 and m.masks[j] >> 4 * (action - m.firsts[j]) & 1:
                return True
        return False

    def batch_step(self, states: Any, actions: Any) -> None:
        """Make a move in each of many states, in place; finished deals stay as they are.

        Nothing is checked: what is none of a state's choices makes a state that is none
        (see :meth:`batch_refused`).

        Args:
            states: any number of states one after another.
            actions: an action id for each.
        """
        m = Moves()
        n = _hold(m, states)
        m.actions = _flat(actions, "il", 4, n)
        self._batch_step(m, n)

    def _batch_step(self, m: Moves, n: cython.int) -> cython.void:
        k: cython.int
        with cython.nogil:
            for k in range(n):
                if m.states[_WORDS * k + _MOVER] != _OVER:
                    self._step(m, _WORDS * k, m.actions[k])

    def batch_features(self, states: Any, out: Any) -> None:
        """Tell of many states what the seat to move knows: its own hand and the public facts (R5.7), in bytes.

        For each state there are ``FEATURES`` numbers; all are 0 where the deal is over.

        ====== =====================================================================================
        place  meaning
        ====== =====================================================================================
        0-14   the own cards of each rank, from 3 to X
        15-29  the cards of each rank that are neither played nor in the own hand; in a duel these are
               those of the opponent and the cards set aside
        30-33  cards left, by seat in turn order from the mover on; 0 for seats that do not exist
        34-42  the kind on the table, 1 at its place in the order of ``KINDS``; all 0 for a lead
        43     its top rank plus 1: 1 for a 3, 15 for X; 0 for a lead, like all places up to 51
        44-46  its groups, width and size
        47     its stars
        48     its wild cards that stand for other cards
        49-51  whose play it is, a 1: the next seat's, that after it, the third's
        52     how many seats, the mover included, must pass for the trick to be taken; 0 for a lead
        53-54  the most stars of a bomb played by the own side, by the other side
        55     how many are out
        56-58  places of the next seat, that after it, the third: 1 for the first out; 0 for not out
        ====== =====================================================================================

        Args:
            states: any number n of states one after another.
            out: n times ``FEATURES`` bytes to fill.
        """
        m = Moves()
        n = _hold(m, states)
        m.features = _flat(out, "B", 1, n * FEATURES)
        self._batch_features(m, n)

    def _batch_features(self, m: Moves, n: cython.int) -> cython.void:
        k: cython.int
        with cython.nogil:
            for k in range(n):
                self._features(m, _WORDS * k, _FEATURES * k)

    def _features(self, m: Moves, at: cython.int, to: cython.int) -> cython.void:
        mover: cython.int = cython.cast(cython.int, m.states[at + _MOVER])
        code: cython.int = cython.cast(cython.int, m.states[at + _TABLE])
        players: cython.int = self.players
        out: cython.ulonglong = m.states[at + _OUT]
        hand: cython.ulonglong
        unseen: cython.ulonglong
        seat: cython.int
        i: cython.int
        k: cython.int
        for k in range(_LEFT, _FEATURES):
            m.features[to + k] = 0
        if mover == _OVER:
            for k in range(_LEFT):
                m.features[to + k] = 0
            return
        hand = m.states[at + mover]
        unseen = _FULL - hand - m.states[at + _PLAYED]
        for k in range(15):
            m.features[to + _OWN + k] = hand >> 4 * k & 15
            m.features[to + _UNSEEN + k] = unseen >> 4 * k & 15
        seat = mover
        for k in range(players):
            m.features[to + _LEFT + k] = _size(m.states[at + seat])
            seat = seat + 1 if seat + 1 < players else 0
        if code:
            i = code & 1023
            k = self.starts[i] + self.groups[i]
            if self.starts[i] < 13 < k:  # past the 2, in a circle
                k -= 13
            m.features[to + _KIND + self.kinds[i]] = 1
            m.features[to + _TOP] = k
            m.features[to + _GROUPS] = self.groups[i]
            m.features[to + _WIDTH] = self.widths[i]
            m.features[to + _SIZE] = self.groups[i] * self.widths[i] + (code >> 13)
            m.features[to + _STARS] = self.stars[i]
            m.features[to + _WILD] = code >> 10 & 7
            k = cython.cast(cython.int, m.states[at + _TAKER]) - mover
            m.features[to + _WHOSE - 1 + (k if k > 0 else k + players)] = 1
            m.features[to + _PASSES] = m.states[at + _WAIT]
        for i in range(cython.cast(cython.int, m.states[at + _BOMBS])):
            k = cython.cast(cython.int, m.states[at + _LOG + (i >> 2)] >> 16 * (i & 3) & 0xFFFF)
            seat = _BEST + ((k >> 10 ^ mover) & 1)  # sides sit across
            m.features[to + seat] = max(m.features[to + seat], self.stars[k & 1023])
        m.features[to + _GONE] = out & 15
        for i in range(1, cython.cast(cython.int, out & 15) + 1):
            k = cython.cast(cython.int, out >> 4 * i & 15) - mover
            m.features[to + _PLACES - 1 + (k if k > 0 else k + players)] = i


def _flat(buffer: Any, formats: Any, size: int, least: int = 0) -> Any:
    """A buffer of any shape as one row of numbers of a size, whose elements are Python's own in the plain form.

    ``formats`` are the letters that the buffer may have for its elements; arrays have the first.

    Raises:
        ValueError: the buffer holds something else, is not C-contiguous or has fewer than ``least`` elements.
    """
    if type(buffer) is array and buffer.typecode == formats[0] and len(buffer) >= least:
        return buffer
    view = memoryview(buffer)
    if view.itemsize != size or view.format not in formats:
        raise ValueError(f"a buffer of {formats[0]!r} expected, not of {view.format!r}")
    if not view.c_contiguous:
        raise ValueError("a C-contiguous buffer expected")
    if view.nbytes < least * size:
        raise ValueError(f"a buffer of at least {least} elements expected, not of {view.nbytes // size}")
    if not view.nbytes:
        return array(formats[0])
    return view if view.ndim == 1 else view.cast("B").cast(formats[0])


def _hold(m: Moves, states: Any) -> int:
    """Let ``m`` work on a buffer of states; how many there are."""
    flat = _flat(states, "QL", 8)
    n, rest = divmod(len(flat), STATE_WORDS)
    if rest:
        raise ValueError(f"a state has {STATE_WORDS} words; {len(flat)} are not whole states")
    m.states = flat
    return n


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def _lowest_rank(natural: cython.ulonglong) -> cython.int:
    """The lowest rank of which there is a card."""
    return _lowest((natural | natural >> 1 | natural >> 2 | natural >> 3) & _ONES)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _comes_before(a: cython.ulonglong, b: cython.ulonglong) -> cython.bint:
    """Whether the cards ``a``, written low to high, come before ``b`` in sequence order; both have as many."""
    rank: cython.int
    n: cython.int
    k: cython.int
    for rank in range(15):
        n = cython.cast(cython.int, a >> 4 * rank & 15)
        k = cython.cast(cython.int, b >> 4 * rank & 15)
        if n != k:
            return n > k
    return False


def _first(entry: tuple[tuple[int, int, int, int], int, int, int]) -> tuple[int, int, int, int]:
    return entry[0]


if not cython.compiled:  # as plain Python these do the same with less work

    def _bits(mask: int) -> int:
        return mask.bit_count()

    def _lowest(mask: int) -> int:
        return (mask & -mask).bit_length() - 1 >> 2

    def _lowest_rank(natural: int) -> int:
        return (natural & -natural).bit_length() - 1 >> 2

    def _size(counts: int) -> int:
        return ((counts & _PAIRS) + (counts >> 4 & _PAIRS)) % 255
