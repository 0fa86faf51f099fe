"""How a page is made of its template and script: with the newest state, the time, and the words of its language."""

from flask import render_template

from web_ui.assets import asset_url, known_assets, words_of
from web_ui.languages import Told, chosen_language, state_in
from web_ui.limits import LONGEST_NAME


def page(name: str, newest: Told | None, clock: float, silence: float, **more: object) -> str:
    """The page of this name in the language of whoever asks, with the `newest` state unless it shows none.

    `clock` in seconds of the steady clock; `silence`: seconds without a byte after which the page is not live; `more`
    is for its template.
    """
    language = chosen_language()
    # Inside the page's HTML: no text may end the element that holds the state.
    state = None if newest is None else state_in(newest, language).replace("<", "\\u003c")
    return render_template(
        f"{name}.html",
        page=name,
        state=state,
        silence=silence,
        clock=f"{clock:.3f}",
        longest_name=LONGEST_NAME,
        language=language,
        asset=asset_url,
        version=known_assets().version,
        words=asset_url(words_of(name, language)),
        **more,
    )
