"""The match for people: the state for the pages, all phrases, and the history of matches."""
