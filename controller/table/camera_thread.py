"""The camera's thread: opens the camera, processes every frame, and reopens the camera after a failure; requests for
frames, and a watch on the focus."""

import logging
import statistics
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import KW_ONLY, dataclass, field
from typing import Any

import cv2
import numpy as np

from controller.config import CameraSection
from controller.errors import Refused
from controller.journal.media import Clip
from controller.messages import Message, say
from controller.vision.calibration.image_quality import sharpness
from controller.vision.watching.background_model import BackgroundModel
from controller.vision.watching.frame_watcher import FrameWatcher
from controller.vision.watching.observations import BoardRead, Observation
from hardware.devices import BoardCamera, Frame, Image
from hardware.errors import BadFile, DeviceExhausted, DeviceRefused, DeviceStuck, HardwareError

log = logging.getLogger(__name__)
RETRY = 2.0  # s between attempts to open a camera: nobody plugs one in faster
GIVEN_UP = say(
    "The camera can't be used, and starting the table's program again has not helped: the score is kept by hand. Check "
    "the camera's cable, then switch the table off and on."
)
TRIES = 3  # in vain, with a camera that is there, until a new process is to try
MEASURED = 5  # the number of boards at rest in a median, since a single one may show a hand or sleeve
SMOOTHED = 1.2
"""Pixels by which the picture is smoothed first, to remove sensor noise, which no lens blurs. Measured on three
photographs: 0 to 4 grey levels of added noise change the shares below by 0.01; without smoothing by 0.4."""
LOST = 0.72
"""Share of the initial sharpness below which a warning is shown. Measured on painted boards and the photographs: 0.61
to 0.69 if the lens blurs each point to 2 pixels, 0.76 to 0.82 with one pixel, 0.99 to 1.15 with other discs or
light."""
FOUND = 0.85  # share above which the warning ends


class FocusWatch:
    """Watches the focus of one opened camera, on the camera's thread: the lens of a Camera Module 3 drifts with heat.
    Sharpness is measured on the full picture of a board at rest, since a few pixels of blur do not show in the small
    one. It is the share of fine contrast in all contrast, so that dimmed light does not count as blur."""

    def __init__(self) -> None:
        self._first: list[float] = []
        self._newest: deque[float] = deque(maxlen=MEASURED)
        self._blurred = False

    def check(self, picture: Image) -> Message | None:
        """Check the full picture of a board at rest (H, W, 3). Returns the warning, if any."""
        grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)
        smooth = np.asarray(cv2.GaussianBlur(grey, (0, 0), SMOOTHED), np.uint8)
        measured = sharpness(smooth) / max(1.0, float(np.std(grey)))
        if len(self._first) < MEASURED:
            self._first.append(measured)
            return None
        self._newest.append(measured)
        if len(self._newest) < MEASURED:
            return None
        share = statistics.median(self._newest) / max(1e-6, statistics.median(self._first))
        self._blurred = share < (FOUND if self._blurred else LOST)
        if not self._blurred:
            return None
        return say(
            "The camera sees less sharply than when it began ({percent} %). Heat moves the lens of a Camera Module 3, "
            "and a touch blurs any. Wipe it, or have it focus again: switch the table off and on.",
            percent=round(100 * share),
        )


def frame_watcher(
    configured: CameraSection, model: BackgroundModel, light: Callable[[Message | None], None]
) -> FrameWatcher:
    """What watches the configured camera's frames. `light` gets a notice about the light, or None. A recording is not
    live: it may repeat a picture."""
    return FrameWatcher(model, light, live=not configured.device.startswith("folder:"), film=configured.film)


PATIENCE = 8.0  # s until a request gives up; a calibration on a Pi takes four
Work = Callable[[Frame], Any]  # receives a frame, and returns the answer, or None to request the next frame too


class FrameRequests:
    """A queue of requests for the camera's next frames."""

    def __init__(self) -> None:
        self.only = False  # whether nothing but requests gets the frames, since they show no match
        self._waiting: deque[tuple[Work, Future[Any]]] = deque()

    def ask(self, work: Work) -> Any:
        """The answer of `work`. Raises `Refused` without frames, and whatever `work` raises."""
        done: Future[Any] = Future()
        self._waiting.append((work, done))
        try:
            return done.result(PATIENCE)
        except TimeoutError:
            done.cancel()
            raise Refused(say("The camera sent no picture in time. Check its cable, then try again.")) from None

    @contextmanager
    def alone(self) -> Iterator[None]:
        """While this lasts, nothing but requests gets the frames."""
        self.only = True
        try:
            yield
        finally:
            self.only = False

    def serve(self, frame: Frame) -> None:
        """Process all requests, on the camera's thread."""
        for _ in range(len(self._waiting)):
            work, done = self._waiting.popleft()
            if not (done.running() or done.set_running_or_notify_cancel()):
                continue  # its sender no longer waits
            try:
                answer = work(frame)
            except Exception as error:
                done.set_exception(error)
                continue
            if answer is None:
                self._waiting.append((work, done))
            else:
                done.set_result(answer)


