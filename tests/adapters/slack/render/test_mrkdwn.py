"""Untrusted text for Slack: safe, and counted."""

import html
from json import dumps

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.common.layout.texts import cleaned
from adapters.slack.render.limits import LIMITS
from adapters.slack.render.mrkdwn import escaped


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


@given(st.text(max_size=400).map(cleaned))
def test_words_take_no_more_than_the_limits_count(text: str) -> None:
    """Words as mrkdwn and as JSON, but for its quotes, are no longer than the limits count them."""
    assert len(html.escape(text, quote=False)) <= LIMITS.text.of(text)
    assert len(dumps(text)) - 2 <= LIMITS.payload.of(text)
