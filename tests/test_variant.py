"""Variants as data: what a file may say, where its mistakes are, and that nothing is lost on the way."""

from __future__ import annotations

import ast
import copy
import pickle
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shuangkou.rules import variant as variant_module
from shuangkou.rules.errors import Mistake, UnknownVariant, VariantError
from shuangkou.rules.explain import COLUMNS, columns, explain_variant
from shuangkou.rules.toml import LONGEST, Value, format_value, lines, parse_value
from shuangkou.rules.variant import (
    Fact,
    Variant,
    differences,
    format_variant,
    leaves,
    load_variant,
    load_variant_file,
    parse_variant,
    variant_ids,
    with_settings,
)
from shuangkou.rules.words import LANGUAGES
from shuangkou.terminal.play import play
from shuangkou.terminal.simulate import simulate
from shuangkou.terminal.variants import app, find_variant, show, toml
from tests.strategies import given_fields, settable, values, variants

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src" / "shuangkou"
SHIPPED = SOURCE / "rules" / "variants"

HUOPIN = load_variant("huopin")
DUEL = load_variant("huopin-duel")
CIRCLE = load_variant("qianbian-duel")
CLASSIC = load_variant("classic")


def mistakes(text: str, source: str = "club.toml") -> list[Mistake]:
    """The mistakes of a text, none if it is right."""
    try:
        parse_variant(text, source)
    except VariantError as error:
        return list(error.mistakes)
    return []


def refused(base: Variant, **changes: Value) -> list[tuple[str, str]]:
    """The fields and messages of what is wrong with a changed variant; ``__`` stands for a dot."""
    try:
        with_settings(base, {name.replace("__", "."): value for name, value in changes.items()})
    except VariantError as error:
        return [(mistake.field, mistake.message) for mistake in error.mistakes]
    return []


# What is shipped


def test_the_shipped_variants() -> None:
    assert variant_ids() == ("baibian", "classic", "huopin", "huopin-duel", "qianbian-duel")
    for name in variant_ids():
        variant = load_variant(name)
        assert variant.id == name
        assert load_variant(name) is variant
        assert (variant.points is None) == (variant.players == 2)
        assert (variant.duel is None) == (variant.players == 4)


@pytest.mark.parametrize("id", ["", "Huopin", "../huopin", "huopin.toml", "x" * 1000])
def test_unknown_variants_are_named(id: str) -> None:
    with pytest.raises(UnknownVariant) as caught:
        load_variant(id)
    assert caught.value.code == "unknown_variant"
    assert caught.value.known == variant_ids()
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize("id", variant_ids())
def test_shipped_files_are_written_as_the_program_writes_them(id: str) -> None:
    text = (SHIPPED / f"{id}.toml").read_text("utf-8")
    if "extends" in tomllib.loads(text):
        assert len(text.splitlines()) < 30
    else:
        assert text == format_variant(load_variant(id))


def test_baibian_is_huopin_but_for_two_numbers() -> None:
    found = differences(load_variant("baibian"), HUOPIN)
    assert [item for item in found if not item[0].startswith(("id", "name", "about"))] == [
        ("chain.max_groups", 5),
        ("joker_bombs.four_stars", 8),
    ]


# Facts


def classes() -> list[type]:
    members = [member for member in vars(variant_module).values() if isinstance(member, type)]
    found = [m for m in members if is_dataclass(m) and m.__module__ == variant_module.__name__]
    assert len(found) > 15
    return found


def test_every_field_has_facts_in_both_languages() -> None:
    for owner in classes():
        for field in fields(owner):
            fact = field.metadata["fact"]
            assert isinstance(fact, Fact)
            assert fact.zh, (owner, field.name)
            assert fact.en, (owner, field.name)
            assert fact.zh != fact.en
            named = owner.__name__ in {"Name", "Variant"} and field.name in {"id", "name", "about", "zh", "en"}
            assert named or fact.clause.startswith("R"), (owner, field.name)


def test_every_number_is_bounded() -> None:
    for name, node in leaves():
        if node.kind in ("number", "row", "stars"):
            assert -(10**15) <= node.fact.low < node.fact.high <= 10**15, name


# Which values a field may have: an independent table. Numbers: (variant, from, to, more); choices: (variant, which)

