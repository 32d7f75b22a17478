"""`Filing`: the file of a window's document, what keeps it safe, and what is said about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QVBoxLayout

from gradviz.ui.documents.dropping import Dropping
from gradviz.ui.documents.following import Following
from gradviz.ui.documents.keeping import Keeper
from gradviz.ui.panels.left_bar import LeftBar
from gradviz.ui.panels.notice_bar import NoticeBar

if TYPE_CHECKING:
    from gradviz.ui.documents.windows import Windows
    from gradviz.ui.window import Window


class Filing(QObject):
    """A window without others keeps nothing for the case that the process is ended."""

    def __init__(self, window: Window, windows: Windows | None) -> None:
        super().__init__(window)
        self._window, self._windows = window, windows
        self.bar, self.left = NoticeBar(window.theme), LeftBar(window.theme)
        column = window.stage.layout()
        assert isinstance(column, QVBoxLayout)
        column.insertWidget(0, self.left)
        column.insertWidget(1, self.bar)
        self.following = Following(window.document, window.files, self.bar, self)
        self.dropping = Dropping(window)
        self.keeper: Keeper | None = None
        if windows is not None:
            window.files.others = windows
            self.keeper = Keeper(window.document, window.files, windows.session, self)
            self.keeper.failed.connect(window.tell)

    def retranslate(self) -> None:
        self.bar.retranslate()
        self.left.retranslate()

    def close_down(self) -> None:
        """The document is done with."""
        self.following.watch.follow(None)
        if self.keeper is not None:
            self.keeper.close()
        self._window.files.close()

    def new_window(self) -> None:
        if self._windows is not None:
            window = self._windows.add()
            window.painted.connect(window.thumbnails.start)
            self._windows.bring(window)

    def quit(self) -> None:
        """Close every window, this one included."""
        if self._windows is None:
            self._window.close()
        else:
            self._windows.quit()
