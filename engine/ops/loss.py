"""Losses."""

from __future__ import annotations

from engine.op import Op

ROWS: tuple[Op, ...] = ()
