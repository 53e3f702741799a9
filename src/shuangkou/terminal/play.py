"""`shuangkou play`: a person plays deals against bots in the terminal, on a screen or over a pipe."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Final

from cyclopts import Parameter

from shuangkou import bots
from shuangkou.bots import BadBot, UnknownBot
from shuangkou.rules.cards import BIG, SMALL, count, format_ranks
from shuangkou.rules.deal import PASS, Action
from shuangkou.rules.errors import IllegalPlay, RulesError
from shuangkou.rules.explain import COLUMNS, explain_variant
from shuangkou.rules.reading import Play, autoplay, can_beat, canonical, read, readings, refusal_words
from shuangkou.rules.record import Record, write_records
from shuangkou.rules.record import Terms as RecordTerms
from shuangkou.rules.scoring import PlayedBomb, Unit, contribution_line, units_of
from shuangkou.rules.view import View
from shuangkou.rules.words import KIND, Language, describe
from shuangkou.table.bot import Bot, BotFailed
from shuangkou.terminal.console import Console, Line, Redraw, cut, paragraph
from shuangkou.terminal.match import Match, Terms
from shuangkou.terminal.screen import Sorting, TablePainter, is_wild, play_words
from shuangkou.terminal.variants import find_variant
from shuangkou.terminal.words import (
    COMMANDS,
    LANGUAGE_OF,
    NAMES,
    OFF,
    ON,
    PERSON_IN_RECORDS,
    SORTING_OF,
    Misread,
    command,
    default_language,
    help_text,
    is_text,
    like,
    looks_like_cards,
    os_error_words,
    place_name,
    say,
    typed_cards,
)

_HINTS: Final = 12
_LOG: Final = 200
_LEFT_BY_CTRL_C: Final = 130
_KIND_PLACE: Final = {kind: place for place, kind in enumerate(KIND)}


class _Leave(Exception):
    """The session ends, with the exit code."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


def play(
    *,
    variant: str = "huopin",
    seed: str | None = None,
    deal: int = 1,
    lang: Language | None = None,
    plays_for: Unit | None = None,
    edition: Unit | None = None,
    bot: str = "heuristic",
    pace: float = 1.0,
    fast: Annotated[bool, Parameter(negative="")] = False,
    plain: Annotated[bool, Parameter(negative="")] = False,
) -> int:
    """Play against bots: three with four players, one in a duel.

    On a terminal of 80x24 or more the table is a screen; otherwise, over a pipe or with --plain, lines are appended
    and a script can play. Type help for what can be typed. Ctrl-C twice leaves with exit code 130; quit and the end
    of the input leave with 0.

    Args:
        variant: The id of a variant (see: shuangkou variants), or a TOML file with one's own.
        seed: Let all deals of the session follow from this text. Without it each deal has a seed of its own, shown at
            the end of the deal: given here it deals the same cards to the same seats, as a first deal: who leads where
            no card is turned up, and who sat where before, are not the earlier deals'.
        deal: Begin with this deal of the given seed.
        lang: zh or en; by default as the locale says.
        plays_for: points, coins or silver.
        edition: The same for a duel: the table of stakes and what it is played for are one thing.
        bot: Who plays the other seats.
        pace: Seconds between the bots' moves on a terminal.
        fast: No pauses.
        plain: No screen, no colours: only lines.
    """
    language: Language = lang or default_language()
    try:
        terms = _terms(variant, plays_for, edition, language)
        player = _bot(bot, language)
        if not 1 <= deal <= 1000:
            raise _Wrong(say("bad_deal_number", language))
        if seed is not None and not is_text(seed):
            raise _Wrong(say("bad_seed", language))
        if deal > 1 and seed is None:
            raise _Wrong(say("deal_needs_seed", language))
        if not 0 <= pace <= 60:
            raise _Wrong(say("bad_pace", language))
    except (RulesError, _Wrong) as error:
        print(error, file=sys.stderr)
        return 2
    match = Match(terms, seed, player, deal, bot)
    console = Console(plain=plain)
    game = Game(match, console, language, 0.0 if fast else pace)
    return game.run()


