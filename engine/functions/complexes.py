"""Functions of complex numbers."""

from __future__ import annotations

from engine import dtypes
from engine.functions.arguments import check_tensors
from engine.functions.arithmetic import binary
from engine.functions.elementwise import unary
from engine.ops import OPS
from engine.state import STATE
from engine.tensor import Tensor, apply


def _is_complex(input: Tensor) -> bool:
    return bool(input._array.dtype.kind == "c")


def conj(input: Tensor) -> Tensor:
    """The complex conjugate; a real tensor as it is."""
    return apply(OPS["conj"], (input,), {}) if _is_complex(input) else input


def conj_physical(input: Tensor) -> Tensor:
    """The complex conjugate, written out; a real tensor as it is."""
    return apply(OPS["conj_physical"], (input,), {}) if _is_complex(input) else input


def resolve_conj(input: Tensor) -> Tensor:
    """The tensor itself: conjugation is never put off here."""
    return input


resolve_neg = resolve_conj


def view_as_real(input: Tensor) -> Tensor:
    """Real and imaginary parts along a new last axis, on the same memory."""
    if not _is_complex(input):
        raise RuntimeError("view_as_real is only supported for complex tensors")
    return apply(OPS["view_as_real"], (input,), {})


def view_as_complex(input: Tensor) -> Tensor:
    """Pairs along the last axis as complex numbers, on the same memory."""
    array = input._array
    if array.dtype.kind != "f":
        raise RuntimeError(
            "view_as_complex is only supported for half, float and double tensors, "
            f"but got a tensor of scalar type: {dtypes.word(input.dtype)}"
        )
    if not array.ndim:
        raise RuntimeError("Input tensor must have one or more dimensions")
    if array.shape[-1] != 2:
        raise RuntimeError("Tensor must have a last dimension of size 2")
    if array.strides[-1] != array.itemsize:
        raise RuntimeError("Tensor must have a last dimension with stride 1")
    if any(step % (2 * array.itemsize) for step in array.strides[:-1]):
        raise RuntimeError("Tensor must have a stride divisible by 2 for all but last dimension")
    return apply(OPS["view_as_complex"], (input,), {})


def real(input: Tensor) -> Tensor:
    """The real parts, a view; a real tensor as it is."""
    return _part(input, 0) if _is_complex(input) else input


def imag(input: Tensor) -> Tensor:
    """The imaginary parts, a view. Raises RuntimeError for a real tensor."""
    if not _is_complex(input):
        raise RuntimeError("imag is not implemented for tensors with non-complex dtypes.")
    return _part(input, 1)


def _part(input: Tensor, index: int) -> Tensor:
    return apply(OPS["select"], (view_as_real(input),), {"dim": input._array.ndim, "index": index})


def complex(real: Tensor, imag: Tensor) -> Tensor:
    """Complex numbers from their real and imaginary parts, which have one dtype."""
    check_tensors("complex", real=real, imag=imag)
    for tensor in (real, imag):
        if tensor._array.dtype.kind != "f":
            raise RuntimeError(
                "Expected both inputs to be Half, Float or Double tensors but got "
                f"{dtypes.word(real.dtype)} and {dtypes.word(imag.dtype)}"
            )
    _same_kind("imag", real, imag)
    if real.dtype is dtypes.float16:
        raise NotImplementedError("complex numbers in half precision are not available")
    return binary(OPS["complex"], real, imag)


def _same_kind(name: str, first: Tensor, second: Tensor) -> None:
    if first._array.dtype != second._array.dtype:
        raise RuntimeError(
            f"Expected object of scalar type {dtypes.word(first.dtype)} but got scalar type "
            f"{dtypes.word(second.dtype)} for second argument"
        )


def polar(abs: Tensor, angle: Tensor) -> Tensor:
    """Complex numbers from their magnitudes and angles, which have one dtype."""
    check_tensors("polar", abs=abs, angle=angle)
    for tensor in (abs, angle):
        if tensor._array.dtype.kind != "f":
            raise RuntimeError(
                "Expected both inputs to be Half, Float or Double tensors but got "
                f"{dtypes.word(abs.dtype)} and {dtypes.word(angle.dtype)}"
            )
    _same_kind("angle", abs, angle)
    if abs.dtype is dtypes.float16:
        raise NotImplementedError("\"polar_cpu\" not implemented for 'Half'")
    return binary(OPS["polar"], abs, angle)


_sgn = unary("sgn", "")


def sgn(input: Tensor) -> Tensor:
    """The sign; of a complex number its direction, of magnitude 1 (0 at 0).

    Raises NotImplementedError for real numbers that require grad: the gradient that PyTorch gives
    there is of a kind that is never computed, and `sign` is the same.
    """
    if STATE.grad_enabled and input._array.dtype.kind == "f" and input.requires_grad:
        raise NotImplementedError("Of real numbers that require grad, use sign: it is the same.")
    return _sgn(input)  # type: ignore[no-any-return]


angle = unary("angle", "The angle of each number in (-pi, pi]; pi for negative real numbers.")


def is_complex(input: Tensor) -> bool:
    """Whether the elements are complex."""
    return _is_complex(input)


def is_conj(input: Tensor) -> bool:
    """Whether a conjugation is put off: never, here."""
    return False


is_neg = is_conj
