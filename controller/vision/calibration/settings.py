"""The settings of finding and measuring a board: one object for each step, each field with its unit and its source.

A source is where a figure was measured, the thing whose size it is, or the reason for it. "Drawing" is the board's own,
`hardware.board`.
"""

from dataclasses import dataclass

from hardware.board import INCH


@dataclass(frozen=True, slots=True)
class CalibrationSettings:
    """From a fit of the lines to a calibration with its doubts."""

    smoothing: float = 0.7  # pixels: the blur before sampling. It takes half of the noise and none of a line's place
    most_turned: float = 8.0  # degrees by which taps and bumps turn a board at most. A line farther off is not one
    plainly_seen: float = 0.6  # share of every line with which no better candidate is looked for. Source not recorded
    bloom: float = 2.2  # pixels by which light lines may look wider than they are: up to 1.9 was measured
    width_doubt: float = 0.05  # mm: a line's inner edge, by its width, on a board that follows the drawing, one sigma
    other_width_doubt: float = 0.2
    """The same on any other board, whose lines are 1.2 to 2.4 mm wide: a picture's blur hides how wide. Measured on 60
    painted boards: errors of clearances are 1.25 standard errors with it, 1.56 with 0.1; as drawn 0.89 with 0.05."""
    least_picture: int = 200  # pixels of a picture's shorter side. In a smaller one a line is not a pixel wide
    slants: tuple[float, ...] = (0.3, 0.65, 0.95)
    """Tangents of the angle off the vertical at which `top_shares` are given."""
    top_shares: tuple[float, ...] = (0.5, 0.75, 0.9)
    """Share of a shift of the disc's top that reaches its place, since the outline of top and bottom is fitted: more
    where more of the wall is seen. Measured on 40 boards traced at 25 to 50 degrees, with discs 9 to 10 mm thick."""
    thickness_doubt: float = 0.3  # mm: the discs' thickness, one sigma. Makers name 9.5 and 10 mm, with rounded edges


@dataclass(frozen=True, slots=True)
class CameraPriorSettings:
    """What is usual of cameras, lenses and the heights that they hang at."""

    usual_focal: float = 0.95  # share of the picture's longer side. Views of 39 to 72 degrees have 1.4 to 0.69 of it
    usual_focal_spread: float = 0.25  # the focal length's logarithm, one sigma: phones, Pi cameras, webcams lie within
    known_focal_spread: float = 0.01  # the same for a focal length from the maker or measured earlier, with the focus
    tape_spread: float = 10.0  # mm: a height by tape measure held to a lens, whose own middle lies inside, one sigma
    heights: tuple[float, float] = (200.0, 5000.0)
    """mm that a camera can hang above the surface: from a wide lens just above the board to a hall's ceiling."""
    contradicts: float = 3.0  # standard deviations from which a measured height does not go with the picture
    distortion_spread: float = 0.1  # standard deviation of k1: lenses that are no fisheyes lie within two of these
    mild_distortion: float = 0.03  # the same where the lines' radii are unknown too: one view cannot tell both
    axis_spread: float = 0.004  # share of the longer side: the optical axis off the picture's centre, one sigma
    fixed: float = 1e-6  # standard deviation, in any unit, of what a fit may not move


@dataclass(frozen=True, slots=True)
class FindingSettings:
    """Looking for three concentric circles in a reduced picture that nobody has prepared."""

    work_size: int = 640  # pixels of the reduced picture's longer side: lines are a pixel wide from 1 px/mm in full
    line_scale: float = 1.0  # pixels: the blur that a line of that width answers best
    most_pieces: int = 5000  # pieces of lines that are kept, the strongest. Source not recorded
    rough_tilts: int = 4  # rings of tilts that are tried first, `tilt_step` apart: up to 48 degrees
    tilt_step: float = 12.0
    """Degrees between two of those rings. Measured on 129 pictures warped to tilts of 35 to 50 degrees, and on 80
    of steep cameras: with 9, 11 and 12 every board was found."""
    cell: float = 6.0  # pixels of the reduced picture: how nearly normals must meet. Source not recorded
    least_radius: float = 20.0  # pixels of the reduced picture: the smallest circle looked for. Source not recorded
    most_radius: float = 330.0  # the same of the largest: half of `work_size`, and a little
    candidates: int = 6  # tilts that are followed up, the best. Source not recorded
    plain: float = 2.0  # lines of the three that are seen all around: a candidate with as much is worth a fit at once
    doubtful: int = 3  # fits that are tried when no candidate is plain. Source not recorded
    same_board: float = 8.0  # pixels of the full picture: nearer candidates lead to one fit
    least_pieces: int = 100  # pieces of lines; with fewer there is no board. Source not recorded
    rough_pieces: int = 1500  # pieces that vote on the tilts. Source not recorded
    meeting_noise: float = 0.06  # radians: how true the direction of one piece is, one sigma
    meeting_limit: float = 0.2  # radians by which a piece's normal may miss the meeting point: three of `meeting_noise`
    sectors: int = 90  # sectors of 4 degrees in which a circle is seen or not. Source not recorded
    triples: int = 2  # triples of circles about one meeting point that are tried. Source not recorded


