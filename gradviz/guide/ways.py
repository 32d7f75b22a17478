"""The ends of the decision path for one output: the code, the start, and the gradients."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from gradviz.diagram import BackwardCall, Start
from gradviz.guide.decision import ENDS, Again
from gradviz.guide.snippet import Runs
from gradviz.guide.subject import Subject
from gradviz.language import _
from gradviz.run import Run
from gradviz.seeds.starts import preset_seed

Array = npt.NDArray[Any]
_WRITTEN = 8  # elements of a seed that is written out
_BATCHED = 2048  # elements of an output whose rows are found together
_ROWS, _NUMBERS = 64, 1_000_000  # rows that are computed, and numbers that they may take
_AGAIN = {"once": "", "retain": "retain_graph=True", "create": "create_graph=True"}


@dataclass(frozen=True, slots=True)
class Way:
    """An end of the path, the component where it is about one, and what becomes of the graph."""

    end: str
    component: int = 0
    again: Again = "once"


@dataclass(frozen=True, slots=True, eq=False)
class Outcome:
    """What each leaf's gradient would be; `note` says what is left out, `error` why there is none.

    Of several rows the arrays have a first axis for each axis of the output that is kept apart.
    """

    grads: tuple[tuple[str, Array], ...] = ()
    note: str = ""
    error: str = ""


def start_of(way: Way, subject: Subject) -> Start:
    """How the pass begins at this end. Several rows begin by none: see `outcome`."""
    y = subject.value
    if way.end in ("sum", "mean"):
        return Start("reduction", reduction=way.end)
    if way.end == "component" and y.size:
        preset = f"onehot:{min(way.component, max(y.size - 1, 0))}"
        return Start("seed", preset=preset, values=preset_seed(preset, y))
    if way.end in ("weights", "component"):  # an empty output has no component
        before = subject.call.start
        if (
            before.kind != "implicit"
            and before.values is not None
            and before.values.shape == y.shape
        ):
            return Start("seed", preset=before.preset, values=before.values)
        return Start("seed", preset="ones", values=np.ones_like(y))
    return Start()


def code(way: Way, subject: Subject) -> str:
    """The lines that a script says for it, after the output is computed.

    A gradient that is to be differentiated is returned: left in `.grad`, the two would hold
    each other in memory, and PyTorch warns of it.
    """
    y, rows = subject.name, way.end in ("jacobian", "samples")
    first, target, seed = "", y, ""
    match way.end:
        case "sum" | "mean":
            target = f"{y}.{way.end}()"
        case "component":
            first, seed = f"{_one_hot(way, subject)}\n", "v"
        case "weights":
            first, seed = f"v = {_weights(start_of(way, subject), subject)}\n", "v"
        case "jacobian" if subject.value.size > _BATCHED:
            return _one_at_a_time(way, subject)
        case "jacobian":
            first, seed = f"seeds = {_each(y, subject.value)}\n", "seeds"
        case "samples":
            first, seed = f"seeds = {_each_sample(y, subject.value)}\n", "seeds"
    if not rows and way.again != "create":
        seed = f"gradient={seed}" if seed else ""
        return f"{first}{target}.backward({_listed(seed, _AGAIN[way.again])})"
    leaves = [name for _key, name in subject.leaves]
    ending = "rows" if rows else "grad"
    inputs = leaves[0] if len(leaves) == 1 else f"({', '.join(leaves)})"
    left = ", ".join(f"{name.replace('.', '_')}_{ending}" for name in leaves)
    left = f"({left},)" if len(leaves) == 1 else left
    batched = "is_grads_batched=True" if rows else ""
    arguments = _listed(target, inputs, seed, batched, _AGAIN[way.again])
    return f"{first}{left} = torch.autograd.grad({arguments})"


def why(way: Way, subject: Subject) -> str:
    """The sentence that belongs to the end, in the current language."""
    if way.end == "jacobian" and subject.value.size > _BATCHED:
        sentence = _(
            "One row for each element, one after another: the seeds of all of them would be"
            " {count} times {count} numbers."
        )
        return sentence.format(count=f"{subject.value.size:,}")
    return _(ENDS[way.end].text)


def _one_at_a_time(way: Way, subject: Subject) -> str:
    """The rows as a generator: all seeds together would take the square of the output's size."""
    leaves = [name for _key, name in subject.leaves]
    inputs = leaves[0] if len(leaves) == 1 else f"({', '.join(leaves)})"
    flag = _AGAIN["retain" if way.again == "once" else way.again]
    call = f"torch.autograd.grad(element, {inputs}, {flag})"
    return f"rows = ({call} for element in {subject.name}.flatten())"


