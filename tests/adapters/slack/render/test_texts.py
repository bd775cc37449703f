"""Foreign text for Slack: safe and weighed."""

import html
from json import dumps

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.common.layout.texts import cleaned
from adapters.slack.render.texts import escaped, json_length, weight


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
def test_weight(text: str) -> None:
    """What words weigh is no less than what they take as mrkdwn or, halved, as JSON."""
    heaviest = weight(text)
    assert len(html.escape(text, quote=False)) <= heaviest
    assert len(dumps(text)) <= json_length(text) <= 2 * heaviest + 1
