"""What stands in the ids of buttons, whatever the reply: the key of a post, and no id twice."""

from hypothesis import given
from hypothesis import strategies as st

from adapters.common.layout.elements import ButtonElement, Effect
from adapters.discord.render import render_message
from bot.replies.blocks import Actions, Button, Reply
from tests.adapters.common.layout.replies import LINE, PATIENT, replies
from tests.adapters.discord.render.visible_text import ids_of, payload_of, presses_of
from tests.any_replies import TEXTS
from tests.fakes.discord.rules.messages import judge_message

_KEY = "0123456789abcdefghijkl"
_REPLIES = replies(TEXTS)


@PATIENT
@given(_REPLIES, st.integers(-1, 9))
def test_buttons_of_the_caller_fit(reply: Reply, part: int) -> None:
    """They stand in every part, beside those of the answer."""
    buttons = [
        ButtonElement("Back to the message", "help"),
        ButtonElement("Fill in", "x", Effect.FORM),
    ]
    rendered = render_message(reply, part, share=True, shared_by=123, buttons=buttons)
    judge_message(payload_of(rendered))
    assert {"Back to the message", "Fill in"} <= {label for label, _ in presses_of(rendered)}


@PATIENT
@given(_REPLIES)
def test_a_post_is_found_by_its_key(reply: Reply) -> None:
    """Every part of a post has its key in every id, of which it has at least one."""
    for part in range(1, min(3, render_message(reply, key=_KEY).parts) + 1):
        rendered = render_message(reply, part, key=_KEY)
        judge_message(payload_of(rendered))
        presses = presses_of(rendered)
        assert presses
        assert {press.key for _, press in presses} == {_KEY}
        assert not {"Back", "More", "Share"} & {
            label for label, press in presses if press.command == LINE
        }


def test_ids_differ() -> None:
    """No two ids of a part are the same, even where they do the same."""
    same = Button("Latest", "latest")
    ids = ids_of(render_message(Reply((Actions((same, same)), Actions((same, same))))))
    assert len(set(ids)) == 4
