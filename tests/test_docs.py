"""The documentation is true: its examples run, its links lead somewhere, its words are the project's.

A line of a ``shuangkou`` block in the rules is a question to the engine and the answer, with a note behind ``#``:

    read huopin 45678X = straight 9 6x1 wild 1     # what cards count as; "on" a table, "as" a kind
    order huopin 2222 < 33333 < xxX                # each beats the one before it, and is not beaten by it
    neither huopin 33 ~ 33                         # neither beats the other

Every verb is a function of :data:`ANSWERS`.
"""

from __future__ import annotations

import importlib
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import pytest

from shuangkou import cli, rules
from shuangkou.judge import OPS, answer_line
from shuangkou.rules.cards import RANKS, format_ranks, parse_ranks
from shuangkou.rules.catalogue import Catalogue
from shuangkou.rules.combination import KINDS, Reading
from shuangkou.rules.deal import Action, Deal, SeedSource, seat_change
from shuangkou.rules.errors import Reason, RulesError
from shuangkou.rules.reading import autoplay, plays, read, readings, refusal
from shuangkou.rules.scoring import (
    PlayedBomb,
    Unit,
    counted_stars,
    settle_duel,
    settle_escape,
    settle_points,
    stake,
    title,
    titles,
)
from shuangkou.rules.variant import leaves, load_variant, parse_variant, variant_ids

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
RULES = {"en": DOCS / "rules.md", "zh": DOCS / "rules.zh.md"}
READMES = {"en": ROOT / "README.md", "zh": ROOT / "README.zh.md"}
CLAUSES = [
    f"R{part}.{clause}"
    for part, first, last in [
        (1, 1, 7), (2, 1, 4), (3, 1, 7), (4, 1, 5), (5, 1, 7), (6, 1, 7), (7, 1, 10), (8, 0, 8),
    ]
    for clause in range(first, last + 1)
]  # fmt: skip


# Blocks and examples


class Block(NamedTuple):
    """A fenced block: its language, its text, and the line of the file on which the text starts."""

    language: str
    text: str
    line: int


def blocks(path: Path) -> Iterator[Block]:
    fence = re.compile(r"^(`{3,})([^\n`]*)\n(.*?)^\1`*[ \t]*$", re.MULTILINE | re.DOTALL)
    text = path.read_text("utf-8")
    for found in fence.finditer(text):
        yield Block(found[2].strip(), found[3], text.count("\n", 0, found.start(3)) + 1)


def examples(path: Path) -> list[tuple[str, int]]:
    """Every example of a file and its line, without notes and with single spaces."""
    found = []
    for block in blocks(path):
        if block.language == "shuangkou":
            for number, line in enumerate(block.text.splitlines(), block.line):
                example = " ".join(line.partition("#")[0].split())
                if example:
                    found.append((example, number))
    return found


# What the engine answers


def cat_of(id: str) -> Catalogue:
    return Catalogue.of(load_variant(id))


def show(reading: Reading | None) -> str:
    if reading is None:
        return "nothing"
    words = [reading.kind, RANKS[reading.top], f"{reading.groups}x{reading.width}"]
    if reading.unequal:
        words.append(f"of {reading.size} cards")
    if reading.stars:
        words.append(f"stars {reading.stars}")
    if reading.wild:
        words.append(f"wild {reading.wild}")
    return " ".join(words)


def lead(cat: Catalogue, text: str) -> Reading:
    """Cards as a lead, with or without a kind behind a colon."""
    cards, _, kind = text.partition(":")
    reading = read(cat, parse_ranks(cards), None, kind or None)
    assert reading is not None, f"{text} is no combination"
    return reading


def asked(words: list[str]) -> tuple[Catalogue, list[str], Reading | None, str | None]:
    """The catalogue, the cards, the table behind "on" and the kind behind "as"."""
    cat = cat_of(words.pop(0))
    table = kind = None
    if "as" in words:
        at = words.index("as")
        kind = words[at + 1]
        del words[at : at + 2]
    if "on" in words:
        at = words.index("on")
        table = lead(cat, words[at + 1])
        del words[at : at + 2]
    return cat, words, table, kind


def answer_read(words: list[str]) -> str:
    cat, (cards,), table, kind = asked(words)
    return show(read(cat, parse_ranks(cards), table, kind))


def answer_kinds(words: list[str]) -> str:
    cat, (cards,), table, _ = asked(words)
    return " ".join(reading.kind for reading in readings(cat, parse_ranks(cards), table)) or "none"


