"""Rounds kept as tests: a recording of the table's input, what it showed, and the truth according to people. Each round
is recorded into a folder while it is played, and deleted two rounds later unless somebody keeps it."""

import io
import json
import logging
import re
import shutil
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path
from typing import Any, Literal

from controller.config import RoundsSection
from controller.errors import ControllerError, Refused
from controller.match import events as ev
from controller.match.fold import fold
from controller.match.state import MatchState, Stamped
from controller.match.timeline import standing
from controller.messages import say
from controller.rules.rounds import Round
from controller.rules.written import judged_shot
from controller.table.engine_thread import EngineThread
from controller.table.pipeline import Pipeline
from controller.views.schema.answers import KeptRound, KeptRounds
from hardware.errors import BadRecording
from hardware.recording import LINES

log = logging.getLogger(__name__)
TRUTH = "truth.json"
PART = ".part"  # of a file that is being written
SCHEMA = "kept-round/1"
NAME = re.compile(r"\d{1,9}-\d{1,4}")  # match and round
PICTURE = re.compile(r"\d{6}\.jpg")
RECORDED = 2  # rounds: the running one, and the one before it, which people may dispute
ROOM = 500_000_000  # bytes that must stay free on the disk

RULINGS = (
    ev.ShotSeen, ev.ShotCorrected, ev.ShotAnnulled, ev.ShotOverruled, ev.DiscCorrected, ev.TwentiesCorrected,
    ev.RoundCorrected,
)  # fmt: skip
"""Events by which people overrule the table, or add a shot."""

Why = Literal["asked", "corrected"]


class Rounds:
    """The table's rounds: recorded and kept if configured, listed and deleted in any case. Thread-safe."""

    def __init__(self, data: Path, pipeline: Pipeline, engine: EngineThread, kept: RoundsSection | None) -> None:
        """`data`: the journal's folder; `kept`: which rounds to keep, None for none."""
        self.folder = data / "rounds"
        self._engine = engine
        recorded = kept if kept is not None and kept.keep != "never" else None
        self._recorder = RoundRecorder(self, pipeline, engine.post, recorded) if recorded else None

    def keep(self, number: int | None) -> None:
        """Keep a round of the running match; see `RoundRecorder.keep`. Raises `Refused`."""
        recorder = self._recorder
        if recorder is None:
            raise Refused(say("Rounds are not recorded here: see [rounds] in the configuration."))
        self._engine.call(lambda: recorder.keep(number))

    def document(self) -> KeptRounds:
        """The document `rounds/1`: the kept rounds, the newest first."""
        kept = [_described(one) for one in self._all() if (one / TRUTH).exists()]
        return {"schema": "rounds/1", "rounds": kept[::-1]}

    def packed(self, name: str) -> bytes | None:
        """A kept round as a ZIP archive; None if it is not kept."""
        folder = self._kept(name)
        if folder is None:
            return None
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w") as archive:
            for path in sorted(_files(folder)):
                archive.write(path, f"round-{name}/{path.name}", zipfile.ZIP_STORED if path.suffix == ".jpg" else 8)
        return packed.getvalue()

    def picture(self, name: str, picture: str) -> bytes | None:
        folder = self._kept(name)
        if folder is None or not PICTURE.fullmatch(picture):
            return None
        with suppress(OSError):
            return (folder / picture).read_bytes()
        return None

    def remove(self, name: str) -> None:
        """Delete a kept round. Raises `Refused` if it is not kept."""
        folder = self._kept(name)
        if folder is None:
            raise Refused(say("This round is not kept."))
        shutil.rmtree(folder, ignore_errors=True)

    def drop_unkept(self, most: int) -> None:
        """Delete the recordings that nobody has kept, except the newest `most`."""
        unkept = [one for one in self._all() if not (one / TRUTH).exists()]
        for one in unkept[: max(0, len(unkept) - most)]:
            shutil.rmtree(one, ignore_errors=True)

    def has_room(self, most: int) -> bool:
        """Whether another round may be kept: all together need less than `most` bytes, and the disk has room."""
        kept = (path for one in self._all() if (one / TRUTH).exists() for path in _files(one))
        return sum(path.stat().st_size for path in kept) < most and self.disk_has_room()

    def disk_has_room(self) -> bool:
        return shutil.disk_usage(self.folder.parent).free > ROOM

    def _kept(self, name: str) -> Path | None:
        folder = self.folder / name
        return folder if NAME.fullmatch(name) and (folder / TRUTH).exists() else None

    def _all(self) -> list[Path]:
        with suppress(OSError):
            found = [one for one in self.folder.iterdir() if NAME.fullmatch(one.name)]
            return sorted(found, key=lambda one: tuple(map(int, one.name.split("-"))))
        return []


