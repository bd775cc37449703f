"""What comes in from Slack, in our words. Pure: a payload in, a request out.

The payloads are described at https://docs.slack.dev/reference/interaction-payloads and
https://docs.slack.dev/interactivity/implementing-slash-commands
"""

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bot.domain.untrusted_text import unescaped

Payload = Mapping[str, Any]

# The callback ids of the shortcuts.
SEARCH_SHORTCUT = "search"
LOOKUP_SHORTCUT = "lookup"

# <https://example.org|label>, <mailto:a@b.c|a@b.c>, <@U1|name>, <#C1|name>, <!here>
_REFERENCE = re.compile(r"<([@#!]\w[^<>|]*|[a-z]+:[^<>|]*)(?:\|([^<>]*))?>")
# Where a command takes a channel, its id says more than its name.
_CHANNEL_GIVEN = re.compile(r"(?<!\S)(in|channel):<#(\w+)(?:\|[^<>]*)?>", re.IGNORECASE)
_CURLY = str.maketrans("“”„‟«»", '""""""')


@dataclass(frozen=True, slots=True)
class Request:
    """Who asks something in Slack, where, and how that can be answered.

    `key` is the same whenever Slack delivers this very request again. `team` is `None` only for
    an organisation's own events. `thread` is the `ts` of the thread's first message where it was
    asked in one, `message` that of the message asked in or about. `alone` is whether whoever
    pressed a button is the only one who sees the message with it.
    """

    key: str
    team: str | None
    user: str
    text: str = ""
    enterprise: str | None = None
    is_org: bool = False
    channel: str | None = None
    thread: str | None = None
    message: str | None = None
    response_url: str | None = None
    trigger: str | None = None
    alone: bool = False

    @property
    def workspace(self) -> str:
        """The id that all stored of this workspace stands under."""
        return self.team or self.enterprise or ""

    @property
    def is_direct(self) -> bool:
        """Whether it was asked in a direct message."""
        return (self.channel or "").startswith("D")


def from_command(body: Payload) -> Request:
    """Read a slash command."""
    return Request(
        key=_digest(body),
        team=body.get("team_id"),
        user=body["user_id"],
        text=plain(body.get("text") or ""),
        enterprise=body.get("enterprise_id"),
        is_org=str(body.get("is_enterprise_install", "")).lower() == "true",
        channel=body.get("channel_id"),
        response_url=body.get("response_url"),
        trigger=body.get("trigger_id"),
    )


def from_interaction(body: Payload) -> Request:
    """Read a pressed button, a shortcut, a submitted form or a request for options."""
    container = body.get("container") or {}
    channel = (body.get("channel") or {}).get("id") or container.get("channel_id")
    message = body.get("message") or {}
    user = body["user"]
    team = (body.get("team") or {}).get("id") or user.get("team_id")
    return Request(
        key=_digest(body),
        team=team,
        user=user["id"],
        enterprise=(body.get("enterprise") or {}).get("id"),
        is_org=bool(body.get("is_enterprise_install")),
        channel=channel,
        thread=container.get("thread_ts") or message.get("thread_ts"),
        message=container.get("message_ts") or message.get("ts"),
        response_url=body.get("response_url"),
        trigger=body.get("trigger_id"),
        alone=bool(container.get("is_ephemeral")),
    )


def from_event(body: Payload) -> Request:
    """Read an event that a person caused."""
    event = body["event"]
    # In a channel shared with other workspaces the first is where this app is installed.
    authorization: Payload = next(iter(body.get("authorizations") or ()), {})
    user = event.get("user")
    return Request(
        key=f"slack:{body['event_id']}" if body.get("event_id") else _digest(body),
        team=body.get("team_id") or authorization.get("team_id"),
        user=user if isinstance(user, str) else "",
        enterprise=body.get("enterprise_id") or authorization.get("enterprise_id"),
        is_org=bool(authorization.get("is_enterprise_install")),
        text=plain(event.get("text") or ""),
        channel=event.get("channel"),
        thread=event.get("thread_ts"),
        message=event.get("ts") or event.get("message_ts"),
    )


def _digest(body: Payload) -> str:
    """Return a name of a request that it has again when it is delivered again.

    Not each kind has an id of its own, but all of it is the same then.
    """
    whole = json.dumps(body, sort_keys=True, separators=(",", ":")).encode()
    return f"slack:{hashlib.blake2b(whole, digest_size=16).hexdigest()}"


def asked_in_mention(event: Payload, bot_user: str | None) -> str:
    """Return what stands behind the mention of the bot, else what stands before it."""
    text = str(event.get("text") or "")
    mention = re.search(
        rf"<@{re.escape(bot_user)}(?:\|[^<>]*)?>" if bot_user else "<@[^<>]*>", text
    )
    if mention is None:
        return plain(text)
    sides = text[mention.end() :], text[: mention.start()]
    behind, before = (plain(side).strip(" ,:") for side in sides)
    return behind or before


def plain(text: str, *, as_typed: bool = False) -> str:
    """Return what a person typed: Slack's references as words, its escapes undone.

    A link becomes its address, a person or a channel their name where Slack tells it; a channel
    that is given to a command becomes its id. Clients make quotes curly; commands have straight
    ones, and what is kept `as_typed` has its own.
    """
    given = _CHANNEL_GIVEN.sub(r"\1:\2", text)
    named = _REFERENCE.sub(_words, given)
    words = unescaped(named).replace("\N{NO-BREAK SPACE}", " ").strip()
    return words if as_typed else words.translate(_CURLY)


def _words(found: re.Match[str]) -> str:
    target, label = found[1], found[2]
    if target[:1] in {"@", "#"}:
        return f"{target[0]}{label or target[1:]}"
    if target[:1] == "!":
        return f"@{label or target[1:].partition('^')[0]}".replace("@@", "@")
    return target.removeprefix("mailto:")
