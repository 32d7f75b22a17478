"""`Tensor` and `apply`: eager evaluation that keeps the history which the reverse pass follows."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from engine import dtypes, errors
from engine.arrays import Array
from engine.history import Leaf, Node
from engine.hooks import watch_of
from engine.op import Op
from engine.promotion import promoted
from engine.record import ACTIVE, Record
from engine.state import STATE
from engine.tracking import remember

_ndarray = np.ndarray


class Tensor:
    """An array with PyTorch's face. Invariant: a tensor with history requires grad.

    A view knows its `_base`, the tensor whose memory it shows, and `_chain`, the ops that lead
    from the base to it; `_seen` is the base's node that its own history was made from.
    """

    __array_priority__ = 1000
    __hash__ = object.__hash__
    _array: Array
    _grad: Tensor | None = None
    _leaf: Leaf | None = None
    _node: Node | None = None
    _requires_grad = False
    _retains_grad = False
    _wrapped = False  # made from a Python number, which does not widen a result's dtype
    _base: Tensor | None = None
    _chain: tuple[tuple[Op, Mapping[str, Any]], ...] = ()
    _seen: Node | None = None
    _seen_writes = 0
    _entry: tuple[Record, int] | None = None  # the entry of a recording that it stands for
    _called: tuple[Record, str, int | None] | None = None  # the name it has there, and the line
    _made_without_grad = False  # a view made within no_grad
    _writes: list[int] | None = None  # their count, shared by all who share the memory; None: 0
    _inference = False  # made in inference mode, where writes are not counted

    if TYPE_CHECKING:  # attached by engine.methods

        def __getattr__(self, name: str) -> Any: ...
        def __getitem__(self, key: Any) -> Tensor: ...
        def __setitem__(self, key: Any, value: Any) -> None: ...
        def __add__(self, other: Any) -> Tensor: ...
        def __radd__(self, other: Any) -> Tensor: ...
        def __sub__(self, other: Any) -> Tensor: ...
        def __rsub__(self, other: Any) -> Tensor: ...
        def __mul__(self, other: Any) -> Tensor: ...
        def __rmul__(self, other: Any) -> Tensor: ...
        def __truediv__(self, other: Any) -> Tensor: ...
        def __matmul__(self, other: Any) -> Tensor: ...
        def __pow__(self, other: Any) -> Tensor: ...
        def __neg__(self) -> Tensor: ...
        def __len__(self) -> int: ...
        def __bool__(self) -> bool: ...
        def __float__(self) -> float: ...
        def __int__(self) -> int: ...

    def __init__(self, array: Any = (), *sizes: int, requires_grad: bool = False) -> None:
        """On an array's memory; of sizes and lists, as in `torch.Tensor([1, 2])`, a float one."""
        if type(array) is not _ndarray:
            from engine.functions.old import from_call

            array = from_call(array, *sizes)
        self._array = array
        if STATE.mode.inference:
            self._inference, self._writes = True, [0]
        if requires_grad:
            self._requires_grad = True

    @staticmethod
    def _apply_op(op: Op, inputs: Sequence[Any], params: Mapping[str, Any]) -> Tensor:
        return apply(op, tuple([as_tensor(item) for item in inputs]), params)

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
        """How often the memory was written to. Raises RuntimeError for inference tensors."""
        if self._inference:
            raise RuntimeError(errors.INFERENCE_VERSION)
        writes = self._writes
        return 0 if writes is None else writes[0]

    def _written(self) -> None:
        """The memory was written to."""
        counter_of(self)[0] += 1

    @property
    def is_leaf(self) -> bool:
        return self.grad_fn is None

    @property
    def grad_fn(self) -> Node | None:
        if self._base is not None:
            refresh(self)
        return self._node

    @property
    def retains_grad(self) -> bool:
        return self._retains_grad

    @property
    def requires_grad(self) -> bool:
        if self._base is not None:
            refresh(self)
        return self._requires_grad

    @requires_grad.setter
    def requires_grad(self, wanted: bool) -> None:
        if self._node is not None:
            if not wanted:
                raise RuntimeError(errors.CHANGE_NON_LEAF_OFF)
            raise RuntimeError(errors.CHANGE_NON_LEAF)
        if wanted:
            errors.check_can_require_grad(self, errors.ONLY_FLOATING_SET)
        self._requires_grad = bool(wanted)

    def requires_grad_(self, requires_grad: bool = True) -> Tensor:
        """Set whether this leaf requires grad. Raises RuntimeError as PyTorch does."""
        if self._node is not None:
            if not requires_grad:
                raise RuntimeError(errors.CHANGE_NON_LEAF_OFF)
            return self
        if requires_grad:
            errors.check_can_require_grad(self, errors.ONLY_FLOATING_METHOD)
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
            if STATE.mode.record is not None:
                STATE.mode.record.has_grad(self)
        elif self._grad is not None and STATE.mode.record is not None:
            STATE.mode.record.grad_cleared(self)
        self._grad = value

    @grad.deleter
    def grad(self) -> None:
        self.grad = None

    def retain_grad(self) -> None:
        """Keep this result's gradient in `.grad` during backward, as a leaf's is kept."""
        if not self.requires_grad:
            raise RuntimeError(errors.RETAIN_WITHOUT_GRAD)
        if self._node is not None:
            self._retains_grad = True
            watch_of(self._node).retained = self


