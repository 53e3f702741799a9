"""The game in a terminal: over a pipe, on a screen, on a real terminal; in both languages."""

from __future__ import annotations

import io
import os
import re
import signal
import subprocess
import sys
import threading
import time
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pexpect
import pytest

from shuangkou import bots
from shuangkou.rules.cards import ONE, Counts, count, format_ranks, parse_cards, parse_ranks, size
from shuangkou.rules.catalogue import Catalogue
from shuangkou.rules.deal import Action, Deal, SeedSource
from shuangkou.rules.explain import columns as width
from shuangkou.rules.explain import wrap
from shuangkou.rules.reading import canonical, read
from shuangkou.rules.record import check_record, read_records
from shuangkou.rules.scoring import Unit, units_of
from shuangkou.rules.variant import load_variant, variant_ids
from shuangkou.rules.view import View
from shuangkou.rules.words import LANGUAGES, Language
from shuangkou.terminal import words
from shuangkou.terminal.console import Console, Line, cut, pad
from shuangkou.terminal.match import Match, Terms
from shuangkou.terminal.play import Game
from shuangkou.terminal.screen import hand_lines, stands_for, tricks, view_tricks
from shuangkou.terminal.words import Misread, command, say, typed_cards

VARIANTS = variant_ids()
COMMAND = [sys.executable, "-m", "shuangkou"]
ESCAPE = "\x1b"


def columns(text: str) -> int:
    """Columns of a text where what may be wide or narrow is wide: no screen may depend on it."""
    return sum(0 if unicodedata.combining(ch) else 2 if unicodedata.east_asian_width(ch) in "WFA" else 1 for ch in text)


def narrow(text: str) -> int:
    return sum(0 if unicodedata.combining(ch) else 2 if unicodedata.east_asian_width(ch) in "WF" else 1 for ch in text)


def environment(**more: str) -> dict[str, str]:
    kept = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "LC_ALL", "LC_MESSAGES", "LANG", "TERM")}
    return {**kept, "PYTHONUTF8": "1", "PYTHONIOENCODING": "utf-8", **more}


def piped(text: str, *options: str, **more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, "play", *options],
        input=text,
        capture_output=True,
        encoding="utf-8",
        env=environment(**more),
        timeout=120,
        check=False,
    )


def terms_of(variant: str, unit: Unit | None = None) -> Terms:
    v = load_variant(variant)
    if v.duel is None:
        return Terms(v, unit or "points", None)
    edition = next((e for e in v.duel.editions if e.id == unit), v.duel.editions[0])
    return Terms(v, unit or ("points" if edition.id == "points" else "coins"), edition)


def match_of(variant: str, seed: str = "7", unit: Unit | None = None, first: int = 1) -> Match:
    return Match(terms_of(variant, unit), seed, bots.bot("autoplay"), first)


Answer = str | type[BaseException]


class Pipe(Console):
    """A pipe in this process: what is typed, and what is written."""

    def __init__(self, typed: Iterable[Answer]) -> None:
        self.out = io.StringIO()
        super().__init__(stdin=io.StringIO(), stdout=self.out)
        self.typed = iter(typed)

    def ask(self, prompt: str) -> str:
        answer = next(self.typed, EOFError)
        if not isinstance(answer, str):
            raise answer
        self.out.write(f"{prompt}{answer}\n")
        return answer


class Screen(Pipe):
    """A screen in this process: every frame is kept."""

    def __init__(self, typed: Iterable[Answer]) -> None:
        super().__init__(typed)
        self.screen = True
        self.tty = True
        self.frames: list[list[str]] = []

    @property
    def rows(self) -> int:
        return 24

    def session(self) -> Any:
        import contextlib

        return contextlib.nullcontext(self)

    def show(self, lines: Sequence[Line]) -> None:
        self.frames.append([line.text for line in lines])

    def pause(self, _seconds: float) -> bool:
        raise AssertionError("no pauses here")


def game(console: Console, variant: str = "huopin", language: Language = "en", seed: str = "7") -> Game:
    return Game(match_of(variant, seed), console, language, 0.0)


def typed_game(
    typed: Iterable[Answer],
    deal: Deal | None = None,
    language: Language = "en",
    variant: str = "huopin",
    *,
    autopass: bool = True,
) -> str:
    """What a pipe shows for what is typed, in a deal of one's own."""
    console = Pipe(typed)
    made = game(console, variant, language)
    made.autopass = autopass
    if deal is not None:
        made.match.deal = deal
    assert made.run() == 0
    return console.out.getvalue()


def position(hand: str, others: str = "4", *, variant: str = "huopin", leader: int = 0, second: str = "3") -> Deal:
    """A deal of given hands; the person sits at seat 0."""
    v = load_variant(variant)
    hands = [parse_ranks(hand), parse_ranks(second)] + [parse_ranks(others)] * (v.players - 2)
    return Deal.start(v, hands, leader)


# -- widths


def test_widths() -> None:
    assert width("炸弹 7（5 星）") == 14
    assert width("e\u0301") == 1
    assert cut("连环炸弹", 7) == "连环.."
    assert cut("连环", 4) == "连环"
    assert narrow(pad("双扣abc", 10)) == 10
    assert wrap("你和小梅一方，阿林和老陶一方。", width=14) == ["你和小梅一方，", "阿林和老陶一", "方。"]
    assert all(narrow(line) <= 9 for line in wrap("abcdefghijklmnopq 连环炸弹连环炸弹", rest="  ", width=9))
    assert wrap("", width=9) == [""]
    assert wrap("abcdefghij", rest="  ", width=4) == ["abcd", "  ef", "  gh", "  ij"]
    assert wrap("  ab cd", rest=" ", width=4) == ["  ab", " cd"]  # blanks that a text begins with stay
    assert wrap("abc", "12345", "12345", 4) == ["12345a", "12345b", "12345c"]  # no room at all: one at a time


def test_lines_are_cut_with_their_styles() -> None:
    line = Line("abc", "bold").add("连环炸弹", "red").fit(8)
    assert line.text == "abc连.."
    assert line.render(colour=True) == "\x1b[1mabc\x1b[0m\x1b[31m连..\x1b[0m"
    assert line.render(colour=False) == "abc连.."


# -- what is typed


@pytest.mark.parametrize(
    ("text", "ranks", "kind"),
    [
        ("7777X", "7777X", None),
        ("x7 7,7、7", "7777x", None),
        ("1010 10", "TTT", None),
        ("10JQKA", "TJQKA", None),
        ("tjqka", "TJQKA", None),
        ("７７７７Ｘ", "7777X", None),
        ("大王小王", "xX", None),
        ("55667X as pair run", "55667X", "pair_run"),
        ("55667X AS Pair_Run", "55667X", "pair_run"),
        ("55667X当连对", "55667X", "pair_run"),
        ("55667X 当作 连对", "55667X", "pair_run"),
        ("7777X as a bomb", "7777X", "bomb"),
        ("7777X as chain bomb", "7777X", "chain"),
    ],
)
def test_cards_as_people_type_them(text: str, ranks: str, kind: str | None) -> None:
    assert typed_cards(text) == (parse_ranks(ranks), (), kind)


