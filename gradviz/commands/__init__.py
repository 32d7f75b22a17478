"""The commands of the command line, one module each; they are imported when they are used."""

from __future__ import annotations

NAMES = (
    "examples", "run", "grads", "compare", "jacobian", "doctor", "check", "elsewhere", "guide",
    "export", "code", "env",
)  # fmt: skip
# These run SRC in a sandbox.
RUNNING = (
    "run",
    "grads",
    "compare",
    "jacobian",
    "doctor",
    "check",
    "elsewhere",
    "guide",
    "export",
    "code",
)
