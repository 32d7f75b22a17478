"""How each op of the table is called in PyTorch, where one call with its parameters says it."""

from __future__ import annotations

from collections.abc import Mapping

# Functions of `torch` with the op's own name, of one tensor and without parameters.
_PLAIN = """
    exp log sqrt rsqrt sin cos tanh reciprocal floor ceil round sigmoid relu erf erfc erfinv exp2
    expm1 log1p log2 log10 lgamma digamma trunc frac tan asin acos atan sinh cosh asinh acosh atanh
    sinc deg2rad rad2deg sign isnan isinf isfinite signbit isposinf isneginf logical_not
    conj_physical i0 angle median nanmedian
""".split()  # noqa: SIM905  a long table of names reads better as text
_SPECIAL = """
    i0e i1 i1e bessel_j0 bessel_j1 bessel_y0 bessel_y1 modified_bessel_i0 modified_bessel_i1
    modified_bessel_k0 modified_bessel_k1 scaled_modified_bessel_k0 scaled_modified_bessel_k1
    airy_ai spherical_bessel_j0 erfcx ndtri log_ndtr entr
""".split()  # noqa: SIM905
_TWO = """
    maximum minimum fmax fmin logical_and logical_or logical_xor fmod logaddexp logaddexp2 xlogy
    ldexp copysign nextafter atan2 hypot gcd lcm heaviside igamma igammac complex polar dot vdot mv
    outer bitwise_left_shift bitwise_right_shift
""".split()  # noqa: SIM905
_METHODS = "abs max min trace clone detach conj t neg".split()  # noqa: SIM905
_ACTIVATIONS = "silu mish hardsigmoid hardswish".split()  # noqa: SIM905

_AXES = "{dim=None}{keepdim=False}"
_OVER = f"({_AXES}{{dtype=None}})"
_GROUPS: Mapping[str, tuple[list[str], str]] = {
    "plain": (_PLAIN, "torch.{op}({0})"),
    "special": (_SPECIAL, "torch.special.{op}({0})"),
    "two": (_TWO, "torch.{op}({0}, {1})"),
    "methods": (_METHODS, "{0}.{op}()"),
    "activations": (_ACTIVATIONS, "F.{op}({0})"),
}

