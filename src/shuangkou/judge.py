"""The judge: the rules over a pipe, one JSON object a line in, one out (docs/judge.md).

:func:`answer` is a pure function of a question; :func:`main` reads lines and never stops on a bad one.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any, BinaryIO, Final, NoReturn, TextIO

from shuangkou.rules.cards import MAX_CARDS, RANKS, Counts, format_ranks, parse_ranks
from shuangkou.rules.catalogue import Catalogue
from shuangkou.rules.combination import BOMBS, KINDS, Reading
from shuangkou.rules.deal import PASS, Action, Deal, seat_change
from shuangkou.rules.errors import BadCards, IllegalPlay, RulesError, UnknownVariant
from shuangkou.rules.reading import autoplay, plays, read
from shuangkou.rules.scoring import PlayedBomb, deal_settlement, settle_duel, settle_escape, title
from shuangkou.rules.variant import Variant, load_variant

MAX_LINE: Final = 16 << 20
"""Longer lines are refused unread."""

MAX_MOVES: Final = 108 * 4
"""No deal has more moves: each of 108 cards is played alone, and three players pass after each."""

Question = Mapping[str, Any]
Answer = dict[str, Any]


class _Refused(Exception):
    """A question that gets an error for an answer."""

    def __init__(self, code: str, message: str, **more: int) -> None:
        super().__init__(message)
        self.error: Answer = {"code": code, "message": message, **more}


def _bad(message: str) -> NoReturn:
    raise _Refused("bad_request", message)


# -- fields ---------------------------------------------------------------------------------------


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 40 else text[:37] + "..."


def _field(question: Question, name: str) -> Any:
    if name not in question:
        _bad(f"the field {name!r} is missing")
    return question[name]


def _text(question: Question, name: str) -> str:
    value = _field(question, name)
    if not isinstance(value, str):
        _bad(f"{name!r} must be text, not {_shown(value)}")
    return value


def _whole(value: object, name: str, low: int | None = None, high: int | None = None) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        _bad(f"{name!r} must be a whole number, not {_shown(value)}")
    if (low is not None and value < low) or (high is not None and value > high):
        span = f"{low} to {high}" if high is not None else f"{low} or more"
        _bad(f"{name!r} must be {span}, not {_shown(value)}")
    return value


def _rows(value: object, name: str, length: int | None = None) -> Sequence[Any]:
    if not isinstance(value, list) or (length is not None and len(value) != length):
        _bad(f"{name!r} must be a list" + ("" if length is None else f" of {length}"))
    return value


def _kind(value: object) -> str | None:
    if value is None:
        return None
    if not isinstance(value, str) or value not in KINDS:
        _bad(f"'as' must be one of {', '.join(KINDS)}, not {_shown(value)}")
    return value


def _variant(question: Question) -> Variant:
    value = question.get("variant")
    if not isinstance(value, str):
        raise _Refused("unknown_variant", "the field 'variant' must name a variant")
    try:
        return load_variant(value)
    except UnknownVariant as e:
        raise _Refused(e.code, str(e)) from None


def _cards(text: str, what: str) -> Counts:
    try:
        return parse_ranks(text)
    except BadCards as e:
        raise _Refused(e.code, f"{what}: {e}") from None


def _table(question: Question, cat: Catalogue) -> Reading | None:
    """The optional table: cards, read as on a lead, or a reading as the judge writes them."""
    value = question.get("table")
    if value is None:
        return None
    if isinstance(value, str):
        found = read(cat, _cards(value, "table"))
    elif isinstance(value, dict):
        found = _reading(value, cat)
    else:
        _bad("'table' must be cards or a reading")
    if found is None:
        raise _Refused("bad_cards", "the table is no combination of this variant")
    return found


def _reading(value: Question, cat: Catalogue) -> Reading | None:
    kind, top = _text(value, "kind"), _text(value, "top")
    groups, width, size, stars, wild = (
        _whole(_field(value, name), name, 0) for name in ("groups", "width", "size", "stars", "wild")
    )
    if kind not in KINDS or top not in RANKS or len(top) != 1:
        return None
    combination = cat.find(kind, RANKS.index(top), groups, width)
    if combination is None or combination.stars != stars or not cat.may_read(combination, size, wild):
        return None
    return Reading(combination, size, wild)


def _bombs(question: Question, variant: Variant) -> tuple[list[PlayedBomb], list[PlayedBomb]]:
    cat = Catalogue.of(variant)
    mine, others = (_rows(row, "bombs") for row in _rows(_field(question, "bombs"), "bombs", 2))
    return [_bomb(row, cat) for row in mine], [_bomb(row, cat) for row in others]


def _bomb(row: object, cat: Catalogue) -> PlayedBomb:
    """A bomb that the variant has (R2, R3.7): a chain's groups are what its stars have above its width."""
    kind, top, width, stars = _rows(row, "bombs", 4)
    if not isinstance(kind, str) or kind not in BOMBS:
        _bad(f"a bomb's kind must be one of {', '.join(sorted(BOMBS))}, not {_shown(kind)}")
    if not isinstance(top, str) or len(top) != 1 or top not in RANKS:
        _bad(f"a bomb's top must be one of {RANKS}, not {_shown(top)}")
    width, stars = _whole(width, "width", 3, MAX_CARDS), _whole(stars, "stars", 4, MAX_CARDS)
    found = cat.find(kind, RANKS.index(top), stars - width if kind == "chain" else 1, width)
    if found is None or found.stars != stars:
        _bad(f"this variant has no such bomb: {_shown(row)}")
    return PlayedBomb(kind, found.top, width, stars)


