"""What is shown of a script that was stopped: the beginning, with the calls that belong to it."""

from __future__ import annotations

from gradviz.beginning import beginning
from gradviz.script.limits import Limits
from gradviz.script.sandbox import Sandbox

LOOP = """import torch
x = torch.ones(2, requires_grad=True)
while True:
    y = x * 2
    y.sum().backward()
"""


def test_an_endless_loop_is_cut_to_its_beginning() -> None:
    with Sandbox(Limits(entries=400)) as sandbox:
        whole = sandbox.run(LOOP)
    assert len(whole[0].nodes) > 100
    diagram, run = beginning(*whole, count=20)
    assert list(diagram.nodes) == list(whole[0].nodes)[:20]
    assert set(run.values) <= set(diagram.nodes)
    assert 0 < len(diagram.calls) < len(whole[0].calls)
    assert [done.call.target for done in run.passes] == [call.target for call in diagram.calls]
    assert all(call.target in diagram.nodes for call in diagram.calls)
    assert run.error is whole[1].error
    assert run.error is not None
    assert run.error.message.endswith("the script was stopped after 400 operations")


def test_anything_else_is_left_as_it_is() -> None:
    with Sandbox() as sandbox:
        whole = sandbox.run(LOOP.replace("while True", "for turn in range(30)"))
    assert beginning(*whole, count=20) == whole