class _Wrong(Exception):
    """An option that cannot be."""


def _terms(name: str, plays_for: Unit | None, edition: Unit | None, language: Language) -> Terms:
    """What is played, and what for."""
    v = find_variant(name)
    if v.duel is None:
        if edition is not None:
            raise _Wrong(say("edition_of_duel", language, variant=v.id))
        return Terms(v, plays_for or "points", None)
    units = units_of(v)
    for wanted in (plays_for, edition):
        if wanted not in (None, *units):
            raise _Wrong(say("no_edition", language, variant=v.id, edition=wanted, known=", ".join(units)))
    if plays_for and edition and plays_for != edition:
        raise _Wrong(say("other_edition", language, edition=edition, plays_for=plays_for))
    unit = plays_for or edition or units[0]
    return Terms(v, unit, next(e for e in v.duel.editions if e.id == unit))


def _bot(name: str, language: Language) -> Bot:
    try:
        return bots.bot(name)
    except UnknownBot as error:
        raise _Wrong(say("no_bot", language, bot=error.name, known=", ".join(error.known))) from None
    except BadBot as error:
        raise _Wrong(str(error)) from None


class Game:
    """The session at a console: whose turn it is, what was typed, what is shown."""

    def __init__(self, match: Match, console: Console, language: Language, pace: float) -> None:
        self.match = match
        self.console = console
        self.painter = TablePainter(match, language)
        self.pace = pace if console.tty else 0.0
        self.auto = False
        self.autopass = True
        self.log: list[Line] = []  # of the screen: what happened
        self.notes: list[Line] = []  # of the screen: what answers the line that was typed last
        self.pages: list[list[Line]] = []
        self.page = 0
        self.hints: list[Play | None] = []
        self.hint = -1
        self.interrupted = False
        self.begun = 0  # the number of the deal that was announced
        self.fresh = True  # over a pipe: whether the block of this turn is still to be shown

    @property
    def language(self) -> Language:
        return self.painter.language

    def say(self, key: str, **values: object) -> str:
        return say(key, self.language, **values)

    def view(self) -> View:
        """What the person may see."""
        return View.of(self.match.deal, self.match.me)

    # -- running

    def run(self) -> int:
        """Play until the person leaves; the exit code."""
        code = 0
        words: list[str] = []
        with self.console.session():
            while True:
                try:
                    self.step()
                except KeyboardInterrupt:
                    if self.interrupted or not self.console.tty:
                        code = _LEFT_BY_CTRL_C
                        break
                    self.interrupted = True
                    if self.auto:
                        self.take_over()
                    else:
                        self.tell(self.say("ctrl_c"), "yellow")
                except Redraw:
                    continue
                except EOFError:
                    words.append(self.say("input_ended"))
                    break
                except _Leave as leave:
                    code = leave.code
                    break
        if not self.match.deal.over and self.match.deal.moves:
            words.append(self.say("not_counted"))
        total = self.painter.total()
        words += [total, self.painter.seed(self.match.booked[-1].number)] if self.match.booked else [total]
        words.append(self.say("bye"))
        self.console.write([Line(), *words])
        return code

    def step(self) -> None:
        """One thing: a move of somebody, or a line that the person types."""
        deal = self.match.deal
        if self.console.fit():
            self.fresh = True
            if not self.console.screen:
                self.pages = []
        if self.begun != self.match.number:
            self.begin()
        elif deal.over:
            self.after_deal()
        elif deal.to_move != self.match.me:
            self.bot_moves()
        elif self.auto:
            self.auto_moves()
        elif self.autopass and not can_beat(deal.catalogue, deal.hands[self.match.me], deal.table):
            self.pause(1.5)
            self.apply(PASS, note=self.say("auto_passed") + " ")
        else:
            self.ask()

    def begin(self) -> None:
        deal = self.match.deal
        before = self.match.booked[-1].deal.seats if self.match.booked else tuple(range(deal.players))
        self.log = []
        if not self.console.screen:
            self.console.write([Line(), self.painter.header()])
        for text in self.painter.beginning(self.view(), changed=deal.seats != before):
            self.tell(text)
        self.begun = self.match.number
        self.fresh = True
        self.pause(1.0)

    def pause(self, factor: float) -> None:
        """A pause at the bots' pace; a key ends it, and auto-play too."""
        if not self.pace:
            return
        if self.console.screen:
            foot = self.say("keys_auto" if self.auto else "keys_wait")
            self.show(foot)
        if self.console.pause(self.pace * factor) and self.auto:
            self.console.forget_keys()
            self.take_over()

    def bot_moves(self) -> None:
        self.pause(1.0)
        try:
            taken_over = self.match.deal.to_move in self.match.failed
            self.apply(self.match.bot_action(), note=self.say("auto_played") if taken_over else "")
        except BotFailed as error:
            name = self.painter.name(self.view(), error.seat)
            what = "".join([ch if ch.isprintable() else " " for ch in error.what])
            self.tell(self.say("bot_failed", name=name, bot=error.bot, move=error.move, what=cut(what, 120)), "red")

    def auto_moves(self) -> None:
        self.pause(1.0)
        if not self.auto:
            return
        seen = self.view()
        chosen = autoplay(seen.catalogue, seen.hand, seen.table)
        self.apply(PASS if chosen is None else Action.of(chosen), note=self.say("auto_played"))

    def apply(self, action: Action, note: str = "") -> None:
        """Make a move of the seat to move, and tell it."""
        before = self.match.deal
        after = before.apply(action)
        self.match.deal = after
        self.fresh = True
        self.hints, self.hint, self.pages, self.notes = [], -1, [], []
        seen = self.view()
        move = after.moves[-1]
        self.add(self.painter.move(seen, move, note=note))
        if move.reading is not None:
            self.tell_contribution(move.seat)
        if len(after.out) > len(before.out):
            place = place_name(len(after.out), self.language)
            mine = move.seat == self.match.me
            key = "you_go_out" if mine else "goes_out"
            self.tell(self.say(key, name=self.painter.name(seen, move.seat), place=place), "yellow")
        if after.inherited and after.to_move is not None:
            mine = after.to_move == self.match.me
            self.tell(self.say("you_inherit" if mine else "inherits", name=self.painter.name(seen, after.to_move)))
        if after.over:
            self.match.book()

    def tell_contribution(self, seat: int) -> None:
        """A bomb's contribution, at once (R6.3)."""
        seen = self.view()
        if self.match.contributions(seen) is None:
            return
        reading = seen.moves[-1].reading
        if reading is None or not reading.is_bomb:
            return
        line = contribution_line(self.match.terms.variant, seat, PlayedBomb.of(reading), self.match.terms.unit)
        if line is not None:
            self.tell(line.text(self.language, self.painter.names(seen.seats)), "yellow")

    # -- showing

    def add(self, line: Line) -> None:
        """A line of the log; off a screen it is written at once."""
        self.log = [*self.log, line.fit(COLUMNS - 2)][-_LOG:]
        if not self.console.screen:
            self.console.write([line])

    def tell(self, text: str, style: str = "") -> None:
        for line in paragraph(text, style, indent="  "):
            self.add(line)

    def show(self, foot: str) -> None:
        """Draw the table (or the open page) on a screen."""
        rows = self.console.rows - 1
        if self.pages:
            lines = self.pages[self.page]
            last = self.page + 1 == len(self.pages)
            foot = self.say(
                "page", page=self.page + 1, pages=len(self.pages), next=self.say("page_back" if last else "page_on")
            )
            body = lines[: rows - 2] + [Line()] * (rows - 2 - len(lines))
            self.console.show([*body, *(self.notes[-1:] or [Line()]), Line(" " + foot, "dim")])
            return
        if self.match.deal.over:
            frame = self.painter.end(self.match.book(), rows)
            frame[-1 - len(self.notes) : -1] = self.notes
            self.console.show(frame)
            return
        self.console.show(self.painter.table(self.view(), self.log, self.notes, rows, foot, auto=self.auto))

    def open(self, title: str, lines: Sequence[Line]) -> None:
        """Show a longer text: page by page on a screen, at once over a pipe."""
        head = Line(" ").add(title, "bold")
        if not self.console.screen:
            self.console.write([head, *lines])
            return
        room = self.console.rows - 1 - 2 - 2
        self.pages = [[head, Line(), *lines[i : i + room]] for i in range(0, max(1, len(lines)), room)]
        self.page = 0

    # -- a turn of the person

    def ask(self) -> None:
        """Ask for a line on the person's turn, and do it."""
        if self.console.screen:
            self.show(self.say("keys"))
        elif self.fresh:
            self.console.write(self.painter.block(self.view()))
            self.fresh = False
        self.answer(self.console.ask(self.say("prompt")))

    def after_deal(self) -> None:
        """Show what the deal brought, and ask how to go on."""
        if self.console.screen:
            self.show("")
        elif self.fresh:
            self.console.write([Line(), *self.painter_end()])
            self.fresh = False
        self.answer(self.console.ask(self.say("prompt_next")))

    def painter_end(self) -> list[Line]:
        return self.painter.end(self.match.book(), 60)

    def answer(self, line: str) -> None:
        """Do what was typed."""
        self.interrupted = False
        self.notes = []
        text = line.strip()
        if not text:
            self.turn_page()
            return
        name, rest = command(text)
        if name is not None:
            getattr(self, f"do_{name}")(rest)
        elif self.match.deal.over:
            self.note("over_now" if looks_like_cards(text) else "unknown", text=text[:40])
        elif text[0] in "#＃":
            self.pick(text[1:].strip())
        else:
            self.type_cards(text)

    def note(self, key: str, **values: object) -> None:
        """Answer what was typed."""
        self.reply(self.say(key, **values), "yellow")

    def reply(self, text: str, style: str) -> None:
        lines = paragraph(text, style, indent="  ")
        if self.console.screen:
            self.notes += lines
        else:
            self.console.write(lines)

    def turn_page(self) -> None:
        """An empty line: the next page, the next deal, or the same screen again; never a pass."""
        if self.pages:
            self.page += 1
            if self.page == len(self.pages):
                self.pages = []
        elif self.match.deal.over:
            self.match.next()
        else:
            self.fresh = True

    # -- cards

    def type_cards(self, text: str) -> None:
        deal = self.match.deal
        if text.isascii() and text.isdigit() and text.replace("10", "").strip("23456789") and len(text) <= 3:
            self.note("number_needs_mark", text=text)
            return
        try:
            counts, faces, kind = typed_cards(text)
        except Misread as error:
            if error.key == "bad_rank" and not looks_like_cards(text):
                near = like(text.split(maxsplit=1)[0])
                shown = text if len(text) <= 30 else text[:27] + "..."
                if near is None:
                    self.note("unknown", text=shown)
                else:
                    self.note("unknown_like", text=shown, like=near)
                return
            kinds = (", " if self.language == "en" else "、").join(KIND[k][self.language] for k in KIND)
            self.note(error.key, **{"kinds": kinds, **error.values})
            return
        action = Action(counts, kind, faces)
        try:
            self.choose(action)
        except IllegalPlay as error:
            self.note("refused", why=refusal_words(deal, action, error, self.language))

    def choose(self, action: Action) -> None:
        """Make the person's move; tell if it could have been read otherwise."""
        deal = self.match.deal
        table = deal.table
        self.apply(action)
        if action.counts and action.kind is None:
            taken, *others = readings(deal.catalogue, action.counts, table)
            if others:
                said = [
                    self.say(
                        "or_as",
                        cards=format_ranks(action.counts),
                        kind=KIND[r.kind][self.language],
                        reading=describe(r, self.language),
                    )
                    for r in others
                ]
                joint = "；" if self.language == "zh" else "; "
                told = self.say("taken_as", taken=describe(taken, self.language), others=joint.join(said))
                self.tell(told, "yellow")

    def listed(self) -> list[Play]:
        """What can be played, in the order of the list: by kind and rank, bombs behind, weakest first."""
        deal = self.match.deal
        cat = deal.catalogue

        def order(play: Play) -> tuple[int, ...]:
            r = play.reading
            return (r.is_bomb, cat.strength(r), 0 if r.is_bomb else _KIND_PLACE[r.kind], r.size, r.top, r.wild)

        return sorted(canonical(cat, deal.hands[self.match.me], deal.table), key=order)

    def pick(self, text: str) -> None:
        plays = self.listed()
        if not plays:
            self.note("nothing_beats")
        elif not (text.isascii() and text.isdigit()) or not 1 <= int(text[:6]) <= len(plays):
            self.note("bad_number", text=text[:20] or "#", n=len(plays))
        else:
            self.choose(Action.of(plays[int(text) - 1]))

    def propose(self) -> list[Play | None]:
        """Hints: what the bot would do, then other plays, the cheapest first."""
        seen = self.view()
        action = self.match.hint_action()
        plays = self.listed()
        table = seen.table

        def cost(play: Play) -> tuple[int, ...]:
            r = play.reading
            wild = sum(count(play.counts, rank) for rank in (SMALL, BIG) if is_wild(seen.variant, rank))
            return (r.is_bomb, r.stars, wild, -r.size if table is None else r.size, r.top)

        reading = read(seen.catalogue, action.counts, table, action.kind) if action.counts else None
        first = None if reading is None else Play(action.counts, reading, action.kind, 0)
        others = [p for p in sorted(plays, key=cost) if (p.counts, p.kind) != (action.counts, action.kind)]
        if first is None or table is None:
            return [first, *others[: _HINTS - 1]]
        return [first, *others[: _HINTS - 2], None]

    # -- commands

    def on_turn(self) -> bool:
        """Whether the person may play now; says so if not."""
        if self.match.deal.over:
            self.note("over_now")
            return False
        return True

    def do_pass(self, _rest: str) -> None:
        if not self.on_turn():
            return
        if self.match.deal.table is None:
            self.note("must_lead")
            return
        self.choose(PASS)

    def do_hint(self, _rest: str) -> None:
        if not self.on_turn():
            return
        self.pages = []
        if not self.hints:
            self.hints, self.hint = self.propose(), -1
        self.hint = (self.hint + 1) % len(self.hints)
        n = len(self.hints)
        hint = self.hints[self.hint]
        cat = self.match.deal.catalogue
        how = self.say("hint_how" if n > 1 else "hint_last")
        if hint is None:
            text = self.say("hint_pass", i=self.hint + 1, n=n)
        else:
            words = play_words(cat, hint.counts, hint.reading, self.language)
            if hint.kind:
                joint = " as " if self.language == "en" else " 当"
                words += joint + KIND[hint.kind][self.language]
            text = self.say("hint", i=self.hint + 1, n=n, play=words)
        self.reply(f"{text} {how}" if self.language == "en" else text + how, "cyan")

    def do_ok(self, _rest: str) -> None:
        if not self.on_turn():
            return
        if self.hint < 0:
            self.note("no_hint_yet")
            return
        hint = self.hints[self.hint]
        self.choose(PASS if hint is None else Action.of(hint))

    def do_list(self, _rest: str) -> None:
        if not self.on_turn():
            return
        plays = self.listed()
        if not plays:
            self.note("nothing_beats")
            return
        self.open(self.say("list_title"), self.painter.plays(self.view(), plays))

    def do_sort(self, rest: str) -> None:
        other: Sorting = "kind" if self.painter.sorting == "rank" else "rank"
        wanted = SORTING_OF.get(rest.lower()) if rest else other
        if wanted is None:
            self.note("sort_how", word=COMMANDS["sort"][self.language == "zh"])
            return
        self.painter.sorting = wanted
        self.pages = []
        self.note("sorted_rank" if self.painter.sorting == "rank" else "sorted_kind")
        if not self.console.screen and not self.match.deal.over:
            self.console.write(self.painter.hand(self.view()))

    def switched(self, word: str, rest: str, now: bool) -> bool | None:
        """What a switch is to be: named, or the other way; None and a message where neither."""
        wanted = rest.lower()
        if not wanted:
            return not now
        if wanted in ON:
            return True
        if wanted in OFF:
            return False
        self.note("on_or_off", word=COMMANDS[word][0])
        return None

    def do_auto(self, rest: str) -> None:
        wanted = self.switched("auto", rest, self.auto)
        if wanted is None:
            return
        self.pages = []
        if wanted:
            self.auto = True
            how = self.say("auto_how_keys" if self.console.screen else "auto_how_pipe")
            self.note("auto_on", how=how)
        else:
            self.take_over()

    def take_over(self) -> None:
        self.auto = False
        self.tell(self.say("auto_off"), "yellow")

    def do_autopass(self, rest: str) -> None:
        wanted = self.switched("autopass", rest, self.autopass)
        if wanted is not None:
            self.autopass = wanted
            self.note("autopass_on" if wanted else "autopass_off")

    def do_history(self, _rest: str) -> None:
        self.open(self.say("history_title", n=self.match.number), self.painter.history(self.view()))

    def do_score(self, _rest: str) -> None:
        self.open(self.say("score_title"), self.painter.score())

    def do_help(self, _rest: str) -> None:
        self.open(self.say("help_title"), [Line(" " + text) for text in help_text(self.language).splitlines()])

    def do_rules(self, _rest: str) -> None:
        v = self.match.terms.variant
        name = v.name.zh if self.language == "zh" else v.name.en
        lines = explain_variant(v, self.language).splitlines()[3:]
        self.open(self.say("rules_title", name=name), [Line(text) for text in lines])

    def do_language(self, rest: str) -> None:
        wanted = rest.lower()
        other: Language = "en" if self.language == "zh" else "zh"
        found = LANGUAGE_OF.get(wanted) if wanted else other
        if found is None:
            self.note("languages")
            return
        self.painter.language = found
        self.pages, self.log = [], []
        self.fresh = True
        self.note("language_is")

    def do_save(self, rest: str) -> None:
        booked = self.match.booked
        if not booked:
            self.note("nothing_to_save")
            return
        name = rest[1:-1] if len(rest) > 1 and rest[0] == rest[-1] and rest[0] in "\"'" else rest
        if name == "-" or (rest and not name.strip()):
            self.note("no_file_name", text=rest)
            return
        try:
            path = Path(name).expanduser() if name else Path(self._file_name())
            text = write_records([self._record(i) for i in range(len(booked))])
            with path.open("x", encoding="utf-8") as file:
                file.write(text)
        except FileExistsError:
            self.note("exists", file=path)
        except (OSError, ValueError, RuntimeError) as error:
            self.note("cannot_save", file=name, why=os_error_words(error, self.language))
        else:
            n = len(booked)
            self.note("saved" if n > 1 else "saved_one", file=path, n=n)

    def _file_name(self) -> str:
        """A name with the date that no file has yet."""
        from datetime import datetime  # noqa: PLC0415

        stem = f"{self.match.terms.variant.id}-{datetime.now().astimezone():%Y-%m-%d-%H%M}"
        name, again = f"{stem}.txt", 2
        while Path(name).exists():
            name, again = f"{stem}-{again}.txt", again + 1
        return name

    def _record(self, index: int) -> Record:
        booked = self.match.booked[index]
        deal = booked.deal
        names = (PERSON_IN_RECORDS[self.language], *NAMES[self.language][1:])
        seed = self.match.seed_of(booked.number)
        headers = [("Date", f"{booked.when:%Y-%m-%d}"), ("Seed", seed), ("Deal", str(booked.number))]
        headers += [(f"Player{p}", names[p]) for p in range(deal.players)]
        edition = self.match.terms.edition
        balances = None
        if edition is not None:
            balances = tuple(booked.at_start[p] for p in deal.seats)
        terms = RecordTerms(self.match.terms.unit, None if edition is None else edition.id, balances)
        return Record.of(deal, headers, terms=terms)

    def do_next(self, _rest: str) -> None:
        if self.match.deal.over:
            self.pages = []
            self.match.next()
        else:
            self.note("not_over")

    def do_quit(self, _rest: str) -> None:
        raise _Leave(0)
