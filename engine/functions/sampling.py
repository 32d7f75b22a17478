"""Tosses of coins and integers like another tensor, from PyTorch's random streams."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from engine import dtypes, random
from engine.arrays import Array
from engine.functions.creation import _leaf
from engine.functions.in_place import check_writable, redraw
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
        made, node = _by_each(np.broadcast_to(p._array, shape), generator), "BernoulliBackward1"
    else:
        made, node = _tossed(shape, p, generator), "BernoulliBackward2"
    return redraw(self, made.astype(self._array.dtype), node)


def _tossed(shape: tuple[int, ...], p: float, generator: Generator | None) -> Array:
    if not 0 <= p <= 1:
        raise RuntimeError(f"bernoulli_ expects p to be in [0, 1], but got p={p:g}")
    drawn = random.uniform(shape, np.dtype(np.float64), generator=generator)
    return np.asarray(drawn < p)


def _by_each(p: Array, generator: Generator | None) -> Array:
    if p.dtype.kind != "f":
        word = dtypes.word(dtypes.of(p.dtype))
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


def multinomial(
    input: Tensor,
    num_samples: int,
    replacement: bool = False,
    *,
    generator: Generator | None = None,
) -> Tensor:
    """Places drawn with probabilities in proportion to the last axis of a vector or matrix.

    Shape (num_samples,), or one row for each row. Raises RuntimeError with PyTorch's messages.
    """
    p = input._array
    _check_weights(p, num_samples, replacement)
    source = generator or random.default_generator
    if not replacement or num_samples == 1:
        races = (-np.log1p(-source.doubles(p.size))).astype(p.dtype).reshape(p.shape)
        with np.errstate(invalid="ignore"):
            order = np.argsort(-(p / races), axis=-1, kind="stable")
        return Tensor(np.ascontiguousarray(order[..., :num_samples]))
    rows = p.reshape(-1, p.shape[-1])
    drawn = source.doubles(len(rows) * num_samples).reshape(len(rows), num_samples)
    shares = np.cumsum(rows, axis=1)
    shares /= shares[:, -1:]
    found = [np.searchsorted(share, u) for share, u in zip(shares, drawn, strict=True)]
    return Tensor(np.array(found, np.int64).reshape(*p.shape[:-1], num_samples))


def _check_weights(p: Array, count: int, replacement: bool) -> None:
    if p.ndim not in (1, 2):
        raise RuntimeError("prob_dist must be 1 or 2 dim")
    if p.dtype.kind != "f":
        word = dtypes.word(dtypes.of(p.dtype))
        raise RuntimeError(
            f"multinomial only supports floating-point dtypes for input, got: {word}"
        )
    if count <= 0:
        raise RuntimeError("cannot sample n_sample <= 0 samples")
    if not replacement and count > p.shape[-1]:
        raise RuntimeError(
            "cannot sample n_sample > prob_dist.size(-1) samples without replacement"
        )
    if not (np.isfinite(p) & (p >= 0)).all():
        raise RuntimeError("probability tensor contains either `inf`, `nan` or element < 0")
    if (p.sum(-1) <= 0).any():
        raise RuntimeError("invalid multinomial distribution (sum of probabilities <= 0)")


def exponential_(self: Tensor, lambd: float = 1.0, *, generator: Generator | None = None) -> Tensor:
    """Every element becomes exponentially distributed with rate `lambd`."""
    check_writable(self)
    if lambd <= 0:
        raise RuntimeError(f"exponential_ expects lambda > 0.0, but found lambda={lambd:g}")
    kind = self._array.dtype
    if kind.kind != "f":
        word = dtypes.word(dtypes.of(kind))
        raise RuntimeError(
            "Exponential distribution is a continuous probability distribution. "
            f"dtype must be a floating point but you specified {word}"
        )
    source = generator or random.default_generator
    made = -np.log1p(-source.doubles(self._array.size)) / lambd
    return redraw(self, made.astype(kind).reshape(self._array.shape), "ExponentialBackward0")


def random_(
    self: Tensor, *bounds: int | None, generator: Generator | None = None, **named: int | None
) -> Tensor:
    """Every element becomes an integer: below `to`, from `from` on, or any that its dtype holds."""
    check_writable(self)
    low, high = (named.get("from", 0), named.get("to"))
    if bounds:
        low, high = (0, bounds[0]) if len(bounds) == 1 and high is None else (*bounds, high)[:2]
    array = self._array
    both = len(bounds) == 2 or "from" in named
    node = f"RandomBackward{2 if high is None else 0 if both else 1}"
    if high is None and not low:
        made = _any_integers(array, generator or random.default_generator)
    elif high is None:
        raise NotImplementedError("random_ from a bound to the largest number of a dtype.")
    else:
        made = random.integers(
            int(low or 0), int(high), shape=array.shape, dtype=array.dtype, generator=generator
        )
    return redraw(self, made, node)


def _any_integers(array: Array, source: Generator) -> Array:
    kind = array.dtype
    bits = kind.itemsize * 8 - (kind.kind == "i")
    span = (1 << bits) if kind.kind in "iu" else 2 if kind.kind == "b" else 0
    if kind.kind == "f":
        span = (1 << (np.finfo(kind).nmant + 1)) + 1
    wide = span > 1 << 32
    drawn = source.double_words(array.size) if wide else source.words(array.size)
    return (drawn % np.uint64(span)).astype(kind).reshape(array.shape)
