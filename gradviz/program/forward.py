"""Ops and the rules of their derivatives as code for arrays, in NumPy and in JAX."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from engine.op import Op
from engine.ops import OPS
from gradviz.diagram import Node
from gradviz.program import arrays, helpers
from gradviz.program.call import Call, refusal
from gradviz.program.phrase import Phrase
from gradviz.program.traced import Traced, Untraceable, bare

# Whatever a rule raises that meets names instead of arrays.
CANNOT = (Untraceable, TypeError, AttributeError, ValueError, KeyError, IndexError)
LONGEST = 400  # characters of a traced expression; a longer one nobody reads


def written(call: Call) -> Phrase:
    """One node. Raises NotWritten where its op has no form for arrays."""
    if call.library.name == "jnp" and call.node.op in arrays.NO_JAX:
        raise refusal(call.node, _title(call))
    found = arrays.written(call)
    if found is not None:
        return found
    try:
        made = _followed(call)
    except CANNOT:
        raise refusal(call.node, _title(call)) from None
    if len(made.text) > LONGEST:
        raise refusal(call.node, _title(call))
    return made


def _title(call: Call) -> str:
    return "JAX" if call.library.name == "jnp" else "NumPy"


def _followed(call: Call) -> Phrase:
    """What the op's own forward function does."""
    op = OPS[call.node.op]
    inputs = [
        Traced(array, text, call.library, inner)
        for array, text in zip(call.arrays, call.inputs, strict=True)
    ]
    made = op.forward(*inputs, **call.params)
    if not isinstance(made, Traced) or not same(made.value, call.result):
        raise Untraceable
    return made.text


def same(value: Any, expected: Any) -> bool:
    """Whether what was followed has come to the same numbers."""
    near = 1e-4 if expected.dtype.itemsize <= 4 else 1e-9
    return value.shape == expected.shape and bool(
        np.allclose(value, expected, rtol=near, atol=near, equal_nan=True)
    )


def inner(op: Op, inputs: Sequence[Traced], params: Mapping[str, Any]) -> Traced | None:
    """A row within a rule, as the tables write it; None where its forward is to be followed."""
    first = inputs[0]
    values = [np.asarray(bare(item)) for item in inputs]
    result = np.asarray(op.forward(*values, **params))
    node = Node("", op.name, params=params)
    call = Call(
        node, [i.text for i in inputs], values, result, first.library, [False] * len(values)
    )
    text = helpers.written(call) or arrays.written(call)
    return None if text is None else Traced(result, text, first.library, inner)
