"""Switches of PyTorch that this engine has nothing behind, and the names of layouts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.functions.device import Device
from engine.tensor import Tensor

newaxis = None
_deterministic: list[bool] = []
_threads = [1]
_precision = ["highest"]


class Format:
    """A layout or memory format: a name."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __repr__(self) -> str:
        return f"torch.{self._name}"


strided = Format("strided")
contiguous_format = Format("contiguous_format")
preserve_format = Format("preserve_format")


def use_deterministic_algorithms(mode: bool, *, warn_only: bool = False) -> None:
    """Everything here is deterministic anyhow."""
    _deterministic[:] = [True] if mode else []


def are_deterministic_algorithms_enabled() -> bool:
    """What `use_deterministic_algorithms` was last told."""
    return bool(_deterministic)


def set_float32_matmul_precision(precision: str) -> None:
    """Products of float32 are taken in float32 anyhow."""
    _precision[0] = precision


def get_float32_matmul_precision() -> str:
    """What `set_float32_matmul_precision` was last told."""
    return _precision[0]


def set_num_threads(count: int) -> None:
    """NumPy has threads of its own. Raises RuntimeError where there would be none."""
    if count <= 0:
        raise RuntimeError("set_num_threads expects a positive integer")
    _threads[0] = count


def get_num_threads() -> int:
    """What `set_num_threads` was last told, 1 at first."""
    return _threads[0]


def get_default_device() -> Device:
    """The CPU."""
    return Device("cpu")


def typename(obj: Any) -> str:
    """The name of a tensor's type, or of any object's."""
    if isinstance(obj, Tensor):
        return str(obj.type())
    kind = type(obj)
    return kind.__name__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__name__}"


def compile(model: Callable[..., Any] | None = None, **_options: Any) -> Any:
    """The function itself, which computes the same."""
    return model if model is not None else lambda function: function


is_cpu = property(lambda self: True)
is_meta = property(lambda self: False)
is_sparse = property(lambda self: False)
is_quantized = property(lambda self: False)
is_nested = property(lambda self: False)
layout = property(lambda self: strided)
name = property(lambda self: None)
output_nr = property(lambda self: 0 if self.grad_fn is None else self.grad_fn.number)


def get_device(input: Tensor) -> int:
    """The number of the tensor's device, -1 for the CPU."""
    return -1


def is_shared(self: Tensor) -> bool:
    """Whether other processes see the memory: never."""
    return False


def is_pinned(self: Tensor, device: Any = None) -> bool:
    """Whether the memory is pinned for a GPU: never."""
    return False
