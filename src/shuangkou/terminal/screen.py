"""What a screen shows: a view as lines. Nothing here sees more of a running deal than the view holds."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import Final, Literal

from shuangkou.rules.cards import ACE, BIG, ONE, RANKS, SMALL, TWO, Counts, count, format_ranks, size
from shuangkou.rules.catalogue import Catalogue
from shuangkou.rules.combination import KINDS, Reading
from shuangkou.rules.deal import Move
from shuangkou.rules.explain import COLUMNS, columns, wrap
from shuangkou.rules.reading import Play
from shuangkou.rules.variant import Variant
from shuangkou.rules.view import View
from shuangkou.rules.words import KIND, PASSED, RESULT, UNIT, Language, describe, rank_name
from shuangkou.terminal.console import Line, pad, paragraph
from shuangkou.terminal.match import PERSON, Booked, Match
from shuangkou.terminal.words import NAMES, RELATION, card_name, place_name, say, signed

Sorting = Literal["rank", "kind"]

_RULE: Final = "-" * (COLUMNS - 2)


# -- cards and plays in words


def is_wild(variant: Variant, rank: int) -> bool:
    """Whether a card of this rank is a wild card (R3.1)."""
    jokers = variant.wild.jokers
    return jokers != "none" if rank == BIG else rank == SMALL and jokers == "all"


def stands_for(cat: Catalogue, counts: Counts, reading: Reading) -> tuple[list[int], int]:
    """What the wild cards of a play stand for: ranks, one for each, and how many are a chain's surplus (R3.2)."""
    if not reading.wild or reading.kind == "jokers":
        return [], 0
    c = reading.combination
    if c.start >= SMALL:
        return [c.top] * (reading.width - count(counts, c.top)), 0
    ranks = [r % (TWO + 1) for r in range(c.start, c.start + c.groups)]
    missing = [r for r in ranks for _ in range(max(0, c.width - count(counts, r)))]
    jokers = sum(count(counts, rank) for rank in (SMALL, BIG) if is_wild(cat.variant, rank))
    return missing, max(0, jokers - len(missing)) if reading.unequal else 0


def play_words(cat: Catalogue, counts: Counts, reading: Reading, language: Language) -> str:
    """A play in full: ``7777X 炸弹 7（5 星）财神当 7``."""
    plain = reading.kind in ("single", "pair", "triple") and not reading.wild
    words = KIND[reading.kind][language] if plain else describe(reading, language)
    wild = wild_words(cat, counts, reading, language)
    return f"{format_ranks(counts)}  {words}" + (f"{'，' if language == 'zh' else ', '}{wild}" if wild else "")


def wild_words(cat: Catalogue, counts: Counts, reading: Reading, language: Language) -> str:
    """What the wild cards of a play stand for; empty where there are none."""
    ranks, surplus = stands_for(cat, counts, reading)
    joint = "、" if language == "zh" else " "
    if ranks:
        text = say("wild_as", language, ranks=joint.join(rank_name(r) for r in ranks))
        return text + (say("and_more", language) if surplus else "")
    return say("wild_more", language) if surplus else ""


def cards_words(n: int, language: Language) -> str:
    return say("card_left" if n == 1 else "cards_left", language, n=n)


# -- a hand


def _rank_text(variant: Variant, rank: int, n: int, language: Language) -> str:
    mark = say("wild_mark", language) if is_wild(variant, rank) else ""
    return RANKS[rank] * n + mark


def _rank_style(variant: Variant, rank: int, n: int) -> str:
    if is_wild(variant, rank):
        return "bold magenta"
    return "bold red" if n >= 4 else "cyan" if rank >= SMALL else "bold"


def hand_lines(variant: Variant, hand: Counts, sorting: Sorting, language: Language, width: int = 76) -> list[Line]:
    """The hand by rank, low to high, or in combinations; wild cards are marked."""
    words: list[tuple[str, str]] = []
    if sorting == "rank":
        for rank in range(15):
            n = count(hand, rank)
            if n:
                words.append((_rank_text(variant, rank, n, language), _rank_style(variant, rank, n)))
    else:
        for kind, groups in _groups(variant, hand):
            label = say(kind, language) if kind in ("bombs", "jokers") else KIND[kind][language]
            words.append((label, "dim"))
            for counts in groups:
                text = "".join(
                    _rank_text(variant, r, count(counts, r), language) for r in range(15) if count(counts, r)
                )
                words.append((text, "bold red" if kind == "bombs" else "bold magenta" if kind == "jokers" else "bold"))
    lines = [Line("  ")]
    for i, (text, style) in enumerate(words):
        ahead = text if style != "dim" else f"{text} {words[i + 1][0]}"  # a label stays with its first group
        if lines[-1].width + columns(ahead) > width:
            lines.append(Line("  "))
        elif style == "dim" and lines[-1].text.strip():
            lines[-1].add("  ")
        lines[-1].add(text, style).add(" " if style == "dim" else "  ")
    return lines


