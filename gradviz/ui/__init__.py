"""All of gradviz that is Qt: the document, the player, the canvas, the panels, the window."""
