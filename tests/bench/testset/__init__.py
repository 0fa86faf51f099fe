"""A test set in a format that any program can read: `documents` has the types, `make` writes one, `score` scores."""
