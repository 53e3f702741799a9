"""The public surface of the rules: what is named, where it comes from, and what importing it costs."""

from __future__ import annotations

import importlib
import inspect
import subprocess
import sys

import pytest

from shuangkou import rules


def test_all_is_sorted_and_whole() -> None:
    assert rules.__all__ == sorted(set(rules.__all__))
    assert set(rules.__all__) == set(rules._MODULE_OF)
    assert set(rules.__all__) <= set(dir(rules))


@pytest.mark.parametrize("name", rules.__all__)
def test_every_name_comes_from_its_module_and_is_documented(name: str) -> None:
    value = getattr(rules, name)
    assert value is getattr(importlib.import_module(f"shuangkou.rules.{rules._MODULE_OF[name]}"), name)
    if inspect.isclass(value) or inspect.isfunction(value):
        assert inspect.getdoc(value), f"{name} has no docstring"


def test_no_public_name_is_also_a_module() -> None:
    """Importing a module of the package would otherwise hide the name."""
    assert not set(rules.__all__) & set(rules._HOME)


def test_unknown_name() -> None:
    with pytest.raises(AttributeError, match="no attribute 'shuffle'"):
        rules.shuffle  # noqa: B018


def test_type_checkers_see_the_same_names() -> None:
    source = inspect.getsource(rules)
    block = source[source.index("if TYPE_CHECKING:") : source.index("_HOME")]
    for name in rules.__all__:
        assert name in block.replace("(", " ").replace(",", " ").split(), f"{name} is not imported for type checkers"


def test_importing_loads_nothing_heavy() -> None:
    code = "import sys, shuangkou.rules as r\nr.read\nprint(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not {"numpy", "rich", "cyclopts", "asyncio", "random"} & set(loaded)
