"""Raspberry Pi's cameras: their sensors and lenses.

Sources: Raspberry Pi's camera hardware specification; modes and rates from `rpicam-hello --list-cameras`.
docs/cameras.md lists them for users."""

from dataclasses import dataclass

from hardware.devices import Lens


@dataclass(frozen=True, slots=True)
class Preset:
    """One camera. Lengths in mm, sizes in pixels (width, height). `mode` is a sensor mode that shows its full height;
    some modes, such as 1332 x 990 of the HQ camera, show less."""

    name: str
    size: tuple[int, int]
    pixel: float
    focal: float  # of the built-in lens, or of the usual interchangeable one
    lens_is_fixed: bool
    mode: tuple[int, int]
    bits: int
    fastest: float  # frames a second in that mode

    def lens(self, width: int, height: int, focal: float | None = None, across: float | None = None) -> Lens | None:
        """The lens in pixels of a picture of this size; None if it is unknown. `across`: the sensor's pixels across the
        picture, by default those of the largest one, cropped from the sensor's centre."""
        if focal is None and not self.lens_is_fixed:
            return None
        cut = across or min(self.size[0], self.size[1] * width / height)
        return Lens((focal or self.focal) / self.pixel * width / cut, width, height)


PRESETS = {  # by libcamera's name of the sensor
    "imx708": Preset("Camera Module 3", (4608, 2592), 0.00140, 4.74, True, (2304, 1296), 10, 56.0),
    "imx708_wide": Preset("Camera Module 3 Wide", (4608, 2592), 0.00140, 2.75, True, (2304, 1296), 10, 56.0),
    "imx296": Preset("Global Shutter Camera", (1456, 1088), 0.00345, 6.0, False, (1456, 1088), 10, 60.0),
    "imx477": Preset("HQ Camera", (4056, 3040), 0.00155, 6.0, False, (2028, 1520), 12, 40.0),
    "imx219": Preset("Camera Module 2", (3280, 2464), 0.00112, 3.04, True, (1640, 1232), 10, 41.0),
    "ov5647": Preset("Camera Module 1", (2592, 1944), 0.00140, 3.60, True, (1296, 972), 10, 46.0),
}


def preset(model: str) -> Preset | None:
    """The camera whose sensor libcamera calls `model`; None for other makers' cameras."""
    return PRESETS.get(model.removesuffix("_noir"))
