"""`Formula`: run a rule on *names* and read off its text, its TeX, its value, and what it needs."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from engine.notation import CALLS, FUNCTIONS, UFUNCS, Text, call_text, text_of_number
from engine.op import Need, Op, Sample

_np: Any = np  # by its types, NumPy does not know that formulas dispatch its functions


class Formula:
    """A value that remembers how it was computed. NumPy's functions and operators work on it."""

    __slots__ = ("seen", "text", "uses", "value")
    __array_priority__ = 1000

    def __init__(self, value: Any, text: Text, uses: frozenset[Need], seen: set[Need]) -> None:
        self.value = np.asarray(value)
        self.text = text
        self.uses = uses
        self.seen = seen  # shared by all formulas of one reading: bare shapes that were asked for

    def __str__(self) -> str:
        return self.text.plain

    @property
    def tex(self) -> str:
        return self.text.tex

    @property
    def shape(self) -> tuple[int, ...]:
        self._asked()
        return self.value.shape

    @property
    def ndim(self) -> int:
        self._asked()
        return self.value.ndim

    @property
    def size(self) -> int:
        self._asked()
        return self.value.size

    @property
    def dtype(self) -> np.dtype[Any]:
        self._asked()
        return self.value.dtype

    def _asked(self) -> None:
        self.seen.update(("shape", need) for need in self.uses if isinstance(need, int))

    def _made(self, value: Any, text: Text, *others: Any) -> Formula:
        uses = self.uses.union(*(o.uses for o in others if isinstance(o, Formula)))
        return Formula(value, text, uses, self.seen)

    @staticmethod
    def _apply_op(op: Op, inputs: Sequence[Any], params: Mapping[str, Any]) -> Formula:
        """A row called within a rule."""
        value = op.forward(*(bare(item) for item in inputs), **params)
        texts = [text_of(item) for item in inputs]
        render = CALLS.get(op.name)
        text = render(texts, params) if render else call_text(op.name, texts)
        return _combined(value, text, inputs)

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any) -> Any:
        if method != "__call__":
            return NotImplemented
        value = ufunc(*(bare(item) for item in inputs), **kwargs)
        texts = [text_of(item) for item in inputs]
        render = UFUNCS.get(ufunc)
        text = render(*texts) if render else call_text(ufunc.__name__, texts)
        return _combined(value, text, inputs)

    def __array_function__(
        self, func: Callable[..., Any], types: Any, args: Any, kwargs: Any
    ) -> Any:
        value = func(*(_bare_all(a) for a in args), **{k: _bare_all(v) for k, v in kwargs.items()})
        flat = [a for arg in args for a in (arg if isinstance(arg, (list, tuple)) else (arg,))]
        if not any(isinstance(a, Formula) for a in flat):
            return value
        if func is np.broadcast_to and np.shape(value) == flat[0].value.shape:
            return flat[0]
        named = [text_of(a) for a in flat if isinstance(a, (Formula, int, float, np.generic))]
        render = FUNCTIONS.get(func.__name__)
        text = render(*named) if render else call_text(func.__name__, named)
        return _combined(value, text, flat)

    def __add__(self, other: Any) -> Any:
        return _np.add(self, other)

    def __radd__(self, other: Any) -> Any:
        return _np.add(other, self)

    def __sub__(self, other: Any) -> Any:
        return _np.subtract(self, other)

    def __rsub__(self, other: Any) -> Any:
        return _np.subtract(other, self)

    def __mul__(self, other: Any) -> Any:
        return _np.multiply(self, other)

    def __rmul__(self, other: Any) -> Any:
        return _np.multiply(other, self)

    def __truediv__(self, other: Any) -> Any:
        return _np.true_divide(self, other)

    def __rtruediv__(self, other: Any) -> Any:
        return _np.true_divide(other, self)

    def __pow__(self, other: Any) -> Any:
        return _np.power(self, other)

    def __rpow__(self, other: Any) -> Any:
        return _np.power(other, self)

    def __matmul__(self, other: Any) -> Any:
        return _np.matmul(self, other)

    def __rmatmul__(self, other: Any) -> Any:
        return _np.matmul(other, self)

    def __neg__(self) -> Any:
        return _np.negative(self)

    def __gt__(self, other: Any) -> Any:
        return _np.greater(self, other)

    def __lt__(self, other: Any) -> Any:
        return _np.less(self, other)

    def __ge__(self, other: Any) -> Any:
        return _np.greater_equal(self, other)

    def __le__(self, other: Any) -> Any:
        return _np.less_equal(self, other)

    def __eq__(self, other: object) -> Any:
        return _np.equal(self, other)

    def __ne__(self, other: object) -> Any:
        return _np.not_equal(self, other)

    def __and__(self, other: Any) -> Any:
        return _np.bitwise_and(self, other)

    def __or__(self, other: Any) -> Any:
        return _np.bitwise_or(self, other)

    def __getitem__(self, key: Any) -> Any:
        return self._made(self.value[key], self.text)

    __hash__ = None  # type: ignore[assignment]  # equality is elementwise, as for arrays

    def sum(self, axis: Any = None, keepdims: bool = False) -> Any:
        return _np.sum(self, axis=axis, keepdims=keepdims)

    def reshape(self, *shape: Any) -> Any:
        return _np.reshape(self, shape[0] if len(shape) == 1 else shape)

    def astype(self, dtype: Any, copy: bool = True) -> Formula:
        return self._made(self.value.astype(dtype), self.text)