def test_faces_can_be_typed() -> None:
    counts, cards, kind = typed_cards("7h 7S tc x")
    assert format_ranks(counts) == "77Tx"
    assert cards == parse_cards("7S 7H TC x")
    assert kind is None


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("7771", "bad_rank"),
        ("7077", "bad_rank"),
        ("7777z", "bad_rank"),
        ("7H 7", "bad_rank"),
        ("333333333", "too_many"),
        ("xxx", "too_many"),
        ("3456789TJQKA2" * 3, "too_long"),
        ("7777X as flush", "no_kind"),
        ("33 as", "kind_missing"),
        ("33 as ", "kind_missing"),
        ("33 当", "kind_missing"),
        ("33 算作", "kind_missing"),
    ],
)
def test_cards_that_are_none(text: str, key: str) -> None:
    with pytest.raises(Misread) as raised:
        typed_cards(text)
    assert raised.value.key == key
    for language in LANGUAGES:
        assert say(key, language, **{"kinds": "", **raised.value.values})


def test_commands_in_both_languages() -> None:
    for name, spelled in words.COMMANDS.items():
        for word in spelled:
            assert command(word) == (name, "")
            assert command(f" {word.upper()}  ") == (name, "")
        assert any(word.isascii() for word in spelled)
        assert any(word[0] >= "\u4e00" for word in spelled)
        assert hasattr(Game, f"do_{name}")
    assert command("save My File.txt") == ("save", "My File.txt")
    assert command("xX") == (None, "xX")


def test_no_command_looks_like_cards() -> None:
    for spelled in words.COMMANDS.values():
        for word in spelled:
            assert word in ("?", "-") or not all(ch.upper() in "3456789TJQKA2X10" for ch in word)


def test_every_text_is_in_both_languages_with_the_same_values() -> None:
    for key, texts in words._TEXT.items():
        assert set(texts) == set(LANGUAGES), key
        fields = [set(re.findall(r"\{(\w+)\}", text)) for text in texts.values()]
        verbs = {"has", "gets", "wins"}  # English has two forms of each
        assert fields[0] - verbs == fields[1] - verbs, key
        assert not re.search(r"[\u4e00-\u9fff]", texts["en"]), key


@pytest.mark.parametrize("language", LANGUAGES)
def test_help_fits_a_screen(language: Language) -> None:
    lines = words.help_text(language).splitlines()
    assert len(lines) <= 19
    assert max(columns(line) for line in lines) <= 79


# -- wild cards in words


@pytest.mark.parametrize("variant", VARIANTS)
def test_what_wild_cards_stand_for(variant: str) -> None:
    """The natural cards and what the wild ones stand for are exactly the combination."""
    v = load_variant(variant)
    cat = Catalogue.of(v)
    for seed in range(6):
        hand = Deal.shuffle(v, SeedSource(f"wild {seed}")).hands[0]
        hand += (2 - count(hand, 14)) * ONE[14] + (2 - count(hand, 13)) * ONE[13]
        small = hand
        while size(small) > 27:
            small -= small & -small
        for play in canonical(cat, small):
            ranks, surplus = stands_for(cat, play.counts, play.reading)
            assert len(ranks) + surplus == (play.reading.wild if play.reading.kind != "jokers" else 0), play
            if play.reading.kind == "jokers" or play.reading.unequal:
                continue
            c = play.reading.combination
            combination = sum([c.width * ONE[(c.start + g) % 13 if c.start < 13 else c.start] for g in range(c.groups)])
            natural = sum([count(play.counts, r) * ONE[r] for r in range(13)])
            if c.start >= 13:
                natural = count(play.counts, c.start) * ONE[c.start]
            assert natural + sum([ONE[r] for r in ranks]) == combination, (play, ranks)


def test_surplus_wild_card() -> None:
    cat = Catalogue.of(load_variant("huopin-duel"))
    counts = parse_ranks("444455556666X")
    reading = read(cat, counts)
    assert reading is not None
    assert stands_for(cat, counts, reading) == ([], 1)
    mixed = parse_ranks("44445555666xX")
    reading = read(cat, mixed)
    assert reading is not None
    assert stands_for(cat, mixed, reading) == ([3], 1)


# -- hands


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("sorting", ["rank", "kind"])
@pytest.mark.parametrize("variant", VARIANTS)
def test_a_hand_is_shown_whole_and_fits(variant: str, sorting: Any, language: Language) -> None:
    v = load_variant(variant)
    for seed in range(150):
        for hand in Deal.shuffle(v, SeedSource(f"hand {seed}")).hands:
            lines = [line.text for line in hand_lines(v, hand, sorting, language)]
            assert len(lines) <= 4
            assert all(columns(line) <= 79 for line in lines)
            shown = re.sub(r"[^3456789TJQKA2xX]", "", " ".join(lines)) if language == "zh" else None
            if shown is not None:
                assert sorted(shown) == sorted(format_ranks(hand))
    marked = " ".join(line.text for line in hand_lines(v, parse_ranks("34xX"), sorting, language))
    mark = words.say("wild_mark", language)
    assert (f"X{mark}" in marked) == (v.wild.jokers != "none")
    assert (f"x{mark}" in marked) == (v.wild.jokers == "all")


# -- tricks


def test_tricks_are_those_of_the_deal() -> None:
    for variant in VARIANTS:
        deal = Deal.shuffle(load_variant(variant), SeedSource(f"tricks {variant}"))
        leads = 0
        while not deal.over:
            leads += deal.table is None
            deal = deal.apply(deal.autoplay())
            found = view_tricks(View.of(deal, 0))
            assert len(found) == leads
            assert [move for trick in found for move in trick] == list(deal.moves)
        assert found == tricks(deal.moves, [27] * deal.players)


# -- over a pipe


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("variant", VARIANTS)
def test_a_whole_deal_by_typed_hints(variant: str, language: Language) -> None:
    done = piped("hint\nok\n" * 70, "--variant", variant, "--lang", language, "--seed", "5")
    assert done.returncode == 0
    assert done.stderr == ""
    assert "--seed 5" in done.stdout
    assert say("settlement", language) in done.stdout
    assert done.stdout.rstrip().endswith(say("bye", language))
    assert say("input_ended", language) in done.stdout
    assert ESCAPE not in done.stdout
    assert max(narrow(line) for line in done.stdout.splitlines()) <= 80


def test_bare_options_and_the_same_again() -> None:
    script = "hint\nok\nlist\n#1\nsort\nauto on\nscore\nhistory\nnext\nquit\n"
    first, second = (piped(script, "--seed", "11", "--lang", "zh") for _ in range(2))
    assert first.returncode == 0
    assert first.stdout == second.stdout
    assert piped(script, "--seed", "12", "--lang", "zh").stdout != first.stdout


def test_without_a_command_it_is_play() -> None:
    done = subprocess.run(
        COMMAND, input="quit\n", capture_output=True, encoding="utf-8", env=environment(LANG="zh_CN.UTF-8"), check=False
    )
    assert done.returncode == 0
    assert done.stdout.rstrip().endswith("再见！")


