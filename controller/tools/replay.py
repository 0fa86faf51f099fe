"""`replay`: plays a recording like a live camera, one line per settled board. The same recording gives the same events.
A recording is a folder, or a ZIP of *Keep this round*.

| the recording                              | its pictures                                                          |
| ------------------------------------------ | --------------------------------------------------------------------- |
| written by the service                     | the service's readings are used: exactly the same events              |
| written by the service, with `reread`      | are read again by today's program; everything else as recorded        |
| any other                                  | are watched like a camera's                                           |

A recording of the service begins with its journal, and contains the reading of each picture, the gate's states and the
devices' events."""

import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal, NotRequired, TypeVar, get_args

from pydantic import TypeAdapter, ValidationError
from typing_extensions import TypedDict

from controller.errors import BadInput, Refused, Unreadable
from controller.journal import Journal
from controller.journal.match_log import read_match
from controller.match import events as ev
from controller.match.parts import OpenQuestion
from controller.match.state import MatchState
from controller.referee.whose_disc import sided
from controller.rules.alignment import paired
from controller.rules.record import judged_shot
from controller.table.engine import Engine
from controller.table.kept_rounds import TRUTH, round_document
from controller.table.recorder import FILM, READING
from controller.views.questions import ShownQuestion
from controller.vision.calibration.calibration import Calibration
from controller.vision.calibration.landmarks import Landmarks
from controller.vision.film.film import Film
from controller.vision.readings import BoardReading
from controller.vision.side_colours import Palette
from controller.vision.watching.background_model import BackgroundModel
from controller.vision.watching.frame_watcher import FrameWatcher
from controller.vision.watching.gate import Word
from controller.vision.watching.observations import BoardRead, GateChanged, Observation, ReadingFailed
from hardware.devices import HoleEvent, Image
from hardware.files import read_json
from hardware.recording import Entry, RecordedCommand, RecordedFrame, Remark, read_recording

T = TypeVar("T")
LARGEST = 1_000_000_000  # bytes that a ZIP may unpack to


@contextmanager
def unpacked(path: Path) -> Iterator[Path]:
    """The folder of a recording, which of a ZIP goes when the block ends. Raises `BadInput` for a file that is no whole
    ZIP."""
    if not path.is_file():
        yield path
        return
    with TemporaryDirectory(prefix="crokinole-") as folder:
        try:
            with zipfile.ZipFile(path) as archive:
                if sum(one.file_size for one in archive.infolist()) > LARGEST:
                    raise ValueError(f"it holds more than {LARGEST} bytes")
                archive.extractall(folder)
        except (OSError, EOFError, ValueError, RuntimeError, zipfile.BadZipFile, zlib.error) as error:
            raise BadInput(
                f"{path} is not a whole ZIP of *Keep this round* ({error}): save the round again."
            ) from error
        yield Path(folder)


@contextmanager
def engine_in_memory(model: BackgroundModel, journal_so_far: Mapping[str, Any] | None = None) -> Iterator[Engine]:
    """An engine with a temporary journal, which continues from a recording's journal, if any."""
    with (
        TemporaryDirectory(prefix="crokinole-") as folder,
        closing(Journal(Path(folder) / "journal.sqlite")) as journal,
    ):
        yield _engine(journal, model, journal_so_far)


def _engine(journal: Journal, model: BackgroundModel, so_far: Mapping[str, Any] | None) -> Engine:
    try:
        if so_far is not None:
            entries = [ev.Entry(e["id"], e["match"], 0.0, e["kind"], e["body"]) for e in so_far["events"]]
            journal.continue_from(int(so_far["last"]), entries)
            if entries:
                # raises if it can't be read: a table sets such a match aside, but a replay needs it
                read_match(journal, journal.newest())
        return Engine(journal, model, wall=lambda: 0.0)
    except (KeyError, TypeError, ValueError, Unreadable) as error:
        raise BadInput(
            "The recording's first line does not hold the journal as this program writes it: "
            "take the line out to have the pictures watched as a camera's are."
        ) from error


def start_command(rules_id: str) -> dict[str, Any]:
    """The command for the match of a recording without commands."""
    return {"do": "start", "rules": rules_id, "sides": [{"name": "A"}, {"name": "B"}], "starter": "A"}


def replay(
    folder: Path, *, rules_id: str = "nca", landmarks: Landmarks | None = None, reread: bool = False
) -> Iterator[dict[str, Any]]:
    """One document per settled board. Raises `BadInput` or `HardwareError` if the recording can't be used."""
    entries = read_recording(folder)
    with player_of(entries, rules_id=rules_id, landmarks=landmarks, reread=reread) as (engine, player):
        for entry in entries:
            for reading in player.play(entry):
                if engine.state is not None:
                    yield settled(engine, reading, player.happened)
                player.happened.clear()


