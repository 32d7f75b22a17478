"""Losses as modules."""

from __future__ import annotations

from typing import Any

from engine.nn.loss_checks import reduction_of
from engine.nn.modules.applied import Applied, settings
from engine.nn.modules.distance import PairwiseDistance

_OLDER: dict[str, Any] = {"size_average": None, "reduce": None}
_REDUCTION: dict[str, Any] = {**_OLDER, "reduction": "mean"}


class Loss(Applied):
    """A function of what was computed and what was wanted, reduced.

    The two older arguments decide about the reduction where either is given. A `weight` is a
    buffer.
    """

    _kept = ("size_average", "reduce")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        older = {name: self.__dict__.pop(name, None) for name in ("size_average", "reduce")}
        if any(value is not None for value in older.values()):
            self.reduction = reduction_of("mean", **older)

    def _set(self, name: str, value: Any) -> None:
        if name in ("weight", "pos_weight"):
            self.register_buffer(name, value)
        else:
            setattr(self, name, value)


class MSELoss(Loss):
    """The squared difference."""

    _function = "mse_loss"
    _settings = _REDUCTION


class L1Loss(Loss):
    """The absolute difference."""

    _function = "l1_loss"
    _settings = _REDUCTION


class SmoothL1Loss(Loss):
    """Squared near 0, straight beyond `beta`."""

    _function = "smooth_l1_loss"
    _settings = settings(**_REDUCTION, beta=1.0)


class HuberLoss(Loss):
    """Squared up to `delta`, straight beyond."""

    _function = "huber_loss"
    _settings = settings(reduction="mean", delta=1.0)


class NLLLoss(Loss):
    """Minus the log-probability of each target class."""

    _function = "nll_loss"
    _settings = settings(
        weight=None, size_average=None, ignore_index=-100, reduce=None, reduction="mean"
    )


class CrossEntropyLoss(Loss):
    """log_softmax and nll_loss in one."""

    _function = "cross_entropy"
    _settings = settings(**NLLLoss._settings, label_smoothing=0.0)


class BCELoss(Loss):
    """The cross entropy of probabilities and targets between 0 and 1."""

    _function = "binary_cross_entropy"
    _settings = settings(weight=None, **_REDUCTION)


class BCEWithLogitsLoss(Loss):
    """BCELoss of the sigmoid."""

    _function = "binary_cross_entropy_with_logits"
    _settings = settings(weight=None, **_REDUCTION, pos_weight=None)


class KLDivLoss(Loss):
    """The divergence of Kullback and Leibler; the input is of log-probabilities."""

    _function = "kl_div"
    _settings = settings(**_REDUCTION, log_target=False)


class PoissonNLLLoss(Loss):
    """Minus the log-likelihood of counts."""

    _function = "poisson_nll_loss"
    _settings = settings(
        log_input=True, full=False, size_average=None, eps=1e-8, reduce=None, reduction="mean"
    )


class GaussianNLLLoss(Loss):
    """Minus the log-likelihood of normal numbers with given variances."""

    _function = "gaussian_nll_loss"
    _settings = settings(full=False, eps=1e-6, reduction="mean")
    _keyword_only = ("full", "eps", "reduction")


class SoftMarginLoss(Loss):
    """log(1 + exp(-target * input))."""

    _function = "soft_margin_loss"
    _settings = _REDUCTION


class MarginRankingLoss(Loss):
    """How far the first input is from being the larger by a margin."""

    _function = "margin_ranking_loss"
    _settings = settings(margin=0.0, **_REDUCTION)


class HingeEmbeddingLoss(Loss):
    """The input for like pairs, what it lacks of a margin for unlike ones."""

    _function = "hinge_embedding_loss"
    _settings = settings(margin=1.0, **_REDUCTION)


class CosineEmbeddingLoss(Loss):
    """The angle of like pairs, and of unlike ones what it lacks of a margin."""

    _function = "cosine_embedding_loss"
    _settings = settings(margin=0.0, **_REDUCTION)


class TripletMarginLoss(Loss):
    """How much nearer than by a margin the negative is than the positive."""

    _function = "triplet_margin_loss"
    _settings = settings(margin=1.0, p=2.0, eps=1e-6, swap=False, **_REDUCTION)


class TripletMarginWithDistanceLoss(Loss):
    """TripletMarginLoss with a distance of one's own."""

    _function = "triplet_margin_with_distance_loss"
    _settings = settings(distance_function=None, margin=1.0, swap=False, reduction="mean")
    _keyword_only = ("distance_function", "margin", "swap", "reduction")

    def _set(self, name: str, value: Any) -> None:
        usual = name == "distance_function" and value is None
        super()._set(name, PairwiseDistance() if usual else value)


class MultiMarginLoss(Loss):
    """How much classes other than the target come within a margin of it."""

    _function = "multi_margin_loss"
    _settings = settings(p=1, margin=1.0, weight=None, **_REDUCTION)


class MultiLabelMarginLoss(Loss):
    """MultiMarginLoss with several targets each."""

    _function = "multilabel_margin_loss"
    _settings = _REDUCTION


class MultiLabelSoftMarginLoss(Loss):
    """BCEWithLogitsLoss averaged over the classes."""

    _function = "multilabel_soft_margin_loss"
    _settings = settings(weight=None, **_REDUCTION)


class CTCLoss(Loss):
    """Minus the log-probability of a sequence over all its alignments."""

    _function = "ctc_loss"
    _settings = settings(blank=0, reduction="mean", zero_infinity=False)
