"""Drawing a diagram by hand: canvas and keys ask, `gradviz.edit` answers, the document changes."""
