"""Hooks on tensors: functions that see a cotangent when it is complete."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.history import edge_of
from engine.hooks import HOOK_NO_GRAD, HOOK_NON_LEAF, RemovableHandle, watch_of
from engine.tensor import Tensor


def register_hook(self: Tensor, hook: Callable[[Tensor], Any]) -> RemovableHandle:
    """Call `hook` with this tensor's gradient when it is complete; what it returns replaces it.

    Raises RuntimeError where the tensor does not require grad.
    """
    if not self.requires_grad:
        raise RuntimeError(HOOK_NO_GRAD)
    return RemovableHandle(watch_of(edge_of(self)).hooks, hook)


def register_post_accumulate_grad_hook(
    self: Tensor, hook: Callable[[Tensor], Any]
) -> RemovableHandle:
    """Call `hook` with this leaf each time its `.grad` has been added to.

    Raises RuntimeError for a tensor that is no leaf or does not require grad.
    """
    if not self.requires_grad:
        raise RuntimeError(HOOK_NO_GRAD)
    if self._node is not None:
        raise RuntimeError(HOOK_NON_LEAF)
    return RemovableHandle(watch_of(edge_of(self)).accumulated, hook)
