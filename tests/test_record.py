"""Records: written and read without loss, replayed by the rules, and every fault told with its place (R1.7)."""

from __future__ import annotations

import itertools
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from shuangkou.rules.cards import format_cards, parse_cards, parse_ranks, size
from shuangkou.rules.deal import PASS, Action, Deal, SeedSource, TurnedUp
from shuangkou.rules.errors import IllegalPlay, RecordError, SettlementError
from shuangkou.rules.reading import plays, readings
from shuangkou.rules.record import (
    MOST_CHARACTERS,
    Entry,
    Record,
    Shape,
    Terms,
    check_record,
    read_records,
    scan_records,
    write_record,
    write_records,
)
from shuangkou.rules.variant import Variant, load_variant, variant_ids, with_settings
from shuangkou.terminal import records as records_command
from shuangkou.terminal.records import show
from tests.strategies import variants

ROOT = Path(__file__).resolve().parent.parent
NOTATION = ROOT / "docs" / "notation.md"
RUN = {**os.environ, "PYTHONIOENCODING": "utf-8", "LC_ALL": "C.UTF-8"}


# Deals to record


def some_action(deal: Deal, rng: Random) -> Action:
    """A move by the rules: mostly a canonical play, now and then any set, chosen faces, another kind, a pass."""
    assert deal.to_move is not None
    hand = deal.hands[deal.to_move]
    choices = deal.canonical()
    if deal.table is not None and (not choices or rng.random() < 0.25):
        return PASS
    play = rng.choice(choices)
    counts, kind = play.counts, play.kind
    if rng.random() < 0.3 and size(hand) <= 12:
        counts = rng.choice(plays(deal.catalogue, hand, deal.table))
        kind = rng.choice([None, *(reading.kind for reading in readings(deal.catalogue, counts, deal.table))])
    if any(deal.dealt) and rng.random() < 0.3:
        held = list(deal.cards(deal.to_move))
        rng.shuffle(held)
        cards = []
        for rank in range(15):
            cards += [card for card in held if card.rank == rank][: counts >> 4 * rank & 15]
        return Action(counts, kind, tuple(sorted(cards)))
    return Action(counts, kind)


def play_on(deal: Deal, rng: Random, most: int = 1000) -> Deal:
    for _ in range(most):
        if deal.over:
            break
        deal = deal.apply(some_action(deal, rng))
    return deal


def played(variant: Variant, seed: int, most: int = 1000) -> Deal:
    return play_on(Deal.shuffle(variant, SeedSource(seed)), Random(seed), most)


def examples() -> list[str]:
    return re.findall(r"^```shuangkou-record\n(.*?)^```$", NOTATION.read_text("utf-8"), re.MULTILINE | re.DOTALL)


@cache
def example(number: int = 0) -> str:
    return examples()[number]


def same(deal: Deal, record: Record) -> None:
    """The record is written, read and replayed to the very same deal."""
    text = write_record(record)
    (back,) = read_records(text)
    assert back == record
    assert write_record(back) == text
    assert back.deal() == deal
    assert check_record(back) == check_record(record) == []


# Seeds


