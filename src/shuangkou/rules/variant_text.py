"""A variant as TOML text: reading with all mistakes at once, writing, and what differs between two variants.

Everything here walks the tree of fields that :mod:`shuangkou.rules.variant` makes from its classes; only
what must hold between several fields has a table of its own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from itertools import pairwise
from typing import Any, Final, NamedTuple, get_args

from shuangkou.rules.cards import MAX_CARDS
from shuangkou.rules.errors import Mistake, VariantError
from shuangkou.rules.toml import Path, Value, format_key, format_value, lines, read_toml
from shuangkou.rules.variant import (
    MOST_STARS,
    SCHEMA,
    Level,
    Node,
    NodeKind,
    Repeated,
    Result,
    Variant,
    leaves,
    listing,
    load_variant,
    schema,
    variant_ids,
)
from shuangkou.rules.words import Language

_WRONG: Final = object()
_MOST_UNKNOWN: Final = 50  # unknown fields of one table that are named one by one
_STARS: Final = {str(stars) for stars in range(1, MOST_STARS + 1)}


# What must hold between fields


class _Check(NamedTuple):
    """``complaint`` gets the values of ``fields``; what it says, once or often, is said of the first of them."""

    fields: tuple[str, ...]
    complaint: Callable[..., str | Iterable[str] | None]

    def complaints(self, values: Iterable[Any]) -> list[str]:
        found = self.complaint(*values)
        return [found] if isinstance(found, str) else list(found or ())


def _ordered(low: int, high: int) -> str | None:
    return None if low <= high else f"no more than {high}, the most, expected, not {low}"


def _run_limit(ranks: int, width: int) -> str | None:
    most = min(12, MAX_CARDS // width)
    return None if ranks <= most else f"2 to {most} expected, {MAX_CARDS} cards at most, not {ranks}"


def _needs_chains(on: bool, max_groups: int) -> str | None:
    return "false expected where chain.max_groups is 0, not true" if on and not max_groups else None


def _mixed_pair(pair: str, jokers: str) -> str | None:
    possible = {"none": ("none",), "big": ("none", "small"), "all": ("none", "small", "big")}[jokers]
    if pair in possible:
        return None
    allowed = listing([format_value(choice) for choice in possible])
    return f"{allowed} expected where wild.jokers is {format_value(jokers)}, not {format_value(pair)}"


def _max_width(width: int, jokers: str) -> str | None:
    most = 8 + {"none": 0, "big": 2, "all": 4}[jokers]
    return None if width <= most else f"4 to {most} expected where wild.jokers is {format_value(jokers)}, not {width}"


def _joker_places(four: str, three: str, four_stars: int, three_stars: int) -> str | None:
    if four_stars != three_stars or not four_stars or four != three:
        return None
    return f"another place than three_place expected where both have {four_stars} stars, not {format_value(four)}"


def _sum_zero(row: Sequence[int]) -> str | None:
    return f"numbers that add up to 0 expected, not to {sum(row)}" if sum(row) else None


def _result_bounds(single: int, double: int) -> str | None:
    return None if single <= double else f"no more than {double}, the bound of a double, expected, not {single}"


def _ascending(levels: Sequence[Level]) -> Iterator[str]:
    for low, high in pairwise(levels):
        if high.level <= low.level:
            yield f"ascending levels expected, not {high.level} after {low.level}"
        if high.needs <= low.needs:
            yield f"ascending needs expected, not {high.needs} after {low.needs}"


def _first_needs(levels: Sequence[Level]) -> str | None:
    needs = levels[0].needs
    return (
        f"a first level that needs 0 points, as many as everyone begins with, expected, not {needs}" if needs else None
    )


def _repeated(repeated: Sequence[Repeated], max_width: int) -> Iterator[str]:
    for line in repeated:
        if line.width > max_width:
            yield f"widths up to bomb.max_width, {max_width}, expected, not {line.width}"
        if line.width * line.count > MAX_CARDS:
            yield f"no more than {MAX_CARDS} cards expected, not {line.count} bombs of {line.width}"
    for low, high in pairwise(repeated):
        if (high.width, high.count) <= (low.width, low.count):
            yield f"ascending widths and counts expected, not {_bombs(high)} after {_bombs(low)}"


def _bombs(line: Repeated) -> str:
    return f"{line.count} bombs of {line.width}"


def _some_repeated(repeated: Sequence[Repeated], on: bool) -> str | None:
    return "at least one line expected where duel.repeated_bombs is true" if on and not repeated else None


_CHECKS: Final = (
    *(_Check((f"{run}.min_ranks", f"{run}.max_ranks"), _ordered) for run in ("straight", "pair_run", "triple_run")),
    _Check(("pair_run.max_ranks",), lambda ranks: _run_limit(ranks, 2)),
    _Check(("triple_run.max_ranks",), lambda ranks: _run_limit(ranks, 3)),
    _Check(("chain.min_groups", "chain.max_groups"), lambda low, high: _ordered(low, high) if high else None),
    _Check(("chain.unequal", "chain.max_groups"), _needs_chains),
    _Check(("chain.circle", "chain.max_groups"), _needs_chains),
    _Check(("wild.mixed_pair", "wild.jokers"), _mixed_pair),
    _Check(("bomb.max_width", "wild.jokers"), _max_width),
    _Check(
        ("joker_bombs.four_place", "joker_bombs.three_place", "joker_bombs.four_stars", "joker_bombs.three_stars"),
        _joker_places,
    ),
    *(_Check((f"points.base_money.{result}",), _sum_zero) for result in get_args(Result)),
    _Check(("duel.results.single", "duel.results.double"), _result_bounds),
    _Check(("duel.repeated", "bomb.max_width"), _repeated),
    _Check(("duel.repeated", "duel.repeated_bombs"), _some_repeated),
    *(_Check((f"duel.editions.{edition}.levels",), _ascending) for edition in ("points", "coins", "silver")),
    _Check(("duel.editions.points.levels",), _first_needs),
)


# From TOML to a variant


def parse(text: str, source: str) -> Variant:
    """See :func:`shuangkou.rules.variant.parse_variant`."""
    document = read_toml(text, source)
    reader = _Reader()
    inherits = False
    if "extends" in document:
        base = document.pop("extends")
        if type(base) is str and base in variant_ids():
            inherited = to_toml(load_variant(base))
            del inherited["schema"], inherited["id"]
            document = _merged(schema(), _one_scoring(inherited, document), document)
        else:
            allowed = listing([format_value(known) for known in variant_ids()])
            reader.wrong(("extends",), f"{allowed} expected, not {_shown(base)}", allowed)
            inherits = True
    variant = reader.variant(document)
    if inherits:  # from what, nobody knows
        reader.mistakes = [found for found in reader.mistakes if not found.missing]
    if variant is None:
        raise VariantError(reader.sorted(source, lines(text)))
    return variant


def _one_scoring(document: dict[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """``document`` without its scoring where another one is given: a variant has one of the two."""
    if ("points" in given) == ("duel" in given):
        return document
    gone = "duel" if "points" in given else "points"
    return {name: value for name, value in document.items() if name != gone}


def _merged(node: Node, base: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    """``base`` with what ``own`` gives: tables of fields are filled up, everything else is given whole."""
    merged = dict(base)
    for key, value in own.items():
        inner = node.child(key)
        fills = inner is not None and inner.kind in ("table", "keyed")
        if inner and fills and isinstance(value, dict) and isinstance(base.get(key), dict):
            merged[key] = _merged(inner, base[key], value)
        else:
            merged[key] = value
    return merged


class _Found(NamedTuple):
    """A mistake at a path; ``others`` are fields that it may also come from."""

    path: Path
    message: str
    allowed: str
    others: tuple[Path, ...] = ()
    missing: bool = False


class _Reader:
    """One walk over the fields of a document: values are converted, mistakes collected, all of them."""

    def __init__(self) -> None:
        self.mistakes: list[_Found] = []
        self.values: dict[Path, Any] = {}  # what was right

    def variant(self, document: Mapping[str, Any]) -> Variant | None:
        """The variant, or None if there was a mistake."""
        inner = dict(document)
        version = inner.pop("schema", None)
        if version is None:
            self.missing(("schema",), str(SCHEMA))
        elif type(version) is not int or version != SCHEMA:
            self.wrong(("schema",), f"{SCHEMA} expected, not {_shown(version)}", str(SCHEMA))
        found = self.read(schema(), inner, ())
        self.scoring(inner)
        for check in _CHECKS:
            paths = tuple(tuple(name.split(".")) for name in check.fields)
            if all(path in self.values for path in paths):
                for complaint in check.complaints(self.values[path] for path in paths):
                    self.wrong(paths[0], complaint, complaint.partition(" expected")[0], paths[1:])
        return found if isinstance(found, Variant) and not self.mistakes else None

    def scoring(self, document: Mapping[str, Any]) -> None:
        """Four players have ``points``, two have ``duel``; never both."""
        players = self.values.get(("players",))
        if players is None:
            return
        for name, wanted in (("points", players == 4), ("duel", players == 2)):
            if wanted and name not in document:
                self.missing((name,), schema().children[name].allowed, f" where players is {players}")
            elif not wanted and name in document:
                self.wrong((name,), f"nothing expected where players is {players}", "nothing", (("players",),))

    def wrong(self, path: Path, message: str, allowed: str = "", others: tuple[Path, ...] = ()) -> None:
        self.mistakes.append(_Found(path, message, allowed, others))

    def missing(self, path: Path, allowed: str, where: str = "") -> None:
        self.mistakes.append(_Found(path, f"missing; {allowed} expected{where}", allowed, (), True))

    def sorted(self, source: str, at: Mapping[Path, int] | None = None) -> list[Mistake]:
        """The mistakes with their lines, in the order of the lines."""
        made = [
            Mistake(source, _line(at, found) if at else None, _dotted(found.path), found.message, found.allowed)
            for found in self.mistakes
        ]
        return sorted(made, key=lambda mistake: mistake.line or 0)

    def read(self, node: Node, value: Any, path: Path) -> Any:
        """The value converted, or _WRONG after a mistake."""
        before = len(self.mistakes)
        if scalar := _SCALARS.get(node.kind):
            found = value if scalar(node, value) else _WRONG
        elif type(value) is not _CONTAINERS[node.kind]:
            found = _WRONG
        else:
            found = getattr(self, f"_{node.kind}")(node, value, path)
        if len(self.mistakes) > before:
            return _WRONG
        if found is _WRONG:
            self.wrong(path, f"{node.allowed} expected, not {_shown(value)}", node.allowed)
        else:
            self.values[path] = found
        return found

    def _order(self, node: Node, value: list[Any], path: Path) -> Any:  # noqa: ARG002
        right = all(type(item) is str for item in value) and sorted(value) == sorted(node.fact.keys)
        return tuple(value) if right else _WRONG

    def _row(self, node: Node, value: list[Any], path: Path) -> Any:
        number = node.inner("number")
        return (
            tuple([self.read(number, item, (*path, i)) for i, item in enumerate(value)]) if len(value) == 4 else _WRONG
        )

    def _stars(self, node: Node, value: dict[str, Any], path: Path) -> Any:
        number = node.inner("number")
        last = 0
        for key in value:
            if key not in _STARS:
                allowed = f"1 to {MOST_STARS}"
                self.wrong((*path, key), f"{allowed} expected as the number of stars", allowed)
            elif int(key) <= last:
                self.wrong((*path, key), f"ascending stars expected, not {key} after {last}", "ascending stars")
            else:
                last = int(key)
        made = [(key, self.read(number, worth, (*path, key))) for key, worth in value.items()]
        return tuple([(int(key), worth) for key, worth in made if key in _STARS])

    def _list(self, node: Node, value: list[Any], path: Path) -> Any:
        line = node.inner("table")
        if not node.fact.low <= len(value) <= node.fact.high:
            return _WRONG
        return tuple([self.read(line, item, (*path, i)) for i, item in enumerate(value)])

    def _keyed(self, node: Node, value: dict[str, Any], path: Path) -> Any:
        if not value:
            return _WRONG
        self.unknown(value, node.fact.keys, path)
        made = []
        for key, inner in value.items():
            if table := node.child(key):
                fields = self.fields(table, inner, (*path, key))
                made.append(_WRONG if fields is None else node.make(id=key, **fields))
        return tuple(made)

    def _table(self, node: Node, value: dict[str, Any], path: Path) -> Any:
        fields = self.fields(node, value, path)
        return _WRONG if fields is None else node.make(**fields)

    def fields(self, node: Node, value: Any, path: Path) -> dict[str, Any] | None:
        """The fields of a table, None after a mistake."""
        before = len(self.mistakes)
        if type(value) is not dict:
            self.wrong(path, f"{node.allowed} expected, not {_shown(value)}", node.allowed)
            return None
        self.unknown(value, tuple(node.children), path)
        made: dict[str, Any] = {}
        for name, child in node.children.items():
            if name in value:
                made[name] = self.read(child, value[name], (*path, name))
            elif child.optional:
                made[name] = None
            else:
                self.missing((*path, name), child.allowed)
        return made if len(self.mistakes) == before else None

    def unknown(self, value: Mapping[str, Any], known: tuple[str, ...], path: Path) -> None:
        keys = [key for key in value if key not in known]
        for key in keys[:_MOST_UNKNOWN]:
            self.wrong((*path, key), f"unknown field{_suggestion(key, known)}", ", ".join(known))
        if len(keys) > _MOST_UNKNOWN:
            more = len(keys) - _MOST_UNKNOWN
            self.wrong((*path, keys[_MOST_UNKNOWN]), f"unknown field, as are {more - 1} more", ", ".join(known))


def _is_text(node: Node, value: Any) -> bool:
    if type(value) is not str or not node.fact.low <= len(value) <= node.fact.high:
        return False
    if node.fact.pattern:
        return re.fullmatch(node.fact.pattern, value) is not None
    return value.isprintable() and value == value.strip()


def _is_number(node: Node, value: Any) -> bool:
    return type(value) is int and (node.fact.low <= value <= node.fact.high or value == node.fact.also)


def _is_choice(node: Node, value: Any) -> bool:
    return type(value) in (str, int) and value in node.choices


def _is_flag(_node: Node, value: Any) -> bool:
    return type(value) is bool


_SCALARS: Final[dict[NodeKind, Callable[[Node, Any], bool]]] = {
    "text": _is_text,
    "number": _is_number,
    "choice": _is_choice,
    "flag": _is_flag,
}
_CONTAINERS: Final[dict[NodeKind, type]] = {
    "order": list,
    "row": list,
    "list": list,
    "stars": dict,
    "keyed": dict,
    "table": dict,
}


def _line(at: Mapping[Path, int], found: _Found) -> int | None:
    """The line of the first field that stands in the text, else of the innermost table around the first."""
    for path in (found.path, *found.others):
        if path in at:
            return at[path]
    path = found.path
    while path not in at:
        path = path[:-1]
    return at[path]


def _suggestion(key: str, known: tuple[str, ...]) -> str:
    if close := get_close_matches(key[:60], known, n=1):
        return f"; did you mean {close[0]}?"
    homes = {name.rpartition(".")[0] for name, _ in leaves() if name.rpartition(".")[2] == key and "[]" not in name}
    if key in schema().children or key in ("schema", "extends"):
        return "; it belongs at the top, before the first [table]"
    return f"; it belongs in [{homes.pop()}]" if len(homes) == 1 else ""


# From a variant to TOML


def to_toml(variant: Variant) -> dict[str, Any]:
    """A variant as the tables of its TOML text."""
    return {"schema": SCHEMA, **_raw(schema(), variant)}


def _raw(node: Node, value: Any) -> Any:
    """A field's value as TOML has it."""
    if node.kind == "table":
        inner = {name: (child, getattr(value, name)) for name, child in node.children.items()}
        return {name: _raw(child, found) for name, (child, found) in inner.items() if found is not None}
    if node.kind == "keyed":
        return {item.id: _raw(node.inner("table"), item) for item in value}
    if node.kind == "list":
        return [_raw(node.inner("table"), item) for item in value]
    if node.kind == "stars":
        return {str(stars): worth for stars, worth in value}
    return list(value) if isinstance(value, tuple) else value


