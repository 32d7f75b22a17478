"""What can be asked for: the table of actions, its menus and shortcuts, settings, and the tour."""