# -- questions ------------------------------------------------------------------------------------


def _read(question: Question) -> Answer:
    cat = Catalogue.of(_variant(question))
    text, kind = _text(question, "cards"), _kind(question.get("as"))
    counts, table = _cards(text, "cards"), _table(question, cat)
    found = read(cat, counts, table, kind)
    return {"reading": None if found is None else found.as_dict()}


def _plays(question: Question) -> Answer:
    cat = Catalogue.of(_variant(question))
    hand, table = _cards(_text(question, "hand"), "hand"), _table(question, cat)
    return {"plays": sorted(format_ranks(counts) for counts in plays(cat, hand, table))}


def _autoplay(question: Question) -> Answer:
    cat = Catalogue.of(_variant(question))
    hand, table = _cards(_text(question, "hand"), "hand"), _table(question, cat)
    play = autoplay(cat, hand, table)
    return {"play": None if play is None else format_ranks(play.counts)}


def _seats(question: Question) -> Answer:
    leader, twin = (_whole(_field(question, name), name, 0, 3) for name in ("leader", "twin"))
    return {"seats": list(seat_change(leader, twin))}


def _deal(question: Question) -> Answer:
    variant = _variant(question)
    n = variant.players
    hands = _rows(_field(question, "hands"), "hands", n)
    if not all(isinstance(hand, str) for hand in hands):
        _bad("'hands' must be cards as text, one for each seat")
    leader = _whole(_field(question, "leader"), "leader", 0, n - 1)
    rows = _rows(_field(question, "moves"), "moves")
    if len(rows) > MAX_MOVES:
        _bad(f"'moves' must be at most {MAX_MOVES}: every card played alone, three passes after each")
    moves = [_move(row, n) for row in rows]
    counts = [_cards(hand, f"hand {seat}") for seat, hand in enumerate(hands)]
    try:
        deal = Deal.start(variant, counts, leader)
    except BadCards as e:
        raise _Refused(e.code, str(e)) from None
    for i, (seat, text, kind) in enumerate(moves):
        try:
            deal = deal.apply(PASS if text is None else Action(parse_ranks(text), kind), seat)
        except (BadCards, IllegalPlay) as e:
            raise _Refused(e.code, str(e), move=i) from None
    return _state(deal)


def _move(row: object, seats: int) -> tuple[int, str | None, str | None]:
    if not isinstance(row, list) or len(row) not in (2, 3):
        _bad("a move must be [seat, cards or null] or [seat, cards, kind]")
    text = row[1]
    if text is not None and not isinstance(text, str):
        _bad(f"a move's cards must be text or null, not {_shown(text)}")
    return _whole(row[0], "seat", 0, seats - 1), text, _kind(row[2] if len(row) == 3 else None)


