"""The bot that plays as auto-play does (R8.2): what the program does for a player who is away."""

from __future__ import annotations

from shuangkou.rules.deal import PASS, Action, Source
from shuangkou.rules.reading import autoplay
from shuangkou.rules.view import View


class Autoplay:
    """The lowest single on a lead, the cheapest play that beats the table, no thought for the partner."""

    def act(self, view: View, source: Source) -> Action:  # noqa: ARG002
        play = autoplay(view.catalogue, view.hand, view.table)
        return PASS if play is None else Action.of(play)