def _groups(variant: Variant, hand: Counts) -> list[tuple[str, list[Counts]]]:
    """A hand taken apart for the eye: bombs, runs, and what is left over."""
    left = [count(hand, rank) for rank in range(TWO + 1)]
    found: dict[str, list[Counts]] = {kind: [] for kind in ("bombs", *KINDS, "jokers")}

    def take(kind: str, ranks: Sequence[int], n: int) -> None:
        found[kind].append(sum([n * ONE[r] for r in ranks]))
        for r in ranks:
            left[r] -= n

    for rank in range(TWO + 1):
        if left[rank] >= 4:
            take("bombs", [rank], left[rank])
    for kind, run, n in (("triple_run", variant.triple_run, 3), ("pair_run", variant.pair_run, 2)):
        for ranks in _runs([r for r in range(ACE + 1) if left[r] == n]):
            if len(ranks) >= run.min_ranks:
                take(kind, ranks[: run.max_ranks], n)
    for run_of_ranks in _runs([r for r in range(ACE + 1) if left[r]]):
        ranks = run_of_ranks
        while len(ranks) > variant.straight.min_ranks and left[ranks[0]] > 1:
            ranks = ranks[1:]
        while len(ranks) > variant.straight.min_ranks and left[ranks[-1]] > 1:
            ranks = ranks[:-1]
        alone = sum(left[r] == 1 for r in ranks)
        if len(ranks) >= variant.straight.min_ranks and 3 * alone >= 2 * len(ranks):
            take("straight", ranks[: variant.straight.max_ranks], 1)
    for n, kind in ((3, "triple"), (2, "pair"), (1, "single")):
        for rank in range(TWO + 1):
            if left[rank] == n:
                take(kind, [rank], n)
    found["jokers"] = [count(hand, r) * ONE[r] for r in (SMALL, BIG) if count(hand, r)]
    order = ("bombs", "triple_run", "pair_run", "straight", "triple", "pair", "single", "jokers")
    return [(kind, found[kind]) for kind in order if found[kind]]


def _runs(ranks: Sequence[int]) -> list[list[int]]:
    runs: list[list[int]] = []
    for rank in ranks:
        if runs and runs[-1][-1] == rank - 1:
            runs[-1].append(rank)
        else:
            runs.append([rank])
    return runs


# -- tricks


def tricks(moves: Sequence[Move], sizes: Sequence[int]) -> list[list[Move]]:
    """The moves, trick by trick. ``sizes``: how many cards each seat was dealt."""
    found: list[list[Move]] = []
    left = list(sizes)
    waiting = 0
    for move in moves:
        if not waiting:
            found.append([])
        found[-1].append(move)
        if move.reading is None:
            waiting -= 1
        else:
            left[move.seat] -= size(move.counts)
            waiting = sum(1 for seat, n in enumerate(left) if n and seat != move.seat)
    return found


def view_tricks(view: View) -> list[list[Move]]:
    sizes = list(view.left)
    for move in view.moves:
        sizes[move.seat] += size(move.counts)
    return tricks(view.moves, sizes)


