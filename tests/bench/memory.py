"""Peak memory of a pass, over what PyTorch counts as saved plus the outputs."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from typing import Any

import numpy as np

Pass = Callable[[Any, Any, Any], Any]
SIZE = 1_000_000


def deep(library: Any, nn: Any, x: Any) -> Any:
    """Twenty layers of elementwise ops on a million numbers."""
    y = x
    for _ in range(5):
        y = (y * 1.01).tanh()
        y = nn.relu(y.exp() + y)
    return y


def saved_by_torch(torch: Any, program: Pass) -> int:
    """The bytes of the distinct tensors that PyTorch saves for the backward pass."""
    x = torch.ones(SIZE, dtype=torch.float32, requires_grad=True)
    own = x.untyped_storage().data_ptr()
    saved: dict[int, int] = {}

    def pack(tensor: Any) -> Any:
        memory = tensor.untyped_storage()
        if memory.data_ptr() != own:
            saved[memory.data_ptr()] = memory.nbytes()
        return tensor

    with torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor):
        program(torch, torch.nn.functional, x)
    return sum(saved.values())


def peak_of(engine: Any, nn: Any, program: Pass) -> int:
    """The most bytes that the engine holds at once during a forward and a backward pass."""
    x = engine.tensor(np.ones(SIZE, "float32"), requires_grad=True)
    program(engine, nn, x).sum().backward()
    x.grad = None
    tracemalloc.start()
    program(engine, nn, x).sum().backward()
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return peak


def share(engine: Any, nn: Any, torch: Any, program: Pass = deep) -> float:
    """The engine's peak over PyTorch's saved bytes plus the output and the gradient."""
    outputs = 2 * SIZE * 4
    return peak_of(engine, nn, program) / (saved_by_torch(torch, program) + outputs)
