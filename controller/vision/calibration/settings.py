"""The settings of finding and measuring a board: one object for each step, each field with its unit and its source.

A source is where a figure was measured, the thing whose size it is, or the reason for it. "Drawing" is the board's own,
`hardware.board`.
"""

from dataclasses import dataclass

from hardware.board import INCH


@dataclass(frozen=True, slots=True)
class CalibrationSettings:
    """Settings for deriving a calibration and its errors from a fit of the lines."""

    smoothing: float = 0.7  # pixels: the blur before sampling. It takes half of the noise and none of a line's place
    most_turned: float = 8.0  # degrees: the largest turn by taps and bumps. A line farther off is not one
    plainly_seen: float = 0.6  # share of every line that ends the search for candidates. Source not recorded
    bloom: float = 2.2  # pixels by which light lines may look wider than they are: up to 1.9 was measured
    width_doubt: float = 0.05  # mm: a line's inner edge, by its width, on a board that follows the drawing, one sigma
    other_width_doubt: float = 0.2
    """The same on any other board, whose lines are 1.2 to 2.4 mm wide: the picture's blur hides the width. Measured on
    60 painted boards: errors of clearances are 1.25 standard errors with it, 1.56 with 0.1; as drawn 0.89 with 0.05."""
    least_picture: int = 200  # pixels of a picture's shorter side. In a smaller one a line is not a pixel wide
    slants: tuple[float, ...] = (0.3, 0.65, 0.95)
    """Tangents of the angle off the vertical at which `top_shares` are given."""
    top_shares: tuple[float, ...] = (0.5, 0.75, 0.9)
    """Share of a shift of the disc's top that affects its fitted place, since the outline of top and bottom is fitted:
    more the more of the wall is visible. Measured on 40 boards traced at 25 to 50 degrees, with discs 9 to 10 mm
    thick."""
    thickness_doubt: float = 0.3  # mm: the discs' thickness, one sigma. Makers name 9.5 and 10 mm, with rounded edges


@dataclass(frozen=True, slots=True)
class CameraPriorSettings:
    """The prior for cameras, lenses and heights."""

    usual_focal: float = 0.95  # share of the picture's longer side. Views of 39 to 72 degrees have 1.4 to 0.69 of it
    usual_focal_spread: float = 0.25  # the focal length's logarithm, one sigma: phones, Pi cameras, webcams lie within
    known_focal_spread: float = 0.01  # the same for a focal length from the maker or measured earlier, with the focus
    tape_spread: float = 10.0  # mm: a height by tape measure, held to a lens with its centre inside, one sigma
    heights: tuple[float, float] = (200.0, 5000.0)
    """mm: possible heights above the surface, from a wide lens just above the board to a hall's ceiling."""
    contradicts: float = 3.0  # standard deviations at which a measured height contradicts the picture
    distortion_spread: float = 0.1  # standard deviation of k1: lenses that are no fisheyes lie within two of these
    mild_distortion: float = 0.03  # the same if the lines' radii are unknown too: one view does not determine both
    axis_spread: float = 0.004  # share of the longer side: the optical axis off the picture's centre, one sigma
    fixed: float = 1e-6  # standard deviation, in any unit, of a fixed parameter


@dataclass(frozen=True, slots=True)
class FindingSettings:
    """Settings for finding three concentric circles in a reduced arbitrary picture."""

    work_size: int = 640  # pixels of the reduced picture's longer side: lines are a pixel wide from 1 px/mm in full
    line_scale: float = 1.0  # pixels: the blur with the best response to a line of that width
    most_pieces: int = 5000  # the most pieces of lines kept, the strongest. Source not recorded
    rough_tilts: int = 4  # rings of tilts tried first, `tilt_step` apart: up to 48 degrees
    tilt_step: float = 12.0
    """Degrees between two of those rings. Measured on 129 pictures warped to tilts of 35 to 50 degrees, and on 80
    of steep cameras: with 9, 11 and 12 every board was found."""
    cell: float = 6.0  # pixels of the reduced picture within which normals must meet. Source not recorded
    least_radius: float = 20.0  # pixels of the reduced picture: the smallest circle looked for. Source not recorded
    most_radius: float = 330.0  # the largest: slightly more than half of `work_size`
    candidates: int = 6  # the best tilts that are followed up. Source not recorded
    plain: float = 2.0  # complete lines, of three: a candidate with this many is fitted at once
    doubtful: int = 3  # fits tried if no candidate is clear. Source not recorded
    same_board: float = 8.0  # pixels of the full picture: nearer candidates lead to one fit
    least_pieces: int = 100  # pieces of lines; with fewer there is no board. Source not recorded
    rough_pieces: int = 1500  # pieces that vote on the tilts. Source not recorded
    meeting_noise: float = 0.06  # radians: the error of one piece's direction, one sigma
    meeting_limit: float = 0.2  # radians by which a piece's normal may miss the meeting point: three of `meeting_noise`
    sectors: int = 90  # sectors of 4 degrees in which a circle is seen or not. Source not recorded
    triples: int = 2  # triples of circles tried for one meeting point. Source not recorded


