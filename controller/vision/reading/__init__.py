"""One still picture to one board reading: where every disc is, whose it is, and how sure that is."""