def _listed(*arguments: str) -> str:
    return ", ".join(each for each in arguments if each)


def outcome(runs: Runs, way: Way, subject: Subject) -> Outcome:
    """Run it in the sandbox, from a cleared `.grad`."""
    if way.end in ("jacobian", "samples"):
        return _rows(runs, way, subject)
    call = BackwardCall(subject.node, start_of(way, subject))
    done = runs.evaluate(replace(subject.diagram, calls=(call,))).passes
    problem = done[0].error if done else None
    if problem is not None or not done:
        return Outcome(error=problem.message if problem else _("it could not be run"))
    grads = done[0].grads
    return Outcome(tuple((name, grads[key]) for key, name in subject.leaves if key in grads))


def _rows(runs: Runs, way: Way, subject: Subject) -> Outcome:
    """One call for each row that is shown; each from a cleared `.grad`."""
    y = subject.value
    if not y.size:
        return Outcome(error=_("{y} has no elements").format(y=subject.name))
    kept = y.shape[:1] if way.end == "samples" else y.shape
    count = int(np.prod(kept, dtype=np.int64))
    size = sum(value.array.size for value in subject.run.values.values())
    shown = max(1, min(count, _ROWS, _NUMBERS // max(size, 1)))
    seeds = [np.zeros_like(y) for _row in range(shown)]
    for row, seed in enumerate(seeds):
        seed.reshape(count, -1)[row] = 1
    leaves = tuple(key for key, _name in subject.leaves)
    calls = tuple(
        BackwardCall(subject.node, Start("seed", values=seed), retain_graph=True, clear=leaves)
        for seed in seeds
    )
    run = runs.evaluate(replace(subject.diagram, calls=calls))
    if not run.passes or run.passes[0].error is not None:
        problem = run.passes[0].error if run.passes else run.error
        return Outcome(error=problem.message if problem else _("it could not be run"))
    note = ""
    if shown < count:
        note = _("the first {shown} of {count} rows").format(shown=shown, count=f"{count:,}")
    axes = kept if shown == count else (shown,)
    return Outcome(tuple(
        (name, _stacked(run, key, subject.diagram.nodes[key].data, axes))
        for key, name in subject.leaves
    ), note)  # fmt: skip


def _stacked(run: Run, leaf: str, data: Array | None, axes: tuple[int, ...]) -> Array:
    """A leaf's gradients of all passes; zeros where a pass did not reach it."""
    none = np.zeros_like(data) if data is not None else np.zeros(())
    rows = [done.grads.get(leaf, none) for done in run.passes]
    return np.stack(rows).reshape(*axes, *none.shape)


def _one_hot(way: Way, subject: Subject) -> str:
    y = subject.value
    at = np.unravel_index(min(way.component, y.size - 1), y.shape) if y.ndim and y.size else ()
    index = ", ".join(str(int(i)) for i in at) or "..."
    return f"v = torch.zeros_like({subject.name})\nv[{index}] = 1.0"


def _weights(start: Start, subject: Subject) -> str:
    """The expression that makes the seed."""
    y, values = subject.name, start.values
    if values is None or (values == 1).all():
        return f"torch.ones_like({y})"
    if values.size > 1 and (values == np.asarray(1 / values.size, dtype=values.dtype)).all():
        return f"torch.full_like({y}, 1 / {y}.numel())"
    if values.size <= _WRITTEN and values.dtype.kind in "fiu":
        return f"torch.tensor({_nested(values)})"
    shape = ", ".join(map(str, values.shape))
    return f"torch.empty({shape})  # {_('to be filled with your weights')}"


def _nested(values: Array) -> str:
    if values.ndim == 0:
        return repr(float(f"{float(values):.6g}"))
    return "[" + ", ".join(_nested(item) for item in values) + "]"


def _each(y: str, value: Array) -> str:
    """A seed for each element, stacked."""
    made = f"torch.eye({value.size}{_dtype(y, value)})"
    if value.ndim == 1:
        return made
    return f"{made}.reshape({', '.join(map(str, (value.size, *value.shape)))})"


def _each_sample(y: str, value: Array) -> str:
    """A seed for each entry of the first axis, stacked."""
    if value.ndim < 2:
        return _each(y, value)
    count, ones = value.shape[0], ", 1" * (value.ndim - 1)
    shape = ", ".join(map(str, (count, *value.shape)))
    eye = f"torch.eye({count}{_dtype(y, value)})"
    return f"{eye}.reshape({count}, {count}{ones}).expand({shape})"


def _dtype(y: str, value: Array) -> str:
    return "" if value.dtype == np.float32 else f", dtype={y}.dtype"
