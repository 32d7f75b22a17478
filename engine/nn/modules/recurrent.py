"""Recurrent networks: cells stepped along a sequence, in layers."""

from __future__ import annotations

import math
import warnings
from typing import Any, ClassVar

import numpy as np

from engine import dtypes
from engine.functions import elementwise, shapes
from engine.functions.pieces import unbind
from engine.nn import functional as F  # noqa: N812  torch's name
from engine.nn import init
from engine.nn.module import Module
from engine.nn.modules.cells import gru_step, lstm_step, simple_step
from engine.nn.parameter import blank
from engine.tensor import Tensor


class RNNBase(Module):
    """Layers of one or two directions; a subclass says what a step is."""

    _gates: ClassVar[int]
    _states: ClassVar[int] = 1
    proj_size: int

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        bias: bool = True,
        batch_first: bool = False,
        dropout: float = 0.0,
        bidirectional: bool = False,
        proj_size: int = 0,
        device: Any = None,
        dtype: dtypes.dtype | None = None,
    ) -> None:
        super().__init__()
        self._check_settings(hidden_size, num_layers, dropout, proj_size)
        self.input_size, self.hidden_size, self.num_layers = input_size, hidden_size, num_layers
        self.bias, self.batch_first, self.dropout = bias, batch_first, dropout
        self.bidirectional, self.proj_size = bidirectional, proj_size
        for layer in range(num_layers):
            for suffix in self._suffixes(layer):
                self._fill(layer, suffix, dtype)
        self.reset_parameters()

    def _check_settings(
        self, hidden_size: int, num_layers: int, dropout: float, proj_size: int
    ) -> None:
        if isinstance(dropout, bool) or not 0 <= dropout <= 1:
            raise ValueError(
                "dropout should be a number in range [0, 1] representing the probability of an "
                "element being zeroed"
            )
        if dropout > 0 and num_layers == 1:
            warnings.warn(
                "dropout option adds dropout after all but last recurrent layer, so non-zero "
                "dropout expects num_layers greater than 1, but got "
                f"dropout={dropout} and num_layers={num_layers}",
                UserWarning,
                stacklevel=4,
            )
        for name, value in (("hidden_size", hidden_size), ("num_layers", num_layers)):
            if value <= 0:
                raise ValueError(f"{name} must be greater than zero")
        if proj_size and self._states != 2:
            raise ValueError("proj_size argument is only supported for LSTM, not RNN or GRU")
        if proj_size >= hidden_size:
            raise ValueError("proj_size has to be smaller than hidden_size")

    def _suffixes(self, layer: int) -> list[str]:
        return [f"_l{layer}", f"_l{layer}_reverse"][: 1 + self.bidirectional]

    def _fill(self, layer: int, suffix: str, dtype: dtypes.dtype | None) -> None:
        shown = self.proj_size or self.hidden_size
        columns = self.input_size if layer == 0 else shown * (1 + self.bidirectional)
        rows = self._gates * self.hidden_size
        setattr(self, f"weight_ih{suffix}", blank(rows, columns, dtype=dtype))
        setattr(self, f"weight_hh{suffix}", blank(rows, shown, dtype=dtype))
        if self.bias:
            setattr(self, f"bias_ih{suffix}", blank(rows, dtype=dtype))
            setattr(self, f"bias_hh{suffix}", blank(rows, dtype=dtype))
        if self.proj_size:
            made = blank(self.proj_size, self.hidden_size, dtype=dtype)
            setattr(self, f"weight_hr{suffix}", made)

    def reset_parameters(self) -> None:
        """Uniform numbers within one over the root of the state's size."""
        bound = 1.0 / math.sqrt(self.hidden_size)
        for parameter in self.parameters():
            init.uniform_(parameter, -bound, bound)

    def flatten_parameters(self) -> None:
        """Nothing to be done: the weights are used as they are."""

    def _step(self, x: Tensor, state: Any, suffix: str) -> Any:
        raise NotImplementedError

    def _weights(self, suffix: str) -> Any:
        names = [f"weight_ih{suffix}", f"weight_hh{suffix}"]
        biases = [f"bias_ih{suffix}", f"bias_hh{suffix}"]
        return (
            *[getattr(self, name) for name in names],
            *[getattr(self, name) if self.bias else None for name in biases],
        )

    def _shown(self, state: Any) -> Tensor:
        """What a step's state shows to the next layer."""
        return state  # type: ignore[no-any-return]

    def _run(self, steps: list[Tensor], state: Any, suffix: str) -> tuple[Tensor, Any]:
        """One layer in one direction."""
        made: list[Tensor] = []
        backwards = suffix.endswith("_reverse")
        for x in reversed(steps) if backwards else steps:
            state = self._step(x, state, suffix)
            made.append(self._shown(state))
        return shapes.stack(made[::-1] if backwards else made), state

    def _start(self, x: Tensor, hx: Any) -> tuple[Tensor, ...]:
        """The first states, of every layer and direction."""
        count = self.num_layers * (1 + self.bidirectional)
        sizes = [self.proj_size or self.hidden_size, self.hidden_size][: self._states]
        batch = x._array.shape[1]
        if hx is None:
            kind = x._array.dtype
            return tuple([Tensor(np.zeros((count, batch, n), kind)) for n in sizes])
        states = (hx,) if self._states == 1 else tuple(hx)
        for place, (state, size) in enumerate(zip(states, sizes, strict=True)):
            wanted = (count, batch, size)
            if state._array.shape != wanted:
                name = f"hidden[{place}]" if self._states > 1 else "hidden"
                raise RuntimeError(f"Expected {name} size {wanted}, got {list(state._array.shape)}")
        return states

    def _check_input(self, x: Tensor, hx: Any) -> None:
        ndim = x._array.ndim
        if ndim not in (2, 3):
            raise ValueError(
                f"{self._get_name()}: Expected input to be 2D or 3D, got {ndim}D tensor instead"
            )
        first = hx[0] if isinstance(hx, tuple) else hx
        if first is not None and first._array.ndim != ndim:
            kind = "batched" if ndim == 3 else "unbatched"
            raise RuntimeError(
                f"For {kind} {ndim}-D input, hx should also be {ndim}-D but got "
                f"{first._array.ndim}-D tensor"
            )
        weight = next(self.parameters())
        if x.dtype is not weight.dtype:
            raise ValueError(
                f"RNN input dtype ({x.dtype}) does not match weight dtype ({weight.dtype}). "
                f"Convert input: input.to({weight.dtype}), or convert model: model.to({x.dtype})"
            )
        if x._array.shape[-1] != self.input_size:
            raise RuntimeError(
                "input.size(-1) must be equal to input_size. Expected "
                f"{self.input_size}, got {x._array.shape[-1]}"
            )

    def forward(self, input: Tensor, hx: Any = None) -> tuple[Tensor, Any]:
        self._check_input(input, hx)
        alone = input._array.ndim == 2
        x, states = input, hx
        if alone:
            x = shapes.unsqueeze(x, 1)
            states = self._each(hx, lambda t: shapes.unsqueeze(t, 1))
        elif self.batch_first:
            x = shapes.transpose(x, 0, 1)
        out, last = self._layers(x, self._start(x, states))
        if alone:
            return shapes.squeeze(out, 1), self._each(last, lambda t: shapes.squeeze(t, 1))
        return (shapes.transpose(out, 0, 1) if self.batch_first else out), last

    @staticmethod
    def _each(states: Any, change: Any) -> Any:
        if isinstance(states, tuple):
            return tuple([change(state) for state in states])
        return None if states is None else change(states)

    def _layers(self, x: Tensor, states: tuple[Tensor, ...]) -> tuple[Tensor, Any]:
        begin = list(zip(*[unbind(state) for state in states], strict=True))
        ends: list[Any] = []
        for layer in range(self.num_layers):
            steps, made = list(unbind(x)), []
            for suffix in self._suffixes(layer):
                first = begin[len(ends)]
                first = first if self._states > 1 else first[0]
                out, end = self._run(steps, first, suffix)
                made.append(out)
                ends.append(end)
            x = made[0] if len(made) == 1 else shapes.cat(made, -1)
            if self.dropout and layer < self.num_layers - 1:
                x = F.dropout(x, self.dropout, self.training)
        if self._states == 1:
            return x, shapes.stack(ends)
        return x, tuple([shapes.stack(list(part)) for part in zip(*ends, strict=True)])

    def extra_repr(self) -> str:
        told = f"{self.input_size}, {self.hidden_size}"
        if self.proj_size:
            told += f", proj_size={self.proj_size}"
        if self.num_layers != 1:
            told += f", num_layers={self.num_layers}"
        usual = {"bias": True, "batch_first": False, "dropout": 0, "bidirectional": False}
        for name, value in usual.items():
            if getattr(self, name) != value:
                told += f", {name}={getattr(self, name)}"
        return told


