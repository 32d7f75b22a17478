"""The small `numpy` and `math` that a script sees: arrays in, arrays out, no files."""

from __future__ import annotations

import math
import types
from collections.abc import Callable
from typing import Any

import numpy as np

from gradviz.script import classes, sizes
from gradviz.script.namespace import Namespace

FUNCTIONS = (
    "abs absolute add all allclose amax amin any append arange arccos arcsin arctan arctan2 argmax "
    "argmin argsort around array array_equal asarray atleast_1d atleast_2d broadcast_to cbrt ceil "
    "clip column_stack concatenate copy cos cosh count_nonzero cross cumprod cumsum deg2rad diag "
    "diff divide dot einsum empty empty_like equal exp exp2 expand_dims expm1 eye flip float_power "
    "floor floor_divide full full_like greater greater_equal gradient histogram hstack hypot "
    "identity inner interp isclose isfinite isinf isnan isscalar less less_equal linspace log "
    "log10 log1p log2 logaddexp logical_and logical_not logical_or logical_xor logspace matmul max "
    "maximum mean median meshgrid min minimum mod moveaxis multiply nan_to_num nanmax nanmean "
    "nanmin nansum negative nonzero not_equal ones ones_like outer percentile power prod quantile "
    "rad2deg ravel reciprocal remainder repeat reshape roll round shape sign sin sinc sinh size "
    "sort sqrt square squeeze stack std subtract sum swapaxes take tan tanh tensordot tile trace "
    "transpose trapezoid tril triu true_divide unique var vdot vstack where zeros zeros_like"
).split()
DTYPES = "float16 float32 float64 int8 int16 int32 int64 uint8 bool_ complex64 complex128".split()
KINDS = "generic number integer floating complexfloating".split()
LINALG = "cholesky cond det eig eigh eigvals eigvalsh inv lstsq matrix_rank norm pinv qr solve svd"
RANDOM = (
    "default_rng seed rand randn randint random random_sample uniform normal standard_normal "
    "choice permutation shuffle"
).split()
MATH = [name for name in vars(math) if not name.startswith("_")]


def _scalar_classes() -> dict[str, Any]:
    found = {name: getattr(np, name) for name in (*DTYPES, *KINDS)}
    classes.exposed.update(found.values())
    return {**found, "ndarray": classes.sealed(np.ndarray), "dtype": classes.sealed(np.dtype)}


def _linalg() -> Namespace:
    table: dict[str, Any] = {name: getattr(np.linalg, name) for name in LINALG.split()}
    classes.exposed.add(np.linalg.LinAlgError)
    return Namespace("numpy.linalg", {**table, "LinAlgError": np.linalg.LinAlgError})


def _random() -> Namespace:
    """NumPy loads its random numbers when they are first asked for, and so does this."""
    return Namespace("numpy.random", {name: getattr(np.random, name) for name in RANDOM})


def _ignored(*_args: Any, **_options: Any) -> None:
    """Print options would change how tensors print."""


def _from_bytes(buffer: bytes, dtype: Any = float) -> Any:
    """`numpy.frombuffer`, of bytes only: other buffers would share their memory."""
    if type(buffer) is not bytes:
        raise TypeError("numpy.frombuffer() takes bytes here")
    return np.frombuffer(buffer, dtype)


def numpy_namespace() -> Namespace:
    """`import numpy`."""
    late: dict[str, Callable[[], Any]] = {"linalg": _linalg, "random": _random}
    constants = {"pi": np.pi, "e": np.e, "inf": np.inf, "nan": np.nan, "newaxis": None}
    return Namespace(
        "numpy",
        {
            **{name: getattr(np, name) for name in FUNCTIONS if hasattr(np, name)},
            **_scalar_classes(),
            **constants,
            "frombuffer": _from_bytes,
            "set_printoptions": _ignored,
            "__version__": np.__version__,
        },
        late=late,
    )


def math_namespace() -> Namespace:
    """`import math`, with bounds on what could run for hours."""
    table: dict[str, Any] = {name: getattr(math, name) for name in MATH}
    assert not any(isinstance(value, types.ModuleType) for value in table.values())
    bounded = {"factorial": sizes.factorial, "comb": sizes.comb, "perm": sizes.perm}
    return Namespace("math", {**table, **bounded})
