"""Records as text: what :func:`~shuangkou.rules.record.write_record` writes and :func:`~.read_records` reads.

The reader goes through the lines of a record once, from left to right, and knows at every place what may stand there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final, NoReturn, get_args

from shuangkou.rules.cards import ONE, RANKS, SMALL, Card, Counts, format_ranks, parse_cards, parse_ranks
from shuangkou.rules.errors import BadCards, RecordError, UnknownVariant, VariantError
from shuangkou.rules.record import (
    FACTS,
    MOST_CHARACTERS,
    NAME,
    UNITS,
    Entry,
    Place,
    PlaysFor,
    Record,
    Shape,
    Terms,
    numbers,
    signed,
)
from shuangkou.rules.toml import Value, format_value, parse_value
from shuangkou.rules.variant import Result, Variant, differences, load_variant, variant_ids, with_settings

NOTATION: Final = 1
"""The version of the notation, in the first line of every record."""


# Writing


def write(record: Record) -> str:
    """See :func:`~shuangkou.rules.record.write_record`."""
    base, settings = _nearest(record.variant)
    lines = [f'[Notation "{NOTATION}"]']
    lines += [_header(name, value) for name, value in record.headers]
    lines.append(_header("Variant", base))
    lines += [f"[Set {name} = {value}]" for name, value in settings]
    lines.append(_header("Seats", numbers(record.seats)))
    lines.append(_header("Leader", str(record.leader)))
    if record.turned_up is not None:
        lines.append(_header("TurnedUp", str(record.turned_up)))
    if record.twin is not None:
        lines.append(_header("Twin", str(record.twin)))
    lines += [_header(name, value) for name, value in _terms(record.terms)]
    if not record.faces:
        lines.append(_header("Faces", "no"))
    lines += ["", *hand_lines(record.hands, list(map(str, range(len(record.hands))))), ""]
    before = len(lines)
    lines += ["{" + _escaped(remark, _ODD_IN_COMMENTS) + "}" for remark in record.remarks]
    lines += _tricks(record.moves)
    if len(lines) > before:
        lines.append("")
    if record.fugitive is not None:
        lines.append(f"Escape: {record.fugitive}")
    elif record.result is not None:
        lines += [f"Result: {record.result}", f"Places: {numbers(record.places)}"]
    else:
        lines.append("*")
    if record.amounts:
        lines.append(f"{UNITS[record.terms.plays_for]}: {signed(record.amounts)}")
    text = "\n".join(lines) + "\n"
    if len(text) > MOST_CHARACTERS:
        raise ValueError(f"a record has at most {MOST_CHARACTERS} characters")
    return text


@lru_cache(maxsize=64)
def _nearest(variant: Variant) -> tuple[str, tuple[tuple[str, str], ...]]:
    """The shipped variant that a variant differs least from, and the settings in which it does."""
    found = [(differences(variant, load_variant(base)), base) for base in variant_ids()]
    settings, base = min(found, key=lambda each: (len(each[0]), each[1]))
    return base, tuple((name, format_value(value)) for name, value in settings)


def _terms(terms: Terms) -> Iterator[tuple[str, str]]:
    if terms.plays_for != "nothing":
        yield "For", terms.plays_for
    if terms.edition is not None:
        yield "Edition", terms.edition
    if terms.balances is not None:
        yield "Balances", numbers(terms.balances)
    if terms.coefficient is not None:
        yield "Coefficient", str(terms.coefficient)
    if terms.fee is not None:
        yield "Fee", str(terms.fee)
    if terms.contribution is not None:
        yield "Contribution", "yes" if terms.contribution else "no"
    if terms.at_least_lost_double is not None:
        yield "LostDouble", "yes" if terms.at_least_lost_double else "no"


def hand_lines(hands: tuple[tuple[Card, ...], ...] | tuple[Counts, ...], labels: Sequence[str]) -> list[str]:
    """See :func:`~shuangkou.rules.record.hand_lines`."""
    rows = [_groups(hand) for hand in hands]
    widths = [max(len(row[rank]) for row in rows) for rank in range(15)]
    kept = [rank for rank in range(15) if widths[rank]]
    lines = (" ".join([row[rank].ljust(widths[rank]) for rank in kept]) for row in rows)
    return [f"{label}: {line}".rstrip() for label, line in zip(labels, lines, strict=True)]


def _groups(hand: tuple[Card, ...] | Counts) -> list[str]:
    """The cards of each rank: ``7SSH``, or ``777`` without suits."""
    if isinstance(hand, int):
        return [RANKS[rank] * (hand >> 4 * rank & 15) for rank in range(15)]
    groups = [""] * 15
    for card in sorted(hand):
        text = str(card)
        groups[card.rank] += text[-1] if groups[card.rank] else text
    return groups


def _tricks(moves: Iterable[Entry]) -> list[str]:
    """One line a trick, numbered."""
    tricks: list[list[str]] = []
    for entry in moves:
        if entry.lead or not tricks:
            tricks.append([])
        tricks[-1].append(_move(entry))
    width = len(str(len(tricks)))
    return [f"{number:{width}}. {' '.join(trick)}" for number, trick in enumerate(tricks, 1)]


def _move(entry: Entry) -> str:
    cards = "".join(_groups(entry.cards)) if entry.cards else format_ranks(entry.counts) or "-"
    text = f"{'^' if entry.inherited else ''}{entry.seat}:{cards}"
    if entry.counted is not None:
        text += f"={entry.counted}"
    if entry.place is not None:
        text += f"#{entry.place}"
    for comment in entry.comments:
        text += " {" + _escaped(comment, _ODD_IN_COMMENTS) + "}"
    return text


def _header(name: str, value: str) -> str:
    return f'[{name} "{_escaped(value, _ODD_IN_QUOTES)}"]'


# Characters that nobody can see, or that end a line, are written as escapes: \n, \t, \u{200e}
_UNSEEN: Final = (
    "\\x00-\\x1f\\x7f-\\x9f\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ud800-\\udfff\\ufeff\\ufff9-\\uffff"
)
_ODD_IN_QUOTES: Final = re.compile(rf'["\\{_UNSEEN}]')
_ODD_IN_COMMENTS: Final = re.compile(rf"[}}\\{_UNSEEN}]")
_ESCAPES: Final = {"n": "\n", "t": "\t", '"': '"', "}": "}", "\\": "\\"}
_ESCAPED: Final = {character: f"\\{letter}" for letter, character in _ESCAPES.items()}


def _escaped(text: str, odd: re.Pattern[str]) -> str:
    return odd.sub(lambda found: _ESCAPED.get(found[0]) or f"\\u{{{ord(found[0]):x}}}", text)


# Reading


def scan(lines: Iterable[str]) -> Iterator[Record | RecordError]:
    """See :func:`~shuangkou.rules.record.scan_records`."""
    chunk: list[str] = []
    first, number, characters = 1, 0, 0
    for number, raw in enumerate(lines, 1):
        if not raw and not chunk:
            continue
        line = raw.removesuffix("\n").removesuffix("\r")
        if number == 1:
            line = line.removeprefix("\ufeff")
        if "Notation" in line and _BEGINNING.match(line):
            if chunk:
                yield _read_one(first, chunk)
            chunk, first, characters = [], number, 0
        elif not chunk and (characters > MOST_CHARACTERS or not line.strip(" \t")):
            continue
        elif not chunk:
            first = number
        characters += len(line) + 1
        if characters > MOST_CHARACTERS:
            yield RecordError(f"a record has at most {MOST_CHARACTERS} characters", first, 1, _FIRST_LINE)
            chunk = []
            continue
        chunk.append(line)
    if chunk:
        yield _read_one(first, chunk)


def _read_one(first: int, lines: list[str]) -> Record | RecordError:
    for number, line in enumerate(lines, first):
        if found := _NO_TEXT.search(line):
            code = ord(found[0])
            if code < 0x80:
                message, expected = f"a control character (U+{code:04X})", f"\\u{{{code:x}}} in quotes or a comment"
            else:
                message, expected = f"the byte {code - 0xDC00:02X} is no text in UTF-8", ""
            return RecordError(message, number, found.start() + 1, expected)
    try:
        return _Reader(first, lines).record()
    except RecordError as error:
        return error


_FIRST_LINE: Final = f'[Notation "{NOTATION}"]'
_NO_TEXT: Final = re.compile(r"[\x00-\x08\x0a-\x1f\x7f\udc80-\udcff]")  # the last: bytes that could not be decoded
_BEGINNING: Final = re.compile(r"[ \t]*\[[ \t]*Notation\b")
_SETTING: Final = re.compile(r"Set[ \t]+([A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*)[ \t]*=[ \t]*")
_QUOTED: Final = re.compile(r'"((?:[^"\\]|\\.)*+)"')
_COMMENT: Final = re.compile(r"\{((?:[^}\\]|\\u\{[0-9A-Fa-f]*+\}|\\.)*+)\}")
_ESCAPE: Final = re.compile(r'\\(?:([nt"}\\])|u\{([0-9A-Fa-f]{1,6})\})?')
_BLANK: Final = re.compile(r"[ \t]*")
_LABEL: Final = re.compile(r"([0-9]):[ \t]*")
_NUMBER: Final = re.compile(r"([0-9]{1,6})\.[ \t]*")
_MOVE: Final = re.compile(
    r"(\^)?([0-9]):(?:-|([3-9TJQKA2xXSHCD]+)(?:=([3-9TJQKA2xX]+))?(?:#([1-9]))?)(?=[ \t{]|$)",
)
_ENDING: Final = re.compile(r"([A-Z][a-z]+):[ \t]*")
_INTEGER: Final = re.compile(r"[+-]?[0-9]{1,40}")
_FACES: Final = re.compile(r"([3-9TJQKA2])([SHCD]+)|[xX]+|[ \t]+")
_RANKS_ONLY: Final = re.compile(r"[3-9TJQKA2xX]+")


class _Reader:
    """Reads the lines of one record; ``row`` and ``at`` say where it is."""

    def __init__(self, first: int, lines: list[str]) -> None:
        self.first = first
        self.lines = lines
        self.row = 0
        self.at = 0
        self.places: dict[str, Place] = {}
        self.facts: dict[str, str] = {}
        self.settings: dict[str, str] = {}
        self.headers: list[tuple[str, str]] = []

    # -- where we are

    @property
    def line(self) -> str:
        return self.lines[self.row]

    def fail(self, message: str, expected: str = "", at: int | None = None) -> NoReturn:
        raise RecordError(message, self.first + self.row, (self.at if at is None else at) + 1, expected)

    def unexpected(self, expected: str) -> NoReturn:
        """Fail at what stands here."""
        if self.row >= len(self.lines):  # say it of the last line that has anything
            self.row = len(self.lines) - 1
            while self.row and not self.line.strip(" \t"):
                self.row -= 1
            self.at = len(self.line)
            self.fail("the record ends here", expected)
        rest = self.line[self.at : self.at + 30]
        if not rest.strip(" \t"):
            self.fail("the line ends here", expected)
        word = rest.split()[0] if rest.split() else rest
        self.fail(f"unexpected {word!r}" if len(word) < 25 else f"unexpected {word[:24] + '...'!r}", expected)

    def mark(self, what: str) -> None:
        self.places[what] = Place(self.first + self.row, self.at + 1)

    def fail_at(self, what: str, message: str, expected: str = "") -> NoReturn:
        line, column = self.places.get(what, Place(self.first, 1))
        raise RecordError(message, line, column, expected)

    def ahead(self) -> bool:
        """Go to the next line that is not blank, and to the first thing in it; whether there is one."""
        while self.row < len(self.lines):
            self.blank()
            if self.at < len(self.line):
                return True
            self.row += 1
            self.at = 0
        return False

    def blank(self) -> None:
        found = _BLANK.match(self.line, self.at)
        assert found is not None
        self.at = found.end()

    def end_line(self, expected: str = "the end of the line") -> None:
        self.blank()
        if self.at < len(self.line):
            self.unexpected(expected)
        self.row += 1
        self.at = 0

    def match(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """Match here and go behind it."""
        found = pattern.match(self.line, self.at)
        if found is not None:
            self.at = found.end()
        return found

    # -- a record

    def record(self) -> Record:
        while self.ahead() and self.line[self.at] == "[":
            self.header()
        if "Notation" not in self.facts:
            self.row, self.at = 0, 0
            self.ahead()
            self.unexpected(_FIRST_LINE)
        variant = self.variant()
        leader = self.number("Leader", 0, 9)
        terms = self.terms(variant)
        hands = self.hands(variant)
        remarks, moves = self.body()
        result, fugitive, places, amounts = self.ending(variant, terms)
        if self.ahead():
            self.unexpected(f"the end of the record, or {_FIRST_LINE} of the next")
        return Record(
            variant=variant,
            headers=tuple(self.headers),
            terms=terms,
            seats=self.numbers("Seats", range(variant.players)),
            leader=leader,
            turned_up=self.turned_up(),
            twin=self.number("Twin", 0, 9) if "Twin" in self.facts else None,
            hands=hands,
            remarks=remarks,
            moves=moves,
            result=result,
            places=places,
            amounts=amounts,
            fugitive=fugitive,
            line=self.first,
            _at=self.places,
        )

    def header(self) -> None:
        self.at += 1
        self.blank()
        start = self.at
        if found := self.match(_SETTING):
            self.setting(found[1], start)
            return
        named = self.match(NAME)
        if named is None:
            self.unexpected("the name of a header")
        name = named[0]
        if not self.facts and name != "Notation":
            self.fail(f"the header {name} stands before the first line of a record", _FIRST_LINE, start)
        self.blank()
        if not self.line.startswith('"', self.at):
            self.unexpected("a field and its value: [Set bomb.max_width = 8]" if name == "Set" else "a value in quotes")
        self.places.setdefault(name, Place(self.first + self.row, self.at + 1))
        value = self.text(_QUOTED, "the quote is not closed", '"')
        self.blank()
        if not self.line.startswith("]", self.at):
            self.unexpected("]")
        self.at += 1
        if name in self.facts:
            self.fail(f"the header {name} stands here a second time", "", start)
        if name == "Notation" and value != str(NOTATION):
            self.fail_at(name, f"no notation {_short(value)} is known", f'"{NOTATION}"')
        if name in FACTS:
            self.facts[name] = value
        else:
            self.headers.append((name, value))
        self.end_line()

    def setting(self, name: str, start: int) -> None:
        if not self.facts:
            self.fail("a setting stands before the first line of a record", _FIRST_LINE, start)
        end = self.line.rstrip(" \t")
        if not end.endswith("]") or len(end) <= self.at:
            self.at = len(end)
            self.unexpected("]")
        if name in self.settings:
            self.fail(f"the field {name} is set a second time", "", start)
        self.mark(f"Set {name}")
        self.settings[name] = end[self.at : -1].rstrip(" \t")
        self.row += 1
        self.at = 0

    def text(self, pattern: re.Pattern[str], unclosed: str, closing: str) -> str:
        """What stands in quotes or braces here, its escapes resolved."""
        start = self.at + 1
        found = self.match(pattern)
        if found is None:
            self.fail(unclosed, f"{closing} on the same line")
        inside = found[1]
        if "\\" not in inside:
            return inside

        def character(escape: re.Match[str]) -> str:
            letter, code = escape[1], escape[2]
            if letter is not None:
                return _ESCAPES[letter]
            if code is None or int(code, 16) > 0x10FFFF:
                self.fail("no such escape", r"\n, \t, \\, \", \} or \u{...}", start + escape.start())
            return chr(int(code, 16))

        return _ESCAPE.sub(character, inside)

    # -- the facts of the headers

    def fact(self, name: str) -> str:
        if name not in self.facts:
            self.unexpected(f"the header [{name} ...]")
        return self.facts[name]

    def number(self, name: str, low: int, high: int) -> int:
        text = self.fact(name)
        if not _INTEGER.fullmatch(text) or not low <= int(text) <= high:
            self.fail_at(name, f"{_short(text)} is no such number", f"a number from {low} to {high}")
        return int(text)

    def numbers(self, name: str, default: Iterable[int]) -> tuple[int, ...]:
        text = self.facts.get(name)
        if text is None:
            return tuple(default)
        words = text.split()
        if not words or not all(map(_INTEGER.fullmatch, words)):
            self.fail_at(name, f"{_short(text)} are no numbers", "numbers with spaces between them")
        return tuple(map(int, words))

    def flag(self, name: str) -> bool | None:
        text = self.facts.get(name)
        if text not in ("yes", "no", None):
            self.fail_at(name, f"{_short(text)} is neither", '"yes" or "no"')
        return None if text is None else text == "yes"

    def variant(self) -> Variant:
        base = self.fact("Variant")
        try:
            return _variant(base, tuple(self.settings.items()))
        except UnknownVariant:
            self.fail_at("Variant", f"no variant {_short(base)}", f"one of {', '.join(variant_ids())}")
        except VariantError as error:
            wrong = error.mistakes[0]
            field = wrong.field.replace('"', "")
            named = [name for name in self.settings if f"{field}.".startswith(f"{name}.")]
            where = f"Set {named[0]}" if named else next((f"Set {name}" for name in self.settings), "Variant")
            self.fail_at(where, f"{wrong.field}: {wrong.message}" if wrong.field else wrong.message, wrong.allowed)

    def terms(self, variant: Variant) -> Terms:
        plays_for = self.facts.get("For", "nothing")
        known: tuple[PlaysFor, ...] = get_args(PlaysFor)
        if plays_for not in known:
            self.fail_at("For", f"nobody plays for {_short(plays_for)}", f"one of {', '.join(known)}")
        balances = self.numbers("Balances", ()) if "Balances" in self.facts else None
        if balances is not None and len(balances) != variant.players:
            self.fail_at("Balances", f"{len(balances)} balances", f"one for each of {variant.players} seats")
        most = 10**18
        return Terms(
            plays_for=plays_for,
            edition=self.facts.get("Edition"),
            balances=balances,
            coefficient=self.number("Coefficient", 0, most) if "Coefficient" in self.facts else None,
            fee=self.number("Fee", 0, most) if "Fee" in self.facts else None,
            contribution=self.flag("Contribution"),
            at_least_lost_double=self.flag("LostDouble"),
        )

    def turned_up(self) -> Card | None:
        text = self.facts.get("TurnedUp")
        try:
            return None if text is None else Card.parse(text)
        except BadCards as error:
            self.fail_at("TurnedUp", _short_message(error))

    # -- hands

    def hands(self, variant: Variant) -> tuple[tuple[Card, ...], ...] | tuple[Counts, ...]:
        faces = self.flag("Faces") is not False
        with_faces: list[tuple[Card, ...]] = []
        counts: list[Counts] = []
        for seat in range(variant.players):
            expected = f"the hand of seat {seat}: {seat}: ..."
            if not self.ahead():
                self.unexpected(expected)
            start = self.at
            label = self.match(_LABEL)
            if label is None or int(label[1]) != seat:
                self.at = start
                self.unexpected(expected)
            self.mark(f"Hand{seat}")
            text = self.line[self.at :]
            if not text.strip(" \t"):
                self.unexpected("cards")
            if faces:
                with_faces.append(self.faces(text, self.at))
            else:
                counts.append(self.ranks("".join(text.split()), self.at))
            self.row += 1
            self.at = 0
        return tuple(with_faces) if faces else tuple(counts)

    def faces(self, text: str, start: int) -> tuple[Card, ...]:
        """Cards with suits: ``7SSH 8C x``, or each by itself: ``7S 7S 7H 8C x``."""
        words: list[str] = []
        at = 0
        while at < len(text):
            found = _FACES.match(text, at)
            if found is None:
                rank = text[at] in RANKS[:SMALL]
                message = f"{text[at]!r} has no suit" if rank else f"{text[at]!r} is no card"
                self.fail(message, 'suits of S, H, C, D behind a rank (or the header [Faces "no"])', start + at)
            if found[1]:
                words += [found[1] + suit for suit in found[2]]
            else:
                words.append(found[0])
            at = found.end()
        try:
            return parse_cards(" ".join(words))
        except BadCards as error:
            self.fail(_short_message(error), "", start)

    def ranks(self, text: str, start: int) -> Counts:
        try:
            return _counts(text)
        except BadCards as error:
            self.fail(_short_message(error), "", start)

    # -- moves

    def body(self) -> tuple[tuple[str, ...], tuple[Entry, ...]]:
        remarks: list[str] = []
        moves: list[Entry] = []
        tricks = 0
        while self.ahead():
            if self.line[self.at] == "{":
                comments = self.comments()
                if moves:
                    moves[-1] = replace(moves[-1], comments=(*moves[-1].comments, *comments))
                else:
                    remarks += comments
                self.end_line("another comment, or the end of the line")
                continue
            start = self.at
            number = self.match(_NUMBER)
            if number is None:
                break
            tricks += 1
            if int(number[1]) != tricks:
                self.fail(f"trick {int(number[1])} after trick {tricks - 1}", f"{tricks}.", start)
            before = len(moves)
            while self.at < len(self.line):
                moves.append(self.move(lead=len(moves) == before))
            if len(moves) == before:
                self.unexpected("a move, such as 0:777")
            self.row += 1
            self.at = 0
        return tuple(remarks), tuple(moves)

    def comments(self) -> tuple[str, ...]:
        found = []
        while self.at < len(self.line) and self.line[self.at] == "{":
            found.append(self.text(_COMMENT, "the comment is not closed", "}"))
            self.blank()
        return tuple(found)

    def move(self, *, lead: bool) -> Entry:
        start = self.at
        found = self.match(_MOVE)
        if found is None:
            self.no_move()
        inherited, seat, text, counted, place = found.groups()
        cards: tuple[Card, ...] = ()
        counts = 0
        shape = None
        if text is not None:
            if _RANKS_ONLY.fullmatch(text):
                counts = self.ranks(text, found.start(3))
            else:
                cards = self.faces(text, found.start(3))
                counts = sum([ONE[card.rank] for card in cards])
            if counted is not None:
                shape = Shape.parse(counted)
                if shape is None:
                    message = f"{_short(counted)} is no combination"
                    self.fail(message, "the cards that the play counts as, such as =77777", found.start(4))
        self.blank()
        return Entry(
            int(seat),
            counts,
            cards,
            shape,
            lead,
            inherited is not None,
            None if place is None else int(place),
            self.comments(),
            self.first + self.row,
            start + 1,
        )

    def no_move(self) -> NoReturn:
        """Say of which part of a move something else stands here."""
        if self.match(re.compile(r"\^")):
            expected = "a seat, such as 0:"
        else:
            expected = "a move, such as 0:777"
        if not self.match(_LABEL):
            self.unexpected(expected)
        if not self.match(re.compile(r"-|[3-9TJQKA2xXSHCD]+")):
            self.unexpected("cards, or - for a pass")
        if self.line[self.at - 1] == "-":
            self.unexpected("a space and the next move behind a pass")
        if self.match(re.compile("=")) and not self.match(_RANKS_ONLY):
            self.unexpected("the cards that the play counts as, such as =77777")
        if self.match(re.compile("#")) and not self.match(re.compile("[1-9]")):
            self.unexpected("a place from 1 to 9")
        self.unexpected("a space and the next move")

    # -- the end

    def ending(
        self, variant: Variant, terms: Terms
    ) -> tuple[Result | None, int | None, tuple[int, ...], tuple[int, ...]]:
        expected = "a trick, a comment, or the end: *, Result: or Escape:"
        if not self.ahead():
            self.unexpected(expected)
        self.mark("End")
        if self.line[self.at] == "*":
            self.at += 1
            self.end_line()
            return None, None, (), ()
        label = self.label()
        if label == "Result":
            text = self.word()
            results: tuple[Result, ...] = get_args(Result)
            result = next((known for known in results if known == text), None)
            if result is None:
                self.fail(f"{_short(text)} is no result", "double, single or level", self.at - len(text))
            self.end_line()
            if not self.ahead() or not self.line.startswith("Places:", self.at):
                self.unexpected("Places: and the seats by place")
            self.label()
            self.mark("Places")
            places = self.integers(variant.players)
            return result, None, places, self.amounts(variant, terms)
        if label != "Escape":
            self.unexpected(expected)
        (fugitive,) = self.integers(1)
        return None, fugitive, (), self.amounts(variant, terms)

    def label(self) -> str:
        """The word before a colon here; stays where it is if there is none."""
        found = _ENDING.match(self.line, self.at)
        if found is None or found[1] not in ("Result", "Places", "Escape", *UNITS.values()):
            return ""
        self.at = found.end()
        return found[1]

    def word(self) -> str:
        found = self.match(re.compile(r"[^ \t]*"))
        return "" if found is None else found[0]

    def integers(self, many: int) -> tuple[int, ...]:
        found: list[int] = []
        expected = f"{many} numbers" if many > 1 else "a number"
        while len(found) < many:
            self.blank()
            number = self.match(_INTEGER)
            if number is None or (self.at < len(self.line) and self.line[self.at] not in " \t"):
                self.unexpected(expected)
            found.append(int(number[0]))
        self.end_line(f"no more than {expected}")
        return tuple(found)

    def amounts(self, variant: Variant, terms: Terms) -> tuple[int, ...]:
        if not self.ahead():
            return ()
        start = self.at
        label = self.label()
        if not label:
            return ()
        if label != UNITS.get(terms.plays_for):
            if label not in UNITS.values():
                self.at = start
                self.unexpected("the end of the record")
            self.fail(f"the deal is played for {terms.plays_for}, not for {label.lower()}", "", start)
        self.mark("Amounts")
        return self.integers(variant.players)


_counts: Final = lru_cache(maxsize=4096)(parse_ranks)


@lru_cache(maxsize=64)
def _variant(base: str, settings: tuple[tuple[str, str], ...]) -> Variant:
    values: dict[str, Value] = {}
    for name, text in settings:
        try:
            values[name] = parse_value(text)
        except VariantError as error:
            raise VariantError([replace(error.mistakes[0], field=name)]) from None
    variant = load_variant(base)
    return with_settings(variant, values) if values else variant


def _short(text: str | None) -> str:
    shown = repr(text)
    return shown if len(shown) <= 40 else f"{shown[:36]}...'"


def _short_message(error: Exception) -> str:
    text = str(error)
    return text if len(text) <= 200 else f"{text[:196]}..."
