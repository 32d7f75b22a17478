"""`Tensor` and `apply`: eager evaluation that keeps the history which the reverse pass follows."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from engine import dtypes, errors
from engine.op import Op, Plan, Shaped
from engine.record import ACTIVE
from engine.state import STATE, next_sequence

Array = npt.NDArray[Any]
_FLOATING = frozenset("fc")


class Node:
    """One op in the history: where cotangents go next, and what the rules need to send them on.

    `edges[slot]` is the node or leaf behind an input, with the number of its output, or None.
    `inputs` and `output` hold what `plan` says is read: arrays, `Shaped` stand-ins, or None.
    """

    __slots__ = (
        "__weakref__",
        "casts",
        "counters",
        "edges",
        "entry",
        "freed",
        "inputs",
        "op",
        "output",
        "params",
        "plan",
        "retained",
        "sequence",
        "shapes",
        "versions",
    )

    def __init__(
        self, op: Op, params: Mapping[str, Any], plan: Plan, edges: tuple[Edge | None, ...]
    ) -> None:
        self.op = op
        self.params = params
        self.plan = plan
        self.edges = edges
        self.sequence = next_sequence()
        self.freed = False
        self.entry: int | None = None
        self.retained: Tensor | None = None
        self.inputs: tuple[Any, ...] = ()
        self.output: Array | None = None
        self.shapes: tuple[tuple[int, ...], ...] = ()
        self.casts: tuple[np.dtype[Any], ...] = ()
        self.counters: tuple[list[int] | None, ...] = ()
        self.versions: tuple[int, ...] = ()

    def name(self) -> str:
        """PyTorch's name of this node, as in `PowBackward0`."""
        return self.op.node_name(self.params)

    @property
    def next_functions(self) -> tuple[tuple[Node | Leaf | None, int], ...]:
        """The nodes that this one sends cotangents to, with the number of their output."""
        return tuple((edge, 0) for edge in self.edges)

    def keeps_arrays(self) -> bool:
        """Whether anything was saved that a first backward call frees."""
        return self.plan.output or any(self.plan.values)

    def __repr__(self) -> str:
        return f"<{self.name()} object at {id(self):#x}>"


class Leaf:
    """The end of the history at a tensor that requires grad: here `.grad` accumulates."""

    __slots__ = ("__weakref__", "variable")

    def __init__(self, variable: Tensor) -> None:
        self.variable = variable

    def name(self) -> str:
        """PyTorch's name of this node."""
        return "AccumulateGrad"

    @property
    def next_functions(self) -> tuple[()]:
        """Nothing comes after a leaf."""
        return ()

    def __repr__(self) -> str:
        return f"<AccumulateGrad object at {id(self):#x}>"


Edge = Node | Leaf


