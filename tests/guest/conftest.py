"""`make test` leaves these alone: `make test-hardware` runs them, and the guest runs those in inside/."""

import os

HERE = os.environ.get("CROKINOLE_GUEST", "")
collect_ignore_glob = {"host": ["inside/*"], "inside": ["test_*.py"]}.get(HERE, ["*"])
