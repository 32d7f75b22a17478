"""Gradients kept small, and parameters as one vector."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from engine.functions import shapes
from engine.optim.optimizer import moved
from engine.tensor import Tensor

__all__ = [
    "clip_grad_norm_",
    "clip_grad_value_",
    "clip_grads_with_norm_",
    "get_total_norm",
    "parameters_to_vector",
    "vector_to_parameters",
]


def _gradients(parameters: Tensor | Iterable[Tensor]) -> list[Tensor]:
    listed = [parameters] if isinstance(parameters, Tensor) else list(parameters)
    return [p._grad for p in listed if p._grad is not None]


def _norm(array: Any, order: float) -> Any:
    size = np.absolute(array)
    if order == np.inf:
        return size.max(initial=0)
    if order == 2:
        return np.sqrt(np.sum(size * size))
    return np.sum(size**order) ** (1.0 / order)


def get_total_norm(
    tensors: Tensor | Iterable[Tensor],
    norm_type: float = 2.0,
    error_if_nonfinite: bool = False,
    foreach: bool | None = None,
) -> Tensor:
    """The norm of all tensors as one vector. Raises RuntimeError for what is not finite."""
    listed = [tensors] if isinstance(tensors, Tensor) else list(tensors)
    order = float(norm_type)
    if not listed:
        return Tensor(np.array(0.0, np.float32))
    each = np.array([_norm(t._array, order) for t in listed], listed[0]._array.dtype)
    total = np.asarray(_norm(each, order), each.dtype)
    if error_if_nonfinite and not np.isfinite(total):
        raise RuntimeError(
            f"The total norm of order {order} for gradients from `parameters` is non-finite, so "
            "it cannot be clipped. To disable this error and scale the gradients by the "
            "non-finite norm anyway, set `error_if_nonfinite=False`"
        )
    return Tensor(total)


def clip_grad_norm_(
    parameters: Tensor | Iterable[Tensor],
    max_norm: float,
    norm_type: float = 2.0,
    error_if_nonfinite: bool = False,
    foreach: bool | None = None,
) -> Tensor:
    """Scale all gradients so that their norm as one vector is at most `max_norm`; its old value."""
    gradients = _gradients(parameters)
    total = get_total_norm(gradients, norm_type, error_if_nonfinite)
    _scale(gradients, max_norm, total)
    return total


def clip_grads_with_norm_(
    parameters: Tensor | Iterable[Tensor],
    max_norm: float,
    total_norm: Tensor,
    foreach: bool | None = None,
) -> None:
    """Scale all gradients, whose norm as one vector is known, so that it is at most `max_norm`."""
    _scale(_gradients(parameters), max_norm, total_norm)


def _scale(gradients: list[Tensor], max_norm: float, total: Tensor) -> None:
    for gradient in gradients:
        kind = gradient._array.dtype.type
        factor = min(kind(max_norm) / (kind(total._array) + kind(1e-6)), kind(1.0))
        moved(gradient, gradient._array * factor)


def clip_grad_value_(
    parameters: Tensor | Iterable[Tensor], clip_value: float, foreach: bool | None = None
) -> None:
    """Bring every element of the gradients between -clip_value and clip_value."""
    for gradient in _gradients(parameters):
        moved(gradient, np.clip(gradient._array, -float(clip_value), float(clip_value)))


def parameters_to_vector(parameters: Iterable[Tensor]) -> Tensor:
    """All parameters one after the other."""
    return shapes.cat([shapes.reshape(p, -1) for p in parameters])


def vector_to_parameters(vec: Tensor, parameters: Iterable[Tensor]) -> None:
    """The elements of a vector as the parameters' values. Raises TypeError for another type."""
    if not isinstance(vec, Tensor):
        raise TypeError(f"expected torch.Tensor, but got: {type(vec)}")
    start = 0
    for parameter in parameters:
        stop = start + parameter._array.size
        values = vec._array[start:stop].reshape(parameter._array.shape)
        parameter.data = Tensor(values)  # type: ignore[attr-defined]
        start = stop
