import pytest

from tests.firmware_bridge.host import Host


@pytest.fixture
def meet():
    """Start a client at a board's port and wait until the two have met; it is closed at the end."""
    met = []

    def start(board, *link, **settings):
        met.append(Host(board, *link, **settings))
        met[-1].until_connected()
        return met[-1]

    yield start
    for host in met:
        host.unit.close()
