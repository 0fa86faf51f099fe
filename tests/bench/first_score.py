"""How soon a phone that opens the page shows the score: a slow phone on slow Wi-Fi, with nothing of the page kept.

`python -m tests.bench.first_score FOLDER ..` compares this program with those of other folders, in turns, so that
whatever else the computer does meets all of them alike. Each serves the same state, with one question open.
"""

import statistics
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from tests.browser import chromium

SLOW_DOWN = 6  # times: Chromium's own "low-end mobile" in its developer tools
LATENCY = 150  # ms, and
BYTES_A_SECOND = 1_600_000 / 8  # Lighthouse's "slow 4G"
TRIES = 15
PHONE = {"width": 390, "height": 844}

OWN = Path(__file__).resolve().parents[2]

SERVE = """
import threading
from tests.web_ui.fake_table import FakeTable, question
from web_ui import Server, create_app
server = Server(create_app(FakeTable(question())), "127.0.0.1", 0)
server.start()
print(server.url, flush=True)
threading.Event().wait()
"""

WATCH = """(() => {
  const seen = {};
  window.seen = seen;
  const look = () => {
    const score = document.querySelector('#side-A .early, #side-A .total');
    if (score && score.getBoundingClientRect().height > 0) seen.score ??= performance.now();
    if (document.documentElement?.dataset.live === 'yes') seen.live ??= performance.now();
    if (!seen.live) requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
})();"""
"""Frames are only drawn once the style sheets are there: what has a place in one is on the screen."""

Figure = tuple[str, float, str]


def run() -> list[Figure]:
    """This program's figures."""
    return measured([OWN])


def measured(folders: Sequence[Path], tries: int = TRIES) -> list[Figure]:
    """Median times and the bytes on the wire, for the program of each folder."""
    from playwright.sync_api import sync_playwright

    with ExitStack() as stack:
        urls = [stack.enter_context(_served(folder)) for folder in folders]
        playwright = stack.enter_context(sync_playwright())
        browser = playwright.chromium.launch(executable_path=chromium())
        found: list[list[tuple[float, float, float]]] = [[] for _ in folders]
        for _ in range(tries):
            for number, url in enumerate(urls):
                found[number].append(_opened(browser, url))
        browser.close()
    figures: list[Figure] = []
    for folder, of_folder in zip(folders, found, strict=True):
        score, live, size = (statistics.median(column) for column in zip(*of_folder, strict=True))
        name = "" if len(folders) == 1 else f" of {folder.name}"
        figures += [
            (f"first score{name}, median", score / 1000, "s"),
            (f"first score{name}, slowest", max(one[0] for one in of_folder) / 1000, "s"),
            (f"live{name}, median", live / 1000, "s"),
            (f"page with one question{name}", size / 1000, "kB"),
        ]
    return figures


@contextmanager
def _served(folder: Path) -> Iterator[str]:
    """The address at which a process of its own serves the program of a folder."""
    with subprocess.Popen([sys.executable, "-c", SERVE], cwd=folder, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().strip()
        finally:
            process.terminate()


def _opened(browser: Any, url: str) -> tuple[float, float, float]:
    """Milliseconds until the score is there and until the page is live, and bytes on the wire until then."""
    context = browser.new_context(viewport=PHONE)
    page = context.new_page()
    wire = context.new_cdp_session(page)
    sizes: list[float] = []
    wire.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    wire.send("Network.enable")
    wire.send(
        "Network.emulateNetworkConditions",
        {
            "offline": False,
            "latency": LATENCY,
            "downloadThroughput": BYTES_A_SECOND,
            "uploadThroughput": BYTES_A_SECOND,
        },
    )
    wire.send("Emulation.setCPUThrottlingRate", {"rate": SLOW_DOWN})
    page.add_init_script(WATCH)
    page.goto(url, wait_until="commit")
    page.wait_for_function("() => window.seen?.live", timeout=60_000)
    page.wait_for_load_state("load")
    seen = page.evaluate("window.seen")
    context.close()
    return seen["score"], seen["live"], sum(sizes)


if __name__ == "__main__":
    for what, figure, unit in measured([OWN, *(Path(folder).resolve() for folder in sys.argv[1:])]):
        print(f"{what:52} {figure:12.3f} {unit}", flush=True)
