"""Files follow the text of an answer to the same readers; the text never waits for them."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from adapters.slack.render import FileLocation, preview, render_message, render_view
from adapters.slack.render.files import sent_files, upload_form
from bot.commands.types import Command, Context
from bot.replies.blocks import File, Reply, Text
from store.database import Database
from tests.adapters.slack.connected_bot import running
from tests.adapters.slack.payload_rules import judge_message, judge_view
from tests.any_replies import TEXTS
from tests.fakes.slack import (
    Drop,
    FakeSlack,
    Message,
    RateLimited,
    Refuse,
    ServerError,
    Slow,
)
from tests.file_replies import ALT, OPEN, PICTURE, PLOT, SAVED, TABLE, answering, png, reply_with

TO_COME = "The picture trends.png comes in a direct message from Broadsheet."


async def with_file(slack: FakeSlack, user: str = "U1", channel: str = "D1") -> Message:
    """Wait until a user sees a file in a conversation, and return its message."""

    def found() -> list[Message]:
        return [each for each in slack.seen(user, channel) if each.files]

    [message] = await slack.settled(found)
    return message


def nobody_else_has_files(slack: FakeSlack) -> bool:
    """Tell whether no other conversation than U1's with the bot has a file in it."""
    others = {**slack.teams["T1"].channels}
    del others["D1"]
    return not any(each.files for channel in others.values() for each in channel.messages)


async def test_only_the_user_gets_the_picture(stocked: Database) -> None:
    """The words come in the acknowledgement, the bytes to the direct messages, with the alt text.

    Nobody else in the channel sees either.
    """
    async with FakeSlack() as slack, running(stocked, slack, more=[PLOT]):
        answer = await slack.ask("plot")
        assert answer.ephemeral_for == "U1"
        assert TO_COME in answer.text
        message = await with_file(slack)
        [file] = message.files
        assert (file.name, file.data, file.alt) == ("trends.png", PICTURE.data, ALT)
        assert message.text == "Agents over the weeks"
        assert slack.seen("U2") == []
        assert nobody_else_has_files(slack)


async def test_a_text_file_is_described_beside_it(stocked: Database) -> None:
    """A file that is no picture has no alt text, so the message describes it."""
    async with FakeSlack() as slack, running(stocked, slack, more=[SAVED]):
        await slack.command("table")
        message = await with_file(slack)
        [file] = message.files
        assert (file.name, file.title, file.data) == ("saved.bib", "saved.bib", TABLE.data)
        assert "One paper as BibTeX." in message.text


async def test_the_acknowledgement_waits_for_no_upload(stocked: Database) -> None:
    """The text is there at once, however slow the upload is."""
    async with FakeSlack() as slack, running(stocked, slack, more=[PLOT]):
        slack.fail("upload", Slow(1.5))
        await slack.ask("plot")
        assert slack.seen(channel="D1") == []
        await with_file(slack)


async def test_a_mention_is_answered_with_a_file_in_private(stocked: Database) -> None:
    """Only the user sees the answer and the file."""
    async with FakeSlack() as slack, running(stocked, slack, more=[PLOT]):
        await slack.mention("plot")
        [answer] = await slack.settled(lambda: [m for m in slack.seen() if m.ephemeral_for])
        assert TO_COME in answer.text
        await with_file(slack)
        assert nobody_else_has_files(slack)


async def test_in_direct_messages_it_follows(stocked: Database) -> None:
    """In a direct message the file is below the text, in the same thread."""
    async with FakeSlack() as slack, running(stocked, slack, more=[PLOT]):
        await slack.direct_message("plot")
        message = await with_file(slack)
        words = [each for each in slack.seen(channel="D1") if "9 papers in" in each.text]
        assert len(words) == 1
        assert float(words[0].ts) < float(message.ts)
        assert "trends.png" not in words[0].text


