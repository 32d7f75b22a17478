"""`SettingsDialog`: the table of settings to look at and change, and the shortcuts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QDialog,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSpinBox,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from gradviz.language import N_, _
from gradviz.ui.asking.settings import TABLE, Setting
from gradviz.ui.asking.shortcuts import Shortcuts
from gradviz.ui.widgets.choice import Choice
from gradviz.ui.widgets.labels import named

if TYPE_CHECKING:
    from gradviz.ui.window import Window

PAGES = {
    "appearance": N_("Appearance"),
    "numbers": N_("Numbers"),
    "canvas": N_("Canvas"),
    "sandbox": N_("Scripts"),
    "keys": N_("Shortcuts"),
}
_WIDTH, _HEIGHT = 620, 460  # px
_CONTROL = 300  # px for what is chosen


class SettingsDialog(QDialog):
    """Not modal, and without an OK: what is changed holds at once."""

    def __init__(self, window: Window) -> None:
        super().__init__(window)
        self._window = window
        self.controls: dict[str, Choice | QSpinBox] = {}
        self.tabs = QTabWidget()
        self.tabs.setDocumentMode(True)
        self.shortcuts = Shortcuts(window.settings)
        self.reset, self.done_button = QPushButton(), QPushButton()
        self.done_button.setDefault(True)
        self._pages: dict[str, QWidget] = {}
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 12, 16, 16)
        column.addWidget(self.tabs, 1)
        row = QHBoxLayout()
        row.addWidget(self.reset)
        row.addStretch(1)
        row.addWidget(self.done_button)
        column.addLayout(row)
        self.reset.clicked.connect(self._reset)
        self.done_button.clicked.connect(self.close)
        window.settings.changed.connect(self._changed)
        self.resize(_WIDTH, _HEIGHT)
        self._fill()

    @classmethod
    def of(cls, window: Window) -> SettingsDialog:
        """The one of the window, made when it is first asked for."""
        found = window.findChild(cls)
        return found if isinstance(found, cls) else cls(window)

    def show_page(self, page: str = "") -> None:
        """Show it, on a page of `PAGES` where one is named."""
        if page:
            self.tabs.setCurrentWidget(self._pages[page])
        self.show()
        self.raise_()
        self.activateWindow()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.shortcuts.sync()

    def _fill(self) -> None:
        """Make the pages anew, in the current language."""
        at = max(self.tabs.currentIndex(), 0)
        self.shortcuts.setParent(self)
        self.tabs.clear()
        for page in self._pages.values():
            if page is not self.shortcuts:
                page.deleteLater()
        self.controls.clear()
        self._pages = {key: self._page(key) for key in PAGES if key != "keys"}
        self._pages["keys"] = self.shortcuts
        for key, page in self._pages.items():
            self.tabs.addTab(page, _(PAGES[key]))
        self.tabs.setCurrentIndex(at)
        self.shortcuts.retranslate()
        self.setWindowTitle(_("Settings"))
        self.reset.setText(_("Back to the defaults"))
        self.reset.setToolTip(_("Of the page that is shown"))
        self.done_button.setText(_("Close"))

    def _page(self, group: str) -> QWidget:
        page = QWidget()
        grid = QGridLayout(page)
        grid.setContentsMargins(8, 16, 8, 8)
        grid.setHorizontalSpacing(24)
        grid.setVerticalSpacing(4)
        grid.setColumnStretch(0, 1)
        line = 0
        for row in TABLE:
            if row.group != group:
                continue
            label = QLabel(_(row.text))
            control = self._control(row)
            control.setFixedWidth(_CONTROL)
            label.setBuddy(control)
            control.setAccessibleName(_(row.text))
            self.controls[row.key] = control
            grid.addWidget(label, line, 0)
            grid.addWidget(control, line, 1)
            if row.tip:
                tip = named(QLabel(_(row.tip)), "Soft")
                tip.setWordWrap(True)
                grid.addWidget(tip, line + 1, 0, 1, 2)
            grid.setRowMinimumHeight(line + 2, 12)
            line += 3
        grid.setRowStretch(line, 1)
        return page

    def _control(self, row: Setting) -> Choice | QSpinBox:
        value = self._window.settings[row.key]
        if row.choices:
            choice = Choice(self._window.theme)
            names = [(str(key), _(name)) for key, name in zip(row.choices, row.names, strict=True)]
            choice.set_rows(names, str(value))

            def chosen(_at: int) -> None:
                self._put(row, choice.key)

            choice.activated.connect(chosen)
            return choice
        number = QSpinBox()
        number.setRange(row.low, row.high)
        number.setValue(value)
        number.setKeyboardTracking(False)  # a number counts when it is whole
        if row.unit:
            number.setSuffix(f" {_(row.unit)}")

        def entered(typed: int) -> None:
            self._put(row, typed)

        number.valueChanged.connect(entered)
        return number

    def _put(self, row: Setting, value: Any) -> None:
        self._window.settings[row.key] = value
        self._window.sync_actions()

    def _changed(self, key: str) -> None:
        """A setting changed, here or elsewhere; another language changes all words."""
        control = self.controls.get(key)
        value = self._window.settings[key]
        if key == "language":
            self._fill()
        elif isinstance(control, Choice):
            rows = [(control.itemData(at), control.itemText(at)) for at in range(control.count())]
            control.set_rows(rows, str(value))
        elif control is not None and control.value() != value:
            control.setValue(value)
        if key == "keys":
            self.shortcuts.sync()

    def _reset(self) -> None:
        key = next(key for key, page in self._pages.items() if page is self.tabs.currentWidget())
        if key == "keys":
            self._window.settings["keys"] = {}
            return
        for row in TABLE:
            if row.group == key:
                self._window.settings[row.key] = row.default
        self._window.sync_actions()

    def keyPressEvent(self, event: Any) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.close()
            return
        super().keyPressEvent(event)
