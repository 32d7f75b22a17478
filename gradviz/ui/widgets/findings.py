"""`Findings`: the doctor's findings as a list, each with its severity, line and sentence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QIcon, QPainter, QPixmap, QResizeEvent
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QWidget

from gradviz.language import _, ngettext
from gradviz.ui.running.doctoring import Examined
from gradviz.ui.theme import ThemeSource, colour

if TYPE_CHECKING:
    from gradviz.doctor.finding import Finding, Severity

_DOT = 10  # px
_PAD_X, _PAD_Y, _GAP = 12, 8, 6  # of a row, a little more than the style sheet's


class WrappedList(QListWidget):
    """A list of sentences, each as high as it needs to be."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("DoctorList")
        self.setWordWrap(True)
        self.setIconSize(QSize(_DOT, _DOT))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTextElideMode(Qt.TextElideMode.ElideNone)

    def fit(self) -> None:
        """Make each row as high as its text is at this width."""
        metrics = self.fontMetrics()
        for row in range(self.count()):
            item = self.item(row)
            icon = 0 if item.icon().isNull() else _DOT + _GAP
            room = self.viewport().width() - 2 * _PAD_X - icon
            area = QRect(0, 0, max(room, 40), 10_000)
            text = metrics.boundingRect(area, Qt.TextFlag.TextWordWrap, item.text())
            item.setSizeHint(QSize(40, text.height() + 2 * _PAD_Y))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit()


class Findings(WrappedList):
    """The errors first, as they were found."""

    def __init__(self, theme: ThemeSource, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme

    def show_findings(self, findings: Sequence[Finding], row: int) -> None:
        """List them with this one chosen."""
        self.clear()
        for finding in findings:
            self.addItem(QListWidgetItem(self._dot(finding.severity), _text(finding)))
        self.fit()
        self.setCurrentRow(row)

    def _dot(self, severity: Severity) -> QIcon:
        """A disc in the colour of the severity, which is also written."""
        colours, ratio = self._theme.colours, self.devicePixelRatioF()
        inks = {"error": colours.error, "risk": colours.reduction, "note": colours.selection}
        image = QPixmap(QSize(_DOT, _DOT) * ratio)
        image.setDevicePixelRatio(ratio)
        image.fill(Qt.GlobalColor.transparent)
        with QPainter(image) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colour(inks[severity]))
            painter.drawEllipse(1, 1, _DOT - 2, _DOT - 2)
        icon = QIcon(image)
        icon.addPixmap(image, QIcon.Mode.Selected)
        return icon


def _text(finding: Finding) -> str:
    """The severity, where it is, and what it is."""
    words = {"error": _("error"), "risk": _("risk"), "note": _("note")}
    place = words[finding.severity]
    if finding.line is not None:
        place = _("line {line}, {severity}").format(severity=place, line=finding.line)
    return f"{place}\n{finding.sentence}"


def calm(shown: Examined) -> str:
    """What is said where nothing was found."""
    error = shown.patient.run.error
    if shown.stopped:
        return _("The doctor stopped before it had found anything.")
    if error is None:
        return _("Nothing found: the doctor sees no error and no risk here.")
    said = error.message.partition("\n")[0]
    return _("The doctor does not know this error: {message}").format(message=said)


def counted(shown: Examined) -> str:
    """How many findings there are of each severity."""
    counts = Counter(finding.severity for finding in shown.findings)
    errors, risks, notes = counts["error"], counts["risk"], counts["note"]
    parts = [
        ngettext("{count} error", "{count} errors", errors).format(count=errors) if errors else "",
        ngettext("{count} risk", "{count} risks", risks).format(count=risks) if risks else "",
        ngettext("{count} note", "{count} notes", notes).format(count=notes) if notes else "",
    ]
    if shown.stopped:
        parts.append(_("stopped before every repair was tried"))
    return ", ".join(filter(None, parts))
