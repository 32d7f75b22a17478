"""Documents in windows: opened, saved, kept from a kill, watched on disk, and several at once."""
