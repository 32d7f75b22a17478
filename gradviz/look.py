"""Design tokens: colours, type, spacing, radii, durations and measures of nodes."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Literal

Tone = Literal["value", "positive", "negative", "zero", "error", "empty"]
Theme = Literal["light", "dark"]


@dataclass(frozen=True, slots=True)
class Palette:
    """Named colours of a theme, "#RRGGBB". A `*_ground` lies under text or marks of that name."""

    canvas: str
    panel: str
    node: str
    ink: str
    soft: str
    line: str  # borders between quiet areas, no meaning of their own
    grid: str  # dots of the canvas
    edge: str  # idle edges, ports and outlines that must be seen
    selection: str  # selection, current node, primary action
    selection_ground: str
    on_selection: str  # text on a filled primary action
    positive: str
    positive_ground: str
    negative: str
    negative_ground: str
    zero: str  # ground of zeros and of values; its text is `ink`
    seed: str
    seed_ground: str
    reduction: str
    reduction_ground: str
    leaf: str
    leaf_ground: str
    error: str
    error_ground: str
    holds: str  # a check that passed, what is equal
    holds_ground: str


LIGHT = Palette(
    canvas="#F6F7F9",
    panel="#FFFFFF",
    node="#FFFFFF",
    ink="#1B1F24",
    soft="#5B6470",
    line="#D5DAE1",
    grid="#E3E7EC",
    edge="#868E99",
    selection="#0B6BCB",
    selection_ground="#D9E8F7",
    on_selection="#FFFFFF",
    positive="#9E4C03",
    positive_ground="#FDE3C8",
    negative="#2166AC",
    negative_ground="#D6E6F4",
    zero="#F0F1F3",
    seed="#8E3B86",
    seed_ground="#F6E4F3",
    reduction="#925200",
    reduction_ground="#FFF0D6",
    leaf="#00707A",
    leaf_ground="#DFF3F4",
    error="#B3261E",
    error_ground="#FBE4E2",
    holds="#2F6F1B",
    holds_ground="#E3F2DC",
)

DARK = Palette(
    canvas="#14171B",
    panel="#1B1F25",
    node="#222830",
    ink="#E7EAEE",
    soft="#9AA4B0",
    line="#323943",
    grid="#20252C",
    edge="#727D8B",
    selection="#5AA9F0",
    selection_ground="#1D3A54",
    on_selection="#14171B",
    positive="#F4A259",
    positive_ground="#4A3018",
    negative="#7DB7E8",
    negative_ground="#1C3448",
    zero="#2A3038",
    seed="#D58BCB",
    seed_ground="#3B2338",
    reduction="#F0B04F",
    reduction_ground="#40301A",
    leaf="#56C2CB",
    leaf_ground="#16383B",
    error="#F2877F",
    error_ground="#45221F",
    holds="#86C872",
    holds_ground="#213A1C",
)


def roles() -> tuple[str, ...]:
    """The names of all colours."""
    return tuple(field.name for field in fields(Palette))


@dataclass(frozen=True, slots=True)
class Type:
    """Families in order of preference, and sizes in px at zoom 1."""

    ui: tuple[str, ...] = ("Inter",)
    mono: tuple[str, ...] = ("JetBrains Mono",)
    cjk: tuple[str, ...] = ("Noto Sans CJK SC", "Microsoft YaHei UI", "PingFang SC")
    heading: float = 16.0
    body: float = 13.0
    caption: float = 13.0  # the sentence of a step
    title: float = 13.0  # a node's name: mono, bold
    cell: float = 12.0  # numbers: mono
    label: float = 11.0  # row labels, flags, notes, edge labels of the legend
    small: float = 10.0
    regular: int = 400
    bold: int = 600


TYPE = Type()


@dataclass(frozen=True, slots=True)
class Space:
    """The 8 px rhythm: half a beat, one, one and a half, two, three, four."""

    half: float = 4.0
    one: float = 8.0
    more: float = 12.0
    two: float = 16.0
    three: float = 24.0
    four: float = 32.0


SPACE = Space()


@dataclass(frozen=True, slots=True)
class Radius:
    """Corner radii in px. A leaf's ends are round: twice a node's."""

    cell: float = 3.0
    node: float = 8.0
    leaf: float = 16.0
    panel: float = 8.0
    pill: float = 10.0


RADIUS = Radius()


@dataclass(frozen=True, slots=True)
class Stroke:
    """Line widths in px and dash patterns in px on, px off."""

    hair: float = 1.0
    edge: float = 1.4
    edge_done: float = 1.8
    edge_current: float = 3.0
    node: float = 1.0
    node_marked: float = 1.5  # leaf, seed, reduction, error
    node_current: float = 2.5
    pulse: float = 5.5  # radius of the dot that moves along the current edge
    dash: tuple[float, float] = (5.0, 3.0)  # outline of a reduction
    dash_cell: tuple[float, float] = (2.0, 2.0)  # outline of an empty cell
    dash_edge: tuple[float, float] = (4.0, 4.0)  # an edge that carries no gradient
    second: float = 3.0  # from a frame to the second one of a node of a gradient computation
    hatch: float = 5.0  # distance of the hatching in a NaN or inf cell


STROKE = Stroke()


@dataclass(frozen=True, slots=True)
class Motion:
    """Durations in milliseconds; all are 0 where the system asks for less motion."""

    quick: int = 150
    calm: int = 200
    slow: int = 250
    step: int = 900  # one step while playing at speed 1


MOTION = Motion()


@dataclass(frozen=True, slots=True)
class NodeSize:
    """The inner measures of a node, in px at zoom 1.

    From the top: `header` with title and flag, `gap`, a row, `row_gap`, a row, `bottom`.
    From the left: `pad`, the row's label in `label_width`, then cells with `cell_gap` between.
    """

    min_width: float = 148.0
    max_width: float = 320.0
    header: float = 28.0
    pad: float = 12.0
    gap: float = 4.0
    label_width: float = 40.0
    row_gap: float = 6.0
    bottom: float = 10.0
    cell_min: float = 46.0  # six characters
    cell_height: float = 20.0
    cell_pad: float = 6.0
    cell_gap: float = 3.0
    swatch: float = 12.0  # side of a swatch of a heat map
    strip_swatch: float = 6.0  # width of a swatch of a strip
    note: float = 16.0  # height of a row's note
    seed_point: float = 14.0  # length of the tip of the seed's flag
    seed_gap: float = 28.0  # from the target to the tip of the seed's arrow's tail
    column_gap: float = 96.0  # between layers
    lane_gap: float = 28.0  # between nodes of a layer
    margin: float = 32.0  # around the picture


NODE = NodeSize()

FULL_NUMBERS, STRIP_NUMBERS, MAP_SIDE = 12, 64, 12  # elements as cells, as a strip; a map's side


def mix(start: str, end: str, amount: float) -> str:
    """The colour `amount` (0..1) of the way from `start` to `end`, in sRGB."""
    amount = min(max(amount, 0.0), 1.0)
    pairs = zip(_channels(start), _channels(end), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * amount):02X}" for a, b in pairs)


def cell_ground(colours: Palette, tone: Tone, level: float) -> str:
    """The ground of a cell with a number: pale at any level, so that the text stays readable."""
    match tone:
        case "positive":
            return mix(colours.zero, colours.positive_ground, 0.6 + 0.4 * level)
        case "negative":
            return mix(colours.zero, colours.negative_ground, 0.6 + 0.4 * level)
        case "error":
            return colours.error_ground
        case "empty":
            return colours.node
        case _:
            return colours.zero


def cell_ink(colours: Palette, tone: Tone) -> str:
    """The colour of a number on `cell_ground`."""
    match tone:
        case "positive" | "negative" | "error":
            ink: str = getattr(colours, tone)
            return ink
        case _:
            return colours.soft if tone == "empty" else colours.ink


def swatch(colours: Palette, tone: Tone, level: float) -> str:
    """The colour of a swatch of a strip or map.

    Gradients run from the colour of zero (level 0) over the pale ground (0.3) to the full colour
    (1), the same way for both signs; values run from the colour of zero to soft ink.
    """
    if tone in ("positive", "negative"):
        full = colours.positive if tone == "positive" else colours.negative
        pale = colours.positive_ground if tone == "positive" else colours.negative_ground
        if level < 0.3:
            return mix(colours.zero, pale, level / 0.3)
        return mix(pale, full, (level - 0.3) / 0.7)
    if tone == "value":
        return mix(colours.zero, colours.soft, level)
    return cell_ground(colours, tone, level)


def contrast(one: str, other: str) -> float:
    """The contrast ratio of two colours, 1..21 (WCAG 2.2, relative luminance)."""
    high, low = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def _channels(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def _luminance(colour: str) -> float:
    linear = [
        c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4
        for c in (channel / 255 for channel in _channels(colour))
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