@contextmanager
def player_of(
    entries: Sequence[Entry], *, rules_id: str = "nca", landmarks: Landmarks | None = None, reread: bool = False
) -> Iterator[tuple[Engine, "RecordingPlayer"]]:
    """A recording's player and engine. Raises `BadInput` if the recording can't be used."""
    first = entries[0]
    kept = first.values.get("journal") if isinstance(first, Remark) else None
    with engine_in_memory(BackgroundModel(landmarks=landmarks), kept) as engine:
        if kept is None:
            engine.command(start_command(rules_id))
        yield engine, RecordingPlayer(engine, "watch" if kept is None else "read" if reread else "trust")


class RecordingPlayer:
    """Plays the entries of a recording into an engine, as a table's devices and people would. `how`: "watch" the
    pictures like a camera's, "read" each of them, or "trust" the recorded readings."""

    def __init__(self, engine: Engine, how: Literal["watch", "read", "trust"]) -> None:
        self.happened: list[ev.Event] = []
        self._engine = engine
        self._watcher = FrameWatcher(engine.model)
        self._how = how
        self._picture: Image | None = None
        self._film: Film | None = None  # up to the next picture
        engine.on_happened.append(lambda events, _: self.happened.extend(events))

    def play(self, entry: Entry) -> Iterator[BoardReading]:
        """The readings from this entry, each after the engine has processed it."""
        match entry:
            case RecordedFrame():
                for observation in self._observations(entry):
                    if isinstance(observation, ReadingFailed):
                        raise BadInput(f"{entry.path}: {observation.text}")
                    yield from self._observed(observation)
            case HoleEvent():
                self._engine.hole_changed(entry)
            case RecordedCommand(_, command):
                self._engine.command(command)
            case Remark(t, {"reading": dict(document)}) if self._how == "trust" and self._picture is not None:
                yield from self._observed(
                    BoardRead(t, _read("reading", READING, document, t), self._picture, self._film)
                )
            case Remark(t, values):
                self._apply(t, values)

    def _observed(self, observation: Observation) -> Iterator[BoardReading]:
        self._engine.observe(observation)
        if isinstance(observation, BoardRead):
            self._film = None
            yield observation.reading

    def _observations(self, recorded: RecordedFrame) -> list[Observation]:
        if self._how == "watch":
            return self._watcher.process_frame(recorded.frame())
        self._picture = recorded.picture()
        if self._how == "trust":
            return []  # the next line has its reading
        reading = self._engine.model.read(self._picture, recorded.t, recorded.path.name)
        return [BoardRead(recorded.t, reading, self._picture, self._film)]

    def _apply(self, t: float, values: Mapping[str, Any]) -> None:
        match values:
            case {"gate": word} if word in get_args(Word):
                self._engine.observe(GateChanged(t, word))
            case {"film": dict(document)}:
                self._film = _read("film", FILM, document, t)
            case {"calibration": dict(document)}:
                self._engine.model.calibration = Calibration.from_json(document)
            case {"palette": dict(document)}:
                palette = Palette.from_json(document)
                self._engine.model.palette = palette
                self._engine.certify(palette)
            case {"camera": "lost" | "back" as what}:
                self._engine.camera_changed(lost=what == "lost")
            case {"hole_side": str(side)}:
                self._engine.hole_changed(HoleEvent(t, occupied=True), side)
            case {"unseen": int() | None as missed}:
                self._engine.hole_changed(HoleEvent(t, None, missed=missed))


def _read(what: Literal["reading", "film"], written: TypeAdapter[T], document: Mapping[str, Any], t: float) -> T:
    """Parse a recorded reading or film. Raises `BadInput`."""
    try:
        return written.validate_python(document)
    except ValidationError as error:
        helps = {"reading": "replay with --reread", "film": "take the line out to replay without it"}[what]
        raise BadInput(f"The {what} at {t} s is not as this program writes it: {helps}.") from error


def settled(engine: Engine, reading: BoardReading, happened: Sequence[ev.Event]) -> dict[str, Any]:
    """The output line for one settled board."""
    state = engine.state
    assert state is not None
    current = state.game.round
    return {
        "t": reading.t,
        "frame": reading.frame,
        "state": engine.word,
        "reading": _for_people(reading, state).to_json(),
        "shots": shots(state, happened),
        "amended": [event.in_words(state.names) for event in happened if isinstance(event, ev.Amended)],
        "totals": dict(current.totals),
        "twenties": dict(current.twenty_counts),
        "questions": [question_json(q, state) for q in state.questions.values()],
    }


def _for_people(reading: BoardReading, state: MatchState) -> BoardReading:
    """The reading in the players' board frame, with its discs assigned to sides."""
    discs = ((disc, state.seating.shown(disc.x, disc.y)) for disc in sided(reading, state).discs)
    return replace(reading, discs=tuple(replace(disc, x=x, y=y) for disc, (x, y) in discs))


