"""Rules that are not the plain derivative: they assume something of what they are given."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from gradviz.diagram import Node
from gradviz.language import N_, _

Array = npt.NDArray[Any]

# Rules for a part of what the function takes: it has another derivative off that part.
RULES: Mapping[str, str] = {"ctc_loss": N_("its rule takes the input for log-probabilities")}
_SYMMETRIC = ("linalg_eigh", "linalg_cholesky")


def note(node: Node) -> str:
    """What the rule assumes, in the reader's language."""
    return _(RULES[node.op])


def assumed(nodes: Iterable[Node]) -> str:
    """What one of these assumes, empty where none does."""
    for node in nodes:
        if node.op in RULES:
            return note(node)
        if node.op in _SYMMETRIC:
            return _("a rule on the way takes its matrix for symmetric")
    return ""


def several(node: Node) -> bool:
    """Whether more than one gradient is right where the function is not smooth.

    A matrix with equal or vanishing singular values has many factorizations.
    """
    return node.op.startswith("linalg_")


def folded(node: Node, gradient: Array) -> Array:
    """The gradient as the function sees it: one that reads a triangle has it all there.

    The rules of symmetric matrices spread it evenly over both triangles.
    """
    if node.op not in _SYMMETRIC:
        return gradient
    upper = node.params.get("UPLO") == "U" or (
        node.params.get("name") == "cholesky" and bool(node.params.get("upper"))
    )
    other = np.swapaxes(gradient, -1, -2)
    half = np.triu(gradient + other, 1) if upper else np.tril(gradient + other, -1)
    whole: Array = half + gradient * np.eye(gradient.shape[-1])
    return whole
