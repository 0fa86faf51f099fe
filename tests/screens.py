"""Pictures of the screens in their states: `python -m tests.screens FOLDER [PART ..]` writes them all, or those of
the given pages, states, widths, themes and languages; the README's picture is made of two of them."""

import argparse
import copy
from itertools import groupby, product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple, get_args

import cv2

from controller.club.desk import Desk
from controller.views.schema import StepId
from controller.vision.reading.annotate import crop
from controller.vision.reading.reader import read_board
from hardware.pictures import decode, encode
from hardware.simulated.scene import Scene, SceneDisc
from tests.browser import chromium
from tests.checkout import CHECKOUT
from tests.club_evenings import EVENINGS, LONGEST
from tests.controller.club.a_club import a_hub, a_store
from tests.controller.vision.painted import known_table
from tests.web_ui.conftest import publish
from tests.web_ui.fake_table import STATES, FakeTable, film, in_club
from tests.web_ui.test_fits import after
from web_ui import Server, create_app
from web_ui.club import create_club_app
from web_ui.languages import LANGUAGES

README = CHECKOUT / "docs/scoreboard.jpg"
PHONES = ((390, 844), (360, 640))
SIZES = {
    "tv": ((1920, 1080), (1366, 768), (3840, 2160), (1080, 1920)),
    "phone": (*PHONES, (844, 390)),
    "setup": (*PHONES, (1280, 800)),
    "hall": ((1920, 1080), (1366, 768), (1024, 768), (1080, 1920)),
    "desk": ((1280, 800), (1024, 768), (1920, 1080), (390, 844)),
    "player": PHONES,
    "visitors": PHONES,
}
SETTLED = 1_500
"""Milliseconds after which a sheet takes touches."""
HALL_TURN = 10_000
"""Milliseconds after which the hall shows something else."""


def match():
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


def timer(**more):
    stopped = {"timer": "round", "seconds": 600.0, "on_first_shot": False, "word": "stopped", "left": 252.0}
    return stopped | {"ends": None, "text": None, **more}


def by_hand():
    state = match()
    state["match"] |= {"manual": True, "discs": [], "film": None, "last_call": None, "questions": []}
    for side, discs, score in zip(
        state["match"]["sides"], ((20, 20, 15, 10, 10, 10, 10), (20, 15, 15, 10, 5, 5)), (5, 1), strict=True
    ):
        counted = [{"id": id, "points": points} for id, points in enumerate(discs, 1)]
        side |= {"counted": counted, "total": sum(discs), "by_hand": sum(discs), "score_by_hand": score}
    state["match"]["next_step"] = "The scorer keeps the score."
    state["status"] = {"word": "manual", "text": "The scorer keeps the score"}
    return state


def moving():
    return match() | {"status": {"word": "moving", "text": "Moving"}}


def blind():
    notice = {"kind": "camera", "text": "The camera moved. Put it back, or set it up again."}
    return match() | {"status": {"word": "camera_moved", "text": "The camera or the board moved"}, "notices": [notice]}


def round_over():
    state = match()
    state["match"]["round"] |= {"end": "proposed", "to_shoot": None, "seat_to_shoot": None, "player": None}
    state["match"] |= {"next_step": "Round over. Clear the board to confirm.", "last_call": None}
    for side in state["match"]["sides"]:
        side |= {"shoots": False, "shots_left": 0}
    return state


def time_up():
    state = match()
    text = "The round's time is up: a side with fewer shots has one more, then the round ends."
    state["match"]["timers"] = [timer(word="ended", left=0.0, text=text)]
    return state


def practice():
    state = match()
    now = state["match"]
    now["sides"] = now["sides"][:1]
    now["format"] = {"kind": "twenties", "rounds": 1, "tie": "stands"}
    now["rounds"] = []
    return state


def pairs(state):
    state = copy.deepcopy(state)
    for side in state["match"]["sides"]:
        names = [LONGEST, LONGEST[::-1]]
        side |= {"name": " & ".join(names), "seats": [{"seat": 1, "player": name} for name in names]}
    return state


def four_by_hand():
    return STATES["four_sides"]() | {"match": STATES["four_sides"]()["match"] | {"manual": True}}


STATES_SHOWN = {
    **{build.__name__: build for build in (match, by_hand, moving, blind, round_over, time_up, practice, four_by_hand)},
    **{name: STATES[name] for name in ("start", "mid_round", "amended", "question", "four_sides", "over", "no_match")},
    "three_sides": lambda: (
        STATES["four_sides"]()
        | {"match": STATES["four_sides"]()["match"] | {"sides": STATES["four_sides"]()["match"]["sides"][:3]}}
    ),
    "assigned": lambda: in_club(STATES["no_match"]()),
    "over_assigned": lambda: in_club(STATES["over"]()),
    "longest": lambda: after(24, match),
    "pairs": lambda: pairs(match()),
    "pairs_by_hand": lambda: pairs(by_hand()),
    "pairs_question": lambda: pairs(STATES["question"]()),
    "longest_by_hand": lambda: after(24, by_hand),
    "longest_question": lambda: after(24, STATES["question"]),
    "longest_four": lambda: after(24, STATES["four_sides"]),
    "longest_over": lambda: after(24, STATES["over"]),
}

