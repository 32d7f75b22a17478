"""Small widgets that several panels share; they know values and tokens, never each other."""
