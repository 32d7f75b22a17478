"""Measurements, as ratios of one run. One thread for everyone: set before NumPy is loaded."""

import contextlib
import ctypes
import os

for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(name, "1")

# Memory that was given back is not taken from the system anew: else large arrays measure that.
with contextlib.suppress(AttributeError, OSError):
    _libc = ctypes.CDLL(None)
    for _parameter in (-1, -3):  # M_TRIM_THRESHOLD, M_MMAP_THRESHOLD of glibc
        _libc.mallopt(_parameter, 1 << 30)
