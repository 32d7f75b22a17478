"""Diagram and run as the JSON document of `gradviz run --json`; its schema is in assets/schema."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import numpy.typing as npt

from gradviz.diagram import Diagram, Node
from gradviz.run import Failure, Pass, Run, Step, Value

Array = npt.NDArray[Any]
Json = Any

VERSION = 1
MAX_ELEMENTS = 1000  # of an array that is written out; a larger one is cut unless asked for in full


def report(diagram: Diagram, run: Run, *, full: bool = False) -> dict[str, Json]:
    """The document as plain data. Numbers that JSON lacks are "nan", "inf" and "-inf".

    An array above 1,000 elements becomes its shape, dtype, minimum, maximum and norm, unless
    `full`.
    """
    write = Writer(full)
    return {
        "gradviz": VERSION,
        "console": [
            {"text": piece.text, "line": piece.line, "stream": piece.stream}
            for piece in run.console
        ],
        "error": error_of(run.error),
        "nodes": [write.node(node, run.values.get(key)) for key, node in diagram.nodes.items()],
        "passes": [write.backward_pass(done) for done in run.passes],
    }


def dumps(document: dict[str, Json]) -> str:
    """The document as text: one line, ending in a line break, the same bytes for the same data."""
    return json.dumps(document, ensure_ascii=False, allow_nan=False) + "\n"


def nested(item: Array | float | None, *, full: bool = False) -> Json:
    """An array as `report` writes it; a number as one, None as null."""
    return Writer(full).array(None if item is None else np.asarray(item))


class Writer:
    """Values as JSON, large arrays in full or not."""

    def __init__(self, full: bool) -> None:
        self._full = full

    def node(self, node: Node, value: Value | None) -> dict[str, Json]:
        array = value.array if value is not None else node.data
        tracked = value is not None and value.requires_grad
        return {
            "id": node.id,
            "name": node.name,
            "op": node.op,
            "grad_fn": value.grad_fn if value is not None else None,
            "inputs": list(node.inputs),
            "params": {key: self.param(item) for key, item in node.params.items()},
            "shape": None if array is None else list(array.shape),
            "dtype": None if array is None else array.dtype.name,
            "requires_grad": tracked,
            "leaf": node.is_source or (value is not None and not tracked),
            "value": self.array(array),
            "line": node.line,
            "storey": None
            if (place := node.upper) is None
            else {"pass": place.call + 1, "origin": place.origin, "gradient": place.gradient},
        }

    def backward_pass(self, done: Pass) -> dict[str, Json]:
        call, cost = done.call, done.cost
        return {
            "target": call.target,
            "root": done.root,
            "start": {
                "kind": call.start.kind,
                "reduction": call.start.reduction if call.start.kind == "reduction" else None,
                "seed": self.array(done.seed),
            },
            "retain_graph": call.retain_graph,
            "create_graph": call.create_graph,
            "captures": call.captures,
            "enabled": call.enabled,
            "line": call.line,
            "error": error_of(done.error),
            "added": [self.node(node, done.values.get(node.id)) for node in done.added],
            "storey": [self.node(node, done.values.get(node.id)) for node in done.upper],
            "steps": [self.step(step) for step in done.steps],
            "cotangents": {key: self.array(array) for key, array in done.cotangents().items()},
            "grads": {key: self.array(array) for key, array in done.grads.items()},
            "cost": {
                "nodes": cost.nodes,
                "edges": cost.edges,
                "steps": cost.steps,
                "saved_bytes": cost.saved_bytes,
                "gradient_bytes": cost.gradient_bytes,
            },
        }

    def step(self, step: Step) -> dict[str, Json]:
        return {
            "node": step.node,
            "slot": step.slot,
            "input": step.input,
            "upstream": self.array(step.upstream),
            "contribution": self.array(step.contribution),
            "summed": list(step.summed),
            "before": self.array(step.before),
            "after": self.array(step.after),
        }

    def array(self, array: Array | None) -> Json:
        """Nested lists, or the summary of a large array."""
        if array is None:
            return None
        if array.size > MAX_ELEMENTS and not self._full:
            return _summary(array)
        return _numbers(array.tolist())

    def param(self, item: Any) -> Json:
        match item:
            case None | bool() | str():
                return item
            case int() | float() | complex():
                return _number(item)
            case np.ndarray() | np.generic():
                return self.array(np.asarray(item))
            case slice():
                return {"slice": [self.param(part) for part in (item.start, item.stop, item.step)]}
            case tuple() | list():
                return [self.param(part) for part in item]
        return "..." if item is Ellipsis else str(item)


def _summary(array: Array) -> dict[str, Json]:
    magnitudes = np.abs(array.astype(np.complex128 if array.dtype.kind == "c" else np.float64))
    ordered = magnitudes if array.dtype.kind == "c" else array  # complex numbers have no order
    with np.errstate(over="ignore", invalid="ignore"):
        return {
            "shape": list(array.shape),
            "dtype": array.dtype.name,
            "min": _number(ordered.min().item()),
            "max": _number(ordered.max().item()),
            "norm": _number(float(np.linalg.norm(magnitudes))),
            "cut": True,
        }


def _numbers(nested: Any) -> Json:
    if isinstance(nested, list):
        return [_numbers(item) for item in nested]
    return _number(nested)


def _number(value: float | complex | bool) -> Json:
    if isinstance(value, complex):
        return {"real": _number(value.real), "imag": _number(value.imag)}
    if isinstance(value, float) and not math.isfinite(value):
        return "nan" if math.isnan(value) else ("inf" if value > 0 else "-inf")
    return value


def error_of(error: Failure | None) -> Json:
    """A failure as `report` writes it; null where there is none."""
    if error is None:
        return None
    return {
        "type": error.type,
        "message": error.message,
        "line": error.line,
        "node": error.node,
    }