def write(variant: Variant, lang: Language) -> str:
    """See :func:`shuangkou.rules.variant.format_variant`."""
    text = [f"# {variant.name.zh} ({variant.name.en})", f"schema = {SCHEMA}"]
    _write(schema(), to_toml(variant), (), text, lang, _narrowed(variant))
    return "\n".join(text) + "\n"


def _narrowed(variant: Variant) -> dict[tuple[str, ...], Node]:
    """The fields that may be less than their node says, as the other fields of this variant are.

    A choice on which others depend, such as which jokers are wild, stays whole.
    """
    found: dict[tuple[str, ...], Node] = {}
    for check in _CHECKS:
        values = [_at(variant, name.split("."), lambda table, key: getattr(table, key, None)) for name in check.fields]
        if None in values:
            continue
        for i, name in enumerate(check.fields):
            path = tuple(name.split("."))
            node = found.get(path) or _at(schema(), path, Node.child)
            if node.kind != "number" and (node.kind != "choice" or i):
                continue
            fact = node.fact
            possible = node.choices or range(fact.low, fact.high + 1)
            also = () if fact.also is None else (fact.also,)
            right = [
                [each for each in some if not check.complaints([*values[:i], each, *values[i + 1 :]])]
                for some in (possible, also)
            ]
            if not right[0]:  # of a variant that no check has seen
                continue
            if node.kind == "choice":
                found[path] = node._replace(choices=tuple(right[0]))
            else:
                limits = fact._replace(low=right[0][0], high=right[0][-1], also=right[1][0] if right[1] else None)
                found[path] = node._replace(fact=limits)
    return found


