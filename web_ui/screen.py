"""The look and sound of the table's own screen. Nobody touches it, so its settings are in the configuration."""

from dataclasses import dataclass
from typing import Literal

Theme = Literal["browser", "light", "dark", "evening"]


@dataclass(frozen=True, slots=True)
class Screen:
    """`theme`: the browser's, always light, always dark, or dark between two hours. The page's address may say
    otherwise: `/tv?theme=dark&sounds=yes&caller=scores`.
    """

    theme: Theme = "browser"
    dark_from: int = 19  # o'clock
    dark_until: int = 7  # o'clock
    sounds: bool = False
    caller: Literal["off", "calls", "scores", "full"] = "off"
    replays: bool = True  # of remarkable shots, if they were filmed


AS_THE_BROWSER = Screen()  # a silent screen in the browser's own colours
