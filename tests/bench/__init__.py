"""Benchmarks: each module has `run()`, which measures and returns (what, figure, unit) rows."""

import hardware  # noqa: F401  # before NumPy: one thread for its linear algebra, as in the table itself