NUMBERS: Final[dict[str, tuple[Variant, int, int, set[int]]]] = {
    "straight.min_ranks": (HUOPIN, 2, 12, set()),
    "straight.max_ranks": (HUOPIN, 5, 12, set()),
    "pair_run.min_ranks": (HUOPIN, 2, 12, set()),
    "pair_run.max_ranks": (HUOPIN, 3, 12, set()),
    "triple_run.min_ranks": (HUOPIN, 2, 9, set()),
    "triple_run.max_ranks": (HUOPIN, 3, 9, set()),
    "bomb.max_width": (HUOPIN, 4, 10, set()),
    "chain.min_groups": (HUOPIN, 3, 6, set()),
    "chain.max_groups": (HUOPIN, 3, 6, {0}),
    "joker_bombs.three_stars": (HUOPIN, 0, 20, set()),
    "joker_bombs.four_stars": (HUOPIN, 0, 20, set()),
    "points.multiplier": (HUOPIN, 1, 100, set()),
    "points.coins.coefficient": (HUOPIN, 1, 10**6, set()),
    "points.coins.fee": (HUOPIN, 0, 10**9, set()),
    "points.silver.coefficient": (HUOPIN, 1, 10**6, set()),
    "points.silver.fee": (HUOPIN, 0, 10**9, set()),
    "duel.results.single": (DUEL, 1, 12, set()),
    "duel.results.double": (DUEL, 7, 28, set()),
    "duel.factors.double": (DUEL, 0, 100, set()),
    "duel.factors.single": (DUEL, 0, 100, set()),
    "duel.factors.level": (DUEL, 0, 100, set()),
    "duel.step_stars": (DUEL, 1, 8, set()),
    "duel.editions.points.escape.factor": (DUEL, 0, 1000, set()),
    "duel.editions.points.escape.doubling_factor": (DUEL, 0, 100, set()),
    "duel.editions.points.escape.share_percent": (DUEL, 0, 100, set()),
    "duel.editions.coins.escape.factor": (DUEL, 0, 1000, set()),
    "duel.editions.coins.escape.doubling_factor": (DUEL, 0, 100, set()),
    "duel.editions.coins.escape.share_percent": (DUEL, 0, 100, set()),
}
CHOICES: Final[dict[str, tuple[Variant, tuple[Value, ...]]]] = {
    "players": (HUOPIN, (4,)),
    "turned_up_card": (HUOPIN, (True, False)),
    "places_after_double": (HUOPIN, ("turn_order", "fewer_cards")),
    "next_lead.double": (HUOPIN, ("random", "first_out")),
    "next_lead.single": (HUOPIN, ("random", "first_out")),
    "next_lead.level": (HUOPIN, ("random", "first_out")),
    "wild.jokers": (HUOPIN, ("big", "all")),  # a pair of x and X needs X wild
    "wild.mixed_pair": (HUOPIN, ("none", "small")),
    "chain.unequal": (HUOPIN, (True, False)),
    "chain.circle": (HUOPIN, (True, False)),
    "joker_bombs.three_place": (HUOPIN, ("lowest", "highest")),
    "joker_bombs.four_place": (HUOPIN, ("lowest", "highest")),
    "bomb_order.fewer_cards_first": (HUOPIN, (True, False)),
    "bomb_order.natural_first": (HUOPIN, (True, False)),
    "points.silver.contribution": (HUOPIN, (True, False)),
    "duel.contribution_counts": (DUEL, ("best", "each")),
    "duel.bombs_in_step": (DUEL, (True, False)),
    "duel.repeated_bombs": (DUEL, (True, False)),
    "duel.repeated_neighbours": (DUEL, (True, False)),
    "duel.editions.points.escape.only_if_played": (DUEL, (True, False)),
    "duel.editions.points.escape.at_least_lost_double": (DUEL, (True, False)),
    "duel.editions.coins.escape.only_if_played": (DUEL, (True, False)),
    "duel.editions.coins.escape.at_least_lost_double": (DUEL, (True, False)),
}
OFFERED: Final[tuple[Value, ...]] = (
    True, False, "none", "big", "small", "all", "random", "first_out", "lowest", "highest", "turn_order",
    "fewer_cards", "best", "each", 0, 1, 2, 3, 4, 8,
)  # fmt: skip
_KINDS: Final[list[Value]] = ["triple_run", "pair_run", "straight"]
_LEVEL: Final[dict[str, Value]] = {"level": 1, "needs": 0, "stake": 5}
_LINE: Final[dict[str, Value]] = {"width": 4, "count": 3, "stars": 5}
_LONG_TABLE: Final[dict[str, Value]] = {str(stars): stars for stars in range(1, 21)}
LINES: Final[dict[str, tuple[Variant, list[Any], list[Any]]]] = {
    "id": (HUOPIN, ["a", "club-2", "x" * 40], ["", "A", "a--b", "-a", "a_b", "2a", "a ", "俱乐部", "x" * 41]),
    "name.zh": (HUOPIN, ["俱", "a b", "字" * 200], ["", " a", "a ", "a\nb", "a\tb", "a\x1b[0m", "\u202ea", "字" * 201]),
    "name.en": (HUOPIN, ["C", '"\\'], ["", "\u2028", "x" * 201]),
    "about.zh": (HUOPIN, ["俱"], ["", "a\x00"]),
    "about.en": (HUOPIN, ["C"], ["", "a\r"]),
    "wild.kind_order": (
        HUOPIN,
        [_KINDS, _KINDS[::-1]],
        [[], _KINDS[:2], [*_KINDS, "straight"], ["pair_run"] * 3, ["pair_run", "straight", "bomb"], [*_KINDS[:2], 3]],
    ),
    "points.base.double": (
        HUOPIN,
        [[1000, -1000, 0, 1], [0, 0, 0, 0]],
        [[1, 2, 3], [1] * 5, [0, 0, 0, 1001], [0, 0, 0, -1001]],
    ),
    "points.base.single": (HUOPIN, [[5, 0, 0, 0]], [[True, 0, 0, 0], [0.5, 0, 0, 0], []]),
    "points.base.level": (HUOPIN, [[5, 0, 0, 0]], [["1", 0, 0, 0], [[1], 0, 0, 0], [10**30, 0, 0, 0]]),
    "points.base_money.double": (HUOPIN, [[9, -3, -3, -3]], [[4, 4, -4, -3], [1, 0, 0, 1]]),
    "points.base_money.single": (HUOPIN, [[0, 0, 0, 0]], [[1, 1, 1, 1]]),
    "points.base_money.level": (HUOPIN, [[1000, 0, 0, -1000]], [[1, 0, 0, 1]]),
    "points.doubling": (
        HUOPIN,
        [{}, {"1": 1}, {"20": 65536}, _LONG_TABLE],
        [{"0": 2}, {"21": 2}, {"05": 2}, {"+5": 2}, {"a": 1}, {"": 1}]
        + [{"5": 0}, {"5": 65537}, {"5": True}, {"6": 2, "5": 4}],
    ),
    "points.contribution": (
        HUOPIN,
        [{}, {"1": 0}, {"6": 65536}],
        [{"6": -1}, {"6": 65537}, {"6": "2"}, {"7": 1, "6": 1}],
    ),
    "duel.repeated": (
        DUEL,
        [[_LINE], [{**_LINE, "count": 6}], [{**_LINE, "width": 12, "count": 2}], [{**_LINE, "stars": 20}]],
        [
            [],  # with the switch on
            [3],
            [{**_LINE, "more": 1}],
            [{"width": 4, "count": 3}],
            [{**_LINE, "width": 3}],
            [{**_LINE, "width": 13}],
            [{**_LINE, "count": 1}],
            [{**_LINE, "count": 7}],
            [{**_LINE, "stars": 0}],
            [{**_LINE, "stars": 21}],
            [{**_LINE, "width": 5, "count": 6}],  # 30 cards
            [_LINE, _LINE],
            [{**_LINE, "count": 4}, _LINE],
        ],
    ),
    "duel.editions.points.levels": (
        DUEL,
        [[_LEVEL], [_LEVEL, {"level": 2, "needs": 10**15, "stake": 10**9}]],
        [
            [],
            [{**_LEVEL, "needs": 1}],  # everyone begins with 0 points
            [{**_LEVEL, "level": -1}],
            [{**_LEVEL, "level": 1001}],
            [{**_LEVEL, "stake": 0}],
            [{**_LEVEL, "stake": 10**9 + 1}],
            [_LEVEL, {"level": 1, "needs": 5, "stake": 5}],
            [_LEVEL, {"level": 2, "needs": 0, "stake": 5}],
            [_LEVEL, {"level": 2, "needs": 10**15 + 1, "stake": 5}],
            [{"level": n, "needs": n, "stake": 1} for n in range(101)],
        ],
    ),
    "duel.editions.coins.levels": (
        DUEL,
        [[_LEVEL], [{**_LEVEL, "needs": 100}]],
        [[{**_LEVEL, "needs": -1}], [_LEVEL, _LEVEL]],
    ),
    "duel.editions.points.doubling": (DUEL, [{}, {"5": 2}], [{"5": 0}, {"7": 2, "6": 2}]),
    "duel.editions.coins.doubling": (DUEL, [{}, {"5": 2}], [{"5": 0}, {"7": 2, "6": 2}]),
    "duel.editions.points.contribution": (DUEL, [{}, {"6": 0}], [{"6": -1}]),
    "duel.editions.coins.contribution": (DUEL, [{}, {"6": 0}], [{"6": -1}]),
}  # fmt: skip
WRONG_TYPES: Final[dict[str, tuple[Any, ...]]] = {
    "number": (True, False, 5.0, "5", [5], {"a": 5}, 10**30, -(10**30), [], {}, ""),
    "flag": (0, 1, "true", [], {}, 1.0),
    "choice": (True, 1.0, 3, 99, "", "None", [], {}, ["none"], "4"),
    "text": (True, 1, 1.0, [], {}, ["a"]),
    "order": (True, 1, "straight", {}, {"straight": 1}),
    "row": (True, 1, "1", {}, 1.0),
    "stars": (True, 1, "1", [], [[5, 2]]),
    "list": (True, 1, "1", {}),
}


