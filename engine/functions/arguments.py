"""PyTorch's TypeErrors for arguments that are neither tensors nor numbers where they should be."""

from __future__ import annotations

from typing import Any, NoReturn

from engine.tensor import Tensor

_NUMBERS = (bool, int, float, complex)
_OUT = ", *, Tensor out = None)"


def refuse_type(name: str, argument: str, position: int, wanted: str, given: Any) -> NoReturn:
    """Raise TypeError for an argument of another type."""
    raise TypeError(
        f"{name}(): argument '{argument}' (position {position}) must be {wanted}, "
        f"not {type(given).__name__}"
    )


def check_tensors(function: str, **given: Any) -> None:
    """Raise TypeError for the first argument that is no tensor."""
    for position, (argument, value) in enumerate(given.items(), start=1):
        if not isinstance(value, Tensor):
            refuse_type(function, argument, position, "Tensor", value)


def check_two_tensors(function: str, input: Any, other: Any) -> None:
    """Raise TypeError unless both are tensors."""
    check_tensors(function, input=input, other=other)


def check_second(function: str, input: Any, other: Any, argument: str = "other") -> None:
    """Raise TypeError unless the first is a tensor and the second a tensor or number."""
    if not (isinstance(input, Tensor) and isinstance(other, (Tensor, *_NUMBERS))):
        refuse(function, (input, other), _two(argument))


def check_either(function: str, input: Any, other: Any, argument: str = "other") -> None:
    """Raise TypeError unless one is a tensor and the other a tensor or number."""
    both = (input, other)
    if not all(isinstance(item, (Tensor, *_NUMBERS)) for item in both) or not any(
        isinstance(item, Tensor) for item in both
    ):
        tensors, number = _two(argument)
        refuse(function, both, (tensors, f"Number self, Tensor {argument}{_OUT}", number))


def _two(argument: str) -> tuple[str, str]:
    return f"Tensor input, Tensor {argument}{_OUT}", f"Tensor input, Number {argument}{_OUT}"


def refuse(function: str, given: tuple[Any, ...], overloads: tuple[str, ...]) -> NoReturn:
    """Raise TypeError, naming what was given and what could have been."""
    kinds = ", ".join(type(item).__name__ for item in given)
    known = "".join(f" * ({overload}\n" for overload in overloads)
    raise TypeError(
        f"{function}() received an invalid combination of arguments - got ({kinds}), "
        f"but expected one of:\n{known}"
    )
