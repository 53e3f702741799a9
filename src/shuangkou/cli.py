"""The command line: `shuangkou COMMAND`.

A command is a row of :data:`COMMANDS`; its module is imported when the command is called, so that
starting one does not pay for the others.
"""

from __future__ import annotations

import contextlib
import errno
import importlib
import os
import sys
from io import TextIOWrapper
from typing import Final, NamedTuple, TextIO

from shuangkou import __version__


class Command(NamedTuple):
    """``target`` is ``module:function``; the function's signature and docstring are its options and their help.

    A ``pipe`` is started by programs, often once a question, and needs no options: called with none it
    runs at once, without building the parser (which takes a fifth of a second). What ``reads`` cannot run
    without a standard input.
    """

    target: str
    help: str
    pipe: bool = False
    reads: bool = False


COMMANDS: dict[str, Command] = {
    "play": Command("shuangkou.terminal.play:play", "Play against bots in the terminal.", reads=True),
    "replay": Command("shuangkou.terminal.records:replay", "Show the deals of a file, or check them by the rules."),
    "simulate": Command("shuangkou.terminal.simulate:simulate", "Let bots play deals against each other."),
    "judge": Command(
        "shuangkou.judge:main", "Answer questions about the rules, one JSON object a line.", pipe=True, reads=True
    ),
    "variants": Command("shuangkou.terminal.variants:app", "List, explain and check variants."),
}


def main() -> None:
    """Run the command that the process was started with."""
    try:
        code = _status(sys.argv[1:])
    except KeyboardInterrupt:
        code = 130
    except BrokenPipeError:  # whoever read our output has gone: nothing is left to say
        code = 141
    except OSError as e:
        what = "cannot write" if e.errno in _FULL else "cannot read or write"
        code = _complain(f"{what if e.filename is None else e.filename}: {e.strerror or e}", 1)
    _let_go(sys.stdout)
    _let_go(sys.stderr)
    sys.exit(code)


_FULL: Final = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
"""What can only go wrong when something is written."""


def version() -> str:
    """The version, and which form of the kernel runs."""
    from shuangkou.rules.engine import COMPILED

    return f"shuangkou {__version__} ({'compiled' if COMPILED else 'plain'} kernel)"


# -- standard streams -----------------------------------------------------------------------------


def _complain(message: str, code: int) -> int:
    """Say on standard error, if that can be done, why the command ends with this code."""
    with contextlib.suppress(OSError):
        print(f"shuangkou: {message}", file=sys.stderr, flush=True)
    return code


def _let_go(stream: TextIO | None) -> None:
    """Write out what a stream still holds, or drop it where that cannot be done: the interpreter does not try again."""
    if stream is None:
        return
    try:
        stream.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _missing(command: Command | None) -> str | None:
    """Which standard stream the command needs and the process was started without; the others are made to do."""
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115 - the process's own
    if sys.stdout is None:
        return "standard output"
    if sys.stdin is None and command is not None and command.reads:
        return "standard input"
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # an encoding that lacks a character shows its code
    return None


_OF_NO_COMMAND: Final = ("--help", "-h", "--version")
"""Options that may stand without a command; any other is one of ``play``."""


# -- running --------------------------------------------------------------------------------------


def _status(arguments: list[str]) -> int:
    """Run a command, all its output written; the exit code."""
    if not arguments or (arguments[0].startswith("-") and arguments[0] not in _OF_NO_COMMAND):
        arguments = ["play", *arguments]
    if (missing := _missing(COMMANDS.get(arguments[0]))) is not None:
        return _complain(f"the {missing} is closed", 2)
    code: object = 0
    try:
        _run(arguments)
    except SystemExit as e:
        code = e.code
    except Exception as e:
        from shuangkou.rules.errors import RulesError

        if not isinstance(e, RulesError):
            raise
        return _complain(str(e), 1)
    sys.stdout.flush()
    if code is None or isinstance(code, int):
        return code or 0
    return _complain(str(code), 1)


def _run(arguments: list[str]) -> None:
    command = COMMANDS.get(arguments[0])
    if len(arguments) == 1 and command is not None and command.pipe:
        module, _, function = command.target.partition(":")
        sys.exit(getattr(importlib.import_module(module), function)())

    if arguments == ["--version"]:
        print(version())
        return

    from cyclopts import App

    app = App(name="shuangkou", help="双扣 (Shuangkou): rules, tables and bots.", version=version)
    for name, row in COMMANDS.items():
        app.command(row.target, name=name, help=row.help)
    app(arguments)
