"""Numbers of the panels: as many in a line, and as many digits, as there is room for."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from gradviz.ui.theme import ThemeSource
from gradviz.ui.widgets.cells import Cells


@pytest.fixture
def window(qtbot: QtBot) -> QWidget:
    made = QWidget()
    qtbot.addWidget(made)
    made.resize(600, 400)
    return made


@pytest.fixture
def cells(window: QWidget) -> Cells:
    made = Cells(ThemeSource("light"), "value", window)
    window.show()
    return made


def test_a_vector_takes_more_lines_where_it_is_narrow(cells: Cells) -> None:
    vector = np.linspace(-0.964, 0.964, 12, dtype=np.float32)
    cells.resize(400, 60)
    cells.show_array(vector)
    wide = cells.height()
    assert cells.texts[:2] == ("-0.964", "-0.7887")
    cells.resize(280, 60)
    assert cells.texts[:2] == ("-0.964", "-0.7887")
    assert wide == 2 * 27 - 3
    assert cells.height() == 3 * 27 - 3
    cells.resize(400, 60)
    assert cells.height() == wide


def test_a_matrix_keeps_its_lines_and_gives_up_digits(cells: Cells) -> None:
    matrix = np.linspace(-0.964, 0.964, 12).reshape(2, 6)
    cells.resize(230, 60)
    cells.show_array(matrix)
    assert cells.height() == 2 * 27 - 3
    assert cells.texts[1] == "-0.8"
    cells.resize(400, 60)
    assert cells.texts[1] == "-0.7887"


def test_nothing_and_what_is_not_known_are_one_cell(cells: Cells) -> None:
    cells.resize(60, 40)
    cells.show_array(np.zeros((0, 3)))
    assert cells.texts == ("∅",)
    cells.show_array(None)
    assert cells.texts == ("·",)
    cells.resize(200, 40)
    assert cells.height() == 24
