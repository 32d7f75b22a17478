"""A backward that a user wrote, as the rules of an op: run once for all inputs, and checked."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.autograd import messages
from engine.ops.custom import PART
from engine.state import STATE
from engine.tensor import Tensor

if TYPE_CHECKING:
    from engine.autograd.function import Function, FunctionCtx


@contextmanager
def users_code(*, graph: bool) -> Iterator[None]:
    """Run what a user wrote: NumPy's functions there are no rule's.

    Only with `graph` it keeps history, and is recorded.
    """
    mode = STATE.mode
    outer = mode.grad_enabled, mode.in_rules, mode.record
    mode.grad_enabled, mode.in_rules = graph, False
    if not graph:
        mode.record = None
        mode.settle()
    try:
        yield
    finally:
        mode.grad_enabled, mode.in_rules, mode.record = outer
        mode.settle()


class Backward:
    """The backward of one call.

    `flowing` are the places of the outputs through which gradients come; `arrived` are those of
    them, by their count, that had one, where there are several.
    """

    def __init__(
        self,
        cls: type[Function],
        ctx: FunctionCtx,
        args: tuple[Any, ...],
        outputs: tuple[Any, ...],
        flowing: list[int],
    ) -> None:
        self.cls = cls
        self.ctx = ctx
        self.name = f"{cls.__name__}Backward"
        self.arrived: set[int] = set()
        self._shapes = [a._array.shape if isinstance(a, Tensor) else None for a in args]
        self._slots = [i for i, shape in enumerate(self._shapes) if shape is not None]
        self._outputs = [
            (out._array.shape, out._array.dtype) if isinstance(out, Tensor) else None
            for out in outputs
        ]
        self._flowing = flowing
        self._last: tuple[int, Any, list[Any]] | None = None

    def rule(self, slot: int) -> Callable[..., Any]:
        """The pullback of one input. The first that is asked runs the user's code."""

        def pullback(g: Any, y: Any, *_saved: Any) -> Any:
            last = self._last
            again = last is None or last[1] is not g or slot <= last[0]
            found = self._run(g) if again else last[2]  # type: ignore[index]
            self._last = (slot, g, found)
            return found[slot]

        return pullback

    def _run(self, g: Any) -> list[Any]:
        graph = isinstance(g, Tensor)
        with users_code(graph=graph):
            made = self._function()(self.ctx, *self._cotangents(g))
        self.arrived.clear()
        found = self._checked(made if isinstance(made, tuple) else (made,))
        if graph:
            return found
        return [None if t is None else t._array for t in found]

    def _function(self) -> Callable[..., Any]:
        from engine.autograd.function import Function

        cls = self.cls
        if cls.vjp is Function.vjp:
            return cls.backward
        if cls.backward is not Function.backward:
            raise RuntimeError(messages.BOTH_BACKWARDS)
        return cls.vjp

    def _cotangents(self, g: Any) -> list[Any]:
        """One for each output: None or zeros where nothing came."""
        given: list[Any] = [None] * len(self._outputs)
        if len(self._flowing) == 1:
            given[self._flowing[0]] = g
        else:
            self._take_apart(g, given)
        for place, (one, kind) in enumerate(zip(given, self._outputs, strict=True)):
            if one is None and kind is not None and self.ctx.materialize_grads:
                given[place] = Tensor(np.zeros(*kind))
            elif one is not None and not isinstance(one, Tensor):
                given[place] = Tensor(np.asarray(one))
        return given

    def _take_apart(self, g: Any, given: list[Any]) -> None:
        start = 0
        for number, place in enumerate(self._flowing):
            shape, _dtype = self._outputs[place] or ((), None)
            size = int(np.prod(shape))
            if number in self.arrived:
                whole = int(np.prod(g.shape))
                given[place] = PART(g, start=start, shape=shape, size=whole)
            start += size

    def _checked(self, made: tuple[Any, ...]) -> list[Tensor | None]:
        """The gradients of the inputs that are tensors. Raises RuntimeError as PyTorch does."""
        wanted, given = len(self._shapes), list(made)
        while len(given) > wanted and given[-1] is None:
            given.pop()
        if len(given) != wanted:
            text = messages.GRADIENT_COUNT
            raise RuntimeError(text.format(name=self.name, wanted=wanted, given=len(given)))
        for i, (one, shape) in enumerate(zip(given, self._shapes, strict=True)):
            if one is None:
                continue
            if shape is None:
                raise RuntimeError(messages.GRADIENT_FOR_NONE.format(name=self.name, i=i + 1))
            if not isinstance(one, Tensor):
                raise RuntimeError(messages.GRADIENT_TYPE.format(type=type(one).__name__))
        found = [given[i] for i in self._slots]
        for slot, (i, one) in enumerate(zip(self._slots, found, strict=True)):
            if one is not None and self.ctx.needs_input_grad[i]:
                self._check_shape(slot, one, self._shapes[i] or ())
        return found

    def _check_shape(self, slot: int, one: Tensor, shape: tuple[int, ...]) -> None:
        given = one._array.shape
        try:
            fits = np.broadcast_shapes(given, shape) == given
        except ValueError:
            fits = False
        if not fits:
            text = messages.GRADIENT_SHAPE
            raise RuntimeError(
                text.format(name=self.name, i=slot, given=list(given), wanted=list(shape))
            )
