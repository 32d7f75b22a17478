"""Scripts in the sandbox do what PyTorch and Python do with them."""

import contextlib
import io
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from gradviz import language, storage
from gradviz.diagram import BackwardCall, Diagram, Node, Start
from gradviz.script.limits import Limits
from gradviz.script.sandbox import Sandbox
from tests.gradviz.sandboxes import LIMITS, Runner, run
from tests.gradviz.scripts import ARTICLE, FAILING, TUTORIALS

__all__ = ["run"]

NOT_SCALAR = "RuntimeError: grad can be implicitly created only for scalar outputs"
FREED = (
    "RuntimeError: Trying to backward through the graph a second time (or directly access saved "
    "tensors after they have already been freed). Saved intermediate values of the graph are freed "
    "when you call .backward() or autograd.grad(). Specify retain_graph=True if you need to "
    "backward through the graph a second time or if you need to access saved tensors after calling "
    "backward."
)
# What PyTorch 2.13 prints for the programs of the article, and how it ends.
ARTICLE_SAYS = {
    "1.1": ("", NOT_SCALAR),
    "2.1": ("sum() 规约梯度: tensor([7., 9.])\n", FREED),
    "2.1 with y again": (
        "sum() 规约梯度: tensor([7., 9.])\nmean() 规约梯度: tensor([3.5000, 4.5000])\n",
        None,
    ),
    "3": (
        "反向传播梯度: tensor([7., 9.])\n仅针对 y[0] 的梯度: tensor([7., 0.])\n"
        "仅针对 y[1] 的梯度: tensor([0., 9.])\n",
        None,
    ),
}


@pytest.mark.parametrize("name", ARTICLE)
def test_the_programs_of_the_article(name: str, run: Runner) -> None:
    told = run(ARTICLE[name])
    out, last = ARTICLE_SAYS[name]
    assert told.out == out
    error = told.run.error
    assert (error.traceback.splitlines()[-1] if error else None) == last


@pytest.mark.parametrize("name", [*ARTICLE, *TUTORIALS])
def test_prints_as_pytorch_does(name: str, run: Runner) -> None:
    pytest.importorskip("torch", reason="torch not installed")
    source = {**ARTICLE, **TUTORIALS}[name]
    told = run(source)
    if told.run.error is not None and name not in ARTICLE:
        pytest.fail(told.run.error.traceback)
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.suppress(RuntimeError):
        exec(compile(source, "script.py", "exec"), {"__name__": "__main__"})
    assert told.out == out.getvalue()


def without_library(traceback: str) -> str:
    """What Python prints for an uncaught exception, without the frames inside torch."""
    kept, inside = [], False
    for line in traceback.splitlines():
        if line.startswith("  File "):
            inside = "site-packages" in line
        elif not line.startswith("    "):
            inside = False
        if not inside:
            kept.append(line)
    return "\n".join(kept) + "\n"


@pytest.mark.parametrize("name", FAILING)
def test_ends_as_python_does(name: str, run: Runner, tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="torch not installed")
    path = tmp_path / "script.py"
    path.write_text(FAILING[name], encoding="utf-8")
    real = subprocess.run(
        [sys.executable, str(path)], capture_output=True, text=True, check=False
    ).stderr
    told = run(FAILING[name])
    assert told.run.error is not None
    assert told.run.error.traceback == without_library(real).replace(str(path), "script.py")


def test_nodes_carry_names_and_lines(run: Runner) -> None:
    told = run(
        "import torch\n"
        "x = torch.tensor([2.0, 3.0], requires_grad=True)\n"
        "y = x ** 2 + 3 * x\n"
        "a, (b, c) = y.sum(), (y.mean(), 4)\n"
        "for z in [y * 2]:\n"
        "    pass\n"
        "w = [torch.ones(2, requires_grad=True)]\n"
        "q = w[0] * y\n"
        "total = 0\n"
        "total += q.sum()\n"
        "class K:\n    pass\n"
        "k = K()\n"
        "k.inner = y - 1\n"
        "if (s := y + 1) is None:\n    pass\n"
    )
    assert told.run.error is None
    named = {node.name: node.line for node in told.diagram.nodes.values() if node.name}
    assert named == {
        "x": 2, "y": 3, "a": 4, "b": 4, "z": 5, "w[0]": 7, "q": 8, "total": 10,
        "inner": 14, "s": 15,
    }  # fmt: skip
    ops = {node.op: node.line for node in told.diagram.nodes.values()}
    assert ops["pow"] == 3


