"""`Applied`: a module that is a function of `nn.functional` with settings."""

from __future__ import annotations

from collections.abc import Mapping
from inspect import Parameter as Argument
from inspect import Signature
from types import MappingProxyType
from typing import Any, ClassVar

from engine.nn import functional
from engine.nn.module import Module


def settings(**given: Any) -> Mapping[str, Any]:
    """Names of settings in order, with their defaults."""
    return MappingProxyType(given)


NEEDED = Argument.empty  # the default of a setting that has to be given


class Applied(Module):
    """Settings that are given once, and a function that is called with them.

    A subclass names the `_function`, its `_settings` with their defaults in the order in which
    they are given, and the ones to be `_shown`; a setting of `_quiet` is shown only where true,
    one of `_kept` is not handed to the function.
    """

    _function: ClassVar[str]
    _settings: ClassVar[Mapping[str, Any]] = settings()
    _shown: ClassVar[tuple[str, ...]] = ()
    _quiet: ClassVar[tuple[str, ...]] = ("inplace",)
    _kept: ClassVar[tuple[str, ...]] = ()
    _keyword_only: ClassVar[tuple[str, ...]] = ()
    __signature__: ClassVar[Signature]

    def __init_subclass__(cls) -> None:
        def kind(name: str) -> Any:
            later = name in cls._keyword_only
            return Argument.KEYWORD_ONLY if later else Argument.POSITIONAL_OR_KEYWORD

        arguments = [Argument(n, kind(n), default=d) for n, d in cls._settings.items()]
        cls.__signature__ = Signature(arguments)
        cls._passed = tuple(name for name in cls._settings if name not in cls._kept)

    _passed: ClassVar[tuple[str, ...]] = ()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__()
        given = type(self).__signature__.bind(*args, **kwargs)
        given.apply_defaults()
        for name, value in given.arguments.items():
            self._set(name, value)

    def _set(self, name: str, value: Any) -> None:
        setattr(self, name, value)

    def forward(self, *inputs: Any) -> Any:
        given = {name: getattr(self, name) for name in self._passed}
        return getattr(functional, self._function)(*inputs, **given)

    def extra_repr(self) -> str:
        names = [n for n in self._shown if n not in self._quiet or getattr(self, n)]
        return ", ".join(f"{name}={getattr(self, name)!r}" for name in names)
