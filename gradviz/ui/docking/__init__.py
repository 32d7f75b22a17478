"""Panels along the bottom of the window: where they stand, and what they follow and change."""
