"""Sums of products by Einstein's convention, taken apart into batched matrix products."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Any

from engine.functions import shapes
from engine.functions.arithmetic import mul
from engine.functions.products import bmm
from engine.functions.reductions import sum as sum_
from engine.functions.sums import check_scalar_type
from engine.ops import OPS
from engine.tensor import Tensor, apply

ELLIPSIS = "..."
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


def einsum(*args: Any) -> Tensor:
    """The sum of products that an equation such as "ij,jk->ik" says.

    Subscripts may also stand after each operand, as lists of numbers. Raises RuntimeError where
    the equation does not fit the operands.
    """
    if len(args) < 2:
        raise ValueError(
            "einsum(): must specify the equation string and at least one operand, or at least one "
            "operand and its subscripts list"
        )
    if isinstance(args[0], (list, tuple)):
        raise NotImplementedError("einsum(): the equation comes before the operands")
    if isinstance(args[0], Tensor):
        equation, operands = _from_lists(args)
    else:
        equation, *given = args
        operands = list(given[0]) if isinstance(given[0], (list, tuple)) else given
    return _Contraction(equation, operands).result()


def _from_lists(args: Sequence[Any]) -> tuple[str, list[Tensor]]:
    """The equation of operands that are each followed by a list of subscripts."""
    pairs = len(args) // 2
    inputs = ",".join(_letters(args[2 * k + 1]) for k in range(pairs))
    output = f"->{_letters(args[-1])}" if len(args) % 2 else ""
    return inputs + output, [args[2 * k] for k in range(pairs)]


def _letters(subscripts: Sequence[Any]) -> str:
    return "".join(ELLIPSIS if s is Ellipsis else _letter(s) for s in subscripts)


def _letter(subscript: int) -> str:
    if not 0 <= subscript < len(_LETTERS):
        raise ValueError(
            "einsum(): subscript in subscript list is not within the valid range [0, 52)"
        )
    return _LETTERS[subscript]


def _read(text: str, offset: int, where: str, found: str, lone: str) -> list[str]:
    """The subscripts of one operand, or of the output."""
    labels: list[str] = []
    for match in re.finditer(r"\.\.\.|.", text, re.DOTALL):
        part = match.group()
        if part == " ":
            continue
        if part[0] == ".":
            if ELLIPSIS in labels:
                raise RuntimeError(f"einsum(): found '.' for {where} {found}")
            if part == ".":
                raise RuntimeError(f"einsum(): found '.' for {where} {lone}")
        elif part not in _LETTERS:
            raise RuntimeError(
                f"einsum(): invalid subscript given at index {offset + match.start()} in the "
                "equation string, subscripts must be in [a-zA-Z]"
            )
        labels.append(part)
    return labels


def _read_inputs(text: str, count: int) -> list[list[str]]:
    inputs, offset = [], 0
    for number, part in enumerate(text.split(",")):
        if number == count:
            raise RuntimeError(
                "einsum(): fewer operands were provided than specified in the equation"
            )
        found = "for which an ellipsis was already found"
        lone = "that is not part of any ellipsis"
        inputs.append(_read(part, offset, f"operand {number}", found, lone))
        offset += len(part) + 1
    if len(inputs) < count:
        raise RuntimeError("einsum(): more operands were provided than specified in the equation")
    return inputs


class _Contraction:
    """One equation and its operands: every label has a place, the summed ones come last."""

    def __init__(self, equation: str, operands: list[Tensor]) -> None:
        left, arrow, right = equation.partition("->")
        self.operands = operands
        self.inputs = _read_inputs(left, len(operands))
        self.wide = self._covered()
        used = sorted({label for labels in self.inputs for label in labels} - {ELLIPSIS})
        if arrow:
            output = self._read_output(right, len(left) + 2, used)
        else:
            once = [s for s in used if sum(labels.count(s) for labels in self.inputs) == 1]
            output = [ELLIPSIS, *once]
        self.places: dict[str, int] = {}
        self.size = 0
        for label in output:
            self._place(label)
        self.kept = self.size
        for label in (ELLIPSIS, *used):
            if label not in self.places:
                self._place(label)

    def _covered(self) -> int:
        """How many axes an ellipsis stands for."""
        most = 0
        for number, (labels, x) in enumerate(zip(self.inputs, self.operands, strict=True)):
            ndim, given = x._array.ndim, len(labels)
            if ELLIPSIS not in labels:
                if given != ndim:
                    raise RuntimeError(
                        f"einsum(): the number of subscripts in the equation ({given}) does not "
                        f"match the number of dimensions ({ndim}) for operand {number} and no "
                        "ellipsis was given"
                    )
                continue
            if given - 1 > ndim:
                raise RuntimeError(
                    f"einsum(): the number of subscripts in the equation ({given - 1}) is more "
                    f"than the number of dimensions ({ndim}) for operand {number}"
                )
            most = max(most, ndim - given + 1)
        return most

    @staticmethod
    def _read_output(text: str, offset: int, used: list[str]) -> list[str]:
        output = _read(
            text,
            offset,
            "output",
            "but an ellipsis (...) was already found",
            "that is not part of any ellipsis (...)",
        )
        for place, label in enumerate(output):
            if label in output[:place]:
                raise RuntimeError(
                    f"einsum(): output subscript {label} appears more than once in the output"
                )
            if label not in used and label != ELLIPSIS:
                raise RuntimeError(
                    f"einsum(): output subscript {label} does not appear in the equation for any "
                    "input operand"
                )
        return output

    def _place(self, label: str) -> None:
        self.places[label] = self.size
        self.size += self.wide if label == ELLIPSIS else 1

    def _arranged(self, x: Tensor, labels: list[str], number: int) -> Tensor:
        """The operand with an axis for every label, of length one where it has none."""
        order: list[int | None] = [None] * self.size
        axis = 0
        for label in labels:
            place = self.places[label]
            if label == ELLIPSIS:
                for _ in range(self.wide - (self.operands[number]._array.ndim - len(labels) + 1)):
                    x = shapes.unsqueeze(x, axis)
                order[place : place + self.wide] = range(axis, axis + self.wide)
                axis += self.wide
            elif order[place] is None:
                order[place] = axis
                axis += 1
            else:
                x = _diagonal(x, order[place] or 0, axis, label, number)
        for place in range(self.size):
            if order[place] is None:
                x, order[place] = shapes.unsqueeze(x, -1), axis
                axis += 1
        return shapes.permute(x, *order)

    def result(self) -> Tensor:
        """Contract the operands one after the other."""
        operands = [
            self._arranged(x, labels, number)
            for number, (x, labels) in enumerate(zip(self.operands, self.inputs, strict=True))
        ]
        self._check_sizes(operands)
        left = [sum(x._array.shape[axis] != 1 for x in operands) for axis in range(self.size)]
        total = operands[0]
        for other in operands[1:]:
            total = self._pair(total, other, left)
        if self.size == self.kept:
            return total
        if len(operands) > 1:
            return shapes.view(total, *total._array.shape[: self.kept])
        return sum_(total, tuple(range(self.kept, self.size)))

    def _check_sizes(self, operands: list[Tensor]) -> None:
        names = {place: label for label, place in self.places.items()}
        for axis in range(self.size):
            seen = 1
            for number, x in enumerate(operands):
                n = x._array.shape[axis]
                if 1 != n != seen != 1:
                    label = names.get(axis, ELLIPSIS)
                    raise RuntimeError(
                        f"einsum(): subscript {label} has size {n} for operand {number} which "
                        f"does not broadcast with previously seen size {seen}"
                    )
                seen = n if seen == 1 else seen

    def _pair(self, a: Tensor, b: Tensor, left: list[int]) -> Tensor:
        """Multiply two operands, summing over what no later one needs."""
        both: list[int] = []
        only_a: list[int] = []
        only_b: list[int] = []
        for axis in range(self.kept, self.size):
            in_a, in_b = a._array.shape[axis] != 1, b._array.shape[axis] != 1
            if in_a and in_b:
                left[axis] -= 1
                if left[axis] == 1:
                    both.append(axis)
                    left[axis] = 0
            elif left[axis] == 1 and (in_a or in_b):
                (only_a if in_a else only_b).append(axis)
                left[axis] = 0
        if only_a:
            a = sum_(a, tuple(only_a), keepdim=True)
        if only_b:
            b = sum_(b, tuple(only_b), keepdim=True)
        return contracted(a, b, both) if both else mul(a, b)


def _diagonal(x: Tensor, first: int, second: int, label: str, number: int) -> Tensor:
    m, n = x._array.shape[first], x._array.shape[second]
    if m != n:
        raise RuntimeError(
            f"einsum(): subscript {label} is repeated for operand {number} but the sizes don't "
            f"match, {n} != {m}"
        )
    params = {"offset": 0, "dim1": first, "dim2": second}
    return shapes.movedim(apply(OPS["diagonal"], (x,), params), -1, first)


def contracted(a: Tensor, b: Tensor, axes: list[int]) -> Tensor:
    """The product of two operands summed over axes, which stay as axes of length one."""
    x, y = a._array.shape, b._array.shape
    rest = [axis for axis in range(len(x)) if axis not in axes]
    shared = [axis for axis in rest if x[axis] != 1 and y[axis] != 1]
    only_a = [axis for axis in rest if x[axis] != 1 and y[axis] == 1]
    only_b = [axis for axis in rest if x[axis] == 1]
    count, rows, columns, inside = (
        math.prod(sizes[axis] for axis in group)
        for sizes, group in ((x, shared), (x, only_a), (y, only_b), (x, axes))
    )
    left = shapes.permute(a, *shared, *only_a, *axes, *only_b)
    right = shapes.permute(b, *shared, *axes, *only_b, *only_a)
    check_scalar_type(a, b)
    product = bmm(
        shapes.reshape(left, count, rows, inside), shapes.reshape(right, count, inside, columns)
    )
    sizes = [
        *(x[axis] for axis in (*shared, *only_a)), *(1 for _ in axes), *(y[axis] for axis in only_b)
    ]  # fmt: skip
    order = [*shared, *only_a, *axes, *only_b]
    return shapes.permute(
        shapes.view(product, *sizes), *(order.index(axis) for axis in range(len(order)))
    )
