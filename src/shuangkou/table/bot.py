"""What a bot is to a table: it is shown what its seat may see, and answers with an action."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from shuangkou.rules.deal import Action, Source
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
