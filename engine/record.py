"""`record()`: a context in which every op, backward call and change of `.grad` is logged."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from engine.arrays import Array
from engine.state import STATE

if TYPE_CHECKING:
    from engine.tensor import Tensor

LEAF, CONSTANT = "leaf", "constant"
_NO_PARAMS: Mapping[str, Any] = MappingProxyType({})


class Entry(NamedTuple):
    """One node of the trace: a source (`op` is "leaf" or "constant") or what an op made.

    `inputs` are the numbers of earlier entries; `value` is a snapshot, never written again.
    `value` is None where the op raised: the entry then says which inputs it refused.
    """

    number: int
    op: str
    inputs: tuple[int, ...]
    params: Mapping[str, Any]
    value: Array | None
    requires_grad: bool
    grad_fn: str | None
    line: int | None
    in_backward: bool  # made by a backward call with create_graph=True
    is_number: bool = False  # a Python number that took part in an op, as in `3 * x`


class Step(NamedTuple):
    """What one edge of the reverse pass carries: `node` sends `contribution` into `input`.

    `upstream` is the complete cotangent of `node` and has its shape; `contribution` has the shape
    of `input`, the axes in `summed` having been summed away where the forward op broadcast.
    `before` is the cotangent of `input` so far, None at the first arrival; `after` includes this
    contribution. `node` and `input` are numbers of entries.
    """

    node: int
    slot: int
    input: int
    upstream: Array
    contribution: Array
    summed: tuple[int, ...]
    before: Array | None
    after: Array


# As many of these are made as a program has ops: without the call of their constructors.
_made: Any = tuple.__new__


@dataclass(slots=True, eq=False)
class BackwardEvent:
    """One root of a backward call, filled in while the pass runs.

    `grads` maps each leaf (or tensor that retains its gradient) to its `.grad` after the call;
    `cleared` names those whose `.grad` was cleared since the call before.
    """

    target: int
    seed: Array | None  # None where the call was refused before it had one
    implicit: bool
    retain_graph: bool
    create_graph: bool
    inputs: tuple[int, ...] | None
    line: int | None
    cleared: tuple[int, ...] = ()
    seed_name: str | None = None
    steps: list[Step] = field(default_factory=list)
    grads: dict[int, Array] = field(default_factory=dict)
    saved_bytes: int = 0
    error: BaseException | None = None
    captures: bool = False  # `autograd.grad`, which leaves every `.grad` alone
    # With create_graph, where in the graph that the pass made its entries belong:
    origins: dict[int, int] = field(default_factory=dict)  # an entry to the node it was made at
    cotangents: dict[int, int] = field(default_factory=dict)  # a node to the entry of its cotangent


class Record:
    """The log that `record()` yields: entries, names, backward events, in order."""

    def __init__(self, *, where: Callable[[], int | None], max_elements: int | None) -> None:
        self.entries: list[Entry] = []
        self.names: dict[int, str] = {}
        self.backwards: list[BackwardEvent] = []
        self.in_backward = False
        self._where = where
        self._max_elements = max_elements
        self._with_grad: dict[int, Tensor] = {}  # all that ever had a `.grad`
        self.refusals: list[tuple[int, BaseException]] = []
        self._cleared: list[int] = []

    def line(self) -> int | None:
        """The source line being run, where the caller of `record()` can tell."""
        return self._where()

    def number_of(self, tensor: Tensor) -> int:
        """The entry of this tensor; a source is entered when it is first used."""
        held = tensor._entry
        if held is not None and held[0] is self:
            return held[1]
        if tensor._wrapped and not tensor._array.flags.writeable:
            return self._number(tensor, self._where())
        array = tensor._array.copy()
        tracked = tensor._requires_grad
        kind = LEAF if tracked and tensor.is_leaf else CONSTANT
        number = len(self.entries)
        line, called = None, tensor._called
        if called is not None and called[0] is self:
            line = called[2]
            self.names.setdefault(number, called[1])
        if line is None:
            line = self._where()
        self.entries.append(
            _made(
                Entry,
                (number, kind, (), _NO_PARAMS, array, tracked, None, line, self.in_backward,
                 tensor._wrapped),
            )
        )  # fmt: skip
        tensor._entry = (self, number)
        return number

    def _number(self, tensor: Tensor, line: int | None) -> int:
        """Enter a number of the script, which the engine keeps for its next use.

        Each use is an entry of its own, and the tensor, which other recordings see too, none's.
        """
        number = len(self.entries)
        self.entries.append(
            _made(
                Entry,
                (number, CONSTANT, (), _NO_PARAMS, tensor._array, False, None, line,
                 self.in_backward, True),
            )
        )  # fmt: skip
        return number

    def bind(self, tensor: Tensor, number: int) -> None:
        """From now on `tensor` stands for the entry `number`."""
        tensor._entry = (self, number)
        name = self.name_of(tensor)
        if name is not None:
            self.names.setdefault(number, name)

    def forget(self, tensor: Tensor) -> None:
        """The tensor was written in place without history: its next use is a new source."""
        tensor._entry = None

    def has_grad(self, tensor: Tensor) -> None:
        """Something arrived in the tensor's `.grad`, which is looked at after each call."""
        self._with_grad[id(tensor)] = tensor

    def grads(self) -> Iterator[tuple[int, Tensor]]:
        """Each `.grad` there is, with the number of the entry whose it is."""
        for tensor in self._with_grad.values():
            held = tensor._entry
            if tensor._grad is not None and held is not None and held[0] is self:
                yield held[1], tensor._grad

    def name(self, tensor: Tensor, name: str) -> None:
        """A variable was bound to the tensor; the first name stays."""
        if self.name_of(tensor) is None:
            tensor._called = (self, name, self._where())
        held = tensor._entry
        if held is not None and held[0] is self:
            self.names.setdefault(held[1], name)

    def name_of(self, tensor: Tensor) -> str | None:
        """The variable name that the tensor was given, if any."""
        called = tensor._called
        return called[1] if called is not None and called[0] is self else None

    def applied(
        self, op: str, inputs: tuple[Tensor, ...], params: Mapping[str, Any], out: Tensor
    ) -> int:
        """Enter an op's result; the tensor `out` stands for it from now on."""
        if self._max_elements is not None and out._array.size > self._max_elements:
            raise MemoryError(
                f"a tensor of {out._array.size} elements is over the limit of {self._max_elements}"
            )
        entries, line = self.entries, self._where()
        numbers = []
        for tensor in inputs:
            held = tensor._entry
            if held is not None and held[0] is self:
                numbers.append(held[1])
            elif tensor._wrapped and not tensor._array.flags.writeable:
                numbers.append(self._number(tensor, line))
            else:
                numbers.append(self.number_of(tensor))
        fn = out._node
        number = len(entries)
        label = None
        if fn is not None:
            fn.entry = number
            label = fn.plan.label or fn.label()
        entries.append(
            _made(
                Entry,
                (number, op, tuple(numbers), params, out._array.copy(), out._requires_grad, label,
                 line, self.in_backward, False),
            )
        )  # fmt: skip
        out._entry = (self, number)
        return number

    def refused(
        self, op: str, inputs: tuple[Tensor, ...], params: Mapping[str, Any], error: BaseException
    ) -> None:
        """Enter an op that raised `error` instead of giving a value."""
        numbers = tuple(self.number_of(t) for t in inputs)
        number = len(self.entries)
        line = self._where()
        self.entries.append(
            Entry(number, op, numbers, params, None, False, None, line, self.in_backward)
        )
        self.refusals.append((number, error))

    def grad_cleared(self, tensor: Tensor) -> None:
        """The tensor's `.grad` was set to None or to zeros."""
        self._cleared.append(self.number_of(tensor))

    def zeroed(self, tensor: Tensor) -> None:
        """Zeros were written over the tensor: where it is the `.grad` of another, that is noted."""
        for number, grad in self.grads():
            if grad is tensor:
                self._cleared.append(number)

    def backward_begins(self, event: BackwardEvent) -> None:
        """A backward call starts: it takes over what was cleared since the one before."""
        event.cleared, self._cleared = tuple(dict.fromkeys(self._cleared)), []
        self.backwards.append(event)


class _Active:
    """The recording of the current thread, if there is one."""

    @property
    def record(self) -> Record | None:
        return STATE.mode.record

    @record.setter
    def record(self, log: Record | None) -> None:
        STATE.mode.record = log


ACTIVE = _Active()


def _nowhere() -> int | None:
    return None


@contextmanager
def record(
    *, where: Callable[[], int | None] = _nowhere, max_elements: int | None = None
) -> Iterator[Record]:
    """Log everything that this thread's engine does until the context ends.

    `where` tells the source line being run. A result with more than `max_elements` elements
    raises MemoryError. Recordings do not nest: the inner one takes over until it ends.
    """
    outer = ACTIVE.record
    ACTIVE.record = log = Record(where=where, max_elements=max_elements)
    try:
        yield log
    finally:
        ACTIVE.record = outer


def snapshot(array: Array) -> Array:
    """A read-only copy."""
    copy = np.array(array)
    copy.flags.writeable = False
    return copy
