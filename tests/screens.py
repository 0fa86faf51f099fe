"""Pictures of the screens in their states: `python -m tests.screens FOLDER [PART ..]` writes them all, or those of
the given pages, states, widths, themes and languages; the README's picture is made of two of them."""

import argparse
import copy
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import cv2

from controller.vision.reading.annotate import crop
from controller.vision.reading.reader import read_board
from hardware.pictures import decode, encode
from hardware.simulated.scene import Scene, SceneDisc
from tests.browser import chromium
from tests.controller.vision.painted import known_table
from tests.web_ui.fake_table import STATES, FakeTable, film, in_club
from web_ui import Server, create_app
from web_ui.languages import LANGUAGES

README = Path(__file__).resolve().parents[1] / "docs/scoreboard.jpg"
SIZES = {"tv": ((1920, 1080), (1366, 768), (3840, 2160), (1080, 1920)), "phone": ((390, 844), (360, 640), (844, 390))}
LONGEST = "Wolfeschlegelsteinhausenbergerdorff III."


def match() -> dict[str, Any]:
    """A twenty that has to be lifted out, with its film."""
    state = STATES["mid_round"]()
    now = state["match"]
    now["sides"][0] |= {"total": 60, "total_range": [60, 60], "twenties": 2, "shots_left": 3, "hammer": True}
    now["sides"][1] |= {"total": 50, "total_range": [50, 50], "twenties": 1, "shots_left": 3, "hammer": False}
    sunk = {**now["discs"][0], "id": "a5", "x": 0.0, "y": 0.0, "zone": 20, "pose": "in_hole", "remove": "twenty"}
    now["discs"] = [sunk, *now["discs"][:5]]
    now["last_call"] |= {"text": "Twenty!", "valid": True, "named": []}
    now["next_step"] = "Lift the twenty out of the hole."
    tracks = film(12)["tracks"]
    tracks[0] |= {"disc": "a5", "side": "A", "points": [[0.0, -115, -282], [5.0, 48, -4], [20.0, 0, 0]]}
    tracks[1] |= {"disc": "b3", "side": "B", "points": [[5.0, 78, 8], [10.0, 220, 60]]}
    now["discs"][-1] |= {"x": 220, "y": 60}
    now["film"] = film(12) | {"tracks": tracks}
    now["timers"] = [timer()]
    return state


def timer(**more: Any) -> dict[str, Any]:
    stopped = {"timer": "round", "seconds": 600.0, "on_first_shot": False, "word": "stopped", "left": 252.0}
    return stopped | {"ends": None, "text": None, **more}


def by_hand() -> dict[str, Any]:
    state = match()
    state["match"] |= {"manual": True, "discs": [], "film": None, "last_call": None, "questions": []}
    state["match"]["next_step"] = "The scorer keeps the score."
    state["status"] = {"word": "manual", "text": "The scorer keeps the score"}
    return state


def moving() -> dict[str, Any]:
    return match() | {"status": {"word": "moving", "text": "Moving"}}


def blind() -> dict[str, Any]:
    notice = {"kind": "camera", "text": "The camera moved. Put it back, or set it up again."}
    return match() | {"status": {"word": "camera_moved", "text": "The camera or the board moved"}, "notices": [notice]}


def round_over() -> dict[str, Any]:
    state = match()
    state["match"]["round"] |= {"end": "proposed", "to_shoot": None, "seat_to_shoot": None, "player": None}
    state["match"] |= {"next_step": "Round over. Clear the board to confirm.", "last_call": None}
    for side in state["match"]["sides"]:
        side |= {"shoots": False, "shots_left": 0}
    return state


def time_up() -> dict[str, Any]:
    state = match()
    text = "The round's time is up: a side with fewer shots has one more, then the round ends."
    state["match"]["timers"] = [timer(word="ended", left=0.0, text=text)]
    return state


