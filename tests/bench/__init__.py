"""Benchmarks: each module has `run()`, which measures and returns (what, figure, unit) rows."""
