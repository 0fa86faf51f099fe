"""Reads pictures, and keeps the calibration and the empty board's look between them."""

import math
from collections.abc import Callable, Generator
from dataclasses import replace

import cv2
import numpy as np

from controller.errors import BadInput
from controller.vision.calibration.calibration import Calibration, calibrate
from controller.vision.calibration.camera import Floats, LensPrior
from controller.vision.calibration.following import MOVED_PIXELS, borne_out, lines_in_place, refit, renewal
from controller.vision.calibration.image_quality import washed_out
from controller.vision.calibration.landmarks import Landmarks
from controller.vision.calibration.orientation import seated
from controller.vision.reading.background import Background
from controller.vision.reading.candidates import ReadingMemory
from controller.vision.reading.discs import VIEW_STEP, TopView, circle, playing_view
from controller.vision.reading.hole import SURELY_EMPTY
from controller.vision.reading.hole_look import Patch, patch
from controller.vision.reading.hole_poses import REACH
from controller.vision.reading.light import LEARNT, within_tolerance
from controller.vision.reading.obstruction import COVERED, covered_by, in_other_light, outlined, shown_at
from controller.vision.reading.reader import read_board
from controller.vision.readings import AT_HOLE, EMPTY_HOLE, USUAL_SIDES, BoardReading
from controller.vision.side_colours import Palette
from controller.vision.watching.lying_parts import LyingParts, leaves_room
from hardware.devices import Image, Lens

# When the empty board's look is learnt, dropped and stored.
BARE_HOLE = 100.0
"""Prior odds of an empty hole, if no disc is read in the first one seen: a twenty is lifted off before the next
shot, in a fraction of a round. An assumption, not measured."""
MOST_DISC_LIKE = 3.0
"""Areas of a disc: a larger change is no unseen disc."""
LEFT_SECONDS = 120.0
"""Seconds: an object that hides a part for this long, even while discs are cleared, is learnt with the board."""
OUTSHONE = 2.0
"""Times the light in which the empty board was learnt: then that was too dark to learn from."""
PLAIN_LINES = 0.82
"""Share of the three lines that must be in place where another board may lie. Measured: 14 ray-traced empty boards 0.85
and more, arms from two sides 0.79 and less."""
SHOWN = 0.5
"""Share of apparently hidden places that must be in the view and show the board's pattern, if it is only light."""
KEEP_EVERY = 600.0
"""Seconds between stored pictures of the empty board: light and wood change little in that time."""

OPENING = np.ones((5, 5), np.uint8)  # pixels of the view: a thinner change is the edge of a line that moved a little
ASIDE = np.ones((5, 5), np.uint8)  # of the view, around objects on the board, for their contact shadows: not learnt