def practice() -> dict[str, Any]:
    state = match()
    now = state["match"]
    now["sides"] = now["sides"][:1]
    now["format"] = {"kind": "twenties", "rounds": 1, "tie": "stands"}
    now["rounds"] = []
    return state


def named(state: dict[str, Any]) -> dict[str, Any]:
    """The same with the longest names and totals, in the 25th round."""
    state = copy.deepcopy(state)
    now = state["match"]
    for side in now["sides"]:
        side |= {"name": LONGEST, "total": 115, "total_range": [115, 115], "score": 48, "twenties": 5}
        side["seats"] = [{"seat": side["seats"][0]["seat"], "player": LONGEST}]
    now["rounds"] = [now["rounds"][0] | {"number": n} for n in range(1, 25)] if now["rounds"] else []
    now["round"] |= {"number": 25, "of": None}
    now["next_step"] = f"{LONGEST} to shoot."
    return state


def pairs(state: dict[str, Any]) -> dict[str, Any]:
    state = copy.deepcopy(state)
    for side in state["match"]["sides"]:
        names = [LONGEST, LONGEST[::-1]]
        side |= {"name": " & ".join(names), "seats": [{"seat": 1, "player": name} for name in names]}
    return state


def four_by_hand() -> dict[str, Any]:
    return STATES["four_sides"]() | {"match": STATES["four_sides"]()["match"] | {"manual": True}}


STATES_SHOWN: dict[str, Callable[[], dict[str, Any]]] = {
    **{build.__name__: build for build in (match, by_hand, moving, blind, round_over, time_up, practice, four_by_hand)},
    **{name: STATES[name] for name in ("start", "mid_round", "amended", "question", "four_sides", "over", "no_match")},
    "three_sides": lambda: (
        STATES["four_sides"]()
        | {"match": STATES["four_sides"]()["match"] | {"sides": STATES["four_sides"]()["match"]["sides"][:3]}}
    ),
    "assigned": lambda: in_club(STATES["no_match"]()),
    "over_assigned": lambda: in_club(STATES["over"]()),
    "longest": lambda: named(match()),
    "pairs": lambda: pairs(match()),
    "pairs_by_hand": lambda: pairs(by_hand()),
    "pairs_question": lambda: pairs(STATES["question"]()),
    "longest_by_hand": lambda: named(by_hand()),
    "longest_question": lambda: named(STATES["question"]()),
    "longest_four": lambda: named(STATES["four_sides"]()),
    "longest_over": lambda: named(STATES["over"]()),
}

TOOLS = "#tools button:nth-last-of-type(3)"
SHEETS: dict[str, tuple[str, tuple[str, ...]]] = {
    "scorer": ("mid_round", ()),
    "scorer_over": ("over", ()),
    "scorer_question": ("question", ()),
    "pads": ("by_hand", ()),
    "pads_long": ("longest_by_hand", ()),
    "tools": ("match", (TOOLS,)),
    "tools_over": ("over", ("#tools button:nth-last-of-type(2)",)),
    "tool_shot": ("mid_round", ("#call .words",)),
    "tool_round": ("match", ("#score .caption",)),
    "tool_round_by_hand": ("four_by_hand", ("#score .caption",)),
    "tool_clock": ("match", ("#timers button",)),
    "tool_call": ("match", ("#side-B h2",)),
    "tool_match": ("match", ("#call .next",)),
    "menu": ("match", ("#tools .quiet",)),
    "form": ("no_match", ("#tools .main",)),
    "form_again": ("longest", ("#call .next", "dialog .tool:last-child")),
    "form_folded_out": ("over", ("#tools button:nth-last-of-type(2)", "dialog .tool:last-child", "dialog summary")),
    "asked": ("question", ("#questions button",)),
    "asked_long": ("longest_question", ("#questions button",)),
    "disc": ("mid_round", ("[data-disc=b4] .touch",)),
}
"""Sheets of the scorer's phone: the state, and what is touched to open them."""