def _at(inside: Any, path: Iterable[str], step: Callable[[Any, str], Any]) -> Any:
    """What is reached step by step, None where a step leads nowhere."""
    for key in path:
        inside = None if inside is None else step(inside, key)
    return inside


def _write(
    node: Node,
    value: Mapping[str, Any],
    path: tuple[str, ...],
    text: list[str],
    lang: Language,
    narrowed: Mapping[tuple[str, ...], Node],
) -> None:
    tables = [name for name, child in node.children.items() if child.kind in ("table", "keyed", "stars")]
    for name, child in node.children.items():
        if name not in value or name in tables:
            continue
        if child.kind == "list" and value[name]:
            text.append(_commented(f"{name} = [", child, lang))
            text.extend(f"    {format_value(item)}," for item in value[name])
            text.append("]")
        else:
            shown = narrowed.get((*path, name), child)
            text.append(_commented(f"{name} = {format_value(value[name])}", shown, lang))
    for name in tables:
        child = node.children[name]
        if name in value and child.kind == "keyed":
            for key, inner in value[name].items():
                text.extend(["", f"[{'.'.join((*path, name, key))}]"])
                _write(child, inner, (*path, name, key), text, lang, narrowed)
        elif name in value:
            text.extend(["", _commented(f"[{'.'.join((*path, name))}]", child, lang)])
            if child.kind == "stars":
                text.extend(f"{stars} = {worth}" for stars, worth in value[name].items())
            else:
                _write(child, value[name], (*path, name), text, lang, narrowed)