@pytest.mark.skipif(os.name == "nt", reason="no such signal here")
def test_ctrl_c_over_a_pipe_leaves_at_once() -> None:
    with subprocess.Popen(
        [*COMMAND, "play", "--seed", "1", "--lang", "en"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env=environment(PYTHONUNBUFFERED="1"),
    ) as child:
        assert child.stdout is not None
        watchdog = threading.Timer(60, child.kill)
        watchdog.start()
        shown = b""
        while not shown.endswith(b"play> ") and (more := child.stdout.read(1)):
            shown += more
        child.send_signal(signal.SIGINT)
        rest = child.stdout.read().decode()
        assert child.wait(20) == 130
        watchdog.cancel()
    assert rest.rstrip().endswith("Goodbye!")
    assert "Traceback" not in rest


def test_a_reader_that_has_gone_is_no_crash() -> None:
    script = f"printf 'auto on\\nnext\\nnext\\n' | {sys.executable} -m shuangkou play --seed 1 | head -n 2"
    done = subprocess.run(["sh", "-c", script], capture_output=True, encoding="utf-8", env=environment(), check=False)
    assert done.stderr == ""


def test_the_seed_is_told_only_at_the_end() -> None:
    done = piped("hint\nok\nhistory\nscore\n", "--seed", "987654", "--lang", "en")
    assert "987654" not in done.stdout  # no deal was over
    assert "No deal has been played out." in done.stdout
    done = piped("auto on\n", "--seed", "987654", "--lang", "en")
    assert "--seed 987654" in done.stdout


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("unit", ["points", "coins", "silver"])
def test_play_and_simulate_agree_on_what_it_is_played_for(variant: str, unit: Unit) -> None:
    from shuangkou.bots.simulate import Setup, SimulationError
    from shuangkou.terminal import play

    v = load_variant(variant)
    try:
        setup = Setup.of(v, ["autoplay"], "s", plays_for=unit)
    except SimulationError:
        with pytest.raises(play._Wrong, match=f"not played for {unit}"):
            play._terms(variant, unit, None, "en")
        return
    terms = play._terms(variant, unit, None, "en")
    assert (terms.unit, terms.edition) == (unit, setup.edition())


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_deal_of_a_seed_again(variant: str) -> None:
    """The cards of a later deal are those that `--deal` begins with."""
    console = Pipe(["auto on", "next", "next"])
    played = game(console, variant)
    played.run()
    assert played.match.number == 3
    again = match_of(variant, "7", first=3)
    assert again.deal.dealt == played.match.deal.dealt
    assert again.deal.turned_up == played.match.deal.turned_up
    if load_variant(variant).turned_up_card:
        assert again.deal.seats == played.match.deal.seats


@pytest.mark.parametrize(("locale", "language"), [("zh_CN.UTF-8", "zh"), ("en_US.UTF-8", "en"), ("C", "en")])
def test_language_by_locale(locale: str, language: Language) -> None:
    done = piped("", "--seed", "1", LANG=locale)
    assert say("bye", language) in done.stdout
    assert done.returncode == 0


def test_no_colours_over_a_pipe_whatever_the_terminal() -> None:
    for more in ({}, {"TERM": "xterm-256color"}, {"FORCE_COLOR": "1", "TERM": "xterm"}):
        assert ESCAPE not in piped("hint\nok\n", "--seed", "1", **more).stdout


def test_odd_input_is_no_crash() -> None:
    done = subprocess.run(
        [*COMMAND, "play", "--seed", "1", "--lang", "en"],
        input=b"\xff\xfe\x00\n\x1b[A\n7777\x00\n"
        + b"9" * 5000
        + b"\n"
        + "７".encode() * 300
        + b"\nas\n#\n# as\n#x\nas bomb\n",
        capture_output=True,
        env=environment(),
        timeout=60,
        check=False,
    )
    assert done.returncode == 0
    assert done.stderr == b""
    assert b"Goodbye" in done.stdout


def test_output_in_an_encoding_that_lacks_characters() -> None:
    done = subprocess.run(
        [*COMMAND, "play", "--seed", "1", "--lang", "zh"],
        input=b"hint\nok\n",
        capture_output=True,
        env={**environment(), "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"},
        timeout=60,
        check=False,
    )
    assert done.returncode == 0
    assert done.stderr == b""


@pytest.mark.parametrize(
    "options",
    [
        ["--variant", "nowhere"],
        ["--variant", "missing.toml"],
        ["--edition", "coins"],
        ["--variant", "qianbian-duel", "--edition", "points"],
        ["--variant", "qianbian-duel", "--plays-for", "points"],
        ["--variant", "qianbian-duel", "--plays-for", "silver"],
        ["--variant", "huopin-duel", "--plays-for", "silver"],
        ["--variant", "huopin-duel", "--plays-for", "points", "--edition", "coins"],
        ["--deal", "2"],
        ["--seed", "\udcff"],
        ["--bot", "nobody"],
        ["--deal", "0"],
        ["--pace", "-1"],
        ["--pace", "nan"],
        ["--lang", "fr"],
        ["--plays-for", "gold"],
        ["--no-such-option"],
    ],
)
def test_wrong_options_are_refused(options: list[str]) -> None:
    done = piped("", *options)
    assert done.returncode in (1, 2)
    assert done.stdout + done.stderr
    assert "Traceback" not in done.stdout + done.stderr


def test_a_variant_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    file.write_text('schema = 1\nextends = "huopin"\nid = "own"\n[straight]\nmin_ranks = 6\n', encoding="utf-8")
    done = piped("auto on\n", "--variant", str(file), "--seed", "3", "--lang", "en")
    assert done.returncode == 0
    assert "Settlement" in done.stdout
    file.write_text(
        'schema = 1\nextends = "huopin"\nid = "own"\n[straight]\nmin_ranks = 60\nwrong = 1\n', encoding="utf-8"
    )
    done = piped("", "--variant", str(file))
    assert done.returncode == 2
    assert done.stderr.count(str(file)) == 2


@pytest.mark.parametrize(
    ("variant", "options", "unit"),
    [
        ("huopin", ["--plays-for", "coins"], "金币"),
        ("huopin", ["--plays-for", "silver"], "银子"),
        ("huopin-duel", ["--edition", "coins"], "金币"),
        ("huopin-duel", ["--plays-for", "coins"], "金币"),
        ("huopin-duel", [], "积分"),
        ("qianbian-duel", [], "金币"),
    ],
)
def test_what_it_is_played_for(variant: str, options: list[str], unit: str) -> None:
    done = piped("auto on\nnext\nscore\n", "--variant", variant, "--lang", "zh", "--seed", "2", *options)
    assert done.returncode == 0
    assert unit in done.stdout
    assert "2副之后" in done.stdout


# -- commands, in this process


def test_an_empty_line_never_passes() -> None:
    deal = position("AA5", "44", second="333", leader=1)
    shown = typed_game(
        ["", "", "   "], deal.apply(Action.parse("3")).apply(Action.parse("4")).apply(Action.parse("pass"))
    )
    assert "You: pass" not in shown
    assert shown.count("Your hand") == 4


def test_pass_and_its_refusal() -> None:
    deal = position("AA5", "44", second="333")
    for word in words.COMMANDS["pass"]:
        assert "you must play" in typed_game([word], deal)
        shown = typed_game(
            [word],
            position("AA5", "44", second="333", leader=1)
            .apply(Action.parse("3"))
            .apply(Action.parse("pass"))
            .apply(Action.parse("pass")),
        )
        assert "You: pass" in shown


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("typed", "hand", "table", "said"),
    [
        ("99", "AA5", None, "not_held"),
        ("555A", "AA555", None, "carried"),
        ("5678", "5678AA", None, "too_short"),
        ("JQKA2", "JQKA2", None, "no_two_in_runs"),
        ("5x", "5x7", None, "jokers_not_wild"),
        ("555566667777", "5555666677779", "3", None),
        ("55556666", "555566669", None, "two_groups"),
        ("5555566667777", "55555666677779", None, "groups_differ"),
        ("59", "59A", None, "no_combination"),
        ("AA as bomb", "AA5", None, "not_that_kind"),
        ("55", "55A", "3", "other_kind"),
        ("567899", "56789T9", "3", "no_combination"),
        ("3", "3A", "3", "not_higher"),
        ("A", "A5", "4444", "needs_bomb"),
        ("3333", "33335", "4444", "weaker_bomb"),
    ],
)
def test_refusals_in_words(typed: str, hand: str, table: str | None, said: str | None, language: Language) -> None:
    """Every refusal is told in words, and nothing is played."""
    v = load_variant("huopin")
    hands = [parse_ranks(hand), parse_ranks("88"), parse_ranks("88"), parse_ranks((table or "") + "99")]
    deal = Deal.start(v, hands, 3 if table else 0)
    if table:
        deal = deal.apply(Action.parse(table))
    shown = typed_game([typed], deal, language, autopass=False)
    refused = say("refused", language, why="")[:3]
    if said is None:
        assert refused not in shown
        return
    assert refused in shown
    assert "Traceback" not in shown
    assert not any(line.strip().startswith(("You:", "你：")) for line in shown.splitlines())


