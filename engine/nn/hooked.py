"""Hooks of modules: functions that are called before and after `forward`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.hooks import RemovableHandle

Hooks = dict[int, Callable[..., Any]]


def before(hook: Callable[..., Any], *, with_kwargs: bool) -> Callable[..., Any]:
    """The hook as a function of module, arguments and keywords that gives those to go on with."""

    def asked(module: Any, args: Any, kwargs: Any) -> tuple[Any, Any]:
        if with_kwargs:
            given = hook(module, args, kwargs)
            if given is None:
                return args, kwargs
            if not isinstance(given, tuple) or len(given) != 2:
                raise RuntimeError(
                    "forward pre-hook must return None or a tuple of (new_args, new_kwargs), "
                    f"but got {given}."
                )
            return given
        given = hook(module, args)
        if given is None:
            return args, kwargs
        return (given if isinstance(given, tuple) else (given,)), kwargs

    return asked


def after(hook: Callable[..., Any], *, with_kwargs: bool) -> Callable[..., Any]:
    """The hook as a function of module, arguments, keywords and output."""
    if with_kwargs:
        return hook
    return lambda module, args, kwargs, made: hook(module, args, made)


def placed(hooks: Hooks, hook: Callable[..., Any], *, first: bool) -> RemovableHandle:
    """Add the hook behind the others, or before them."""
    handle = RemovableHandle(hooks, hook)
    if first:
        others = {key: kept for key, kept in hooks.items() if key != handle.id}
        for key in others:
            del hooks[key]
        hooks.update(others)
    return handle
