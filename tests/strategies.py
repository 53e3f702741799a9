"""Hypothesis strategies that several tests share."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from hypothesis import strategies as st

from shuangkou.rules.errors import VariantError
from shuangkou.rules.toml import Value
from shuangkou.rules.variant import Node, Variant, load_variant, schema, variant_ids, with_settings
from shuangkou.rules.variant_text import to_toml

_SCORING = ("points", "duel")
_WORDS = ("id", "name", "about")
_TEXT = st.text(st.characters(codec="utf-8"), min_size=1, max_size=12).map(lambda text: f"《{text}"[:12])


@st.composite
def variants(draw: st.DrawFn, *, players: int | None = None, scoring: bool = True) -> Variant:
    """Random valid variants: a shipped one with random fields set to random values, in any combination that is allowed.

    Args:
        draw: given by Hypothesis.
        players: only variants for so many.
        scoring: whether names and what R6 and R7 say vary too, or only what decides play.
    """
    shipped = [v for v in map(load_variant, variant_ids()) if players in (None, v.players)]
    variant = draw(st.sampled_from(shipped))
    names = [name for name in settable(variant) if scoring or name.partition(".")[0] not in (*_WORDS, *_SCORING)]
    for name in draw(st.lists(st.sampled_from(names), max_size=24, unique=True)):
        value = draw(values(name))
        try:
            variant = with_settings(variant, {name: value})
        except VariantError:  # not with the others
            continue
    return variant


def settable(variant: Variant) -> list[str]:
    """The dotted names of all single fields of a variant, with the editions that it has."""
    return [name for name, _, _ in given_fields(variant)]


def given_fields(variant: Variant) -> Iterator[tuple[str, Node, Any]]:
    """Every field of a variant that holds a value (a list or a table of stars is one): name, facts, TOML value."""
    yield from _fields(schema(), to_toml(variant), ())


def _fields(node: Node, value: Any, path: tuple[str, ...]) -> Iterator[tuple[str, Node, Any]]:
    if node.kind not in ("table", "keyed"):
        yield ".".join(path), node, value
        return
    for key, inner in value.items():
        if child := node.child(key):
            yield from _fields(child, inner, (*path, key))


def node_of(name: str) -> Node:
    """The facts of a field by its dotted name."""
    node: Node | None = schema()
    for key in name.split("."):
        assert node is not None
        node = node.child(key)
    assert node is not None, name
    return node


def values(name: str) -> st.SearchStrategy[Value]:
    """Values that a field may have, some only together with others."""
    node = node_of(name)
    made = _values(node)
    if name.startswith("points.base_money"):
        made = made.map(lambda row: [row[0], row[1], -row[0], -row[1]])
    if name.endswith(".levels"):
        made = made.map(lambda lines: _levels(lines, from_zero="points" in name))
    if name == "duel.repeated":
        made = made.map(_repeated)
    return made


def _values(node: Node) -> st.SearchStrategy[Any]:
    fact = node.fact
    match node.kind:
        case "text":
            return (
                st.from_regex(fact.pattern, fullmatch=True).map(lambda text: text[:9].strip("-"))
                if fact.pattern
                else _TEXT
            )
        case "flag":
            return st.booleans()
        case "number":
            numbers = st.integers(fact.low, fact.high)
            return numbers if fact.also is None else st.one_of(st.just(fact.also), numbers)
        case "choice":
            return st.sampled_from(node.choices)
        case "order":
            return st.permutations(fact.keys)
        case "row":
            return st.lists(st.integers(fact.low, fact.high), min_size=4, max_size=4)
        case "stars":
            table = st.dictionaries(st.integers(1, 14), st.integers(fact.low, min(fact.high, 512)), max_size=9)
            return table.map(lambda made: {str(stars): made[stars] for stars in sorted(made)})
        case _:
            line = st.fixed_dictionaries({key: _values(child) for key, child in node.children.items()})
            return st.lists(line, min_size=fact.low, max_size=8)


def _levels(lines: Any, *, from_zero: bool) -> list[Value]:
    """Lines whose levels and needs rise."""
    levels = sorted({line["level"] for line in lines})
    needs = sorted({line["needs"] for line in lines})
    if from_zero:
        needs[0] = 0
    return [
        {"level": level, "needs": need, "stake": line["stake"]}
        for level, need, line in zip(levels, needs, lines, strict=False)
    ]


def _repeated(lines: Any) -> list[Value]:
    found = {(line["width"], line["count"]): line for line in lines if line["width"] * line["count"] <= 27}
    return [found[key] for key in sorted(found)]