def _files(folder: Path) -> Iterator[Path]:
    """The whole ones: one that is being written is gone the next moment."""
    return (path for path in folder.iterdir() if path.suffix != PART)


def _described(folder: Path) -> KeptRound:
    match, number = map(int, folder.name.split("-"))
    truth = json.loads((folder / TRUTH).read_text("utf-8"))
    pictures = sorted(path.name for path in folder.glob("*.jpg"))
    films = (folder / LINES).read_bytes().count(b', "film": ')
    return {
        "name": folder.name,
        "match": match,
        "round": number,
        "why": truth["why"],
        "shots": len(truth["truth"]["shots"]),
        "disputed": len(_differing(truth["told"], truth["truth"])),
        "pictures": pictures,
        "films": films,
        "bytes": sum(path.stat().st_size for path in _files(folder)),
    }


def _differing(shown: Mapping[str, Any], truth: Mapping[str, Any]) -> list[int]:
    """The numbers of the shots in which the table and people differ."""
    most = max(len(shown["shots"]), len(truth["shots"]))
    return [k + 1 for k in range(most) if shown["shots"][k : k + 1] != truth["shots"][k : k + 1]]


class RoundRecorder:
    """Records each round, and keeps those that people asked for or corrected. For the engine's thread."""

    def __init__(
        self, store: Rounds, pipeline: Pipeline, post: Callable[[Callable[[], None]], None], kept: RoundsSection
    ) -> None:
        """`post` queues work, so that a command is recorded before the recording changes."""
        self._store = store
        self._pipeline = pipeline
        self._post = post
        self._corrected = kept.keep == "corrected"
        self._most = kept.megabytes * 1_000_000  # bytes of all automatically kept rounds together
        self._now: tuple[int, int] | None = None
        self._why: dict[tuple[int, int], Why] = {}  # why each of the running match's rounds is kept
        self._written: dict[tuple[int, int], object] = {}  # the content of their written truths
        pipeline.recorder.prepare(leaves_the_table=True)
        pipeline.engine.on_happened.append(self._happened)
        if pipeline.engine.state is not None:
            post(self._catch_up)

    def keep(self, number: int | None) -> None:
        """Keep a round of the running match, by default the present or last one. Raises `Refused` if it was not
        recorded."""
        state = self._pipeline.engine.state
        if state is None:
            raise Refused(say("There is no match to keep a round of."))
        number = number or self._newest(state)
        if not (self._store.folder / f"{state.number}-{number}" / LINES).exists():
            raise Refused(say("Round {number} was not recorded: only this round and the one before it are.",
                              number=number))  # fmt: skip
        self._why[state.number, number] = "asked"
        self._write_truths()

    @staticmethod
    def _newest(state: MatchState) -> int:
        """The present round; the one before it until the first shot."""
        current = state.game.round
        return current.number if current.shots or current.number == 1 else current.number - 1

    def _happened(self, events: Sequence[ev.Event], state: MatchState) -> None:
        if self._corrected:
            for number in _corrected(state, self._pipeline.engine.history, events):
                key = state.number, number
                if key not in self._why and self._store.has_room(self._most):
                    self._why[key] = "corrected"
        self._post(self._catch_up)

    def _catch_up(self) -> None:
        """Start recording a new round, and write the truths of the kept ones."""
        state = self._pipeline.engine.state
        if state is None:
            return
        now = state.number, state.game.round.number
        if now != self._now:
            if self._now is None or now[0] != self._now[0]:
                self._why, self._written = {}, {}
            self._now = now
            self._record(self._store.folder / f"{now[0]}-{now[1]}")
        self._write_truths()

    def _record(self, folder: Path) -> None:
        self._pipeline.close()
        self._store.drop_unkept(RECORDED - 1)
        if (folder / LINES).exists() or not self._store.disk_has_room():
            return  # the table was restarted in this round: keep the first part
        try:
            self._pipeline.record(folder)
        except BadRecording as error:
            log.warning("This round is not recorded: %s", error)

    def _write_truths(self) -> None:
        state = self._pipeline.engine.state
        for (match, number), why in self._why.items():
            folder = self._store.folder / f"{match}-{number}"
            if state is None or match != state.number or not (folder / LINES).exists():
                continue
            content = why, round_document(state, number), state.amendments
            if number <= state.confirmed and self._written.get((match, number)) == content:
                continue  # the document needs a fold of the whole match
            document = truth_document(state, self._pipeline.engine.history, number, why)
            part = folder / f"{TRUTH}{PART}"
            try:
                part.write_text(json.dumps(document, indent=1) + "\n", "utf-8")
                part.replace(folder / TRUTH)
                self._written[match, number] = content
            except OSError as error:
                log.warning("Round %s-%s can't be kept: %s", match, number, error)