def _state(deal: Deal) -> Answer:
    left = list(deal.left)
    if deal.order is None:
        return {"to_move": deal.to_move, "table": None if deal.table is None else deal.table.as_dict(), "left": left}
    state: Answer = {"order": list(deal.order), "result": deal.result, "left": left}
    if deal.variant.points is not None:
        settled = deal_settlement(deal)
        state |= {
            "multiplier": settled.multiplier,
            "contribution": list(settled.contribution),
            "points": list(settled.amounts),
        }
    return state


def _duel(question: Question) -> tuple[Variant, str, list[int]]:
    variant, edition = _variant(question), _text(question, "edition")
    balances = [_whole(b, "balances", 0) for b in _rows(_field(question, "balances"), "balances", 2)]
    return variant, edition, balances


def _settle(question: Question) -> Answer:
    variant, edition, balances = _duel(question)
    winner = _whole(_field(question, "winner"), "winner", 0, 1)
    left = _whole(_field(question, "left"), "left", 1, MAX_CARDS)
    try:
        settled = settle_duel(variant, edition, balances, winner, left, _bombs(question, variant))
    except RulesError as e:
        _bad(str(e))
    assert settled.stake is not None
    return {
        "stake": settled.stake.stake,
        "result": settled.result,
        "stars": list(settled.stars or ()),
        "amounts": list(settled.amounts),
    }


def _escape(question: Question) -> Answer:
    variant, edition, balances = _duel(question)
    fugitive = _whole(_field(question, "fugitive"), "fugitive", 0, 1)
    had_played = _field(question, "had_played")
    if not isinstance(had_played, bool):
        _bad(f"'had_played' must be true or false, not {_shown(had_played)}")
    try:
        settled = settle_escape(variant, edition, balances, fugitive, had_played, _bombs(question, variant))
    except RulesError as e:
        _bad(str(e))
    return {"amounts": list(settled.amounts), "house": settled.house}


def _title(question: Question) -> Answer:
    return {"title": title(_whole(_field(question, "points"), "points")).name.zh}


OPS: Final[dict[str, Callable[[Question], Answer]]] = {
    "read": _read,
    "plays": _plays,
    "autoplay": _autoplay,
    "seats": _seats,
    "deal": _deal,
    "settle": _settle,
    "escape": _escape,
    "title": _title,
}


def answer(question: object) -> Answer:
    """The answer to one question, as JSON values; errors are answers too, never exceptions."""
    if not isinstance(question, dict):
        return {"error": {"code": "bad_json", "message": "a question is a JSON object"}}
    found: Answer = {"id": question["id"]} if "id" in question else {}
    op = question.get("op")
    try:
        if not isinstance(op, str) or op not in OPS:
            raise _Refused("unknown_op", f"the field 'op' must be one of {', '.join(OPS)}")
        found |= OPS[op](question)
    except _Refused as e:
        found["error"] = e.error
    return found


# -- the pipe -------------------------------------------------------------------------------------


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def answer_line(line: bytes) -> str:
    """The answer to one line of JSON, as a line of JSON without its end."""
    try:
        question = json.loads(line.decode("utf-8-sig"), parse_constant=_no_constant)
        return json.dumps(answer(question), allow_nan=False)
    except (ValueError, RecursionError) as e:
        message = "nested too deep" if isinstance(e, RecursionError) else f"not a line of JSON: {_first_line(e)}"
        return json.dumps({"error": {"code": "bad_json", "message": message}})


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [""])[0][:120]


def serve(source: BinaryIO, sink: TextIO) -> None:
    """Answer every line of ``source`` on ``sink``, in order, until the source ends."""
    while line := source.readline(MAX_LINE + 1):
        if len(line) > MAX_LINE:
            while line and not line.endswith(b"\n"):
                line = source.readline(MAX_LINE)
            answered = json.dumps({"error": {"code": "bad_json", "message": f"a line has at most {MAX_LINE} bytes"}})
        else:
            answered = answer_line(line)
        sink.write(answered + "\n")
        sink.flush()


def main() -> None:
    """Answer questions about the rules: one JSON object a line on standard input, one answer a line out."""
    serve(sys.stdin.buffer, sys.stdout)
