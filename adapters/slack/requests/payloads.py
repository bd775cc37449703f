"""Requests, read from the payloads of Slack. Pure.

The payloads are documented at https://docs.slack.dev/reference/interaction-payloads and
https://docs.slack.dev/interactivity/implementing-slash-commands
"""

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

from adapters.slack.requests.places import place_of
from bot.domain.untrusted_text import unescaped

Payload = Mapping[str, Any]

# The callback ids of the shortcuts.
SEARCH_SHORTCUT = "search"
LOOKUP_SHORTCUT = "lookup"

# <https://example.org|label>, <mailto:a@b.c|a@b.c>, <@U1|name>, <#C1|name>, <!here>
_REFERENCE = re.compile(r"<([@#!]\w[^<>|]*|[a-z]+:[^<>|]*)(?:\|([^<>]*))?>")
# A command takes a channel by its id.
_CHANNEL_ARGUMENT = re.compile(
    r"(?<!\S)(in|channel)[:\uff1a]\s?<#(\w+)(?:\|[^<>]*)?>", re.IGNORECASE
)
# Slack makes links of typed names, such as `dair.ai`, and of numbers, such as those of papers.
_SCHEME = re.compile(r"\A(?:https?://|mailto:|tel:)")
_NO_ADDRESS = re.compile(r"\A(?:mailto|tel):")
_MENTION = re.compile(r"<@(\w+)(?:\|[^<>]*)?>")
_MOST_MENTIONED = 20
# With a file, sent to the channel too from a thread, and `/me`; else there is no subtype.
_WRITTEN = (None, "file_share", "thread_broadcast", "me_message")


@dataclass(frozen=True, slots=True)
class Request:
    """A request: its user, where it was made, and how to answer it.

    `key` is the same for each delivery of a request. `team` is the workspace that installed the
    app, whoever asks, and `None` where its organisation alone is known; `user_team` is the user's
    own workspace or organisation, `None` where the payload doesn't tell. `thread` is the `ts` of a
    thread's first message, `message` that of the message that the request was made in or is about.
    `is_ephemeral` is whether a pressed button is in an ephemeral message, `is_press` whether the
    request is made by an earlier answer, a button or a form, since which the user may have left the
    channel.
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
    trigger_id: str | None = None
    is_ephemeral: bool = False
    is_press: bool = False
    user_team: str | None = None

    @property
    def workspace(self) -> str:
        """The id under which the store keeps the workspace."""
        return self.team or self.enterprise or ""

    @property
    def is_direct(self) -> bool:
        """True if it was made in a direct message."""
        return (self.channel or "").startswith("D")


def from_command(body: Payload) -> Request:
    """Read a slash command."""
    place = place_of(body)
    return Request(
        key=_digest(body),
        team=place.team,
        user=body["user_id"],
        text=from_mrkdwn(body.get("text") or ""),
        enterprise=place.enterprise,
        is_org=place.is_org,
        user_team=place.user_team,
        channel=body.get("channel_id"),
        response_url=body.get("response_url"),
        trigger_id=body.get("trigger_id"),
    )


def from_interaction(body: Payload) -> Request:
    """Read a pressed button, a shortcut, a submitted form or a request for options."""
    container = body.get("container") or {}
    channel = (body.get("channel") or {}).get("id") or container.get("channel_id")
    message = body.get("message") or {}
    place = place_of(body)
    return Request(
        key=_digest(body),
        team=place.team,
        user=body["user"]["id"],
        enterprise=place.enterprise,
        is_org=place.is_org,
        user_team=place.user_team,
        channel=channel,
        thread=container.get("thread_ts") or message.get("thread_ts"),
        message=container.get("message_ts") or message.get("ts"),
        response_url=body.get("response_url"),
        trigger_id=body.get("trigger_id"),
        is_ephemeral=bool(container.get("is_ephemeral")),
        is_press=True,
    )


def from_event(body: Payload) -> Request:
    """Read an event."""
    event, place = body["event"], place_of(body)
    user = event.get("user")
    return Request(
        key=_event_key(body, event, place.team or place.enterprise),
        team=place.team,
        user=user if isinstance(user, str) else "",
        enterprise=place.enterprise,
        is_org=place.is_org,
        user_team=place.user_team,
        text=from_mrkdwn(event.get("text") or ""),
        channel=event.get("channel"),
        thread=event.get("thread_ts"),
        message=event.get("ts") or event.get("message_ts"),
    )


def _event_key(body: Payload, event: Payload, workspace: str | None) -> str:
    """Return a key for an event, which each installation that sees it may get.

    A mention is of one message, whichever installation it was delivered to.
    """
    if event.get("type") == "app_mention" and event.get("ts"):
        edited = (event.get("edited") or {}).get("ts") or event["ts"]
        return f"slack:{workspace}:{event.get('channel')}:{event['ts']}:{edited}"
    if body.get("event_id"):
        return f"slack:{workspace}:{body['event_id']}"
    return _digest(body)


def _digest(body: Payload) -> str:
    """Return a key for a request of a kind without id: a redelivery has the same body."""
    text = json.dumps(body, sort_keys=True, separators=(",", ":")).encode()
    return f"slack:{hashlib.blake2b(text, digest_size=16).hexdigest()}"


def is_by_person(event: Payload) -> bool:
    """Tell whether a message is one that a person wrote; a file alone says nothing.

    Edits, joins and the like have other subtypes.
    https://docs.slack.dev/reference/events/message
    """
    subtype = event.get("subtype")
    if event.get("bot_id") or subtype not in _WRITTEN:
        return False
    return subtype is None or bool(str(event.get("text") or "").strip())


def mentioned_users(event: Payload) -> list[str]:
    """Return the ids of the users that a message mentions, of the first few."""
    found = islice(_MENTION.finditer(str(event.get("text") or "")), _MOST_MENTIONED)
    return list(dict.fromkeys(mention[1] for mention in found))


def command_in_mention(event: Payload, bot_user: str | None) -> str:
    """Return the text after the mention of the bot, else the text before it."""
    text = str(event.get("text") or "")
    mention = re.search(
        rf"<@{re.escape(bot_user)}(?:\|[^<>]*)?>" if bot_user else "<@[^<>]*>", text
    )
    if mention is None:
        return from_mrkdwn(text)
    sides = text[mention.end() :], text[: mention.start()]
    after, before = (from_mrkdwn(side).strip(" ,:\uff0c\uff1a") for side in sides)
    return after or before


def from_mrkdwn(text: str) -> str:
    """Return mrkdwn as the plain text that the user typed, without references and escapes.

    A link becomes its URL, or what was typed where Slack made a link of that; a user or channel
    their name if Slack sends it; a channel argument of a command becomes its id.
    """
    with_ids = _CHANNEL_ARGUMENT.sub(r"\1:\2", text)
    with_names = _REFERENCE.sub(_reference_text, with_ids)
    return unescaped(with_names).replace("\N{NO-BREAK SPACE}", " ").strip()


def _reference_text(reference: re.Match[str]) -> str:
    target, label = reference[1], reference[2]
    if target[:1] in {"@", "#"}:
        return f"{target[0]}{label or target[1:]}"
    if target[:1] == "!":
        return f"@{label or target[1:].partition('^')[0]}".replace("@@", "@")
    bare = _SCHEME.sub("", target)
    return label if label and label.rstrip("/") == bare.rstrip("/") else _NO_ADDRESS.sub("", target)
