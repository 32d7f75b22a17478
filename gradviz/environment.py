"""Whether Qt can start here, found out without Qt: its own failed start aborts the process."""

from __future__ import annotations

import ctypes
import os
import socket
import sys
import threading
from collections.abc import Callable, Mapping
from importlib import metadata
from pathlib import Path

from gradviz.language import _

# What Qt's own libraries ask of a Linux system, with the Debian packages that bring it.
BASE_LIBRARIES: Mapping[str, str] = {
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
    "libX11.so.6": "libx11-6",
    "libdbus-1.so.3": "libdbus-1-3",
    "libfontconfig.so.1": "libfontconfig1",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libxkbcommon.so.0": "libxkbcommon0",
}
XCB_LIBRARIES: Mapping[str, str] = {
    "libX11-xcb.so.1": "libx11-xcb1",
    "libxcb.so.1": "libxcb1",
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-image.so.0": "libxcb-image0",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-randr.so.0": "libxcb-randr0",
    "libxcb-render.so.0": "libxcb-render0",
    "libxcb-render-util.so.0": "libxcb-render-util0",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxcb-shm.so.0": "libxcb-shm0",
    "libxcb-sync.so.1": "libxcb-sync1",
    "libxcb-xfixes.so.0": "libxcb-xfixes0",
    "libxcb-xkb.so.1": "libxcb-xkb1",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
}
WAYLAND_LIBRARIES: Mapping[str, str] = {
    "libwayland-client.so.0": "libwayland-client0",
    "libwayland-cursor.so.0": "libwayland-cursor0",
}
_PLATFORM_LIBRARIES = {"xcb": XCB_LIBRARIES, "wayland": WAYLAND_LIBRARIES}
_SECONDS_TO_ANSWER = 5.0

CanLoad = Callable[[str], bool]


def can_load(library: str) -> bool:
    """Whether the dynamic linker finds the library and all that it needs."""
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


def platforms(environ: Mapping[str, str] = os.environ) -> tuple[str, ...]:
    """The Qt platforms that would be tried here, in order; none where there is no display."""
    chosen = environ.get("QT_QPA_PLATFORM", "")
    if chosen:
        names = (part.split(":")[0].strip() for part in chosen.split(";"))
        return tuple("wayland" if n.startswith("wayland") else n for n in names if n)
    found = [("wayland", "WAYLAND_DISPLAY"), ("xcb", "DISPLAY")]
    return tuple(name for name, variable in found if environ.get(variable))


def missing_libraries(
    platform: str | None, *, can_load: CanLoad = can_load
) -> tuple[tuple[str, str], ...]:
    """The (library, Debian package) pairs that Qt would miss with this platform on Linux."""
    wanted = {**BASE_LIBRARIES, **_PLATFORM_LIBRARIES.get(platform or "", {})}
    return tuple((name, package) for name, package in wanted.items() if not can_load(name))


def install_line(missing: tuple[tuple[str, str], ...]) -> str:
    """The command that brings the missing libraries on Debian and Ubuntu."""
    return "apt-get install -y " + " ".join(sorted({package for _name, package in missing}))


def problem_with_display(
    environ: Mapping[str, str] = os.environ, *, can_load: CanLoad = can_load
) -> str | None:
    """One sentence on why the app cannot start here; None where it can."""
    pyside = problem_with_pyside()
    if pyside is not None or sys.platform != "linux":
        return pyside
    candidates = platforms(environ)
    if not candidates:
        return _(
            "there is no display: neither DISPLAY nor WAYLAND_DISPLAY is set; start gradviz in a"
            " desktop session or with xvfb-run, or use a command that needs none: gradviz --help"
        )
    problems = [_problem_with_platform(name, environ, can_load) for name in candidates]
    return None if None in problems else problems[-1]


def problem_with_pyside(
    version: str | None = None, python: tuple[int, int] = sys.version_info[:2]
) -> str | None:
    """One sentence where PySide6 is missing, or is the one release that ends this Python."""
    try:
        version = version or metadata.version("PySide6-Essentials")
    except metadata.PackageNotFoundError:
        return _("PySide6 is not installed: pip install PySide6-Essentials")
    if version == "6.12.0" and python < (3, 12):
        return _(
            "PySide6 6.12.0 aborts on Python {python}; take another release:"
            " pip install 'PySide6-Essentials!=6.12.0'"
        ).format(python=f"{python[0]}.{python[1]}")
    return None


def _problem_with_platform(
    platform: str, environ: Mapping[str, str], can_load: CanLoad
) -> str | None:
    missing = missing_libraries(platform, can_load=can_load)
    if missing:
        return _("Qt cannot start, it misses {libraries}: {command}").format(
            libraries=", ".join(name for name, _package in missing), command=install_line(missing)
        )
    if platform == "xcb":
        display = environ.get("DISPLAY", "")
        reached = bool(display) and _x_answers(display)
    elif platform == "wayland":
        display = environ.get("WAYLAND_DISPLAY", "wayland-0")
        reached = _wayland_answers(display, environ)
    else:
        return None
    if reached:
        return None
    return _(
        "the display {display} cannot be reached; start gradviz in a desktop session or with"
        " xvfb-run, or use a command that needs no display: gradviz --help"
    ).format(display=repr(display))


def _x_answers(display: str) -> bool:
    """Whether an X server takes a connection; one that is silent too long does not."""
    answers: list[bool] = []

    def ask() -> None:
        xcb = ctypes.CDLL("libxcb.so.1")
        xcb.xcb_connect.restype = ctypes.c_void_p
        xcb.xcb_connection_has_error.argtypes = [ctypes.c_void_p]
        xcb.xcb_disconnect.argtypes = [ctypes.c_void_p]
        connection = xcb.xcb_connect(os.fsencode(display), None)
        answers.append(xcb.xcb_connection_has_error(connection) == 0)
        xcb.xcb_disconnect(connection)

    asking = threading.Thread(target=ask, daemon=True)
    asking.start()
    asking.join(_SECONDS_TO_ANSWER)
    return answers == [True]


def _wayland_answers(display: str, environ: Mapping[str, str]) -> bool:
    path = Path(environ.get("XDG_RUNTIME_DIR", "/nowhere")) / display  # an absolute name stays
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as link:
            link.settimeout(_SECONDS_TO_ANSWER)
            link.connect(str(path))
    except OSError:
        return False
    return True
