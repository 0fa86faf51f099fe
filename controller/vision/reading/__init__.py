"""Reads a still picture: where every disc is, whose it is, and how certain that is."""
