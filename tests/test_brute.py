"""The brute-force reader against the cases: the second opinion is itself examined."""

from __future__ import annotations

import json
import tomllib
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from tests import brute
from tests.brute import SHIPPED, R

HERE = Path(__file__).parent
VARIANTS = HERE.parent / "src" / "shuangkou" / "rules" / "variants"
OPS = ("read", "plays", "autoplay", "deal", "seats")
CACHES = {"shapes", "known", "listed", "chosen", "every"}


def cases(op: str) -> list[dict[str, Any]]:
    lines = (HERE / "cases" / f"{op}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def answer(ask: dict[str, Any]) -> dict[str, Any]:
    op = ask["op"]
    if op == "seats":
        return {"seats": brute.seats(ask["leader"], ask["twin"])}
    v = SHIPPED[ask["variant"]]
    if op == "deal":
        try:
            return brute.deal(v, ask["hands"], ask["leader"], ask["moves"])
        except brute.BadMoveError as bad:
            return {"error": {"code": bad.code, "move": bad.move}}
    table = brute.read(v, ask["table"]) if "table" in ask else None
    if op == "read":
        return {"reading": brute.read(v, ask["cards"], table, ask.get("as"))}
    if op == "plays":
        return {"plays": brute.plays(v, ask["hand"], table)}
    return {"play": brute.autoplay(v, ask["hand"], table)}


@pytest.mark.parametrize("op", OPS)
def test_sample_of_cases(op: str) -> None:
    for case in cases(op)[::7]:
        assert answer(case["ask"]) == case["want"], case["ask"]


@pytest.mark.slow
@pytest.mark.parametrize("op", OPS)
def test_all_cases(op: str) -> None:
    for case in cases(op):
        assert answer(case["ask"]) == case["want"], case["ask"]


def filled(base: dict[str, Any], own: dict[str, Any]) -> dict[str, Any]:
    """Tables filled up field by field; a table of stars is given whole."""
    both = dict(base)
    for key, value in own.items():
        fill = isinstance(value, dict) and isinstance(base.get(key), dict) and not any(k.isdigit() for k in value)
        both[key] = filled(base[key], value) if fill else value
    return both


def file_of(name: str) -> dict[str, Any]:
    with (VARIANTS / f"{name}.toml").open("rb") as file:
        found = tomllib.load(file)
    return filled(file_of(found["extends"]), found) if "extends" in found else found


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_files_say_what_the_rule_book_says(name: str) -> None:
    from_file = brute.from_fields(file_of(name))
    for f in fields(brute.BruteVariant):
        if f.name not in CACHES:
            assert getattr(from_file, f.name) == getattr(SHIPPED[name], f.name), f.name


def test_every_variant_has_a_hand_written_twin() -> None:
    assert {path.stem for path in VARIANTS.glob("*.toml")} == set(SHIPPED)


def lead(name: str, cards: str) -> R:
    found = brute.read_as(SHIPPED[name], cards, None)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("name", "cards", "kind", "top", "groups", "width"),
    [
        ("huopin", "7777X", "bomb", "7", 1, 5),  # R3.4, as the next three
        ("huopin", "45678X", "straight", "9", 6, 1),
        ("huopin", "77899X", "pair_run", "9", 3, 2),
        ("huopin", "7789XX", "pair_run", "9", 3, 2),
        ("huopin-duel", "5xxX", "bomb", "5", 1, 4),  # R3.3
        ("huopin-duel", "444455556666X", "chain", "6", 3, 4),  # R3.2
        ("huopin-duel", "44445555566666", "chain", "6", 3, 4),  # R4.5
        ("qianbian-duel", "KKKKAAAA2222", "chain", "2", 3, 4),  # R2.4
        ("qianbian-duel", "AAAA22223333", "chain", "3", 3, 4),
        ("classic", "xxXX", "jokers", "X", 1, 4),
    ],
)
def test_examples_of_the_rule_book(name: str, cards: str, kind: str, top: str, groups: int, width: int) -> None:
    assert lead(name, cards)[:4] == (kind, top, groups, width)


@pytest.mark.parametrize(
    ("name", "cards"),
    [
        ("huopin", "3344X"),  # R3.2
        ("huopin", "5xX"),  # R3.3
        ("huopin", "5xx"),
        ("huopin", "5xXX"),
        ("huopin", "A2345"),  # R2.2
        ("huopin", "333344"),
        ("huopin", "44445555"),  # R2.1
        ("huopin", "444455556666X"),  # R2.4
        ("classic", "xX"),  # R3.3
        ("classic", "xxX"),
        ("classic", "333344445555"),  # R2.4
        ("baibian", "333344445555666677778888"),
    ],
)
def test_nothing(name: str, cards: str) -> None:
    assert brute.read(SHIPPED[name], cards) is None


def test_circle() -> None:
    v = SHIPPED["qianbian-duel"]
    lowest_first = ["KA2", "A23", "234", "345", "JQK", "QKA"]  # R2.4
    chains = [lead("qianbian-duel", "".join(rank * 4 for rank in ranks)) for ranks in lowest_first]
    for i, a in enumerate(chains):
        for j, b in enumerate(chains):
            assert brute.beats(v, a, b) == (i > j)


def test_unequal_chains() -> None:
    v = SHIPPED["huopin-duel"]
    table = lead("huopin-duel", "44445555566666")  # R4.5
    assert brute.read(v, "77778888899999", table) is None
    assert brute.read(v, "777778888899999", table) is not None
    assert brute.read(v, "444455556666", table) is not None
    assert brute.read(v, "333344445555", table) is not None


def test_canonical() -> None:
    plays = brute.canonical(SHIPPED["huopin"], "4567X")
    sets = {(cards, reading.kind, reading.top) for cards, reading in plays}
    assert ("4567X", "straight", "8") in sets
    assert ("4567X", "straight", "7") not in sets  # it would be 3-7, but reads as 4-8
    assert ("X", "single", "X") in sets
    assert ("4X", "pair", "4") in sets
    assert not any(cards == "X" and top != "X" for cards, _, top in sets)


def test_canonical_unequal() -> None:
    plays = brute.canonical(SHIPPED["huopin-duel"], "444445555666x")
    chains = {cards for cards, reading in plays if reading.kind == "chain"}
    assert chains == {"44445555666x", "444445555666x"}


def test_perft_of_one_card_each() -> None:
    # 3 is led and its player is out: the other three pass or beat
    assert brute.perft(SHIPPED["huopin"], ["3", "44", "5", "66"], 0, 3) == [(1, 1), (2, 2), (4, 4)]
