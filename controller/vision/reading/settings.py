"""The settings of reading a picture: one object for each step, each field with its unit and its source.

A source is where a figure was measured, the thing whose size it is, or the reason for it. "The view" is the board as
seen from straight above, `DiscSettings.step` a pixel. Colours are compared by `colours.distance`.
"""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, slots=True)
class DiscSettings:
    """Settings for finding circles of the discs' size in the view from above."""

    step: float = 2.5  # mm per pixel of the view: a disc is 13 pixels wide. Measured: at 3 the first discs are lost
    finest: float = 1.2  # pixels of the shrunken picture per pixel of the view, at least: fewer would blur
    knot: float = 15.0  # mm between projected points; linear in between, with errors below 0.05 px
    beyond_rail: float = 20.0  # mm: discs in the ditch lean on the rail, and seem farther out at the tops' height
    ring: float = 0.6  # pixels of the view: half-width of the circle searched, like the parallax between rim and foot
    texture_gain: float = 2.5  # a slope counts half if it is 1.6 times the board's median slope in its direction
    calm: float = 3.0  # times the median: slopes beyond it are lines and discs, not grain
    kept: float = 0.8  # share of the slopes that counts as grain
    strip: int = 46  # rows computed together: all of their planes stay in the processor's cache
    sampled: int = 7  # pixels between the samples of this board's usual slopes
    least_slope: float = 0.6  # grey levels over two pixels: less is camera noise
    parts: tuple[int, ...] = (120, 180, 240)
    """Pixels of the view: sides of the squares searched if only a part has changed, with fast transforms."""
    tiny: float = 1e-6  # squared slopes: for pictures without any
    apart: float = 0.4  # radii: closer peaks are one disc
    least_shadow: float = 6.5  # mm from a disc to its shadow, least: its thickness, lamps 40 degrees off the vertical
    most_shadow: float = 14.0  # the same, most: under lamps 60 degrees off the vertical


@dataclass(frozen=True, slots=True)
class RaySettings:
    """Settings for sampling the picture along rays across an outline.

    Weights and noises are the flat centre of a scan over 457 ray-traced discs: half or double changes the error by a
    tenth.
    """

    step: float = 0.5  # mm between samples: half a pixel at the usual camera height; at 1 mm more outlines are wrong
    inside: float = 4.5  # mm: a ray's start inside the rim
    outside: float = 4.0  # mm: a ray's end beyond the outermost rim
    coloured: int = 12  # rays that measure a disc's colour
    core: float = 3.0  # mm: the part of each ray that is certainly the disc
    edge_noise: float = 3.0  # grey levels per mm from texture and noise alone, at least. From the scan
    edge_share: float = 0.15  # share of the usual steepest slope at which an edge counts half. From the scan
    own_noise: float = 6.0  # grey levels by which a disc's colour may vary besides texture. From the scan
    likeness_reach: float = 4.0  # squared standard errors at which a colour barely matches. From the scan
    gate: float = 0.25  # weight of an edge where the disc's colour does not end. From the scan
    rounding: float = 0.8  # mm: radius of a disc's rounded edge, measured on traced discs; it sets the silhouette back


@dataclass(frozen=True, slots=True)
class OutlineSettings:
    """Settings for fitting a disc's outline."""

    search_rays: int = 24  # rays of the coarse search. Source not recorded
    rays: int = 36  # rays of the fit; twice as many are no better: neighbouring rays err together
    search: float = 4.5  # mm: the largest error of the first guess; a visible wall shifts it by half the parallax
    search_step: float = 1.0  # mm between the places searched on each ray. Source not recorded
    elsewhere: float = 2.0  # mm: two places farther apart are not the same edges
    capture: tuple[float, ...] = (2.0, 1.2)  # mm around the predicted rim in which its edge is searched, narrowing
    rounds: int = 3  # rounds of reweighted least squares in each. Source not recorded
    wall_edge_weight: float = 0.9  # a foot may blend into its shadow, a near rim into the wall: they count less
    near: float = 0.6  # mm: a wall at least this wide has two visible edges
    radius_weight: float = 1.5  # the nominal radius's weight, in rays: a light disc on a dark board looks larger
    agrees: float = 0.25  # least weight of a visible ray. Source not recorded


