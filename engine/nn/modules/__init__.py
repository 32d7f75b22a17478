"""Layers: modules of `torch.nn`, by family."""
