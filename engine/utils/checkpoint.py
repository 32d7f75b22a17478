"""`torch.utils.checkpoint`: parts of a program that are computed again on the way back."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable
from typing import Any

from engine.autograd.calls import backward
from engine.autograd.function import Function
from engine.state import STATE, enable_grad
from engine.tensor import Tensor

__all__ = ["checkpoint", "checkpoint_sequential"]

_IMPLICIT = (
    "torch.utils.checkpoint: the use_reentrant parameter should be passed explicitly. Starting in "
    "PyTorch 2.9, calling checkpoint without use_reentrant will raise an exception. "
    "use_reentrant=False is recommended, but if you need to preserve the current default "
    "behavior, you can pass use_reentrant=True. Refer to docs for more details on the differences "
    "between the two variants."
)
_SELECTIVE = (
    "When use_reentrant=True, torch.utils.checkpoint is incompatible with .grad() or passing an "
    "`inputs` parameter to .backward(). To resolve this error, you can either set "
    "use_reentrant=False, or call .backward() without passing the `inputs` argument."
)
_UNTRACKED = "None of the inputs have requires_grad=True. Gradients will be None"


class CheckpointFunction(Function):
    """Runs a function without history, and again with it when its gradients are wanted."""

    @staticmethod
    def forward(ctx: Any, function: Callable[..., Any], *args: Any) -> Any:
        ctx.function, ctx.args = function, args
        ctx.save_for_backward(*[a for a in args if isinstance(a, Tensor)])
        return function(*args)

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        if STATE.selective:
            raise RuntimeError(_SELECTIVE)
        saved = iter(ctx.saved_tensors)
        again = [
            next(saved).detach().requires_grad_(a.requires_grad) if isinstance(a, Tensor) else a
            for a in ctx.args
        ]
        with enable_grad():
            made = ctx.function(*again)
        outputs = made if isinstance(made, tuple) else (made,)
        pairs = [
            (out, g)
            for out, g in zip(outputs, grads, strict=True)
            if isinstance(out, Tensor) and out.requires_grad
        ]
        backward([out for out, _ in pairs], [g for _, g in pairs])
        return (None, *[a.grad if isinstance(a, Tensor) else None for a in again])


def checkpoint(
    function: Callable[..., Any],
    *args: Any,
    use_reentrant: bool | None = None,
    preserve_rng_state: bool = True,
    **kwargs: Any,
) -> Any:
    """What the function returns.

    With `use_reentrant`, nothing it computed is kept, and it runs again in the backward pass;
    without, it is simply called, which gives the same values, gradients and history as
    PyTorch's.
    """
    if use_reentrant is None:
        warnings.warn(_IMPLICIT, UserWarning, stacklevel=2)
        use_reentrant = True
    if not use_reentrant:
        return function(*args, **kwargs)
    if kwargs:
        names = ",".join(kwargs)
        raise ValueError(f"Unexpected keyword arguments: {names}")
    if not any(isinstance(a, Tensor) and a.requires_grad for a in args):
        warnings.warn(_UNTRACKED, UserWarning, stacklevel=2)
    return CheckpointFunction.apply(function, *args)


def checkpoint_sequential(
    functions: Iterable[Callable[[Any], Any]],
    segments: int,
    input: Any,
    use_reentrant: bool | None = None,
    **_further: Any,
) -> Any:
    """A chain of functions in so many parts, all but the last of them checkpointed."""
    parts = list(functions)
    size = len(parts) // segments
    for start in range(0, size * (segments - 1), size):
        input = checkpoint(_chain(parts[start : start + size]), input, use_reentrant=use_reentrant)
    return _chain(parts[size * (segments - 1) :])(input)


def _chain(parts: list[Callable[[Any], Any]]) -> Callable[[Any], Any]:
    def run(input: Any) -> Any:
        for part in parts:
            input = part(input)
        return input

    return run
