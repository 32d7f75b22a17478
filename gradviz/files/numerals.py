"""Arrays as JSON numbers that are read back to the same bits, and op parameters as JSON."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import EllipsisType
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from engine.op import Op
from engine.ops import OPS
from gradviz.files.codec import DTYPES
from gradviz.language import N_, _

Array = npt.NDArray[Any]
NOT_FINITE = ("nan", "inf", "-inf")  # JSON has no numbers for these
MAX_DIMENSIONS = 32

NOT_KEPT = N_("an array of {dtype} cannot be saved")
NOT_KEPT_PARAMETER = N_("a parameter of type {kind} cannot be saved")
NO_DTYPE = N_("there is no dtype “{dtype}”")
NO_SHAPE = N_("the shape {shape} is impossible")
WRONG_COUNT = N_("the shape {shape} needs {count} values, there are {found}")
WRONG_VALUE = N_("{value} is not a value of {dtype}")
OUT_OF_RANGE = N_("a value is out of the range of {dtype}")
NOT_A_NUMBER = N_("{value} is not a number")
NOT_A_PARAMETER = N_("{value} is not a parameter")


class ArrayForm(msgspec.Struct, forbid_unknown_fields=True):
    """An array in a file: its values in row-major order; complex ones as real, imaginary."""

    dtype: str
    shape: list[int]
    values: list[Any]


def array_form(array: Array) -> ArrayForm:
    """The form of an array. Raises ValueError for a dtype that files do not hold."""
    name = array.dtype.name
    if name not in DTYPES:
        raise ValueError(_(NOT_KEPT).format(dtype=name))
    flat = np.ascontiguousarray(array).reshape(-1)
    if flat.dtype.kind == "c":
        flat = flat.view(flat.real.dtype)
    values = _decimals(flat) if flat.dtype.kind == "f" else flat.tolist()
    return ArrayForm(name, list(array.shape), values)


def _decimals(flat: Array) -> list[Any]:
    """The shortest decimals, where they stand for the same number; else the exact ones."""
    exact = flat.astype(np.float64)
    if flat.dtype.itemsize < 8:
        short = flat.astype(str).astype(np.float64)
        exact = np.where(short.astype(flat.dtype) == flat, short, exact)
    values: list[Any] = exact.tolist()
    if not np.isfinite(exact).all():
        return [number if math.isfinite(number) else str(number) for number in values]
    return values


def array_of(form: ArrayForm) -> Array:
    """The array of a form. Raises ValueError where dtype, shape and values do not fit together."""
    if form.dtype not in DTYPES:
        raise ValueError(_(NO_DTYPE).format(dtype=form.dtype))
    if len(form.shape) > MAX_DIMENSIONS or min(form.shape, default=0) < 0:
        raise ValueError(_(NO_SHAPE).format(shape=form.shape))
    kind = np.dtype(form.dtype)
    count = math.prod(form.shape) * (2 if kind.kind == "c" else 1)
    if count != len(form.values):
        raise ValueError(
            _(WRONG_COUNT).format(shape=form.shape, count=count, found=len(form.values))
        )
    if kind.kind in "fc":
        numbers = np.array([_float(value) for value in form.values], np.float64)
        with np.errstate(over="ignore"):
            flat = numbers.astype(np.dtype(f"f{kind.itemsize // 2}") if kind.kind == "c" else kind)
        made = flat.view(kind)
    else:
        wanted = bool if kind.kind == "b" else int
        wrong = next((value for value in form.values if type(value) is not wanted), None)
        if wrong is not None:
            raise ValueError(_(WRONG_VALUE).format(value=repr(wrong), dtype=form.dtype))
        try:
            made = np.array(form.values, kind)
        except OverflowError:
            raise ValueError(_(OUT_OF_RANGE).format(dtype=form.dtype)) from None
    made = made.reshape(form.shape)
    made.flags.writeable = False
    return made


def _float(value: Any) -> float:
    if type(value) in (int, float):
        return float(value)
    if value in NOT_FINITE:
        return float(value)
    raise ValueError(_(NOT_A_NUMBER).format(value=repr(value)))


def param_form(value: Any) -> Any:
    """An op's parameter as JSON: sequences are lists, what JSON lacks is `{kind: …}`.

    Raises ValueError for what has no form.
    """
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float) and math.isfinite(value):
        return value
    if isinstance(value, (tuple, list)):
        return [param_form(item) for item in value]
    for kind, form in _FORMS.items():
        if isinstance(value, form.type):
            return {kind: form.write(value)}
    raise ValueError(_(NOT_KEPT_PARAMETER).format(kind=type(value).__name__))


def param_of(form: Any) -> Any:
    """The parameter of a form. Raises ValueError for a form that stands for nothing."""
    if isinstance(form, list):
        return tuple(param_of(item) for item in form)
    if not isinstance(form, dict):
        return form
    if len(form) == 1:
        ((kind, inside),) = form.items()
        if kind in _FORMS:
            with contextlib.suppress(TypeError, KeyError, AttributeError):
                return _FORMS[kind].read(inside)
    raise ValueError(_(NOT_A_PARAMETER).format(value=f"{form!r:.80}"))


def _float_of(inside: Any) -> float:
    return {name: float(name) for name in NOT_FINITE}[inside]


def _three(inside: Any) -> slice:
    start, stop, step = (param_of(part) for part in inside)
    return slice(start, stop, step)


def _dtype_of(inside: Any) -> np.dtype[Any]:
    if inside not in DTYPES:
        raise ValueError(_(NO_DTYPE).format(dtype=inside))
    found: np.dtype[Any] = np.dtype(str(inside))
    return found


@dataclass(frozen=True, slots=True)
class _Form:
    """How values of a type are written under their kind, and read again."""

    type: type
    write: Callable[[Any], Any]
    read: Callable[[Any], Any]


_FORMS = {
    "float": _Form(float, str, _float_of),
    "slice": _Form(slice, lambda s: [param_form(p) for p in (s.start, s.stop, s.step)], _three),
    "ellipsis": _Form(EllipsisType, lambda _value: True, lambda _inside: Ellipsis),
    "complex": _Form(complex, str, complex),
    "dtype": _Form(np.dtype, lambda dtype: dtype.name, _dtype_of),
    "array": _Form(np.ndarray, array_form, lambda i: array_of(msgspec.convert(i, ArrayForm))),
    "op": _Form(Op, lambda op: op.name, lambda inside: OPS[inside]),
    "mapping": _Form(
        Mapping,
        lambda found: {key: param_form(item) for key, item in found.items()},
        lambda inside: {key: param_of(item) for key, item in inside.items()},
    ),
}
