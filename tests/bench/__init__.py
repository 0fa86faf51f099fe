"""Accuracy and speed, measured on pictures with truth."""

import hardware  # noqa: F401  # before NumPy: one thread for its linear algebra, as in the table itself
