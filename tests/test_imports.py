"""What a command imports: never Qt where no pixel is needed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """
import sys
sys.argv = ["gradviz", *sys.argv[1:]]
from gradviz.__main__ import main
status = main()
loaded = {name.split(".")[0] for name in sys.modules}
heavy = sorted(loaded & {"PySide6", "shiboken6", "pyqtgraph", "torch"})
print("status", status, "heavy", heavy, file=sys.stderr)
"""


@pytest.mark.parametrize(
    "words",
    [
        ["examples"],
        ["env"],
        ["--help"],
        ["run", "example:sum"],
        ["run", "example:sum", "--json"],
        ["grads", "example:sum"],
        ["compare", "example:sum"],
        ["compare", "example:sum", "--facts"],
        ["compare", "example:sum", "--dictionary", "--json"],
        ["export", "example:sum", "-o", "{folder}/a.svg", "-o", "{folder}/a.json"],
        ["export", "example:sum", "--twin", "-o", "{folder}/a.svg"],
    ],
    ids=" ".join,
)
def test_qt_and_torch_stay_out(words: list[str], tmp_path: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", PROGRAM, *(word.format(folder=tmp_path) for word in words)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.stderr.splitlines()[-1] == "status 0 heavy []", ran.stderr


def test_the_engine_draws_nothing_and_opens_no_files() -> None:
    program = (
        "import sys, engine; print(sorted({n.split('.')[0] for n in sys.modules}"
        " & {'gradviz', 'networkx', 'rich', 'typer', 'msgspec', 'PIL', 'PySide6'}))"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert ran.stdout.strip() == "[]"


def test_the_first_window_waits_for_nothing_that_it_does_not_show(tmp_path: Path) -> None:
    program = (
        "import sys; from gradviz.ui import app; app.start(lang='en', quit_when_painted=True);"
        "late = ('engine', 'gradviz.edit.palette', 'gradviz.script.modules', 'gradviz.storage',"
        " 'gradviz.doctor', 'gradviz.guide', 'gradviz.proofs', 'gradviz.program', 'pyqtgraph',"
        " 'scipy', 'networkx', 'msgspec', 'RestrictedPython', 'ziamath');"
        "print([name for name in late if name in sys.modules])"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=True,
        env={
            **os.environ,
            "QT_QPA_PLATFORM": "offscreen",
            "HOME": str(tmp_path),
            "XDG_CONFIG_HOME": str(tmp_path),
            "XDG_DATA_HOME": str(tmp_path),
        },
    )
    assert ran.stdout.strip() == "[]"