def _corrected(state: MatchState, history: Sequence[Stamped], events: Sequence[ev.Event]) -> Iterator[int]:
    played = {id_: number for (number, _), id_ in state.shots.items()}
    for event in events:
        if _is_ruling(event):
            about = getattr(event, "target", None) or getattr(event, "after", None)
            number = getattr(event, "round", None) or played.get(about or -1)
            yield number or state.game.round.number


def truth_document(state: MatchState, history: Sequence[Stamped], number: int, why: Why) -> dict[str, Any]:
    """The document `kept-round/1`: a round as the table showed it by itself, and as people corrected it."""
    return {
        "schema": SCHEMA,
        "program": version("crokinole-table"),
        "rules": state.game.terms.rules.id,
        "round": number,
        "why": why,
        "told": round_document(_unaided(state, history), number),
        "truth": round_document(state, number),
    }


def _is_ruling(event: ev.Event) -> bool:
    return isinstance(event, RULINGS) and event.by != "table"


def _unaided(state: MatchState, history: Sequence[Stamped]) -> MatchState:
    """The match without people's rulings and corrections; unchanged if that can't be folded."""
    try:
        seen = {one.id for one in history if isinstance(one.event, ev.ShotSeen) and one.event.by == "table"}
        untouched = (one for one in history if not (isinstance(one.event, ev.Undone) and one.event.target in seen))
        ruled = [one for one in standing(untouched) if not _is_ruling(one.event)]
        return fold(state.number, [one for one in ruled if not isinstance(one.event, ev.QuestionAnswered)])
    except (ControllerError, LookupError, ValueError) as error:
        log.warning("The match can't be folded without people's corrections: %r", error)
        return state


def round_document(state: MatchState, number: int) -> dict[str, Any]:
    """A round's shots with their verdicts, its totals and its twenties."""
    found: Round | None = next((one for one in state.game.all_rounds if one.number == number), None)
    if found is None:
        return {"shots": [], "totals": {}, "twenties": {}}
    shots = [{"disc": one.shot.disc, "side": one.shot.side, **judged_shot(one)} for one in found.shots]
    return {"shots": shots, "totals": dict(found.totals), "twenties": dict(found.twenty_counts)}