def answer_plays(words: list[str]) -> str:
    cat, (hand,), table, _ = asked(words)
    return " ".join(sorted(format_ranks(counts) for counts in plays(cat, parse_ranks(hand), table))) or "none"


def answer_autoplay(words: list[str]) -> str:
    cat, (hand,), table, _ = asked(words)
    play = autoplay(cat, parse_ranks(hand), table)
    return "pass" if play is None else format_ranks(play.counts)


def answer_why(words: list[str]) -> str:
    cat, (cards,), table, kind = asked(words)
    found = refusal(cat, parse_ranks(cards), parse_ranks(cards), table, kind)
    return "legal" if found is None else found.code


def answer_count(words: list[str]) -> str:
    cat = cat_of(words[0])
    return str(sum(c is not None and (len(words) == 1 or c.kind == words[1]) for c in cat.combinations))


def answer_seats(words: list[str]) -> str:
    _, leader, _, twin = words
    return " ".join(map(str, seat_change(int(leader), int(twin))))


def answer_shuffle(words: list[str]) -> str:
    name, seed = words
    deal = Deal.shuffle(load_variant(name), SeedSource(seed))
    up = f" turned up {deal.turned_up.card}" if deal.turned_up else ""
    return f"seats {' '.join(map(str, deal.seats))} leader {deal.leader}{up}"


def answer_next(words: list[str]) -> str:
    name, _, result = words
    variant = load_variant(name)
    if variant.turned_up_card:
        return "turned-up card"
    return {"random": "drawn", "first_out": "first out"}[getattr(variant.next_lead, result)]


def answer_deal(words: list[str]) -> str:
    variant = load_variant(words[0])
    n = variant.players
    hands = [parse_ranks(word) for word in words[1 : 1 + n]]
    deal = Deal.start(variant, hands, int(words[2 + n].rstrip(":")))
    for move in words[3 + n :]:
        seat, text, kind, *_ = (*move.split(":"), None)
        assert seat is not None
        assert text is not None
        deal = deal.apply(Action.parse(text, kind), int(seat))
    if deal.order is not None:
        return f"{deal.result} {' '.join(map(str, deal.order))}"
    return f"{deal.to_move} {'follows' if deal.table else 'inherits' if deal.inherited else 'leads'}"


def bombs_of(cat: Catalogue, words: list[str]) -> list[tuple[int, PlayedBomb]]:
    """``bombs 0:77777 1:444455556666``, to the end of the words."""
    if "bombs" not in words:
        return []
    at = words.index("bombs")
    named = [word.split(":") for word in words[at + 1 :]]
    del words[at:]
    return [(int(seat), PlayedBomb.of(lead(cat, cards))) for seat, cards in named]


def by_player(bombs: list[tuple[int, PlayedBomb]]) -> list[list[PlayedBomb]]:
    return [[bomb for seat, bomb in bombs if seat == player] for player in (0, 1)]


def answer_room(unit: Unit) -> Callable[[list[str]], str]:
    def answer(words: list[str]) -> str:
        cat = cat_of(words[0])
        bombs = bombs_of(cat, words)
        settlement = settle_points(cat.variant, [int(seat) for seat in words[2:]], bombs, unit)
        return " ".join(map(str, settlement.amounts))

    return answer


def answer_stake(words: list[str]) -> str:
    duel = load_variant(words[0]).duel
    assert duel is not None
    edition = next(edition for edition in duel.editions if edition.id == words[1])
    return str(stake(edition, [int(balance) for balance in words[2:]]).stake)


def answer_stars(words: list[str]) -> str:
    cat = cat_of(words[0])
    duel = cat.variant.duel
    assert duel is not None
    bombs = [PlayedBomb.of(lead(cat, word)) for word in words[1:]]
    return str(counted_stars(duel, bombs, cat.variant.chain.circle))


def answer_settle(words: list[str]) -> str:
    cat = cat_of(words[0])
    bombs = by_player(bombs_of(cat, words))
    edition, _, first, second, _, winner, _, left = words[1:]
    done = settle_duel(cat.variant, edition, [int(first), int(second)], int(winner), int(left), bombs)
    return f"{done.result} {' '.join(map(str, done.amounts))}"


def answer_escape(words: list[str]) -> str:
    cat = cat_of(words[0])
    bombs = by_player(bombs_of(cat, words))
    edition, _, first, second, _, fugitive, played = words[1:]
    balances = [int(first), int(second)]
    done = settle_escape(cat.variant, edition, balances, int(fugitive), played == "played", bombs)
    return f"{' '.join(map(str, done.amounts))} house {done.house}"


