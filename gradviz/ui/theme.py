"""The tokens of `gradviz.look` as Qt colours and fonts, and which of the two themes is on."""

from __future__ import annotations

from functools import cache
from typing import Literal

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontDatabase, QFontMetricsF, QGuiApplication, QPalette

from gradviz.look import TYPE, Palette
from gradviz.look import Theme as Name
from gradviz.palettes import Signs, palette, use_signs
from gradviz.resources import fonts

Choice = Literal["auto", "light", "dark"]


@cache
def colour(code: str) -> QColor:
    """The QColor of "#RRGGBB". Shared: do not change it in place."""
    return QColor(code)


def load_fonts() -> None:
    """Make the fonts that ship known to Qt; needs a running QGuiApplication. Once is enough."""
    if QFontDatabase.hasFamily(TYPE.ui[0]) and QFontDatabase.hasFamily(TYPE.mono[0]):
        return
    for path in fonts():
        QFontDatabase.addApplicationFont(str(path))


@cache
def _families(*, mono: bool) -> list[str]:
    load_fonts()
    kind = QFontDatabase.SystemFont.FixedFont if mono else QFontDatabase.SystemFont.GeneralFont
    first = TYPE.mono if mono else TYPE.ui
    return [*first, QFontDatabase.systemFont(kind).family(), *TYPE.cjk]


@cache
def font(size: float, *, mono: bool = False, bold: bool = False) -> QFont:
    """A face of the product at a size in px. Shared: copy before changing it.

    Unhinted, so that widths grow in proportion when the canvas is zoomed. Contextual forms are
    off in the monospaced face: "->" stays two characters.
    """
    face = QFont()
    face.setFamilies(_families(mono=mono))
    face.setPixelSize(round(size))
    face.setWeight(QFont.Weight(TYPE.bold if bold else TYPE.regular))
    face.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    if mono:
        face.setStyleHint(QFont.StyleHint.Monospace)
        face.setFeature(QFont.Tag("calt"), 0)
        face.setFeature(QFont.Tag("liga"), 0)
    return face


@cache
def metrics(size: float, *, mono: bool = False, bold: bool = False) -> QFontMetricsF:
    """Widths and heights in the font of the same arguments."""
    return QFontMetricsF(font(size, mono=mono, bold=bold))


def qt_palette(colours: Palette) -> QPalette:
    """The colours as Qt's palette, for widgets that no style rule names."""
    made = QPalette()
    role, group = QPalette.ColorRole, QPalette.ColorGroup
    for key, code in (
        (role.Window, colours.panel),
        (role.WindowText, colours.ink),
        (role.Base, colours.panel),
        (role.AlternateBase, colours.canvas),
        (role.Text, colours.ink),
        (role.PlaceholderText, colours.soft),
        (role.Button, colours.panel),
        (role.ButtonText, colours.ink),
        (role.BrightText, colours.error),
        (role.Highlight, colours.selection),
        (role.HighlightedText, colours.on_selection),
        (role.Accent, colours.selection),
        (role.Link, colours.selection),
        (role.ToolTipBase, colours.node),
        (role.ToolTipText, colours.ink),
        (role.Light, colours.node),
        (role.Midlight, colours.line),
        (role.Mid, colours.line),
        (role.Dark, colours.edge),
        (role.Shadow, colours.line),
    ):
        made.setColor(key, colour(code))
    for key in (role.WindowText, role.Text, role.ButtonText):
        made.setColor(group.Disabled, key, colour(colours.edge))
    return made


class ThemeSource(QObject):
    """The theme in use: chosen, or with "auto" the system's; `changed` follows its look."""

    changed = Signal()

    def __init__(self, choice: Choice = "auto", parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._choice: Choice = choice
        self._name = self._wanted()
        hints = QGuiApplication.styleHints()
        hints.colorSchemeChanged.connect(self._follow)

    @property
    def name(self) -> Name:
        """The theme in use, as `gradviz.look` names it."""
        return self._name

    @property
    def colours(self) -> Palette:
        return palette(self._name)

    @property
    def choice(self) -> Choice:
        return self._choice

    def choose(self, choice: Choice) -> None:
        """Use a theme, or follow the system from now on."""
        self._choice = choice
        self._follow()

    def choose_signs(self, signs: Signs) -> None:
        """Say the signs of gradients by these colours from now on."""
        before = self.colours
        use_signs(signs)
        if self.colours is not before:
            self.changed.emit()

    def _wanted(self) -> Name:
        if self._choice != "auto":
            return self._choice
        dark = QGuiApplication.styleHints().colorScheme() == Qt.ColorScheme.Dark
        return "dark" if dark else "light"

    def _follow(self) -> None:
        wanted = self._wanted()
        if wanted != self._name:
            self._name = wanted
            self.changed.emit()
