"""Settings that every test relies on, made before Qt is imported."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator

import pytest
from hypothesis import settings

# No deadline for one example: how fast it is belongs to the benches, not to the tests.
settings.register_profile("gradviz", deadline=None)
settings.load_profile("gradviz")

os.environ["QT_QPA_PLATFORM"] = "offscreen"
os.environ["LANGUAGE"] = os.environ["LANG"] = "en"
for _name in ("LC_ALL", "LC_MESSAGES", "QT_SCALE_FACTOR"):
    os.environ.pop(_name, None)


@pytest.fixture(scope="session")
def qapp_args() -> list[str]:
    return ["gradviz-tests"]


@pytest.fixture(scope="session", autouse=True)
def _settings_apart() -> Iterator[None]:
    """Settings and data of the tests never meet those of the person running them."""
    from PySide6.QtCore import QSettings, QStandardPaths

    with tempfile.TemporaryDirectory() as folder:
        QStandardPaths.setTestModeEnabled(True)
        QSettings.setDefaultFormat(QSettings.Format.IniFormat)
        for scope in (QSettings.Scope.UserScope, QSettings.Scope.SystemScope):
            QSettings.setPath(QSettings.Format.IniFormat, scope, folder)
        yield


@pytest.fixture(scope="session", autouse=True)
def _one_application(_settings_apart: None, qapp: object) -> None:
    """The application of widgets comes first: drawing a PNG would otherwise make a lesser one."""
