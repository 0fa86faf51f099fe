"""The status word: what the table is doing."""

from collections.abc import Mapping
from typing import Literal

from controller.match.state import MatchState
from controller.views.schema.table_state import StatusWord
from controller.vision.watching.gate import Word

SEEN: Mapping[Word | Literal["no_camera"], StatusWord] = {
    "still": "ready",
    "hand": "hand",
    "moving": "moving",
    "covered": "covered",
    "camera_moved": "camera_moved",
    "light_changed": "light_changed",
    "no_camera": "no_camera",
}


def word_of(state: MatchState | None, sees: Word | Literal["no_camera"]) -> StatusWord:
    """The page's status word. `sees`: the gate's word, or "no_camera"."""
    if state is not None and (state.paused or state.over or state.manual):  # the camera does not matter
        return "paused" if state.paused else "over" if state.over else "manual"
    if state is None and sees != "no_camera":
        return "no_match"
    return "check" if state is not None and sees == "still" and state.pressing else SEEN[sees]
