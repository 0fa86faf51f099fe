"""What the pages for builders say: commands that exist, sums that are right, heights that follow from the geometry."""

import math
import re
from pathlib import Path

import click
import pytest

from controller import cli
from hardware.presets import BOARD_SEEN, Preset

ROOT = Path(__file__).resolve().parents[1]
PAGES = tuple(ROOT / name for name in ("README.md", "docs/build.md", "docs/running.md", "docs/commands.md"))
BUILD, CAMERAS = ((ROOT / "docs" / name).read_text("utf-8") for name in ("build.md", "cameras.md"))
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_command_of_the_program_is_one(page):
    named = re.findall(r"crokinole-table ([a-z]+(?:-[a-z]+)*)([^`\n]*)", page.read_text("utf-8"))
    assert named, "the page names no command"
    for verb, rest in named:
        command = cli.command.commands.get(verb)
        assert isinstance(command, click.Command), verb
        known = {name for parameter in command.params for name in parameter.opts}
        assert set(OPTION.findall(rest)) <= known, (verb, rest)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_option_of_the_set_up_s_scripts_is_one(page):
    for script, rest in re.findall(r"(setup/[a-z-]+\.sh)([^`\n]*)", page.read_text("utf-8")):
        known = set(OPTION.findall((ROOT / script).read_text("utf-8")))
        assert set(OPTION.findall(rest)) <= known, (script, rest)


def prices(heading: str) -> list[int]:
    """What the parts below a heading cost, without those that are optional."""
    table = BUILD.partition(f"**{heading}**")[2].lstrip().partition("\n\n")[0]
    return [
        int(price) for part, price in re.findall(r"^\| (.*?) \|.*\| (\d+) \|$", table, re.M) if "optional" not in part
    ]


def test_the_two_kinds_of_table_cost_what_their_parts_cost():
    camera = sum(prices("For every table"))
    both = camera + sum(prices("For the sensor in the hole"))
    said = re.search(r"\| parts, without screen \| about (\d+) euros \| about (\d+) euros \|", BUILD)
    assert said is not None
    assert [round(total / 5) * 5 for total in (camera, both)] == [int(said[1]), int(said[2])]


def height(vertical: float) -> float:
    """Metres, for a vertical field of view in degrees: by the presets' own geometry, with a lens that has this view."""
    rows = 1000
    focal = rows / 2 / math.tan(math.radians(vertical) / 2)
    return Preset("", (rows, rows), 1.0, focal, True, (rows, rows), 8, 30.0).height() / 1000


def vertical(diagonal: float, width: int, high: int) -> float:
    """The vertical field of view of a sensor of this shape, in degrees."""
    return 2 * math.degrees(math.atan(math.tan(math.radians(diagonal) / 2) * high / math.hypot(width, high)))


def test_usb_cameras_hang_where_their_field_of_view_says():
    rows = re.findall(r"^\| (\d+) deg \| ([\d.]+) m \| ([\d.]+) m \|$", CAMERAS, re.M)
    assert len(rows) == 7
    for diagonal, narrow, wide in rows:
        assert float(narrow) == round(height(vertical(float(diagonal), 4, 3)), 2)
        assert float(wide) == round(height(vertical(float(diagonal), 16, 9)), 2)


@pytest.mark.parametrize(
    ("camera", "view"),
    [
        ("OS08A10", 35.0),
        ("B0196", 48.8),
        ("IMX179", vertical(75.0, 4, 3)),
        ("C920", vertical(78.0, 16, 9)),
        ("HD-3000", vertical(68.5, 16, 9)),
    ],
)
def test_so_does_each_camera_of_the_list(camera, view):
    (row,) = [line for line in CAMERAS.splitlines() if line.startswith("|") and camera in line.split("|")[1]]
    assert row.endswith(f"| {height(view):.2f} m |")


def test_a_picture_of_720_rows_has_as_few_pixels_as_the_page_says():
    said = re.search(r"pixel is ([\d.]+) mm of the board, ([\d.]+) pixels a millimetre", CAMERAS)
    assert said is not None
    assert [float(said[1]), float(said[2])] == [round(BOARD_SEEN / 720, 2), round(720 / BOARD_SEEN, 2)]