@dataclass
class CameraThread:
    """Handles one camera. `run` is the thread's body; everything else may be read from any thread.

    `opened` gets the camera before its first frame, `look` each frame, `clip` each with what was seen in it, `observed`
    each observation, with the clip.

    `report` gets the reason for missing pictures, or None when they resume; `focus` the same for blurred ones. `stuck`
    is called, once for each failure, when only a new process may be able to open the camera: it hangs, or is there and
    did not open in `TRIES`. It returns whether there will be one; if not, it has called `no_pictures`. It is not called
    for a camera that has never delivered a picture, unless memory ran out: a new process would not help there, and the
    score can be kept by hand until somebody mends it."""

    open_camera: Callable[[], BoardCamera | None]
    frames: Callable[[BoardCamera], Iterator[Frame]]
    _: KW_ONLY
    opened: Callable[[BoardCamera], None]
    look: Callable[[Frame], list[Observation]]
    observed: Callable[[Observation, Clip | None], None]
    report: Callable[[Message | str | None], None]
    focus: Callable[[Message | None], None] = lambda _: None
    clip: Callable[[Frame, Sequence[Observation]], Clip | None] = lambda frame, seen: None
    stuck: Callable[[str], bool] = lambda why: True
    retry: float = RETRY
    progress: int = 0  # the number of processed frames and of attempts to open the camera
    camera: BoardCamera | None = None
    requests: FrameRequests = field(default_factory=FrameRequests)
    ended: bool = False  # whether there are no more pictures, as at the end of a recording
    _focus_watch: FocusWatch = field(default_factory=FocusWatch)
    _delivered: bool = False
    _refused: int = 0  # attempts since the last picture at which the camera was there and did not open
    _replaced: bool | None = None  # what `stuck` has returned since then
    _stopping: threading.Event = field(default_factory=threading.Event)
    _lost: bool | None = None

    def run(self) -> None:
        while not self._stopping.is_set():
            self.progress += 1
            try:
                self._watch()
                self.ended = True
                if not self._stopping.is_set():
                    self.no_pictures(say("The pictures have ended."))
                return
            except BadFile as error:
                self.ended = True
                self.no_pictures(str(error))
                return
            except HardwareError as error:
                self._failed(error)
            except Exception:  # a bug here: the score can be kept by hand while the camera is retried
                log.exception("CameraThread failed")
                self.no_pictures(say("Something went wrong while watching the board; trying again."))
            self._stopping.wait(self.retry)

    def _watch(self) -> None:
        if self.camera is None:
            self.camera = self.open_camera()
            if self.camera is None:
                return
            self._focus_watch = FocusWatch()  # another camera, or this one focused again
            self.opened(self.camera)
        for frame in self.frames(self.camera):
            self.progress += 1
            self._delivered = True
            self._refused, self._replaced = 0, None
            if self._lost is not False:
                self._lost = False
                self.report(None)
            self.take(frame)
            if self._stopping.is_set():
                return

    def take(self, frame: Frame) -> None:
        self.requests.serve(frame)
        if self.requests.only:
            return
        seen = self.look(frame)
        clip = self.clip(frame, seen)
        for observation in seen:
            if isinstance(observation, BoardRead):
                self.focus(self._focus_watch.check(observation.picture))
            self.observed(observation, clip)

    def _failed(self, error: HardwareError) -> None:
        """Report a failure; ask for a new process if one may help."""
        if isinstance(error, DeviceStuck):
            self._refused = TRIES
        elif isinstance(error, DeviceRefused):
            self._refused += 1
        else:  # it is gone: somebody will plug it in
            self._refused, self._replaced = 0, None
        if self._replaced is False:
            return
        self.no_pictures(str(error))
        may_help = self._delivered or isinstance(error, DeviceExhausted)
        if self._refused >= TRIES and may_help and self._replaced is None:
            self._replaced = self.stuck(str(error))

    def no_pictures(self, why: Message | str) -> None:
        """Report why there are no pictures, until they resume."""
        self._lost = True
        self.report(why)

    def stop(self) -> None:
        """Make `run` return soon, and close the camera. Safe to call twice, from another thread."""
        self._stopping.set()
        if self.camera is not None:
            self.camera.close()
