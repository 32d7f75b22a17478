"""Indexing: pieces of a tensor, and cotangents put back where the pieces came from."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.op import Op, Sample

ROWS: tuple[Op, ...] = ()
