"""`shuangkou simulate`: bots play deals against each other; what came of it, as a table or as JSON lines."""

from __future__ import annotations

import contextlib
import os
import secrets
import sys
from collections.abc import Callable, Iterator
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, TextIO

from cyclopts import Parameter

from shuangkou.bots import BadBot, UnknownBot
from shuangkou.bots.simulate import Played, PlaysFor, Setup, Share, SimulationError, Statistics, run, share
from shuangkou.rules.errors import RulesError
from shuangkou.rules.variant import Result
from shuangkou.rules.words import RESULT, UNIT, Language
from shuangkou.table.bot import BotFailed
from shuangkou.terminal.variants import find_variant
from shuangkou.terminal.words import default_language, is_text, os_error_words

if TYPE_CHECKING:
    from rich.table import Table

_TEXT: Final[dict[str, dict[Language, str]]] = {
    "title": {"zh": "{variant}：{deals}副，种子 {seed}", "en": "{variant}: {deals} deals, seed {seed}"},
    "pairs": {"zh": "（{pairs}对，双方换牌）", "en": " ({pairs} pairs, sides exchanged)"},
    "stopped": {"zh": "中途停下，以下是已打完的。", "en": "Stopped early: this is what was played."},
    "nothing": {"zh": "一副也没有打完。", "en": "Not one deal was played out."},
    "side": {"zh": "{seats}号位：{bots}", "en": "seats {seats}: {bots}"},
    "side_pairs": {"zh": "第{side}方：{bots}", "en": "side {side}: {bots}"},
    "first": {"zh": "头游", "en": "first out"},
    "interval": {"zh": "95% 区间", "en": "95 % interval"},
    "all": {"zh": "合计", "en": "all"},
    "results": {"zh": "胜负", "en": "Results"},
    "multiplier": {"zh": "翻倍", "en": "Doubling"},
    "stars": {"zh": "炸弹", "en": "Bombs"},
    "star": {"zh": "{stars}星", "en": "{stars} stars"},
    "a_deal": {"zh": "每副", "en": "a deal"},
    "deals": {"zh": "副数", "en": "deals"},
    "number": {"zh": "个数", "en": "number"},
    "moves": {"zh": "每副：出牌 {plays:.1f}，过 {passes:.1f}", "en": "{plays:.1f} plays, {passes:.1f} passes a deal"},
    "mean": {"zh": "每副平均（{unit}）", "en": "Mean a deal ({unit})"},
    "seat": {"zh": "{seat}号位", "en": "seat {seat}"},
    "bot": {"zh": "机器人", "en": "Bots"},
    "time": {"zh": "每次决定 p50 / p99", "en": "a decision, p50 / p99"},
    "playing": {"zh": "打牌", "en": "Playing"},
    "exists": {
        "zh": "{file} 已经存在；要覆盖请加 --overwrite",
        "en": "{file} exists; --overwrite writes over it",
    },
    "unwritable": {"zh": "{file}：不能写：{why}", "en": "{file}: cannot be written: {why}"},
    "bad_deals": {"zh": "副数是 1 到 {most}", "en": "--deals is 1 to {most}"},
    "bad_jobs": {"zh": "进程数是 1 到 {most}", "en": "--jobs is 1 to {most}"},
    "bad_seed": {"zh": "--seed 不是 UTF-8 文字", "en": "--seed is no text in UTF-8"},
    "no_bots": {"zh": "没有写机器人的名字", "en": "--bots names no bot"},
}  # fmt: skip

_MOST_DEALS: Final = 10_000_000
_MOST_JOBS: Final = 256
_RESULTS: Final[tuple[Result, ...]] = ("double", "single", "level")


class _Wrong(Exception):
    """An option that cannot be; the text says why."""


