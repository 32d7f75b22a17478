"""`gradviz env --desktop`: gradviz in the menu of a desktop, and its files open with it."""

from __future__ import annotations

import sys

from gradviz import desktop
from gradviz.commands.problem import CommandProblem
from gradviz.language import _
from gradviz.storage import FileProblem


def desktop_entry(*, wanted: bool) -> int:
    """Write the files below the user's own data folder, or take them away; say which."""
    if sys.platform != "linux":
        raise CommandProblem(_("--desktop: only desktops of Linux read such files"))
    home = desktop.data_home()
    try:
        if not wanted:
            for path in desktop.remove(home):
                print(_("Removed: {path}").format(path=path))
        else:
            for path in desktop.install(home):
                print(_("Written: {path}").format(path=path))
    except FileProblem as problem:
        raise CommandProblem(str(problem)) from problem
    return 0
