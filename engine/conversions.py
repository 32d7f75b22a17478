"""Out of the engine: a tensor as an array, as Python numbers, as text."""

from __future__ import annotations

from typing import Any

from engine import errors
from engine.arrays import Array
from engine.record import ACTIVE
from engine.state import STATE
from engine.tensor import Tensor, counter_of


def numpy(self: Tensor, *, force: bool = False) -> Array:
    """The array itself, memory shared. Raises RuntimeError where the tensor requires grad."""
    if not force and self.requires_grad and STATE.grad_enabled:
        raise RuntimeError(errors.NUMPY_WITH_GRAD)
    return self._array


def array(self: Tensor, dtype: Any = None, copy: bool | None = None) -> Array:
    """What `np.asarray` takes a tensor for. Raises RuntimeError where it requires grad."""
    values = numpy(self)
    if dtype is not None and values.dtype != dtype:
        return values.astype(dtype)
    return values.copy() if copy else values


def tolist(self: Tensor) -> Any:
    """Nested lists of Python numbers."""
    return self._array.tolist()


def item(self: Tensor) -> Any:
    """The only element as a Python number. Raises RuntimeError for any other count."""
    if STATE.mapping is not None:
        _refuse_in_map(self)
    if self._array.size != 1:
        raise RuntimeError(errors.NOT_A_SCALAR.format(n=self._array.size))
    return self._array.item()


def _refuse_in_map(tensor: Tensor, *, truth: bool = False) -> None:
    """Raise RuntimeError where the tensor depends on an entry of `vmap`."""
    from engine.func import following, messages

    following.refuse_number(tensor, messages.CONTROL_FLOW if truth else messages.ITEM)


def truth(self: Tensor) -> bool:
    """The only element's truth. Raises RuntimeError for any other count."""
    if STATE.mapping is not None:
        _refuse_in_map(self, truth=True)
    if self._array.size != 1:
        raise RuntimeError(errors.AMBIGUOUS_BOOL if self._array.size else errors.EMPTY_BOOL)
    return bool(self._array.item())


def _number(self: Tensor, *, warns: bool = True) -> Any:
    if warns and self.requires_grad and STATE.grad_enabled:
        errors.warn_scalar_conversion()
    if STATE.mapping is not None:
        _refuse_in_map(self)
    if self._array.size != 1:
        raise ValueError(errors.ONE_ELEMENT)
    return self._array.item()


def index(self: Tensor) -> int:
    """What `range` or a list takes a tensor of one integer for."""
    if self._array.dtype.kind not in "iub" or self._array.size != 1:
        raise TypeError(errors.NOT_AN_INDEX)
    return int(self._array.item())


def length(self: Tensor) -> int:
    """The size of the first axis."""
    if not self._array.ndim:
        raise TypeError("len() of a 0-d tensor")
    return len(self._array)


def text(self: Tensor) -> str:
    """What PyTorch prints."""
    from engine.printing import tensor_text

    node = self.grad_fn
    name = node.label() if node is not None else None
    return tensor_text(self._array, requires_grad=self._requires_grad, grad_fn_name=name)


def formatted(self: Tensor, spec: str) -> str:
    """`format(tensor, spec)`: a 0-d tensor formats as its number."""
    from engine.printing import format_text

    return format_text(self._array, spec, whole=lambda: text(self))


def detach(self: Tensor) -> Tensor:
    """The same memory without history."""
    out = Tensor(self._array)
    out._writes, out._inference = counter_of(self), self._inference
    if ACTIVE.record is not None:
        ACTIVE.record.applied("detach", (self,), {}, out)
    return out


def _data(self: Tensor) -> Tensor:
    return Tensor(self._array)


def _set_data(self: Tensor, value: Any) -> None:
    if not isinstance(value, Tensor):
        raise TypeError(f"Variable data has to be a tensor, but got {type(value).__name__}")
    self._array = value._array
    if ACTIVE.record is not None:
        ACTIVE.record.forget(self)


def deepcopy(self: Tensor, memo: dict[int, Any]) -> Tensor:
    """A leaf with a copy of the numbers and of its `.grad`. Raises RuntimeError for results."""
    if self.grad_fn is not None:
        raise RuntimeError(errors.DEEPCOPY)
    made = type(self).__new__(type(self))
    Tensor.__init__(made, self._array.copy(), requires_grad=self._requires_grad)
    if self._grad is not None:
        made._grad = Tensor(self._grad._array.copy())
    memo[id(self)] = made
    return made


METHODS: dict[str, Any] = {
    "numpy": numpy,
    "__array__": array,
    "tolist": tolist,
    "item": item,
    "__bool__": truth,
    "__float__": lambda self: float(_number(self)),
    "__int__": lambda self: int(_number(self, warns=False)),
    "__complex__": lambda self: complex(_number(self)),
    "__index__": index,
    "__len__": length,
    "__repr__": text,
    "__format__": formatted,
    "detach": detach,
    "__deepcopy__": deepcopy,
    "data": property(_data, _set_data),
}