def test_the_tables_name_every_field() -> None:
    every = {*settable(HUOPIN), *settable(DUEL)}
    assert {*NUMBERS, *CHOICES, *LINES} == every
    assert not (NUMBERS.keys() & CHOICES.keys()) | (NUMBERS.keys() & LINES.keys()) | (CHOICES.keys() & LINES.keys())


_LIMITED: Final = {
    "straight.min_ranks", "straight.max_ranks", "pair_run.min_ranks", "pair_run.max_ranks",
    "triple_run.min_ranks", "triple_run.max_ranks", "chain.min_groups", "chain.max_groups", "bomb.max_width",
    "wild.mixed_pair", "joker_bombs.four_place", "duel.results.single", "duel.results.double",
}  # fmt: skip


def commented(variant: Variant) -> dict[str, str]:
    """What the comments of a variant's text say of its fields."""
    found, table = {}, ""
    for line in format_variant(variant).splitlines():
        if header := re.match(r"\[(.*?)\]", line):
            table = header[1] + "."
        elif field := re.match(r"(\w+) = .*? # [R0-9., ]+: (.*)", line):
            found[table + field[1]] = field[2]
    return found


@pytest.mark.parametrize("id", variant_ids())
def test_comments_promise_what_is_allowed(id: str) -> None:
    """Of a field that others limit a comment says what it may be beside them, neither more nor less."""
    shipped = load_variant(id)
    places: dict[str, Value] = {"joker_bombs.three_place": "lowest", "joker_bombs.four_place": "highest"}
    fourth = with_settings(shipped, {**places, "joker_bombs.three_stars": 7, "joker_bombs.four_stars": 7})
    narrow = with_settings(shipped, {"straight.max_ranks": 6, "pair_run.max_ranks": 5, "triple_run.max_ranks": 4})
    for variant in (shipped, fourth, narrow):
        said = commented(variant)
        assert {name for name in _LIMITED if variant.duel or not name.startswith("duel")} <= said.keys()
        for name in _LIMITED & said.keys():
            if name in NUMBERS:
                low, high = map(int, re.findall(r"(\d+) to (\d+)$", said[name])[0])
                possible: dict[Value, bool] = {n: low <= n <= high for n in range(1, 30)}
            else:
                possible = {choice: f'"{choice}"' in said[name] for choice in CHOICES[name][1]}
            if name == "chain.max_groups":
                possible[0] = "0 or" in said[name]
            for value, promised in possible.items():
                assert (refused(variant, **{name: value}) == []) == promised, (name, value, said[name])


def test_a_list_has_all_its_mistakes_named() -> None:
    levels: list[Value] = [{"level": 1, "needs": needs, "stake": 5} for needs in (100, 50)]
    found = refused(DUEL, duel__editions__coins__levels=levels)
    assert [message for _, message in found] == [
        "ascending levels expected, not 1 after 1",
        "ascending needs expected, not 50 after 100",
    ]
    repeated: list[Value] = [{"width": width, "count": 7, "stars": 5} for width in (20, 13, 12)]
    found = refused(DUEL, duel__repeated=repeated)
    assert len(found) >= 3


def check_accepted(base: Variant, name: str, value: Value) -> None:
    changed = with_settings(base, {name: value})
    assert parse_variant(format_variant(changed)) == changed
    assert dict(differences(changed, base)) in ({}, {name: value})


def check_refused(base: Variant, name: str, value: Any) -> None:
    with pytest.raises(VariantError) as caught:
        with_settings(base, {name: value})
    assert caught.value.code == "bad_variant"
    for mistake in caught.value.mistakes:
        assert mistake.field == name or mistake.field.startswith((f"{name}.", f"{name}[")), mistake
        assert mistake.allowed or "unknown field" in mistake.message
        assert len(str(mistake)) < 300


@pytest.mark.parametrize("name", NUMBERS)
def test_numbers_within_their_bounds(name: str) -> None:
    base, low, high, more = NUMBERS[name]
    tried = range(low - 5, high + 6) if high < 50 else (low - 1, low, low + 1, high - 1, high, high + 1)
    for value in {*tried, *more, 0, 1, -1, 10**9 + 1, 10**15 + 1, 2**63, 10**30}:
        if low <= value <= high or value in more:
            check_accepted(base, name, value)
        else:
            with pytest.raises(VariantError):
                with_settings(base, {name: value})


@pytest.mark.parametrize("name", CHOICES)
def test_choices(name: str) -> None:
    base, allowed = CHOICES[name]
    for value in OFFERED:
        if any(type(value) is type(choice) and value == choice for choice in allowed):
            check_accepted(base, name, value)
        else:
            with pytest.raises(VariantError):
                with_settings(base, {name: value})


@pytest.mark.parametrize("name", LINES)
def test_texts_lists_and_tables(name: str) -> None:
    base, right, wrong = LINES[name]
    for value in right:
        check_accepted(base, name, value)
    for value in wrong:
        check_refused(base, name, value)


@pytest.mark.parametrize("base", [HUOPIN, DUEL], ids=["four", "two"])
def test_wrong_types_are_refused(base: Variant) -> None:
    for name, node, _ in given_fields(base):
        for value in WRONG_TYPES[node.kind]:
            check_refused(base, name, value)


