"""Every example against PyTorch itself: printed text, the last line of an error, gradients."""

import contextlib
import io

import numpy as np
import pytest

from gradviz.examples import Example, examples
from gradviz.script.sandbox import Sandbox

torch = pytest.importorskip("torch", reason="torch is not installed: nothing to compare with")


@pytest.mark.parametrize("example", examples(), ids=lambda example: example.name)
def test_example_does_what_pytorch_does(example: Example) -> None:
    source = example.path.read_text(encoding="utf-8")
    names: dict[str, object] = {}
    error = None
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        try:
            exec(compile(source, example.name, "exec"), names)
        except RuntimeError as raised:
            error = str(raised)
    with Sandbox() as sandbox:
        diagram, run = sandbox.run(source, example.path.name)

    assert "".join(p.text for p in run.console if p.stream == "stdout") == printed.getvalue()
    assert (run.error.message if run.error else None) == error
    leaves = [node for node in diagram.nodes.values() if node.op == "leaf"]
    assert leaves
    for leaf in leaves:
        theirs = names[leaf.name or ""].grad  # type: ignore[attr-defined]
        ours = run.passes[-1].grads.get(leaf.id)
        if theirs is None:
            assert ours is None
        else:
            assert ours is not None
            np.testing.assert_allclose(ours, theirs.numpy(), rtol=1e-6)
