"""`vmap`: a function of one entry made a function of many, along an axis of each input.

The function runs once for each entry and what it returns is stacked. Everything nests: gradients
inside, maps inside maps, and a backward pass through the whole.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from engine.func import messages, tree
from engine.func.following import following
from engine.func.randomness import draws
from engine.functions.shapes import stack
from engine.state import STATE
from engine.tensor import Tensor

Function = Callable[..., Any]
RANDOMNESS = ("error", "different", "same")


def vmap(
    func: Function,
    in_dims: Any = 0,
    out_dims: Any = 0,
    randomness: str = "error",
    *,
    chunk_size: int | None = None,
) -> Function:
    """The function that applies `func` to each entry along `in_dims` of its arguments.

    `in_dims` are axes (None for an argument that every entry sees whole), one for all or nested
    as the arguments are; `out_dims` say where the entries lie in the results. Raises ValueError
    and RuntimeError with PyTorch's messages. `chunk_size` changes nothing here.
    """
    if randomness not in RANDOMNESS:
        raise RuntimeError(messages.RANDOMNESS.format(given=randomness))
    if chunk_size is not None and chunk_size <= 0:
        raise ValueError(messages.VMAP_CHUNK_SIZE.format(given=chunk_size))

    @functools.wraps(func)
    def mapped(*args: Any, **kwargs: Any) -> Any:
        name = name_of(func)
        _check_out_dims(out_dims, name)
        leaves, spec, dims = _arguments(args, in_dims, name)
        size = _size(leaves, dims)
        if not size:
            raise NotImplementedError("vmap over no entries: there is nothing to call it with.")
        together = getattr(func, "of_many", None)  # a pullback takes all its seeds in one sweep
        if together and in_dims == 0 and out_dims == 0 and len(args) == 1 and not kwargs:
            at_once = together(*args)
            if at_once is not None:
                return at_once
        made = []
        with following() as marks, draws(randomness) as drawn:
            STATE.transforms += 1
            try:
                for entry in range(size):
                    marks.begin_entry()
                    given = [
                        leaf if dim is None else marks.mark(_entry_of(leaf, dim, entry))
                        for leaf, dim in zip(leaves, dims, strict=True)
                    ]
                    made.append(func(*tree.rebuild(given, spec), **kwargs))
                    drawn.entry_done()
            finally:
                STATE.transforms -= 1
            return _gathered(made, out_dims, name, marks.holds)

    return mapped


def _entry_of(leaf: Tensor, dim: int, entry: int) -> Tensor:
    return leaf[(*[slice(None)] * dim, entry)]


def name_of(func: Any) -> str:
    """How messages call the function."""
    if hasattr(func, "__name__"):
        return str(func.__name__)
    if isinstance(func, functools.partial):
        return f"functools.partial({name_of(func.func)}, ...)"
    return repr(func)


def _check_out_dims(out_dims: Any, name: str) -> None:
    for dim in tree.flatten(out_dims)[0]:
        if dim is not None and not isinstance(dim, int):
            raise ValueError(messages.OUT_DIMS_KIND.format(name=name, out_dims=out_dims))


def _arguments(
    args: tuple[Any, ...], in_dims: Any, name: str
) -> tuple[list[Any], tree.Spec, list[int | None]]:
    """The leaves of the arguments, their shape as a tree, and the axis of each."""
    where = {"name": name, "in_dims": in_dims}
    if not isinstance(in_dims, (int, tuple)):
        raise ValueError(messages.IN_DIMS_KIND.format(**where, type=type(in_dims)))
    if not args:
        raise ValueError(messages.NO_INPUTS.format(name=name))
    leaves, spec = tree.flatten(args)
    dims = tree.spread(in_dims, spec)
    if dims is None:
        given = tree.flatten(in_dims)[1]
        raise ValueError(messages.IN_DIMS_STRUCTURE.format(**where, given=given, wanted=spec))
    for i, (leaf, dim) in enumerate(zip(leaves, dims, strict=True)):
        if dim is None:
            continue
        if not isinstance(dim, int):
            raise ValueError(messages.IN_DIM_TYPE.format(**where, dim=dim))
        if not isinstance(leaf, Tensor):
            raise ValueError(messages.IN_DIM_NO_TENSOR.format(**where, dim=dim, type=type(leaf)))
        n = leaf._array.ndim
        if not -n <= dim < n:
            raise ValueError(messages.IN_DIM_RANGE.format(**where, dim=dim, n=n))
        dims[i] = dim % n
    return leaves, spec, dims


def _size(leaves: list[Any], dims: list[int | None]) -> int:
    sizes = [
        leaf._array.shape[dim] for leaf, dim in zip(leaves, dims, strict=True) if dim is not None
    ]
    if not sizes:
        raise ValueError(messages.NOTHING_MAPPED)
    if len(set(sizes)) > 1:
        raise ValueError(messages.SIZES.format(sizes=sizes))
    return int(sizes[0])


def _gathered(
    made: list[Any], out_dims: Any, name: str, is_mapped: Callable[[Tensor], bool]
) -> Any:
    """The entries' results as one tree of tensors."""
    columns, spec = [], tree.LEAF
    for result in made:
        leaves, spec = tree.flatten(result)
        columns.append(leaves)
    dims = _out_dims(made[0], out_dims, spec, name)
    found = []
    for dim, *entries in zip(dims, *columns, strict=True):
        first = entries[0]
        if dim is None:
            if isinstance(first, Tensor) and is_mapped(first):
                raise ValueError(messages.OUT_MAPPED.format(name=name))
            found.append(first)
            continue
        if not isinstance(first, Tensor):
            raise ValueError(messages.OUT_NO_TENSOR.format(name=name, type=type(first)))
        whole = stack(entries)
        found.append(whole.movedim(0, dim) if dim else whole)
    return tree.rebuild(found, spec)


def _out_dims(result: Any, out_dims: Any, spec: tree.Spec, name: str) -> list[int | None]:
    dims: list[int | None] | None
    if isinstance(result, Tensor):
        single = isinstance(out_dims, tuple) and len(out_dims) == 1
        dims = list(out_dims) if single else tree.spread(out_dims, spec)
    else:
        dims = tree.spread(out_dims, spec)
    if dims is None:
        given = tree.flatten(out_dims)[1]
        text = messages.OUT_DIMS_STRUCTURE
        raise ValueError(text.format(name=name, out_dims=out_dims, given=given, wanted=spec))
    return dims
