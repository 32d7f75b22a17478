"""Multi-head attention as a module."""

from __future__ import annotations

from typing import Any

from engine import dtypes
from engine.functions import shapes
from engine.nn import functional as F  # noqa: N812  torch's name
from engine.nn import init
from engine.nn.module import Module
from engine.nn.modules.linear import NonDynamicallyQuantizableLinear
from engine.nn.parameter import Parameter, blank
from engine.tensor import Tensor


class MultiheadAttention(Module):
    """Attention of several heads, each on its share of the features."""

    in_proj_weight: Parameter | None
    in_proj_bias: Parameter | None
    q_proj_weight: Parameter | None
    k_proj_weight: Parameter | None
    v_proj_weight: Parameter | None
    out_proj: NonDynamicallyQuantizableLinear
    bias_k: Parameter | None
    bias_v: Parameter | None

    def __init__(
        self,
        embed_dim: int,
        num_heads: int,
        dropout: float = 0.0,
        bias: bool = True,
        add_bias_kv: bool = False,
        add_zero_attn: bool = False,
        kdim: int | None = None,
        vdim: int | None = None,
        batch_first: bool = False,
        device: Any = None,
        dtype: dtypes.dtype | None = None,
    ) -> None:
        if embed_dim <= 0 or num_heads <= 0:
            raise ValueError(
                "embed_dim and num_heads must be greater than 0, got "
                f"embed_dim={embed_dim} and num_heads={num_heads} instead"
            )
        super().__init__()
        self.embed_dim, self.num_heads, self.dropout = embed_dim, num_heads, dropout
        self.kdim = embed_dim if kdim is None else kdim
        self.vdim = embed_dim if vdim is None else vdim
        self._qkv_same_embed_dim = self.kdim == self.vdim == embed_dim
        self.batch_first, self.add_zero_attn = batch_first, add_zero_attn
        self.head_dim = embed_dim // num_heads
        if embed_dim % num_heads:
            raise AssertionError("embed_dim must be divisible by num_heads")
        self._projections(dtype)
        size = blank(3 * embed_dim, dtype=dtype) if bias else None
        self.register_parameter("in_proj_bias", size)
        self.out_proj = NonDynamicallyQuantizableLinear(embed_dim, embed_dim, bias, dtype=dtype)
        for name in ("bias_k", "bias_v"):
            made = blank(1, 1, embed_dim, dtype=dtype) if add_bias_kv else None
            setattr(self, name, made)
        self._reset_parameters()

    def _projections(self, dtype: dtypes.dtype | None) -> None:
        """One weight for queries, keys and values where they have one size, else one each."""
        size, same = self.embed_dim, self._qkv_same_embed_dim
        columns = {"q_proj_weight": size, "k_proj_weight": self.kdim, "v_proj_weight": self.vdim}
        if same:
            self.in_proj_weight = blank(3 * size, size, dtype=dtype)
        for name, count in columns.items():
            made = None if same else blank(size, count, dtype=dtype)
            self.register_parameter(name, made)
        if not same:
            self.register_parameter("in_proj_weight", None)

    def _reset_parameters(self) -> None:
        for weight in (
            self.in_proj_weight,
            self.q_proj_weight,
            self.k_proj_weight,
            self.v_proj_weight,
        ):
            if weight is not None:
                init.xavier_uniform_(weight)
        for bias in (self.in_proj_bias, self.out_proj.bias):
            if bias is not None and self.in_proj_bias is not None:
                init.constant_(bias, 0.0)
        for bias in (self.bias_k, self.bias_v):
            if bias is not None:
                init.xavier_normal_(bias)

    def forward(
        self,
        query: Tensor,
        key: Tensor,
        value: Tensor,
        key_padding_mask: Tensor | None = None,
        need_weights: bool = True,
        attn_mask: Tensor | None = None,
        average_attn_weights: bool = True,
        is_causal: bool = False,
    ) -> tuple[Tensor, Tensor | None]:
        turned = self.batch_first and query._array.ndim == 3
        if turned:
            query, key, value = self._length_first(query, key, value)
        out, weights = F.multi_head_attention_forward(
            query,
            key,
            value,
            self.embed_dim,
            self.num_heads,
            self.in_proj_weight,
            self.in_proj_bias,
            self.bias_k,
            self.bias_v,
            self.add_zero_attn,
            self.dropout,
            self.out_proj.weight,
            self.out_proj.bias,
            self.training,
            key_padding_mask,
            need_weights,
            attn_mask,
            not self._qkv_same_embed_dim,
            self.q_proj_weight,
            self.k_proj_weight,
            self.v_proj_weight,
            average_attn_weights=average_attn_weights,
            is_causal=is_causal,
        )
        return (shapes.transpose(out, 1, 0) if turned else out), weights

    @staticmethod
    def _length_first(query: Tensor, key: Tensor, value: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """The first two axes turned; what is one tensor stays one."""
        q = shapes.transpose(query, 1, 0)
        k = q if key is query else shapes.transpose(key, 1, 0)
        v = k if value is key else shapes.transpose(value, 1, 0)
        return q, k, v
