"""Any reply fits each platform in parts: within every limit, nothing lost, nobody mentioned."""

import html
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from adapters.common.layout.limits import Limits
from adapters.discord import render as discord
from adapters.discord.render.limits import LIMITS as DISCORD_LIMITS
from adapters.slack import render as slack
from adapters.slack.render.limits import LIMITS as SLACK_LIMITS
from bot.replies.blocks import (
    Actions,
    Button,
    Fields,
    PaperCard,
    PaperLine,
    PaperList,
    Reply,
    Text,
    Title,
)
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
from tests.adapters.discord.render import visible_text as in_discord
from tests.adapters.slack import payload_rules
from tests.adapters.slack.render import visible_text as in_slack
from tests.fakes.discord.rules import messages

_LEFT_OUT = "The rest is left out: it is too long for one message."


@dataclass(frozen=True)
class Rendering:
    """How a platform renders a reply.

    Attributes:
        render: renders a part of it.
        judge: refuses what the platform would refuse, and what has an effect that is not ours.
        payload: what is sent.
        readings: all ways to read it, each of which shows the whole.
        presses: what its buttons and options mean, by their labels.
        rows: the labels in its rows of buttons.
        sharer: who shares it.
        end: how what is shared ends, and its last words.
    """

    limits: Limits
    render: Callable[..., Any]
    judge: Callable[[Any], None]
    payload: Callable[[Any], Any]
    readings: tuple[Callable[[Any], str], ...]
    presses: Callable[[Any], list[tuple[str, Any]]]
    rows: Callable[[Any], list[list[str]]]
    sharer: str | int
    last_words: Callable[[Any], str]
    end: str

    def all_parts(self, reply: Reply) -> list[Any]:
        """Press More until there is none, as a person does."""
        found = [self.render(reply, share=True)]
        while True:
            mores = [
                press
                for label, press in self.presses(found[-1])
                if label == "More" and press.command == LINE and press.part == len(found) + 1
            ]
            if not mores:
                return found
            found.append(self.render(reply, mores[-1].part, share=True))


def _slack_payload(rendered: Any) -> dict[str, Any]:
    return {"text": rendered.text, "blocks": rendered.blocks}


def _judge_in_discord(rendered: Any) -> None:
    messages.judge_message(in_discord.payload_of(rendered))
    for text in in_discord.texts_of(rendered):
        in_discord.read(text)
        assert in_discord.starts(text) == []


SLACK = Rendering(
    SLACK_LIMITS,
    slack.render_message,
    lambda rendered: payload_rules.judge_message(_slack_payload(rendered)),
    _slack_payload,
    # Seen, and read aloud.
    (lambda part: "".join(in_slack.words_of(part)), lambda part: html.unescape(part.text)),
    in_slack.presses_of,
    in_slack.rows_of,
    "U1",
    lambda part: str(part.text),
    f"\nShared: /papers {LINE}",
)
DISCORD = Rendering(
    DISCORD_LIMITS,
    discord.render_message,
    _judge_in_discord,
    in_discord.payload_of,
    (lambda part: "".join(in_discord.words_of(part)),),
    in_discord.presses_of,
    in_discord.rows_of,
    123,
    lambda part: in_discord.texts_of(part)[-1],
    f"-# Shared by <@123> · /papers {LINE}",
)
each_platform = pytest.mark.parametrize(
    "platform", [pytest.param(SLACK, id="slack"), pytest.param(DISCORD, id="discord")]
)

