"""`torch.device`: where tensors live, or would live."""

from __future__ import annotations

from typing import Any

_KINDS = (
    "cpu, cuda, ipu, xpu, mkldnn, opengl, opencl, ideep, hip, ve, fpga, maia, xla, lazy, vulkan, "
    "mps, meta, hpu, mtia, privateuseone"
)
_UNKNOWN = "Expected one of {kinds} device type at start of device string: {name}"
_NUMBER = "Invalid device string: '{name}'"


class Device:
    """The name of a device. Tensors are on "cpu"; on "meta" they have no numbers."""

    def __init__(self, type: Any = "cpu", index: int | None = None) -> None:
        if isinstance(type, int):
            raise RuntimeError("Cannot access accelerator device when none is available.")
        if index is not None and index < 0:
            raise RuntimeError("Device index must not be negative")
        name, colon, number = str(type).partition(":")
        if name not in _KINDS.split(", "):
            raise RuntimeError(_UNKNOWN.format(kinds=_KINDS, name=name))
        if colon and not number.isdecimal():
            raise RuntimeError(_NUMBER.format(name=type))
        self.type = name
        self.index = int(number) if number else index

    def __str__(self) -> str:
        return self.type if self.index is None else f"{self.type}:{self.index}"

    def __repr__(self) -> str:
        index = "" if self.index is None else f", index={self.index}"
        return f"device(type='{self.type}'{index})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Device) and str(other) == str(self)

    def __hash__(self) -> int:
        return hash(str(self))