def answer_title(words: list[str]) -> str:
    return title(int(words[0])).name.zh


ANSWERS: dict[str, Callable[[list[str]], str]] = {
    "read": answer_read,
    "kinds": answer_kinds,
    "plays": answer_plays,
    "autoplay": answer_autoplay,
    "why": answer_why,
    "count": answer_count,
    "seats": answer_seats,
    "shuffle": answer_shuffle,
    "next": answer_next,
    "deal": answer_deal,
    "points": answer_room("points"),
    "coins": answer_room("coins"),
    "silver": answer_room("silver"),
    "stake": answer_stake,
    "stars": answer_stars,
    "settle": answer_settle,
    "escape": answer_escape,
    "title": answer_title,
}


def check(example: str) -> None:
    verb, _, rest = example.partition(" ")
    if verb == "order":
        name, _, row = rest.partition(" ")
        cat = cat_of(name)
        for low, high in pairwise(lead(cat, cards) for cards in row.split(" < ")):
            assert cat.beats(high, low), f"{show(high)} does not beat {show(low)}"
            assert not cat.beats(low, high), f"{show(low)} beats {show(high)}"
    elif verb == "neither":
        name, _, pair = rest.partition(" ")
        cat = cat_of(name)
        one, other = (lead(cat, cards) for cards in pair.split(" ~ "))
        assert not cat.beats(one, other)
        assert not cat.beats(other, one)
    else:
        question, _, expected = rest.partition(" = ")
        try:
            answer = ANSWERS[verb](question.split())
        except RulesError as error:
            answer = f"refused {error.code}"
        assert answer == expected


# The tests


@pytest.mark.parametrize("language", RULES)
def test_examples_of_the_rules(language: str) -> None:
    wrong = []
    for example, line in examples(RULES[language]):
        try:
            check(example)
        except (AssertionError, KeyError, ValueError) as error:
            wrong.append(f"{RULES[language].name}:{line}: {example}\n    {type(error).__name__}: {error}")
    assert not wrong, "\n".join(wrong)


def test_both_languages_have_the_same_examples() -> None:
    english, chinese = ([example for example, _ in examples(path)] for path in RULES.values())
    assert english == chinese
    assert len(english) == len(set(english))
    assert len(english) >= 80


def test_every_verb_and_kind_is_shown() -> None:
    shown = [example for example, _ in examples(RULES["en"])]
    assert {example.partition(" ")[0] for example in shown} == {*ANSWERS, "order", "neither"}
    assert set(KINDS) <= set(" ".join(shown).split())


@pytest.mark.parametrize("language", RULES)
def test_every_clause_has_a_heading_in_order(language: str) -> None:
    text = RULES[language].read_text("utf-8")
    assert re.findall(r"^### (R\d\.\d+) ", text, re.MULTILINE) == CLAUSES


def test_decided_clauses_are_marked_in_both_languages() -> None:
    """What was decided where the sources contradict each other or are silent is marked where it stands."""
    marks = {"en": re.compile(r"\*\(?decided\b"), "zh": re.compile(r"\*（?本书裁定")}
    found = {}
    for language, path in RULES.items():
        parts = re.split(r"^### (R\d\.\d+) .*$", path.read_text("utf-8"), flags=re.MULTILINE)[1:]
        found[language] = {
            clause: len(marks[language].findall(text)) for clause, text in zip(parts[::2], parts[1::2], strict=True)
        }
    assert found["en"] == found["zh"]
    assert sum(found["en"].values()) >= 10


# READMEs: a program, a session, a variant


def fenced(path: Path, language: str) -> list[str]:
    return [block.text for block in blocks(path) if block.language == language]


