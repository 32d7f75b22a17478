"""Operators and functions that could make one small expression run for hours: guarded by size."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

from gradviz.language import N_, _

MAX_BITS = 1 << 20  # an integer of some 300,000 digits; multiplying two takes milliseconds
MAX_REPEATED = 1 << 26  # elements or characters of a repeated sequence
MAX_RANGE = 10**8  # numbers of a range: what a C loop runs through in a few seconds
MAX_FACTORIAL = 100_000

TOO_BIG_NUMBER = N_("a whole number of more than {digits} digits is too big here")
TOO_LONG_SEQUENCE = N_("a sequence of more than {count} elements is too long here")
TOO_LONG_RANGE = N_("a range of more than {count} numbers is too long here")

_SIZED = frozenset({int, str, bytes, list, tuple})


class TooLarge(MemoryError):
    """A result that would not fit; shown to the script as MemoryError."""


TooLarge.__name__ = TooLarge.__qualname__ = "MemoryError"


def _number() -> TooLarge:
    return TooLarge(_(TOO_BIG_NUMBER).format(digits=f"{int(MAX_BITS * 0.30103):,}"))


def _check_product(left: Any, right: Any) -> None:
    if type(left) is int and type(right) is int:
        if left.bit_length() + right.bit_length() > MAX_BITS:
            raise _number()
        return
    if type(left) is int:
        left, right = right, left
    if type(right) is int and len(left) * max(right, 0) > MAX_REPEATED:
        raise TooLarge(_(TOO_LONG_SEQUENCE).format(count=f"{MAX_REPEATED:,}"))


def _check_power(base: Any, exponent: Any) -> None:
    if type(base) is int and type(exponent) is int and exponent > 0:
        size = abs(base).bit_length()
        if size > 1 and (size - 1) * exponent > MAX_BITS:
            raise _number()


def _check_shift(left: Any, count: Any) -> None:
    if type(left) is int and type(count) is int and left.bit_length() + count > MAX_BITS:
        raise _number()


def _guarded(
    act: Callable[[Any, Any], Any], check: Callable[[Any, Any], None]
) -> Callable[[Any, Any], Any]:
    def apply(left: Any, right: Any) -> Any:
        if type(left) in _SIZED and type(right) in _SIZED:
            check(left, right)
        return act(left, right)

    return apply


OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "<mul>": _guarded(operator.mul, _check_product),
    "<imul>": _guarded(operator.imul, _check_product),
    "<pow>": _guarded(operator.pow, _check_power),
    "<ipow>": _guarded(operator.ipow, _check_power),
    "<lshift>": _guarded(operator.lshift, _check_shift),
    "<ilshift>": _guarded(operator.ilshift, _check_shift),
}


def power(base: Any, exp: Any, mod: Any = None) -> Any:
    """`pow`, refusing results of more than `MAX_BITS` bits."""
    if mod is not None:
        return pow(base, exp, mod)
    return OPERATORS["<pow>"](base, exp)


def number_range(*bounds: Any) -> range:
    """`range`, refusing more than `MAX_RANGE` numbers.

    Functions in C that run through a range cannot be stopped half-way.
    """
    made = range(*bounds)
    if bool(made) and (made[-1] - made[0]) // made.step >= MAX_RANGE:
        raise TooLarge(_(TOO_LONG_RANGE).format(count=f"{MAX_RANGE:,}"))
    return made


def _small(function: Callable[..., int]) -> Callable[..., int]:
    def bounded(*numbers: Any) -> int:
        if any(type(n) is int and n > MAX_FACTORIAL for n in numbers):
            raise _number()
        return function(*numbers)

    return bounded


factorial = _small(math.factorial)
comb = _small(math.comb)
perm = _small(math.perm)