def test_refusal_of_a_suit_that_is_not_held() -> None:
    v = load_variant("huopin")
    hands = [parse_cards(text) for text in ("7S 7H 9S", "4S 4H", "4C 4D", "5S 5H")]
    deal = Deal.start(v, hands, 0)
    assert "No: you don't hold these suits: 7D; suits need not be written." in typed_game(["7D"], deal)
    assert "You: 7" in typed_game(["7h"], deal)


def test_words_that_are_nothing() -> None:
    deal = position("AA5", "44", second="333")
    assert 'Did you mean "hint"?' in typed_game(["hnit"], deal)
    assert "neither cards nor a command" in typed_game(["good evening"], deal)
    assert "write #12" in typed_game(["12"], deal)
    assert "no number 99" in typed_game(["#99"], deal)
    assert "no number" in typed_game(["#"], deal)
    assert "There is no kind" in typed_game(["AA as flush"], deal)
    assert "is no card" in typed_game(["AA1"], deal)


def test_several_readings_are_told() -> None:
    """With three wild cards a set may make several kinds: the one taken, and how to name another (R3.6)."""
    deal = position("567xxX9", variant="huopin-duel", second="333")
    shown = typed_game(["567xxX"], deal, variant="huopin-duel")
    assert "Counted as" in shown
    assert "you could have named: 567xxX as straight" in shown
    named = typed_game(
        ["567xxX as straight"], position("567xxX9", variant="huopin-duel", second="333"), variant="huopin-duel"
    )
    assert "Counted as" not in named
    assert "straight" in named


def test_hints_step_and_ok_plays_the_one_shown() -> None:
    deal = position("3455AA22", "44", second="333")
    shown = typed_game(["ok", "hint", "hint", "hint", "ok"], deal)
    assert "no hint yet" in shown
    hints = re.findall(r"Hint (\d+)/\d+: ([3456789TJQKA2xX]+)", shown)
    assert [number for number, _ in hints] == ["1", "2", "3"]
    assert len({cards for _, cards in hints}) == 3
    assert f"You: {hints[-1][1]}" in shown


def test_hints_are_legal_and_go_round() -> None:
    for variant in VARIANTS:
        made = game(Pipe([]), variant, seed=f"hints {variant}")
        match = made.match
        turns = 0
        while not match.deal.over and turns < 12:
            if match.deal.to_move != match.me:
                match.deal = match.deal.apply(match.deal.autoplay())
                continue
            turns += 1
            for hint in made.propose():
                action = Action(0) if hint is None else Action.of(hint)
                if hint is not None or match.deal.table is not None:
                    match.deal.apply(action)
            match.deal = match.deal.apply(match.deal.autoplay())


def test_the_list_is_what_can_be_played() -> None:
    made = game(Pipe(["list"]))
    made.match.deal = position("7777X56", "4", second="333")
    plays = made.listed()
    made.run()
    shown = made.console.out.getvalue() if isinstance(made.console, Pipe) else ""
    for number in range(1, len(plays) + 1):
        assert f"#{number} " in shown
    for number, play in enumerate(plays, 1):
        deal = position("7777X56", "4", second="333")
        text = typed_game([f"#{number}"], deal)
        assert f"You: {format_ranks(play.counts)}" in text


def test_autopass_and_its_switch() -> None:
    def deal() -> Deal:
        d = position("35", "44", second="AAA", leader=1)
        return d.apply(Action.parse("AA")).apply(Action.parse("pass")).apply(Action.parse("pass"))

    assert "passed for you" in typed_game([], deal())
    lead = position("3AA", "66", second="4499")
    off = typed_game(["autopass off", "3"], lead)
    assert "Passing for you when nothing beats: off." in off
    assert "on or off" in typed_game(["autopass perhaps"], lead)


def test_auto_play_plays_on_until_it_is_taken_back() -> None:
    shown = typed_game(["auto on", "auto off", "next", "托管 开", "auto"])
    assert shown.count("auto-play: You:") > 5
    assert "Auto-play is off" in shown
    assert "Deal 2 begins." in shown


def test_language_can_be_changed() -> None:
    shown = typed_game(["语言", "language en", "language zh", "language fr", "退出"])
    assert "语言：中文。" in shown
    assert "Language: English." in shown
    assert "语言：zh（中文）" in shown
    assert shown.rstrip().endswith("再见！")


def test_sorting_takes_a_word() -> None:
    shown = typed_game(["sort rank", "sort rank", "sort combination", "sort 牌型", "sort", "sort suits"])
    said = re.findall(r"Hand sorted by (\w+)|(After \"sort\" write rank or kind)", shown)
    assert [a or b[:5] for a, b in said] == ["rank", "rank", "combination", "combination", "rank", "After"]


def test_one_card_is_one_card() -> None:
    shown = typed_game([], position("5", "44", second="333"))
    assert "Your hand, 1 card, by rank" in shown
    assert "你的手牌 1 张" in typed_game([], position("5", "44", second="333"), "zh")


def test_next_only_after_the_end() -> None:
    assert "not over yet" in typed_game(["next"])
    shown = typed_game(["auto on", "hint", "33", "pass", "list", "ok", "nonsense", "下一副"])
    assert shown.count("The deal is over.") == 5
    assert "Deal 2 begins." in shown


