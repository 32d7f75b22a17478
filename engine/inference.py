"""`inference_mode`: no history, and tensors that never take part in any."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from engine.decorating import decorated
from engine.state import STATE
from engine.tensor import Tensor

F = TypeVar("F", bound=Callable[..., Any])


class inference_mode:  # noqa: N801  torch's name
    """A context manager and decorator; what is made inside cannot be saved for backward."""

    def __new__(cls, mode: bool | F = True) -> Any:
        if isinstance(mode, bool):
            return super().__new__(cls)
        return cls()(mode)

    def __init__(self, mode: bool = True) -> None:
        self.mode = mode
        self._outer: list[tuple[bool, bool]] = []

    def __enter__(self) -> None:
        state = STATE.mode
        self._outer.append((state.inference, state.grad_enabled))
        state.inference, state.grad_enabled = self.mode, not self.mode
        state.settle()

    def __exit__(self, *_: object) -> None:
        state = STATE.mode
        state.inference, state.grad_enabled = self._outer.pop()
        state.settle()

    def __call__(self, function: F) -> F:
        made: F = decorated(self.clone, function)
        return made

    def clone(self) -> inference_mode:
        """Another one of the same mode."""
        made: inference_mode = type(self)(self.mode)
        return made


def is_inference_mode_enabled() -> bool:
    """Whether tensors are made that no history is kept of."""
    return STATE.mode.inference


def is_inference(input: Tensor) -> bool:
    """Whether the tensor was made in inference mode."""
    return input._inference