@dataclass(frozen=True, slots=True)
class RingSettings:
    """Settings for measuring the three lines to a fraction of a pixel."""

    bearings: int = 360  # places at which each line is searched
    side: float = 3.0  # pixels from a line's middle to bare wood, until its width is known
    blur: float = 1.2  # pixels beyond half a line's apparent width where the wood is bare
    narrowest: float = 2.2  # pixels: the least distance from a line's middle to the wood. Source not recorded
    widest: float = 7.0  # pixels: the largest distance. Source not recorded
    step: float = 0.5  # pixels between the samples of a profile
    weak: float = 0.3  # share of the line's usual contrast: less is a scratch, glare or grain
    faint: float = 1.5  # grey levels: a line of less contrast is invisible
    near: float = 3.0  # times `fit_noise`: points within belong to the line
    found_reaches: tuple[float, ...] = (10.0, 5.0, 3.0)
    """mm around the expected line searched in each pass: the errors of taps, or of the search in the reduced
    picture."""
    tap_wobble: float = 4.0  # mm by which a line may seem to leave its circle if the camera is known from taps
    ratio_slack: float = 0.12  # share by which radii differ from the drawing's: 3.8 to 4.1, 8 to 8.6 of 12 inches
    hopeless: float = 0.3  # share of a line within a sixth of the reach: reached by chance
    in_view: float = 0.6  # share of the outer line that the picture must show: half a board is not enough
    least_together: float = 1.65  # the least sum of the shares of the three lines found. Source not recorded
    least_seen: float = 0.4  # the least share of each line found: less may be something else
    most_scatter: float = 0.5  # mm: the largest root mean square of the points about the fit. Source not recorded
    most_unlike: float = 2.0  # mm: a line that deviates by more is not a circle on a flat board
    fit_noise: float = 0.3  # mm: twice the scatter of a clean line at 1.1 px/mm. Larger residuals are discounted
    made_to: float = 0.3  # mm: makers' deviations from the drawing, one sigma
    less_scatter: float = 0.8  # share of the other fit's. Measured: 0.5, 0.6 on other boards, 1.0 as drawn
    as_good: float = 0.1  # of the sum of the shares of the lines found: a chance difference
    any_board: float = 6.0  # mm: deviations from the drawing on other boards, one sigma
    sectors: int = 12  # parts of a line whose mean deviations are compared, 30 degrees each
    unlike_sigmas: float = 4.0  # times `made_to`: a line farther from the drawing means another kind of board
    strained_sigmas: float = 1.5
    """Times `CameraPriorSettings.distortion_spread`: a fit with more distortion may have bent other lines into the
    drawing's."""


@dataclass(frozen=True, slots=True)
class ProportionSettings:
    """Settings for identifying the outer line by the proportions of boards."""

    fifteens: tuple[float, float] = (3.8 * INCH, 4.1 * INCH)
    """mm, least and most, if the outer line is at 12 inches: tournament, octagonal and vintage boards."""
    tens: tuple[float, float] = (8.0 * INCH, 8.6 * INCH)  # mm: the two radii of ten lines on those boards
    odd: float = 2.0  # mm off these: possibly other lines
    plain_line: float = 3.0  # grey levels: twice `RingSettings.faint`. A circle of such contrast may be a line
    others: int = 3  # other circles tried as the outer line. Source not recorded


@dataclass(frozen=True, slots=True)
class OrientationSettings:
    """Settings for the board's turn, from quadrant lines and pegs."""

    bearing_steps: int = 1440  # directions, a quarter degree apart: 1.1 mm between the ten and the outer line
    beside: float = 3.0  # mm from a quadrant line's middle to the bare wood
    clear_of_lines: float = 6.0  # mm between the samples in the ring of five and its two lines
    peg_sides: tuple[float, float] = (2.5, 5.0)  # mm beside the line's middle: a peg of 9.5 mm covers it
    peg_search: float = 10.0  # degrees to either side of a peg's place in the drawing
    pegs_agree: float = 1.5  # degrees by which a peg's own shadow moves it
    pegs_turned: float = 2.0  # degrees, 3.5 mm: pegs turned by less are as drawn
    pegs_needed: float = 0.75  # share of the pegs that must agree. Source not recorded
    clear_peak: float = 6.0  # times the usual scatter by which quadrant lines stand out; grain along a radius reaches 3