CALLS: dict[str, str] = {
    name: template.replace("{op}", name) for names, template in _GROUPS.values() for name in names
}
CALLS |= {
    # sums, means and what else makes axes disappear
    "sum": "{0}.sum" + _OVER,
    "mean": "{0}.mean" + _OVER,
    "prod": "{0}.prod" + _OVER,
    "nansum": "{0}.nansum" + _OVER,
    "amax": f"{{0}}.amax({_AXES})",
    "amin": f"{{0}}.amin({_AXES})",
    "all": f"{{0}}.all({_AXES})",
    "any": f"{{0}}.any({_AXES})",
    "argmax": f"{{0}}.argmax({_AXES})",
    "argmin": f"{{0}}.argmin({_AXES})",
    "logsumexp": "{0}.logsumexp({dim=}{keepdim=False})",
    "vector_norm": f"torch.linalg.vector_norm({{0}}{{ord=2}}{_AXES})",
    "norm_dim": "torch.norm({0}, {ord}, {dim}{keepdim=False})",
    "var": f"{{0}}.var({_AXES}{{correction=1}})",
    "std": f"{{0}}.std({_AXES}{{correction=1}})",
    "cumsum": "{0}.cumsum({dim=}{dtype=None})",
    "cumprod": "{0}.cumprod({dim=}{dtype=None})",
    "logcumsumexp": "{0}.logcumsumexp({dim=})",
    "renorm": "torch.renorm({0}, {p}, {dim}, {maxnorm})",
    # products
    "mm": "{0} @ {1}",
    "bmm": "torch.bmm({0}, {1})",
    "addmm": "torch.addmm({0}, {1}, {2}{beta=1}{alpha=1})",
    "addmv": "torch.addmv({0}, {1}, {2}{beta=1}{alpha=1})",
    "addbmm": "torch.addbmm({0}, {1}, {2}{beta=1}{alpha=1})",
    "baddbmm": "torch.baddbmm({0}, {1}, {2}{beta=1}{alpha=1})",
    "addr": "torch.addr({0}, {1}, {2}{beta=1}{alpha=1})",
    "addcmul": "torch.addcmul({0}, {1}, {2}{value=1})",
    "addcdiv": "torch.addcdiv({0}, {1}, {2}{value=1})",
    "add_scaled": "torch.add({0}, {1}{alpha=})",
    "sub_scaled": "torch.sub({0}, {1}{alpha=})",
    "rsub_tensor": "torch.rsub({0}, {1}{alpha=})",
    "lerp": "torch.lerp({0}, {1}, {weight})",
    "lerp_tensor": "torch.lerp({0}, {1}, {2})",
    "linalg_cross": "torch.linalg.cross({0}, {1}{dim=-1})",
    "block_diag": "torch.block_diag({*})",
    "cdist": "torch.cdist({0}, {1}{p=2.0})",
    "pdist": "F.pdist({0}{p=2.0})",
    "dist": "torch.dist({0}, {1}{p=2})",
    # shapes
    "view": "{0}.view({shape})",
    "unsqueeze": "{0}.unsqueeze({dim})",
    "transpose": "{0}.transpose({dim0}, {dim1})",
    "permute": "{0}.permute({dims})",
    "expand": "{0}.expand({shape})",
    "alias": "{0}[...]",
    "cat": "torch.cat([{*}]{dim=0})",
    "stack": "torch.stack([{*}]{dim=0})",
    "flip": "{0}.flip({dims})",
    "roll": "{0}.roll({shifts}, {dims})",
    "rot90": "torch.rot90({0}, {k}, {dims})",
    "tril": "{0}.tril({diagonal=0})",
    "triu": "{0}.triu({diagonal=0})",
    "diagonal": "{0}.diagonal({offset=0}{dim1=0}{dim2=1})",
    "diag_embed": "torch.diag_embed({0}{offset=0}{dim1=-2}{dim2=-1})",
    "repeat": "{0}.repeat({repeats})",
    "unfold": "{0}.unfold({dim}, {size}, {step})",
    "to": "{0}.to({dtype})",
    "pixel_shuffle": "F.pixel_shuffle({0}, {factor})",
    "pixel_unshuffle": "F.pixel_unshuffle({0}, {factor})",
    "channel_shuffle": "F.channel_shuffle({0}, {groups})",
    "view_as_real": "torch.view_as_real({0})",
    "view_as_complex": "torch.view_as_complex({0})",
    "real": "{0}.real",
    "imag": "{0}.imag",
    # copies of views
    "alias_copy": "torch.alias_copy({0})",
    "diagonal_copy": "torch.diagonal_copy({0}{offset=0}{dim1=0}{dim2=1})",
    "expand_copy": "torch.expand_copy({0}, {shape})",
    "permute_copy": "torch.permute_copy({0}, {dims})",
    "select_copy": "torch.select_copy({0}, {dim}, {index})",
    "slice_copy": "torch.slice_copy({0}, {dim}, {start}, {stop}, {step})",
    "squeeze_copy": "torch.squeeze_copy({0}, {dim})",
    "t_copy": "torch.t_copy({0})",
    "transpose_copy": "torch.transpose_copy({0}, {dim0}, {dim1})",
    "unfold_copy": "torch.unfold_copy({0}, {dim}, {size}, {step})",
    "unsqueeze_copy": "torch.unsqueeze_copy({0}, {dim})",
    "view_copy": "torch.view_copy({0}, {shape})",
    "as_strided_copy": "torch.as_strided_copy({0}, {sizes}, {strides}, {start})",
    "as_strided": "torch.as_strided({0}, {sizes}, {strides}, {start})",
    # pieces
    "where": "torch.where({0}, {1}, {2})",
    "gather": "{0}.gather({dim}, {1})",
    "scatter_add": "{0}.scatter_add({dim}, {1}, {2})",
    "scatter": "{0}.scatter({dim}, {1}, {2})",
    "scatter_value": "{0}.scatter({dim}, {1}, {value})",
    "scatter_reduce": "{0}.scatter_reduce({dim}, {1}, {2}, {reduce}{include_self=True})",
    "index_select": "{0}.index_select({dim}, {1})",
    "index_add": "{0}.index_add({dim}, {1}, {2}{alpha=1})",
    "index_copy": "{0}.index_copy({dim}, {1}, {2})",
    "index_fill": "{0}.index_fill({dim}, {1}, {value})",
    "index_fill_tensor": "{0}.index_fill({dim}, {1}, {2})",
    "index_reduce": "{0}.index_reduce({dim}, {1}, {2}, {reduce}{include_self=True})",
    "take": "{0}.take({1})",
    "put_at": "{0}.put({1}, {2}{accumulate=False})",
    "masked_fill": "{0}.masked_fill({1}, {value})",
    "masked_fill_tensor": "{0}.masked_fill({1}, {2})",
    "masked_select": "{0}.masked_select({1})",
    "masked_scatter": "{0}.masked_scatter({1}, {2})",
    "embedding": "F.embedding({1}, {0}{padding_idx=-1}{scale_grad_by_freq=False})",
    # bounds and rounding
    "clamp": "{0}.clamp({min=None}{max=None})",
    "clamp_min": "{0}.clamp_min({min})",
    "clamp_max": "{0}.clamp_max({max})",
    "clamp_min_tensor": "{0}.clamp_min({1})",
    "clamp_max_tensor": "{0}.clamp_max({1})",
    "round_decimals": "{0}.round({decimals=})",
    "div_rounded": "torch.div({0}, {1}, rounding_mode={mode})",
    "nan_to_num": "torch.nan_to_num({0}{nan=0.0}{posinf=None}{neginf=None})",
    "logit": "torch.logit({0}{eps=None})",
    # special functions
    "polygamma": "torch.polygamma({n}, {0})",
    "mvlgamma": "torch.mvlgamma({0}, {p})",
    "zeta": "torch.special.zeta({0}, {1})",
    "xlogy_number_first": "torch.xlogy({0}, {1})",
    "xlogy_number_last": "torch.xlogy({0}, {1})",
    "xlog1py": "torch.special.xlog1py({0}, {1})",
    "xlog1py_number_first": "torch.special.xlog1py({0}, {1})",
    "xlog1py_number_last": "torch.special.xlog1py({0}, {1})",
    "copysign_number": "torch.copysign({0}, {1})",
    "fmod_number": "torch.fmod({0}, {1})",
    # activations
    "softmax": "torch.softmax({0}{dim=})",
    "log_softmax": "torch.log_softmax({0}{dim=})",
    "log_sigmoid": "F.logsigmoid({0})",
    "softplus": "F.softplus({0}{beta=1}{threshold=20})",
    "gelu": "F.gelu({0}{approximate='none'})",
    "glu": "F.glu({0}{dim=-1})",
    "leaky_relu": "F.leaky_relu({0}{negative_slope=0.01})",
    "hardtanh": "F.hardtanh({0}{min_val=-1.0}{max_val=1.0})",
    "threshold": "F.threshold({0}, {threshold}, {value})",
    "hardshrink": "F.hardshrink({0}{lambd=0.5})",
    "softshrink": "F.softshrink({0}{lambd=0.5})",
    # losses
    "mse_loss": "F.mse_loss({0}, {1}{reduction='mean'})",
    "soft_margin_loss": "F.soft_margin_loss({0}, {1}{reduction='mean'})",
    "multilabel_margin_loss": "F.multilabel_margin_loss({0}, {1}{reduction='mean'})",
    "smooth_l1_loss": "F.smooth_l1_loss({0}, {1}{reduction='mean'}{beta=1.0})",
    "huber_loss": "F.huber_loss({0}, {1}{reduction='mean'}{delta=1.0})",
    # matrices
    "linalg_inv": "torch.linalg.inv({0})",
    "linalg_lu_factor": "torch.linalg.lu_factor({0}).LU",
    "linalg_det": "torch.linalg.det({0})",
    "linalg_solve": "torch.linalg.solve({0}, {1}{left=True})",
    "linalg_matrix_exp": "torch.linalg.matrix_exp({0})",
    "linalg_householder_product": "torch.linalg.householder_product({0}, {1})",
    "ormqr": "torch.ormqr({0}, {1}, {2}{left=True}{transpose=False})",
    "cholesky_solve": "torch.cholesky_solve({0}, {1}{upper=False})",
    "cholesky_inverse": "torch.cholesky_inverse({0}{upper=False})",
    "linalg_pinv": "torch.linalg.pinv({0}{atol=None}{rtol=None}{hermitian=False})",
    # places
    "argsort": "{0}.argsort({dim=-1}{descending=False})",
}