def run(*arguments: str, given: str = "") -> str:
    """What a command prints; UTF-8 whatever the locale."""
    environment = {**os.environ, "PYTHONIOENCODING": "utf-8", "COLUMNS": "80", "LINES": "24"}
    done = subprocess.run(
        [sys.executable, *arguments], input=given, capture_output=True, encoding="utf-8", env=environment, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("language", READMES)
def test_program_of_the_readme(language: str, tmp_path: Path) -> None:
    (program,) = fenced(READMES[language], "python")
    (output,) = fenced(READMES[language], "text")
    script = tmp_path / "example.py"
    script.write_text(program, "utf-8")
    assert run(str(script)) == output
    assert 20 <= len(program.splitlines()) <= 40
    for names in re.findall(r"from shuangkou\.(\S+) import", program):
        assert names == "rules", "an example uses the public surface"


@pytest.mark.parametrize("language", READMES)
def test_session_of_the_readme(language: str) -> None:
    """The session is what a terminal shows: its commands, given again, bring the same lines."""
    (session,) = fenced(READMES[language], "console")
    command, _, shown = session.partition("\n")
    assert command.startswith("$ shuangkou play ")
    typed = re.findall(r"^(?:play|出牌)> (.+)$", shown, re.MULTILINE)
    assert len(typed) >= 3
    arguments = command.removeprefix("$ shuangkou ").split()
    played = run("-m", "shuangkou", *arguments, given="".join(f"{line}\n" for line in typed))
    assert played.startswith(shown.rstrip("\n")), played


def settings_files() -> list[tuple[str, str]]:
    paths = [*READMES.values(), *sorted(DOCS.glob("*.md"))]
    return [(path.name, text) for path in paths for text in fenced(path, "toml")]


def test_variants_in_the_documentation_are_right() -> None:
    found = settings_files()
    assert {name for name, _ in found} >= {"README.md", "README.zh.md", "architecture.md"}
    for name, text in found:
        variant = parse_variant(text, name)
        assert variant.id not in variant_ids()
        assert Catalogue.of(variant).combinations


def command_names() -> set[str]:
    """Every ``shuangkou COMMAND`` that the documentation speaks of."""
    found: set[str] = set()
    for path in pages():
        found.update(re.findall(r"(?:`|\$ |ARGS=\"|^)shuangkou ([a-z]+)", path.read_text("utf-8"), re.MULTILINE))
    return found


def test_every_command_named_exists_and_every_command_is_named() -> None:
    readme = READMES["en"].read_text("utf-8"), READMES["zh"].read_text("utf-8")
    assert command_names() <= set(cli.COMMANDS)
    for name in cli.COMMANDS:
        assert all(f"`shuangkou {name}" in text for text in readme), f"the READMEs do not name {name}"


@pytest.mark.parametrize("path", [RULES["en"], RULES["zh"], *READMES.values()], ids=lambda path: path.name)
def test_tables_of_variants_are_whole(path: Path) -> None:
    text = path.read_text("utf-8")
    for name in variant_ids():
        variant = load_variant(name)
        row = re.search(rf"^\| `{name}` \| ([^|]*) \| (\d) \|", text, re.MULTILINE)
        assert row is not None, f"{path.name} has no row for {name}"
        assert row[1].startswith(variant.name.zh)
        assert int(row[2]) == variant.players


def test_what_was_decided_is_a_setting() -> None:
    fields = [name for name, _ in leaves()]
    tables = [
        re.findall(r"^\| (R\d\.\d+) \| (`.*`) \|$", path.read_text("utf-8"), re.MULTILINE) for path in RULES.values()
    ]
    assert tables[0] == tables[1]
    assert len(tables[0]) >= 9
    for clause, names in tables[0]:
        for name in re.findall(r"`([^`]*)`", names):
            assert any(f == name or f.startswith(f"{name}.") for f in fields), f"{clause}: no field {name}"


def test_titles_are_whole() -> None:
    for path in RULES.values():
        text = path.read_text("utf-8")
        for entry in titles():
            needs = r"(?:under 60|不到 60)" if entry.needs == 0 else entry.needs
            assert re.search(rf"\| {entry.number} \| {entry.name.zh} \| {needs} \|", text), entry.name.zh


def test_stakes_are_whole() -> None:
    duel = load_variant("huopin-duel").duel
    assert duel is not None
    for path in RULES.values():
        text = path.read_text("utf-8")
        for edition in duel.editions:
            for level in edition.levels:
                assert f"| {level.level} | {level.needs} | {level.stake} |" in text


# The judge


def test_talks_with_the_judge() -> None:
    asked_ops = set()
    talks = fenced(DOCS / "judge.md", "judge")
    lines = [line for talk in talks for line in talk.splitlines()]
    assert len(lines) >= 30
    for question, expected in zip(lines[::2], lines[1::2], strict=True):
        assert question[:2] == "> "
        assert expected[:2] == "< "
        assert answer_line(question[2:].encode()) == expected[2:]
        if question.startswith("> {"):
            asked_ops.add(json.loads(question[2:])["op"])
    assert asked_ops >= set(OPS)


def test_codes_of_the_judge() -> None:
    text = (DOCS / "judge.md").read_text("utf-8")
    for code in ("bad_json", "unknown_op", "unknown_variant", "bad_cards", "bad_request", *(r.value for r in Reason)):
        assert f"`{code}`" in text


# The library


def test_every_public_name_is_in_the_reference() -> None:
    listed = set(re.findall(r"\w+", " ".join(re.findall(r":members: (.*)", (DOCS / "api.md").read_text("utf-8")))))
    assert listed == set(rules.__all__)


GLOSSARY_MODULES = [
    *(
        f"shuangkou.rules.{source.stem}"
        for source in (ROOT / "src/shuangkou/rules").glob("*.py")
        if source.stem[0] != "_"
    ),
    "shuangkou.table.bot",
    "shuangkou.bots",
    "shuangkou.bots.simulate",
    "shuangkou.research.batch",
]
WORDS_OF_THE_CODE = {"plays_for", "balances", "shuangkou judge", "table", "None"}


def test_terms_of_the_code_exist() -> None:
    """What the glossary says stands in the code stands there."""
    modules = [importlib.import_module(name) for name in GLOSSARY_MODULES]
    known: dict[str, object] = {name: value for module in modules for name, value in vars(module).items()}
    rows = re.findall(r"^\|(.*)\|$", (DOCS / "glossary.md").read_text("utf-8"), re.MULTILINE)
    entries = [cells for row in rows if len(cells := row.split("|")) == 4]
    assert len(entries) > 80
    for cells in entries:
        for name in re.findall(r"`([^`]*)`", cells[3]):
            owner, _, attribute = name.partition(".")
            if owner not in known:
                assert name in WORDS_OF_THE_CODE or name[0] == '"', f"the glossary says {name}"
            elif attribute:
                value = known[owner]
                fields = getattr(value, "__dataclass_fields__", {})
                assert attribute in fields or hasattr(value, attribute), f"the glossary says {name}"


def test_glossary_has_each_term_once() -> None:
    text = (DOCS / "glossary.md").read_text("utf-8")
    terms = [term for term in re.findall(r"^\| ([^|]+?) \|", text, re.MULTILINE) if term not in ("term", "---")]
    assert len(terms) == len(set(terms))


# All pages


def pages() -> list[Path]:
    return [*sorted(ROOT.glob("*.md")), *sorted(DOCS.glob("*.md"))]


def prose(path: Path) -> str:
    """The text of a page without code."""
    text = re.sub(r"^(`{3,}).*?^\1`*[ \t]*$", "", path.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    return re.sub(r"`[^`\n]*`", "", text)


def anchors(path: Path) -> set[str]:
    """The anchors of a page's headings: small letters, digits, hyphens for spaces."""
    text = re.sub(r"^(`{3,}).*?^\1`*[ \t]*$", "", path.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    found: set[str] = set()
    for heading in re.findall(r"^#+ (.*)$", text, re.MULTILINE):
        plain = re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")
        anchor, number = plain, 0
        while anchor in found:
            number += 1
            anchor = f"{plain}-{number}"
        found.add(anchor)
    return found


@pytest.mark.parametrize("path", pages(), ids=lambda path: str(path.relative_to(ROOT)))
def test_links_lead_somewhere(path: Path) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", prose(path)):
        if re.match(r"[a-z]+:", target):
            continue
        name, _, anchor = target.partition("#")
        page = (path.parent / name).resolve() if name else path
        assert page.exists(), f"{path.name} links to {target}"
        if anchor:
            assert anchor in anchors(page), f"{path.name} links to {target}"


def test_index_lists_every_page() -> None:
    listed = set(re.findall(r"^(?:.* <)?([a-z.]+)>?$", "".join(fenced(DOCS / "index.md", "{toctree}")), re.MULTILINE))
    assert listed == {path.name.removesuffix(".md") for path in DOCS.glob("*.md")} - {"index"}


FORBIDDEN = re.compile(
    r"\brobots?\b|\bAIs?\b|\bcomputer players?\b|\bslam\b|\bmeld\b|\bwildcards?\b|人工智能|电脑", re.IGNORECASE
)
"""Other names for things that have one (see the glossary)."""


@pytest.mark.parametrize("path", pages(), ids=lambda path: str(path.relative_to(ROOT)))
def test_pages_use_the_terms(path: Path) -> None:
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        found = FORBIDDEN.search(line)
        assert found is None, f"{path.name}:{number} says {found[0]!r}"


def test_pages_load_nothing_from_elsewhere() -> None:
    for path in [*pages(), DOCS / "conf.py"]:
        text = path.read_text("utf-8")
        assert not re.search(r"!\[[^\]]*\]\(https?:|<(?:script|img|link|iframe)\b", text), path.name
