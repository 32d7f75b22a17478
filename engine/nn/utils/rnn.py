"""`torch.nn.utils.rnn`: sequences of several lengths side by side."""

from __future__ import annotations

from collections.abc import Sequence

from engine.functions import shapes
from engine.nn.padding import pad
from engine.tensor import Tensor

__all__ = ["pad_sequence", "unpad_sequence"]


def pad_sequence(
    sequences: Sequence[Tensor] | Tensor,
    batch_first: bool = False,
    padding_value: float = 0.0,
    padding_side: str = "right",
) -> Tensor:
    """Tensors of one width and several lengths as one, the shorter ones filled up."""
    if padding_side not in ("left", "right"):
        raise RuntimeError("Expected padding_side to be one of left or right, but got "
                           f"{padding_side}.")  # fmt: skip
    listed = list(sequences)
    if not listed:
        raise RuntimeError("received an empty list of sequences")
    longest = max(len(sequence) for sequence in listed)
    made = []
    for sequence in listed:
        missing = longest - len(sequence)
        ends = (missing, 0) if padding_side == "left" else (0, missing)
        sides = [0, 0] * (sequence._array.ndim - 1) + list(ends)
        made.append(pad(sequence, sides, value=padding_value))
    return shapes.stack(made, 0 if batch_first else 1)


def unpad_sequence(
    padded_sequences: Tensor, lengths: Tensor, batch_first: bool = False
) -> list[Tensor]:
    """The sequences that were padded, each in its own length."""
    batch = padded_sequences if batch_first else shapes.transpose(padded_sequences, 0, 1)
    return [batch[place][: int(length)] for place, length in enumerate(lengths._array)]
