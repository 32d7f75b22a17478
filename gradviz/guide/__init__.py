"""The guide: which way to a gradient, the common mistakes, which call for which need. No Qt."""
