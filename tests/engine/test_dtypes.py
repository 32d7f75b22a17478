"""dtypes, their limits and the promotion of operands, held against PyTorch's answers."""

from __future__ import annotations

import copy
import itertools
import pickle
from collections.abc import Iterator

import numpy as np
import pytest

from engine import dtypes

NUMBERS = {"bool": True, "int": 1, "float": 1.0, "complex": 1j}
NAMES = [
    *("float16", "float32", "float64", "int8", "int16", "int32", "int64", "uint8", "bool"),
    *("complex64", "complex128"),
]

# Captured from torch.result_type (2.13), either way round.
RESULTS = [
    ("float32 1-d", "float64 0-d", "float32"),
    ("float32 1-d", "float64 1-d", "float64"),
    ("float32 0-d", "float64 0-d", "float64"),
    ("float16 1-d", "float32 0-d", "float16"),
    ("int64 1-d", "float32 0-d", "float32"),
    ("int64 1-d", "float64 0-d", "float64"),
    ("int64 1-d", "number float", "float32"),
    ("uint8 1-d", "number float", "float32"),
    ("bool 1-d", "number float", "float32"),
    ("bool 1-d", "number int", "int64"),
    ("bool 1-d", "uint8 0-d", "uint8"),
    ("bool 1-d", "number bool", "bool"),
    ("uint8 1-d", "number int", "uint8"),
    ("uint8 1-d", "int64 0-d", "uint8"),
    ("uint8 1-d", "int8 1-d", "int16"),
    ("uint8 1-d", "int8 0-d", "uint8"),
    ("uint8 0-d", "int8 0-d", "int16"),
    ("int32 0-d", "number int", "int32"),
    ("int32 0-d", "number float", "float32"),
    ("float16 0-d", "number float", "float16"),
    ("float16 1-d", "int64 1-d", "float16"),
    ("float32 1-d", "int64 1-d", "float32"),
    ("float64 0-d", "number float", "float64"),
    ("float32 0-d", "int64 3-d", "float32"),
    ("float32 1-d", "number complex", "complex64"),
    ("float64 1-d", "complex64 1-d", "complex128"),
    ("float32 1-d", "complex128 0-d", "complex64"),
    ("float64 1-d", "complex64 0-d", "complex128"),
    ("float64 1-d", "number complex", "complex128"),
    ("int64 1-d", "number complex", "complex64"),
    ("complex64 1-d", "number float", "complex64"),
    ("complex64 1-d", "float64 1-d", "complex128"),
    ("complex64 1-d", "float64 0-d", "complex64"),
    ("complex64 0-d", "float64 0-d", "complex128"),
    ("int64 1-d", "complex64 0-d", "complex64"),
    ("number float", "number int", "float32"),
    ("number bool", "number int", "int64"),
    ("int16 1-d", "uint8 1-d", "int16"),
    ("int8 1-d", "int32 0-d", "int8"),
]


def operand(text: str) -> dtypes.Operand:
    """ "float32 1-d" or "number float" as the operand that it describes."""
    first, second = text.split()
    if first == "number":
        return np.dtype(type(NUMBERS[second])), 0, True
    return np.dtype(first), int(second[0]), False


@pytest.fixture
def default_restored() -> Iterator[None]:
    before = dtypes.get_default_dtype()
    yield
    dtypes.set_default_dtype(before)


@pytest.mark.parametrize(("first", "second", "expected"), RESULTS)
def test_result_type_of_the_cases_that_surprise(first: str, second: str, expected: str) -> None:
    a, b = operand(first), operand(second)
    for pair in ((a, b), (b, a)):
        assert dtypes.result_type(pair) == np.dtype(expected)
        assert dtypes.binary_type(*pair) == np.dtype(expected)


@pytest.mark.parametrize("default", ["float16", "float32", "float64"])
@pytest.mark.usefixtures("default_restored")
def test_result_type_of_every_pair_is_torchs(default: str) -> None:
    torch = pytest.importorskip("torch", reason="torch not installed")
    tensors = [(f"{name} {n}-d", n, name) for name in NAMES for n in (0, 1)]
    made = {text: torch.ones((2,) * n, dtype=getattr(torch, name)) for text, n, name in tensors} | {
        f"number {name}": value for name, value in NUMBERS.items()
    }
    dtypes.set_default_dtype(dtypes.named(default))
    torch.set_default_dtype(getattr(torch, default))
    try:
        for first, second in itertools.product(made, made):
            expected = str(torch.result_type(made[first], made[second]))
            expected = expected.replace("complex32", "complex64")  # NumPy has no complex32
            pair = operand(first), operand(second)
            assert f"torch.{dtypes.result_type(pair)}" == expected, (first, second)
            assert f"torch.{dtypes.binary_type(*pair)}" == expected, (first, second)
    finally:
        torch.set_default_dtype(torch.float32)


def test_result_type_of_three_operands() -> None:
    # torch.where and torch.stack promote all of their operands at once.
    operands = [operand("float16 0-d"), operand("int32 2-d"), operand("number float")]
    assert dtypes.result_type(operands) == np.dtype("float16")


@pytest.mark.usefixtures("default_restored")
def test_the_default_dtype_decides_what_a_number_makes_of_integers() -> None:
    pair = operand("int64 1-d"), operand("number float")
    assert dtypes.binary_type(*pair) == np.dtype("float32")
    dtypes.set_default_dtype(dtypes.float64)
    assert dtypes.get_default_dtype() is dtypes.float64
    assert dtypes.binary_type(*pair) == np.dtype("float64")


