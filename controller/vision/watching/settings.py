"""The settings of watching: one object for each step, each field with its unit and its source.

A source is where a figure was measured, the thing whose size it is, or the reason for it.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class GateSettings:
    """How long stillness, hands and covers must last before the gate accepts them. Seconds."""

    rest_seconds: float = 0.16
    """Without any change before the board counts as still: 8 frames at 50 a second."""
    beside_seconds: float = 0.08
    """The same beside a hand, since the next shot may follow at once: a disc slides 3.5 mm in this time."""
    slow_seconds: float = 0.4
    """Frames at least this far apart give no evidence of motion."""
    restless_seconds: float = 5.0
    """Of change without a pause, longer than a shot takes: then the shadows of a fan or of leaves may be moving."""
    follow_seconds: float = 0.5
    """Between updates for slow changes of light on a still board."""
    enter_seconds: float = 0.04
    """That an obstacle must last to be accepted: 3 frames at 50 a second."""
    leave_seconds: float = 0.1
    """Without an obstacle before it counts as gone: 5 frames."""
    rounding: float = 1e-6
    """The error of the difference of two times."""


@dataclass(frozen=True, slots=True)
class ChangesSettings:
    """What counts as a change between small pictures, and as a hand."""

    noise_sigmas: float = 8.0
    """Standard errors of a quiet picture beyond which a pixel has changed."""
    least_change: float = 4.0
    """Grey levels: more than rounding and JPEG artefacts."""
    hand_contrast: float = 0.12
    """Share of the board's grey: a hand differs by more, people's soft shadows by less."""
    motion_mm2: float = 40.0
    """mm2, a twentieth of a disc: smaller changes are single pixels."""
    hand_mm2: float = 1500.0
    """mm2, two discs: a finger and the knuckles that follow it over the rail are more."""
    reach_mm2: float = 300.0
    """mm2 of the rail under a hand: 25 mm of its 13 mm width. A disc against the rail stays off it."""
    beside_mm2: float = 1000.0
    """mm2 of a hand beside the board that may seem to lie over its middle: a disc that its outline runs into."""
    clear_share: float = 0.15
    """Share of a hand that differs by `hand_contrast`; the rest is its soft shadow. Measured: 0.16 where an arm shades
    a lamp that shines on the board; a shadow alone hardly has any, and a light field explains it."""
    left_share: float = 0.1
    """Share of a former hand's place that may differ from the board: noise, and discs that have moved."""
    covered_share: float = 0.5
    """Share of the board from which it is covered. Source not recorded."""
    darkest: float = 12.0
    """Grey levels, median: a darker picture shows nothing."""
    light_step: float = 0.08
    """Share of the light; slower changes are followed."""
    light_rounding: float = 0.004
    """Share of the light: half a grey level of 128."""
    film_light: float = 0.02
    """Share of the light that the film can ignore: discs differ from the wood by ten times as much."""
    learning: float = 0.02
    """Weight of one picture in the noise: a second at 50 pictures a second."""
    followed: float = 0.3
    """Share of a slow change that each update takes over. Source not recorded."""
    moved_mm: float = 1.0
    """mm at the outer line: two to three standard errors of a reading."""
    same_share: float = 0.5
    """Share of the board's edges that must be found again in a picture of the same board."""
    gap_pixels: int = 5
    """Half-size pixels: areas no farther apart belong together."""
    line_pixels: int = 2
    """Half-size pixels: a thinner area is an edge of a bumped board."""


@dataclass(frozen=True, slots=True)
class ImageShiftSettings:
    """Settings for a board's shift, by its edges in the small picture."""

    points: int = 1500
    """Strongest edge points that are used; 3000 were no more precise."""
    neighbourhood: int = 31
    """Pixels: edges compete with those this near."""
    faint_slope: float = 1.0
    """Grey levels per pixel, squared: wood grain and noise stay below it."""
    blurs: tuple[int, ...] = (15, 7, 3)
    """Pixels, coarse to fine: the coarsest sees shifts of up to about 6 pixels."""
    steps: int = 8
    """Steps of the search for each blur, at most."""
    close_enough: float = 0.01
    """Pixels: a smaller step ends the search."""
    in_place: float = 0.6
    """Pixels: an edge found within this distance of where it should be is the same edge."""
    same: float = 0.8
    """Share of edges in place above which no other shift is searched."""
    ridge: float = 1e-7
    """Share of the equations' trace that keeps them solvable if a picture shows nothing."""
    fewest: int = 50
    """Edge points; with fewer there is no result."""
    faintest: float = 0.1
    """Share of the edges' former contrast: with less they are invisible."""


