"""`shuangkou replay`: show the deals of a file move by move, or check each against the rules (docs/notation.md)."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterable, Iterator
from io import BufferedReader
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, BinaryIO, Final

from cyclopts import Parameter

from shuangkou.rules.cards import Card, format_ranks
from shuangkou.rules.deal import Deal
from shuangkou.rules.errors import RecordError, SettlementError
from shuangkou.rules.explain import columns
from shuangkou.rules.record import MOST_CHARACTERS, Entry, Record, check_record, hand_lines, scan_records
from shuangkou.rules.words import PASSED, RESULT, Language, describe
from shuangkou.terminal.words import default_language, os_error_words

if TYPE_CHECKING:
    from shuangkou.terminal.console import Console

_LONGEST: Final = 4 * MOST_CHARACTERS  # bytes of a line: a record has no more
_BLOCK: Final = 1 << 16  # bytes read at once
_MOST_SHOWN: Final = 50  # faulty deals of which a check tells the place
_BIG: Final = 1 << 20  # bytes from which a progress bar is shown

_TEXT: Final[dict[str, dict[Language, str]]] = {
    "all_right": {"zh": "{deals}副都没有错。", "en": "{deals} deals, all right."},
    "one_right": {"zh": "1副，没有错。", "en": "1 deal, all right."},
    "faulty": {"zh": "{deals}副，其中{faulty}副有错。", "en": "{deals} deals, {faulty} of them faulty."},
    "one_faulty": {"zh": "1副，有错。", "en": "1 deal, faulty."},
    "running": {"zh": "{running}副没有打完。", "en": "{running} not played out."},
    "more": {"zh": "（另有{more}处）", "en": " (and {more} more)"},
    "rest": {"zh": "（另有{more}副有错）", "en": "(and {more} more)"},
    "none": {"zh": "{file}：没有一副牌。", "en": "{file}: no deal in it."},
    "missing": {"zh": "{file}：没有这个文件。", "en": "{file}: there is no such file."},
    "directory": {"zh": "{file}：这是一个目录。", "en": "{file}: this is a directory."},
    "unreadable": {"zh": "{file}：不能读：{why}", "en": "{file}: cannot be read: {why}"},
    "closed": {"zh": "标准输入已关闭", "en": "standard input is closed"},
    "long": {"zh": "{file}：第{line}行太长。", "en": "{file}: line {line} is too long."},
    "deal": {"zh": "第{number}副：{name}", "en": "Deal {number}: {name}"},
    "seat": {"zh": "{seat}号位", "en": "seat {seat}"},
    "turned_up": {"zh": "明牌 {card}，{who}先出", "en": "Turned up: {card}; {who} leads"},
    "twin": {"zh": "另一张在{who}", "en": "its twin is with {who}"},
    "leads": {"zh": "{who}先出", "en": "{who} leads"},
    "trick": {"zh": "第{number}轮", "en": "Trick {number}"},
    "inherited": {"zh": "接风", "en": "inherited lead"},
    "out": {"zh": "第{place}个出完", "en": "out, place {place}"},
    "left": {"zh": "剩{left}张", "en": "{left} left"},
    "unfinished": {"zh": "没有打完。", "en": "Not played out."},
    "escape": {"zh": "{who}逃跑。", "en": "{who} left the deal."},
    "result": {"zh": "{result}。名次：{order}", "en": "{result}. Places: {order}"},
}


class _Unreadable(Exception):
    """A file of which nothing more can be read; the text says why."""


def replay(
    file: Annotated[str, Parameter(allow_leading_hyphen=True)],
    /,
    *,
    check: bool = False,
    lang: Language | None = None,
    plain: Annotated[bool, Parameter(negative="")] = False,
) -> int:
    """Show the deals of a file move by move: step by step on a terminal of 80x24 or more, else the whole course.

    Args:
        file: A file in the notation of docs/notation.md; - reads what is piped in.
        check: Check every deal against the rules instead, and print one line for each that is faulty (50 at most).
        lang: zh or en; by default that of the system.
        plain: The whole course on a terminal too.
    """
    language = default_language() if lang is None else lang
    try:
        with _open(file, language) as (stream, size):
            if check:
                return _check(file, stream, size, language)
            if file != "-" and not plain:
                from shuangkou.terminal.console import Console  # noqa: PLC0415 - not needed over a pipe

                if (console := Console()).screen:
                    return _step(file, stream, console, language)
            return _show(file, stream, language)
    except _Unreadable as error:
        print(error, file=sys.stderr)
        return 2


def say(key: str, language: Language, **values: object) -> str:
    return _TEXT[key][language].format(**values)


# Files


@contextlib.contextmanager
def _open(file: str, language: Language) -> Iterator[tuple[BinaryIO, int]]:
    """The bytes of a file, and how many there are (0: nobody knows)."""
    if file == "-":
        if sys.stdin is None:
            raise _Unreadable(say("unreadable", language, file=file, why=say("closed", language)))
        yield sys.stdin.buffer, 0
        return
    path = Path(file)
    try:
        if path.is_dir():
            raise _Unreadable(say("directory", language, file=file))
        stream = path.open("rb")
        size = path.stat().st_size
    except FileNotFoundError:
        raise _Unreadable(say("missing", language, file=file)) from None
    except (OSError, ValueError) as error:
        raise _Unreadable(say("unreadable", language, file=file, why=os_error_words(error, language))) from None
    with stream:
        yield stream, size


def _lines(file: str, stream: BinaryIO, language: Language, done: Callable[[int], object]) -> Iterator[str]:
    """The lines of a file, bytes that are no UTF-8 as surrogates; ``done`` is told how many bytes were read."""
    number = 1
    rest = b""
    while True:
        try:
            block = stream.read1(_BLOCK) if isinstance(stream, BufferedReader) else stream.read(_BLOCK)
        except OSError as error:
            raise _Unreadable(say("unreadable", language, file=file, why=os_error_words(error, language))) from None
        if not block:
            break
        done(len(block))
        whole, end, tail = block.rpartition(b"\n")
        if end:
            lines = (rest + whole).decode("utf-8", "surrogateescape").split("\n")
            number += len(lines)
            yield from lines
            rest = b""
        rest += tail
        if len(rest) >= _LONGEST:
            raise _Unreadable(say("long", language, file=file, line=number))
    if rest:
        yield rest.decode("utf-8", "surrogateescape")


# Checking


def _check(file: str, stream: BinaryIO, size: int, language: Language) -> int:
    deals = faulty = running = 0
    with _progress(size) as (done, tell):
        for found in scan_records(_lines(file, stream, language, done)):
            deals += 1
            problems = [found] if isinstance(found, RecordError) else check_record(found)
            if problems:
                faulty += 1
                if faulty <= _MOST_SHOWN:
                    tell(_problem(file, problems, language))
            elif isinstance(found, Record) and found.running:
                running += 1
    if not deals:
        print(say("none", language, file=file), file=sys.stderr)
        return 1
    if faulty > _MOST_SHOWN:
        print(say("rest", language, more=faulty - _MOST_SHOWN))
    key = ("one_faulty" if faulty else "one_right") if deals == 1 else ("faulty" if faulty else "all_right")
    summary = say(key, language, deals=deals, faulty=faulty)
    if running:
        summary += ("" if language == "zh" else " ") + say("running", language, running=running)
    print(summary)
    return 1 if faulty else 0


def _problem(file: str, problems: list[RecordError], language: Language) -> str:
    """One line: where a deal first breaks the rules, and why."""
    first = min(problems, key=lambda problem: (problem.line, problem.column))
    text = f"{file}:{first.line}:{first.column}: {first.message}"
    if first.expected:
        text += f"; expected {first.expected}"
    return text + (say("more", language, more=len(problems) - 1) if len(problems) > 1 else "")


@contextlib.contextmanager
def _progress(size: int) -> Iterator[tuple[Callable[[int], object], Callable[[str], object]]]:
    """What to call with bytes that were read, and with lines to print; a bar is shown for a big file on a terminal."""
    if size < _BIG or not sys.stderr.isatty():
        yield (lambda _: None), print
        return
    from rich.console import Console  # noqa: PLC0415 - rarely needed
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TimeRemainingColumn  # noqa: PLC0415

    parts = (BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    with Progress(*parts, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=size)

        def tell(text: str) -> None:
            if sys.stdout.isatty():
                bar.console.print(text, markup=False, highlight=False, soft_wrap=True)
            else:
                print(text)

        yield (lambda read: bar.advance(task, read)), tell


# Showing


def _show(file: str, stream: BinaryIO, language: Language) -> int:
    number = 0
    wrong = False
    for number, found in enumerate(scan_records(_lines(file, stream, language, lambda _: None)), 1):
        try:
            if isinstance(found, RecordError):
                raise found
            for line in show(found, number, language):
                print(line)
        except RecordError as error:
            wrong = True
            sys.stdout.flush()
            print(_problem(file, [error], language), file=sys.stderr)
        print()
    if not number:
        print(say("none", language, file=file), file=sys.stderr)
    return 1 if wrong or not number else 0


def _step(file: str, stream: BinaryIO, console: Console, language: Language) -> int:
    from shuangkou.terminal.replay import Replay  # noqa: PLC0415 - not needed over a pipe

    if Replay(scan_records(_lines(file, stream, language, lambda _: None)), console, language).run():
        return 0
    print(say("none", language, file=file), file=sys.stderr)
    return 1


def show(record: Record, number: int, language: Language) -> Iterator[str]:
    """A deal in lines: who plays what, every move with what it counts as, and what it brings.

    Raises:
        RecordError: at the first move that breaks the rules.
    """
    variant = record.variant
    yield say("deal", language, number=number, name=variant.name.zh if language == "zh" else variant.name.en)
    for name, value in record.headers:
        yield f"  {name}: {_plain(value)}"
    deals = record.deals()
    deal = next(deals)
    names = [_plain(name) or say("seat", language, seat=seat) for seat, name in enumerate(record.names())]
    yield ""
    widest = max(map(columns, names))
    labels = [name + " " * (widest - columns(name)) for name in names]
    yield from (f"  {line}" for line in hand_lines(record.hands, labels))
    yield "  " + _leader(record.turned_up, record, names, language)
    yield from (f"  {{{_plain(remark)}}}" for remark in record.remarks)
    trick = 0
    for entry, after in zip(record.moves, deals, strict=True):
        if deal.table is None:
            trick += 1
            yield ""
            yield say("trick", language, number=trick)
        yield _move(deal, entry, after, names, language)
        yield from (f"      {{{_plain(comment)}}}" for comment in entry.comments)
        deal = after
    yield ""
    yield from _end(record, deal, names, language)


def _leader(card: Card | None, record: Record, names: list[str], language: Language) -> str:
    if card is None:
        return say("leads", language, who=names[record.leader])
    text = say("turned_up", language, card=card, who=names[record.leader])
    if record.twin is None:
        return text
    return f"{text}{'，' if language == 'zh' else ', '}{say('twin', language, who=names[record.twin])}"


def _move(deal: Deal, entry: Entry, after: Deal, names: list[str], language: Language) -> str:
    name = names[entry.seat]
    move = after.moves[-1]
    if move.reading is None:
        return f"  {name}: {PASSED[language]}"
    parts = [describe(move.reading, language)]
    if move.inherited:
        parts.append(say("inherited", language))
    if len(after.out) > len(deal.out):
        parts.append(say("out", language, place=len(after.out)))
    else:
        parts.append(say("left", language, left=after.left[entry.seat]))
    return f"  {name}: {format_ranks(move.counts)}  {'，'.join(parts) if language == 'zh' else ', '.join(parts)}"


def _end(record: Record, deal: Deal, names: list[str], language: Language) -> Iterable[str]:
    if record.fugitive is not None and 0 <= record.fugitive < deal.players:
        yield say("escape", language, who=names[record.fugitive])
    elif deal.order is None or deal.result is None:
        yield say("unfinished", language)
        return
    else:
        order = ("、" if language == "zh" else ", ").join(names[seat] for seat in deal.order)
        yield say("result", language, result=RESULT[deal.result][language].capitalize(), order=order)
    try:
        settlement = record.terms.settlement(deal, record.fugitive)
    except SettlementError as error:
        yield f"  {error}"
        return
    if settlement is not None:
        yield from (f"  {line}" for line in settlement.texts(language, names))


def _plain(text: str) -> str:
    """A text of a file on one line, with nothing that moves a cursor."""
    return "".join([character if character.isprintable() else "\N{REPLACEMENT CHARACTER}" for character in text])
