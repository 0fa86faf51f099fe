"""A whole round as video, from a generator that shares nothing with the simulated table, hung each way round."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.shared import VISION
from tests.slow import slow

ROUND = VISION / "video" / "round_1"
ORIENTATIONS = {"as the players sit": 0, "a quarter round": 1, "half round": 2, "three quarters round": 3}


pytestmark = slow


@pytest.fixture(scope="module")
def recording(tmp_path_factory):
    """The round as a recording; its camera's noise is seeded."""
    if not ROUND.exists():
        pytest.skip("no shared pictures beside the checkout: video/round_1 is missing")
    if shutil.which("ffmpeg") is None:
        pytest.skip("the video is decoded by ffmpeg, which is not installed")
    folder = tmp_path_factory.mktemp("video")
    subprocess.run(
        [sys.executable, ROUND.parent / "extract.py", ROUND, folder], check=True, capture_output=True, timeout=240
    )
    return folder


@pytest.mark.parametrize("hung", [None, *ORIENTATIONS])
def test_every_shot_and_total_of_a_filmed_round_is_right(recording, hung):
    """`hung` is how the taps say that the board lies; with none the board is found by itself."""
    taps = [] if hung is None else ["--taps", "--quarter", str(ORIENTATIONS[hung])]
    scored = subprocess.run(
        [sys.executable, ROUND.parent / "score_video.py", ROUND, "--recording", recording, *taps],
        env={**os.environ, "CLI": str(Path(sys.executable).with_name("crokinole-table"))},
        capture_output=True,
        text=True,
        timeout=280,
    )
    counts = json.loads(scored.stdout.splitlines()[-1])
    assert (counts["shots_right"], counts["totals_right"]) == (counts["shots"], counts["shots"]), scored.stdout
    silent = ("shots_WRONG", "totals_WRONG", "shots_missed_silently", "false_shots", "zones_silent_wrong", "ghosts")
    assert {name: counts[name] for name in silent} == dict.fromkeys(silent, 0), scored.stdout
    assert scored.returncode == 0
