"""`gradviz grads`: for each backward pass a table of values and cotangents."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gradviz.accumulation import How, Moment, history, leaves, meeting
from gradviz.cells import Array, array_text
from gradviz.commands.common import Sheet, add_row, check_pass, opened, sheet, show, show_failure
from gradviz.diagram import Diagram, NodeId
from gradviz.labels import added_titles, call_title, name_of, titles
from gradviz.language import _
from gradviz.run import Pass, Run
from gradviz.storeys import own_storey


def grads(src: str, *, number: int | None = None, sums: bool = False) -> int:
    """Print the tables of SRC, or of its pass `number`; status 1 where the program raised.

    With `sums`, also what arrived where contributions meet, and how it added up.
    """
    with opened(src) as found:
        show(*sheets(found.diagram, found.run, number=number, sums=sums))
        show_failure(found.run.error)
        return found.status()


def sheets(
    diagram: Diagram, run: Run, *, number: int | None = None, sums: bool = False
) -> Iterator[Sheet]:
    """A sheet for each pass: node, op, value, cotangent, and `.grad` after the pass.

    Where there are several passes, how `.grad` went from one to the next comes last.
    """
    check_pass(number, len(run.passes))
    for index in range(len(run.passes)):
        if number in (None, index + 1):
            yield _sheet(diagram, run, index)
            if own_storey(diagram, run, index):
                yield _storey(diagram, run, index)
            if sums:
                yield _meetings(diagram, run, index)
    if number is None and len(run.passes) > 1 and leaves(run):
        yield _strip(diagram, run)


def _sheet(diagram: Diagram, run: Run, index: int) -> Sheet:
    done = run.passes[index]
    known = dict(titles(diagram))
    known |= added_titles(done, known)
    heading = _("pass {k} of {n}: {call}").format(
        k=index + 1, n=len(run.passes), call=call_title(done, titles(diagram))
    )
    if done.error is not None:
        heading += f"\n{done.error.type}: {done.error.message}"
    made = sheet(heading, _("node"), _("op"), _("value"), _("cotangent"), ".grad")
    values = {key: value.array for key, value in {**run.values, **done.values}.items()}
    own = {node.id for node in done.upper}
    cotangents = done.cotangents()
    shown = None if len(run.passes) == 1 else _near(diagram, done)
    for node in {**diagram.nodes, **{node.id: node for node in done.beyond}}.values():
        if not node.is_number and node.id not in own and (shown is None or node.id in shown):
            found = (arrays.get(node.id) for arrays in (values, cotangents, done.grads))
            texts = ("" if array is None else array_text(array) for array in found)
            add_row(made, known[node.id], node.op, *texts)
    return made


def _storey(diagram: Diagram, run: Run, index: int) -> Sheet:
    """The graph that a pass with create_graph made: what it computes, from what, of what."""
    done, known = run.passes[index], dict(titles(diagram))
    known |= added_titles(done, known)
    made = sheet(
        _("second storey of pass {k}: its gradient computation").format(k=index + 1),
        _("node"),
        _("op"),
        _("from"),
        _("value"),
        _("gradient of"),
    )
    for node in own_storey(diagram, run, index):
        of = node.upper.gradient if node.upper is not None else None
        value = run.value(node.id)
        sources = (name_of(key, known) for key in node.inputs if key is not None)
        add_row(
            made,
            known[node.id],
            node.op,
            ", ".join(sources),
            "" if value is None else array_text(value.array),
            "" if of is None else name_of(of, known),
        )
    return made


def _near(diagram: Diagram, done: Pass) -> set[NodeId]:
    """What a pass reached and what that was computed from: of a training loop, one turn."""
    reached = {*done.cotangents(), done.call.target, *done.grads}
    nodes = {**diagram.nodes, **{node.id: node for node in done.beyond}}
    return reached.union(
        *({key for key in nodes[at].inputs if key is not None} for at in reached if at in nodes)
    )


def _meetings(diagram: Diagram, run: Run, index: int) -> Sheet:
    """Each contribution where several meet or axes were summed, and the sum so far."""
    done = run.passes[index]
    known = dict(titles(diagram))
    known |= added_titles(done, known)
    made = sheet(
        _("pass {k}: what adds up where").format(k=index + 1),
        _("node"),
        _("step"),
        _("from"),
        _("contribution"),
        _("summed over axes"),
        _("sum so far"),
    )
    for key, came in meeting(done):
        for each in came:
            add_row(
                made,
                known.get(key, key),
                str(each.position),
                known.get(each.sender, each.sender),
                array_text(each.contribution),
                ", ".join(map(str, each.summed)),
                array_text(each.total),
            )
    return made


def _strip(diagram: Diagram, run: Run) -> Sheet:
    """Each leaf's `.grad` from call to call."""
    known = titles(diagram)
    made = sheet(
        _(".grad from call to call"),
        _("leaf"),
        _("pass"),
        _("found there"),
        _("brought by the call"),
        _(".grad after it"),
        "",
    )
    for leaf in leaves(run):
        for moment in _from_first_to_last(history(run, leaf)):
            found = _("cleared") if moment.how == "cleared" else _text(moment.found)
            texts = (found, _text(moment.brought), _text(moment.after))
            name = f"{known.get(leaf, leaf)}.grad"
            add_row(made, name, str(moment.index + 1), *texts, how(moment))
    return made


def _from_first_to_last(moments: Sequence[Moment]) -> Sequence[Moment]:
    """Without the calls before the first and after the last that reached the leaf."""
    at = [place for place, moment in enumerate(moments) if moment.how != "untouched"]
    return moments[at[0] : at[-1] + 1] if at else ()


def _text(array: Array | None) -> str:
    return "None" if array is None else array_text(array)


def how(moment: Moment) -> str:
    """How a `.grad` came about, in a few words."""
    words: dict[How, str] = {
        "first": _("nothing was there before"),
        "added": _("added to what the last call left"),
        "cleared": _("cleared before the call"),
        "changed": _("changed by the program in between"),
        "untouched": _("not reached"),
    }
    return words[moment.how]
