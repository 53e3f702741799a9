"""The judge: the cases without the pipe and through it, and what it does with bad lines."""

from __future__ import annotations

import io
import json
import random
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from shuangkou import judge
from shuangkou.rules.cards import RANKS
from shuangkou.rules.catalogue import Catalogue
from shuangkou.rules.variant import load_variant

CASES = sorted((Path(__file__).parent / "cases").glob("*.jsonl"))


def cases(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text().splitlines() if line.strip()]


def right(got: dict[str, Any], want: dict[str, Any]) -> bool:
    """Whether an answer says at least what the case wants."""
    if "error" in want:
        return "error" in got and all(got["error"].get(k) == v for k, v in want["error"].items())
    return "error" not in got and all(k in got and got[k] == v for k, v in want.items())


def test_there_are_cases() -> None:
    assert sum(len(cases(file)) for file in CASES) == 1878


@pytest.mark.parametrize("file", CASES, ids=lambda f: f.stem)
def test_cases(file: Path) -> None:
    wrong = [(c["ask"], c["want"], got) for c in cases(file) if not right(got := judge.answer(c["ask"]), c["want"])]
    assert not wrong, f"{len(wrong)} wrong, the first: {wrong[0]}"


def test_cases_through_the_pipe() -> None:
    every = [c for file in CASES for c in cases(file)]
    lines = "".join(json.dumps(c["ask"] | {"id": i}) + "\n" for i, c in enumerate(every))
    run = subprocess.run(
        [sys.executable, "-m", "shuangkou", "judge"],
        input=lines,
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    answers = [json.loads(line) for line in run.stdout.splitlines()]
    assert [a["id"] for a in answers] == list(range(len(every)))
    assert all(right(a, c["want"]) for a, c in zip(answers, every, strict=True))
    assert run.stderr == ""


def code(question: object) -> str:
    """The error code of the answer; an answer that is none fails."""
    error = judge.answer(question)["error"]
    assert error["message"]
    found = error["code"]
    assert isinstance(found, str)
    return found


READ = {"op": "read", "variant": "huopin", "cards": "77"}
DEAL = {"op": "deal", "variant": "huopin", "hands": ["345", "678", "9TJ", "QKA"], "leader": 0, "moves": []}
SETTLE = {
    "op": "settle",
    "variant": "huopin-duel",
    "edition": "coins",
    "balances": [5000, 5000],
    "winner": 0,
    "left": 3,
    "bombs": [[], []],
}
ESCAPE = {k: v for k, v in SETTLE.items() if k not in ("winner", "left")} | {
    "op": "escape",
    "fugitive": 0,
    "had_played": True,
}
NINE = {"kind": "straight", "top": "9", "groups": 6, "width": 1, "size": 6, "stars": 0, "wild": 0}


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ([], "bad_json"),
        ("read", "bad_json"),
        (None, "bad_json"),
        ({}, "unknown_op"),
        ({"op": None}, "unknown_op"),
        ({"op": ["read"]}, "unknown_op"),
        ({"op": "read"}, "unknown_variant"),
        (READ | {"variant": 7}, "unknown_variant"),
        (READ | {"variant": "../huopin"}, "unknown_variant"),
        (READ | {"variant": "huopin.toml"}, "unknown_variant"),
        (READ | {"variant": ""}, "unknown_variant"),
        (READ | {"variant": "x" * 10**6}, "unknown_variant"),
        (READ | {"cards": None}, "bad_request"),
        (READ | {"cards": ["7"]}, "bad_request"),
        (READ | {"cards": " 77"}, "bad_cards"),
        (READ | {"cards": "77\n"}, "bad_cards"),
        (READ | {"cards": "7\u0667"}, "bad_cards"),
        (READ | {"cards": "XXX"}, "bad_cards"),
        (READ | {"cards": "345678" * 5}, "bad_cards"),
        (READ | {"cards": "3" * 10**6}, "bad_cards"),
        (READ | {"as": 1}, "bad_request"),
        (READ | {"as": "Pair"}, "bad_request"),
        (READ | {"table": 1}, "bad_request"),
        (READ | {"table": ""}, "bad_cards"),
        (READ | {"table": "3344"}, "bad_cards"),
        (READ | {"table": {}}, "bad_request"),
        (READ | {"table": NINE | {"groups": "6"}}, "bad_request"),
        (READ | {"table": NINE | {"groups": True}}, "bad_request"),
        (READ | {"table": NINE | {"wild": -1}}, "bad_request"),
        (READ | {"table": NINE | {"kind": "flush"}}, "bad_cards"),
        (READ | {"table": NINE | {"top": "7"}}, "bad_cards"),  # six ranks up to the 7 do not exist
        (READ | {"table": NINE | {"size": 7}}, "bad_cards"),
        (READ | {"table": NINE | {"stars": 1}}, "bad_cards"),
        (READ | {"table": NINE | {"wild": 3}}, "bad_cards"),  # there are two big jokers
        ({"op": "plays", "variant": "huopin"}, "bad_request"),
        ({"op": "autoplay", "variant": "huopin", "hand": ""}, "bad_cards"),
        ({"op": "seats", "leader": 0}, "bad_request"),
        ({"op": "seats", "leader": 0, "twin": 4}, "bad_request"),
        ({"op": "seats", "leader": 0.0, "twin": 1}, "bad_request"),
        (DEAL | {"hands": "345"}, "bad_request"),
        (DEAL | {"hands": [3, 4, 5, 6]}, "bad_request"),
        (DEAL | {"hands": ["33333", "3333", "5", "6"]}, "bad_cards"),
        (DEAL | {"hands": ["3", "4", "", "6"]}, "bad_cards"),
        (DEAL | {"leader": True}, "bad_request"),
        (DEAL | {"leader": -1}, "bad_request"),
        (DEAL | {"moves": None}, "bad_request"),
        (DEAL | {"moves": [[0]]}, "bad_request"),
        (DEAL | {"moves": [[0, "3", "single", 1]]}, "bad_request"),
        (DEAL | {"moves": [["0", "3"]]}, "bad_request"),
        (DEAL | {"moves": [[4, "3"]]}, "bad_request"),
        (DEAL | {"moves": [[0, 3]]}, "bad_request"),
        (DEAL | {"moves": [[0, "3", "flush"]]}, "bad_request"),
        (DEAL | {"moves": [[0, None]]}, "must_lead"),
        (DEAL | {"moves": [[0, None]] * judge.MAX_MOVES}, "must_lead"),
        (DEAL | {"moves": [[0, None]] * (judge.MAX_MOVES + 1)}, "bad_request"),
        (DEAL | {"moves": [[0, "3", "pair"]]}, "illegal_play"),
        (SETTLE | {"edition": None}, "bad_request"),
        (SETTLE | {"edition": "silver"}, "bad_request"),
        (SETTLE | {"variant": "qianbian-duel", "edition": "points"}, "bad_request"),
        (SETTLE | {"balances": [5000]}, "bad_request"),
        (SETTLE | {"balances": [99, 5000]}, "bad_request"),
        (SETTLE | {"balances": [-1, 5000], "edition": "points"}, "bad_request"),
        (SETTLE | {"balances": [5000.5, 5000]}, "bad_request"),
        (SETTLE | {"winner": 2}, "bad_request"),
        (SETTLE | {"left": 28}, "bad_request"),
        (SETTLE | {"left": 0}, "bad_request"),
        (SETTLE | {"bombs": [[]]}, "bad_request"),
        (SETTLE | {"bombs": [[["pair", "3", 4, 4]], []]}, "bad_request"),
        (SETTLE | {"bombs": [[["bomb", "1", 4, 4]], []]}, "bad_request"),
        (SETTLE | {"bombs": [[["bomb", "3", 4]], []]}, "bad_request"),
        (SETTLE | {"bombs": [[["bomb", "3", 4, "4"]], []]}, "bad_request"),
        (SETTLE | {"bombs": [[["bomb", "3", 4, 9]], []]}, "bad_request"),  # the stars are its width
        (SETTLE | {"bombs": [[["bomb", "x", 4, 4]], []]}, "bad_request"),
        (SETTLE | {"bombs": [[["bomb", "3", 13, 13]], []]}, "bad_request"),
        (SETTLE | {"bombs": [[], [["chain", "2", 4, 7]]]}, "bad_request"),  # chains do not run in a circle
        (SETTLE | {"bombs": [[["chain", "4", 4, 7]], []]}, "bad_request"),  # nothing is two below the 4
        (SETTLE | {"bombs": [[["chain", "A", 12, 18]], []]}, "bad_request"),
        (SETTLE | {"bombs": [[["chain", "A", 4, 4]], []]}, "bad_request"),
        (SETTLE | {"bombs": [[["jokers", "x", 4, 8]], []]}, "bad_request"),
        (SETTLE | {"bombs": [[["jokers", "X", 3, 4]], []]}, "bad_request"),
        (ESCAPE | {"bombs": [[["chain", "2", 4, 7]], []]}, "bad_request"),
        (SETTLE | {"variant": "huopin"}, "bad_request"),
        (ESCAPE | {"fugitive": None}, "bad_request"),
        (ESCAPE | {"had_played": 1}, "bad_request"),
        ({"op": "title"}, "bad_request"),
        ({"op": "title", "points": 59.0}, "bad_request"),
        ({"op": "title", "points": True}, "bad_request"),
    ],
    ids=lambda value: str(value)[:60],
)
def test_errors(question: object, expected: str) -> None:
    assert code(question) == expected


