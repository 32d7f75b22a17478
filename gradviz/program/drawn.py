"""`follow`: the script of a diagram that is drawn by hand, as far as the diagram is finished."""

from __future__ import annotations

import io
import tokenize
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import compress

from gradviz.diagram import BackwardCall, Diagram, Node, NodeId
from gradviz.labels import titles
from gradviz.language import N_, _
from gradviz.matching import matched
from gradviz.program.call import NotWritten
from gradviz.program.rewriting import rewritten
from gradviz.program.writing import program
from gradviz.run import Printed, Run

HALF = N_("Not finished, so not in this program:")
UNWRITTEN = N_("There is no program for this diagram: {sentence}")
Reader = Callable[[str], tuple[Diagram, Run]]


@dataclass(frozen=True, slots=True, eq=False)
class Followed:
    """The diagram with its script as source; its run with what the script prints.

    `whole`: everything drawn is in the script. `told` says that, and why, a script written by hand
    was written anew.
    """

    diagram: Diagram
    run: Run
    whole: bool = True
    told: str = ""


def follow(diagram: Diagram, run: Run, base: Diagram | None, read: Reader) -> Followed:
    """The script of a drawn diagram, made of that of `base` where there is one.

    `base` is the diagram before it was drawn on, with its script as source. What was written by
    hand stays there. `read` runs a script. What is not finished is named in comments at the end.
    """
    try:
        return _followed(diagram, run, base, read)
    except NotWritten as problem:
        reason = str(problem)
    except Exception as problem:  # noqa: BLE001  a defect of the writer must not cost the run
        reason = f"{type(problem).__name__}: {problem}"
    sentence = _comment(_(UNWRITTEN).format(sentence=reason))
    return Followed(replace(diagram, source=sentence), run, whole=False)


def _followed(diagram: Diagram, run: Run, base: Diagram | None, read: Reader) -> Followed:
    done, its_part = finished(diagram, run)
    left_out = _left_out(diagram, done)
    text, told = _text(done, its_part, base, read)
    if not done.nodes:
        calls = tuple(replace(call, edited=False) for call in diagram.calls)
        made = replace(diagram, calls=calls, source=left_out)
        return Followed(made, run, whole=not diagram.nodes)
    its, its_run = read(text)
    nodes = _with_lines(diagram, its)
    source = f"{text}\n{left_out}" if left_out else text
    calls = _own(diagram, None if left_out else its)
    made = replace(diagram, nodes=nodes, calls=calls, source=source)
    return Followed(made, _as_told(run, its_run), whole=not left_out, told=told)


def _text(done: Diagram, run: Run, base: Diagram | None, read: Reader) -> tuple[str, str]:
    if base is None or not base.source or not done.nodes:
        return program(done, run).text if done.nodes else "", ""
    made = rewritten(base.source, base, done, run, read)
    lost = made.unrolled and (not base.drawn or _comments(base.source) - _comments(made.text))
    return made.text, made.sentence if lost else ""


def _comments(text: str) -> set[str]:
    """The remarks in a script, which a program that is written anew has none of."""
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
    except (tokenize.TokenError, SyntaxError):
        return set()
    return {token.string for token in tokens if token.type == tokenize.COMMENT}


def _own(diagram: Diagram, its: Diagram | None) -> tuple[BackwardCall, ...]:
    """The calls as the script's own, with the lines that they stand on in it.

    It may end at a call that raises. Without a script that can be built upon, they keep the lines
    that they have in the one before.
    """
    if its is None:
        return tuple(replace(call, edited=False) for call in diagram.calls)
    lines = iter([call.line for call in its.calls])
    return tuple(
        replace(call, edited=False, line=next(lines, None) if call.enabled else None)
        for call in diagram.calls
    )


def _with_lines(diagram: Diagram, its: Diagram) -> dict[NodeId, Node]:
    """The nodes with the lines of the script that they stand on."""
    lines = {old: its.nodes[key].line for key, old in matched(diagram, its).items()}
    return {
        key: node if node.line == lines.get(key) else replace(node, line=lines.get(key))
        for key, node in diagram.nodes.items()
    }


def _as_told(run: Run, its: Run) -> Run:
    """The run with what the script prints, and with its error as the script has it."""
    console: tuple[Printed, ...] = its.console
    error = run.error
    if error is not None and its.error is not None and error.message == its.error.message:
        error = replace(error, line=its.error.line, traceback=its.error.traceback)
    return replace(run, console=console, error=error)


def finished(diagram: Diagram, run: Run) -> tuple[Diagram, Run]:
    """The nodes that have values, the calls that start from them, and what came of those."""
    kept: set[NodeId] = set()
    for key, node in diagram.nodes.items():
        known = key in run.values or node.upper is not None
        if known and all(source in kept for source in node.inputs):
            kept.add(key)
    gone = set(diagram.nodes) - kept
    if not gone:
        return diagram, run
    # A call whose inputs are all unfinished is it as well, and goes, as one that captures would.
    calls = tuple(
        replace(call, captures=True) if call.inputs and gone.issuperset(call.inputs) else call
        for call in diagram.calls
    )
    made = replace(diagram, calls=calls).remove(gone)
    if len(made.calls) == len(diagram.calls):
        return made, run
    stayed = (call.without(gone) is not None for call in calls)
    return made, replace(run, passes=tuple(compress(run.passes, stayed)))


def _left_out(diagram: Diagram, whole: Diagram) -> str:
    """Comments that name what is not finished."""
    names = titles(diagram)
    missing = [key for key in diagram.nodes if key not in whole.nodes]
    if not missing:
        return ""
    problems = {problem.node: problem.sentence for problem in diagram.problems()}
    lines = [_(HALF)]
    for key in missing:
        said = f": {problems[key]}" if key in problems else ""
        lines.append(f"  {names[key]}{said}")
    return _comment("\n".join(lines))


def _comment(text: str) -> str:
    return "".join(f"# {line}\n" for line in text.splitlines())
