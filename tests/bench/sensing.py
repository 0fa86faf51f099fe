"""What a camera makes of light: blur, noise, the curve of its values, and compression."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Field = NDArray[np.float32]


@dataclass(frozen=True)
class Sensor:
    """What a camera makes of light."""

    blur: float = 0.6  # pixels, standard deviation
    noise: float = 0.006  # of full scale, at a tenth of it: photons and the amplifier together
    quality: int = 88  # JPEG
    half: bool = False  # half of the pixels each way

    def picture(self, light, exposure, random):
        """The picture (H, W, 3) of light (H, W, 3)."""
        seen = cv2.GaussianBlur(light * np.float32(exposure), (0, 0), self.blur)
        if self.half:
            seen = cv2.resize(seen, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
        spread = self.noise * np.sqrt(0.25 + 7.5 * np.maximum(seen, 0))
        raw = np.rint(shown(seen + spread * random.standard_normal(seen.shape, np.float32))).astype(np.uint8)
        _, packed = cv2.imencode(".jpg", raw, [cv2.IMWRITE_JPEG_QUALITY, self.quality])
        return cv2.imdecode(packed, cv2.IMREAD_COLOR)


def shown(seen):
    """The values, 0 to 255, by which sRGB shows light that is 1 at full scale."""
    seen = np.clip(seen, 0, 1)
    curve = np.where(seen <= 0.0031308, seen * 12.92, 1.055 * np.power(np.maximum(seen, 1e-6), 1 / 2.4) - 0.055)
    return np.asarray(255 * curve, np.float32)


def exposure(light, white):
    """What makes the brighter parts of the middle of the light (H, W, 3) `white` of full scale."""
    height, width = light.shape[:2]
    middle = light[height // 4 : -height // 4, width // 4 : -width // 4]
    return white / float(np.percentile(middle.max(2), 97))
