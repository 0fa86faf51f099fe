"""What `make test` leaves to `make test-all`: whole matches, films and evenings, real servers, and every case of a kind
where one shows whether it works."""

import pytest

slow = pytest.mark.slow


def first_is_quick(cases):
    """Cases for `parametrize`, of which only the first is not slow. A case of several values is a tuple."""
    first, *others = cases
    return [first, *(pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=slow) for case in others)]