def simulate(
    *,
    variant: str = "huopin",
    deals: int = 1000,
    seed: str | None = None,
    bots: str = "heuristic,autoplay",
    pairs: Annotated[bool, Parameter(negative="")] = False,
    plays_for: PlaysFor | None = None,
    record: str | None = None,
    overwrite: Annotated[bool, Parameter(negative="")] = False,
    json: Annotated[bool, Parameter(negative="")] = False,
    jobs: int | None = None,
    lang: Language | None = None,
) -> int:
    """Let bots play deals against each other, and show what came of it.

    The same seed gives the same deals and the same moves, however many processes play. Ctrl-C stops early and shows
    what was played.

    Args:
        variant: The id of a variant (see: shuangkou variants), or a TOML file with one's own.
        deals: How many deals.
        seed: What the cards follow from; drawn and shown if it is not given.
        bots: Names with commas between: one for all seats, one a side, or one a seat.
        pairs: Play every deal twice with the same cards, the sides exchanged.
        plays_for: points, coins, silver or nothing.
        record: Write every deal to this file, as shuangkou replay reads it; a file that exists is refused.
        overwrite: Write over the file of --record if it exists.
        json: Print one JSON object a deal and nothing else.
        jobs: How many processes play; by default two, where there are two processors.
        lang: zh or en; by default as the locale says.
    """
    language: Language = lang or default_language()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    if jobs is None:
        jobs = min(2, os.cpu_count() or 1)
    try:
        setup = _setup(variant, deals, seed, bots, pairs, plays_for, record, jobs, language)
        with contextlib.ExitStack() as stack:
            listeners: list[Callable[[Played], None]] = []
            if record is not None:
                listeners.append(_recorder(stack.enter_context(_written(record, overwrite, language))))
            if json:
                listeners.append(_print_json)
            listeners.append(stack.enter_context(_progress(deals * setup.games, language)))
            statistics, complete = run(setup, deals, jobs=jobs, each=listeners)
    except (RulesError, SimulationError, UnknownBot, BadBot, BotFailed, _Wrong) as error:
        print(error, file=sys.stderr)
        return 1 if isinstance(error, BotFailed) else 2
    if not json:
        _show(statistics, complete, language)
    return 0 if complete else 130


def say(key: str, language: Language, **values: object) -> str:
    return _TEXT[key][language].format(**values)


# Options


def _setup(
    variant: str,
    deals: int,
    seed: str | None,
    bots: str,
    pairs: bool,
    plays_for: PlaysFor | None,
    record: str | None,
    jobs: int,
    language: Language,
) -> Setup:
    if not 1 <= deals <= _MOST_DEALS:
        raise _Wrong(say("bad_deals", language, most=_MOST_DEALS))
    if not 1 <= jobs <= _MOST_JOBS:
        raise _Wrong(say("bad_jobs", language, most=_MOST_JOBS))
    names = [name.strip() for name in bots.split(",")]
    if not all(names):
        raise _Wrong(say("no_bots", language))
    if seed is None:
        seed = secrets.token_hex(16)
    if not is_text(seed):
        raise _Wrong(say("bad_seed", language))
    return Setup.of(find_variant(variant), names, seed, pairs=pairs, plays_for=plays_for, record=record is not None)


# What happens with each deal


def _print_json(played: Played) -> None:
    print(played.json())


@contextlib.contextmanager
def _written(file: str, overwrite: bool, language: Language) -> Iterator[TextIO]:
    try:
        with Path(file).open("w" if overwrite else "x", encoding="utf-8", newline="\n") as stream:
            yield stream
    except FileExistsError:
        raise _Wrong(say("exists", language, file=file)) from None
    except (OSError, ValueError) as error:
        raise _Wrong(say("unwritable", language, file=file, why=os_error_words(error, language))) from None


def _recorder(stream: TextIO) -> Callable[[Played], None]:
    between = ""

    def write(played: Played) -> None:
        nonlocal between
        assert played.record is not None
        stream.write(between + played.record)
        between = "\n"

    return write


