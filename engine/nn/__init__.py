"""`torch.nn`: modules, parameters, layers and losses; each loads when it is first asked for."""

from __future__ import annotations

from engine.late import Late
from engine.nn.table import PLACES

_PARTS = "functional init modules parameter utils"

__getattr__ = Late(__name__, PLACES, _PARTS)
__all__ = [*PLACES, *_PARTS.split()]


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
