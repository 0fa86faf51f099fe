"""Every frame: still, in play, or hidden by a hand? Why the table waits, when to read the board, in what light."""
