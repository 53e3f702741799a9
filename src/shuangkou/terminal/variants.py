"""`shuangkou variants`: the variants there are, in words or as text, and whether one's own is right."""

from __future__ import annotations

import sys
from collections.abc import Callable
from io import TextIOWrapper
from pathlib import Path
from typing import Annotated, Final

from cyclopts import App, Parameter

from shuangkou.rules.errors import RulesError, UnknownVariant, VariantError
from shuangkou.rules.explain import columns, explain_variant
from shuangkou.rules.variant import Variant, format_variant, load_variant, load_variant_file, variant_ids
from shuangkou.rules.words import Language
from shuangkou.terminal.words import default_language

app = App(name="variants", help="List, explain and check variants.")

_WILD: Final[dict[str, dict[Language, str]]] = {
    "none": {"zh": "无", "en": "none"},
    "big": {"zh": "大王", "en": "big jokers"},
    "all": {"zh": "四张王", "en": "all jokers"},
}
_HEAD: Final[dict[Language, tuple[str, ...]]] = {
    "zh": ("代号", "名称", "人数", "财神"),
    "en": ("id", "name", "players", "wild cards"),
}


_UNKNOWN: Final[dict[Language, str]] = {
    "zh": "没有命令 variants {word}；有：show（讲解）、check（检查）、toml（打印），不带命令就列出全部。",
    "en": "there is no command variants {word}; there are: show, check and toml, and without one the list.",
}
_MEANT: Final[dict[Language, str]] = {
    "zh": "要看这个玩法：variants show {word}",
    "en": " To read about the variant: variants show {word}",
}


@app.default
def list_variants(*unknown: Annotated[str, Parameter(show=False)], lang: Language | None = None) -> int:
    """List the shipped variants.

    Args:
        unknown: What stands where a command should: there is none of this name.
        lang: zh or en; by default as the locale says.
    """
    lang = lang or default_language()
    if unknown:
        text = _UNKNOWN[lang].format(word=unknown[0])
        if unknown[0] in variant_ids():
            text += _MEANT[lang].format(word=unknown[0])
        print(text, file=sys.stderr)
        return 2
    rows = [_HEAD[lang]]
    for variant in map(load_variant, variant_ids()):
        name = variant.name.zh if lang == "zh" else variant.name.en
        rows.append((variant.id, name, str(variant.players), _WILD[variant.wild.jokers][lang]))
    widths = [max(columns(row[i]) for row in rows) for i in range(len(rows[0]))]
    for row in rows:
        print("  ".join(cell + " " * (width - columns(cell)) for cell, width in zip(row, widths, strict=True)).rstrip())
    return 0


@app.command
def show(variant: str, *, lang: Language | None = None) -> int:
    """Explain a variant to players.

    Args:
        variant: The id of a shipped variant, or a file.
        lang: zh or en; by default as the locale says.
    """
    return _tell(variant, lambda found: explain_variant(found, lang or default_language()))


@app.command
def check(*files: str) -> int:
    """Check variant files: each is right, or all its mistakes are listed.

    Args:
        files: One's own variants as TOML.
    """
    if not files:
        print("no file given", file=sys.stderr)
        return 2
    _any_text()
    wrong = 0
    for file in files:
        try:
            load_variant_file(file)
        except VariantError as error:
            print(error)
            wrong += 1
        else:
            print(f"{file}: right")
    return 1 if wrong else 0


@app.command
def toml(variant: str, *, lang: Language | None = None) -> int:
    """Print a variant as TOML: a start for one's own.

    Args:
        variant: The id of a shipped variant, or a file.
        lang: Of the comments: zh or en; by default as the locale says.
    """
    return _tell(variant, lambda found: format_variant(found, lang or default_language()))


def _tell(variant: str, what: Callable[[Variant], str]) -> int:
    _any_text()
    try:
        print(what(find_variant(variant)), end="")
    except RulesError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


def find_variant(name: str) -> Variant:
    """What a command is told to play: a shipped variant by its id, else one from a file by its path.

    Raises:
        UnknownVariant: neither an id nor what looks like a path or is a file.
        VariantError: a file that cannot be read, or is no variant.
    """
    try:
        return load_variant(name)
    except UnknownVariant:
        if _is_path(name):
            return load_variant_file(name)
        raise


def _is_path(name: str) -> bool:
    if name.endswith(".toml") or "/" in name or "\\" in name:
        return True
    try:
        return Path(name).is_file()
    except OSError:  # a name that no file can have
        return False


def _any_text() -> None:
    """A terminal that lacks a character shows its code instead."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