class Tensor:
    """An array with PyTorch's face. Invariant: a tensor with history requires grad."""

    __slots__ = (
        "__weakref__",
        "_array",
        "_counter",
        "_grad",
        "_leaf",
        "_node",
        "_requires_grad",
        "_retains_grad",
        "_wrapped",
    )
    __array_priority__ = 1000
    __hash__ = object.__hash__

    if TYPE_CHECKING:  # operators and methods are attached by engine.methods

        def __getattr__(self, name: str) -> Any: ...

    def __init__(self, array: Array, *, requires_grad: bool = False) -> None:
        self._array = array
        self._counter = [0]
        self._grad: Tensor | None = None
        self._leaf: Leaf | None = None
        self._node: Node | None = None
        self._requires_grad = requires_grad
        self._retains_grad = False
        self._wrapped = False

    @staticmethod
    def _apply_op(op: Op, inputs: Sequence[Any], params: Mapping[str, Any]) -> Tensor:
        return apply(op, tuple(as_tensor(item) for item in inputs), params)

    # What it is

    @property
    def shape(self) -> dtypes.Size:
        return dtypes.Size(self._array.shape)

    @property
    def ndim(self) -> int:
        return self._array.ndim

    @property
    def dtype(self) -> dtypes.dtype:
        return dtypes.of(self._array.dtype)

    @property
    def _version(self) -> int:
        return self._counter[0]

    @property
    def is_leaf(self) -> bool:
        return self._node is None

    @property
    def grad_fn(self) -> Node | None:
        return self._node

    @property
    def retains_grad(self) -> bool:
        return self._retains_grad

    @property
    def requires_grad(self) -> bool:
        return self._requires_grad

    @requires_grad.setter
    def requires_grad(self, wanted: bool) -> None:
        if self._node is not None:
            if not wanted:
                raise RuntimeError(errors.CHANGE_NON_LEAF_OFF)
            raise RuntimeError(errors.CHANGE_NON_LEAF)
        if wanted and self._array.dtype.kind not in _FLOATING:
            raise RuntimeError(errors.ONLY_FLOATING_SET)
        self._requires_grad = bool(wanted)

    def requires_grad_(self, requires_grad: bool = True) -> Tensor:
        """Set whether this leaf requires grad. Raises RuntimeError as PyTorch does."""
        if self._node is not None:
            if not requires_grad:
                raise RuntimeError(errors.CHANGE_NON_LEAF_OFF)
            return self
        if requires_grad and self._array.dtype.kind not in _FLOATING:
            raise RuntimeError(errors.ONLY_FLOATING_METHOD)
        self._requires_grad = bool(requires_grad)
        return self

    # Gradients

    @property
    def grad(self) -> Tensor | None:
        if self._node is not None and not self._retains_grad and self._grad is None:
            warnings.warn(errors.NON_LEAF_GRAD, UserWarning, stacklevel=2)
        return self._grad

    @grad.setter
    def grad(self, value: Tensor | None) -> None:
        if value is not None:
            errors.check_assigned_grad(self, value)
        elif self._grad is not None and ACTIVE.record is not None:
            ACTIVE.record.grad_cleared(self)
        self._grad = value

    @grad.deleter
    def grad(self) -> None:
        self.grad = None

    def retain_grad(self) -> None:
        """Keep this result's gradient in `.grad` during backward, as a leaf's is kept."""
        if not self._requires_grad:
            raise RuntimeError(errors.RETAIN_WITHOUT_GRAD)
        if self._node is not None:
            self._retains_grad = True
            self._node.retained = self

    def backward(
        self,
        gradient: Tensor | None = None,
        retain_graph: bool | None = None,
        create_graph: bool = False,
        inputs: Sequence[Tensor] | Tensor | None = None,
    ) -> None:
        """Accumulate into each leaf's `.grad` the product of `gradient` with the Jacobian.

        `gradient` has this tensor's shape and may be left out where it has one element.
        Raises RuntimeError and TypeError with PyTorch's messages.
        """
        from engine.autograd import backward

        backward(self, gradient, retain_graph, create_graph, inputs=inputs)

    def detach(self) -> Tensor:
        """The same memory without history."""
        out = Tensor(self._array)
        out._counter = self._counter
        if ACTIVE.record is not None:
            ACTIVE.record.applied("detach", (self,), {}, out)
        return out

    @property
    def data(self) -> Tensor:
        return Tensor(self._array)

    @data.setter
    def data(self, value: Tensor) -> None:
        self._array = value._array
        if ACTIVE.record is not None:
            ACTIVE.record.forget(self)

    # Out of the engine

    def numpy(self) -> Array:
        """The array itself, memory shared. Raises RuntimeError where the tensor requires grad."""
        if self._requires_grad and STATE.grad_enabled:
            raise RuntimeError(errors.NUMPY_WITH_GRAD)
        return self._array

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        array = self.numpy()
        return array if dtype is None else array.astype(dtype)

    def tolist(self) -> Any:
        """Nested lists of Python numbers."""
        return self._array.tolist()

    def item(self) -> Any:
        """The only element as a Python number. Raises RuntimeError for any other count."""
        if self._array.size != 1:
            raise RuntimeError(errors.NOT_A_SCALAR.format(n=self._array.size))
        return self._array.item()

    def __bool__(self) -> bool:
        if self._array.size != 1:
            raise RuntimeError(
                errors.AMBIGUOUS_BOOL if self._array.size else errors.EMPTY_BOOL
            )
        return bool(self._array.item())

    def __float__(self) -> float:
        return float(self._one_number())

    def __int__(self) -> int:
        return int(self._one_number())

    def __complex__(self) -> complex:
        return complex(self._one_number())

    def __index__(self) -> int:
        if self._array.dtype.kind not in "iu" or self._array.size != 1:
            raise TypeError(errors.NOT_AN_INDEX)
        return int(self._array.item())

    def _one_number(self) -> Any:
        if self._array.size != 1:
            raise ValueError(errors.ONE_ELEMENT)
        if self._requires_grad and STATE.grad_enabled:
            errors.warn_scalar_conversion()
        return self._array.item()

    def __len__(self) -> int:
        if not self._array.ndim:
            raise TypeError("len() of a 0-d tensor")
        return len(self._array)

    def __repr__(self) -> str:
        from engine.printing import tensor_text

        name = self._node.name() if self._node is not None else None
        return tensor_text(self._array, requires_grad=self._requires_grad, grad_fn_name=name)

    def __format__(self, spec: str) -> str:
        if not spec:
            return repr(self)
        if self._array.ndim == 0:
            return format(self._array.item(), spec)
        return object.__format__(self, spec)


