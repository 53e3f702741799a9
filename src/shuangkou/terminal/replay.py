"""`shuangkou replay` on a terminal: steps through the deals of a file, all hands shown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from shuangkou.rules.cards import size
from shuangkou.rules.deal import Deal
from shuangkou.rules.errors import RecordError, SettlementError
from shuangkou.rules.explain import COLUMNS, columns
from shuangkou.rules.record import Record
from shuangkou.rules.view import ALL, View
from shuangkou.rules.words import RESULT, Language
from shuangkou.terminal.console import Console, Line, Redraw, pad, paragraph
from shuangkou.terminal.screen import Painter, cards_words, hand_lines, tricks
from shuangkou.terminal.words import place_name, say

_KEYS: Final = {
    "right": "next", "n": "next", " ": "next", "enter": "next",
    "left": "back", "b": "back", "\x7f": "back", "\x08": "back",
    "down": "next trick", "]": "next trick", "pagedown": "next trick",
    "up": "last trick", "[": "last trick", "pageup": "last trick",
    "home": "start", "0": "start",
    "end": "end", "$": "end",
    "N": "next deal", "P": "last deal",
    "g": "go", "q": "quit", "Q": "quit", "escape": "quit",
}  # fmt: skip


class _Course:
    """One deal of the file: every state that can be reached, and what is wrong behind the last one."""

    def __init__(self, record: Record) -> None:
        self.record = record
        self.states: list[Deal] = []
        self.error: RecordError | None = None
        try:
            self.states.extend(record.deals())
        except RecordError as error:
            self.error = error

    def starts(self) -> list[int]:
        """How many moves were made before each trick, and all of them."""
        if not self.states:
            return [0]
        first, last = self.states[0], self.states[-1]
        found, made = [], 0
        for trick in tricks(last.moves, [size(hand) for hand in first.start_hands]):
            found.append(made)
            made += len(trick)
        return [*found, made]


class _ReplayPainter(Painter):
    """Draws a deal of which everything is seen."""

    def __init__(self, record: Record, language: Language) -> None:
        super().__init__(language)
        n = record.variant.players
        names = [_plain(record.header(f"Player{player}")) for player in range(n)]
        self._players = [name or say("seat", language, n=record.seats.index(i)) for i, name in enumerate(names)]

    def players(self) -> Sequence[str]:
        return self._players


class Replay:
    """Where one is in a file: a deal, and how many of its moves are made."""

    def __init__(self, found: Iterator[Record | RecordError], console: Console, language: Language) -> None:
        self._more = found
        self._found: list[_Course | RecordError] = []
        self.console = console
        self.language = language
        self.deal = -1
        self.move = 0
        self.note = ""

    def say(self, key: str, **values: object) -> str:
        return say(key, self.language, **values)

    def run(self) -> bool:
        """Step through the file until the person leaves; False if it holds no deal at all."""
        if not self._open(0):
            return False
        with self.console.session():
            try:
                while self._do(self._asked()):
                    pass
            except (KeyboardInterrupt, EOFError):
                pass
        return True

    # -- moving

    def _open(self, deal: int) -> bool:
        """Go to the beginning of a deal; whether there is one."""
        while deal >= len(self._found):
            record = next(self._more, None)
            if record is None:
                return False
            self._found.append(record if isinstance(record, RecordError) else _Course(record))
        if deal < 0:
            return False
        self.deal, self.move = deal, 0
        return True

    @property
    def _course(self) -> _Course | None:
        found = self._found[self.deal]
        return None if isinstance(found, RecordError) or not found.states else found

    @property
    def _last(self) -> int:
        return 0 if self._course is None else len(self._course.states) - 1

    def _asked(self) -> str:
        self.console.fit(switch=False)
        frame = self._frame(self.console.rows - 1) if self.console.fits else [Line(self.say("too_small"))]
        self.console.show(frame)
        try:
            key = self.console.key()
        except Redraw:
            return ""
        self.note = ""
        return _KEYS.get(key, "")

    def _do(self, what: str) -> bool:
        starts = [0] if self._course is None else self._course.starts()
        if what == "next":
            self.move = min(self._last, self.move + 1)
        elif what == "back":
            self.move = max(0, self.move - 1)
        elif what == "next trick":
            self.move = next((at for at in starts if at > self.move), self._last)
        elif what == "last trick":
            self.move = next((at for at in reversed(starts) if at < self.move), 0)
        elif what == "start":
            self.move = 0
        elif what == "end":
            self.move = self._last
        elif what == "next deal":
            self.note = "" if self._open(self.deal + 1) else self.say("replay_no_deal")
        elif what == "last deal":
            self.note = "" if self._open(self.deal - 1) else self.say("replay_no_deal")
        elif what == "go":
            self._go()
        return what != "quit"

    def _go(self) -> None:
        try:
            text = self.console.ask(self.say("replay_ask", n=self._last)).strip()
        except (KeyboardInterrupt, Redraw):
            return
        if text.isascii() and text.isdigit() and int(text[:9]) <= self._last:
            self.move = int(text)
        elif text:
            self.note = self.say("replay_no_move", text=text[:20], n=self._last)

    # -- drawing

    def _frame(self, rows: int) -> list[Line]:
        found = self._found[self.deal]
        foot = [Line(" " + self.note, "yellow").fit(COLUMNS - 1), Line(" " + self.say("replay_keys"), "dim")]
        if isinstance(found, RecordError) or not found.states:
            error = found if isinstance(found, RecordError) else found.error
            lines = [Line(" ").add(self.say("deal_number", n=self.deal + 1), "bold"), Line()]
            lines += paragraph(str(error), "red")
        else:
            lines = self._state(found, rows - len(foot))
        lines = lines[: rows - len(foot)]
        return [*lines, *[Line()] * (rows - len(foot) - len(lines)), *foot]

    def _state(self, course: _Course, rows: int) -> list[Line]:
        deal = course.states[self.move]
        painter = _ReplayPainter(course.record, self.language)
        seen = View.of(deal, ALL)
        v = seen.variant
        name = v.name.zh if self.language == "zh" else v.name.en
        head = Line(" ").add(name, "bold")
        head.add(f"  {self.say('deal_number', n=self.deal + 1)}")
        head.add(f"  {self.say('replay_move', i=self.move, n=self._last)}")
        date = _plain(course.record.header("Date"))
        if date and head.width + 2 + columns(date) < COLUMNS:
            head.to(COLUMNS - 2 - columns(date)).add(date, "dim")
        rule = Line(" " + "-" * (COLUMNS - 2), "dim")
        lines = [head, rule]
        column = min(14, max(6, *(columns(painter.name(seen, seat)) for seat in range(deal.players))) + 2)
        for seat in range(deal.players):
            lines += self._seat(painter, seen, seat, column)
        lines.append(rule)
        up = painter.turned_up(seen)
        if up:
            lines += paragraph(up)
        made = tricks(seen.moves, [size(hand) for hand in deal.start_hands])
        tail = self._end(painter, course, deal) if self.move == self._last else []
        room = rows - len(lines) - len(tail) - 1
        if made:
            lines.append(Line(f" {self.say('trick', n=len(made))}", "dim"))
            lines += [painter.move(seen, move) for move in made[-1][-max(0, room) :]]
        else:
            lines.append(Line(f" {self.say('nothing_played')}", "dim"))
        return lines + tail

    def _seat(self, painter: Painter, seen: View, seat: int, column: int) -> list[Line]:
        turn = seat == seen.to_move
        row = Line(" > " if turn else "   ", "bold yellow").add(pad(painter.name(seen, seat), column), "bold")
        if seat in seen.out:
            place = place_name(seen.out.index(seat) + 1, self.language)
            return [row.add(place if self.language == "zh" else f"out {place}", "yellow"), Line()]
        row.add(cards_words(seen.left[seat], self.language))
        hand = seen.hands[seat]
        assert hand is not None
        return [row, *hand_lines(seen.variant, hand, "rank", self.language)[:1]]

    def _end(self, painter: Painter, course: _Course, deal: Deal) -> list[Line]:
        """What is said behind the last move: the result and the settlement, or that something is wrong."""
        record = course.record
        if course.error is not None:
            return paragraph(str(course.error), "red")
        if deal.result is None and record.fugitive is None:
            return paragraph(self.say("replay_running"), "yellow")
        lines = []
        if deal.result is not None:
            result = RESULT[deal.result][self.language]
            lines += paragraph(self.say("replay_end", result=result), "bold yellow")
        try:
            settlement = record.terms.settlement(deal, record.fugitive)
        except SettlementError as error:
            return lines + paragraph(str(error), "red")
        if settlement is not None:
            for text in settlement.texts(self.language, painter.names(deal.seats)):
                lines += paragraph(text, indent="   ")
        return lines


def _plain(text: str) -> str:
    """A text of a file on one line, short, with nothing that moves a cursor."""
    shown = "".join([ch if ch.isprintable() else "?" for ch in text])
    return shown if len(shown) <= 20 else shown[:18] + ".."