@contextlib.contextmanager
def _progress(games: int, language: Language) -> Iterator[Callable[[Played], None]]:
    """A bar on stderr, where that is a terminal."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console  # noqa: PLC0415 - not needed over a pipe
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn  # noqa: PLC0415

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(say("playing", language), total=games)
        yield lambda _: progress.advance(task)


# The statistics


def _show(statistics: Statistics, complete: bool, language: Language) -> None:
    from rich.console import Console  # noqa: PLC0415 - not needed for JSON

    if not complete:
        print(say("stopped" if statistics.deals else "nothing", language))
    if not statistics.deals:
        return
    setup = statistics.setup
    title = say("title", language, variant=setup.variant.id, deals=statistics.deals, seed=setup.seed)
    if setup.pairs:
        title += say("pairs", language, pairs=statistics.units)
    console = Console(highlight=False) if sys.stdout.isatty() else Console(highlight=False, width=100)
    console.print(title, markup=False, soft_wrap=True)
    console.print(_results(statistics, language))
    console.print(_distribution(statistics, language))
    console.print(
        say(
            "moves",
            language,
            plays=statistics.plays / statistics.deals,
            passes=statistics.passes / statistics.deals,
        ),
        markup=False,
    )
    console.print(_seats(statistics, language))
    console.print(_bots(statistics, language))


def _table(*heads: str) -> Table:
    from rich import box  # noqa: PLC0415
    from rich.table import Table  # noqa: PLC0415

    table = Table(box=box.SIMPLE_HEAD)
    for index, head in enumerate(heads):
        table.add_column(head, justify="left" if index == 0 else "right")
    return table


def _results(statistics: Statistics, language: Language) -> Table:
    setup = statistics.setup
    heads = [RESULT[result][language] for result in _RESULTS]
    table = _table(say("results", language), *heads, say("first", language), say("interval", language))
    for index, side in enumerate(statistics.sides):
        if setup.pairs:
            name = say("side_pairs", language, side=index + 1, bots=side.name)
        else:
            seats = "+".join(str(seat) for seat in range(index, len(setup.bots), 2))
            name = say("side", language, seats=seats, bots=side.name)
        rate = share(side.firsts)
        table.add_row(name, *(str(side.results[result]) for result in _RESULTS), *_rate(rate, bool(side.firsts)))
    table.add_row(say("all", language), *(str(statistics.results[result]) for result in _RESULTS), "", "")
    return table


def _rate(rate: Share, known: bool) -> tuple[str, str]:
    return (f"{rate.value:.1%}", f"{rate.low:.1%} - {rate.high:.1%}") if known else ("", "")


def _distribution(statistics: Statistics, language: Language) -> Table:
    table = _table(
        say("multiplier", language), say("deals", language), "", say("stars", language), say("number", language),
        say("a_deal", language),
    )  # fmt: skip
    left = [
        (f"x{factor}", f"{n}", f"{n / statistics.deals:.1%}") for factor, n in sorted(statistics.multipliers.items())
    ]
    right = [
        (say("star", language, stars=stars), f"{n}", f"{n / statistics.deals:.2f}")
        for stars, n in sorted(statistics.stars.items())
    ]
    for row in range(max(len(left), len(right))):
        table.add_row(*(left[row] if row < len(left) else ("",) * 3), *(right[row] if row < len(right) else ("",) * 3))
    return table


def _seats(statistics: Statistics, language: Language) -> Table:
    setup = statistics.setup
    if setup.plays_for == "nothing":
        return _table()
    unit = UNIT[setup.plays_for][language]
    n = len(setup.bots)
    table = _table(say("mean", language, unit=unit), *(say("seat", language, seat=seat) for seat in range(n)))
    table.add_row("", *(f"{amount / statistics.deals:+.2f}" for amount in statistics.amounts))
    return table


def _bots(statistics: Statistics, language: Language) -> Table:
    heads = [say("bot", language), say("time", language)]
    played_for = statistics.setup.plays_for
    if played_for != "nothing":
        heads.append(say("mean", language, unit=UNIT[played_for][language]))
    table = _table(*heads)
    for name in sorted(statistics.times):
        row = [name, " / ".join(f"{statistics.time(name, part) * 1000:.2f}" for part in (0.5, 0.99)) + " ms"]
        if played_for != "nothing":
            total, seats = statistics.bot_amounts[name]
            row.append(f"{total / seats:+.2f}")
        table.add_row(*row)
    return table