@dataclass(frozen=True, slots=True)
class ReaderSettings:
    """Settings for the search for outlines, and for those that `disc_model` accepts as discs.

    Evidence decides which candidates are searched again, and whose colours are in play: roundness + support + visible,
    minus scatter and wrong size. On 40 ray-traced boards hands, glare and knots reach 1.14; 99 % of discs have 0.95.
    """

    promising: float = 0.7  # roundness and share of an outline on edges. Measured: 99.5 % of discs have 0.72
    promise_of_change: float = 0.2
    """Added if all of the place differs from the empty board. Measured: of 836 traced discs 5 are not promising without
    it; with it, none is."""
    round_enough: float = 0.15  # least roundness of a candidate. Source not recorded
    most_searched: int = 56  # candidates. Measured: the roundest 42 include every disc, also those like the wood
    sure_evidence: float = 1.16  # a certain disc, whatever its colour: that colour is in play
    least_odds: float = -0.6
    """Log-odds from which something may be a disc, so that people are asked: below 0, since nobody is asked about a
    missed disc. Measured with each generator left out: of 3706 discs 13 have less, of 1169 others 6 have more."""
    least_odds_known: float = -1.25
    """The same for candidates like the wood if the empty board is known: grain is then no candidate. At -1 it depended
    on the release of OpenCV that decoded the picture whether a disc like the wood was found. Measured on traced and
    painted boards: of 953 discs and 54 others none lies between the two."""
    like_wood: float = 8.0
    """Distance of colours within which a disc looks like the wood. Measured: a disc three grey levels from it 0.6, a
    hand 18."""
    sure_odds: float = 2.0
    """Log-odds from which something is surely a disc. Measured in the same way, and on photographs: of the others none
    has more; what looks like a disc where light has washed out the board has 1.4, a letter in a photograph 0.9. Of the
    discs 60 have less, nearly all like the wood. A mark on a bare traced board, to which nothing is fitted, has 3.2."""
    ditch_odds: float = 4.0
    """Subtracted for a disc in the ditch. Measured: of 416 others there two have 0, none 2.2; 50 discs all have 6.9."""
    strange_colour: float = 10.0  # distance of colours: a larger one counts no more
    doubtful_evidence: float = 0.65  # evidence for a second search: discs like the wood, found a few mm off, reach this
    shadow_evidence: float = 0.3  # the same where the empty board has changed: a shadow reaches 0.4 to 1.2
    itself: float = 5.0  # mm: a search beside a doubtful disc that ends nearer found the same disc, less well
    vague_outline: float = 0.75  # evidence without roundness: with less, grain is as good an edge as the disc's
    plain_outline: float = 1.0  # evidence without roundness: with less a disc is like the wood, its outline mm off
    scatter_weight: float = 2.0  # evidence per mm of scatter
    excess_weight: float = 0.6  # evidence per mm of radius beyond `fair_excess`
    fair_excess: float = 0.5  # mm by which bright and dark discs look too large or too small
    changed_share: float = 0.4  # share of a place that differs from the empty board. Source not recorded
    rounder: float = 0.12
    """Roundness beyond the empty board's from which an unchanged place may have a disc, of the board's own colour.
    Measured: each of 1265 traced discs has this or a changed place, and of 4123 other places 40; between pictures of a
    still board 95 % change by less than 0.04."""
    about_within: tuple[float, float] = (1.45, 1.7)
    """Radii between which a place's surroundings are: beyond a disc's wall and most of its shadow. Measured: 1.2 to 2
    separate discs from others equally well."""
    blown_out: float = 99.0  # lightness L*: a reflection is a bright round patch too, but without a rim all around
    blown_out_visible: float = 0.65  # least visible share of the outline of such a disc. Measured: glare up to 0.61
    overlap: float = 1.7  # radii: of two candidates nearer than this, only the better is a disc
    on_edge: float = 3.0  # mm beyond the surface's edge: a disc with its centre farther out is in the ditch
    clear_of_edge: float = 0.75  # least radii from the surface's edge to a disc's centre in the ditch: some lean
    ditch_lift: float = 3.3  # mm: half of the usual range of discs in the ditch, on its floor or leaning on the rail
    deep: float = 25.0  # mm from the surface to the floor of a deep ditch, as in the filmed round; 12.7 is usual
    least_in_sight: float = 0.35
    """Least share of a disc in the ditch past the surface's edge: on a smaller one a few rays agree by chance.
    Measured in painted pictures at 50 degrees."""
    close_sigmas: float = 4.0
    """Standard errors of the clearance from which a call is sure: two-sided 0.4 % of Student's t with 8 degrees of
    freedom. Measured: of 3129 discs on boards of three generators 11 were read in a wrong ring, none of them surely."""
    least_visible: float = 0.45
    """Share of the outline. Less adds to a doubt but causes none: 3 of 3129 discs have less, and were read to 2 mm."""