@dataclass(frozen=True, slots=True)
class RingSettings:
    """Measuring the three lines to a fraction of a pixel."""

    bearings: int = 360  # places at which each line is looked for
    side: float = 3.0  # pixels from a line's middle to the bare wood beside it, until its width has been seen
    blur: float = 1.2  # pixels beyond half a line's apparent width where the wood is bare
    narrowest: float = 2.2  # pixels: the least of that distance from a line's middle to the wood. Source not recorded
    widest: float = 7.0  # pixels: the most of it. Source not recorded
    step: float = 0.5  # pixels between the samples of a profile
    weak: float = 0.3  # share of the line's usual contrast: less is a scratch, glare or grain
    faint: float = 1.5  # grey levels: a line of less contrast is not seen at all
    near: float = 3.0  # times `fit_noise`: points within belong to the line
    found_reaches: tuple[float, ...] = (10.0, 5.0, 3.0)
    """mm around the expected line that each pass looks at: what taps, or the search in the reduced picture, leave."""
    tap_wobble: float = 4.0  # mm by which a line may seem to leave its circle under a camera that is known from taps
    ratio_slack: float = 0.12  # share by which radii differ from the drawing's: 3.8 to 4.1, 8 to 8.6 of 12 inches
    hopeless: float = 0.3  # share of a line within a sixth of the reach: chance finds that
    in_view: float = 0.6  # share of the outer line that the picture must hold: half a board is no board
    least_together: float = 1.65  # sum of the three lines' shares that were seen, at least. Source not recorded
    least_seen: float = 0.4  # share of each line: where less is seen, what was found may be something else
    most_scatter: float = 0.5  # mm: root mean square of the points about the fit, at most. Source not recorded
    most_unlike: float = 2.0  # mm: a line that leaves the model by more is not one circle of a flat board
    fit_noise: float = 0.3  # mm: twice what a clean line scatters in pictures of 1.1 px/mm. Beyond it the fit lets go
    made_to: float = 0.3  # mm: how true a maker's lines are to the drawing, one sigma
    less_scatter: float = 0.8  # share of the other fit's. Measured: 0.5, 0.6 on other boards, 1.0 as drawn
    as_good: float = 0.1  # of the sum of the lines' shares that were seen: chance makes as much of a difference
    any_board: float = 6.0  # mm: how far the lines of boards that follow no drawing are from it, one sigma
    sectors: int = 12  # parts of a line whose mean deviations are compared, 30 degrees each
    unlike_sigmas: float = 4.0  # times `made_to`: a line farther than this from its drawing is another kind of board's
    strained_sigmas: float = 1.5
    """Times `CameraPriorSettings.distortion_spread`: beyond, other lines may be mistaken for the drawing's by a lens
    that is thought more bent than it is."""


@dataclass(frozen=True, slots=True)
class ProportionSettings:
    """Telling the outer line from other circles by the proportions of boards."""

    fifteens: tuple[float, float] = (3.8 * INCH, 4.1 * INCH)
    """mm, least and most, where the outer line is at 12 inches: tournament, octagonal and vintage boards."""
    tens: tuple[float, float] = (8.0 * INCH, 8.6 * INCH)  # mm: the two radii that ten lines have on those boards
    odd: float = 2.0  # mm off these: perhaps they are not the lines that they were taken for
    plain_line: float = 3.0  # grey levels: twice `RingSettings.faint`. A circle of such contrast may be a line
    others: int = 3  # circles that are tried in place of the outer line. Source not recorded


