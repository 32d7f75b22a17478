"""What functions of matrices ask of their arguments, in PyTorch's words."""

from __future__ import annotations

from engine import dtypes
from engine.tensor import Tensor


def check_matrix(name: str, input: Tensor, letter: str = "A") -> None:
    """Raise RuntimeError for a tensor with fewer than two axes."""
    if input._array.ndim < 2:
        raise RuntimeError(f"{name}: The input tensor {letter} must have at least 2 dimensions.")


def check_square(name: str, input: Tensor, letter: str = "A") -> None:
    """Raise RuntimeError unless the tensor holds square matrices."""
    check_matrix(name, input, letter)
    m, n = input._array.shape[-2:]
    if m != n:
        raise RuntimeError(
            f"{name}: {letter} must be batches of square matrices, but they are {m} by {n} matrices"
        )


def check_floating(name: str, input: Tensor, kernel: str = "") -> None:
    """Raise for integers, and for half precision, which no kernel of LAPACK takes."""
    word = dtypes.word(input.dtype)
    if input._array.dtype.kind not in "fc":
        raise RuntimeError(
            f"{name}: Expected a floating point or complex tensor as input. Got {word}"
        )
    if input._array.dtype.itemsize == 2:
        if kernel:
            raise NotImplementedError(f"\"{kernel}\" not implemented for '{word}'")
        raise RuntimeError(f"{name}: Low precision dtypes not supported. Got {word}")


def check_kernel(kernel: str, input: Tensor) -> None:
    """Raise NotImplementedError for a dtype that PyTorch's kernel does not take."""
    if input._array.dtype.kind not in "fc" or input._array.dtype.itemsize == 2:
        word = dtypes.word(input.dtype)
        raise NotImplementedError(f"\"{kernel}\" not implemented for '{word}'")