class Painter:
    """Draws deals in a language.

    Attributes:
        person: the player who looks on and is "you"; None where nobody plays.
    """

    person: int | None = None

    def __init__(self, language: Language) -> None:
        self.language = language

    # -- names

    def say(self, key: str, **values: object) -> str:
        return say(key, self.language, **values)

    def players(self) -> Sequence[str]:
        """The players' names."""
        return NAMES[self.language]

    def names(self, seats: Sequence[int]) -> list[str]:
        """The players' names by seat."""
        return [self.players()[player] for player in seats]

    def name(self, view: View, seat: int, *, inside: bool = False) -> str:
        """A player's name; ``inside`` a sentence the person is a small "you"."""
        player = view.seats[seat]
        name = self.players()[player]
        return name.lower() if inside and player == self.person and self.language == "en" else name

    def names_joined(self, names: Sequence[str]) -> str:
        return self.say("both", a=names[0], b=names[1])

    # -- parts of a table

    def _move_words(self, view: View, move: Move, room: int) -> str:
        if move.reading is None:
            return PASSED[self.language]
        full = play_words(view.catalogue, move.counts, move.reading, self.language)
        if columns(full) <= room:
            return full
        short = f"{format_ranks(move.counts)}  {KIND[move.reading.kind][self.language]}"
        return short if columns(short) <= room else format_ranks(move.counts)

    def to_beat(self, view: View) -> str:
        """What the seat to move faces, or what everybody waits for."""
        mover = view.to_move
        if view.table is None:
            if mover is None:
                return ""
            if not view.my_turn:
                return self.say("leads_now", name=self.name(view, mover))
            if view.inherited:
                return self.say("your_inherited", name=self.name(view, (mover + 2) % 4))
            return self.say("your_lead")
        assert view.table_seat is not None
        counts = next(m.counts for m in reversed(view.moves) if m.reading is not None)
        play = play_words(view.catalogue, counts, view.table, self.language)
        if view.table_seat == view.seat:
            return self.say("own_to_beat", play=play)
        name = self.name(view, view.table_seat)
        if view.table_seat == view.partner():
            name = self.say("partner_of", name=name)
        return self.say("to_beat" if view.my_turn else "on_table", name=name, play=play)

    def turned_up(self, view: View) -> str:
        """The turned-up card and who holds it and its twin (R5.7); empty where there is none."""
        if view.turned_up is None:
            return ""
        text = self.say("turned_up", card=card_name(view.turned_up, self.language))
        up, twin = view.turned_up_with, view.twin_with

        def holds(seat: int) -> dict[str, str]:
            mine = view.seats[seat] == self.person
            return {
                "name": self.name(view, seat, inside=True),
                "has": self.say("has_you" if mine else "has"),
            }

        if up is not None and up == twin:
            return text + self.say("both_up", **holds(up))
        text += self.say("gone_up") if up is None else self.say("with_up", **holds(up))
        if len(view.left) == 4:
            text += self.say("gone_twin") if twin is None else self.say("with_twin", **holds(twin))
        return text

    def move(self, view: View, move: Move, *, note: str = "") -> Line:
        """One line of the log."""
        line = Line(" ")
        if note:
            line.add(note, "yellow")
        partner = len(view.left) == 4 and view.seat is not None and (move.seat - view.seat) % 4 == 2
        line.add(self.name(view, move.seat), "green" if partner else "")
        line.add("：" if self.language == "zh" else ": ")
        if move.reading is None:
            return line.add(PASSED[self.language], "dim")
        style = "bold red" if move.reading.is_bomb else "bold"
        return line.add(play_words(view.catalogue, move.counts, move.reading, self.language), style)

    def history(self, view: View) -> list[Line]:
        """A deal trick by trick."""
        lines: list[Line] = []
        for number, trick in enumerate(view_tricks(view), 1):
            lines.append(Line(f" {self.say('trick', n=number)}", "dim"))
            passed: list[str] = []
            for move in trick:
                if move.reading is None:
                    passed.append(self.name(view, move.seat))
                    continue
                if passed:
                    lines.append(self._passes(passed))
                    passed = []
                lines.append(Line("  ").add(self.move(view, move).text))
            if passed:
                lines.append(self._passes(passed))
        return lines or [Line(f" {self.say('nothing_played')}")]

    def _passes(self, names: Sequence[str]) -> Line:
        joint = "、" if self.language == "zh" else ", "
        colon = "：" if self.language == "zh" else ": "
        return Line(f"   {joint.join(names)}{colon}{PASSED[self.language]}", "dim")


