"""A mode's context manager as a decorator of functions and of generators."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Generator
from contextlib import AbstractContextManager
from functools import wraps
from typing import Any

_GENERATOR = 0x20  # the flag of a generator function's code
_OF_CLASS = (
    "Decorating classes is deprecated and will be disabled in future versions. You should only "
    "decorate functions or methods. To preserve the current behavior of class decoration, you can "
    "directly decorate the `__init__` method and nothing else."
)


def decorated(mode: Callable[[], AbstractContextManager[None]], function: Any) -> Any:
    """The function run within `mode()`; a generator is so from one yield to the next."""
    if isinstance(function, type):
        warnings.warn(_OF_CLASS, FutureWarning, stacklevel=3)
    code = getattr(function, "__code__", None)
    if code is not None and code.co_flags & _GENERATOR:
        return _generator(mode, function)

    @wraps(function)
    def inner(*args: Any, **kwargs: Any) -> Any:
        with mode():
            return function(*args, **kwargs)

    return inner


def _generator(mode: Callable[[], AbstractContextManager[None]], function: Any) -> Any:
    @wraps(function)
    def inner(*args: Any, **kwargs: Any) -> Generator[Any, Any, Any]:
        running = function(*args, **kwargs)
        step, given = running.send, None
        while True:
            try:
                with mode():
                    made = step(given)
            except StopIteration as end:
                return end.value
            try:
                given, step = (yield made), running.send
            except GeneratorExit:
                with mode():
                    running.close()
                raise
            except BaseException as error:  # noqa: BLE001  thrown into the generator within
                given, step = error, running.throw

    return inner
