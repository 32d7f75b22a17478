"""dtypes by PyTorch's names, and its rules for which dtype a result has."""

from __future__ import annotations

import builtins
from collections.abc import Iterable
from typing import Any

import numpy as np

from engine.size import Size as Size

NumpyType = np.dtype[Any]
Operand = tuple[NumpyType, builtins.int, builtins.bool]  # dtype, ndim, is a wrapped Python number


class NotCallable(TypeError, NotImplementedError):
    """What calling a dtype raises: PyTorch's TypeError, and word that the engine declines."""


NotCallable.__name__ = "TypeError"


class dtype:  # noqa: N801 - its name in PyTorch
    """An element type; the instances of this module are the only ones."""

    __slots__ = (
        "_numpy",
        "_rank",
        "_tensor_type",
        "is_complex",
        "is_floating_point",
        "is_signed",
        "itemsize",
        "name",
    )
    name: str
    is_complex: builtins.bool
    is_floating_point: builtins.bool
    is_signed: builtins.bool
    itemsize: builtins.int
    _numpy: NumpyType
    _rank: builtins.int  # its category: 0 bool, 1 integer, 2 floating, 3 complex
    _tensor_type: str

    def __new__(cls, *_: object) -> dtype:
        raise TypeError("cannot create 'torch.dtype' instances")

    def __repr__(self) -> str:
        return f"torch.{self.name}"

    def __setattr__(self, attribute: str, _: object) -> None:
        raise AttributeError(f"attribute '{attribute}' of 'torch.dtype' objects is not writable")

    def __reduce__(self) -> tuple[Any, ...]:
        return named, (self.name,)

    def __call__(self, *_: object) -> None:
        """Refuse: unlike NumPy's types, PyTorch's cast nothing. Raises TypeError."""
        raise NotCallable("'torch.dtype' object is not callable")

    def to_complex(self) -> dtype:
        """The complex type with components of this type."""
        return self if self.is_complex else complex128 if self is float64 else complex64

    def to_real(self) -> dtype:
        """The type of the components of this type."""
        return {complex64: float32, complex128: float64}.get(self, self)


_BY_NAME: dict[str, dtype] = {}
_BY_NUMPY: dict[NumpyType, dtype] = {}
_RANK = {"b": 0, "u": 1, "i": 1, "f": 2, "c": 3}


def _make(name: str, tensor_type: str) -> dtype:
    made = object.__new__(dtype)
    numpy_type = np.dtype(name)
    values = {
        "name": name,
        "is_complex": numpy_type.kind == "c",
        "is_floating_point": numpy_type.kind == "f",
        "is_signed": numpy_type.kind not in "bu",
        "itemsize": numpy_type.itemsize,
        "_numpy": numpy_type,
        "_rank": _RANK[numpy_type.kind],
        "_tensor_type": f"torch.{tensor_type}Tensor",
    }
    for attribute, value in values.items():
        object.__setattr__(made, attribute, value)
    _BY_NAME[name] = _BY_NUMPY[numpy_type] = made
    return made


float16 = half = _make("float16", "Half")
float32 = float = _make("float32", "Float")
float64 = double = _make("float64", "Double")
int8 = _make("int8", "Char")
int16 = short = _make("int16", "Short")
int32 = int = _make("int32", "Int")
int64 = long = _make("int64", "Long")
uint8 = _make("uint8", "Byte")
bool_ = _make("bool", "Bool")
complex64 = cfloat = _make("complex64", "ComplexFloat")
complex128 = cdouble = _make("complex128", "ComplexDouble")


def of(numpy_type: NumpyType) -> dtype:
    """The dtype of arrays of this NumPy type; TypeError where PyTorch has none."""
    try:
        return _BY_NUMPY[numpy_type]
    except KeyError:
        known = _BY_NUMPY.get(numpy_type.newbyteorder("="))
        if known is not None:
            return known
        supported = ", ".join(_BY_NAME)
        raise TypeError(
            f"can't convert np.ndarray of type numpy.{numpy_type.type.__name__}. "
            f"The only supported types are: {supported}."
        ) from None


def named(name: str) -> dtype:
    """The dtype called `name`, as in "float32"; KeyError where there is none."""
    return _BY_NAME[name]


def type_name(kind: dtype) -> str:
    """What `Tensor.type()` says, as in "torch.FloatTensor"."""
    return kind._tensor_type


def word(kind: dtype) -> str:
    """The dtype in PyTorch's messages, as in "Float"."""
    return kind._tensor_type.removeprefix("torch.").removesuffix("Tensor")


def c_name(kind: dtype) -> str:
    """What PyTorch's C++ calls the dtype, as in "float" or "long int"."""
    names = {"Long": "long int", "Bool": "bool", "Half": "c10::Half"}
    return names.get(word(kind), word(kind).lower())


_default = float32


def get_default_dtype() -> dtype:
    """The dtype of tensors made from Python floats."""
    return _default


def set_default_dtype(kind: dtype) -> None:
    """Make tensors from Python floats have this floating-point dtype from now on."""
    global _default
    if not isinstance(kind, dtype):
        raise TypeError(
            "invalid dtype object: only floating-point types are supported as the default type"
        )
    if not kind.is_floating_point:
        raise TypeError("only floating-point types are supported as the default type")
    _default = kind
    _known.clear()


