"""Drafts: laid out once, and for each key as if for it alone."""

import json
from typing import Any

import discord
import pytest
from discord.http import handle_message_parameters
from hypothesis import given
from hypothesis import strategies as st

from adapters.discord.posts.drafts import Drafts, draft_of
from adapters.discord.render import render_embeds, render_message
from bot.replies.blocks import (
    Actions,
    Block,
    Button,
    PaperLine,
    PaperList,
    Reply,
    Text,
    Title,
    Visibility,
)

KEYS = st.from_regex(r"[A-Za-z0-9_-]{1,25}", fullmatch=True)
WORDS = st.text(min_size=1, max_size=120)
LINES = st.one_of(st.sampled_from(["help", "search moe", "#tag", "x" * 76]), WORDS)
BUTTONS = st.builds(Button, st.text(min_size=1, max_size=90), LINES, st.booleans())
BLOCKS: st.SearchStrategy[Block] = st.one_of(
    st.builds(Title, WORDS),
    st.builds(Text, WORDS),
    st.builds(Actions, st.lists(BUTTONS, min_size=1, max_size=7).map(tuple)),
    st.builds(
        PaperList,
        st.lists(
            st.builds(PaperLine, st.just("1"), WORDS, st.none() | WORDS, st.just("dair:1#1")),
            min_size=1,
            max_size=4,
        ).map(tuple),
    ),
)
REPLIES = st.builds(
    Reply,
    st.lists(BLOCKS, min_size=1, max_size=5).map(tuple),
    st.just(Visibility.CHANNEL),
    command=st.none() | st.just("latest"),
)
REPLY = Reply((Title("Top AI papers"), Actions((Button("Details", "show dair:1#1"),))))


@given(reply=REPLIES, keys=st.lists(KEYS, min_size=2, max_size=4), embeds=st.booleans())
def test_a_draft_is_the_same_as_one_for_its_key_alone(
    reply: Reply, keys: list[str], *, embeds: bool
) -> None:
    """Whatever it says and whichever key it gets, not a byte differs, nor what is to be kept."""
    drafts = Drafts()
    for key in keys:
        draft, alone = drafts.of(reply, key, embeds=embeds), draft_of(reply, key, embeds=embeds)
        assert draft.to_create(key) == alone.to_create(key)
        assert draft.to_edit(key) == alone.to_edit(key)
        thread = {"name": "Week 2"}
        assert draft.to_open(key, thread) == alone.to_open(key, thread)
        assert (draft.parts, draft.kept) == (alone.parts, alone.kept)


@pytest.mark.parametrize("embeds", [False, True])
def test_a_draft_is_what_the_library_would_send(*, embeds: bool) -> None:
    """Its own calls would make the same JSON of the same message."""
    rendered: dict[str, Any] = {"view": render_message(REPLY, key="k1").view}
    rendered["flags"] = discord.MessageFlags(suppress_embeds=True)
    if embeds:
        shown = render_embeds(REPLY, key="k1")
        rendered = {"view": shown.view, "embeds": shown.embeds}
    mentions = discord.AllowedMentions.none()
    with handle_message_parameters(**rendered, nonce="k1", allowed_mentions=mentions) as params:
        expected = params.payload
    draft = Drafts().of(REPLY, "k1", embeds=embeds)
    assert json.loads(draft.to_create("k1")) == expected


def test_the_nonce_is_the_key_that_stands_in_the_buttons() -> None:
    """A repeat is told by the one, and what arrived is found by the others."""
    draft = Drafts().of(REPLY, "a-key")
    written = draft.to_create("a-key")
    made = json.loads(written)
    assert (made["nonce"], made["enforce_nonce"]) == ("a-key", True)
    assert written.count(b"a-key") == written.count(b'"custom_id"') + 1
    assert "nonce" not in json.loads(draft.to_edit("a-key"))


def test_the_first_message_of_a_thread_stands_in_it() -> None:
    """A forum's post has a name and tags around its message."""
    thread = {"name": "Week 2", "applied_tags": []}
    opened = json.loads(Drafts().of(REPLY, "a-key").to_open("a-key", thread))
    assert (opened["name"], opened["applied_tags"]) == ("Week 2", [])
    assert opened["message"]["components"]


@pytest.mark.parametrize("where", ["text", "line", "both"])
def test_words_that_look_like_a_place_for_the_key_stay_as_they_are(where: str) -> None:
    """What no key may hold stands in for it; who writes just that gets it back."""
    sign = "\ue000" * 16
    said = sign if where != "line" else "Papers"
    line = sign if where != "text" else "help"
    odd = Reply((Text(said), Actions((Button("Go", f"search {line}"),))))
    key = "k" * 16
    assert Drafts().of(odd, key).to_create(key) == draft_of(odd, key).to_create(key)


def test_another_reply_is_laid_out_anew() -> None:
    """Replies are told apart however many there are, and the oldest are forgotten."""
    drafts = Drafts()
    for number in range(600):
        reply = Reply((Text(f"Message {number}"),))
        assert f"Message {number}".encode() in drafts.of(reply, "key").to_create("key")
