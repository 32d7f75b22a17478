"""Random numbers: PyTorch's CPU streams, so that a seeded script draws the same numbers."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from engine import dtypes
from engine.numeric import box_muller
from engine.streams import Array
from engine.streams import Generator as Generator
from engine.tensor import Tensor

_MANY = 1 << 28  # from this range on, an integer takes 64 random bits instead of 32
_C_NAMES = {
    "uint8": "unsigned char",
    "int8": "signed char",
    "int16": "short int",
    "int32": "int",
    "int64": "long int",
    "bool": "bool",
}

default_generator = Generator()
default_generator.seed()


def manual_seed(seed: Any) -> Generator:
    """Seed the default generator with `int(seed)` and return it."""
    return default_generator.manual_seed(int(seed))


def initial_seed() -> int:
    """The seed that the default generator started from."""
    return default_generator.initial_seed()


def seed() -> int:
    """Seed the default generator unpredictably and return the seed."""
    return default_generator.seed()


def get_rng_state() -> Tensor:
    """Everything the default generator goes on from, as a tensor of bytes."""
    return default_generator.get_state()


def set_rng_state(new_state: Tensor) -> None:
    """Have the default generator go on from what `get_rng_state` gave."""
    default_generator.set_state(new_state)


@contextmanager
def fork_rng(devices: Any = None, enabled: bool = True, **_further: Any) -> Iterator[None]:
    """Whatever is drawn in the `with` block, the default generator goes on as if it were not."""
    before = default_generator.packed()
    try:
        yield
    finally:
        if enabled:
            default_generator.restore(before)


def uniform(
    shape: Sequence[int],
    dtype: np.dtype[Any],
    *,
    low: float = 0.0,
    high: float = 1.0,
    generator: Generator | None = None,
) -> Array:
    """Uniform numbers from `low` up to, not including, `high`, of a floating or complex type.

    Raises NotImplementedError for other types and RuntimeError for bounds that make no range.
    """
    kind = _floating(dtype, "check_uniform_bounds")
    if low > high:
        raise RuntimeError(
            f"uniform_ expects to return a [from, to) range, but found from={low:g} > to={high:g}"
        )
    if high - low > dtypes.finfo(kind).max:
        raise RuntimeError(
            f"uniform_ expects to-from <= std::numeric_limits<{_word(kind)}>::max(), but found "
            f"to={high:g} and from={low:g} which result in to-from to exceed the limit"
        )
    generator = generator or default_generator
    count = _reals(shape, kind)
    made: Array
    if kind.to_real() is dtypes.float64:
        made, span = generator.doubles(count), high - low
    else:
        made, span = generator.floats(count), float(np.float32(high) - np.float32(low))
    if (low, high) != (0.0, 1.0):
        made = box_muller.fused(made, span, low)
    part = kind.to_real()._numpy.type
    made = made.astype(part)
    made[made == part(high)] = low  # rounded up to the bound that is excluded
    return _shaped(made, shape, kind)


def normal(
    shape: Sequence[int],
    dtype: np.dtype[Any],
    *,
    mean: float = 0.0,
    std: float = 1.0,
    generator: Generator | None = None,
) -> Array:
    """Normal numbers of a floating or complex type; each part of a complex one has `mean`.

    Sixteen numbers or more come from another kernel than fewer do, and so differ from them.
    Raises NotImplementedError for other types and RuntimeError for a negative `std`.
    """
    kind = _floating(dtype, "normal_kernel_cpu")
    if std < 0:
        raise RuntimeError(f"normal expects std >= 0.0, but found std {std:g}")
    generator = generator or default_generator
    count = _reals(shape, kind)
    scale = std / math.sqrt(2) if kind.is_complex else std
    made: Array
    if count < box_muller.BLOCK:
        made = generator.normals(count)
    elif kind.to_real() is dtypes.float64:
        made = _blocks(count, generator.doubles, box_muller.double_blocks, again=True)
    else:
        again = kind is not dtypes.float16
        made = _blocks(count, generator.floats, box_muller.float_blocks, again=again)
    if (scale, mean) != (1.0, 0.0):
        made = box_muller.fused(made, scale, mean)
    return _shaped(made, shape, kind)


def integers(
    low: int,
    high: int,
    *,
    shape: Sequence[int],
    dtype: np.dtype[Any],
    generator: Generator | None = None,
) -> Array:
    """Integers from `low` up to, not including, `high`, held in any real type.

    Raises RuntimeError where there is none, or where the type does not hold them all.
    """
    kind = dtypes.of(dtype)
    if kind.is_complex:
        raise RuntimeError(
            "check_random_bounds handles only integral, floating-point and boolean types"
        )
    if low >= high:
        raise RuntimeError(
            f"random_ expects 'from' to be less than 'to', but got from={low} >= to={high}"
        )
    _check_held(low, high, kind=kind)
    generator = generator or default_generator
    count, span = math.prod(shape), high - low
    drawn = generator.words(count) if span < _MANY else generator.double_words(count)
    within = (drawn % np.uint64(span)).astype(np.int64) + np.int64(low)
    return within.astype(dtype).reshape(tuple(shape))


def permutation(
    n: int, *, dtype: np.dtype[Any] | None = None, generator: Generator | None = None
) -> Array:
    """The integers below `n`, shuffled; RuntimeError where `n` is negative or `dtype` too small."""
    if n < 0:
        raise RuntimeError(f"Trying to create tensor with negative dimension {n}: [{n}]")
    kind = dtypes.int64 if dtype is None else dtypes.of(dtype)
    if not kind.is_floating_point and n > 0 and n > dtypes.iinfo(kind).max:
        raise RuntimeError(f"value cannot be converted to type {kind.name}_t without overflow")
    draws = (generator or default_generator).words(max(0, n - 1)).tolist()
    order = list(range(n))
    for place, drawn in enumerate(draws):
        other = place + drawn % (n - place)
        order[place], order[other] = order[other], order[place]
    return np.array(order, kind._numpy)


def _floating(dtype: np.dtype[Any], kernel: str) -> dtypes.dtype:
    kind = dtypes.of(dtype)
    if not (kind.is_floating_point or kind.is_complex):
        raise NotImplementedError(f"\"{kernel}\" not implemented for '{_word(kind)}'")
    return kind


def _word(kind: dtypes.dtype) -> str:
    """PyTorch's inner name of a dtype, as in "Float"."""
    return dtypes.type_name(kind).removeprefix("torch.").removesuffix("Tensor")