def result_type(operands: Iterable[Operand]) -> NumpyType:
    """The NumPy type of what an op of these operands gives.

    Each operand is (NumPy type, number of axes, whether it is a Python number). Tensors with axes
    decide; 0-d tensors matter only where they are of a higher category (bool < integer < floating
    < complex), and Python numbers only where they are of a higher category than both.
    """
    with_axes = without = number = None
    for numpy_type, ndim, wrapped in operands:
        if ndim:
            with_axes = _joined(with_axes, numpy_type)
        elif wrapped:
            number = _joined(number, _of_number(numpy_type))
        else:
            without = _joined(without, numpy_type)
    found = _outranking(with_axes, _outranking(without, number))
    if found is None:
        raise ValueError("no operands")
    return found


_known: dict[tuple[object, ...], NumpyType] = {}


def binary_type(a: Operand, b: Operand) -> NumpyType:
    """`result_type` of two operands, quick in the usual cases and remembered in the others."""
    type_a, ndim_a, wrapped_a = a
    type_b, ndim_b, wrapped_b = b
    if type_a is type_b and not (wrapped_a and wrapped_b):
        return type_a
    key = (type_a, ndim_a > 0, wrapped_a, type_b, ndim_b > 0, wrapped_b)
    found = _known.get(key)
    if found is None:
        found = _known[key] = result_type((a, b))
    return found


def promote_types(a: dtype, b: dtype) -> dtype:
    """The smallest dtype that both can be turned into, by PyTorch's table."""
    return _BY_NUMPY[_promoted(a._numpy, b._numpy)]


def can_cast(source: dtype, target: dtype) -> builtins.bool:
    """Whether a result of one dtype may be written into a tensor of the other."""
    return source._rank <= target._rank


def _promoted(a: NumpyType, b: NumpyType) -> NumpyType:
    if a is b:
        return a
    low, high = sorted((a, b), key=lambda kind: _RANK[kind.kind])
    if _RANK[low.kind] < 2 <= _RANK[high.kind]:
        return high  # NumPy would look for a float in which every integer is exact
    return np.promote_types(low, high)


def _joined(so_far: NumpyType | None, numpy_type: NumpyType) -> NumpyType:
    return numpy_type if so_far is None else _promoted(so_far, numpy_type)


def _of_number(numpy_type: NumpyType) -> NumpyType:
    if numpy_type.kind == "f":
        return _default._numpy
    return _default.to_complex()._numpy if numpy_type.kind == "c" else numpy_type


def _outranking(first: NumpyType | None, second: NumpyType | None) -> NumpyType | None:
    """`first`, unless `second` is of a higher category."""
    if first is None or second is None:
        return second if first is None else first
    if first.kind == "f" and second.kind == "c":
        return _BY_NUMPY[first].to_complex()._numpy
    return second if _RANK[second.kind] > _RANK[first.kind] else first


class finfo:  # noqa: N801 - its name in PyTorch
    """The limits of a floating-point dtype; of the default dtype where none is given."""

    def __init__(self, type: dtype | None = None) -> None:
        kind = get_default_dtype() if type is None else _checked(type, "finfo")
        if kind._rank < 2:
            raise TypeError(
                "torch.finfo() requires a floating point input type. "
                "Use torch.iinfo to handle 'torch.finfo'"
            )
        limits = np.finfo(kind._numpy)
        self.dtype = kind.to_real().name
        self.bits = limits.bits
        self.max, self.min = builtins.float(limits.max), builtins.float(limits.min)
        self.eps = builtins.float(limits.eps)
        self.tiny = self.smallest_normal = builtins.float(limits.smallest_normal)
        self.resolution = builtins.float(f"1e-{limits.precision}")

    def __repr__(self) -> str:
        shown = ("resolution", "min", "max", "eps", "smallest_normal", "tiny")
        numbers = ", ".join(f"{name}={getattr(self, name):.6g}" for name in shown)
        return f"finfo({numbers}, dtype={self.dtype})"


class iinfo:  # noqa: N801 - its name in PyTorch
    """The limits of an integer dtype."""

    def __init__(self, type: dtype) -> None:
        kind = _checked(type, "iinfo")
        if kind._rank > 1:
            raise TypeError(
                "torch.iinfo() requires an integer input type. "
                "Use torch.finfo to handle 'torch.iinfo'"
            )
        if kind is bool_:
            raise TypeError("torch.bool is not supported by torch.iinfo")
        limits = np.iinfo(kind._numpy)
        self.dtype = kind.name
        self.bits = limits.bits
        self.max, self.min = builtins.int(limits.max), builtins.int(limits.min)

    def __repr__(self) -> str:
        return f"iinfo(min={self.min}, max={self.max}, dtype={self.dtype})"


def _checked(kind: object, caller: str) -> dtype:
    if not isinstance(kind, dtype):
        raise TypeError(
            f"{caller}(): argument 'type' (position 1) must be torch.dtype, "
            f"not {type(kind).__name__}"
        )
    return kind
