"""What a transform differentiates by: its own leaves, made on entry and let go of at the end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from engine.autograd.calls import grad
from engine.func import messages, tree
from engine.history import Edge, Leaf, leaf_of
from engine.state import STATE, enable_grad
from engine.tensor import Tensor

Argnums = int | tuple[int, ...]


class Level:
    """One transform: whether it runs, and whether history is kept outside."""

    def __init__(self) -> None:
        self.running = True
        self.tracked_outside = STATE.grad_enabled

    def lift(self, value: Any) -> Tensor:
        """A tensor on the same memory that requires grad, and by which is differentiated.

        It goes on from the value's own history, so that derivatives nest. Raises ValueError for
        what is no tensor and RuntimeError for integers.
        """
        if not isinstance(value, Tensor):
            raise ValueError(messages.NOT_A_TENSOR.format(type=type(value)))
        if value.requires_grad and self.tracked_outside:
            out: Tensor = value.view_as(value)
            return out
        return self.own(value.detach().requires_grad_())

    def own(self, leaf: Tensor) -> Tensor:
        """The leaf, which from now on ends with this transform."""
        _OWNERS[leaf_of(leaf)] = self
        return leaf

    def lower(self, value: Any) -> Any:
        """A result as it looks outside: with history only where it leads to leaves of others."""
        if not isinstance(value, Tensor):
            raise RuntimeError(messages.UNSUPPORTED.format(type=type(value)))
        if not value.requires_grad:
            return value
        if self.tracked_outside and self._leads_out(value):
            return value
        return value.detach()

    def lower_all(self, values: Any) -> Any:
        """A tree of results, each lowered."""
        return tree.mapped(self.lower, values)

    def _leads_out(self, value: Tensor) -> bool:
        start: Edge = value._node if value._node is not None else leaf_of(value)
        seen, stack = {start}, [start]
        while stack:
            edge = stack.pop()
            if isinstance(edge, Leaf):
                owner = _OWNERS.get(edge)
                if owner is None or (owner.running and owner is not self):
                    return True
                continue
            for behind in edge.edges:
                if behind is not None and behind not in seen:
                    seen.add(behind)
                    stack.append(behind)
        return False


# The transform that made a leaf. Once it has ended, the leaf is no one's any more.
_OWNERS: WeakKeyDictionary[Leaf, Level] = WeakKeyDictionary()


@contextmanager
def level() -> Iterator[Level]:
    """A transform runs: history is kept, and `backward` may not be called."""
    made = Level()
    STATE.transforms += 1
    try:
        with enable_grad():
            yield made
    finally:
        STATE.transforms -= 1
        made.running = False


def chosen(args: Sequence[Any], argnums: Argnums) -> tuple[int, ...]:
    """The places of the arguments to differentiate by. Raises RuntimeError as PyTorch does."""
    if not isinstance(argnums, (int, tuple)):
        raise RuntimeError(messages.ARGNUMS_TYPE.format(type=type(argnums)))
    count = len(args)
    places = []
    for argnum in argnums if isinstance(argnums, tuple) else (argnums,):
        if not isinstance(argnum, int):
            raise RuntimeError(messages.ARGNUM_TYPE.format(type=type(argnum)))
        if not -count <= argnum < count:
            raise RuntimeError(messages.ARGNUM_RANGE.format(argnum=argnum, count=count))
        places.append(argnum % count)
    if not places:
        raise RuntimeError(messages.ARGNUMS_EMPTY)
    if len(set(places)) != len(places):
        raise RuntimeError(messages.ARGNUMS_UNIQUE.format(argnums=tuple(places)))
    return tuple(places)


def lifted(at: Level, args: Sequence[Any], argnums: Argnums) -> tuple[list[Any], Any]:
    """The arguments with the chosen ones lifted, and those: one, or a tuple of them."""
    places = chosen(args, argnums)
    given = list(args)
    for place in places:
        given[place] = tree.mapped(at.lift, given[place])
    picked = tuple(given[place] for place in places)
    return given, picked if isinstance(argnums, tuple) else picked[0]


def split_aux(made: Any, api: str) -> tuple[Any, Any]:
    """The output and what came along with it. Raises RuntimeError where there are not two."""
    if not (isinstance(made, tuple) and len(made) == 2):
        raise RuntimeError(messages.NO_AUX.format(api=api))
    return made


def check_outputs(leaves: list[Any], api: str) -> None:
    """Raise RuntimeError where a function returned nothing, or what is no tensor."""
    if not leaves or (len(leaves) == 1 and leaves[0] is None):
        raise RuntimeError(messages.NO_OUTPUT.format(api=api, output=leaves))
    for leaf in leaves:
        if not isinstance(leaf, Tensor):
            raise RuntimeError(messages.ONLY_TENSORS.format(api=api, type=type(leaf)))


def gradients(
    outputs: Sequence[Tensor],
    inputs: Sequence[Tensor],
    seeds: Sequence[Tensor] | None = None,
    *,
    retain_graph: bool = True,
    create_graph: bool = True,
    many: int = 0,
) -> list[Tensor]:
    """As `autograd.grad`, with zeros where nothing arrives.

    With `many`, each seed has a first axis along which so many lie, and so has each result.
    """
    given = [None] * len(outputs) if seeds is None else seeds
    used = [pair for pair in zip(outputs, given, strict=True) if pair[0].requires_grad]
    found: Sequence[Tensor | None] = [None] * len(inputs)
    if used and inputs:
        found = grad(
            [out for out, _ in used],
            tuple(inputs),
            [seed for _, seed in used],
            retain_graph=retain_graph,
            create_graph=create_graph,
            allow_unused=True,
            is_grads_batched=many > 0,
        )
    lead = (many,) if many else ()
    return [
        Tensor(np.zeros((*lead, *t.shape), t._array.dtype)) if g is None else g
        for g, t in zip(found, inputs, strict=True)
    ]
