import pytest

from tests.controller.fed_table import ReadTable


@pytest.fixture
def table(tmp_path):
    table = ReadTable(tmp_path)
    table.see(hand=False)
    yield table
    table.journal.close()
