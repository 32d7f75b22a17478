"""The layers of a transformer (Vaswani et al., 2017)."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import numpy as np

from engine import dtypes
from engine.functions import arithmetic
from engine.nn import functional as F  # noqa: N812  torch's name
from engine.nn import init
from engine.nn.module import Module
from engine.nn.modules.attention import MultiheadAttention
from engine.nn.modules.container import ModuleList
from engine.nn.modules.dropout import Dropout
from engine.nn.modules.linear import Linear
from engine.nn.modules.normalization import LayerNorm
from engine.tensor import Tensor

Activation = str | Callable[[Tensor], Tensor]


def _activation(given: Activation) -> Callable[[Tensor], Tensor]:
    if not isinstance(given, str):
        return given
    if given not in ("relu", "gelu"):
        raise RuntimeError(f"activation should be relu/gelu, not {given}")
    return getattr(F, given)  # type: ignore[no-any-return]


def _is_causal(mask: Tensor | None, hint: bool | None) -> bool:
    """Whether a mask is the one that hides what comes later."""
    if hint is not None:
        return hint
    if mask is None or mask._array.ndim < 2:
        return False
    wanted = np.where(np.tri(*mask._array.shape[-2:]), 0, -np.inf)
    return bool(np.array_equal(mask._array, wanted))


class _Layer(Module):
    """What layers of encoder and decoder have in common: two linear maps and normalizations."""

    norms = 2

    def __init__(
        self,
        d_model: int,
        nhead: int,
        dim_feedforward: int = 2048,
        dropout: float = 0.1,
        activation: Activation = F.relu,
        layer_norm_eps: float = 1e-5,
        batch_first: bool = False,
        norm_first: bool = False,
        bias: bool = True,
        device: Any = None,
        dtype: dtypes.dtype | None = None,
    ) -> None:
        super().__init__()
        attention = {"dropout": dropout, "bias": bias, "batch_first": batch_first, "dtype": dtype}
        self.self_attn = MultiheadAttention(d_model, nhead, **attention)  # type: ignore[arg-type]
        if self.norms == 3:
            self.multihead_attn = MultiheadAttention(d_model, nhead, **attention)  # type: ignore[arg-type]
        self.linear1 = Linear(d_model, dim_feedforward, bias, dtype=dtype)
        self.dropout = Dropout(dropout)
        self.linear2 = Linear(dim_feedforward, d_model, bias, dtype=dtype)
        self.norm_first = norm_first
        for number in range(1, self.norms + 1):
            norm = LayerNorm(d_model, layer_norm_eps, bias=bias, dtype=dtype)
            setattr(self, f"norm{number}", norm)
        for number in range(1, self.norms + 1):
            setattr(self, f"dropout{number}", Dropout(dropout))
        self.activation = _activation(activation)

    def _step(self, x: Tensor, number: int, block: Callable[[Tensor], Tensor]) -> Tensor:
        """X and what a block makes of it, normalized before or after."""
        norm, dropout = getattr(self, f"norm{number}"), getattr(self, f"dropout{number}")
        if self.norm_first:
            return arithmetic.add(x, dropout(block(norm(x))))
        return norm(arithmetic.add(x, dropout(block(x))))  # type: ignore[no-any-return]

    def _feed(self, x: Tensor) -> Tensor:
        return self.linear2(self.dropout(self.activation(self.linear1(x))))  # type: ignore[no-any-return]


class TransformerEncoderLayer(_Layer):
    """Attention of a sequence to itself, and a small network at each place."""

    def forward(
        self,
        src: Tensor,
        src_mask: Tensor | None = None,
        src_key_padding_mask: Tensor | None = None,
        is_causal: bool = False,
    ) -> Tensor:
        given = {
            "attn_mask": src_mask,
            "key_padding_mask": src_key_padding_mask,
            "is_causal": is_causal,
            "need_weights": False,
        }
        x = self._step(src, 1, lambda x: self.self_attn(x, x, x, **given)[0])
        return self._step(x, 2, self._feed)


class TransformerDecoderLayer(_Layer):
    """As the encoder's, with attention to another sequence between."""

    norms = 3

    def forward(
        self,
        tgt: Tensor,
        memory: Tensor,
        tgt_mask: Tensor | None = None,
        memory_mask: Tensor | None = None,
        tgt_key_padding_mask: Tensor | None = None,
        memory_key_padding_mask: Tensor | None = None,
        tgt_is_causal: bool = False,
        memory_is_causal: bool = False,
    ) -> Tensor:
        own = {
            "attn_mask": tgt_mask,
            "key_padding_mask": tgt_key_padding_mask,
            "is_causal": tgt_is_causal,
            "need_weights": False,
        }
        other = {
            "attn_mask": memory_mask,
            "key_padding_mask": memory_key_padding_mask,
            "is_causal": memory_is_causal,
            "need_weights": False,
        }
        x = self._step(tgt, 1, lambda x: self.self_attn(x, x, x, **own)[0])
        x = self._step(x, 2, lambda x: self.multihead_attn(x, memory, memory, **other)[0])
        return self._step(x, 3, self._feed)