@dataclass(frozen=True, slots=True)
class FollowingSettings:
    """Settings for updating a calibration: after a bump, at a start, and when the board is seen empty."""

    bumped_reaches: tuple[float, ...] = (12.0, 5.0, 3.0)
    """mm around the expected line searched in each pass after a bump. Source not recorded."""
    in_place_reaches: tuple[float, ...] = (5.0, 3.0)  # the same for an unmoved board
    borne_out_reaches: tuple[float, ...] = (3.0,)  # the same for a board too hidden for a fit
    moved_pixels: float = 0.3  # pixels at the outer line: less is scatter between pictures
    other_camera: float = 1.8  # times the lines' scatter. Measured: a bump leaves it at 1.0, another lens made it 2.4
    plain_lines: float = 15.0  # times the scatter: clear lines determine the turn. Measured: boards 31 to 737, grain 3
    better: float = 0.8  # share of a calibration's sigma: a smaller gain changes nothing


@dataclass(frozen=True, slots=True)
class ImageQualitySettings:
    """Settings for whether a picture can be measured or read."""

    dark: float = 40.0  # grey levels: a picture whose brightest tenth is below is too dark
    blown: float = 250.0  # grey levels from which a pixel is blown out
    most_blown: float = 0.33  # share of the pixels: more is named as the cause if nothing is found
    brightest_of_picture: float = 90.0  # per cent: the percentile of a whole picture that `dark` is compared with
    brightest_of_surface: float = 98.0  # per cent, the same of a playing surface: light lines are 3 % of it
    plain: float = 3.0  # grey levels of scatter: less is a covered lens or a wall
    partly: float = 1.2  # of the three lines: a board is there, but not enough of it. Chance alone reaches 1
    sharp: float = 0.7  # grey levels of fine contrast. Measured: 2 to 12 in focus, 0.4 blurred by 4 pixels
    sharp_surface: float = 4.0
    """The same of a surface from above at 2.5 mm a pixel. Measured: 11 to 60 in focus, 8 in half of the light, 3 to
    7 blurred by 4 pixels of the picture, when a sixth of the discs is not found any more."""
    sampled: int = 4  # pixels between the samples of the surface's light


@dataclass(frozen=True, slots=True)
class ViewpointSettings:
    """Settings for the cost of a camera's place."""

    bearings: int = 180  # directions around the board, two degrees apart: a disc is 5 degrees wide at the rail


@dataclass(frozen=True, slots=True)
class LandmarkSettings:
    """A person's taps."""

    tap_noise: float = 3.0  # pixels: the error of a finger on a zoomed picture, one sigma
    least_tap_noise: float = 0.5  # pixels: nobody taps better
    tap_limit: float = 12.0  # pixels: a tap farther from the fitted board hit something else
    least_taps: int = 4  # fewer do not determine a plane's eight unknowns


@dataclass(frozen=True, slots=True)
class LeastSquaresSettings:
    """The Levenberg-Marquardt method."""

    steps: int = 20  # steps at most. Source not recorded
    gain: float = 1e-8  # share of the cost: a smaller improvement ends the fit
    tiny: float = 1e-6
    """Added to the normal matrix's diagonal, so that an undetermined direction does not make it singular."""
    huge: float = 1e8  # damping: beyond it no step helps


@dataclass(frozen=True, slots=True)
class LensSettings:
    """The camera's own mapping."""

    undistort_steps: int = 4  # newton steps; the fourth is below 1e-9 px for |k1| < 0.3 over a field of 80 degrees
    aspect_tolerance: float = 0.01  # share: a small stream's height is rounded to even pixels, a crop is far off


CALIBRATION = CalibrationSettings()
CAMERA_PRIOR = CameraPriorSettings()
FINDING = FindingSettings()
RINGS = RingSettings()
PROPORTIONS = ProportionSettings()
ORIENTATION = OrientationSettings()
FOLLOWING = FollowingSettings()
IMAGE_QUALITY = ImageQualitySettings()
VIEWPOINT = ViewpointSettings()
LANDMARKS = LandmarkSettings()
LEAST_SQUARES = LeastSquaresSettings()
OPTICS = LensSettings()
