"""The rules of Shuangkou as a library: what is legal and what it is worth.

Pure functions of their arguments: no clock, no global randomness, no input or output. There are two exceptions:
files are read (the packaged variants and titles, and the one given to ``load_variant_file``), and one variable of the
environment says which form of the kernel runs. The names in ``__all__`` are the public surface; each is loaded when it
is first used, so that importing the package costs nothing.
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
        KernelError,
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
        refusal_words,
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
        Counted,
        Factor,
        Line,
        PlayedBomb,
        Settlement,
        Title,
        TitlesError,
        Unit,
        contribution_line,
        count_stars,
        deal_escape,
        deal_settlement,
        duel_contributions,
        parse_titles,
        settle_duel,
        settle_escape,
        settle_points,
        stake,
        star_value,
        title,
        titles,
    )
    from shuangkou.rules.variant import (
        Result,
        Variant,
        differences,
        format_variant,
        load_variant,
        load_variant_file,
        parse_variant,
        variant_ids,
        with_settings,
    )
    from shuangkou.rules.view import Audience, View
    from shuangkou.rules.words import Language, describe

_HOME: Final = {
    "cards": "RANKS SUITS Card Counts counts_of format_cards format_ranks held parse_cards parse_ranks size",
    "catalogue": "ACTIONS_VERSION Catalogue",
    "combination": "BOMBS KINDS Combination Reading",
    "deal": "PASS Action Deal Move SeedSource Source TurnedUp seat_change",
    "errors": (
        "BadCards IllegalPlay KernelError Mistake Reason RecordError RulesError SettlementError "
        "UnknownVariant VariantError"
    ),
    "explain": "explain_variant",
    "reading": "Play Refusal autoplay can_beat canonical plays read readings refusal refusal_words",
    "record": "Record Terms check_record read_records scan_records write_record write_records",
    "scoring": (
        "Counted Factor Line PlayedBomb Settlement Title TitlesError Unit contribution_line count_stars "
        "deal_escape deal_settlement duel_contributions parse_titles settle_duel settle_escape settle_points "
        "stake star_value title titles"
    ),
    "variant": (
        "Result Variant differences format_variant load_variant load_variant_file parse_variant variant_ids "
        "with_settings"
    ),
    "view": "Audience View",
    "words": "Language describe",
}
_MODULE_OF: Final = {name: module for module, names in _HOME.items() for name in names.split()}

__all__ = [  # noqa: RUF022 (in the order of sorted())
    "ACTIONS_VERSION",
    "Action",
    "Audience",
    "BOMBS",
    "BadCards",
    "Card",
    "Catalogue",
    "Combination",
    "Counted",
    "Counts",
    "Deal",
    "Factor",
    "IllegalPlay",
    "KINDS",
    "KernelError",
    "Language",
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
    "Result",
    "RulesError",
    "SUITS",
    "SeedSource",
    "Settlement",
    "SettlementError",
    "Source",
    "Terms",
    "Title",
    "TitlesError",
    "TurnedUp",
    "Unit",
    "UnknownVariant",
    "Variant",
    "VariantError",
    "View",
    "autoplay",
    "can_beat",
    "canonical",
    "check_record",
    "contribution_line",
    "count_stars",
    "counts_of",
    "deal_escape",
    "deal_settlement",
    "describe",
    "differences",
    "duel_contributions",
    "explain_variant",
    "format_cards",
    "format_ranks",
    "format_variant",
    "held",
    "load_variant",
    "load_variant_file",
    "parse_cards",
    "parse_ranks",
    "parse_titles",
    "parse_variant",
    "plays",
    "read",
    "read_records",
    "readings",
    "refusal",
    "refusal_words",
    "scan_records",
    "seat_change",
    "settle_duel",
    "settle_escape",
    "settle_points",
    "size",
    "stake",
    "star_value",
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
