"""`Inspector`: one node, what reached it, what it sends on, and how that adds up."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QLabel, QScrollArea, QVBoxLayout, QWidget

from gradviz.accumulation import Arrival, Moment, arrivals, history, summed_text
from gradviz.cells import array_text
from gradviz.diagram import LEAF, Node, NodeId
from gradviz.labels import added_titles, titles
from gradviz.language import _
from gradviz.look import TYPE
from gradviz.run import Array, Step
from gradviz.ui.panels.sums import Sums
from gradviz.ui.player import Player
from gradviz.ui.selection import Selection
from gradviz.ui.theme import ThemeSource
from gradviz.ui.widgets.cells import Cells
from gradviz.ui.widgets.formula import FormulaView
from gradviz.ui.widgets.labels import Elided, Field, Heading, Mono, Rule, named
from gradviz.ui.widgets.proofs import Proofs


class Inspector(QWidget):
    """Follows the selected node, or the node of this step where none is selected."""

    def __init__(self, player: Player, selection: Selection, theme: ThemeSource) -> None:
        super().__init__()
        self.setObjectName("InspectorPane")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._player, self._selection = player, selection
        self.heading = Heading()
        self.title = Elided(name="NodeTitle")
        self.title.setFont(Mono(18, bold=True).font())
        self.about = named(QLabel(), "Soft")
        self.about.setWordWrap(True)
        self.empty = Field()
        self.empty.setWordWrap(True)
        self.value, self.cotangent = Cells(theme, "value"), Cells(theme, "gradient")
        self.formula = FormulaView(theme)
        self.numbers = Mono(TYPE.cell)
        self.numbers.setWordWrap(True)
        self.sums, self.grads = Sums(theme), Sums(theme)
        self.proofs = Proofs()
        kinds = ("value", "cotangent", "rule", "sums", "grads", "proofs")
        self.names = {key: Field() for key in kinds}
        self.rule_line = Rule()
        self._lay_out()
        player.moved.connect(self.sync)
        selection.changed.connect(self.sync)
        self.retranslate()

    def retranslate(self) -> None:
        self.heading.setText(_("Node"))
        self.names["value"].setText(_("value"))
        self.names["cotangent"].setText(_("cotangent that arrived"))
        self.names["rule"].setText(_("local rule"))
        self.names["grads"].setText(_(".grad after each pass"))
        self.names["proofs"].setText(_("is it right?"))
        self.proofs.retranslate()
        self.empty.setText(_("Select a node, or play the pass, to see what happens at it."))
        self.sync()

    def offer(self, editor: QWidget) -> None:
        """Where the node is changed: between what it is and what it came to."""
        self._column.insertSpacing(self._place, 12)
        self._column.insertWidget(self._place, editor)

    def node(self) -> NodeId | None:
        """The node shown: the selected one, else the one of this step, else where it starts."""
        diagram, _run, _index = self._player.scene
        done, key = self._player.current, self._selection.node
        if key is not None and key.startswith("seed:"):
            key = key.removeprefix("seed:")
        known = (
            {*diagram.nodes, *(node.id for node in done.beyond if done)}
            if done
            else (set(diagram.nodes))
        )
        if key in known:
            return key
        if self._player.step is not None:
            return self._player.step.node
        return done.root if done is not None and done.root in known else None

    def sync(self) -> None:
        key = self.node()
        for widget in self._body:
            widget.setVisible(key is not None)
        self.empty.setVisible(key is None)
        if key is None:
            return
        diagram, run, _index = self._player.scene
        done, position = self._player.current, self._player.done
        nodes = dict(diagram.nodes)
        known = dict(titles(diagram))
        values = dict(run.values)
        if done is not None:
            nodes.update({node.id: node for node in done.beyond})
            known.update(added_titles(done, known))
            values.update(done.values)
        value = values.get(key)
        self.title.setText(known.get(key, key))
        self.title.setToolTip(known.get(key, key))
        self.about.setText(
            _about(nodes[key], value.grad_fn if value else None, value.array if value else None)
        )
        self.value.show_array(value.array if value else None)
        reached = done.cotangents(position).get(key) if done else None
        self.cotangent.show_array(reached)
        self._show_rule(key)
        self._show_sums(key, known)
        self._show_grads(nodes[key])
        self.proofs.show_node(key)

    def _step(self, key: NodeId) -> Step | None:
        """The last step so far that the node sent."""
        done = self._player.current
        steps = done.steps[: self._player.done] if done else ()
        return next((step for step in reversed(steps) if step.node == key), None)

    def _show_rule(self, key: NodeId) -> None:
        diagram, run, _index = self._player.scene
        done, step = self._player.current, self._step(key)
        from gradviz.explain import explain  # brings the engine in; the first window can wait

        with np.errstate(all="ignore"):  # NaN and inf are shown, not warned of
            told = explain(diagram, run, done, step) if done and step else None
        for widget in (self.names["rule"], self.formula, self.numbers):
            widget.setVisible(told is not None)
        if told is not None:
            sign = r"\mathrel{+}=" if step and step.before is not None else "="
            self.formula.show_tex(rf"{told.receiver} {sign} {told.tex}", plain=told.rule)
            self.numbers.setText(told.numbers)

    def _show_sums(self, key: NodeId, known: dict[NodeId, str]) -> None:
        """What arrived at the node that this one sends to, or at a leaf itself."""
        done, step = self._player.current, self._step(key)
        receiver = step.input if step else key
        came = arrivals(done, receiver, self._player.done) if done else []
        shown = bool(came)
        for widget in (self.rule_line, self.names["sums"], self.sums):
            widget.setVisible(shown)
        if not shown or done is None:
            return
        name = known.get(receiver, receiver)
        self.names["sums"].setText(_("what arrived at {name}").format(name=name))
        rows = [
            (
                ("+ " if n else "  ") + known.get(each.sender, each.sender) + _summed(each),
                each.contribution,
                done.steps[each.position - 1] is step,
            )
            for n, each in enumerate(came)
        ]
        total = came[-1].total
        leaf = receiver in self._player.scene[0].nodes and (
            self._player.scene[0].nodes[receiver].op == LEAF
        )
        word = f"= {name}.grad" if leaf and not self._before(receiver) else _("= so far")
        self.sums.show_rows([*rows, (word, total, None)])

    def _before(self, leaf: NodeId) -> bool:
        """Whether the leaf had a `.grad` from an earlier pass."""
        _diagram, run, index = self._player.scene
        return index > 0 and leaf in run.passes[index - 1].grads

    def _show_grads(self, node: Node) -> None:
        _diagram, run, _index = self._player.scene
        moments = history(run, node.id) if node.op == LEAF else ()
        shown = any(moment.after is not None for moment in moments)
        self.names["grads"].setVisible(shown)
        self.grads.setVisible(shown)
        if shown:
            rows = [(_moment(m), m.after, m.index == self._player.index) for m in moments]
            self.grads.show_rows(rows)

    def _lay_out(self) -> None:
        names = self.names
        inner = named(QWidget(), "Inspector")
        column = QVBoxLayout(inner)
        column.setContentsMargins(16, 0, 16, 16)
        column.setSpacing(4)
        self._body: list[QWidget] = []

        def put(*widgets: QWidget, gap: int = 12) -> None:
            for widget in widgets:
                column.addWidget(widget)
                self._body.append(widget)
            column.addSpacing(gap)

        column.addWidget(self.empty)
        put(self.title, self.about)
        self._column, self._place = column, column.count()
        put(names["value"], self.value)
        put(names["cotangent"], self.cotangent)
        put(names["rule"], self.formula, self.numbers)
        put(self.rule_line, gap=8)
        put(names["sums"], self.sums)
        put(names["grads"], self.grads)
        put(names["proofs"], self.proofs)
        column.addStretch(1)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(inner)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(0)
        outer.addWidget(self.heading)
        outer.addWidget(area, 1)


def _about(node: Node, grad_fn: str | None, value: Array | None) -> str:
    parts = [
        grad_fn or (_("leaf") if node.op == LEAF else _("constant") if node.is_source else node.op)
    ]
    if node.line is not None:
        parts.append(_("line {line}").format(line=node.line))
    if value is not None:
        parts.append(f"{value.dtype} {_shape(value)}")
    return " · ".join(parts)


def _summed(arrival: Arrival) -> str:
    return f" · {summed_text(arrival.summed)}" if arrival.summed else ""


def _moment(moment: Moment) -> str:
    """A pass, and what it brought where something was there already."""
    name = _("pass {n}").format(n=moment.index + 1)
    if moment.how == "cleared":
        return _("{name}, cleared before").format(name=name)
    if moment.how in ("added", "changed") and moment.brought is not None:
        return f"{name}  + {array_text(moment.brought)}"
    return name


def _shape(value: Array) -> str:
    return f"({', '.join(map(str, value.shape))}{',' if value.ndim == 1 else ''})"