@dataclass(frozen=True, slots=True)
class OrientationSettings:
    """Telling from quadrant lines and pegs how the board is turned."""

    bearing_steps: int = 1440  # directions, a quarter degree apart: 1.1 mm between the ten and the outer line
    beside: float = 3.0  # mm from a quadrant line's middle to the bare wood
    clear_of_lines: float = 6.0  # mm that the samples in the ring of five stay away from its two lines
    peg_sides: tuple[float, float] = (2.5, 5.0)  # mm beside the line's middle: a peg of 9.5 mm covers it
    peg_search: float = 10.0  # degrees to either side of where a peg is drawn
    pegs_agree: float = 1.5  # degrees by which a peg's own shadow moves it
    pegs_turned: float = 2.0  # degrees, 3.5 mm: pegs that are turned by less stand as drawn
    pegs_needed: float = 0.75  # share of the pegs that must agree. Source not recorded
    clear_peak: float = 6.0  # times the usual scatter: quadrant lines stand out so far; grain along a radius reaches 3


@dataclass(frozen=True, slots=True)
class FollowingSettings:
    """Keeping a calibration true: after a bump, at a start, and when the board is seen empty."""

    bumped_reaches: tuple[float, ...] = (12.0, 5.0, 3.0)
    """mm around the expected line that each pass looks at after a bump. Source not recorded."""
    in_place_reaches: tuple[float, ...] = (5.0, 3.0)  # the same for a board that lies where it did
    borne_out_reaches: tuple[float, ...] = (3.0,)  # the same for a board of which too much is hidden for a fit
    moved_pixels: float = 0.3  # pixels at the outer line: less is the scatter from picture to picture
    other_camera: float = 1.8  # times the lines' scatter. Measured: a bump leaves it at 1.0, another lens made it 2.4
    plain_lines: float = 15.0  # times the scatter: lines so plain tell any turn. Measured: boards 31 to 737, grain 3
    better: float = 0.8  # share of a calibration's sigma: a lesser gain is no reason to change anything


@dataclass(frozen=True, slots=True)
class ImageQualitySettings:
    """Whether a picture is fit to be measured or read."""

    dark: float = 40.0  # grey levels: a picture whose brightest tenth is below is too dark
    blown: float = 250.0  # grey levels from which a pixel is blown out
    most_blown: float = 0.33  # share of the pixels: more is named as the cause where nothing is found
    brightest_of_picture: float = 90.0  # per cent: the percentile of a whole picture that `dark` is compared with
    brightest_of_surface: float = 98.0  # per cent, the same of a playing surface: light lines are 3 % of it
    plain: float = 3.0  # grey levels of scatter: less is a covered lens or a wall
    partly: float = 1.2  # of the three lines: a board is there, but not enough of it. Chance alone reaches 1
    sharp: float = 0.7  # grey levels of fine contrast. Measured: 2 to 12 in focus, 0.4 blurred by 4 pixels
    sharp_surface: float = 4.0
    """The same of a surface from above at 2.5 mm a pixel. Measured: 11 to 60 in focus, 8 in half of the light, 3 to
    7 blurred by 4 pixels of the picture, when a sixth of the discs is not found any more."""
    sampled: int = 4  # every so many pixels tell how light the surface is


@dataclass(frozen=True, slots=True)
class ViewpointSettings:
    """What a camera's place costs."""

    bearings: int = 180  # directions around the board, two degrees apart: a disc is 5 degrees wide at the rail


@dataclass(frozen=True, slots=True)
class LandmarkSettings:
    """A person's taps."""

    tap_noise: float = 3.0  # pixels: how far a finger on a zoomed picture is off, one sigma
    least_tap_noise: float = 0.5  # pixels: nobody taps better
    tap_limit: float = 12.0  # pixels: a tap farther than this from the fitted board was on another thing
    least_taps: int = 4  # fewer do not fix a plane's eight unknowns


@dataclass(frozen=True, slots=True)
class LeastSquaresSettings:
    """The Levenberg-Marquardt method."""

    steps: int = 20  # steps at most. Source not recorded
    gain: float = 1e-8  # share of the cost: an improvement below it is the end
    tiny: float = 1e-6
    """Added to the normal matrix's diagonal, so that a direction that nothing fixes does not make it singular."""
    huge: float = 1e8  # damping: beyond it no direction helps any more


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
