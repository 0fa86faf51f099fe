"""The rounds that are kept as tests of the table, for scorers: their content and their files."""

from functools import partial

from flask import Blueprint, Response, request
from werkzeug.exceptions import BadRequest, NotFound

from web_ui.languages import document, translated
from web_ui.limits import read_json
from web_ui.parts import json_response, parts
from web_ui.reader_pool import off_thread

kept_rounds = Blueprint("kept_rounds", __name__, url_prefix="/api/rounds")


@kept_rounds.get("")
def rounds() -> Response:
    """The kept rounds and the content of each: `rounds/1`."""
    parts().access.require_session()
    return json_response(document(off_thread(parts().table.rounds.document)))


@kept_rounds.post("")
def keep() -> Response:
    """Keep a round of the running match, `{"round": 3}`, or remove a kept one, `{"remove": "12-3"}`.

    Without a number, the current or last round.
    """
    here = parts()
    here.access.require(request)
    match read_json(request):
        case {"remove": str(name)}:
            do = partial(here.table.rounds.remove, name)
        case {"round": None | int() as number}:
            do = partial(here.table.rounds.keep, number)
        case _:
            raise BadRequest(translated("Name the round to keep, or the one to remove."))
    off_thread(do)
    return json_response(document(off_thread(here.table.rounds.document)))


@kept_rounds.get("/<name>.zip")
def packed(name: str) -> Response:
    """A whole round as one file."""
    parts().access.require_session()
    found = off_thread(partial(parts().table.rounds.packed, name))
    if found is None:
        raise NotFound(translated("This round is not kept."))
    response = Response(found, mimetype="application/zip")
    response.headers["Content-Disposition"] = f'attachment; filename="round-{name}.zip"'
    return response


@kept_rounds.get("/<name>/<picture>")
def picture(name: str, picture: str) -> Response:
    """One of its pictures, cut to the board."""
    parts().access.require_session()
    found = off_thread(partial(parts().table.rounds.picture, name, picture))
    if found is None:
        raise NotFound(translated("There is no picture of that name."))
    return Response(found, mimetype="image/jpeg")
