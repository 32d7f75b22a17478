"""Hooks and anomaly mode: what they see, what they change, and in what order, as in PyTorch."""

from __future__ import annotations

import re
import warnings

import numpy as np
import pytest

from tests.engine.against import ENGINE, TORCH, Side, run

SETUP = """
seen = []
def note(*what):
    seen.append([w if isinstance(w, str) else None if w is None else w.tolist() for w in what])
"""
PROGRAMS = {
    "a tensor's hook sees the complete cotangent": """
h = x * 2
h.register_hook(lambda g: note("h", g))
(h * h + h).sum().backward()""",
    "what it returns goes on": """
h = x * 2
h.register_hook(lambda g: g * 10)
(h * h).sum().backward()""",
    "hooks run in the order they were registered": """
h = x * 2
h.register_hook(lambda g: (note("first", g), g + 1)[1])
h.register_hook(lambda g: (note("second", g), g * 2)[1])
h.sum().backward()""",
    "a removed hook is silent": """
h = x * 2
handle = h.register_hook(lambda g: note("gone", g))
handle.remove()
handle.remove()
with h.register_hook(lambda g: note("gone too", g)):
    pass
h.sum().backward()""",
    "retain_grad sees what the hooks return": """
h = x * 2
h.retain_grad()
h.register_hook(lambda g: g * 5)
h.sum().backward()
note("h.grad", h.grad)""",
    "a leaf's hook sees the sum and changes what accumulates": """
x.register_hook(lambda g: (note("x", g), g * 3)[1])
(x * 2 + x * x).sum().backward()""",
    "after accumulation": """
x.register_post_accumulate_grad_hook(lambda p: note("grad", p.grad))
(x * 2).sum().backward()
(x * 3).sum().backward()""",
    "leaves arrive as soon as they are complete": """
h = x * z
h.register_hook(lambda g: note("h"))
x.register_hook(lambda g: note("x"))
z.register_hook(lambda g: note("z"))
w.register_hook(lambda g: note("w"))
y = (h + x) * w
y.sum().backward()""",
    "a node's hooks": """
h = x * z
h.grad_fn.register_prehook(lambda gs: (note("before", *gs), (gs[0] * 2,))[1])
h.grad_fn.register_hook(lambda ins, outs: note("after", *ins, *outs))
h.sum().backward()""",
    "a node's hook returns other gradients": """
h = x * z
h.grad_fn.register_hook(lambda ins, outs: (ins[0] * 7, ins[1]))
h.sum().backward()""",
    "a slot without gradient is None": """
h = x * 2
h.grad_fn.register_hook(lambda ins, outs: note("after", *ins, *outs))
h.sum().backward()""",
    "grad() shows the hook what it captures": """
x.register_hook(lambda g: (note("x", g), g * 4)[1])
note("grad", *torch.autograd.grad((x * x).sum(), x))""",
    "hooks of leaves that are not asked for stay silent": """
x.register_hook(lambda g: note("x", g))
z.register_hook(lambda g: note("z", g))
note("grad", *torch.autograd.grad((x * z).sum(), z))""",
    "within create_graph": """
h = x * x
h.register_hook(lambda g: g * 2)
(g,) = torch.autograd.grad((h * h).sum(), x, create_graph=True)
g.sum().backward()
note("g", g.detach())""",
    "another size": "h = x * 2; h.register_hook(lambda g: g[:1]); h.sum().backward()",
    "another type": "h = x * 2; h.register_hook(lambda g: g.float()); h.sum().backward()",
    "no tensor": "h = x * 2; h.register_hook(lambda g: 3); h.sum().backward()",
    "another count": """
h = x * z
h.grad_fn.register_hook(lambda ins, outs: (ins[0],))
h.sum().backward()""",
    "no tuple": "h = x * 2; h.grad_fn.register_prehook(lambda gs: gs[0]); h.sum().backward()",
    "no gradient to hook": "k = x.detach(); k.register_hook(lambda g: g)",
    "not a leaf": "(x * 2).register_post_accumulate_grad_hook(lambda p: None)",
    "an error in a hook": "h = x * 2; h.register_hook(lambda g: 1 / 0); h.sum().backward()",
}
ARRAYS = {
    name: np.array(v) for name, v in {"x": [1.0, 2.0], "z": [3.0, 5.0], "w": [0.5, 7]}.items()
}


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS.keys())
def test_same_hooks(program: str) -> None:
    mine, theirs = (run(side, SETUP + program, ARRAYS) for side in (ENGINE, TORCH))
    assert mine.error == theirs.error
    assert mine.names["seen"] == theirs.names["seen"]
    for name in ARRAYS:
        ours, expected = mine.names[name].grad, theirs.names[name].grad
        assert (ours is None) == (expected is None), name
        if expected is not None:
            assert ours.tolist() == expected.tolist(), name


ANOMALIES = {
    "nan on the way back": """
with torch.autograd.detect_anomaly():
    y = (x * 0).sqrt()
    y.sum().backward()""",
    "nan that is not looked for": """
with torch.autograd.detect_anomaly(check_nan=False):
    y = (x * 0).sqrt()
    y.sum().backward()""",
    "a change in place": """
with torch.autograd.set_detect_anomaly(True):
    h = x.exp()
    h += 1
    h.sum().backward()""",
    "no forward pass to tell of": """
h = x.exp()
h += 1
with torch.autograd.set_detect_anomaly(True):
    h.sum().backward()""",
    "off again": """
with torch.autograd.set_detect_anomaly(True):
    pass
y = (x * 0).sqrt()
y.sum().backward()""",
}


def _ended(side: Side, program: str) -> tuple[object, list[str]]:
    with warnings.catch_warnings():
        outcome = run(side, program, ARRAYS)
    # The lines of the stack differ: the program is run from another place.
    texts = [re.sub(r"error:\n(.*\n)*.*", "error:", text) for text in outcome.warned]
    return outcome.error, texts


@pytest.mark.parametrize("program", ANOMALIES.values(), ids=ANOMALIES.keys())
def test_same_anomalies(program: str) -> None:
    assert _ended(ENGINE, program) == _ended(TORCH, program)
