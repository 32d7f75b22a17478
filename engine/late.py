"""Where names live that few programs use: their modules load when a name is first asked for.

A whole import of the engine would otherwise take longer than NumPy's own.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any

from engine.functions.naming import numpy_names

# Module -> the names that it offers. `BOTH` are functions of the torch namespace and methods of
# Tensor, `TORCH` functions only, `METHODS` methods or properties only, `NN` those of nn.functional,
# `AUTOGRAD` those of autograd.
BOTH: dict[str, str] = {
    "engine.functions.settings": "get_device",
    "engine.functions.short_time": "stft",
    "engine.functions.inverse_short_time": "istft",
    "engine.functions.questions": "is_nonzero is_same_size is_signed",
    "engine.functions.reflections": "ormqr orgqr geqrf",
    "engine.functions.sampling": "bernoulli multinomial",
    "engine.inference": "is_inference",
    "engine.functions.distances": "dist",
    "engine.functions.chains": "matrix_power",
    "engine.functions.contractions": "inner kron",
    "engine.functions.factorization": "cholesky qr lu lu_solve",
    "engine.functions.norms": "norm",
    "engine.functions.solving": (
        "inverse det slogdet logdet cholesky_solve cholesky_inverse triangular_solve"
    ),
    "engine.functions.spectral": "svd pinverse matrix_exp",
    "engine.functions.sums": "addmv addbmm baddbmm addr vdot cross ger",
    "engine.functions.arrangement": (
        "flip fliplr flipud roll rot90 tile repeat_interleave tril triu diagonal diag_embed "
        "diag diagflat trace adjoint"
    ),
    "engine.functions.differences": "diff",
    "engine.functions.index_ops": (
        "index_select index_add index_reduce index_copy index_fill index_put"
    ),
    "engine.functions.joins": "swapdims",
    "engine.functions.shapes": "moveaxis",
    "engine.functions.ordering": "sort argsort msort topk kthvalue mode median nanmedian",
    "engine.functions.quantiles": "quantile nanquantile",
    "engine.functions.scans": "cumsum cumprod logcumsumexp cummax cummin prod",
    "engine.functions.scatter": (
        "gather scatter scatter_add scatter_reduce take_along_dim take masked_select "
        "masked_scatter put"
    ),
    "engine.functions.search": (
        "nonzero nonzero_static histogram argwhere bincount histc unique_consecutive unique"
    ),
    "engine.functions.splits": (
        "split_with_sizes unsafe_split unsafe_split_with_sizes unsafe_chunk tensor_split hsplit "
        "vsplit dsplit"
    ),
    "engine.functions.statistics": (
        "var std nansum nanmean aminmax count_nonzero renorm cov corrcoef"
    ),
    "engine.functions.strided": (
        "select narrow as_strided as_strided_scatter slice_scatter select_scatter diagonal_scatter"
    ),
    "engine.functions.bounds": "fmax fmin",
    "engine.functions.combined": "lerp addcmul addcdiv",
    "engine.functions.complexes": (
        "conj conj_physical resolve_conj resolve_neg sgn angle is_complex is_conj is_neg"
    ),
    "engine.functions.error": "erf erfc erfinv i0",
    "engine.functions.exponential": (
        "exp2 expm1 log1p log2 log10 logaddexp logaddexp2 xlogy logit ldexp float_power"
    ),
    "engine.functions.gamma": "lgamma digamma mvlgamma igamma igammac",
    "engine.functions.late_in_place": (
        "acos_ arccos_ acosh_ arccosh_ asin_ arcsin_ asinh_ arcsinh_ atan_ arctan_ atanh_ arctanh_ "
        "sin_ cos_ tan_ sinh_ cosh_ sinc_ deg2rad_ rad2deg_ exp2_ expm1_ log1p_ log2_ log10_ "
        "xlogy_ logit_ ldexp_ lgamma_ erf_ erfc_ i0_ trunc_ fix_ frac_ floor_ ceil_ round_ "
        "rsqrt_ reciprocal_ square_ nan_to_num_ clamp_min_ clamp_max_ "
        "conj_physical_"
    ),
    "engine.functions.logic": (
        "greater greater_equal less less_equal not_equal signbit isposinf isneginf isreal isclose "
        "logical_xor heaviside gcd lcm bitwise_left_shift bitwise_right_shift"
    ),
    "engine.functions.rounding": "trunc fix frac fmod copysign nextafter nan_to_num frexp",
    "engine.functions.trigonometric": (
        "tan asin arcsin acos arccos atan arctan sinh cosh asinh arcsinh acosh arccosh atanh "
        "arctanh sinc deg2rad rad2deg atan2 arctan2 hypot"
    ),
}
TORCH: dict[str, str] = {
    "engine.functions.drawing": (
        "empty_like full_like normal ones_like rand_like randint randn_like randperm zeros_like"
    ),
    "engine.printing": "set_printoptions",
    "engine.functions.gamma": "polygamma",
    "engine.functions.windows": (
        "hann_window hamming_window blackman_window bartlett_window kaiser_window"
    ),
    "engine.conversions": "detach",
    "engine.functions.in_place": "detach_ fill_ zero_",
    "engine.functions.settings": (
        "are_deterministic_algorithms_enabled compile contiguous_format get_default_device "
        "get_float32_matmul_precision get_num_threads newaxis preserve_format "
        "set_float32_matmul_precision set_num_threads strided typename "
        "use_deterministic_algorithms"
    ),
    "engine.nn.sampling": "grid_sampler grid_sampler_2d grid_sampler_3d",
    "engine.functions.old": "HalfTensor ByteTensor CharTensor ShortTensor",
    "engine.functions.powers": "vander",
    "engine.functions.new": "scalar_tensor logspace asarray",
    "engine.errors": "set_warn_always is_warn_always_enabled",
    "engine.inference": "inference_mode is_inference_mode_enabled",
    "engine.functions.sampling": "randint_like",
    "engine.functions.distances": "cdist pdist pairwise_distance cosine_similarity",
    "engine.autograd.anomaly_mode": "is_anomaly_enabled is_anomaly_check_nan_enabled",
    "engine.functions.late_in_place": "relu_ exp_ log_ sqrt_ sigmoid_ tanh_ abs_ neg_ clamp_",
    "engine.nn.activations": (
        "selu celu prelu threshold rrelu hardshrink selu_ celu_ threshold_ rrelu_"
    ),
    "engine.functions.elementwise": "clamp_min clamp_max positive",
    "engine.nn.dropout": "dropout alpha_dropout feature_alpha_dropout",
    "engine.nn.folding": "pixel_shuffle pixel_unshuffle channel_shuffle",
    "engine.functions.chains": "chain_matmul",
    "engine.functions.contractions": "tensordot",
    "engine.functions.einsum": "einsum",
    "engine.functions.factorization": "lu_unpack",
    "engine.functions.arrangement": "fill block_diag",
    "engine.functions.copies": (
        "view_copy expand_copy permute_copy transpose_copy t_copy squeeze_copy unsqueeze_copy "
        "alias_copy detach_copy diagonal_copy as_strided_copy select_copy slice_copy "
        "narrow_copy unfold_copy unbind_copy split_copy split_with_sizes_copy"
    ),
    "engine.functions.differences": "gradient trapezoid trapz cumulative_trapezoid",
    "engine.functions.joins": (
        "atleast_1d atleast_2d atleast_3d hstack vstack dstack row_stack column_stack "
        "broadcast_shapes broadcast_tensors meshgrid combinations cartesian_prod"
    ),
    "engine.functions.search": (
        "bucketize searchsorted isin unravel_index tril_indices triu_indices"
    ),
    "engine.functions.statistics": "var_mean std_mean",
    "engine.nn.normalization": (
        "layer_norm group_norm rms_norm native_batch_norm native_layer_norm native_group_norm"
    ),
    "engine.functions.complexes": "real imag complex polar view_as_real view_as_complex",
    "engine.nn.max_pooling": (
        "max_pool1d max_pool2d max_pool3d adaptive_max_pool1d max_pool1d_with_indices"
    ),
    "engine.nn.pooling": "avg_pool1d adaptive_avg_pool1d",
    "engine.nn.convolution": (
        "conv1d conv2d conv3d conv_transpose1d conv_transpose2d conv_transpose3d"
    ),
    "engine.nn.padding": "constant_pad_nd",
    "engine.random": (
        "default_generator Generator get_rng_state set_rng_state manual_seed initial_seed seed"
    ),
    "engine.func.batches": "vmap",
}
METHODS: dict[str, str] = {
    "engine.functions.drawing": "uniform_ normal_",
    "engine.functions.settings": (
        "is_cpu is_meta is_nested is_pinned is_quantized is_shared is_sparse layout name output_nr"
    ),
    "engine.functions.casts": "byte char cfloat cdouble bfloat16 chalf",
    "engine.functions.new": "new_zeros new_ones new_empty new_full new_tensor",
    "engine.functions.sampling": "bernoulli_ exponential_ random_",
    "engine.functions.hooking": "register_hook register_post_accumulate_grad_hook",
    "engine.nn.activations": "prelu hardshrink",
    "engine.functions.elementwise": "positive",
    "engine.functions.arrangement": "repeat H mH",
    "engine.functions.joins": "sum_to_size",
    "engine.functions.reshaped": (
        "squeeze_ unsqueeze_ transpose_ swapaxes_ swapdims_ t_ fill_diagonal_"
    ),
    "engine.functions.sparse": "to_sparse to_dense",
    "engine.functions.strided": "unfold storage_offset",
    "engine.functions.copies": "narrow_copy",
    "engine.functions.late_in_place": (
        "addmm_ addmv_ addbmm_ baddbmm_ addr_ "
        "cumsum_ cumprod_ tril_ triu_ index_add_ index_copy_ index_fill_ index_put_ index_reduce_ "
        "scatter_ scatter_add_ scatter_reduce_ masked_scatter_ put_ renorm_ "
        "eq_ ne_ gt_ ge_ lt_ le_ logical_not_ logical_and_ logical_or_ logical_xor_ heaviside_ "
        "greater_ greater_equal_ less_ less_equal_ not_equal_ absolute_ negative_ sign_ "
        "sgn_ digamma_ polygamma_ mvlgamma_ erfinv_ atan2_ arctan2_ "
        "hypot_ fmod_ remainder_ floor_divide_ copysign_ nextafter_ lerp_ addcmul_ "
        "addcdiv_ bitwise_and_ bitwise_or_ "
        "bitwise_xor_ bitwise_not_ bitwise_left_shift_ bitwise_right_shift_ "
        "subtract_ multiply_ divide_ gcd_ lcm_ "
        "true_divide_ clip_"
    ),
    "engine.functions.properties": "real imag polygamma",
}
AUTOGRAD: dict[str, str] = {
    "engine.autograd.calls": "backward grad",
    "engine.inference": "inference_mode",
    "engine.autograd.anomaly_mode": "detect_anomaly set_detect_anomaly",
    "engine.autograd.function": "Function",
    "engine.autograd.variable": "Variable",
    "engine.autograd.checking": "gradcheck gradgradcheck",
}
NN: dict[str, str] = {
    "engine.nn.sampling": "grid_sample affine_grid",
    "engine.functions.distances": "pdist pairwise_distance cosine_similarity normalize",
    "engine.nn.multihead": "multi_head_attention_forward",
    "engine.nn.attention": "scaled_dot_product_attention",
    "engine.nn.dropout": (
        "dropout dropout1d dropout2d dropout3d alpha_dropout feature_alpha_dropout"
    ),
    "engine.nn.embedding": "embedding embedding_bag",
    "engine.nn.folding": "unfold fold pixel_shuffle pixel_unshuffle channel_shuffle",
    "engine.nn.resampling": "interpolate upsample upsample_nearest upsample_bilinear",
    "engine.functions.sums": "bilinear",
    "engine.nn.normalization": (
        "layer_norm group_norm batch_norm instance_norm rms_norm local_response_norm"
    ),
    "engine.nn.activations": (
        "threshold relu6 hardtanh elu selu celu leaky_relu rrelu prelu gelu silu mish hardswish "
        "hardsigmoid hardshrink softshrink softplus logsigmoid softsign tanhshrink glu softmin "
        "gumbel_softmax threshold_ hardtanh_ elu_ selu_ celu_ leaky_relu_ rrelu_"
    ),
    "engine.nn.ctc": "ctc_loss",
    "engine.nn.linear_cross_entropy": "linear_cross_entropy",
    "engine.nn.losses": (
        "l1_loss smooth_l1_loss huber_loss binary_cross_entropy binary_cross_entropy_with_logits "
        "kl_div poisson_nll_loss gaussian_nll_loss multilabel_soft_margin_loss"
    ),
    "engine.nn.margin_losses": (
        "margin_ranking_loss hinge_embedding_loss cosine_embedding_loss triplet_margin_loss "
        "triplet_margin_with_distance_loss soft_margin_loss multi_margin_loss "
        "multilabel_margin_loss"
    ),
    "engine.nn.max_pooling": (
        "max_pool1d max_pool2d max_pool3d adaptive_max_pool1d adaptive_max_pool2d "
        "adaptive_max_pool3d max_unpool1d max_unpool2d max_unpool3d "
        "max_pool1d_with_indices max_pool2d_with_indices max_pool3d_with_indices"
    ),
    "engine.nn.pooling": (
        "avg_pool1d avg_pool2d avg_pool3d adaptive_avg_pool1d adaptive_avg_pool2d "
        "adaptive_avg_pool3d lp_pool1d lp_pool2d lp_pool3d"
    ),
    "engine.nn.padding": "pad",
    "engine.nn.convolution": (
        "conv1d conv2d conv3d conv_transpose1d conv_transpose2d conv_transpose3d"
    ),
}
# Modules that are names of their parent: `torch.fft`, `torch.autograd.functional`.
MODULES: dict[str, str] = {
    "engine.autograd": "function functional grad_mode",
    "engine": "backends cuda fft func linalg masked random special utils",
}


def places(*tables: Mapping[str, str]) -> dict[str, str]:
    """The module of each name."""
    return {
        name: module
        for table in tables
        for module, names in table.items()
        for name in names.split()
    }


class LateMethod:
    """Stands on a class for a method that is not loaded yet; the first use puts it there."""

    __slots__ = ("module", "name")

    def __init__(self, module: str, name: str) -> None:
        self.module = module
        self.name = name

    def __get__(self, instance: Any, owner: type) -> Any:
        found = getattr(importlib.import_module(self.module), self.name)
        setattr(owner, self.name, numpy_names(found))
        return getattr(owner if instance is None else instance, self.name)


class Late:
    """A module's `__getattr__`: finds a late name, loads its module, and keeps what it found."""

    def __init__(self, package: str, names: Mapping[str, str], modules: str = "") -> None:
        self.package = package
        self.names = names
        self.modules = modules.split()

    def __call__(self, name: str) -> Any:
        if name in self.modules:
            return importlib.import_module(f"{self.package}.{name}")
        if name in self.names:
            found = getattr(importlib.import_module(self.names[name]), name)
            if self.package in ("engine", "engine.linalg"):
                found = numpy_names(found)
            setattr(importlib.import_module(self.package), name, found)
            return found
        module = self.package.replace("engine", "torch", 1)  # the name that it goes by
        raise AttributeError(f"module {module!r} has no attribute {name!r}")
