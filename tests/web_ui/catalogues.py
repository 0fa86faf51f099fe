"""The texts of the whole program, collected from its sources: `python -m tests.web_ui.catalogues` brings the
catalogues up to date. What is new there is empty and waits for its translation; what nobody says any more is dropped.
"""

import re
from io import BytesIO

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_file
from babel.messages.pofile import read_po, write_po

from controller.rules.texts import ENGLISH
from tests.checkout import CHECKOUT
from web_ui.languages import LANGUAGES, path_of

KEYWORDS = {"_": None, "say": None, "sayMany": (1, 2), "counted": (1, 2), "translated": None, "marked": None}

CALLED = re.compile(rf"\b({'|'.join(KEYWORDS)})\s*\(")

SOURCES = {
    "python": ("controller/**/*.py", "web_ui/**/*.py"),
    "javascript": ("web_ui/static/**/*.js",),
    "jinja2": ("web_ui/templates/*.html",),
}


def collected():
    """Every text that the program says, with the files that say it."""
    texts = Catalog()
    for method, patterns in SOURCES.items():
        for path in sorted(path for pattern in patterns for path in CHECKOUT.glob(pattern)):
            name = str(path.relative_to(CHECKOUT))
            if method == "python" and not CALLED.search(path.read_text("utf-8")):
                continue  # most files; tokenizing them takes seconds
            for _, message, _, _ in extract_from_file(method, path, keywords=KEYWORDS):
                texts.add(message, locations=[(name, None)])
    for text in ENGLISH.values():
        texts.add(text, locations=[("controller/rules/texts.py", None)])
    return texts


def written(language):
    """The catalogue of a language as it stands in the file."""
    with path_of(language).open("rb") as file:
        return read_po(file, locale=language)


def update(language):
    """Bring the file of a language up to date, and give what it holds then."""
    texts = written(language)
    texts.update(collected(), no_fuzzy_matching=True)
    texts.obsolete.clear()
    write(language, texts)
    return texts


def write(language, texts):
    """Write the file of a language: the same texts give the same file."""
    entries = BytesIO()
    write_po(entries, texts, omit_header=True, width=120, sort_output=True)
    header = ["Content-Type: text/plain; charset=utf-8", f"Plural-Forms: {texts.plural_forms}"]
    lines = "".join(f'"{line}\\n"\n' for line in header)
    entries.seek(0)
    path_of(language).write_text(f'msgid ""\nmsgstr ""\n{lines}\n{entries.read().decode().lstrip()}')


if __name__ == "__main__":
    for language in LANGUAGES:
        if language != "en":
            waiting = [m.id for m in update(language) if m.id and not (m.string and all(m.string))]
            print(f"{language}: {len(waiting)} texts wait for their translation", *waiting, sep="\n  ")
