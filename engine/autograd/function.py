"""`Function`: an op with a forward and a backward of the user's own."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable
from typing import Any, NoReturn
from weakref import ReferenceType

from engine.autograd import messages
from engine.history import Node
from engine.ops.custom import TWICE
from engine.saved import unpack_tensors
from engine.state import is_grad_enabled, no_grad
from engine.tensor import Tensor, apply

__all__ = ["Function", "FunctionCtx", "once_differentiable"]


class FunctionCtx:
    """What a function's forward leaves for its backward: saved tensors, and any attributes.

    The saved tensors lie with the backward node, which counts the writes to them and lets go of
    them; `_places` says where each is found there.
    """

    needs_input_grad: tuple[bool, ...] = ()
    materialize_grads = True
    _node: ReferenceType[Node] | None = None
    _to_save: tuple[Tensor | None, ...] = ()
    _places: tuple[int | str | None, ...] = ()
    _non_differentiable: tuple[Tensor, ...] = ()
    _dirty: tuple[Tensor, ...] = ()

    def save_for_backward(self, *tensors: Tensor | None) -> None:
        """Keep tensors (or None) for backward. Raises TypeError for anything else."""
        for i, tensor in enumerate(tensors):
            if tensor is not None and not isinstance(tensor, Tensor):
                raise TypeError(messages.SAVE_TYPE.format(i=i, type=type(tensor).__name__))
        self._to_save = tensors

    def save_for_forward(self, *tensors: Tensor | None) -> None:
        """Keep tensors for a forward-mode rule, of which no use is made here."""

    @property
    def saved_tensors(self) -> tuple[Tensor | None, ...]:
        """What was saved. Raises RuntimeError where it was freed, or written to since."""
        node = None if self._node is None else self._node()
        if node is None:
            return self._to_save
        _, output = unpack_tensors(node)
        found = [
            None if place is None else output if place == "output" else node.kept[int(place)]
            for place in self._places
        ]
        return tuple(found)

    def mark_non_differentiable(self, *tensors: Tensor) -> None:
        """No gradient flows to these outputs."""
        self._non_differentiable = tensors

    def set_materialize_grads(self, value: bool) -> None:
        """Whether backward is given zeros (the default) or None for an output without gradient."""
        self.materialize_grads = value

    def mark_dirty(self, *tensors: Tensor) -> None:
        """These inputs were written to, and are returned as outputs."""
        self._dirty = tensors


class Function:
    """Derive from it, with static methods `forward(ctx, …)` and `backward(ctx, …)`; call `apply`.

    `backward` takes a gradient for each output and returns one for each input, None where there
    is none. With a static method `setup_context(ctx, inputs, output)`, `forward` takes no ctx.
    """

    generate_vmap_rule = False

    def __init__(self, *_args: Any, **_kwargs: Any) -> None:
        text = messages.INSTANCE.format(type=type(self))
        warnings.warn(text, DeprecationWarning, stacklevel=2)

    @staticmethod
    def forward(*args: Any, **kwargs: Any) -> Any:
        raise NotImplementedError(messages.NO_FORWARD)

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: Any) -> Any:
        raise NotImplementedError(messages.NO_SETUP)

    @staticmethod
    def backward(ctx: Any, *grad_outputs: Any) -> Any:
        raise NotImplementedError(messages.NO_BACKWARD)

    vjp = backward

    def __call__(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise RuntimeError(messages.LEGACY)

    @classmethod
    def apply(cls, *args: Any, **kwargs: Any) -> Any:
        """The function's outputs, with `backward` as their history.

        Raises RuntimeError and NotImplementedError with PyTorch's messages.
        """
        from engine.autograd.applying import applied

        return applied(cls, args, kwargs)


def once_differentiable(fn: Callable[..., Any]) -> Callable[..., Any]:
    """A backward whose results cannot be differentiated again: trying to is an error."""

    @functools.wraps(fn)
    def once(ctx: Any, *grads: Any) -> Any:
        with no_grad():
            found = fn(ctx, *grads)
        tracked = any(isinstance(g, Tensor) and g.requires_grad for g in grads)
        if not is_grad_enabled() or not tracked:
            return found
        return tuple(map(_final, found)) if isinstance(found, tuple) else _final(found)

    return once


def _final(result: Tensor | None) -> Tensor | None:
    """The result on a history of its own that leads to an error only."""
    if result is None:
        return None
    return apply(TWICE, (result.detach().requires_grad_(),), {})
