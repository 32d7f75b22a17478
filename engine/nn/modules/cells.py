"""Cells of recurrent networks: one step each."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np

from engine import dtypes
from engine.functions import arithmetic, elementwise, products
from engine.functions.pieces import chunk
from engine.nn import init
from engine.nn.module import Module
from engine.nn.parameter import Parameter, blank
from engine.tensor import Tensor

Weights = tuple[Tensor, Tensor, Tensor | None, Tensor | None]  # of input and state, and biases


def _sums(x: Tensor, h: Tensor, weights: Weights) -> tuple[Tensor, Tensor]:
    w_x, w_h, b_x, b_h = weights
    return products.linear(x, w_x, b_x), products.linear(h, w_h, b_h)


def simple_step(activation: Callable[[Tensor], Tensor]) -> Any:
    """Elman's step: an activation of what input and state send."""

    def step(x: Tensor, h: Tensor, weights: Weights) -> Tensor:
        return activation(arithmetic.add(*_sums(x, h, weights)))

    return step


def gru_step(x: Tensor, h: Tensor, weights: Weights) -> Tensor:
    """A part of the old state and of a new one (Cho et al., 2014)."""
    from_x, from_h = _sums(x, h, weights)
    reset_x, update_x, new_x = chunk(from_x, 3, -1)
    reset_h, update_h, new_h = chunk(from_h, 3, -1)
    reset = elementwise.sigmoid(arithmetic.add(reset_x, reset_h))
    update = elementwise.sigmoid(arithmetic.add(update_x, update_h))
    new = elementwise.tanh(arithmetic.add(new_x, arithmetic.mul(reset, new_h)))
    return arithmetic.add(arithmetic.mul(arithmetic.sub(h, new), update), new)


def lstm_step(
    x: Tensor, state: tuple[Tensor, Tensor], weights: Weights, projection: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """A gated memory and what is shown of it (Hochreiter and Schmidhuber, 1997)."""
    h, c = state
    gates = chunk(arithmetic.add(*_sums(x, h, weights)), 4, -1)
    take, keep, show = (elementwise.sigmoid(gates[place]) for place in (0, 1, 3))
    new = arithmetic.mul(take, elementwise.tanh(gates[2]))
    c = arithmetic.add(arithmetic.mul(keep, c), new)
    h = arithmetic.mul(show, elementwise.tanh(c))
    return (h if projection is None else products.linear(h, projection)), c


class _Cell(Module):
    """Weights of input and state, one above the other for each gate, and biases."""

    _gates: ClassVar[int]
    weight_ih: Parameter
    weight_hh: Parameter

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        bias: bool = True,
        device: Any = None,
        dtype: dtypes.dtype | None = None,
    ) -> None:
        super().__init__()
        self.input_size, self.hidden_size, self.bias = input_size, hidden_size, bias
        rows = self._gates * hidden_size
        self.weight_ih = blank(rows, input_size, dtype=dtype)
        self.weight_hh = blank(rows, hidden_size, dtype=dtype)
        for name in ("bias_ih", "bias_hh"):
            self.register_parameter(name, blank(rows, dtype=dtype) if bias else None)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Uniform numbers within one over the root of the state's size."""
        bound = 1.0 / math.sqrt(self.hidden_size) if self.hidden_size > 0 else 0
        for parameter in self.parameters():
            init.uniform_(parameter, -bound, bound)

    def _weights(self) -> Weights:
        return (self.weight_ih, self.weight_hh, self.bias_ih, self.bias_hh)

    def _check(self, x: Tensor, states: tuple[Tensor, ...]) -> None:
        ndim, size = x._array.ndim, x._array.shape[-1]
        if ndim not in (1, 2):
            raise ValueError(
                f"{self._get_name()}: Expected input to be 1D or 2D, got {ndim}D instead"
            )
        if size != self.input_size:
            raise RuntimeError(
                f"input has inconsistent input_size: got {size} expected {self.input_size}"
            )
        for place, state in enumerate(states):
            if state._array.shape[-1] != self.hidden_size:
                raise RuntimeError(
                    f"hidden{place} has inconsistent hidden_size: got {state._array.shape[-1]}, "
                    f"expected {self.hidden_size}"
                )

    def _zeros(self, x: Tensor) -> Tensor:
        shape = (*x._array.shape[:-1], self.hidden_size)
        return Tensor(np.zeros(shape, x._array.dtype))

    def extra_repr(self) -> str:
        told = f"{self.input_size}, {self.hidden_size}"
        return told if self.bias else f"{told}, bias={self.bias}"


class RNNCell(_Cell):
    """An activation of what input and state send."""

    _gates = 1

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        bias: bool = True,
        nonlinearity: str = "tanh",
        device: Any = None,
        dtype: dtypes.dtype | None = None,
    ) -> None:
        super().__init__(input_size, hidden_size, bias, device, dtype)
        self.nonlinearity = nonlinearity

    def forward(self, input: Tensor, hx: Tensor | None = None) -> Tensor:
        h = self._zeros(input) if hx is None else hx
        self._check(input, (h,))
        if self.nonlinearity not in ("tanh", "relu"):
            raise RuntimeError(f"Unknown nonlinearity: {self.nonlinearity}")
        step = simple_step(getattr(elementwise, self.nonlinearity))
        return step(input, h, self._weights())  # type: ignore[no-any-return]

    def extra_repr(self) -> str:
        told = super().extra_repr()
        return told if self.nonlinearity == "tanh" else f"{told}, nonlinearity={self.nonlinearity}"


class GRUCell(_Cell):
    """A part of the old state and of a new one."""

    _gates = 3

    def forward(self, input: Tensor, hx: Tensor | None = None) -> Tensor:
        h = self._zeros(input) if hx is None else hx
        self._check(input, (h,))
        return gru_step(input, h, self._weights())


class LSTMCell(_Cell):
    """A gated memory and what is shown of it."""

    _gates = 4

    def forward(
        self, input: Tensor, hx: tuple[Tensor, Tensor] | None = None
    ) -> tuple[Tensor, Tensor]:
        state = (self._zeros(input), self._zeros(input)) if hx is None else hx
        if isinstance(state, Tensor):
            raise TypeError(
                "lstm_cell(): argument 'hx' (position 2) must be tuple of Tensors, not Tensor"
            )
        self._check(input, state)
        return lstm_step(input, state, self._weights())
