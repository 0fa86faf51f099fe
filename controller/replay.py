"""`replay`: a recording played as if it were live, one line per settled board. The same recording, the same events."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from controller import events as ev
from controller.engine import Engine
from controller.errors import BadInput
from controller.journal import Journal
from controller.match import MatchState
from controller.referee.colours import side_of
from controller.rules.record import judged_shot
from controller.view import question_view
from controller.vision.eye import Eye
from controller.vision.landmarks import Landmarks
from controller.vision.lookout import Lookout
from controller.vision.readings import BoardReading
from controller.vision.watcher import BoardRead, GateChanged, ReadingFailed
from hardware.devices import HoleEvent
from hardware.recording import RecordedCommand, RecordedFrame, RecordedHole, Remark, read_recording


@contextmanager
def engine_in_memory(rules_id: str) -> Iterator[Engine]:
    """An engine whose journal goes with it, a match of `rules_id` begun."""
    with TemporaryDirectory(prefix="crokinole-") as folder:
        journal = Journal(Path(folder) / "journal.sqlite")
        engine = Engine(journal, wall=lambda: 0.0)
        engine.command(start_command(rules_id))
        try:
            yield engine
        finally:
            journal.close()


def start_command(rules_id: str) -> dict[str, Any]:
    """The match that a recording plays unless its commands say otherwise."""
    return {"do": "start", "rules": rules_id, "sides": [{"name": "A"}, {"name": "B"}], "starter": "A"}


def replay(folder: Path, *, rules_id: str = "nca", landmarks: Landmarks | None = None) -> Iterator[dict[str, Any]]:
    """One document per settled board. Raises `BadInput` or `HardwareError` where the recording can't be used."""
    entries = read_recording(folder)
    with engine_in_memory(rules_id) as engine:
        eye = Eye(landmarks=landmarks)
        lookout = Lookout(eye)
        happened: list[ev.Event] = []
        engine.on_events.append(lambda events, _: happened.extend(events))
        for entry in entries:
            match entry:
                case RecordedFrame():
                    for observation in lookout.see(entry.frame()):
                        engine.observe(observation)
                        if isinstance(observation, ReadingFailed):
                            raise BadInput(f"{entry.path}: {observation.text}")
                        if isinstance(observation, BoardRead):
                            yield settled(engine, observation.reading, happened)
                            happened.clear()
                case RecordedHole(t, occupied):
                    engine.hole(HoleEvent(t, occupied))
                case RecordedCommand(_, command):
                    engine.command(command)
                case Remark(t, {"gate": ("hand" | "moving" | "still") as word}):
                    engine.observe(GateChanged(t, word))


def settled(engine: Engine, reading: BoardReading, happened: Sequence[ev.Event]) -> dict[str, Any]:
    """The line that FORMATS promises for one settled board."""
    state = engine.state
    assert state is not None
    current = state.game.round
    return {
        "t": reading.t,
        "frame": reading.frame,
        "state": engine.word,
        "reading": sided(reading, state.colours).to_json(),
        "shots": shots(state, happened),
        "totals": dict(current.totals),
        "twenties": dict(current.twenty_counts),
        "questions": [question_json(q.id, q.asked) for q in state.questions.values()],
    }


def sided(reading: BoardReading, colours: Mapping[Any, ev.Lab]) -> BoardReading:
    """The reading with its discs given to the sides whose colours are known."""
    return BoardReading(
        tuple(d.of_side(side_of(d, colours)) for d in reading.discs),
        reading.obstructed,
        reading.milliseconds,
        reading.t,
        reading.frame,
    )


def shots(state: MatchState, happened: Sequence[ev.Event]) -> list[dict[str, Any]]:
    """The judgements of the shots that one board revealed."""
    latest = {s.shot.disc: s for r in state.game.all_rounds for s in r.shots}
    seen = [latest[e.disc] for e in happened if isinstance(e, ev.ShotSeen) and e.disc in latest]
    return [{"side": s.shot.side, **judged_shot(s)} for s in seen]


def question_json(id_: int, asked: ev.QuestionAsked) -> dict[str, Any]:
    """A question as FORMATS promises it."""
    document = question_view(id_, asked)
    if asked.what != "close_call":
        del document["clearance"], document["sigma"]
    return document
