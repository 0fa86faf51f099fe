"""Answers about past matches: computed on the readers' threads, and cached until something changes."""

import gzip
import secrets
from collections.abc import Callable, Mapping

from flask import Response, request

from controller.messages import encoded
from web_ui.assets import WORTH_PACKING, unpacks
from web_ui.languages import catalogue, chosen_language
from web_ui.parts import look_up, parts
from web_ui.reader_pool import Key

PROGRAM = secrets.token_hex(4)
"""A random part of every tag, new at each start: after an update the same data may be answered differently."""


def answer(stamp: Callable[[], str], ask: Callable[[], Mapping[str, object]]) -> Response:
    """The document of `ask` in the requested language; 304 if the browser has it already.

    `stamp` changes whenever the document may have changed.
    """
    kept = parts().readers.kept
    key = (request.full_path, chosen_language(), unpacks())
    known = request.if_none_match

    def work() -> tuple[str, bytes | None]:
        tag = f"{PROGRAM}-{stamp()}-{key[1]}"
        if known.contains_weak(tag):
            return tag, None
        body = kept.get(key, tag)
        if body is None:
            body = _encoded(ask(), key)
            kept.put(key, tag, body)
        return tag, body

    tag, body = look_up(work)
    response = Response(body, mimetype="application/json") if body is not None else Response(status=304)
    if body is not None and body.startswith(b"\x1f\x8b"):  # gzip's mark, which no JSON begins with
        response.headers["Content-Encoding"] = "gzip"
    response.set_etag(tag, weak=True)
    response.headers["Cache-Control"] = "private, no-cache"  # keep it, and ask each time whether it still holds
    response.headers["Vary"] = "Accept-Encoding, Accept-Language, Cookie"
    return response


def _encoded(document: Mapping[str, object], key: Key) -> bytes:
    _, language, packed = key
    body = encoded(document, catalogue(language).language).encode()
    return gzip.compress(body, compresslevel=4, mtime=0) if packed and len(body) > WORTH_PACKING else body
