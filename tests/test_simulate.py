"""Bots against bots: the same for the same seed however it is played, sums that add up, a command that explains."""

from __future__ import annotations

import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from shuangkou import bots
from shuangkou.bots import UnknownBot, simulate
from shuangkou.bots.simulate import Played, Setup, SimulationError, Statistics, run, share, step
from shuangkou.rules.deal import PASS, Action, Deal, SeedSource, Source
from shuangkou.rules.record import check_record, read_records
from shuangkou.rules.scoring import deal_settlement
from shuangkou.rules.variant import load_variant, variant_ids
from shuangkou.rules.view import View
from shuangkou.table.bot import BotFailed, bot_source

PAIR = ["heuristic", "autoplay"]


def setup(variant: str = "huopin", names: list[str] | None = None, **options: Any) -> Setup:
    return Setup.of(load_variant(variant), names or PAIR, options.pop("seed", "s"), **options)


def played(deals: int, jobs: int = 1, **options: Any) -> list[Played]:
    return list(simulate.simulate(setup(**options), deals, jobs=jobs))


def command(*options: str, lang: str = "C") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "shuangkou", "simulate", *options],
        capture_output=True,
        text=True,
        check=False,
        env={"LANG": lang, "PYTHONUTF8": "1", "PATH": ""},
    )


# -- what is played


def test_bots_are_given_for_all_seats_for_sides_or_for_each_seat() -> None:
    assert setup(names=["autoplay"]).bots == ("autoplay",) * 4
    assert setup(names=PAIR).bots == ("heuristic", "autoplay") * 2
    each = ["autoplay", "heuristic", "heuristic", "autoplay"]
    assert setup(names=each).bots == tuple(each)
    assert setup("huopin-duel", names=["autoplay"]).bots == ("autoplay",) * 2
    with pytest.raises(SimulationError, match="3 given"):
        setup(names=["autoplay"] * 3)
    with pytest.raises(SimulationError, match="4 given"):
        setup("huopin-duel", names=["autoplay"] * 4)
    with pytest.raises(UnknownBot, match="nobody"):
        setup(names=["autoplay", "nobody"])


def test_plays_for_must_be_something_that_the_variant_is_played_for() -> None:
    assert setup().plays_for == "points"
    assert setup("huopin-duel").plays_for == "points"
    assert setup("qianbian-duel").plays_for == "coins"
    with pytest.raises(SimulationError, match="played for coins or nothing, not for points") as caught:
        setup("qianbian-duel", plays_for="points")
    assert caught.value.code == "bad_simulation"
    with pytest.raises(SimulationError, match="not for gold"):
        setup(plays_for="gold")


def test_numbers_are_at_least_one() -> None:
    for deals, jobs in ((0, 1), (1, 0)):
        with pytest.raises(SimulationError, match="at least 1"):
            next(simulate.simulate(setup(), deals, jobs=jobs))


def test_deals_are_those_of_the_seed() -> None:
    """Deal i is shuffled from ``{seed}/{i}``, whatever was played before."""
    first = played(3)
    assert [p.seed for p in first] == ["s/0", "s/1", "s/2"]
    for p in first:
        assert p.leader == Deal.shuffle(load_variant("huopin"), SeedSource(p.seed)).leader
    later = list(simulate.simulate(setup(), 1, first=2))
    assert later == first[2:]


def test_the_same_whatever_the_number_of_processes() -> None:
    one = played(5, jobs=1, names=PAIR, pairs=True, record=True)
    two = played(5, jobs=2, names=PAIR, pairs=True, record=True)
    assert one == two
    assert [p.json() for p in one] == [p.json() for p in two]
    assert [(p.number, p.game) for p in two] == [(i, g) for i in range(5) for g in range(2)]


def test_pairs_exchange_the_sides_and_nothing_else() -> None:
    names = ["autoplay", "heuristic", "heuristic", "autoplay"]
    first, second = played(1, names=names, pairs=True, record=True)
    assert first.bots == tuple(names)
    assert second.bots == ("autoplay", "autoplay", "heuristic", "heuristic")
    assert first.seed == second.seed
    a, b = (read_records(p.record or "")[0] for p in (first, second))
    assert a.hands == b.hands
    assert (a.leader, a.seats, a.turned_up) == (b.leader, b.seats, b.turned_up)


def test_equal_bots_win_half_of_each_pair() -> None:
    """A pair of the same bots is the same deal twice: each side has the first finisher once."""
    statistics, complete = run(setup(names=["autoplay", "autoplay"], pairs=True), 10)
    assert complete
    assert statistics.sides[0].firsts == {0.5: 10}
    assert share(statistics.sides[0].firsts).value == 0.5


