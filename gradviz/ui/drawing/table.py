"""Rows of the table of actions for what is drawn by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gradviz.diagram import Node
from gradviz.language import N_
from gradviz.ui.asking.action import Action

if TYPE_CHECKING:
    from gradviz.ui.window import Window


def _chosen(window: Window) -> list[Node]:
    """The selected nodes that the document has; what a pass adds is none of them."""
    nodes = window.document.diagram.nodes
    return [nodes[key] for key in window.selection.ids if key in nodes]


def _some(window: Window) -> bool:
    return bool(_chosen(window))


def _one(window: Window) -> bool:
    return len(_chosen(window)) == 1


def _several(window: Window) -> bool:
    return len(_chosen(window)) > 1


def _can_delete(window: Window) -> bool:
    return _some(window) or window.stage.canvas.marked is not None


def _on_canvas(window: Window) -> bool:
    return window.stage.pages.currentWidget() is window.stage.canvas


def _can_swap(window: Window) -> bool:
    return _one(window) and len(_chosen(window)[0].inputs) > 1


def _framed(window: Window) -> bool:
    inside = {key for frame in window.document.diagram.frames for key in frame.members}
    return any(node.id in inside for node in _chosen(window))


def _unkept(window: Window) -> bool:
    return _some(window) and all(node.no_grad for node in _chosen(window))


def _can_paste(window: Window) -> bool:
    return window.clipboard.holds_nodes


EDIT = (
    Action("cut", N_("Cut"), lambda w: w.hands.cut(), "Edit", ("Ctrl+X",), enabled=_some),
    Action("copy", N_("Copy"), lambda w: w.hands.copy(), "Edit", ("Ctrl+C",), enabled=_some),
    Action("copy_value", N_("Copy the value"), lambda w: w.stage.canvas.copy_value(), "Edit",
           ("Ctrl+Shift+C",), enabled=lambda w: bool(w.selection.ids)),
    Action("paste", N_("Paste"), lambda w: w.hands.paste(), "Edit", ("Ctrl+V",),
           enabled=_can_paste),
    Action("paste_wired", N_("Paste with wires from outside"),
           lambda w: w.hands.paste(outside=True), "Edit", ("Ctrl+Shift+V",),
           enabled=_can_paste),
    Action("duplicate", N_("Duplicate"), lambda w: w.hands.duplicate(), "Edit", ("Ctrl+D",),
           enabled=_some),
    Action("select_all", N_("Select all nodes"), lambda w: w.hands.select_all(), "Edit",
           ("Ctrl+A",), enabled=lambda w: bool(w.document.diagram.nodes), ends_group=True),
)  # fmt: skip

NODE = (
    Action("add", N_("Add…"), lambda w: w.hands.add(), "Node", ("Shift+A", "Ins")),
    Action("rename", N_("Rename"), lambda w: w.drawing.node_editor.rename(), "Node", ("F2",),
           enabled=_one),
    Action("replace", N_("Replace…"), lambda w: w.hands.replace_op(), "Node", ("Ctrl+H",),
           enabled=_one),
    Action("delete", N_("Delete"), lambda w: w.drawing.delete(), "Node", ("Del", "Backspace"),
           enabled=_can_delete),
    Action("heal", N_("Delete and rejoin"), lambda w: w.hands.heal(), "Node", ("Ctrl+Del",),
           enabled=_some, ends_group=True),
    Action("swap", N_("Swap inputs"), lambda w: w.hands.swap(), "Node", ("Alt+S",),
           enabled=_can_swap),
    Action("no_grad", N_("Without history (no_grad)"), lambda w: w.hands.no_grad(), "Node",
           checked=_unkept, enabled=_some),
    Action("frame", N_("Frame around them"), lambda w: w.hands.frame(), "Node", ("Ctrl+Shift+G",),
           enabled=_some),
    Action("unframe", N_("Take out of the frame"), lambda w: w.hands.unframe(), "Node",
           ("Alt+P",), enabled=_framed),
    Action("note", N_("Note…"), lambda w: w.drawing.remarks.note(), "Node", ("T",),
           enabled=_on_canvas, ends_group=True),
    Action("backward_here", N_("Backward from here"), lambda w: w.calls.begin("nothing"), "Node",
           enabled=_one),
    Action("sum_here", N_("Append sum here"), lambda w: w.calls.begin("sum"), "Node",
           enabled=_one),
    Action("seed_here", N_("Seed here"), lambda w: w.calls.begin("ones"), "Node",
           enabled=_one, ends_group=True),
    Action("align_left", N_("Align left"), lambda w: w.hands.align("left"), "Node",
           ("Alt+A, L",), enabled=_several),
    Action("align_right", N_("Align right"), lambda w: w.hands.align("right"), "Node",
           ("Alt+A, R",), enabled=_several),
    Action("align_top", N_("Align at the top"), lambda w: w.hands.align("top"), "Node",
           ("Alt+A, T",), enabled=_several),
    Action("align_bottom", N_("Align at the bottom"), lambda w: w.hands.align("bottom"), "Node",
           ("Alt+A, B",), enabled=_several),
    Action("align_centre", N_("Centre in a column"), lambda w: w.hands.align("centre"), "Node",
           ("Alt+A, C",), enabled=_several),
    Action("align_middle", N_("Centre in a row"), lambda w: w.hands.align("middle"), "Node",
           ("Alt+A, M",), enabled=_several),
    Action("spread_across", N_("Distribute across"), lambda w: w.hands.distribute("across"),
           "Node", ("Alt+A, H",), enabled=_several),
    Action("spread_down", N_("Distribute down"), lambda w: w.hands.distribute("down"), "Node",
           ("Alt+A, V",), enabled=_several, ends_group=True),
    Action("tidy_selection", N_("Tidy the selected nodes"), lambda w: w.hands.tidy(), "Node",
           ("Ctrl+Shift+L",), enabled=_several),
)  # fmt: skip