def test_several_backward_calls_are_several_passes(run: Runner) -> None:
    told = run(ARTICLE["3"])
    starts = [(call.target, call.start.name, call.line) for call in told.diagram.calls]
    assert starts == [("y", "v", 10), ("y#2", "v1", 22), ("y#2", "v2", 29)]
    grads = [done.grads["x"].tolist() for done in told.run.passes]
    assert grads == [[7.0, 9.0], [7.0, 0.0], [0.0, 9.0]]
    assert [done.call.clear for done in told.run.passes] == [(), ("x",), ("x",)]


def test_a_failed_backward_belongs_to_its_target(run: Runner) -> None:
    told = run(ARTICLE["1.1"])
    assert told.run.error is not None
    assert (told.run.error.type, told.run.error.line, told.run.error.node) == (
        "RuntimeError",
        10,
        "y",
    )
    assert told.run.values["y"].array.tolist() == [10.0, 18.0]
    assert told.run.passes[0].error is not None


def test_a_refused_op_is_a_node(run: Runner) -> None:
    told = run("import torch\na = torch.ones(2, 3)\nb = a @ a\n")
    assert told.run.error is not None
    assert (told.run.error.line, told.run.error.node) == (3, "mm@3")
    assert told.diagram.nodes["mm@3"].inputs == ("a", "a")


def test_a_write_into_a_view_survives_the_way_to_a_file_and_back(run: Runner) -> None:
    told = run(
        "import torch\nx = torch.ones(3, requires_grad=True)\nh = x * 2\nh[:2].mul_(5)\n"
        "y = h.sum()\ny.backward()\n"
    )
    assert told.run.error is None
    again = storage.loads(storage.dumps(told.diagram), "a.gradviz")
    for diagram in (told.diagram, again):
        done = run.sandbox.evaluate(diagram)
        assert done.error is None
        assert done.values["y"].array.tolist() == 22.0
        assert done.passes[0].grads["x"].tolist() == [10.0, 10.0, 2.0]


def test_what_came_before_a_limit_is_kept(run: Runner) -> None:
    told = run(
        "import torch\nx = torch.ones(2, requires_grad=True)\n(x * x).sum().backward()\n"
        "print(x.grad)\nwhile True:\n    pass\n"
    )
    assert told.out == "tensor([2., 2.])\n"
    assert told.run.error is not None
    assert told.run.error.message == (
        f"line {told.line}: the script was stopped: it ran for more than 2 seconds"
    )
    assert told.line in (5, 6)
    assert told.run.passes[0].grads["x"].tolist() == [2.0, 2.0]


def test_what_came_before_a_sudden_end_is_kept(run: Runner) -> None:
    told = run(
        "import torch\nx = torch.ones(2, requires_grad=True)\n(x * x).sum().backward()\n"
        "print(x.grad)\nr = list(range(10000))\nsum(map(sum, [r] * 10**7))\n"
    )
    assert told.run.error is not None
    assert (told.run.error.type, told.line) == ("TimeLimit", 6)
    assert told.out == "tensor([2., 2.])\n"
    assert told.run.passes[0].grads["x"].tolist() == [2.0, 2.0]


def test_warnings_are_told_with_their_line(run: Runner) -> None:
    told = run(
        "import torch\nx = torch.ones(2, requires_grad=True)\nfor i in range(3):\n"
        "    y = (x * 2).grad\n"
    )
    assert told.run.error is None
    (piece,) = told.run.console
    assert (piece.stream, piece.line) == ("stderr", 4)
    assert piece.text.startswith("script.py:4: UserWarning: The .grad attribute of a Tensor")
    assert piece.text.endswith("\n  y = (x * 2).grad\n")


def test_warnings_can_be_turned_off(run: Runner) -> None:
    told = run(
        "import torch, warnings\nwarnings.filterwarnings('ignore')\n"
        "x = torch.ones(2, requires_grad=True)\n(x * 2).grad\n"
    )
    assert (told.err, told.run.error) == ("", None)


def test_messages_come_in_the_language_of_the_app(run: Runner) -> None:
    language.use("zh")
    try:
        assert run("\nimport os").message == (
            "第 2 行：这里没有模块“os”；脚本可以导入 base64, collections, functools, itertools, "
            "math, numpy, random, time, torch, typing, warnings"
        )
    finally:
        language.use("en")
    assert run("\nimport os").message.startswith("line 2: the module “os” is not available here")