def _reals(shape: Sequence[int], kind: dtypes.dtype) -> int:
    return math.prod(shape) * (2 if kind.is_complex else 1)


def _shaped(made: Array, shape: Sequence[int], kind: dtypes.dtype) -> Array:
    return made.astype(kind.to_real()._numpy).view(kind._numpy).reshape(tuple(shape))


def _blocks(count: int, draw: Any, transform: Any, *, again: bool) -> Array:
    """`count` normal numbers, `transform`ed in blocks of uniform ones that `draw` gives.

    Where the count is no multiple of the block, PyTorch makes the last sixteen numbers anew from
    fresh draws; `again` says whether those that filled no block had been drawn before.
    """
    size = box_muller.BLOCK
    whole, rest = count - count % size, count % size
    made = transform(draw(count if again else whole)[:whole])
    if not rest:
        return np.asarray(made)
    return np.concatenate([made[: count - size], transform(draw(size))])


def _check_held(low: int, high: int, *, kind: dtypes.dtype) -> None:
    if not -(1 << 63) <= low < high < 1 << 63:
        raise ValueError("Overflow when unpacking long long")
    if kind.is_floating_point:
        return
    least, most = (0, 1) if kind is dtypes.bool_ else _limits(kind)
    for bound, value in (("from", low), ("to - 1", high - 1)):
        if not least <= value <= most:
            raise RuntimeError(f"{bound} is out of bounds for {_C_NAMES[kind.name]}")


def _limits(kind: dtypes.dtype) -> tuple[int, int]:
    limits = dtypes.iinfo(kind)
    return limits.min, limits.max
