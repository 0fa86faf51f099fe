import json
from contextlib import closing

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardware.devices import HoleEvent, ManualClock
from hardware.errors import BadFile
from hardware.pictures import encode
from hardware.recording import (
    LINES,
    STILLS_APART,
    RecordedCommand,
    RecordedFrame,
    RecordingCamera,
    RecordingWriter,
    Remark,
    read_recording,
)
from tests.hardware.camera_contract import card

SIZE = (320, 240)


def stills(folder, count=3):
    for number in range(count):
        cv2.imwrite(str(folder / f"{number:06}.jpg"), card(number, SIZE))


def lines(folder, *entries):
    text = "\n".join(entry if isinstance(entry, str) else json.dumps(entry) for entry in entries)
    (folder / LINES).write_text(text + "\n")


def test_without_lines_the_pictures_are_half_a_second_apart(tmp_path):
    stills(tmp_path)
    (tmp_path / "000001.json").write_text("{}")  # a file of somebody else's
    entries = read_recording(tmp_path)
    assert [(type(entry), entry.t) for entry in entries] == [(RecordedFrame, STILLS_APART * k) for k in range(3)]
    assert [entry.path.name for entry in entries if isinstance(entry, RecordedFrame)] == [
        "000000.jpg",
        "000001.jpg",
        "000002.jpg",
    ]


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ("{broken", "line 2: not JSON"),
        ('{"t": 1.0, "frame": "000009.jpg"}', r"line 2: there is no .*000009\.jpg"),
        ('{"t": 1.0, "frame": "../000001.jpg"}', "line 2: .* is not the name of a picture in this folder"),
        ('{"t": 1.0, "frame": ""}', "line 2: .* is not the name of a picture in this folder"),
        ('{"t": 1.0, "frame": 7}', "line 2: 7 is not the name of a picture"),
        ('{"t": -1.0, "frame": "000001.jpg"}', r"line 2: the time -1\.0 is before 0\.0"),
        ('{"frame": "000001.jpg"}', "line 2: a line needs a time"),
        ('{"t": true, "frame": "000001.jpg"}', "line 2: a line needs a time"),
        ('{"t": NaN, "frame": "000001.jpg"}', "line 2: a line needs a time"),
        (f'{{"t": 1{"0" * 310}, "frame": "000001.jpg"}}', "line 2: a line needs a time"),
        ('{"t": 1.0, "measured": "soon", "hole": "cleared"}', "line 2: a line needs a time"),
        ('{"t": 1.0, "hole": "open"}', 'line 2: the hole is "occupied" or "cleared", not "open"'),
        ('{"t": 1.0, "command": "undo"}', "line 2: a command is a JSON object"),
        ('{"t": 1.0, "hole": "cleared", "frame": "000001.jpg"}', "line 2: one line can't be both frame and hole"),
    ],
)
def test_an_invalid_line_is_named(tmp_path, bad, message):
    stills(tmp_path)
    lines(tmp_path, {"t": 0.0, "frame": "000000.jpg"}, bad)
    with pytest.raises(BadFile, match=rf"recording\.jsonl, {message}"):
        read_recording(tmp_path)


@pytest.mark.parametrize("kept", [0.3, 0.9, 0.999])
def test_a_truncated_picture_is_named_with_its_line(tmp_path, kept):
    stills(tmp_path)
    picture = tmp_path / "000001.jpg"
    data = picture.read_bytes()
    picture.write_bytes(data[: int(len(data) * kept)])
    lines(tmp_path, {"t": 0.0, "frame": "000000.jpg"}, {"t": 0.5, "frame": "000001.jpg"})
    frames = RecordingCamera(tmp_path, ManualClock()).frames()
    next(frames)
    with pytest.raises(BadFile, match=r"recording\.jsonl, line 2: .*000001\.jpg is cut off after \d+ bytes"):
        next(frames)


@pytest.mark.parametrize(("data", "message"), [(b"", "not a picture"), (b"text", "not a picture")])
def test_a_file_that_is_not_a_picture_is_named(tmp_path, data, message):
    (tmp_path / "000000.jpg").write_bytes(data)
    with pytest.raises(BadFile, match=rf"000000\.jpg is {message}"):
        next(RecordingCamera(tmp_path, ManualClock()).frames())


def test_a_picture_of_another_size_is_named(tmp_path):
    stills(tmp_path)
    cv2.imwrite(str(tmp_path / "000001.jpg"), card(1, (640, 480)))
    frames = RecordingCamera(tmp_path, ManualClock()).frames()
    next(frames)
    with pytest.raises(BadFile, match=r"000001\.jpg is 640x480, the pictures before it 320x240"):
        next(frames)