@pytest.mark.parametrize("variant", variant_ids())
def test_what_is_told_of_a_deal_is_what_was_played(variant: str) -> None:
    for p in played(4, variant=variant, record=True, seed="told"):
        record = read_records(p.record or "")[0]
        assert check_record(record) == []
        deal = record.deal()
        assert (p.order, p.result, p.left, p.leader) == (deal.order, deal.result, deal.left, deal.leader)
        assert p.bombs == tuple((seat, reading.stars) for seat, reading in deal.bombs())
        made = Counter((m.seat, m.reading is None) for m in deal.moves)
        assert p.plays == tuple(made[seat, False] for seat in range(deal.players))
        assert p.passes == tuple(made[seat, True] for seat in range(deal.players))
        if deal.variant.points is not None:
            settlement = deal_settlement(deal)
            assert p.amounts == settlement.points
            assert p.multiplier == settlement.multiplier
        else:
            assert sum(p.amounts) == 0
        assert record.names() == tuple(p.bots)


class _Cheat:
    def act(self, view: View, source: Source) -> Action:  # noqa: ARG002
        return PASS


class _Clumsy:
    def act(self, view: View, source: Source) -> Action:  # noqa: ARG002
        raise RuntimeError("lost the thread")


class _Mute:
    def act(self, view: View, source: Source) -> None:  # noqa: ARG002
        return None


class _Quitter:
    def act(self, view: View, source: Source) -> Action:  # noqa: ARG002
        sys.exit("enough")


FAILING = [
    (_Cheat, r"refused \(must_lead\)"),
    (_Clumsy, "RuntimeError: lost"),
    (_Mute, "TypeError: NoneType is no action"),
    (_Quitter, "SystemExit: enough"),
]


@pytest.mark.parametrize(("kind", "what"), FAILING)
def test_a_bot_that_fails_is_named(kind: type, what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulate, "bot", lambda name: kind() if name == "autoplay" else bots.bot(name))
    with pytest.raises(BotFailed, match=rf"'autoplay' at seat \d, move \d+ of deal s/0: {what}") as caught:
        played(1, names=["autoplay"])
    assert caught.value.code == "bot_failed"


class _Spy:
    """Looks into its source for the deal: every text and number it finds there may be a seed."""

    seen = 0
    found = 0

    def act(self, view: View, source: Source) -> Action:
        texts: set[str | bytes] = {repr(source), str(view)}
        for name in ("_seed", "_block"):
            held = getattr(source, name, b"")
            texts |= {held, held.hex(), held.decode("latin-1"), held.decode(errors="replace")}
            texts |= {held.decode("latin-1").rpartition("/")[0], held.decode("latin-1").split("/")[0]}
            texts |= {held[:end] for end in range(len(held))} | {held[start:] for start in range(len(held))}
        assert view.seat is not None
        for text in texts if len(view.faces[view.seat]) == 27 else ():
            deal = Deal.shuffle(view.variant, SeedSource(text))
            _Spy.found += deal.cards(view.seat) == view.faces[view.seat]
            _Spy.seen += 1
        return bots.bot("autoplay").act(view, source)


def test_a_bot_finds_no_seed_in_its_source(monkeypatch: pytest.MonkeyPatch) -> None:
    _Spy.seen = _Spy.found = 0
    spy = _Spy()
    monkeypatch.setattr(simulate, "bot", lambda _: spy)
    first, second = played(1, names=["autoplay"], seed="zz", pairs=True)
    assert _Spy.seen > 200
    assert _Spy.found == 0
    assert first.order == second.order
    at_hand = Deal.shuffle(load_variant("huopin"), SeedSource("zz/0"))
    monkeypatch.setattr(SeedSource, "__repr__", lambda _: "zz/0", raising=False)  # the spy would find it
    spy.act(View.of(at_hand, at_hand.leader), SeedSource("zz/0"))
    assert _Spy.found > 0


def test_a_bots_randomness_can_be_repeated_and_is_its_own() -> None:
    def drawn(*place: int | str) -> list[int]:
        source = bot_source("secret", *place)
        return [source.below(1 << 64) for _ in range(3)]

    assert drawn(0, 1, 2) == drawn(0, 1, 2)
    assert len({tuple(drawn(deal, seat, move)) for deal in range(4) for seat in range(4) for move in range(4)}) == 64
    assert drawn(1, 23) != drawn(12, 3)


# -- statistics


