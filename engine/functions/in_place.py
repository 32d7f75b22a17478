"""Writing into a tensor: its memory changes, its version grows, its history goes on."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import dtypes, errors
from engine.functions import arithmetic, elementwise, shapes
from engine.functions.indexing import parts
from engine.history import Node
from engine.hooks import watch_of
from engine.ops import OPS
from engine.ops.shape import PUT_VIEW
from engine.plain import check_broadcast
from engine.record import ACTIVE
from engine.state import STATE
from engine.tensor import Tensor, apply, as_tensor, counter_of, refresh


def check_writable(target: Tensor, *, all_alike: bool = False) -> None:
    """Raise where PyTorch refuses to write into the tensor.

    `all_alike`: every element becomes the same, so that they may share their memory.
    """
    base = target._base
    if STATE.grad_enabled and target.requires_grad:
        if target._node is None:
            text = errors.LEAF_IN_PLACE if base is None else errors.VIEW_OF_LEAF_IN_PLACE
            raise RuntimeError(text)
        _check_view(target, target._node)
    if target._inference and not STATE.mode.inference:
        raise RuntimeError(errors.INFERENCE_WRITE)
    if STATE.grad_enabled and target._made_without_grad and base is not None and base.requires_grad:
        raise RuntimeError(errors.NO_GRAD_VIEW)
    if STATE.grad_enabled and base is not None and base._requires_grad and base._node is None:
        raise RuntimeError(errors.VIEW_OF_LEAF_IN_PLACE)
    array = target._array
    if (
        not all_alike
        and array.size
        and 0 in array.strides
        and any(step == 0 and n > 1 for step, n in zip(array.strides, array.shape, strict=True))
    ):
        raise RuntimeError(errors.OVERLAPPING_WRITE)


def _check_view(target: Tensor, node: Node) -> None:
    if node.op.name in ("unbind", "split", "split_with_sizes"):
        name = node.label().partition("Backward")[0]
        raise RuntimeError(errors.ONE_OF_SEVERAL_VIEWS.format(number=node.number, name=name))


def write(target: Tensor, value: Tensor) -> Tensor:
    """Make the target hold `value`, which was computed from what it held, and return it."""
    shape, made = target._array.shape, value._array
    if made.shape != shape:
        raise RuntimeError(errors.IN_PLACE_SHAPE.format(shape=list(shape), made=list(made.shape)))
    kind = dtypes.of(target._array.dtype)
    if not dtypes.can_cast(value.dtype, kind):
        raise RuntimeError(
            errors.IN_PLACE_DTYPE.format(made=dtypes.word(value.dtype), target=dtypes.word(kind))
        )
    target._array[...] = made
    target._written()
    if STATE.grad_enabled:
        _go_on(target, value)
    _log(target, value)
    return target


def redraw(target: Tensor, drawn: Any, name: str) -> Tensor:
    """Make the target hold numbers that were drawn; `name` is that of the backward node."""
    if not (STATE.grad_enabled and target.requires_grad):
        return write(target, Tensor(drawn))
    params = {"outcome": np.asarray(drawn, target._array.dtype), "name": name}
    return write(target, apply(OPS["drawn"], (_before(target),), params))


def _go_on(target: Tensor, value: Tensor) -> None:
    """Give the target, and the tensor that it is a view of, the history of the new values."""
    base = target._base
    if base is None:
        node = value._node
        if node is not None and node.output is value._array:
            node.output, node.output_writes = target._array, counter_of(target)
            node.output_version = target._version
        _rebase(target, value)
        return
    if not (value._requires_grad or base._requires_grad):
        return
    whole = _as_it_was(base)
    put = apply(PUT_VIEW, (whole, value), {"chain": target._chain})
    _rebase(base, put)
    if ACTIVE.record is not None:
        ACTIVE.record.bind(base, ACTIVE.record.number_of(put))
    refresh(target)


def _rebase(target: Tensor, value: Tensor) -> None:
    target._node, target._requires_grad = value._node, value._requires_grad
    target._leaf = None
    if value._node is not None:
        value._node.dtype = target._array.dtype
    if target._retains_grad and value._node is not None:
        watch_of(value._node).retained = target


def _as_it_was(tensor: Tensor) -> Tensor:
    """A stand-in for the tensor before the write, with its history."""
    before = Tensor(tensor._array)
    before._node, before._leaf = tensor._node, tensor._leaf
    before._requires_grad = tensor._requires_grad
    if ACTIVE.record is not None:
        ACTIVE.record.bind(before, ACTIVE.record.number_of(tensor))
    return before


def _log(target: Tensor, value: Tensor) -> None:
    log = ACTIVE.record
    if log is None:
        return
    if target._requires_grad and target._node is None:
        log.forget(target)  # a leaf written to without history is a new leaf
    else:
        log.bind(target, log.number_of(value))


def _before(target: Tensor) -> Tensor:
    """The target's values and history, apart from the memory that is to be written."""
    if target._base is not None:
        refresh(target)
    old = Tensor(target._array.copy())
    old._node, old._leaf = target._node, target._leaf
    old._requires_grad = target._requires_grad
    if ACTIVE.record is not None:
        ACTIVE.record.bind(old, ACTIVE.record.number_of(target))
    return old


