"""Hooks: who looks at a complete cotangent, and may put another in its place."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import TYPE_CHECKING, Any

from engine import dtypes

if TYPE_CHECKING:
    from engine.history import Edge
    from engine.tensor import Tensor

Hook = Callable[..., Any]
_next_key = count().__next__

HOOK_NO_GRAD = "cannot register a hook on a tensor that doesn't require gradient"
HOOK_NON_LEAF = "post accumulate grad hooks cannot be registered on non-leaf tensors"
HOOK_SIZE = "hook '{hook}' has changed the size of value"
HOOK_TYPE = "hook '{hook}' has changed the type of value (was {was} got {got})"
HOOK_KIND = "expected Variable, but hook returned '{type}'"
HOOK_TUPLE = "expected tuple, but hook returned '{type}'"
HOOK_COUNT = (
    "hook '{hook}' has returned an incorrect number of values (got {got}, but expected {wanted})"
)
_leaves_watched = False  # whether any leaf was ever given a hook


def watches_leaves() -> bool:
    """Whether it matters at what moment a leaf is complete."""
    return _leaves_watched


class Watch:
    """Who looks at the cotangent of one node or leaf.

    `hooks` are those of the tensor; they run first. `before` and `after` are those of the node,
    around its rules; `accumulated` those of a leaf, once its `.grad` is up to date. `retained` is
    the tensor whose `.grad` is to hold the cotangent.
    """

    __slots__ = ("accumulated", "after", "before", "hooks", "retained")

    def __init__(self) -> None:
        self.hooks: dict[int, Hook] = {}
        self.before: dict[int, Hook] = {}
        self.after: dict[int, Hook] = {}
        self.accumulated: dict[int, Hook] = {}
        self.retained: Tensor | None = None


class RemovableHandle:
    """What registering a hook returns: `remove()` takes the hook away again."""

    def __init__(self, hooks: dict[int, Hook], hook: Hook) -> None:
        self._hooks = hooks
        self.id = _next_key()
        hooks[self.id] = hook

    def remove(self) -> None:
        """Take the hook away; nothing happens where it is gone already."""
        self._hooks.pop(self.id, None)

    def __enter__(self) -> RemovableHandle:
        return self

    def __exit__(self, *_: object) -> None:
        self.remove()


def watch_of(edge: Edge) -> Watch:
    """The edge's watch, made when first asked for."""
    global _leaves_watched
    from engine.history import Leaf

    if edge.watch is None:
        edge.watch = Watch()
        _leaves_watched = _leaves_watched or isinstance(edge, Leaf)
    return edge.watch


def _name(hook: Hook) -> str:
    return getattr(hook, "__name__", type(hook).__name__)


def replaced(hook: Hook, value: Tensor, given: Any) -> Tensor:
    """What takes the cotangent's place.

    Raises TypeError for what is no tensor, RuntimeError where its shape or dtype differs.
    """
    from engine.tensor import Tensor

    if given is None:
        return value
    if not isinstance(given, Tensor):
        raise TypeError(HOOK_KIND.format(type=type(given).__name__))
    if given._array.shape != value._array.shape:
        raise RuntimeError(HOOK_SIZE.format(hook=_name(hook)))
    if given._array.dtype != value._array.dtype:
        was, got = dtypes.type_name(value.dtype), dtypes.type_name(given.dtype)
        raise RuntimeError(HOOK_TYPE.format(hook=_name(hook), was=was, got=got))
    return given


def replaced_all(
    hook: Hook, values: tuple[Tensor | None, ...], given: Any
) -> tuple[Tensor | None, ...]:
    """As `replaced`, for a hook of a node, which is given a tuple and returns one or None."""
    if given is None:
        return values
    if not isinstance(given, tuple):
        raise TypeError(HOOK_TUPLE.format(type=type(given).__name__))
    if len(given) != len(values):
        text = HOOK_COUNT.format(hook=_name(hook), got=len(given), wanted=len(values))
        raise RuntimeError(text)
    return tuple(
        new if old is None else replaced(hook, old, new)
        for old, new in zip(values, given, strict=True)
    )


def look(watch: Watch, value: Tensor) -> Tensor:
    """Run the tensor's hooks, then the node's own; the cotangent that goes on."""
    for hook in tuple(watch.hooks.values()):
        value = replaced(hook, value, hook(value))
    for hook in tuple(watch.before.values()):
        (seen,) = replaced_all(hook, (value,), hook((value,)))
        assert seen is not None
        value = seen
    return value
