"""`Traced`: run an op's NumPy on *names* and read off the NumPy that it was.

The value is computed along, so that shapes, dtypes and the branches of a rule are those of the
diagram at hand. What leaves the array functions of NumPy, as a loop over elements, cannot be
followed and raises.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np

from engine.op import Op
from gradviz.program import literals, phrase, templates
from gradviz.program.literals import Library
from gradviz.program.operators import Operators
from gradviz.program.phrase import Phrase

Inner = Callable[[Op, Sequence["Traced"], Mapping[str, Any]], "Traced | None"]
_FLAGS = SimpleNamespace(c_contiguous=True, writeable=True)
_INFIX: Mapping[np.ufunc, tuple[str, int]] = {
    np.add: ("+", phrase.SUM),
    np.subtract: ("-", phrase.SUM),
    np.multiply: ("*", phrase.PRODUCT),
    np.true_divide: ("/", phrase.PRODUCT),
    np.floor_divide: ("//", phrase.PRODUCT),
    np.remainder: ("%", phrase.PRODUCT),
    np.matmul: ("@", phrase.PRODUCT),
    np.bitwise_and: ("&", phrase.BIT_AND),
    np.bitwise_or: ("|", phrase.BIT_OR),
}
_COMPARED: Mapping[np.ufunc, str] = {
    np.greater: ">",
    np.less: "<",
    np.greater_equal: ">=",
    np.less_equal: "<=",
    np.equal: "==",
    np.not_equal: "!=",
}
_SAME_SHAPE = ("broadcast_to", "reshape")


class Untraceable(TypeError):
    """The op does something that is no function of whole arrays."""


class Traced(Operators):
    """An array and how it is written. NumPy's functions and operators work on it."""

    __array_priority__ = 1000

    def __init__(
        self, value: Any, text: Phrase, library: Library, inner: Inner | None = None
    ) -> None:
        self.value = np.asarray(value)
        self.text = text
        self.library = library
        self.inner = inner  # how rows within rules are written

    def __array__(self, *_args: Any, **_named: Any) -> Any:
        raise Untraceable

    def _made(self, value: Any, text: Phrase) -> Traced:
        return Traced(value, text, self.library, self.inner)

    @staticmethod
    def _apply_op(op: Op, inputs: Sequence[Any], params: Mapping[str, Any]) -> Any:
        """A row called within a rule."""
        first = next(item for item in inputs if isinstance(item, Traced))
        given = [item if isinstance(item, Traced) else first.constant(item) for item in inputs]
        made = first.inner(op, given, params) if first.inner is not None else None
        return op.forward(*given, **params) if made is None else made

    def constant(self, item: Any) -> Traced:
        """A bare number or array of a rule."""
        return self._made(item, self._written(item))

    def _written(self, item: Any) -> Phrase:
        """An operand or argument as text."""
        if isinstance(item, Traced):
            return item.text
        if isinstance(item, (list, tuple)):
            inside = [self._written(each).text for each in item]
            return Phrase(
                f"[{', '.join(inside)}]"
                if isinstance(item, list)
                else (phrase.tuple_text(inside) if inside else "()")
            )
        if isinstance(item, type) and issubclass(item, np.generic):
            return Phrase(self.library.dtype(np.dtype(item)))
        if isinstance(item, np.ndarray) and item.ndim:
            return literals.array(item, self.library)
        if isinstance(item, (np.ndarray, np.generic)):
            item = item[()] if isinstance(item, np.ndarray) else item
            return literals.number(item.item(), self.library)
        if item is None or isinstance(item, (str, bool, np.dtype)):
            return Phrase(templates.value(item, self.library))
        return literals.number(item, self.library)

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any) -> Any:
        if method == "reduce" and ufunc is np.add:
            axis = inputs[1] if len(inputs) > 1 else kwargs.get("axis", 0)
            return self.sum(axis=axis, keepdims=bool(inputs[4]) if len(inputs) > 4 else False)
        if method != "__call__" or kwargs:
            raise Untraceable
        value = ufunc(*(bare(item) for item in inputs))
        if isinstance(value, tuple):
            raise Untraceable
        return self._made(value, self._called(ufunc, [self._written(item) for item in inputs]))

    def _called(self, ufunc: np.ufunc, texts: list[Phrase]) -> Phrase:
        if ufunc in _INFIX:
            sign, binds = _INFIX[ufunc]
            return phrase.infix(texts[0], sign, texts[1], binds)
        if ufunc in _COMPARED:
            place = phrase.COMPARISON + 1
            left, right = (text.within(place) for text in texts)
            return Phrase(f"{left} {_COMPARED[ufunc]} {right}", phrase.COMPARISON)
        if ufunc is np.power:
            return phrase.power(texts[0], texts[1])
        if ufunc is np.negative:
            return phrase.prefix("-", texts[0])
        if ufunc is np.invert:
            return phrase.prefix("~", texts[0])
        return phrase.call(_module(ufunc, self.library), *(text.text for text in texts))

    def __array_function__(
        self, func: Callable[..., Any], types: Any, args: Any, kwargs: Any
    ) -> Any:
        named = {key: item for key, item in kwargs.items() if not _is_default(key, item)}
        value = func(*(_bare_all(a) for a in args), **{k: _bare_all(v) for k, v in named.items()})
        if isinstance(value, (tuple, list)) or not isinstance(value, (np.ndarray, np.generic)):
            if func.__name__ in ("shape", "ndim", "size"):
                return value
            raise Untraceable
        name = func.__name__
        if "kind" in named and self.library.name == "jnp":  # which JAX's sorting does not have
            raise Untraceable
        if name in _SAME_SHAPE and np.shape(value) == np.shape(bare(args[0])):
            return args[0]
        texts = [self._written(a).text for a in args]
        texts += [f"{key}={self._written(item).text}" for key, item in named.items()]
        return self._made(value, phrase.call(_module(func, self.library), *texts))

    # What arrays have

    @property
    def shape(self) -> tuple[int, ...]:
        return self.value.shape

    @property
    def ndim(self) -> int:
        return self.value.ndim

    @property
    def size(self) -> int:
        return self.value.size

    @property
    def dtype(self) -> np.dtype[Any]:
        return self.value.dtype

    @property
    def flags(self) -> Any:
        return _FLAGS

    @property
    def T(self) -> Traced:  # noqa: N802  NumPy's name
        return self._made(self.value.T, Phrase(f"{self.text.owner}.T"))

    @property
    def real(self) -> Traced:
        if self.value.dtype.kind != "c":
            return self
        return self._made(self.value.real, Phrase(f"{self.text.owner}.real"))

    @property
    def imag(self) -> Traced:
        return self._made(self.value.imag, Phrase(f"{self.text.owner}.imag"))

    def __getitem__(self, key: Any) -> Traced:
        items = key if isinstance(key, tuple) else (key,)
        value = self.value[tuple(bare(item) for item in items)]
        parts = [
            self._written(item).text if isinstance(item, (Traced, np.ndarray)) else item
            for item in items
        ]
        return self._made(value, Phrase(f"{self.text.owner}[{templates.key(parts)}]"))

    def __bool__(self) -> bool:
        raise Untraceable

    def sum(
        self, axis: Any = None, dtype: Any = None, out: None = None, keepdims: bool = False
    ) -> Any:
        return self._method("sum", axis=axis, keepdims=keepdims)

    def _method(self, name: str, **named: Any) -> Traced:
        given = {key: item for key, item in named.items() if not _is_default(key, item)}
        if "axis" in given and isinstance(given["axis"], tuple) and len(given["axis"]) == 1:
            given["axis"] = given["axis"][0]
        value = getattr(self.value, name)(**given)
        texts = [f"{key}={self._written(item).text}" for key, item in given.items()]
        return self._made(value, phrase.call(f"{self.text.owner}.{name}", *texts))

    def reshape(self, *shape: Any, **_order: Any) -> Traced:
        size = shape[0] if len(shape) == 1 and isinstance(shape[0], tuple) else shape
        value = self.value.reshape(size)
        if value.shape == self.value.shape:
            return self
        sizes = ", ".join(map(str, size)) or "()"
        return self._made(value, Phrase(f"{self.text.owner}.reshape({sizes})"))

    def ravel(self) -> Traced:
        return self.reshape(-1)

    def squeeze(self, axis: Any = None) -> Traced:
        return self._method("squeeze", axis=axis)

    def copy(self, order: str = "C") -> Traced:
        return self._method("copy")

    def astype(self, dtype: Any, copy: bool = True) -> Traced:
        made = self.value.astype(dtype)
        if made.dtype == self.value.dtype:
            return self
        kind = self.library.dtype(made.dtype)
        return self._made(made, Phrase(f"{self.text.owner}.astype({kind})"))