def test_what_must_hold_between_fields() -> None:
    assert refused(HUOPIN, straight__min_ranks=9, straight__max_ranks=8) == [
        ("straight.min_ranks", "no more than 8, the most, expected, not 9")
    ]
    assert refused(HUOPIN, triple_run__max_ranks=10) == [
        ("triple_run.max_ranks", "2 to 9 expected, 27 cards at most, not 10")
    ]
    assert refused(HUOPIN, chain__min_groups=6, chain__max_groups=5) == [
        ("chain.min_groups", "no more than 5, the most, expected, not 6")
    ]
    assert not refused(HUOPIN, chain__min_groups=6, chain__max_groups=0)
    assert refused(CIRCLE, chain__max_groups=0) == [
        ("chain.circle", "false expected where chain.max_groups is 0, not true")
    ]
    assert refused(DUEL, chain__max_groups=0) == [
        ("chain.unequal", "false expected where chain.max_groups is 0, not true")
    ]
    assert refused(HUOPIN, wild__jokers="none") == [
        ("wild.mixed_pair", '"none" expected where wild.jokers is "none", not "small"')
    ]
    assert refused(HUOPIN, wild__mixed_pair="big") == [
        ("wild.mixed_pair", '"none" or "small" expected where wild.jokers is "big", not "big"')
    ]
    for jokers, most in (("none", 8), ("big", 10), ("all", 12)):
        changes: dict[str, Value] = {"wild__jokers": jokers, "wild__mixed_pair": "none"}
        for width in range(4, 13):
            wrong = refused(HUOPIN, bomb__max_width=width, **changes)
            assert [field for field, _ in wrong] == ["bomb.max_width"] * (width > most)
    assert refused(HUOPIN, joker_bombs__three_stars=7, joker_bombs__three_place="highest") == [
        ("joker_bombs.four_place", 'another place than three_place expected where both have 7 stars, not "highest"')
    ]
    assert not refused(HUOPIN, joker_bombs__three_stars=7)
    assert not refused(
        HUOPIN, joker_bombs__three_stars=0, joker_bombs__four_stars=0, joker_bombs__three_place="highest"
    )
    assert {(field, message.partition(";")[0]) for field, message in refused(HUOPIN, players=2)} == {
        ("duel", "missing"),
        ("points", "nothing expected where players is 2"),
    }
    assert not refused(DUEL, duel__repeated=[], duel__repeated_bombs=False)
    assert [field for field, _ in refused(DUEL, bomb__max_width=4)] == ["duel.repeated"]
    assert refused(DUEL, duel__results__single=13) == [
        ("duel.results.single", "no more than 12, the bound of a double, expected, not 13")
    ]


def test_points_and_duel_replace_each_other() -> None:
    two = dict(differences(DUEL, HUOPIN))
    assert "duel" in two
    assert with_settings(HUOPIN, two) == DUEL
    assert with_settings(DUEL, dict(differences(HUOPIN, DUEL))) == HUOPIN
    both: dict[str, Value] = {"players": 2, "duel": two["duel"], "points.multiplier": 2}
    with pytest.raises(VariantError, match="points: nothing expected where players is 2"):
        with_settings(with_settings(HUOPIN, {}), {**both, "points": dict(differences(HUOPIN, DUEL))["points"]})


# Mistakes and their lines

CLUB = '''\
# our own
schema = 2
id = "Club!"
name = { zh = "俱乐部", english = "Club" }
players = true

[next_lead]
double = "random"
single = """first_out
players = 4
"""
level = 'first_out'

[wild]
jokers = "big"
mixed_pair = "small"
kind_order = [
    "triple_run",  # ] not the end
    "pair_run",
    "straigth",
]

[straight]
min_ranks = 9
max_ranks = 8

[points.base]
double = [4, 4, -4, -4]
single = [
    2,
    -2,
    2.5,
    -2,
]

[pair_run]
min_ranks = 3
max_ranks = 1_000_000_000_000_000_000_000_000_000_000

[points]
multiplier = 0
doubling = { 5 = 2, 9 = 4, 7 = 8 }
contribution.6 = 2
"contribution"."twelve" = 4

[triple_run]

[bomb]
max_width = 0x09
max_widht = 9

[points.base.level]

[chain]
max_groups = "six"
"min_groups"=1
unequal = 1
circle = nan

[tail]
'''

_ORDER = '"triple_run", "pair_run" and "straight"'
CLUB_MISTAKES = [
    (1, "about", "missing; a table with zh and en expected"),
    (1, "turned_up_card", "missing; true or false expected"),
    (1, "places_after_double", 'missing; "turn_order" or "fewer_cards" expected'),
    (1, "joker_bombs", "missing; a table with three_stars, three_place, four_stars and four_place expected"),
    (1, "bomb_order", "missing; a table with fewer_cards_first and natural_first expected"),
    (2, "schema", "1 expected, not 2"),
    (3, "id", 'small letters, digits and single hyphens, 1 to 40 characters, expected, not "Club!"'),
    (4, "name.english", "unknown field"),
    (4, "name.en", "missing; one line of text, 1 to 200 characters, expected"),
    (5, "players", "2 or 4 expected, not true"),
    (9, "next_lead.single", '"random" or "first_out" expected, not "first_out\\nplayers = 4\\n"'),
    (
        17,
        "wild.kind_order",
        f'{_ORDER}, each once, in any order, expected, not ["triple_run", "pair_run", "straigth"]',
    ),
    (24, "straight.min_ranks", "no more than 8, the most, expected, not 9"),
    (32, "points.base.single[3]", "-1000 to 1000 expected, not 2.5"),
    (38, "pair_run.max_ranks", "2 to 12 expected, not a number of more than 20 digits"),
    (40, "points.base_money", "missing; a table with double, single and level expected"),
    (40, "points.coins", "missing; a table with coefficient and fee expected"),
    (40, "points.silver", "missing; a table with coefficient, fee and contribution expected"),
    (41, "points.multiplier", "1 to 100 expected, not 0"),
    (42, "points.doubling.7", "ascending stars expected, not 7 after 9"),
    (44, "points.contribution.twelve", "1 to 20 expected as the number of stars"),
    (46, "triple_run.min_ranks", "missing; 2 to 12 expected"),
    (46, "triple_run.max_ranks", "missing; 2 to 12 expected"),
    (50, "bomb.max_widht", "unknown field; did you mean max_width?"),
    (52, "points.base.level", "a list of 4 numbers from -1000 to 1000 expected, not a table"),
    (55, "chain.max_groups", '0 or 3 to 6 expected, not "six"'),
    (56, "chain.min_groups", "3 to 6 expected, not 1"),
    (57, "chain.unequal", "true or false expected, not 1"),
    (58, "chain.circle", "true or false expected, not nan"),
    (60, "tail", "unknown field"),
]  # fmt: skip


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_all_mistakes_at_once_where_they_are(ending: str, mark: str) -> None:
    text = mark + CLUB.replace("\n", ending)
    expected = CLUB_MISTAKES
    found = mistakes(text)
    assert [(m.line, m.field, m.message) for m in found if m.field != "next_lead.single"] == [
        item for item in expected if item[1] != "next_lead.single"
    ]
    with pytest.raises(VariantError) as caught:
        parse_variant(text, "club.toml")
    assert 'club.toml:55: chain.max_groups: 0 or 3 to 6 expected, not "six"' in str(caught.value).splitlines()
    assert len(str(caught.value).splitlines()) == len(expected)


