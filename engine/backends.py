"""`torch.backends`: what scripts ask of libraries that are not there."""

from __future__ import annotations

__all__ = ["cuda", "cudnn", "mps"]


class _Absent:
    """A library that this engine does without; its switches can be set and do nothing."""

    def __init__(self, **switches: bool) -> None:
        self.__dict__.update(switches)

    def is_available(self) -> bool:
        """False."""
        return False

    def is_built(self) -> bool:
        """False."""
        return False


cuda = _Absent()
cudnn = _Absent(enabled=True, benchmark=False, deterministic=False, allow_tf32=True)
mps = _Absent()
