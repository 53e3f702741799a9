"""A variant that only this test knows goes through every tool: adding one is a file and no Python."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from shuangkou import bots
from shuangkou.research.batch import Batch
from shuangkou.rules.deal import Action, Deal, SeedSource
from shuangkou.rules.record import Record, check_record, read_records, write_record
from shuangkou.rules.scoring import deal_settlement
from shuangkou.rules.variant import load_variant_file
from shuangkou.rules.view import View

WEST_LAKE = """
schema = 1
extends = "huopin"
id = "west-lake"
turned_up_card = false
places_after_double = "fewer_cards"

[name]
zh = "西湖双扣"
en = "West Lake"

[next_lead]
double = "first_out"

[wild]
jokers = "all"
mixed_pair = "big"
kind_order = ["straight", "pair_run", "triple_run"]

[straight]
min_ranks = 4
max_ranks = 9

[bomb]
max_width = 10

[chain]
max_groups = 4
unequal = true
circle = true

[joker_bombs]
three_stars = 7
three_place = "highest"
four_stars = 8

[points]
multiplier = 3

[points.contribution]
5 = 1
9 = 5
"""

LAKE_DUEL = """
schema = 1
extends = "qianbian-duel"
id = "lake-duel"

[name]
zh = "西湖二人"
en = "Lake Duel"

[wild]
jokers = "big"
mixed_pair = "small"

[bomb]
max_width = 9

[duel]
bombs_in_step = true
step_stars = 2
repeated_bombs = true

[duel.results]
single = 5
double = 10
"""

TEXTS = {"west-lake": WEST_LAKE, "lake-duel": LAKE_DUEL}
PLAYS_FOR = {"west-lake": "points", "lake-duel": "coins"}


@pytest.fixture(params=TEXTS)
def file(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """The variant's file."""
    path = tmp_path / f"{request.param}.toml"
    path.write_text(TEXTS[request.param], "utf-8")
    return path


def command(*arguments: str, told: str = "") -> str:
    """What a command prints; it must end well and complain of nothing."""
    done = subprocess.run(
        [sys.executable, "-m", "shuangkou", *arguments], input=told, capture_output=True, encoding="utf-8", check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_a_hundred_deals_through_the_commands(file: Path, tmp_path: Path) -> None:
    assert "right" in command("variants", "check", str(file))
    assert "circle" in command("variants", "show", str(file), "--lang", "en")
    records = tmp_path / "deals.sk"
    lines = command(
        "simulate", "--variant", str(file), "--deals", "100", "--seed", "lake", "--bots", "heuristic,autoplay"
        if file.stem == "lake-duel" else "heuristic,autoplay,heuristic,autoplay",
        "--plays-for", PLAYS_FOR[file.stem], "--record", str(records), "--json",
    ).splitlines()  # fmt: skip
    assert len(lines) == 100
    assert {json.loads(line)["variant"] for line in lines} == {file.stem}
    assert "100" in command("replay", str(records), "--check", "--lang", "en")
    told = read_records(records.read_text("utf-8"))
    assert [write_record(r) for r in read_records("\n".join(map(write_record, told)))] == list(map(write_record, told))


def test_a_match_at_the_terminal(file: Path) -> None:
    script = "hint\nok\nauto on\n\nscore\nquit\n"
    shown = command(
        "play", "--variant", str(file), "--seed", "3", "--lang", "en", "--plays-for", PLAYS_FOR[file.stem], told=script
    )
    assert "Goodbye" in shown


def test_a_hundred_deals_in_the_library(file: Path) -> None:
    variant = load_variant_file(str(file))
    players = [bots.bot(name) for name in ("heuristic", "autoplay") * (variant.players // 2)]
    deal = Deal.shuffle(variant, SeedSource("lake"))
    for number in range(100):
        while not deal.over:
            assert deal.to_move is not None
            for play in deal.canonical()[:3]:
                assert deal.move(Action.of(play)).reading == play.reading
            deal = deal.apply(players[deal.to_move].act(View.of(deal, deal.to_move), SeedSource(number)))
        if variant.duel is None:
            settled = deal_settlement(deal)
        else:
            settled = deal_settlement(deal, "coins", balances=[5000, 5000])
        assert sum(settled.amounts) + settled.house == 0
        record = Record.of(deal)
        assert check_record(record) == []
        deal = deal.next(SeedSource(f"lake/{number}"))


def test_a_hundred_deals_as_a_batch(file: Path) -> None:
    batch = Batch.shuffle(load_variant_file(str(file)), 100, seed="lake")
    rng = np.random.default_rng(3)
    while not batch.over.all():
        ids, offsets = batch.legal()
        many = np.diff(offsets)
        chosen = offsets[:-1] + (rng.random(len(many)) * many).astype(np.int64)
        actions = np.where(many > 0, ids[np.minimum(chosen, len(ids) - 1)], 0)
        batch.step(actions.astype(np.int32))
    assert batch.points().shape[0] == 100
