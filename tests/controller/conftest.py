from contextlib import closing

import pytest

from controller.journal import Journal
from tests.controller.fed_table import ReadTable, a


@pytest.fixture
def journal(tmp_path):
    with closing(Journal(tmp_path / "journal.sqlite")) as journal:
        yield journal


@pytest.fixture
def new_table(tmp_path):
    """Make a table that starts a match in this way and sees its board empty; all are closed at the end."""
    tables = []

    def start(*rules, **settings):
        tables.append(ReadTable(tmp_path / f"table{len(tables)}", *rules, **settings))
        tables[-1].see(hand=False)
        return tables[-1]

    yield start
    for table in tables:
        table.journal.close()


@pytest.fixture
def table(new_table):
    return new_table()


@pytest.fixture
def opened(table):
    """A table on which Black's first disc has come to rest in the fifteen, at (0, 60)."""
    table.see(a(0, 60))
    return table