@pytest.mark.parametrize("id", variant_ids())
def test_a_mistake_in_any_line_is_reported_with_that_line(id: str) -> None:
    whole = format_variant(load_variant(id)).splitlines()
    tried = 0
    for number, line in enumerate(whole, 1):
        key, equals, value = line.partition(" = ")
        if not equals or line.startswith(("#", "[")) or value.startswith("[  "):
            continue
        if line.startswith("    {"):
            changed = re.sub(r"(stake|stars) = \d+", r'\1 = "many"', line)
        else:
            changed = f'{key} = {{ "" = [] }}  # {value}'
        found = mistakes("\n".join([*whole[: number - 1], changed, *whole[number:]]))
        assert found, changed
        assert {mistake.line for mistake in found} == {number}, changed
        tried += 1
    assert tried >= 30


def test_where_fields_stray() -> None:
    base = format_variant(HUOPIN)
    found = mistakes(base + 'players = 4\nmax_width = 8\nthree_starz = 6\nzebra = 1\n"a b" = 1\n')
    assert [(m.field, m.message) for m in found] == [
        ("points.silver.players", "unknown field; it belongs at the top, before the first [table]"),
        ("points.silver.max_width", "unknown field; it belongs in [bomb]"),
        ("points.silver.three_starz", "unknown field"),
        ("points.silver.zebra", "unknown field"),
        ('points.silver."a b"', "unknown field"),
    ]
    assert [m.line for m in found] == [base.count("\n") + n for n in range(1, 6)]
    assert "multiplier" in found[0].allowed or "coefficient" in found[0].allowed


def test_many_unknown_fields_stay_readable() -> None:
    found = mistakes(format_variant(HUOPIN) + "".join(f"field{n} = 1\n" for n in range(2000)))
    assert len(found) == 51
    assert found[-1].message == "unknown field, as are 1949 more"


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("schema = 1\nplayers = = 4\n", 2, 11),
        ("schema = 1\nschema = 1\n", 2, 11),
        ("[wild]\n[wild]\n", 2, 6),
        ("a = '", 1, 6),
        ("a = 1\nb = [\n1,\n", 4, 1),
        ("a\n", 1, 2),
        ("a = 1979-13-99", 1, 9),
        ("a = " + "[" * 9000, None, None),
        ("a = " + "1" * 6000, None, None),
        ("a = \x00", 1, 5),
        ("a = 1\n" + "a." * 30000 + "a = 1", 2, None),
        ("# " + "x" * LONGEST, None, None),
    ],
)
def test_text_that_is_no_toml(text: str, line: int | None, column: int | None) -> None:
    (found,) = mistakes(text)
    assert (found.line, found.column) == (line, column)
    assert found.field == ""
    if column is not None:
        assert str(found).startswith(f"club.toml:{line}:{column}: not TOML: ")
    else:
        assert str(found).startswith("club.toml: " if line is None else f"club.toml:{line}: ")


def test_files(tmp_path: Path) -> None:
    file = tmp_path / "club.toml"
    file.write_bytes(b"\xef\xbb\xbf" + format_variant(HUOPIN).replace("\n", "\r\n").encode())
    assert load_variant_file(file) == load_variant_file(str(file)) == HUOPIN
    for name, data in (("none.toml", None), ("latin.toml", "名".encode("gbk")), ("long.toml", b"#" * 300000)):
        path = tmp_path / name
        if data is not None:
            path.write_bytes(data)
        with pytest.raises(VariantError) as caught:
            load_variant_file(path)
        assert str(caught.value).startswith(f"{path}: ")
    with pytest.raises(VariantError, match="cannot be read"):
        load_variant_file(tmp_path)


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_no_text_makes_anything_but_a_variant_or_mistakes(data: st.DataObject) -> None:
    text = format_variant(data.draw(st.sampled_from([HUOPIN, DUEL])))
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(text)))
        end = start + data.draw(st.integers(0, 40))
        put = data.draw(st.text("\n\"'[]{}=#.,\\ a5\u00e9\U0001f0a1", max_size=5))
        text = text[:start] + put + text[end:]
    for mistake in mistakes(text):
        assert mistake.message
        assert mistake.line is None or 1 <= mistake.line <= text.count("\n") + 1


# The lines of keys, against texts that were made together with their lines

_KEYS = st.sampled_from(["a", "b", "c", "d-1", "0", "k_9"])
_SCALARS = st.sampled_from(
    ["1", "-3.5e2", "true", '"x"', "'#'", '"a\\"]}#b"', '""', "1979-05-27 07:32:00Z", "inf", "0xff", '"\\\\"', "'\\'"]
)  # fmt: skip
_LONG = st.sampled_from(
    ['"""\n[a]\nb = 1\n"""', "'''one\n'two' ''\n'''", '"""x\\"" y"""', '"""ends ""quoted"""""', "''''a'''"]
)


