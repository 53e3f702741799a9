"""TOML text as the rules use it: single values, and where in a text each of them stands."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from typing import Any, Final

from shuangkou.rules.errors import Mistake, VariantError

Value = str | int | bool | list["Value"] | dict[str, "Value"]
"""A value as TOML writes it."""

Path = tuple[str | int, ...]
"""Keys and indices of lists, from the outermost table to a value."""

LONGEST: Final = 65536
"""Characters of a text that is read."""

_DOTS: Final = 200  # in a line: the parser takes the square of a dotted key's length
_DEEPEST: Final = 12  # keys of a path that are looked at: no file of ours has more
_BARE: Final = re.compile(r"[A-Za-z0-9_-]+")
_ESCAPES: Final = {8: "\\b", 9: "\\t", 10: "\\n", 12: "\\f", 13: "\\r", 34: '\\"', 92: "\\\\"}
_PLACE: Final = re.compile(r" \(at line (\d+), column (\d+)\)$")
_END: Final = " (at end of document)"


def read_toml(text: str, source: str) -> dict[str, Any]:
    """The tables of a text.

    Raises:
        VariantError: it is not TOML; the mistake has the line and the column.
    """
    if len(text) > LONGEST:
        raise VariantError([Mistake(source, None, "", f"no more than {LONGEST} characters expected")])
    for number, row in enumerate(text.split("\n"), 1):
        if row.count(".") > _DOTS:
            raise VariantError([Mistake(source, number, "", f"no more than {_DOTS} dots in a line expected")])
    try:
        return tomllib.loads(text.removeprefix("\ufeff"))
    except RecursionError:
        raise VariantError([Mistake(source, None, "", "not TOML: nested too deeply")]) from None
    except ValueError as error:  # bad syntax, or a number of thousands of digits
        message, line, column = _syntax(text, str(error))
        raise VariantError([Mistake(source, line, "", f"not TOML: {message}", "", column)]) from None


def _syntax(text: str, message: str) -> tuple[str, int | None, int | None]:
    """What the parser says, with the line and column it says it of."""
    if place := _PLACE.search(message):
        return message[: place.start()], int(place[1]), int(place[2])
    if message.endswith(_END):
        lines = text.split("\n")
        return f"{message.removesuffix(_END)} at the end", len(lines), len(lines[-1]) + 1
    return message, None, None


def format_value(value: Value) -> str:
    """A value on one line."""
    if isinstance(value, dict):
        inner = ", ".join(f"{format_key(key)} = {format_value(item)}" for key, item in value.items())
        return f"{{ {inner} }}" if inner else "{}"
    if isinstance(value, list):
        return f"[{', '.join(format_value(item) for item in value)}]"
    if isinstance(value, str):
        return f'"{"".join(map(_escaped, value))}"'
    return str(value).lower() if isinstance(value, bool) else str(value)


def parse_value(text: str, source: str = "<text>") -> Value:
    """A value from the text that :func:`format_value` writes.

    Raises:
        VariantError: it is not one value on one line.
    """
    document = read_toml(f"value = {text}", source)
    if "\n" in text or len(document) != 1:
        raise VariantError([Mistake(source, None, "", "one value on one line expected")])
    value: Value = document["value"]
    return value


def format_key(key: str) -> str:
    """A key, in quotes where it needs them."""
    return key if _BARE.fullmatch(key) else format_value(key)


def _escaped(character: str) -> str:
    if escape := _ESCAPES.get(ord(character)):
        return escape
    if character.isprintable():
        return character
    return f"\\u{ord(character):04X}" if ord(character) < 0x10000 else f"\\U{ord(character):08X}"


def lines(text: str) -> dict[Path, int]:
    """The line of every key, table and list item of a text that :func:`read_toml` has read."""
    found = _Lines(text)
    found.document()
    return found.at


class _Lines:
    """One pass over a valid text."""

    def __init__(self, text: str) -> None:
        self.text = text.removeprefix("\ufeff").replace("\r\n", "\n")
        self.place = 0
        self.counted = (0, 1)  # a place and its line
        self.at: dict[Path, int] = {(): 1}
        self.tables: dict[Path, int] = {}  # the number of the last of some [[tables]]

    def document(self) -> None:
        prefix: Path = ()
        while self.ahead():
            if self.text[self.place] != "[":
                self.pair(prefix)
                continue
            brackets = 2 if self.text.startswith("[[", self.place) else 1
            line = self.line()
            self.place += brackets
            keys = self.key()
            self.place += brackets
            if brackets == 2:
                prefix = (*self.inside(keys[:-1]), keys[-1])
                self.tables[prefix] = number = self.tables.get(prefix, -1) + 1
                prefix = (*prefix, number)
            else:
                prefix = self.inside(keys)
            self.mark(prefix, line)
            self.at[prefix] = line  # where a table's own header stands, not where one inside it did

    def inside(self, keys: Sequence[str]) -> Path:
        path: Path = ()
        for key in keys:
            path = (*path, key)
            if path in self.tables:
                path = (*path, self.tables[path])
        return path

    def line(self) -> int:
        place, line = self.counted
        line += self.text.count("\n", place, self.place)
        self.counted = (self.place, line)
        return line

    def mark(self, path: Path, line: int) -> None:
        path = path[:_DEEPEST]
        while path not in self.at:
            self.at[path] = line
            path = path[:-1]

    def ahead(self, blank: str = " \t\n") -> bool:
        """Skip blanks and comments; whether anything follows."""
        while self.place < len(self.text):
            if self.text[self.place] == "#":
                end = self.text.find("\n", self.place)
                self.place = end if end >= 0 else len(self.text)
            elif self.text[self.place] in blank:
                self.place += 1
            else:
                return True
        return False

    def key(self) -> tuple[str, ...]:
        parts = []
        while True:
            self.ahead(" \t")
            start = self.place
            if self.text[start] in "\"'":
                self.string()
                parts.append(str(tomllib.loads(f"key = {self.text[start : self.place]}")["key"]))
            else:
                while self.text[self.place] not in " \t.=]":
                    self.place += 1
                parts.append(self.text[start : self.place])
            self.ahead(" \t")
            if self.text[self.place] != ".":
                return tuple(parts[:_DEEPEST])
            self.place += 1

    def pair(self, prefix: Path) -> None:
        line = self.line()
        path = (*prefix, *self.key())
        self.mark(path, line)
        self.place += 1  # the equals sign
        self.ahead(" \t")
        self.value(path)

    def value(self, path: Path) -> None:
        opening = self.text[self.place]
        if opening in "\"'":
            self.string()
        elif opening in "[{":
            self.place += 1
            number = 0
            while self.ahead() and self.text[self.place] not in "]}":
                if opening == "{":
                    self.pair(path)
                else:
                    self.mark((*path, number), self.line())
                    self.value((*path, number))
                    number += 1
                if self.ahead() and self.text[self.place] == ",":
                    self.place += 1
            self.place += 1
        else:
            while self.place < len(self.text) and self.text[self.place] not in ",]}#\n":
                self.place += 1

    def string(self) -> None:
        quote = self.text[self.place]
        long = self.text.startswith(quote * 3, self.place)
        end = quote * 3 if long else quote
        self.place += len(end)
        while not self.text.startswith(end, self.place):
            self.place += 2 if quote == '"' and self.text[self.place] == "\\" else 1
        self.place += len(end)
        while long and self.text.startswith(quote, self.place):  # quotes may stand right before the closing three
            self.place += 1
