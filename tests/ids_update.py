"""The action ids of every shipped variant, written down in ``tests/ids/<variant>.txt``, one a line with its name.

What is kept with ids in it is worth nothing once an id means another play. So a file may only change together with
``ACTIONS_VERSION`` (``shuangkou.rules.catalogue``), which stands on its first line. ``python -m tests.ids_update``
writes the files anew, and refuses where an id has changed and the version has not.
"""

from __future__ import annotations

import sys
from pathlib import Path

from shuangkou.rules.catalogue import ACTIONS_VERSION, Catalogue
from shuangkou.rules.engine import UNEQUAL
from shuangkou.rules.variant import load_variant, variant_ids

FOLDER = Path(__file__).parent / "ids"


def actions(cat: Catalogue) -> list[int]:
    """All ids, ascending: the pass, the combinations, the unequal chains."""
    plain = list(range(len(cat.combinations)))
    unequal = [i | UNEQUAL for i in plain[1:] if cat.combination(i).kind == "chain" and cat.variant.chain.unequal]
    return plain + unequal


def text(cat: Catalogue) -> str:
    lines = [f"version {ACTIONS_VERSION}", *(f"{i} {cat.action_text(i)}" for i in actions(cat))]
    return "\n".join(lines) + "\n"


def file(name: str) -> Path:
    return FOLDER / f"{name}.txt"


def update(path: Path, new: str) -> str:
    """Write a file anew where that may be done; what became of it."""
    old = path.read_text(encoding="utf-8") if path.exists() else ""
    if new == old:
        return "same"
    if new.partition("\n")[0] == old.partition("\n")[0]:
        return "NOT WRITTEN: an id means another play, so raise ACTIONS_VERSION first"
    path.write_text(new, encoding="utf-8")
    return "written"


def main() -> int:
    FOLDER.mkdir(exist_ok=True)
    refused = False
    for name in variant_ids():
        became = update(file(name), text(Catalogue.of(load_variant(name))))
        refused |= became.startswith("NOT")
        sys.stdout.write(f"{name}.txt: {became}\n")
    return int(refused)


if __name__ == "__main__":
    sys.exit(main())
