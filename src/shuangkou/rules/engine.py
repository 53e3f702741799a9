"""Which form of the kernel runs: compiled where the build made it, else the same file as plain Python.

The environment variable ``SHUANGKOU_KERNEL`` forces one: ``compiled``, ``plain``, or ``auto`` (the default).
"""

from __future__ import annotations

import os
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from shuangkou.rules import kernel as plain

if TYPE_CHECKING:
    from shuangkou.rules.kernel import Kernel

SWITCH: Final = "SHUANGKOU_KERNEL"
FORMS: Final = ("auto", "compiled", "plain")


def module(form: str) -> Any:
    """The module of a form of the kernel.

    Raises:
        ImportError: ``compiled`` where the build made no compiled form.
        ValueError: a form that does not exist.
    """
    if form not in FORMS:
        raise ValueError(f"{SWITCH} must be one of {', '.join(FORMS)}, not {form!r}")
    if form != "plain":
        try:
            return import_module("shuangkou.rules._kernel")
        except ImportError as e:
            if form == "compiled":
                raise ImportError(f"there is no compiled kernel ({e}); build it, or set {SWITCH}=auto") from e
    return plain


_chosen = module(os.environ.get(SWITCH, "auto"))

COMPILED: Final[bool] = _chosen.COMPILED
"""Whether the kernel in use is compiled."""

if not TYPE_CHECKING:
    Kernel = _chosen.Kernel

__all__ = ["COMPILED", "FORMS", "SWITCH", "Kernel", "module"]
