"""The databases that a club may have, over each of which the same tests run; and a hub on the plain one."""

import tempfile
from pathlib import Path

import pytest

from tests.controller.club import postgres
from tests.controller.club.a_club import a_hub, a_store
from tests.slow import slow

SQLITE = "sqlite"
POSTGRESQL = pytest.param("postgresql", marks=slow)  # it starts a server


@pytest.fixture(scope="session")
def server():
    """The URL of a real PostgreSQL's database."""
    if postgres.binaries() is None:
        pytest.skip("needs PostgreSQL's server programs: apt-get install postgresql")
    # The path of a socket must be short.
    with tempfile.TemporaryDirectory(prefix="pg", dir="/tmp") as folder, postgres.cluster(Path(folder)) as url:
        yield url


@pytest.fixture(params=[SQLITE, POSTGRESQL])
def url(request, tmp_path):
    """The URL of an empty database: of each kind in turn."""
    if request.param == SQLITE:
        return f"sqlite:///{tmp_path / 'club.sqlite'}"
    from sqlalchemy import create_engine, text

    url = str(request.getfixturevalue("server"))
    engine = create_engine(url.replace("postgresql:", "postgresql+psycopg:"))
    with engine.begin() as connection:
        connection.execute(text("DROP SCHEMA public CASCADE"))
        connection.execute(text("CREATE SCHEMA public"))
    engine.dispose()
    return url


@pytest.fixture
def store(tmp_path):
    store = a_store(f"sqlite:///{tmp_path / 'club.sqlite'}")
    yield store
    store.close()


@pytest.fixture
def hub(store):
    return a_hub(store)
