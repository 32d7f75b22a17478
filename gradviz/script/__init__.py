"""Scripts: read in a sandbox into a diagram and a run."""
