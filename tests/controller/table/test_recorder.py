"""What the service records replays to the very events that it had."""

import json
import re
import threading
from contextlib import closing

import pytest

from controller.errors import BadInput, Refused
from controller.match import events as ev
from controller.service import Service
from controller.tools.replay import RecordingPlayer, engine_in_memory, replay
from controller.vision.side_colours import Palette
from controller.vision.watching.background_model import BackgroundModel
from hardware.devices import ManualClock
from hardware.pictures import encode
from hardware.recording import RecordingWriter, read_recording
from hardware.simulated.painter import Painter
from hardware.simulated.scene import Scene
from tests.controller.fed_table import settings_of
from tests.slow import first_is_quick, slow

PALETTE = Palette({"A": (20.0, 0.0, 0.0), "B": (70.0, 8.0, 28.0)})
PATIENCE = 120.0  # s of a slow machine until the simulated match has come so far


def recorded(folder, *, shots=6):
    """A simulated match played and recorded by the service as it ships, as fast as the machine can, with commands."""
    config = settings_of(
        folder / "data",
        match={"discs": 6, "format": {"kind": "rounds", "rounds": 1}},
        simulated={"frames_per_second": 15, "seed": 5},
    )
    service = Service(config, record=folder / "recording", clock=ManualClock())
    enough, undone = threading.Event(), threading.Event()

    def listen(events, state):
        seen = service.engine.state
        if len(seen.game.round.shots) >= 3:
            undone.set()
        if len(seen.game.round.shots) >= shots or seen.over:
            enough.set()

    service.engine.on_happened.append(listen)
    service.start()
    try:
        assert undone.wait(PATIENCE)
        service.post(lambda: service.engine.certify(PALETTE))
        service.command({"do": "correct_round", "round": 1, "twenties": {"A": 1}, "by": "phone"})
        with pytest.raises(Refused):
            service.command({"do": "redo"})
        assert enough.wait(PATIENCE)
    finally:
        service.stop()
    return service


def bodies(events):
    """Their content, but for the time in the names of pictures: a replay has another."""
    whole = [json.dumps({"kind": event.kind, **ev.body(event)}, sort_keys=True) for event in events]
    return [re.sub(r"-\d+\.jpg", ".jpg", one) for one in whole]


@slow
def test_a_recorded_match_replays_to_the_same_events_and_pictures(tmp_path):
    service = recorded(tmp_path)
    number = list(service.journal.spans())[-1]
    happened = [ev.parse(entry).event for entry in service.journal.events(number)]
    entries = read_recording(tmp_path / "recording")
    with engine_in_memory(BackgroundModel(), entries[0].values["journal"]) as engine:
        begun = len(engine.history)
        assert begun >= 1, "the recording begins with the match as it stood"
        player = RecordingPlayer(engine, "trust")
        for entry in entries:
            for _ in player.play(entry):
                pass
        assert bodies([s.event for s in engine.history]) == bodies(happened)
        assert any(isinstance(event, ev.ColoursLearnt) and event.certified for event in happened)
        assert [s.id for s in engine.history] == [entry.id for entry in service.journal.events(number)]
        assert engine.word == service.engine.word
    lines = list(replay(tmp_path / "recording"))
    told = sum(isinstance(e, ev.ShotSeen) for e in happened)
    told += sum(e.reserved for e in happened)  # shots that a later board revealed
    assert sum(len(line["shots"]) for line in lines) == told
    assert any(isinstance(event, ev.ShotSeen) and event.film is not None for event in happened)
    reread = list(replay(tmp_path / "recording", reread=True))
    assert [line["frame"] for line in reread] == [line["frame"] for line in lines]


@pytest.mark.parametrize(
    ("line", "words"),
    first_is_quick(
        [
            ({"t": 0.0, "journal": {"last": "many", "events": []}}, "first line"),
            ({"t": 0.0, "journal": {"events": [{"id": 1}]}}, "first line"),
            (
                {"t": 0.0, "journal": {"last": 3, "events": [{"id": 1, "match": 1, "kind": "danced", "body": {}}]}},
                "first line",
            ),
            ({"t": 1.0, "reading": {"discs": [{"x": "left"}]}}, "--reread"),
            ({"t": 1.0, "film": {"tracks": "many"}}, "take the line out"),
        ]
    ),
)
def test_a_recording_that_was_tampered_with_is_named_and_no_traceback(tmp_path, line, words):
    with closing(RecordingWriter(tmp_path / "recording")) as writer:
        if "journal" not in line:
            writer.write(0.0, journal={"last": 0, "events": []})
            writer.encoded(0.5, encode(Painter(seed=1).full(Scene(0.0))))
        writer.write(**line)
    with pytest.raises(BadInput, match=words):
        list(replay(tmp_path / "recording"))
