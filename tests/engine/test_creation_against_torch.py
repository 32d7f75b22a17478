"""Tensors made from data, sizes and ranges, under PyTorch and under the engine."""

from __future__ import annotations

import numpy as np
import pytest

from tests.engine.against import assert_same

MADE = [
    "torch.zeros(2, 3)", "torch.zeros((2, 3))", "torch.zeros(())", "torch.ones(size=(2,))",
    "torch.ones(2, dtype=torch.bool)", "torch.full((2,), True)", "torch.full((2,), 1j)",
    "torch.full((2,), torch.tensor(3.0))", "torch.arange(5)", "torch.arange(1, 5, 2)",
    "torch.arange(0, 1, 0.25)", "torch.arange(0, -3, -1)", "torch.arange(end=3)",
    "torch.arange(3, dtype=torch.float32)", "torch.arange(torch.tensor(3))", "torch.arange(True)",
    "torch.linspace(0, 1, 5)", "torch.linspace(0, 1, 1)", "torch.linspace(0, 1, 0)",
    "torch.linspace(0, 10, 5, dtype=torch.int64)", "torch.linspace(torch.tensor(0.0), 1, 3)",
    "torch.linspace(0, 1j, 3)", "torch.logspace(0, 2, 3, base=2)", "torch.eye(3)",
    "torch.eye(2, 3, dtype=torch.int64)", "torch.eye(0)", "torch.zeros_like(k)",
    "torch.ones_like(k, dtype=torch.int64)", "torch.full_like(k, 2.5)", "k.new_zeros((2, 3))",
    "k.new_ones(2, dtype=torch.int64)", "k.new_tensor([1, 2])", "k.new_full((2,), 7)",
    "torch.asarray([1.0, 2], dtype=torch.float64)", "torch.asarray(3)", "torch.scalar_tensor(2)",
    "torch.zeros(2, device='cpu')", "torch.ones(torch.Size([2]))",
]  # fmt: skip
DATA = [
    "[1, 2]", "[1.0, 2]", "[True, 2]", "[]", "[[]]", "3", "True", "1j", "range(3)", "float('nan')",
    "[torch.tensor(1), torch.tensor(2)]", "[torch.tensor(1.0), 2]", "[torch.tensor(1), 2.5]",
    "[torch.tensor([1.0]), torch.tensor([2.0])]", "[torch.tensor([1, 2])]", "[torch.tensor([])]",
    "[torch.tensor([1.0, 2])]", "[[torch.tensor([[1]])], [2]]", "[torch.tensor(1j), 2.5]",
    "[torch.tensor(1.0, dtype=torch.float64), 2]", "[1.5, torch.tensor(1)]", "[[1, 2], [3]]", "'a'",
    "None", "[None]", "2 ** 70", "[2 ** 70]", "[1.7], dtype=torch.int64", "np.float64(2.5)",
    "np.array([1, 2], dtype=np.int32)",
]  # fmt: skip
REFUSED = [
    "torch.zeros(-1)", "torch.zeros(2.5)", "torch.zeros('a')", "torch.empty(2, -1)",
    "torch.full(2, 3)", "torch.ones(True)", "torch.arange(3, 0)", "torch.arange(0, 3, 0)",
    "torch.arange(0, 3, -1)", "torch.arange(0, float('inf'))", "torch.arange(float('nan'))",
    "torch.linspace(0, 1, -1)", "torch.eye(-1)", "torch.eye(2, -1)", "torch.zeros_like(3)",
    "torch.zeros(2, dtype=torch.int32, requires_grad=True)", "torch.arange(3, requires_grad=True)",
    "torch.from_numpy([1])", "torch.zeros(2, device='cuda')",
]  # fmt: skip


@pytest.mark.parametrize("program", MADE)
def test_of_sizes_and_ranges(program: str) -> None:
    assert_same(f"y = {program}", {"k": np.array([1.0, 2.0])})


@pytest.mark.parametrize("data", DATA)
def test_of_data(data: str) -> None:
    assert_same(f"y = torch.tensor({data})", {})


@pytest.mark.parametrize("program", REFUSED)
def test_refusals(program: str) -> None:
    assert_same(f"y = {program}", {})