def test_saving(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "名字 with blanks.txt"
    shown = typed_game(
        [
            "save",
            "auto on",
            f"save {file}",
            f"save {file}",
            f"save {tmp_path}",
            "save no/such/dir",
            "save",
            "next",
            "save",
            f"save {tmp_path / 'two.txt'}",
        ]
    )
    assert "No deal is over yet" in shown
    assert f"Saved to {file} (1 deal)." in re.sub(r"\s*\n\s+", " ", shown) or "(1 deal)" in shown
    assert "not overwritten" in shown
    assert shown.count("Cannot save") + shown.count("exists") >= 2
    assert len(list(tmp_path.glob("huopin-*.txt"))) == 2
    (record,) = read_records(file.read_text("utf-8"))
    assert record.deal().over
    assert len(read_records((tmp_path / "two.txt").read_text("utf-8"))) == 2
    assert record.header("Seed") == "7"


def test_names_of_files_to_save(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    typed = ["auto on", 'save "a b.sk"', "save 'c.sk'", "save -", 'save ""', "save ''", 'save "d.sk']
    shown = typed_game(typed)
    assert {file.name for file in tmp_path.iterdir()} == {"a b.sk", "c.sk", '"d.sk'}
    assert shown.count("is no file name") == 3
    (tmp_path / "dir").mkdir()
    told = re.sub(
        r"\s", "", typed_game(["auto on", "save no/such/dir", f"save c.sk/{'x'}", "save a\0b"], language="zh")
    )
    assert "不能保存到no/such/dir：没有这个文件或目录。" in told
    assert "路径中有一段不是目录" in told
    assert told.count("不能保存到") == 3


def test_reasons_of_the_system_are_told_in_chinese() -> None:
    for error in (
        FileNotFoundError(2, "a"),
        PermissionError(13, "b"),
        IsADirectoryError(21, "c"),
        FileExistsError(17, "d"),
    ):
        assert not words.os_error_words(error, "zh").isascii()
        assert words.os_error_words(error, "en") == error.strerror
    assert words.os_error_words(OSError(9999, "odd"), "zh") == "odd"
    assert words.os_error_words(ValueError("none"), "zh") == "none"


@pytest.mark.parametrize("variant", VARIANTS)
def test_saved_deals_are_right(variant: str, tmp_path: Path) -> None:
    file = tmp_path / "saved.txt"
    typed_game(["auto on", "next", "next", f"save {file}"], variant=variant)
    done = subprocess.run(
        [*COMMAND, "replay", str(file), "--check", "--lang", "en"],
        capture_output=True, encoding="utf-8", env=environment(), check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (0, "3 deals, all right.\n")


# -- standings


def test_standings_add_up() -> None:
    made = game(Pipe(["auto on", "next", "next", "next"]))
    made.run()
    booked = made.match.booked
    assert len(booked) == 4
    for player in range(4):
        assert made.match.balances[player] == sum(b.changes[player] for b in booked)
    assert made.match.book() is booked[-1]  # once only
    assert len(made.match.booked) == 4


def test_a_duel_for_coins_makes_no_money_and_refills() -> None:
    match = match_of("huopin-duel", unit="coins")
    match.at_start = match.balances = (150, 20000)
    assert match.stake() is not None
    v = match.terms.variant
    hands = [parse_ranks("3456789TJQKA24444"), parse_ranks("7777888899995")]
    deal = Deal.start(v, hands, 1)
    for text in ("77778888", "9999", "5"):
        if text == "77778888":
            deal = deal.apply(Action.parse("7777")).apply(Action.parse("pass"))
            deal = deal.apply(Action.parse("8888")).apply(Action.parse("pass"))
        else:
            deal = deal.apply(Action.parse(text))
            deal = deal if deal.over else deal.apply(Action.parse("pass"))
    assert deal.over
    match.deal = deal
    booked = match.book()
    assert sum(booked.changes) == 0
    assert booked.changes[0] >= -150
    if booked.at_start[0] + booked.changes[0] < match.needs:
        assert booked.refilled == (0,)
        assert match.balances[0] == match.refill
    assert booked.changes == (-150, 150) or not booked.paid_less


# -- the end of the input, Ctrl-C


SCRIPT: list[Answer] = ["hint", "ok", "list", "", "sort", "help", "history", "auto on", "score", "next", "hint"]


@pytest.mark.parametrize("kind", [Pipe, Screen])
@pytest.mark.parametrize("at", range(len(SCRIPT) + 1))
def test_the_input_may_end_at_any_prompt(at: int, kind: type[Pipe]) -> None:
    console = kind(SCRIPT[:at])
    assert game(console).run() == 0
    assert console.out.getvalue().rstrip().endswith("Goodbye!")
    assert "The input has ended." in console.out.getvalue()


@pytest.mark.parametrize("at", range(len(SCRIPT) + 1))
def test_ctrl_c_at_any_prompt(at: int) -> None:
    """The first drops the line, the second leaves with code 130; a line between them makes it the first again."""
    twice = Screen([*SCRIPT[:at], KeyboardInterrupt, KeyboardInterrupt])
    assert game(twice).run() == 130
    assert twice.out.getvalue().rstrip().endswith("Goodbye!")
    once = Screen([*SCRIPT[:at], KeyboardInterrupt, *SCRIPT[at:], "sort", KeyboardInterrupt, "help", "quit"])
    assert game(once).run() == 0
    pipe = Pipe([*SCRIPT[:at], KeyboardInterrupt])
    assert game(pipe).run() == 130


# -- seeds and secrets


def test_a_drawn_seed_deals_its_deal_again_and_no_other() -> None:
    """Without --seed each deal has a secret of its own; it is told when that deal is over, not before."""
    done = piped("auto on\nnext\nnext\nquit\n", "--lang", "en", "--bot", "autoplay")
    seeds = re.findall(r"To play these cards again: --seed (\w+)$", done.stdout, re.MULTILINE)
    assert len(seeds) == 4  # three deals, and once more when leaving
    assert seeds[3] == seeds[2]
    assert len(set(seeds)) == 3
    assert all(re.fullmatch("[0-9a-f]{32}", seed) for seed in seeds)
    before = done.stdout.partition("Deal 2 begins.")[0]
    assert seeds[0] in before
    assert seeds[1] not in before
    again = piped("", "--lang", "en", "--seed", seeds[0], "--bot", "autoplay").stdout.splitlines()
    assert [line for line in again if "Your hand" in line or "Deal 1 begins" in line]
    assert done.stdout.splitlines()[:6] == again[:6]


@pytest.mark.parametrize("variant", VARIANTS)
def test_drawn_seeds_are_those_of_the_records(variant: str, tmp_path: Path) -> None:
    match = Match(terms_of(variant), None, bots.bot("autoplay"))
    file = tmp_path / "drawn.txt"
    made = Game(match, Pipe(["auto on", "next", "next", f"save {file}"]), "en", 0.0)
    made.run()
    assert isinstance(made.console, Pipe)
    records = read_records(file.read_text("utf-8"))
    assert len(records) == 3
    for record, booked in zip(records, match.booked, strict=True):
        assert check_record(record) == []
        seed = record.header("Seed")
        assert f"--seed {seed}" in made.console.out.getvalue()
        again = Match(terms_of(variant), seed, bots.bot("autoplay"))
        assert again.deal.dealt == booked.deal.dealt
        assert again.deal.turned_up == booked.deal.turned_up
    assert Match(terms_of(variant), None, bots.bot("autoplay")).deal.dealt != match.booked[0].deal.dealt


def test_a_running_deals_seed_is_not_told() -> None:
    done = piped("auto on\nnext\nauto off\n", "--lang", "en", "--bot", "autoplay")
    match = Match(terms_of("huopin"), None, bots.bot("autoplay"))
    made = Game(match, Pipe(["hint", "ok", "score", "history", "quit"]), "en", 0.0)
    made.run()
    assert isinstance(made.console, Pipe)
    assert match.seed_of(1) not in made.console.out.getvalue()
    assert done.returncode == 0


class _Spy:
    """A bot that looks into its source for the seed of the deal."""

    def __init__(self) -> None:
        self.sources: list[bytes] = []
        self.found = 0

    def act(self, view: View, source: Any) -> Action:
        held: bytes = source._seed
        self.sources.append(held)
        texts: set[str | bytes] = {held, held.hex(), held.decode("latin-1")}
        texts |= {held.decode("latin-1").rpartition("/")[0], *held.decode("latin-1").split("/")}
        assert view.seat is not None
        for text in texts:
            self.found += Deal.shuffle(view.variant, SeedSource(text)).dealt[view.seat] == view.faces[view.seat]
        return bots.bot("autoplay").act(view, source)


@pytest.mark.parametrize("seed", ["osmanthus", None])
def test_bots_find_no_seed_in_their_source(seed: str | None) -> None:
    spy = _Spy()
    match = Match(terms_of("huopin"), seed, spy)
    Game(match, Pipe(["hint", "auto on", "next"]), "en", 0.0).run()
    assert len(match.booked) == 2
    assert spy.found == 0
    assert len(set(spy.sources)) == len(spy.sources) > 20
    for number in (1, 2):
        assert all(match.seed_of(number).encode() not in held for held in spy.sources)


# -- bots that fail


class _Failing:
    """Plays as auto-play does until its fifth move, then fails."""

    def __init__(self, how: Callable[[], Any]) -> None:
        self.how = how
        self.moves = 0

    def act(self, view: View, source: Any) -> Any:
        self.moves += 1
        return self.how() if self.moves >= 5 else bots.bot("autoplay").act(view, source)


def _leave() -> None:
    sys.exit("enough")


@pytest.mark.parametrize("kind", [Pipe, Screen])
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("how", "what"),
    [
        (lambda: 1 // 0, "ZeroDivisionError: "),
        (lambda: None, "TypeError: NoneType is no action"),
        (lambda: Action(parse_ranks("33334444")), "refused ("),
        (_leave, "SystemExit: enough"),
    ],
)
def test_auto_play_takes_over_from_a_bot_that_fails(
    how: Callable[[], Any], what: str, language: Language, kind: type[Pipe]
) -> None:
    console = kind(["auto on", "hint", "next", "quit"])
    match = Match(terms_of("huopin"), "7", _Failing(how), bot_name="frail")
    assert Game(match, console, language, 0.0).run() == 0
    assert [b.number for b in match.booked] == [1, 2]
    assert match.failed == {1, 2, 3}  # of the second deal: in a new deal they are asked again
    shown = re.sub(r"\s*\n\s*", " ", console.out.getvalue())
    if kind is Screen:
        return
    assert what in shown
    assert shown.count(" frail ") == 6
    assert shown.count(say("auto_played", language)) > 20
    assert ("totheendofthedeal" if language == "en" else "剩下的由托管替") in shown.replace(" ", "")


def test_hints_of_a_bot_that_fails_are_auto_plays() -> None:
    match = Match(terms_of("huopin"), "7", _Failing(_leave))
    match.bot.moves = 9  # type: ignore[attr-defined]
    console = Pipe(["hint", "ok", "quit"])
    assert Game(match, console, "en", 0.0).run() == 0
    assert "Hint 1/" in console.out.getvalue()
    assert "You: " in console.out.getvalue()


# -- screens


def _wander(seed: int) -> Iterator[str]:
    """Some hundred things that a person may type."""
    source = SeedSource(f"wander {seed}")
    common = ["hint", "hint", "ok", "ok", "ok", "#1", "#2", "pass", "", "#3"]
    rare = [
        "list",
        "sort",
        "help",
        "rules",
        "history",
        "score",
        "language",
        "nonsense",
        "3344",
        "7777X as bomb",
        "autopass",
        "next",
        "hint",
        "99999999999",
        "save /no/such/place/at/all/which/is/long/enough/to/be/wrapped",
    ]
    for _ in range(220):
        words_ = rare if source.below(3) == 0 else common
        yield words_[source.below(len(words_))]
    for _ in range(60):
        yield from ("hint", "ok", "")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("variant", VARIANTS)
def test_every_screen_fits(variant: str, language: Language) -> None:
    console = Screen(_wander(len(variant)))
    made = game(console, variant, language, seed=f"screens {language}")
    assert made.run() == 0
    assert len(made.match.booked) >= 1
    assert len(console.frames) > 100
    for frame in console.frames:
        assert len(frame) <= 23, "\n".join(frame)
        for line in frame:
            assert narrow(line) <= 80, line


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("variant", VARIANTS)
def test_the_end_of_every_deal_fits_with_its_seed(variant: str, language: Language) -> None:
    v = load_variant(variant)
    for unit in units_of(v):
        match = Match(terms_of(variant, unit), None, bots.bot("autoplay"))
        console = Screen(["auto on", *["next"] * 7])
        made = Game(match, console, language, 0.0)
        made.run()
        assert len(match.booked) == 8
        for booked in match.booked:
            frame = [line.text for line in made.painter.end(booked, 23)]
            assert len(frame) == 23
            assert max(columns(line) for line in frame) <= 80
            shown = "\n".join(frame)
            assert match.seed_of(booked.number) in shown
            assert say("next_how", language) in frame[-1]
            assert say("settlement", language) in shown


def test_the_table_shows_what_matters() -> None:
    v = load_variant("huopin")
    hands = [parse_cards(t) for t in ("5S 5H 9S 9H X", "7S 7H 7C X 8S", "4S 4H 4C", "6S 6H 6C 6D")]
    deal = Deal.start(v, hands, 1).apply(Action.parse("777X")).apply(Action.parse("pass")).apply(Action.parse("pass"))
    console = Screen([])
    made = game(console, language="en")
    made.match.deal = deal
    made.autopass = False
    made.run()
    table = "\n".join(console.frames[-1])
    assert "Beat Lin's 777X  bomb 7, 4 stars, wild as 7" in table
    assert re.search(r"Lin +right +1 card +777X", table)
    assert re.search(r"Mei +partner +3 cards +pass", table)
    assert re.search(r"Tao +left +4 cards +pass", table)
    assert re.search(r"> You +5 cards", table)
    assert "X*" in table


# -- secrets


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("variant", ["huopin", "huopin-duel", "classic"])
def test_hands_of_others_do_not_show(variant: str, language: Language) -> None:
    """Unseen cards changed among those who hold them: the same screens until somebody plays otherwise."""
    v = load_variant(variant)
    deal = Deal.shuffle(v, SeedSource(f"secret {variant}"), leader=None if v.turned_up_card else 0)
    while deal.to_move != deal.seats.index(0):
        deal = deal.apply(deal.autoplay())
    me = deal.seats.index(0)
    typed = ["hint", "hint", "list", "history", "score", "sort", "rules", ""]

    def screens(at: Deal) -> tuple[list[list[str]], str]:
        console, pipe = Screen(typed), Pipe(typed)
        for made in (game(console, variant, language), game(pipe, variant, language)):
            made.match.deal = at
            made.run()
        return console.frames, pipe.out.getvalue()

    others = [s for s in range(deal.players) if s != me]
    hands = list(deal.hands)
    if len(others) > 1:
        a, b = others[0], others[2] if len(others) > 2 else others[1]
        hands[a], hands[b] = _exchanged(hands[a], hands[b])
    else:
        mine = hands[me] + sum([m.counts for m in deal.moves])
        hands[others[0]] = _rest(mine, size(hands[others[0]]))
    from dataclasses import replace

    changed = replace(deal, hands=tuple(hands))
    assert changed.hands != deal.hands
    assert screens(changed) == screens(deal)


def _exchanged(a: Counts, b: Counts) -> tuple[Counts, Counts]:
    """Two hands that give one another as many cards as they can."""
    give = [r for r in range(13) if count(a, r)][:6]
    take = [r for r in range(13) if count(b, r) and r not in give][: len(give)]
    out = sum([ONE[r] for r in give[: len(take)]])
    back = sum([ONE[r] for r in take])
    return a - out + back, b - back + out


def _rest(known: Counts, n: int) -> Counts:
    """Some hand of ``n`` cards out of those that are not known."""
    made = 0
    for rank in range(13):
        while count(known, rank) + count(made, rank) < 8 and size(made) < n:
            made += ONE[rank]
    return made


# -- on a real terminal


class Terminal:
    """A process on a pseudo-terminal of 80x24."""

    def __init__(self, *arguments: str, rows: int = 24, **more: str) -> None:
        self.child = pexpect.spawn(
            COMMAND[0], [*COMMAND[1:], *arguments], encoding="utf-8", dimensions=(rows, 80), timeout=8,
            env=environment(**{"TERM": "xterm-256color", **more}),
        )  # fmt: skip
        self.log = io.StringIO()
        self.child.logfile_read = self.log

    def expect(self, text: str) -> None:
        self.child.expect_exact(text)

    def rest(self) -> None:
        """Let the line editor come to rest: it overlooks a Ctrl-C in the very moment of another key."""
        time.sleep(0.2)

    def end(self) -> int:
        self.child.expect(pexpect.EOF)
        self.child.close()
        assert "Traceback" not in self.log.getvalue()
        return int(self.child.exitstatus if self.child.exitstatus is not None else -(self.child.signalstatus or 0))


@pytest.fixture
def terminal() -> Iterator[Callable[..., Terminal]]:
    started: list[Terminal] = []

    def start(*arguments: str, rows: int = 24, **more: str) -> Terminal:
        started.append(Terminal(*arguments, rows=rows, **more))
        return started[-1]

    yield start
    for one in started:
        one.child.close(force=True)


Start = Callable[..., Terminal]


@pytest.mark.parametrize(("language", "prompt", "hint"), [("zh", "出牌> ", "提示"), ("en", "play> ", "hint")])
def test_a_deal_on_a_terminal(terminal: Start, language: str, prompt: str, hint: str) -> None:
    t = terminal("play", "--seed", "3", "--lang", language, "--fast")
    following = say("prompt_next", "zh" if language == "zh" else "en")
    for _ in range(60):
        if t.child.expect_exact([prompt, following]) == 1:
            break
        t.child.sendline(hint)
        t.expect(prompt)
        t.child.sendline("ok")
    else:
        pytest.fail("the deal did not end")
    t.child.sendline("quit")
    assert t.end() == 0
    assert "--seed 3" in t.log.getvalue()


def test_ctrl_c_twice_leaves_a_terminal_as_it_was(terminal: Start) -> None:
    t = terminal("play", "--seed", "3", "--lang", "en", "--fast")
    t.expect("play> ")
    t.child.send("77")
    t.expect("77")
    t.rest()
    t.child.sendintr()
    t.expect("Ctrl-C again leaves")
    t.expect("play> ")
    t.rest()
    t.child.sendintr()
    t.expect("Goodbye!")
    assert t.end() == 130
    log = t.log.getvalue()
    assert log.count("\x1b[?1049h") == log.count("\x1b[?1049l") == 1


def test_end_of_input_on_a_terminal(terminal: Start) -> None:
    t = terminal("play", "--seed", "3", "--lang", "en", "--fast")
    t.expect("play> ")
    t.child.sendeof()
    t.expect("The input has ended.")
    assert t.end() == 0


def test_a_key_takes_over_from_auto_play(terminal: Start) -> None:
    t = terminal("play", "--seed", "3", "--lang", "en", "--pace", "0.4", NO_COLOR="1")
    t.expect("play> ")
    t.child.sendline("auto on")
    t.expect("auto-play: You:")
    t.child.send("z")
    t.expect("Auto-play is off")
    t.expect("play> ")
    t.child.sendline("auto on")
    t.expect("auto-play: You:")
    t.rest()
    t.child.sendintr()
    t.expect("Auto-play is off")
    t.expect("play> ")
    t.child.sendline("quit")
    assert t.end() == 0


def test_what_is_typed_ahead_waits_in_the_prompt(terminal: Start) -> None:
    """Cards typed while others play are neither played nor dropped."""
    t = terminal("play", "--seed", "3", "--lang", "en", "--pace", "0.6")
    t.expect("any key: faster")
    t.child.send("lis\r")
    t.expect("play> lis")
    t.child.sendline("t")
    t.expect("pick by number")
    t.child.sendline("quit")
    assert t.end() == 0


def test_no_color_is_kept(terminal: Start) -> None:
    t = terminal("play", "--seed", "3", "--lang", "en", "--fast", NO_COLOR="1")
    t.expect("play> ")
    t.child.sendline("quit")
    t.end()
    assert not re.search(r"\x1b\[[0-9;]*m", t.log.getvalue())
    coloured = terminal("play", "--seed", "3", "--lang", "en", "--fast")
    coloured.expect("play> ")
    coloured.child.sendline("quit")
    coloured.end()
    assert re.search(r"\x1b\[[0-9;]*m", coloured.log.getvalue())


@pytest.mark.parametrize(("options", "more"), [(["--plain"], {}), ([], {"TERM": "dumb"}), ([], {"TERM": ""})])
def test_plain_and_dumb_terminals_get_no_control_code(
    terminal: Start, options: list[str], more: dict[str, str]
) -> None:
    t = terminal("play", "--seed", "3", "--lang", "en", "--fast", *options, **more)
    t.expect("play> ")
    t.child.sendline("hint")
    t.expect("Hint 1/")
    t.rest()
    t.child.sendintr()
    t.expect("Ctrl-C again leaves")
    t.rest()
    t.child.sendintr()
    assert t.end() == 130
    assert ESCAPE not in t.log.getvalue()


def test_a_small_window_gets_lines(terminal: Start) -> None:
    t = terminal("play", "--seed", "3", "--lang", "en", "--fast", rows=20)
    t.expect("play> ")
    t.child.sendline("quit")
    assert t.end() == 0
    assert "\x1b[H" not in t.log.getvalue()
    assert "\x1b[?1049h" not in t.log.getvalue()


def test_a_window_made_smaller_gets_lines_and_a_larger_one_the_screen(terminal: Start) -> None:
    t = terminal("play", "--seed", "3", "--lang", "en", "--fast", NO_COLOR="1")
    t.expect("play> ")
    t.child.send("hi")
    t.expect("hi")
    t.rest()
    t.child.setwinsize(15, 60)
    t.expect("\x1b[?1049l")
    t.expect("Your hand, ")
    t.expect("play> ")
    start = len(t.log.getvalue())
    t.child.sendline("hint")
    t.expect("Hint 1/")
    t.expect("play> ")
    t.child.setwinsize(16, 60)  # still too small: nothing is written
    t.rest()
    t.child.sendline("help")
    t.expect("exit code 130")
    t.expect("play> ")
    assert ESCAPE not in t.log.getvalue()[start:]
    t.child.setwinsize(30, 100)
    t.expect("\x1b[?1049h")
    t.expect("\x1b[2J")
    t.expect("Your hand, ")
    t.expect("play> ")
    t.child.sendline("list")
    t.expect("page 1/")
    t.child.setwinsize(24, 80)
    t.expect("\x1b[2J")
    t.expect("page 1/")
    t.child.sendline("")
    t.child.sendline("quit")
    assert t.end() == 0
    log = t.log.getvalue()
    assert log.rindex("\x1b[?1049l") > log.rindex("\x1b[?1049h")


def test_a_line_that_was_begun_survives_a_redraw(terminal: Start) -> None:
    t = terminal("play", "--seed", "3", "--lang", "en", "--fast", NO_COLOR="1")
    t.expect("play> ")
    t.child.send("his")
    t.expect("his")
    t.rest()
    t.child.setwinsize(40, 90)
    t.expect("\x1b[2J")
    t.expect("play> his")
    t.child.sendline("tory")
    t.expect("trick by trick")
    t.child.sendline("quit")
    assert t.end() == 0


@pytest.mark.skipif(not hasattr(signal, "SIGCONT"), reason="no such signal here")
@pytest.mark.parametrize("options", [["--fast"], ["--pace", "9"]])
def test_a_process_that_goes_on_after_a_stop_draws_again(terminal: Start, options: list[str]) -> None:
    t = terminal("play", "--seed", "3", "--lang", "en", *options, NO_COLOR="1")
    prompt = "play> " if options == ["--fast"] else "any key: faster"
    t.expect(prompt)
    t.rest()
    t.child.kill(signal.SIGSTOP)
    t.rest()
    t.child.kill(signal.SIGCONT)
    t.expect("\x1b[?1049h")
    t.expect("Your hand, ")
    t.expect(prompt)
    t.rest()
    t.child.sendcontrol("z")  # without a shell it does not stop, but goes on at once
    t.expect("\x1b[?1049l")
    t.expect("\x1b[?1049h")
    t.expect(prompt)
    t.rest()
    t.child.sendintr()
    t.rest()
    t.child.sendintr()
    assert t.end() == 130


def test_a_replay_is_drawn_again_when_the_window_changes(terminal: Start, saved: Path) -> None:
    t = terminal("replay", str(saved), "--lang", "en")
    t.expect("move 0/")
    t.child.send("n")
    t.expect("move 1/")
    t.rest()
    t.child.setwinsize(20, 70)
    t.expect("A window smaller than 80x24")
    t.child.setwinsize(24, 80)
    t.expect("move 1/")
    t.child.send("q")
    assert t.end() == 0


@pytest.mark.skipif(not hasattr(signal, "SIGTERM"), reason="no such signal here")
def test_a_stopped_process_gives_the_screen_back(terminal: Start) -> None:
    t = terminal("play", "--seed", "3", "--lang", "en", "--pace", "5")
    t.expect("any key: faster")
    t.child.kill(signal.SIGTERM)
    t.expect("\x1b[?1049l")
    assert t.end() == 128 + signal.SIGTERM


# -- replay on a terminal


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("records") / "two.txt"
    typed_game(["auto on", "next", f"save {file}"])
    return file


def test_replay_steps_by_keys(terminal: Start, saved: Path) -> None:
    moves = [len(record.moves) for record in read_records(saved.read_text("utf-8"))]
    t = terminal("replay", str(saved), "--lang", "en")
    t.expect(f"move 0/{moves[0]}")
    for keys, shown in (
        ("n", "move 1/"), ("\x1b[C", "move 2/"), ("b", "move 1/"), ("\x1b[D", "move 0/"), ("b", "move 0/"),
        ("$", f"move {moves[0]}/"), ("n", f"move {moves[0]}/"), ("0", "move 0/"), ("]", "move "), ("[", "move 0/"),
        ("N", f"move 0/{moves[1]}"), ("N", "no other deal"), ("P", f"move 0/{moves[0]}"), ("P", "no other deal"),
        ("g", "go to move"), ("17\r", "move 17/"), ("g", "go to move"), ("9999\r", "There is no move 9999"),
        ("g", "go to move"), ("\r", "move 17/"), ("g", "go to move"), ("\x03", "move 17/"), ("z", "move 17/"),
        ("bb", "move 15/"), ("\x1b[C\x1b[C", "move 17/"),
    ):  # fmt: skip
        t.child.send(keys)
        t.expect(shown)
    t.child.send("q")
    assert t.end() == 0


@pytest.mark.parametrize("keys", ["\x03", "\x04"])
def test_replay_is_left_cleanly(terminal: Start, saved: Path, keys: str) -> None:
    t = terminal("replay", str(saved), "--lang", "zh")
    t.expect("第0/")
    t.child.send(keys)
    assert t.end() == 0
    assert t.log.getvalue().count("\x1b[?1049l") == 1


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("variant", VARIANTS)
def test_every_screen_of_a_replay_fits(variant: str, language: Language, tmp_path: Path) -> None:
    from shuangkou.rules.record import scan_records
    from shuangkou.terminal.replay import Replay

    file = tmp_path / "one.txt"
    typed_game(["auto on", f"save {file}"], language=language, variant=variant)
    frames: list[list[str]] = []
    replay = Replay(scan_records(file.read_text("utf-8").splitlines()), Screen([]), language)
    assert replay._open(0)
    while True:
        frames.append([line.text for line in replay._frame(23)])
        if replay.move == replay._last:
            break
        replay._do("next")
    assert len(frames) > 20
    for frame in frames:
        assert len(frame) == 23
        assert all(narrow(line) <= 80 for line in frame)
    for state, frame in zip(replay._course.states if replay._course else [], frames, strict=True):
        shown = "\n".join(frame)
        for seat in range(state.players):  # every hand stands there, whole
            hand = hand_lines(state.variant, state.hands[seat], "rank", language)[0].text.strip()
            assert hand in shown


def test_replay_tells_what_is_wrong(terminal: Start, saved: Path, tmp_path: Path) -> None:
    text = saved.read_text("utf-8")
    broken = tmp_path / "broken.txt"
    broken.write_text(text.replace(" 1. ", " 1. 0:3333 ", 1), encoding="utf-8")
    t = terminal("replay", str(broken), "--lang", "en")
    t.child.send("$")
    t.expect("line ")
    t.child.send("N")
    t.expect("deal 2")
    t.child.send("q")
    assert t.end() == 0
    empty = tmp_path / "empty.txt"
    empty.write_text("", encoding="utf-8")
    t = terminal("replay", str(empty), "--lang", "en")
    t.expect("no deal in it")
    assert t.end() == 1


def test_replay_plain_prints_the_whole_course(terminal: Start, saved: Path) -> None:
    t = terminal("replay", str(saved), "--lang", "en", "--plain")
    assert t.end() == 0
    assert "Deal 2" in t.log.getvalue()
    assert ESCAPE not in t.log.getvalue()