@pytest.mark.parametrize(
    ("source", "last"),
    [
        ("raise SyntaxError('m', ('a', 'b', 'c', 4))", "SyntaxError: m"),
        ("raise ValueError('\\ud800')", "ValueError: ?"),
        (
            "class E(Exception):\n    def __str__(self):\n        return 1\nraise E()",
            "E: <exception str() failed>",
        ),
        ("raise Exception('x' * 10**6)", "x"),
        ("import torch\nd = {}\nd['\\ud800'] = torch.ones(2)\n1 / 0", "ZeroDivisionError"),
    ],
)
def test_strange_errors_are_told_all_the_same(source: str, last: str, run: Runner) -> None:
    error = run(source).run.error
    assert error is not None
    assert error.type in (last.partition(":")[0], "Exception")
    assert last in error.traceback.splitlines()[-1]
    assert len(error.traceback) < 100_000


def test_leaving_early(run: Runner) -> None:
    assert run("print(1)\nexit()\nprint(2)").run.error is None
    told = run("raise SystemExit('enough')")
    assert told.run.error is not None
    assert (told.run.error.type, told.run.error.traceback) == ("SystemExit", "enough\n")


def test_a_diagram_is_evaluated(run: Runner) -> None:
    diagram = Diagram(
        {
            "x": Node("x", "leaf", data=np.array([2.0, 3.0], np.float32)),
            "y": Node("y", "mul", ("x", "x")),
        },
        (BackwardCall("y", Start("seed", values=np.array([1.0, 0.5], np.float32))),),
    )
    done = run.sandbox.evaluate(diagram)
    assert done.error is None
    assert done.values["y"].array.tolist() == [4.0, 9.0]
    assert done.passes[0].grads["x"].tolist() == [4.0, 3.0]
    assert done.values["y"].array.dtype == np.float32


def test_cancelling_from_another_thread() -> None:
    with Sandbox(Limits(seconds=30.0)) as sandbox:
        sandbox.run("x = 1")
        timer = threading.Timer(0.3, sandbox.cancel)
        began = time.monotonic()
        timer.start()
        _diagram, done = sandbox.run("while True:\n    pass")
        timer.join()
        assert done.error is not None
        assert (done.error.type, done.error.message) == ("Cancelled", "cancelled")
        assert time.monotonic() - began < 10
        sandbox.cancel()  # nothing is running: nothing happens
        assert sandbox.run("print(3)")[1].console[0].text == "3\n"


def test_closing_ends_what_is_running() -> None:
    sandbox = Sandbox(Limits(seconds=30.0))
    sandbox.run("x = 1")
    timer = threading.Timer(0.3, sandbox.close)
    timer.start()
    _diagram, done = sandbox.run("while True:\n    pass")
    timer.join()
    assert done.error is not None
    assert done.error.type == "Cancelled"
    assert sandbox._process is None
    error = sandbox.run("print(1)")[1].error
    assert error is not None
    assert error.message == "the worker process ended"


def test_a_worker_that_dies_is_replaced() -> None:
    with Sandbox(LIMITS) as sandbox:
        sandbox.run("x = 1")
        assert sandbox._process is not None
        sandbox._process._child.kill()
        sandbox._process._child.wait()
        assert sandbox.run("print(3)")[1].console[0].text == "3\n"


def test_several_threads_take_turns() -> None:
    with Sandbox(LIMITS) as sandbox:
        said: dict[int, str] = {}

        def ask(number: int) -> None:
            said[number] = sandbox.run(f"print({number})")[1].console[0].text

        threads = [threading.Thread(target=ask, args=(number,)) for number in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert said == {number: f"{number}\n" for number in range(6)}


def test_the_worker_loads_only_what_it_needs() -> None:
    heavy = ("scipy", "PySide6", "typer", "rich", "networkx", "torch", "PIL", "ziamath")
    code = (
        "import sys; import gradviz.script.worker, gradviz.evaluate, gradviz.script.modules as m; "
        f"m.warm(); print([name for name in {heavy} if name in sys.modules])"
    )
    root = str(Path(__file__).resolve().parents[2])
    told = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path.insert(0, {root!r}); {code}"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert told.stdout == "[]\n"
