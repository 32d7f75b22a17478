"""Random numbers against PyTorch's CPU streams."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from engine import random

Array = npt.NDArray[Any]
HALF, SINGLE, DOUBLE = (np.dtype(name) for name in ("float16", "float32", "float64"))
COMPLEX, LONG = np.dtype("complex64"), np.dtype("int64")
SIZES = [0, 1, 5, 15, 16, 17, 31, 32, 100, 1000]


@pytest.fixture(autouse=True)
def stream_restored() -> Iterator[None]:
    before = random.default_generator.packed()
    yield
    random.default_generator.restore(before)


@pytest.fixture
def torch() -> Any:
    return pytest.importorskip("torch", reason="torch not installed")


# Captured from PyTorch 2.13 on an x86-64 processor with AVX2: one session after manual_seed(0), so
# each draw depends on those before it, the spare normal number that an odd count leaves included.
SESSION: list[tuple[Callable[[], Array], slice, list[Any]]] = [
    (
        lambda: random.uniform((4,), SINGLE),
        slice(None),
        [0.4962566, 0.7682218, 0.08847743, 0.13203049],
    ),
    (
        lambda: random.uniform((3,), DOUBLE),
        slice(None),
        [0.45938294312745087, 0.9207476841219603, 0.6450241201227648],
    ),
    (
        lambda: random.normal((5,), SINGLE),
        slice(None),
        [0.16038126, -0.6064512, -0.7830641, 1.062171, -0.2613142],
    ),
    (
        lambda: random.normal((2,), DOUBLE),
        slice(None),
        [1.0666997529231295, 0.4158911935781066],
    ),
    (
        lambda: random.normal((16,), SINGLE),
        slice(4),
        [1.4436601, 0.2660494, 0.16645534, 0.87438184],
    ),
    (
        lambda: random.normal((17,), SINGLE),
        slice(-4, None),
        [1.3252748, -1.629326, -0.54974365, -0.47983426],
    ),
    (
        lambda: random.normal((20,), DOUBLE),
        slice(2, 5),
        [-0.9712935347054689, 0.6619458330822282, 0.8607982733832464],
    ),
    (lambda: random.normal((18,), HALF), slice(4), [1.165, 0.2886, -0.1073, 0.9985]),
    (
        lambda: random.integers(-3, 10, shape=(6,), dtype=LONG),
        slice(None),
        [1, 0, 7, 3, 7, 2],
    ),
    (
        lambda: random.integers(0, 2**40, shape=(2,), dtype=LONG),
        slice(None),
        [346673985568, 782927037568],
    ),
    (lambda: random.permutation(8), slice(None), [6, 0, 4, 2, 7, 3, 1, 5]),
    (
        lambda: random.uniform((3,), SINGLE, low=-0.25, high=1.7),
        slice(None),
        [0.15686215, 1.0582014, 0.14398466],
    ),
    (
        lambda: random.normal((3,), DOUBLE, mean=0.3, std=1.7),
        slice(None),
        [1.7272629085543227, 2.2070067878702484, -0.8648032581913077],
    ),
    (
        lambda: random.normal((16,), SINGLE, mean=0.3, std=1.7),
        slice(3),
        [-0.5073183, -0.77678645, -2.1951246],
    ),
]


def test_a_session_draws_what_torch_drew() -> None:
    random.manual_seed(0)
    for draw, part, expected in SESSION:
        drawn = draw()
        assert drawn[part].tolist() == np.array(expected, drawn.dtype).tolist()


def assert_same(drawn: Array, tensor: Any, *, exact: bool = True) -> None:
    expected = tensor.numpy()
    assert drawn.dtype == expected.dtype
    if exact:
        assert drawn.tobytes() == expected.tobytes()
    else:
        np.testing.assert_allclose(drawn, expected, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("seed", [0, 42, 2**32 + 5, -1])
def test_floats_are_torchs_to_the_last_bit(torch: Any, seed: int) -> None:
    # Without AVX2, PyTorch takes its single-precision logarithm and sine from the C library.
    vector = torch.backends.cpu.get_cpu_capability() in ("AVX2", "AVX512")
    torch.manual_seed(seed)
    random.manual_seed(seed)
    for size in SIZES:
        for kind in (SINGLE, DOUBLE, HALF, COMPLEX, np.dtype("complex128")):
            exact = vector or kind == DOUBLE
            same = getattr(torch, kind.name)
            shape, arguments = (size,), {"dtype": same}
            assert_same(random.uniform(shape, kind), torch.rand(size, **arguments))
            assert_same(random.normal(shape, kind), torch.randn(size, **arguments), exact=exact)
            # An odd number of normal numbers, so that a spare one crosses calls and dtypes.
            assert_same(random.normal((3,), kind), torch.randn(3, **arguments))
            scaled = torch.empty(size, **arguments).normal_(0.3, 1.7)
            assert_same(random.normal(shape, kind, mean=0.3, std=1.7), scaled, exact=exact)
            if kind.kind == "f":
                bounded = torch.empty(size, **arguments).uniform_(-0.25, 1.7)
                assert_same(random.uniform(shape, kind, low=-0.25, high=1.7), bounded, exact=exact)
    assert random.default_generator.packed().tobytes() == torch.get_rng_state().numpy().tobytes()


@pytest.mark.parametrize("seed", [1, 2**63 + 3])
def test_integers_and_permutations_are_torchs(torch: Any, seed: int) -> None:
    torch.manual_seed(seed)
    random.manual_seed(seed)
    bounds = [(0, 10), (-5, 2**27), (-3, 2**28 - 3), (0, 2**28 - 1), (0, 2**40), (-(2**62), 2**62)]
    for size in SIZES:
        for low, high in bounds:
            drawn = random.integers(low, high, shape=(size,), dtype=LONG)
            assert_same(drawn, torch.randint(low, high, (size,)))
        for name in ("uint8", "int8", "int16", "int32", "bool", "float16", "float32"):
            high = 2 if name == "bool" else 100
            drawn = random.integers(0, high, shape=(size,), dtype=np.dtype(name))
            assert_same(drawn, torch.randint(0, high, (size,), dtype=getattr(torch, name)))
        assert_same(random.permutation(size), torch.randperm(size))
    assert random.default_generator.packed().tobytes() == torch.get_rng_state().numpy().tobytes()


def test_half_precision_never_reaches_the_bound(torch: Any) -> None:
    torch.manual_seed(0)
    random.manual_seed(0)
    drawn = random.uniform((4000,), HALF)
    assert_same(drawn, torch.rand(4000, dtype=torch.float16))
    assert drawn.max() < 1
    assert drawn[337] == 0  # PyTorch's answer where 0.9998 rounds to 1 in half precision


def test_shapes() -> None:
    assert random.normal((), SINGLE).shape == ()
    assert random.uniform((2, 0, 3), DOUBLE).shape == (2, 0, 3)
    assert random.integers(0, 3, shape=(2, 3), dtype=LONG).shape == (2, 3)
    assert random.normal((2, 3), COMPLEX).dtype == COMPLEX
    random.manual_seed(3)
    flat = random.normal((24,), SINGLE)
    random.manual_seed(3)
    assert np.array_equal(random.normal((2, 3, 4), SINGLE), flat.reshape(2, 3, 4))


def test_generators_are_streams_of_their_own() -> None:
    own = random.Generator()
    assert own.initial_seed() == 67280421310721
    assert own.manual_seed(5) is own
    random.manual_seed(5)
    drawn = random.uniform((3,), SINGLE, generator=own)
    assert np.array_equal(random.uniform((3,), SINGLE), drawn)
    assert not np.array_equal(random.uniform((3,), SINGLE, generator=own), drawn)


def test_seeding_forgets_the_spare_normal_number() -> None:
    random.manual_seed(8)
    first = random.normal((3,), DOUBLE)
    random.manual_seed(8)
    assert np.array_equal(random.normal((3,), DOUBLE), first)


def test_a_state_can_be_gone_back_to() -> None:
    generator = random.Generator().manual_seed(7)
    random.normal((3,), DOUBLE, generator=generator)
    state = generator.packed()
    drawn = random.normal((700,), DOUBLE, generator=generator), generator.initial_seed()
    other = random.Generator().restore(state)
    assert np.array_equal(random.normal((700,), DOUBLE, generator=other), drawn[0])
    assert other.initial_seed() == drawn[1] == 7
    with pytest.raises(RuntimeError, match=r"size 5056 but found .* to be 5055$"):
        other.restore(state[:-1])
    with pytest.raises(TypeError, match=r"^RNG state must be a torch\.ByteTensor$"):
        other.restore(state.astype(np.float32))


def test_seeds() -> None:
    assert random.manual_seed(-1).initial_seed() == random.initial_seed() == 2**64 - 1
    assert random.manual_seed(1.7).initial_seed() == 1
    assert random.seed() == random.initial_seed()
    for seed in (2**64, -(2**63) - 1):
        with pytest.raises(ValueError, match=r"^Overflow when unpacking long long$"):
            random.manual_seed(seed)
    with pytest.raises(RuntimeError, match=r"^manual_seed expected a long, but got float$"):
        random.Generator().manual_seed(1.5)  # type: ignore[arg-type]


REFUSED: list[tuple[Callable[[], Array], type[Exception], str]] = [  # PyTorch's messages
    (
        lambda: random.uniform((2,), LONG),
        NotImplementedError,
        "\"check_uniform_bounds\" not implemented for 'Long'",
    ),
    (
        lambda: random.normal((2,), np.dtype("int8")),
        NotImplementedError,
        "\"normal_kernel_cpu\" not implemented for 'Char'",
    ),
    (
        lambda: random.uniform((2,), SINGLE, low=1.5, high=1.25),
        RuntimeError,
        "uniform_ expects to return a [from, to) range, but found from=1.5 > to=1.25",
    ),
    (
        lambda: random.uniform((2,), SINGLE, low=-3e38, high=3e38),
        RuntimeError,
        "uniform_ expects to-from <= std::numeric_limits<Float>::max(), but found to=3e+38 and "
        "from=-3e+38 which result in to-from to exceed the limit",
    ),
    (
        lambda: random.normal((2,), SINGLE, std=-0.5),
        RuntimeError,
        "normal expects std >= 0.0, but found std -0.5",
    ),
    (
        lambda: random.integers(5, 5, shape=(2,), dtype=LONG),
        RuntimeError,
        "random_ expects 'from' to be less than 'to', but got from=5 >= to=5",
    ),
    (
        lambda: random.integers(0, 300, shape=(2,), dtype=np.dtype("uint8")),
        RuntimeError,
        "to - 1 is out of bounds for unsigned char",
    ),
    (
        lambda: random.integers(-(10**10), 3, shape=(2,), dtype=np.dtype("int16")),
        RuntimeError,
        "from is out of bounds for short int",
    ),
    (
        lambda: random.integers(0, 3, shape=(2,), dtype=np.dtype("bool")),
        RuntimeError,
        "to - 1 is out of bounds for bool",
    ),
    (
        lambda: random.integers(0, 2**63, shape=(2,), dtype=LONG),
        ValueError,
        "Overflow when unpacking long long",
    ),
    (
        lambda: random.integers(0, 3, shape=(2,), dtype=COMPLEX),
        RuntimeError,
        "check_random_bounds handles only integral, floating-point and boolean types",
    ),
    (
        lambda: random.permutation(-1),
        RuntimeError,
        "Trying to create tensor with negative dimension -1: [-1]",
    ),
    (
        lambda: random.permutation(300, dtype=np.dtype("uint8")),
        RuntimeError,
        "value cannot be converted to type uint8_t without overflow",
    ),
]


@pytest.mark.parametrize(("draw", "error", "message"), REFUSED)
def test_refusals(draw: Callable[[], Array], error: type[Exception], message: str) -> None:
    before = random.default_generator.packed().tobytes()
    with pytest.raises(error) as raised:
        draw()
    assert str(raised.value) == message
    assert random.default_generator.packed().tobytes() == before
