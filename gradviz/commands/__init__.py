"""The commands of the command line, one module each; they are imported when they are used."""

from __future__ import annotations

NAMES = ("examples", "run", "grads", "compare", "jacobian", "export", "env")
RUNNING = ("run", "grads", "compare", "jacobian", "export")  # these run SRC in a sandbox
