"""Jacobians: rows swept back, what kind of matrix they are, a seed times one of them."""