def close_call() -> bytes:
    """The picture of a disc that nearly touches the 15 line."""
    painter, calibration, _ = known_table()
    picture = painter.full(Scene(0.0, (SceneDisc("b4", "natural", 61.0, -59.0),)))
    return encode(crop(picture, calibration, read_board(picture, calibration).discs))


CHOICES = ({"tv", "phone"}, {"dark", "light"}, set(LANGUAGES), {*STATES_SHOWN, *SHEETS})
"""What a name is made of; of each, only the given ones are wanted if there are any."""


def wanted(name: str, parts: set[str]) -> bool:
    of_name = set(name.split("-"))
    widths = {part for part in parts if part.isdecimal()}
    return all(not parts & some or parts & some & of_name for some in (*CHOICES, widths))


def shots(parts: set[str], pages: dict[str, str]) -> Iterator[tuple[str, str, str, str, tuple[int, int], str]]:
    """(name, page, state, theme, size, language) of each picture whose name has all the parts."""
    for page, path in pages.items():
        for state in (*STATES_SHOWN, *(SHEETS if page == "phone" else ())):
            for theme in ("dark", "light"):
                for size in SIZES[page]:
                    for language in LANGUAGES:
                        name = f"{page}-{state}-{size[0]}-{theme}-{language}"
                        if wanted(name, parts):
                            yield name, path, state, theme, size, language


ENTER = "() => fetch('/api/session', {method: 'POST', headers: {'Content-Type': 'application/json'}, body: '{}'})"


def write(folder: Path, parts: set[str]) -> None:
    from playwright.sync_api import sync_playwright

    folder.mkdir(parents=True, exist_ok=True)
    table = FakeTable(picture=close_call())
    server = Server(create_app(table), "127.0.0.1", 0)
    server.start()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium())
        for name, path, state, theme, (width, height), language in shots(parts, {"tv": "tv", "phone": ""}):
            state, touches = SHEETS.get(state, (state, None))
            shown = STATES_SHOWN[state]()
            table.publish(shown | {"match": (shown["match"] or {}) | {"film": None}} if shown["match"] else shown)
            page = browser.new_page(viewport={"width": width, "height": height}, color_scheme=theme,
                                    reduced_motion="reduce", device_scale_factor=1 if path else 2)  # fmt: skip
            page.goto(f"{server.url}{path}?language={language}")
            if touches is not None:
                page.evaluate(ENTER)
                page.reload()
                page.wait_for_selector("html[data-scorer=yes]")
            page.wait_for_selector("html[data-live=yes]")
            newest = table.publish(shown)
            page.wait_for_function("id => document.documentElement.dataset.state === String(id)", arg=newest.id)
            for touch in touches or ():
                page.click(touch)
                page.wait_for_selector("dialog[open] .sheet-body :is(button, input, li)")
            page.wait_for_function("() => [...document.images].every((image) => image.complete)")
            page.screenshot(path=folder / f"{name}.png")
            page.close()
        browser.close()
    server.stop()


def beside_each_other(folder: Path) -> None:
    """The README's picture: the table's screen, and beside it a phone of the same height."""
    names = ("tv-match-1366-dark-en.png", "phone-match-390-light-en.png")
    screen, phone = (decode((folder / name).read_bytes(), name) for name in names)
    height = screen.shape[0]
    phone = cv2.resize(phone, (round(phone.shape[1] * height / phone.shape[0]), height), interpolation=cv2.INTER_AREA)
    screen = cv2.copyMakeBorder(screen, 0, 0, 0, 24, cv2.BORDER_CONSTANT, value=(255, 255, 255))
    cv2.imwrite(str(README), cv2.hconcat([screen, phone]), [cv2.IMWRITE_JPEG_QUALITY, 80])


if __name__ == "__main__":
    given = argparse.ArgumentParser(prog="python -m tests.screens", description=__doc__)
    given.add_argument("folder", type=Path)
    given.add_argument("parts", nargs="*", metavar="PART")
    args = given.parse_args()
    write(args.folder, set(args.parts))
    if not args.parts:
        beside_each_other(args.folder)