def leaf_of(tensor: Tensor) -> Leaf:
    """The end of history of a leaf, the same one each time."""
    leaf = tensor._leaf
    if leaf is None:
        leaf = tensor._leaf = Leaf(tensor)
    return leaf


def as_tensor(value: Any) -> Tensor:
    """A tensor as it is; a Python number wrapped so that it does not widen the result's dtype."""
    if isinstance(value, Tensor):
        return value
    if isinstance(value, (bool, int, float, complex)):
        out = Tensor(np.asarray(value))
        out._wrapped = True
        return out
    if isinstance(value, (np.ndarray, np.generic)):
        return Tensor(np.asarray(value))
    raise TypeError(f"expected a Tensor or a number, got {type(value).__name__}")


def _promoted(op: Op, inputs: tuple[Tensor, ...]) -> list[Array]:
    arrays = [t._array for t in inputs]
    if op.promote == "none":
        return arrays
    first = arrays[0].dtype
    if any(a.dtype != first for a in arrays):
        first = dtypes.result_type([(t._array.dtype, t._array.ndim, t._wrapped) for t in inputs])
    elif all(t._wrapped for t in inputs) and first.kind == "f":
        first = dtypes.get_default_dtype()._numpy
    if op.promote == "float" and first.kind not in _FLOATING:
        first = dtypes.get_default_dtype()._numpy
    return [a if a.dtype == first else a.astype(first) for a in arrays]


def apply(op: Op, inputs: tuple[Tensor, ...], params: Mapping[str, Any]) -> Tensor:
    """Evaluate an op and, where an input requires grad, remember how to go back.

    Raises what the op raises on these shapes and dtypes.
    """
    log = ACTIVE.record
    try:
        arrays = _promoted(op, inputs)
        with np.errstate(all="ignore"):
            y = op.forward(*arrays, **params)
    except Exception as error:
        if log is not None:
            log.refused(op.name, inputs, params, error)
        raise
    if type(y) is not np.ndarray:
        y = np.asarray(y)
    out = Tensor(y)
    if STATE.grad_enabled and y.dtype.kind in _FLOATING:
        _remember(op, inputs, params, arrays, out)
    if log is not None:
        log.applied(op.name, inputs, params, out)
    return out


def _remember(
    op: Op,
    inputs: tuple[Tensor, ...],
    params: Mapping[str, Any],
    arrays: list[Array],
    out: Tensor,
) -> None:
    """Give `out` its history, if any input that gradients can reach requires grad."""
    wanted = tuple(
        [
            t._requires_grad and op.pullbacks[0 if op.variadic else slot] is not None
            for slot, t in enumerate(inputs)
        ]
    )
    if True not in wanted:
        return
    plan = op.plan(wanted)
    node = Node(
        op,
        params,
        plan,
        tuple(
            [
                (t._node if t._node is not None else leaf_of(t)) if want else None
                for t, want in zip(inputs, wanted, strict=True)
            ]
        ),
    )
    node.inputs = tuple(
        [
            a if keep else (Shaped(a.shape, a.dtype) if shape else None)
            for a, keep, shape in zip(arrays, plan.values, plan.shapes, strict=True)
        ]
    )
    node.shapes = tuple([t._array.shape for t in inputs])
    node.casts = tuple([t._array.dtype for t in inputs])
    node.counters = tuple(
        [t._counter if keep else None for t, keep in zip(inputs, plan.values, strict=True)]
    )
    if plan.output:
        node.output = out._array
        node.counters += (out._counter,)
    node.versions = tuple([c[0] if c is not None else 0 for c in node.counters])
    out._node = node
    out._requires_grad = True
