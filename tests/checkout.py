"""Where this checkout is."""

from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[1]
DATA = CHECKOUT / "tests" / "data"