def bare(item: Any) -> Any:
    """The value of a traced array; anything else as it is."""
    return item.value if isinstance(item, Traced) else item


def _bare_all(item: Any) -> Any:
    return type(item)(bare(i) for i in item) if isinstance(item, (list, tuple)) else bare(item)


def _is_default(name: str, item: Any) -> bool:
    return name in ("axis", "dtype", "keepdims", "out") and (item is None or item is False)


def _module(func: Any, library: Library) -> str:
    """The name of a NumPy or SciPy function in a program."""
    name, home = func.__name__, getattr(func, "__module__", None) or ""
    if name.startswith("_"):
        raise Untraceable
    if isinstance(func, np.ufunc):
        name = _LONG.get(name, name)
        return f"{library.name}.{name}" if hasattr(np, name) else _special(name, library)
    if home.startswith("numpy.linalg"):
        return f"{library.name}.linalg.{name}"
    if home.startswith("numpy.fft"):
        return f"{library.name}.fft.{name}"
    if home.startswith("scipy.special"):
        return _special(name, library)
    if not hasattr(np, name):
        raise Untraceable
    return f"{library.name}.{name}"


_LONG = {"absolute": "abs"}
# Those that JAX has, too.
_JAX_SPECIAL = frozenset(
    """
    betainc betaln digamma entr erf erfc erfcx erfinv expit gamma gammainc gammaincc gammaln i0 i0e
    i1 i1e log_ndtr log_softmax logit logsumexp multigammaln ndtr ndtri polygamma softmax spence
    xlog1py xlogy zeta
    """.split()  # noqa: SIM905  a long table of names reads better as text
)


def _special(name: str, library: Library) -> str:
    if library.name == "jnp" and name not in _JAX_SPECIAL:
        raise Untraceable
    return f"{library.special}.{name}"
