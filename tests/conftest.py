"""What holds for all tests."""

from hypothesis import settings

# How long one example takes says more of the machine than of the program: no test here is a timed one.
settings.register_profile("table", deadline=None)
settings.load_profile("table")