@dataclass(frozen=True, slots=True)
class MemorySettings:
    """Settings for detecting what has not changed since the last picture."""

    change: float = 4.0
    """Grey levels of the view, the mean of 3 x 3 pixels: more is a change. Measured between pictures of a still
    camera: noise 2.6 on painted boards and 3.6 on ray-traced ones, at 95 % of all places."""
    around: float = 21.0  # mm around a place that must be unchanged: a disc, its wall, some shadow
    share: float = 0.05  # share of that area that noise may change
    same_place: float = 0.5
    """mm: an unmoved disc is found nearer. Measured: the outlines of one disc in two pictures deviate by 0.04 from each
    other, 95 % of them by less than 0.11."""
    most_times: int = 8
    """Readings from known results before the next full one: no disc stays overlooked for longer."""


@dataclass(frozen=True, slots=True)
class ColourSettings:
    """Settings for measuring colours in a picture."""

    top_share: float = 0.8  # share of a disc's radius that is measured: the rim is rounded and glossy
    top_samples: int = 96  # samples: enough for a top's median colour, whose texture has some ten fibres
    beside: tuple[float, float] = (1.3, 2.2)  # radii between which the wood beside a disc is measured
    least_beside: float = 0.1  # share of it that must be free of other discs: ten samples
    beside_shares: tuple[float, float, float] = (0.2, 0.5, 0.8)
    """Quantiles that count as the least, the usual and the most light on that wood. Measured with shadows added to half
    of the photographs and stills: wider doubts more discs, narrower mistakes more for another side's."""
    wood_step: int = 5  # pixels of the view between samples of the wood's colour
    lightness_weight: float = 0.5  # weight of L*: light differs over the board; hue and chroma differ less


@dataclass(frozen=True, slots=True)
class GroupingSettings:
    """Settings for grouping discs by colour. Light is 0..1 of full scale.

    Chosen on photographs of 9 makers' boards, half of them kept aside, and on 40 stills and 22 pictures of rounds of
    another generator than ours. On these, the other photographs and 60 painted boards, 11 of 1445 discs are in the
    wrong group, 5 of them surely, and 13 are in doubt.
    """

    texture: tuple[float, float, float] = (1.5, 0.6, 0.8)
    """L*, a*, b*: the deviation of the tops' median colours in the same light."""
    gloss: float = 0.02  # light that a disc reflects. Black varnish reflects 4 % of the light on it
    mirrored: float = 0.15  # light added to a disc that reflects a lamp. Measured on photographs: up to 0.4
    mirrored_tint: float = 0.2  # share of it by which blue and red are not white. Window light is bluer than a lamp's
    mirror_cost: float = 9.0  # variances: one disc in ten reflects so, 2 ln 10, with ten times the variance, 2 ln 10
    near_light: float = 0.08  # natural logarithm: the deviation of light between discs side by side
    far_light: float = 0.25  # the same, in addition, between discs `light_reach` apart
    shade_tint: float = 0.1
    """The same, of the primaries from each other in a shadow. Measured likewise: at 0.25 discs on dark wood are surely
    mistaken for another side's."""
    light_reach: float = 300.0  # mm: about the surface's radius, over which lamps beside the table halve the light
    full: float = 0.95  # a primary with more may have gained more than it shows
    beyond_full: float = 0.15  # natural logarithm: the deviation of that gain
    step: float = 0.05  # share of the light: the step for its derivatives
    most: float = 60.0
    """Variances: a larger distance counts no more, so that one shaded disc does not make two groups."""
    two: float = 18.0  # variances by which two colours explain the discs better than one
    more: float = 30.0  # the same for three or four colours: there are rarely more than two sides
    plainly: float = 6.5
    """Variances from which a disc is surely its own group's, and a group surely of one colour: odds of 25 to 1. Midway
    between two, a colour has 6.4."""
    sides: int = 4  # groups at most: no rules have more sides


