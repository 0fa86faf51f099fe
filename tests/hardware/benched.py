"""What every contract has of a driver's test: a bench for each test, which is closed after it."""

import pytest


class Benched:
    """`make`, or what the fixture `new_bench` gives, makes a bench."""

    @pytest.fixture
    def new_bench(self):
        return self.make

    @pytest.fixture
    def bench(self, new_bench):
        bench = new_bench()
        yield bench
        bench.close()