def test_statistics_add_up() -> None:
    chosen = setup(names=PAIR, pairs=True, seed="sums")
    games = list(simulate.simulate(chosen, 8))
    statistics = Statistics(chosen)
    for p in games:
        statistics.add(p)
    assert statistics.deals == 16
    assert statistics.units == 8
    assert sum(statistics.results.values()) == sum(statistics.multipliers.values()) == 16
    one, two = statistics.sides
    assert (one.name, two.name) == ("heuristic", "autoplay")
    assert one.results + two.results == statistics.results
    assert one.firsts.total() == 8
    assert one.firsts == {1 - value: units for value, units in two.firsts.items()}
    won = sum(p.bots[p.order[0]] == "heuristic" for p in games)
    assert share(one.firsts).value == won / 16
    assert sum(statistics.stars.values()) == sum(len(p.bombs) for p in games)
    assert statistics.plays == sum(sum(p.plays) for p in games)
    assert statistics.passes == sum(sum(p.passes) for p in games)
    assert statistics.amounts == [sum(p.amounts[seat] for p in games) for seat in range(4)]
    assert sum(total for total, _ in statistics.bot_amounts.values()) == sum(statistics.amounts)
    assert sum(seats for _, seats in statistics.bot_amounts.values()) == 64
    decisions = sum(row.total() for row in statistics.times.values())
    assert decisions == statistics.plays + statistics.passes
    assert 0 < statistics.time("heuristic", 0.5) <= statistics.time("heuristic", 0.99)


def test_statistics_do_not_depend_on_the_order_of_deals() -> None:
    chosen = setup(names=PAIR, seed="order")
    games = list(simulate.simulate(chosen, 6))
    one, two = Statistics(chosen), Statistics(chosen)
    for p in games:
        one.add(p)
    for p in reversed(games):
        two.add(p)
    assert (one.results, one.stars, one.amounts, one.multipliers) == (
        two.results,
        two.stars,
        two.amounts,
        two.multipliers,
    )
    assert one.sides[0].firsts == two.sides[0].firsts


def test_the_interval_is_wilsons_for_single_deals() -> None:
    found = share([1.0] * 8 + [0.0] * 2)
    assert found.value == 0.8
    assert (round(found.low, 3), round(found.high, 3)) == (0.490, 0.943)
    assert share([1.0] * 10).low == pytest.approx(0.7225, abs=1e-4)
    assert share([1.0] * 10).high == pytest.approx(1.0)
    assert (share([]).low, share([]).high) == (0.0, 1.0)


def test_the_interval_of_pairs_counts_pairs() -> None:
    """Pairs that are all even scatter less than deals would; pairs that are all won or lost are worth one deal each.

    With 16 of 32 won the interval of yes-or-no units is 1/2 +- z / (2 sqrt(32 + z z)), which is 0.3364 and 0.6636.
    Where 2 of 32 pairs are not even, the scatter is 1/64 and not 1/4: the units count 16 times, and it is
    1/2 +- z / (2 sqrt(512 + z z)), 0.4568 and 0.5432.
    """
    odd = share([1.0, 0.0] * 16)
    assert (odd.value, odd.low, odd.high) == pytest.approx((0.5, 0.3364, 0.6636), abs=1e-4)
    even = share([0.5] * 30 + [0.0, 1.0])
    assert (even.value, even.low, even.high) == pytest.approx((0.5, 0.4568, 0.5432), abs=1e-4)


def test_times_are_kept_in_little_room_and_told_to_two_percent() -> None:
    chosen = Setup.of(load_variant("classic"), ["autoplay"], "times", plays_for="nothing")
    (game,) = simulate.simulate(chosen, 1)
    statistics = Statistics(chosen)
    chance = random.Random(4)
    times = [int(10 ** chance.uniform(0.5, 9)) for _ in range(20_000)]
    for i in range(0, len(times), 100):
        statistics.add(replace(game, number=i, times=(tuple(times[i : i + 100]),)))
    assert len(statistics.times["autoplay"]) < 500
    assert statistics.times["autoplay"].total() == len(times)
    times.sort()
    for part in (0.0, 0.25, 0.5, 0.9, 0.99, 1.0):
        exact = times[min(len(times) - 1, int(part * len(times)))]
        assert statistics.time("autoplay", part) * 1e9 == pytest.approx(exact, rel=0.0222)
    assert statistics.time("nobody", 0.5) == 0.0
    assert [step(n) for n in (0, 1, 2, 4, 1024)] == [0, 0, 16, 32, 160]


def test_many_units_are_counted_and_not_kept() -> None:
    """A share of a Counter is that of its values one by one."""
    values = [0.0] * 3 + [0.5] * 5 + [1.0] * 4
    assert share(Counter(values)) == share(values)


# -- the command


LINE: dict[str, type] = {
    "v": int, "deal": int, "game": int, "seed": str, "variant": str, "bots": list, "leader": int, "result": str,
    "order": list, "plays_for": str, "points": list, "multiplier": int, "stars": list, "plays": list, "passes": list,
    "left": list,
}  # fmt: skip


