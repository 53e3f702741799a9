"""The rules of Shuangkou as a library: what is legal and what it is worth.

Pure functions of their arguments: no clock, no global randomness, no input or output but the packaged
variants. The names in ``__all__`` are the public surface; each is loaded when it is first used, so that
importing the package costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from shuangkou.rules.cards import (
        RANKS,
        SUITS,
        Card,
        Counts,
        counts_of,
        format_cards,
        format_ranks,
        held,
        parse_cards,
        parse_ranks,
        size,
    )
    from shuangkou.rules.catalogue import ACTIONS_VERSION, Catalogue
    from shuangkou.rules.combination import BOMBS, KINDS, Combination, Reading
    from shuangkou.rules.deal import PASS, Action, Deal, Move, SeedSource, Source, TurnedUp, seat_change
    from shuangkou.rules.errors import (
        BadCards,
        IllegalPlay,
        Mistake,
        Reason,
        RecordError,
        RulesError,
        SettlementError,
        UnknownVariant,
        VariantError,
    )
    from shuangkou.rules.explain import explain_variant
    from shuangkou.rules.reading import (
        Play,
        Refusal,
        autoplay,
        can_beat,
        canonical,
        plays,
        read,
        readings,
        refusal,
    )
    from shuangkou.rules.record import (
        Record,
        Terms,
        check_record,
        read_records,
        scan_records,
        write_record,
        write_records,
    )
    from shuangkou.rules.scoring import (
        Line,
        PlayedBomb,
        Settlement,
        Title,
        deal_escape,
        deal_settlement,
        settle_duel,
        settle_escape,
        settle_points,
        title,
        titles,
    )
    from shuangkou.rules.variant import (
        Variant,
        differences,
        format_variant,
        load_variant,
        load_variant_file,
        parse_variant,
        variant_ids,
        with_settings,
    )
    from shuangkou.rules.view import View
    from shuangkou.rules.words import describe

_HOME: Final = {
    "cards": ("RANKS SUITS Card Counts counts_of format_cards format_ranks held parse_cards parse_ranks size"),
    "catalogue": "ACTIONS_VERSION Catalogue",
    "combination": "BOMBS KINDS Combination Reading",
    "deal": "PASS Action Deal Move SeedSource Source TurnedUp seat_change",
    "errors": "BadCards IllegalPlay Mistake Reason RecordError RulesError SettlementError UnknownVariant VariantError",
    "explain": "explain_variant",
    "reading": "Play Refusal autoplay can_beat canonical plays read readings refusal",
    "record": "Record Terms check_record read_records scan_records write_record write_records",
    "scoring": (
        "Line PlayedBomb Settlement Title deal_escape deal_settlement settle_duel settle_escape settle_points title titles"
    ),
    "variant": (
        "Variant differences format_variant load_variant load_variant_file parse_variant variant_ids with_settings"
    ),
    "view": "View",
    "words": "describe",
}
_MODULE_OF: Final = {name: module for module, names in _HOME.items() for name in names.split()}

__all__ = [  # noqa: RUF022 (in the order of sorted())
    "ACTIONS_VERSION",
    "Action",
    "BOMBS",
    "BadCards",
    "Card",
    "Catalogue",
    "Combination",
    "Counts",
    "Deal",
    "IllegalPlay",
    "KINDS",
    "Line",
    "Mistake",
    "Move",
    "PASS",
    "Play",
    "PlayedBomb",
    "RANKS",
    "Reading",
    "Reason",
    "Record",
    "RecordError",
    "Refusal",
    "RulesError",
    "SUITS",
    "SeedSource",
    "Settlement",
    "SettlementError",
    "Source",
    "Terms",
    "Title",
    "TurnedUp",
    "UnknownVariant",
    "Variant",
    "VariantError",
    "View",
    "autoplay",
    "can_beat",
    "canonical",
    "check_record",
    "counts_of",
    "deal_escape",
    "deal_settlement",
    "describe",
    "differences",
    "explain_variant",
    "format_cards",
    "format_ranks",
    "format_variant",
    "held",
    "load_variant",
    "load_variant_file",
    "parse_cards",
    "parse_ranks",
    "parse_variant",
    "plays",
    "read",
    "read_records",
    "readings",
    "refusal",
    "scan_records",
    "seat_change",
    "settle_duel",
    "settle_escape",
    "settle_points",
    "size",
    "title",
    "titles",
    "variant_ids",
    "with_settings",
    "write_record",
    "write_records",
]


def __getattr__(name: str) -> Any:
    module = _MODULE_OF.get(name)
    if module is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{module}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