class _Stack(Module):
    """Copies of a layer, one after the other."""

    def __init__(self, layer: Module, num_layers: int, norm: Module | None = None) -> None:
        super().__init__()
        self.layers = ModuleList(copy.deepcopy(layer) for _ in range(num_layers))
        self.num_layers, self.norm = num_layers, norm

    def _ended(self, x: Tensor) -> Tensor:
        return x if self.norm is None else self.norm(x)


class TransformerEncoder(_Stack):
    """Several encoder layers."""

    def __init__(
        self,
        encoder_layer: Module,
        num_layers: int,
        norm: Module | None = None,
        enable_nested_tensor: bool = True,
        mask_check: bool = True,
    ) -> None:
        super().__init__(encoder_layer, num_layers, norm)

    def forward(
        self,
        src: Tensor,
        mask: Tensor | None = None,
        src_key_padding_mask: Tensor | None = None,
        is_causal: bool | None = None,
    ) -> Tensor:
        causal = _is_causal(mask, is_causal)
        for layer in self.layers:
            src = layer(src, mask, src_key_padding_mask, causal)
        return self._ended(src)


class TransformerDecoder(_Stack):
    """Several decoder layers."""

    def __init__(self, decoder_layer: Module, num_layers: int, norm: Module | None = None) -> None:
        super().__init__(decoder_layer, num_layers, norm)

    def forward(
        self,
        tgt: Tensor,
        memory: Tensor,
        tgt_mask: Tensor | None = None,
        memory_mask: Tensor | None = None,
        tgt_key_padding_mask: Tensor | None = None,
        memory_key_padding_mask: Tensor | None = None,
        tgt_is_causal: bool | None = None,
        memory_is_causal: bool = False,
    ) -> Tensor:
        causal = _is_causal(tgt_mask, tgt_is_causal)
        masks = (tgt_mask, memory_mask, tgt_key_padding_mask, memory_key_padding_mask)
        for layer in self.layers:
            tgt = layer(tgt, memory, *masks, causal, memory_is_causal)
        return self._ended(tgt)


class Transformer(Module):
    """An encoder of one sequence and a decoder of another that attends to it."""

    def __init__(
        self,
        d_model: int = 512,
        nhead: int = 8,
        num_encoder_layers: int = 6,
        num_decoder_layers: int = 6,
        dim_feedforward: int = 2048,
        dropout: float = 0.1,
        activation: Activation = F.relu,
        custom_encoder: Module | None = None,
        custom_decoder: Module | None = None,
        layer_norm_eps: float = 1e-5,
        batch_first: bool = False,
        norm_first: bool = False,
        bias: bool = True,
        device: Any = None,
        dtype: dtypes.dtype | None = None,
    ) -> None:
        super().__init__()
        settings = (dim_feedforward, dropout, activation, layer_norm_eps, batch_first, norm_first)

        def stack(whole: type[Any], layer: type[Any], count: int) -> Module:
            made = layer(d_model, nhead, *settings, bias, None, dtype)
            norm = LayerNorm(d_model, layer_norm_eps, bias=bias, dtype=dtype)
            return whole(made, count, norm)  # type: ignore[no-any-return]

        self.encoder = custom_encoder or stack(
            TransformerEncoder, TransformerEncoderLayer, num_encoder_layers
        )
        self.decoder = custom_decoder or stack(
            TransformerDecoder, TransformerDecoderLayer, num_decoder_layers
        )
        for parameter in self.parameters():
            if parameter._array.ndim > 1:
                init.xavier_uniform_(parameter)
        self.d_model, self.nhead, self.batch_first = d_model, nhead, batch_first

    def forward(
        self,
        src: Tensor,
        tgt: Tensor,
        src_mask: Tensor | None = None,
        tgt_mask: Tensor | None = None,
        memory_mask: Tensor | None = None,
        src_key_padding_mask: Tensor | None = None,
        tgt_key_padding_mask: Tensor | None = None,
        memory_key_padding_mask: Tensor | None = None,
        src_is_causal: bool | None = None,
        tgt_is_causal: bool | None = None,
        memory_is_causal: bool = False,
    ) -> Tensor:
        memory = self.encoder(src, src_mask, src_key_padding_mask, src_is_causal)
        masks = (tgt_mask, memory_mask, tgt_key_padding_mask, memory_key_padding_mask)
        return self.decoder(tgt, memory, *masks, tgt_is_causal, memory_is_causal)  # type: ignore[no-any-return]

    @staticmethod
    def generate_square_subsequent_mask(
        sz: int,
        device: Any = None,  # noqa: ARG004  there is but one
        dtype: dtypes.dtype | None = None,
    ) -> Tensor:
        """-inf for what comes later, else 0."""
        kind: Any = (dtype or dtypes.get_default_dtype())._numpy
        return Tensor(np.where(np.tri(sz, dtype=bool), 0, -np.inf).astype(kind))
