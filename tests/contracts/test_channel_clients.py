"""The channel clients of all platforms, against their fakes."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial

import pytest

from adapters.platform import find_platforms
from bot.errors import Gone, NotAllowed, OutcomeUnknown, SendError
from bot.posting.ports import Message, PostedMessage
from bot.replies.blocks import Actions, Button, Reply, Text, Visibility
from tests.contracts.stages.channel_clients import Stage, in_discord, in_slack

Opens = Callable[[], AbstractAsyncContextManager[Stage]]
STAGES: dict[str, Opens] = {
    "slack": in_slack,
    "discord": partial(in_discord, "text"),
    "discord announcements": partial(in_discord, "announcement"),
    "discord forum": partial(in_discord, "forum"),
    "discord without the gateway": partial(in_discord, "text", gateway=False),
    "discord announcements without it": partial(in_discord, "announcement", gateway=False),
    "discord forum without it": partial(in_discord, "forum", gateway=False),
}
KEY = "4xVsRz-dT_k8Qw2m"
PINGS = "Corrected, @everyone <!channel> <@U2> <@&7>"
END = "the very end"


@pytest.fixture(params=STAGES)
def opens(request: pytest.FixtureRequest) -> Opens:
    """Return the function that opens each stage."""
    return STAGES[request.param]


def test_every_platform_is_held_to_these_rules() -> None:
    """Every platform has a stage."""
    assert {name.partition(" ")[0] for name in STAGES} == set(find_platforms())


def saying(text: str) -> Reply:
    """Return the text of one message."""
    return Reply((Text(text),), Visibility.CHANNEL)


def message_to(stage: Stage, text: str = "One", key: str = KEY) -> Message:
    """Return the first message of a post."""
    title = "Top AI papers, Jan 5–11"
    return Message(stage.channel, key, saying(text), title=title, kind=stage.kind)


def reply_below(stage: Stage, root: PostedMessage, text: str = "Two") -> Message:
    """Return a message that replies to a root."""
    return replace(message_to(stage, text, f"{KEY}-2"), root=root, threaded=True)


def now() -> datetime:
    """Return the time of the first attempt."""
    return datetime.now(UTC)


def ids(stage: Stage) -> list[str]:
    """Return the messages that people see."""
    return [seen.id for seen in stage.seen()]


async def test_a_message_is_sent_once_for_its_key(opens: Opens) -> None:
    """A message is posted once, and found by its key and by no other."""
    async with opens() as stage:
        since, message = now(), message_to(stage)
        assert await stage.client.find(message, since) is None
        posted = await stage.client.send(message)
        assert ids(stage) == [posted.message]
        assert posted.url
        assert await stage.client.find(message, since) == posted
        assert await stage.client.find(replace(message, key="another"), since) is None


async def test_what_was_stored_and_not_answered_is_found(opens: Opens) -> None:
    """A message whose response was lost exists once, found by sending or by searching."""
    async with opens() as stage:
        since, message = now(), message_to(stage)
        stage.lose(stored=True, root=True)
        try:
            posted: PostedMessage | None = await stage.client.send(message)
        except OutcomeUnknown:
            posted = await stage.client.find(message, since)
        assert posted
        assert ids(stage) == [posted.message]


async def test_what_did_not_arrive_is_not_found(opens: Opens) -> None:
    """A message that was not stored is not found, and can be sent again."""
    async with opens() as stage:
        since, message = now(), message_to(stage)
        stage.lose(stored=False, root=True)
        with pytest.raises(OutcomeUnknown):
            await stage.client.send(message)
        assert await stage.client.find(message, since) is None
        posted = await stage.client.send(message)
        assert ids(stage) == [posted.message]


async def test_a_reply_belongs_to_its_root(opens: Opens) -> None:
    """A reply is in the thread of its root, and found there after a lost response too."""
    async with opens() as stage:
        root = await stage.client.send(message_to(stage))
        posted = [root.message]
        for stored in (True, False):
            message = replace(reply_below(stage, root), key=f"{KEY}-{stored}")
            assert await stage.client.find(message, now()) is None
            since = now()
            stage.lose(stored=stored)
            with pytest.raises(OutcomeUnknown):
                await stage.client.send(message)
            found = await stage.client.find(message, since)
            assert bool(found) is stored
            posted.append((found or await stage.client.send(message)).message)
        assert ids(stage) == posted
        assert [seen.thread for seen in stage.seen()][1:] == [root.message] * 2


async def test_replies_follow_in_their_order(opens: Opens) -> None:
    """The thread that the first reply made is where the next ones go."""
    async with opens() as stage:
        root = await stage.client.send(message_to(stage))
        thread = None
        for number in range(2, 5):
            message = reply_below(stage, root, f"Reply {number}")
            posted = await stage.client.send(replace(message, key=f"{KEY}-{number}", thread=thread))
            thread = posted.place
        said = [seen.text for seen in stage.seen() if seen.id != root.message]
        assert [f"Reply {number}" in text for number, text in enumerate(said, 2)] == [True] * 3
        assert {seen.thread for seen in stage.seen()} - {None} == {root.message}
        last = await stage.client.send(replace(message_to(stage, key=f"{KEY}-5"), root=root))
        assert last.place == root.place, "what replies to none follows where the root stands"


async def test_an_edit_changes_what_stands_and_notifies_nobody(opens: Opens) -> None:
    """An edit adds no message, mentions nobody and keeps the key."""
    async with opens() as stage:
        since, message = now(), message_to(stage)
        posted = await stage.client.send(message)
        corrected = replace(message, reply=saying(PINGS))
        await stage.client.edit(posted, corrected)
        [seen] = stage.seen()
        assert (seen.id, seen.edited, seen.pings) == (posted.message, True, False)
        assert "Corrected" in seen.text
        assert "One" not in seen.text
        assert await stage.client.find(corrected, since) == posted


async def test_a_post_pings_nobody(opens: Opens) -> None:
    """Titles and summaries mention nobody, whatever they contain."""
    async with opens() as stage:
        root = await stage.client.send(message_to(stage, PINGS))
        await stage.client.send(reply_below(stage, root, PINGS))
        assert [seen.pings for seen in stage.seen()] == [False, False]


async def test_a_removed_message_is_gone(opens: Opens) -> None:
    """A removed message is not edited, replied to or posted again."""
    async with opens() as stage:
        message = message_to(stage)
        posted = await stage.client.send(message)
        assert posted.message
        stage.remove(posted.message)
        for where in (posted, replace(posted, message=None)):
            with pytest.raises(Gone):
                await stage.client.edit(where, message)
        assert ids(stage) == []


async def test_a_closed_channel_is_told_from_trouble(opens: Opens) -> None:
    """A closed channel is an error with a remedy."""
    async with opens() as stage:
        stage.close()
        message = message_to(stage)
        with pytest.raises((NotAllowed, Gone)) as raised:
            await stage.client.send(message)
        assert raised.value.sentence.endswith(".")
        assert ids(stage) == []


_LENGTHS: tuple[tuple[Reply, bool], ...] = (
    (Reply((Text(END),), Visibility.CHANNEL), True),
    (Reply((*(Text("word " * 90) for _ in range(7)), Text(END)), Visibility.CHANNEL), True),
    (Reply((*(Text("word " * 500) for _ in range(20)), Text(END)), Visibility.CHANNEL), False),
    (
        Reply(
            (Actions(tuple(Button(f"B{n}", "help") for n in range(300))), Text(END)),
            Visibility.CHANNEL,
        ),
        False,
    ),
)


async def test_what_fits_is_sent_whole(opens: Opens) -> None:
    """A reply fits where one message shows all of it."""
    async with opens() as stage:
        for number, (reply, fits) in enumerate(_LENGTHS):
            assert stage.client.fits(reply) is fits
            message = replace(message_to(stage, key=f"{KEY}-{number}"), reply=reply)
            sent = await stage.client.send(message)
            [seen] = [each for each in stage.seen() if each.id == sent.message]
            assert (END in seen.text) is fits


async def test_a_person_is_told_once(opens: Opens) -> None:
    """A notice that arrived is not sent again, even if its response was lost."""
    async with opens() as stage:
        workspace, notice = stage.channel.workspace, saying("It ended.")
        for number, stored in enumerate((True, False), start=1):
            key, since = f"{KEY}-{number}", now()
            stage.lose(stored=stored)
            with pytest.raises(SendError):
                await stage.client.notify_user(workspace, stage.person, notice, key, None)
            for _ in range(2):
                await stage.client.notify_user(workspace, stage.person, notice, key, since)
            assert len(stage.notices()) == number
        assert all("It ended." in text for text in stage.notices())
        assert ids(stage) == []
