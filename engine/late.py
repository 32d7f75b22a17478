"""Where names live that few programs use: their modules load when a name is first asked for.

A whole import of the engine would otherwise take longer than NumPy's own.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any

# Module -> the names that it offers. `BOTH` are functions of the torch namespace and methods of
# Tensor, `TORCH` functions only, `METHODS` methods or properties only, `NN` those of nn.functional,
# `AUTOGRAD` those of autograd.
BOTH: dict[str, str] = {
    "engine.functions.complexes": "conj",
}
TORCH: dict[str, str] = {
    "engine.nn.max_pooling": (
        "max_pool1d max_pool2d max_pool3d adaptive_max_pool1d max_pool1d_with_indices"
    ),
    "engine.nn.pooling": "avg_pool1d adaptive_avg_pool1d",
    "engine.nn.convolution": (
        "conv1d conv2d conv3d conv_transpose1d conv_transpose2d conv_transpose3d"
    ),
    "engine.nn.padding": "constant_pad_nd",
    "engine.random": "Generator",
    "engine.func.batches": "vmap",
}
METHODS: dict[str, str] = {}
AUTOGRAD: dict[str, str] = {}
NN: dict[str, str] = {
    "engine.nn.max_pooling": (
        "max_pool1d max_pool2d max_pool3d adaptive_max_pool1d adaptive_max_pool2d "
        "adaptive_max_pool3d max_unpool1d max_unpool2d max_unpool3d "
        "max_pool1d_with_indices max_pool2d_with_indices max_pool3d_with_indices"
    ),
    "engine.nn.pooling": (
        "avg_pool1d avg_pool2d avg_pool3d adaptive_avg_pool1d adaptive_avg_pool2d "
        "adaptive_avg_pool3d lp_pool1d lp_pool2d lp_pool3d"
    ),
    "engine.nn.padding": "pad",
    "engine.nn.convolution": (
        "conv1d conv2d conv3d conv_transpose1d conv_transpose2d conv_transpose3d"
    ),
}
# Modules that are names of their parent: `torch.fft`, `torch.autograd.functional`.
MODULES: dict[str, str] = {
    "engine.autograd": "functional",
    "engine": "func random",
}


def places(*tables: Mapping[str, str]) -> dict[str, str]:
    """The module of each name."""
    return {
        name: module
        for table in tables
        for module, names in table.items()
        for name in names.split()
    }


class LateMethod:
    """Stands on a class for a method that is not loaded yet; the first use puts it there."""

    __slots__ = ("module", "name")

    def __init__(self, module: str, name: str) -> None:
        self.module = module
        self.name = name

    def __get__(self, instance: Any, owner: type) -> Any:
        setattr(owner, self.name, getattr(importlib.import_module(self.module), self.name))
        return getattr(owner if instance is None else instance, self.name)


class Late:
    """A module's `__getattr__`: finds a late name, loads its module, and keeps what it found."""

    def __init__(self, package: str, names: Mapping[str, str], modules: str = "") -> None:
        self.package = package
        self.names = names
        self.modules = modules.split()

    def __call__(self, name: str) -> Any:
        if name in self.modules:
            return importlib.import_module(f"{self.package}.{name}")
        if name in self.names:
            found = getattr(importlib.import_module(self.names[name]), name)
            setattr(importlib.import_module(self.package), name, found)
            return found
        raise AttributeError(f"module {self.package!r} has no attribute {name!r}")