def bare(item: Any) -> Any:
    """The value of a formula; anything else as it is."""
    return item.value if isinstance(item, Formula) else item


def _bare_all(item: Any) -> Any:
    return type(item)(bare(i) for i in item) if isinstance(item, (list, tuple)) else bare(item)


def _combined(value: Any, text: Text, inputs: Sequence[Any]) -> Formula:
    formulas = [item for item in inputs if isinstance(item, Formula)]
    return formulas[0]._made(value, text, *formulas[1:])


def text_of(item: Any) -> Text:
    """How an operand of a rule is written."""
    return item.text if isinstance(item, Formula) else text_of_number(item)


COTANGENT = Text("ȳ", r"\bar{y}")


def read(
    op: Op,
    slot: int,
    g: Any,
    y: Any,
    inputs: Sequence[Any],
    params: Mapping[str, Any],
    *,
    names: Sequence[Text] | None = None,
) -> tuple[Formula, frozenset[Need]]:
    """Run one rule on names: its formula, and which values and shapes it read.

    `g`, `y` and `inputs` are arrays; `names` (for g, y and each input) replaces the names in the
    rule's own signature. Raises TypeError for a slot without a pullback.
    """
    rule = op.pullback(slot)
    if rule is None:
        raise TypeError(f"{op.name} sends no gradient to input {slot}")
    seen: set[Need] = set()
    texts = list(names) if names is not None else signature_names(op, len(inputs))
    needs: list[frozenset[Need]] = [frozenset(), frozenset({"y"})]
    needs += [frozenset({number}) for number in range(len(inputs))]
    formulas = [
        Formula(value, text, need, seen)
        for value, text, need in zip([g, y, *inputs], texts, needs, strict=True)
    ]
    kept = op.extra(y, *inputs, **params) if op.extra is not None else {}
    result = rule(*formulas, **params, **kept)
    if not isinstance(result, Formula):
        result = Formula(result, text_of(result), frozenset(), seen)
    return result, result.uses | frozenset(seen)


def signature_names(op: Op, count: int) -> list[Text]:
    """Texts for g, y and the inputs, from the argument names of the op's first rule."""
    rule = next(rule for rule in op.pullbacks if rule is not None)
    arguments = [
        name
        for name, p in inspect.signature(rule).parameters.items()
        if p.kind is inspect.Parameter.POSITIONAL_OR_KEYWORD
    ]
    inputs = arguments[2:]
    rest = count - len(inputs)
    if rest > 0:  # `*xs` are called x1, x2, …
        letter = next(
            (
                name[0]
                for name, p in inspect.signature(rule).parameters.items()
                if p.kind is inspect.Parameter.VAR_POSITIONAL
            ),
            "x",
        )
        inputs += [f"{letter}{number + 1}" for number in range(rest)]
    named = [Text(n, n if len(n) == 1 else _subscripted(n)) for n in inputs[:count]]
    return [COTANGENT, Text("y", "y"), *named]


def _subscripted(name: str) -> str:
    head, digits = name.rstrip("0123456789"), name[len(name.rstrip("0123456789")) :]
    letters = head if len(head) == 1 else rf"\mathrm{{{head}}}"
    return f"{letters}_{{{digits}}}" if digits else letters


def needs_of(op: Op, slot: int, count: int) -> frozenset[Need]:
    """What the rule of a slot reads, found by running it once on a small sample."""
    sample = sample_for(op, count)
    arrays = sample.arrays()
    y = np.asarray(op.forward(*arrays, **sample.params))
    _, needs = read(op, slot, np.ones_like(y), y, arrays, sample.params)
    return needs


def sample_for(op: Op, count: int) -> Sample:
    """The op's first sample with that many inputs, or vectors of two."""
    for sample in op.samples:
        if len(sample.inputs) == count:
            return sample
    if op.samples and op.variadic:
        first = op.samples[0]
        return Sample((first.inputs[0],) * count, first.params)
    return Sample(((2,),) * count)
