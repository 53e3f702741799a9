"""Bots that play: found by name, here and in installed packages.

A package of its own adds bots by the entry-point group ``shuangkou.bots``; an entry names something that gives a
:class:`~shuangkou.table.bot.Bot` when called without arguments (a class, as a rule). A bot's module is imported when
the bot is asked for.
"""

from __future__ import annotations

import importlib
from functools import cache
from typing import TYPE_CHECKING, Final

from shuangkou.table.bot import Bot

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP: Final = "shuangkou.bots"
"""The entry-point group of bots from other packages."""

_OWN: Final[dict[str, str]] = {
    "autoplay": "shuangkou.bots.autoplay:Autoplay",
    "heuristic": "shuangkou.bots.heuristic:Heuristic",
}


class UnknownBot(Exception):
    """No bot has this name. ``code`` is stable."""

    code = "unknown_bot"

    def __init__(self, name: str, known: tuple[str, ...]) -> None:
        self.name = name
        self.known = known
        shown = name if len(name) <= 60 else name[:57] + "..."
        super().__init__(f"no bot {shown!r}; known: {', '.join(known)}")

    def __reduce__(self) -> tuple[type[UnknownBot], tuple[str, tuple[str, ...]]]:
        return type(self), (self.name, self.known)


class BadBot(Exception):
    """A bot of another package that cannot be loaded, or is none. ``code`` is stable."""

    code = "bad_bot"


def bot_names() -> tuple[str, ...]:
    """The names of all bots, own and installed, sorted. Nothing is imported for it."""
    return tuple(sorted({*_OWN, *_installed()}))


def bot(name: str) -> Bot:
    """The bot of a name; its own bots cannot be replaced by others of the same name.

    Raises:
        UnknownBot: there is none.
        BadBot: its package does not give one.
    """
    target = _OWN.get(name)
    if target is not None:
        module, _, attribute = target.partition(":")
        made: object = getattr(importlib.import_module(module), attribute)()
    else:
        entry = _installed().get(name)
        if entry is None:
            raise UnknownBot(name, bot_names())
        try:
            made = entry.load()()
        except (Exception, SystemExit) as error:  # whatever a foreign package does, it is told as one thing
            raise BadBot(f"the bot {name!r} ({entry.value}) cannot be loaded: {error}") from error
    if not isinstance(made, Bot):
        raise BadBot(f"the bot {name!r} is no bot: it has no method act(view, source)")
    return made


@cache
def _installed() -> dict[str, EntryPoint]:
    from importlib.metadata import entry_points  # noqa: PLC0415 - it takes long, and own bots don't need it

    return {entry.name: entry for entry in entry_points(group=GROUP)}
