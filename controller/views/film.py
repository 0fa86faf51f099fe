"""The view of a shot's film, in the players' board frame."""

from collections.abc import Mapping

from controller.match.filmed import FilmOfShot, TrackPoint
from controller.match.seating import Seating
from controller.match.shot_kinds import notable, played_shot
from controller.match.state import MatchState
from controller.views.schema import film as sc


def film_view(film: FilmOfShot, owners: Mapping[str, str], seating: Seating) -> sc.ShotFilm:
    """The view of a film without discs unknown to the match; `owners`: the side of every disc of its round."""
    return {
        "tracks": [
            {
                "disc": track.disc,
                "side": owners[track.disc],
                "began": track.began,
                "ended": track.ended,
                "speed": track.speed,
                "points": [_shown(point, seating) for point in track.points],
            }
            for track in film.tracks
            if track.disc in owners
        ],
        "contacts": [
            {"t": c.t, "discs": list(c.discs), "closing": c.closing, "probability": c.probability}
            for c in film.contacts
            if set(c.discs) <= set(owners)
        ],
        "hidden": film.watched.hidden,
        "unseen": list(film.watched.unseen),
    }


def newest_film(state: MatchState) -> sc.NewestFilm | None:
    """The film of the last called shot; None if it was not filmed or annulled."""
    last = state.last_call
    if last is None or last.film is None:
        return None
    shot = played_shot(state, last.id, last.film)
    if shot is None or shot.played.annulled:
        return None
    return {**film_view(last.film, shot.owners, state.seating), "shot": last.id, "notable": notable(shot)}


def _shown(point: TrackPoint, seating: Seating) -> list[float]:
    t, x, y = point
    shown_x, shown_y = seating.shown(x, y)
    return [t, round(shown_x, 1), round(shown_y, 1)]