class _Writer:
    """Makes a random text and remembers where everything was put."""

    def __init__(self, draw: Any) -> None:
        self.draw = draw
        self.text = ""
        self.at: dict[tuple[str | int, ...], int] = {(): 1}

    def put(self, text: str) -> None:
        self.text += text

    def line(self) -> int:
        return self.text.count("\n") + 1

    def mark(self, path: tuple[str | int, ...], line: int) -> None:
        while path not in self.at:
            self.at[path] = line
            path = path[:-1]

    def blank(self) -> None:
        self.put(self.draw(st.sampled_from(["", "", "\n", "  ", "\t", "# [x]\n", " # a = 1 ]\n\n"])))

    def key(self, key: str) -> None:
        form = self.draw(st.sampled_from(["{}", "{}", '"{}"', "'{}'"]))
        self.put(form.format(key))

    def keys(self, path: tuple[str, ...]) -> None:
        for number, key in enumerate(path):
            if number:
                self.put(self.draw(st.sampled_from([".", " . ", ". "])))
            self.key(key)

    def value(self, path: tuple[str | int, ...], depth: int, *, inline: bool = False) -> None:
        kinds = ["scalar", "scalar"] + ([] if inline else ["long"]) + (["list", "table"] if depth < 3 else [])
        kind = self.draw(st.sampled_from(kinds))
        if kind == "scalar":
            self.put(self.draw(_SCALARS))
        elif kind == "long":
            self.put(self.draw(_LONG))
        elif kind == "list":
            self.put("[")
            count = self.draw(st.integers(0, 3))
            for number in range(count):
                if not inline:
                    self.blank()
                self.mark((*path, number), self.line())
                self.value((*path, number), depth + 1, inline=inline)
                if not inline:
                    self.blank()
                more = number < count - 1 or (not inline and self.draw(st.integers(0, 1)))
                self.put("," if more else "")
            if not inline:
                self.blank()
            self.put("]")
        else:
            self.put("{ ")
            names = self.draw(st.lists(_KEYS, max_size=2, unique=True))
            for number, name in enumerate(names):
                self.put(", " if number else "")
                self.mark((*path, name), self.line())
                self.key(name)
                self.put(" = ")
                self.value((*path, name), depth + 1, inline=True)
            self.put(" }")

    def pairs(self, prefix: tuple[str | int, ...], used: set[str]) -> None:
        for _ in range(self.draw(st.integers(0, 3))):
            name = f"p{len(used)}"
            used.add(name)
            path = (name, *self.draw(st.lists(_KEYS, max_size=2)))
            self.blank()
            self.put(self.draw(st.sampled_from(["", " "])))
            self.mark((*prefix, *path), self.line())
            self.keys(path)
            self.put(self.draw(st.sampled_from(["=", " = ", "\t=  "])))
            self.value((*prefix, *path), 0)
            self.put(self.draw(st.sampled_from(["\n", " # note\n", "\n\n"])))


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_lines_of_keys(data: st.DataObject) -> None:
    writer = _Writer(data.draw)
    writer.pairs((), set())
    arrays: dict[str, int] = {}
    for number in range(data.draw(st.integers(0, 4))):
        writer.blank()
        writer.put("\n")
        line = writer.line()
        if data.draw(st.booleans()):
            name = data.draw(st.sampled_from(["list", "rows"]))
            arrays[name] = arrays.get(name, -1) + 1
            writer.put("[[ ")
            writer.keys((name,))
            writer.put(" ]]")
            prefix: tuple[str | int, ...] = (name, arrays[name])
        elif data.draw(st.booleans()) and arrays:
            name = data.draw(st.sampled_from(sorted(arrays)))
            inner = (name, f"inner{number}")
            writer.put("[")
            writer.keys(inner)
            writer.put("]")
            prefix = (name, arrays[name], inner[1])
        else:
            path = (f"table{number}", *data.draw(st.lists(_KEYS, max_size=2)))
            writer.put("[")
            writer.keys(path)
            writer.put("]")
            prefix = path
        writer.mark(prefix, line)
        writer.at[prefix] = line
        writer.put(data.draw(st.sampled_from(["\n", " # note\n"])))
        writer.pairs(prefix, set())
    try:
        tomllib.loads(writer.text)
    except tomllib.TOMLDecodeError as error:  # the writer makes only valid texts
        raise AssertionError(writer.text) from error
    assert lines(writer.text) == writer.at, writer.text


# Extending

SHORT = """\
schema = 1
extends = "huopin"
id = "club"
name.zh = "俱乐部"

[chain]
max_groups = 4

[points.doubling]
5 = 3
"""


def test_an_extending_file_gives_what_differs() -> None:
    club = parse_variant(SHORT)
    assert differences(club, HUOPIN) == [
        ("id", "club"),
        ("name.zh", "俱乐部"),
        ("chain.max_groups", 4),
        ("points.doubling", {"5": 3}),
    ]
    assert parse_variant(format_variant(club)) == club
    assert "extends" not in format_variant(club)


def test_an_extending_file_may_change_the_number_of_players() -> None:
    duel = {"duel": dict(differences(DUEL, HUOPIN))["duel"]}
    text = f'schema = 1\nextends = "huopin"\nid = "two"\nplayers = 2\nduel = {format_value(duel["duel"])}\n'
    assert dict(differences(parse_variant(text), HUOPIN)) == {"id": "two", "players": 2, **duel}
    (missing, given) = mistakes('schema = 1\nextends = "huopin"\nid = "two"\nplayers = 2\n')
    assert {(missing.field, missing.line), (given.field, given.line)} == {("duel", 1), ("points", 4)}


def test_an_extending_file_may_add_an_edition() -> None:
    levels = "levels = [{ level = 1, needs = 0, stake = 5 }]\ndoubling = {}\ncontribution = {}\n"
    head = 'schema = 1\nextends = "qianbian-duel"\nid = "two"\n[duel.editions.silver]\n'
    (missing,) = mistakes(head + levels)
    assert (missing.line, missing.field) == (4, "duel.editions.silver.escape")
    escape = (
        "[duel.editions.silver.escape]\nfactor = 1\ndoubling_factor = 1\nonly_if_played = true\n"
        "share_percent = 0\nat_least_lost_double = true\n"
    )
    extended = parse_variant(head + levels + escape)
    assert extended.duel is not None
    assert [edition.id for edition in extended.duel.editions] == ["coins", "silver"]
    assert with_settings(CIRCLE, dict(differences(extended, CIRCLE))) == extended
    assert with_settings(extended, dict(differences(CIRCLE, extended))) == CIRCLE


def test_mistakes_of_an_extending_file() -> None:
    text = 'schema = 1\nextends = "nope"\nplayer = 4\n[chain]\nmax_groups = 9\n'
    assert [(m.line, m.field) for m in mistakes(text)] == [(2, "extends"), (3, "player"), (5, "chain.max_groups")]
    assert '"huopin"' in mistakes(text)[0].allowed
    assert [m.field for m in mistakes('extends = ["huopin"]\nid = "a"\nschema = 1\n')] == ["extends"]
    (found,) = mistakes('schema = 1\nextends = "huopin"\nid = "club"\n[chain]\n# few\nmin_groups = 5\nmax_groups = 4\n')
    assert (found.line, found.field) == (6, "chain.min_groups")
    (found,) = mistakes('schema = 1\nextends = "huopin"\nid = "club"\n[chain]\nmax_groups = 0\ncircle = true\n')
    assert (found.line, found.field) == (6, "chain.circle")
    (found,) = mistakes('schema = 1\nextends = "qianbian-duel"\nid = "club"\n\n[chain]\nmax_groups = 0\n')
    assert (found.line, found.field) == (6, "chain.circle")  # which the file does not give: the line that it comes from
    assert [(m.line, m.field) for m in mistakes('extends = "huopin"')] == [(1, "schema"), (1, "id")]
    assert [m.field for m in mistakes('schema = 1\nextends = "huopin"\nid = "a"\nchain = 3')] == ["chain"]


