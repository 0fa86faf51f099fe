"""Pictures of every page, in docs/pages/, and the README's: `python -m tests.web_ui.pictures` writes them."""

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2

from tests.browser import chromium
from tests.controller.films import filmed
from tests.web_ui.fake_table import FakeTable, over, question
from tests.web_ui.played_table import PlayedTable
from web_ui import Server, create_app

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGES = DOCS / "pages"
SIZES = {"phone": (390, 844), "screen": (1280, 720)}
THEMES = ("light", "dark")
QUALITY = 70  # of JPEG: lettering stays crisp


def looked_at(page: Any) -> None:
    page.wait_for_selector("html[data-live=yes]")


def scorer(page: Any) -> None:
    looked_at(page)
    page.click("text=Keep score")
    page.click("dialog >> text=Enter")
    page.wait_for_selector("dialog >> text=Start a match")


def start(page: Any) -> None:
    scorer(page)
    page.click("dialog >> text=Start a match")
    page.wait_for_selector("dialog h2:text-is('Start a match')")


def set_up(page: Any) -> None:
    page.click("text=Enter")
    page.click("dialog >> text=Enter")
    page.wait_for_selector(".step")


def showing(selector: str) -> Callable[[Any], None]:
    return lambda page: page.wait_for_selector(selector, state="attached")


SHOWN: dict[str, tuple[str, str, Callable[[Any], None]]] = {
    "score": ("question", "", looked_at),
    "scorer": ("question", "", scorer),
    "start": ("question", "", start),
    "tv": ("question", "tv", looked_at),
    "between-matches": ("over", "tv", showing("#day li")),
    "overlay": ("question", "overlay?board=yes", looked_at),
    "review": ("played", "review/1", showing(".chart")),
    "history": ("played", "history", showing(".map")),
    "sheet": ("played", "sheet/1", showing("tbody")),
    "setup": ("question", "setup", set_up),
}


def beside_each_other() -> None:
    """Write the README's picture: the screen, and beside it a phone of the same height."""
    screen, phone = (cv2.imread(str(PAGES / name)) for name in ("tv-screen-light.jpg", "score-phone-dark.jpg"))
    height = screen.shape[0]
    phone = cv2.resize(phone, (round(phone.shape[1] * height / phone.shape[0]), height), interpolation=cv2.INTER_AREA)
    screen = cv2.copyMakeBorder(screen, 0, 0, 0, 24, cv2.BORDER_CONSTANT, value=(255, 255, 255))
    cv2.imwrite(str(DOCS / "scoreboard.jpg"), cv2.hconcat([screen, phone]), [cv2.IMWRITE_JPEG_QUALITY, 80])


def main() -> None:
    """Write every page in both sizes and both themes."""
    from playwright.sync_api import sync_playwright

    PAGES.mkdir(parents=True, exist_ok=True)
    played = PlayedTable(Path(tempfile.mkdtemp()))
    filmed(played.table.engine)
    played.play()
    tables: dict[str, Any] = {"question": FakeTable(question()), "over": FakeTable(over()), "played": played}
    servers = {name: Server(create_app(table), "127.0.0.1", 0) for name, table in tables.items()}
    for server in servers.values():
        server.start()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium())
        for name, (table, path, ready) in SHOWN.items():
            for size, (width, height) in SIZES.items():
                for theme in THEMES:
                    viewport = {"width": width, "height": height}
                    context = browser.new_context(viewport=viewport, color_scheme=theme, reduced_motion="reduce")
                    page = context.new_page()
                    page.goto(servers[table].url + path)
                    ready(page)
                    page.screenshot(path=PAGES / f"{name}-{size}-{theme}.jpg", type="jpeg", quality=QUALITY)
                    context.close()
        browser.close()
    for server in servers.values():
        server.stop()
    beside_each_other()


if __name__ == "__main__":
    main()
