"""A diagram and its run as a program for one of the libraries."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Literal

from gradviz.diagram import Diagram
from gradviz.program.whole import Program
from gradviz.run import Run

Target = Literal["pytorch", "jax", "numpy"]
_MODULES: Mapping[Target, str] = {"pytorch": "pytorch", "jax": "in_jax", "numpy": "in_numpy"}


def program(diagram: Diagram, run: Run, target: Target = "pytorch") -> Program:
    """The program that prints the gradients of the diagram.

    Raises NotWritten where the diagram is not finished, or an op has no form in the library.
    """
    module = importlib.import_module(f"gradviz.program.{_MODULES[target]}")
    made: Program = module.write(diagram, run)
    return made