TOOLS = "#tools button:nth-last-of-type(3)"
SHEETS = {
    "scorer": ("mid_round", ()),
    "scorer_over": ("over", ()),
    "scorer_question": ("question", ()),
    "pads": ("by_hand", ()),
    "pads_long": ("longest_by_hand", ()),
    "agreed": ("by_hand", (".over",)),
    "agreed_long": ("longest_by_hand", (".over",)),
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


def close_call():
    """The picture of a disc that nearly touches the 15 line."""
    painter, calibration, _ = known_table()
    picture = painter.full(Scene(0.0, (SceneDisc("b4", "natural", 61.0, -59.0),)))
    return encode(crop(picture, calibration, read_board(picture, calibration).discs))


PAGES = {
    "tv": ("tv", tuple(STATES_SHOWN)),
    "phone": ("", (*STATES_SHOWN, *SHEETS)),
    "setup": ("setup", get_args(StepId)),
    "hall": ("hall", tuple(EVENINGS)),
    "desk": ("organiser", tuple(EVENINGS)),
    "player": ("", tuple(EVENINGS)),
    "visitors": ("spectators", tuple(EVENINGS)),
}
"""Each page's address and states: the table's, the steps of setting it up, and the club's."""

CHOICES = (set(PAGES), {"dark", "light"}, set(LANGUAGES), {state for _, states in PAGES.values() for state in states})
"""What a name is made of; of each, only the given ones are wanted if there are any."""


class Shot(NamedTuple):
    page: str
    state: str
    size: tuple[int, int]
    theme: str
    language: str

    @property
    def name(self):
        return f"{self.page}-{self.state}-{self.size[0]}-{self.theme}-{self.language}"

    def wanted(self, parts):
        of_name = set(self.name.split("-"))
        widths = {part for part in parts if part.isdecimal()}
        return all(not parts & some or parts & some & of_name for some in (*CHOICES, widths))

    def open(self, browser, server):
        """The page in a browser; after a script's fault there is no picture."""
        width, height = self.size
        sharp = 2 if max(self.size) < 1000 else 1
        page = browser.new_page(
            viewport={"width": width, "height": height},
            color_scheme=self.theme,
            reduced_motion="reduce",
            device_scale_factor=sharp,
        )
        page.clock.install()
        page.goto(f"{server.url}{PAGES[self.page][0]}?language={self.language}")
        return page


def shots(parts, *pages):
    """The pictures of these pages whose name has all the parts, those of a state together."""
    every = ((page, state) for page in pages for state in PAGES[page][1])
    looks = product(("dark", "light"), LANGUAGES)
    all_of = (Shot(*one, size, *look) for one, look in product(every, looks) for size in SIZES[one[0]])
    return sorted((one for one in all_of if one.wanted(parts)), key=lambda one: one.state)


def keep(page, path):
    page.wait_for_function("() => [...document.images].every((image) => image.complete)")
    page.screenshot(path=path)


ENTER = "() => fetch('/api/session', {method: 'POST', headers: {'Content-Type': 'application/json'}, body: '{}'})"


def of_table(browser, folder, wanted):
    table = FakeTable(picture=close_call())
    server = Server(create_app(table), "127.0.0.1", 0)
    server.start()
    for shot in wanted:
        state, touches = SHEETS.get(shot.state, (shot.state, None))
        shown = STATES_SHOWN[state]()
        table.publish(shown | {"match": (shown["match"] or {}) | {"film": None}} if shown["match"] else shown)
        page = shot.open(browser, server)
        if touches is not None:
            page.evaluate(ENTER)
            page.reload()
            page.wait_for_selector("html[data-scorer=yes]")
        page.wait_for_selector("html[data-live=yes]")
        publish(page, table, shown)
        for touch in touches or ():
            page.click(touch)
            page.wait_for_selector("dialog[open] .sheet-body :is(button, input, li)")
            page.clock.run_for(SETTLED)
        keep(page, folder / f"{shot.name}.png")
        page.close()
    server.stop()


def of_setup(browser, folder, wanted):
    server = Server(create_app(FakeTable(picture=close_call())), "127.0.0.1", 0)
    server.start()
    for shot in wanted:
        page = shot.open(browser, server)
        page.click(f"#setup nav button:nth-child({1 + PAGES['setup'][1].index(shot.state)})")
        keep(page, folder / f"{shot.name}.png")
        page.close()
    server.stop()


def of_club(browser, folder, wanted):
    """The hall's screen with all that it shows in turn."""
    for state, of_state in groupby(wanted, key=lambda shot: shot.state):
        with TemporaryDirectory() as place:
            store = a_store(f"sqlite:///{place}/club.sqlite", tables=1)
            desk = Desk(a_hub(store), "Crokinole Club")
            EVENINGS[state](desk.hub)
            desk.showing.start()
            server = Server(create_club_app(desk), "127.0.0.1", 0)
            server.start()
            for shot in of_state:
                page = shot.open(browser, server)
                if shot.page == "player":
                    page.evaluate("localStorage.setItem('club-player', 'p1')")
                    page.reload()
                page.wait_for_selector("html[data-live=yes]")
                if shot.page == "desk":
                    page.wait_for_selector("#desk > *")
                turns = int(page.evaluate("document.documentElement.dataset.pages ?? 1"))
                for turn in range(1, turns + 1):
                    page.wait_for_selector("html[data-live=yes]")  # the clock outran the table's beats
                    keep(page, folder / f"{shot.name}{f'-{turn}' if turns > 1 else ''}.png")
                    page.clock.run_for(HALL_TURN)
                page.close()
            server.stop()
            desk.showing.stop()
            store.close()


def write(folder, parts):
    from playwright.sync_api import sync_playwright

    folder.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium())
        of_table(browser, folder, shots(parts, "tv", "phone"))
        of_setup(browser, folder, shots(parts, "setup"))
        of_club(browser, folder, shots(parts, "hall", "desk", "player", "visitors"))
        browser.close()


def beside_each_other(folder):
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