@pytest.mark.parametrize("variant", ["huopin-duel", "qianbian-duel"])
def test_every_bomb_of_a_variant_can_be_settled(variant: str) -> None:
    bombs = [c for c in Catalogue.of(load_variant(variant)).combinations if c is not None and c.is_bomb]
    rows = [[c.kind, RANKS[c.top], c.width, c.stars] for c in bombs]
    assert "error" not in judge.answer(SETTLE | {"variant": variant, "bombs": [rows, []]})
    known = {tuple(row) for row in rows}
    rng = random.Random(4)
    for _ in range(2000):
        row = [rng.choice(["bomb", "chain", "jokers"]), rng.choice(RANKS), rng.randint(3, 13), rng.randint(4, 20)]
        answered = judge.answer(SETTLE | {"variant": variant, "bombs": [[], [row]]})
        assert ("error" not in answered) == (tuple(row) in known), row


def test_the_first_wrong_move_is_named() -> None:
    moves: list[list[Any]] = [[0, "3"], [1, "6"], [2, "9Z"], [9, "Q"]]
    assert code(DEAL | {"moves": moves}) == "bad_request"
    error = judge.answer(DEAL | {"moves": moves[:3]})["error"]
    assert (error["code"], error["move"]) == ("bad_cards", 2)


def test_a_reading_given_back_as_table_is_the_same_table() -> None:
    """What the judge answers can be asked with: no difference between cards and reading as a table."""
    rng = random.Random(5)
    asked = [c["ask"] for c in cases(CASES[0].parent / "read.jsonl") if "table" in c["ask"]]
    for ask in rng.sample(asked, 200):
        reading = judge.answer({"op": "read", "variant": ask["variant"], "cards": ask["table"]})["reading"]
        assert judge.answer(ask) == judge.answer(ask | {"table": reading})


