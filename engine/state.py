"""What a thread's engine is set to: whether history is kept, and the count of nodes made."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import wraps
from itertools import count
from typing import Any, TypeVar

import numpy as np

F = TypeVar("F", bound=Callable[..., Any])


class _State(threading.local):
    grad_enabled = True
    in_rules = False  # whether NumPy's functions on tensors are a rule's, not a script's

    def __init__(self) -> None:
        # PyTorch says nothing of 1/0 or of inf - inf. Silencing NumPy once for each thread that
        # uses the engine costs nothing; silencing it around each op takes longer than the op.
        np.seterr(all="ignore")


STATE = _State()
# Sequence numbers order the reverse pass: of the nodes that are ready, the latest goes first.
next_sequence = count().__next__


def is_grad_enabled() -> bool:
    """Whether ops on tensors that require grad keep their history."""
    return STATE.grad_enabled


class set_grad_enabled:  # noqa: N801  torch's name
    """Turn history on or off: at once, and until the `with` block ends where it is used as one."""

    def __init__(self, mode: bool) -> None:
        self._mode = bool(mode)
        self._outer = STATE.grad_enabled
        STATE.grad_enabled = self._mode

    def __enter__(self) -> None:
        STATE.grad_enabled = self._mode

    def __exit__(self, *_: object) -> None:
        STATE.grad_enabled = self._outer


class _GradMode:
    """A context manager and decorator that sets whether history is kept."""

    mode = False

    def __init__(self) -> None:
        self._outer: list[bool] = []

    def __enter__(self) -> None:
        self._outer.append(STATE.grad_enabled)
        STATE.grad_enabled = self.mode

    def __exit__(self, *_: object) -> None:
        STATE.grad_enabled = self._outer.pop()

    def __call__(self, function: F) -> F:
        @wraps(function)
        def inner(*args: Any, **kwargs: Any) -> Any:
            with type(self)():
                return function(*args, **kwargs)

        return inner  # type: ignore[return-value]


class no_grad(_GradMode):  # noqa: N801  torch's name
    """Ops inside keep no history."""

    mode = False

    def __new__(cls, function: F | None = None) -> Any:
        made = super().__new__(cls)
        if function is None:
            return made
        made.__init__()  # type: ignore[misc]
        return made(function)


class enable_grad(_GradMode):  # noqa: N801  torch's name
    """Ops inside keep history even within `no_grad`."""

    mode = True
