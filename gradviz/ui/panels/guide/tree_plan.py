"""Where the decision path is drawn: boxes of questions and ends, and answers between them."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF

from gradviz.guide.decision import ENDS, FIRST, QUESTIONS, path_to

BOX, ANSWER, GAP = 42.0, 18.0, 9.0  # heights of a box and an answer; between them
LEVEL = BOX + 2 * GAP + ANSWER
_QUESTION, _BETWEEN = 284.0, 12.0


@dataclass(frozen=True, slots=True)
class Plan:
    """The box of each question and end, and where the answer that leads to it is centred."""

    boxes: dict[str, QRectF]
    answers: dict[str, QPointF]

    @staticmethod
    def height() -> float:
        """Of the whole picture, at any width."""
        deepest = max(len(path_to(key)) for key in ENDS)
        return (deepest - 1) * LEVEL + BOX + 8


def plan(width: float) -> Plan:
    """The picture at this width: ends in a row of columns, each question over its answers."""
    column = width / len(ENDS)
    centres = {key: (at + 0.5) * column for at, key in enumerate(_ends(FIRST))}
    _centre(FIRST, centres)
    boxes = {key: _box(key, at, column, width) for key, at in centres.items()}
    answers = {
        key: QPointF(box.center().x(), box.top() - GAP - ANSWER / 2)
        for key, box in boxes.items()
        if key != FIRST
    }
    return Plan(boxes, answers)


def _ends(key: str) -> list[str]:
    """The ends below a question, from left to right."""
    if key in ENDS:
        return [key]
    return [end for answer in QUESTIONS[key].answers for end in _ends(answer.to)]


def _centre(key: str, centres: dict[str, float]) -> float:
    if key not in centres:
        under = [_centre(answer.to, centres) for answer in QUESTIONS[key].answers]
        centres[key] = (under[0] + under[-1]) / 2
    return centres[key]


def _box(key: str, centre: float, column: float, width: float) -> QRectF:
    wide = column - _BETWEEN if key in ENDS else min(_QUESTION, 2.1 * column)
    if key == "apart":  # beside ends of its own level
        wide = min(wide, 1.5 * column)
    top = 4 + (len(path_to(key)) - 1) * LEVEL
    left = min(max(centre - wide / 2, 1.0), width - wide - 1.0)
    return QRectF(left, top, wide, BOX)
