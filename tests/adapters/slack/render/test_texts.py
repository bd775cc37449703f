"""Foreign text for Slack: safe, weighed, and cut by meaning."""

import html
from json import dumps

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.slack.render.texts import (
    beginning,
    cleaned,
    escaped,
    is_linkable,
    json_length,
    runs,
    weight,
)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("<!channel> & <@U1>", "&lt;!channel&gt; &amp; &lt;@U1&gt;"),
        ("&lt;!here&gt;", "&amp;lt;!here&amp;gt;"),
        ('*bold* "quoted"', '*bold* "quoted"'),
        ("two\nlines\x1b[31m", "two\nlines[31m"),
    ],
)
def test_escaped(text: str, shown: str) -> None:
    """In mrkdwn the three signs that mean something are escaped, and control characters go."""
    assert escaped(text) == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("  two \n\t words ", "two words"),
        ("\u202eturned\x07", "turned"),
        ("half \ud83d a sign", "half a sign"),
        ("\u200b \u2060", ""),
        ("\ue000", "\ue000"),
        ("مرحبا\u200f!", "مرحبا\u200f!"),
        ("", ""),
    ],
)
def test_cleaned(text: str, shown: str) -> None:
    """A text stands on one line without anything that steers, and is empty if nothing shows."""
    assert cleaned(text) == shown


@pytest.mark.parametrize(
    ("url", "linkable"),
    [
        ("https://arxiv.org/abs/2501.00001v2", True),
        ("http://localhost:8080/a?b=c&d=(e)#f", True),
        ("https://medium.com/@author/story", True),
        ("https://arxiv.org@example.org/", False),
        ("https://example.org/a|b", False),
        ("https://example.org/<!channel>", False),
        ("https://example.org/a b", False),
        ("https://münchen.example/", False),
        ("https:///path", False),
        ("javascript:alert(1)", False),
        ("mailto:a@example.org", False),
        (f"https://example.org/{'x' * 500}", False),
        ("https://example.org/\n", False),
        ("", False),
    ],
)
def test_is_linkable(url: str, linkable: bool) -> None:  # noqa: FBT001 - the expected answer
    """A link leads to a plain address of the web, of some length at most."""
    assert is_linkable(url) is linkable


def test_runs_end_with_sentences() -> None:
    """A text is cut after a sentence, if there is an end of one in the second half."""
    text = "One sentence here. Another one there. And a third one."
    assert runs(text, 40) == ["One sentence here. Another one there. ", "And a third one."]


def test_runs_end_with_words() -> None:
    """A long sentence is cut between words, a long word anywhere."""
    assert runs("some words of a sentence", 12) == ["some words ", "of a ", "sentence"]
    assert runs("x" * 25, 10) == ["x" * 10, "x" * 10, "x" * 5]


def test_beginning() -> None:
    """A text that is repeated is cut with an ellipsis, a short one not."""
    assert beginning("some words of a sentence", 12) == "some words…"
    assert beginning("some words", 12) == "some words"


@given(st.text(max_size=400).map(cleaned), st.integers(20, 200))
def test_runs_hold_everything(text: str, heaviest: int) -> None:
    """No run is too heavy as mrkdwn or as JSON, and together they lose no sign."""
    cut = runs(text, heaviest)
    assert "".join(cut) == text
    assert all(weight(run) <= heaviest for run in cut)
    assert all(len(html.escape(run, quote=False)) <= heaviest for run in cut)
    assert all(len(dumps(run)) <= json_length(run) <= 2 * heaviest + 1 for run in cut)
