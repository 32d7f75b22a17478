"""The ways in which history is lost: for each a sentence, why it is so, and what helps."""

from __future__ import annotations

from collections.abc import Mapping

from gradviz.language import N_

LOSSES: Mapping[str, tuple[str, str]] = {
    "detach": (
        N_("the history is cut in line {line}: detach() gives a tensor without one"),
        N_("Nothing flows back through detach(): to autograd what follows is a constant."),
    ),
    "data": (
        N_("the history is cut in line {line}: .data is the tensor without its history"),
        N_("Nothing flows back through .data: to autograd what follows is a constant."),
    ),
    "no_grad": (
        N_("line {line} turns recording off, so what is computed under it has no history"),
        N_("Under no_grad no op leaves a grad_fn, so there is no way back to the leaves."),
    ),
    "item": (
        N_("the history is lost in line {line}: it takes a plain Python number out of the tensor"),
        N_("A Python number knows nothing of the ops it came from. Stay with tensors."),
    ),
    "numpy": (
        N_("the history is lost in line {line}: NumPy arrays have none"),
        N_("NumPy does not record what it computes. Use the torch function of the same name."),
    ),
    "new": (
        N_("the history is lost in line {line}: a new tensor is made from values"),
        N_("torch.tensor() copies numbers, not history. Stack the tensors or use them themselves."),
    ),
    "integer": (
        N_("the history is lost in line {line}: integers and booleans have no gradient"),
        N_("A derivative needs small changes, and whole numbers do not change by a little."),
    ),
    "gradient": (
        N_("the gradient of line {line} was computed without recording how"),
        N_("With create_graph=True a gradient has a history itself, and can be derived again."),
    ),
    "leaf": (
        N_("nothing that the output is computed from requires grad"),
        N_("Gradients end in leaves with requires_grad=True; without one there is no history."),
    ),
    "integer-leaf": (
        N_("line {line} wants gradients for integers"),
        N_("Only floating-point and complex tensors can require grad: write 2.0, or give a dtype."),
    ),
}
LABELS: Mapping[str, str] = {
    "detach": N_("leave out detach()"),
    "data": N_("leave out .data"),
    "no_grad": N_("record there: enable_grad() instead of no_grad()"),
    "item": N_("stay with tensors"),
    "numpy": N_("stay with tensors"),
    "new": N_("use the tensors themselves"),
    "integer": N_("leave out the conversion to integers"),
    "gradient": N_("record it: create_graph=True"),
    "leaf": N_("let {name} require grad"),
    "integer-leaf": N_("give it a floating-point dtype"),
}
