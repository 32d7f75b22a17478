"""The harmless parts of Python's library that tutorials import, as namespaces."""

from __future__ import annotations

import collections
import functools
import itertools
import time
import warnings
from collections.abc import Callable, Iterator
from types import FunctionType
from typing import Any

from gradviz.script import classes
from gradviz.script.namespace import Namespace


def _exposing(name: str, table: dict[str, Any]) -> Namespace:
    classes.exposed.update(value for value in table.values() if isinstance(value, type))
    return Namespace(name, table)


# Endless iterators run in Python, not in C, so that a loop over one can be stopped.


def _count(start: Any = 0, step: Any = 1) -> Iterator[Any]:
    while True:
        yield start
        start += step


def _cycle(iterable: Any) -> Iterator[Any]:
    kept = list(iterable)
    while kept:
        for item in kept:  # noqa: UP028  `yield from` a list would loop in C
            yield item


def _repeat(item: Any, times: int | None = None) -> Iterator[Any]:
    done = 0
    while times is None or done < times:
        yield item
        done += 1


def _itertools() -> Namespace:
    names = (
        "accumulate chain combinations combinations_with_replacement compress dropwhile "
        "filterfalse groupby islice pairwise permutations product starmap takewhile tee zip_longest"
    )
    own = {"count": _count, "cycle": _cycle, "repeat": _repeat}
    return _exposing("itertools", {name: getattr(itertools, name) for name in names.split()} | own)


def _collections() -> Namespace:
    names = ("Counter", "OrderedDict", "defaultdict", "deque")
    return _exposing("collections", {name: getattr(collections, name) for name in names})


def _functools() -> Namespace:
    names = ("partial", "reduce", "cmp_to_key")
    own = {"lru_cache": _remembering, "cache": _remembering, "wraps": _wraps}
    return _exposing("functools", {name: getattr(functools, name) for name in names} | own)


def _wraps(wrapped: Callable[..., Any]) -> Callable[[FunctionType], FunctionType]:
    """`wraps`, for the name and the docstring only: the real one copies any attribute."""

    def dress(wrapper: FunctionType) -> FunctionType:
        if type(wrapper) is FunctionType and wrapper.__module__ == "__main__":
            wrapper.__name__ = str(getattr(wrapped, "__name__", wrapper.__name__))
            wrapper.__doc__ = wrapped.__doc__
        return wrapper

    return dress


def _remembering(function: Any = None, **_options: Any) -> Any:
    """`lru_cache` and `cache`."""
    if function is None or isinstance(function, int):
        return _remembering
    known: dict[Any, Any] = {}

    def remembered(*args: Any, **named: Any) -> Any:
        key = (args, tuple(sorted(named.items())))
        if key not in known:
            known[key] = function(*args, **named)
        return known[key]

    return remembered


def _base64() -> Namespace:
    import base64

    return Namespace("base64", {"b64decode": base64.b64decode, "b64encode": base64.b64encode})


def _time() -> Namespace:
    names = ("time", "perf_counter", "monotonic", "process_time", "sleep")
    return _exposing("time", {name: getattr(time, name) for name in names})


def _random() -> Namespace:
    import random

    source = random.Random(0)  # the same script draws the same numbers each time
    names = (
        "seed random uniform randint randrange choice choices sample shuffle gauss normalvariate "
        "expovariate betavariate triangular"
    )
    return _exposing("random", {name: getattr(source, name) for name in names.split()})


class Hint:
    """What `typing` names stand for: annotations are read, never used."""

    __slots__ = ()

    def __getitem__(self, _parameters: Any) -> Hint:
        return self

    def __call__(self, *arguments: Any, **_options: Any) -> Any:
        return self

    def __or__(self, _other: Any) -> Hint:
        return self

    __ror__ = __or__


def _typing() -> Namespace:
    names = (
        "Any Callable ClassVar Dict Final FrozenSet Generator Iterable Iterator List Literal "
        "Mapping Optional Sequence Set Tuple Type TypeVar Union"
    )
    hint = Hint()
    return Namespace("typing", dict.fromkeys(names.split(), hint) | {"TYPE_CHECKING": False})


class _CatchWarnings:
    """`warnings.catch_warnings`, for the warnings module only."""

    def __init__(self, *, record: bool = False) -> None:
        self._real: Any = warnings.catch_warnings(record=record)

    def __enter__(self) -> Any:
        return self._real.__enter__()

    def __exit__(self, *reason: object) -> None:
        self._real.__exit__(*reason)


def _warnings() -> Namespace:
    names = ("simplefilter", "filterwarnings", "resetwarnings", "warn")
    table: dict[str, Any] = {name: getattr(warnings, name) for name in names}
    return _exposing("warnings", {**table, "catch_warnings": _CatchWarnings})


LIBRARY: dict[str, Callable[[], Namespace]] = {
    "base64": _base64,
    "collections": _collections,
    "functools": _functools,
    "itertools": _itertools,
    "random": _random,
    "time": _time,
    "typing": _typing,
    "warnings": _warnings,
}
