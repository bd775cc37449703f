"""What stands in the channels, as the platforms themselves have it."""

from collections.abc import Iterator
from dataclasses import dataclass

from adapters.discord.render.buttons import read_id
from tests.fakes.discord import FakeDiscord
from tests.fakes.discord import Message as DiscordMessage
from tests.fakes.slack import FakeSlack
from tests.fakes.slack import Message as SlackMessage


@dataclass(frozen=True, slots=True)
class Stands:
    """A message of the bot's that stands somewhere.

    `thread` is the first message of the thread that it is in, `None` where it is in none; in a
    forum every message is in one, its first in its own. `at` orders messages.
    """

    platform: str
    channel: str
    thread: str | None
    id: str
    key: str | None
    text: str
    at: float


def in_slack(slack: FakeSlack) -> list[Stands]:
    """Return what the bot said to all in channels of Slack, what was deleted left out."""
    said = _said_in_slack(slack, direct=False)
    return [_in_slack(each) for each in said if not each.ephemeral_for]


def in_discord(discord: FakeDiscord) -> list[Stands]:
    """Return what the bot said to all in channels of Discord, those included that are gone."""
    said = (each for each in discord.sent() if each.channel.guild and not each.ephemeral)
    return [_in_discord(each) for each in said]


def direct(slack: FakeSlack, discord: FakeDiscord) -> list[Stands]:
    """Return what the bot told people in direct messages."""
    said = (each for each in discord.sent() if not each.channel.guild)
    in_slack = (_in_slack(each) for each in _said_in_slack(slack, direct=True))
    return [*in_slack, *map(_in_discord, said)]


def _in_slack(message: SlackMessage) -> Stands:
    return Stands(
        "slack",
        message.channel,
        message.thread_ts if message.is_reply else None,
        message.ts,
        _key_in_slack(message),
        message.text,
        float(message.ts.partition(".")[2]),
    )


def _in_discord(message: DiscordMessage) -> Stands:
    room = message.channel
    channel = room.parent or room
    keys = {press.key for each in message.custom_ids if (press := read_id(each))}
    return Stands(
        "discord",
        str(channel.id),
        str(room.id) if room.is_thread else None,
        str(message.id),
        next(iter(keys)) if len(keys) == 1 else None,
        message.text,
        float(message.id),
    )


def _said_in_slack(slack: FakeSlack, *, direct: bool) -> Iterator[SlackMessage]:
    for team in slack.teams.values():
        for channel in team.channels.values():
            if channel.direct is direct:
                yield from (m for m in channel.messages if m.bot_id and not m.deleted)


def _key_in_slack(message: SlackMessage) -> str | None:
    payload = (message.metadata or {}).get("event_payload") or {}
    key: str | None = payload.get("key")
    return key
