"""Random numbers: PyTorch's CPU streams, so that a seeded script draws the same numbers."""

from __future__ import annotations

import math
import secrets
import struct
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from engine import box_muller, dtypes

Array = npt.NDArray[Any]

SEED_OF_NEW_GENERATORS = 67280421310721
_LOW_32 = 0xFFFFFFFF
_MANY = 1 << 28  # from this range on, an integer takes 64 random bits instead of 32
_STATE = struct.Struct("<QiiQ624Q3dii8x")  # seed, left, seeded, next, words, normals, valid
_WORDS = 624
_C_NAMES = {
    "uint8": "unsigned char",
    "int8": "signed char",
    "int16": "short int",
    "int32": "int",
    "int64": "long int",
    "bool": "bool",
}


class Generator:
    """A Mersenne Twister, read as PyTorch reads its own."""

    def __init__(self, device: object = "cpu") -> None:
        self._bits = np.random.MT19937()
        self.manual_seed(SEED_OF_NEW_GENERATORS)

    def manual_seed(self, seed: int) -> Generator:
        """Start over from this seed (a negative one counts down from 2**64); returns itself."""
        if not isinstance(seed, int):
            raise RuntimeError(f"manual_seed expected a long, but got {type(seed).__name__}")
        if not -(1 << 63) <= seed < 1 << 64:
            raise ValueError("Overflow when unpacking long long")
        self._seed = seed % (1 << 64)
        fresh = np.random.RandomState(self._seed & _LOW_32).get_state(legacy=False)
        self._bits.state = {"bit_generator": "MT19937", "state": fresh["state"]}
        self._spare: float | None = None  # the second of the last pair of normal numbers
        return self

    def initial_seed(self) -> int:
        """The seed that the stream started from."""
        return self._seed

    def seed(self) -> int:
        """Start over from an unpredictable seed and return it."""
        return self.manual_seed(secrets.randbits(64)).initial_seed()

    def get_state(self) -> npt.NDArray[np.uint8]:
        """Everything the stream goes on from, 5056 bytes laid out as PyTorch's."""
        state: Any = self._bits.state["state"]
        words, place = [int(word) for word in state["key"]], int(state["pos"])
        untouched = place == _WORDS and words[0] == self._seed & _LOW_32
        spare, valid = self._spare or 0.0, self._spare is not None
        after = 0 if untouched else place
        head = (self._seed, _WORDS + 1 - place, 1, after)
        packed = _STATE.pack(*head, *words, 0.0, spare, 0.0, valid, 0)
        return np.frombuffer(packed, np.uint8).copy()

    def set_state(self, state: Array) -> Generator:
        """Go on from what `get_state` gave; returns itself."""
        if state.dtype != np.uint8:
            raise TypeError("RNG state must be a torch.ByteTensor")
        if state.size != _STATE.size:
            found = f"but found the input RNG state size to be {state.size}"
            raise RuntimeError(f"Expected a CPUGeneratorImplState of size {_STATE.size} {found}")
        seed, left, _, _, *rest = _STATE.unpack(state.tobytes())
        words, (_, spare, _, valid, _) = rest[:_WORDS], rest[_WORDS:]
        self._seed, self._spare = seed, spare if valid else None
        self._bits.state = {
            "bit_generator": "MT19937",
            "state": {"key": np.array(words, np.uint32), "pos": _WORDS + 1 - left},
        }
        return self

    def words(self, count: int) -> npt.NDArray[np.uint64]:
        """The next `count` numbers of 32 random bits."""
        return np.asarray(self._bits.random_raw(count), np.uint64)

    def double_words(self, count: int) -> npt.NDArray[np.uint64]:
        """The next `count` numbers of 64 random bits: the higher half is drawn first."""
        halves = self.words(2 * count)
        return (halves[0::2] << np.uint64(32)) | halves[1::2]

    def floats(self, count: int) -> npt.NDArray[np.float32]:
        """Uniform in [0, 1), 24 bits each."""
        bits = self.words(count) & np.uint64((1 << 24) - 1)
        return bits.astype(np.float32) * np.float32(2.0**-24)

    def doubles(self, count: int) -> npt.NDArray[np.float64]:
        """Uniform in [0, 1), 53 bits each."""
        bits = self.double_words(count) & np.uint64((1 << 53) - 1)
        return bits.astype(np.float64) * 2.0**-53

    def normals(self, count: int) -> npt.NDArray[np.float64]:
        """Standard normal, made in pairs; a second number that is left over waits for next time."""
        made = [] if self._spare is None or count == 0 else [self._spare]
        if made:
            self._spare = None
        uniform = self.doubles(2 * ((count - len(made) + 1) // 2)).tolist()
        for first, second in zip(uniform[0::2], uniform[1::2], strict=True):
            made.extend(box_muller.pair(first, second))
        if len(made) > count:
            self._spare = made.pop()
        return np.array(made)


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