def test_the_default_dtype_must_be_floating_point() -> None:
    message = "only floating-point types are supported as the default type"
    with pytest.raises(TypeError, match=f"^{message}$"):
        dtypes.set_default_dtype(dtypes.int64)
    with pytest.raises(TypeError, match=f"^invalid dtype object: {message}$"):
        dtypes.set_default_dtype("float32")  # type: ignore[arg-type]


def test_names_and_facts() -> None:
    assert repr(dtypes.float) == str(dtypes.float32) == "torch.float32"
    assert dtypes.half is dtypes.float16
    assert dtypes.double is dtypes.float64
    assert (dtypes.short, dtypes.int, dtypes.long) == (dtypes.int16, dtypes.int32, dtypes.int64)
    assert repr(dtypes.bool_) == "torch.bool"
    assert [dtypes.named(n).itemsize for n in NAMES] == [2, 4, 8, 1, 2, 4, 8, 1, 1, 8, 16]
    assert [n for n in NAMES if dtypes.named(n).is_floating_point] == NAMES[:3]
    assert [n for n in NAMES if dtypes.named(n).is_complex] == NAMES[-2:]
    assert [n for n in NAMES if not dtypes.named(n).is_signed] == ["uint8", "bool"]
    assert dtypes.float64.to_complex() is dtypes.complex128
    assert dtypes.complex64.to_real() is dtypes.float32


def test_type_names() -> None:
    words = [dtypes.type_name(dtypes.named(name)) for name in NAMES]
    assert words == [
        f"torch.{word}Tensor"
        for word in (
            *("Half", "Float", "Double", "Char", "Short", "Int", "Long", "Byte", "Bool"),
            *("ComplexFloat", "ComplexDouble"),
        )
    ]


def test_a_dtype_is_one_of_a_kind() -> None:
    assert pickle.loads(pickle.dumps(dtypes.float32)) is dtypes.float32
    assert copy.deepcopy(dtypes.int8) is dtypes.int8
    with pytest.raises(AttributeError, match="is not writable"):
        dtypes.float32.itemsize = 8
    with pytest.raises(TypeError, match=r"^cannot create 'torch\.dtype' instances$"):
        dtypes.dtype("float32")


def test_of_numpy_types() -> None:
    assert all(dtypes.of(np.dtype(name)).name == name for name in NAMES)
    assert dtypes.of(np.dtype("q")) is dtypes.int64
    assert dtypes.of(np.dtype(">f4")) is dtypes.float32
    with pytest.raises(TypeError, match=r"^can't convert np\.ndarray of type numpy\.str_\."):
        dtypes.of(np.dtype("U3"))


def test_promote_types_and_can_cast() -> None:
    assert dtypes.promote_types(dtypes.uint8, dtypes.int8) is dtypes.int16
    assert dtypes.promote_types(dtypes.int64, dtypes.float16) is dtypes.float16
    assert dtypes.can_cast(dtypes.int64, dtypes.float32)
    assert not dtypes.can_cast(dtypes.float32, dtypes.int64)


def test_limits_of_floats() -> None:
    # The texts are PyTorch's.
    assert repr(dtypes.finfo(dtypes.float16)) == (
        "finfo(resolution=0.001, min=-65504, max=65504, eps=0.000976562, "
        "smallest_normal=6.10352e-05, tiny=6.10352e-05, dtype=float16)"
    )
    assert repr(dtypes.finfo()) == (
        "finfo(resolution=1e-06, min=-3.40282e+38, max=3.40282e+38, eps=1.19209e-07, "
        "smallest_normal=1.17549e-38, tiny=1.17549e-38, dtype=float32)"
    )
    double = dtypes.finfo(dtypes.float64)
    assert (double.bits, double.eps, double.dtype) == (64, 2.0**-52, "float64")
    assert dtypes.finfo(dtypes.complex64).dtype == "float32"
    with pytest.raises(TypeError, match=r"^torch\.finfo\(\) requires a floating point input type"):
        dtypes.finfo(dtypes.int32)
    with pytest.raises(TypeError, match=r"^finfo\(\): argument 'type' \(position 1\) must be"):
        dtypes.finfo("float32")  # type: ignore[arg-type]


def test_limits_of_integers() -> None:
    assert repr(dtypes.iinfo(dtypes.int8)) == "iinfo(min=-128, max=127, dtype=int8)"
    assert dtypes.iinfo(dtypes.uint8).max == 255
    assert dtypes.iinfo(dtypes.int64).bits == 64
    with pytest.raises(TypeError, match=r"^torch\.iinfo\(\) requires an integer input type"):
        dtypes.iinfo(dtypes.float32)
    with pytest.raises(TypeError, match=r"^torch\.bool is not supported by torch\.iinfo$"):
        dtypes.iinfo(dtypes.bool_)


def test_sizes() -> None:
    size = dtypes.Size([2, 3])
    assert repr(size) == str(size) == "torch.Size([2, 3])"
    assert repr(dtypes.Size()) == "torch.Size([])"
    assert (size.numel(), dtypes.Size().numel(), size[-1]) == (6, 1, 3)
    assert size == (2, 3)
    assert repr(size[:1]) == "torch.Size([2])"
    more = (4,)
    assert repr(size + more) == "torch.Size([2, 3, 4])"
    assert repr(more + size) == "torch.Size([4, 2, 3])"
    assert repr(size * 2) == repr(2 * size) == "torch.Size([2, 3, 2, 3])"
    assert type(pickle.loads(pickle.dumps(size))) is dtypes.Size


def test_a_dtype_is_not_a_cast() -> None:
    with pytest.raises(TypeError, match=r"^'torch\.dtype' object is not callable$") as raised:
        dtypes.float64(2)
    assert type(raised.value).__name__ == "TypeError"
