"""The permissions that Broadsheet requests in a server, with a reason for each.

Responses to interactions need none of them. The permissions of a call are on its page, such as
https://docs.discord.com/developers/resources/message#create-message
"""

from collections.abc import Sequence
from dataclasses import dataclass

import discord

SCOPES = ("bot", "applications.commands")


@dataclass(frozen=True, slots=True)
class Permission:
    """A permission: its flag in the library, its label in Discord, its purpose.

    `lost` says what does not work without it.
    """

    flag: str
    label: str
    purpose: str
    lost: str


PERMISSIONS = (
    Permission(
        "view_channel",
        "View Channels",
        "reaching the channel that is to be posted to",
        "nothing is posted there; `/papers` works",
    ),
    Permission(
        "send_messages",
        "Send Messages",
        "posts in a channel, new posts in a forum, the welcome, and the line below a mention",
        "nothing is posted there; `/papers` works",
    ),
    Permission(
        "send_messages_in_threads",
        "Send Messages in Threads",
        "posts in a thread, the further messages of a post in a forum or below a card, and the "
        "line below a mention",
        "threads get nothing, forums and channels posts of one message only",
    ),
    Permission(
        "create_public_threads",
        "Create Public Threads",
        "the thread of a post that has one reply for each paper",
        "such posts are refused; those in one message work",
    ),
    Permission(
        "read_message_history",
        "Read Message History",
        "looking whether a post arrived, after a connection broke off, before it is sent again",
        "a post whose arrival is unclear has to be looked after by a person",
    ),
)


def permission_label(flag: str) -> str:
    """Return Discord's label of a permission."""
    found = (permission.label for permission in PERMISSIONS if permission.flag == flag)
    return next(found, flag.replace("_", " ").title())


def invite_url(application_id: int) -> str:
    """Return the URL that adds the bot to a server, with these permissions."""
    permissions = discord.Permissions(**{permission.flag: True for permission in PERMISSIONS})
    return discord.utils.oauth_url(application_id, permissions=permissions, scopes=SCOPES)


def permission_table(permissions: Sequence[Permission] = PERMISSIONS) -> str:
    """Return the permissions as a Markdown table."""
    rows = (f"| {each.label} | {each.purpose} | {each.lost} |" for each in permissions)
    return "\n".join(["| permission | what for | without it |", "|---|---|---|", *rows])
