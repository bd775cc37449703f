"""Untrusted text for Slack: safe, counted, and within a view."""

import html
from json import dumps

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.common.layout.elements import Effect
from adapters.common.layout.texts import cleaned
from adapters.slack.render import render_view
from adapters.slack.render.limits import LIMITS
from adapters.slack.render.mrkdwn import escaped
from bot.replies.blocks import Reply
from tests.adapters.common.layout.replies import PATIENT, replies
from tests.adapters.slack.payload_rules import judge_view
from tests.adapters.slack.render.visible_text import presses_of
from tests.any_replies import TEXTS


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


@PATIENT
@given(replies(TEXTS), st.sampled_from([20, 100]))
def test_any_reply_fits_a_view(reply: Reply, most: int) -> None:
    """Every part of a reply in a view keeps to the blocks it may have, and can't be shared."""
    first = render_view(reply, most_blocks=most)
    for part in range(1, first.parts + 1):
        rendered = render_view(reply, part, most_blocks=most)
        judge_view({"type": "home", "blocks": rendered.blocks})
        assert len(rendered.blocks) <= most
        assert Effect.SHARE not in {press.effect for _, press in presses_of(rendered)}
