"""What `gradviz env` tells: versions, Qt's platform, fonts, and what is missing."""

from __future__ import annotations

import os
import platform as machine
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

import gradviz
from gradviz import environment, resources
from gradviz.language import _

_PACKAGES = ("numpy", "scipy", "networkx", "pyqtgraph", "pygraphviz", "fast-sugiyama")
_PROBE = "from PySide6 import QtCore, QtGui, QtWidgets; print(QtCore.qVersion())"
_FONT_FOLDERS = ("/usr/share/fonts", "/usr/local/share/fonts", "~/.fonts", "~/.local/share/fonts")
_CHINESE = ("cjk", "sourcehan", "wqy", "droidsansfallback", "uming", "ukai", "notosanssc")


@dataclass(frozen=True, slots=True)
class Fact:
    """One line of the report; `remedy` says how to get what is missing."""

    label: str
    value: str
    good: bool = True
    remedy: str = ""


def facts() -> Iterator[Fact]:
    """Everything that a report of a problem should say about where gradviz runs."""
    yield Fact("gradviz", gradviz.__version__)
    yield Fact("Python", f"{machine.python_version()} ({sys.executable})")
    yield Fact(_("system"), machine.platform())
    for name in _PACKAGES:
        yield _package(name)
    yield _torch()
    yield from _qt()
    yield from _display()
    yield from _fonts()


def _version(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def _package(name: str) -> Fact:
    version = _version(name)
    if version is None:
        return Fact(name, _("missing"), good=False, remedy=f"pip install {name}")
    return Fact(name, version)


def _torch() -> Fact:
    version = _version("torch")
    return Fact("torch", version or _("not installed; only capturing real models needs it"))


def _qt() -> Iterator[Fact]:
    version = _version("PySide6-Essentials")
    problem = environment.problem_with_pyside()
    if problem is not None:
        yield Fact("PySide6", version or _("missing"), good=False, remedy=problem)
        return
    yield Fact("PySide6", str(version))
    probe = subprocess.run(
        [sys.executable, "-c", _PROBE], capture_output=True, text=True, check=False, timeout=60
    )
    last = (probe.stdout if probe.returncode == 0 else probe.stderr).strip().splitlines()[-1:]
    words = last[0] if last else _("ended with status {code}").format(code=probe.returncode)
    yield Fact("Qt", words, good=probe.returncode == 0)


def _display() -> Iterator[Fact]:
    names = environment.platforms()
    variables = ("QT_QPA_PLATFORM", "WAYLAND_DISPLAY", "DISPLAY")
    said = ", ".join(f"{name}={os.environ[name]}" for name in variables if os.environ.get(name))
    if sys.platform != "linux":
        return
    missing = environment.missing_libraries(names[0] if names else "xcb")
    yield Fact(
        _("Qt's libraries"),
        ", ".join(name for name, _package in missing) or _("all there"),
        good=not missing,
        remedy=environment.install_line(missing) if missing else "",
    )
    problem = None if missing else environment.problem_with_display()
    yield Fact(_("display"), said or _("none"), good=problem is None, remedy=problem or "")


def _fonts() -> Iterator[Fact]:
    own = [path.stem for path in resources.fonts()]
    yield Fact(_("bundled fonts"), ", ".join(own) or _("missing"), good=bool(own))
    if sys.platform != "linux":
        return
    found = chinese_font()
    yield Fact(
        _("Chinese font"),
        found or _("missing"),
        good=found is not None,
        remedy="" if found else "apt-get install -y fonts-noto-cjk",
    )


def chinese_font() -> str | None:
    """The name of a font with Chinese characters that the system has, if it has one."""
    if shutil.which("fc-list"):
        listed = subprocess.run(
            ["fc-list", ":lang=zh-cn", "family"], capture_output=True, text=True, check=False
        )
        families = sorted(line.split(",")[0] for line in listed.stdout.splitlines() if line)
        return next((f for f in families if f.endswith("SC")), families[0] if families else None)
    for folder in _FONT_FOLDERS:
        for path in sorted(Path(folder).expanduser().rglob("*.[ot]t[cf]")):
            if any(mark in path.stem.lower().replace("-", "") for mark in _CHINESE):
                return path.stem
    return None
