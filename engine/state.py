"""What a thread's engine is set to: whether history is kept, and the count of nodes made."""

from __future__ import annotations

import threading
from collections.abc import Callable
from itertools import count
from typing import TYPE_CHECKING, Any, Self, TypeVar

import numpy as np

from engine.decorating import decorated

if TYPE_CHECKING:
    from engine.record import Record

F = TypeVar("F", bound=Callable[..., Any])
_MODE_TYPE = "set_grad_enabled(): argument 'enabled' (position 1) must be bool, not {type}"


class Mode:
    """What a thread's engine is set to; read with every op, hence one object with slots.

    `in_rules` is whether NumPy's functions on tensors are a rule's, not a script's. `unusual` is
    whether results need more than their history and an entry in the `record`.
    """

    __slots__ = (
        "anomaly", "check_nan", "grad_enabled", "in_rules", "inference", "record", "unusual",
    )  # fmt: skip

    def __init__(self) -> None:
        self.grad_enabled = True
        self.in_rules = False
        self.inference = False
        self.anomaly = False
        self.check_nan = True  # in anomaly mode
        self.record: Record | None = None  # the log of a recording
        self.unusual = False

    def settle(self) -> None:
        """Call it after a change of one of the rarer modes."""
        self.unusual = self.inference or self.anomaly


class _State(threading.local):
    transforms = 0  # how many of torch.func's are running
    selective = False  # whether a reverse pass runs that delivers to some tensors only
    mapping: Any = None  # the marks of the maps that are running: engine.func.following

    def __init__(self) -> None:
        self.mode = Mode()
        # PyTorch says nothing of 1/0 or of inf - inf. Silencing NumPy once for each thread that
        # uses the engine costs nothing; silencing it around each op takes longer than the op.
        np.seterr(all="ignore")

    @property
    def grad_enabled(self) -> bool:
        return self.mode.grad_enabled

    @grad_enabled.setter
    def grad_enabled(self, wanted: bool) -> None:
        self.mode.grad_enabled = wanted

    @property
    def in_rules(self) -> bool:
        return self.mode.in_rules

    @in_rules.setter
    def in_rules(self, wanted: bool) -> None:
        self.mode.in_rules = wanted


STATE = _State()
# Sequence numbers order the reverse pass: of the nodes that are ready, the latest goes first.
next_sequence = count().__next__


def is_grad_enabled() -> bool:
    """Whether ops on tensors that require grad keep their history."""
    return STATE.grad_enabled


class set_grad_enabled:  # noqa: N801  torch's name
    """Turn history on or off: at once, and until the `with` block ends where it is used as one."""

    def __init__(self, mode: bool) -> None:
        if not isinstance(mode, bool):
            raise TypeError(_MODE_TYPE.format(type=type(mode).__name__))
        self.mode = mode
        self._outer = STATE.grad_enabled
        _keep_history(mode)

    def __enter__(self) -> None:
        _keep_history(self.mode)

    def __exit__(self, *_: object) -> None:
        STATE.grad_enabled = self._outer

    def __call__(self, function: F) -> F:
        STATE.grad_enabled = self._outer
        made: F = decorated(self.clone, function)
        return made

    def clone(self) -> set_grad_enabled:
        """Another one of the same mode."""
        return type(self)(self.mode)

    def __repr__(self) -> str:
        return f"torch.autograd.grad_mode.set_grad_enabled(mode={self.mode})"


def _keep_history(wanted: bool) -> None:
    """Turn history on or off; in inference mode there never is any."""
    STATE.grad_enabled = wanted and not STATE.mode.inference


class _GradMode:
    """A context manager and decorator that sets whether history is kept."""

    mode = False

    def __init__(self) -> None:
        self._outer: list[bool] = []

    def __enter__(self) -> None:
        self._outer.append(STATE.grad_enabled)
        _keep_history(self.mode)

    def __exit__(self, *_: object) -> None:
        STATE.grad_enabled = self._outer.pop()

    def __call__(self, function: F) -> F:
        made: F = decorated(type(self), function)
        return made

    def clone(self) -> Self:
        """Another one of the same mode."""
        return type(self)()


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
