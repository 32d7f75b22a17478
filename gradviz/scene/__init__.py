"""From a diagram and its run to a picture: what each box holds, where it stands, how edges run."""