_NASTY = st.sampled_from([
    "*<!channel>*", "<@U1>", "<#C1|general>", "<!subteam^S1>", "&amp;", "<https://a.example|b>",
    "&", "https://a.example/b|c>d",
    "@everyone", "@here", "<@123456789012345678>", "<@!1>", "<@&1>", "<#1>", "<:a:1>", "<a:b:1>",
    "</papers:1>", "<t:1:R>", "<id:guide>", "**b**", "__u__", "_i_", "||s||", "~~s~~", "`code`",
    "```", "> q", ">>> q", "# h", "-# s", "- l", "* l", "1. l", "[a](https://evil.example)",
    "[a](<https://evil.example>)", "https://a.example/b_c", "https://a.example/(x)*y",
    "https://a.example/@everyone", "(https://a.example/).", "https://https://", "<https://a.b>",
    "steam://run/1", "[", "]", "](", "C#", "#", ":wave:", ":+1::a:", "10:30:00", "_", "\\", "\\*",
    "\u200b", "\u202eevil", '"', "A. B.", "👩‍🚀" * 5, "مرحبا", "深度学习。",
])  # fmt: skip
_REPLIES = replies(_NASTY)


def _linking(label: str, url: str) -> Reply:
    """Return a card that has nothing to show but a link."""
    return Reply((PaperCard("r", "", "", None, (), (Link(label, url),), None),), command=LINE)


@each_platform
@PATIENT
@given(reply=_REPLIES)
@example(reply=_linking("", "http://0/*"))
@example(reply=_linking("", "https://a.example/(x)*y"))
@example(reply=_linking("https://a.example/(x)", "https://a.example/(x)"))
@example(reply=_linking("a\n\nb", "HTTP://0"))
@example(reply=_linking(">://", "http://0"))
@example(reply=_linking("# [", "http://0"))
def test_any_reply_fits_in_parts(platform: Rendering, reply: Reply) -> None:
    """Every part passes the judge, and all parts together show the whole, seen or read aloud."""
    parts = platform.all_parts(reply)
    assert [part.parts for part in parts] == [len(parts)] * len(parts)
    for part in parts:
        platform.judge(part)
    for reading in platform.readings:
        whole = seen("".join(map(reading, parts)))
        for block in reply.blocks:
            assert unshown(block, whole, platform.limits.weight) == []


@each_platform
@PATIENT
@given(reply=_REPLIES)
def test_every_command_is_reached(platform: Rendering, reply: Reply) -> None:
    """Each command of a reply is behind some button or option; one too long for any is shown."""
    parts = platform.all_parts(reply)
    pressed = {press.command for part in parts for _, press in platform.presses(part)}
    shown = seen("".join(map(platform.readings[0], parts)))
    for command in map(storable, commands(reply.blocks)):
        if platform.limits.is_pressable(command):
            assert command in pressed
        else:
            assert is_shown(seen(command), shown, cut=True)


@each_platform
@PATIENT
@given(reply=listed(_NASTY))
def test_menus_offer_the_papers_of_their_part(platform: Rendering, reply: Reply) -> None:
    """Each paper of a list is in its menus, in the very part that shows it."""
    parts = platform.all_parts(reply)
    for part in parts:
        platform.judge(part)
    lines = [[press.command for _, press in platform.presses(part)] for part in parts]
    assert [line for part in lines for line in misplaced(part)] == []
    kept = {line for part in lines for line in part if line.startswith(("save ", "vote "))}
    # The menu that votes is left out where it would add a part.
    assert kept in (picks(reply), {each for each in picks(reply) if each.startswith("save ")})


@each_platform
@PATIENT
@given(reply=_REPLIES, part=st.integers(-1, 9))
def test_what_is_shared_fits(platform: Rendering, reply: Reply, part: int) -> None:
    """A part posted to the channel passes the judge, says which command, and goes on."""
    rendered = platform.render(reply, part, share=True, shared_by=platform.sharer)
    platform.judge(rendered)
    assert platform.last_words(rendered).endswith(platform.end)
    assert rendered.parts == platform.render(reply).parts


@each_platform
@PATIENT
@given(reply=_REPLIES)
def test_what_cannot_be_asked_again(platform: Rendering, reply: Reply) -> None:
    """A reply without a command has no button to more of it, and says that the rest is left out."""
    rendered = platform.render(replace(reply, command=None), share=True)
    platform.judge(rendered)
    for reading in platform.readings:
        assert (_LEFT_OUT in reading(rendered)) is (rendered.parts > 1)