# Round trips


@settings(max_examples=40, deadline=None)
@given(variants(), st.sampled_from(LANGUAGES))
def test_text_and_back(variant: Variant, lang: Any) -> None:
    text = format_variant(variant, lang)
    again = parse_variant(text)
    assert again == variant
    assert hash(again) == hash(variant)
    assert format_variant(again, lang) == text
    for line in text.splitlines():
        assert columns(line) <= 120 or line.startswith(("zh =", "en =", "#"))


@settings(max_examples=40, deadline=None)
@given(variants(), variants())
def test_differences_and_back(variant: Variant, other: Variant) -> None:
    found = differences(variant, other)
    assert len({name for name, _ in found}) == len(found)
    read = {name: parse_value(format_value(value)) for name, value in found}
    assert read == dict(found)
    assert with_settings(other, read) == variant
    assert bool(found) == (variant != other)


def test_settings_that_cannot_be() -> None:
    wrong: list[tuple[str, Value]] = [
        ("", 1),
        ("chain", 4),
        ("chain.", 4),
        ("chain.max_groups.x", 4),
        ("chain..max_groups", 4),
        ("points.doubling.5", 4),
        ("duel.factors.double", 4),
        ("editions", {}),
        ("schema", 1),
        ("extends", "huopin"),
        ("x" * 10000, 1),
    ]
    for name, value in wrong:
        with pytest.raises(VariantError) as caught:
            with_settings(HUOPIN, {name: value}, "record.txt")
        assert str(caught.value).startswith("record.txt: ")
        assert len(str(caught.value)) < 800, name
    with pytest.raises(VariantError) as caught:
        with_settings(HUOPIN, {"chain.max_groups": 7, "bomb.max_width": 3, "bomb.wide": 3})
    assert {mistake.field for mistake in caught.value.mistakes} == {"chain.max_groups", "bomb.max_width", '"bomb.wide"'}


@pytest.mark.parametrize("text", ["", "1\n2", "1\na = 2", "1 2", "[1", "{ a = 1", '"\n"', "1\n[t]", "'''\n'''"])
def test_what_is_not_one_value(text: str) -> None:
    with pytest.raises(VariantError):
        parse_value(text)


_PLAIN = st.recursive(
    st.one_of(st.booleans(), st.integers(-(2**63), 2**63), st.text(st.characters(codec="utf-8"))),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.text(st.characters(codec="utf-8")), inner, max_size=3)
    ),
    max_leaves=8,
)


@settings(max_examples=100, deadline=None)
@given(_PLAIN)
def test_values_and_back(value: Any) -> None:
    text = format_value(value)
    assert "\n" not in text
    assert parse_value(text) == value


def test_variants_are_values() -> None:
    variant = parse_variant(format_variant(DUEL))
    assert variant is not DUEL
    assert variant == DUEL
    assert hash(variant) == hash(variant) == hash(DUEL)
    for again in (pickle.loads(pickle.dumps(variant)), copy.deepcopy(variant), copy.copy(variant)):
        assert again == DUEL
        assert hash(again) == hash(DUEL)
    state = pickle.dumps(variant)
    assert str(hash(variant)).encode() not in state, "a kept hash is worth nothing in another process"
    with pytest.raises(AttributeError):
        variant.id = "other"  # type: ignore[misc]


# In words


def changed(base: Variant, name: str) -> Variant:
    """``base`` with another value of a field, and what that needs."""
    more: dict[str, dict[str, Value]] = {
        "players": {"duel": dict(differences(DUEL, HUOPIN))["duel"]},
        "wild.jokers": {"wild.mixed_pair": "none"},
        "duel.repeated_bombs": {},
    }
    other: dict[str, Value] = {"players": 2, "wild.jokers": "all", "wild.mixed_pair": "none", "duel.repeated": [_LINE]}
    node = {name: node for name, node, _ in given_fields(base)}[name]
    now = {n: v for n, _, v in given_fields(base)}[name]
    if name in other:
        value = other[name]
    elif node.kind == "flag":
        value = not now
    elif node.kind == "number":
        value = now + 1 if name.endswith(("min_ranks", "min_groups", "coefficient", "fee", "stars")) else now - 1
        value = value if value != node.fact.low - 1 else now + 1
    elif node.kind == "choice":
        value = next(choice for choice in node.choices if choice != now)
    elif node.kind == "order":
        value = now[::-1]
    elif node.kind == "row":
        value = [n + d for n, d in zip(now, (1, -1, 0, 0), strict=True)]
    elif node.kind == "stars":
        value = {**now, "13": 200}
    elif node.kind == "list":
        value = now[:-1]
    else:
        value = "other"
    result = with_settings(base, {name: value, **more.get(name, {})})
    assert result != base
    return result


def explained() -> list[tuple[Variant, str]]:
    """Every field, with a variant that it matters in."""
    fixed = {"next_lead.double", "next_lead.single", "next_lead.level"}
    found = [(CLASSIC if name in fixed else HUOPIN, name) for name in settable(HUOPIN) if name != "id"]
    return found + [(DUEL, name) for name in settable(DUEL) if name.startswith("duel.")]


@pytest.mark.parametrize(("base", "name"), explained(), ids=lambda value: value if isinstance(value, str) else value.id)
def test_every_field_is_explained_in_both_languages(base: Variant, name: str) -> None:
    other = changed(base, name)
    for lang in LANGUAGES:
        if name in {"about.zh", "about.en"} and not name.endswith(lang):
            continue  # a sentence in one language
        assert explain_variant(other, lang) != explain_variant(base, lang), name


@pytest.mark.parametrize("column", ["level", "needs", "stake"])
def test_every_column_of_the_stakes_is_explained(column: str) -> None:
    assert DUEL.duel is not None
    for edition in DUEL.duel.editions:
        name = f"duel.editions.{edition.id}.levels"
        rows: Any = {n: v for n, _, v in given_fields(DUEL)}[name]
        other = with_settings(DUEL, {name: [*rows[:-1], {**rows[-1], column: rows[-1][column] + 1}]})
        for lang in LANGUAGES:
            assert explain_variant(other, lang) != explain_variant(DUEL, lang)


@pytest.mark.parametrize("column", ["width", "count", "stars"])
def test_every_column_of_the_repeated_bombs_is_explained(column: str) -> None:
    rows: Any = {n: v for n, _, v in given_fields(DUEL)}["duel.repeated"]
    other = with_settings(DUEL, {"duel.repeated": [*rows[:-1], {**rows[-1], column: rows[-1][column] + 1}]})
    for lang in LANGUAGES:
        assert explain_variant(other, lang) != explain_variant(DUEL, lang)


