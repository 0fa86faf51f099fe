"""The rounds that are kept as tests of the table, for those who keep the score: what is in them, and their files."""

from functools import partial

from flask import Blueprint, Response, request
from werkzeug.exceptions import BadRequest, Conflict, NotFound

from controller.api import Refused, encoded, schema
from web_ui.languages import catalogue, chosen_language, in_words, told
from web_ui.limits import read_json
from web_ui.off_thread import off_thread
from web_ui.parts import parts

kept_rounds = Blueprint("kept_rounds", __name__, url_prefix="/api/rounds")


@kept_rounds.get("")
def rounds() -> Response:
    """The kept rounds and what each of them holds: `rounds/1`."""
    parts().access.demand_session()
    return _document(off_thread(parts().table.rounds.document))


@kept_rounds.post("")
def keep() -> Response:
    """Keep a round of the running match, `{"round": 3}`, or throw a kept one away, `{"remove": "12-3"}`.

    Without a number, the round that is played, or was played last.
    """
    here = parts()
    here.access.demand(request)
    match read_json(request):
        case {"remove": str(name)}:
            do = partial(here.table.rounds.remove, name)
        case {"round": None | int() as number}:
            do = partial(here.table.rounds.keep, number)
        case _:
            raise BadRequest(told("Name the round to keep, or the one to remove."))
    try:
        off_thread(do)
    except Refused as error:
        raise Conflict(in_words(error)) from error
    return _document(off_thread(here.table.rounds.document))


@kept_rounds.get("/<name>.zip")
def packed(name: str) -> Response:
    """All of a round as one file, to be sent."""
    parts().access.demand_session()
    found = off_thread(partial(parts().table.rounds.packed, name))
    if found is None:
        raise NotFound(told("This round is not kept."))
    response = Response(found, mimetype="application/zip")
    response.headers["Content-Disposition"] = f'attachment; filename="round-{name}.zip"'
    return response


@kept_rounds.get("/<name>/<picture>")
def picture(name: str, picture: str) -> Response:
    """One of its pictures, cut to the board."""
    parts().access.demand_session()
    found = off_thread(partial(parts().table.rounds.picture, name, picture))
    if found is None:
        raise NotFound(told("There is no picture of that name."))
    return Response(found, mimetype="image/jpeg")


def _document(found: schema.KeptRounds) -> Response:
    return Response(encoded(found, catalogue(chosen_language()).language), mimetype="application/json")
