"""Pictures with truth that stand beside a developer's checkout; tests that need them skip where they are missing."""

from pathlib import Path

import pytest

VISION = Path(__file__).resolve().parents[2] / "shared" / "vision"

needs_vision = pytest.mark.skipif(not VISION.is_dir(), reason=f"the pictures with truth are not at {VISION}")
