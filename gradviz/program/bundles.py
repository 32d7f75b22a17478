"""Nodes that one call makes together: the values and places of a sort, the factors of a matrix."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gradviz.diagram import Diagram, Node, NodeId

PLACES: Mapping[str, str] = {  # what finds the places for an op that picks elements
    "sort": "argsort",
    "sort_stable": "argsort",
    "topk": "topk_places",
    "kthvalue": "kthvalue_places",
    "mode": "mode_places",
    "median_dim": "median_places",
    "nanmedian_dim": "nanmedian_places",
    "cummax": "cummax_places",
    "cummin": "cummin_places",
}
PICKED: Mapping[str, str] = {
    "sort": "{0}.sort({dim=-1}{descending=False})",
    "sort_stable": "{0}.sort({dim=-1}{descending=False}, stable=True)",
    "topk": "{0}.topk({k}{dim=-1}{largest=True})",
    "kthvalue": "{0}.kthvalue({k}{dim=-1}{keepdim=False})",
    "mode": "{0}.mode({dim=-1}{keepdim=False})",
    "median_dim": "{0}.median({dim=}{keepdim=False})",
    "nanmedian_dim": "{0}.nanmedian({dim=}{keepdim=False})",
    "cummax": "{0}.cummax({dim=})",
    "cummin": "{0}.cummin({dim=})",
}
_VALUES = ("values", "indices")
_OUTPUTS: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "linalg_qr": ("torch.linalg.qr({0}{mode='reduced'})", ("Q", "R")),
    "linalg_svd": ("torch.linalg.svd({0}{full_matrices=True})", ("U", "S", "Vh")),
    "linalg_eigh": ("torch.linalg.eigh({0}{UPLO='L'})", ("eigenvalues", "eigenvectors")),
    "linalg_eig": ("torch.linalg.eig({0})", ("eigenvalues", "eigenvectors")),
    "linalg_slogdet": ("torch.linalg.slogdet({0})", ("sign", "logabsdet")),
    "linalg_lu": ("torch.linalg.lu({0})", ("P", "L", "U")),
    "frexp": ("torch.frexp({0})", ("mantissa", "exponent")),
    "triangular_solve": (
        "torch.triangular_solve({0}, {1}{upper=True}{transpose=False}{unitriangular=False})",
        ("solution", "cloned_coefficient"),
    ),
    "linalg_lstsq": ("torch.linalg.lstsq({0}, {1})", ("solution", "residuals")),
}
_PAIRS: Mapping[str, tuple[str, int]] = {  # a call of two outputs that have rows of their own
    "var_mean_var": ("torch.var_mean({0}{dim=None}{correction=1}{keepdim=False})", 0),
    "var_mean_mean": ("torch.var_mean({0}{dim=None}{correction=1}{keepdim=False})", 1),
    "std_mean_std": ("torch.std_mean({0}{dim=None}{correction=1}{keepdim=False})", 0),
    "std_mean_mean": ("torch.std_mean({0}{dim=None}{correction=1}{keepdim=False})", 1),
}
SPLITS: Mapping[str, str] = {
    "split": "{0}.split({sizes}{dim=0})",
    "split_with_sizes": "{0}.split({sizes}{dim=0})",
    "unsafe_split": "torch.unsafe_split({0}, {sizes}{dim=0})",
    "unsafe_split_with_sizes": "torch.unsafe_split_with_sizes({0}, {sizes}{dim=0})",
    "split_copy": "torch.split_copy({0}, {sizes}{dim=0})",
    "split_with_sizes_copy": "torch.split_with_sizes_copy({0}, {sizes}{dim=0})",
}


@dataclass(frozen=True, slots=True)
class Share:
    """A node's share of a call: `key` is the same for all; it is output `at`, called `field`."""

    key: Hashable
    template: str
    at: int
    field: str = ""

    def of(self, owner: str) -> str:
        return f"{owner}.{self.field}" if self.field else f"{owner}[{self.at}]"


