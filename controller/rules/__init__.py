"""The rules of crokinole as a pure library."""
