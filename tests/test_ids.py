"""Action ids mean today what they meant when ``ids/`` was written (see :mod:`tests.ids_update`)."""

from __future__ import annotations

from pathlib import Path

import pytest

from shuangkou.rules.catalogue import Catalogue
from shuangkou.rules.variant import load_variant, variant_ids
from tests import ids_update


@pytest.mark.parametrize("name", variant_ids())
def test_ids_are_stable(name: str) -> None:
    written = ids_update.file(name).read_text(encoding="utf-8").splitlines()
    now = ids_update.text(Catalogue.of(load_variant(name))).splitlines()
    assert now == written, "an id means another play: raise ACTIONS_VERSION, then python -m tests.ids_update"


def test_a_changed_id_needs_another_version(tmp_path: Path) -> None:
    path = tmp_path / "some.txt"
    assert ids_update.update(path, "version 1\n0 pass\n1 single 3 x1\n") == "written"
    assert ids_update.update(path, "version 1\n0 pass\n1 single 3 x1\n") == "same"
    assert ids_update.update(path, "version 1\n0 pass\n1 single 4 x1\n").startswith("NOT WRITTEN")
    assert path.read_text(encoding="utf-8").endswith("1 single 3 x1\n")
    assert ids_update.update(path, "version 2\n0 pass\n1 single 4 x1\n") == "written"


def test_every_file_is_of_a_shipped_variant() -> None:
    assert {path.stem for path in ids_update.FOLDER.glob("*.txt")} == set(variant_ids())
