"""`DocumentTitle`: what the document is called, and a mark while it has unsaved changes."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from gradviz.ui.documents.document import Document
from gradviz.ui.widgets.labels import Elided, named

_WIDEST = 200  # px of a name


class DocumentTitle(QWidget):
    """Where there is little room the mark alone is shown."""

    def __init__(self, document: Document) -> None:
        super().__init__()
        self._document = document
        self.name, self.mark = Elided(name="Soft"), named(QLabel("•"), "Dot")
        self.name.setMaximumWidth(_WIDEST)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(self.name)
        row.addWidget(self.mark)
        document.changed.connect(self.sync)
        document.history.cleanChanged.connect(self.sync)
        self.sync()

    def sync(self) -> None:
        document = self._document
        self.name.setText(document.filename)
        self.name.setToolTip(str(document.path or document.diagram.title))
        self.mark.setVisible(document.modified)
