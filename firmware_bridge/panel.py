"""The 20-hole unit's lamp ring and two buttons, as devices of `hardware.devices`."""

from collections.abc import Callable, Mapping

from firmware_bridge.client import Button, HoleUnit
from hardware.devices import Signal

WHITE = (255, 255, 255)


class UnitLamps:
    """A `hardware.devices.Lamps`: turn and twenty in the side's colour, each signal in its own pattern."""

    def __init__(self, unit: HoleUnit, colours: Mapping[str, tuple[int, int, int]]) -> None:
        """`colours`: red, green and blue of each side's light, 0 to 255; a missing side lights up white."""
        self._unit = unit
        self._colours = dict(colours)

    def show(self, signal: Signal, side: str | None = None) -> None:
        self._unit.show(signal, self._colours.get(side or "", WHITE))

    def close(self) -> None:
        """Lamps off. The unit itself switches them off five seconds after it is closed."""
        self._unit.show("idle")


class UnitButtons:
    """A `hardware.devices.ButtonPanel`. A press that does not arrive within two seconds is dropped."""

    def __init__(self, unit: HoleUnit) -> None:
        self._unit = unit

    def start(self, listener: Callable[[Button], None]) -> None:
        """Report each press once, on the unit's thread."""
        self._unit.on_press(listener)

    def close(self) -> None:
        self._unit.on_press(lambda button: None)