@dataclass(frozen=True, slots=True)
class ExposureSettings:
    """When the camera adapts to the light, and when it is locked. Seconds unless noted."""

    check_seconds: float = 0.1
    """Between two checks of the light: less than the rest before a reading."""
    lasting_seconds: float = 1.0
    """Of another light: a flash, or somebody who bends over the board, is shorter."""
    calm_seconds: float = 0.5
    """Without motion: nobody shoots."""
    busy_seconds: float = 15.0
    """Of another light without such a pause, more than a shot takes: the camera is unlocked anyway."""
    patience_seconds: float = 10.0
    """A Pi's camera needs two to three seconds for exposure and white balance, and some frames for a lock. One that has
    not settled by then is read as it is, in doubt."""
    again_seconds: float = 5.0
    """Between two readings of a still board, until the camera could be locked."""
    search_seconds: float = 20.0
    """The same if the board was never found: a search takes a Pi seconds."""
    flash_seconds: float = 0.5
    """Of darkness before people are notified."""
    lock_change: tuple[float, float] = (0.8, 1.25)
    """Ratio of the light, least and most, by the lock itself: some USB cameras lock another exposure than they had."""
    refusals: int = 3
    """Locks that change the light by more, until the camera stays unlocked."""


@dataclass(frozen=True, slots=True)
class DistrustSettings:
    """How long the gate is trusted while it reports a hidden board. Seconds."""

    stuck_seconds: float = 15.0
    """Without motion, longer than anybody aims: a hand does not keep so still; a shadow or an object does."""
    endless_seconds: float = 30.0
    """In which hands never left the board: three times what slow players need for a shot."""
    blind_seconds: float = 5.0
    """Of motion since the board was last seen, if it could not be read at rest since then: longer than a shot takes."""
    calm_seconds: float = 1.0
    """Without motion, before the board is read although the gate sees a hand."""
    again_seconds: float = 5.0
    """Between two such checks, each a full reading."""
    light_seconds: float = 1.0
    """Between two checks for light that looks like a hand: as long as somebody aims, so that few are in vain."""


@dataclass(frozen=True, slots=True)
class LookoutSettings:
    """When full pictures are read, and which part of the small picture is used."""

    between_readings: float = 0.4
    """Seconds at least: a slow computer must still see every frame's small picture."""
    frozen_seconds: float = 0.5
    """Of the same picture: shots may have been missed."""
    follow_seconds: float = 1.0
    """Between two attempts to find a moved board again: hands may still be at it."""
    left_seconds: float = 15.0
    """For which a part of a moved board must be hidden to be no hand: longer than anybody aims."""
    rail_margin: float = 40.0
    """mm beyond a round rail that an octagonal one reaches in its corners."""


@dataclass(frozen=True, slots=True)
class EyeSettings:
    """When the empty board's look is learnt, dropped and stored."""

    bare_hole: float = 100.0
    """Prior odds of an empty hole, if no disc is read in the first one seen: a twenty is lifted off before the next
    shot, in a fraction of a round. An assumption, not measured."""
    least_disc_like: float = 0.25
    """Share of a disc's area: a smaller change is no unseen disc."""
    most_disc_like: float = 3.0
    """The same: a larger change is no unseen disc."""
    compact: float = 2.2
    """Diameters of a disc: a disc with its shadow is no longer, while a change of light may be."""
    left_seconds: float = 120.0
    """Seconds: an object that hides a part for this long, even while discs are cleared, is learnt with the board."""
    outshone: float = 2.0
    """Times the light in which the empty board was learnt: then that was too dark to learn from."""
    aside_pixels: int = 5
    """Pixels of the view around objects on the board, for their contact shadows: not learnt."""
    shown: float = 0.5
    """Share of apparently hidden places that must be in the view and show the board's pattern, if it is only light."""
    keep_every: float = 600.0
    """Seconds between stored pictures of the empty board: light and wood change little in that time."""
    opening_pixels: int = 5
    """Pixels of the view: a thinner change is the edge of a line that moved a little."""


GATE = GateSettings()
CHANGES = ChangesSettings()
IMAGE_SHIFT = ImageShiftSettings()
EXPOSURE = ExposureSettings()
DISTRUST = DistrustSettings()
LOOKOUT = LookoutSettings()
EYE = EyeSettings()
