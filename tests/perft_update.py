"""Small deals with the number of ways to go on from them, counted by the brute-force reader.

A file ``tests/perft/<variant>-<n>.txt`` holds one deal, ``#`` comments on top::

    variant: huopin
    leader: 0
    hand: 3344X          one line a seat
    all: 12 40 130       ways to make 1, 2, 3 moves: every distinct set of cards, unnamed, and the pass
    canonical: 10 31 96  the same over canonical plays, whose reading goes to the table

``python -m tests.perft_update`` counts again and rewrites the last two lines of every file; as many depths as
stand there, three where none do.
"""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass
from pathlib import Path

from tests.brute import SHIPPED, perft

FOLDER = Path(__file__).parent / "perft"


@dataclass(frozen=True)
class Perft:
    """One file."""

    comment: str
    variant: str
    leader: int
    hands: tuple[str, ...]
    every: tuple[int, ...]
    canonical: tuple[int, ...]

    def text(self) -> str:
        lines = [self.comment, f"variant: {self.variant}", f"leader: {self.leader}"]
        lines += [f"hand: {hand}" for hand in self.hands]
        lines += ["all: " + " ".join(map(str, self.every)), "canonical: " + " ".join(map(str, self.canonical))]
        return "\n".join(lines) + "\n"


def read_file(path: Path) -> Perft:
    lines = path.read_text(encoding="utf-8").splitlines()
    pairs = [line.partition(":")[::2] for line in lines if line and not line.startswith("#")]
    given = {name: value.strip() for name, value in pairs}
    return Perft(
        comment="\n".join(line for line in lines if line.startswith("#")),
        variant=given["variant"],
        leader=int(given["leader"]),
        hands=tuple(value.strip() for name, value in pairs if name == "hand"),
        every=tuple(map(int, given.get("all", "").split())),
        canonical=tuple(map(int, given.get("canonical", "").split())),
    )


def files() -> list[Path]:
    return sorted(FOLDER.glob("*.txt"))


def counted(known: Perft, depth: int) -> Perft:
    """The same deal with its counts by the brute-force reader."""
    counts = perft(SHIPPED[known.variant], known.hands, known.leader, depth)
    every, canonical = zip(*counts, strict=True)
    return Perft(known.comment, known.variant, known.leader, known.hands, every, canonical)


def main() -> int:
    for path in files():
        known = read_file(path)
        begin = time.perf_counter()
        new = counted(known, len(known.every) or 3)
        changed = "changed" if (new.every, new.canonical) != (known.every, known.canonical) else "same"
        path.write_text(new.text(), encoding="utf-8")
        sys.stdout.write(f"{path.name}: {changed}, all {new.every}, canonical {new.canonical}, ")
        sys.stdout.write(f"{time.perf_counter() - begin:.1f} s\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
