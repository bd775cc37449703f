"""The slugs that titles give to their sources."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.ingest.formats.slugs import is_predefined, source_slug


@pytest.mark.parametrize(
    ("title", "slug"),
    [
        ("Top AI Papers of the Week", "dair"),
        ("The Top ML Papers of The Week", "dair"),
        ("\U0001f947Top AI Papers of the Week", "dair"),
        ("ML Papers of The Week", "ml-papers-of-the-week"),
        ("Kites & Ropes: What\u2019s Up?", "kites-ropes-whats-up"),
        ("Z\u00fcrich \u00c9tudes", "zurich-etudes"),
        ("The", "the"),
        ("Kite " * 30, "kite-kite-kite-kite-kite-kite-kite-kite-kite-kite-kite-kite"),
        ("k" * 90, "k" * 60),
    ],
)
def test_a_title_gives_its_slug(title: str, slug: str) -> None:
    """A slug is the title's words in lower-case ASCII; a known source's title gives its own."""
    assert source_slug(title) == slug
    assert is_predefined(slug) == (slug == "dair")


def test_titles_without_ascii_words_stay_apart() -> None:
    """Two titles without a single ASCII letter or digit give two slugs."""
    assert source_slug("\u6bcf\u5468\u8bba\u6587") != source_slug("\u6bcf\u6708\u8bba\u6587")


@given(st.text())
def test_a_slug_is_never_empty_and_easy_to_type(title: str) -> None:
    """Whatever the title, its slug is short words of lower-case letters and digits."""
    slug = source_slug(title)
    assert re.fullmatch(r"[a-z0-9]+(?:-[a-z0-9]+)*", slug)
    assert len(slug) <= 60
