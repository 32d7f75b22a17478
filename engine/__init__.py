"""A NumPy autodiff engine with PyTorch's face: `import engine as torch`."""

import math as _math

from engine import autograd, late, methods, nn, optim
from engine.dtypes import (
    Size,
    bool_,
    can_cast,
    cdouble,
    cfloat,
    complex64,
    complex128,
    dtype,
    finfo,
    float16,
    float32,
    float64,
    get_default_dtype,
    half,
    iinfo,
    int8,
    int16,
    int32,
    int64,
    long,
    promote_types,
    set_default_dtype,
    short,
    uint8,
)
from engine.dtypes import double as double
from engine.dtypes import float as float
from engine.dtypes import int as int
from engine.functions.arithmetic import (
    add,
    allclose,
    bitwise_and,
    bitwise_or,
    bitwise_xor,
    div,
    eq,
    equal,
    floor_divide,
    ge,
    gt,
    le,
    logical_and,
    logical_or,
    lt,
    maximum,
    minimum,
    mul,
    ne,
    pow,
    remainder,
    rsub,
    square,
    sub,
)
from engine.functions.creation import (
    as_tensor,
    empty,
    from_numpy,
    full,
    ones,
    rand,
    randn,
    tensor,
    zeros,
)
from engine.functions.device import Device as device  # noqa: N813
from engine.functions.elementwise import (
    abs,
    bitwise_not,
    ceil,
    clamp,
    clone,
    cos,
    exp,
    floor,
    isfinite,
    isinf,
    isnan,
    log,
    logical_not,
    masked_fill,
    neg,
    reciprocal,
    relu,
    round,
    rsqrt,
    sigmoid,
    sign,
    sin,
    sqrt,
    tanh,
    where,
)
from engine.functions.old import BoolTensor, DoubleTensor, FloatTensor, IntTensor, LongTensor
from engine.functions.pieces import chunk, numel, split, unbind
from engine.functions.products import addmm, bmm, dot, matmul, mm, mv, outer
from engine.functions.questions import is_tensor, result_type
from engine.functions.ranges import arange, eye, linspace
from engine.functions.reductions import (
    all,
    amax,
    amin,
    any,
    argmax,
    argmin,
    log_softmax,
    logsumexp,
    max,
    mean,
    min,
    softmax,
    sum,
)
from engine.functions.shapes import (
    cat,
    flatten,
    movedim,
    permute,
    reshape,
    squeeze,
    stack,
    t,
    transpose,
    unflatten,
    unsqueeze,
)
from engine.record import record
from engine.state import enable_grad, is_grad_enabled, no_grad, set_grad_enabled
from engine.tensor import Tensor

methods.attach()
bool = bool_
inf, nan, pi, e = _math.inf, _math.nan, _math.pi, _math.e
subtract = sub
multiply = mul
divide = div
true_divide = div
absolute = abs
negative = neg
clip = clamp
concat = cat
concatenate = cat
swapaxes = methods.FUNCTIONS["swapaxes"]
ravel = methods.FUNCTIONS["ravel"]
broadcast_to = methods.FUNCTIONS["broadcast_to"]
is_floating_point = methods.FUNCTIONS["is_floating_point"]


__getattr__ = late.Late(__name__, late.places(late.BOTH, late.TORCH), late.MODULES["engine"])

# fmt: off
__all__ = [
    "BoolTensor", "DoubleTensor", "FloatTensor", "Generator", "IntTensor", "LongTensor", "Size",
    "Tensor", "abs", "absolute", "add", "addmm", "all", "allclose", "amax", "amin", "any",
    "arange", "argmax", "argmin", "as_tensor", "autograd", "bitwise_and", "bitwise_not",
    "bitwise_or", "bitwise_xor", "bmm", "bool", "broadcast_to", "can_cast", "cat", "cdouble",
    "ceil", "cfloat", "chunk", "clamp", "clip", "clone", "complex64", "complex128", "concat",
    "concatenate", "cos", "device", "div", "divide", "dot", "double", "dtype", "e", "empty",
    "empty_like", "enable_grad", "eq", "equal", "exp", "eye", "finfo", "flatten", "float",
    "float16", "float32", "float64", "floor", "floor_divide", "from_numpy", "full", "full_like",
    "gather", "ge", "get_default_dtype", "gt", "half", "iinfo", "inf", "initial_seed", "int",
    "int8", "int16", "int32", "int64", "is_floating_point", "is_grad_enabled", "is_tensor",
    "isfinite", "isinf", "isnan", "le", "linalg", "linspace", "log", "log_softmax",
    "logical_and", "logical_not", "logical_or", "logsumexp", "long", "lt", "manual_seed",
    "masked_fill", "matmul", "max", "maximum", "mean", "min", "minimum", "mm", "movedim", "mul",
    "multiply", "mv", "nan", "narrow", "ne", "neg", "negative", "nn", "no_grad", "norm",
    "normal", "numel", "ones", "ones_like", "optim", "outer", "permute", "pi", "pow",
    "promote_types", "rand", "rand_like", "randint", "randn", "randn_like", "random",
    "randperm", "ravel", "reciprocal", "record", "relu", "remainder", "reshape", "result_type",
    "round", "rsqrt", "rsub", "seed", "set_default_dtype", "set_grad_enabled",
    "set_printoptions", "short", "sigmoid", "sign", "sin", "softmax", "split", "sqrt", "square",
    "squeeze", "stack", "sub", "subtract", "sum", "swapaxes", "t", "tanh", "tensor",
    "transpose", "true_divide", "uint8", "unbind", "unflatten", "unsqueeze", "where", "zeros",
    "zeros_like",
]
# fmt: on
