"""Measurements, as ratios of one run. One thread for everyone: set before NumPy is loaded."""

import os

for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(name, "1")
