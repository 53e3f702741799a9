"""What the rules refuse, each with a stable ``code`` that the judge, the table and the page pass on."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar


class RulesError(Exception):
    """Anything the rules refuse. ``code`` is stable; the text is for people."""

    code: str = "rules_error"


class BadCards(RulesError):
    """Text or counts that are no cards: nothing, an unknown card, a space, more copies than there are, more than 27."""

    code = "bad_cards"


class Reason(StrEnum):
    """Why a play is refused, in the order in which it is tested."""

    DEAL_OVER = "deal_over"
    NOT_YOUR_TURN = "not_your_turn"
    MUST_LEAD = "must_lead"
    NOT_HELD = "not_held"
    ILLEGAL_PLAY = "illegal_play"


class IllegalPlay(RulesError):
    """A play that a deal refuses; ``code`` is the value of ``reason``."""

    _TEXT: ClassVar[dict[Reason, str]] = {
        Reason.DEAL_OVER: "the deal is over",
        Reason.NOT_YOUR_TURN: "it is another player's turn",
        Reason.MUST_LEAD: "the leader must play",
        Reason.NOT_HELD: "these cards are not in the hand",
        Reason.ILLEGAL_PLAY: "these cards are no legal play here",
    }

    def __init__(self, reason: Reason, message: str | None = None) -> None:
        super().__init__(message or self._TEXT[reason])
        self.reason = reason
        self.code = reason.value

    def __reduce__(self) -> tuple[type[IllegalPlay], tuple[Reason, str]]:
        return type(self), (self.reason, str(self))


class KernelError(RulesError):
    """A form of the kernel was asked for that is not there."""

    code = "bad_kernel"


class UnknownVariant(RulesError):
    """An id that no shipped variant has."""

    code = "unknown_variant"

    def __init__(self, id: str, known: Iterable[str] = ()) -> None:
        self.id = id
        self.known = tuple(known)
        shown = repr(id) if len(id) <= 60 else repr(id[:57] + "...")
        super().__init__(f"no variant {shown}; known: {', '.join(self.known)}" if self.known else f"no variant {shown}")

    def __reduce__(self) -> tuple[type[UnknownVariant], tuple[str, tuple[str, ...]]]:
        return type(self), (self.id, self.known)


@dataclass(frozen=True, slots=True)
class Mistake:
    """One mistake in a variant file: where it is, which field, what is wrong and what is allowed."""

    source: str
    line: int | None
    field: str
    message: str
    allowed: str = ""
    column: int | None = None

    def __str__(self) -> str:
        place = [self.source, *(str(n) for n in (self.line, self.column) if n is not None)]
        return f"{':'.join(place)}: {f'{self.field}: ' if self.field else ''}{self.message}"


class VariantError(RulesError):
    """All mistakes of a variant at once; the text has one line a mistake."""

    code = "bad_variant"

    def __init__(self, mistakes: Iterable[Mistake]) -> None:
        self.mistakes = tuple(mistakes)
        super().__init__("\n".join(str(mistake) for mistake in self.mistakes))

    def __reduce__(self) -> tuple[type[VariantError], tuple[tuple[Mistake, ...]]]:
        return type(self), (self.mistakes,)


class SettlementError(RulesError):
    """A question about scoring that has no answer; ``code`` says why.

    ``bad_order``, ``bad_seat``, ``bad_left``, ``bad_room``, ``wrong_players``, ``unknown_edition``,
    ``balance_too_low``, ``deal_running``, ``deal_over``.
    """

    code = "bad_settlement"

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code

    def __reduce__(self) -> tuple[type[SettlementError], tuple[str, str]]:
        return type(self), (self.code, str(self))


class RecordError(RulesError):
    """A record that cannot be read or replayed: where, and what was expected there."""

    code = "bad_record"

    def __init__(self, message: str, line: int, column: int = 1, expected: str = "") -> None:
        self.message = message
        self.line = line
        self.column = column
        self.expected = expected
        super().__init__(f"line {line}, column {column}: {message}" + (f"; expected {expected}" if expected else ""))

    def __reduce__(self) -> tuple[type[RecordError], tuple[str, int, int, str]]:
        return type(self), (self.message, self.line, self.column, self.expected)
