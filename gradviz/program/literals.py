"""Numbers and arrays written out, so that reading them gives the very same bits."""

from __future__ import annotations

import base64
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from gradviz.program.phrase import ATOM, SUM, UNARY, WIDTH, Phrase, tuple_text

Array = npt.NDArray[Any]
WRITTEN_OUT = 256  # elements that are written as numbers; of more, the bytes are
_PLAIN_KINDS = {"float32": "f", "int64": "i", "bool": "b", "complex64": "c"}


@dataclass(frozen=True, slots=True)
class Library:
    """How a library calls the makers of its arrays; `plain`: dtypes that a list of numbers gets."""

    name: str
    maker: str
    plain: frozenset[str]
    special: str = ""  # where its special functions are

    def dtype(self, kind: np.dtype[Any]) -> str:
        name = "bool" if kind.name == "bool" and self.name != "np" else kind.name
        return f"{self.name}.{'bool_' if name == 'bool' and self.name != 'torch' else name}"


TORCH = Library("torch", "torch.tensor", frozenset(_PLAIN_KINDS))
_OTHERS = frozenset({"float64", "int64", "bool", "complex128"})
NUMPY = Library("np", "np.array", _OTHERS, "special")
JAX = Library("jnp", "jnp.array", _OTHERS, "jax.scipy.special")
# As JAX is unless it is told otherwise: its numbers have 32 bits.
JAX_SINGLE = replace(JAX, plain=frozenset({"float32", "int32", "int64", "bool", "complex64"}))


def number(value: Any, library: Library) -> Phrase:
    """A Python number: 3, -0.5, 2j; infinities and nan by their names in the library."""
    if isinstance(value, (complex, np.complexfloating)):
        return _complex(complex(value), value)
    text = _real(value, library)
    return Phrase(text, UNARY if text.startswith("-") else ATOM, is_number=True)


def _real(value: Any, library: Library) -> str:
    if isinstance(value, (bool, np.bool_)):
        return str(bool(value))
    if isinstance(value, (int, np.integer)):
        return str(int(value))
    if np.isnan(value):
        return f"{library.name}.nan"
    if np.isinf(value):
        return f"{'-' if value < 0 else ''}{library.name}.inf"
    return shortest(value)


def shortest(value: Any) -> str:
    """The shortest decimal that is read as this number, by way of double precision."""
    if isinstance(value, np.floating) and value.dtype != np.float64:
        text = np.format_float_positional(value, unique=True, trim="0")
        if value and not 1e-5 < abs(value) < 1e16:
            text = np.format_float_scientific(value, unique=True, trim="-", exp_digits=1)
        if value.dtype.type(float(text)) == value:
            return text.replace("e+", "e")
    return repr(float(value))


def _complex(value: complex, given: Any) -> Phrase:
    whole = np.isfinite([value.real, value.imag]).all()
    signed = any(part == 0 and np.signbit(part) for part in (value.real, value.imag))
    parts = (given.real, given.imag)
    if not whole or signed:
        texts = [f'float("{p}")' if not np.isfinite(p) else shortest(p) for p in parts]
        return Phrase(f"complex({', '.join(texts)})", is_number=True)
    imaginary = f"{shortest(given.imag)}j"
    if value.real == 0 and not imaginary.startswith("-"):
        return Phrase(imaginary, is_number=True)
    sign = "" if imaginary.startswith("-") else "+"
    return Phrase(f"{shortest(given.real)}{sign}{imaginary}", SUM, is_number=True)


def array(data: Array, library: Library, *, leaf: bool = False) -> Phrase:
    """The array as the library's own; `leaf`: one whose gradient is wanted (PyTorch)."""
    wanted = ", requires_grad=True" if leaf else ""
    made = _structured(data, library, wanted)
    if made is not None:
        return Phrase(made)
    if data.size > WRITTEN_OUT:
        return Phrase(f"{library.maker}({_from_bytes(data)}{wanted})")
    dtype = "" if data.dtype.name in library.plain else f", dtype={library.dtype(data.dtype)}"
    if data.size == 0:
        size = tuple_text(data.shape)
        return Phrase(f"{library.name}.zeros({size}{_dtype(data, library)}{wanted})")
    return Phrase(f"{library.maker}({nested(data, library)}{dtype}{wanted})")