class RNN(RNNBase):
    """Elman's network: an activation of what input and state send."""

    _gates = 1

    def __init__(self, *args: Any, nonlinearity: str = "tanh", **kwargs: Any) -> None:
        if len(args) > 3 and isinstance(args[3], str):
            nonlinearity, args = args[3], (*args[:3], *args[4:])
        if nonlinearity not in ("tanh", "relu"):
            raise ValueError(
                f"Unknown nonlinearity '{nonlinearity}'. Select from 'tanh' or 'relu'."
            )
        super().__init__(*args, **kwargs)
        self.nonlinearity = nonlinearity

    def _step(self, x: Tensor, state: Tensor, suffix: str) -> Tensor:
        step = simple_step(getattr(elementwise, self.nonlinearity))
        return step(x, state, self._weights(suffix))  # type: ignore[no-any-return]


class GRU(RNNBase):
    """Steps that keep a part of the old state."""

    _gates = 3

    def _step(self, x: Tensor, state: Tensor, suffix: str) -> Tensor:
        return gru_step(x, state, self._weights(suffix))


class LSTM(RNNBase):
    """Steps with a gated memory; the state is what is shown, and the memory."""

    _gates, _states = 4, 2

    def _shown(self, state: Any) -> Tensor:
        return state[0]  # type: ignore[no-any-return]

    def _step(self, x: Tensor, state: Any, suffix: str) -> Any:
        projection = getattr(self, f"weight_hr{suffix}") if self.proj_size else None
        return lstm_step(x, state, self._weights(suffix), projection)
