"""What ``import cython`` gives the kernel where Cython is not installed: names that do nothing.

The compiler knows these names and gives them their meaning; run as plain Python they are only types and
decorators. Type checkers see this module in either case.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from types import TracebackType
from typing import Any, TypeAlias, TypeVar

compiled: bool = False

bint: TypeAlias = bool
int = int  # noqa: A001, PLW0127
longlong: TypeAlias = int
ulonglong: TypeAlias = int
double: TypeAlias = float
void: TypeAlias = None

_T = TypeVar("_T")
_F = TypeVar("_F", bound=Callable[..., Any])


def declare(_kind: Any, value: _T) -> _T:
    """A variable of a C type."""
    return value


def cast(_kind: Callable[..., _T], value: Any) -> _T:
    """A value as another C type; numbers only."""
    return _kind(value)


def cclass(kind: type[_T]) -> type[_T]:
    """A class of the compiled form."""
    return kind


final = cclass


def cfunc(function: _F) -> _F:
    """A function that only compiled code calls directly."""
    return function


inline = cfunc


def exceptval(*, check: bool) -> Callable[[_F], _F]:
    """Whether callers look for an exception."""
    del check
    return cfunc


class _NoGil(AbstractContextManager[None]):
    """Both a decorator and a context: other threads may run."""

    def __call__(self, function: _F) -> _F:
        return function

    def __enter__(self) -> None:
        return None

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        return None


nogil = _NoGil()
