"""What a bot is to a table: it is shown what its seat may see, and answers with an action."""

from __future__ import annotations

import hashlib
import time
from typing import NamedTuple, Protocol, runtime_checkable

from shuangkou.rules.deal import Action, Deal, SeedSource, Source
from shuangkou.rules.errors import IllegalPlay
from shuangkou.rules.view import View


@runtime_checkable
class Bot(Protocol):
    """Plays for a seat.

    A bot gets the seat's :class:`~shuangkou.rules.view.View`, never a deal, so it sees what a player sees. One bot may
    play for many seats and tables: it keeps nothing about a deal between two calls that the view does not tell.
    """

    def act(self, view: View, source: Source) -> Action:
        """What to do now; called only when it is the seat's turn (``view.my_turn``).

        Args:
            view: the deal as the seat sees it.
            source: all the randomness a bot may use, so that what it does can be repeated.
        """
        ...


class BotFailed(Exception):
    """A bot raised something, tried to end the program, or did what the rules refuse. ``code`` is stable.

    Attributes:
        bot: the bot's name.
        seat: where it sat.
        move: which move of the deal it was to make, from 1.
        deal: how the deal is called.
        what: what happened.
    """

    code = "bot_failed"

    def __init__(self, bot: str, seat: int, move: int, deal: str, what: str) -> None:
        self.bot = bot
        self.seat = seat
        self.move = move
        self.deal = deal
        self.what = what
        super().__init__(f"bot {bot!r} at seat {seat}, move {move} of deal {deal}: {what}")

    def __reduce__(self) -> tuple[type[BotFailed], tuple[str, int, int, str, str]]:
        return type(self), (self.bot, self.seat, self.move, self.deal, self.what)


class Turn(NamedTuple):
    """What a bot did: the action, the deal after it, and how many nanoseconds it thought."""

    action: Action
    after: Deal
    time: int


def bot_source(secret: str, *place: int | str) -> SeedSource:
    """The randomness of one move of a bot, from a secret and the move's place (deal, seat, move).

    It is derived one way, by SHA-256: a bot that looks into its source finds neither the secret nor the seed of the
    deal, so it cannot deal the cards again.
    """
    text = "\0".join(["a bot's move", secret, *map(str, place)])
    return SeedSource(hashlib.sha256(text.encode()).digest())


def take_turn(bot: Bot, name: str, deal: Deal, source: Source, called: str) -> Turn:
    """Let a bot make the move of the seat to move.

    Args:
        bot: who plays.
        name: how the bot is called.
        deal: the running deal, of which the bot is shown its seat's view.
        source: the bot's randomness.
        called: how the deal is called where the bot fails.

    Raises:
        BotFailed: the bot raised something (``SystemExit`` too), gave no action, or one that the rules refuse.
    """
    seat = deal.to_move
    assert seat is not None
    shown = View.of(deal, seat)
    begin = time.perf_counter_ns()
    try:
        action: object = bot.act(shown, source)
        spent = time.perf_counter_ns() - begin
        if not isinstance(action, Action):
            raise TypeError(f"{type(action).__name__} is no action")
        return Turn(action, deal.apply(action, seat), spent)
    except (Exception, SystemExit) as error:
        what = f"refused ({error.code})" if isinstance(error, IllegalPlay) else type(error).__name__
        raise BotFailed(name, seat, len(deal.moves) + 1, called, f"{what}: {error}") from error