def test_a_folder_that_is_no_recording_is_refused(tmp_path):
    with pytest.raises(BadFile, match="is not a folder"):
        read_recording(tmp_path / "nowhere")
    with pytest.raises(BadFile, match=r"neither recording\.jsonl nor pictures"):
        read_recording(tmp_path)
    (tmp_path / LINES).write_text("\n")
    with pytest.raises(BadFile, match="is empty"):
        read_recording(tmp_path)
    (tmp_path / LINES).write_bytes(b"\xff\xfe\x00")
    with pytest.raises(BadFile, match="can't be read as text"):
        read_recording(tmp_path)


def test_played_as_a_camera_it_keeps_its_pace_on_the_tables_clock(tmp_path):
    stills(tmp_path)
    lines(tmp_path, *({"t": 7 + k * k, "frame": f"{k:06}.jpg"} for k in range(3)))
    clock = ManualClock(100.0)
    assert [(frame.t, clock.now()) for frame in RecordingCamera(tmp_path, clock).frames()] == [
        (100.0, 100.0),
        (101.0, 101.0),
        (104.0, 104.0),
    ]


def test_a_recording_reads_back_as_written(tmp_path):
    folder = tmp_path / "evening" / "first"
    noise = np.random.default_rng(5).integers(0, 256, (240, 320, 3), np.uint8)
    with closing(RecordingWriter(folder)) as writer:
        names = [writer.encoded(1.25, encode(card(0, SIZE))), writer.encoded(2.5, encode(noise))]
        writer.write(2.75, hole="occupied")
        writer.write(3.0, command={"do": "answer", "question": 4})
        writer.write(3.5, gate="hand")
    entries = read_recording(folder)
    replayed = [entry.frame() for entry in entries if isinstance(entry, RecordedFrame)]
    assert [(frame.t, frame.number, frame.name) for frame in replayed] == [(1.25, 0, names[0]), (2.5, 1, names[1])]
    assert all(np.array_equal(frame.full(), cv2.imread(str(folder / frame.name))) for frame in replayed)
    assert np.mean(cv2.absdiff(replayed[0].full(), card(0, SIZE))) < 2  # what JPEG changes
    assert entries[2:] == [
        HoleEvent(2.75, True),
        RecordedCommand(3.0, {"do": "answer", "question": 4}),
        Remark(3.5, {"gate": "hand"}),
    ]


def test_each_line_can_be_read_while_the_recording_goes_on(tmp_path):
    writer = RecordingWriter(tmp_path / "live")
    writer.encoded(0.0, encode(card(0, SIZE)))
    assert len(read_recording(tmp_path / "live")) == 1
    writer.write(0.1, hole="occupied")
    assert len(read_recording(tmp_path / "live")) == 2
    writer.close()
    writer.close()


@settings(max_examples=50)
@given(times=st.lists(st.floats(0, 1e6), min_size=1, max_size=20))
def test_lines_are_in_order_of_time_and_each_entry_has_its_own_time(tmp_path_factory, times):
    folder = tmp_path_factory.mktemp("recording")
    with closing(RecordingWriter(folder)) as writer:
        for k, t in enumerate(times):
            writer.write(t, hole="cleared" if k % 2 else "occupied")
    assert read_recording(folder) == [HoleEvent(t, k % 2 == 0) for k, t in enumerate(times)]
    written = [json.loads(line)["t"] for line in (folder / LINES).read_text().splitlines()]
    assert written == [max(times[: k + 1]) for k in range(len(times))]


def test_an_existing_recording_is_never_touched(tmp_path):
    with closing(RecordingWriter(tmp_path / "one")) as writer:
        writer.write(1.0, hole="occupied")
    before = (tmp_path / "one" / LINES).read_bytes()
    with pytest.raises(BadFile, match="is there already: record into a new folder"):
        RecordingWriter(tmp_path / "one")
    assert (tmp_path / "one" / LINES).read_bytes() == before
    (tmp_path / "stills").mkdir()
    stills(tmp_path / "stills")
    with pytest.raises(BadFile, match="is there already"):
        RecordingWriter(tmp_path / "stills")
    assert not (tmp_path / "stills" / LINES).exists()


def test_a_folder_that_cannot_be_created_is_refused(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(BadFile, match="choose another folder"):
        RecordingWriter(tmp_path / "file" / "recording")
