"""The command line: `shuangkou COMMAND`.

A command is a row of :data:`COMMANDS`; its module is imported when the command is called, so that
starting one does not pay for the others.
"""

from __future__ import annotations

import importlib
import os
import sys
from typing import NamedTuple

from shuangkou import __version__


class Command(NamedTuple):
    """``target`` is ``module:function``; the function's signature and docstring are its options and their help.

    A ``pipe`` is started by programs, often once a question, and needs no options: called with none it
    runs at once, without building the parser (which takes a fifth of a second).
    """

    target: str
    help: str
    pipe: bool = False


COMMANDS: dict[str, Command] = {
    "play": Command("shuangkou.terminal.play:play", "Play against bots in the terminal."),
    "replay": Command("shuangkou.terminal.records:replay", "Show the deals of a file, or check them by the rules."),
    "simulate": Command("shuangkou.terminal.simulate:simulate", "Let bots play deals against each other."),
    "judge": Command("shuangkou.judge:main", "Answer questions about the rules, one JSON object a line.", pipe=True),
    "variants": Command("shuangkou.terminal.variants:app", "List, explain and check variants."),
}


def main() -> None:
    """Run the command that the process was started with."""
    try:
        _run(sys.argv[1:])
        sys.stdout.flush()
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:  # whoever read our output has gone: nothing is left to say, at exit either
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(141)
    except Exception as e:
        from shuangkou.rules.errors import RulesError

        if not isinstance(e, RulesError):
            raise
        sys.exit(f"shuangkou: {e}")


def version() -> str:
    """The version, and which form of the kernel runs."""
    from shuangkou.rules.engine import COMPILED

    return f"shuangkou {__version__} ({'compiled' if COMPILED else 'plain'} kernel)"


def _run(arguments: list[str]) -> None:
    if len(arguments) == 1 and (command := COMMANDS.get(arguments[0])) and command.pipe:
        module, _, function = command.target.partition(":")
        sys.exit(getattr(importlib.import_module(module), function)())

    if arguments == ["--version"]:
        print(version())
        return

    if not arguments:
        arguments = ["play"]

    from cyclopts import App

    app = App(name="shuangkou", help="双扣 (Shuangkou): rules, tables and bots.", version=version)
    for name, command in COMMANDS.items():
        app.command(command.target, name=name, help=command.help)
    app(arguments)
