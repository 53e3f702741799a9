"""The action ids of every shipped variant, written down in ``tests/ids/<variant>.txt``, one a line with its name.

Weights of a trained bot and recorded actions are worth nothing once an id means another play: so a change of these
files is a change of what the ids mean, and needs another ``ACTIONS_VERSION`` (``shuangkou.rules.catalogue``).
``python -m tests.ids_update`` writes them anew.
"""

from __future__ import annotations

import sys
from pathlib import Path

from shuangkou.rules.catalogue import Catalogue, catalogue
from shuangkou.rules.engine import UNEQUAL
from shuangkou.rules.variant import load_variant, variant_ids

FOLDER = Path(__file__).parent / "ids"


def actions(cat: Catalogue) -> list[int]:
    """All ids, ascending: the pass, the combinations, the unequal chains."""
    plain = list(range(len(cat.combinations)))
    unequal = [i | UNEQUAL for i in plain[1:] if cat.combination(i).kind == "chain" and cat.variant.chain.unequal]
    return plain + unequal


def text(cat: Catalogue) -> str:
    return "".join(f"{i} {cat.action_text(i)}\n" for i in actions(cat))


def file(name: str) -> Path:
    return FOLDER / f"{name}.txt"


def main() -> int:
    FOLDER.mkdir(exist_ok=True)
    for name in variant_ids():
        new, path = text(catalogue(load_variant(name))), file(name)
        changed = not path.exists() or path.read_text(encoding="utf-8") != new
        path.write_text(new, encoding="utf-8")
        sys.stdout.write(f"{path.name}: {'changed' if changed else 'same'}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
