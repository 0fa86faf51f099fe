"""Every frame: is the board still, in play, or hidden by a hand? When to read it, and with what light."""
