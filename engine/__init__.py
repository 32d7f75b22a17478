"""A NumPy autodiff engine with PyTorch's face: `import engine as torch`."""

from typing import Any as _Any

from engine import autograd, linalg, methods, nn, optim, random
from engine.dtypes import (
    Size,
    bool_,
    can_cast,
    cdouble,
    cfloat,
    complex64,
    complex128,
    dtype,
    finfo,
    float16,
    float32,
    float64,
    get_default_dtype,
    half,
    iinfo,
    int8,
    int16,
    int32,
    int64,
    long,
    promote_types,
    set_default_dtype,
    short,
    uint8,
)
from engine.dtypes import double as double
from engine.dtypes import float as float
from engine.dtypes import int as int
from engine.functions.creation import (
    arange,
    as_tensor,
    empty,
    empty_like,
    eye,
    from_numpy,
    full,
    linspace,
    ones,
    ones_like,
    rand,
    rand_like,
    randn,
    randn_like,
    tensor,
    zeros,
    zeros_like,
)
from engine.functions.drawing import full_like, normal, randint, randperm
from engine.functions.pieces import Device as device  # noqa: N813
from engine.printing import set_printoptions
from engine.random import Generator, initial_seed, manual_seed, seed
from engine.record import record
from engine.state import enable_grad, is_grad_enabled, no_grad, set_grad_enabled
from engine.tensor import Tensor

methods.attach()
bool = bool_
inf, nan, pi, e = (
    float64._numpy.type("inf").item(),
    float64._numpy.type("nan").item(),
    3.141592653589793,
    2.718281828459045,
)


def is_tensor(obj: _Any) -> "_Any":
    """Whether the object is a tensor."""
    return isinstance(obj, Tensor)


def result_type(tensor1: _Any, tensor2: _Any) -> dtype:
    """The dtype of what an op of the two operands gives."""
    from engine import dtypes
    from engine.tensor import as_tensor as operand

    pair = [operand(tensor1), operand(tensor2)]
    found = dtypes.result_type([(t._array.dtype, t._array.ndim, t._wrapped) for t in pair])
    return dtypes.of(found)


_TORCH = [
    "Generator",
    "Size",
    "Tensor",
    "arange",
    "as_tensor",
    "autograd",
    "bool",
    "can_cast",
    "cdouble",
    "cfloat",
    "complex128",
    "complex64",
    "device",
    "double",
    "dtype",
    "e",
    "empty",
    "empty_like",
    "enable_grad",
    "eye",
    "finfo",
    "float",
    "float16",
    "float32",
    "float64",
    "from_numpy",
    "full",
    "full_like",
    "get_default_dtype",
    "half",
    "iinfo",
    "inf",
    "initial_seed",
    "int",
    "int16",
    "int32",
    "int64",
    "int8",
    "is_grad_enabled",
    "is_tensor",
    "linalg",
    "linspace",
    "long",
    "manual_seed",
    "nan",
    "nn",
    "no_grad",
    "normal",
    "ones",
    "ones_like",
    "optim",
    "pi",
    "promote_types",
    "rand",
    "rand_like",
    "randint",
    "randn",
    "randn_like",
    "random",
    "randperm",
    "result_type",
    "seed",
    "set_default_dtype",
    "set_grad_enabled",
    "set_printoptions",
    "short",
    "tensor",
    "uint8",
    "zeros",
    "zeros_like",
]
globals().update(methods.FUNCTIONS)
__all__ = [*_TORCH, *methods.FUNCTIONS]