def shots(state: MatchState, happened: Sequence[ev.Event]) -> list[dict[str, Any]]:
    """The judgements of the shots that one board revealed, including earlier ones that were missed."""
    latest = {s.shot.disc: s for r in state.game.all_rounds for s in r.shots}
    revealed = (disc for event in happened for disc in _newly_reported(event))
    return [{"side": latest[disc].shot.side, **judged_shot(latest[disc])} for disc in revealed if disc in latest]


def _newly_reported(event: ev.Event) -> list[str]:
    """The discs whose shots this event reports for the first time."""
    match event:
        case ev.ShotSeen(disc=disc):
            return [disc]
        case ev.Amended(revised=revised):
            return [one.event.disc for one in revised if isinstance(one.event, ev.ShotSeen) and one.number is None]
    return []


def question_json(question: OpenQuestion, state: MatchState) -> dict[str, Any]:
    """A question as a document."""
    omitted = () if question.asked.what == "close_call" else ("clearance", "sigma")
    return {name: value for name, value in vars(ShownQuestion.of(question, state, {})).items() if name not in omitted}


# A kept round against the truth according to people, shot by shot.

BY_THE_TABLE = ("start", "end_round", "confirm", "turn_seats", "pause", "resume", "time_out", "shoot_out")
"""The commands that are replayed. All others enter what the table should find by itself."""
Shot = Mapping[str, Any]
OUTCOMES = ("right", "asked", "silently_wrong", "missed", "extra")


def against(folder: Path, *, reread: bool = False) -> dict[str, Any]:
    """The document `round-score/1` of an unpacked round. Raises `BadInput` or `HardwareError` if it can't be used."""
    truth = _truth(folder / TRUTH)
    entries = read_recording(folder)
    with player_of(entries, reread=reread) as (engine, player):
        for entry in entries:
            if isinstance(entry, RecordedCommand) and entry.command.get("do") not in BY_THE_TABLE:
                continue
            with suppress(Refused):  # a command that depends on an omitted one
                list(player.play(entry))
        state = engine.state
        if state is None:
            raise BadInput(f"{folder} holds no match: its recording begins before one was started.")
        return score(round_document(state, truth["round"]), truth["truth"], _asked(state, truth["round"]))


class _Verdict(TypedDict):
    disc: str
    side: str
    valid: bool
    removed: list[dict[str, str]]
    twenties: list[str]
    annulled: NotRequired[bool]


class _Round(TypedDict):
    shots: list[_Verdict]
    totals: dict[str, int]


class _Kept(TypedDict):
    schema: Literal["kept-round/1"]
    round: int
    truth: _Round


_KEPT = TypeAdapter(_Kept)


def _truth(path: Path) -> _Kept:
    """The truth according to people. Raises `BadFile` or `BadInput`, which name the file and what is wrong."""
    try:
        return _KEPT.validate_python(read_json(path))
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise BadInput(f"{path}, {where}: {first['msg']}. Save the round again.") from error


def _asked(state: MatchState, number: int) -> set[str]:
    """The discs of a round's shots with an open question."""
    shots = {id_: shot for (round_, shot), id_ in state.shots.items() if round_ == number}
    played = next((one.shots for one in state.game.all_rounds if one.number == number), ())
    found: set[str] = set()
    for question in state.questions.values():
        asked = question.asked
        found |= {asked.disc or "", *asked.discs}
        if asked.shot in shots and shots[asked.shot] <= len(played):
            found.add(played[shots[asked.shot] - 1].shot.disc)
    return found


def score(shown: Mapping[str, Any], truth: Mapping[str, Any], asked: set[str]) -> dict[str, Any]:
    """Each shot as the table shows it and as it was, with the outcome of the comparison."""
    shots = list(_outcomes(shown["shots"], truth["shots"], asked))
    counts = {name: sum(one["outcome"] == name for one in shots) for name in OUTCOMES}
    right = shown["totals"] == truth["totals"]
    return {
        "schema": "round-score/1",
        "shots": shots,
        "counts": counts,
        "totals": {"shown": shown["totals"], "truth": truth["totals"], "right": right},
    }


def _outcomes(shown: Sequence[Shot], truth: Sequence[Shot], asked: set[str]) -> Iterator[dict[str, Any]]:
    for mine, true in paired(shown, truth, lambda one, other: one["side"] == other["side"], _agree):
        if mine is None:
            outcome = "missed"
        elif true is not None and _agree(mine, true):
            outcome = "right"
        elif {mine["disc"], *(one["disc"] for one in mine["removed"])} & asked:
            outcome = "asked"
        else:
            outcome = "extra" if true is None else "silently_wrong"
        yield {"shown": mine, "truth": true, "outcome": outcome}


def _agree(shown: Shot, true: Shot) -> bool:
    return _key(shown) == _key(true)


def _key(shot: Shot) -> tuple[Any, ...]:
    """What must agree in two accounts of a shot; the discs' numbers may differ after a missed shot."""
    removed = sorted((one["disc"][0], one["why"]) for one in shot["removed"])
    return shot["side"], shot["valid"], tuple(removed), len(shot["twenties"]), shot.get("annulled", False)
