"""Whether Qt can start, decided without it."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from gradviz import environment, surroundings
from gradviz.environment import missing_libraries, platforms, problem_with_display


def everything(_library: str) -> bool:
    return True


@pytest.fixture(autouse=True)
def _on_linux_with_a_good_qt(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(environment.sys, "platform", "linux")
    monkeypatch.setattr(environment, "problem_with_pyside", lambda: None)


@pytest.mark.parametrize(
    ("environ", "expected"),
    [
        ({}, ()),
        ({"DISPLAY": ":0"}, ("xcb",)),
        ({"DISPLAY": ":0", "WAYLAND_DISPLAY": "wayland-0"}, ("wayland", "xcb")),
        ({"QT_QPA_PLATFORM": "offscreen", "DISPLAY": ":0"}, ("offscreen",)),
        ({"QT_QPA_PLATFORM": "wayland-egl;xcb:opt"}, ("wayland", "xcb")),
    ],
)
def test_platforms(environ: dict[str, str], expected: tuple[str, ...]) -> None:
    assert platforms(environ) == expected


def test_no_display_is_one_sentence() -> None:
    said = problem_with_display({}, can_load=everything)
    assert said is not None
    assert said.startswith("there is no display")
    assert "\n" not in said


def test_offscreen_needs_no_display_but_qt_s_own_libraries() -> None:
    assert problem_with_display({"QT_QPA_PLATFORM": "offscreen"}, can_load=everything) is None
    said = problem_with_display(
        {"QT_QPA_PLATFORM": "offscreen"}, can_load=lambda name: "EGL" not in name
    )
    assert said == "Qt cannot start, it misses libEGL.so.1: apt-get install -y libegl1"


def test_libraries_of_the_platform_in_use() -> None:
    lacking = missing_libraries("xcb", can_load=lambda name: not name.startswith("libxcb-c"))
    assert lacking == (("libxcb-cursor.so.0", "libxcb-cursor0"),)
    assert missing_libraries("offscreen", can_load=lambda name: "xcb" not in name) == ()


def test_a_display_that_no_server_answers() -> None:
    said = problem_with_display({"DISPLAY": ":9919"}, can_load=everything)
    assert said is not None
    assert said.startswith("the display ':9919' cannot be reached")
    said = problem_with_display({"WAYLAND_DISPLAY": "gone"}, can_load=everything)
    assert said is not None
    assert said.startswith("the display 'gone' cannot be reached")


def test_one_display_that_answers_is_enough(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "wayland-7"))
        server.listen()
        environ = {
            "WAYLAND_DISPLAY": "wayland-7",
            "XDG_RUNTIME_DIR": str(tmp_path),
            "DISPLAY": ":9919",
        }
        assert problem_with_display(environ, can_load=everything) is None


@pytest.mark.parametrize(
    ("version", "python", "bad"),
    [
        ("6.12.0", (3, 11), True),
        ("6.12.0", (3, 12), False),
        ("6.11.3", (3, 11), False),
        ("6.12.1", (3, 11), False),
    ],
)
def test_the_release_that_aborts(
    monkeypatch: pytest.MonkeyPatch, version: str, python: tuple[int, int], bad: bool
) -> None:
    monkeypatch.undo()
    said = environment.problem_with_pyside(version, python)
    assert (said is not None) == bad
    if said is not None:
        assert said.startswith("PySide6 6.12.0 aborts on Python 3.11")


def test_the_report_names_versions_and_remedies(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("QT_QPA_PLATFORM")
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    monkeypatch.setattr(environment, "can_load", everything)
    found = {fact.label: fact for fact in surroundings.facts()}
    assert found["numpy"].value
    assert not found["display"].good
    assert found["display"].remedy.startswith("there is no display")
