"""Products of several matrices, in the order that costs least, and powers of one."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from engine import dtypes, errors
from engine.functions import shapes
from engine.functions.checks import check_square
from engine.functions.elementwise import clone
from engine.functions.products import matmul, mm
from engine.functions.solving import inv
from engine.tensor import Tensor


def multi_dot(tensors: Sequence[Tensor]) -> Tensor:
    """The product of matrices in the cheapest order; the first and last may be vectors."""
    parts = list(tensors)
    _check_chain(parts)
    shape = [
        *parts[0]._array.shape[:-1],
        *(parts[-1]._array.shape[1:] if parts[-1]._array.ndim == 2 else ()),
    ]
    if parts[0]._array.ndim == 1:
        parts[0] = shapes.unsqueeze(parts[0], 0)
    if parts[-1]._array.ndim == 1:
        parts[-1] = shapes.unsqueeze(parts[-1], -1)
    _check_chain_sizes(parts)
    return shapes.view(_chain(parts, _cheapest(parts), 0, len(parts) - 1), *shape)


def _check_chain(parts: list[Tensor]) -> None:
    if len(parts) < 2:
        raise RuntimeError(f"multi_dot(): expected at least 2 tensors but got {len(parts)}")
    last = len(parts) - 1
    for number, part in enumerate(parts):
        ndim, at_end = part._array.ndim, number in (0, last)
        if at_end and ndim not in (1, 2):
            which = "first" if number == 0 else "last"
            raise RuntimeError(f"multi_dot(): the {which} tensor must be 1D or 2D but got {ndim}D")
        if not at_end and ndim != 2:
            raise RuntimeError(f"multi_dot(): tensor {number} must be 2D but got {ndim}D")
        if part._array.dtype != parts[0]._array.dtype:
            raise RuntimeError(
                "multi_dot(): all tensors must have be the same dtype but tensor 0 is "
                f"{dtypes.c_name(parts[0].dtype)} and tensor {number} {dtypes.c_name(part.dtype)}"
            )


def _check_chain_sizes(parts: list[Tensor]) -> None:
    for number, (a, b) in enumerate(pairwise(parts)):
        if a._array.shape[1] != b._array.shape[0]:
            raise RuntimeError(
                f"multi_dot(): tensors {number} and {number + 1} with shapes "
                f"{list(a._array.shape)} and {list(b._array.shape)} cannot be multiplied"
            )


def _cheapest(parts: list[Tensor]) -> dict[tuple[int, int], int]:
    """Where to cut each run of matrices (the chain order of Cormen et al., section 15.2)."""
    sizes = [parts[0]._array.shape[0], *(part._array.shape[1] for part in parts)]
    cost = {(i, i): 0 for i in range(len(parts))}
    cuts: dict[tuple[int, int], int] = {}
    for length in range(1, len(parts)):
        for i in range(len(parts) - length):
            j = i + length
            prices = {
                k: cost[i, k] + cost[k + 1, j] + sizes[i] * sizes[k + 1] * sizes[j + 1]
                for k in range(i, j)
            }
            cuts[i, j] = min(prices, key=lambda k: (prices[k], k))
            cost[i, j] = prices[cuts[i, j]]
    return cuts


def _chain(parts: list[Tensor], cuts: dict[tuple[int, int], int], i: int, j: int) -> Tensor:
    if i == j:
        return parts[i]
    k = cuts[i, j]
    return mm(_chain(parts, cuts, i, k), _chain(parts, cuts, k + 1, j))


CHAIN = (
    "torch.chain_matmul is deprecated and will be removed in a future PyTorch release. Use "
    "torch.linalg.multi_dot instead, which accepts a list of two or more tensors rather than "
    "multiple parameters."
)


def chain_matmul(*matrices: Any) -> Tensor:
    """The product of matrices in the cheapest order."""
    errors.warn_once(CHAIN)
    parts = list(matrices[0]) if isinstance(matrices[0], (list, tuple)) else list(matrices)
    return parts[0] if len(parts) == 1 else multi_dot(parts)


def matrix_power(input: Tensor, n: int) -> Tensor:
    """The product of n copies of each square matrix, by squaring; of its inverse where n < 0."""
    check_square("linalg.matrix_power", input)
    if n == 0:
        one = np.eye(input._array.shape[-1], dtype=input._array.dtype)
        made: Tensor = clone(input).copy_(Tensor(one))
        return made
    if n == 1:
        copy: Tensor = clone(input)
        return copy
    if n < 0:
        return matrix_power(inv(input), -n) if n < -1 else inv(input)
    if n == 3:
        return matmul(matmul(input, input), input)
    square, result = input, None
    while n:
        if n & 1:
            result = square if result is None else matmul(result, square)
        n >>= 1
        square = matmul(square, square) if n else square
    assert result is not None
    return result
