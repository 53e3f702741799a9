"""The kernel against the plain catalogue and the brute-force reader (see :mod:`tests.long_compare`)."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from shuangkou.rules import engine
from shuangkou.rules.cards import format_ranks, parse_ranks, size
from shuangkou.rules.engine import Kernel
from shuangkou.rules.errors import KernelError
from shuangkou.rules.variant import variant_ids
from tests import long_compare
from tests.brute import SHIPPED
from tests.long_compare import Question, Subject, Work, blocks, compare, subject


def forms() -> tuple[str, ...]:
    try:
        engine.kernel("compiled")
    except KernelError:
        return ("plain",)
    return ("plain", "compiled")


def compared(name: str, block: int, pairs: int) -> None:
    done = compare(Work(name, "quick", block, pairs, forms(), 60))
    assert done.pairs == pairs
    assert done.mismatches == 0, "\n".join(map(str, done.examples))


@pytest.mark.parametrize("name", variant_ids())
def test_shipped_variant(name: str) -> None:
    for block in range(2):
        compared(name, block, 500)


@pytest.mark.parametrize("number", range(8))
def test_made_up_variant(number: int) -> None:
    compared(f"made-up-{number}", 0, 200)


@pytest.mark.slow
@pytest.mark.parametrize("name", variant_ids())
def test_more_of_a_shipped_variant(name: str) -> None:
    for block in range(2, 12):
        compared(name, block, 1000)


@pytest.mark.slow
@pytest.mark.parametrize("number", range(8, 40))
def test_another_made_up_variant(number: int) -> None:
    compared(f"made-up-{number}", 0, 1000)


# The comparison itself


class Wrong:
    """A kernel that says something else to one question."""

    def __init__(self, kernel: Any, name: str, answer: Any) -> None:
        self.kernel = kernel
        self.name = name
        self.answer = answer

    def __getattr__(self, name: str) -> Any:
        right = getattr(self.kernel, name)
        if name != self.name:
            return right
        return lambda *args: self.answer(right(*args), *args)


class WrongSubject(Subject):
    """A variant with a kernel that errs."""

    def __init__(self, name: str, wrong: str, answer: Any) -> None:
        super().__init__(name)
        self.wrong: Any = Wrong(subject(name).kernel("plain"), wrong, answer)

    def kernel(self, form: str) -> Kernel:
        del form
        found: Kernel = self.wrong
        return found


@pytest.mark.parametrize(
    ("wrong", "answer"),
    [
        ("plays", lambda right, *_: right[1:]),
        ("plays", lambda right, *_: [*right, right[0]] if right else []),
        ("cards", lambda right, *_: right ^ 1),
        ("code", lambda right, *_: right ^ 1024),
        ("read", lambda right, *_: 0 if right & 1023 == 1 else right),
        ("autoplay", lambda right, *_: right - 1 if right else 1),
        ("beats", lambda right, *_: not right),
    ],
)
def test_a_wrong_answer_is_found(wrong: str, answer: Any) -> None:
    one = WrongSubject("huopin", wrong, answer)
    question = Question(parse_ranks("3345566778999XX"), None, parse_ranks("3"))
    found = one.differing("plain", question)
    assert found is not None
    least = one.smallest("plain", found, by_brute=False)
    assert "hand" in str(least)
    assert "kernel:" in str(least)
    if wrong not in ("beats", "autoplay"):  # it is not asked about these, of a hand of this size
        assert one.differing_from_brute("plain", question) is not None


def test_the_example_is_the_smallest() -> None:
    """A kernel that knows no chains of four groups: what is shown is such a chain and nothing else."""
    known = subject("huopin").catalogue.combinations

    def without(right: list[int], *_: object) -> list[int]:
        return [i for i in right if (c := known[i]) is None or (c.kind, c.groups) != ("chain", 4)]

    one = WrongSubject("huopin", "plays", without)
    question = Question(parse_ranks("33445555666677778888QX"), None, parse_ranks("34"))
    found = one.differing("plain", question)
    assert found is not None
    least = one.smallest("plain", found, by_brute=False).question
    assert format_ranks(least.hand) == "555666677778888X"
    assert (least.table, size(least.cards)) == (None, 1)


def test_the_same_seed_gives_the_same_pairs() -> None:
    def asked(block: int) -> list[Question]:
        rng = Random(f"1/classic/{block}")
        return [q for questions, _ in subject("classic").questions(rng, 5) for q in questions]

    assert asked(0) == asked(0)
    assert asked(0) != asked(1)


def test_made_up_variants_get_a_tenth() -> None:
    plan = blocks(["huopin", "made-up-3"], 12_500, "1", ("plain",), 0)
    assert [work.pairs for work in plan["huopin"]] == [1000] * 12 + [500]
    assert [work.pairs for work in plan["made-up-3"]] == [1000, 250]


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert long_compare.main(["--pairs", "60", "--variant", "classic", "--form", "plain", "--seed", "x"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("seed x, 60 pairs, kernel plain, commit ")
    assert lines[2].startswith("classic: 60 pairs, ")
    assert lines[-1].endswith(" 0 mismatches")


def test_an_unknown_variant_is_said_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    assert long_compare.main(["--variant", "nonsense"]) == 2
    assert "nonsense" in capsys.readouterr().err


def test_every_shipped_variant_has_a_brute_force_twin() -> None:
    assert set(SHIPPED) == set(variant_ids())
