"""Findings about how a backward call starts: no seed where one is needed, or a wrong one."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from engine import errors as said
from gradviz.diagram import NodeId
from gradviz.doctor import several
from gradviz.doctor.finding import Case, Finding, Repair, repair
from gradviz.doctor.text import Edit, Text, function
from gradviz.language import N_, _

SCALAR_WHY = N_(
    "backward() without a seed needs one number to start from, since the derivative of several"
    " outputs is a Jacobian. Aggregate them, or say with a seed how much each counts."
)
SHAPE_WHY = N_(
    "A seed holds one weight for each element of the output, so it must have the output's shape;"
    " nothing is broadcast here."
)
TYPE_WHY = N_(
    "A seed must be a tensor: PyTorch does not make one of a Python list, a number or an array."
)
CAST_WHY = N_(
    "PyTorch does not refuse a real seed of another dtype: it casts it to the output's dtype"
    " without a word, and digits that do not fit are lost."
)
DEVICES_WHY = N_(
    "Each part, or device, has already averaged over its own samples; the mean of these losses is"
    " the mean over the batch where the parts are equally large, and their sum grows with the"
    " number of parts."
)
COMPLEX_WHY = N_("Between real and complex numbers a seed is not cast: both dtypes must agree.")
MEANS = ("mean", "mse_loss", "nll_loss", "l1_loss", "smooth_l1_loss", "huber_loss", "cross_entropy")
CONVERSIONS = ("to", "type", "type_as", "float", "double", "half", "bfloat16")


def errors(case: Case) -> Iterator[Finding]:
    """Readings of the error, where it is about a backward call's start."""
    failure = case.run.error
    if failure is None or failure.node is None or failure.node not in case.diagram.nodes:
        return
    call = backward_call(case.text, failure.line)
    message = failure.message
    if call is not None and not is_method(call) and several.outputs(call):
        yield from several.errors(case, call, seed(call))
    elif said.IMPLICIT_SCALAR in message:
        yield _nonscalar(case, failure.node, call)
    elif message.startswith(said.SEED_SHAPE.partition("{")[0]):
        yield _shape(case, call)
    elif message.startswith(said.SEED_COMPLEX.partition("Mismatch")[0]):
        yield _complex(case, call)
    elif message.startswith(said.SEED_TYPE.partition("{")[0]) or _not_iterable(case, call):
        yield _type(case, call)


def backward_call(text: Text, line: int | None) -> ast.Call | None:
    """The call on the line that starts a backward pass."""
    for call in text.calls(line):
        if function(call) in ("backward", "grad"):
            return call
    return None


def is_method(call: ast.Call) -> bool:
    """Whether it is `y.backward(…)`, not a function of torch.autograd."""
    func = call.func
    if not isinstance(func, ast.Attribute) or func.attr != "backward":
        return False
    return not ast.unparse(func.value).endswith("autograd")


def target(call: ast.Call) -> ast.expr | None:
    """The output that the pass starts from."""
    if is_method(call) and isinstance(call.func, ast.Attribute):
        return call.func.value
    if not call.args or isinstance(call.args[0], (ast.List, ast.Tuple, ast.Starred)):
        return None
    return call.args[0]


def seed(call: ast.Call) -> ast.expr | None:
    """The seed, as it is written."""
    for keyword in call.keywords:
        if keyword.arg in ("gradient", "grad_outputs", "grad_tensors"):
            return keyword.value
    if is_method(call):
        return call.args[0] if call.args else None
    place = 1 if function(call) == "backward" else 2
    return call.args[place] if len(call.args) > place else None


def _reduced(case: Case, call: ast.Call | None, how: str, label: str) -> tuple[Repair, ...]:
    output = None if call is None else target(call)
    if call is None or output is None:
        return ()
    if is_method(call) and isinstance(call.func, ast.Attribute):
        return repair(label, case.text.before_attribute(call.func, f".{how}()"), key=how)
    return repair(label, case.text.followed(output, f".{how}()"), key=how)


def _ones(case: Case, call: ast.Call | None) -> tuple[Repair, ...]:
    output = None if call is None else target(call)
    if call is None or output is None:
        return ()
    ones = f"{case.text.torch}.ones_like({case.text.segment(output)})"
    present = seed(call)
    if present is not None:
        return repair(_("use a seed of ones"), case.text.replace(present, ones))
    names = {"grad": "grad_outputs", "backward": "gradient" if is_method(call) else "grad_tensors"}
    edit = case.text.keyword(call, names[function(call)], ones)
    label = _("hand over a seed of ones: every element counts once")
    return repair(label, edit, key="ones")


def _nonscalar(case: Case, node: NodeId, call: ast.Call | None) -> Finding:
    error = case.run.error
    assert error is not None
    total = _reduced(case, call, "sum", _("start from the sum: every element counts once"))
    mean = _reduced(case, call, "mean", _("start from the mean: every element counts 1/N"))
    parts = _losses(case, node)
    if parts:
        return Finding(
            "device-losses",
            _(
                "{name} holds {count} losses, one of each part or device; backward() needs one"
            ).format(name=case.title(node), count=parts),
            _(DEVICES_WHY),
            error.line,
            node,
            repairs=(*mean, *total),
        )
    value = case.run.values.get(node)
    return Finding(
        "nonscalar",
        _("{name} is not a scalar but has the shape {shape}, so the pass cannot begin").format(
            name=case.title(node), shape=() if value is None else tuple(value.array.shape)
        ),
        _(SCALAR_WHY),
        error.line,
        node,
        repairs=(*total, *mean, *_ones(case, call)),
    )


