"""To whom an answer is shown and what it replaces, by the request and the reply."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.common.answers.showing import (
    Showing,
    showing_for,
    showing_of_form,
    showing_of_line,
    showing_of_press,
)
from adapters.common.layout.elements import ButtonAction, Effect
from bot.replies.blocks import Reply, Visibility

SAID = Reply(())
FAILED = Reply((), failed=True)
QUIET = Reply((), quiet=True)
OPEN = Reply((), Visibility.CHANNEL)

PRIVATE = Showing()
PLAIN = Showing(private=False, share=False)
IN_PUBLIC = Showing(in_public=True)
SHARED = Showing(private=False, share=False, shared=True)


def of_press(
    effect: Effect = Effect.RUN,
    part: int = 1,
    *,
    direct: bool = False,
    own: bool = False,
    offered: bool = False,
) -> Showing:
    """Return how the answer to a button in a message is shown."""
    action = ButtonAction(effect, "latest", part)
    return showing_of_press(action, direct=direct, own=own, offered=offered)


EFFECTS = st.sampled_from(Effect)
REQUESTED = st.one_of(
    st.builds(lambda direct: showing_of_line(direct=direct), st.booleans()),
    st.builds(lambda direct, own: showing_of_form(direct=direct, own=own), *[st.booleans()] * 2),
    st.builds(
        of_press,
        EFFECTS,
        st.integers(1, 9),
        direct=st.booleans(),
        own=st.booleans(),
        offered=st.booleans(),
    ),
)
REPLIES = st.builds(
    Reply,
    st.just(()),
    st.sampled_from(Visibility),
    failed=st.booleans(),
    quiet=st.booleans(),
)


@pytest.mark.parametrize(
    ("requested", "expected"),
    [
        (showing_of_line(direct=False), PRIVATE),
        (showing_of_line(direct=True), PLAIN),
        (showing_of_form(direct=False, own=False), PRIVATE),
        (showing_of_form(direct=False, own=True), replace(PRIVATE, replaces=True)),
        (showing_of_form(direct=True, own=False), replace(PLAIN, replaces=True)),
        (of_press(own=True), PRIVATE),
        (of_press(direct=True), PLAIN),
        (of_press(), IN_PUBLIC),
        (of_press(offered=True), PRIVATE),
        (of_press(Effect.TURN, 2, own=True), Showing(2, replaces=True)),
        (
            of_press(Effect.TURN, 2, direct=True),
            replace(PLAIN, part=2, replaces=True),
        ),
        (of_press(Effect.TURN, 2), replace(IN_PUBLIC, part=2)),
        (of_press(Effect.TURN, 2, offered=True), Showing(2)),
        (of_press(Effect.SHARE, 2, own=True), replace(SHARED, part=2)),
    ],
)
def test_where_a_request_asks_its_answer_to_be_shown(requested: Showing, expected: Showing) -> None:
    """A page turns in place where nobody else sees it; what is said with the bot alone is plain."""
    assert requested == expected


@pytest.mark.parametrize(
    ("requested", "reply", "expected"),
    [
        (PRIVATE, SAID, PRIVATE),
        (PRIVATE, OPEN, PLAIN),
        (PLAIN, OPEN, PLAIN),
        (SHARED, SAID, SHARED),
        (SHARED, FAILED, replace(PRIVATE, share=False)),
        (replace(PLAIN, replaces=True), SAID, replace(PLAIN, replaces=True)),
        (replace(PLAIN, replaces=True), FAILED, PLAIN),
        (replace(PRIVATE, replaces=True), FAILED, PRIVATE),
        (replace(PRIVATE, replaces=True), QUIET, replace(PRIVATE, replaces=True)),
        (PRIVATE, QUIET, PRIVATE),
        (IN_PUBLIC, SAID, IN_PUBLIC),
        (IN_PUBLIC, QUIET, replace(IN_PUBLIC, silent=True)),
        (IN_PUBLIC, replace(QUIET, failed=True), IN_PUBLIC),
    ],
)
def test_what_becomes_of_a_reply(requested: Showing, reply: Reply, expected: Showing) -> None:
    """An error replaces nothing and is not shared; a quiet reply is not shown in public."""
    assert showing_for(requested, reply) == expected


@given(REQUESTED, REPLIES)
def test_nobody_sees_what_is_not_for_them(requested: Showing, reply: Reply) -> None:
    """Only a share or a reply for the channel makes an answer public, and no error is one."""
    showing = showing_for(requested, reply)
    widens = reply.visibility is Visibility.CHANNEL and not reply.failed
    assert showing.private or widens or not requested.private
    assert not (reply.failed and (showing.replaces or showing.shared or showing.silent))
    assert not (showing.share and not showing.private)
    assert not (showing.in_public and (showing.replaces or not requested.private))


@given(REQUESTED, REPLIES, REPLIES)
def test_the_second_of_two_replies_is_shown_by_itself(
    requested: Showing, first: Reply, second: Reply
) -> None:
    """A reply that takes the place of another one is shown as privately as either alone."""
    again = showing_for(showing_for(requested, first), second)
    assert again.part == requested.part
    assert again.silent == (second.quiet and requested.in_public and not second.failed)


@given(EFFECTS)
def test_a_message_that_everybody_sees_stays(effect: Effect) -> None:
    """Only a message in the conversation with the bot, or of the user alone, is replaced."""
    assert not of_press(effect).replaces
    assert not of_press(effect, offered=True).replaces
