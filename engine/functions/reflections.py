"""Products with the reflections that a QR factorisation leaves packed."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.functions.checks import check_matrix
from engine.functions.outputs import named_outputs
from engine.numeric import lapack
from engine.ops import OPS
from engine.tensor import Tensor, apply

Geqrf = named_outputs("geqrf", "a", "tau")


def householder_product(input: Tensor, tau: Tensor) -> Tensor:
    """The first columns of the product of the reflections packed in `A` and `tau`."""
    name = "torch.linalg.householder_product"
    if input._array.ndim < 2:
        raise RuntimeError(f"{name}: input must have at least 2 dimensions.")
    m, n = input._array.shape[-2:]
    if m < n:
        raise RuntimeError(
            f"{name}: input.shape[-2] must be greater than or equal to input.shape[-1]"
        )
    if n < tau._array.shape[-1]:
        raise RuntimeError(
            f"{name}: input.shape[-1] must be greater than or equal to tau.shape[-1]"
        )
    return apply(OPS["linalg_householder_product"], (input, tau), {})


def orgqr(input: Tensor, input2: Tensor) -> Tensor:
    """The first columns of the product of the reflections packed in the two."""
    return householder_product(input, input2)


def ormqr(
    input: Tensor, tau: Tensor, other: Tensor, left: bool = True, transpose: bool = False
) -> Tensor:
    """Q other, or other Q, with the Q packed in `input` and `tau`, or its adjoint."""
    if input._array.ndim < 2:
        raise RuntimeError("torch.ormqr: input must have at least 2 dimensions.")
    if other._array.ndim < 2:
        raise RuntimeError("torch.ormqr: other must have at least 2 dimensions.")
    axis = -2 if left else -1
    size, (m, n), count = other._array.shape[axis], input._array.shape[-2:], tau._array.shape[-1]
    if size < count:
        raise RuntimeError(
            f"torch.ormqr: other.shape[{axis}] must be greater than or equal to tau.shape[-1]"
        )
    if min(size, n) != count:
        raise RuntimeError(
            f"torch.ormqr: tau.shape[-1] must be equal to min(other.shape[{axis}], input.shape[-1])"
        )
    if size != m:
        raise RuntimeError(f"torch.ormqr: other.shape[{axis}] must be equal to input.shape[-2]")
    return apply(OPS["ormqr"], (input, tau, other), {"left": left, "transpose": transpose})


def geqrf(input: Tensor) -> Any:
    """R and the reflections that make it, packed as LAPACK packs them; without a gradient."""
    check_matrix("torch.geqrf", input)
    if input.requires_grad:
        raise NotImplementedError("the derivative for 'geqrf' is not implemented.")
    array = input._array
    m, n = array.shape[-2:]
    packed, tau = lapack.each(
        array,
        lambda a: lapack.routine("geqrf", a)(a)[:2] if a.size else (a, np.zeros(min(m, n))),
        ((m, n), array.dtype),
        ((min(m, n),), array.dtype),
    )
    return Geqrf(Tensor(packed), Tensor(tau))
