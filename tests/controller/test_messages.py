"""Messages: sentences whose values stay apart until a language says them."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.messages import Language, Message, counted, encoded, say

FRENCH = Language(
    template=lambda one, many, n: {"{name} to shoot.": "À {name} de jouer.", "{n} shot": "{n} coup"}.get(one, one),
    number=lambda value: str(value).replace(".", ","),
    listed=" et ".join,
)

spoken = st.recursive(
    st.one_of(st.text(), st.integers(), st.floats(allow_nan=False, allow_infinity=False)),
    lambda inner: st.one_of(
        st.builds(lambda value: say("<{value}>", value=value), inner), st.lists(inner, max_size=3).map(tuple)
    ),
    max_leaves=6,
)


def test_a_language_says_nested_words_numbers_and_lists():
    sentence = say("{name} to shoot.", name=say("{mm} mm, {who}", mm=0.5, who=("a", "b")))
    assert str(sentence) == "0.5 mm, a and b to shoot."
    assert sentence.in_language(FRENCH) == "À 0,5 mm, a et b de jouer."


def test_braces_in_a_name_stay_as_they_are():
    assert str(say("{name} to shoot.", name="{n}")) == "{n} to shoot."
    assert str(say("100 % {sure}")) == "100 % {sure}"


@pytest.mark.parametrize(("n", "text"), [(0, "0 shots left"), (1, "1 shot left"), (2, "2 shots left")])
def test_the_number_chooses_singular_or_plural(n, text):
    assert str(counted("{n} shot left", "{n} shots left", n)) == text


@given(spoken)
def test_what_the_journal_keeps_says_the_same(value):
    sentence = counted("one {value}", "{n} {value}", 2, value=value)
    kept = Message.from_json(json.loads(json.dumps(sentence.to_json())))
    assert str(kept) == str(sentence)


def test_a_document_is_in_one_language():
    assert json.loads(encoded({"text": say("{name} to shoot.", name="A")}, FRENCH)) == {"text": "À A de jouer."}
    with pytest.raises(TypeError):
        encoded({"text": object()})
