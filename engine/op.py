"""`Op`: one row of the operator table, its forward function and a pullback for each input."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Literal

import numpy as np

from engine.arrays import Array

Pullback = Callable[..., Any]
# What a pullback reads: "y" is the op's output, a number is a slot, ("shape", slot) its shape only,
# ("from", slot) that slot and all behind it.
Need = str | int | tuple[str, int]


@dataclass(frozen=True, slots=True)
class Sample:
    """Inputs on which a row can be tried: shapes, or arrays where the values matter."""

    inputs: tuple[tuple[int, ...] | Array, ...]
    params: Mapping[str, Any] = field(default_factory=dict)

    def arrays(self) -> list[Array]:
        """The inputs as float64 arrays, distinct positive numbers where only a shape is given."""
        return [
            item
            if isinstance(item, np.ndarray)
            else (0.3 + 0.7 * slot + 0.25 * np.arange(1, 1 + int(np.prod(item)))).reshape(item)
            for slot, item in enumerate(self.inputs)
        ]


@dataclass(frozen=True, slots=True, eq=False)
class Op:
    """One operator: `forward(*inputs, **params)` and its vector-Jacobian products.

    A pullback takes `(g, y, *inputs, **params)`: the cotangent of the output, the output, the
    inputs. It returns the cotangent of its input and may leave it broadcast: the reverse pass sums
    it back to the input's shape. None stands where nothing flows, as do slots beyond the last
    rule. Rules are NumPy expressions or calls of other rows, so that they run on arrays, on
    `Formula` names and on `Tensor`s alike.

    `promote`: "common" brings all inputs to PyTorch's result type, "rest" all but the first,
    "float" also makes integers the default float, "none" leaves them. A `variadic` op has one
    pullback for all slots, which is told its `slot`. `reads` overrides what the rules are found
    to need by tracing them. `is_view`: the result may show the first input's memory.
    `extra(y, *inputs, **params)` gives further parameters for the rules, kept from the forward
    computation, as the places of the largest elements. `batched`: the rules also take many
    cotangents at once, along a new first axis of `g`; `many` are rules for that where the plain
    ones do not. Other rows are asked one cotangent at a time. With `conjugate`, the rule of a
    complex op runs between conjugations, which makes a holomorphic derivative PyTorch's gradient;
    a row without it says itself what complex numbers need.
    """

    name: str
    forward: Callable[..., Any]
    pullbacks: tuple[Pullback | None, ...]
    grad_fn: str | Callable[[Mapping[str, Any]], str] = ""
    promote: Literal["common", "rest", "float", "none"] = "common"
    variadic: bool = False
    reads: tuple[frozenset[Need], ...] | None = None
    samples: tuple[Sample, ...] = ()
    is_view: bool = False
    extra: Callable[..., Mapping[str, Any]] | None = None
    batched: bool = False
    many: tuple[Pullback | None, ...] = ()
    conjugate: bool = True
    _plans: dict[tuple[bool, ...], Plan] = field(default_factory=dict, init=False, repr=False)
    _complex_plans: dict[tuple[bool, ...], Plan] = field(
        default_factory=dict, init=False, repr=False
    )

    def __post_init__(self) -> None:
        if not self.grad_fn:
            stem = "".join(part.capitalize() for part in self.name.split("_"))
            object.__setattr__(self, "grad_fn", f"{stem}Backward0")

    def __call__(self, *inputs: Any, **params: Any) -> Any:
        """The op on arrays, on `Formula`s, or, where any input is a `Tensor`, with history."""
        for item in inputs:
            called = getattr(type(item), "_apply_op", None)
            if called is not None:
                return called(self, inputs, params)
        return self.forward(*inputs, **params)

    def node_name(self, params: Mapping[str, Any]) -> str:
        """The name that PyTorch gives the op's backward node, as in `PowBackward0`."""
        return self.grad_fn if isinstance(self.grad_fn, str) else self.grad_fn(params)

    def pullback(self, slot: int) -> Pullback | None:
        """The rule of a slot; a variadic op's single rule is bound to it."""
        if not self.variadic:
            return self.pullbacks[slot] if slot < len(self.pullbacks) else None
        rule = self.pullbacks[0]
        if rule is None:
            return None

        def of_slot(g: Any, y: Any, *inputs: Any, **params: Any) -> Any:
            return rule(g, y, *inputs, slot=slot, **params)

        return of_slot

    def rule_for_many(self, slot: int) -> Pullback | None:
        """The rule of a slot for many cotangents along a first axis, if the row has one."""
        if self.many:
            return self.many[slot]
        return self.pullback(slot) if self.batched else None

    def reaches(self, slot: int) -> bool:
        """Whether gradients can flow to the input in this slot."""
        rules = self.pullbacks
        return self.variadic or (slot < len(rules) and rules[slot] is not None)

    def plan(self, wanted: tuple[bool, ...], *, of_complex: bool = False) -> Plan:
        """What must be kept for a backward pass that reaches the slots marked in `wanted`.

        Slots that gradients cannot flow to may be marked; they are passed over.
        """
        plans = self._complex_plans if of_complex and self.conjugate else self._plans
        plan = plans.get(wanted)
        if plan is None:
            plan = plans[wanted] = _plan(self, wanted, conjugated=plans is self._complex_plans)
        return plan


