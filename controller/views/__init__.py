"""The match for people: its state as the pages see it, every phrase about it, and what was played before."""
