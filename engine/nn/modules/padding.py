"""Padding as modules."""

from __future__ import annotations

from typing import Any, ClassVar

from engine.nn import functional as F  # noqa: N812  torch's name
from engine.nn.module import Module
from engine.tensor import Tensor


class _Pad(Module):
    """`padding` places on every side, or as many as given for each, last axis first."""

    _mode: ClassVar[str]
    _axes: ClassVar[int]

    def __init__(self, padding: Any) -> None:
        super().__init__()
        self.padding = (padding,) * (2 * self._axes) if isinstance(padding, int) else tuple(padding)

    def forward(self, input: Tensor) -> Tensor:
        return F.pad(input, self.padding, self._mode)  # type: ignore[no-any-return]

    def extra_repr(self) -> str:
        return f"{self.padding}"


class _ConstantPad(_Pad):
    def __init__(self, padding: Any, value: float) -> None:
        super().__init__(padding)
        self.value = value

    def forward(self, input: Tensor) -> Tensor:
        return F.pad(input, self.padding, "constant", self.value)  # type: ignore[no-any-return]

    def extra_repr(self) -> str:
        return f"padding={self.padding}, value={self.value}"


class _ZeroPad(_ConstantPad):
    def __init__(self, padding: Any) -> None:
        super().__init__(padding, 0.0)

    def extra_repr(self) -> str:
        return f"{self.padding}"


def _kinds(base: type[_Pad], stem: str, mode: str, text: str) -> list[Any]:
    """A class for each number of axes."""
    return [
        type(
            f"{stem}{axes}d",
            (base,),
            {"_mode": mode, "_axes": axes, "__doc__": f"{text} ({axes} axes).",
             "__module__": __name__},
        )
        for axes in (1, 2, 3)
    ]  # fmt: skip


ConstantPad1d, ConstantPad2d, ConstantPad3d = _kinds(
    _ConstantPad, "ConstantPad", "constant", "A constant around"
)
ZeroPad1d, ZeroPad2d, ZeroPad3d = _kinds(_ZeroPad, "ZeroPad", "constant", "Zeros around")
ReflectionPad1d, ReflectionPad2d, ReflectionPad3d = _kinds(
    _Pad, "ReflectionPad", "reflect", "The elements reflected at the edge"
)
ReplicationPad1d, ReplicationPad2d, ReplicationPad3d = _kinds(
    _Pad, "ReplicationPad", "replicate", "The edge carried on"
)
CircularPad1d, CircularPad2d, CircularPad3d = _kinds(
    _Pad, "CircularPad", "circular", "The axis as a circle"
)
