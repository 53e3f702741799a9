"""Which form of the kernel runs: compiled where the build made it, else the same file as plain Python.

The environment variable ``SHUANGKOU_KERNEL`` forces one: ``compiled``, ``plain``, or ``auto`` (the default).
"""

from __future__ import annotations

import os
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from shuangkou.rules.errors import KernelError

SWITCH: Final = "SHUANGKOU_KERNEL"
FORMS: Final = ("auto", "compiled", "plain")


def kernel(form: str) -> Any:
    """The module of a form of the kernel.

    Raises:
        KernelError: a form that does not exist, or ``compiled`` where the build made none.
    """
    if form not in FORMS:
        raise KernelError(f"{SWITCH} must be one of {', '.join(FORMS)}, not {form!r}")
    if form != "plain":
        try:
            return import_module("shuangkou.rules._kernel")
        except ImportError as e:
            if form == "compiled":
                raise KernelError(f"there is no compiled kernel ({e}); build it, or set {SWITCH}=auto") from e
    return import_module("shuangkou.rules.kernel")


if TYPE_CHECKING:
    from shuangkou.rules.kernel import COMPILED, FEATURES, STATE_WORDS, UNEQUAL, Kernel, Tables
else:
    _chosen = kernel(os.environ.get(SWITCH, "auto"))
    COMPILED = _chosen.COMPILED
    FEATURES = _chosen.FEATURES
    STATE_WORDS = _chosen.STATE_WORDS
    UNEQUAL = _chosen.UNEQUAL
    Kernel = _chosen.Kernel
    Tables = _chosen.Tables

__all__ = ["COMPILED", "FEATURES", "FORMS", "STATE_WORDS", "SWITCH", "UNEQUAL", "Kernel", "Tables", "kernel"]
