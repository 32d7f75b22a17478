"""Distances as modules."""

from __future__ import annotations

from engine.nn.modules.applied import Applied, settings


class CosineSimilarity(Applied):
    """The cosine of the angle between two vectors along an axis."""

    _function = "cosine_similarity"
    _settings = settings(dim=1, eps=1e-8)


class PairwiseDistance(Applied):
    """The p-norm of the difference of two vectors along the last axis."""

    _function = "pairwise_distance"
    _settings = settings(p=2.0, eps=1e-6, keepdim=False)