def _commented(text: str, node: Node, lang: Language) -> str:
    fact = node.fact
    if not fact.clause or node.kind == "text":
        return text
    limits = ""
    if node.kind in ("number", "choice"):
        limits = (
            f", {node.allowed}" if lang == "en" else f"，{node.allowed.replace(' to ', ' 到 ').replace(' or ', ' 或 ')}"
        )
    return f"{text:<33} # {fact.clause}: {fact.en if lang == 'en' else fact.zh}{limits}"


# What differs between two variants


def differences(variant: Variant, other: Variant) -> list[tuple[str, Value]]:
    """See :func:`shuangkou.rules.variant.differences`."""
    return list(_differences(schema(), variant, other, ()))


def _differences(node: Node, value: Any, other: Any, path: tuple[str, ...]) -> Iterator[tuple[str, Value]]:
    if value == other or value is None:  # one of points and duel stands where the other does not: that removes it
        return
    if node.kind == "table" and other is not None:
        for name, child in node.children.items():
            yield from _differences(child, getattr(value, name), getattr(other, name), (*path, name))
    elif node.kind == "keyed" and [item.id for item in value] == [item.id for item in other]:
        for item, same in zip(value, other, strict=True):
            yield from _differences(node.inner("table"), item, same, (*path, item.id))
    else:
        yield ".".join(path), _raw(node, value)