elementwise = partial(Op, batched=True)


@dataclass(frozen=True, slots=True)
class Plan:
    """Which values and which bare shapes of inputs the wanted pullbacks of an op read.

    `active` are the wanted slots with their rules. `keeps_inputs`, `keeps_all`: whether the
    value of any, of every input is saved; `keeps_arrays`: whether anything is that a first backward
    call frees.
    """

    op: Op
    wanted: tuple[bool, ...]
    output: bool
    values: tuple[bool, ...]
    shapes: tuple[bool, ...]
    keeps_inputs: bool
    keeps_all: bool
    keeps_arrays: bool
    reads_shapes: bool
    nothing: tuple[None, ...]
    label: str | None  # the name of its nodes as it is printed, where params do not change it
    active: tuple[tuple[int, Pullback], ...]
    many: tuple[Pullback | None, ...]  # for each of the active, its rule for many cotangents


def _plan(op: Op, wanted: tuple[bool, ...], *, conjugated: bool) -> Plan:
    wanted = tuple(want and op.reaches(slot) for slot, want in enumerate(wanted))
    reached = [slot for slot, want in enumerate(wanted) if want]
    wrap = _between_conjugations if conjugated else _as_it_is
    needs = _needs(op, wanted)
    count = range(len(wanted))
    first = min(
        (n[1] for n in needs if isinstance(n, tuple) and n[0] == "from"), default=len(count)
    )
    values = tuple(slot in needs or slot >= first for slot in count)
    shapes = tuple(("shape", slot) in needs for slot in count)
    return Plan(
        op=op,
        wanted=wanted,
        output="y" in needs,
        values=values,
        shapes=shapes,
        keeps_inputs=True in values,
        keeps_all=False not in values,
        keeps_arrays="y" in needs or True in values or op.extra is not None,
        reads_shapes=True in shapes,
        nothing=(None,) * len(wanted),
        label=op.grad_fn if isinstance(op.grad_fn, str) and "::" not in op.grad_fn else None,
        active=tuple((slot, wrap(rule)) for slot in reached if (rule := op.pullback(slot))),
        many=tuple(wrap(op.rule_for_many(slot)) for slot in reached),
    )


def _needs(op: Op, wanted: tuple[bool, ...]) -> set[Need]:
    needs: set[Need] = set()
    for slot, want in enumerate(wanted):
        if want and op.reads is not None:
            needs |= op.reads[0 if op.variadic else slot]
        elif want:
            from engine.formula import needs_of

            needs |= needs_of(op, slot, len(wanted))
    return needs


def _as_it_is(rule: Pullback | None) -> Any:
    return rule


def _between_conjugations(rule: Pullback | None) -> Any:
    """PyTorch's gradient of a holomorphic op, g times the conjugate of f', from g times f'."""
    if rule is None:
        return None

    def conjugated(g: Any, y: Any, *inputs: Any, **params: Any) -> Any:
        return np.conjugate(rule(np.conjugate(g), y, *inputs, **params))

    return conjugated


class Shaped:
    """Stands in for an input of which a rule reads only the shape and dtype."""

    __slots__ = ("dtype", "shape")

    def __init__(self, shape: tuple[int, ...], dtype: np.dtype[Any]) -> None:
        self.shape = shape
        self.dtype = dtype

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def size(self) -> int:
        return int(np.prod(self.shape))
