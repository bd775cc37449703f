"""Any reply fits Discord in parts: within every limit, nothing lost, nobody mentioned."""

from dataclasses import replace

from hypothesis import example, given
from hypothesis import strategies as st

from adapters.common.layout.elements import ButtonElement, Effect
from adapters.discord.render import RenderedMessage, render_message
from adapters.discord.render.limits import LIMITS
from bot.replies.blocks import Actions, Button, PaperCard, Reply, Text, Title
from store.records import Link
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
from tests.adapters.discord.render.visible_text import (
    all_parts,
    ids_of,
    payload_of,
    presses_of,
    read,
    starts,
    texts_of,
    words_of,
)
from tests.fakes.discord.rules.messages import judge_message

_KEY = "0123456789abcdefghijkl"
_NASTY = st.sampled_from([
    "@everyone", "@here", "<@123456789012345678>", "<@!1>", "<@&1>", "<#1>", "<:a:1>", "<a:b:1>",
    "</papers:1>", "<t:1:R>", "<id:guide>", "**b**", "__u__", "_i_", "||s||", "~~s~~", "`c`",
    "```", "> q", ">>> q", "# h", "-# s", "- l", "* l", "1. l", "[a](https://evil.example)",
    "[a](<https://evil.example>)", "https://a.example/b_c", "https://a.example/(x)*y",
    "https://a.example/@everyone", "(https://a.example/).", "https://https://", "<https://a.b>",
    "steam://run/1", "[", "]", "](", "C#", "#", ":wave:", ":+1::a:", "10:30:00", "\\", "\\*",
    "\u200b", "\u202eevil", '"', "&", "A. B.", "👩‍🚀" * 5, "مرحبا", "深度学习。",
])  # fmt: skip
_REPLIES = replies(_NASTY)


def _judge(rendered: RenderedMessage) -> None:
    judge_message(payload_of(rendered))
    for text in texts_of(rendered):
        read(text)
        assert starts(text) == []


def _linking(label: str, url: str) -> Reply:
    """Return a card that has nothing to show but a link."""
    return Reply((PaperCard("r", "", "", None, (), (Link(label, url),), None),), command=LINE)


@PATIENT
@given(_REPLIES)
@example(reply=_linking("", "http://0/*"))
@example(reply=_linking("", "https://a.example/(x)*y"))
@example(reply=_linking("https://a.example/(x)", "https://a.example/(x)"))
@example(reply=_linking("a\n\nb", "HTTP://0"))
@example(reply=_linking(">://", "http://0"))
@example(reply=_linking("# [", "http://0"))
def test_any_reply_fits_in_parts(reply: Reply) -> None:
    """Every part passes the judge, and all parts together show the whole."""
    parts = all_parts(reply)
    assert [part.parts for part in parts] == [len(parts)] * len(parts)
    for part in parts:
        _judge(part)
    shown = seen("".join(word for part in parts for word in words_of(part)))
    for block in reply.blocks:
        assert unshown(block, shown, LIMITS.weight) == []


@PATIENT
@given(_REPLIES)
def test_every_command_is_reached(reply: Reply) -> None:
    """Each command of a reply is behind some button or option; one too long for any is shown."""
    parts = all_parts(reply)
    pressed = {press.command for part in parts for _, press in presses_of(part)}
    shown = seen("".join(word for part in parts for word in words_of(part)))
    for command in map(storable, commands(reply.blocks)):
        if LIMITS.is_pressable(command):
            assert command in pressed
        else:
            assert is_shown(seen(command), shown, cut=True)


@PATIENT
@given(listed(_NASTY))
def test_menus_offer_the_papers_of_their_part(reply: Reply) -> None:
    """Each paper of a list is in its menus, in the very part that shows it."""
    parts = all_parts(reply)
    for part in parts:
        _judge(part)
    lines = [[press.command for _, press in presses_of(part)] for part in parts]
    assert [line for part in lines for line in misplaced(part)] == []
    kept = {line for part in lines for line in part if line.startswith(("save ", "vote "))}
    # The menu that votes is left out where it would add a part.
    assert kept in (picks(reply), {each for each in picks(reply) if each.startswith("save ")})


@PATIENT
@given(_REPLIES, st.integers(-1, 9))
def test_what_is_shared_fits(reply: Reply, part: int) -> None:
    """A part posted to the channel passes the judge, says who and which command, and goes on."""
    buttons = [
        ButtonElement("Back to the message", "help"),
        ButtonElement("Fill in", "x", Effect.FORM),
    ]
    rendered = render_message(reply, part, share=True, shared_by=123, buttons=buttons)
    _judge(rendered)
    assert texts_of(rendered)[-1].endswith(f"-# Shared by <@123> · /papers {LINE}")
    assert {"Back to the message", "Fill in"} <= {label for label, _ in presses_of(rendered)}


@PATIENT
@given(_REPLIES)
def test_a_post_is_found_by_its_key(reply: Reply) -> None:
    """Every part of a post has its key in every id, of which it has at least one."""
    for part in range(1, min(3, render_message(reply, key=_KEY).parts) + 1):
        rendered = render_message(reply, part, key=_KEY)
        _judge(rendered)
        presses = presses_of(rendered)
        assert presses
        assert {press.key for _, press in presses} == {_KEY}
        assert not {"Back", "More", "Share"} & {
            label for label, press in presses if press.command == LINE
        }


@PATIENT
@given(_REPLIES)
def test_what_cannot_be_asked_again(reply: Reply) -> None:
    """A reply without a command has no button to more of it, and says that the rest is left out."""
    rendered = render_message(replace(reply, command=None), share=True)
    _judge(rendered)
    left_out = "-# The rest is left out: it is too long for one message."
    assert (left_out in texts_of(rendered)) is (rendered.parts > 1)


@given(st.text('x"&*<👩深', min_size=1, max_size=1000))
@PATIENT
def test_any_command_leaves_room(line: str) -> None:
    """The buttons to further parts and to sharing fit, however long their command is."""
    text = "Many words & more. " * 1_000
    reply = Reply((Title(line), Text(text)), command=line)
    rendered = render_message(reply, 2, share=True, shared_by=1)
    _judge(rendered)
    assert {press.command for _, press in presses_of(rendered)} == {line}


def test_a_part_that_is_not_there() -> None:
    """A part out of range is the nearest one."""
    reply = Reply((Text("A sentence. " * 1_000),), command=LINE)
    last = render_message(reply).parts
    assert last > 2
    for asked, nearest in ((0, 1), (99, last)):
        found, expected = render_message(reply, asked), render_message(reply, nearest)
        assert payload_of(found) == payload_of(expected)


def test_ids_differ() -> None:
    """No two ids of a part are the same, even where they do the same."""
    same = Button("Latest", "latest")
    ids = ids_of(render_message(Reply((Actions((same, same)), Actions((same, same))))))
    assert len(set(ids)) == 4
