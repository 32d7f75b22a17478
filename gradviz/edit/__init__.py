"""Edits as values: each takes a `Diagram` and gives another one, or a `Refusal`; nothing raises.

What an edit refuses is a person's slip: a loop, a name that is taken, a parameter that the op does
not take. A refusal is one sentence that names the place. Nothing here knows Qt.
"""
