"""Errors: each has a stable code, and crosses the border between two processes unchanged."""

from __future__ import annotations

import copy
import importlib
import pickle
import pkgutil
from collections.abc import Iterator

import pytest

import shuangkou
from shuangkou.bots import BadBot, UnknownBot
from shuangkou.bots.simulate import SimulationError
from shuangkou.research.batch import BatchError
from shuangkou.rules.errors import (
    BadCards,
    IllegalPlay,
    KernelError,
    Mistake,
    Reason,
    RecordError,
    RulesError,
    SettlementError,
    UnknownVariant,
    VariantError,
)
from shuangkou.rules.scoring import TitlesError
from shuangkou.table.bot import BotFailed

ERRORS: list[Exception] = [
    RulesError("no"),
    BadCards("no cards"),
    *map(IllegalPlay, Reason),
    IllegalPlay(Reason.NOT_HELD, "no such cards"),
    KernelError("no form"),
    UnknownVariant("x", ("a", "b")),
    UnknownVariant("x" * 100),
    VariantError([Mistake("f", 1, "a", "m", "b"), Mistake("g", None, "", "n")]),
    TitlesError([Mistake("t", 2, "a", "m", "b", 7)]),
    SettlementError("bad_seat", "no seat 4"),
    RecordError("no deal", 3, 4, "a deal"),
    RecordError("no deal", 3),
    UnknownBot("x", ("a", "b")),
    UnknownBot("x" * 100, ()),
    BadBot("no bot"),
    SimulationError("no deals"),
    BotFailed("autoplay", 2, 5, "s/0", "refused (must_lead): no"),
    BatchError("no deals"),
]


def own_errors(base: type[Exception] = Exception) -> Iterator[type[Exception]]:
    """All public errors of the package."""
    for kind in base.__subclasses__():
        if kind.__module__.partition(".")[0] == "shuangkou" and not kind.__name__.startswith("_"):
            yield kind
        yield from own_errors(kind)


def test_every_error_is_among_them() -> None:
    for module in pkgutil.walk_packages(shuangkou.__path__, "shuangkou."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    coded = {kind for kind in own_errors() if hasattr(kind, "code")}
    assert coded == {type(error) for error in ERRORS}
    assert {kind for kind in coded if issubclass(kind, RulesError)} == {RulesError, *own_errors(RulesError)}


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
def test_errors_survive_a_process_border(error: Exception) -> None:
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        again = pickle.loads(pickle.dumps(error, protocol))
        assert type(again) is type(error)
        assert str(again) == str(error)
        assert vars(again) == vars(error)
        assert getattr(again, "code", None) == getattr(error, "code", None)
    assert str(copy.copy(error)) == str(error)