class BackgroundModel:
    """Reads pictures of one table. Calibrates itself from the first picture in which the board can be found.

    `above`: the camera's measured height over the surface in mm; `lens`: the maker's data. `on_calibrated` gets each
    new calibration, to store it. A stored `calibration` is used once a picture confirms it, and with it the empty
    board's look `background`: without that, a disc in the hole at the start would be mistaken for the hole itself.
    `on_empty` gets a picture of the empty board with its calibration from time to time, to store it.
    """

    def __init__(
        self,
        *,
        calibration: Calibration | None = None,
        landmarks: Landmarks | None = None,
        above: float | None = None,
        on_calibrated: Callable[[Calibration], None] = lambda _: None,
        background: Background | None = None,
        on_empty: Callable[[Image, Calibration], None] = lambda image, calibration: None,
        on_palette: Callable[[Palette], None] = lambda _: None,
    ) -> None:
        self.calibration = calibration
        self.landmarks = landmarks
        self.lens: Lens | None = None
        self.above = above
        self.background = self._seen_empty = background if calibration is not None else None
        self.palette: Palette | None = None
        self.sides: Callable[[], int] = lambda: USUAL_SIDES  # that play
        self._on_calibrated = on_calibrated
        self._on_empty = on_empty
        self._on_palette = on_palette
        self._memory = ReadingMemory()
        self._lying = LyingParts()
        self._kept_at = -np.inf
        self._borne_out = False
        self._upkeep: Generator[None, None, None] | None = None
        self._whole_at: float | None = None  # when nothing was hidden
        self._hole: Patch | None = None  # the empty 20 hole, seen before the whole board was
        self._changed_at = math.inf  # since when a hole learnt in doubt looks different

    def read(
        self, image: Image, t: float = 0.0, frame: str = "", *, hand: bool = False, lies_still: bool = False
    ) -> BoardReading:
        """Read the board in this picture. Raises `CalibrationFailed` until the board is found. `hand`: whether a hand
        is known to be there; then nothing is learnt from the picture. `lies_still`: whether nothing has moved for
        longer than hands keep still; then what hides the known board may be another one.
        """
        calibration = self._calibrated(image)
        reading = self._reading(image, calibration, t, frame)
        if reading.light > OUTSHONE and lines_in_place(image, calibration) > COVERED:
            self._forget_if_strange(self._view, calibration)
            self._forget()
            self._borne_out = False  # it may be another board, nearly in the same place
            calibration = self._calibrated(image)
            reading = self._reading(image, calibration, t, frame)
        if self._may_be_another(reading, calibration, hand=hand, lies_still=lies_still):
            calibration = self._another_board(image, calibration)
            reading = self._reading(image, calibration, t, frame)
        if not hand and self.background is not None and self._in_other_light(reading):
            self.background = self._in_this_light(self.background, reading, image, calibration)
            reading = self._reading(image, calibration, t, frame)
        if not hand:
            self._learn_hole(reading, image, calibration)
            self._learn_from(reading, image, calibration)
        return reading

    @property
    def _view(self) -> TopView:
        """The last picture read, from above."""
        assert self._memory.last is not None
        return self._memory.last.view

    def _reading(self, image: Image, calibration: Calibration, t: float, frame: str) -> BoardReading:
        reading = read_board(
            image,
            calibration,
            empty=self.background,
            empty_hole=self._hole,
            palette=self.palette,
            memory=self._memory,
            t=t,
            frame=frame,
            sides=self.sides(),
        )
        return self._lying.separated(reading, calibration.board)

    def _forget(self) -> None:
        """Forget the empty board's look."""
        self.background = self._seen_empty = self._hole = None

    @property
    def _known_hole(self) -> Patch | None:
        return self.background.hole if self.background is not None else self._hole

    def _learn_hole(self, reading: BoardReading, image: Image, calibration: Calibration) -> None:
        """Learn the hole's look from a picture that shows it with nothing on the wood around it: in doubt, if there may
        be a disc in it.
        """
        if not _hole_is_free(reading, calibration) or _washed_out(self._view, calibration):
            return
        known = self._known_hole
        if known is not None:
            self._correct_hole(known, reading, image, calibration)
        elif not any(disc.pose in AT_HOLE for disc in reading.discs):
            odds = reading.hole.likelier_empty(BARE_HOLE) if reading.hole_unclear else EMPTY_HOLE
            self._hole = patch(image, calibration, odds)

    def _correct_hole(self, known: Patch, reading: BoardReading, image: Image, calibration: Calibration) -> None:
        """Learn a hole that was learnt in doubt again, from a clearer picture. A look that lasts longer than any twenty
        is left in the hole is learnt too.
        """
        changed = known.odds.empty < 1 and reading.hole != known.odds
        self._changed_at = min(self._changed_at, reading.t) if changed else math.inf
        if changed and (reading.hole.empty > known.odds.empty or reading.t - self._changed_at > LEFT_SECONDS):
            self._hole = patch(image, calibration, max(reading.hole, known.odds, key=lambda odds: odds.empty))
            if self.background is not None:
                self.background = replace(self.background, hole=self._hole)

    def _learn_from(self, reading: BoardReading, image: Image, calibration: Calibration) -> None:
        """Learn the empty board's look from a picture without hands, and start the upkeep."""
        whole = _is_whole(reading)
        if whole or self._whole_at is None:
            self._whole_at = reading.t
        lasting = whole or reading.t - self._whole_at > LEFT_SECONDS
        if not lasting or self._something_lies(reading, calibration) or _washed_out(self._view, calibration):
            return
        hole = self._hole_to_learn(reading, image, calibration)
        if not reading.discs:  # discs in the ditch would be learnt with it
            self.background = self._seen_empty = Background.from_empty(image, calibration, hole, self._view)
            if whole and hole.odds.empty > SURELY_EMPTY:
                self._keep_empty(image, calibration, reading.t)
        self._upkeep = self._renew(image, calibration, hole) if whole else None

    def _keep_empty(self, image: Image, calibration: Calibration, t: float) -> None:
        """Pass on the picture of the empty board from time to time."""
        if t - self._kept_at >= KEEP_EVERY:
            self._kept_at = t
            self._on_empty(image, calibration)

    def _hole_to_learn(self, reading: BoardReading, image: Image, calibration: Calibration) -> Patch:
        """The hole to learn with the empty board. There may be a disc in a 20 hole although none is read. So if the
        reading leaves that open, an empty hole seen before is kept; otherwise the present one is learnt in doubt.
        """
        known = self._known_hole
        if known is None:
            return patch(image, calibration, reading.hole.likelier_empty(BARE_HOLE))
        return known if reading.hole_unclear else patch(image, calibration, known.odds)

    def _in_other_light(self, reading: BoardReading) -> bool:
        """Whether the empty board is known in another light than this reading's, which is tolerated."""
        if reading.obstructed or reading.hidden or not within_tolerance(reading.light, LEARNT):
            return False
        return self._memory.other_light

    def _in_this_light(
        self, known: Background, reading: BoardReading, image: Image, calibration: Calibration
    ) -> Background:
        """The empty board in the present light: as seen now, and under discs and objects as known before, relit. Discs
        and outlined objects are not learnt and stay changes. If the light is again as it was when the board was seen
        empty, that look is used, with its empty hole.
        """
        changed, view = self._memory.changed, self._view
        assert changed is not None
        before = self._seen_empty
        if before is not None and before is not known and not in_other_light(before.changed(view), calibration):
            return before
        lying = covered_by(outlined(changed, calibration), len(view.image)).view(np.uint8)
        for column, row in view.pixel(np.array([(disc.x, disc.y) for disc in reading.discs]).reshape(-1, 2)):
            radius = calibration.disc.radius / VIEW_STEP
            cv2.circle(lying, (round(column), round(row)), math.ceil(radius), (1,), cv2.FILLED)
        lying = np.asarray(cv2.dilate(lying, ASIDE), np.uint8)
        learnt = np.where(lying[..., None] > 0, changed.empty, view.image)
        return known.in_light_of(image, calibration, TopView(learnt, view.reach))

    def tend(self) -> None:
        """Continue the upkeep, if any, for some milliseconds: call it for each frame of a still board."""
        if self._upkeep is not None:
            try:
                next(self._upkeep)
            except StopIteration:
                self._upkeep = None

    def find(self, image: Image, landmarks: Landmarks | None = None) -> None:
        """Find the board again, with a person's taps if given, and keep its turn. Raises `CalibrationFailed` with
        nothing changed.
        """
        found = self._found(image, landmarks)
        self.landmarks = landmarks or self.landmarks
        self._forget_if_strange(playing_view(image, found), found)
        self._forget()
        self._adopt(found)

    def only_light(self, reading: BoardReading, places: Floats) -> bool:
        """Whether the last picture read shows the empty board's pattern, and no object, at these (N, 2), mm."""
        changed = self._memory.changed
        if changed is None or reading.obstructed or reading.hidden:
            return False
        if any(thing.reaches_in for thing in self._memory.things or ()):
            return False
        known = shown_at(changed, places)
        return len(known) > SHOWN * len(places) and float(known.mean()) > SHOWN

    def in_place(self, image: Image) -> bool:
        """Whether the lines are still in place."""
        found = refit(image, self.calibration) if self.calibration is not None else None
        return found is not None and found.moved <= MOVED_PIXELS

    def follow(self, image: Image) -> None:
        """Find the board again after the camera or the board moved. Raises `CalibrationFailed`. The empty board's look
        is kept: from above, a moved board looks the same.
        """
        assert self.calibration is not None
        moved = refit(image, self.calibration)
        self._adopt(moved.calibration if moved else self._found(image))

    def _calibrated(self, image: Image) -> Calibration:
        if self.calibration is None:
            return self._adopt(self._found(image))
        if not self._borne_out:
            placed, anew = self._placed(image, self.calibration)
            if anew:  # it was another camera's, or from before the camera was moved
                self._forget()
            return self._adopt(placed)
        return self.calibration

    def _placed(self, image: Image, calibration: Calibration) -> tuple[Calibration, bool]:
        """This calibration, followed to where the board lies now, or a new one if its lines are not near there; and
        whether it is new. Raises `CalibrationFailed`.
        """
        try:
            return borne_out(image, calibration), False
        except BadInput:
            return self._found(image), True

    def _may_be_another(self, reading: BoardReading, calibration: Calibration, *, hand: bool, lies_still: bool) -> bool:
        """Whether to look for another board in the picture read: something that lies still hides the known one, or it
        looks strange, as in a light in which it can't be learnt.
        """
        if not _is_whole(reading):
            return lies_still
        known, learnable = self.background, within_tolerance(reading.light, LEARNT)
        return known is not None and not (hand or learnable) and known.is_strange_to(self._view, calibration)

    def _another_board(self, image: Image, calibration: Calibration) -> Calibration:
        """The calibration of the board that hides the known one, if its lines are plainly seen, and its turn: any rings
        may look like the lines. Else the same. Where no part of it looks as before it is another board; otherwise the
        same one, in another place.
        """
        try:
            placed, _ = self._placed(image, calibration)
        except BadInput:
            return calibration
        if lines_in_place(image, placed) < PLAIN_LINES or not placed.quality.turn_sure:
            return calibration
        self._forget_if_strange(playing_view(image, placed), placed)
        return self._adopt(placed)

    def _forget_if_strange(self, view: TopView, calibration: Calibration) -> None:
        """Forget the board's look, and its wood as the reference for colours, if no part of `view` looks like it."""
        if self.background is not None and self.background.is_strange_to(view, calibration):
            self._forget()
            if self.palette is not None:
                self.palette = replace(self.palette, wood=None)
                self._on_palette(self.palette)

    def _found(self, image: Image, landmarks: Landmarks | None = None) -> Calibration:
        found = calibrate(image, landmarks or self.landmarks, lens=self.lens, above=self.above)
        if self.calibration is None:
            return found
        return replace(found, camera=seated(found.camera, found.board, self.calibration.camera))

    def _adopt(self, calibration: Calibration) -> Calibration:
        self._borne_out, self._upkeep = True, None
        if calibration is not self.calibration:
            self.calibration = calibration
            self._on_calibrated(calibration)
        return calibration

    def _renew(self, image: Image, calibration: Calibration, hole: Patch | None) -> Generator[None, None, None]:
        """Measure camera and lines again on the empty board, which shows them best, and keep the result if it is
        better."""
        prior = LensPrior.of(calibration.width, calibration.height, self.lens, self.above)
        found = yield from renewal(image, calibration, prior)
        if found is not None:
            yield
            self.background = self._seen_empty = Background.from_empty(image, found, hole)
            self._adopt(found)

    def _something_lies(self, reading: BoardReading, calibration: Calibration) -> bool:
        """Whether there are discs on the surface, or something over most of it, or a difference from the empty board
        that may be an unseen disc. Learning such a picture would hide that disc permanently.
        """
        if any(disc.pose != "ditch" for disc in reading.discs) or not leaves_room(reading, calibration.board):
            return True
        if self._memory.changed is None:
            return False
        changed = cv2.morphologyEx(self._memory.changed.mask.view(np.uint8), cv2.MORPH_OPEN, OPENING)
        surface = circle(len(changed), calibration.board.surface_radius)
        _, _, pieces, _ = cv2.connectedComponentsWithStats(cv2.bitwise_and(changed, surface))
        most = MOST_DISC_LIKE * np.pi * (calibration.disc.radius / VIEW_STEP) ** 2
        return bool((pieces[1:, cv2.CC_STAT_AREA] < most).any())


def _is_whole(reading: BoardReading) -> bool:
    """Whether nothing hides a part of the board."""
    return not (reading.obstructed or reading.behind)


def _washed_out(view: TopView, calibration: Calibration) -> bool:
    """Whether too much of the surface is overexposed to learn from it."""
    return washed_out(view.within(calibration.board.surface_radius))


def _hole_is_free(reading: BoardReading, calibration: Calibration) -> bool:
    """Whether the picture shows the 20 hole with nothing on the wood around it."""
    near = REACH + calibration.disc.radius
    beside = (disc for disc in reading.discs if disc.pose not in AT_HOLE)
    return not reading.hole_hidden and all(math.hypot(disc.x, disc.y) > near for disc in beside)