@pytest.mark.parametrize("id", variant_ids())
def test_the_seats_of_a_seed_are_checked(id: str) -> None:
    """Where a deal has a seed, who sits where follows from it and from the seats before (R1.4)."""
    variant = load_variant(id)
    n = variant.players
    orders = list(itertools.permutations(range(n)))
    for seed in ("spring", "autumn", "7"):
        for before in (orders[0], orders[1], orders[-1], orders[len(orders) // 3]):
            deal = Deal.shuffle(variant, SeedSource(seed), seats=before)
            for headers in ({"Seed": seed, "Deal": "2"}, {"SeedHex": seed.encode().hex()}):
                record = Record.of(deal, headers)
                assert record.header("SeatsBefore") == ("" if before == orders[0] else " ".join(map(str, before)))
                (back,) = read_records(write_record(record))
                assert check_record(back) == []
                assert Record.of(deal, record.headers).headers == record.headers
                for after in orders:
                    wrong = replace(record, seats=after)
                    assert bool(check_record(wrong)) == (after != record.seats)


def test_faults_of_the_seats_of_a_seed() -> None:
    deal = Deal.shuffle(load_variant("huopin"), SeedSource("autumn"))
    text = write_record(Record.of(deal, {"Seed": "autumn"}))
    for old, new, fault in [
        (
            '[Seats "1 0 2 3"]',
            '[Seats "0 1 2 3"]',
            (
                "line 4, column 8: this seed brings the players from the seats 0 1 2 3 to 1 0 2 3; "
                'expected [Seats "1 0 2 3"], or the true [SeatsBefore ...]'
            ),
        ),
        (
            "[Variant",
            '[SeatsBefore "0 1 2"]\n[Variant',
            "line 3, column 14: not the players in some order; expected in any order 0 1 2 3",
        ),
    ]:
        assert text.count(old) == 1
        (record,) = read_records(text.replace(old, new))
        assert [str(error) for error in check_record(record)] == [fault]


# What is written is read


@pytest.mark.parametrize("id", variant_ids())
def test_deals_are_written_read_and_replayed(id: str) -> None:
    for seed in range(12):
        deal = played(load_variant(id), seed, 1000 if seed % 3 else seed * 4)
        same(deal, Record.of(deal, {"Seed": str(seed)}))


ODD = st.text(
    st.one_of(
        st.characters(),
        st.sampled_from('"\\{}[]\n\r\t\0\x7f\x85\u2028\u202e\u200d\ud800\ufeff王🀄👩\u200d👩\u200d👧#^=:*'),
    ),
    max_size=30,
)
NAMES = st.from_regex(r"[A-Za-z][A-Za-z0-9_-]{0,12}", fullmatch=True).filter(lambda name: not name.startswith("Seed"))


class Made(NamedTuple):
    deal: Deal
    record: Record

    def __repr__(self) -> str:
        return write_record(self.record)


@st.composite
def records(draw: st.DrawFn) -> Made:
    variant = draw(st.one_of(st.sampled_from([*map(load_variant, variant_ids())]), variants()))
    rng = draw(st.randoms(use_true_random=False))
    start = Deal.shuffle(variant, SeedSource(draw(st.integers(0, 1000))))
    shape = draw(st.sampled_from(("whole", "few cards", "ranks", "jokers")))
    if shape != "whole":
        hands = [hand[: draw(st.integers(1, 9))] for hand in start.dealt]
        if shape == "jokers" and variant.players == 2:
            hands = [parse_cards("x X"), parse_cards("X x")]
        by_ranks = [sum(1 << 4 * card.rank for card in hand) for hand in hands]
        faces = shape == "few cards" or draw(st.booleans())
        start = Deal.start(variant, hands if faces else by_ranks, draw(st.integers(0, variant.players - 1)))
    deal = play_on(start, Random(rng.random()), draw(st.one_of(st.just(1000), st.integers(0, 60))))
    terms = None
    if variant.duel is not None and draw(st.booleans()):
        edition = draw(st.sampled_from(variant.duel.editions))
        richest = edition.levels[-1].needs
        needs = st.integers(edition.levels[0].needs, max(richest, edition.levels[0].needs))
        lost = draw(st.sampled_from((None, True, False)))
        terms = Terms("coins", edition.id, (draw(needs), draw(needs)), at_least_lost_double=lost)
    elif variant.points is not None:
        numbers = st.one_of(st.none(), st.integers(0, 10**6))
        shares = draw(st.sampled_from((None, True, False)))
        terms = Terms(
            draw(st.sampled_from(("points", "coins", "silver", "nothing"))),
            None,
            None,
            draw(numbers),
            draw(numbers),
            shares,
        )
    fugitive = draw(st.sampled_from((None, 0, 1))) if variant.players == 2 and not deal.over else None
    comments = draw(st.dictionaries(st.integers(0, 40), st.one_of(ODD, st.lists(ODD, max_size=3)), max_size=3))
    record = Record.of(
        deal,
        draw(st.lists(st.tuples(NAMES.filter(free), ODD), max_size=4)),
        terms=terms,
        comments={index: words for index, words in comments.items() if words != []},
        remarks=draw(st.lists(ODD, max_size=2)),
        fugitive=fugitive,
    )
    return Made(deal, record)


def free(name: str) -> bool:
    try:
        replace(read_records(example())[0], headers=((name, ""),))
    except ValueError:
        return False
    return True


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(records())
def test_every_record_survives(made: Made) -> None:
    same(*made)


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(st.lists(records(), max_size=3))
def test_several_records_in_a_text(made: list[Made]) -> None:
    text = write_records(record for _, record in made)
    assert read_records(text) == [record for _, record in made]
    assert write_records(read_records(text)) == text


def test_text_of_no_record() -> None:
    assert write_records([]) == ""
    assert read_records("") == read_records("\n \t\n") == []


def test_a_record_of_a_running_deal_shows_no_hands() -> None:
    """Two deals that differ in the hands alone look alike: what was dealt is no reader's of a log."""
    deals = [
        Deal.start(load_variant("classic"), [parse_ranks(h) for h in ("37", second, "5", "6")], 0) for second in "48"
    ]
    one, two = (Record.of(deal.apply(Action.parse("3"))) for deal in deals)
    assert one != two
    assert repr(one) == repr(two)
    assert "hands" not in repr(one)


def test_deals_after_each_move() -> None:
    deal = played(load_variant("huopin"), 3)
    states = list(Record.of(deal).deals())
    assert states[0].moves == ()
    assert states[-1] == deal
    assert [len(state.moves) for state in states] == list(range(len(deal.moves) + 1))


def test_faces_are_written_only_where_others_would_leave() -> None:
    hands = [parse_cards("7S 7H 7D 8S"), parse_cards("3S")]
    start = Deal.start(load_variant("huopin-duel"), hands, 0, turned_up=TurnedUp(hands[0][0], 0, None))
    moves = {"7": "0:7", "7H": "0:7", "7D": "0:7D", "7S": "0:7S", "77": "0:77", "7S 7D": "0:7SD", "7H 7D": "0:77"}
    for action, written in moves.items():
        deal = start.apply(Action.parse(action))
        record = Record.of(deal)
        assert f"1. {written}\n" in write_record(record), action
        same(deal, record)
        assert format_cards(record.deal().moves[0].cards) == format_cards(deal.moves[0].cards)


@pytest.mark.parametrize(
    ("id", "moves", "written"),
    [
        ("huopin", ["45678X"], "0:45678X=456789"),
        ("huopin", ["xX"], "0:xX=xx"),
        ("huopin", ["xxX"], "0:xxX"),
        ("huopin", ["X"], "0:X"),
        ("huopin-duel", ["xX"], "0:xX=XX"),
        ("huopin-duel", ["444455556666X"], "0:444455556666X=444455556666"),
        ("huopin-duel", ["44445555566666"], "0:44445555566666=444455556666"),
        ("huopin-duel", ["77xxX"], "0:77xxX=77777"),
        ("huopin-duel", ["7xxX"], "0:7xxX=7777"),
        ("qianbian-duel", ["KKKKAAAA222X"], "0:KKKKAAAA222X=KKKKAAAA2222"),
        ("qianbian-duel", ["KKKAAAA2222X"], "0:KKKAAAA2222X=KKKKAAAA2222"),
        ("huopin-duel", ["55667xxX=straight"], None),
        ("huopin-duel", ["456xxX=pair_run"], "0:456xxX=445566"),
        ("huopin-duel", ["456xxX=straight"], "0:456xxX=456789"),
        ("huopin-duel", ["45xxXX=straight"], "0:45xxXX=456789"),
        ("huopin-duel", ["45xxXX=triple_run"], None),
    ],
)
def test_readings_are_written_where_they_are_not_the_cards(id: str, moves: list[str], written: str | None) -> None:
    cards = parse_ranks(moves[0].partition("=")[0])
    other = [parse_ranks("3")] * (load_variant(id).players - 1)
    deal = Deal.start(load_variant(id), [cards + parse_ranks("3"), *other], 0)
    try:
        for move in moves:
            text, _, kind = move.partition("=")
            deal = deal.apply(Action.parse(text, kind or None))
    except IllegalPlay:
        assert written is None
        return
    record = Record.of(deal)
    if written is not None:
        assert f"1. {written}\n" in write_record(record)
    same(deal, record)
    reading = record.deal().moves[0].reading
    assert reading == deal.moves[0].reading


def test_shapes() -> None:
    for text in ("3", "33", "333", "3333", "34567", "334455", "333444", "KKKKAAAA2222", "2222333344445555", "x", "XX"):
        shape = Shape.parse(text)
        assert shape is not None, text
        assert str(shape) == text
        if "x" not in text and "X" not in text:
            assert shape.counts == parse_ranks(text)
    for text in ("35", "3344455", "334", "43", "xX", "XXX", "2x", "3" * 28, "xx33"):
        assert Shape.parse(text) is None, text


def test_a_made_up_variant_is_its_nearest_one_and_what_differs() -> None:
    made = with_settings(
        load_variant("huopin"), {"id": "mine", "name.zh": '我的"牌"', "bomb.max_width": 9, "points.doubling": {"5": 3}}
    )
    text = write_record(Record.of(played(made, 1, 30)))
    assert text.splitlines()[1:6] == [
        '[Variant "huopin"]',
        '[Set id = "mine"]',
        '[Set name.zh = "我的\\"牌\\""]',
        "[Set bomb.max_width = 9]",
        "[Set points.doubling = { 5 = 3 }]",
    ]
    assert read_records(text)[0].variant == made


def test_names_by_seat_and_headers() -> None:
    (record,) = read_records(example())
    assert record.seats == (0, 1, 3, 2)
    assert record.names() == ("王芳", 'Li "the Bomb" Wei', "Ana", "陈伟")
    assert record.header("Event") == "Sunday club"
    assert record.header("Round", "?") == "?"


@pytest.mark.parametrize("name", ["Variant", "Set", "Seats", "", "1st", "Two words", "Ä", "a" * 65])
def test_headers_that_cannot_be(name: str) -> None:
    with pytest.raises(ValueError, match="header"):
        Record.of(played(load_variant("huopin"), 1, 3), {name: "x"})


def test_a_record_is_bounded() -> None:
    record = Record.of(played(load_variant("huopin"), 1, 3), {"Site": "x" * MOST_CHARACTERS})
    with pytest.raises(ValueError, match="1000000 characters"):
        write_record(record)


def test_terms_that_cannot_be_settled() -> None:
    deal = played(load_variant("huopin-duel"), 1)
    assert Record.of(deal).amounts == ()
    with pytest.raises(SettlementError):
        Record.of(deal, terms=Terms("points"))
    assert Record.of(deal, terms=Terms("points", balances=(100, 200))).amounts


# The documentation


@pytest.mark.parametrize("number", range(len(examples())))
def test_examples_of_the_documentation(number: int) -> None:
    text = example(number)
    found = read_records(text)
    assert found
    assert [problem for record in found for problem in check_record(record)] == []
    assert write_records(found) == text


def test_documentation_names_every_header() -> None:
    from shuangkou.rules.record import FACTS

    text = NOTATION.read_text("utf-8")
    assert all(f"`{name}`" in text for name in FACTS)


# Texts that others write


def test_a_text_may_be_laid_out_otherwise() -> None:
    (record,) = read_records(example())
    lines = example().splitlines()
    headers = [line for line in lines if line.startswith("[")]
    rest = [line for line in lines if not line.startswith("[")]
    moved = [headers[0], *headers[:0:-1], *rest]
    mine = list(record.headers)[::-1]
    assert read_records("\n".join(moved)) == [replace(record, headers=tuple(mine))]
    assert read_records("\ufeff" + example().replace("\n", "\r\n")) == [record]
    assert read_records("\n\n".join(f"  {line} \t" for line in lines if line)) == [record]
    spread = re.sub(r"([3-9TJQKA2])([SHCD]+)(?= |\n)", lambda g: " ".join(g[1] + s for s in g[2]), example())
    assert "4H 4H" in spread
    assert read_records(spread.replace("0:8H", "0:8H ")) == [record]


def test_comments_on_their_own_line_belong_to_the_move_before() -> None:
    text = example(2).replace("1. 1:888X=8888 0:-\n", "1. 1:888X=8888 0:-\n{a} {b}\n\n{c}\n")
    assert read_records(text)[0].moves[1].comments == ("a", "b", "c")


def test_a_reading_that_is_left_out_is_that_of_the_rules() -> None:
    text = example().replace("9999X=99999", "9999X")
    (record,) = read_records(text)
    assert check_record(record) == []
    assert record.deal() == read_records(example())[0].deal()
    assert write_record(record) == text


# Faults of the text


@pytest.mark.parametrize(
    ("old", "new", "line", "column", "message"),
    [
        ('[Notation "1"]\n', "", 1, 2, "the header Event stands before the first line of a record; expected [Notation"),
        ('[Notation "1"]', '[Notation "2"]', 1, 11, "no notation '2' is known; expected \"1\""),
        ('[Event "Sunday club"]', '[Event "Sunday club]', 2, 8, "the quote is not closed"),
        ('[Event "Sunday club"]', '[Event "Sunday club"', 2, 21, "the line ends here; expected ]"),
        ('[Event "Sunday club"]', "[Event Sunday]", 2, 8, "unexpected 'Sunday]'; expected a value in quotes"),
        ('[Event "Sunday club"]', '[Event "Sun\\day"]', 2, 12, "no such escape"),
        ('[Event "Sunday club"]', '[Event "\\u{110000}"]', 2, 9, "no such escape"),
        ('[Event "Sunday club"]', '[3vent "x"]', 2, 2, "the name of a header"),
        ('[Event "Sunday club"]', '[Event "x"] y', 2, 13, "unexpected 'y'; expected the end of the line"),
        ('[Event "Sunday club"]', '[Leader "0"]', 10, 2, "the header Leader stands here a second time"),
        ('[Variant "huopin"]', '[Variant "huopim"]', 8, 10, "no variant 'huopim'; expected one of baibian, "),
        ('[Variant "huopin"]\n', "", 14, 1, "expected the header [Variant ...]"),
        ('[Leader "0"]\n', "", 14, 1, "expected the header [Leader ...]"),
        ('[Leader "0"]', '[Leader "first"]', 10, 9, "'first' is no such number"),
        ('[Seats "0 1 3 2"]', '[Seats "0, 1, 3, 2"]', 9, 8, "are no numbers"),
        ('[TurnedUp "5D"]', '[TurnedUp "5E"]', 11, 11, "'5E' is no card"),
        ('[For "points"]', '[For "gold"]', 13, 6, "nobody plays for 'gold'; expected one of points, "),
        ('[For "points"]', '[For "points"]\n[Balances "1 2"]', 14, 11, "2 balances; expected one for each of 4"),
        ('[For "points"]', "[Set bomb.max_width = 99]", 13, 23, "bomb.max_width: "),
        ('[For "points"]', "[Set bomb.max_width = ]", 13, 23, "bomb.max_width: not TOML"),
        ('[For "points"]', "[Set no.such = 3]", 13, 16, "unknown"),
        ('[For "points"]', "[Set bomb.max_width]", 13, 6, "expected a field and its value"),
        ('[For "points"]', "[Set bomb.max_width = 8", 13, 24, "expected ]"),
        ("1:     4HH", "2:     4HH", 16, 1, "unexpected '2:'; expected the hand of seat 1"),
        ("9SHCD", "9SHED", 16, 22, "'E' is no card"),
        ("9SHCD", "9", 16, 19, "'9' has no suit"),
        ("9SHCD", "9SSS", 16, 8, "more than two of 9S"),
        ("2. 1:KK", "3. 1:KK", 22, 1, "trick 3 after trick 1; expected 2."),
        ("2. 1:KK", "2: 1:KK", 22, 1, "expected a trick, a comment, or the end"),
        ("2:TT", "TT", 21, 14, "unexpected 'TT'; expected a move"),
        ("2:TT", "2:tt", 21, 16, "unexpected 'tt'; expected cards"),
        ("2:TT", "2:TT?", 21, 18, "unexpected '?'; expected a space and the next move"),
        ("2:TT", "2:TT=?", 21, 19, "expected the cards that the play counts as"),
        ("2:TT", "2:TT=TJ9", 21, 19, "'TJ9' is no combination"),
        ("2:TT", "2:TT#0", 21, 19, "expected a place"),
        ("2:TT", "2:" + "T" * 9, 21, 16, "two packs do not hold 9 of T"),
        ("2:TT", "^TT", 21, 15, "expected a seat"),
        ("3:-", "3:-#1", 21, 22, "expected a space and the next move behind a pass"),
        ("twice.}", "twice.", 21, 42, "the comment is not closed"),
        ("2. 1:KK#1 2:- 3:- 0:-", "2.", 22, 3, "the line ends here; expected a move"),
        ("Result: double", "Result: triple", 27, 9, "'triple' is no result; expected double, single or level"),
        ("Result: double\n", "Result: double so\n", 27, 16, "unexpected 'so'"),
        ("Places: 1 3 0 2\n", "", 28, 1, "unexpected 'Points:'; expected Places:"),
        ("Places: 1 3 0 2", "Places: 1 3 0", 28, 14, "the line ends here; expected 4 numbers"),
        ("Places: 1 3 0 2", "Places: 1 3 0 2 4", 28, 17, "unexpected '4'"),
        ("Points:", "Coins:", 29, 1, "the deal is played for points, not for coins"),
        ("Points: -8 +8 -8 +8", "Points: -8 +8 -8 8.5", 29, 19, "unexpected"),
        ("Points: -8 +8 -8 +8", "Points: -8 +8 -8 +8\nGood night", 30, 1, "unexpected 'Good'; expected the end"),
        (
            "Result: double\nPlaces: 1 3 0 2\nPoints: -8 +8 -8 +8\n",
            "",
            25,
            22,
            "the record ends here; expected a trick",
        ),
    ],
)
def test_faults_of_the_text(old: str, new: str, line: int, column: int, message: str) -> None:
    assert example().count(old) == 1 or old == "3:-"
    with pytest.raises(RecordError) as raised:
        read_records(example().replace(old, new, 1))
    assert str(raised.value).startswith(f"line {line}, column {column}: "), str(raised.value)
    assert message in str(raised.value)


# Faults of the deal


@pytest.mark.parametrize(
    ("old", "new", "line", "column", "message"),
    [
        ('[Seats "0 1 3 2"]', '[Seats "0 1 3 3"]', 9, 8, "not the players in some order"),
        ('[Leader "0"]', '[Leader "4"]', 10, 9, "there is no seat 4"),
        ('[Leader "0"]', '[Leader "1"]', 11, 11, "was not dealt the turned-up card"),
        ('[TurnedUp "5D"]', '[TurnedUp "7D"]', 11, 11, "was not dealt the turned-up card"),
        ('[Twin "2"]', '[Twin "1"]', 12, 7, "the twin of 5D is not in that hand"),
        ('[TurnedUp "5D"]\n', "", 11, 7, "there is no turned-up card"),
        ('[Twin "2"]\n', "", 11, 11, "the twin"),
        ('[Variant "huopin"]', '[Variant "classic"]', 11, 11, "no card is turned up in this variant"),
        ('[Event "Sunday club"]', '[Seed "Sunday club"]', 2, 7, "this seed deals other cards"),
        ('[Event "Sunday club"]', '[SeedHex "0"]', 2, 10, "not the hexadecimal digits of bytes"),
        ("QHC     AS", "QHC     AS XX", 18, 4, "more copies of a card in all hands"),
        ("2:TT", "2:33", 21, 14, "seat 2: you don't hold these cards: 33"),
        ("2:TT", "2:TSTD", 21, 14, "seat 2: you don't hold these suits: TS TD"),
        ("2:TT", "2:T", 21, 14, "seat 2: a single 10 does not beat a pair 4"),
        ("2:TT", "3:TT", 21, 14, "seat 3: it is the turn of seat 2"),
        ("2. 1:KK#1", "2. 1:-", 22, 4, "seat 1: whoever leads must play"),
        ("9999X=99999", "9999X=999", 21, 28, "seat 1: these cards make no triple"),
        ("2:TT", "2:TT=JJ", 21, 14, "TT counts as pair 10, not as JJ"),
        ("3:A#2", "3:A#2 0:2", 25, 23, "seat 0: the deal is over"),
        ("1:KK#1", "1:KK", 22, 4, "seat 1 goes out as number 1, but nothing is marked; expected the mark #1"),
        ("1:KK#1", "1:KK#2", 22, 4, "seat 1 goes out as number 1, but #2 is marked"),
        ("3:QQ", "3:QQ#2", 24, 4, "seat 3 does not go out, but #2 is marked; expected no mark"),
        ("^3:TT", "3:TT", 23, 4, "this lead is inherited; expected the mark ^"),
        ("3:QQ", "^3:QQ", 24, 4, "this is no inherited lead"),
        ("2:- 3:- 0:-\n2. ", "2:- 3:-\n2. 0:- ", 22, 4, "a new line begins here, but the trick goes on"),
        ("0:- 2:-\n5. 3:3", "0:- 2:- 3:3", 24, 17, "a new trick begins here; expected a new line"),
        ("Result: double", "Result: single", 27, 1, "the result is double, not single"),
        ("Places: 1 3 0 2", "Places: 1 3 2 0", 28, 9, "the places are 1 3 0 2"),
        ("-8 +8 -8 +8", "-4 +4 -4 +4", 29, 9, "the deal brings -8 +8 -8 +8, not -4 +4 -4 +4"),
        (
            "Result: double\nPlaces: 1 3 0 2\nPoints: -8 +8 -8 +8\n",
            "*\n",
            27,
            1,
            "the deal is over here; expected Result",
        ),
        ("Result: double\nPlaces: 1 3 0 2", "Escape: 0", 27, 1, "nobody can leave a deal that is over"),
        (" 2:Q 3:A#2", "", 27, 1, "the deal is not over: it is the turn of seat 2; expected *"),
    ],
)
def test_faults_of_the_deal(old: str, new: str, line: int, column: int, message: str) -> None:
    assert example().count(old) == 1
    (record,) = read_records(example().replace(old, new))
    first = check_record(record)[0]
    assert str(first).startswith(f"line {line}, column {column}: "), str(first)
    assert message in str(first)


def test_faults_of_a_duel() -> None:
    for old, new, message in [
        ("+84 -120", "+84 -121", "the deal brings +84 -120"),
        ("Escape: 1", "Escape: 2", "there is no such seat"),
        ('"2500 9000"', '"25 9000"', "the deal cannot be settled"),
    ]:
        (problem,) = check_record(read_records(example(2).replace(old, new))[0])
        assert message in str(problem)


def test_a_record_that_was_never_a_text_is_checked_as_the_text_that_it_makes() -> None:
    deal = played(load_variant("huopin"), 5)
    good = Record.of(deal)
    bad = replace(good, moves=(*good.moves[:9], Entry(7, 0), *good.moves[9:]))
    with pytest.raises(RecordError) as raised:
        bad.deal()
    (read,) = read_records(write_record(bad))
    (problem,) = [found for found in check_record(bad) if "seat 7" in str(found)]
    assert (raised.value.line, raised.value.column) == (problem.line, problem.column)
    assert (read.moves[9].line, read.moves[9].column) == (problem.line, problem.column)


def test_a_fault_does_not_touch_the_next_record() -> None:
    texts = [example(), example().replace("2:TT", "2:tt"), example(2), "garbage\n" + example(1)]
    found = list(scan_records("\n".join(texts).split("\n")))
    assert [type(each) for each in found] == [Record, RecordError, Record, Record] or len(found) == 4
    assert isinstance(found[1], RecordError)
    assert found[1].line == len(example().splitlines()) + 1 + 21


def test_garbage_before_the_first_record() -> None:
    found = list(scan_records(["garbage", *example().split("\n")]))
    assert isinstance(found[0], RecordError)
    assert (found[0].line, found[0].column) == (1, 1)
    assert isinstance(found[1], Record)


@pytest.mark.parametrize(
    "text",
    [
        "x" * 10_000_000,
        "x\n" * 3_000_000,
        '[Notation "1"]\n' + "{a}\n" * 1_000_000,
        '[Notation "1"]\n[Event "' + "\\" * 10_000_000,
        '[Notation "1"]\n' + '[Event "a"]\n' * 900_000,
        example().replace("{Only", "{" * 900_000),
        example().replace("2:TT", "2:TT " * 150_000),
        example().replace("2:TT", "2:" + "T" * 900_000),
        example().replace('"Sunday club"', '"' + "\\u{41}" * 150_000 + '"'),
        example().replace('[For "points"]', "[Set bomb = " + "[" * 60_000 + "]"),
        example().replace('[For "points"]', "[Set bomb.max_width = " + "9" * 60_000 + "]"),
    ],
    ids=range(11),
)
def test_garbage_is_answered_fast(text: str) -> None:
    began = time.perf_counter()
    found = list(scan_records(text.split("\n")))
    for record in found:
        if isinstance(record, Record):
            check_record(record)
        else:
            assert len(str(record)) < 2000
    assert time.perf_counter() - began < 10  # measured: 1 s at most


def test_a_million_deals_are_read_one_at_a_time() -> None:
    def lines() -> Iterator[str]:
        while True:
            yield from example().splitlines(keepends=True)

    found = scan_records(lines())
    assert all(isinstance(next(found), Record) for _ in range(20))


# Random edits


def edited(text: str, rng: Random) -> str:
    for _ in range(rng.choice((1, 1, 1, 2, 5))):
        at = rng.randrange(len(text) + 1)
        piece = text[at : at + rng.randint(1, 4)]
        kind = rng.randrange(6)
        if kind == 0:
            text = text[:at] + text[at + len(piece) :]
        elif kind == 1:
            text = text[:at] + rng.choice(_PIECES) + text[at:]
        elif kind == 2:
            text = text[:at] + rng.choice(_PIECES) + text[at + len(piece) :]
        else:
            lines = text.split("\n")
            row, other = rng.randrange(len(lines)), rng.randrange(len(lines))
            if kind == 3:
                del lines[row]
            elif kind == 4:
                lines.insert(other, lines[row])
            else:
                lines[row], lines[other] = lines[other], lines[row]
            text = "\n".join(lines)
    return text


_PIECES = (
    *'0123459TJQKA2xXSHCD[]{}"\\#^=:*-. \n\t\r\0é王🀄',
    *("[Notation", '[Faces "no"]\n', '[Twin "3"]\n', "[Set bomb.max_width = 5]\n", "\n[Set points = 3]\n", "1:-"),
    *("=44", "#1", "Escape: 1\n", "Result: level\n", "\\u{", "9" * 20, "[Set x = [[[[", "\ud800", "٣", "：", "*\n"),
)  # fmt: skip


def fuzz(times: int, seed: int) -> tuple[int, int]:
    rng = Random(seed)
    bases = [*examples(), *(write_record(Record.of(played(load_variant(each), 1, 60))) for each in variant_ids())]
    bases.append(write_records(read_records("\n".join(examples()))))
    read = refused = 0
    for _ in range(times):
        text = edited(rng.choice(bases), rng)
        for record in scan_records(text.split("\n")):
            if isinstance(record, RecordError):
                refused += 1
                assert 1 <= record.line <= text.count("\n") + 1
                assert record.column >= 1
                continue
            read += 1
            again = write_record(record)
            (back,) = read_records(again)
            assert back == record
            assert write_record(back) == again
            for problem in check_record(record):
                assert 1 <= problem.line <= text.count("\n") + 1
    return read, refused


def test_edited_texts_are_records_or_refused() -> None:
    read, refused = fuzz(1500, 1)
    assert read > 200
    assert refused > 200


@pytest.mark.slow
def test_many_edited_texts_are_records_or_refused() -> None:
    for seed in range(2, 12):
        fuzz(1000, seed)


@settings(max_examples=100, deadline=None)
@given(
    st.text(st.sampled_from('[Notation "1"]\n[Variant "huopin"]0:123456789TJQKASHCDxX{}\\=#^*-. \r\t'), max_size=200)
)
def test_any_text_is_records_or_refused(text: str) -> None:
    for head in ("", '[Notation "1"]\n[Variant "huopin"]\n'):
        for record in scan_records((head + text).split("\n")):
            assert isinstance(record, (Record, RecordError))


def test_many_deals_are_checked_fast() -> None:
    text = write_records(
        [Record.of(played(load_variant(each), seed)) for each in variant_ids() for seed in range(4)] * 10
    )
    began = time.perf_counter()
    for record in read_records(text):
        assert check_record(record) == []
    assert time.perf_counter() - began < 5  # 200 deals: measured 0.6 s


# The command


def replay(*arguments: str | Path, stdin: str | bytes = "") -> subprocess.CompletedProcess[str]:
    data = stdin.encode("utf-8", "surrogatepass") if isinstance(stdin, str) else stdin
    command = [sys.executable, "-m", "shuangkou", "replay", *map(str, arguments), "--lang", "en"]
    done = subprocess.run(command, input=data, capture_output=True, check=False, env=RUN)
    result = subprocess.CompletedProcess(command, done.returncode, done.stdout.decode(), done.stderr.decode())
    assert "Traceback" not in result.stderr
    return result


@pytest.fixture
def file(tmp_path: Path) -> Callable[[str], Path]:
    def write(text: str) -> Path:
        path = tmp_path / "deals.txt"
        path.write_bytes(text.encode())
        return path

    return write


def test_check_a_good_file(file: Callable[[str], Path]) -> None:
    path = file("\n".join(examples()))
    done = replay(path, "--check")
    assert (done.returncode, done.stdout, done.stderr) == (0, "3 deals, all right. 1 not played out.\n", "")
    done = replay("-", "--check", stdin=example().replace("\n", "\r\n"))
    assert (done.returncode, done.stdout) == (0, "1 deal, all right.\n")


def test_check_a_faulty_file(file: Callable[[str], Path]) -> None:
    one = example().replace("2:TT", "2:33")
    two = example().replace("2:TT", "2:tt")
    three = example().replace("1:KK#1", "1:KK").replace("-8 +8 -8 +8", "0 0 0 0")
    path = file("\n".join([one, example(), two, three]))
    rows = len(example().splitlines()) + 1
    done = replay(path, "--check")
    assert done.returncode == 1
    assert done.stdout.splitlines() == [
        f"{path}:21:14: seat 2: you don't hold these cards: 33",
        f"{path}:{2 * rows + 21}:16: unexpected 'tt'; expected cards, or - for a pass",
        f"{path}:{3 * rows + 22}:4: seat 1 goes out as number 1, but nothing is marked; expected the mark #1 (and 1 more)",  # noqa: E501
        "4 deals, 3 of them faulty.",
    ]


def test_files_that_are_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    empty = tmp_path / "empty"
    empty.write_bytes(b"\n")
    for path, code, text in [
        (tmp_path / "nothing", 2, "there is no such file"),
        (tmp_path, 2, "this is a directory"),
        (tmp_path / "nul\0", 2, "cannot be read"),
        (empty, 1, "no deal in it"),
    ]:
        for checking in (True, False):
            assert records_command.replay(str(path), check=checking, lang="en") == code, path
            out, err = capsys.readouterr()
            assert out == ""
            assert f"{path}: {text}" in err
    assert records_command.replay(str(empty), check=True, lang="zh") == 1
    assert "没有一副牌" in capsys.readouterr().err


def test_input_that_is_no_text() -> None:
    done = replay("-", "--check", stdin=b"x" * 5_000_000)
    assert (done.returncode, done.stderr) == (2, "-: line 1 is too long.\n")


def test_bytes_that_are_no_text_are_faults_of_their_record(tmp_path: Path) -> None:
    """What is wrong in one record hides no other."""
    good = example().encode()
    rows = len(good.splitlines()) + 1
    path = tmp_path / "deals"
    nul, latin = good.replace(b"0:33", b"0:\x0033"), good.replace("王芳".encode(), b"a\xe9")
    path.write_bytes(b"\n".join([nul, good, latin, good.replace(b"2:TT", b"2:33")]))
    done = replay(path, "--check")
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.splitlines() == [
        f"{path}:21:6: a control character (U+0000); expected \\u{{0}} in quotes or a comment",
        f"{path}:{2 * rows + 4}:12: the byte E9 is no text in UTF-8",
        f"{path}:{3 * rows + 21}:14: seat 2: you don't hold these cards: 33",
        "4 deals, 3 of them faulty.",
    ]
    shown = replay(path)
    assert (shown.returncode, len(shown.stderr.splitlines())) == (1, 3)
    binary = replay("-", "--check", stdin=b"\x7fELF\0\0\1" * 1000)
    assert binary.stdout.splitlines()[0].startswith("-:1:1: a control character (U+007F)")


def test_lines_are_the_same_however_they_are_read(file: Callable[[str], Path]) -> None:
    """Blocks end anywhere: between records, within a line, within a character."""
    text = "\n".join(examples()) + "\n"
    for shift in range(3):
        done = replay(file("\n" * (65_536 - 130 + shift) + text + "\n" * 70_000 + text), "--check")
        assert done.stdout == "6 deals, all right. 2 not played out.\n"


def test_many_faults_are_counted_and_some_shown() -> None:
    done = replay("-", "--check", stdin='[Notation "1"]\n' * 1000)
    assert done.returncode == 1
    *shown, rest, summary = done.stdout.splitlines()
    assert len(shown) == 50
    assert (rest, summary) == ("(and 950 more)", "1000 deals, 1000 of them faulty.")


def test_empty_lines_take_no_time() -> None:
    began = time.perf_counter()
    done = replay("-", "--check", stdin="\n" * 3_000_000)
    assert done.stderr == "-: no deal in it.\n"
    assert time.perf_counter() - began < 5  # measured 0.5 s


def test_show_a_file(file: Callable[[str], Path]) -> None:
    done = replay(file("\n".join(examples())))
    assert done.returncode == 0
    assert done.stderr == ""
    for text in (
        "Turned up: 5D; 王芳 leads, its twin is with Ana",
        'Li "the Bomb" Wei: 9999X  bomb 9, 5 stars, 2 left',
        "陈伟: TT  pair 10, inherited lead, 4 left",
        "{Five stars: the base points count twice.}",
        'Li "the Bomb" Wei: KK  pair K, out, place 1',
        'Double. Places: Li "the Bomb" Wei, 陈伟, 王芳, Ana',
        "Not played out.",
        "seat 1 left the deal.",
    ):
        assert text in done.stdout, text


def test_show_a_faulty_deal_up_to_its_fault(file: Callable[[str], Path]) -> None:
    path = file(example().replace("2:TT", "2:33") + "\n" + example(2))
    done = replay(path)
    assert done.returncode == 1
    assert "pair 4" in done.stdout
    assert "seat 1 left the deal." in done.stdout
    assert done.stderr == f"{path}:21:14: seat 2: you don't hold these cards: 33\n"


@pytest.mark.parametrize("language", ["zh", "en"])
def test_what_is_shown_has_no_control_characters(language: Any) -> None:
    deal = played(load_variant("huopin"), 2)
    record = Record.of(deal, {"Player0": "\x1b[31m王\n", "Site": "\u202e"}, remarks=["\x07"], comments={0: "a\nb"})
    lines = list(show(record, 1, language))
    assert all(line.isprintable() for line in lines), [line for line in lines if not line.isprintable()]
