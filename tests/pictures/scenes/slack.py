"""Scenes in Slack: the real client against the fake of its servers."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from itertools import count

from adapters.slack.platform import SlackPlatform
from adapters.slack.settings import read_slack_settings
from adapters.slack.surfaces.modals import OPEN_SEARCH
from bot.posting.delivery.timing import Timing
from store.database import Database
from tests.adapters.common.delivery_worker import sending
from tests.adapters.common.services import services_over
from tests.adapters.slack.connected_bot import variables_for
from tests.fakes.slack import FakeSlack
from tests.fakes.slack import Message as Sent
from tests.fakes.slack.records import Upload
from tests.fakes.slack.records import View as Opened
from tests.pictures.scenes.posts import alerts_sent, all_sent, digest_sent
from tests.pictures.scenes.records import Attachment, Message, Scene, View
from tests.pictures.table import PICTURES, Picture, Platform, Way

_CHANNEL, _DIRECT = "C1", "D1"
_PNG = "image/png"
# Done before anything is asked, so that lists are as they are after some weeks.
_BEFOREHAND = {
    "U1": ("save 2510.04618", "save 2506.15841", "save 2401.05566", "vote 2510.04871"),
    "U2": ("vote 2510.04871", "vote 2510.18234"),
}


async def scenes(database: Database) -> AsyncIterator[Scene]:
    """Give the scenes of the table, in its order."""
    async with (
        FakeSlack() as slack,
        _running(database, slack) as platform,
        sending(database, "slack", platform.channel_client),
    ):
        slack.teams["T1"].channels[_CHANNEL].called = "reading-group"
        for user, lines in _BEFOREHAND.items():
            for line in lines:
                await slack.ask(line, user)
        taken = _Slack(slack, database)
        for picture in PICTURES:
            if Platform.SLACK in picture.platforms:
                yield await taken.scene(picture)


@asynccontextmanager
async def _running(database: Database, slack: FakeSlack) -> AsyncIterator[SlackPlatform]:
    """Run the bot until the block ends; posts wait for no limit of the real Slack."""
    parts = replace(services_over(database), timing=Timing(speed=100))
    platform = SlackPlatform(parts, read_slack_settings(variables_for(slack)))
    try:
        await platform.start()
        await slack.settled(lambda: slack.sockets.open)
        yield platform
    finally:
        await platform.drain()
        await parts.app.wait()
        await platform.stop()


class _Slack:
    def __init__(self, slack: FakeSlack, database: Database) -> None:
        self._slack, self._database = slack, database
        self._numbers = count(3)

    async def scene(self, picture: Picture) -> Scene:
        """Return the scene of a picture."""
        shown: tuple[Message | View, ...]
        match picture.way:
            case Way.ASKED:
                shown = await self._asked(picture.line)
            case Way.POSTED:
                shown = await self._posted(picture.line)
            case Way.FORM:
                shown = (await self._form(picture),)
            case Way.HOME:
                shown = (await self._home(),)
            case Way.DIRECT:
                shown = await self._asked(picture.line, _DIRECT)
            case Way.ALERTED | Way.DIGEST:
                shown = await self._told(picture)
            case Way.TALK:
                shown = await self._talk(picture.line, _DIRECT)
            case Way.ROOM:
                shown = await self._talk(picture.line, _CHANNEL)
        channels = self._slack.teams["T1"].channels
        names = {each.id: each.name for each in channels.values()}
        return Scene(picture.name, Platform.SLACK, shown, {**names, "U1": "ann", "U2": "bob"})

    async def _asked(self, line: str, channel: str = _CHANNEL) -> tuple[Message, ...]:
        before = len(self._direct())
        answer = await self._slack.ask(line, channel=channel)
        said = Message(answer.as_json(), f"/papers {line}", alone=True)
        if "comes in a direct message" not in answer.text:
            return (said,)
        await self._slack.settled(lambda: [m for m in self._direct()[before:] if m.files])
        place = "Direct messages with Broadsheet"
        return said, *(_message(each, place=place) for each in self._direct()[before:])

    async def _talk(self, lines: str, channel: str) -> tuple[Message, ...]:
        """Return the answers to lines, in direct messages or by the command in a channel."""
        shown: list[Message] = []
        answer: Sent | None = None
        for line in lines.split("\n"):
            before = self._slack.seen(channel=channel)
            if answer and line.startswith("["):
                await self._slack.click(answer, line.strip("[]"))
                answer = await self._next(channel, before)
                alone = bool(answer.ephemeral_for)
                shown.append(replace(_message(answer), pressed=line.strip("[]"), alone=alone))
            elif channel == _DIRECT:
                await self._slack.direct_message(line)
                await self._slack.settled(
                    lambda: len(self._slack.seen(channel=channel)) == len(before) + 2  # noqa: B023
                )
                answer = self._slack.seen(channel=channel)[-1]
                shown.append(replace(_message(answer), said=line))
            else:
                answer = await self._slack.ask(line, channel=channel)
                shown.append(Message(answer.as_json(), f"/papers {line}", alone=True))
        return tuple(shown)

    async def _next(self, channel: str, before: list[Sent]) -> Sent:
        """Return the message that is new in a channel."""

        def new() -> list[Sent]:
            return [each for each in self._slack.seen(channel=channel) if each not in before]

        [found] = await self._slack.settled(new)
        return found

    async def _told(self, picture: Picture) -> tuple[Message, ...]:
        """Return what comes in direct messages by a command that was typed there."""
        await self._slack.ask(picture.line, channel=_DIRECT)
        before = len(self._direct())
        if picture.way is Way.ALERTED:
            await alerts_sent(self._database)
        else:
            await digest_sent(self._database)
        sent = [each for each in self._direct()[before:] if not each.ephemeral_for]
        return tuple(map(_message, sent))

    def _direct(self) -> list[Sent]:
        return self._slack.seen(channel=_DIRECT)

    async def _posted(self, layout: str) -> tuple[Message, ...]:
        """Return a post in a channel of its own."""
        team, channel = self._slack.teams["T1"], f"C{next(self._numbers)}"
        room = self._slack.add_channel(team, channel, members={"U1", "U2", team.bot_user})
        room.called = f"papers-{layout}"
        await self._slack.ask(f"subscribe UTC layout:{layout}", channel=channel)
        await self._slack.ask("deliver", channel=channel)
        await all_sent(self._database)
        root, *others = [each for each in room.messages if not each.ephemeral_for]
        replies = sum(each.is_reply for each in others)
        further = [_message(each) for each in others]
        if replies:
            further[0] = replace(further[0], place=f"{replies} replies in its thread")
        return (_message(root, replies=replies), *further)

    async def _form(self, picture: Picture) -> View:
        if not picture.button:
            return await self._search_window(picture)
        answer = await self._slack.ask(picture.line, channel=_CHANNEL)
        before = self._slack.modals()
        await self._slack.click(answer, picture.button)
        return await self._opened(before)

    async def _search_window(self, picture: Picture) -> View:
        """Return the window of a search, opened in App Home and submitted."""
        home, before = await self._published(), self._slack.modals()
        await self._slack.click(home, OPEN_SEARCH)
        await self._opened(before)
        window = self._slack.modals()[-1]
        await self._slack.submit(window, {"query": picture.line.partition(" ")[2]})
        await self._slack.settled(lambda: "Details" in str(window.blocks))
        return View(window.payload)

    async def _opened(self, before: list[Opened]) -> View:
        def opened() -> list[Opened]:
            fresh = [each for each in self._slack.modals() if each not in before]
            return [each for each in fresh if "Looking…" not in str(each.blocks)]

        [window] = await self._slack.settled(opened)
        return View(window.payload)

    async def _home(self) -> View:
        return View((await self._published()).payload)

    async def _published(self) -> Opened:
        before = len(self._slack.calls("views.publish"))
        await self._slack.open_home()
        await self._slack.settled(lambda: len(self._slack.calls("views.publish")) > before)
        home = self._slack.home()
        assert home
        return home


def _message(sent: Sent, *, place: str = "", replies: int = 0) -> Message:
    files = tuple(map(_attachment, sent.files))
    payload = sent.as_json()
    return Message(payload, place=place, replies=replies, edited=sent.edited, files=files)


def _attachment(upload: Upload) -> Attachment:
    assert upload.data
    return Attachment(upload.name, _PNG, upload.data, upload.alt or "")
