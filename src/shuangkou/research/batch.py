"""Many deals of one variant at once, as arrays: choices, moves, features and points.

A :class:`Batch` holds the states of its deals as one array and hands it to the kernel, which lets other threads
run meanwhile. Nothing here knows a rule: choices and moves are the kernel's, places and points those of
:mod:`shuangkou.rules`. A batch sees all hands; what a player may see is :meth:`Batch.features`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np

from shuangkou.rules import Catalogue, Deal, PlayedBomb, SeedSource, Variant, seat_change, settle_duel, settle_points
from shuangkou.rules.cards import CARDS, MAX_CARDS, ONE, PACK, RANKS, size
from shuangkou.rules.combination import KINDS
from shuangkou.rules.deal import places
from shuangkou.rules.engine import FEATURES, STATE_WORDS

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Flags = NDArray[np.bool_]
    Integers = NDArray[np.int32]
    Bytes = NDArray[np.uint8]
    Words = NDArray[np.uint64]

_OTHERS: Final = ("next", "after_next", "third")
_TABLE: Final = ("top", "groups", "width", "size", "stars", "wild")

FEATURE_NAMES: Final = (
    *(f"own_{rank}" for rank in RANKS),
    *(f"unseen_{rank}" for rank in RANKS),
    *(f"left_{who}" for who in ("own", *_OTHERS)),
    *(f"table_{kind}" for kind in KINDS),
    *(f"table_{name}" for name in _TABLE),
    *(f"table_of_{who}" for who in _OTHERS),
    "passes_needed",
    "best_own_side",
    "best_other_side",
    "out",
    *(f"place_{who}" for who in _OTHERS),
)
"""What each of the ``FEATURES`` numbers of :meth:`Batch.features` is, by place."""

# words of a state (shuangkou.rules.kernel.Kernel.state)
_MOVER: Final = 5
_OUT: Final = 8
_BOMBS: Final = 10
_LOG: Final = 11
_OVER: Final = 15


class BatchError(Exception):
    """Arguments that do not fit a batch. ``code`` is stable."""

    code: Final = "bad_batch"


class Batch:
    """So many deals of one variant, played side by side.

    The deal at place i comes from ``SeedSource(f"{seed}/{i}")``, and those dealt there later from
    ``SeedSource(f"{seed}/{i}+1")``, ``f"{seed}/{i}+2"`` and so on. So what is dealt depends on the seed, the place and
    how many deals it had, not on the other deals; and batches of different seeds share no deal.

    Attributes:
        catalogue: the variant, compiled; ``catalogue.combinations`` says what an action id is.
        seed: what the deals come from.
        states: one row of ``STATE_WORDS`` words a deal, in the order of ``Kernel.state``. It may be written to, by
            whoever knows what a state is; a copy of some rows makes another batch.
        dealt: how many deals each place has had.
    """

    __slots__ = ("_room", "catalogue", "dealt", "seed", "states")

    def __init__(self, variant: Variant, states: Words, seed: str | int = 0) -> None:
        """A batch of given states; :meth:`shuffle` deals new ones.

        Raises:
            BatchError: ``states`` is no array of rows of words.
        """
        if states.dtype != np.uint64 or states.ndim != 2 or states.shape[1] != STATE_WORDS:
            raise BatchError(f"states are rows of {STATE_WORDS} words of 64 bits")
        self.catalogue = Catalogue.of(variant)
        self.seed = str(seed)
        self.states: Words = np.ascontiguousarray(states)
        self.dealt: Integers = np.ones(len(states), np.int32)
        self._room = 0

    @classmethod
    def shuffle(cls, variant: Variant, n: int, seed: str | int) -> Batch:
        """Deal ``n`` deals; see the class for the seeds.

        Raises:
            BatchError: fewer than one deal.
        """
        if n < 1:
            raise BatchError("a batch has at least one deal")
        batch = cls(variant, np.zeros((n, STATE_WORDS), np.uint64), seed)
        batch.states[:] = _shuffled(variant, [f"{batch.seed}/{i}" for i in range(n)])
        return batch

    def __len__(self) -> int:
        return len(self.states)

    def __repr__(self) -> str:
        return f"Batch({self.variant.id}: {len(self)} deals, {int(self.over.sum())} of them over)"

    @property
    def variant(self) -> Variant:
        return self.catalogue.variant

    @property
    def over(self) -> Flags:
        """Which deals are over."""
        over: Flags = self.states[:, _MOVER] == _OVER
        return over

    @property
    def to_move(self) -> Integers:
        """Whose turn it is, by seat; -1 where the deal is over."""
        mover = self.states[:, _MOVER].astype(np.int32)
        mover[mover == _OVER] = -1
        return mover

    def copy(self) -> Batch:
        """The same deals once more, to be played otherwise."""
        batch = Batch(self.variant, self.states.copy(), self.seed)
        batch.dealt = self.dealt.copy()
        return batch

    def legal(self) -> tuple[Integers, Integers]:
        """All choices, as ``ids`` and ``offsets``: those of deal i are ``ids[offsets[i]:offsets[i + 1]]``.

        Choices are canonical plays by action id; before them the pass, 0, where there is a table. A finished deal has
        none. The ids are stable under one ``ACTIONS_VERSION``.
        """
        offsets = np.empty(len(self) + 1, np.int32)
        ids = np.empty(self._room or 64 * len(self), np.int32)
        total = self.catalogue.kernel.batch_plays(self.states, ids, offsets)
        if total > len(ids):
            self._room = total + total // 4
            ids = np.empty(self._room, np.int32)
            self.catalogue.kernel.batch_plays(self.states, ids, offsets)
        return ids[:total], offsets

    def step(self, actions: ArrayLike, *, check: bool = True) -> None:
        """Make a move in every deal: an action id for each. What stands at a finished deal is ignored.

        Args:
            actions: as many whole numbers as deals.
            check: whether each must be one of :meth:`legal`. Without the check one that is not spoils its deal,
                or the program.

        Raises:
            BatchError: not as many numbers as deals, or one is no choice; then no deal has been changed.
        """
        wide = np.asarray(actions)
        if wide.shape != (len(self),) or wide.dtype.kind not in "iu":
            raise BatchError(f"{len(self)} whole numbers expected, one for each deal")
        narrow: Integers = np.ascontiguousarray(wide, np.int32)
        kernel = self.catalogue.kernel
        if check:
            bad = kernel.batch_refused(self.states, narrow)
            if bad < 0 and narrow.dtype != wide.dtype and not np.array_equal(narrow, wide):
                bad = int(np.argmax(narrow != wide))
            if bad >= 0:
                raise BatchError(f"deal {bad} has no choice {wide[bad]}")
        kernel.batch_step(self.states, narrow)

    def features(self) -> Bytes:
        """What the seat to move knows, a row of ``FEATURES`` bytes a deal; :data:`FEATURE_NAMES` says what each is.

        Its own hand and public facts only: no other hand is looked at but for its number of cards. Rows of finished
        deals are 0.
        """
        out = np.empty((len(self), FEATURES), np.uint8)
        self.catalogue.kernel.batch_features(self.states, out)
        return out

    def playouts(self, seed: int, weights: ArrayLike | None = None) -> int:
        """Play all deals to their end by chance; how many decisions that took.

        Args:
            seed: from 0 to 2**64 - 1. The choices of the deal at place i come from it and i.
            weights: how likely a choice is, by action id (an unequal chain's by that of its sister); 1024 numbers,
                none negative. Without them all choices of a decision are equally likely.

        Raises:
            BatchError: not such a seed, or not such weights.
        """
        if not 0 <= seed < 1 << 64:
            raise BatchError("a seed of playouts is a number from 0 to 2**64 - 1")
        if weights is None:
            return self.catalogue.kernel.playouts(self.states, seed)
        table = np.ascontiguousarray(weights, np.float64)
        if table.shape != (1024,) or not (np.isfinite(table) & (table >= 0)).all():
            raise BatchError("1024 weights expected, by action id, none negative")
        return self.catalogue.kernel.weighted_playouts(self.states, seed, table)

    def deal_out_again(self, mask: ArrayLike | None = None) -> None:
        """Deal anew where ``mask`` says so; without one, where deals are over. No deal depends on the one before it.

        Raises:
            BatchError: not as many truth values as deals.
        """
        chosen = self.over if mask is None else np.asarray(mask)
        if chosen.shape != (len(self),) or chosen.dtype != np.bool_:
            raise BatchError(f"{len(self)} truth values expected, one for each deal")
        seeds = [f"{self.seed}/{i}+{self.dealt[i]}" for i in np.flatnonzero(chosen)]
        if seeds:
            self.states[chosen] = _shuffled(self.variant, seeds)
            self.dealt[chosen] += 1

    def points(self, edition: str | None = None, stake: int = 1) -> NDArray[np.int64]:
        """What each finished deal brought, a row by seat; rows of other deals are 0.

        Four players: their points, with contributions (R6.1-R6.4). Two players: what they win and lose at a stake
        (R7.2-R7.8), by default counted in stakes.

        Args:
            edition: of a duel; the first that the variant has by default.
            stake: of a duel.

        Raises:
            SettlementError: the variant has no such edition.
        """
        points = np.zeros((len(self), self.variant.players), np.int64)
        for i in np.flatnonzero(self.over).tolist():
            state = self.states[i].tolist()
            hands = state[: self.variant.players]
            out = [state[_OUT] >> 4 * k & 15 for k in range(1, (state[_OUT] & 15) + 1)]
            order = places(self.variant, hands, out)
            # what a deal brings does not depend on when in it a bomb was played
            bombs = sorted(state[_LOG + k // 4] >> 16 * (k % 4) & _SEAT_AND_ID for k in range(state[_BOMBS]))
            points[i] = _points(self.catalogue, order, size(hands[order[-1]]), tuple(bombs), edition)
        return points if self.variant.duel is None else points * stake


_SEAT_AND_ID: Final = 0xFFF  # of an entry of the log of bombs


@lru_cache(maxsize=1 << 16)
def _points(
    catalogue: Catalogue, order: tuple[int, ...], left: int, entries: tuple[int, ...], edition: str | None
) -> tuple[int, ...]:
    """Points by seat, in a duel counted in stakes; ``left`` are the cards of the last in order."""
    variant = catalogue.variant
    bombs: list[tuple[int, PlayedBomb]] = []
    for entry in entries:
        c = catalogue.combination(entry & 1023)
        bombs.append((entry >> 10, PlayedBomb(c.kind, c.top, c.width, c.stars)))
    if variant.duel is None:
        return settle_points(variant, order, bombs).points
    chosen = variant.duel.editions[0].id if edition is None else edition
    needs = next((e.levels[0].needs for e in variant.duel.editions if e.id == chosen), 0)
    by_player = [[bomb for seat, bomb in bombs if seat == player] for player in range(2)]
    settled = settle_duel(variant, chosen, (needs, needs), order[0], left, by_player)
    assert settled.stake is not None
    return tuple(amount // settled.stake.stake for amount in settled.amounts)


# -- many shuffles at once ------------------------------------------------------------------------

_BLOCKS: Final = 6
"""Of a seed's stream so many blocks are looked at; a shuffle takes about 120 bytes, hardly ever more than 150."""

_DECK: Final = np.array(PACK, np.uint8)
_FACES: Final = np.array(CARDS, np.uint8)
_ONE_OF: Final = np.array([ONE[card.rank] for card in CARDS], np.uint64)
_SEATS: Final = np.array([[seat_change(leader, twin) for twin in range(4)] for leader in range(4)])


class _Streams:
    """The streams of :class:`~shuangkou.rules.deal.SeedSource` for many seeds, each read at its own pace."""

    def __init__(self, seeds: Sequence[str], blocks: int) -> None:
        text = b"".join(
            hashlib.sha256(seed.encode() + block.to_bytes(8, "big")).digest()
            for seed in seeds
            for block in range(blocks)
        )
        self._bytes = np.frombuffer(text, np.uint8).reshape(len(seeds), 32 * blocks)
        self._rows = np.arange(len(seeds))
        self._at = np.zeros(len(seeds), np.intp)
        self._last = 32 * blocks - 1

    def below(self, n: int) -> NDArray[np.intp]:
        """A number from each stream, as ``SeedSource.below(n)`` gives it; ``n`` is from 2 to 256."""
        limit = 256 // n * n
        numbers = self._bytes[self._rows, np.minimum(self._at, self._last)].astype(np.intp)
        self._at += 1
        again = np.flatnonzero(numbers >= limit)
        while again.size:
            numbers[again] = self._bytes[again, np.minimum(self._at[again], self._last)]
            self._at[again] += 1
            again = again[(numbers[again] >= limit) & (self._at[again] <= self._last)]
        return numbers % n

    def exhausted(self) -> Flags:
        """Which streams had too few bytes: their numbers are worth nothing."""
        return self._at > self._last


def _shuffled(variant: Variant, seeds: Sequence[str], blocks: int = _BLOCKS) -> Words:
    """The states of ``Deal.shuffle(variant, SeedSource(seed))`` for many seeds, a row each."""
    n = variant.players
    streams = _Streams(seeds, blocks)
    rows = np.arange(len(seeds))
    deck = np.repeat(_DECK[:, None], len(seeds), axis=1)
    for i in range(len(PACK) - 1, 0, -1):
        j = streams.below(i + 1)
        taken = deck[j, rows]
        deck[j, rows] = deck[i]
        deck[i] = taken
    hands = _ONE_OF[deck[: n * MAX_CARDS]].reshape(n, MAX_CARDS, len(seeds)).sum(axis=1, dtype=np.uint64)
    if variant.turned_up_card and n == 4:
        copies = deck == _FACES[streams.below(len(CARDS))]
        at = np.stack([copies.argmax(axis=0), len(PACK) - 1 - copies[::-1].argmax(axis=0)]) // MAX_CARDS
        marked = streams.below(2)
        leader, twin = at[marked, rows], at[1 - marked, rows]
        hands = hands[_SEATS[leader, twin].T, rows]
    elif variant.turned_up_card:
        leader = streams.below(n * MAX_CARDS) // MAX_CARDS
    else:
        leader = streams.below(n)
    states = np.zeros((len(seeds), STATE_WORDS), np.uint64)
    states[:, :n] = hands.T
    states[:, _MOVER] = leader
    for k in np.flatnonzero(streams.exhausted()).tolist():
        deal = Deal.shuffle(variant, SeedSource(seeds[k]))
        states[k] = Catalogue.of(variant).kernel.state(deal.hands, deal.leader)
    return states