def share(node: Node, diagram: Diagram, partner: Mapping[NodeId, Node]) -> Share | None:
    """The node's share of a call that has several outputs; None for all other nodes.

    `partner` names for a node that finds places the one that takes them.
    """
    if node.op in PLACES:
        places = diagram.nodes.get(node.inputs[1] or "")
        fits = places is not None and partner.get(places.id) is node
        return _picked(node.op, places, 0) if fits and places is not None else None
    if node.op in ("max_dim", "min_dim", "argmax", "argmin"):
        return _extreme(node, partner)
    if node.id in partner:
        return _picked(partner[node.id].op, node, 1)
    if node.op in SPLITS and node.params["step"] == 1:
        key = _key(node, without=("start", "stop"))
        return Share(key, SPLITS[node.op], 0)
    if node.op in _OUTPUTS:
        template, fields = _OUTPUTS[node.op]
        at = node.params["output"]
        return Share(_key(node, without=("output",)), template, at, fields[at])
    if node.op in _PAIRS:
        template, at = _PAIRS[node.op]
        key = (node.op.rsplit("_", 1)[0], node.inputs, str(node.params.get("dim")))
        return Share(key, template, at)
    if node.op in ("aminmax_min", "aminmax_max"):
        at = node.op == "aminmax_max"
        key = ("aminmax", node.inputs, str(dict(node.params)))
        whole = len(node.params["dim"] or ()) != 1
        template = f"torch.aminmax({{0}}{'' if whole else '{dim=}'}{{keepdim=False}})"
        return Share(key, template, int(at), "max" if at else "min")
    if node.op == "unbind":
        key = _key(node, without=("index",))
        return Share(key, "{0}.unbind({dim=0})", node.params["index"])
    if node.op == "unbind_copy":
        key = _key(node, without=("index",))
        return Share(key, "torch.unbind_copy({0}{dim=0})", node.params["index"])
    return None


def _key(node: Node, *, without: Sequence[str] = ()) -> Hashable:
    kept = {name: str(item) for name, item in node.params.items() if name not in without}
    return (node.op, node.inputs, tuple(sorted(kept.items())))


def _picked(op: str, places: Node, at: int) -> Share:
    return Share((op, places.id), PICKED[op], at, _VALUES[at])


def _extreme(node: Node, partner: Mapping[NodeId, Node]) -> Share | None:
    """`x.max(dim=1)`: the value, and its place where that was asked for too."""
    at = int(node.op.startswith("arg"))
    name = node.op[-3:] if at else node.op[:3]
    if at and node.id not in partner:
        return None
    key = (name, node.inputs, str(dict(node.params)))
    return Share(key, f"{{0}}.{name}({{dim=}}{{keepdim=False}})", at, _VALUES[at])


def partners(diagram: Diagram) -> dict[NodeId, Node]:
    """For each node that finds places, the node right behind it that takes them.

    For an argmax right behind the max over the same axis it is that max.
    """
    found: dict[NodeId, Node] = {}
    before: Node | None = None
    for node in diagram.nodes.values():
        if node.op in PLACES and before is not None:
            fits = (before.op, before.inputs) == (PLACES[node.op], node.inputs[:1])
            if fits and node.inputs[1] == before.id:
                found[before.id] = node
        elif node.op in ("argmax", "argmin") and before is not None:
            same = before.op == f"{node.op[3:]}_dim" and before.inputs == node.inputs
            if same and dict(before.params) == dict(node.params):
                found[node.id] = before
        before = node if not node.is_source else before
    return found


def params_of(node: Node, diagram: Diagram) -> Mapping[str, Any]:
    """The parameters of the call: those of the node that found the places, if another did."""
    if node.op in PLACES:
        return diagram.nodes[node.inputs[1] or ""].params
    own = {"full": "full_matrices", "unit": "unitriangular"}
    return {own.get(name, name): item for name, item in node.params.items()}