@settings(max_examples=40, deadline=None)
@given(variants(), st.sampled_from(LANGUAGES))
def test_explanations_fit_and_need_only_the_fields(variant: Variant, lang: Any) -> None:
    text = explain_variant(variant, lang)
    assert max(columns(line) for line in text.splitlines()) <= COLUMNS
    assert all(line == line.rstrip() for line in text.splitlines())
    assert "\u00a0" not in text
    assert "None" not in text
    renamed = with_settings(variant, {"id": "another"})
    assert explain_variant(renamed, lang) == text
    if lang == "en":
        for line in text.splitlines()[4:]:
            kept = line.replace("×", "").replace("−", "")
            assert (
                kept.isascii()
                or variant.about.en.startswith(kept[:5])
                or any(part in variant.about.en for part in line.split())
            )


@pytest.mark.parametrize(
    ("id", "lang", "sentence"),
    [
        ("huopin", "zh", "两张大王是财神。 [R3.1]"),
        ("huopin", "zh", "5 星 ×2，6 星 ×4，7 星 ×8，8 星及以上 ×16"),
        ("huopin", "zh", "6 星 +6，7 星 +12，8 星及以上 +18"),
        ("huopin", "en", "three jokers are below every other 6; four jokers are above every other 7"),
        ("huopin-duel", "zh", "四张王都是财神。 [R3.1]"),
        ("huopin-duel", "en", "1-6 level, 7-11 single, 12-27 double"),
        ("qianbian-duel", "zh", "2 最小"),
        ("qianbian-duel", "en", "in a circle through 2 (KA2, A23)"),
        ("classic", "zh", "没有财神"),
        ("classic", "en", "Three jokers by themselves are nothing."),
        ("baibian", "zh", "3 到 5 组点数相连"),
        ("baibian", "en", "four jokers are above every other 8"),
    ],
)
def test_what_explanations_say(id: str, lang: Any, sentence: str) -> None:
    unwrapped = " ".join(explain_variant(load_variant(id), lang).split())
    assert sentence in unwrapped or sentence.replace(" ", "") in unwrapped.replace(" ", "")


# The program


def test_nothing_asks_which_variant_it_is() -> None:
    """No source has an id of a variant, but as the default of a command's option."""
    checked = 0
    for path in sorted(SOURCE.rglob("*.py")):
        tree = ast.parse(path.read_text("utf-8"))
        excused: set[ast.AST] = set()
        if path.relative_to(SOURCE).parts[0] in {"cli.py", "terminal"}:
            for node in ast.walk(tree):
                if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                    excused.update(node.args.defaults, (d for d in node.args.kw_defaults if d is not None))
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in excused:
                assert node.value not in variant_ids(), f"{path}:{node.lineno}: {node.value!r}"
                checked += 1
    assert checked > 1000


def test_starting_loads_nothing_that_reads_files() -> None:
    code = "import sys, shuangkou.rules, shuangkou.rules.variant; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert not loaded & {"tomllib", "numpy", "rich", "cyclopts", "json", "difflib", "importlib.resources"}


def test_the_command_lists(capsys: pytest.CaptureFixture[str]) -> None:
    app(["--lang", "zh"], result_action="return_value")
    listed = capsys.readouterr().out
    assert [line.split()[0] for line in listed.splitlines()[1:]] == list(variant_ids())
    assert "火拼双扣" in listed
    app(["--lang", "en"], result_action="return_value")
    assert "Huopin Shuangkou" in capsys.readouterr().out


def test_the_command_shows(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert app(["show", "classic", "--lang", "zh"], result_action="return_value") == 0
    assert capsys.readouterr().out == explain_variant(CLASSIC, "zh")
    assert app(["show", "classic", "--lang", "en"], result_action="return_value") == 0
    assert capsys.readouterr().out == explain_variant(CLASSIC, "en")
    file = tmp_path / "club.toml"
    file.write_text(SHORT, "utf-8")
    assert app(["show", str(file), "--lang", "zh"], result_action="return_value") == 0
    assert "俱乐部" in capsys.readouterr().out
    assert app(["toml", str(file)], result_action="return_value") == 0
    assert parse_variant(capsys.readouterr().out) == parse_variant(SHORT)
    assert app(["show", "nope"], result_action="return_value") == 2
    shown = capsys.readouterr()
    assert not shown.out
    assert "known: baibian" in shown.err


@pytest.mark.parametrize(
    "command",
    [
        show,
        toml,
        lambda name: simulate(variant=name, deals=1, jobs=1),
        lambda name: play(variant=name),
    ],
    ids=["show", "toml", "simulate", "play"],
)
def test_a_variant_is_an_id_or_a_file_for_every_command(
    command: Callable[[str], int], capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same names are ids and files, and the same words say that there is neither."""
    monkeypatch.chdir(tmp_path)
    for name, said in (
        ("nope", "no variant 'nope'; known: baibian"),
        ("n" * 300, "known: baibian"),
        ("nope.toml", "nope.toml: cannot be read"),
        ("some/nope", "some/nope: cannot be read"),
        ("club", "club:5: players: 2 or 4 expected"),
    ):
        (tmp_path / "club").write_text(CLUB, "utf-8")
        assert command(name) == 2
        shown = capsys.readouterr()
        assert not shown.out
        assert said in shown.err
    (tmp_path / "classic").write_text(CLUB, "utf-8")
    assert find_variant("classic") == CLASSIC


def test_the_command_checks(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    right, wrong = tmp_path / "right.toml", tmp_path / "wrong.toml"
    right.write_text(SHORT, "utf-8")
    wrong.write_text(CLUB, "utf-8")
    assert app(["check", str(right)], result_action="return_value") == 0
    assert capsys.readouterr().out == f"{right}: right\n"
    assert app(["check", str(wrong), str(right), str(tmp_path / "none")], result_action="return_value") == 1
    told = capsys.readouterr().out.splitlines()
    assert len(told) >= len(CLUB_MISTAKES) + 2
    assert f"{wrong}:5: players: 2 or 4 expected, not true" in told
    assert f"{right}: right" in told
    assert app(["check"], result_action="return_value") == 2


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_the_strategy_covers_every_field(data: st.DataObject) -> None:
    name = data.draw(st.sampled_from([*settable(HUOPIN), *(n for n in settable(DUEL) if n.startswith("duel."))]))
    base = DUEL if name.startswith("duel.") else HUOPIN
    value = data.draw(values(name))
    try:
        assert with_settings(base, {name: value}) is not base
    except VariantError as error:
        for mistake in error.mistakes:
            assert "expected" in mistake.message
