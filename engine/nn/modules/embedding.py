"""Tables of vectors as modules."""

from __future__ import annotations

from typing import Any

from engine import dtypes
from engine.nn import functional as F  # noqa: N812  torch's name
from engine.nn import init
from engine.nn.module import Module
from engine.nn.parameter import Parameter, blank
from engine.optim.optimizer import moved
from engine.tensor import Tensor


class _Table(Module):
    weight: Parameter

    def _fill(
        self, given: Tensor | None, dtype: dtypes.dtype | None, *, freeze: bool = False
    ) -> None:
        shape = (self.num_embeddings, self.embedding_dim)
        if given is None:
            self.weight = blank(*shape, dtype=dtype)
            self.weight.requires_grad_(not freeze)
            self.reset_parameters()
            return
        if tuple(given.shape) != shape:
            raise AssertionError("Shape of weight does not match num_embeddings and embedding_dim")
        self.weight = Parameter(given, requires_grad=not freeze)

    num_embeddings: int
    embedding_dim: int
    padding_idx: int | None

    def _pad(self, padding_idx: int | None) -> None:
        count = self.num_embeddings
        if padding_idx is not None:
            if not -count <= padding_idx < count:
                name = "padding_idx" if isinstance(self, EmbeddingBag) else "Padding_idx"
                raise AssertionError(f"{name} must be within num_embeddings")
            padding_idx %= count
        self.padding_idx = padding_idx

    def reset_parameters(self) -> None:
        """Normal numbers, and zeros for the padding."""
        init.normal_(self.weight)
        if self.padding_idx is not None:
            made = self.weight._array.copy()
            made[self.padding_idx] = 0
            moved(self.weight, made)


class Embedding(_Table):
    """A row of the table for each index."""

    def __init__(
        self,
        num_embeddings: int,
        embedding_dim: int,
        padding_idx: int | None = None,
        max_norm: float | None = None,
        norm_type: float = 2.0,
        scale_grad_by_freq: bool = False,
        sparse: bool = False,
        _weight: Tensor | None = None,
        _freeze: bool = False,
        device: Any = None,
        dtype: dtypes.dtype | None = None,
    ) -> None:
        super().__init__()
        self.num_embeddings, self.embedding_dim = num_embeddings, embedding_dim
        self._pad(padding_idx)
        self.max_norm, self.norm_type = max_norm, norm_type
        self.scale_grad_by_freq, self.sparse = scale_grad_by_freq, sparse
        self._fill(_weight, dtype, freeze=_freeze)

    @classmethod
    def from_pretrained(
        cls, embeddings: Tensor, freeze: bool = True, padding_idx: int | None = None, **given: Any
    ) -> Embedding:
        """The rows of a matrix as the table."""
        if embeddings._array.ndim != 2:
            raise AssertionError("Embeddings parameter is expected to be 2-dimensional")
        rows, columns = embeddings._array.shape
        return cls(rows, columns, padding_idx, _weight=embeddings, _freeze=freeze, **given)

    def forward(self, input: Tensor) -> Tensor:
        settings = (self.max_norm, self.norm_type, self.scale_grad_by_freq, self.sparse)
        return F.embedding(input, self.weight, self.padding_idx, *settings)  # type: ignore[no-any-return]

    def extra_repr(self) -> str:
        told = f"{self.num_embeddings}, {self.embedding_dim}"
        if self.padding_idx is not None:
            told += f", padding_idx={self.padding_idx}"
        if self.max_norm is not None:
            told += f", max_norm={self.max_norm}"
        if self.norm_type != 2:
            told += f", norm_type={self.norm_type}"
        if self.scale_grad_by_freq:
            told += f", scale_grad_by_freq={self.scale_grad_by_freq}"
        return told + (", sparse=True" if self.sparse else "")


class EmbeddingBag(_Table):
    """The sum, mean or largest of the rows that a bag of indices looks up."""

    def __init__(
        self,
        num_embeddings: int,
        embedding_dim: int,
        max_norm: float | None = None,
        norm_type: float = 2.0,
        scale_grad_by_freq: bool = False,
        mode: str = "mean",
        sparse: bool = False,
        _weight: Tensor | None = None,
        include_last_offset: bool = False,
        padding_idx: int | None = None,
        device: Any = None,
        dtype: dtypes.dtype | None = None,
    ) -> None:
        super().__init__()
        self.num_embeddings, self.embedding_dim = num_embeddings, embedding_dim
        self._pad(padding_idx)
        self.max_norm, self.norm_type = max_norm, norm_type
        self.scale_grad_by_freq, self.mode, self.sparse = scale_grad_by_freq, mode, sparse
        self.include_last_offset = include_last_offset
        self._fill(_weight, dtype)

    def forward(
        self,
        input: Tensor,
        offsets: Tensor | None = None,
        per_sample_weights: Tensor | None = None,
    ) -> Tensor:
        return F.embedding_bag(  # type: ignore[no-any-return]
            input,
            self.weight,
            offsets,
            self.max_norm,
            self.norm_type,
            self.scale_grad_by_freq,
            self.mode,
            self.sparse,
            per_sample_weights,
            self.include_last_offset,
            self.padding_idx,
        )

    def extra_repr(self) -> str:
        told = f"{self.num_embeddings}, {self.embedding_dim}"
        if self.max_norm is not None:
            told += f", max_norm={self.max_norm}"
        if self.norm_type != 2:
            told += f", norm_type={self.norm_type}"
        if self.scale_grad_by_freq:
            told += f", scale_grad_by_freq={self.scale_grad_by_freq}"
        told += f", mode={self.mode!r}"
        return told if self.padding_idx is None else f"{told}, padding_idx={self.padding_idx}"
