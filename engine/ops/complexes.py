"""Operators of complex numbers."""

from __future__ import annotations

from functools import partial

import numpy as np

from engine.op import elementwise

# What complex numbers need is said by each rule here.
_row = partial(elementwise, conjugate=False)

ROWS = (_row("conj", np.conjugate, (lambda g, y, x: np.conjugate(g),)),)