def with_settings(base: Variant, settings: Mapping[str, Value], source: str) -> Variant:
    """See :func:`shuangkou.rules.variant.with_settings`."""
    document = _one_scoring(to_toml(base), settings)
    reader = _Reader()
    for name, value in settings.items():
        if not _set(document, name.split("."), value):
            reader.wrong((name,), "unknown field")
    variant = reader.variant(document)
    if variant is None:
        raise VariantError(reader.sorted(source))
    return variant


def _set(document: dict[str, Any], path: Sequence[str], value: Value) -> bool:
    """Put a value into the tables of a document; whether the fields have such a place."""
    node: Node | None = schema()
    for key in path:
        node = node.child(key) if node else None
    if node is None:
        return False
    inner: Any = document
    for key in path[:-1]:
        inner = inner.setdefault(key, {})
        if type(inner) is not dict:
            return False
    inner[path[-1]] = value
    return True


# Words


def _dotted(path: Path) -> str:
    """A field's name as people read it; lines of a list count from 1."""
    name = ""
    for part in path:
        if isinstance(part, int):
            name += f"[{part + 1}]"
        else:
            name += ("." if name else "") + format_key(_cut(part, 60))
    return name


def _shown(value: Any) -> str:
    """A value as a message quotes it: never long, whatever a file holds."""
    if isinstance(value, dict):
        return "a table"
    if isinstance(value, list):
        short = len(value) <= 10 and all(isinstance(item, str | int) for item in value)
        text = f"[{', '.join(_shown(item) for item in value)}]" if short else ""
        return text if 0 < len(text) <= 60 else f"a list of {len(value)}"
    if isinstance(value, str):
        return format_value(_cut(value, 40))
    if type(value) is int and abs(value) >= 10**20:
        return "a number of more than 20 digits"
    if isinstance(value, int | float):
        return str(value).lower()
    return f"a {type(value).__name__}"


def _cut(text: str, length: int) -> str:
    return text if len(text) <= length else text[: length - 3] + "..."
