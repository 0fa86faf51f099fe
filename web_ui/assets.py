"""The files of the pages: read and compressed once, cached by browsers until they change.

Each address includes a hash of all files and a language, `/static/<version>/<language>/`. Scripts import each other by
relative addresses, so all files of a page have the same version and language, and a browser never requests a file of a
version twice."""

import gzip
import hashlib
import mimetypes
import re
from pathlib import Path

from flask import Blueprint, Response, request
from werkzeug.exceptions import NotFound

from web_ui.languages import LANGUAGES, catalogue, chosen_language
from web_ui.parts import extension

FOREVER = "public, max-age=31536000, immutable"
WORTH_PACKING = 600  # bytes: anything smaller travels in one packet as it is

TYPES = {
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
}

COMMENTS = {
    ".js": re.compile(rb"(?m)^[ \t]*(?://.*|/\*\*[\s\S]*?\*/[ \t]*)\n|[ \t]+// .*"),
    ".css": re.compile(rb"[ \t]*/\*[^*]*\*/"),
}
"""By the ending of the file's name. In scripts, those on lines of their own or after some space."""

PACKABLE = ("text/", "application/json", "application/manifest+json", "image/svg+xml")
assets = Blueprint("assets", __name__)


class Assets:
    """The content of `static/`, by language and name."""

    def __init__(self, folder: Path) -> None:
        files = {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
        self._scripts_places = {Path(name).name: name for name in files if name.endswith(".js")}
        self._files = {
            f"{language}/{name}": in_language(language, name, without_comments(name, data))
            for name, data in files.items()
            for language in LANGUAGES
        }
        self._packed = {name: gzip.compress(data, mtime=0) for name, data in self._files.items() if _packs(_type(name))}
        digest = hashlib.sha256()
        for name in sorted(self._files):
            digest.update(name.encode() + self._files[name])
        self.version = digest.hexdigest()[:12]

    def place(self, name: str) -> str:
        """A file's name with its folder; scripts can be named without theirs."""
        return self._scripts_places.get(name, name)

    def __contains__(self, name: str) -> bool:
        return name in self._files

    def answer(self, name: str, version: str) -> Response:
        """A file. Browsers may cache it forever if its address has the current version."""
        packed = name in self._packed and unpacks()
        response = Response((self._packed if packed else self._files)[name], mimetype=_type(name))
        if packed:
            response.headers["Content-Encoding"] = "gzip"
        response.headers["Vary"] = "Accept-Encoding"
        response.headers["Cache-Control"] = FOREVER if version == self.version else "no-store"
        if _type(name).startswith("video/"):  # Safari plays no video without support for range requests
            response.make_conditional(request, accept_ranges=True, complete_length=len(self._files[name]))
        return response


def _type(name: str) -> str:
    return TYPES.get(Path(name).suffix) or mimetypes.guess_type(name)[0] or "application/octet-stream"


def unpacks() -> bool:
    """Whether the client accepts compressed answers."""
    return request.accept_encodings["gzip"] > 0


def _packs(mimetype: str) -> bool:
    return mimetype.startswith(PACKABLE)


def known_assets() -> Assets:
    """The files of the application that answers this request."""
    return extension("assets", Assets)


def without_comments(name: str, data: bytes) -> bytes:
    """A script or style sheet without comments, which would be a fifth of what is sent."""
    return COMMENTS[ending].sub(b"", data) if (ending := Path(name).suffix) in COMMENTS else data


def in_language(language: str, name: str, data: bytes) -> bytes:
    """A file as the readers of a language get it."""
    return catalogue(language).script(data.decode()).encode() if name.endswith(".js") else data


def asset_url(name: str) -> str:
    """The address of a file, in the client's language."""
    return f"/static/{known_assets().version}/{chosen_language()}/{known_assets().place(name)}"


@assets.get("/static/<version>/<path:name>")
def asset(version: str, name: str) -> Response:
    """A file of the pages."""
    if name not in known_assets():
        raise NotFound("There is no file of that name.")
    return known_assets().answer(name, version)


def pack(response: Response) -> Response:
    """Compress the response, if that is worth it and the browser accepts it."""
    if (
        not response.is_streamed
        and response.status_code == 200
        and "Content-Encoding" not in response.headers
        and _packs(response.mimetype or "")
        and unpacks()
        and len(response.data) > WORTH_PACKING
    ):
        response.data = gzip.compress(response.data, compresslevel=4, mtime=0)
        response.headers["Content-Encoding"] = "gzip"
        response.vary.add("Accept-Encoding")
    return response
