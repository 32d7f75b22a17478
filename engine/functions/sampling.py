"""Tosses of coins and integers like another tensor, from PyTorch's random streams."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from engine import dtypes, random
from engine.arrays import Array
from engine.functions.creation import _leaf
from engine.functions.in_place import check_writable, write
from engine.ops import OPS
from engine.tensor import Tensor, apply

if TYPE_CHECKING:
    from engine.streams import Generator


def bernoulli(
    input: Tensor, p: float | None = None, *, generator: Generator | None = None
) -> Tensor:
    """1 with the probability that each element is (or with `p`), else 0; its gradient is zero.

    Raises RuntimeError where a probability is none and NotImplementedError for integers.
    """
    x = input._array
    if p is not None:
        made = _tossed(x.shape, p, generator).astype(x.dtype)
    else:
        made = _by_each(x, generator).astype(x.dtype)
    return apply(OPS["bernoulli"], (input,), {"outcome": made})


def bernoulli_(
    self: Tensor, p: float | Tensor = 0.5, *, generator: Generator | None = None
) -> Tensor:
    """Every element becomes 1 with probability `p`, else 0."""
    check_writable(self)
    shape = self._array.shape
    if isinstance(p, Tensor):
        made = _by_each(np.broadcast_to(p._array, shape), generator)
    else:
        made = _tossed(shape, p, generator)
    return write(self, Tensor(made.astype(self._array.dtype)))


def _tossed(shape: tuple[int, ...], p: float, generator: Generator | None) -> Array:
    if not 0 <= p <= 1:
        raise RuntimeError(f"bernoulli_ expects p to be in [0, 1], but got p={p:g}")
    drawn = random.uniform(shape, np.dtype(np.float64), generator=generator)
    return np.asarray(drawn < p)


def _by_each(p: Array, generator: Generator | None) -> Array:
    if p.dtype.kind != "f":
        word = dtypes.type_name(dtypes.of(p.dtype)).removeprefix("torch.").removesuffix("Tensor")
        raise NotImplementedError(f"\"bernoulli_tensor_cpu_p_\" not implemented for '{word}'")
    if not ((p >= 0) & (p <= 1)).all():
        raise RuntimeError(
            "Expected p_in >= 0 && p_in <= 1 to be true, but got false.  (Could this error "
            "message be improved?  If so, please report an enhancement request to PyTorch.)"
        )
    kind = np.float64 if p.dtype == np.float64 else np.float32
    return np.asarray(random.uniform(p.shape, np.dtype(kind), generator=generator) < p)


def randint_like(
    input: Tensor,
    low: int,
    high: int | None = None,
    *,
    dtype: dtypes.dtype | None = None,
    device: Any = None,
    requires_grad: bool = False,
    memory_format: Any = None,
) -> Tensor:
    """Integers from `low` (0 where only one bound is given) up to `high`, like `input`."""
    if high is None:
        low, high = 0, low
    kind = input._array.dtype if dtype is None else dtype._numpy
    made = random.integers(low, high, shape=input._array.shape, dtype=kind)
    return _leaf(made, requires_grad, device)
