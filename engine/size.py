"""`Size`: a shape as PyTorch prints it."""

from __future__ import annotations

import math
from typing import Any, SupportsIndex


class Size(tuple[int, ...]):
    """A shape, as PyTorch prints it."""

    __slots__ = ()

    def numel(self) -> int:
        """The number of elements of a tensor of this shape."""
        return math.prod(self)

    def __repr__(self) -> str:
        return f"torch.Size([{', '.join(map(str, self))}])"

    def __getitem__(self, where: Any) -> Any:
        found = tuple.__getitem__(self, where)
        return Size(found) if isinstance(where, slice) else found

    def __add__(self, other: Any) -> Size:
        return Size(tuple.__add__(self, other))

    def __radd__(self, other: tuple[int, ...]) -> Size:
        return Size(other + tuple(self))

    def __mul__(self, count: SupportsIndex) -> Size:
        return Size(tuple.__mul__(self, count))

    __rmul__ = __mul__
