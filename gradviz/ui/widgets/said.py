"""`Said`: a sentence about what was asked for, which is there only while there is one."""

from __future__ import annotations

from PySide6.QtWidgets import QLabel, QWidget


class Said(QLabel):
    """In soft ink, or in that of errors."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("Field")
        self.setWordWrap(True)
        self.hide()

    def say(self, sentence: str, *, wrong: bool = False) -> None:
        """Say it; "" takes it back."""
        self.setObjectName("FieldError" if wrong else "Field")
        self.style().polish(self)
        self.setText(sentence)
        self.setVisible(bool(sentence))