def in_place(function: Any) -> Any:
    def method(self: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        check_writable(self)
        return write(self, function(_before(self), *args, **kwargs))

    method.__name__ = f"{function.__name__}_"
    method.__doc__ = f"Write what `{function.__name__}` gives into the tensor, and return it."
    return method


def _operator(function: Any) -> Any:
    method = in_place(function)

    def operator(self: Tensor, other: Any) -> Any:
        if isinstance(other, np.ndarray):
            other = Tensor(other)
        if not isinstance(other, (Tensor, int, float, complex)):
            return NotImplemented
        return method(self, other)

    return operator


def fill_(self: Tensor, value: Any) -> Tensor:
    """Every element becomes `value`, a number or a 0-d tensor."""
    check_writable(self, all_alike=True)
    if not isinstance(value, Tensor):
        return write(self, apply(OPS["fill"], (_before(self),), {"value": value}))
    if value._array.ndim:
        raise RuntimeError(errors.FILL_SHAPE.format(n=value._array.ndim))
    return write(self, apply(OPS["copy"], (_before(self), value), {}))


def zero_(self: Tensor) -> Tensor:
    """Every element becomes 0."""
    check_writable(self, all_alike=True)
    log = ACTIVE.record
    if log is None or self.requires_grad:
        return write(self, apply(OPS["zero"], (_before(self),), {}))
    log.zeroed(self)
    self._array[...] = 0
    self._written()
    log.forget(self)  # numbers without history: their next use is a new source
    return self


def copy_(self: Tensor, src: Any, non_blocking: bool = False) -> Tensor:
    """Every element becomes that of `src`, broadcast and cast."""
    check_writable(self)
    source = as_tensor(src)
    shape = self._array.shape
    check_broadcast(shape, source._array.shape)
    made = np.broadcast_shapes(shape, source._array.shape)
    if made != shape:
        raise RuntimeError(errors.IN_PLACE_SHAPE.format(shape=list(shape), made=list(made)))
    return write(self, apply(OPS["copy"], (_before(self), source), {}))


def _laid_over(target: Tensor, value: Tensor) -> Tensor:
    """`value` expanded to the target's shape, without leading axes of length one."""
    shape = target._array.shape
    while value._array.ndim > len(shape) and value._array.shape[0] == 1:
        value = value[0]
    return value if value._array.shape == shape else shapes.expand(value, *shape)


def setitem(self: Tensor, key: Any, value: Any) -> None:
    """`x[key] = value`: written through the view that the key names, or by index tensors."""
    given = value if isinstance(value, Tensor) else _value_for(self, value)
    is_leaf = STATE.grad_enabled and self.requires_grad and self._node is None
    target, indices, axes = parts(self, key)
    if not indices:
        laid = given if given._wrapped else _laid_over(target, given)
        if is_leaf:
            raise RuntimeError(errors.VIEW_OF_LEAF_IN_PLACE)
        copy_(target, laid)
        return
    if is_leaf:
        raise RuntimeError(errors.LEAF_IN_PLACE)
    if given._array.dtype != target._array.dtype:
        if not given._wrapped and given._array.ndim:
            raise RuntimeError(
                "Index put requires the source and destination dtypes match, got "
                f"{dtypes.word(target.dtype)} for the destination and {dtypes.word(given.dtype)} "
                "for the source."
            )
        given = elementwise.to(given, target.dtype)
    params = {"axes": tuple(axes), "accumulate": False}
    made = apply(OPS["index_put"], (_before(target), given, *indices), params)
    write(target, made)


def _value_for(self: Tensor, value: Any) -> Tensor:
    if isinstance(value, (bool, int, float, complex)):
        return as_tensor(value)
    return Tensor(np.asarray(value, self._array.dtype))


def detach_(self: Tensor) -> Tensor:
    """Cut the tensor off from its history."""
    if self._base is not None:
        raise RuntimeError(errors.DETACH_VIEW)
    self._node, self._requires_grad = None, False
    if ACTIVE.record is not None:
        ACTIVE.record.forget(self)
    return self


METHODS: dict[str, Any] = {
    "detach_": detach_,
    "add_": in_place(arithmetic.add),
    "sub_": in_place(arithmetic.sub),
    "mul_": in_place(arithmetic.mul),
    "div_": in_place(arithmetic.div),
    "pow_": in_place(arithmetic.pow),
    "exp_": in_place(elementwise.exp),
    "log_": in_place(elementwise.log),
    "sqrt_": in_place(elementwise.sqrt),
    "sigmoid_": in_place(elementwise.sigmoid),
    "tanh_": in_place(elementwise.tanh),
    "relu_": in_place(elementwise.relu),
    "abs_": in_place(elementwise.abs),
    "neg_": in_place(elementwise.neg),
    "clamp_": in_place(elementwise.clamp),
    "masked_fill_": in_place(elementwise.masked_fill),
    "fill_": fill_,
    "zero_": zero_,
    "copy_": copy_,
    "__iadd__": _operator(arithmetic.add),
    "__isub__": _operator(arithmetic.sub),
    "__imul__": _operator(arithmetic.mul),
    "__itruediv__": _operator(arithmetic.div),
    "__ifloordiv__": _operator(arithmetic.floor_divide),
    "__imod__": _operator(arithmetic.remainder),
    "__ipow__": _operator(arithmetic.pow),
    "__setitem__": setitem,
}