def _losses(case: Case, node: NodeId) -> int:
    """How many losses, means themselves, the vector was put together from; 0 where it was not."""
    made = case.diagram.nodes[node]
    while made.op in ("to", "reshape", "view", "squeeze") and made.inputs[0] is not None:
        made = case.diagram.nodes[made.inputs[0]]
    if made.op not in ("stack", "cat", "gather"):
        return 0
    sources = [case.diagram.nodes[key] for key in made.inputs if key is not None]
    while all(source.op in ("reshape", "view", "unsqueeze") for source in sources):
        sources = [case.diagram.nodes[s.inputs[0]] for s in sources if s.inputs[0] is not None]
    means = all(
        source.op in MEANS and source.params.get("reduction", "mean") == "mean"
        for source in sources
    )
    return len(sources) if means and len(sources) > 1 else 0


def _wrong(case: Case, kind: str, sentence: str, why: str, *repairs: Repair) -> Finding:
    error = case.run.error
    assert error is not None
    sentence = sentence.format(name=case.title(error.node))
    return Finding(kind, sentence, _(why), error.line, error.node, repairs=repairs)


def _shape(case: Case, call: ast.Call | None) -> Finding:
    sentence = _("the seed does not have the shape of {name}")
    written = None if call is None else seed(call)
    output = None if call is None else target(call)
    tries: list[Repair] = []
    if written is not None and output is not None:
        name = case.text.segment(output)
        for label, method in (
            (_("give the seed the output's shape"), f".reshape_as({name})"),
            (_("repeat the seed to the output's shape"), f".expand_as({name})"),
        ):
            tries += repair(label, case.text.followed(written, method))
    return _wrong(case, "seed-shape", sentence, SHAPE_WHY, *tries, *_ones(case, call))


def _not_iterable(case: Case, call: ast.Call | None) -> bool:
    middle = said.NOT_ITERABLE.partition("{type}")[2]
    return call is not None and seed(call) is not None and case.message.endswith(middle)


def _type(case: Case, call: ast.Call | None) -> Finding:
    sentence = _("the seed of {name} is not a tensor")
    written = None if call is None else seed(call)
    output = None if call is None else target(call)
    tries: list[Repair] = []
    if written is not None and output is not None:
        torch, value = case.text.torch, case.text.segment(written)
        name, owner = case.text.segment(output), case.text.operand(output)
        label = _("make a tensor of the seed")
        made = f"{torch}.as_tensor({value}, dtype={owner}.dtype)"
        if _not_iterable(case, call):
            made = f"{torch}.full_like({name}, {value})"
        tries += repair(label, case.text.replace(written, made))
    return _wrong(case, "seed-type", sentence, TYPE_WHY, *tries, *_ones(case, call))


def _complex(case: Case, call: ast.Call | None) -> Finding:
    sentence = _("the seed and {name} are not both real or both complex")
    written = None if call is None else seed(call)
    output = None if call is None else target(call)
    tries: list[Repair] = []
    if written is not None and output is not None:
        kept = case.text.followed(written, ".real")
        dtype = f".to({case.text.operand(output)}.dtype)"
        value = case.run.values.get(case.run.error.node or "") if case.run.error else None
        if value is not None and value.array.dtype.kind == "c":
            tries += repair(
                _("give the seed the output's dtype"), case.text.followed(written, dtype)
            )
        else:
            tries += repair(_("keep the real part of the seed"), kept)
    return _wrong(case, "seed-dtype", sentence, COMPLEX_WHY, *tries, *_ones(case, call))


def risks(case: Case) -> Iterator[Finding]:
    """Seeds that are cast to the output's dtype."""
    casts = _casts(case)
    for done in case.run.passes:
        call = backward_call(case.text, done.call.line)
        written = None if call is None else seed(call)
        output = None if call is None else target(call)
        value = case.run.values.get(done.call.target)
        dtype = casts.get((done.call.line, "" if value is None else value.array.dtype.name))
        if written is None or output is None or dtype is None or _converts(written):
            continue
        sentence = _("the seed is {given}, and {name} is {wanted}: PyTorch casts the seed").format(
            given=dtype,
            name=case.title(done.call.target),
            wanted="" if value is None else value.array.dtype.name,
        )
        edit: Edit = case.text.followed(written, f".to({case.text.operand(output)}.dtype)")
        yield Finding(
            "seed-dtype",
            sentence,
            _(CAST_WHY),
            done.call.line,
            done.call.target,
            "note",
            repair(_("cast the seed yourself, where it can be seen"), edit),
        )


def _converts(written: ast.expr) -> bool:
    return isinstance(written, ast.Call) and function(written) in CONVERSIONS


def _casts(case: Case) -> dict[tuple[int | None, str], str]:
    """Casts that nothing else uses: by line and the dtype that was made, the dtype before."""
    users = case.diagram.consumers()
    found: dict[tuple[int | None, str], str] = {}
    for node in case.diagram.nodes.values():
        if node.op == "to" and not users[node.id] and node.inputs[0] is not None:
            given = case.run.values[node.inputs[0]].array.dtype.name
            made = case.run.values[node.id].array.dtype.name
            if given != made:
                found.setdefault((node.line, made), given)
    return found
