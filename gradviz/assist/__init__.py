"""Help while writing a script: what may stand here, what a call takes, what a name is.

All of it reads the text as it is, unfinished lines included, and runs nothing.
"""
