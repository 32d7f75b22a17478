"""Sparse tensors, which the engine does not have."""

from __future__ import annotations

from typing import Any, NoReturn

from engine.tensor import Tensor


def to_sparse(self: Tensor, *args: Any, **kwargs: Any) -> NoReturn:
    """Declined: there are no sparse tensors here."""
    raise NotImplementedError("sparse tensors are not available: tensors here are dense")


def to_dense(self: Tensor, *args: Any, **kwargs: Any) -> Tensor:
    """The tensor itself, which is dense."""
    return self