class TablePainter(Painter):
    """Draws a match for its person."""

    person = PERSON

    def __init__(self, match: Match, language: Language) -> None:
        super().__init__(language)
        self.match = match
        self.sorting: Sorting = "rank"

    # -- parts of the table

    def header(self, *, auto: bool = False) -> Line:
        match = self.match
        v = match.terms.variant
        name = v.name.zh if self.language == "zh" else v.name.en
        parts = [UNIT[match.terms.unit][self.language], self.say("deal_number", n=match.number)]
        level = match.stake()
        if level is not None:
            parts.append(self.say("stake", stake=level.stake))
        line = Line(" ").add(name, "bold").add("  " + "  ".join(parts))
        if auto:
            line.add("  ").add(f"[{self.say('dealing_auto')}]", "yellow")
        shown = self.standings()
        room = COLUMNS - 2 - columns(shown)
        return line.to(room).add(shown, "dim") if line.width + 2 <= room else line

    def standings(self) -> str:
        """Who has how much, in one line."""
        match = self.match
        names = NAMES[self.language]
        plain = match.terms.edition is not None
        return "  ".join(f"{names[p]} {b if plain else signed(b)}" for p, b in enumerate(match.balances))

    def seat_rows(self, view: View) -> list[Line]:
        """A row for each seat in turn order, the own one last."""
        n = len(view.left)
        me = view.seat if view.seat is not None else 0
        played = view_tricks(view)
        current = played[-1] if played else []
        last = {move.seat: move for move in current}
        rows = []
        for k in (*range(1, n), 0):
            seat = (me + k) % n
            turn = seat == view.to_move
            partner = n == 4 and k == 2
            row = Line(" > " if turn else "   ", "bold yellow")
            row.add(pad(self.name(view, seat), 6), "bold green" if partner or not k else "bold")
            row.add(pad(RELATION[self.language][n][k], 10), "green" if partner else "")
            if seat in view.out:
                place = place_name(view.out.index(seat) + 1, self.language)
                row.add(pad(place if self.language == "zh" else f"out {place}", 13), "yellow")
            else:
                few = view.left[seat] <= 5
                row.add(pad(cards_words(view.left[seat], self.language), 13), "bold yellow" if few else "")
            move = last.get(seat)
            if move is not None:
                done = view.table is None
                row.add(self._move_words(view, move, COLUMNS - 2 - row.width), "dim" if done else "")
            rows.append(row)
        return rows

    def worth(self, view: View) -> list[str]:
        """Doubling and contributions so far, one or two lines."""
        match = self.match
        me = view.seat if view.seat is not None else 0
        lines = []
        points = match.terms.variant.points
        if points is None:
            parts = []
            for seat in (me, 1 - me):
                f = match.foresight(view, seat)
                name = self.name(view, seat)
                if f.stars:
                    values = {"stars": self.say("stars", n=f.stars), "b": f"x{f.doubling}", "c": f.contribution}
                    parts.append(self.say("counted_of", name=name, **values))
                else:
                    parts.append(f"{name} {self.say('none_yet')}")
            return [f"{self.say('counted')}  {'   '.join(parts)}"]
        text = ""
        if points.doubling:
            sides = [("us", me), ("them", (me + 1) % 4)]
            if view.out:
                sides = [side for side in sides if (side[1] - view.out[0]) % 2 == 0]
            parts = []
            for key, seat in sides:
                f = match.foresight(view, seat)
                stars = f" ({self.say('stars', n=f.stars)})" if f.doubling > 1 else ""
                parts.append(f"{self.say(key)} x{f.doubling}{stars}")
            text = f"{self.say('doubling')}  {'  '.join(parts)}"
            if not view.out:
                text += " " + self.say("if_first")
            lines.append(text)
        given = match.contributions(view)
        if given is not None:
            n = len(view.left)
            seats = [(me + k) % n for k in range(n)]
            parts = [f"{self.name(view, seat)} {signed(given[seat])}" for seat in seats]
            text = f"{self.say('contribution')}  {'  '.join(parts)}"
            if lines and columns(lines[0]) + columns(text) + 5 <= COLUMNS - 2:
                lines[0] += "    " + text
            else:
                lines.append(text)
        return lines

    def hand_title(self, view: View) -> str:
        if not view.hand:
            assert view.seat is not None
            return self.say("is_out", place=place_name(view.out.index(view.seat) + 1, self.language))
        n = size(view.hand)
        title = self.say("hand_one" if n == 1 else "hand", n=n)
        wild = any(is_wild(view.variant, rank) and count(view.hand, rank) for rank in (SMALL, BIG))
        how = self.say("by_rank" if self.sorting == "rank" else "by_kind")
        title += f"（{how}）" if self.language == "zh" else f", {how}"
        return title + (self.say("wild_legend", mark=say("wild_mark", self.language)) if wild else "")

    def hand(self, view: View) -> list[Line]:
        return hand_lines(view.variant, view.hand, self.sorting, self.language)

    # -- the table

    def table(
        self, view: View, log: Sequence[Line], notes: Sequence[Line], rows: int, foot: str, *, auto: bool = False
    ) -> list[Line]:
        """The frame of a running deal, of ``rows`` lines: the last moves of the log, the notes below them."""
        frame = [self.header(auto=auto), Line(" " + _RULE, "dim"), *self.seat_rows(view), Line(" " + _RULE, "dim")]
        beat = self.to_beat(view)
        if beat:
            style = "bold yellow" if view.my_turn else ""
            frame += paragraph(beat, style, indent="   ")
        up = self.turned_up(view)
        if up:
            frame += paragraph(up)
        for line in self.worth(view):
            frame += paragraph(line)
        frame.append(Line(" " + _RULE, "dim"))
        frame.append(Line(" " + self.hand_title(view), "dim"))
        hand = self.hand(view) if view.hand else []
        frame += (hand + [Line()] * 2)[: max(2, len(hand))]
        frame.append(Line(" " + _RULE, "dim"))
        room = max(1, rows - len(frame) - 1)
        shown = [*log[-max(0, room - len(notes)) :], *notes][-room:]
        frame += shown + [Line()] * (room - len(shown))
        frame.append(Line(" " + foot, "dim"))
        return frame[:rows]

    def block(self, view: View) -> list[Line]:
        """The same for a pipe: a few lines a turn."""
        n = len(view.left)
        assert view.seat is not None
        parts = []
        for k in range(1, n):
            seat = (view.seat + k) % n
            relation = RELATION[self.language][n][k]
            if seat in view.out:
                state = place_name(view.out.index(seat) + 1, self.language)
            else:
                state = cards_words(view.left[seat], self.language)
            mark = f"（{relation}）" if self.language == "zh" else f" ({relation})"
            parts.append(f"{self.name(view, seat)}{mark} {state}")
        lines = [Line(), *paragraph("  ".join(parts), indent="  ")]
        for line in self.worth(view):
            if view.bombs():
                lines += paragraph(line)
        lines.append(Line(f" {self.hand_title(view)}"))
        lines += self.hand(view)
        lines += paragraph(self.to_beat(view), indent="  ")
        return lines

    # -- what happened

    def beginning(self, view: View, *, changed: bool) -> list[str]:
        """What is said when a deal begins."""
        assert view.seat is not None
        mine = view.leader == view.seat
        text = self.say("begins", n=self.match.number)
        up = self.turned_up(view)
        stop = "。" if self.language == "zh" else ". "
        if up:
            text += ("" if self.language == "zh" else " ") + up + stop.rstrip()
        lead = self.say("you_lead") if mine else self.say("leads", name=self.name(view, view.leader))
        gap = "" if self.language == "zh" else " "
        text += gap + lead
        lines = [text]
        if len(view.left) == 4:
            me = view.seat
            names = [self.name(view, (me + k) % 4, inside=k > 0) for k in (0, 2, 1, 3)]
            sides = self.say("partners", a=names[0], b=names[1], c=names[2], d=names[3])
            lines.append((self.say("seats_change") + gap if changed else "") + sides)
        return lines

    # -- pages

    def plays(self, view: View, plays: Sequence[Play]) -> list[Line]:
        """The numbered list of plays, in two columns."""
        cells = []
        for number, play in enumerate(plays, 1):
            cell = f"#{number} {play_words(view.catalogue, play.counts, play.reading, self.language)}"
            cells.append(cell)
        lines, i = [], 0
        half = (COLUMNS - 4) // 2
        while i < len(cells):
            if i + 1 < len(cells) and columns(cells[i]) <= half and columns(cells[i + 1]) <= half:
                lines.append(Line("  " + pad(cells[i], half) + " " + cells[i + 1]))
                i += 2
            else:
                lines += [Line("  " + text) for text in wrap(cells[i], rest="     ", width=COLUMNS - 4)]
                i += 1
        return lines

    def settlement(self, booked: Booked) -> list[str]:
        """The lines of the settlement, in words."""
        names = self.names(booked.deal.seats)
        return list(booked.settlement.texts(self.language, names))

    def result(self, booked: Booked) -> str:
        """Who won what, in words."""
        deal = booked.deal
        order = deal.order or ()
        names = self.names(deal.seats)
        assert booked.settlement.result is not None
        result = RESULT[booked.settlement.result][self.language]
        if deal.players == 4:
            side = self.names_joined([names[order[0]], names[(order[0] + 2) % 4]])
            text = self.say("result_4", winners=side, result=result)
            return text[0].upper() + text[1:]
        winner, loser = order
        mine = deal.seats[winner] == PERSON
        return self.say(
            "result_2",
            winner=names[winner],
            wins=self.say("win" if mine else "wins"),
            result=result,
            loser=names[loser] if self.language == "zh" or mine else names[loser].lower(),
            n=deal.left[loser] if self.language == "zh" else cards_words(deal.left[loser], self.language),
        )

    def end(self, booked: Booked, rows: int) -> list[Line]:
        """The frame of a deal that is over: places, what is left, the settlement, standings, the seed."""
        deal = booked.deal
        names = self.names(deal.seats)
        frame = [self.header(), Line(" " + _RULE, "dim")]
        title = Line(f" {self.say('deal_number', n=booked.number).capitalize()}  ").add(
            self.result(booked), "bold yellow"
        )
        frame += [title, Line()]
        balance = "head_total" if self.match.terms.edition is None else "head_balance"
        heads = [self.say(k) for k in ("head_player", "head_deal", balance, "head_left")]
        frame.append(
            Line(f"  {pad(heads[0], 9)}        {_right(heads[1], 10)}{_right(heads[2], 11)}   {heads[3]}", "dim")
        )
        for place, seat in enumerate(deal.order or (), 1):
            player = deal.seats[seat]
            row = Line(f"  {pad(place_name(place, self.language), 9)}")
            row.add(pad(names[seat], 8), "bold green" if player == PERSON else "bold")
            change = booked.changes[player]
            row.add(_right(signed(change), 10), "green" if change > 0 else "red" if change < 0 else "")
            total = booked.balances[player]
            row.add(_right(str(total) if self.match.terms.edition else signed(total), 11))
            row.add(f"   {format_ranks(deal.hands[seat])}", "dim")
            frame.append(row)
        frame += [Line(), Line(f" {self.say('settlement')}", "dim")]
        after = [Line(), *[Line(f" {text}") for text in self.after(booked)]]
        lines = [line for text in self.settlement(booked) for line in paragraph(text, indent="    ")]
        room = rows - len(frame) - len(after) - 2
        if len(lines) > room:
            more = len(lines) - room + 1
            lines = [*lines[: room - 1], Line(f" {self.say('more_lines', n=more)}", "dim")]
        frame += lines + after
        frame += [Line()] * (rows - 1 - len(frame))
        frame.append(Line(f" {self.say('next_how')}", "dim"))
        return frame[:rows]

    def after(self, booked: Booked) -> list[str]:
        """What else is said at the end of a deal: who paid less, who was refilled, the seed."""
        names = NAMES[self.language]
        texts = [self.say("cut_at_balance", name=names[p], paid=-booked.changes[p]) for p in booked.paid_less]
        for p in booked.refilled:
            gets = self.say("get" if p == PERSON else "gets")
            texts.append(
                self.say("refilled", name=names[p], needs=self.match.needs, amount=self.match.refill, gets=gets)
            )
        texts.append(self.seed(booked.number))
        return texts

    def seed(self, number: int) -> str:
        if self.match.seed is None:
            return self.say("seed", seed=self.match.seed_of(number))
        seed = shlex.quote(self.match.seed)
        return self.say("seed", seed=seed) if number == 1 else self.say("seed_deal", seed=seed, n=number)

    def score(self) -> list[Line]:
        """Standings, every deal of the session, and the last settlement in full."""
        match = self.match
        lines = [Line(" ").add(self.total(), "bold")]
        names = NAMES[self.language]
        for booked in match.booked:
            changes = "  ".join(f"{names[p]} {signed(c)}" for p, c in enumerate(booked.changes))
            text = self.say("result_of_deal", n=booked.number, result=self.result(booked))
            lines += paragraph(f"{text}    {changes}", indent="    ")
        if match.booked:
            lines += [Line(), Line(f" {self.say('settlement')}", "dim")]
            for text in self.settlement(match.booked[-1]):
                lines += paragraph(text, indent="    ")
        if not match.is_booked:
            lines += [Line(), Line(f" {self.say('this_is_running', n=match.number)}", "dim")]
        return lines

    def total(self) -> str:
        """Standings after so many deals, in one line."""
        n = len(self.match.booked)
        key = "standings" if n > 1 else "standings_one" if n else "standings_none"
        text = self.say(key, n=n)
        return text + self.standings() if n else text


def _right(text: str, width: int) -> str:
    return " " * (width - columns(text)) + text