def counter_of(tensor: Tensor) -> list[int]:
    """The count of writes to the tensor's memory, to be shared with whoever shares the memory."""
    writes = tensor._writes
    if writes is None:
        writes = tensor._writes = [0]
        node = tensor._node
        if node is not None and node.output is tensor._array:
            node.output_writes = writes
    return writes


def refresh(view: Tensor) -> None:
    """Give a view of a tensor that was written to in place the history of what it shows now."""
    base = view._base
    if base is not None and _is_out_of_date(view, base):
        from engine.ops.shape import AS_VIEW

        fresh = Tensor(view._array)
        remember(AS_VIEW, (base,), {"chain": view._chain}, [base._array], fresh)
        view._node, view._requires_grad, view._seen = fresh._node, True, base._node
        view._seen_writes = counter_of(base)[0]


def _is_out_of_date(view: Tensor, base: Tensor) -> bool:
    """Whether the memory that the view shows was written to since its history was made."""
    if base._node is not None and base._node is not view._seen:
        return True
    written = base._writes is not None and base._writes[0] != view._seen_writes
    return written and base._requires_grad and not view._made_without_grad


def as_tensor(value: Any) -> Tensor:
    """A tensor as it is; a Python number wrapped so that it does not widen the result's dtype."""
    if isinstance(value, Tensor):
        return value
    if isinstance(value, (int, float, complex)):
        out = Tensor(np.asarray(value))
        out._wrapped = True
        return out
    if isinstance(value, (np.ndarray, np.generic)):
        return Tensor(np.asarray(value))
    raise TypeError(f"expected a Tensor or a number, got {type(value).__name__}")


def apply(op: Op, inputs: tuple[Tensor, ...], params: Mapping[str, Any]) -> Tensor:
    """Evaluate an op and, where an input requires grad, remember how to go back.

    Raises what the op raises on these shapes and dtypes.
    """
    mode = STATE.mode
    log = mode.record
    try:
        arrays = promoted(op, inputs)
        y = op.forward(*arrays, **params)
    except Exception as error:
        if log is not None:
            log.refused(op.name, inputs, params, error)
        raise
    out = Tensor(y if type(y) is _ndarray else np.asarray(y))
    if op.is_view:
        _tell_view(op, inputs[0], params, out)
    if mode.grad_enabled:
        _track(op, inputs, params, arrays, out)
    if log is not None:
        log.applied(op.name, inputs, params, out)
    return out


def _track(
    op: Op,
    inputs: tuple[Tensor, ...],
    params: Mapping[str, Any],
    arrays: list[Array],
    out: Tensor,
) -> None:
    """Give `out` its history where an input requires grad."""
    tracked = False
    for t in inputs:
        if t._base is not None:
            refresh(t)
        if t._requires_grad:
            tracked = True
    if tracked and out._array.dtype.kind in "fc":
        remember(op, inputs, params, arrays, out)
    if out._base is not None:
        out._seen = out._base._node


def refuse(
    name: str, inputs: tuple[Tensor, ...], params: Mapping[str, Any], error: Exception
) -> NoReturn:
    """Raise `error`, which says why the op cannot be applied, and have a recording show it."""
    if ACTIVE.record is not None:
        ACTIVE.record.refused(name, inputs, params, error)
    raise error


def _tell_view(op: Op, source: Tensor, params: Mapping[str, Any], out: Tensor) -> None:
    """Note whose memory a view shows, where it does show another tensor's memory."""
    array = out._array
    if array.base is None or (array.size and not np.may_share_memory(array, source._array)):
        return
    out._writes = writes = counter_of(source)
    out._seen_writes, out._inference = writes[0], source._inference
    out._base = source if source._base is None else source._base
    out._chain = (*source._chain, (op, params))
    if not STATE.grad_enabled:
        out._made_without_grad = True
