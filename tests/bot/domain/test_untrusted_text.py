"""Characters that steer a terminal or turn text, wherever text comes in or goes out."""

import json
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.untrusted_text import escaped, escaped_line, without_controls
from bot.export.json_shapes import json_text

_TURNING = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}
_ANY = st.text(st.characters(exclude_categories=()) | st.sampled_from("\x1b\x9b\x85\u2028\u202e"))


def _steers(sign: str) -> bool:
    is_control = unicodedata.category(sign) in {"Cc", "Cs", "Zl", "Zp"}
    return is_control or unicodedata.bidirectional(sign) in _TURNING


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One.\n\n\tTwo – “fancy” 深度", "One.\n\n\tTwo – “fancy” 深度"),
        ("a\x1b[31m\x9b2J\x7f\0b", "a[31m2Jb"),
        ("a\x85b\u2028c\x0cd\re", "a b c d e"),
        ("\u202egnp.exe\u202c \u2067x\u2069 \ud800", "gnp.exe x \ufffd"),
        ("👩‍🚀 क्‍ष \u200fשלום", "👩‍🚀 क्‍ष \u200fשלום"),
    ],
)
def test_what_comes_in_keeps_its_words(text: str, expected: str) -> None:
    """Lines, tabs, joiners and marks stay; of what steers or turns only the blanks are left."""
    assert without_controls(text) == expected


@given(_ANY)
def test_nothing_that_steers_is_left(text: str) -> None:
    """By Unicode's own tables: nothing but tabs and line feeds comes in, and they in no line."""
    assert not any(_steers(sign) for sign in without_controls(text) if sign not in "\t\n")
    assert not any(map(_steers, escaped_line(text)))


@given(_ANY)
def test_json_is_escaped_and_says_the_same(text: str) -> None:
    """A program reads what was stored; a terminal that shows it meets nothing that steers it."""
    found = json_text({"title": text})
    assert not any(_steers(sign) for sign in found if sign != "\n")
    assert json.loads(found) == json.loads(json.dumps({"title": text}))
    assert escaped(found) == found
