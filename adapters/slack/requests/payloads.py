"""Requests, read from the payloads of Slack. Pure.

The payloads are documented at https://docs.slack.dev/reference/interaction-payloads and
https://docs.slack.dev/interactivity/implementing-slash-commands

In a channel that organisations share, a payload names several workspaces: the one that hosts the
channel, that of the user, and the one that installed the app, which alone counts. Bolt reads them
with https://github.com/slackapi/bolt-python/blob/main/slack_bolt/request/internals.py, which
neither tells a user's organisation from the app's, nor the workspace of an organisation's event.
"""

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any, NamedTuple

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
    return Request(
        key=_digest(body),
        user=body["user_id"],
        text=from_mrkdwn(body.get("text") or ""),
        channel=body.get("channel_id"),
        response_url=body.get("response_url"),
        trigger_id=body.get("trigger_id"),
        **place_of(body)._asdict(),
    )


def from_interaction(body: Payload) -> Request:
    """Read a pressed button, a shortcut, a submitted form or a request for options."""
    container = body.get("container") or {}
    channel = (body.get("channel") or {}).get("id") or container.get("channel_id")
    message = body.get("message") or {}
    return Request(
        key=_digest(body),
        user=body["user"]["id"],
        channel=channel,
        thread=container.get("thread_ts") or message.get("thread_ts"),
        message=container.get("message_ts") or message.get("ts"),
        response_url=body.get("response_url"),
        trigger_id=body.get("trigger_id"),
        is_ephemeral=bool(container.get("is_ephemeral")),
        is_press=True,
        **place_of(body)._asdict(),
    )


def from_event(body: Payload) -> Request:
    """Read an event."""
    event, place = body["event"], place_of(body)
    user = event.get("user")
    return Request(
        key=_event_key(body, event, place.team or place.enterprise),
        user=user if isinstance(user, str) else "",
        text=from_mrkdwn(event.get("text") or ""),
        channel=event.get("channel"),
        thread=event.get("thread_ts"),
        message=event.get("ts") or event.get("message_ts"),
        **place._asdict(),
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


class Place(NamedTuple):
    """The installation that a payload is for, which its request has.

    `team` is `None` where its organisation alone is known, as in an interaction without `team`;
    `enterprise` is `None` where its workspace alone is. `is_org` is whether the organisation
    installed the app for all its workspaces. `user_team` is the workspace or organisation of the
    user, `None` where the payload doesn't tell.
    """

    team: str | None
    enterprise: str | None = None
    is_org: bool = False
    user_team: str | None = None


def place_of(body: Payload) -> Place:
    """Return the place of an event, a slash command or an interaction."""
    if isinstance(body.get("event"), Mapping):
        return _of_event(body, body["event"])
    if isinstance(body.get("user"), Mapping):
        return _of_interaction(body, body["user"])
    # Slack lets a command be typed only by people of a workspace with the app.
    team = body.get("team_id")
    return Place(team, body.get("enterprise_id"), _is_org(body), user_team=team)


def addressed_to(body: Payload, team: str | None, enterprise: str | None) -> Payload:
    """Return an event as it is delivered to another installation.

    Args:
        body: the event.
        team: the workspace that installed the app, `None` where its organisation did.
        enterprise: the organisation.
    """
    is_org = team is None
    authorization = {"team_id": team, "enterprise_id": enterprise, "is_enterprise_install": is_org}
    return {**body, "authorizations": [authorization]}


def _of_event(body: Payload, event: Payload) -> Place:
    """Return the place of an event, which an installation is authorized to see.

    https://docs.slack.dev/apis/events-api/#authorizations
    """
    authorization: Payload = next(iter(body.get("authorizations") or ()), {})
    outer = body.get("team_id"), body.get("enterprise_id")
    if not authorization:
        # That an app was removed is told to no installation.
        is_org = _is_org(body) or (outer[0] is None and outer[1] is not None)
        return Place(*outer, is_org, _home(body, event, outer[0] or outer[1]))
    enterprise, is_org = authorization.get("enterprise_id"), _is_org(authorization)
    team = _workspace(authorization.get("team_id"))
    if team is None and is_org:
        context = body.get("context_team_id"), body.get("context_enterprise_id")
        inside = (pair[0] for pair in (outer, context) if pair[1] == enterprise)
        team = next(filter(None, inside), None)
        if team is None and not body.get("is_ext_shared_channel"):
            team = outer[0]
    elif team is None:
        team = outer[0]
    return Place(team, enterprise, is_org, _home(body, event, team or enterprise))


def _home(body: Payload, event: Payload, own: str | None) -> str | None:
    """Return the workspace or organisation of an event's user.

    Slack names it where it differs from the app's. `team` of a message is its author's.
    """
    profile = event.get("user_profile") or {}
    named = event.get("user_team") or event.get("source_team") or profile.get("team")
    return named or event.get("team") or (None if body.get("is_ext_shared_channel") else own)


def _of_interaction(body: Payload, user: Payload) -> Place:
    """Return the place of a pressed button, a shortcut, a submitted form or wanted options.

    A form that a stranger submits names their workspace and organisation, and the app's as
    `app_installed_team_id`: https://github.com/slackapi/bolt-js/issues/1614
    """
    named: Payload = body.get("team") or {}
    enterprise = (body.get("enterprise") or {}).get("id") or named.get("enterprise_id")
    is_org, user_team = _is_org(body), user.get("team_id")
    if user_team is None and body.get("type") == "view_submission":
        user_team = named.get("id")
    own = named.get("id") or (None if is_org else user_team)
    installed = (body.get("view") or {}).get("app_installed_team_id")
    if installed and installed.startswith("E"):
        team = own if enterprise == installed else None
        return Place(team, installed, is_org=True, user_team=user_team)
    team = installed or own
    if team is None or user_team in {None, team} or (is_org and team == named.get("id")):
        return Place(team, enterprise, is_org, user_team)
    # Of a stranger's payload only the workspace is the app's for certain.
    return Place(team, None, is_org=False, user_team=user_team)


def _is_org(said: Payload) -> bool:
    """Tell whether an organisation installed the app; a command says it in words."""
    return str(said.get("is_enterprise_install")).lower() == "true"


def _workspace(named: str | None) -> str | None:
    """Return the id of a workspace, `None` for that of an organisation."""
    return None if named is None or named.startswith("E") else named
