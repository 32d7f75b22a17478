"""Nodes that one call makes together, written as that one call."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from gradviz.diagram import Node, NodeId
from gradviz.program import bundles, templates
from gradviz.program.body import Body, Statement
from gradviz.program.bundles import Share
from gradviz.program.names import is_variable
from gradviz.program.phrase import Phrase


class Bundled:
    """Finds the nodes of such calls in a diagram, and writes them into the body of a program."""

    def __init__(self, body: Body) -> None:
        self._body = body
        self._runs = _runs(body)
        self._done: set[NodeId] = set()

    def add(self, node: Node) -> bool:
        """Write the node with all that its call makes; False where it is no such node."""
        if node.id in self._done:
            return True
        run = self._runs.get(node.id)
        if run is None:
            return False
        self._done.update(member.id for member, _share in run)
        self._write(run)
        return True

    def _write(self, run: Sequence[tuple[Node, Share]]) -> None:
        body, (first, share) = self._body, run[0]
        params = bundles.params_of(first, body.diagram)
        if first.op in bundles.SPLITS:
            params = {**params, "sizes": _sizes([member for member, _share in run])}
        keys = [key for key in first.inputs if key is not None][: share.template.count("{1}") + 1]
        body.flush()
        inputs = [body.read(key) for key in keys]
        for member, _share in run[1:]:  # each of them would have read them anew
            for key in keys:
                body.uses[key] -= 1 if key in member.inputs else 0
        call = templates.filled(share.template, inputs, params, body.library)
        used = [(member, part) for member, part in run if self._is_used(member, run)]
        if len(used) == 1:
            ((member, part),) = used
            body.bind(member, Phrase(part.of(call.owner)))
            return
        if not used:
            body.statements.append(Statement(call.text, first.id, first.no_grad))
            return
        self._unpack(run, used, call.text)

    def _is_used(self, member: Node, run: Sequence[tuple[Node, Share]]) -> bool:
        inside = sum(member.id in other.inputs for other, _share in run)
        return member.name is not None or self._body.uses[member.id] > inside

    def _unpack(
        self, run: Sequence[tuple[Node, Share]], used: Sequence[tuple[Node, Share]], call: str
    ) -> None:
        body = self._body
        first, no_grad = run[0][0], all(member.no_grad for member, _share in run)
        stem = _stem(used)
        if stem is not None:  # the script kept them in a list, too
            body.release(stem)
            body.statements.append(Statement(f"{stem} = {call}", first.id, no_grad))
            for member, part in used:
                body.phrases[member.id] = Phrase(f"{stem}[{part.at}]")
            return
        outputs = sorted(run, key=lambda each: each[1].at)
        every = [part.at for _member, part in outputs] == list(range(len(run)))
        names = [member.name for member, _share in run if member.name is not None]
        if every and len(used) == len(run) and len({*names}) == len(names):
            targets = [body.target(member) for member, _share in outputs]
            body.statements.append(Statement(f"{', '.join(targets)} = {call}", first.id, no_grad))
            for (member, _share), target in zip(outputs, targets, strict=True):
                body.phrases[member.id] = Phrase(target)
            return
        if every and len({*names}) < len(names):
            self._one_by_one([member for member, _share in outputs], call)
            return
        made = body.names.fresh("made")
        body.statements.append(Statement(f"{made} = {call}", first.id, no_grad))
        for member, part in used:
            if member.name is None:
                body.phrases[member.id] = Phrase(part.of(made))
            else:
                body.bind(replace(member, no_grad=no_grad), Phrase(part.of(made)))

    def _one_by_one(self, members: Sequence[Node], call: str) -> None:
        """Outputs that had one variable in turn, as in `for row in x`: each when it is used."""
        body = self._body
        made = body.names.fresh("parts")
        body.statements.append(Statement(f"{made} = iter({call})", members[0].id))
        body.turns.append(([*members], f"next({made})"))


def _stem(used: Sequence[tuple[Node, Share]]) -> str | None:
    """The list that the nodes are parts of, where they are called parts[0], parts[1] and so on."""
    names = [member.name or "" for member, _share in used]
    stem = names[0].partition("[")[0]
    fits = all(
        name == f"{stem}[{part.at}]" for name, (_member, part) in zip(names, used, strict=True)
    )
    return stem if fits and is_variable(stem) else None


def _runs(body: Body) -> dict[NodeId, list[tuple[Node, Share]]]:
    """For each node of a bundle, all of it; a bundle's nodes come one right behind the other."""
    diagram, found = body.diagram, dict[NodeId, list[tuple[Node, Share]]]()
    partner = bundles.partners(diagram)
    run: list[tuple[Node, Share]] = []
    for node in diagram.nodes.values():
        if node.is_source:
            continue
        part = bundles.share(node, diagram, partner)
        if part is None:
            run = []
            continue
        if part.template in bundles.SPLITS.values():
            part = replace(part, at=len(run) if run and run[0][1].key == part.key else 0)
            follows = bool(run) and run[-1][0].params.get("stop") == node.params["start"]
        else:
            follows = all(part.at != known.at for _member, known in run)
        if run and run[0][1].key == part.key and follows:
            run.append((node, part))
        else:
            run = [(node, part)]
        found[node.id] = run
    return {key: run for key, run in found.items() if _is_whole(run, body)}


def _is_whole(run: Sequence[tuple[Node, Share]], body: Body) -> bool:
    """Whether the call can be told: of a split all pieces have to be there."""
    first, last = run[0][0], run[-1][0]
    if first.op not in bundles.SPLITS:
        return True
    size = body.values[first.inputs[0] or ""].shape[first.params["dim"]]
    return bool(first.params["start"] == 0 and last.params["stop"] == size)


def _sizes(pieces: Sequence[Node]) -> int | list[int]:
    """What a split is given: the size of each piece, or of all but the last."""
    sizes = [piece.params["stop"] - piece.params["start"] for piece in pieces]
    return sizes if "with_sizes" in pieces[0].op else sizes[0]