async def test_an_answer_that_everybody_sees_promises_no_file(stocked: Database) -> None:
    """No shared message promises a file that may fail to upload."""
    async with FakeSlack() as slack, running(stocked, slack, more=[OPEN]):
        slack.fail("files.getUploadURLExternal", Refuse("file_uploads_disabled"))
        await slack.command("openly")
        await slack.settled(lambda: [m for m in slack.seen("U1") if "is missing" in m.text])
        assert not any("trends.png" in message.text for message in slack.seen("U2"))


async def test_a_description_that_repeats_the_answer_is_left_out(stocked: Database) -> None:
    """A file below its answer repeats none of its text; elsewhere it is described."""
    blocks = Reply((Text(TABLE.alt), TABLE)).blocks
    command = replace(answering("table"), handler=_gives(Reply(blocks, command="table")))
    async with FakeSlack() as slack, running(stocked, slack, more=[command]):
        await slack.direct_message("table")
        assert TABLE.alt not in (await with_file(slack)).text
        await slack.command("table", user="U2")
        assert TABLE.alt in (await with_file(slack, "U2", "D2")).text


def _gives(reply: Reply) -> Callable[..., Awaitable[Reply]]:
    async def handler(_context: Context) -> Reply:
        return reply

    return handler


async def test_sharing_where_the_bot_is_not(stocked: Database) -> None:
    """The text is shared, and the user is told why the file is missing and how to help it."""
    async with FakeSlack() as slack, running(stocked, slack, more=[PLOT]):
        answer = await slack.ask("plot", channel="C2")
        await slack.click(answer, "Share")
        await slack.settled(lambda: slack.seen("U2", "C2"))
        said = await slack.settled(
            lambda: [m for m in slack.seen("U1", "C2") if "is missing" in m.text]
        )
        assert "Broadsheet is not in that channel." in said[0].text
        assert said[0].ephemeral_for == "U1"


async def test_without_the_scope_the_words_say_so(stocked: Database) -> None:
    """An app that was installed before files came still answers, and names what it lacks.

    So it does where there is no response URL; the user alone is told, where the answer is.
    """
    async with FakeSlack() as slack, running(stocked, slack, more=[PLOT]):
        slack.teams["T1"].scopes.discard("files:write")
        for ask, channel in (
            (slack.command, "C1"),
            (slack.mention, "C1"),
            (slack.direct_message, "D1"),
        ):
            before = len(slack.seen("U1", channel))
            await ask("plot")
            said = await slack.settled(lambda: _lacking(slack, channel, before))  # noqa: B023
            assert "The picture trends.png is missing." in said[0].text
            assert said[0].ephemeral_for == (None if channel == "D1" else "U1")


def _lacking(slack: FakeSlack, channel: str, before: int) -> list[Message]:
    new = slack.seen("U1", channel)[before:]
    return [each for each in new if "lacks the scope files:write" in each.text]


async def test_an_upload_that_breaks_off_is_begun_again(stocked: Database) -> None:
    """An upload may be repeated, since nobody sees it; the file is shared once, and whole."""
    async with FakeSlack() as slack, running(stocked, slack, more=[PLOT]):
        shared = 0
        for name in ("upload", "files.getUploadURLExternal"):
            for fault in (Drop(stored=False), Drop(), ServerError(503), RateLimited(0)):
                slack.fail(name, fault)
                await slack.command("plot")
                shared += 1
                await slack.settled(lambda: len(_files(slack)) == shared)  # noqa: B023
        assert _files(slack) == [PICTURE.data] * shared


def _files(slack: FakeSlack) -> list[bytes | None]:
    return [file.data for message in slack.seen(channel="D1") for file in message.files]


