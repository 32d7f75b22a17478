"""The guide as a page of the stage: a tab for each of its pages."""
