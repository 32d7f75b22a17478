"""Work beside the event loop: the sandbox is asked, the newest request wins, pictures follow."""