def test_titles_and_large_numbers() -> None:
    assert judge.answer({"op": "title", "points": -5})["title"] == "包身工"
    assert judge.answer({"op": "title", "points": 10**30})["title"] == "帝王"
    assert judge.answer(SETTLE | {"balances": [10**30, 10**30]})["stake"] == 4000


def lines(text: bytes) -> list[dict[str, Any]]:
    """What the pipe answers."""
    sink = io.StringIO()
    judge.serve(io.BytesIO(text), sink)
    return [json.loads(line) for line in sink.getvalue().splitlines()]


GOOD = b'{"op": "read", "variant": "huopin", "cards": "77", "id": "ok"}'


@pytest.mark.parametrize(
    "bad",
    [
        b"",
        b"   ",
        b"{",
        b"nonsense",
        b"\xff\xfe\x00",
        GOOD.decode().encode("utf-16-be"),
        GOOD.decode().encode("utf-32-be"),
        b'{"op": "title", "points": 1, "id": "\xed\xa0\x80"}',
        b"[" * 100_000,
        b'{"op": ' * 50_000,
        b'{"op": "title", "points": NaN}',
        b'{"op": "title", "points": ' + b"9" * 5000 + b"}",
        b'"' + b"x" * 10_000_000 + b'"',
        b"x" * (judge.MAX_LINE + 5),
        b'{"id": 1e999, "op": "title", "points": 1}',
    ],
    ids=lambda b: repr(b[:20]),
)
def test_a_bad_line_gets_an_error_and_the_judge_goes_on(bad: bytes) -> None:
    first, second, third = lines(GOOD + b"\n" + bad + b"\n" + GOOD)
    assert first == third
    assert first["reading"]["kind"] == "pair"
    assert second["error"]["code"] == "bad_json"


def test_a_byte_order_mark_is_no_fault() -> None:
    assert lines(b"\xef\xbb\xbf" + GOOD) == lines(GOOD)


def test_far_too_many_moves_take_no_time() -> None:
    line = json.dumps(DEAL | {"moves": [[0, None]] * 1_000_000}).encode()
    began = time.perf_counter()
    assert lines(line)[0]["error"]["code"] == "bad_request"
    assert time.perf_counter() - began < 5  # measured 0.7 s, to read the JSON


def test_ids_are_echoed() -> None:
    for id_ in (None, 0, "a", [1, {"b": None}], "🃏", "\ud800"):
        asked = json.dumps({"op": "title", "points": 0, "id": id_}).encode()
        assert lines(asked)[0]["id"] == id_
    assert "id" not in lines(b'{"op": "title", "points": 0}')[0]
    assert lines(b'{"op": "fly", "id": 7}')[0]["id"] == 7


def test_random_garbage_never_stops_the_judge() -> None:
    rng = random.Random(11)
    pool = [json.dumps(c["ask"]).encode() for file in CASES for c in cases(file)[:20]]
    for _ in range(3000):
        line = bytearray(rng.choice(pool))
        for _ in range(rng.randrange(1, 6)):
            at = rng.randrange(len(line))
            line[at : at + rng.randrange(3)] = bytes(rng.randrange(1, 256) for _ in range(rng.randrange(3)))
        answers = lines(bytes(line).replace(b"\n", b" "))
        assert len(answers) == (1 if line else 0)


def test_random_values_never_stop_the_judge() -> None:
    rng = random.Random(12)
    values: list[Any] = [
        None,
        True,
        0,
        -1,
        10**40,
        1.5,
        "",
        "7",
        "X",
        [],
        [[]],
        {},
        {"kind": "pair"},
        [0, "3"],
        "huopin",
    ]
    for file in CASES:
        for case in cases(file)[:40]:
            for key in case["ask"]:
                answered = judge.answer(case["ask"] | {key: rng.choice(values)})
                assert json.dumps(answered)
