"""`torch.cuda`, as it is where there is none: scripts ask, and go on with the CPU."""

from __future__ import annotations

from typing import NoReturn

__all__ = [
    "current_device",
    "device_count",
    "empty_cache",
    "get_device_name",
    "is_available",
    "is_bf16_supported",
    "is_initialized",
    "manual_seed",
    "manual_seed_all",
    "max_memory_allocated",
    "memory_allocated",
    "synchronize",
]


def is_available() -> bool:
    """False."""
    return False


def is_initialized() -> bool:
    """False."""
    return False


def is_bf16_supported() -> bool:
    """False."""
    return False


def device_count() -> int:
    """0."""
    return 0


def memory_allocated(device: object = None) -> int:
    """0."""
    return 0


def max_memory_allocated(device: object = None) -> int:
    """0."""
    return 0


def manual_seed(seed: int) -> None:
    """There is no stream to seed."""


def manual_seed_all(seed: int) -> None:
    """There are no streams to seed."""


def empty_cache() -> None:
    """There is nothing to let go of."""


def _refuse() -> NoReturn:
    raise AssertionError("Torch not compiled with CUDA enabled")


def current_device() -> NoReturn:
    """Raises AssertionError, as PyTorch does without CUDA."""
    _refuse()


def synchronize(device: object = None) -> NoReturn:
    """Raises AssertionError, as PyTorch does without CUDA."""
    _refuse()


def get_device_name(device: object = None) -> NoReturn:
    """Raises AssertionError, as PyTorch does without CUDA."""
    _refuse()