def ones(size: str, dtype: np.dtype[Any], library: Library) -> str:
    """An array of ones; the size is written already."""
    return f"{library.name}.ones({size}{_dtype(np.empty(0, dtype), library)})"


def _dtype(data: Array, library: Library) -> str:
    default = "float32" if "float32" in library.plain else "float64"
    return "" if data.dtype.name == default else f", dtype={library.dtype(data.dtype)}"


def _structured(data: Array, library: Library, wanted: str) -> str | None:
    """Zeros, ones, the identity and equal numbers, where there are more than a few."""
    if data.size <= 8 or data.dtype.kind not in "fiub":
        return None
    first = data.reshape(-1)[0]
    if (data.view(f"V{data.itemsize}") == first.view(f"V{data.itemsize}")).all():
        return _filled(first, data, library, wanted)
    square = data.ndim == 2 and data.shape[0] == data.shape[1]
    if square and data.tobytes() == np.eye(data.shape[0], dtype=data.dtype).tobytes():
        return f"{library.name}.eye({data.shape[0]}{_dtype(data, library)}{wanted})"
    return None


def _filled(value: Any, data: Array, library: Library, wanted: str) -> str | None:
    size, dtype = tuple_text(data.shape), _dtype(data, library)
    if data.dtype.kind == "b":
        dtype = f", dtype={library.dtype(data.dtype)}"
    if value == 1 or (value == 0 and not np.signbit(value * 1.0)):
        maker = "ones" if value == 1 else "zeros"
        return f"{library.name}.{maker}({size}{dtype}{wanted})"
    if not np.isfinite(value):
        return None
    dtype = f", dtype={library.dtype(data.dtype)}"
    if library is TORCH and data.dtype.name in ("float32", "int64"):
        dtype = ""
    return f"{library.name}.full({size}, {_real(value, library)}{dtype}{wanted})"


def _from_bytes(data: Array) -> str:
    """The bytes of the array in letters."""
    letters = base64.b64encode(np.ascontiguousarray(data).tobytes()).decode()
    width = WIDTH - 10
    rows = [f'    "{letters[at : at + width]}"' for at in range(0, len(letters), width)]
    joined = "\n".join(rows)
    name = "bool_" if data.dtype.name == "bool" else data.dtype.name
    made = f"np.frombuffer(base64.b64decode(\n{joined}\n), np.{name})"
    return made if data.ndim == 1 else f"{made}.reshape({', '.join(map(str, data.shape))})"


def nested(data: Array, library: Library) -> str:
    """Nested lists of numbers, on lines of their own where they are long."""
    flat = _lists(data, library)
    if len(flat) + 40 <= WIDTH or data.ndim == 0:
        return flat
    return _rows(data, library, "")


def _lists(data: Array, library: Library) -> str:
    if data.ndim == 0:
        return number(data[()], library).text
    return f"[{', '.join(_lists(part, library) for part in data)}]"


def _rows(data: Array, library: Library, indent: str) -> str:
    flat = _lists(data, library)
    if len(flat) + len(indent) + 1 <= WIDTH:
        return flat
    inner = f"{indent}    "
    if data.ndim > 1:
        parts = [f"{inner}{_rows(part, library, inner)}," for part in data]
    else:
        parts = _packed([_lists(part, library) for part in data], inner)
    return "\n".join(["[", *parts, f"{indent}]"])


def _packed(words: list[str], indent: str) -> list[str]:
    """Numbers one after the other, as many on a line as it holds."""
    lines = [indent]
    for word in words:
        if len(lines[-1]) + len(word) + 2 > WIDTH:
            lines.append(indent)
        lines[-1] += f"{'' if lines[-1] == indent else ' '}{word},"
    return lines
