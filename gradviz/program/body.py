"""`Body`: the statements of a program, in the order in which a diagram's nodes are evaluated.

An unnamed node that is used once waits, and stands within the expression that uses it where this
keeps the order of evaluation; else it gets a line and a name of its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from gradviz.diagram import Diagram, Node, NodeId
from gradviz.program import literals
from gradviz.program.call import Call
from gradviz.program.literals import Library
from gradviz.program.names import Names, identifier, is_key, is_variable
from gradviz.program.phrase import Phrase

Array = npt.NDArray[Any]
SHORT = 64  # characters of an expression that may stand within another
SMALL = 8  # elements of an array that may
_MARK = "\N{SOH}"


@dataclass(slots=True)
class Statement:
    """A line or several; `node` is what it computes, if it computes one."""

    text: str
    node: NodeId | None = None
    no_grad: bool = False


@dataclass(slots=True, eq=False)
class Body:
    """`write` writes a node from its inputs; `inline`: whether it may wait for its use at all."""

    diagram: Diagram
    values: Mapping[NodeId, Array]
    library: Library
    write: Callable[[Call], Phrase]
    inline: Callable[[Node], bool]
    numbers: frozenset[str]  # ops of which an input may be a Python number
    uses: Counter[NodeId]  # how often each node is still going to be read
    statements: list[Statement] = field(default_factory=list)
    phrases: dict[NodeId, Phrase] = field(default_factory=dict)
    waiting: list[NodeId] = field(default_factory=list)
    captured: list[str] = field(default_factory=list)  # variables that hold gradients
    caught: dict[int, str] = field(default_factory=dict)  # calls whose error the script caught
    # Nodes that come from an iterator, in its order, and how the next of them is taken.
    turns: list[tuple[list[Node], str]] = field(default_factory=list)
    gradients: dict[NodeId, str] = field(default_factory=dict)  # variables of leaves' gradients
    cotangents: dict[NodeId, str] = field(default_factory=dict)  # variables of nodes' cotangents
    leaves: bool = True  # whether leaves are marked as such (PyTorch)
    names: Names = field(init=False)
    _once: set[str] = field(init=False)  # names of a single node
    _dictionary: bool = False

    def __post_init__(self) -> None:
        named = [node.name for node in self.diagram.nodes.values() if node.name]
        self.names = Names(named)
        counts = Counter(named)
        self._once = {name for name in named if counts[name] == 1}

    # Sources

    def add_sources(self) -> None:
        """The sources that come first: all whose name stands for nothing else, ever."""
        for node in self.diagram.nodes.values():
            first = node.name is None or node.name in self._once
            if node.is_source and first and self.uses[node.id] and not self.within(node):
                self._bind_source(node)

    def within(self, node: Node) -> bool:
        """Whether a source stands in the expression that uses it."""
        assert node.data is not None
        small = node.data.size <= SMALL and node.op != "leaf"
        return node.name is None and (node.is_number or (small and self.uses[node.id] == 1))

    def _bind_source(self, node: Node) -> None:
        self.bind(node, self.source(node))

    def source(self, node: Node) -> Phrase:
        assert node.data is not None
        return literals.array(node.data, self.library, leaf=self.leaves and node.op == "leaf")

    # Reading

    def read(self, key: NodeId) -> Phrase:
        """How a node is written here; its next use."""
        if key not in self.diagram.nodes:
            return self.phrases[key]
        node = self.diagram.nodes[key]
        if key not in self.phrases:
            self._take_turns(key)
        if node.is_source and key not in self.phrases:
            if self.within(node):
                return self.source(node)
            self._bind_source(node)
        self.uses[key] -= 1
        if key in self.waiting:
            self.waiting.remove(key)
        return self.phrases[key]

    def _take_turns(self, until: NodeId) -> None:
        """Variables for what an iterator gives, up to this node."""
        for members, taken in self.turns:
            if any(member.id == until for member in members):
                while until not in self.phrases:
                    self.bind(members.pop(0), Phrase(taken))

    def phrase(self, key: NodeId) -> Phrase:
        """How a node that has its place is written, without this being one of its uses."""
        node = self.diagram.nodes[key]
        if key not in self.phrases and node.is_number and node.data is not None:
            value = node.data[()].item()
            whole = isinstance(value, float) and value.is_integer() and abs(value) < 1e15
            return literals.number(int(value) if whole else value, self.library)
        return self.phrases[key]

    def number(self, user: Node, key: NodeId) -> Phrase:
        """A Python number as an operand: a whole one without a point where that is the same."""
        node = self.diagram.nodes[key]
        assert node.data is not None
        value = node.data[()]
        others = [self.values[k] for k in user.inputs if k is not None and k != key]
        near = {array.dtype for array in others} == {node.data.dtype}
        plain = user.op in ("add", "sub", "mul", "div") and near and value.dtype.kind == "f"
        if plain and abs(value) < 1e15 and value == int(value) and not np.signbit(value):
            return literals.number(int(value), self.library)
        return literals.number(value, self.library)

    # Nodes

    def add(self, node: Node) -> None:
        """The node, on a line of its own or waiting for its use."""
        order = self._order(node)
        self._settle(node, order)
        phrase = self.write(self.call(node))
        if node.name is None and not self.uses[node.id]:
            self.flush()  # nothing uses it: an expression on a line of its own
            self.statements.append(Statement(phrase.text, node.id, node.no_grad))
            return
        if self._may_wait(node, phrase):
            self.phrases[node.id] = phrase
            self.waiting.append(node.id)
            return
        self.bind(node, phrase)

    def call(self, node: Node) -> Call:
        keys = [key for key in node.inputs if key is not None]
        numbers = [self._is_number(node, key) for key in keys]
        inputs = [
            self.number(node, key) if is_number else self.read(key)
            for key, is_number in zip(keys, numbers, strict=True)
        ]
        arrays = [self.values[key] for key in keys]
        return Call(node, inputs, arrays, self.values[node.id], self.library, numbers)

    def _is_number(self, node: Node, key: NodeId) -> bool:
        """Whether an input is a Python number, beside at least one that is none."""
        nodes = self.diagram.nodes
        if node.op not in self.numbers:
            return False
        alone = all(nodes[k].is_number for k in node.inputs if k is not None)
        return nodes[key].is_number and not alone

    def _order(self, node: Node) -> list[NodeId]:
        """The inputs that wait, in the order in which they would stand in the text."""
        marks = [f"{_MARK}{at}{_MARK}" for at in range(len(node.inputs))]
        keys = [key for key in node.inputs if key is not None]
        if not any(key in self.waiting for key in keys):
            return []
        arrays = [self.values[key] for key in keys]
        numbers = [self._is_number(node, key) for key in keys]
        phrases = [Phrase(mark) for mark in marks]
        call = Call(node, phrases, arrays, self.values[node.id], self.library, numbers)
        text = self.write(call).text
        placed = [(text.find(mark), key) for mark, key in zip(marks, keys, strict=True)]
        if any(text.count(mark) != 1 for mark in marks):
            return [_MARK]  # it stands twice, or not at all: nothing may stand within
        return [key for at, key in sorted(placed) if key in self.waiting]

    def _settle(self, node: Node, order: list[NodeId]) -> None:
        """Give lines to all that wait, unless it is the last of them that are used, in order."""
        same = all(
            key in self.waiting and self.diagram.nodes[key].no_grad == node.no_grad for key in order
        )
        if order and (not same or self.waiting[-len(order) :] != order):
            self.flush()

    def flush(self) -> None:
        """Lines of their own for all nodes that wait."""
        waiting, self.waiting = self.waiting, []
        for key in waiting:
            self.bind(self.diagram.nodes[key], self.phrases[key], flush=False)

    def _may_wait(self, node: Node, phrase: Phrase) -> bool:
        short = len(phrase.text) <= SHORT and "\n" not in phrase.text
        return node.name is None and short and self.uses[node.id] == 1 and self.inline(node)

    # Variables

    def bind(self, node: Node, phrase: Phrase, *, flush: bool = True) -> None:
        """A line that gives the node's variable its value."""
        if flush:
            self.flush()
        target = self.target(node)
        no_grad = node.no_grad and not node.is_source
        self.statements.append(Statement(f"{target} = {phrase.text}", node.id, no_grad))
        self.phrases[node.id] = Phrase(target)

    def target(self, node: Node) -> str:
        """What the node is assigned to; what has its name now and is still read gets another."""
        name = node.name if self.leaves else identifier(node.name)
        if not is_variable(name):
            if self.leaves and is_key(name):
                if not self._dictionary:
                    self._dictionary = True
                    self.statements.insert(0, Statement("named = {}"))
                name = f'named["{name}"]'
            else:
                name = self.names.fresh("x" if node.op == "leaf" else "t")
        assert name is not None
        if not self.leaves and self._is_needed(name):
            name = self.names.fresh(name if is_variable(name) else "t")
        self.release(name)
        self.names.holds[name] = node.id
        return name

    def _is_needed(self, name: str) -> bool:
        """Whether what a variable holds is still going to be read."""
        held = self.names.holds.get(name)
        return held is not None and self.uses[held] > 0 and self.phrases[held].text == name

    def release(self, name: str) -> None:
        """Let a variable be given another value."""
        if not self._is_needed(name):
            return
        held = self.names.holds[name]
        assert held is not None
        stem = name if is_variable(name) else "t"
        other = self.names.fresh(f"{stem}_" if stem[-1:].isdigit() else stem)
        self.statements.append(Statement(f"{other} = {name}"))
        self.phrases[held] = Phrase(other)
        self.names.holds[other] = held