@each_platform
@PATIENT
@given(line=st.text('x"&*<👩深', min_size=1, max_size=1000))
def test_any_command_leaves_room(platform: Rendering, line: str) -> None:
    """The buttons to further parts and to sharing fit, however long their command is."""
    reply = Reply((Title(line), Text("Many words & more. " * 1_000)), command=line)
    rendered = platform.render(reply, 2, share=True, shared_by=platform.sharer)
    platform.judge(rendered)
    assert {press.command for _, press in platform.presses(rendered)} == {line}


@each_platform
def test_a_part_that_is_not_there(platform: Rendering) -> None:
    """A part out of range is the nearest one."""
    reply = Reply((Text("A sentence. " * 1_000),), command=LINE)
    last = platform.render(reply).parts
    assert last > 2
    for asked, nearest in ((0, 1), (99, last)):
        found, expected = (platform.render(reply, part) for part in (asked, nearest))
        assert platform.payload(found) == platform.payload(expected)


@each_platform
def test_a_long_answer_is_cut_between_papers(platform: Rendering) -> None:
    """Each part has the title, its number and the ways to the others."""
    papers = tuple(
        PaperLine(str(number), f"Paper {number}", "Words. " * 40, f"dair:2026-01-05#{number}")
        for number in range(1, 31)
    )
    parts = platform.all_parts(Reply((Title("The week"), PaperList(papers)), command=LINE))
    middle = [["Back", "More", "Share"]] * (len(parts) - 2)
    assert middle
    rows = [platform.rows(part)[-1] for part in parts]
    assert rows == [["More", "Share"], *middle, ["Back", "Share"]]
    for number, part in enumerate(parts, start=1):
        for reading in platform.readings:
            assert reading(part).startswith("The week")
            assert f"Part {number} of {len(parts)}" in reading(part)
    lines = [press.command for part in parts for _, press in platform.presses(part)]
    shown = [line for line in lines if line.startswith("show ")]
    assert shown == [f"show {paper.ref}" for paper in papers]


@each_platform
def test_nothing(platform: Rendering) -> None:
    """A reply that shows nothing says so."""
    for blocks in ((), (Title(" "), Text("\u200b"), Fields((("", ""),)), Actions(()))):
        rendered = platform.render(Reply(blocks))
        assert {reading(rendered) for reading in platform.readings} == {"There is nothing to show."}


@each_platform
def test_what_cannot_be_shared(platform: Rendering) -> None:
    """Errors, and what can't be asked again, have no Share button."""
    reply = Reply((Text("Words."),), command="x")
    assert platform.rows(platform.render(reply, share=True)) == [["Share"]]
    for other in (replace(reply, failed=True), replace(reply, command=None)):
        assert platform.rows(platform.render(other, share=True)) == []


@each_platform
def test_a_button_that_turns(platform: Rendering) -> None:
    """Its answer takes the place of the message that it stands in."""
    rendered = platform.render(Reply((Actions((Button("Vote", "vote 1", turns=True),)),)))
    [(label, press)] = platform.presses(rendered)
    assert (label, press.effect.name, press.command) == ("Vote", "TURN", "vote 1")


@each_platform
def test_long_labels_stand_in_full_above(platform: Rendering) -> None:
    """A label too long for a button is cut there and stands in full above the row."""
    label = ("Search for " + "many words " * 10).strip()
    rendered = platform.render(Reply((Actions((Button(label, "a"), Button("latest", "latest"))),)))
    [[cut, short]] = platform.rows(rendered)
    assert (label.startswith(cut.removesuffix("…")), cut[-1], short) == (True, "…", "latest")
    assert all(reading(rendered).startswith(label) for reading in platform.readings)


@each_platform
def test_a_command_too_long_for_anything_is_shown(platform: Rendering) -> None:
    """What no button can carry stands there to be typed."""
    button = Button("Search", "search " + "深" * 1_000)
    rendered = platform.render(Reply((Actions((button,)),), command="help"))
    assert all(reading(rendered).startswith("Search: search 深") for reading in platform.readings)
    assert platform.presses(rendered) == []