async def test_a_failed_upload_is_reported_once(stocked: Database) -> None:
    """The text stays, one notice names the missing file, and nothing is shared twice.

    What was not uploaded is missing for certain, and may be asked for again.
    """
    never = "trends.png is missing."
    async with FakeSlack() as slack, running(stocked, slack, more=[PLOT]):
        for name, fault, times, reasons in (
            (
                "files.getUploadURLExternal",
                Refuse("file_uploads_disabled"),
                1,
                ("is missing. The workspace",),
            ),
            ("conversations.open", Drop(), 1, ("is missing. The connection",)),
            (
                "files.completeUploadExternal",
                Drop(stored=False),
                1,
                ("may be missing. The connection",),
            ),
            ("conversations.open", Refuse("user_disabled"), 1, ("has left",)),
            ("upload", Drop(), 9, (never, "Try again in a moment.")),
            ("files.getUploadURLExternal", Drop(), 9, (never, "Try again in a moment.")),
        ):
            before = len(slack.seen())
            slack.fail(name, fault, times=times)
            await slack.command("plot")
            await slack.settled(lambda: len(slack.seen()) == before + 2)  # noqa: B023
            said = slack.seen()[-1].text
            assert "The picture trends.png" in said
            assert all(reason in said for reason in reasons), said


async def test_a_command_that_comes_twice_brings_its_file_once(stocked: Database) -> None:
    """A repeated delivery is answered again in its acknowledgement, and uploads nothing."""
    async with FakeSlack() as slack, running(stocked, slack, more=[PLOT]):
        ack = await slack.command("plot")
        await slack.repeat(ack)
        await with_file(slack)
        await asyncio.sleep(0.3)
        assert len(slack.calls("files.completeUploadExternal")) == 1


async def test_hostile_names_and_descriptions(stocked: Database) -> None:
    """No name leads anywhere, no comment pings or breaks markup, no description is too long."""
    hostile = [
        replace(PICTURE, name="../../a\u202e\n.png", alt="<!channel> " * 200),
        replace(TABLE, name="..", alt="<!channel> & <@U2> " * 100),
    ]
    command: Command = answering("plot", *hostile)
    async with FakeSlack() as slack, running(stocked, slack, more=[command]):
        await slack.command("plot")
        message = await with_file(slack)
        assert [each.name for each in message.files] == ["a.png", "file"]
        assert "<!channel>" not in message.text


async def test_a_large_file_is_whole(stocked: Database) -> None:
    """Every byte of it arrives."""
    large = replace(PICTURE, data=png(noise=b"x" * 2**21))
    async with FakeSlack() as slack, running(stocked, slack, more=[answering("plot", large)]):
        await slack.command("plot")
        message = await with_file(slack)
        assert message.files[0].data == large.data


def test_a_preview_describes_files_without_their_bytes() -> None:
    """`ask --as slack` shows the words, and what begins each upload."""
    shown = preview(reply_with(PICTURE, TABLE))
    assert TO_COME in shown["text"]
    assert shown["files"] == [
        {"filename": "trends.png", "length": str(len(PICTURE.data)), "alt_txt": ALT},
        {"filename": "saved.bib", "length": str(len(TABLE.data))},
    ]


def test_modals_and_home_say_where_to_get_a_file() -> None:
    """A view describes a file and names the command that sends it."""
    shown = render_view(reply_with(PICTURE), most_blocks=50)
    judge_view({"type": "home", "blocks": shown.blocks})
    assert ALT in shown.text
    assert "The picture trends.png comes with /papers plot." in shown.text
    nowhere = render_view(Reply(reply_with(PICTURE).blocks), most_blocks=50)
    assert "comes where you ask for it in a message." in nowhere.text


def test_a_post_tells_its_files_in_words() -> None:
    """A post describes its files in words, and uploads none."""
    assert f"trends.png: {ALT}" in render_message(reply_with(PICTURE)).text


@given(st.lists(st.builds(File, TEXTS, st.sampled_from(["image/png", "a/b"]), st.binary(), TEXTS)))
def test_slack_accepts_the_message_of_any_file_name(files: list[File]) -> None:
    """Names and descriptions are within Slack's limits and mention nobody."""
    reply = reply_with(*files)
    for where in FileLocation:
        rendered = render_message(reply, files=where)
        judge_message({"text": rendered.text, "blocks": rendered.blocks})
        assert all(
            len(form.get("alt_txt", "")) <= 1000
            for form in map(upload_form, sent_files(reply, where))
        )
