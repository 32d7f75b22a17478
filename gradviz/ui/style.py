"""The app's own style rules, by object name, on top of the general ones of `sheet`."""

from __future__ import annotations

from string import Template

from gradviz.look import TYPE, Palette, mix
from gradviz.ui.sheet import style_sheet

_RULES = Template("""
#StartBar, #Timeline, #CodePane, #ConsolePane, #InspectorPane, #Inspector, #TwinTable,
#SeedEditor {
  background: $panel; }
#StartBar, #SeedEditor { border-bottom: 1px solid $line; }
#Timeline, #TwinTable { border-top: 1px solid $line; }
#Stage, #Caption, #Page, #PageArea { background: $canvas; }
#Brand { font-size: 17px; font-weight: 700; }
#Soft, #Hint { color: $soft; }
#Dot { color: $reduction; font-size: 15px; }
#Heading { color: $soft; font-size: ${label}px; font-weight: 600; }
#NodeTitle { font-size: 18px; font-weight: 700; }
#PageTitle { font-size: 20px; font-weight: 600; }
#CardTitle { font-weight: 600; }
#Field { color: $soft; font-size: 12px; }
#FieldError { color: $error; font-size: 12px; }
#CodeError { color: $error; background: $error_ground; padding: 6px 16px; font-size: 12px; }
#Rule { background: $line; max-height: 1px; min-height: 1px; border: none; }
#Card { background: $node; border: 1px solid $line; border-radius: 8px; }
#Card:hover, #Card:focus { border-color: $selection; }
#Banner { background: $error_ground; border: 1px solid $error; border-radius: 8px; }
#Banner[tone="note"] { background: $selection_ground; border-color: $selection; }
#BannerTitle { font-weight: 600; }
#Clear { background: transparent; }
#Good { background: $leaf_ground; color: $leaf; border-radius: 8px; padding: 8px 12px; }
#Warning { background: $reduction_ground; color: $reduction; border-radius: 8px;
  padding: 8px 12px; }
#Badge { background: $zero; border-radius: 10px; padding: 2px 10px; font-weight: 600; }
#TourCard { background: $node; border: 2px solid $selection; border-radius: 8px; }
#Zoom { color: $soft; font-size: ${label}px; padding: 2px 6px; }
#CallTip { background: $node; border: 1px solid $line; border-radius: 4px; padding: 3px 8px;
  color: $ink; }
#Finder { background: $panel; border: 1px solid $line; border-radius: 8px; }
#JacobianPane, #DoctorPane, #CallsPane { background: $panel; border-top: 1px solid $line; }
#CallTable { border-top: 1px solid $line; }
#CallTable::item { padding: 0 5px; }
#CallTable::item:selected { background: $selection_ground; }
#InPlace { background: $node; border: 2px solid $selection; border-radius: 6px; padding: 2px; }
#DoctorList { border: none; }
#DoctorList::item { padding: 6px 8px; border-radius: 6px; color: $ink; }
#DoctorList::item:hover { background: $zero; }
#DoctorList::item:selected { background: $selection_ground; color: $ink; }
#Diff { border: 1px solid $line; border-radius: 6px; }
#Gradients { border: none; }
#Gradients::item { padding: 0 6px; }
#GuideCard { background: $node; border: 1px solid $line; border-radius: 8px; }
#GuideCard[tone="error"] { border-color: $error; }
#GuideCard[tone="reduction"] { border-color: $reduction; }
#GuideCard[tone="seed"] { border-color: $seed; }
#GuideCard[tone="leaf"] { border-color: $leaf; }
#GuideCode { background: $canvas; border-radius: 6px; }
#GuideBadge { border-radius: 7px; padding: 1px 9px; font-size: 11px; font-weight: 600;
  background: $zero; }
#GuideBadge[tone="error"] { background: $error_ground; color: $error; }
#GuideBadge[tone="reduction"] { background: $reduction_ground; color: $reduction; }
#GuideBadge[tone="selection"] { background: $selection_ground; color: $selection; }
#GuideBadge[tone="leaf"] { background: $leaf_ground; color: $leaf; }
#GuideSource { color: $soft; font-size: 11px; }
#Does { font-size: 12px; }
#Does[tone="error"] { color: $error; }
#Does[tone="reduction"] { color: $reduction; }
#Does[tone="leaf"] { color: $leaf; }
#NeedRow { border: 1px solid transparent; border-radius: 6px; }
#NeedRow:hover { background: $zero; }
#NeedRow[on="true"] { background: $selection_ground; }
#NeedRow:focus { border-color: $selection; }
#Reduction { color: $reduction; font-weight: 600; }
#Seed { color: $seed; font-weight: 600; }

QPushButton[kind="seed"] { background: $seed_ground; border-color: $seed; color: $seed;
  font-weight: 600; }
QPushButton[kind="reduction"] { background: $reduction_ground; border-color: $reduction;
  color: $reduction; font-weight: 600; }
QPushButton[kind="seed"]:hover, QPushButton[kind="reduction"]:hover { background: $panel; }
QSpinBox::up-button, QSpinBox::down-button { width: 0; border: none; }
QPushButton[kind="preset"] { padding: 4px 9px; }
QPushButton[kind="preset"]:checked { background: $seed_ground; border-color: $seed;
  color: $seed; }
QPushButton[kind="quiet"] { background: transparent; padding: 4px 8px; }
QPushButton[kind="quiet"]:hover { background: $zero; }
QPushButton::menu-indicator { image: none; width: 0; }
QComboBox { padding: 4px 2px 4px 12px; background: $node; combobox-popup: 0; }
QComboBox::drop-down { border: 0; width: 24px; }
QComboBox::down-arrow { image: none; }
QComboBox:hover { border-color: $edge; background: $node; }
QComboBox QAbstractItemView { padding: 4px; background: $node; border: 1px solid $line; }
QComboBox QAbstractItemView::item { min-height: 26px; padding: 0 8px; border-radius: 4px; }
QComboBox QAbstractItemView::item:selected { background: $selection_ground; color: $ink; }
QLineEdit { background: $node; }
QTreeView::item { padding: 4px 6px; }
QTableCornerButton::section { background: $panel; border: 0; }
QLineEdit[invalid="true"] { border-color: $error; background: $error_ground; }
QMenuBar { border-bottom: 1px solid $line; padding: 2px 8px; }
QMenu { background: $node; padding: 4px; }
QMenu::item { padding: 6px 28px 6px 28px; }
QPlainTextEdit { selection-background-color: $select_text; }
QStatusBar QLabel { color: $soft; font-size: 12px; }
QProgressBar { max-height: 6px; }
QAbstractScrollArea::corner { background: transparent; border: none; }
""")


def app_sheet(colours: Palette) -> str:
    """All rules of the app in these colours."""
    tokens = {name: getattr(colours, name) for name in Palette.__slots__}
    own = _RULES.substitute(
        tokens,
        label=round(TYPE.label),
        select_text=mix(colours.panel, colours.selection, 0.28),
    )
    return style_sheet(colours) + own
