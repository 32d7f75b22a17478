"""The panels around the canvas; none imports another."""
