"""The canvas: a figure painted in bulk, and the hands on it."""
