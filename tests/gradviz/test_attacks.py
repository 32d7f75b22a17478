"""Hostile scripts do nothing but end with a message, and the sandbox serves the next one."""

import os
from pathlib import Path

import pytest

from tests.gradviz.sandboxes import Runner, run

__all__ = ["run"]

# name: (script, line of the error, what its message says)
REFUSED = {
    "import os": ("import os\nos.system('id')", 1, "the module “os” is not available here"),
    "import sys": ("\nimport sys", 2, "the module “sys” is not available here"),
    "import subprocess": ("import subprocess as s", 1, "the module “subprocess” is not"),
    "import builtins": ("from builtins import open", 1, "the module “builtins” is not"),
    "import hidden": ("import torch, ctypes", 1, "the module “ctypes” is not"),
    "import of ours": ("import gradviz.script.worker", 1, "“gradviz.script.worker” is not"),
    "import engine": ("import engine", 1, "the module “engine” is not"),
    "import numpy's": ("from numpy import ctypeslib", 1, "cannot import “ctypeslib” from “numpy”"),
    "import relative": ("from . import os", 1, "the module “.” is not available here"),
    "import star": ("from math import *", 1, "“import *” is not available here"),
    "import guard": ("__import__('os')", 1, "“__import__” is not available here"),
    "open": ("x = 1\nopen('/etc/passwd')", 2, "“open” is not available here"),
    "eval": ("eval('1')", 1, "“eval” is not available here"),
    "exec": ("f = [exec]", 1, "“exec” is not available here"),
    "compile": ("compile('1', '', 'eval')", 1, "“compile” is not available here"),
    "globals": ("globals()['x'] = 1", 1, "“globals” is not available here"),
    "vars": ("vars(object)", 1, "“vars” is not available here"),
    "input": ("input('?')", 1, "“input” is not available here"),
    "breakpoint": ("breakpoint()", 1, "“breakpoint” is not available here"),
    "builtins name": ("print(__builtins__)", 1, "the name “__builtins__” is not available here"),
    "loader name": ("print(__loader__)", 1, "“__loader__” is not available here"),
    "class chain": ("().__class__.__base__.__subclasses__()", 1, "“__subclasses__” is not"),
    "mro": ("int.mro()", 1, "the attribute “mro” is not available here"),
    "globals of a function": ("def f(): pass\nf.__globals__", 2, "“__globals__” is not"),
    "code of a function": ("(lambda: 0).__code__", 1, "“__code__” is not available"),
    "self of a builtin": ("print.__self__", 1, "“__self__” is not available"),
    "generator frame": ("g = (i for i in [1])\ng.gi_frame.f_back", 2, "“f_back” is not"),
    "traceback": (
        "try:\n    1 / 0\nexcept Exception as e:\n    e.__traceback__.tb_frame",
        4,
        "“tb_frame” is not available",
    ),
    "getattr dunder": ("getattr([], '__class' + '__').x", 1, "has no attribute 'x'"),
    "getattr globals": (
        "def f(): pass\ngetattr(f, '__glo' + 'bals__')",
        2,
        "the attribute “__globals__” is not available here",
    ),
    "getattr frame": (
        "g = (i for i in [1])\ngetattr(g, 'gi_' + 'frame')",
        2,
        "the attribute “gi_frame” is not available here",
    ),
    "getattr with a lying str": (
        "class S(list):\n    def startswith(self, x):\n        return False\n"
        "getattr(print, S('__self__'))",
        4,
        "attribute name must be string",
    ),
    "str subclass": ("class S(str):\n    pass", 1, "a class cannot derive from str here"),
    "Tensor subclass": (
        "import torch\nclass T(torch.Tensor):\n    pass",
        2,
        "a class cannot derive from Tensor here",
    ),
    "format": ("'{0.__class__.__base__}'.format(1)", 1, "“__base__” is not available"),
    "format of str": ("str.format('{0.__self__}', print)", 1, "“__self__” is not available"),
    "format through map": ("list(map('{.__self__}'.format, [print]))", 1, "“__self__” is not"),
    "format_map": ("'{x.__self__}'.format_map({'x': print})", 1, "“__self__” is not"),
    "format index": ("'{0[0].__self__}'.format([print])", 1, "“__self__” is not"),
    "type with three": ("type('X', (), {})", 1, "takes 1 positional argument but 3 were given"),
    "type of type": ("type(int)('X', (), {})", 1, "object is not callable"),
    "type of a function": ("type(lambda: 0)(1, {})", 1, "object is not callable"),
    "metaclass": ("class A(metaclass=type):\n    pass", 1, "a class can only name its bases here"),
    "getattribute": (
        "class A:\n    def __getattribute__(self, n):\n        return 1",
        2,
        "the name “__getattribute__” is not available here",
    ),
    "class getitem": (
        "class A:\n    def __class_getitem__(cls, n):\n        return 1",
        2,
        "the name “__class_getitem__” is not available here",
    ),
    "init subclass": (
        "class A:\n    def __init_subclass__(cls):\n        pass",
        2,
        "the name “__init_subclass__” is not available here",
    ),
    "array interface": (
        "class A:\n    __array_interface__ = {'data': (0, False)}",
        2,
        "the name “__array_interface__” is not available here",
    ),
    "array interface set": (
        "class A:\n    pass\nsetattr(A, '__array_' + 'interface__', {})",
        3,
        "the attribute “__array_interface__” is not available here",
    ),
    "decorator": ("@eval\ndef f():\n    pass", 1, "“eval” is not available here"),
    "np.load": ("import numpy as np\nnp.load('x')", 2, "“numpy.load” is not available here"),
    "tofile": (
        "import numpy as np\nnp.zeros(2).tofile('x')",
        2,
        "the attribute “tofile” is not available here",
    ),
    "dump of a number": (
        "import numpy as np\nnp.float64(1).dump('x')",
        2,
        "the attribute “dump” is not available here",
    ),
    "super of a number": (
        "import numpy as np\nsuper(np.float64, np.float64(1)).tofile",
        2,
        "the attribute “tofile” is not available here",
    ),
    "ctypes of an array": (
        "import numpy as np\nnp.zeros(2).ctypes",
        2,
        "the attribute “ctypes” is not available here",
    ),
    "ndarray made of memory": (
        "import numpy as np\nnp.ndarray((9,), buffer=b'')",
        2,
        "object is not callable",
    ),
    "bit generator": (
        "import numpy as np\nnp.random.default_rng(0).bit_generator",
        2,
        "the attribute “bit_generator” is not available here",
    ),
    "patch torch": (
        "import torch\ntorch.tensor = print",
        2,
        "the attribute “tensor” of 'Namespace' cannot be changed here",
    ),
    "patch Tensor": (
        "import torch\ntorch.Tensor.backward = print",
        2,
        "the attribute “backward” of 'type' cannot be changed here",
    ),
    "patch a tensor": (
        "import torch\nx = torch.tensor([1.0])\nx.backward = print",
        3,
        "the attribute “backward” of 'Tensor' cannot be changed here",
    ),
    "patch by setattr": (
        "import torch\nsetattr(torch.Tensor, 'sum', print)",
        2,
        "the attribute “sum” of 'type' cannot be changed here",
    ),
    "patch by wraps": (
        "import functools\nfunctools.wraps(print, assigned=('__self__',))",
        2,
        "unexpected keyword argument 'assigned'",
    ),
    "inside a tensor": (
        "import torch\nx = torch.tensor([1.0])\nx._array",
        3,
        "the attribute “_array” is not available here",
    ),
    "inside a namespace": ("import torch\ntorch._table", 2, "“torch._table” is not available"),
    "inside history": (
        "import torch\nx = torch.tensor([1.0], requires_grad=True)\n(x * x).grad_fn.op",
        3,
        "the attribute “op” is not available here",
    ),
    "object of an error": (
        "import torch\ntry:\n    torch.nope\nexcept AttributeError as e:\n    print(e.obj)",
        5,
        "the attribute “obj” is not available here",
    ),
    "async": ("async def f():\n    pass", 1, "an async function cannot be used here"),
    "match": ("match 1:\n    case int(real=x):\n        pass", 1, "a “match” statement cannot"),
    "except star": (
        "try:\n    pass\nexcept* ValueError:\n    pass",
        1,
        "“except*” cannot be used here",
    ),
    "print to a file": ("print(1, file=3)", 1, "unexpected keyword argument 'file'"),
    "guard names": ("globals_ = __import__", 1, "“__import__” is not available here"),
    "NUL byte": ("x = 1\ny = '\0'", 2, "source code cannot contain null bytes"),
    "10 MB": ("x = 1\n" * 1_800_000, 1, "the script is too long"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str, run: Runner) -> None:
    source, line, message = REFUSED[name]
    told = run(source)
    assert (told.line, message in told.message) == (line, True), told.run.error
    assert told.out == ""
    assert run("print(6 * 7)").out == "42\n"


# name: (script, line of the error, type, what its message says)
TOO_MUCH = {
    "endless loop": ("x = 1\nwhile True:\n    x = 2", (2, 3), "TimeLimit", "more than 2 seconds"),
    "endless loop that catches": (
        "while True:\n    try:\n        while True:\n            pass\n"
        "    except BaseException:\n        pass",
        (3, 4),
        "TimeLimit",
        "the script was stopped: it ran for more than 2 seconds",
    ),
    "endless loop in C": (
        "r = list(range(10000))\nsum(map(sum, [r] * 10**7))",
        (2,),
        "TimeLimit",
        "more than 2 seconds",
    ),
    "sleep": ("import time\ntime.sleep(1000)", (2,), "TimeLimit", "more than 2 seconds"),
    "endless recursion of finally": (
        "def f():\n    try:\n        f()\n    finally:\n        f()\nf()",
        (1, 3, 5),
        "TimeLimit",
        "more than 2 seconds",
    ),
    "10**10**10": ("x = 1\ny = 10**10**10", (2,), "MemoryError", "line 2: a whole number of more"),
    "pow": ("pow(10, 10**10)", (1,), "MemoryError", "line 1: a whole number of more"),
    "shift": ("1 << 10**12", (1,), "MemoryError", "line 1: a whole number of more"),
    "squaring": (
        "n = 10\nwhile True:\n    n *= n",
        (3,),
        "MemoryError",
        "line 3: a whole number of more than 315,652 digits is too big here",
    ),
    "factorial": (
        "import math\nmath.factorial(10**9)",
        (2,),
        "MemoryError",
        "line 2: a whole number of more",
    ),
    "long range": ("sum(range(10**12))", (1,), "MemoryError", "line 1: a range of more than"),
    "long string": ("'a' * 10**12", (1,), "MemoryError", "line 1: a sequence of more than"),
    "long list": ("x = [0]\nx *= 10**12", (2,), "MemoryError", "line 2: a sequence of more"),
    "long string in a list": (
        "x = ['a']\nx[0] *= 10**12",
        (2,),
        "MemoryError",
        "line 2: a sequence of more than",
    ),
    "wide format": ("f'{1:1000000000}'", (1,), "MemoryError", "line 1: the script needs more"),
    "growing list": (
        "x = [1]\nwhile True:\n    x = x + x",
        (3,),
        "MemoryError",
        "line 3: the script needs more than the 256 MiB of memory that it may use here",
    ),
    "growing list by append": (
        "x = []\nwhile True:\n    x.append(b'a' * 100000)",
        (3,),
        "MemoryError",
        "line 3: the script needs more than the 256 MiB",
    ),
    "large array": (
        "import numpy as np\nnp.ones(10**10)",
        (2,),
        "MemoryError",
        "line 2: the script needs more than the 256 MiB",
    ),
    "large tensor": (
        "import torch\nx = torch.ones(10**10)",
        (2,),
        "MemoryError",
        "line 2: ",
    ),
    "tensor over the limit": (
        "import torch\nx = torch.ones(2000, 1)\ny = x * torch.ones(1, 2000)",
        (3,),
        "MemoryError",
        "line 3: a tensor of more than 1,048,576 elements is too large here",
    ),
    "too many operations": (
        "import torch\nx = torch.tensor([1.0])\nwhile True:\n    try:\n        x = x + 1\n"
        "    except BaseException:\n        pass",
        (5,),
        "LimitReached",
        "line 5: the script was stopped after 2,000 operations",
    ),
    "too many steps": (
        "import torch\nx = torch.ones(1, requires_grad=True)\ny = x\nfor i in range(50):\n"
        "    y = y + x\nwhile True:\n    y.backward(retain_graph=True)",
        (7,),
        "LimitReached",
        "line 7: the script was stopped after 2,000 operations",
    ),
    "deep recursion": (
        "def f(n):\n    return f(n + 1)\nf(0)",
        (2,),
        "RecursionError",
        "maximum recursion depth exceeded",
    ),
    "deep recursion in repr": (
        "class A:\n    def __repr__(self):\n        return repr([self])\nrepr(A())",
        (3,),
        "RecursionError",
        "maximum recursion depth exceeded",
    ),
    "deep recursion in a key": (
        "def f(x):\n    return sorted([1, 2], key=f)\nf(0)",
        (2,),
        "RecursionError",
        "maximum recursion depth exceeded",
    ),
    "deep list": (
        "x = []\nfor i in range(10**6):\n    x = [x]\nrepr(x)",
        (4,),
        "RecursionError",
        "maximum recursion depth exceeded",
    ),
    "nested literal": (
        "x = " + "[" * 10_000 + "]" * 10_000,
        (1,),
        "SyntaxError",
        "too many nested",
    ),
    "nested sum": ("x = " + "1 + " * 50_000 + "1", (1,), "NotAvailable", "nested too deeply"),
    "nested minus": ("x = " + "-" * 200_000 + "1", (1,), None, ""),
    "regex of a filter": (
        "import warnings\n"
        "warnings.filterwarnings('ignore', message='(a+)+$')\nwarnings.warn('a' * 40 + 'b')",
        (3,),
        "TimeLimit",
        "more than 2 seconds",
    ),
}


@pytest.mark.parametrize("name", TOO_MUCH)
def test_too_much(name: str, run: Runner) -> None:
    source, lines, kind, message = TOO_MUCH[name]
    told = run(source)
    error = told.run.error
    assert error is not None, told.out
    if kind is not None:
        assert (error.type, error.line in lines, message in error.message) == (
            kind,
            True,
            True,
        ), error
    assert run("print(6 * 7)").out == "42\n"


def test_an_interpreter_that_overflows_its_stack(run: Runner) -> None:
    """Freeing a million nested iterators may crash the process; nobody else notices."""
    told = run("x = [1]\nfor i in range(10**6):\n    x = map(abs, x)\nx = 1\nprint('done')")
    assert told.out == "done\n" or told.run.error.type == "Crashed"
    assert run("print(6 * 7)").out == "42\n"


def test_a_flood_of_output_is_cut(run: Runner) -> None:
    told = run("for i in range(100000):\n    print('x' * 100)\n")
    assert told.run.error is None
    assert told.out == ("x" * 100 + "\n") * 198 + "xx"
    assert told.err == "\n… the rest of the output is left out: it is over 20,000 characters\n"


def test_nothing_was_written(run: Runner, tmp_path: Path) -> None:
    before = set(Path.cwd().iterdir())
    run(f"import numpy as np\nnp.savetxt('{tmp_path}/a', np.zeros(2))")
    run(f"open('{tmp_path}/b', 'w')")
    assert list(tmp_path.iterdir()) == []
    assert set(Path.cwd().iterdir()) == before


@pytest.mark.skipif(not hasattr(os, "fork"), reason="limits below the language need POSIX")
@pytest.mark.parametrize(
    ("act", "told"),
    [
        ("open('/etc/passwd')", "files are not available here"),
        ("open('/tmp/gradviz-attack', 'w')", "files are not available here"),
        ("__import__('os').system('true')", "os.system is not available here"),
        ("__import__('os').fork()", "os.fork is not available here"),
        ("__import__('subprocess').run(['true'])", "subprocess.Popen is not available here"),
        ("__import__('socket').socket()", "socket.__new__ is not available here"),
        ("__import__('ctypes').CDLL(None)", "ctypes.dlopen is not available here"),
        ("__import__('os').remove('/tmp/x')", "os.remove is not available here"),
        ("(lambda: 0).__code__.replace(co_consts=())", "code.__new__ is not available here"),
    ],
)
def test_below_the_guards_the_process_refuses_too(act: str, told: str) -> None:
    """What a script could do if it got around every guard of the language."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        import sys

        from gradviz.script import confine

        said = "nothing was refused"
        confine.forbid_files_and_processes()
        confine.watch([*sys.path, sys.prefix, sys.base_prefix])
        try:
            eval(act)
        except BaseException as error:  # noqa: BLE001  told to the parent
            said = str(error)
        os.write(write, said.encode())
        os._exit(0)
    os.close(write)
    said = os.read(read, 1000).decode()
    os.close(read)
    os.waitpid(child, 0)
    assert said == told