@dataclass(frozen=True, slots=True)
class ColourNameSettings:
    """The plain names of colours, by lightness L*, chroma and hue angle.

    Measured on ray-traced discs; the limits of hue are midway between neighbours.
    """

    grey_chroma: float = 13.0  # white, black and grey are below. Measured: white to 10, natural from 15
    dark: float = 45.0  # l*: a grey below it is black. Source not recorded
    light: float = 66.0  # l*: a grey above it is white. Source not recorded
    brown_lightness: float = 45.0  # l*: a dark orange is brown
    wood_chroma: float = 52.0  # natural and tan are below, yellow and orange above
    hues: tuple[tuple[float, str], ...] = (
        (46.0, "red"),
        (72.0, "orange"),
        (110.0, "yellow"),
        (200.0, "green"),
        (303.0, "blue"),
        (345.0, "purple"),
    )
    """Degrees: the upper hue angle of each name. Above the last it is red again."""
    wood_hues: tuple[float, float] = (40.0, 115.0)  # degrees, from and to: hues of wood. Source not recorded
    tan_hue: float = 72.4  # degrees. Measured over whole groups: tan up to 72.0, natural from 72.8
    looks: tuple[tuple[str, tuple[float, float, float]], ...] = (
        ("black", (15.0, 0.0, 1.0)),
        ("grey", (55.0, 0.0, 2.0)),
        ("white", (90.0, 0.0, 6.0)),
        ("brown", (33.0, 14.0, 19.0)),
        ("tan", (66.0, 16.0, 38.0)),
        ("natural", (77.0, 7.0, 30.0)),
        ("red", (40.0, 55.0, 34.0)),
        ("orange", (55.0, 42.0, 55.0)),
        ("yellow", (80.0, 2.0, 68.0)),
        ("green", (41.0, -32.0, 16.0)),
        ("blue", (32.0, 14.0, -40.0)),
        ("purple", (26.0, 25.0, -28.0)),
    )
    """L*, a*, b* of discs of these names in even light, to give different names to two groups that share one in this
    light. Measured on ray-traced boards, except grey, since no disc there is grey."""


@dataclass(frozen=True, slots=True)
class BackgroundSettings:
    """Settings for detecting changes from the empty board, independent of the light."""

    blown_out: int = 240  # grey levels: reflections, which move with the lamps and hide what is under them
    patch: float = 30.0  # mm: light is compared in patches of this size, a whole number of the view's pixels
    patches_around: int = 7  # a patch's gain is the median of this many per direction: discs cover the smaller part
    noise: float = 4.0  # grey levels: camera noise after compression
    circle_pixels: int = 5
    """Pixels of the view within which a circle of the empty board is searched: its roundest place shifts with noise."""
    offset: np.float32 = np.float32(4)  # noqa: RUF009 - an immutable number
    """Grey levels added before a ratio, which would otherwise be noise in the dark."""
    jitter: float = 0.35  # pixels of the view by which an edge may have moved


@dataclass(frozen=True, slots=True)
class UnseenSettings:
    """Settings for finding the parts of the board that a picture does not show."""

    least: float = 100.0  # mm2, an eighth of a disc: less is the edge of something visible


DISCS = DiscSettings()
RAYS = RaySettings()
OUTLINE = OutlineSettings()
READER = ReaderSettings()
MEMORY = MemorySettings()
COLOURS = ColourSettings()
GROUPING = GroupingSettings()
COLOUR_NAMES = ColourNameSettings()
BACKGROUND = BackgroundSettings()
UNSEEN_PARTS = UnseenSettings()
