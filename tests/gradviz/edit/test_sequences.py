"""Two hundred edits in a row, of every kind, with undo and redo, saving and loading in between."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gradviz import storage
from gradviz.diagram import BackwardCall, Diagram, Node, Start
from gradviz.edit import (
    align,
    calls,
    catalogue,
    clip,
    fit,
    frames,
    healing,
    leaves,
    names,
    nodes,
    params,
    wires,
)
from gradviz.edit.order import would_cycle
from gradviz.edit.outcome import Added, Refusal
from gradviz.evaluate import evaluate
from gradviz.labels import titles
from gradviz.seeds.starts import REDUCTIONS
from gradviz.storeys import is_there

MOST = 40  # nodes; beyond that the next edit takes some out
COUNT = 200
TEXTS = ("2", "-1", "0", "(0, 1)", "None", "True", "mean", "none", "1.5", "float64", "[1", "x", "")
VALUES = (
    "[1, 2]", "[[1, 2], [3, 4]]", "3", "zeros 2x2", "normal 2 seed=3", "ones 2x3", "eye 2",
    "[[1], [2, 3]]", "torch.tensor([1, 2])",
    "torch.tensor([0.5], requires_grad=True)", "[nan, inf]", "[]", "1j",
)  # fmt: skip
NAMES = ("x", "y", "w", "loss", "2x", "class", "torch", "", "权重")
Result = Diagram | Added | Refusal


class Chance:
    """Numbers that say what is edited and how."""

    def __init__(self, numbers: tuple[int, ...]) -> None:
        self.numbers = list(numbers)

    def of(self, count: int) -> int:
        """A number below `count`."""
        first = self.numbers.pop(0)
        self.numbers.append(first // 7 + 3)
        return first % max(count, 1)

    def pick(self, items: object) -> str:
        """One of the items; now and then a name that is none of them."""
        found = list(items)  # type: ignore[call-overload]
        return found[self.of(len(found))] if found and self.of(16) else "gone"

    def some(self, items: object) -> list[str]:
        found = list(items)  # type: ignore[call-overload]
        return [self.pick(found) for _again in range(self.of(3) + 1)] if found else []


def slot(diagram: Diagram, key: str, chance: Chance) -> int:
    node = diagram.nodes.get(key)
    return chance.of(len(node.inputs) + (chance.of(4) == 0) if node else 2)


def wire(diagram: Diagram, chance: Chance) -> tuple[str, int]:
    ops = [key for key, node in diagram.nodes.items() if node.inputs]
    key = chance.pick(ops if chance.of(8) else diagram.nodes)
    return key, slot(diagram, key, chance)


def start(chance: Chance) -> Start:
    kind = chance.of(4)
    if kind == 0:
        return Start()
    if kind == 1:
        return Start("reduction", [*REDUCTIONS, "median"][chance.of(len(REDUCTIONS) + 1)])
    if kind == 2:
        return Start("seed", preset=("ones", "1/N", "onehot:1", "normal:2")[chance.of(4)])
    return Start("seed", values=np.ones((1, 2)[chance.of(2)], np.float32), name="v")


def values(diagram: Diagram) -> dict[str, np.ndarray]:
    return {key: found.array for key, found in evaluate(diagram).values.items()}


def add(diagram: Diagram, chance: Chance) -> Result:
    entry = catalogue.entries()[chance.of(len(catalogue.entries()))]
    onto = wire(diagram, chance) if chance.of(4) == 0 else None
    sources = chance.some(diagram.nodes) if chance.of(4) and not entry.is_source else []
    return nodes.add(
        diagram, entry.id, at=(1.5, 2.0), sources=sources, wire=onto, insert=bool(chance.of(2))
    )


def connect(diagram: Diagram, chance: Chance) -> Result:
    source, (target, at) = chance.pick(diagram.nodes), wire(diagram, chance)
    found = wires.connect(diagram, source, target, at)
    if isinstance(found, Diagram):
        assert not would_cycle(diagram, source, target)
    return found


def set_param(diagram: Diagram, chance: Chance) -> Result:
    key = chance.pick(diagram.nodes)
    entry = catalogue.entry_of(diagram.nodes[key].op) if key in diagram.nodes else None
    name = chance.pick(param.name for param in entry.params) if entry else "dim"
    return params.set_text(diagram, key, name, TEXTS[chance.of(len(TEXTS))], values(diagram))


def paste(diagram: Diagram, chance: Chance) -> Result:
    ids = chance.some(diagram.nodes)
    if chance.of(2):
        text = clip.copy(diagram, ids)
    else:
        found = clip.cut(diagram, ids)
        if isinstance(found, Refusal):
            return found
        text, diagram = found
    if isinstance(text, Refusal):
        return text
    return clip.paste(diagram, text, at=(0.0, 5.5), outside=bool(chance.of(2)))


def tidy(diagram: Diagram, chance: Chance) -> Result:
    boxes = {
        key: (*diagram.positions.get(key, (10.0 * at, 0.0)), 100.0, 40.0)
        for at, key in enumerate(diagram.nodes)
    }
    chosen = {key: boxes[key] for key in chance.some(diagram.nodes) if key in boxes}
    places = [
        lambda: align.align(chosen, "left"),
        lambda: align.distribute(chosen, "down"),
        lambda: align.align(chosen, "middle"),
    ]
    return align.place(diagram, places[chance.of(3)]())


def flags(diagram: Diagram, chance: Chance) -> Result:
    index, wanted = chance.of(len(diagram.calls) + 1), bool(chance.of(2))
    if chance.of(2):
        return calls.set_flags(diagram, index, create_graph=wanted)
    return calls.set_flags(diagram, index, retain_graph=wanted, captures=not wanted)


def add_call(diagram: Diagram, chance: Chance) -> Result:
    if len(diagram.calls) > 5:
        return calls.remove(diagram, chance.of(6))
    target = chance.pick(diagram.nodes)
    if chance.of(3) == 0 and diagram.calls:
        target = f"grad{chance.of(len(diagram.calls)) + 1}:{target}"
    return calls.add(diagram, target, start(chance), index=chance.of(4) or None)


def of_call(change: Callable[[Diagram, int, Chance], Result]) -> Callable[..., Result]:
    return lambda diagram, chance: change(diagram, chance.of(len(diagram.calls) + 1), chance)


EDITS: list[Callable[[Diagram, Chance], Result]] = [
    *[add] * 8,
    *[connect] * 8,
    lambda d, c: wires.disconnect(d, *wire(d, c)),
    lambda d, c: wires.move(d, wire(d, c), wire(d, c)),
    lambda d, c: wires.swap(d, c.pick(d.nodes), c.of(3), c.of(3)),
    lambda d, c: wires.reroute(d, c.pick(d.nodes), c.pick(d.nodes)),
    lambda d, c: wires.insert(d, c.pick(d.nodes), *wire(d, c)),
    lambda d, c: wires.cut(d, [wire(d, c), wire(d, c)]),
    lambda d, c: healing.delete(d, [c.pick(d.nodes)]),
    lambda d, c: healing.heal(d, c.some(d.nodes), values(d) if c.of(2) else None),
    lambda d, c: nodes.replace_op(
        d, c.pick(d.nodes), catalogue.entries()[c.of(len(catalogue.entries()))].id
    ),
    lambda d, c: nodes.set_no_grad(d, c.some(d.nodes), wanted=bool(c.of(2))),
    lambda d, c: nodes.duplicate(d, c.some(d.nodes)),
    lambda d, c: names.rename(d, c.pick(d.nodes), NAMES[c.of(len(NAMES))]),
    set_param,
    set_param,
    lambda d, c: leaves.set_text(d, c.pick(d.nodes), VALUES[c.of(len(VALUES))]),
    lambda d, c: leaves.set_text(d, c.pick(d.nodes), VALUES[c.of(len(VALUES))]),
    lambda d, c: leaves.set_element(d, c.pick(d.nodes), (c.of(3),), TEXTS[c.of(len(TEXTS))]),
    lambda d, c: leaves.resize(d, c.pick(d.nodes), ((2,), (2, 2), (), (0, 2))[c.of(4)]),
    lambda d, c: leaves.set_dtype(d, c.pick(d.nodes), ("float64", "int64", "bool")[c.of(3)]),
    lambda d, c: leaves.set_requires_grad(d, c.pick(d.nodes), wanted=bool(c.of(2))),
    paste,
    tidy,
    *[lambda d, c: fit.fitted(d).diagram] * 2,
    add_call,
    of_call(lambda d, at, c: calls.move(d, at, c.of(len(d.calls) + 1))),
    of_call(lambda d, at, c: calls.duplicate(d, at) if len(d.calls) < 6 else d),
    of_call(lambda d, at, c: calls.set_enabled(d, at, wanted=bool(c.of(2)))),
    of_call(lambda d, at, c: calls.set_target(d, at, c.pick(d.nodes))),
    of_call(lambda d, at, c: calls.set_start(d, at, start(c))),
    of_call(lambda d, at, c: calls.set_inputs(d, at, c.some(d.nodes) if c.of(2) else None)),
    of_call(lambda d, at, c: calls.set_clear(d, at, c.some(d.nodes))),
    flags,
    lambda d, c: frames.add_frame(d, c.some(d.nodes), title="t", colour="leaf"),
    lambda d, c: frames.join(d, c.pick(f.id for f in d.frames), c.some(d.nodes)),
    lambda d, c: frames.leave(d, c.some(d.nodes)),
    lambda d, c: frames.remove_frame(d, c.pick(f.id for f in d.frames)),
    lambda d, c: frames.move_frame(d, c.pick(f.id for f in d.frames), (1.0, 0.5)),
    lambda d, c: frames.add_note(d, "a note", (3.0, 4.0)),
    lambda d, c: frames.change_note(d, c.pick(n.id for n in d.notes), text="b", at=(0.0, 1.0)),
    lambda d, c: frames.remove_note(d, c.pick(n.id for n in d.notes)),
]


def first() -> Diagram:
    """A layer, tanh(w @ x + b) with a squared error, and two calls of which one looks further."""
    array = np.array([[1.0, 0.5], [0.0, 2.0]], np.float32)
    found = [
        Node("x", "leaf", data=array[0], name="x"),
        Node("w", "leaf", data=array, name="w"),
        Node("two", "constant", data=np.array(2), is_number=True),
        Node("m", "mv", ("w", "x")),
        Node("t", "tanh", ("m",), name="t"),
        Node("d", "mul", ("t", "two"), name="d"),
        Node("y", "sum", ("d",), {"dim": (0,), "keepdim": False}, name="y"),
    ]
    return Diagram(
        {node.id: node for node in found},
        (
            BackwardCall("y", create_graph=True),
            BackwardCall("grad1:x", Start("reduction", "sum"), clear=("x",)),
        ),
        positions={"x": (0.0, 0.0), "y": (400.0, 20.0)},
        drawn=True,
    )


def check(diagram: Diagram) -> None:
    """What holds of every diagram."""
    seen: set[str] = set()
    for key, node in diagram.nodes.items():
        assert node.id == key
        assert seen.issuperset(source for source in node.inputs if source is not None)
        seen.add(key)
    for number, call in enumerate(diagram.calls):
        assert is_there(call.target, diagram.nodes, diagram.calls[:number])
        assert seen.issuperset((*(call.inputs or ()), *call.clear))
    inside = [key for frame in diagram.frames for key in frame.members]
    assert len(inside) == len(set(inside))
    assert seen.issuperset(inside)
    assert seen.issuperset(diagram.positions)
    anew = Diagram({key: replace(node) for key, node in diagram.nodes.items()})
    assert titles(diagram) == titles(anew)  # though most of the first are kept from before


def edited(diagram: Diagram, chance: Chance) -> Diagram:
    """One edit; a refusal says something and leaves the diagram."""
    if len(diagram.nodes) > MOST:
        return diagram.remove(list(diagram.nodes)[:: 2 + chance.of(2)])
    found = EDITS[chance.of(len(EDITS))](diagram, chance)
    if isinstance(found, Refusal):
        assert found.sentence
        return diagram
    if isinstance(found, Added):
        return found.diagram
    return found


@settings(
    max_examples=12,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(
    st.lists(
        st.tuples(st.integers(0, 9), *[st.integers(0, 10**6)] * 6),
        min_size=COUNT,
        max_size=COUNT,
    )
)
def test_any_sequence_of_edits(steps: list[tuple[int, ...]]) -> None:
    history, at = [first()], 0
    files = [storage.dumps(history[0])]
    for number, (turn, *numbers) in enumerate(steps):
        if turn == 0:
            at = max(at - 1, 0)
        elif turn == 1:
            at = min(at + 1, len(history) - 1)
        else:
            after = edited(history[at], Chance(tuple(numbers)))
            if after is history[at]:
                continue
            check(after)
            history[at + 1 :], files[at + 1 :] = [after], [storage.dumps(after)]
            at += 1
        if number % 4 == 0:
            run = evaluate(history[at])
            assert len(run.passes) == len(history[at].calls)
            again = storage.loads(files[at], "a.gradviz")
            check(again)
            assert storage.dumps(again) == files[at]
            history[at] = again  # work goes on with what was loaded
    for diagram, file in zip(history, files, strict=True):  # no edit touched an earlier value
        assert storage.dumps(diagram) == file
    assert storage.dumps(history[0]) == storage.dumps(first())


def test_undoing_all_gives_the_first_diagram() -> None:
    rng = np.random.default_rng(0)
    diagram = before = first()
    history = [before]
    for _step in range(COUNT):
        diagram = edited(diagram, Chance(tuple(int(n) for n in rng.integers(0, 10**6, 6))))
        history.append(diagram)
    assert len({id(each) for each in history}) > COUNT / 4
    while len(history) > 1:
        history.pop()
    assert history[0] is before
    assert storage.dumps(before) == storage.dumps(first())
