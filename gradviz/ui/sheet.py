"""The style sheet of the widgets, from the tokens: one border, one radius, an 8 px rhythm."""

from __future__ import annotations

from string import Template

from gradviz.look import RADIUS, TYPE, Palette

# Qt widgets that want a role set the dynamic properties `kind` ("primary", "seed", "reduction",
# "quiet") and, on labels, `tone` ("soft", "heading", "error", "leaf").
_SHEET = Template("""
QWidget { color: $ink; font-size: ${body}px; }
QMainWindow, QDialog, QMenuBar, QStatusBar, QToolBar { background: $panel; }
QToolBar { border: 0; border-bottom: 1px solid $line; spacing: 8px; padding: 6px 12px; }
QStatusBar { border-top: 1px solid $line; color: $soft; }
QStatusBar::item { border: 0; }
QMainWindow::separator, QSplitter::handle { background: $line; width: 1px; height: 1px; }
QToolTip { background: $node; color: $ink; border: 1px solid $line; padding: 6px 8px; }

QLabel[tone="soft"] { color: $soft; }
QLabel[tone="heading"] { color: $soft; font-size: ${label}px; font-weight: 600; }
QLabel[tone="error"] { color: $error; }
QLabel[tone="leaf"] { color: $leaf; }

QPushButton, QToolButton, QComboBox, QLineEdit, QSpinBox, QDoubleSpinBox {
  background: $panel; border: 1px solid $line; border-radius: ${radius}px;
  padding: 4px 12px; min-height: 20px;
}
QToolButton { padding: 4px 8px; }
QLineEdit, QSpinBox, QDoubleSpinBox { padding: 4px 8px; selection-background-color: $selection;
  selection-color: $on_selection; }
QPushButton:hover, QToolButton:hover, QComboBox:hover { background: $zero; }
QPushButton:pressed, QToolButton:pressed { background: $line; }
QPushButton:focus, QToolButton:focus, QComboBox:focus, QLineEdit:focus, QSpinBox:focus,
QDoubleSpinBox:focus { border-color: $selection; }
QPushButton:disabled, QToolButton:disabled, QComboBox:disabled { color: $edge; }
QPushButton:checked, QToolButton:checked { background: $selection_ground;
  border-color: $selection; color: $selection; }
QPushButton[kind="primary"] { background: $selection; border-color: $selection;
  color: $on_selection; font-weight: 600; }
QPushButton[kind="seed"]:checked { background: $seed_ground; border-color: $seed; color: $seed; }
QPushButton[kind="reduction"]:checked { background: $reduction_ground;
  border-color: $reduction; color: $reduction; }
QPushButton[kind="quiet"], QToolButton[kind="quiet"] { border-color: transparent; }
QPushButton[kind="quiet"]:focus, QToolButton[kind="quiet"]:focus { border-color: $selection; }
QToolButton::menu-indicator { image: none; }
QComboBox { padding-right: 4px; }
QComboBox::drop-down { border: 0; width: 20px; }
QComboBox QAbstractItemView { background: $panel; border: 1px solid $line; outline: 0;
  selection-background-color: $selection_ground; selection-color: $ink; }

QMenuBar::item { padding: 4px 8px; background: transparent; }
QMenuBar::item:selected { background: $zero; }
QMenu { background: $panel; border: 1px solid $line; padding: 4px 0; }
QMenu::item { padding: 5px 24px 5px 16px; }
QMenu::item:selected { background: $selection_ground; }
QMenu::item:disabled { color: $edge; }
QMenu::separator { height: 1px; background: $line; margin: 4px 0; }

QTabBar { background: transparent; }
QTabBar::tab { color: $soft; padding: 6px 12px; border: 0; }
QTabBar::tab:selected { color: $selection; font-weight: 600; }
QTabBar::tab:hover { color: $ink; }
QTabWidget::pane { border: 0; }

QPlainTextEdit, QTextEdit, QListView, QTreeView, QTableView, QScrollArea {
  background: $panel; border: 0; outline: 0;
  selection-background-color: $selection_ground; selection-color: $ink;
}
QHeaderView::section { background: $panel; color: $soft; border: 0;
  border-bottom: 1px solid $line; padding: 4px 8px; }
QTableView { gridline-color: $line; }

QScrollBar { background: transparent; border: 0; }
QScrollBar:vertical { width: 10px; }
QScrollBar:horizontal { height: 10px; }
QScrollBar::handle { background: $line; border-radius: 3px; margin: 2px; }
QScrollBar::handle:vertical { min-height: 32px; }
QScrollBar::handle:horizontal { min-width: 32px; }
QScrollBar::handle:hover { background: $edge; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }

QSlider::groove:horizontal { height: 4px; background: $line; border-radius: 2px; }
QSlider::sub-page:horizontal { background: $selection; border-radius: 2px; }
QSlider::handle:horizontal { background: $selection; width: 12px; height: 12px;
  margin: -4px 0; border-radius: 6px; }
QProgressBar { background: $zero; border: 0; border-radius: 2px; max-height: 4px; }
QProgressBar::chunk { background: $selection; border-radius: 2px; }
""")


def style_sheet(colours: Palette) -> str:
    """The style sheet of the whole app in these colours."""
    names = {name: getattr(colours, name) for name in Palette.__slots__}
    sizes = {"body": round(TYPE.body), "label": round(TYPE.label), "radius": round(RADIUS.node)}
    return _SHEET.substitute(names, **sizes)
