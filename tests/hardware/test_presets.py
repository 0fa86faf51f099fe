import re
from pathlib import Path

import pytest

from hardware.board import TOURNAMENT
from hardware.picamera import FULL, _frame_us
from hardware.presets import PRESETS, preset

DOC = (Path(__file__).resolve().parents[2] / "docs" / "cameras.md").read_text()


@pytest.mark.parametrize("model", PRESETS)
def test_at_its_height_a_camera_sees_the_whole_board_and_little_more(model):
    camera = PRESETS[model]
    lens = camera.lens(*FULL, focal=camera.focal)
    assert lens is not None
    shown = camera.height() * FULL[1] / lens.focal  # mm across the shorter side
    board = 2 * (TOURNAMENT.surface_radius + TOURNAMENT.ditch_width)
    assert board < shown < 1.1 * board


def test_the_page_agrees_with_the_data():
    row = r"^\| ([\w ]+) \| (\w+) \| .*?([\d.]+) mm.*? \| ([\d.]+) m \| (\d+) / (\d+) \|$"
    rows = re.findall(row, DOC, re.MULTILINE)
    assert {row[1] for row in rows} == set(PRESETS)
    for name, model, focal, height, at_50, at_60 in rows:
        camera = PRESETS[model]
        assert name == camera.name
        assert float(focal) == camera.focal
        assert float(height) == round(camera.height() / 1000, 2)
        assert [int(at_50), int(at_60)] == [int(1e6 / _frame_us(mains, camera.fastest) + 0.01) for mains in (50, 60)]
    assert f"hangs at {PRESETS['imx477'].height(8.0) / 1000:.2f} m" in DOC


def test_a_camera_without_infrared_filter_is_the_same_camera():
    assert preset("imx708_noir") is PRESETS["imx708"]
    assert preset("imx708_wide_noir") == preset("imx708_wide")
    assert preset("ov9281") is None