def test_json_lines() -> None:
    options = ("--json", "--deals", "4", "--seed", "7", "--pairs", "--bots", "heuristic,autoplay,autoplay,heuristic")
    one, two = command(*options, "--jobs", "1"), command(*options, "--jobs", "2")
    assert one.returncode == 0
    assert one.stderr == ""
    assert one.stdout == two.stdout
    lines = [json.loads(line) for line in one.stdout.splitlines()]
    assert len(lines) == 8
    for number, line in enumerate(lines):
        assert {name: type(value) for name, value in line.items()} == LINE
        assert list(line) == list(LINE)
        assert (line["v"], line["deal"], line["game"]) == (1, number // 2, number % 2)
        assert sorted(line["order"]) == [0, 1, 2, 3]
        assert line["result"] in {"double", "single", "level"}
        assert all(len(line[name]) == 4 for name in ("bots", "points", "plays", "passes", "left"))
        assert all(0 <= seat < 4 and stars >= 4 for seat, stars in line["stars"])


def test_the_table_in_both_languages(tmp_path: Path) -> None:
    file = tmp_path / "deals.txt"
    english = command("--deals", "3", "--seed", "7", "--jobs", "1", "--record", str(file))
    assert english.returncode == 0
    assert english.stderr == ""
    for word in ("huopin: 3 deals, seed 7", "first out", "95 % interval", "Doubling", "4 stars", "p50 / p99", "Mean"):
        assert word in english.stdout
    records = read_records(file.read_text("utf-8"))
    assert len(records) == 3
    assert [check_record(record) for record in records] == [[], [], []]
    assert records[0].header("Seed") == "7/0"
    chinese = command("--deals", "2", "--seed", "7", "--jobs", "1", "--lang", "zh", "--variant", "huopin-duel")
    for word in ("huopin-duel：2副，种子 7", "头游", "翻倍", "炸弹"):
        assert word in chinese.stdout


@pytest.mark.parametrize(
    ("options", "what"),
    [
        (["--bots", "nobody"], "no bot 'nobody'; known: autoplay, heuristic"),
        (["--bots", "autoplay,autoplay,autoplay"], "3 given"),
        (["--bots", "autoplay,"], "--bots names no bot"),
        (["--variant", "nowhere"], "no variant 'nowhere'; known: "),
        (["--variant", "nowhere.toml"], "nowhere.toml: cannot be read"),
        (["--deals", "0"], "--deals is 1 to"),
        (["--seed", "\udcff"], "--seed is no text in UTF-8"),
        (["--jobs", "0"], "--jobs is 1 to"),
        (["--variant", "qianbian-duel", "--plays-for", "points"], "played for coins or nothing, not for points"),
        (["--record", "/no/such/place"], "/no/such/place: cannot be written"),
    ],
)
def test_bad_arguments_are_told_clearly(options: list[str], what: str) -> None:
    done = command(*options)
    assert done.returncode == 2
    assert done.stdout == ""
    assert what in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_a_file_of_records_is_not_written_over(tmp_path: Path) -> None:
    file = tmp_path / "deals.txt"
    options = ("--deals", "1", "--seed", "7", "--jobs", "1", "--bots", "autoplay", "--record", str(file))
    file.write_text("mine", encoding="utf-8")
    for language, word in (("en", "exists; --overwrite writes over it"), ("zh", "已经存在；要覆盖请加 --overwrite")):
        done = command(*options, "--lang", language)
        assert (done.returncode, done.stdout) == (2, "")
        assert word in done.stderr
        assert file.read_text("utf-8") == "mine"
    assert command(*options, "--overwrite").returncode == 0
    assert len(read_records(file.read_text("utf-8"))) == 1
    assert "没有这个文件或目录" in command(*options[:-1], "/no/such/place", "--lang", "zh").stderr


def test_a_drawn_seed_has_128_bits() -> None:
    seeds = []
    for _ in range(2):
        done = command("--deals", "1", "--jobs", "1", "--bots", "autoplay", "--json")
        seeds.append(json.loads(done.stdout)["seed"].partition("/")[0])
    assert len(set(seeds)) == 2
    assert all(len(seed) == 32 and int(seed, 16) >= 0 for seed in seeds)


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_an_interrupt_shows_what_was_played(jobs: str, tmp_path: Path) -> None:
    """Ctrl-C reaches the parent and the workers, as it does on a terminal."""
    file = tmp_path / "deals.txt"
    options = ["--deals", "100000", "--bots", "autoplay", "--jobs", jobs, "--seed", "1", "--record", str(file)]
    process = subprocess.Popen(
        [sys.executable, "-m", "shuangkou", "simulate", *options, "--lang", "en"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    end = time.monotonic() + 60
    while time.monotonic() < end and not (file.exists() and file.stat().st_size):
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGINT)
    try:
        out, err = process.communicate(timeout=60)
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)  # whatever came of it, nothing goes on playing
    assert process.returncode == 130
    assert err == ""
    assert "Stopped early" in out
    assert "first out" in out
