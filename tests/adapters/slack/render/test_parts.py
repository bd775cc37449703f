"""Any reply fits Slack in parts: within every limit, with nothing lost and nobody mentioned."""

import html
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from adapters.common.layout.elements import ButtonAction, Effect
from adapters.slack.render import Rendered, render_message, render_view
from adapters.slack.render.buttons import read_action
from adapters.slack.render.limits import LIMITS
from bot.replies.blocks import Reply, Text, Title
from store.text import storable
from tests.adapters.common.layout.replies import (
    LINE,
    PATIENT,
    commands,
    is_shown,
    listed,
    misplaced,
    picks,
    replies,
    seen,
    unshown,
)
from tests.adapters.slack.payload_rules import judge_message, judge_view
from tests.adapters.slack.render.visible_text import shown_words
from tests.fakes.slack.records import elements

_NASTY = st.sampled_from([
    "*<!channel>*", "<@U1>", "<#C1|general>", "<!subteam^S1>", "&amp;", "<https://a.example|b>",
    "&", "https://a.example/b|c>d", ":wave:", "`code`",
    "\u200b", "\u202eevil", "_", '"', "\\", "A. B.",
    "👩‍🚀" * 5, "مرحبا", "深度学习。",
])  # fmt: skip
_REPLIES = replies(_NASTY)


def _words(value: object) -> Iterator[str]:
    """Yield what a block says, and where its links lead if they don't say that."""
    if isinstance(value, list):
        for each in value:
            yield from _words(each)
    elif isinstance(value, dict) and value.get("type") == "mrkdwn":
        yield shown_words(value["text"])
    elif isinstance(value, dict):
        for key in ("text", "url", "rows", "elements", "placeholder", "options", "accessory"):
            if isinstance(value.get(key), str):
                yield value[key] if key == "text" or value[key] != value["text"] else ""
            else:
                yield from _words(value.get(key))


def _presses(rendered: Rendered) -> dict[str, ButtonAction]:
    """Return what the buttons and options of a part mean, by their labels."""
    pressable = (each for _, each in elements(rendered.blocks) if "action_id" in each)
    pairs = [pair for element in pressable for pair in _pressed(element)]
    assert all(press for _, press in pairs)
    return {f"{label} {number}": press for number, (label, press) in enumerate(pairs) if press}


def _pressed(element: dict[str, Any]) -> Iterator[tuple[str, ButtonAction | None]]:
    if element["type"] == "button":
        yield element["text"]["text"], read_action(element)
    else:
        for option in element["options"]:
            action = {"action_id": element["action_id"], "selected_option": option}
            yield option["text"]["text"], read_action(action)


def _all_parts(reply: Reply) -> list[Rendered]:
    """Press More until there is none, as a person does."""
    found = [render_message(reply, share=True)]
    while True:
        mores = [
            press
            for label, press in _presses(found[-1]).items()
            if label.startswith("More ") and press.command == LINE and press.part > len(found)
        ]
        if not mores:
            return found
        found.append(render_message(reply, mores[-1].part, share=True))


def _judge(rendered: Rendered) -> None:
    judge_message({"text": rendered.text, "blocks": rendered.blocks})


@PATIENT
@given(_REPLIES)
def test_any_reply_fits_in_parts(reply: Reply) -> None:
    """Every part passes the judge, and all parts together show the whole, seen or read aloud."""
    parts = _all_parts(reply)
    assert [part.parts for part in parts] == [len(parts)] * len(parts)
    for part in parts:
        _judge(part)
    shown = seen("".join(word for part in parts for word in _words(part.blocks)))
    read = seen("".join(html.unescape(part.text) for part in parts))
    for block in reply.blocks:
        assert unshown(block, shown, LIMITS.weight) == []
        assert unshown(block, read, LIMITS.weight) == []


@PATIENT
@given(_REPLIES)
def test_every_command_is_reached(reply: Reply) -> None:
    """Each command of a reply is behind some button; one too long for any is shown."""
    parts = _all_parts(reply)
    pressed = {press.command for part in parts for press in _presses(part).values()}
    shown = seen("".join(word for part in parts for word in _words(part.blocks)))
    for command in map(storable, commands(reply.blocks)):
        if LIMITS.is_pressable(command):
            assert command in pressed
        else:
            assert is_shown(seen(command), shown, cut=True)


@PATIENT
@given(listed(_NASTY))
def test_menus_offer_the_papers_of_their_part(reply: Reply) -> None:
    """Each paper of a list is in its menus, in the very part that shows it."""
    parts = _all_parts(reply)
    for part in parts:
        _judge(part)
    lines = [[press.command for press in _presses(part).values()] for part in parts]
    assert [line for part in lines for line in misplaced(part)] == []
    kept = {line for part in lines for line in part if line.startswith(("save ", "vote "))}
    # The menu that votes is left out where it would add a part.
    assert kept in (picks(reply), {each for each in picks(reply) if each.startswith("save ")})


@PATIENT
@given(_REPLIES, st.sampled_from([20, 100]))
def test_any_reply_fits_a_view(reply: Reply, most: int) -> None:
    """Every part of a reply in a view keeps to the blocks it may have, and can't be shared."""
    first = render_view(reply, most_blocks=most)
    for part in range(1, first.parts + 1):
        rendered = render_view(reply, part, most_blocks=most)
        judge_view({"type": "home", "blocks": rendered.blocks})
        assert len(rendered.blocks) <= most
        assert Effect.SHARE not in {press.effect for press in _presses(rendered).values()}


@PATIENT
@given(_REPLIES, st.integers(-1, 9))
def test_what_is_shared_fits(reply: Reply, part: int) -> None:
    """A part posted to the channel passes the judge, says which command, and can be shared on."""
    rendered = render_message(reply, part, share=True, shared_by="U1")
    _judge(rendered)
    assert rendered.text.endswith(f"\nShared: /papers {LINE}")
    assert rendered.parts == render_message(reply).parts


@PATIENT
@given(_REPLIES)
def test_what_cannot_be_asked_again(reply: Reply) -> None:
    """A reply without a command has no button to more of it, and says that the rest is left out."""
    rendered = render_message(replace(reply, command=None), share=True)
    _judge(rendered)
    left_out = "The rest is left out: it is too long for one message."
    assert rendered.text.endswith(left_out) is (rendered.parts > 1)


@given(st.text('x"&<👩深', min_size=1, max_size=1000))
@PATIENT
def test_any_command_leaves_room(line: str) -> None:
    """The buttons to further parts and to sharing fit, however much their command takes."""
    text = "Many words & more. " * 1_000
    _judge(
        render_message(
            Reply((Title(line), Text(text)), command=line), 2, share=True, shared_by="U1"
        )
    )


def test_a_part_that_is_not_there() -> None:
    """A part out of range is the nearest one."""
    reply = Reply((Text("A sentence. " * 1_000),), command=LINE)
    last = render_message(reply).parts
    assert last > 2
    assert render_message(reply, 0) == render_message(reply, 1)
    assert render_message(reply, 99) == render_message(reply, last)
